"""`import lean_gym` is fast and pulls in nothing heavy."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ["torch", "docker", "transformers", "trl", "accelerate", "jax", "numpy", "gymnasium"]


def test_import_pulls_in_nothing_heavy() -> None:
    code = f"import lean_gym, sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_the_verifier_needs_no_trainer() -> None:
    code = (
        "import sys; from lean_gym import *; import lean_gym.cli, lean_gym.doctor;"
        f"print([m for m in {HEAVY[:6]!r} if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_import_is_fast() -> None:
    def seconds() -> float:
        code = "import time; t = time.perf_counter(); import lean_gym; print(time.perf_counter() - t)"
        return float(subprocess.check_output([sys.executable, "-c", code], text=True))

    assert min(seconds() for _ in range(5)) < 0.3


def test_all_names_are_there() -> None:
    import lean_gym

    for name in lean_gym.__all__:
        assert getattr(lean_gym, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        lean_gym.no_such_name  # noqa: B018
