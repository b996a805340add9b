"""Arithmetic of Nat by rewriting: walks along the ring laws, with and without equations as hypotheses."""

from __future__ import annotations

from random import Random

from .draft import Draft, draft
from .expr import Expr, leaves, size, substitute, subterms
from .rewriting import Rule, Step, equation, match, parse_rules, use

__all__ = ["FAMILY", "generate"]

FAMILY = "nat"

UNITS = parse_rules(
    """
    Nat.add_zero n : n + 0 = n
    Nat.zero_add n : 0 + n = n
    Nat.mul_one n : n * 1 = n
    Nat.one_mul n : 1 * n = n
    Nat.mul_zero n : n * 0 = 0
    Nat.zero_mul n : 0 * n = 0
    """
)
COMMUTE = parse_rules(
    """
    Nat.add_comm n m : n + m = m + n
    Nat.add_assoc n m k : n + m + k = n + (m + k)
    Nat.add_left_comm n m k : n + (m + k) = m + (n + k)
    Nat.add_right_comm n m k : n + m + k = n + k + m
    Nat.mul_comm n m : n * m = m * n
    Nat.mul_assoc n m k : n * m * k = n * (m * k)
    """
)
DISTRIBUTE = parse_rules(
    """
    Nat.mul_add n m k : n * (m + k) = n * m + n * k
    Nat.add_mul n m k : (n + m) * k = n * k + m * k
    """
)
LEAVES = ("a", "b", "c", "d")


def grow(rng: Random, operators: int, letters: tuple[str, ...] | list[str], units: float) -> Expr:
    """A random sum or product; `units` is the share of letters that are 0 or 1."""
    if operators == 0:
        return rng.choice(("0", "1", "0")) if rng.random() < units else rng.choice(letters)
    left = rng.randrange(operators)
    head = "+" if rng.random() < 0.62 else "*"
    return (head, grow(rng, left, letters, units), grow(rng, operators - 1 - left, letters, units))


def _additive(e: Expr) -> list[str] | None:
    """The letters of a sum of names, sorted, or None when `e` is anything else."""
    if isinstance(e, str):
        return [e] if not e.isdigit() else None
    if e[0] != "+":
        return None
    left, right = _additive(e[1]), _additive(e[2])
    return sorted(left + right) if left and right else None


def _proofs(goal: Expr, steps: list[Step], rng: Random) -> list[list[str]]:
    """Ways to write the proof; the first is `rw`."""
    out = [[use(steps)]]
    bare = [s for s in steps if not s.back]
    units = {r.name for r in UNITS}
    if steps and all(s.rule.name in units and not s.back for s in steps):
        out += [["simp"], ["simp only [" + ", ".join(dict.fromkeys(s.rule.name for s in steps)) + "]"]]
    left, right = _additive(goal[1]), _additive(goal[2])
    if left is not None and left == right and len(left) > 2:
        out += [["simp [Nat.add_comm, Nat.add_left_comm, Nat.add_assoc]"]] * 2
    if len(steps) == 1 and not steps[0].back and steps[0].rule.name.startswith("Nat.") and bare:
        values: dict[str, Expr] = {}
        if match(steps[0].rule.left, goal[1], values) and substitute(steps[0].rule.right, values) == goal[2]:
            out += [
                [f"apply {steps[0].rule.name}"],
                ["exact " + str(Step(steps[0].rule, False, tuple(values[v] for v in steps[0].rule.variables)))],
            ]
    return out


def generate(rng: Random, level: int) -> Draft | None:
    """One theorem on sums and products, or None when the draw was not worth keeping."""
    letters = LEAVES[: rng.choice((2, 2, 3) if level < 3 else (3, 3, 4))]
    rules: list[Rule] = []
    facts: list[tuple[str, Expr]] = []
    pick = rng.random()
    if pick < 0.3 or level == 1:
        rules += UNITS
    if pick > 0.2 or level > 2:
        rules += COMMUTE
    if pick > 0.75 and level > 1:
        rules += DISTRIBUTE
    if rng.random() < 0.3:
        for i in range(rng.choice((1, 1, 2))):
            left: Expr = rng.choice(letters) if rng.random() < 0.6 else grow(rng, 1, letters, 0)
            right: Expr = grow(rng, rng.choice((0, 0, 1)), letters, 0.1)
            if left == right or right in list(subterms(left)) or left in list(subterms(right)):
                return None
            facts.append((f"h{'₁₂'[i]}", ("=", left, right)))
            rules.append(Rule(f"h{'₁₂'[i]}", left, right))
    start = grow(rng, rng.randint(1 if level < 3 else 2, level + 2), letters, 0.45 if rules[0] is UNITS[0] else 0.03)
    steps_wanted = rng.randint(max(1, level - 1), level)
    made = equation(rng, rules, start, steps_wanted, 9 + 2 * level, max(1, level - 1))
    if made is None:
        return None
    goal, found = made
    if size(goal) > 22 or leaves(goal) <= {"0", "1"}:
        return None
    used = {s.rule.name for s in found}
    facts = [f for f in facts if f[0] in used]
    if len(facts) == 1:
        found = [
            Step(Rule("h", s.rule.left, s.rule.right), s.back) if s.rule.name in ("h₁", "h₂") else s for s in found
        ]
        facts = [("h", facts[0][1])]
    options = _proofs(goal, found, rng)
    proof = options[0] if rng.random() < 0.5 else rng.choice(options)
    names = sorted(n for e in [goal, *(f for _, f in facts)] for n in leaves(e) if n.isalpha())
    return draft([(" ".join(dict.fromkeys(names)), "Nat")], facts, goal, proof)
