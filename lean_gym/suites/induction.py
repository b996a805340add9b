"""Induction on Nat and on lists: recurrences, invariants, predicates that pass from n to n + 1."""

from __future__ import annotations

from random import Random

from .draft import Draft, draft, words
from .expr import Expr, heads, leaves, show, size, substitute
from .prover import Style, prove
from .rewriting import Rule, Step, close, parse_rules, use, walk

__all__ = ["FAMILY", "generate"]

FAMILY = "induction"

N1: Expr = ("+", "n", "1")
ARITHMETIC = parse_rules(
    """
    Nat.add_assoc n m k : n + m + k = n + (m + k)
    Nat.add_comm n m : n + m = m + n
    Nat.add_left_comm n m k : n + (m + k) = m + (n + k)
    Nat.add_right_comm n m k : n + m + k = n + k + m
    Nat.mul_comm n m : n * m = m * n
    Nat.zero_add n : 0 + n = n
    Nat.add_zero n : n + 0 = n
    """
)
_FINISH = [Step(rule) for rule in ARITHMETIC] + [Step(ARITHMETIC[0], True)]
LISTS = parse_rules(
    """
    List.nil_append as : [] ++ as = as
    List.cons_append {a} {as} {bs} : (a :: as) ++ bs = a :: (as ++ bs)
    """
)


def _cases(variable: str, base: list[str], arm: str, step: list[str], rng: Random) -> list[str]:
    """`induction variable with` and its two arms."""
    first = "zero" if variable == "n" else "nil"
    out = [f"induction {variable} with"]
    for name, block in ((first, base), (arm, step)):
        if len(block) == 1:
            out.append(f"| {name} => {block[0]}")
        else:
            out += [f"| {name} =>", *("  " + line for line in block)]
    return out


def _general(variables: list[str], body: Expr) -> Expr:
    for v in reversed(variables):
        body = ("∀", v, "", body)
    return body


def _rule(name: str, left: Expr, right: Expr, variables: list[str]) -> Rule:
    values: dict[str, Expr] = {v: "?" + v for v in variables}
    return Rule(name, substitute(left, values), substitute(right, values), tuple("?" + v for v in variables))


def _body(rng: Random, value: Expr, letters: list[str], operators: int, abstract: bool) -> Expr:
    """An expression that holds `value` once."""
    e = value
    for _ in range(operators):
        if abstract:
            pick = rng.random()
            if pick < 0.6:
                e = (rng.choice("st"), e)
            else:
                other = rng.choice(letters)
                e = ("op", e, other) if rng.random() < 0.5 else ("op", other, e)
        else:
            other = rng.choice(letters)
            head = rng.choice("++*")
            e = (head, e, other) if rng.random() < 0.6 else (head, other, e)
    return e


def _twins(rng: Random, level: int) -> Draft | None:
    """Two sequences with the same start and the same recurrence, written alike or not, are equal."""
    abstract = rng.random() < 0.5
    letters = ["a", "b"] if abstract else ["a", "b", "n", "1"]
    step = _body(rng, "□", letters, rng.randint(1, 1 + level // 2), abstract)
    other = step
    if not abstract and level > 1 and rng.random() < 0.7:
        walked = walk(step, ARITHMETIC[:5], rng.randint(1, 1 + level // 3), rng, size(step) + 2)
        if walked is None:
            return None
        other = walked[0]
    start = rng.choice(["a", "0"]) if not abstract else "a"
    facts: list[tuple[str, Expr]] = []
    bases: list[Step] = []
    if rng.random() < 0.5:
        facts.append(("h0", ("=", ("f", "0"), ("g", "0"))))
        bases.append(Step(Rule("h0", ("f", "0"), ("g", "0"))))
    else:
        facts += [("hf0", ("=", ("f", "0"), start)), ("hg0", ("=", ("g", "0"), start))]
        bases += [Step(Rule("hf0", ("f", "0"), start)), Step(Rule("hg0", ("g", "0"), start))]
    f_next, g_next = substitute(step, {"□": ("f", "n")}), substitute(other, {"□": ("g", "n")})
    facts += [("hf", _general(["n"], ("=", ("f", N1), f_next))), ("hg", _general(["n"], ("=", ("g", N1), g_next)))]
    laws = [Step(_rule("hf", ("f", N1), f_next, ["n"])), Step(_rule("hg", ("g", N1), g_next, ["n"]))]
    goal: Expr = ("=", ("f", "n"), ("g", "n"))
    return _by_rewriting(
        rng, level, facts, goal, bases, [*laws, Step(Rule("ih", ("f", "n"), ("g", "n")))], "α" if abstract else "Nat"
    )


def _closed(rng: Random, level: int) -> Draft | None:
    """A recurrence and its closed form."""
    c = rng.choice(("a", "0", "a", "b"))
    pick = rng.randrange(5)
    laws: list[Rule] = []
    f_next: Expr
    value: Expr
    extra = parse_rules(
        "Nat.mul_zero n : n * 0 = 0\nNat.zero_mul n : 0 * n = 0\nNat.mul_one n : n * 1 = n\nNat.one_mul n : 1 * n = n"
    )
    if pick == 0:  # f n = c + n
        f_next, value = ("+", ("f", "n"), "1"), ("+", c, "n") if c != "0" else "n"
    elif pick == 1:  # f n = c + n * b
        f_next, value = ("+", ("f", "n"), "b"), ("+", c, ("*", "n", "b")) if c != "0" else ("*", "n", "b")
        laws = list(parse_rules("Nat.succ_mul n k : (n + 1) * k = n * k + k"))
    elif pick == 2:  # f n = c + b * n
        f_next, value = ("+", ("f", "n"), "b"), ("+", c, ("*", "b", "n")) if c != "0" else ("*", "b", "n")
        laws = list(parse_rules("Nat.mul_succ k n : k * (n + 1) = k * n + k"))
    elif pick == 3:  # constant
        c = rng.choice("ab")
        f_next, value = rng.choice(
            ((("f", "n"), c), (("+", ("f", "n"), "0"), c), (("*", ("f", "n"), "1"), c), (("*", "1", ("f", "n")), c))
        )
    else:  # zero
        c = "0"
        f_next = rng.choice((("*", ("f", "n"), "a"), ("*", "a", ("f", "n")), ("+", ("f", "n"), ("f", "n"))))
        value = "0"
    facts: list[tuple[str, Expr]] = [("h0", ("=", ("f", "0"), c)), ("hs", _general(["n"], ("=", ("f", N1), f_next)))]
    goal: Expr = ("=", ("f", "n"), value)
    rules = [Step(_rule("hs", ("f", N1), f_next, ["n"])), Step(Rule("ih", ("f", "n"), value)), *(Step(r) for r in laws)]
    bases = [Step(Rule("h0", ("f", "0"), c))]
    return _by_rewriting(rng, level, facts, goal, bases, rules, "Nat", [Step(r) for r in extra])


def _by_rewriting(
    rng: Random,
    level: int,
    facts: list[tuple[str, Expr]],
    goal: Expr,
    bases: list[Step],
    rules: list[Step],
    kind: str,
    extra: list[Step] | None = None,
) -> Draft | None:
    if rng.random() < 0.2:
        goal = ("=", goal[2], goal[1])
        rules = [Step(Rule("ih", s.rule.right, s.rule.left), True) if s.rule.name == "ih" else s for s in rules]
    then = [*_FINISH, *(extra or [])] if kind == "Nat" else []
    base = close(substitute(goal, {"n": "0"}), bases, then, 2)
    after = close(substitute(goal, {"n": N1}), rules, then, 2)
    if base is None or not after:
        return None
    rng.shuffle(facts)
    base_line = "rfl" if not base else use(base)
    if (
        len(base) == 1
        and base[0].rule.name == "h0"
        and not base[0].arguments
        and substitute(goal, {"n": "0"}) == dict(facts)["h0"]
    ):
        base_line = rng.choice(("exact h0", base_line))
    proof = _cases("n", [base_line], "succ n ih", [use(after)], rng)
    if not _fits(proof, level):
        return None
    letters = set().union(*(leaves(e) for e in [goal, *(f for _, f in facts)]))
    symbols = set().union(*(heads(e) for e in [goal, *(f for _, f in facts)]))
    variables: list[tuple[str, str]] = [("α", "Type")] if kind == "α" else []
    variables.append((" ".join(h for h in ("f", "g") if h in symbols), f"Nat → {kind}"))
    if maps := [h for h in ("s", "t") if h in symbols]:
        variables.append((" ".join(maps), "α → α"))
    if "op" in symbols:
        variables.append(("op", "α → α → α"))
    if constants := [x for x in ("a", "b") if x in letters]:
        variables.append((" ".join(constants), kind))
    return _quantified(rng, variables, facts, goal, proof)


def _quantified(
    rng: Random, variables: list[tuple[str, str]], facts: list[tuple[str, Expr]], goal: Expr, proof: list[str]
) -> Draft:
    """n before the colon, or after it under `∀`."""
    if rng.random() < 0.6:
        made = draft(variables, facts, goal, proof)
        return Draft((*made.binders, "(n : Nat)"), made.goal, made.proof)
    return draft(variables, facts, ("∀", "n", "", goal), ["intro n", *proof])


_LOW_HIGH = ((10, 17), (17, 20), (18, 24), (20, 32), (26, 60))


def _fits(proof: list[str], level: int) -> bool:
    low, high = _LOW_HIGH[level - 1]
    return low <= words(proof) <= high


def _predicates(rng: Random, level: int) -> Draft | None:
    """Predicates that hold at 0 and pass from n to n + 1."""
    P0, Pn, Pm = ("P", "0"), ("P", "n"), ("P", N1)
    Qn, Qm, Q0, Rn = ("Q", "n"), ("Q", N1), ("Q", "0"), ("R", "n")

    def every(body: Expr) -> Expr:
        return ("∀", "n", "", body)

    shapes: list[tuple[list[tuple[str, Expr]], Expr]] = [
        ([("h0", P0), ("hs", every(("→", Pn, Pm)))], Pn),
        ([("h0", P0), ("hs", every(("→", Pn, ("→", Rn, Pm)))), ("hr", every(Rn))], Pn),
        ([("h0", P0), ("hs", every(("→", Rn, ("→", Pn, Pm)))), ("hr", every(Rn))], Pn),
        ([("h0", P0), ("hs", every(("→", ("∧", Pn, Rn), Pm))), ("hr", every(Rn))], Pn),
        ([("h0", P0), ("h₁", every(("→", Pn, Qn))), ("h₂", every(("→", Qn, Pm)))], Pn),
        ([("h0", P0), ("h₁", every(("→", Pn, Qn))), ("h₂", every(("→", ("∧", Pn, Qn), Pm)))], Pn),
        ([("h0", P0), ("hs", every(("↔", Pn, Pm)))], Pn),
        ([("h0", P0), ("hs", every(("→", Pn, ("∧", Pm, Rn))))], Pn),
        ([("h0", P0), ("hs", every(("→", ("∨", Pn, Rn), Pm)))], Pn),
        ([("h0", ("∧", P0, Q0)), ("h₁", every(("→", Pn, Qm))), ("h₂", every(("→", Qn, Pm)))], ("∧", Pn, Qn)),
        (
            [("h0", P0), ("h₁", Q0), ("hp", every(("→", Pn, Pm))), ("hq", every(("→", Pn, ("→", Qn, Qm))))],
            ("∧", Pn, Qn),
        ),
        ([("h0", ("∨", P0, Q0)), ("h₁", every(("→", Pn, Qm))), ("h₂", every(("→", Qn, Pm)))], ("∨", Pn, Qn)),
        ([("h0", ("∨", P0, Q0)), ("h₁", every(("→", ("∨", Pn, Qn), Pm)))], ("∨", Pn, Qn)),
        ([("h0", ("¬", P0)), ("hs", every(("→", Pm, Pn)))], ("¬", Pn)),
        ([("h0", P0), ("hs", every(("→", ("¬", Pm), ("¬", Pn))))], ("¬", ("¬", Pn))),
        ([("h0", P0), ("hs", every(("→", Pn, Pm))), ("hq", every(("→", Pn, Qn)))], Qn),
        ([("h0", P0), ("hs", every(("→", Pn, Pm))), ("hq", every(("→", Pn, Qn)))], ("∧", Pn, Qn)),
    ]
    facts, goal = rng.choice(shapes)
    facts = list(facts)
    if goal[0] == "Q":
        return None  # needs a stronger induction
    kinds = rng.random()
    names: dict[str, Expr] = dict(zip("PQR", rng.sample("PQR", 3)))
    if kinds < 0.3 and level > 1:  # a predicate that says something of a function
        said = rng.choice(
            (("=", ("f", "□"), "a"), ("≤", "a", ("f", "□")), ("≤", ("f", "□"), "a"), ("r", ("f", "□"), "a"))
        )
        facts = [(n, _say(e, said)) for n, e in facts]
        goal = _say(goal, said)
    facts = [(n, substitute(e, names)) for n, e in facts]
    goal = substitute(goal, names)
    if rng.random() < 0.3 and level > 1:  # one more hypothesis on the way to the base
        name, base = facts[0]
        facts[0] = (name, ("→", "p", base))
        facts.append(("hp₀", "p"))
    style = Style.draw(rng)
    base_proof = prove(
        substitute(goal, {"n": "0"}), facts, rng, terms=[("n", "")][:0], style=style, deepest=5, budget=80
    )
    step_proof = prove(
        substitute(goal, {"n": N1}), [*facts, ("ih", goal)], rng, terms=[("n", "")], style=style, deepest=5, budget=80
    )
    if base_proof is None or step_proof is None:
        return None
    proof = _cases("n", base_proof, "succ n ih", step_proof, rng)
    if not _fits(proof, level):
        return None
    rng.shuffle(facts)
    everything = [goal, *(f for _, f in facts)]
    symbols = set().union(*(heads(e) for e in everything))
    letters = set().union(*(leaves(e) for e in everything))
    variables: list[tuple[str, str]] = []
    if "p" in letters:
        variables.append(("p", "Prop"))
    if predicates := [x for x in "PQR" if x in symbols]:
        variables.append((" ".join(predicates), "Nat → Prop"))
    if "f" in symbols:
        variables.append(("f", "Nat → Nat"))
    if "r" in symbols:
        variables.append(("r", "Nat → Nat → Prop"))
    if "a" in letters:
        variables.append(("a", "Nat"))
    return _quantified(rng, variables, facts, goal, proof)


def _say(e: Expr, said: Expr) -> Expr:
    if isinstance(e, str):
        return e
    if e[0] == "P":
        return substitute(said, {"□": e[1]})
    if e[0] == "∀":
        return (e[0], e[1], e[2], _say(e[3], said))
    return (e[0], *(_say(a, said) for a in e[1:]))


def _chains(rng: Random, level: int) -> Draft | None:
    """Sequences that grow, and relations along a sequence."""
    r = rng.choice(("≤", "R"))
    start: Expr = ("f", "0")
    end: Expr = ("f", "n")
    after: Expr = ("f", N1)
    around = [rng.choice("gk") for _ in range(rng.randrange(level))]
    for g in around:
        start, end, after = (g, start), (g, end), (g, after)
    facts: list[tuple[str, Expr]] = [("h", ("∀", "n", "", (r, end, after)))]
    if r == "≤":
        base, step = (
            [f"exact Nat.le_refl {show(start, 1024)}"],
            rng.choice((["exact Nat.le_trans ih (h n)"], ["apply Nat.le_trans ih", "exact h n"])),
        )
        if rng.random() < 0.4:
            base = ["apply Nat.le_refl"]
        goal: Expr = (r, start, end)
    else:
        kind = rng.choice(("refl", "start"))
        xyz = ("→", ("R", "x", "y"), ("→", ("R", "y", "z"), ("R", "x", "z")))
        facts.append(("trans", ("∀", "x", "", ("∀", "y", "", ("∀", "z", "", xyz)))))
        if kind == "refl":
            facts.append(("refl", ("∀", "x", "", ("R", "x", "x"))))
            goal, first = ("R", start, end), start
            base = [rng.choice((f"exact refl {show(start, 1024)}", "apply refl"))]
        else:
            facts.append(("h0", ("R", "a", start)))
            goal, first = ("R", "a", end), "a"
            base = ["exact h0"]
        step = [f"exact trans {show(first, 1024)} {show(end, 1024)} {show(after, 1024)} ih (h n)"]
    proof = _cases("n", base, "succ n ih", step, rng)
    if not _fits(proof, level):
        return None
    rng.shuffle(facts)
    variables = [("α", "Type")] if r == "R" else []
    kind_of = "α" if r == "R" else "Nat"
    variables.append(("f", f"Nat → {kind_of}"))
    if maps := sorted(set(around)):
        variables.append((" ".join(maps), f"{kind_of} → {kind_of}"))
    if r == "R":
        variables.append(("R", "α → α → Prop"))
    if any("a" in leaves(f) for _, f in facts):
        variables.append(("a", "α"))
    return _quantified(rng, variables, facts, goal, proof)


def _on_lists(rng: Random, level: int) -> Draft | None:
    """Functions on lists given by their equations."""
    weight: Expr = rng.choice(("1", ("w", "a"), ("w", "a"), ("+", ("w", "a"), "1"), ("+", "1", ("w", "a"))))
    rest: Expr = ("F", "xs")
    f_cons: Expr = rng.choice((("+", rest, weight), ("+", weight, rest)))
    empty: Expr = "0"
    facts = [
        ("h0", ("=", ("F", "[]"), empty)),
        ("hc", ("∀", "a", "", ("∀", "xs", "", ("=", ("F", ("::", "a", "xs")), f_cons)))),
    ]
    laws = [Step(_rule("hc", ("F", ("::", "a", "xs")), f_cons, ["a", "xs"]))]
    shape = rng.randrange(3)
    if shape == 0:
        goal: Expr = ("=", ("F", ("++", "xs", "ys")), ("+", ("F", "xs"), ("F", "ys")))
        ih = Step(Rule("ih", ("F", ("++", "xs", "ys")), ("+", ("F", "xs"), ("F", "ys"))))
        first = [Step(LISTS[1]), *laws, ih]
        base_steps = [Step(LISTS[0]), Step(Rule("h0", ("F", "[]"), empty))]
    else:
        other: Expr = rng.choice((f_cons, ("+", f_cons[2], f_cons[1])))
        g_cons = _swap_head(other)
        facts += [
            ("k0", ("=", ("G", "[]"), empty)),
            ("kc", ("∀", "a", "", ("∀", "xs", "", ("=", ("G", ("::", "a", "xs")), g_cons)))),
        ]
        laws.append(Step(_rule("kc", ("G", ("::", "a", "xs")), g_cons, ["a", "xs"])))
        goal = ("=", ("F", "xs"), ("G", "xs"))
        first = [*laws, Step(Rule("ih", ("F", "xs"), ("G", "xs")))]
        base_steps = [Step(Rule("h0", ("F", "[]"), empty)), Step(Rule("k0", ("G", "[]"), empty))]
    base = close(substitute(goal, {"xs": "[]"}), base_steps, _FINISH, 1)
    after = close(substitute(goal, {"xs": ("::", "a", "xs")}), first, _FINISH, 2)
    if base is None or not after:
        return None
    proof = _cases("xs", [use(base)], "cons a xs ih", [use(after)], rng)
    if not _fits(proof, level):
        return None
    rng.shuffle(facts)
    everything = [goal, *(f for _, f in facts)]
    symbols = set().union(*(heads(e) for e in everything))
    variables = [("α", "Type"), (" ".join(h for h in "FG" if h in symbols), "List α → Nat")]
    if "w" in symbols:
        variables.append(("w", "α → Nat"))
    variables.append(("xs ys" if shape == 0 else "xs", "List α"))
    return draft(variables, facts, goal, proof)


def _swap_head(e: Expr) -> Expr:
    if isinstance(e, str):
        return e
    return ("G" if e[0] == "F" else e[0], *(_swap_head(a) for a in e[1:]))


def generate(rng: Random, level: int) -> Draft | None:
    """One theorem proved by induction, or None when the draw was not worth keeping."""
    pick = rng.random()
    if pick < 0.35:
        return _twins(rng, level)
    if pick < 0.5:
        return _closed(rng, level)
    if pick < 0.78:
        return _predicates(rng, level)
    return _chains(rng, level) if pick < 0.88 else _on_lists(rng, level)
