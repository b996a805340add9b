"""Bool, Option and pairs: identities by cases, by rewriting, and equalities of constructors."""

from __future__ import annotations

from itertools import product
from random import Random

from .draft import Draft, draft
from .expr import Expr, leaves, size, substitute
from .rewriting import equation, parse_rules, use

__all__ = ["FAMILY", "generate"]

FAMILY = "data"

BOOL = parse_rules(
    """
    Bool.and_comm a b : (a && b) = (b && a)
    Bool.or_comm a b : (a || b) = (b || a)
    Bool.and_assoc a b c : (a && b && c) = (a && (b && c))
    Bool.or_assoc a b c : (a || b || c) = (a || (b || c))
    Bool.not_not b : (!!b) = b
    Bool.not_and a b : (!(a && b)) = (!a || !b)
    Bool.not_or a b : (!(a || b)) = (!a && !b)
    Bool.and_true b : (b && true) = b
    Bool.true_and b : (true && b) = b
    Bool.or_false b : (b || false) = b
    Bool.false_or b : (false || b) = b
    Bool.and_false b : (b && false) = false
    Bool.or_true b : (b || true) = true
    Bool.and_self b : (b && b) = b
    Bool.or_self b : (b || b) = b
    Bool.and_or_distrib_left a b c : (a && (b || c)) = (a && b || a && c)
    """
)
OPTION = parse_rules(
    """
    Option.map_map g f o : (o.map f).map g = o.map (g ∘ f)
    Option.isSome_map f o : (o.map f).isSome = o.isSome
    Option.not_isSome o : (!o.isSome) = o.isNone
    """
)
BOOLS = ("a", "b", "c")


def _grow(rng: Random, operators: int, names: tuple[str, ...], constants: float) -> Expr:
    if operators == 0:
        return rng.choice(("true", "false")) if rng.random() < constants else rng.choice(names)
    if rng.random() < 0.25:
        return ("!", _grow(rng, operators - 1, names, 0))
    left = rng.randrange(operators)
    head = rng.choice(("&&", "||"))
    return (head, _grow(rng, left, names, constants), _grow(rng, operators - 1 - left, names, constants))


def _value(e: Expr, values: dict[str, bool]) -> bool:
    if isinstance(e, str):
        return values.get(e, e == "true")
    if e[0] == "!":
        return not _value(e[1], values)
    if e[0] == "&&":
        return _value(e[1], values) and _value(e[2], values)
    return _value(e[1], values) or _value(e[2], values)


def _split(rng: Random, names: list[str]) -> list[str]:
    """A proof by all cases."""
    if rng.random() < 0.25 and len(names) > 1:
        return ["revert " + " ".join(names), "decide"]
    return [" <;> ".join([*(f"cases {n}" for n in names), "rfl"])]


def _bools(rng: Random, level: int) -> Draft | None:
    names = BOOLS[: rng.choice((1, 2, 2) if level < 3 else (2, 2, 3))]
    start = _grow(rng, rng.randint(1 if level == 1 else 2, level + 2), names, 0.25 if level < 3 else 0.1)
    pick = rng.random()
    if pick < 0.5:
        made = equation(
            rng, BOOL, start, rng.randint(max(1, level - 1), level), 9 + 2 * level, max(1, level - 1), turn=0.1
        )
        if made is None:
            return None
        goal, found = made
        used = sorted(n for n in leaves(goal) if n in BOOLS)
        proof = [use(found)]
        if rng.random() < 0.35 and len(used) <= 3:
            proof = _split(rng, used)
    else:  # any two expressions with the same table
        other = _grow(rng, rng.randint(0, level + 1), names, 0.2)
        goal = ("=", start, other)
        used = sorted(n for n in leaves(goal) if n in BOOLS)
        tables = [dict(zip(used, row)) for row in product((False, True), repeat=len(used))]
        if not used or any(_value(start, t) != _value(other, t) for t in tables):
            return None
        proof = _split(rng, used)
    if not used or goal[1] == goal[2] or size(goal) > 20:
        return None
    return draft([(" ".join(used), "Bool")], [], goal, proof)


def _bool_facts(rng: Random, level: int) -> Draft | None:
    """Equations `a = true` as hypotheses."""
    names = BOOLS[: min(3, 1 + level)]
    values = {n: rng.random() < 0.6 for n in names}
    e = _grow(rng, rng.randint(1, level + 1), names, 0.0)
    used = sorted(leaves(e))
    facts: list[tuple[str, Expr]] = [(f"h{n}", ("=", n, "true" if values[n] else "false")) for n in used]
    goal: Expr = ("=", e, "true" if _value(e, values) else "false")
    if len(facts) == 1:
        facts = [("h", facts[0][1])]
    how = ", ".join(n for n, _ in facts)
    proof = rng.choice(([f"simp [{how}]"], ["subst " + " ".join(n for n, _ in facts), "rfl"]))
    return draft([(" ".join(used), "Bool")], facts, goal, proof)


def _options(rng: Random, level: int) -> Draft | None:
    word = [rng.choice("fg") for _ in range(rng.randint(1, 1 + level))]
    e: Expr = "o"
    for f in word:
        e = (".map", e, f)
    ending = rng.random()
    if ending < 0.35:
        e = (".isSome", e)
        if rng.random() < 0.4:
            e = ("!", e)
    made = equation(rng, OPTION, e, rng.randint(1, level), 16, max(1, min(3, level - 1)), turn=0.1)
    if made is None:
        return None
    goal, found = made
    proof = rng.choice(([use(found)], ["cases o <;> rfl"], ["cases o with", "| none => rfl", "| some x => rfl"]))
    letters = leaves(goal)
    variables = [("α", "Type"), (" ".join(f for f in "fg" if f in letters), "α → α"), ("o", "Option α")]
    return draft([v for v in variables if v[0]], [], goal, proof)


def _pairs(rng: Random, level: int) -> Draft | None:
    """Components of pairs, equal pairs, `some a = some b`."""
    pick = rng.random()
    functions = [rng.choice("fg") for _ in range(rng.randrange(level))]

    def under(x: Expr) -> Expr:
        for f in functions:
            x = (f, x)
        return x

    a, b, c, d = "a", "b", "c", "d"
    if pick < 0.3:
        goal: Expr = ("=", under(a), under(c))
        facts: list[tuple[str, Expr]] = [("h", ("=", ("pair", a, b), ("pair", c, d)))]
        if rng.random() < 0.5:
            goal = ("=", under(b), under(d))
        proof = (
            ["cases h", "rfl"]
            if functions or rng.random() < 0.5
            else [f"exact (Prod.mk.inj h).{1 if goal[1] == a else 2}"]
        )
        if not functions and rng.random() < 0.3:
            proof = ["injection h"]
        names = "a b c d"
    elif pick < 0.5:
        facts = [("h₁", ("=", a, c)), ("h₂", ("=", b, d))]
        first, second = under(a), b
        goal = ("=", ("pair", first, second), ("pair", substitute(first, {"a": "c"}), d))
        if rng.random() < 0.4:
            goal = ("=", ("pair", second, first), ("pair", d, substitute(first, {"a": "c"})))
        proof = rng.choice((["rw [h₁, h₂]"], ["subst h₁ h₂", "rfl"], ["simp [h₁, h₂]"]))
        names = "a b c d"
    elif pick < 0.75:
        facts = [("h", ("=", ("some", a), ("some", b)))]
        goal = ("=", under(a), under(b))
        proof = (
            ["cases h", "rfl"]
            if functions or rng.random() < 0.5
            else rng.choice((["exact Option.some.inj h"], ["injection h"]))
        )
        names = "a b"
    else:
        projection = rng.choice((1, 2))
        pair: Expr = ("pair", a, b)
        swaps = 0
        for _ in range(rng.randint(1, level)):
            if rng.random() < 0.5:
                pair, swaps = (".swap", pair), swaps + 1
            else:
                functions.append("f")
                pair = (".map", pair, "f", "g")
        value = {1: a, 2: b}
        # follow the projection through swaps and maps from the outside in
        place, symbols = projection, []
        inner = pair
        while inner[0] != "pair":
            if inner[0] == ".swap":
                place = 3 - place
            else:
                symbols.append("f" if place == 1 else "g")
            inner = inner[1]
        e: Expr = value[place]
        for f in reversed(symbols):
            e = (f, e)
        goal, facts, proof = ("=", (f".{projection}", pair), e), [], ["rfl"]
        names = "a b"
    letters = _functions_in(goal) | {f for _, x in facts for f in _functions_in(x)}
    variables = [("α", "Type"), (" ".join(f for f in "fg" if f in letters), "α → α"), (names, "α")]
    return draft([v for v in variables if v[0]], facts, goal, proof)


def _functions_in(e: Expr) -> set[str]:
    return {e} if isinstance(e, str) else {e[0]}.union(*(_functions_in(a) for a in e[1:]))


def generate(rng: Random, level: int) -> Draft | None:
    """One theorem on Bool, Option or pairs, or None when the draw was not worth keeping."""
    pick = rng.random()
    if pick < 0.5:
        return _bools(rng, level)
    if pick < 0.62:
        return _bool_facts(rng, level)
    return _options(rng, level) if pick < 0.78 else _pairs(rng, level)
