"""`Draft`: a theorem as a family makes it, before it has a name, a split and an id."""

from __future__ import annotations

from dataclasses import dataclass

from .expr import Expr, show

__all__ = ["LENGTHS", "Draft", "fits", "words"]

LENGTHS = ((1, 6), (4, 14), (8, 26), (14, 42), (24, 72))
"""Least and most words of a reference proof at levels 1 to 5, for the families whose levels go by length."""


@dataclass(frozen=True)
class Draft:
    """Binders (`(p q : Prop)`, `(h : p ∧ q)`, ...), goal, and a proof as lines of tactics."""

    binders: tuple[str, ...]
    goal: str
    proof: tuple[str, ...]

    @property
    def statement(self) -> str:
        """The statement under the name `goal`."""
        return " ".join(["theorem goal", *self.binders, ":", self.goal])

    @property
    def body(self) -> str:
        """The proof, indented as under `:= by`."""
        return "\n".join("  " + line for line in self.proof)


def draft(variables: list[tuple[str, str]], facts: list[tuple[str, Expr]], goal: Expr, proof: list[str]) -> Draft:
    """A draft whose binders are `variables` ((names, type)) and the named `facts`."""
    binders = [f"({names} : {kind})" if kind != "Type" else f"{{{names} : Type}}" for names, kind in variables]
    binders += [f"({name} : {show(fact)})" for name, fact in facts]
    return Draft(tuple(binders), show(goal), tuple(proof))


def words(proof: list[str] | tuple[str, ...]) -> int:
    """Words of a proof, the measure of its length."""
    return sum(len(line.split()) for line in proof)


def fits(proof: list[str], level: int) -> bool:
    """Whether a proof has the length of its level."""
    low, high = LENGTHS[level - 1]
    return low <= words(proof) <= high
