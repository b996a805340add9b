"""`LeanText`: the space of Lean texts."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

__all__ = ["LEAN_CHARACTERS", "LeanText", "shown"]

LEAN_CHARACTERS = (
    "".join(map(chr, range(32, 127)))
    + "\n∀∃λΣΠ→←↔∧∨¬⊢⟨⟩≤≥≠∈∉⊆⊂∪∩∅∣∘×⊕⁻¹·•▸∎⊤⊥≈≃ℕℤℚℝℂαβγδεζηθικμνξπρστυφχψω₀₁₂₃₄₅₆₇₈₉⁰²³⁴⁵⁶⁷⁸⁹‹›«»"
)
"""What `LeanText.sample` draws from: printable ASCII, line ends, and the symbols of everyday Lean."""


class LeanText(spaces.Text):
    """Texts of up to `max_length` code points: all of Unicode but lone surrogates, as Lean files may hold."""

    def __init__(self, max_length: int, *, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, min_length=0, charset=LEAN_CHARACTERS, seed=seed)

    def contains(self, x: Any) -> bool:
        """Whether `x` is a text of this space."""
        return isinstance(x, str) and len(x) <= self.max_length and not any("\ud800" <= c <= "\udfff" for c in x)

    def __repr__(self) -> str:
        return f"LeanText({self.max_length})"


def shown(text: str, limit: int) -> str:
    """`text` as a member of `LeanText(limit)`: "?" for lone surrogates, and cut at its end."""
    if len(text) > limit:
        text = text[: limit - 1] + "…" if limit else ""
    return text.encode("utf-8", "replace").decode()
