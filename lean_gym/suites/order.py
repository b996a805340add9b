"""Order on Nat by its lemmas, and abstract orders whose laws are hypotheses."""

from __future__ import annotations

from random import Random

from .draft import Draft, draft
from .expr import Expr, leaves, size
from .horn import Lemma, Tree, lemma, name_leaves, prove_by, tree

__all__ = ["FAMILY", "generate"]

FAMILY = "order"


def _le(a: Expr, b: Expr) -> Expr:
    return ("≤", a, b)


def _lt(a: Expr, b: Expr) -> Expr:
    return ("<", a, b)


def _add(a: Expr, b: Expr) -> Expr:
    return ("+", a, b)


LEMMAS = [
    lemma("Nat.le_trans", _le("a", "c"), _le("a", "b"), _le("b", "c"), weight=3),
    lemma("Nat.lt_trans", _lt("a", "c"), _lt("a", "b"), _lt("b", "c"), weight=2),
    lemma("Nat.lt_of_lt_of_le", _lt("a", "c"), _lt("a", "b"), _le("b", "c"), weight=1.5),
    lemma("Nat.lt_of_le_of_lt", _lt("a", "c"), _le("a", "b"), _lt("b", "c"), weight=1.5),
    lemma("Nat.le_of_lt", _le("a", "b"), _lt("a", "b"), weight=1.5),
    lemma("Nat.le_antisymm", ("=", "a", "b"), _le("a", "b"), _le("b", "a"), weight=3),
    lemma("Nat.le_refl", _le("a", "a"), arguments="a"),
    lemma("Nat.zero_le", _le("0", "a"), arguments="a"),
    lemma("Nat.le_add_right", _le("a", _add("a", "b")), arguments="a b", weight=2),
    lemma("Nat.le_add_left", _le("a", _add("b", "a")), arguments="a b", weight=2),
    lemma("Nat.add_le_add", _le(_add("a", "c"), _add("b", "d")), _le("a", "b"), _le("c", "d"), weight=3),
    lemma("Nat.add_le_add_left", _le(_add("c", "a"), _add("c", "b")), _le("a", "b"), arguments="0 c", weight=2),
    lemma("Nat.add_le_add_right", _le(_add("a", "c"), _add("b", "c")), _le("a", "b"), arguments="0 c", weight=2),
    lemma("Nat.succ_le_succ", _le(_add("a", "1"), _add("b", "1")), _le("a", "b"), weight=2),
    lemma("Nat.lt_succ_of_le", _lt("a", _add("b", "1")), _le("a", "b"), weight=2),
    lemma("Nat.succ_le_of_lt", _le(_add("a", "1"), "b"), _lt("a", "b"), weight=2),
]

_ABSTRACT = {
    "refl": (("∀", "x", "", ("r", "x", "x")), lemma("refl", ("r", "x", "x"), arguments="x")),
    "trans": (
        ("∀", "x", "", ("∀", "y", "", ("∀", "z", "", ("→", ("r", "x", "y"), ("→", ("r", "y", "z"), ("r", "x", "z")))))),
        lemma("trans", ("r", "x", "z"), ("r", "x", "y"), ("r", "y", "z"), arguments="x y z 0 1", weight=3),
    ),
    "symm": (
        ("∀", "x", "", ("∀", "y", "", ("→", ("r", "x", "y"), ("r", "y", "x")))),
        lemma("symm", ("r", "y", "x"), ("r", "x", "y"), arguments="x y 0", weight=1.5),
    ),
    "mono": (
        ("∀", "x", "", ("∀", "y", "", ("→", ("r", "x", "y"), ("r", ("f", "x"), ("f", "y"))))),
        lemma("mono", ("r", ("f", "x"), ("f", "y")), ("r", "x", "y"), arguments="x y 0", weight=4),
    ),
    "anti": (
        ("∀", "x", "", ("∀", "y", "", ("→", ("r", "x", "y"), ("→", ("r", "y", "x"), ("=", "x", "y"))))),
        lemma("anti", ("=", "x", "y"), ("r", "x", "y"), ("r", "y", "x"), arguments="x y 0 1", weight=3),
    ),
}


def _named(rng: Random, facts: dict[Expr, str]) -> list[tuple[str, Expr]]:
    order = list(facts)
    rng.shuffle(order)
    for i, fact in enumerate(order):
        facts[fact] = "h" if len(order) == 1 else f"h{'₁₂₃₄₅₆₇₈₉'[i]}"
    return [(facts[fact], fact) for fact in order]


def _sum(rng: Random, objects: list[str], operators: int) -> Expr:
    if operators == 0:
        return rng.choice(objects)
    return ("+", _sum(rng, objects, operators - 1), rng.choice([*objects, "1"]))


def _numbers(rng: Random, level: int) -> Draft | None:
    objects = list("abcde")[: 2 + min(3, level)]
    sums = rng.random() < 0.45
    operators = (1 if sums else 0) + (1 if sums and level > 3 else 0)
    head = rng.choices(("≤", "<", "="), (5, 4, 1 if not sums else 0))[0]
    goal: Expr = (head, _sum(rng, objects, operators), _sum(rng, objects, operators if rng.random() < 0.85 else 0))
    if goal[1] == goal[2] and level > 1:
        return None
    facts: dict[Expr, str] = {}
    found = tree(rng, goal, LEMMAS, level, objects, facts, stop=0.25 if level > 1 else 0)
    if not level <= found.count() <= level + 1 or len(facts) > 5 or found.circular():
        return None
    return _finish(rng, goal, facts, found, "Nat")


def _finish(rng: Random, goal: Expr, facts: dict[Expr, str], found: Tree, kind: str) -> Draft | None:
    if any(size(f) > 9 for f in facts) or _cyclic(facts) or any(isinstance(f, tuple) and f[1] == f[2] for f in facts):
        return None
    named = _named(rng, facts)
    name_leaves(found, facts)
    names = sorted(n for e in [goal, *facts] for n in leaves(e) if n.isalpha())
    if not names:
        return None
    return draft([(" ".join(dict.fromkeys(names)), kind)], named, goal, prove_by(rng, found))


def _cyclic(facts: dict[Expr, str]) -> bool:
    """Whether two hypotheses contradict or make each other dull: a < b with b ≤ a."""
    pairs = {(f[1], f[2]) for f in facts if isinstance(f, tuple) and len(f) == 3}
    strict = {(f[1], f[2]) for f in facts if isinstance(f, tuple) and f[0] == "<"}
    return any((b, a) in pairs for a, b in strict)


def _relations(rng: Random, level: int) -> Draft | None:
    laws = rng.sample(["refl", "trans", "symm", "mono"], rng.choice((1, 1, 2) if level < 3 else (2, 2, 3)))
    if rng.random() < 0.25 and "symm" not in laws:
        laws.append("anti")
    lemmas: list[Lemma] = [_ABSTRACT[law][1] for law in laws]
    objects = list("abcd")[: 2 + min(2, level)]

    def point() -> Expr:
        e: Expr = rng.choice(objects)
        if "mono" in laws:
            for _ in range(rng.choice((0, 1, 1, 2) if level > 1 else (0, 1))):
                e = ("f", e)
        return e

    first, second = point(), point()
    if "mono" in laws and rng.random() < 0.6:
        first, second = (
            ("f", first) if isinstance(first, str) else first,
            ("f", second) if isinstance(second, str) else second,
        )
    head = "=" if "anti" in laws else "r"
    goal: Expr = (head, first, second)
    if first == second and head == "=":
        return None
    facts: dict[Expr, str] = {}
    found = tree(rng, goal, lemmas, level, objects, facts, stop=0.2 if level > 1 else 0)
    if not level <= found.count() <= level + 1 or len(facts) > 5 or found.circular():
        return None
    if any(isinstance(f, tuple) and f[1] == f[2] for f in facts):
        return None
    used = _used(found)
    named = _named(rng, facts)
    name_leaves(found, facts)
    hypotheses = [(law, _ABSTRACT[law][0]) for law in laws if law in used] + named
    variables = [("α", "Type"), ("r", "α → α → Prop")]
    everything: list[Expr] = [goal, *(f for _, f in hypotheses)]
    if any(_has_head(e, "f") for e in everything):
        variables.append(("f", "α → α"))
    names = sorted({n for e in [goal, *facts] for n in leaves(e)})
    variables.append((" ".join(names), "α"))
    return draft(variables, hypotheses, goal, prove_by(rng, found))


def _has_head(e: Expr, head: str) -> bool:
    return isinstance(e, tuple) and (e[0] == head or any(_has_head(a, head) for a in e[1:]))


def _used(t: Tree) -> set[str]:
    return ({t.lemma.name} if t.lemma else set()).union(*(_used(p) for p in t.parts))


def generate(rng: Random, level: int) -> Draft | None:
    """One theorem on order, or None when the draw was not worth keeping."""
    return _numbers(rng, level) if rng.random() < 0.65 else _relations(rng, level)
