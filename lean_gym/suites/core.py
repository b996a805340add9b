"""The suite "core": seeded, endless theorems over the embedded `Core`, in families, levels and disjoint splits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib import resources
from random import Random

from ..theorem import Theorem
from . import algebra, data, equality, functions, induction, lists, logic, nat, order, predicate, sets
from .draft import Draft
from .normal import normal_key, split_of

__all__ = ["FAMILIES", "LEVELS", "SPLITS", "benchmark", "core_theorems", "generate"]

FAMILIES: dict[str, Callable[[Random, int], Draft | None]] = {
    module.FAMILY: module.generate
    for module in (logic, predicate, equality, functions, nat, induction, order, lists, data, sets, algebra)
}
"""Family -> its generator: (random numbers, level) -> a draft, or None when the draw was not worth keeping."""

LEVELS = (1, 2, 3, 4, 5)
SPLITS = ("train", "validation", "test")
LEVEL_WEIGHTS = {1: 0.26, 2: 0.26, 3: 0.22, 4: 0.14, 5: 0.12}
_DRAWS = 400
"""Draws without a new theorem after which a family's level counts as used up."""


@lru_cache(maxsize=1)
def benchmark() -> tuple[Theorem, ...]:
    """The fixed benchmark core-200, in its own order."""
    text = resources.files(__package__).joinpath("core_200.jsonl").read_text(encoding="utf-8")
    return tuple(
        Theorem(
            id=row["id"],
            formal_statement=row["formal_statement"],
            split="test",
            family=row["family"],
            level=row["level"],
            proof=row["proof"],
        )
        for row in map(json.loads, text.splitlines())
    )


@lru_cache(maxsize=1)
def _held_out() -> frozenset[str]:
    return frozenset(normal_key(t.formal_statement) for t in benchmark())


def _theorem(draft: Draft, family: str, level: int) -> Theorem:
    key = normal_key(draft.statement)
    split = "test" if key in _held_out() else split_of(key)
    return Theorem(
        id=f"core-{family}-{level}-{key}",
        formal_statement=draft.statement,
        split=split,
        family=family,
        level=level,
        proof=draft.body,
    )


def _check(families: Sequence[str], levels: Sequence[int]) -> None:
    for family in families:
        if family not in FAMILIES:
            raise ValueError(f"the suite core has no family {family!r}; it has {', '.join(FAMILIES)}")
    for level in levels:
        if level not in LEVELS:
            raise ValueError(f"the suite core has no level {level!r}; its levels are 1 to {LEVELS[-1]}")


def generate(seed: int, family: str | None = None, level: int | None = None) -> Theorem:
    """The theorem of a seed: the same for the same arguments, on every machine.

    Raises:
        ValueError: for a family or a level that there is not.
    """
    _check([family] if family else [], [level] if level else [])
    rng = Random(f"lean-gym core theorem {seed}")
    while True:
        family_here = family or rng.choice(list(FAMILIES))
        level_here = level or rng.choices(LEVELS, list(LEVEL_WEIGHTS.values()))[0]
        draft = FAMILIES[family_here](rng, level_here)
        if draft is not None:
            return _theorem(draft, family_here, level_here)


def core_theorems(
    split: str = "train",
    seed: int = 0,
    *,
    families: Sequence[str] | None = None,
    levels: Sequence[int] | None = None,
    distinct: bool = True,
) -> Iterator[Theorem]:
    """Theorems of a split without end, families in equal shares, levels by `LEVEL_WEIGHTS`.

    With `distinct` no structure comes twice; a family's level that has no new one left gives way to the others, so
    that only a choice of small ones (say, level 1 of one family) can come to an end.

    Raises:
        ValueError: for a split, family or level that there is not.
    """
    if split not in SPLITS:
        raise ValueError(f"no split {split!r}; the splits are {', '.join(SPLITS)}")
    families = list(families or FAMILIES)
    levels = list(levels or LEVELS)
    _check(families, levels)
    rng = Random(f"lean-gym core {split} {seed}")
    cells = {family: {level: LEVEL_WEIGHTS[level] for level in levels} for family in families}
    seen: set[str] = set()
    while cells:
        family = rng.choice(list(cells))
        weights = cells[family]
        level = rng.choices(list(weights), list(weights.values()))[0]
        for _ in range(_DRAWS):
            draft = FAMILIES[family](rng, level)
            if draft is None:
                continue
            theorem = _theorem(draft, family, level)
            if theorem.split != split or (distinct and theorem.id.rsplit("-", 1)[1] in seen):
                continue
            seen.add(theorem.id.rsplit("-", 1)[1])
            yield theorem
            break
        else:
            del weights[level]
            if not weights:
                del cells[family]
