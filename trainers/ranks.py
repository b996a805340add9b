"""The processes of a run: what they tell each other, and what happens when one of them is gone.

Only small Python objects travel (rewards, counters), over gloo and a key-value store on CPUs, whatever the device.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, TypeVar

from torch import distributed

__all__ = ["RankLost", "Ranks"]

T = TypeVar("T")


class RankLost(RuntimeError):
    """Another process of the run is gone."""


class Ranks:
    """This process among those of the run.

    Args:
        rank, world_size: of torch.distributed, which is initialised when there are several processes.
        timeout: seconds that one waits for the others at most.
    """

    def __init__(self, rank: int, world_size: int, timeout: float = 1800.0) -> None:
        self.rank, self.world_size = rank, world_size
        self._group: Any = None
        self._store: Any = None
        self._round = 0
        if world_size == 1:
            return
        wait = timedelta(seconds=timeout)
        with self._together():
            # Of our own: gloo says at once when a process is gone, where NCCL waits.
            self._group = distributed.new_group(backend="gloo", timeout=wait)
            store: Any = getattr(distributed, "TCPStore")  # noqa: B009 - torch's stubs do not export it
            host = os.environ.get("MASTER_ADDR", "127.0.0.1")
            if rank == 0:
                self._store = store(host, 0, None, True, wait, wait_for_workers=False)
            port = self.broadcast(self._store.port if rank == 0 else None)
            if rank != 0:
                self._store = store(host, port, None, False, wait, wait_for_workers=False)

    @contextmanager
    def _together(self) -> Iterator[None]:
        try:
            yield
        except RuntimeError as error:  # what gloo and the store raise
            reason = str(error).strip().partition("\n")[0]
            raise RankLost(
                f"process {self.rank} of {self.world_size}: another process of the run is gone or does not answer; "
                "what it said last tells why. Start the run again with resume_from_checkpoint, on any number of "
                f"processes: it goes on after its last whole generation. ({reason})"
            ) from error

    def gather(self, items: list[T]) -> list[T]:
        """The lists of all ranks, one after another.

        Raises:
            RankLost: when a process is gone.
        """
        if self.world_size == 1:
            return items
        parts: list[Any] = [None] * self.world_size
        with self._together():
            distributed.all_gather_object(parts, items, group=self._group)
        return [item for part in parts for item in part]

    def broadcast(self, value: T) -> T:
        """The first rank's value."""
        if self.world_size == 1:
            return value
        box = [value]
        with self._together():
            distributed.broadcast_object_list(box, 0, group=self._group)
        return box[0]

    def begin_round(self) -> int:
        """A new set of counters; all ranks begin their rounds in the same order, each after a gather of the last."""
        if self._store is not None and self.rank == 0:
            with self._together():
                for rank in range(self.world_size):
                    self._store.delete_key(f"{self._round}/{rank}")
        self._round += 1
        return self._round

    def take(self, queue: int) -> int:
        """0, 1, 2, ...: the next number of one of the round's queues; no number goes to two ranks."""
        if self._store is None:
            raise ValueError("a run of one process shares nothing")
        with self._together():
            return int(self._store.add(f"{self._round}/{queue}", 1)) - 1
