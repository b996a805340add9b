"""The built-in theorem suites: "core" (generated, endless) and "core-200" (fixed)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from ..theorem import Theorem
from .core import FAMILIES, LEVELS, SPLITS, benchmark, core_theorems, generate
from .normal import normal_key

__all__ = ["core_theorems", "generate", "load_suite", "normal_key", "suite_hash", "summary"]

DEFAULT_LIMIT = 1000


def load_suite(
    name: str = "core",
    split: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    *,
    families: Sequence[str] | None = None,
    levels: Sequence[int] | None = None,
) -> list[Theorem]:
    """Theorems of a built-in suite, the same for the same arguments.

    Args:
        name: "core" or "core-200".
        split: "train" (the default of core), "validation" or "test". core-200 is all test.
        limit: at most so many theorems; 1000 of core when None.
        seed: which theorems of the endless split.
        families: keep to these families.
        levels: keep to these levels.

    Raises:
        ValueError: for a suite, split, family or level that there is not.
    """
    if name == "core-200":
        if split not in (None, "test"):
            raise ValueError(f"core-200 has no split {split!r}; all of it is test")
        chosen = [
            t
            for t in benchmark()
            if (families is None or t.family in families) and (levels is None or t.level in levels)
        ]
        return chosen[:limit]
    if name != "core":
        raise ValueError(f"no suite {name!r}; the built-in suites are core and core-200")
    theorems = core_theorems(split or "train", seed, families=families, levels=levels)
    return list(islice(theorems, DEFAULT_LIMIT if limit is None else limit))


def suite_hash(theorems: Iterable[Theorem]) -> str:
    """SHA-256 (hexadecimal) of headers and statements in their order, for the header of a run."""
    digest = hashlib.sha256()
    for theorem in theorems:
        for text in (theorem.header, theorem.formal_statement):
            data = text.encode("utf-8")
            digest.update(len(data).to_bytes(8, "little"))
            digest.update(data)
    return digest.hexdigest()


def summary() -> dict[str, dict[str, Any]]:
    """What the built-in suites hold: families, levels, splits, and how many theorems (None: without end)."""
    fixed = benchmark()
    by_family: dict[str, int] = {}
    by_level: dict[int, int] = {}
    for theorem in fixed:
        by_family[theorem.family] = by_family.get(theorem.family, 0) + 1
        by_level[theorem.level] = by_level.get(theorem.level, 0) + 1
    return {
        "core": {"families": list(FAMILIES), "levels": list(LEVELS), "splits": list(SPLITS), "theorems": None},
        "core-200": {
            "families": by_family,
            "levels": dict(sorted(by_level.items())),
            "splits": ["test"],
            "theorems": len(fixed),
            "hash": suite_hash(fixed),
        },
    }
