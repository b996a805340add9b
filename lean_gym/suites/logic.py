"""Propositional logic: instances of known laws, consequences, and goals whose hypotheses are made on demand."""

from __future__ import annotations

from random import Random

from .draft import Draft, draft, fits
from .expr import INFIX, Expr, size, substitute
from .prover import prove

__all__ = ["FAMILY", "generate"]

FAMILY = "logic"


def _and(a: Expr, b: Expr) -> Expr:
    return ("∧", a, b)


def _or(a: Expr, b: Expr) -> Expr:
    return ("∨", a, b)


def _imp(a: Expr, b: Expr) -> Expr:
    return ("→", a, b)


def _iff(a: Expr, b: Expr) -> Expr:
    return ("↔", a, b)


def _not(a: Expr) -> Expr:
    return ("¬", a)


# (hypotheses, goal) in the letters A, B, C, D, which stand for any formula.
_A, _B, _C, _D = "A", "B", "C", "D"
LAWS: tuple[tuple[tuple[Expr, ...], Expr], ...] = (
    ((_and(_A, _B),), _and(_B, _A)),
    ((_or(_A, _B),), _or(_B, _A)),
    ((_and(_A, _and(_B, _C)),), _and(_and(_A, _B), _C)),
    ((_and(_and(_A, _B), _C),), _and(_A, _and(_B, _C))),
    ((_or(_A, _or(_B, _C)),), _or(_or(_A, _B), _C)),
    ((_or(_or(_A, _B), _C),), _or(_A, _or(_B, _C))),
    ((_and(_A, _or(_B, _C)),), _or(_and(_A, _B), _and(_A, _C))),
    ((_or(_and(_A, _B), _and(_A, _C)),), _and(_A, _or(_B, _C))),
    ((_or(_A, _and(_B, _C)),), _and(_or(_A, _B), _or(_A, _C))),
    ((_imp(_A, _B), _imp(_B, _C)), _imp(_A, _C)),
    ((_imp(_A, _imp(_B, _C)),), _imp(_B, _imp(_A, _C))),
    ((_imp(_and(_A, _B), _C),), _imp(_A, _imp(_B, _C))),
    ((_imp(_A, _imp(_B, _C)),), _imp(_and(_A, _B), _C)),
    ((_imp(_or(_A, _B), _C),), _and(_imp(_A, _C), _imp(_B, _C))),
    ((_imp(_A, _C), _imp(_B, _C)), _imp(_or(_A, _B), _C)),
    ((_imp(_A, _B), _imp(_A, _C)), _imp(_A, _and(_B, _C))),
    ((_imp(_A, _and(_B, _C)),), _and(_imp(_A, _B), _imp(_A, _C))),
    ((_imp(_A, _B), _not(_B)), _not(_A)),
    ((_imp(_A, _B),), _imp(_not(_B), _not(_A))),
    ((_imp(_A, _not(_B)),), _imp(_B, _not(_A))),
    ((_not(_or(_A, _B)),), _and(_not(_A), _not(_B))),
    ((_and(_not(_A), _not(_B)),), _not(_or(_A, _B))),
    ((_or(_not(_A), _not(_B)),), _not(_and(_A, _B))),
    ((_or(_A, _B), _not(_A)), _B),
    ((_or(_A, _B), _not(_B)), _A),
    ((_or(_not(_A), _B), _A), _B),
    ((_A, _not(_A)), _B),
    ((_A,), _not(_not(_A))),
    ((_not(_not(_not(_A))),), _not(_A)),
    ((_and(_A, _not(_B)),), _not(_imp(_A, _B))),
    ((_iff(_A, _B),), _iff(_B, _A)),
    ((_iff(_A, _B), _iff(_B, _C)), _iff(_A, _C)),
    ((_iff(_A, _B), _A), _B),
    ((_iff(_A, _B), _not(_B)), _not(_A)),
    ((_imp(_A, _B), _imp(_B, _A)), _iff(_A, _B)),
    ((_imp(_A, _B), _imp(_C, _D), _and(_A, _C)), _and(_B, _D)),
    ((_imp(_A, _B), _imp(_C, _D), _or(_A, _C)), _or(_B, _D)),
    ((_imp(_A, _B), _A), _B),
    ((_A, _B), _and(_A, _B)),
    ((_A,), _or(_A, _B)),
    ((_B,), _or(_A, _B)),
    ((_B,), _imp(_A, _B)),
    ((_iff(_A, _B),), _iff(_and(_A, _C), _and(_B, _C))),
    ((_iff(_A, _B),), _iff(_or(_A, _C), _or(_B, _C))),
    ((), _not(_and(_A, _not(_A)))),
    ((), _iff(_and(_A, _A), _A)),
    ((), _iff(_or(_A, _A), _A)),
    ((), _iff(_and(_A, _or(_A, _B)), _A)),
    ((), _iff(_or(_A, _and(_A, _B)), _A)),
)
# Laws that need the excluded middle.
CLASSICAL: tuple[tuple[tuple[Expr, ...], Expr], ...] = (
    ((_not(_not(_A)),), _A),
    ((), _or(_A, _not(_A))),
    ((_not(_and(_A, _B)),), _or(_not(_A), _not(_B))),
    ((_imp(_A, _B),), _or(_not(_A), _B)),
    ((_imp(_not(_A), _B),), _or(_A, _B)),
    ((_imp(_not(_B), _not(_A)),), _imp(_A, _B)),
    ((_imp(_imp(_A, _B), _A),), _A),
    ((_not(_imp(_A, _B)),), _and(_A, _not(_B))),
    ((_imp(_not(_A), _A),), _A),
    ((_imp(_A, _B), _imp(_not(_A), _B)), _B),
)


def formula(rng: Random, atoms: list[str], operators: int) -> Expr:
    """A random formula with `operators` connectives."""
    if operators == 0:
        return rng.choice(atoms)
    head = rng.choices(("∧", "∨", "→", "¬", "↔"), (32, 26, 22, 14, 6))[0]
    if head == "¬":
        inner = formula(rng, atoms, operators - 1)
        return ("¬", inner)
    left = rng.randrange(operators)
    return (head, formula(rng, atoms, left), formula(rng, atoms, operators - 1 - left))


def consequence(rng: Random, e: Expr, steps: int, atoms: list[str]) -> Expr:
    """A formula that follows from `e`, by `steps` weakenings at random places where weakening is sound."""
    for _ in range(steps):
        e = _weaken(rng, e, atoms)
    return e


def _weaken(rng: Random, e: Expr, atoms: list[str]) -> Expr:
    head = e[0] if isinstance(e, tuple) else ""
    if head in ("∧", "∨") and rng.random() < 0.5:
        at = rng.choice((1, 2))
        parts = list(e)
        parts[at] = _weaken(rng, parts[at], atoms)
        return tuple(parts)
    if head == "→" and rng.random() < 0.6:
        return (
            ("→", e[1], _weaken(rng, e[2], atoms))
            if rng.random() < 0.5
            else ("→", ("∧", e[1], rng.choice(atoms)), e[2])
        )
    if head == "∧":
        return rng.choice((e[1], e[2], ("∧", e[2], e[1]), ("∧", e[2], e[1])))
    if head == "∨":
        if isinstance(e[1], tuple) and e[1][0] == "∨" and rng.random() < 0.5:
            return ("∨", e[1][1], ("∨", e[1][2], e[2]))
        return ("∨", e[2], e[1])
    if head == "↔":
        return rng.choice((("→", e[1], e[2]), ("→", e[2], e[1]), ("↔", e[2], e[1])))
    other = rng.choice(atoms)
    return rng.choice((("∨", e, other), ("∨", other, e), ("→", other, e), ("¬", ("¬", e))))


def demand(rng: Random, goal: Expr, depth: int, atoms: list[str]) -> list[Expr]:
    """Hypotheses from which `goal` follows, made while walking back from it."""
    head = goal[0] if isinstance(goal, tuple) else ""
    if head == "∧":
        return demand(rng, goal[1], depth - 1, atoms) + demand(rng, goal[2], depth - 1, atoms)
    if head == "∨":
        return demand(rng, rng.choice((goal[1], goal[2])), depth, atoms)
    if head == "→" and depth > 0:
        if rng.random() < 0.3:
            middle = rng.choice(atoms)
            return [("→", goal[1], middle), *demand(rng, ("→", middle, goal[2]), depth - 1, atoms)]
        return demand(rng, goal[2], depth - 1, atoms)
    if depth <= 0:
        return [goal]
    other = rng.choice(atoms)
    pick = rng.random()
    if pick < 0.4:
        return [("→", other, goal), *demand(rng, other, depth - 1, atoms)]
    if pick < 0.5:
        return [rng.choice((("∧", goal, other), ("∧", other, goal)))]
    if pick < 0.62:
        third = rng.choice(atoms)
        return [("→", other, goal), ("→", third, goal), rng.choice((("∨", other, third), ("∨", third, other)))]
    if pick < 0.72:
        return [rng.choice((("↔", other, goal), ("↔", goal, other))), *demand(rng, other, depth - 1, atoms)]
    if pick < 0.82:
        return [("∨", other, goal), *demand(rng, ("¬", other), depth - 1, atoms)]
    if pick < 0.9 and head == "¬":
        return [("→", goal[1], other), *demand(rng, ("¬", other), depth - 1, atoms)]
    third = rng.choice(atoms)
    return [("→", ("∧", other, third), goal), *demand(rng, other, depth - 1, atoms), *demand(rng, third, 0, atoms)]


def _statement(rng: Random, level: int) -> tuple[list[Expr], Expr, bool]:
    atoms = ["p", "q", "r", "s"][: rng.choice((2, 3, 3) if level < 3 else (3, 3, 4))]
    pick = rng.random()
    if pick < 0.45:
        classical = level >= 2 and rng.random() < 0.12
        facts, goal = rng.choice(CLASSICAL if classical else LAWS)
        parts = max(0, rng.randrange(level + 1) - 1) if level > 1 else rng.choice((0, 0, 1))
        values = {letter: formula(rng, atoms, 0) for letter in "ABCD"}
        letters = list(values)
        for _ in range(parts):
            letter = rng.choice(letters)
            values[letter] = formula(rng, atoms, rng.choice((1, 1, 2)))
        if parts == 0 or rng.random() < 0.5:
            for letter, atom in zip(letters, rng.sample(["p", "q", "r", "s"], 4)):
                if isinstance(values[letter], str):
                    values[letter] = atom
        return [substitute(f, values) for f in facts], substitute(goal, values), classical
    if pick < 0.7:
        fact = formula(rng, atoms, rng.randint(1, 1 + level))
        goal = consequence(rng, fact, rng.randint(1, level), atoms)
        if level > 2 and rng.random() < 0.3:
            other = formula(rng, atoms, rng.randint(1, 2))
            return [fact, other], ("∧", goal, consequence(rng, other, 1, atoms)), False
        return [fact], goal, False
    goal = formula(rng, atoms, rng.choice((0, 0, 1) if level < 3 else (0, 1, 1, 2)))
    return demand(rng, goal, rng.randint(1, max(1, level - 1)), atoms), goal, False


def fact_names(rng: Random, facts: list[Expr]) -> list[tuple[str, Expr]]:
    """Names for hypotheses, in one of the usual ways."""
    if len(facts) == 1:
        fact = facts[0]
        return [("h" + fact if isinstance(fact, str) else "h", fact)]
    named: list[tuple[str, Expr]] = []
    count = 0
    for fact in facts:
        if isinstance(fact, str):
            named.append(("h" + fact, fact))
        elif fact[0] == "¬" and isinstance(fact[1], str):
            named.append(("hn" + fact[1], fact))
        else:
            named.append((f"h{'₁₂₃₄₅₆₇₈₉'[count]}", fact))
            count += 1
    if count == 1:
        named = [("h" if name == "h₁" else name, fact) for name, fact in named]
    return named


def generate(rng: Random, level: int) -> Draft | None:
    """One theorem of propositional logic, or None when the draw was not worth keeping."""
    facts, goal, classical = _statement(rng, level)
    facts = list(dict.fromkeys(facts))
    if any(dull(e) for e in [*facts, goal]) and rng.random() < 0.9:
        return None
    if goal in facts or goal in ("True", "False") or any(size(e) > 12 for e in [*facts, goal]) or len(facts) > 6:
        return None
    rng.shuffle(facts)
    # Some hypotheses stay in the goal as premises.
    moved = 0
    if facts and size(goal) < 8:
        moved = rng.choice((0, 0, 1, len(facts)))
        for fact in reversed(facts[len(facts) - moved :]):
            goal = ("→", fact, goal)
        facts = facts[: len(facts) - moved]
    named = fact_names(rng, facts)
    proof = prove(goal, named, rng, classical=classical, deepest=level + 3, budget=120)
    if proof is None or not fits(proof, level):
        return None
    used = sorted({name for e in [goal, *facts] for name in _names(e)})
    return draft([(" ".join(used), "Prop")], named, goal, proof) if used else None


def dull(e: Expr) -> bool:
    """Whether a connective in `e` has the same formula on both sides."""
    if isinstance(e, str):
        return False
    return (e[0] in INFIX and e[1] == e[2]) or any(dull(a) for a in e[1:])


def _names(e: Expr) -> set[str]:
    return {e} - {"True", "False"} if isinstance(e, str) else {n for a in e[1:] for n in _names(a)}
