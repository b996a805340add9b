"""The rows of a data set: what is asked of them, and which of them a generation sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from trainers.noise import uniforms

__all__ = ["checked_rows", "generation_rows"]

_ORDER = 1 << 63  # key of the shuffles, apart from those of sampling (generation numbers)


def checked_rows(data: Any, name: str) -> Any:
    """The data set (or dict of several) if it has a length and the column `prompt`.

    Raises:
        ValueError: otherwise.
    """
    if data is None or isinstance(data, Mapping):
        return data
    if not hasattr(data, "__len__") or not hasattr(data, "__getitem__"):
        raise ValueError(f"{name} must have a length (a Dataset or a list); take a part of an iterable one")
    if len(data) == 0 or "prompt" not in data[0]:
        raise ValueError(f"{name} needs at least one row, and the column `prompt`")
    return data


def generation_rows(data: Any, generation: int, count: int, seed: int, shuffle: bool) -> list[dict[str, Any]]:
    """The `count` rows of a generation: the next ones in an order that is shuffled anew each epoch."""
    size = len(data)
    rows = []
    for position in range(generation * count, (generation + 1) * count):
        epoch, at = divmod(position, size)
        if shuffle:
            keys = uniforms(seed, _ORDER + epoch, range(size), [0] * size, [0] * size, 1)[:, 0]
            at = int(np.argsort(keys, kind="stable")[at])
        rows.append(dict(data[at]))
    return rows
