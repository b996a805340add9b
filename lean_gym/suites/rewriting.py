"""Lean's `rw`, simulated on expressions, so that a rewriting proof is known to close its goal before Lean runs.

`rw [h]` with `h : ∀ x y, l = r` takes the first subterm that matches `l`, outermost first and left to right, fixes
x and y by it, and replaces every occurrence of that instance (Lean's `kabstract`); after the last rule it tries
`rfl`, which here means that both sides are the same expression.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from .expr import Expr, show, size, substitute, subterms

__all__ = ["Rule", "Step", "match", "parse_rules", "rewrite", "rewriting_proof", "run", "walk"]


@dataclass(frozen=True)
class Rule:
    """An equation `name : ∀ variables, left = right`; variables are written `?x` in `left` and `right`."""

    name: str
    left: Expr
    right: Expr
    variables: tuple[str, ...] = ()

    def oriented(self, back: bool) -> tuple[Expr, Expr]:
        """(what is looked for, what replaces it)."""
        return (self.right, self.left) if back else (self.left, self.right)


@dataclass(frozen=True)
class Step:
    """One rule of a `rw`: `back` is `←`; `arguments` are given explicitly when there are any."""

    rule: Rule
    back: bool = False
    arguments: tuple[Expr, ...] = ()

    def __str__(self) -> str:
        from .expr import MAX

        name = " ".join([self.rule.name, *(show(a, MAX) for a in self.arguments)])
        return "← " + name if self.back else name


def match(pattern: Expr, e: Expr, values: dict[str, Expr]) -> bool:
    """Match `e` against `pattern`, binding its variables in `values` (left half filled when it fails)."""
    if isinstance(pattern, str):
        if pattern[0] == "?":
            if pattern in values:
                return bool(values[pattern] == e)
            values[pattern] = e
            return True
        return bool(pattern == e)
    if not isinstance(e, tuple) or len(e) != len(pattern) or e[0] != pattern[0]:
        return False
    return all(match(p, a, values) for p, a in zip(pattern[1:], e[1:]))


def _replace(e: Expr, old: Expr, new: Expr) -> Expr:
    if e == old:
        return new
    if isinstance(e, str):
        return e
    return (e[0], *(_replace(a, old, new) for a in e[1:]))


def _names(pattern: Expr) -> set[str]:
    if isinstance(pattern, str):
        return {pattern} if pattern[0] == "?" else set()
    return {n for a in pattern[1:] for n in _names(a)}


def rewrite(e: Expr, step: Step) -> Expr | None:
    """What `rw [step]` makes of `e`, or None where Lean would report an error."""
    pattern, result = step.rule.oriented(step.back)
    values: dict[str, Expr] = dict(zip(step.rule.variables, step.arguments))
    pattern = substitute(pattern, values)
    result = substitute(result, values)
    computing = _numerals(e)
    if (isinstance(pattern, str) and pattern[0] == "?") or (computing and _ground(e)):
        return None
    head = pattern[0] if isinstance(pattern, tuple) else None
    found: dict[str, Expr] | None = None
    for part in subterms(e):
        if head is not None and part[0] != head:
            continue
        trial: dict[str, Expr] = {}
        if match(pattern, part, trial):
            found = trial
            break
        if computing and _unsure(pattern, part):
            return None
    if found is None or not _names(result) <= set(found):
        return None
    pattern = substitute(pattern, found)
    if computing:
        for part in subterms(e):
            if part != pattern and _computes(part) and _unsure(pattern, part):
                return None
    return _replace(e, pattern, substitute(result, found))


def _numerals(e: Expr) -> bool:
    if isinstance(e, str):
        return e[0].isdigit()
    return any(_numerals(a) for a in e[1:] if a)


def _value(e: Expr) -> Expr:
    """`e` after what Lean's unifier computes on numerals: ground arithmetic, and `t + 0` as `t`."""
    if isinstance(e, str):
        return e
    parts = [_value(a) for a in e[1:]]
    if e[0] in ("+", "*") and all(isinstance(a, str) and a.isdigit() for a in parts):
        a, b = int(parts[0]), int(parts[1])
        return str(a + b if e[0] == "+" else a * b)
    if e[0] == "+" and parts[1] == "0":
        return parts[0]
    return (e[0], *parts)


def _ground(e: Expr) -> bool:
    """Whether arithmetic on numerals alone stands somewhere in `e`: Lean computes it at moments hard to foresee."""
    if isinstance(e, str):
        return False
    if e[0] in ("+", "*") and all(isinstance(a, str) and a.isdigit() for a in e[1:]):
        return True
    return any(_ground(a) for a in e[1:])


def _computes(e: Expr) -> bool:
    """Whether numerals let Lean see `e` as another expression."""
    return isinstance(e, tuple) and _value(e) != e


def _loose(pattern: Expr, e: Expr, values: dict[str, Expr]) -> bool:
    if isinstance(pattern, str):
        if pattern[0] == "?":
            return bool(values.setdefault(pattern, _value(e)) == _value(e))
        return bool(pattern == _value(e))
    for form in (e, _value(e)):
        if isinstance(form, tuple) and len(form) == len(pattern) and form[0] == pattern[0]:
            trial = dict(values)
            if all(_loose(p, a, trial) for p, a in zip(pattern[1:], form[1:])):
                values.update(trial)
                return True
    return bool(not _names(pattern) and _value(pattern) == _value(e))


def _unsure(pattern: Expr, e: Expr) -> bool:
    """Whether Lean may match `e`, which differs from `pattern` as written, by computing with numerals."""
    if not isinstance(e, tuple) or not isinstance(pattern, tuple) or e[0] != pattern[0]:
        return False
    if e[0] == "+" and pattern[2] == "0" and isinstance(e[2], str) and e[2].isdigit():
        return True
    return _loose(pattern, e, {})


def run(goal: Expr, steps: Sequence[Step]) -> bool:
    """Whether `rw [steps]` closes the equation `goal`."""
    for step in steps:
        new = rewrite(goal, step)
        if new is None:
            return False
        goal = new
    return isinstance(goal, tuple) and goal[0] == "=" and goal[1] == goal[2]


def walk(
    e: Expr, rules: Sequence[Rule], count: int, rng: Random, largest: int, backwards: float = 0.25
) -> tuple[Expr, list[Step]] | None:
    """Rewrite `e` `count` times at random places: (the result, the steps with all arguments given), or None."""
    sides = _oriented(tuple(rules))
    steps: list[Step] = []
    seen = [e]
    for _ in range(count):
        moves: list[tuple[Rule, bool, Expr, dict[str, Expr]]] = []
        turned = [rng.random() < backwards for _ in sides]
        parts = [part for part in subterms(e) if isinstance(part, tuple)]
        for (rule, back, pattern), wanted in zip(sides, turned):
            if back and not wanted:
                continue
            for part in parts:
                if part[0] == pattern[0]:
                    values: dict[str, Expr] = {}
                    if match(pattern, part, values):
                        moves.append((rule, back, part, values))
        while moves:
            rule, back, part, values = moves.pop(rng.randrange(len(moves)))
            new = _replace(e, part, substitute(rule.oriented(back)[1], values))
            if new not in seen and size(new) <= largest:
                steps.append(Step(rule, back, tuple(values[v] for v in rule.variables)))
                e = new
                seen.append(e)
                break
        else:
            return None
    return e, steps


@lru_cache(maxsize=256)
def _oriented(rules: tuple[Rule, ...]) -> tuple[tuple[Rule, bool, Expr], ...]:
    """(rule, backwards, what is looked for) for the directions in which a rule can be used without guessing."""
    out = []
    for rule in rules:
        for back in (False, True):
            pattern, result = rule.oriented(back)
            if isinstance(pattern, tuple) and _names(result) <= _names(pattern):
                out.append((rule, back, pattern))
    return tuple(out)


def rewriting_proof(goal: Expr, steps: list[Step], rng: Random) -> list[Step] | None:
    """Steps that close `goal`: those given, with arguments left out and steps dropped where `rw` does without."""
    if not run(goal, steps):
        return None
    steps = _without_idle(goal, steps)
    for i, step in enumerate(steps):
        if not step.arguments or rng.random() < 0.03:
            continue
        bare = [*steps[:i], Step(step.rule, step.back), *steps[i + 1 :]]
        if run(goal, bare):
            steps = bare
            continue
        for keep in range(1, len(step.arguments)):
            partial = [*steps[:i], Step(step.rule, step.back, step.arguments[:keep]), *steps[i + 1 :]]
            if run(goal, partial):
                steps = partial
                break
    return _without_idle(goal, steps)


def _without_idle(goal: Expr, steps: list[Step]) -> list[Step]:
    """Drop steps as long as the others still close `goal`."""
    for i in range(len(steps) - 1, -1, -1):
        shorter = steps[:i] + steps[i + 1 :]
        if run(goal, shorter):
            return _without_idle(goal, shorter)
    return steps


def equation(
    rng: Random, rules: Sequence[Rule], start: Expr, steps: int, largest: int, least: int, turn: float = 0.15
) -> tuple[Expr, list[Step]] | None:
    """A true equation, `start` on its left (with chance `turn`, right), and at least `least` steps that prove it."""
    walked = walk(start, rules, steps, rng, largest)
    if walked is None:
        return None
    end, taken = walked
    goal: Expr = ("=", end, start) if rng.random() < turn else ("=", start, end)
    found = rewriting_proof(goal, taken, rng)
    return (goal, found) if found and len(found) >= least else None


def close(goal: Expr, first: Sequence[Step], then: Sequence[Step], depth: int) -> list[Step] | None:
    """Steps that close `goal`: each of `first` as often as it applies, in order, then at most `depth` of `then`."""
    steps: list[Step] = []
    for step in first:
        for _ in range(4):
            new = rewrite(goal, step)
            if new is None or size(new) > 40:
                break
            goal = new
            steps.append(step)
    if goal[1] == goal[2]:
        return steps
    if depth == 0:
        return None
    level = [(goal, steps)]
    for _ in range(depth):
        below = []
        for state, taken in level:
            for step in then:
                new = rewrite(state, step)
                if new is None or new == state or size(new) > 40:
                    continue
                if new[1] == new[2]:
                    return [*taken, step]
                below.append((new, [*taken, step]))
        level = below
    return None


def parse_rules(text: str) -> tuple[Rule, ...]:
    """Rules from lines `name x y {z} : left = right`, in the notation of `read`; x and y are explicit, z is not."""
    rules = []
    for line in text.strip().splitlines():
        head, sides = line.split(":", 1)
        name, *variables = head.split()
        values: dict[str, Expr] = {v.strip("{}"): "?" + v.strip("{}") for v in variables}
        equality = substitute(read(sides), values)
        rules.append(Rule(name, equality[1], equality[2], tuple("?" + v for v in variables if v[0] != "{")))
    return tuple(rules)


def read(text: str) -> Expr:
    """Read a term: operators of `expr.INFIX`, application `f a b`, `.field`, parentheses."""
    import re

    from .expr import INFIX, POSTFIX, PREFIX

    tokens = re.findall(r"[A-Za-z_α-ω][A-Za-z0-9_'₀-₉]*|\.[a-z]\w*|[0-9]+|\|\||&&|\+\+|::|⁻¹|ᶜ|\[\]|[^\s]", text)
    position = 0

    def peek() -> str:
        return tokens[position] if position < len(tokens) else ""

    def take() -> str:
        nonlocal position
        position += 1
        return str(tokens[position - 1])

    def atom() -> Expr:
        token = take()
        if token == "(":
            e = operators(0)
            if peek() == ",":
                take()
                e = ("pair", e, operators(0))
            take()
        elif token in PREFIX:
            return (token, operators(PREFIX[token][1]))
        else:
            e = token
        while peek().startswith(".") or peek() in POSTFIX:
            e = (take(), e, atom()) if peek() in TAKES_ONE else (take(), e)
        return e

    def application() -> Expr:
        e = atom()
        arguments = []
        while (token := peek()) and token not in INFIX and token not in (")", ",", ":", "⁻¹", "ᶜ"):
            arguments.append(atom())
        if not arguments:
            return e
        if isinstance(e, tuple):
            return (*e, *arguments)
        return (e, *arguments)

    def operators(least: int) -> Expr:
        left = application()
        while (token := peek()) in INFIX and INFIX[token][0] >= least:
            take()
            left = (token, left, operators(INFIX[token][2]))
        return left

    return operators(0)


def use(steps: Sequence[Step]) -> str:
    """`rw [...]` as text."""
    return "rw [" + ", ".join(str(step) for step in steps) + "]"


TAKES_ONE = (".map", ".filter", ".take", ".drop")
"""Fields that take one argument."""

Grow = Callable[[Random, int], Expr]
"""Makes a random expression of about the given number of operators."""
