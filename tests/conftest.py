"""Shared by all tests: one verifier without the disk cache, on the real embedded Lean."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lean_gym.theorem import Theorem
from lean_gym.verifier import Verifier


@pytest.fixture(scope="session")
def verifier() -> Iterator[Verifier]:
    with Verifier(cache=False) as shared:
        yield shared


@pytest.fixture(scope="session")
def swap() -> Theorem:
    """A true theorem; `SWAP_PROOF` proves it."""
    return Theorem("swap", "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p")


SWAP_PROOF = "exact ⟨h.2, h.1⟩"
