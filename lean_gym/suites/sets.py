"""Sets: membership and inclusion by logic, set algebra by its laws."""

from __future__ import annotations

from random import Random

from .draft import Draft, draft, fits
from .expr import Expr, leaves, size, subterms
from .horn import lemma, name_leaves, prove_by, tree
from .prover import prove
from .rewriting import equation, parse_rules, use

__all__ = ["FAMILY", "generate"]

FAMILY = "sets"

LAWS = parse_rules(
    """
    Set.union_comm a b : a ∪ b = b ∪ a
    Set.inter_comm a b : a ∩ b = b ∩ a
    Set.union_assoc a b c : a ∪ b ∪ c = a ∪ (b ∪ c)
    Set.inter_assoc a b c : a ∩ b ∩ c = a ∩ (b ∩ c)
    Set.union_left_comm a b c : a ∪ (b ∪ c) = b ∪ (a ∪ c)
    Set.inter_left_comm a b c : a ∩ (b ∩ c) = b ∩ (a ∩ c)
    Set.union_self a : a ∪ a = a
    Set.inter_self a : a ∩ a = a
    Set.inter_union_distrib_left s t u : s ∩ (t ∪ u) = s ∩ t ∪ s ∩ u
    Set.union_inter_distrib_left s t u : s ∪ t ∩ u = (s ∪ t) ∩ (s ∪ u)
    Set.compl_compl s : sᶜᶜ = s
    Set.compl_union s t : (s ∪ t)ᶜ = sᶜ ∩ tᶜ
    Set.compl_inter s t : (s ∩ t)ᶜ = sᶜ ∪ tᶜ
    """
)
_ST = ("⊆", "s", "t")
LEMMAS = [
    lemma("Set.Subset.trans", ("⊆", "s", "u"), _ST, ("⊆", "t", "u"), weight=3),
    lemma("Set.Subset.refl", ("⊆", "s", "s"), arguments="s"),
    lemma("Set.inter_subset_left", ("⊆", ("∩", "s", "t"), "s"), weight=2),
    lemma("Set.inter_subset_right", ("⊆", ("∩", "s", "t"), "t"), weight=2),
    lemma("Set.subset_union_left", ("⊆", "s", ("∪", "s", "t")), weight=2),
    lemma("Set.subset_union_right", ("⊆", "t", ("∪", "s", "t")), weight=2),
    lemma("Set.subset_inter", ("⊆", "u", ("∩", "s", "t")), ("⊆", "u", "s"), ("⊆", "u", "t"), weight=3),
    lemma("Set.union_subset", ("⊆", ("∪", "s", "t"), "u"), ("⊆", "s", "u"), ("⊆", "t", "u"), weight=3),
    lemma("Set.Subset.antisymm", ("=", "s", "t"), _ST, ("⊆", "t", "s"), weight=3),
    lemma("Set.mem_of_subset_of_mem", ("∈", "x", "t"), _ST, ("∈", "x", "s"), weight=3),
]
SETS = ("A", "B", "C", "D")


def _grow(rng: Random, operators: int, names: tuple[str, ...], complements: float) -> Expr:
    if operators == 0:
        return rng.choice(names)
    if rng.random() < complements:
        return ("ᶜ", _grow(rng, operators - 1, names, complements / 2))
    left = rng.randrange(operators)
    head = rng.choices(("∩", "∪", "\\"), (5, 5, 1 if complements else 0))[0]
    return (head, _grow(rng, left, names, complements), _grow(rng, operators - 1 - left, names, complements))


def _bigger(rng: Random, s: Expr, names: tuple[str, ...]) -> Expr:
    """A set that holds `s`."""
    if isinstance(s, tuple) and s[0] in ("∩", "∪") and rng.random() < 0.5:
        at = rng.choice((1, 2))
        parts = list(s)
        parts[at] = _bigger(rng, parts[at], names)
        return tuple(parts)
    if isinstance(s, tuple) and s[0] == "∩":
        return rng.choice((s[1], s[2], ("∩", s[2], s[1]), ("∩", s[2], s[1])))
    if isinstance(s, tuple) and s[0] == "∪":
        return ("∪", s[2], s[1])
    if isinstance(s, tuple) and s[0] == "\\":
        return rng.choice((s[1], ("ᶜ", s[2])))
    other = rng.choice(names)
    return rng.choice((("∪", s, other), ("∪", other, s)))


def _members(rng: Random, level: int) -> Draft | None:
    names = SETS[: rng.choice((2, 3, 3) if level < 4 else (3, 3, 4))]
    complements = 0.1 if level > 1 else 0.0
    pick = rng.random()
    facts: list[tuple[str, Expr]] = []
    if pick < 0.4:
        s = _grow(rng, rng.randint(0 if level > 1 else 1, level), names, complements)
        t = s
        for _ in range(rng.randint(1, level)):
            t = _bigger(rng, t, names)
        goal: Expr = ("⊆", s, t)
        if rng.random() < 0.3:
            facts, goal = [("h", ("∈", "x", s))], ("∈", "x", t)
    elif pick < 0.75:
        a, b, c = rng.sample(SETS[:3], 3)
        choices: list[tuple[list[Expr], Expr]] = [
            ([("⊆", a, b)], ("⊆", ("∩", a, c), ("∩", b, c))),
            ([("⊆", a, b)], ("⊆", ("∩", c, a), ("∩", c, b))),
            ([("⊆", a, b)], ("⊆", ("∪", a, c), ("∪", b, c))),
            ([("⊆", a, b), ("⊆", a, c)], ("⊆", a, ("∩", b, c))),
            ([("⊆", a, c), ("⊆", b, c)], ("⊆", ("∪", a, b), c)),
            ([("⊆", a, ("∩", b, c))], ("⊆", a, b)),
            ([("⊆", ("∪", a, b), c)], ("⊆", b, c)),
            ([("⊆", a, b), ("⊆", b, c)], ("⊆", a, c)),
            ([("⊆", a, b)], ("⊆", ("ᶜ", b), ("ᶜ", a))),
            ([("⊆", a, b), ("∈", "x", a)], ("∈", "x", b)),
            ([("⊆", a, b), ("∉", "x", b)], ("∉", "x", a)),
            ([("⊆", a, b), ("∈", "x", ("∩", a, c))], ("∈", "x", ("∩", b, c))),
            ([("∈", "x", a), ("∉", "x", b)], ("∈", "x", ("\\", a, b))),
            ([("∈", "x", ("\\", a, b))], ("∉", "x", b)),
            ([("∈", "x", ("∪", a, b)), ("∉", "x", a)], ("∈", "x", b)),
            ([("⊆", a, ("∪", b, c)), ("∈", "x", a), ("∉", "x", b)], ("∈", "x", c)),
        ]
        plain, goal = rng.choice(choices)
        if level > 1 and rng.random() < 0.6:  # a set in place of a letter
            letter, new = rng.choice((a, b, c)), _grow(rng, 1, ("D", rng.choice((a, b))), 0.1)
            if letter not in leaves(new):
                plain, goal = [_put(f, letter, new) for f in plain], _put(goal, letter, new)
        rng.shuffle(plain)
        facts = [("h" if len(plain) == 1 else f"h{'₁₂₃'[i]}", f) for i, f in enumerate(plain)]
    else:
        s = _grow(rng, rng.randint(1, level), names, complements)
        made = equation(rng, LAWS, s, rng.randint(1, max(1, level - 1)), 7 + level, 1)
        if made is None or size(made[0]) > 14:
            return None
        goal = made[0]
        proof = prove(
            ("↔", ("∈", "x", goal[1]), ("∈", "x", goal[2])),
            [],
            rng,
            terms=[("x", "")],
            sets=True,
            deepest=level + 3,
            budget=120,
        )
        if proof is None or not fits(["ext x", *proof], level):
            return None
        return _finish(goal, [], ["ext x", *proof])
    if size(goal) > 14 or (goal[0] == "⊆" and goal[1] == goal[2]):
        return None
    terms = [("x", "")] if any("x" in leaves(e) for e in [goal, *(f for _, f in facts)]) else []
    proof = prove(goal, facts, rng, terms=terms, sets=True, deepest=level + 3, budget=120)
    if proof is None or not fits(proof, level):
        return None
    return _finish(goal, facts, proof)


def _put(e: Expr, letter: str, new: Expr) -> Expr:
    if isinstance(e, str):
        return new if e == letter else e
    return (e[0], *(_put(a, letter, new) for a in e[1:]))


def _finish(goal: Expr, facts: list[tuple[str, Expr]], proof: list[str]) -> Draft:
    letters = set().union(*(leaves(e) for e in [goal, *(f for _, f in facts)]))
    variables = [("α", "Type"), (" ".join(n for n in SETS if n in letters), "Set α")]
    if objects := [n for n in ("x", "y") if n in letters]:
        variables.append((" ".join(objects), "α"))
    return draft(variables, facts, goal, proof)


def _laws(rng: Random, level: int) -> Draft | None:
    names = SETS[: rng.choice((2, 2, 3) if level < 3 else (3, 3, 4))]
    start = _grow(rng, rng.randint(1 if level < 3 else 2, level + 2), names, 0.15)
    if any(isinstance(e, tuple) and e[0] == "\\" for e in subterms(start)):
        return None
    made = equation(rng, LAWS, start, rng.randint(max(1, level - 1), level), 9 + 2 * level, max(1, level - 1))
    if made is None or size(made[0]) > 20:
        return None
    return _finish(made[0], [], [use(made[1])])


def _inclusions(rng: Random, level: int) -> Draft | None:
    names = SETS[: 2 + min(2, level)]
    pick = rng.random()
    goal: Expr
    if pick < 0.7:
        goal = ("⊆", _grow(rng, rng.randrange(level), names, 0.0), _grow(rng, rng.randrange(level), names, 0.0))
    elif pick < 0.85:
        goal = ("∈", "x", _grow(rng, 0, names, 0.0))
    else:
        goal = ("=", _grow(rng, rng.randrange(2), names, 0.0), _grow(rng, rng.randrange(2), names, 0.0))
    if any(isinstance(e, tuple) and e[0] == "\\" for e in subterms(goal)) or goal[1] == goal[2]:
        return None
    facts: dict[Expr, str] = {}
    found = tree(rng, goal, LEMMAS, level, list(names), facts, stop=0.25 if level > 1 else 0.0)
    if not level <= found.count() <= level + 1 or len(facts) > 4 or found.circular():
        return None
    if any(f[1] == f[2] for f in facts) or any(size(f) > 7 for f in facts):
        return None
    order = list(facts)
    rng.shuffle(order)
    for i, fact in enumerate(order):
        facts[fact] = "h" if len(order) == 1 else f"h{'₁₂₃₄'[i]}"
    name_leaves(found, facts)
    return _finish(goal, [(facts[f], f) for f in order], prove_by(rng, found))


def generate(rng: Random, level: int) -> Draft | None:
    """One theorem on sets, or None when the draw was not worth keeping."""
    pick = rng.random()
    if pick < 0.5:
        return _members(rng, level)
    return _laws(rng, level) if pick < 0.78 else _inclusions(rng, level)
