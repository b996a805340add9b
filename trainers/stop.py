"""Stop strings: a completion ends where one of them first appears, and is cut before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

__all__ = ["StopStrings"]


class StopStrings:
    """Finds stop strings in what was generated.

    A text is looked at only when its newest token could end a stop string: when that token's own text holds the last
    character of one (or is a part of a character).

    Args:
        tokenizer: of the model.
        strings: the stop strings.
        vocabulary: number of tokens that the model's output has; of the tokenizer by default.
    """

    def __init__(self, tokenizer: Any, strings: Sequence[str], vocabulary: int | None = None) -> None:
        if not strings or any(not isinstance(s, str) or not s for s in strings):
            raise ValueError(f"stop_strings must be non-empty texts, not {list(strings)!r}")
        self.tokenizer = tokenizer
        self.strings = list(strings)
        known = len(tokenizer)
        texts = tokenizer.batch_decode([[i] for i in range(known)], skip_special_tokens=True)
        last = {s[-1] for s in strings} | {"\N{REPLACEMENT CHARACTER}"}
        self.candidates = torch.zeros(max(known, vocabulary or 0), dtype=torch.bool)
        """Whether a token could end a stop string: (vocabulary,)."""
        self.candidates[:known] = torch.tensor([any(c in text for c in last) for text in texts])

    def ends(self, tokens: Sequence[int]) -> bool:
        """Whether these tokens' text holds a stop string."""
        text = self.tokenizer.decode(tokens, skip_special_tokens=True)
        return any(s in text for s in self.strings)

    def cut(self, text: str) -> str:
        """The text before the first stop string in it."""
        return text[: min((at for s in self.strings if (at := text.find(s)) >= 0), default=len(text))]
