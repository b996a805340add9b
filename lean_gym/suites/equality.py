"""Equality and functions: chains of equations, congruence, functions that undo one another, `funext`."""

from __future__ import annotations

from random import Random

from .draft import Draft, draft
from .expr import Expr, heads, leaves, show, size, substitute
from .rewriting import Rule, Step, rewriting_proof, run, use, walk

__all__ = ["FAMILY", "generate"]

FAMILY = "equality"


def _application(rng: Random, functions: list[tuple[str, int]], letters: list[str], operators: int) -> Expr:
    if operators <= 0:
        return rng.choice(letters)
    name, arity = rng.choice(functions)
    if arity == 1:
        return (name, _application(rng, functions, letters, operators - 1))
    left = rng.randrange(operators)
    return (
        name,
        _application(rng, functions, letters, left),
        _application(rng, functions, letters, operators - 1 - left),
    )


def _signature(functions: list[tuple[str, int]], letters: list[str]) -> list[tuple[str, str]]:
    out = [("α", "Type")]
    by_arity: dict[int, list[str]] = {}
    for name, arity in functions:
        by_arity.setdefault(arity, []).append(name)
    for arity, names in sorted(by_arity.items()):
        out.append((" ".join(names), " → ".join(["α"] * (arity + 1))))
    if letters:
        out.append((" ".join(sorted(letters)), "α"))
    return out


def _finish(functions: list[tuple[str, int]], facts: list[tuple[str, Expr]], goal: Expr, proof: list[str]) -> Draft:
    everything = [goal, *(f for _, f in facts)]
    applied = set().union(*(heads(e) for e in everything))
    objects = set().union(*(leaves(e) for e in everything)) - {"x", "y", "z"}
    return draft(_signature([f for f in functions if f[0] in applied], sorted(objects)), facts, goal, proof)


def _chain(rng: Random, level: int) -> Draft | None:
    """From a = b, c = b, ... to a = c, perhaps under a function."""
    count = min(rng.randint(max(1, level - 1), level), 4)
    letters = list("abcde")[: count + 1]
    rng.shuffle(letters)
    flips = [rng.random() < 0.35 for _ in range(count)]
    names = ["h"] if count == 1 else [f"h{'₁₂₃₄₅'[i]}" for i in range(count)]
    facts: list[tuple[str, Expr]] = []
    for i in range(count):
        pair = (letters[i + 1], letters[i]) if flips[i] else (letters[i], letters[i + 1])
        facts.append((names[i], ("=", *pair)))
    functions: list[tuple[str, int]] = []
    left, right = letters[0], letters[count]
    context: Expr = "□"
    if rng.random() < 0.25 + 0.1 * level:
        functions = [("f", 1), ("g", 1 if rng.random() < 0.6 else 2)]
        context = _application(rng, functions, ["□", "□", letters[0]], rng.randint(1, max(1, level)))
        if "□" not in leaves(context):
            return None
    goal: Expr = ("=", substitute(context, {"□": left}), substitute(context, {"□": right}))
    if goal[1] == goal[2]:
        return None
    steps = [Step(Rule(n, f[1], f[2]), flip) for (n, f), flip in zip(facts, flips)]
    options: list[list[str]] = []
    if run(goal, steps):
        options.append([use(steps)])
    terms = [n + ".symm" if flip else n for n, flip in zip(names, flips)]
    term = terms[-1]
    for t in reversed(terms[:-1]):
        term = f"{t}.trans {_bracket(term)}"
    if context == "□":
        options.append([f"exact {term}"])
        if count == 2:
            options.append([f"exact Eq.trans {terms[0]} {terms[1]}"])
    elif isinstance(context, tuple) and len(context) == 2 and context[1] == "□":
        options.append([f"exact congrArg {context[0]} {_bracket(term)}"])
    options.append(["subst " + " ".join(names), "rfl"])
    if count == 1:
        options.append([f"rw [{names[0]}]"] if flips[0] else [f"simp [{names[0]}]"])
    if rng.random() < 0.2 and flips == [True] and context == "□":
        options = [[f"exact {names[0]}.symm"], ["symm", f"exact {names[0]}"]]
    return _finish(functions, facts, goal, rng.choice(options))


def _bracket(term: str) -> str:
    return f"({term})" if " " in term else term


def _laws(rng: Random, level: int) -> tuple[list[tuple[str, int]], list[Rule], list[tuple[str, Expr]]]:
    """Some equations, general (∀) or ground, on f and g."""
    pool: list[tuple[Expr, Expr, tuple[str, ...], list[tuple[str, int]]]] = [
        (("f", ("g", "x")), "x", ("x",), [("f", 1), ("g", 1)]),
        (("f", ("f", "x")), "x", ("x",), [("f", 1)]),
        (("f", ("f", "x")), ("f", "x"), ("x",), [("f", 1)]),
        (("f", ("g", "x")), ("g", ("f", "x")), ("x",), [("f", 1), ("g", 1)]),
        (("f", "x"), ("g", "x"), ("x",), [("f", 1), ("g", 1)]),
        (("f", "x"), "x", ("x",), [("f", 1)]),
        (("f", "x"), "c", ("x",), [("f", 1)]),
        (("op", "x", "y"), ("op", "y", "x"), ("x", "y"), [("op", 2)]),
        (("op", ("op", "x", "y"), "z"), ("op", "x", ("op", "y", "z")), ("x", "y", "z"), [("op", 2)]),
        (("op", "x", "e"), "x", ("x",), [("op", 2)]),
        (("op", "e", "x"), "x", ("x",), [("op", 2)]),
        (("op", "x", "x"), "x", ("x",), [("op", 2)]),
        (("f", ("op", "x", "y")), ("op", ("f", "x"), ("f", "y")), ("x", "y"), [("f", 1), ("op", 2)]),
        (("f", ("op", "x", "y")), ("op", ("f", "y"), ("f", "x")), ("x", "y"), [("f", 1), ("op", 2)]),
        (("op", "x", ("op", "x", "y")), "y", ("x", "y"), [("op", 2)]),
        (("op", ("f", "x"), "x"), "e", ("x",), [("f", 1), ("op", 2)]),
        (("f", "a"), "b", (), [("f", 1)]),
        (("f", "b"), "c", (), [("f", 1)]),
        (("g", "a"), "b", (), [("g", 1)]),
        ("a", "b", (), []),
        ("b", "c", (), []),
        (("op", "a", "b"), "c", (), [("op", 2)]),
        (("f", "a"), ("g", "b"), (), [("f", 1), ("g", 1)]),
    ]
    chosen = rng.sample(pool, rng.randint(1, min(3, 1 + level // 2)))
    functions: dict[str, int] = {}
    rules: list[Rule] = []
    facts: list[tuple[str, Expr]] = []
    for i, (left, right, variables, needed) in enumerate(chosen):
        name = "h" if len(chosen) == 1 else f"h{'₁₂₃₄'[i]}"
        functions.update(dict(needed))
        fact: Expr = ("=", left, right)
        for v in reversed(variables):
            fact = ("∀", v, "", fact)
        facts.append((name, fact))
        pattern = {v: "?" + v for v in variables}
        rules.append(
            Rule(name, substitute(left, pattern), substitute(right, pattern), tuple("?" + v for v in variables))
        )
    if not functions:
        functions = {"f": 1}
    return sorted(functions.items()), rules, facts


def _equations(rng: Random, level: int) -> Draft | None:
    """A walk by equations given as hypotheses."""
    functions, rules, facts = _laws(rng, level)
    letters = ["a", "b", "c"] + (["e"] if any("e" in show(f) for _, f in facts) else [])
    start = _application(rng, functions, letters, rng.randint(1, level + 2))
    walked = walk(start, rules, rng.randint((level + 1) // 2, level + 1), rng, largest=7 + level)
    if walked is None:
        return None
    end, steps = walked
    if rng.random() < 0.15 and level < 4:
        start, end = end, start
    goal: Expr = ("=", start, end)
    if start == end or size(goal) > 18:
        return None
    found = rewriting_proof(goal, steps, rng)
    if not found or not (level + 1) // 2 <= len(found) <= level + 1:
        return None
    used = {s.rule.name for s in found}
    if len(used) < len(facts):
        facts = [f for f in facts if f[0] in used]
        if len(facts) == 1:
            old = facts[0][0]
            facts = [("h", facts[0][1])]
            found = [
                Step(Rule("h", s.rule.left, s.rule.right, s.rule.variables), s.back, s.arguments)
                for s in found
                if s.rule.name == old
            ]
    proof = [use(found)]
    ground = all(not s.arguments for s in found)
    if (
        len(found) == 1
        and not found[0].back
        and ground
        and found[0].rule.variables
        and goal[1] == _instance(found[0], goal[1])
    ):
        arguments = _arguments(found[0], goal[1])
        if (
            arguments is not None
            and substitute(found[0].rule.right, dict(zip(found[0].rule.variables, arguments))) == goal[2]
        ):
            from .expr import MAX

            proof = rng.choice(
                [
                    proof,
                    ["exact " + " ".join([found[0].rule.name, *(show(a, MAX) for a in arguments)])],
                    [f"apply {found[0].rule.name}"],
                ]
            )
    return _finish(functions, facts, goal, proof)


def _arguments(step: Step, e: Expr) -> tuple[Expr, ...] | None:
    from .rewriting import match

    values: dict[str, Expr] = {}
    return tuple(values[v] for v in step.rule.variables) if match(step.rule.left, e, values) else None


def _instance(step: Step, e: Expr) -> Expr:
    return e if _arguments(step, e) is not None else None


def _extensional(rng: Random, level: int) -> Draft | None:
    """Equal functions: `funext`, `congrFun`, composition."""
    f, g, h = rng.sample(["f", "g", "k"], 3)
    pick = rng.randrange(5)
    facts: list[tuple[str, Expr]]
    if pick == 0:
        facts = [("h", ("∀", "x", "", ("=", (f, "x"), (g, "x"))))]
        proofs = [["funext x", "exact h x"], ["exact funext h"], ["funext x", "rw [h]"]]
        goal: Expr = ("=", f, g)
    elif pick == 1:
        argument = _application(rng, [(h, 1), (f, 1)], ["a"], rng.randrange(level))
        facts = [("h", ("=", f, g))]
        goal = ("=", (f, argument), (g, argument))
        proofs = [
            ["rw [h]"],
            [f"exact congrFun h {show(argument, 1024)}"],
            ["subst h", "rfl"],
        ]
        if f in heads(argument):
            return None
    elif pick == 2:
        outer = _application(rng, [(h, 1)], ["□"], rng.randint(1, 2))
        facts = [("h", ("∀", "x", "", ("=", (f, "x"), (g, "x"))))]
        goal = ("=", ("↦", "x", substitute(outer, {"□": (f, "x")})), ("↦", "x", substitute(outer, {"□": (g, "x")})))
        proofs = [["funext x", "rw [h]"], ["simp [h]"], ["funext x", "simp [h]"]]
    elif pick == 3:
        parts = [rng.choice((f, g, h)) for _ in range(rng.randint(2, 2 + level // 2))]
        composed: Expr = parts[0]
        for p in parts[1:]:
            composed = ("∘", composed, p)
        applied: Expr = "a"
        for p in reversed(parts):
            applied = (p, applied)
        return _maps(
            [(" ".join(sorted(set(parts))), "α → α"), ("a", "α")], [], ("=", _apply(composed, "a"), applied), ["rfl"]
        )
    else:
        parts = [rng.choice((f, g, h)) for _ in range(rng.randint(3, 3 + level // 2))]
        return _maps(
            [(" ".join(sorted(set(parts))), "α → α")],
            [],
            ("=", _associate(rng, parts), _associate(rng, parts)),
            ["rfl"],
        )
    return _maps(
        [(" ".join(n for n in sorted((f, g, h)) if n in _mentioned([goal, *(x for _, x in facts)])), "α → α")]
        + ([("a", "α")] if pick == 1 else []),
        facts,
        goal,
        rng.choice(proofs),
    )


def _mentioned(es: list[Expr]) -> set[str]:
    return set().union(*(heads(e) | leaves(e) for e in es))


def _apply(function: Expr, argument: Expr) -> Expr:
    return ("@", function, argument)


def _associate(rng: Random, parts: list[str]) -> Expr:
    if len(parts) == 1:
        return parts[0]
    cut = rng.randint(1, len(parts) - 1)
    return ("∘", _associate(rng, parts[:cut]), _associate(rng, parts[cut:]))


def _maps(
    variables: list[tuple[str, str]], facts: list[tuple[str, Expr]], goal: Expr, proof: list[str]
) -> Draft | None:
    if goal[1] == goal[2]:
        return None
    return draft([("α", "Type"), *variables], facts, goal, proof)


def generate(rng: Random, level: int) -> Draft | None:
    """One theorem on equality and functions, or None when the draw was not worth keeping."""
    pick = rng.random()
    if pick < 0.3:
        return _chain(rng, level)
    if pick < 0.85 or level > 3:
        return _equations(rng, level)
    return _extensional(rng, level)
