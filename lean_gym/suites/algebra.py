"""Algebra: monoids and groups, by the classes of `Core` and by laws given as hypotheses."""

from __future__ import annotations

from random import Random

from .draft import Draft, draft
from .expr import Expr, leaves, size, subterms
from .rewriting import Rule, Step, equation, match, parse_rules, use

__all__ = ["FAMILY", "generate"]

FAMILY = "algebra"

MONOID = parse_rules(
    """
    mul_assoc a b c : a * b * c = a * (b * c)
    mul_one a : a * 1 = a
    one_mul a : 1 * a = a
    """
)
COMMUTATIVE = parse_rules(
    """
    mul_comm a b : a * b = b * a
    mul_left_comm a b c : a * (b * c) = b * (a * c)
    mul_right_comm a b c : a * b * c = a * c * b
    """
)
GROUP = parse_rules(
    """
    inv_mul_cancel a : a⁻¹ * a = 1
    mul_inv_cancel a : a * a⁻¹ = 1
    inv_mul_cancel_left a b : a⁻¹ * (a * b) = b
    mul_inv_cancel_left a b : a * (a⁻¹ * b) = b
    mul_inv_cancel_right a b : a * b * b⁻¹ = a
    inv_mul_cancel_right a b : a * b⁻¹ * b = a
    inv_inv a : a⁻¹⁻¹ = a
    mul_inv_rev a b : (a * b)⁻¹ = b⁻¹ * a⁻¹
    inv_one : 1⁻¹ = 1
    """
)
CLASSES: dict[str, tuple[Rule, ...]] = {
    "Monoid": MONOID,
    "CommMonoid": MONOID + COMMUTATIVE,
    "Group": MONOID + GROUP,
    "CommGroup": MONOID + COMMUTATIVE + GROUP,
}
LEAVES = ("a", "b", "c", "d")
SIMPLE = {"mul_one", "one_mul", "inv_inv", "inv_one"}
"""Laws after which `simp` has nothing left to do but what they do."""


def grow(rng: Random, operators: int, letters: tuple[str, ...], ones: float, inverses: float) -> Expr:
    """A random product; `ones` is the share of letters that are 1, `inverses` of inverses."""
    if operators == 0:
        return "1" if rng.random() < ones else rng.choice(letters)
    if rng.random() < inverses:
        return ("⁻¹", grow(rng, operators - 1, letters, ones, inverses / 2))
    left = rng.randrange(operators)
    one = grow(rng, left, letters, ones, inverses)
    if inverses and rng.random() < 0.35:  # something to cancel
        return rng.choice(
            (("*", ("⁻¹", one), one), ("*", one, ("⁻¹", one)), ("*", ("⁻¹", one), ("*", one, rng.choice(letters))))
        )
    return ("*", one, grow(rng, operators - 1 - left, letters, ones, inverses))


def _inverse_of_product(goal: Expr) -> bool:
    return any(
        isinstance(e, tuple) and e[0] == "⁻¹" and isinstance(e[1], tuple) and e[1][0] == "*" for e in subterms(goal)
    )


def generate(rng: Random, level: int) -> Draft | None:
    """One theorem of algebra, or None when the draw was not worth keeping."""
    name = rng.choice(list(CLASSES))
    rules = list(CLASSES[name])
    group = "Group" in name
    letters = LEAVES[: rng.choice((2, 2, 3) if level < 3 else (2, 3, 4))]
    facts: list[tuple[str, Expr]] = []
    if rng.random() < 0.25:
        left = rng.choice((("*", *rng.sample(letters, 2)), rng.choice(letters)))
        right = rng.choice(("1", rng.choice(letters), ("*", *rng.sample(letters, 2))))
        if left == right or left in list(subterms(right)) or right in list(subterms(left)):
            return None
        facts = [("h", ("=", left, right))]
        rules.append(Rule("h", left, right))
    start = grow(
        rng, rng.randint(1 if level < 3 else 2, level + 2), letters, 0.25 if level < 3 else 0.08, 0.3 if group else 0
    )
    made = equation(rng, rules, start, rng.randint(max(1, level - 1), level + 1), 9 + 2 * level, max(1, level - 1))
    if made is None:
        return None
    goal, found = made
    if size(goal) > 22 or not leaves(goal) & set(LEAVES):
        return None
    if not any(s.rule.name == "h" for s in found):
        facts = []
    proof = [use(found)]
    rewritten = {s.rule.name for s in found}
    if not facts and not any(s.back for s in found) and not rewritten & {r.name for r in COMMUTATIVE}:
        pick = rng.random()
        if pick < 0.15 and rewritten <= SIMPLE and not _inverse_of_product(goal):
            proof = ["simp"]
        elif pick < 0.3 and rewritten <= {r.name for r in MONOID}:
            proof = ["simp only [" + ", ".join(dict.fromkeys(s.rule.name for s in found)) + "]"]
    if len(found) == 1 and not facts and not found[0].back and rng.random() < 0.4:
        values: dict[str, Expr] = {}
        rule = found[0].rule
        if match(rule.left, goal[1], values) and match(rule.right, goal[2], values) and rule.variables:
            step = Step(rule, False, tuple(values[v] for v in rule.variables))
            proof = [rng.choice((f"exact {step}", f"apply {rule.name}"))]
    names = sorted(n for n in set().union(*(leaves(e) for e in [goal, *(f for _, f in facts)])) if n.isalpha())
    made_draft = draft([("G", "Type"), (" ".join(names), "G")], facts, goal, proof)
    binders = made_draft.binders
    return Draft((binders[0], f"[{name} G]", *binders[1:]), made_draft.goal, made_draft.proof)
