"""Expressions that the generators build, and how they print as Lean text.

An expression is a `str` (a name or a numeral) or a tuple `(head, *arguments)`. Operators of the tables below print
with Lean's own precedences; `("∀", x, type, body)` and `("∃", x, type, body)` bind `x` (type "" leaves it out);
`("↦", x, body)` is `fun x => body`; `(".length", a)` prints `a.length`; any other head is applied to its arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["Expr", "heads", "leaves", "show", "size", "substitute", "subterms"]

Expr = Any
"""`str`, or a tuple of a head and its arguments."""

MAX = 1024

# operator: (its precedence, least precedence of the left argument, of the right argument), as in Lean's notation.
INFIX: dict[str, tuple[int, int, int]] = {
    "↔": (20, 21, 21),
    "→": (25, 26, 25),
    "∨": (30, 31, 30),
    "∧": (35, 36, 35),
    "=": (50, 51, 51),
    "≠": (50, 51, 51),
    "≤": (50, 51, 51),
    "<": (50, 51, 51),
    "≥": (50, 51, 51),
    ">": (50, 51, 51),
    "∣": (50, 51, 51),
    "∈": (50, 51, 51),
    "∉": (50, 51, 51),
    "⊆": (50, 51, 51),
    "||": (30, 30, 31),
    "&&": (35, 35, 36),
    "+": (65, 65, 66),
    "-": (65, 65, 66),
    "∪": (65, 65, 66),
    "++": (65, 65, 66),
    "::": (67, 68, 67),
    "*": (70, 70, 71),
    "∩": (70, 70, 71),
    "\\": (70, 71, 71),
    "^": (75, 76, 75),
    "×": (35, 36, 35),
    "∘": (90, 91, 90),
}
PREFIX: dict[str, tuple[int, int]] = {"¬": (40, 40), "!": (40, 40), "-": (75, 75)}
BINDERS = ("∀", "∃")
POSTFIX = ("⁻¹", "ᶜ")


def show(e: Expr, least: int = 0) -> str:
    """Lean text of `e`, in parentheses when its precedence is below `least`."""
    if isinstance(e, str):
        return e
    head, *arguments = e
    if head in BINDERS:
        name, kind, body = arguments
        binder = f"{name} : {kind}" if kind else name
        while isinstance(body, tuple) and body[0] == head and kind == body[2] and not kind:
            binder, body = f"{binder} {body[1]}", body[3]
        text, own = f"{head} {binder}, {show(body)}", 0
    elif head == "↦":
        text, own = f"fun {arguments[0]} => {show(arguments[1])}", 0
    elif head in PREFIX and len(arguments) == 1:
        own, inner = PREFIX[head]
        text = head + show(arguments[0], inner)
    elif head in INFIX and len(arguments) == 2:
        own, left, right = INFIX[head]
        text = f"{show(arguments[0], left)} {head} {show(arguments[1], right)}"
    elif head in POSTFIX:
        own, text = MAX, show(arguments[0], MAX) + head
    elif head.startswith("."):
        own, text = MAX, show(arguments[0], MAX) + head
        if len(arguments) > 1:
            own, text = MAX - 1, " ".join([text, *(show(a, MAX) for a in arguments[1:])])
    elif head == "@":  # a composed function, applied
        own, text = MAX - 1, " ".join(show(a, MAX) for a in arguments)
    elif head == "pair":
        own, text = MAX, f"({', '.join(show(a) for a in arguments)})"
    elif head == "list":
        own, text = MAX, f"[{', '.join(show(a) for a in arguments)}]"
    elif head == "if":
        own, text = 0, f"if {show(arguments[0])} then {show(arguments[1])} else {show(arguments[2])}"
    else:
        own, text = MAX - 1, " ".join([head, *(show(a, MAX) for a in arguments)])
    return text if own >= least else f"({text})"


def substitute(e: Expr, values: dict[str, Expr]) -> Expr:
    """Replace names (heads too) by expressions. Binders in `e` must not capture names free in `values`."""
    if isinstance(e, str):
        return values.get(e, e)
    head = e[0]
    if head in values:
        new = values[head]
        if isinstance(new, str):
            head = new
        else:  # a composed function
            return (*new, *(substitute(a, values) for a in e[1:]))
    if head in BINDERS:
        inner = {k: v for k, v in values.items() if k != e[1]}
        return (head, e[1], e[2], substitute(e[3], inner))
    if head == "↦":
        inner = {k: v for k, v in values.items() if k != e[1]}
        return (head, e[1], substitute(e[2], inner))
    return (head, *(substitute(a, values) for a in e[1:]))


def size(e: Expr) -> int:
    """Number of names, numerals and operators in `e`."""
    return 1 if isinstance(e, str) else 1 + sum(size(a) for a in e[1:] if a)


def leaves(e: Expr) -> set[str]:
    """Names and numerals that `e` holds, bound names and their types included; names of applied functions are not."""
    return {e} if isinstance(e, str) else set().union(*(leaves(a) for a in e[1:] if a))


def heads(e: Expr) -> set[str]:
    """Operators and applied functions of `e`."""
    return set() if isinstance(e, str) else {e[0]}.union(*(heads(a) for a in e[1:] if a))


def subterms(e: Expr) -> Iterator[Expr]:
    """All subterms of `e` in the order in which Lean's `rw` looks at them: outermost first, left to right."""
    yield e
    if isinstance(e, tuple):
        start = 3 if e[0] in BINDERS else 2 if e[0] == "↦" else 1
        for a in e[start:]:
            yield from subterms(a)
