"""A small prover for propositional and predicate logic that writes Lean tactics.

Depth-first search with iterative deepening over natural-deduction rules: what follows from the hypotheses by
projections, application and instantiation is found forwards (`_closure`); introductions and case splits are done
backwards. The choices of style (`Style`) are drawn once a proof, so that a proof reads as one person wrote it.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from .derive import FALSE, Context, closure, proof_term, unfold, wrap
from .expr import Expr, show, substitute

__all__ = ["Style", "prove"]


@dataclass(frozen=True)
class Style:
    """How a proof is written: which of several equal tactics it uses."""

    term: bool  # `exact ⟨a, b⟩` rather than `constructor`
    bullets: bool  # `constructor` with `·` rather than `refine ⟨?_, ?_⟩`
    structured: bool  # `cases h with | inl h => ..` rather than `rcases`
    take_apart: bool  # take conjunctions apart at once rather than by `.1` and `.2`
    apply: bool  # `apply h` rather than `exact h x`
    assume: bool  # `assumption` for a goal that is a hypothesis
    sides: bool  # `left`/`right` rather than `Or.inl`/`Or.inr`
    patterns: bool  # `rintro ⟨a, b⟩` rather than `intro h; obtain ..`

    @classmethod
    def draw(cls, rng: Random) -> Style:
        """A style at random."""
        return cls(*(rng.random() < share for share in (0.8, 0.9, 0.12, 0.3, 0.15, 0.06, 0.25, 0.4)))


class _Gone(Exception):
    """The search used up its budget."""


Block = list[str]
"""Lines of tactics without their indentation; lines of an inner block are indented under their bullet."""


class _Search:
    def __init__(self, rng: Random, style: Style, classical: bool, budget: int) -> None:
        self.rng, self.style, self.classical, self.budget = rng, style, classical, budget

    # -- names ---------------------------------------------------------------------------------------------------
    def fresh(self, fact: Expr, taken: set[str]) -> str:
        """A usual name for a hypothesis: `hp` for the atom `p`, `h`, `h₁`, ... otherwise."""
        if isinstance(fact, str) and len(fact) == 1:
            wanted = "h" + fact
        elif isinstance(fact, tuple) and fact[0] == "¬" and isinstance(fact[1], str) and len(fact[1]) == 1:
            wanted = "hn" + fact[1]
        elif isinstance(fact, tuple) and fact[0] == "∈" and isinstance(fact[2], str):
            wanted = "h" + fact[2]
        elif isinstance(fact, tuple) and fact[0] not in ("∧", "∨", "→", "↔", "¬", "∀", "∃") and len(fact) == 2:
            wanted = "h" + fact[0]
        else:
            wanted = "h"
        if wanted not in taken:
            return wanted
        for digit in "₁₂₃₄₅₆₇₈₉":
            if wanted + digit not in taken:
                return wanted + digit
        raise _Gone

    def fresh_term(self, name: str, taken: set[str]) -> str:
        for candidate in (name, "x", "y", "z", "w", "a", "b", "c", name + "₁", name + "₂", name + "₃", name + "₄"):
            if candidate not in taken:
                return candidate
        raise _Gone

    # -- backwards -----------------------------------------------------------------------------------------------
    def solve(self, goal: Expr, ctx: Context, depth: int) -> Block | None:
        self.budget -= 1
        if self.budget < 0:
            raise _Gone
        style, taken = self.style, ctx.names()
        for name, fact in ctx.facts:
            if fact == goal:
                return ["assumption" if style.assume else f"exact {name}"]
        known = closure(ctx)
        plain = unfold(goal)
        if style.term or not (isinstance(plain, tuple) and plain[0] in ("∧", "∨", "∃")):
            term = proof_term(goal, ctx, known, 3)
            if term is not None and len(term) < 40:
                if style.apply and term.count(" ") == 1 and "⟨" not in term and "(" not in term and depth > 0:
                    function, argument = term.split(" ")
                    fact = dict(ctx.facts).get(function)
                    if isinstance(fact, tuple) and fact[0] in ("→", "¬"):
                        return [f"apply {function}", f"exact {argument}"]
                return [f"exact {term}"]
        if FALSE in known and goal != FALSE and len(known[FALSE]) < 30:
            false = known[FALSE]
            words = false.split(" ")
            if len(words) == 2 and all(w in taken for w in words):
                pick = self.rng.random()
                if pick < 0.4:
                    return ["contradiction"]
                return [f"exact absurd {words[1]} {words[0]}"]
            return [f"exact ({false}).elim"]
        if depth <= 0:
            return None
        depth -= 1
        if isinstance(plain, tuple):
            head = plain[0]
            if head in ("→", "¬", "∀"):
                return self.introduce(goal, ctx, depth)
            if head == "↔":
                return self.both(("→", plain[1], plain[2]), ("→", plain[2], plain[1]), ctx, depth)
        # Case splits that lose nothing.
        for name, fact in ctx.facts:
            shape = unfold(fact)
            if isinstance(shape, tuple) and shape[0] == "∃":
                new = self.fresh_term(shape[1], taken)
                inner = substitute(shape[3], {shape[1]: new})
                pattern, facts = self.pattern(inner, taken | {new})
                rest = self.solve(goal, ctx.drop(name).add_term(new, shape[2]).add(*facts), depth + 1)
                if rest is None:
                    return None
                joined = pattern[1:-1] if pattern[0] == "⟨" else pattern
                return [f"obtain ⟨{new}, {joined}⟩ := {name}", *rest]
            if isinstance(shape, tuple) and shape[0] == "∧" and (style.take_apart or _hides_choice(shape)):
                pattern, facts = self.pattern(fact, taken)
                rest = self.solve(goal, ctx.drop(name).add(*facts), depth + 1)
                if rest is None:
                    return None
                return [f"obtain {pattern} := {name}", *rest]
        splits = [
            (name, unfold(fact))
            for name, fact in ctx.facts
            if isinstance(unfold(fact), tuple) and unfold(fact)[0] == "∨"
        ]
        if splits:
            return self.split(splits[0][0], splits[0][1], goal, ctx, depth)
        if isinstance(plain, tuple) and plain[0] == "∧":
            return self.both(plain[1], plain[2], ctx, depth)
        # A disjunction (or existence) that the hypotheses yield can be split too.
        for fact, term in known.items():
            shape = unfold(fact)
            if isinstance(shape, tuple) and shape[0] in ("∨", "∃") and " " in term and fact != goal and len(term) < 24:
                name = self.fresh(fact, taken)
                # Split it without giving it a name.
                without = Context(ctx.facts, ctx.terms, ctx.set_forms)
                if shape[0] == "∨" and shape[1] not in known and shape[2] not in known:
                    return self.split(term, shape, goal, without, depth)
                if shape[0] == "∃" and not any(f[0] == name for f in ctx.facts) and depth > 0:
                    new = self.fresh_term(shape[1], taken)
                    inner = substitute(shape[3], {shape[1]: new})
                    pattern, facts = self.pattern(inner, taken | {new})
                    if any(known.get(f) for _, f in facts):
                        continue
                    rest = self.solve(goal, ctx.add_term(new, shape[2]).add(*facts), depth - 1)
                    if rest is not None:
                        joined = pattern[1:-1] if pattern[0] == "⟨" else pattern
                        return [f"obtain ⟨{new}, {joined}⟩ := {term}", *rest]
        if isinstance(plain, tuple) and plain[0] == "∨":
            order = [(1, "left", "Or.inl"), (2, "right", "Or.inr")]
            for at, tactic, name in order:
                inner = self.solve(plain[at], ctx, depth)
                if inner is not None:
                    if style.sides or len(inner) > 1 or not inner[0].startswith("exact "):
                        return [tactic, *inner]
                    return [f"exact {name} {wrap(inner[0][6:])}"]
        if isinstance(plain, tuple) and plain[0] == "∃":
            for name, kind in ctx.terms:
                if kind == plain[2] or not plain[2]:
                    inner = self.solve(substitute(plain[3], {plain[1]: name}), ctx, depth)
                    if inner is not None:
                        if len(inner) == 1 and inner[0].startswith("exact ") and style.term:
                            return [f"exact ⟨{name}, {inner[0][6:]}⟩"]
                        return [f"refine ⟨{name}, ?_⟩", *inner]
        # An implication whose conclusion is the goal (or False, when the goal is False).
        for name, fact in ctx.facts:
            shape = unfold(fact)
            premises: list[Expr] = []
            while isinstance(shape, tuple) and shape[0] == "→" and shape != goal:
                premises.append(shape[1])
                shape = unfold(shape[2])
            if isinstance(shape, tuple) and shape[0] == "¬" and goal == FALSE:
                premises.append(shape[1])
                shape = FALSE
            if premises and shape == unfold(goal) and len(premises) == 1:
                rest = self.solve(premises[0], ctx, depth)
                if rest is not None:
                    if len(rest) == 1 and rest[0].startswith("exact ") and not style.apply:
                        return [f"exact {name} {wrap(rest[0][6:])}"]
                    return [f"apply {name}", *rest]
        if goal != FALSE:
            for name, fact in ctx.facts:
                shape = unfold(fact)
                if isinstance(shape, tuple) and shape[0] == "¬":
                    rest = self.solve(shape[1], ctx, depth - 1)
                    if rest is not None:
                        return ["exfalso", f"apply {name}", *rest]
        if self.classical and depth >= 1:
            return self.by_cases(goal, ctx, depth)
        return None

    def pattern(self, fact: Expr, taken: set[str]) -> tuple[str, list[tuple[str, Expr]]]:
        """A pattern that takes the conjunctions in `fact` apart, and the facts that it names."""
        shape = unfold(fact)
        if isinstance(shape, tuple) and shape[0] == "∧":
            left, facts = self.pattern(shape[1], taken)
            right, more = self.pattern(shape[2], taken | {n for n, _ in facts})
            if right[0] == "⟨":
                right = right[1:-1]
            return f"⟨{left}, {right}⟩", facts + more
        name = self.fresh(fact, taken)
        return name, [(name, fact)]

    def introduce(self, goal: Expr, ctx: Context, depth: int) -> Block | None:
        names: list[str] = []
        rich = False
        while True:
            plain = unfold(goal)
            if not isinstance(plain, tuple):
                break
            taken = ctx.names() | set(names)
            if plain[0] == "∀":
                new = self.fresh_term(plain[1], taken)
                ctx, goal = ctx.add_term(new, plain[2]), substitute(plain[3], {plain[1]: new})
                names.append(new)
            elif plain[0] in ("→", "¬"):
                fact = plain[1]
                shape = unfold(fact)
                if self.style.patterns and isinstance(shape, tuple) and shape[0] == "∧" and self.style.take_apart:
                    pattern, facts = self.pattern(fact, taken)
                    ctx, rich = ctx.add(*facts), True
                    names.append(pattern)
                else:
                    new = self.fresh(fact, taken)
                    ctx = ctx.add((new, fact))
                    names.append(new)
                goal = plain[2] if plain[0] == "→" else FALSE
            else:
                break
        rest = self.solve(goal, ctx, depth)
        if rest is None:
            return None
        return [("rintro " if rich else "intro ") + " ".join(names), *rest]

    def both(self, first: Expr, second: Expr, ctx: Context, depth: int) -> Block | None:
        left = self.solve(first, ctx, depth)
        right = left and self.solve(second, ctx, depth)
        if not left or not right:
            return None
        if (
            len(left) == len(right) == 2
            and self.style.term
            and all(b[0].startswith("intro ") and b[1].startswith("exact ") for b in (left, right))
        ):
            return ["exact ⟨" + ", ".join(f"fun {b[0][6:]} => {b[1][6:]}" for b in (left, right)) + "⟩"]
        if len(left) == len(right) == 1 and all(b[0].startswith("exact ") for b in (left, right)) and self.style.term:
            return [f"exact ⟨{left[0][6:]}, {right[0][6:]}⟩"]
        opening = "constructor" if self.style.bullets else "refine ⟨?_, ?_⟩"
        return [opening, *_bullet(left), *_bullet(right)]

    def split(self, name: str, shape: Expr, goal: Expr, ctx: Context, depth: int) -> Block | None:
        inside = ctx.drop(name)
        taken = inside.names()
        blocks: list[Block] = []
        labels: list[str] = []
        structured = self.style.structured and not (isinstance(shape[2], tuple) and shape[2][0] in ("∨", "∧"))
        for side in (shape[1], shape[2]):
            if structured:
                label = self.fresh(side, taken)
                facts = [(label, side)]
            else:
                label, facts = self.pattern(side, taken)
            block = self.solve(goal, inside.add(*facts), depth)
            if block is None:
                return None
            labels.append(label)
            blocks.append(block)
        if structured:
            out = [f"cases {name} with"]
            for arm, label, block in zip(("inl", "inr"), labels, blocks):
                if len(block) == 1:
                    out.append(f"| {arm} {label} => {block[0]}")
                else:
                    out += [f"| {arm} {label} =>", *("  " + line for line in block)]
            return out
        return [f"rcases {name} with {labels[0]} | {labels[1]}", *_bullet(blocks[0]), *_bullet(blocks[1])]

    def by_cases(self, goal: Expr, ctx: Context, depth: int) -> Block | None:
        atoms: list[Expr] = []
        for e in [goal, *(f for _, f in ctx.facts)]:
            for atom in _atoms(e):
                if atom not in atoms:
                    atoms.append(atom)
        known = {f for _, f in ctx.facts}
        taken = ctx.names()
        for atom in atoms[:3]:
            if atom in known or ("¬", atom) in known:
                continue
            name = self.fresh(atom, taken)
            yes = self.solve(goal, ctx.add((name, atom)), depth - 1)
            no = yes and self.solve(goal, ctx.add((name, ("¬", atom))), depth - 1)
            if yes and no:
                return [f"by_cases {name} : {show(atom)}", *_bullet(yes), *_bullet(no)]
        return None


def _hides_choice(e: Expr) -> bool:
    shape = unfold(e)
    if not isinstance(shape, tuple):
        return False
    if shape[0] in ("∨", "∃"):
        return True
    return shape[0] == "∧" and (_hides_choice(shape[1]) or _hides_choice(shape[2]))


def _atoms(e: Expr) -> list[Expr]:
    shape = unfold(e)
    if isinstance(shape, tuple) and shape[0] in ("∧", "∨", "→", "↔", "¬"):
        return [atom for part in shape[1:] for atom in _atoms(part)]
    if isinstance(shape, tuple) and shape[0] in ("∀", "∃"):
        return []
    return [] if e == FALSE else [e]


def _bullet(block: Block) -> Block:
    return [("· " if i == 0 else "  ") + line for i, line in enumerate(block)]


def prove(
    goal: Expr,
    facts: list[tuple[str, Expr]],
    rng: Random,
    *,
    terms: list[tuple[str, str]] | None = None,
    style: Style | None = None,
    classical: bool = False,
    sets: bool = False,
    deepest: int = 7,
    budget: int = 400,
) -> list[str] | None:
    """A proof of `goal` from named `facts` as lines of tactics, or None when none is found within the budget.

    Args:
        terms: (name, type) of the objects in scope; a quantifier whose type is "" ranges over all of them.
        classical: allow `by_cases`.
        sets: read membership in set operations as the logic that it is by definition.
    """
    search = _Search(rng, style or Style.draw(rng), classical, budget)
    context = Context(tuple(facts), tuple(terms or ()), sets)
    try:
        for depth in range(1, deepest + 1):
            if (found := search.solve(goal, context, depth)) is not None:
                return found
    except _Gone:
        pass
    return None
