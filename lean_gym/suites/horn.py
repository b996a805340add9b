"""Proof trees over lemmas `premises → conclusion`: a goal is taken back through lemmas until hypotheses are left."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from .expr import MAX, Expr, show, substitute
from .rewriting import match

__all__ = ["Lemma", "Tree", "lemma", "prove_by", "tree"]


@dataclass(frozen=True)
class Lemma:
    """`name : premises → conclusion`, with variables `?x`; `arguments` are its explicit ones, premises by number."""

    name: str
    premises: tuple[Expr, ...]
    conclusion: Expr
    arguments: tuple[str | int, ...]
    weight: float = 1.0


def lemma(name: str, conclusion: Expr, *premises: Expr, arguments: str = "", weight: float = 1.0) -> Lemma:
    """A lemma; names of one letter in its formulas are variables. `arguments` as in "n 0 1"; default: its premises."""
    order: tuple[str | int, ...] = (
        tuple(int(a) if a.isdigit() else "?" + a for a in arguments.split())
        if arguments
        else tuple(range(len(premises)))
    )
    return Lemma(name, tuple(_variables(p) for p in premises), _variables(conclusion), order, weight)


def _variables(e: Expr) -> Expr:
    if isinstance(e, str):
        return "?" + e if len(e) == 1 and e.isalpha() else e
    return (e[0], *(_variables(a) for a in e[1:]))


@dataclass
class Tree:
    """A proof of `goal`: by the hypothesis `name` (no lemma), or by a lemma from its premises' proofs."""

    goal: Expr
    name: str = ""
    lemma: Lemma | None = None
    values: dict[str, Expr] = field(default_factory=dict)
    parts: list[Tree] = field(default_factory=list)

    def term(self) -> str:
        """The proof as a term."""
        if self.lemma is None:
            return self.name
        words = [self.lemma.name]
        for argument in self.lemma.arguments:
            if isinstance(argument, int):
                inner = self.parts[argument].term()
                words.append(f"({inner})" if " " in inner else inner)
            else:
                words.append(show(self.values[argument], MAX))
        return " ".join(words)

    def depth(self) -> int:
        """Lemmas on the longest way down."""
        return 0 if self.lemma is None else 1 + max((p.depth() for p in self.parts), default=0)

    def circular(self, above: tuple[Expr, ...] = ()) -> bool:
        """Whether a goal comes back below itself."""
        return self.goal in above or any(p.circular((*above, self.goal)) for p in self.parts)

    def count(self) -> int:
        """Lemmas in all."""
        return 0 if self.lemma is None else 1 + sum(p.count() for p in self.parts)


def tree(
    rng: Random,
    goal: Expr,
    lemmas: list[Lemma],
    depth: int,
    objects: list[str],
    facts: dict[Expr, str],
    stop: float = 0.25,
) -> Tree:
    """A random proof tree; leaves become hypotheses in `facts` (formula -> name, "" until all are known)."""
    if depth > 0 and rng.random() > stop:
        fitting = []
        for candidate in lemmas:
            values: dict[str, Expr] = {}
            if match(candidate.conclusion, goal, values):
                fitting.append((candidate, values))
        if fitting:
            chosen, values = rng.choices(fitting, [c.weight for c, _ in fitting])[0]
            premises = []
            for premise in chosen.premises:
                for variable in sorted(_free(premise)):
                    if variable not in values:
                        used = {v for v in values.values() if isinstance(v, str)}
                        values[variable] = rng.choice([o for o in objects if o not in used] or objects)
                premises.append(substitute(premise, values))
            parts = [tree(rng, p, lemmas, depth - 1, objects, facts, stop) for p in premises]
            return Tree(goal, "", chosen, values, parts)
    facts.setdefault(goal, "")
    return Tree(goal)


def _free(e: Expr) -> set[str]:
    if isinstance(e, str):
        return {e} if e[0] == "?" else set()
    return {v for a in e[1:] for v in _free(a)}


def name_leaves(t: Tree, facts: dict[Expr, str]) -> None:
    """Give each leaf the name of its hypothesis."""
    if t.lemma is None:
        t.name = facts[t.goal]
    for part in t.parts:
        name_leaves(part, facts)


def prove_by(rng: Random, t: Tree) -> list[str]:
    """The tree as tactics, in one of several styles."""
    if t.lemma is None:
        return [f"exact {t.name}"]
    pick = rng.random()
    inner = [p for p in t.parts if p.lemma is not None]
    if t.depth() == 1 or pick < 0.4 or not t.parts:
        if len(t.parts) == 1 and pick > 0.75 and t.parts[0].lemma is None:
            return [f"apply {t.lemma.name}", f"exact {t.parts[0].name}"]
        if not t.parts and pick > 0.6:
            return [f"apply {t.lemma.name}"]
        return [f"exact {t.term()}"]
    explicit = any(isinstance(a, str) for a in t.lemma.arguments)
    if pick < 0.6 and len(t.parts) == 1 and not explicit:
        return [f"apply {t.lemma.name}", *prove_by(rng, t.parts[0])]
    if pick < 0.75 and len(t.parts) > 1 and not explicit:
        lines = [f"apply {t.lemma.name}"]
        for part in t.parts:
            block = prove_by(rng, part)
            lines += [("· " if i == 0 else "  ") + line for i, line in enumerate(block)]
        return lines
    if len(inner) >= 1 and pick < 0.95:
        part = inner[0]
        lines = [f"have h₀ : {show(part.goal)} := {part.term()}"]
        kept = (part.lemma, part.parts, part.name)
        part.lemma, part.parts, part.name = None, [], "h₀"
        rest = f"exact {t.term()}"
        part.lemma, part.parts, part.name = kept
        return [*lines, rest]
    return [f"exact {t.term()}"]
