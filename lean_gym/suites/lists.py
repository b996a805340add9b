"""Lists: walks along the laws of append, map, reverse and length."""

from __future__ import annotations

from random import Random

from .draft import Draft, draft
from .expr import Expr, leaves, size, subterms
from .rewriting import Rule, Step, equation, match, parse_rules, use

__all__ = ["FAMILY", "generate"]

FAMILY = "lists"

LAWS = parse_rules(
    """
    List.append_assoc as bs cs : as ++ bs ++ cs = as ++ (bs ++ cs)
    List.append_nil as : as ++ [] = as
    List.nil_append as : [] ++ as = as
    List.cons_append {a} {as} {bs} : (a :: as) ++ bs = a :: (as ++ bs)
    List.map_append {f} {as} {bs} : (as ++ bs).map f = as.map f ++ bs.map f
    List.map_map {f} {g} {as} : (as.map f).map g = as.map (g ∘ f)
    List.map_reverse {f} {as} : as.reverse.map f = (as.map f).reverse
    List.reverse_append {as} {bs} : (as ++ bs).reverse = bs.reverse ++ as.reverse
    List.reverse_reverse as : as.reverse.reverse = as
    """
)
LENGTHS = parse_rules(
    """
    List.length_append {as} {bs} : (as ++ bs).length = as.length + bs.length
    List.length_cons {a} {as} : (a :: as).length = as.length + 1
    List.length_map {as} {f} : (as.map f).length = as.length
    List.length_reverse {as} : as.reverse.length = as.length
    Nat.add_comm n m : n + m = m + n
    Nat.add_assoc n m k : n + m + k = n + (m + k)
    """
)
LISTS = ("xs", "ys", "zs")


def _grow(rng: Random, operators: int, names: tuple[str, ...], nils: float, conses: bool) -> Expr:
    if operators == 0:
        return "[]" if rng.random() < nils else rng.choice(names)
    pick = rng.random()
    if pick < 0.5:
        left = rng.randrange(operators)
        return ("++", _grow(rng, left, names, nils, conses), _grow(rng, operators - 1 - left, names, nils, conses))
    inner = _grow(rng, operators - 1, names, nils / 3, conses)
    if pick < 0.62 and conses:
        return ("::", rng.choice("ab"), inner)
    if pick < 0.8:
        return (".reverse", inner)
    return (".map", inner, rng.choice("fg"))


def generate(rng: Random, level: int) -> Draft | None:
    """One theorem on lists, or None when the draw was not worth keeping."""
    names = LISTS[: rng.choice((1, 2, 2) if level < 3 else (2, 2, 3))]
    lengths = rng.random() < 0.3
    operators = rng.randint(1 if level < 3 else 2, level + 2)
    start = _grow(rng, operators, names, 0.3 if level < 3 else 0.12, rng.random() < 0.3)
    rules: list[Rule] = list(LAWS)
    if lengths:
        start = (".length", start)
        if rng.random() < 0.3:
            start = ("+", start, (".length", rng.choice(names)))
        rules += LENGTHS
    facts: list[tuple[str, Expr]] = []
    if rng.random() < 0.2:
        left, right = rng.choice(names), _grow(rng, rng.choice((0, 0, 1)), LISTS, 0.2, False)
        if left in list(subterms(right)):
            return None
        facts = [("h", ("=", left, right))]
        rules.append(Rule("h", left, right))
    steps = rng.randint(max(1, level - 1), level + (1 if level > 1 else 0))
    made = equation(rng, rules, start, steps, 9 + 2 * level, max(1, level - 1))
    if made is None:
        return None
    goal, found = made
    letters = leaves(goal)
    if size(goal) > 22 or not letters & set(LISTS) or _untyped(goal):
        return None
    if any("[]" in leaves(a) for s in found for a in s.arguments):  # `rw` could not tell the type of that `[]`
        return None
    if not any(s.rule.name == "h" for s in found):
        facts = []
    proof = [use(found)]
    plain = [s for s in found if not s.back]
    if len(plain) == len(found) and not facts and not lengths:
        pick = rng.random()
        maps = sum(s.rule.name == "List.map_map" for s in found)
        if pick < 0.2 and maps < 2:
            proof = ["simp"]
        elif pick < 0.35 and not any(s.rule.name == "List.map_reverse" for s in found) and maps < 2:
            proof = ["simp only [" + ", ".join(dict.fromkeys(s.rule.name for s in found)) + "]"]
        elif len(found) == 1 and pick < 0.5 and _whole(goal, found[0]):
            proof = [f"apply {found[0].rule.name}"]
    return draft(_variables([goal, *(f for _, f in facts)]), facts, goal, proof)


def _untyped(goal: Expr) -> bool:
    """Whether some `[].length` or the like letters Lean without the type of its elements."""
    return any(
        isinstance(e, tuple) and e[0].startswith(".") and not leaves(e[1]) & {*LISTS, "a", "b"} for e in subterms(goal)
    )


def _whole(goal: Expr, step: Step) -> bool:
    """Whether the goal is the rule itself."""
    values: dict[str, Expr] = {}
    return match(step.rule.left, goal[1], values) and match(step.rule.right, goal[2], values)


def _variables(es: list[Expr]) -> list[tuple[str, str]]:
    letters = set().union(*(leaves(e) for e in es))
    out = [("α", "Type")]
    for names, kind in ((("f", "g"), "α → α"), (("a", "b"), "α"), (LISTS, "List α")):
        used = [n for n in names if n in letters]
        if used:
            out.append((" ".join(used), kind))
    return out
