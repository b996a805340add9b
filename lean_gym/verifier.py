"""`Verifier`: submissions in, verdicts out. It owns the one event-loop thread on which everything waits."""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import queue
import threading
import time
import weakref
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, TypeVar

from .cache import CACHED_OUTCOMES, VerdictCache
from .config import VerifierConfig
from .explain import explained
from .live import Beacon
from .pool import PoolError
from .station import StatementError, Station
from .submission import Refusal, Source, Submission, prepare
from .verdict import Message, Outcome, Seconds, Verdict, extra_command, judge, place_messages
from .workers.base import Reply, Status, WorkerLost

__all__ = ["Verifier", "VerifierConfig"]

log = logging.getLogger(__name__)
_numbers = itertools.count(1)
_AHEAD = 4096  # submissions that a stream takes ahead of its verdicts: enough to keep some hundred workers busy
T = TypeVar("T")


class Verifier:
    """Checks submissions on a pool of Lean workers, each pass confirmed by the audit.

    Usable from any thread and any event loop; picklable (a copy starts workers of its own at its first check).

        with Verifier() as verifier:
            verdicts = verifier.verify([Submission(theorem, "  simp")])

    Args:
        config: see `VerifierConfig`.
        **settings: fields of `VerifierConfig` that replace those of `config`.

    Raises:
        LeanNotFound: when the kind of worker asked for can't run on this machine.
    """

    def __init__(self, config: VerifierConfig | None = None, **settings: Any) -> None:
        self.config = replace(config or VerifierConfig(), **settings)
        self.config.check_machine()
        self._reset()

    def _reset(self) -> None:
        self._pid = os.getpid()
        self._guard = threading.Lock()
        self._engine: _Engine | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"config": self.config}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.config = state["config"]
        self._reset()

    def __enter__(self) -> Verifier:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        engine = self._engine
        return f"<Verifier {self.config.worker}: {engine.describe() if engine else 'not started'}>"

    def verify(self, submissions: Sequence[Submission]) -> list[Verdict]:
        """Check all `submissions`; verdicts in their order. Blocks; Ctrl-C stops the checks and gives workers back."""
        verdicts: list[Verdict | None] = [None] * len(submissions)
        for index, verdict in self.stream(submissions):
            verdicts[index] = verdict
        return [v for v in verdicts if v is not None]

    def stream(self, submissions: Iterable[Submission]) -> Iterator[tuple[int, Verdict]]:
        """Check `submissions`; yields (index, verdict) as each check ends.

        They may be endless: at most some thousand are taken ahead of the verdicts.
        """
        source = enumerate(submissions)
        running: dict[int, Future[Verdict]] = {}
        done: queue.SimpleQueue[int] = queue.SimpleQueue()

        def take(count: int) -> None:
            for index, submission in itertools.islice(source, count):
                running[index] = self.submit(submission)
                running[index].add_done_callback(lambda _, index=index: done.put(index))  # type: ignore[misc]

        try:
            take(_AHEAD)
            while running:
                index = done.get()
                verdict = running.pop(index).result()
                take(1)
                yield index, verdict
        finally:
            for future in running.values():
                future.cancel()

    def submit(self, submission: Submission) -> Future[Verdict]:
        """Start one check; returns at once with a future of the verdict. Cancelling the future stops the check."""
        engine = self._running()
        return engine.start(engine.check(submission))

    async def averify(self, submissions: Sequence[Submission]) -> list[Verdict]:
        """`verify` for any event loop; cancelling it stops the checks."""
        futures = [asyncio.wrap_future(self.submit(submission)) for submission in submissions]
        try:
            return list(await asyncio.gather(*futures))
        finally:
            for future in futures:
                future.cancel()

    async def astream(self, submissions: Iterable[Submission]) -> AsyncIterator[tuple[int, Verdict]]:
        """`stream` for any event loop."""
        source = enumerate(submissions)
        running: dict[asyncio.Future[Verdict], int] = {}

        def take(count: int) -> None:
            for index, submission in itertools.islice(source, count):
                running[asyncio.wrap_future(self.submit(submission))] = index

        try:
            take(_AHEAD)
            while running:
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for future in done:
                    index = running.pop(future)
                    take(1)
                    yield index, future.result()
        finally:
            for future in running:
                future.cancel()

    def stats(self) -> dict[str, Any]:
        """Counts since the start: verdicts by outcome, cache hits, shared checks, and each pool's own numbers."""
        return self._engine.stats() if self._engine else {}

    def close(self) -> None:
        """Stop all workers and write the cache. A later check starts them again."""
        if self._pid != os.getpid():
            return
        with self._guard:
            engine, self._engine = self._engine, None
        if engine:
            engine.close()

    def _running(self) -> _Engine:
        if self._pid != os.getpid():
            # Forked: the loop's thread did not come along.
            self._reset()
        with self._guard:
            if self._engine is None:
                engine = _Engine(self.config)
                self._engine = engine
                # Workers end with the program even if nobody calls close().
                weakref.finalize(self, engine.close)
            return self._engine


class _Engine:
    """The running side of a `Verifier`: the loop's thread, the stations, the cache."""

    def __init__(self, config: VerifierConfig) -> None:
        self.config = config
        self.policy = config.policy_hash()
        self.counts: Counter[str] = Counter()
        self._stations: dict[str, Station] = {}
        self._shared: dict[str, asyncio.Task[Verdict]] = {}
        self._cache: VerdictCache | None = None
        self._pid = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="lean-gym-verifier", daemon=True)
        self._thread.start()
        if config.cache:
            self._cache = self.start(self._open_cache()).result()
        self._beacon = self.start(Beacon(f"{self._pid}-{next(_numbers)}", self.stats).run())

    async def _open_cache(self) -> VerdictCache | None:
        return VerdictCache.open(self.config.cache_folder())

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def describe(self) -> str:
        return "; ".join(repr(station.pool) for station in self._stations.values()) or "no station yet"

    def stats(self) -> dict[str, Any]:
        return {**dict(self.counts), "stations": [station.stats() for station in self._stations.values()]}

    def close(self) -> None:
        if self._loop.is_closed() or self._pid != os.getpid():
            return
        self.start(self._aclose()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _aclose(self) -> None:
        self._beacon.cancel()
        for task in list(self._shared.values()):
            task.cancel()
        await asyncio.gather(*self._shared.values(), return_exceptions=True)
        await asyncio.gather(*(station.aclose() for station in self._stations.values()))
        if self._cache:
            self._cache.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    # -- one check, on the loop -----------------------------------------------------------------------------------

    async def check(self, submission: Submission) -> Verdict:
        started = time.monotonic()
        source = prepare(submission)
        if isinstance(source, Refusal):
            verdict = Verdict(
                Outcome.REJECTED,
                source.reason,
                source.detail,
                (Message("error", source.line, 0, source.detail),),
                policy=self.policy,
            )
        else:
            verdict = await self._check_source(submission, source)
        total = time.monotonic() - started
        verdict = replace(verdict, seconds=replace(verdict.seconds, total=total))
        self.counts[verdict.outcome.value] += 1
        return verdict

    async def _check_source(self, submission: Submission, source: Source) -> Verdict:
        station = self._station(source.header)
        try:
            image = await station.image()
        except (PoolError, WorkerLost) as error:
            return self._infra(error)
        theorem = submission.theorem
        texts = (source.text, source.other.text if source.other else "")
        key = VerdictCache.key(image, self.policy, theorem.header, theorem.formal_statement, submission.form, *texts)
        if self._cache and (cached := self._cache.get(key)):
            self.counts["cache_hits"] += 1
            return replace(cached, seconds=Seconds())
        task = self._shared.get(key)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._check_new(station, submission, source, key))
            task.waiters = 0  # type: ignore[attr-defined]
            self._shared[key] = task
            task.add_done_callback(lambda done: self._forget(key, done))
        else:
            self.counts["shared"] += 1
        task.waiters += 1  # type: ignore[attr-defined]
        try:
            return await asyncio.shield(task)
        finally:
            task.waiters -= 1  # type: ignore[attr-defined]
            if task.waiters == 0:  # type: ignore[attr-defined]
                # Forgotten first: who asks for the same from now on must not wait for what is being cancelled.
                self._forget(key, task)
                task.cancel()

    def _forget(self, key: str, task: asyncio.Task[Verdict]) -> None:
        if self._shared.get(key) is task:
            del self._shared[key]

    async def _check_new(self, station: Station, submission: Submission, source: Source, key: str) -> Verdict:
        try:
            verdict = await self._two_stages(station, submission, source)
        except PoolError as error:
            return self._infra(error)
        except StatementError as error:
            log.error("theorem %s: %s", submission.theorem.id, error)
            return replace(self._infra(error), reason="statement")
        except Exception as error:
            # Not foreseen, so nothing is known of the submission: loud, counted, and no score.
            log.exception("unexpected failure while checking a proof of %s", submission.theorem.id)
            return self._infra(error)
        verdict = explained(verdict, submission.text.replace("\r\n", "\n"))
        if verdict.outcome is Outcome.EXPLOIT_SUSPECTED:
            log.warning("exploit suspected on %s (%s): %s", submission.theorem.id, verdict.reason, verdict.detail)
        if self._cache and verdict.outcome in CACHED_OUTCOMES:
            self._cache.put(key, verdict)
        return verdict

    def _infra(self, error: BaseException) -> Verdict:
        detail = str(error) or type(error).__name__
        return Verdict(Outcome.INFRA, "infrastructure", detail, policy=self.policy)

    async def _elaborate(
        self, station: Station, source: Source, *, compiling: bool = False, confirm: bool = False
    ) -> tuple[Verdict, Reply, tuple[Outcome, str, str] | None]:
        """Run a text: a verdict that is PROVED for now, the reply, and what `judge` says of it.

        `compiling`: of a text that passed already, to have its module. `confirm`: as in `Station.compile`.
        """
        queued, attempts, crashes = 0.0, 0, 0
        try:
            while True:
                # After a crash alone, so that no neighbour can have caused the next one.
                lease = await (
                    station.compile(source, confirm=confirm, alone=crashes > 0)
                    if compiling
                    else station.elaborate(source, alone=crashes > 0)
                )
                queued += lease.queued
                attempts += lease.attempts
                reply: Reply = lease.value
                if reply.status is not Status.CRASHED:
                    if crashes:
                        station.crashes.accident()
                    break
                crashes += 1
                if crashes >= station.crashes.needed:
                    break
        except WorkerLost as error:
            detail = f"The submission took its worker down each time: {error}"
            verdict = Verdict(Outcome.CRASHED, policy=self.policy, attempts=attempts + 2)
            return verdict, Reply(Status.CRASHED), (Outcome.CRASHED, "crash", detail)
        verdict = Verdict(
            Outcome.PROVED,
            messages=place_messages(reply, source.offset, source.indent, source.indented),
            lean=lease.worker.lean,
            image=lease.worker.image,
            policy=self.policy,
            seconds=Seconds(queued, reply.importing, reply.seconds),
            worker=lease.worker.id,
            way=getattr(lease.worker, "way", ""),
            attempts=attempts,
            truncated=reply.truncated,
        )
        module = compiling or (station.compilers is None and self.config.audit != "none")
        return verdict, reply, judge(reply, verdict.messages, source.offset, module)

    async def _two_stages(self, station: Station, submission: Submission, source: Source) -> Verdict:
        theorem = submission.theorem
        verdict, reply, failed = await self._elaborate(station, source)
        if failed and source.other and any(m.severity == "error" for m in verdict.messages):
            other = await self._elaborate(station, source.other)
            if other[2] is None or other[2][1] == "sorry":
                verdict, reply, failed = other
                source = source.other
        if failed:
            outcome, reason, detail = failed
            on_statement = submission.form == "file" or any(
                m.severity == "error" and m.line == 0 for m in verdict.messages
            )
            if reason == "lean_error" and on_statement and self.config.audit != "none":
                # Is the statement itself wrong? Then the error is not the model's.
                await station.statement(theorem)
            return replace(verdict, outcome=outcome, reason=reason, detail=detail)
        if self.config.audit == "none":
            return replace(verdict, audit="none")
        if station.compilers is None:
            return await self._second_stage(station, submission, source, verdict, reply)
        first = await self._compiled(station, submission, source, verdict, confirm=False)
        if first.proved or station.confirmers is None:
            return first
        # Something that ran in the same container may have spoilt it: no refusal rests on that.
        return await self._compiled(station, submission, source, verdict, confirm=True)

    async def _compiled(
        self, station: Station, submission: Submission, source: Source, verdict: Verdict, *, confirm: bool
    ) -> Verdict:
        """Both parts of the second stage for a worker that hands back no module: compile, audit."""
        compiled, reply, failed = await self._elaborate(station, source, compiling=True, confirm=confirm)
        spent = replace(verdict.seconds, queued=verdict.seconds.queued + compiled.seconds.queued)
        verdict = replace(verdict, seconds=replace(spent, audit=compiled.seconds.elaborate))
        if failed:
            outcome, reason, detail = failed
            messages = compiled.messages or verdict.messages
            return replace(verdict, outcome=outcome, reason=reason, detail=detail, messages=messages)
        return await self._second_stage(station, submission, source, verdict, reply)

    async def _second_stage(
        self, station: Station, submission: Submission, source: Source, verdict: Verdict, reply: Reply
    ) -> Verdict:
        """The audit of a text that passed. `reply`: with its module."""
        theorem = submission.theorem
        assert reply.olean is not None  # `judge` saw to it
        statement = await station.statement(theorem)
        body = submission.form == "body"
        if body and (extra := extra_command(reply, statement.commands, source.offset)):
            return replace(verdict, outcome=Outcome.REJECTED, reason="policy", detail=extra)
        started = time.monotonic()
        try:
            audit = await station.audit(statement.module, reply.olean, theorem.name, body_only=body)
        except WorkerLost as error:
            detail = f"The proof took the process that audits it down twice: {error}"
            return replace(verdict, outcome=Outcome.CRASHED, reason="crash", detail=detail)
        spent = verdict.seconds.audit + time.monotonic() - started - audit.queued
        verdict = replace(verdict, axioms=audit.value.axioms, seconds=replace(verdict.seconds, audit=spent))
        if audit.value.ok:
            return verdict
        outcome = Outcome.TIMEOUT if audit.value.reason == "timeout" else Outcome.EXPLOIT_SUSPECTED
        return replace(verdict, outcome=outcome, reason=audit.value.reason, detail=audit.value.detail)

    def _station(self, header: str) -> Station:
        station = self._stations.get(header)
        if station is None:
            station = self._stations[header] = Station(header, self.config)
        return station
