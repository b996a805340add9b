"""`LocalWorker`: a Lean toolchain that this machine has, Mathlib included where a project brings it."""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ..theorem import split_header
from .base import Job, Limits, Reply, WorkerLost
from .canary import check_canaries
from .core import CoreWorker, Installation
from .process import LeanProcess, environment
from .toolchain import Toolchain, ToolchainNotFound, find_toolchain

__all__ = ["KNOWN_VERSIONS", "LocalWorker"]

_log = logging.getLogger(__name__)
_numbers = itertools.count(1)

KNOWN_VERSIONS = ("4.35.0",)
"""Versions of Lean whose library the fork server knows. What the library exports is looked at besides."""


class LocalWorker:
    """Checks jobs with a toolchain of this machine, in one of two ways.

    - "fork": a server loads the toolchain's own `libleanshared`, imports the header once and forks a confined child
      for each job (see `CoreWorker`); for a version that is known, and a library that has all it should.
    - "process": one `lean --json` process for each job, which imports the header anew. Its limits are real; it is not
      confined otherwise: a text can read this user's files and start processes. Prefer containers for unknown models.

    Args:
        header: opens every job, e.g. "import Mathlib\\n".
        capacity: jobs at the same time; by default the number of CPUs.
        lean_project: folder of a built Lake project, whose toolchain and packages are used; without it, `lean` on PATH.
        search_path: more folders of `.olean` files.
        mode: which way to take; "auto" takes "fork" where it works.
        strict_sandbox: refuse a way, or a kernel, that does not confine the jobs.
        refused: syntax kinds of the commands that no job may hold; in force in mode "fork" only.
        hugepages: as in `CoreWorker`.
        start_timeout: seconds for importing and the canaries in mode "process".

    Attributes:
        id, capacity, lean, image: as in `Worker`.
        mode: "fork" or "process", known after `start`; "" before.
        why: one sentence on why that one.
        toolchain: what was found, known after `start`.
    """

    def __init__(
        self,
        header: str,
        capacity: int | None = None,
        *,
        lean_project: str | Path | None = None,
        search_path: Sequence[str | Path] = (),
        mode: Literal["auto", "fork", "process"] = "auto",
        strict_sandbox: bool = False,
        refused: Sequence[str] = (),
        hugepages: bool = True,
        start_timeout: float = 300.0,
    ) -> None:
        if capacity is not None and capacity < 1:
            raise ValueError(f"capacity is {capacity}; a worker runs at least one job at a time")
        if mode not in ("auto", "fork", "process"):
            raise ValueError(f"mode is {mode!r}; give auto, fork or process")
        self.header = header
        self._modules, self._prelude, _ = split_header(header)
        self.capacity = capacity or _cpus()
        self.id = f"local-{os.getpid()}-{next(_numbers)}"
        self.lean = ""
        self.image = ""
        self.mode: Literal["", "fork", "process"] = ""
        self.why = ""
        self.toolchain: Toolchain | None = None
        self._project = lean_project
        self._search_path = tuple(search_path)
        self._wanted = mode
        self._strict = strict_sandbox
        self._refused = tuple(refused)
        self._hugepages = hugepages
        self._start_timeout = start_timeout
        self._fork: CoreWorker | None = None
        self._process: LeanProcess | None = None
        self._slots = asyncio.Semaphore(self.capacity)
        self._running: set[asyncio.Task[Reply]] = set()

    def __repr__(self) -> str:
        return f"<LocalWorker {self.id} {self.mode or 'down'} Lean {self.lean or '?'} capacity={self.capacity}>"

    @property
    def way(self) -> str:
        """`mode` and `why` as a verdict has them; "" before `start`."""
        return f"{self.mode}: {self.why}" if self.mode else ""

    async def start(self) -> None:
        """Find the toolchain, choose the way, import, and see that known proofs are judged right.

        Raises:
            WorkerLost: no toolchain, a module that can't be found, a wrong verdict, or a way that is not to be had.
        """
        try:
            toolchain = await asyncio.to_thread(find_toolchain, self._project, self._search_path)
        except ToolchainNotFound as error:
            raise WorkerLost(str(error)) from error
        self.toolchain = toolchain
        self.lean = toolchain.version
        self.image = await asyncio.to_thread(toolchain.digest, self._modules)
        against = "" if self._wanted == "process" else await self._try_fork(toolchain)
        if self._fork is not None:
            return
        if self._wanted == "process":
            against = "mode=process was asked for."
        elif self._wanted == "fork":
            raise WorkerLost(f"The fork server can't be used: {against}")
        elif self._strict:
            raise WorkerLost(f"Only the fork server confines a proof, and it can't be used: {against}")
        if self._refused:
            _log.warning("%s: refused_commands is not in force in mode process", self.id)
        await self._start_process(toolchain, against)

    async def _try_fork(self, toolchain: Toolchain) -> str:
        """Start the fork server. Returns why it doesn't do, or "" if it does."""
        if sys.platform != "linux":
            return f"the fork server needs Linux; this is {sys.platform}."
        if toolchain.version not in KNOWN_VERSIONS:
            known = ", ".join(KNOWN_VERSIONS)
            return f"Lean {toolchain.version} is no version that the fork server knows ({known})."
        if toolchain.library is None:
            return f"{toolchain.prefix} holds no libleanshared."
        fork = CoreWorker(
            self.header,
            self.capacity,
            strict_sandbox=self._strict,
            refused=self._refused,
            hugepages=self._hugepages,
            installation=Installation(toolchain.library, toolchain.search_path, self.image),
        )
        fork.id = self.id
        try:
            await fork.start()
            await check_canaries(lambda text: fork.check(Job(self.header, text)))
        except WorkerLost as error:
            await fork.aclose()
            return f"{toolchain.library}: {error}"
        except BaseException:
            await fork.aclose()
            raise
        self._fork = fork
        self.mode = "fork"
        self.why = f"Lean {toolchain.version} is known, and {toolchain.library.name} has all that the fork server uses."
        return ""

    async def _start_process(self, toolchain: Toolchain, why: str) -> None:
        prelude = "prelude\n" if self._prelude else ""
        imports = prelude + "".join(f"import {module}\n" for module in self._modules)
        process = LeanProcess(toolchain.program, imports, environment(toolchain.search_path))
        limits = Limits(wall=self._start_timeout, cpu=self._start_timeout)

        async def check(text: str) -> Reply:
            return await process.run(Job(self.header, text, limits))

        # Twice: the first run reads the imports from the disk, the second says how long they take.
        await check("")
        started = time.monotonic()
        await check("")
        importing = time.monotonic() - started
        await check_canaries(check)
        self._process = replace(process, importing=importing)
        self.mode, self.why = "process", why

    async def check(self, job: Job) -> Reply:
        """Run one job. More than `capacity` at a time wait here, at no cost to their limits.

        Raises:
            WorkerLost: the server is gone or does not answer, or no process can be started.
            ValueError: the job's header imports other modules than the worker's.
        """
        if self._fork is not None:
            return await self._fork.check(job)
        return await self._by_process(job)

    async def compile(self, jobs: Sequence[Job]) -> list[Reply]:
        """Compile trusted texts: an open proof has its module too. Raises as `check`."""
        if self._fork is not None:
            return await self._fork.compile(jobs)
        return [await self._by_process(job) for job in jobs]

    async def _by_process(self, job: Job) -> Reply:
        if job.header != self.header:
            modules, prelude, _ = split_header(job.header)
            if (modules, prelude) != (self._modules, self._prelude):
                raise ValueError(
                    f"worker {self.id} imports {' '.join(self._modules) or 'nothing'}; the job's header imports "
                    f"{' '.join(modules) or 'nothing'}: start a LocalWorker for that header"
                )
        async with self._slots:
            if self._process is None:
                raise WorkerLost(f"Worker {self.id} is not running.")
            task = asyncio.ensure_future(self._process.run(job))
            self._running.add(task)
            try:
                return await task
            except asyncio.CancelledError:
                if self._process is None:  # closed under the job
                    raise WorkerLost(f"Worker {self.id} was closed.") from None
                raise
            finally:
                self._running.discard(task)

    async def aclose(self) -> None:
        """Stop the server, or the processes that run. Safe to call twice."""
        fork, self._fork = self._fork, None
        self._process = None
        running = tuple(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        if fork is not None:
            await fork.aclose()


def _cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
