"""Predicate logic: laws of the quantifiers, relations, and goals whose hypotheses are made on demand."""

from __future__ import annotations

from random import Random

from .draft import Draft, draft, fits
from .expr import BINDERS, Expr, size
from .logic import dull, fact_names, formula
from .prover import prove

__all__ = ["FAMILY", "generate"]

FAMILY = "predicate"


def _all(x: str, body: Expr) -> Expr:
    return ("∀", x, "", body)


def _some(x: str, body: Expr) -> Expr:
    return ("∃", x, "", body)


def _law(*parts: Expr) -> tuple[tuple[Expr, ...], Expr]:
    return parts[:-1], parts[-1]


_AX, _BX, _CX = ("A", "x"), ("B", "x"), ("C", "x")
_AA, _BA, _CA = ("A", "a"), ("B", "a"), ("C", "a")
# (hypotheses, goal); A, B, C stand for any formula with one hole, p for any proposition, r is a relation.
LAWS: tuple[tuple[tuple[Expr, ...], Expr], ...] = (
    _law(_all("x", ("∧", _AX, _BX)), ("∧", _all("x", _AX), _all("x", _BX))),
    _law(("∧", _all("x", _AX), _all("x", _BX)), _all("x", ("∧", _AX, _BX))),
    _law(_all("x", _AX), _all("x", _BX), _all("x", ("∧", _AX, _BX))),
    _law(_all("x", ("→", _AX, _BX)), _all("x", _AX), _all("x", _BX)),
    _law(_all("x", ("→", _AX, _BX)), _some("x", _AX), _some("x", _BX)),
    _law(_some("x", ("∧", _AX, _BX)), ("∧", _some("x", _AX), _some("x", _BX))),
    _law(_some("x", ("∧", _AX, _BX)), _some("x", ("∧", _BX, _AX))),
    _law(_some("x", ("∧", _AX, _BX)), _some("x", _AX)),
    _law(_some("x", ("∨", _AX, _BX)), ("∨", _some("x", _AX), _some("x", _BX))),
    _law(("∨", _some("x", _AX), _some("x", _BX)), _some("x", ("∨", _AX, _BX))),
    _law(("∨", _all("x", _AX), _all("x", _BX)), _all("x", ("∨", _AX, _BX))),
    _law(_all("x", ("∨", _AX, _BX)), _all("x", ("∨", _BX, _AX))),
    _law(("¬", _some("x", _AX)), _all("x", ("¬", _AX))),
    _law(_all("x", ("¬", _AX)), ("¬", _some("x", _AX))),
    _law(_some("x", ("¬", _AX)), ("¬", _all("x", _AX))),
    _law(_some("x", _AX), ("¬", _all("x", ("¬", _AX)))),
    _law(_all("x", _AX), ("¬", _some("x", ("¬", _AX)))),
    _law(_all("x", ("→", _AX, "p")), ("→", _some("x", _AX), "p")),
    _law(("→", _some("x", _AX), "p"), _all("x", ("→", _AX, "p"))),
    _law(_some("x", ("∧", _AX, "p")), ("∧", _some("x", _AX), "p")),
    _law(("∧", "p", _some("x", _AX)), _some("x", ("∧", "p", _AX))),
    _law(("→", "p", _all("x", _AX)), _all("x", ("→", "p", _AX))),
    _law(_all("x", ("→", "p", _AX)), ("→", "p", _all("x", _AX))),
    _law(_some("x", ("→", "p", _AX)), ("→", "p", _some("x", _AX))),
    _law(("∨", "p", _all("x", _AX)), _all("x", ("∨", "p", _AX))),
    _law(_all("x", ("→", _AX, _BX)), _all("x", ("→", _BX, _CX)), _all("x", ("→", _AX, _CX))),
    _law(_all("x", ("→", _AX, _BX)), _all("x", ("→", _AX, _CX)), _all("x", ("→", _AX, ("∧", _BX, _CX)))),
    _law(_all("x", ("↔", _AX, _BX)), ("↔", _some("x", _AX), _some("x", _BX))),
    _law(_all("x", ("↔", _AX, _BX)), ("↔", _all("x", _AX), _all("x", _BX))),
    _law(_some("x", _AX), _all("x", ("¬", _AX)), "p"),
    _law(_all("x", _AX), _AA),
    _law(_AA, _some("x", _AX)),
    _law(_all("x", _AX), _some("x", _AX), ),
    _law(_all("x", ("→", _AX, _BX)), _AA, _BA),
    _law(_all("x", ("→", _AX, _BX)), _AA, _some("x", _BX)),
    _law(_all("x", ("→", _AX, _BX)), ("¬", _BA), ("¬", _AA)),
    _law(_all("x", ("∨", _AX, _BX)), ("¬", _AA), _BA),
    _law(_all("x", ("→", _AX, ("→", _BX, _CX))), _AA, _BA, _CA),
    _law(_all("x", ("→", _AX, _BX)), _all("x", ("→", _BX, _CX)), _AA, _CA),
    _law(_all("x", ("→", _AX, ("∨", _BX, _CX))), _AA, ("¬", _BA), _CA),
    _law(_all("x", _all("y", ("→", ("r", "x", "y"), ("r", "y", "x")))), ("r", "a", "b"), ("r", "b", "a")),
    _law(_some("x", _all("y", ("r", "x", "y"))), _all("y", _some("x", ("r", "x", "y")))),
    _law(_all("x", _all("y", ("r", "x", "y"))), _all("y", _all("x", ("r", "x", "y")))),
    _law(_some("x", _some("y", ("r", "x", "y"))), _some("y", _some("x", ("r", "x", "y")))),
    _law(_all("x", ("r", "x", "x")), _all("x", _some("y", ("r", "x", "y")))),
    _law(_all("x", _all("y", ("r", "x", "y"))), _all("x", ("r", "x", "x"))),
    _law(_all("x", ("¬", ("r", "x", "x"))), ("¬", _some("x", _all("y", ("r", "x", "y"))))),
    _law(
        _all("x", _all("y", _all("z", ("→", ("r", "x", "y"), ("→", ("r", "y", "z"), ("r", "x", "z")))))),
        ("r", "a", "b"), ("r", "b", "c"), ("r", "a", "c"),
    ),
    _law(
        _all("x", _all("y", ("→", ("r", "x", "y"), ("A", "x")))), ("r", "a", "b"), _all("x", ("→", _AX, _BX)), _BA,
    ),
)  # fmt: skip


def hole(rng: Random, level: int) -> Expr:
    """A formula in which `□` stands for an object."""
    atoms: list[Expr] = [("P", "□"), ("Q", "□"), ("R", "□")]
    pick = rng.random()
    if pick < 0.55 or level == 1:
        return rng.choice(atoms)
    if pick < 0.63:
        return rng.choice((("S", "□", "a"), ("S", "a", "□"), ("S", "□", "□")))
    if pick < 0.73:
        return ("¬", rng.choice(atoms))
    if pick < 0.8:
        return rng.choice((("∧", rng.choice(atoms), "q"), ("→", "q", rng.choice(atoms)), ("∨", "q", rng.choice(atoms))))
    first, second = rng.sample(atoms, 2)
    return (rng.choice(("∧", "∧", "∨", "→")), first, second)


def fill(e: Expr, values: dict[str, Expr]) -> Expr:
    """Put formulas with a hole for A, B, C and formulas for p."""
    if isinstance(e, str):
        return values.get(e, e)
    if e[0] in BINDERS:
        return (e[0], e[1], e[2], fill(e[3], values))
    if len(e) == 2 and e[0] in values:
        return _place(values[e[0]], e[1])
    return (e[0], *(fill(a, values) for a in e[1:]))


def _place(body: Expr, x: Expr) -> Expr:
    if isinstance(body, str):
        return x if body == "□" else body
    return (body[0], *(_place(a, x) for a in body[1:]))


def _demand(rng: Random, goal: Expr, depth: int) -> list[Expr]:
    """Hypotheses from which an instance like `P a` follows."""
    if depth <= 0 or not isinstance(goal, tuple):
        return [goal]
    head, *arguments = goal
    if head in ("∧",):
        return [h for a in arguments for h in _demand(rng, a, depth - 1)]
    if head not in ("P", "Q", "R", "S"):
        return [goal]
    general = (head, *("xyz"[i] for i in range(len(arguments))))
    other = rng.choice([p for p in "PQR" if p != head])
    pick = rng.random()
    if head == "S":
        if pick < 0.5:
            return [
                _all("x", _all("y", ("→", ("S", "x", "y"), ("S", "y", "x")))),
                *_demand(rng, ("S", arguments[1], arguments[0]), 0),
            ]
        return [_all("x", ("→", ("P", "x"), ("S", "x", arguments[1]))), *_demand(rng, ("P", arguments[0]), depth - 1)]
    if pick < 0.2:
        return [_all("x", general)]
    if pick < 0.55:
        return [_all("x", ("→", (other, "x"), general)), *_demand(rng, (other, *arguments), depth - 1)]
    if pick < 0.65:
        return [_all("x", ("∧", *rng.sample([general, (other, "x")], 2)))]
    if pick < 0.78:
        return [
            _all("x", _all("y", ("→", ("S", "x", "y"), ("→", (other, "x"), (head, "y"))))),
            ("S", "b", arguments[0]) if arguments[0] != "b" else ("S", "a", "b"),
            *_demand(rng, (other, "b" if arguments[0] != "b" else "a"), depth - 1),
        ]
    if pick < 0.9:
        return [_all("x", ("∨", (other, "x"), general)), ("¬", (other, *arguments))]
    return [_all("x", ("↔", *rng.sample([(other, "x"), general], 2))), *_demand(rng, (other, *arguments), depth - 1)]


def generate(rng: Random, level: int) -> Draft | None:
    """One theorem of predicate logic, or None when the draw was not worth keeping."""
    if rng.random() < 0.6:
        facts_, goal = rng.choice(LAWS)
        values: dict[str, Expr] = dict(zip("ABC", (hole(rng, level) for _ in range(3))))
        if level == 1 or rng.random() < 0.3:
            values = dict(zip("ABC", rng.sample([("P", "□"), ("Q", "□"), ("R", "□")], 3)))
        values["r"] = "S"
        values["p"] = rng.choice(("p", "p", "q")) if level < 3 else formula(rng, ["p", "q"], rng.randrange(2))
        facts = [fill(f, values) for f in facts_]
        goal = fill(goal, values)
        facts, goal = _rename_relation(facts, goal)
    else:
        goal = (rng.choice("PQR"), rng.choice("ab"))
        if rng.random() < 0.25:
            goal = ("S", "a", "b")
        facts = _demand(rng, goal, rng.randint(1, level))
        if level > 1 and rng.random() < 0.3:
            more = (rng.choice("PQR"), "a")
            facts += _demand(rng, more, rng.randint(1, 2))
            goal = ("∧", goal, more)
        elif level > 1 and rng.random() < 0.35 and goal[0] != "S":
            goal = _some("x", (goal[0], "x"))
        elif level > 2 and rng.random() < 0.25 and goal[0] != "S":
            goal = ("∨", goal, ("Q", "b"))
    facts = list(dict.fromkeys(facts))
    if (
        goal in facts
        or any(size(e) > 16 for e in [*facts, goal])
        or len(facts) > 6
        or any(dull(e) for e in [*facts, goal])
    ):
        return None
    rng.shuffle(facts)
    if facts and rng.random() < 0.3 and size(goal) < 9:
        goal = ("→", facts.pop(), goal)
    signature = _signature([*facts, goal])
    named = fact_names(rng, facts)
    objects = [name for name in ("a", "b", "c") if name in signature]
    proof = prove(goal, named, rng, terms=[(x, "") for x in objects], deepest=level + 3, budget=120)
    if proof is None or not fits(proof, level):
        return None
    variables = [("α", "Type")]
    if propositions := sorted(signature & {"p", "q"}):
        variables.append((" ".join(propositions), "Prop"))
    if predicates := sorted(signature & {"P", "Q", "R"}):
        variables.append((" ".join(predicates), "α → Prop"))
    if "S" in signature:
        variables.append(("S", "α → α → Prop"))
    if objects:
        variables.append((" ".join(objects), "α"))
    return draft(variables, named, goal, proof)


def _rename_relation(facts: list[Expr], goal: Expr) -> tuple[list[Expr], Expr]:
    def rename(e: Expr) -> Expr:
        if isinstance(e, str):
            return e
        return ("S" if e[0] == "r" else e[0], *(rename(a) for a in e[1:]))

    return [rename(f) for f in facts], rename(goal)


def _signature(es: list[Expr]) -> set[str]:
    out: set[str] = set()
    for e in es:
        if isinstance(e, str):
            out.add(e)
        else:
            out.add(e[0])
            out |= _signature([a for a in e[1:] if a])
    return out
