"""`Station`: all that checks submissions under one header: workers, auditors, compiled statements."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Any

from .audit import AuditResult, TrustedError
from .blame import Crashes
from .config import VerifierConfig
from .core.kernel import KernelAuditor
from .core.library import find_library
from .crew import make_crew
from .pool import Lease, Pool, PoolError
from .submission import Source, trusted_source
from .theorem import Theorem
from .workers.base import Command, Job, Reply, Status, WorkerLost
from .workers.core import CoreWorker

__all__ = ["Statement", "StatementError", "Station"]

_STATEMENTS_KEPT = 4096
_STATEMENTS_AT_ONCE = 16  # share one child, whose start takes as long as two of them
_GATHERING = 0.1  # seconds for which a statement waits for others while all workers are busy


class StatementError(Exception):
    """The trusted statement itself does not elaborate: a fault of the task, not of any submission."""


@dataclass(frozen=True)
class Statement:
    """A trusted statement, compiled by itself with its proof left open: the module, and the commands of its text."""

    module: bytes
    commands: tuple[Command, ...]


@dataclass(eq=False)
class _Wanted:
    """A statement to compile. The future's reply is None when it has to be compiled alone."""

    job: Job
    reply: asyncio.Future[Reply | None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Station:
    """Workers, auditors and compiled statements for one header. All methods belong to one event loop."""

    def __init__(self, header: str, config: VerifierConfig) -> None:
        self.header = header
        self.config = config
        self.crew = crew = make_crew(header, config)
        self.pool: Pool[Any] = crew.worker.pool("lean")
        self.compilers: Pool[Any] | None = crew.compiler.pool("compile") if crew.compiler else None
        self.confirmers: Pool[Any] | None = crew.confirmer.pool("confirm") if crew.confirmer else None
        self.keepers: Pool[Any] = crew.keeper.pool("statements") if crew.keeper else self.pool
        self.auditors: Pool[KernelAuditor] = crew.auditor.pool("audit")
        self.crashes = Crashes()
        self._image: str | None = None
        self._statements: OrderedDict[str, asyncio.Task[Statement]] = OrderedDict()
        self._wanted: deque[_Wanted] = deque()

    async def image(self) -> str:
        """Digest of what checks here; starts a worker the first time.

        Raises:
            PoolError: as `Pool.ready`.
            WorkerLost: this machine can't audit what that worker's Lean compiles.
        """
        if self._image is None:
            worker = await self.pool.ready()
            audited = self.config.worker != "core" and self.config.audit != "none"
            if audited and worker.lean != (ours := find_library().version):
                raise WorkerLost(
                    f"{worker.id} runs Lean {worker.lean}, and the audit on this machine is for Lean {ours}: its "
                    f'passes can\'t be confirmed. Use an image or server with Lean {ours}, or audit="none".'
                )
            self._image = worker.image
        return self._image

    async def elaborate(self, source: Source, *, alone: bool = False) -> Lease[Reply]:
        """Run a text on a worker, `alone` or beside others. Raises as `Pool.run`."""
        job = self._job(source)
        return await self.pool.run(lambda worker: worker.check(job), alone=alone)

    async def compile(self, source: Source, *, confirm: bool = False, alone: bool = False) -> Lease[Reply]:
        """Compile a text that passed on a worker which hands back no module. Raises as `Pool.run`.

        `confirm`: where no other submission ever ran.
        """
        pool = self.confirmers if confirm else self.compilers
        assert pool is not None
        job = self._job(source)
        return await pool.run(lambda compiler: compiler.check(job), alone=alone)

    def _job(self, source: Source) -> Job:
        return Job(source.header, source.text, self.config.limits)

    async def audit(self, trusted: bytes, candidate: bytes, target: str, *, body_only: bool) -> Lease[AuditResult]:
        """Stage 2 for a compiled candidate. Raises as `Pool.run`, and `StatementError` if the statement is at fault."""
        try:
            return await self.auditors.run(
                lambda auditor: auditor.audit(
                    trusted,
                    candidate,
                    target,
                    permitted_axioms=self.config.permitted_axioms,
                    body_only=body_only,
                    deadline=self.config.limits.wall,
                    cpu=self.config.limits.cpu,
                )
            )
        except TrustedError as error:
            raise StatementError(f"the trusted statement can't be compared with: {error}") from error

    async def statement(self, theorem: Theorem) -> Statement:
        """The statement compiled by itself, in a process that no candidate shares.

        Raises:
            StatementError: when the statement does not elaborate.
            PoolError: as `Pool.run`.
        """
        source = trusted_source(theorem)
        task = self._statements.get(source.text)
        if task is None or (
            task.done() and (task.cancelled() or isinstance(task.exception(), (PoolError, WorkerLost)))
        ):
            task = asyncio.get_running_loop().create_task(self._compile_statement(source))
            self._statements[source.text] = task
        self._statements.move_to_end(source.text)
        if len(self._statements) > _STATEMENTS_KEPT:
            self._statements.popitem(last=False)
        return await asyncio.shield(task)

    async def _compile_statement(self, source: Source) -> Statement:
        job = self._job(source)
        try:
            reply = await self._compile(job)
        except WorkerLost as error:
            raise StatementError(f"the trusted statement took its worker down twice ({error}); check it") from error
        errors = [m.text for m in reply.messages if m.severity == "error"]
        if reply.status is not Status.DONE or errors or reply.olean is None:
            why = errors[0] if errors else reply.detail or "Lean handed back no compiled module"
            raise StatementError(
                f"the trusted statement does not elaborate: {why.strip()}; correct or drop the theorem"
            )
        return Statement(reply.olean, reply.commands)

    async def _compile(self, job: Job) -> Reply:
        """Compile a trusted text: together with others that wait for a worker; alone if one of them went wrong."""
        wanted = _Wanted(job)
        self._wanted.append(wanted)
        try:
            if self.keepers.busy:
                await asyncio.wait({wanted.reply}, timeout=_GATHERING)
            if not wanted.reply.done():
                # Ahead of the submissions: one has passed and waits. Who gets a worker takes along what others want.
                await self.keepers.run(self._compile_wanted, first=True)
            reply = await wanted.reply
        finally:
            wanted.reply.cancel()
        if reply is None:
            (reply,) = (await self.keepers.run(lambda worker: worker.compile([job]), first=True)).value
        return reply

    async def _compile_wanted(self, worker: CoreWorker) -> None:
        batch: list[_Wanted] = []
        while self._wanted and len(batch) < _STATEMENTS_AT_ONCE:
            wanted = self._wanted.popleft()
            if not wanted.reply.done():
                batch.append(wanted)
        replies: list[Reply | None] = [None] * len(batch)
        try:
            if batch:
                compiled = await worker.compile([wanted.job for wanted in batch])
                if len(batch) == 1 or all(reply.status is Status.DONE for reply in compiled):
                    replies = list(compiled)
        finally:
            for wanted, reply in zip(batch, replies):
                if not wanted.reply.done():
                    wanted.reply.set_result(reply)

    def pools(self) -> dict[str, Pool[Any]]:
        """The pools by role."""
        pools = {"workers": self.pool, "auditors": self.auditors}
        if self.compilers is not None:
            pools["compilers"] = self.compilers
        if self.confirmers is not None:
            pools["confirmers"] = self.confirmers
        if self.keepers is not self.pool:
            pools["keepers"] = self.keepers
        return pools

    def stats(self) -> dict[str, Any]:
        """Numbers of all pools."""
        return {"header": self.header, **{role: pool.stats() for role, pool in self.pools().items()}}

    async def aclose(self) -> None:
        """Stop every worker and auditor."""
        for task in self._statements.values():
            task.cancel()
        await asyncio.gather(*(pool.aclose() for pool in self.pools().values()))
        await self.crew.aclose()
