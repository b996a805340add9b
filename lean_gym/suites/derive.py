"""What follows from hypotheses by projections, application and instantiation, as proof terms."""

from __future__ import annotations

from dataclasses import dataclass

from .expr import Expr, substitute

__all__ = ["FALSE", "Context", "closure", "proof_term", "unfold", "wrap"]

FALSE = "False"
_MAX_FACTS = 120


@dataclass(frozen=True)
class Context:
    """Named facts, and (name, type) of the objects in scope; `set_forms` reads set operations as logic."""

    facts: tuple[tuple[str, Expr], ...]
    terms: tuple[tuple[str, str], ...]  # (name, type) of the objects in scope
    set_forms: bool = False

    def add(self, *facts: tuple[str, Expr]) -> Context:
        return Context(self.facts + facts, self.terms, self.set_forms)

    def add_term(self, name: str, kind: str) -> Context:
        return Context(self.facts, (*self.terms, (name, kind)), self.set_forms)

    def drop(self, name: str) -> Context:
        return Context(tuple(f for f in self.facts if f[0] != name), self.terms, self.set_forms)

    def names(self) -> set[str]:
        return {n for n, _ in self.facts} | {n for n, _ in self.terms}


def unfold(e: Expr) -> Expr:
    """Membership in a set operation as the logic that it is by definition."""
    if isinstance(e, str):
        return e
    if e[0] == "∉":
        return ("¬", ("∈", e[1], e[2]))
    if e[0] == "⊆":
        return ("∀", "x", "", ("→", ("∈", "x", e[1]), ("∈", "x", e[2])))
    if e[0] == "∈" and isinstance(e[2], tuple):
        x, s = e[1], e[2]
        if s[0] == "∩":
            return ("∧", ("∈", x, s[1]), ("∈", x, s[2]))
        if s[0] == "∪":
            return ("∨", ("∈", x, s[1]), ("∈", x, s[2]))
        if s[0] == "\\":
            return ("∧", ("∈", x, s[1]), ("∉", x, s[2]))
        if s[0] == "ᶜ":
            return ("¬", ("∈", x, s[1]))
    return e


def wrap(text: str) -> str:
    """Parentheses around a term that is not one word."""
    if " " not in text or text[0] == "⟨":
        return text
    return f"({text})"


def closure(ctx: Context) -> dict[Expr, str]:
    """What the hypotheses give by projections, application and instantiation: fact -> shortest term found."""
    known: dict[Expr, str] = {}
    queue: list[tuple[Expr, str]] = []

    def learn(fact: Expr, term: str) -> None:
        old = known.get(fact)
        if old is None or len(term) < len(old):
            known[fact] = term
            queue.append((fact, term))

    for name, fact in reversed(ctx.facts):
        if fact not in known:
            learn(fact, name)
    rounds = 0
    while queue and len(known) < _MAX_FACTS and rounds < 200:
        rounds += 1
        fact, term = queue.pop(0)
        if known.get(fact) != term:
            continue
        plain = unfold(fact)
        if not isinstance(plain, tuple):
            continue
        head = plain[0]
        if head == "∧":
            learn(plain[1], wrap(term) + ".1")
            learn(plain[2], wrap(term) + ".2")
        elif head == "↔":
            learn(("→", plain[1], plain[2]), wrap(term) + ".mp")
            learn(("→", plain[2], plain[1]), wrap(term) + ".mpr")
        elif head == "→":
            if (got := known.get(plain[1])) is not None:
                learn(plain[2], f"{term} {wrap(got)}")
        elif head == "¬":
            if (got := known.get(plain[1])) is not None:
                learn(FALSE, f"{term} {wrap(got)}")
        elif head == "∀":
            if plain[2] or not ctx.set_forms:
                for name, kind in ctx.terms:
                    if kind == plain[2] or not plain[2]:
                        instance = substitute(plain[3], {plain[1]: name})
                        learn(instance, f"{term} {name}")
            else:  # a subset: x is implicit
                for name, _ in ctx.terms:
                    instance = substitute(plain[3], {plain[1]: name})
                    if (got := known.get(instance[1])) is not None:
                        learn(instance[2], f"{term} {wrap(got)}")
        # new facts may feed older implications
        for other, how in list(known.items()):
            shape = unfold(other)
            if isinstance(shape, tuple) and shape[0] in ("→", "¬") and shape[1] == fact:
                learn(shape[2] if shape[0] == "→" else FALSE, f"{how} {wrap(known[fact])}")
            elif ctx.set_forms and isinstance(shape, tuple) and shape[0] == "∀" and not shape[2] and fact[0] == "∈":
                instance = substitute(shape[3], {shape[1]: fact[1]})
                if instance[1] == fact:
                    learn(instance[2], f"{how} {wrap(known[fact])}")
    return known


def proof_term(goal: Expr, ctx: Context, known: dict[Expr, str], depth: int) -> str | None:
    """A proof term for `goal` by introductions over the closure, or None."""
    if goal in known:
        return known[goal]
    if goal == "True":
        return "trivial"
    if depth == 0:
        return None
    plain = unfold(goal)
    if not isinstance(plain, tuple):
        return None
    head = plain[0]
    if head == "∧":
        left = proof_term(plain[1], ctx, known, depth - 1)
        right = left and proof_term(plain[2], ctx, known, depth - 1)
        if left and right:
            flat = (
                right[1:-1]
                if right[0] == "⟨" and isinstance(unfold(plain[2]), tuple) and unfold(plain[2])[0] == "∧"
                else right
            )
            return f"⟨{left}, {flat}⟩"
    elif head == "∨":
        for at, name in ((1, "Or.inl"), (2, "Or.inr")):
            if (inner := proof_term(plain[at], ctx, known, depth - 1)) is not None:
                return f"{name} {wrap(inner)}"
    elif head == "∃":
        for name, kind in ctx.terms:
            if kind == plain[2] or not plain[2]:
                inner = proof_term(substitute(plain[3], {plain[1]: name}), ctx, known, depth - 1)
                if inner is not None:
                    return f"⟨{name}, {inner}⟩"
    return None
