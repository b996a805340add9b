"""`KernelAuditor`: the second stage of a check, in a process of its own that never runs a candidate's text."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import math
import os
import secrets
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..audit import PERMITTED_AXIOMS, AuditResult, TrustedError
from ..theorem import CORE_HEADER, split_header
from ..workers.base import WorkerLost
from .build import core_library
from .frames import FAILED, HELLO, JOB, FrameError, FrameReader, frame
from .kernel_server import pack

__all__ = ["KernelAuditor"]

log = logging.getLogger(__name__)
_START_TIMEOUT = 120.0
_DRAIN_TIMEOUT = 5.0
_LOOK = 0.25  # seconds between two looks at the process's CPU time
_CLOCK = os.sysconf("SC_CLK_TCK")
_numbers = itertools.count(1)


class KernelAuditor:
    """Audits one compiled module at a time: all rules of `audit`, then Lean's kernel over the header's modules.

    Args:
        header: the trusted header; its modules are what every audited module must import.
        search_path: folders with compiled modules besides Core's own.
        max_terms: entries of the table of terms (200 to 400 bytes each, kept for later audits) at which the process
            is replaced.

    Attributes:
        id: unique within the program. `capacity`: audits at a time (1; more wait). `lean`: Lean's version, known
            after `start`.
        replaced: processes that were replaced because they had grown or ran out of time.
    """

    capacity = 1

    def __init__(
        self, header: str = CORE_HEADER, search_path: Iterable[Path | str] = (), *, max_terms: int = 150_000
    ) -> None:
        self.header = header
        self.max_terms = max_terms
        self.id = f"audit-{os.getpid()}-{next(_numbers)}"
        self.lean = ""
        self.replaced = 0
        self._own_path = [str(Path(path).resolve()) for path in search_path]
        self._process: asyncio.subprocess.Process | None = None
        self._complaints: asyncio.Future[str] | None = None
        self._lock = asyncio.Lock()
        self._closed = False

    def __repr__(self) -> str:
        state = "closed" if self._closed else "ready" if self._process else "stopped"
        return f"<KernelAuditor {self.id} {state}>"

    @property
    def pid(self) -> int | None:
        """Process id of the auditor's process, or None while there is none."""
        return self._process.pid if self._process else None

    async def start(self) -> None:
        """Start the process and import the header's modules (about 0.4 s for Core).

        Raises:
            WorkerLost: it does not start, with one sentence that says why.
            LeanNotFound, CoreBuildError: as `core_library`.
        """
        async with self._lock:
            if self._process is None:
                await self._spawn()

    async def audit(
        self,
        trusted: bytes,
        candidate: bytes,
        target: str,
        *,
        permitted_axioms: Iterable[str] = PERMITTED_AXIOMS,
        body_only: bool = False,
        deadline: float = 20.0,
        cpu: float = 20.0,
    ) -> AuditResult:
        """Audit a compiled module; see `audit.audit` for the arguments.

        A candidate that keeps the kernel busy for more than `deadline` seconds by the clock, or `cpu` seconds of CPU
        time, gets the reason "timeout".

        Raises:
            WorkerLost: the process died or broke the protocol. On a second auditor too, it is the candidate's doing.
            TrustedError: the trusted module is at fault.
        """
        started = time.perf_counter()
        request = {"target": target, "permitted_axioms": list(permitted_axioms), "body_only": body_only}
        payload = pack(request, trusted, candidate)
        async with self._lock:
            if self._closed:
                raise WorkerLost(f"The auditor {self.id} is closed.")
            if self._process is None:
                await self._spawn()
            try:
                kind, reply = await self._exchange(JOB, payload, deadline, cpu)
            except asyncio.TimeoutError:
                await self._replace(f"an audit took more than {cpu:g} s of CPU time, or {deadline:g} s by the clock")
                detail = f"The audit took more than {cpu:g} s to check the proof again."
                return AuditResult(False, "timeout", detail, seconds=time.perf_counter() - started)
            except BaseException:
                # Also when the caller cancels: the answer is still to come and must not meet the next question.
                await self._stop()
                raise
            if reply.pop("worn"):
                await self._replace("its table of terms is full")
        if kind == FAILED:
            raise TrustedError(reply["error"])
        axioms, declarations = tuple(reply.pop("axioms")), tuple(reply.pop("declarations"))
        return AuditResult(**reply, axioms=axioms, declarations=declarations, seconds=time.perf_counter() - started)

    async def aclose(self) -> None:
        """Stop the process. Safe to call twice."""
        self._closed = True
        await self._stop()

    async def _spawn(self) -> None:
        core = await asyncio.to_thread(core_library)
        modules, _, _ = split_header(self.header)
        config = {
            "library": str(core.library.path),
            "modules": list(modules),
            "search_path": [*self._own_path, *map(str, core.search_path)],
            "max_terms": self.max_terms,
        }
        program = Path(__file__).with_name("kernel_server.py")
        keep = ("PATH", "TMPDIR", "LD_LIBRARY_PATH", "LANG", "LC_ALL")
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", str(program), str(os.getpid()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={key: os.environ[key] for key in keep if key in os.environ},
            start_new_session=True,  # ctrl-C is for this program, which closes its processes in order
        )  # fmt: skip
        self._complaints = asyncio.ensure_future(self._drain(self._process.stderr))
        try:
            kind, reply = await self._exchange(HELLO, json.dumps(config).encode(), _START_TIMEOUT)
        except asyncio.TimeoutError:
            await self._stop()
            raise WorkerLost(f"The auditor {self.id} did not start within {_START_TIMEOUT:g} s.") from None
        except BaseException:
            await self._stop()
            raise
        if kind == FAILED:
            await self._stop()
            raise WorkerLost(reply["error"])
        self.lean = reply["version"]

    async def _exchange(
        self, kind: bytes, payload: bytes, deadline: float, cpu: float = math.inf
    ) -> tuple[bytes, dict[str, Any]]:
        """Send a frame; kind and payload of its answer. Raises `asyncio.TimeoutError` when a limit is passed."""
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        nonce = secrets.randbits(64)
        end, cpu_end = time.monotonic() + deadline, _cpu_seconds(process.pid) + cpu
        waiting = asyncio.ensure_future(self._answer(process.stdout))
        try:
            process.stdin.write(frame(kind, nonce, payload))
            while not (await asyncio.wait({waiting}, timeout=_LOOK))[0]:
                if time.monotonic() > end or _cpu_seconds(process.pid) > cpu_end:
                    raise asyncio.TimeoutError
            answer, got, data = waiting.result()
            if got != nonce:
                raise FrameError("an answer to another question")
            return answer, json.loads(data)
        except (EOFError, ConnectionError, FrameError, json.JSONDecodeError) as error:
            said = ""
            if isinstance(error, EOFError) and self._complaints is not None:
                said = await asyncio.wait_for(self._complaints, _DRAIN_TIMEOUT)
            raise WorkerLost(f"The auditor {self.id} died or broke its protocol: {said or error}") from error
        finally:
            waiting.cancel()

    @staticmethod
    async def _drain(stream: asyncio.StreamReader | None) -> str:
        """The last line that the process wrote to its standard error, once that ends."""
        last = b""
        while stream is not None and (data := await stream.read(1 << 16)):
            last = (last + data)[-2000:]
        return last.decode("utf-8", "replace").strip().rpartition("\n")[2]

    @staticmethod
    async def _answer(stream: asyncio.StreamReader) -> tuple[bytes, int, bytes]:
        reader = FrameReader()
        while True:
            data = await stream.read(1 << 16)
            if not data:
                raise EOFError("its output ended")
            if frames := reader.feed(data):
                if len(frames) > 1:
                    raise FrameError("more than one answer")
                return frames[0]

    async def _replace(self, why: str) -> None:
        self.replaced += 1
        log.info("auditor %s: %s; the next audit starts a new process", self.id, why)
        await self._stop()

    async def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _cpu_seconds(pid: int) -> float:
    """CPU time of a process so far; 0.0 where the system does not say."""
    try:
        words = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / _CLOCK
