"""Functions: injective, surjective and bijective ones, inverses and compositions."""

from __future__ import annotations

from random import Random

from .draft import Draft, draft
from .expr import Expr, show
from .horn import Lemma, lemma, name_leaves, prove_by, tree
from .rewriting import Rule, Step, run, use

__all__ = ["FAMILY", "generate"]

FAMILY = "functions"

INJECTIVE, SURJECTIVE, BIJECTIVE = "Function.Injective", "Function.Surjective", "Function.Bijective"
LEFT, RIGHT, INVOLUTIVE = "Function.LeftInverse", "Function.RightInverse", "Function.Involutive"
_GF = ("∘", "g", "f")
LEMMAS: list[Lemma] = [
    lemma("Function.Injective.comp", (INJECTIVE, _GF), (INJECTIVE, "g"), (INJECTIVE, "f"), weight=4),
    lemma("Function.Surjective.comp", (SURJECTIVE, _GF), (SURJECTIVE, "g"), (SURJECTIVE, "f"), weight=4),
    lemma("Function.Bijective.comp", (BIJECTIVE, _GF), (BIJECTIVE, "g"), (BIJECTIVE, "f"), weight=4),
    lemma("Function.Bijective.injective", (INJECTIVE, "f"), (BIJECTIVE, "f"), weight=1.5),
    lemma("Function.Bijective.surjective", (SURJECTIVE, "f"), (BIJECTIVE, "f"), weight=1.5),
    lemma("Function.LeftInverse.injective", (INJECTIVE, "f"), (LEFT, "g", "f"), weight=1.5),
    lemma("Function.LeftInverse.surjective", (SURJECTIVE, "g"), (LEFT, "g", "f"), weight=1.5),
    lemma("Function.RightInverse.injective", (INJECTIVE, "g"), (RIGHT, "g", "f")),
    lemma("Function.RightInverse.surjective", (SURJECTIVE, "f"), (RIGHT, "g", "f")),
    lemma("Function.Injective.of_comp", (INJECTIVE, "f"), (INJECTIVE, _GF)),
    lemma("Function.Surjective.of_comp", (SURJECTIVE, "g"), (SURJECTIVE, _GF)),
    lemma("Function.Involutive.injective", (INJECTIVE, "f"), (INVOLUTIVE, "f"), weight=1.5),
    lemma("Function.Involutive.surjective", (SURJECTIVE, "f"), (INVOLUTIVE, "f"), weight=1.5),
    lemma("Function.Involutive.bijective", (BIJECTIVE, "f"), (INVOLUTIVE, "f"), weight=1.5),
    lemma("And.intro", (BIJECTIVE, "f"), (INJECTIVE, "f"), (SURJECTIVE, "f"), weight=2),
]
NAMES = ("f", "g", "k")


def _word(rng: Random, length: int) -> Expr:
    if length == 1:
        return rng.choice(NAMES)
    cut = rng.randint(1, length - 1) if rng.random() < 0.3 else 1
    return ("∘", _word(rng, cut), _word(rng, length - cut))


def _letters(e: Expr) -> list[str]:
    return [e] if isinstance(e, str) else _letters(e[1]) + _letters(e[2])


def _compositions(rng: Random, level: int) -> Draft | None:
    goal = (rng.choice((INJECTIVE, SURJECTIVE, BIJECTIVE)), _word(rng, rng.randint(1, 1 + level)))
    facts: dict[Expr, str] = {}
    found = tree(rng, goal, LEMMAS, level + 1, list(NAMES), facts, stop=0.2 if level > 1 else 0.0)
    if not level <= found.count() <= level + 1 or found.circular() or len(facts) > 4:
        return None
    if any(f[1] == f[2] for f in facts if len(f) == 3):
        return None
    order = list(facts)
    rng.shuffle(order)
    short = {INJECTIVE: "h", SURJECTIVE: "h", BIJECTIVE: "h", INVOLUTIVE: "h"}
    for i, fact in enumerate(order):
        plain = len(fact) == 2 and isinstance(fact[1], str)
        name = short[fact[0]] + fact[1] if plain else f"h{'₁₂₃₄'[i]}"
        if name in facts.values():
            return None
        facts[fact] = "h" if len(order) == 1 else name
    name_leaves(found, facts)
    return _finish([(facts[f], f) for f in order], goal, prove_by(rng, found))


def _finish(named: list[tuple[str, Expr]], goal: Expr, proof: list[str]) -> Draft:
    used: set[str] = set()
    for e in [goal, *(f for _, f in named)]:
        used |= _mentioned(e)
    variables = [("α", "Type"), (" ".join(n for n in NAMES if n in used), "α → α")]
    if objects := [n for n in ("a", "b", "c") if n in used]:
        variables.append((" ".join(objects), "α"))
    return draft([v for v in variables if v[0]], named, goal, proof)


def _mentioned(e: Expr) -> set[str]:
    if isinstance(e, str):
        return {e}
    return {e[0]} | {n for a in e[1:] for n in _mentioned(a) if a}


def _apply(word: list[str], argument: Expr) -> Expr:
    for f in reversed(word):
        argument = (f, argument)
    return argument


def _elements(rng: Random, level: int) -> Draft | None:
    """Equal values of injective functions, values hit by surjective ones, inverses applied."""
    word = [rng.choice(NAMES) for _ in range(rng.randint(1, level))]
    pick = rng.random()
    if pick < 0.45:
        functions = list(dict.fromkeys(word))
        kinds = {f: rng.choice((INJECTIVE, INJECTIVE, BIJECTIVE, INVOLUTIVE)) for f in functions}
        equation: Expr = ("=", _apply(word, "a"), _apply(word, "b"))
        given: list[tuple[str, Expr]] = [(f"h{f}", (kinds[f], f)) for f in functions]
        rng.shuffle(given)
        term = "h"
        for f in word:
            how = f"h{f}" if kinds[f] == INJECTIVE else f"h{f}.injective"
            term = f"{how} {term if term == 'h' else '(' + term + ')'}"
        goal: Expr = ("=", "a", "b")
        if rng.random() < 0.3:
            return _finish(given, ("→", equation, goal), ["intro h", f"exact {term}"])
        proof = [f"exact {term}"]
        if len(word) > 1 and rng.random() < 0.4 and all(k == INJECTIVE for k in kinds.values()):
            proof = [*(f"apply h{f}" for f in reversed(word)), "exact h"]
        return _finish([*given, ("h", equation)], goal, proof)
    if pick < 0.75:
        f, g = rng.sample(NAMES, 2)
        kind = rng.choice((LEFT, LEFT, INVOLUTIVE))
        pair = [g, f] if kind == LEFT else [f, f]
        named: list[tuple[str, Expr]] = [("h", (kind, *(pair if kind == LEFT else [f])))]
        around = [rng.choice(NAMES) for _ in range(rng.randrange(level))]
        inside: Expr = _apply([rng.choice(NAMES) for _ in range(rng.randrange(level))], "a")
        times = rng.randint(1, 1 + level // 3)
        goal = ("=", _apply(around + pair * times, inside), _apply(around, inside))
        argument = show(inside, 1024)
        if not around and times == 1:
            return _finish(named, goal, rng.choice(([f"exact h {argument}"], [f"rw [h {argument}]"])))
        rule = Rule("h", _apply(pair, "?x"), "?x", ("?x",))
        steps = [Step(rule, False, (_apply(pair * (times - 1 - i), inside),)) for i in range(times)]
        return _finish(named, goal, [use(steps)]) if run(goal, steps) else None
    f, g = rng.sample(NAMES, 2)
    named = [(f"h{f}", (SURJECTIVE, f))]
    tail = [rng.choice(NAMES) for _ in range(rng.randrange(level))]
    value = _apply(tail, "b")
    goal = ("∃", "x", "", ("=", (f, "x"), value))
    if rng.random() < 0.5 or level < 3:
        return _finish(named, goal, rng.choice(([f"exact h{f} {show(value, 1024)}"], [f"apply h{f}"])))
    named.append((f"h{g}", (SURJECTIVE, g)))
    goal = ("∃", "x", "", ("=", (f, (g, "x")), value))
    return _finish(
        named,
        goal,
        [f"obtain ⟨y, hy⟩ := h{f} {show(value, 1024)}", f"obtain ⟨x, hx⟩ := h{g} y", "exact ⟨x, by rw [hx, hy]⟩"],
    )


def generate(rng: Random, level: int) -> Draft | None:
    """One theorem on functions, or None when the draw was not worth keeping."""
    return _compositions(rng, level) if rng.random() < 0.6 else _elements(rng, level)
