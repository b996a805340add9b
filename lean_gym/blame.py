"""Whose fault it is: what a lost worker or a crash may be taken for, when the world outside has faults of its own.

A submission that takes its worker down, or crashes Lean, each time it is run is the cause of it. But containers are
also killed, engines stopped and servers hung by others, and two such accidents may meet the same submission. So where
there is a sign that accidents happen, more repetitions are asked for before the submission is blamed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Collection

__all__ = ["DOUBTFUL", "Crashes", "Losses"]

DOUBTFUL = 3
"""More tries that a call gets when accidents happen around it."""

_NEAR = 60.0  # seconds around a call's own losses within which another loss raises doubt
_REMEMBERED = 600.0  # seconds for which a crash that did not repeat raises doubt
_REPEATS, _REPEATS_DOUBTFUL = 2, 5


class Losses:
    """The workers that a pool lost of late."""

    def __init__(self) -> None:
        self._lost: deque[tuple[float, str]] = deque(maxlen=256)

    def note(self, worker: str) -> None:
        """A worker was lost; it may be noted by each call that it held."""
        self._lost.append((time.monotonic(), worker))

    def elsewhere(self, mine: Collection[str], since: float) -> bool:
        """Whether workers were lost, about `since` or later, that the caller had nothing to do with.

        Args:
            mine: workers that it held when they were lost.
            since: time (monotonic) of its own first loss.
        """
        return any(worker not in mine for when, worker in self._lost if when >= since - _NEAR)


class Crashes:
    """Crashes that a worker reported and that did not repeat: Lean's process was killed by somebody else."""

    def __init__(self) -> None:
        self._last = -_REMEMBERED

    def accident(self) -> None:
        """A submission crashed, and did not when it was run again."""
        self._last = time.monotonic()

    @property
    def needed(self) -> int:
        """Crashes of the same submission, one after another, that are its own doing."""
        return _REPEATS if time.monotonic() - self._last > _REMEMBERED else _REPEATS_DOUBTFUL
