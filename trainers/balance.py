"""Who does which unit of work (a pair of members, a prompt of an evaluation), so that ranks end together.

Each rank has a queue of units, as many as its measured speed asks for. It takes from its own queue; when that
is empty, from the queues of the others, the longest first. A unit is taken by adding 1 to its queue's counter in a
store that all ranks share, so it is done once. Who does a unit changes no number: the sampling depends on
(generation, member, prompt, attempt), and what comes back is sorted.
"""

from __future__ import annotations

from collections.abc import Sequence

from trainers.ranks import Ranks

__all__ = ["Portions", "shares"]

BEGUN_KNOWN, BEGUN_GUESSED = 0.75, 0.5
"""Part of its queue that a rank begins at once: with measured speeds, and without. What is begun stays."""


def shares(units: int, speeds: Sequence[float]) -> list[int]:
    """How many of `units` go to each rank, in proportion to its speed (largest remainders; ties to the lower rank).

    Args:
        speeds: of the ranks, in any unit; equal shares when one is not positive.
    """
    if not speeds:
        raise ValueError("shares needs the speed of at least one rank")
    known = speeds if min(speeds) > 0 else [1.0] * len(speeds)
    exact = [units * speed / sum(known) for speed in known]
    counts = [int(part) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda r: (counts[r] - exact[r], r))
    for rank in by_remainder[: units - sum(counts)]:
        counts[rank] += 1
    return counts


class Portions:
    """What this rank does in one round. All ranks make one with the same arguments.

    Args:
        ranks: the processes.
        units: number of units of the round.
        speeds: of all ranks in the last round; empty when not known.
    """

    def __init__(self, ranks: Ranks, units: int, speeds: Sequence[float] = ()) -> None:
        self.ranks = ranks
        self.known = len(speeds) == ranks.world_size and min(speeds) > 0
        counts = shares(units, speeds if self.known else [1.0] * ranks.world_size)
        ends = [sum(counts[: rank + 1]) for rank in range(len(counts))]
        self.queues = [range(end - count, end) for count, end in zip(counts, ends, strict=True)]
        self._left = [len(queue) for queue in self.queues]  # at most: others take from them too
        self.taken: list[int] = []
        ranks.begin_round()

    def first(self) -> list[int]:
        """The units to begin with: a part of this rank's queue."""
        own = self.queues[self.ranks.rank]
        if self.ranks.world_size == 1:
            self._left, self.taken = [0], list(own)
            return list(own)
        share = BEGUN_KNOWN if self.known else BEGUN_GUESSED
        begun: list[int] = []
        for _ in range(-int(-share * len(own))):
            if (unit := self._take(self.ranks.rank)) is None:
                break
            begun.append(unit)
        return begun

    def next(self) -> int | None:
        """One more unit, or None when all are taken."""
        own = self.ranks.rank
        while any(self._left):
            queue = own if self._left[own] else max(range(len(self._left)), key=lambda r: self._left[r])
            if (unit := self._take(queue)) is not None:
                return unit
        return None

    def _take(self, queue: int) -> int | None:
        at = self.ranks.take(queue)
        self._left[queue] = max(0, len(self.queues[queue]) - at - 1)
        if at >= len(self.queues[queue]):
            return None
        self.taken.append(self.queues[queue][at])
        return self.taken[-1]
