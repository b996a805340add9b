"""A pool of disposable workers: queue, lease, retire, replace, retry. It knows neither Docker nor Lean.

    starting -> ready (busy while it holds leases) -> retiring -> gone

A worker is leased for one call at a time for each unit of its `capacity`. It is retired after `max_jobs` calls,
after `max_age` seconds, or at once when a call raises `WorkerLost`; calls that it held are run again elsewhere. A
replacement is started as soon as a worker begins to retire, and `spares` of them stand ready before that.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

from .blame import DOUBTFUL, Losses
from .workers.base import WorkerLost, WorkerUnavailable

__all__ = ["Lease", "Pool", "PoolError", "PoolSettings"]

log = logging.getLogger(__name__)

_PATIENT = 5  # times as many starts may fail in a pool whose workers did start before: something passes, most likely
_WEIGHED = 32  # calls between two looks at a worker's memory


class PoolError(Exception):
    """The pool could not run a call: no worker started, the queue deadline passed, or it is closed."""


class Startable(Protocol):
    """What the pool needs of a worker."""

    id: str
    capacity: int

    async def start(self) -> None: ...

    async def aclose(self) -> None: ...


W = TypeVar("W", bound=Startable)
R = TypeVar("R")


@dataclass(frozen=True)
class PoolSettings:
    """How a pool behaves.

    Attributes:
        workers: workers that take calls at the same time.
        spares: started workers that wait to replace a retiring one.
        max_jobs: calls that one worker serves before it is destroyed; None: no such limit.
        max_age: seconds that one worker lives; None: no such limit.
        max_memory: bytes that one worker may hold, by `Pool`'s `memory`; None: no such limit.
        start_timeout: seconds that a worker may take to start.
        close_timeout: seconds that a worker may take to stop before it is abandoned (and logged).
        queue_timeout: seconds that a call may wait for a worker.
        starts_at_once: workers that may be starting at the same time.
        start_failures: starts that may fail one after another before waiting calls are told so; five times as many
            once a worker has started.
    """

    workers: int = 1
    spares: int = 0
    max_jobs: int | None = None
    max_age: float | None = None
    max_memory: int | None = None
    start_timeout: float = 120.0
    close_timeout: float = 10.0
    queue_timeout: float = 1800.0
    starts_at_once: int = 2
    start_failures: int = 3

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise ValueError(f"workers={self.workers}: a pool needs at least 1 worker")
        if self.spares < 0:
            raise ValueError(f"spares={self.spares}: give 0 or more")
        if self.max_jobs is not None and self.max_jobs < 1:
            raise ValueError(f"max_jobs={self.max_jobs}: give at least 1, or None for no limit")


class _State(str, Enum):
    STARTING = "starting"
    READY = "ready"
    RETIRING = "retiring"


@dataclass(eq=False)
class _Slot(Generic[W]):
    """A worker and what the pool knows of it."""

    worker: W
    state: _State = _State.STARTING
    leases: int = 0
    served: int = 0
    born: float = field(default_factory=time.monotonic)
    exclusive: bool = False
    heavy: bool = False
    starting: asyncio.Task[None] | None = None

    @property
    def free(self) -> bool:
        return self.state is _State.READY and not self.exclusive and self.leases < self.worker.capacity


@dataclass(eq=False)
class _Waiter(Generic[W]):
    future: asyncio.Future[_Slot[W]]
    alone: bool


@dataclass(frozen=True)
class Lease(Generic[R]):
    """What a call returned, and how it came about: seconds in the queue, worker's id, number of tries."""

    value: R
    queued: float
    worker: Any
    attempts: int


class Pool(Generic[W]):
    """Runs calls on workers made by `factory`. All methods belong to one event loop.

    Args:
        factory: makes a worker that is not started yet.
        settings: see `PoolSettings`.
        name: for logs and `repr`.
        memory: bytes that a worker holds now; asked after every 32 calls.
    """

    def __init__(
        self,
        factory: Callable[[], W],
        settings: PoolSettings = PoolSettings(),
        name: str = "pool",
        memory: Callable[[W], int] | None = None,
    ) -> None:
        self._factory = factory
        self._memory = memory
        self.settings = settings
        self.name = name
        self._slots: list[_Slot[W]] = []
        self._queue: deque[_Waiter[W]] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._failures = 0
        self._counts: Counter[str] = Counter()
        self._losses = Losses()

    def __repr__(self) -> str:
        states = Counter("busy" if s.state is _State.READY and s.leases else s.state.value for s in self._slots)
        parts = [f"{count} {state}" for state, count in sorted(states.items())]
        return f"<Pool {self.name}: {', '.join(parts) or 'no workers'}; {len(self._queue)} waiting>"

    def stats(self) -> dict[str, int]:
        """Workers by state, calls waiting and running, and totals since the start (jobs, lost, retired, ...)."""
        states = Counter(s.state.value for s in self._slots)
        return {
            **{state.value: states[state.value] for state in _State},
            "waiting": len(self._queue),
            "running": sum(s.leases for s in self._slots),
            **{key: self._counts[key] for key in ("started", "start_failed", "lost", "retired", "jobs", "retries")},
        }

    @property
    def busy(self) -> bool:
        """Whether a call would have to wait now."""
        return bool(self._queue) or not any(slot.free for slot in self._slots)

    async def run(
        self, call: Callable[[W], Awaitable[R]], *, retries: int = 2, first: bool = False, alone: bool = False
    ) -> Lease[R]:
        """Run `call` on a worker; when the worker is lost, run it again on another one.

        A call that was running when a worker was lost runs alone on its next worker, so that a call that kills
        workers is found and its neighbours are not blamed. While other workers are lost around it, it gets more
        tries. `first`: ahead of the calls that wait. `alone`: on a worker that runs nothing else meanwhile.

        Raises:
            WorkerLost: the call lost the worker it had to itself `retries` times: the call itself is the cause.
            PoolError: no worker could be had, or the tries are used up without that proof.
        """
        queued = 0.0
        lost_alone = attempt = 0
        mine: set[str] = set()
        since = 0.0
        while True:
            attempt += 1
            asked = time.monotonic()
            slot = await self._lease(alone, first)
            queued += time.monotonic() - asked
            had_neighbours = slot.leases > 1
            try:
                value = await call(slot.worker)
            except WorkerLost as error:
                self._counts["lost"] += 1
                log.warning("%s: worker %s lost (try %d): %s", self.name, slot.worker.id, attempt, error)
                self._give_back(slot, broken=True)
                self._losses.note(slot.worker.id)
                since = since or time.monotonic()
                mine.add(slot.worker.id)
                doubtful = self._losses.elsewhere(mine, since)
                if not isinstance(error, WorkerUnavailable):
                    if alone or (not had_neighbours and slot.served == 1):
                        lost_alone += 1
                    alone = True
                    if lost_alone >= retries + (DOUBTFUL if doubtful else 0):
                        raise
                if attempt > retries + DOUBTFUL:
                    raise PoolError(f"{attempt} workers were lost under one call, the last one: {error}") from error
                self._counts["retries"] += 1
            except BaseException:
                # Cancelled, or a bug in the call: the worker itself said nothing wrong.
                self._give_back(slot, broken=False)
                raise
            else:
                self._give_back(slot, broken=False)
                self._counts["jobs"] += 1
                return Lease(value, queued, slot.worker, attempt)

    async def ready(self) -> W:
        """Wait until a worker stands ready, and return it (not leased). Raises `PoolError` as `run` does."""
        slot = await self._lease(False)
        self._give_back(slot, broken=False, counted=False)
        return slot.worker

    async def aclose(self) -> None:
        """Stop every worker; waiting calls raise `PoolError`. Safe to call twice."""
        self._closed = True
        while self._queue:
            waiter = self._queue.popleft()
            if not waiter.future.done():
                waiter.future.set_exception(PoolError(f"{self.name} was closed while the call was waiting"))
        for slot in list(self._slots):
            if slot.state is _State.READY:
                self._retire(slot)
            elif slot.starting is not None:
                slot.starting.cancel()  # nobody will need it, and it may take long
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    # -- state: only the methods below change it, and none of them waits ------------------------------------------

    async def _lease(self, alone: bool, first: bool = False) -> _Slot[W]:
        if self._closed:
            raise PoolError(f"{self.name} is closed")
        waiter: _Waiter[W] = _Waiter(asyncio.get_running_loop().create_future(), alone)
        # A suspect goes first: it has waited already, and it holds one worker only.
        (self._queue.appendleft if alone or first else self._queue.append)(waiter)
        self._step()
        loop = asyncio.get_running_loop()
        # Not asyncio.wait_for: up to Python 3.11 it loses a cancellation that meets the result.
        expiry = loop.call_later(self.settings.queue_timeout, self._expire, waiter)
        try:
            return await waiter.future
        except asyncio.CancelledError:
            # The lease may have been granted in the same turn of the loop in which the wait was cancelled.
            if waiter.future.done() and not waiter.future.cancelled() and waiter.future.exception() is None:
                self._give_back(waiter.future.result(), broken=False, counted=False)
            raise
        finally:
            expiry.cancel()
            if waiter in self._queue:
                self._queue.remove(waiter)

    def _expire(self, waiter: _Waiter[W]) -> None:
        if not waiter.future.done():
            message = f"no worker was free within {self.settings.queue_timeout:g} s; {self!r}"
            waiter.future.set_exception(PoolError(message))

    def _give_back(self, slot: _Slot[W], *, broken: bool, counted: bool = True) -> None:
        slot.leases -= 1
        slot.exclusive = False
        if not counted:
            slot.served -= 1
        elif self._memory and self.settings.max_memory is not None and slot.served % _WEIGHED == 0:
            slot.heavy = self._memory(slot.worker) > self.settings.max_memory
        if broken and slot.state is _State.READY:
            self._retire(slot)
        self._step()

    def _step(self) -> None:
        """Hand out free workers, retire worn ones, start missing ones."""
        now = time.monotonic()
        limits = self.settings
        for slot in list(self._slots):
            if slot.state is _State.READY and slot.leases == 0 and self._worn(slot, now):
                self._retire(slot)
        # Oldest first; what is past `workers` stands by as a spare.
        fresh = [s for s in self._slots if s.state is _State.READY and not self._worn(s, now)]
        active = fresh[: limits.workers]
        granted = True
        while self._queue and granted:
            granted = False
            waiter = self._queue[0]
            if waiter.future.done():
                self._queue.popleft()
                granted = True
                continue
            for slot in active:
                room = limits.max_jobs is None or slot.served < limits.max_jobs
                if slot.free and room and (slot.leases == 0 or not waiter.alone):
                    self._queue.popleft()
                    slot.leases += 1
                    slot.served += 1
                    slot.exclusive = waiter.alone
                    waiter.future.set_result(slot)
                    granted = True
                    break
        if self._closed:
            return
        if self._queue or limits.spares:
            alive = sum(s.state is not _State.RETIRING for s in self._slots)
            starting = sum(s.state is _State.STARTING for s in self._slots)
            worn = sum(s.state is _State.READY and self._worn(s, now) for s in self._slots)
            missing = min(limits.workers + limits.spares - (alive - worn), limits.starts_at_once - starting)
            for _ in range(missing):
                self._start()

    def _worn(self, slot: _Slot[W], now: float) -> bool:
        limits = self.settings
        return (
            slot.heavy
            or (limits.max_jobs is not None and slot.served >= limits.max_jobs)
            or (limits.max_age is not None and now - slot.born >= limits.max_age)
        )

    def _start(self) -> None:
        slot: _Slot[W] = _Slot(self._factory())
        self._slots.append(slot)
        slot.starting = self._spawn(self._start_worker(slot))

    def _retire(self, slot: _Slot[W]) -> None:
        slot.state = _State.RETIRING
        self._counts["retired"] += 1
        self._spawn(self._close_worker(slot))

    def _spawn(self, work: Any) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _start_failed(self, slot: _Slot[W], error: BaseException) -> None:
        self._slots.remove(slot)
        self._failures += 1
        self._counts["start_failed"] += 1
        log.warning("%s: a worker did not start: %s", self.name, error)
        patience = self.settings.start_failures * (_PATIENT if self._counts["started"] else 1)
        if self._failures < patience and not self._closed:
            self._step()
            return
        # Nothing to hope for now: tell everyone who waits, unless other workers live and will serve them.
        if not any(s.state is _State.READY for s in self._slots):
            while self._queue:
                waiter = self._queue.popleft()
                if not waiter.future.done():
                    waiter.future.set_exception(PoolError(f"no worker could be started: {error}"))
            self._failures = 0

    # -- I/O ----------------------------------------------------------------------------------------------------

    async def _start_worker(self, slot: _Slot[W]) -> None:
        try:
            await asyncio.wait_for(slot.worker.start(), self.settings.start_timeout)
        except (WorkerLost, asyncio.TimeoutError, OSError) as error:
            reason = error if str(error) else WorkerLost(f"not ready within {self.settings.start_timeout:g} s")
            await self._close_quietly(slot)
            if self._counts["started"] and not self._closed:
                await asyncio.sleep(min(0.1 * self._failures, 1.0))
            self._start_failed(slot, reason)
            return
        except asyncio.CancelledError:  # by `aclose`
            await self._close_quietly(slot)
            self._slots.remove(slot)
            raise
        except BaseException as error:
            # A bug, loud: those who wait get it, and the log its traceback.
            log.exception("%s: unexpected failure while a worker started", self.name)
            await self._close_quietly(slot)
            self._start_failed(slot, error)
            if not isinstance(error, Exception):
                raise
            return
        slot.starting = None
        self._failures = 0
        self._counts["started"] += 1
        slot.born = time.monotonic()
        slot.state = _State.READY
        if self._closed:
            self._retire(slot)
        else:
            self._step()

    async def _close_worker(self, slot: _Slot[W]) -> None:
        await self._close_quietly(slot)
        if slot in self._slots:
            self._slots.remove(slot)
        self._step()

    async def _close_quietly(self, slot: _Slot[W]) -> None:
        try:
            await asyncio.wait_for(slot.worker.aclose(), self.settings.close_timeout)
        except (WorkerLost, asyncio.TimeoutError, OSError) as error:
            log.error(
                "%s: worker %s did not stop cleanly: %s", self.name, slot.worker.id, error or type(error).__name__
            )
