"""`KiminaWorker`: a kimina Lean server, or one that speaks as it does, reached by a `Transport`."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import logging
import math
import os
import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..theorem import CORE_HEADER, split_header
from .base import Job, Limits, Reply, Status, WorkerLost, WorkerUnavailable
from .canary import TRUE_PROOF, check_canaries, insist_on_true
from .kimina_wire import Busy, HeaderLate, Snippet, read_answer
from .transport import HttpTransport, Transport

__all__ = ["KiminaWorker", "ServerList"]

_log = logging.getLogger(__name__)
_numbers = itertools.count(1)

_HEALTH_PAUSE = (0.05, 1.0)  # seconds between two questions for health: the first, the longest
_BEAT = 1.0  # seconds between two questions for health while a job runs
_SILENCE = 3.0  # seconds without an answer, and a quarter of the job's limit at least: then a timeout is not the job's
_BUSY_PAUSE = (0.1, 5.0)  # seconds before a busy server is asked again
_VERSION = re.compile(r"^(?:Lean )?\(?(?:version )?\"?(\d+\.\d+\.\d+(?:-[\w.]+)?)")
_VERSION_TEXT = "#version\n#eval Lean.versionString\n"


class KiminaWorker:
    """Checks jobs on one server by `POST /verify`, one snippet a request.

    The server gets the header's import lines alone, so a header must import something, and `prelude` can be said of
    Core's header only (`import Core` is enough for a server that has Core). kimina turns `import Mathlib.X` into
    `import Mathlib`. `Reply.olean` is always None: a server hands back no module. Of a job's limits the server keeps
    to `wall` and the heartbeats; memory is what it was started with (LEAN_SERVER_MAX_REPL_MEM).

    Args:
        transport: the way to the server; closed with the worker.
        header: opens every job.
        capacity: jobs at the same time; at most the server's REPLs (LEAN_SERVER_MAX_REPLS).
        image: digest of what runs there; "" for a hash of the server's address and Lean version.
        name: what `id` starts with.
        start_timeout: seconds until the server must be healthy, its header imported and the canaries judged.
        grace: seconds beyond a job's wall limit (rounded up to whole seconds: the server knows no others) after which
            the server counts as hung. Starting a REPL anew, with its import, happens within them too.
        reuse: let a REPL serve many jobs; without it each job pays the import.

    Attributes:
        id, capacity, lean, image: as in `Worker`.
        base: lines by which the server moves positions (the import lines, or 0), known after `start`.
    """

    def __init__(
        self,
        transport: Transport,
        header: str = CORE_HEADER,
        capacity: int = 1,
        *,
        image: str = "",
        name: str = "kimina",
        start_timeout: float = 300.0,
        grace: float = 30.0,
        reuse: bool = True,
    ) -> None:
        if capacity < 1:
            raise ValueError(f"capacity is {capacity}; a worker runs at least one job at a time")
        self._modules, self._prelude, _ = split_header(header)
        if not self._modules:
            raise ValueError(
                "the header imports nothing, and a kimina server lets such proofs see each other: add an import line, "
                "such as `import Mathlib` or `import Init`"
            )
        if self._prelude and self._modules != ("Core",):
            raise ValueError("a kimina server takes no `prelude`: leave it out of the header, or use another worker")
        self.header = header
        self.capacity = capacity
        self.id = f"{name}-{os.getpid()}-{next(_numbers)}"
        self.lean = ""
        self.image = image
        self.base = -1
        self._transport = transport
        self._start_timeout = start_timeout
        self._grace = grace
        self._reuse = reuse
        self._slots = asyncio.Semaphore(capacity)
        self._running: set[asyncio.Task[Reply]] = set()
        self._started = self._closed = False

    def __repr__(self) -> str:
        state = "closed" if self._closed else "alive" if self._started else "not started"
        return f"<KiminaWorker {self.id} {state} capacity={self.capacity} {self._transport.url}>"

    @property
    def closed(self) -> bool:
        """Whether `aclose` was called."""
        return self._closed

    async def start(self) -> None:
        """Wait until the server is healthy; ask for its Lean; see that it judges a true, a false and an open proof.

        Raises:
            WorkerLost: one of them failed, or `start_timeout` passed.
        """
        deadline = time.monotonic() + self._start_timeout
        try:
            await self._healthy(deadline)
            self.lean = await self._version(deadline)
            # As many at a time as REPLs, so that each has imported before the first job comes.
            await check_canaries(lambda text: self._probe(text, deadline), self.capacity)
        except WorkerLost as error:
            raise WorkerLost(f"{self._transport.url} can't be used: {error}") from error
        if not self.image:
            what = f"{self._transport.url}\0{self.lean}\0{' '.join(self._modules)}"
            self.image = hashlib.sha256(what.encode()).hexdigest()
        self._started = True

    async def check(self, job: Job) -> Reply:
        """Run one job. More than `capacity` at a time wait here.

        A kimina server goes on with a job whose client has left. So the job of a cancelled call keeps its place here
        until the server is done with it, and nobody is sent to a server that is still busy.

        Raises:
            WorkerLost: the server is gone, hung, failed, had no REPL free for too long, or gave an answer that isn't
                one to this job.
            ValueError: the job's header imports other modules than the worker's.
        """
        if job.header != self.header:
            modules, prelude, _ = split_header(job.header)
            if (modules, prelude) != (self._modules, self._prelude):
                raise ValueError(
                    f"worker {self.id} imported {' '.join(self._modules)}; the job's header imports "
                    f"{' '.join(modules) or 'nothing'}: start a KiminaWorker for that header"
                )
        if not self._started or self._closed:
            raise WorkerUnavailable(f"Worker {self.id} is {'closed' if self._closed else 'not started'}.")
        await self._slots.acquire()
        task = asyncio.get_running_loop().create_task(self._run(job))
        self._running.add(task)
        task.add_done_callback(self._ended)
        try:
            return await asyncio.shield(task)
        except WorkerLost as error:
            if str(error).startswith(self._transport.url):
                raise
            raise type(error)(f"{self._transport.url}: {error}") from error
        except asyncio.CancelledError:
            if task.cancelled():  # by `aclose`
                raise WorkerLost(f"Worker {self.id} was closed.") from None
            raise

    async def aclose(self) -> None:
        """Give up the jobs that run and close the connections. Safe to call twice."""
        self._closed = True
        running = tuple(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._transport.aclose()

    def _ended(self, task: asyncio.Task[Reply]) -> None:
        self._running.discard(task)
        self._slots.release()
        if not task.cancelled():
            task.exception()  # seen, even if nobody waits any more

    # -- one job --------------------------------------------------------------------------------------------------

    async def _run(self, job: Job) -> Reply:
        pulse = _Pulse(self._transport)
        try:
            reply = await self._patiently(job)
        finally:
            pulse.stop()
        if reply.status is Status.TIMEOUT and pulse.silence >= max(_SILENCE, job.limits.wall / 4):
            # A container that was paused, a machine that slept: the server's clock went on, the job did not.
            raise WorkerLost(f"the server stood still for {pulse.silence:.0f} s while the job ran into its time limit")
        if reply.status is Status.CRASHED:
            # Of this job, or of what an earlier one left behind in the server, and then others would pay for that.
            insist_on_true(await self._patiently(Job(self.header, TRUE_PROOF, job.limits)))
        return reply

    async def _patiently(self, job: Job) -> Reply:
        """Ask, and once more when a new REPL had no time to import."""
        seconds = max(1, math.ceil(job.limits.wall))
        try:
            return await self._ask(job, seconds, time.monotonic() + seconds + self._grace)
        except HeaderLate:
            _log.info("%s: a new REPL could not import within %d s and gets more time", self.id, seconds)
        # A REPL was lost, and importing for the next one takes longer than a proof may: import first.
        patient = math.ceil(self._start_timeout)
        try:
            await self._ask(Job(self.header, ""), patient, time.monotonic() + patient + self._grace)
            return await self._ask(job, seconds, time.monotonic() + seconds + self._grace)
        except HeaderLate as error:
            raise WorkerLost(f"the server can't import the header in time: {error}") from error

    async def _ask(self, job: Job, seconds: int, deadline: float) -> Reply:
        """Send a job until the server takes it. `seconds`: the server's time limit."""
        snippet = Snippet.of(self._modules, job)
        body = snippet.body(seconds, self._reuse)
        pause, longest = _BUSY_PAUSE
        while True:
            started = time.monotonic()
            status, answer = await self._transport.request("POST", "/verify", body, deadline - started)
            try:
                reply, base = read_answer(status, answer, snippet, job.limits.output)
            except Busy as busy:
                if time.monotonic() + pause >= deadline:
                    raise WorkerUnavailable(f"the server had no REPL free in time ({status}: {busy})") from busy
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))
                pause = min(2 * pause, longest)
                continue
            if base >= 0 and self.base >= 0 and base != self.base:
                raise WorkerLost("protocol surprise: the server counts lines otherwise than it did at the start")
            if base >= 0:
                self.base = base
            return reply

    # -- the start ------------------------------------------------------------------------------------------------

    async def _healthy(self, deadline: float) -> None:
        pause, longest = _HEALTH_PAUSE
        words = "no time was left to ask"
        while (left := deadline - time.monotonic()) > 0:
            try:
                status, _ = await self._transport.request("GET", "/health", None, min(left, 10.0))
            except WorkerLost as error:
                words = str(error)
            else:
                if status == 200:
                    return
                words = f"GET /health gave {status}"
            await asyncio.sleep(min(pause, max(0.0, deadline - time.monotonic())))
            pause = min(2 * pause, longest)
        raise WorkerLost(f"it was not healthy within {self._start_timeout:g} s: {words}")

    async def _probe(self, text: str, deadline: float) -> Reply:
        left = max(1.0, deadline - time.monotonic())
        try:
            return await self._ask(Job(self.header, text, Limits(wall=left)), math.ceil(left), deadline + 5.0)
        except HeaderLate as error:
            raise WorkerLost(f"importing the header took too long: {error}") from error

    async def _version(self, deadline: float) -> str:
        reply = await self._probe(_VERSION_TEXT, deadline)
        for message in reply.messages:
            if message.severity == "information" and (found := _VERSION.match(message.text)):
                return found.group(1)
        said = "; ".join(m.text for m in reply.messages)[:300] or reply.detail
        raise WorkerLost(f"Lean did not tell its version by #version or #eval Lean.versionString: {said}")


class _Pulse:
    """Asks a server for its health while a job runs, to know whether it ran all the time. Short jobs see none of it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._last = time.monotonic()
        self._longest = 0.0
        self._task = asyncio.get_running_loop().create_task(self._beat())

    @property
    def silence(self) -> float:
        """Longest time without an answer so far, in seconds."""
        return max(self._longest, time.monotonic() - self._last)

    def stop(self) -> None:
        self._longest, self._last = self.silence, math.inf
        self._task.cancel()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(_BEAT)
            try:
                await self._transport.request("GET", "/health", None, 5.0)
            except WorkerLost:
                continue
            self._longest, self._last = self.silence, time.monotonic()


@dataclass
class ServerList:
    """Servers that already run, several for one pool: calling it makes a worker on the one with the fewest.

    Args:
        urls: as `HttpTransport` takes them. A URL may stand twice for two workers.
        api_key: for all of them.
        header, capacity, start_timeout, grace: as in `KiminaWorker`; a server that runs need not be waited for long.

    Raises:
        ValueError: no URL, or one of another kind.
    """

    urls: Sequence[str]
    header: str = CORE_HEADER
    capacity: int = 1
    api_key: str | None = field(default=None, repr=False)
    start_timeout: float = 120.0
    grace: float = 30.0
    _places: list[tuple[str, list[KiminaWorker]]] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.urls:
            raise ValueError("no server's URL was given, e.g. http://localhost:8000")
        for url in self.urls:
            HttpTransport(url)
        self._places = [(url, []) for url in self.urls]

    def __call__(self) -> KiminaWorker:
        """A worker that is not started yet."""
        for _, workers in self._places:
            workers[:] = [worker for worker in workers if not worker.closed]
        # Among equals the one that had its turn longest ago: a server that is down does not get all tries.
        place = min(self._places, key=lambda place: len(place[1]))
        self._places.remove(place)
        self._places.append(place)
        worker = KiminaWorker(
            HttpTransport(place[0], self.api_key),
            self.header,
            self.capacity,
            start_timeout=self.start_timeout,
            grace=self.grace,
        )
        place[1].append(worker)
        return worker
