"""One `lean --json` process for one job: started, watched, stopped, and its answer read."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ..core.frames import MAX_MODULE
from .base import Job, RawMessage, Reply, Status, WorkerLost
from .messages import cut_messages, read_message

__all__ = ["LeanProcess"]

_TICK = 0.05  # seconds between two looks at the process
_READ = 8 << 20  # bytes of output that are looked at
_WORDS = 1000  # bytes of a line that is no message
_LARGEST = 2 * MAX_MODULE  # bytes of a file that it writes
# sh sets what no process can raise again: no core file, CPU seconds, size of a file in blocks of 512 bytes.
_LIMITED = 'ulimit -c 0; ulimit -t "$1"; ulimit -f "$2"; shift 2; exec "$@"'


@dataclass(frozen=True)
class LeanProcess:
    """How to check a text by a process of its own.

    Attributes:
        program: `lean`.
        imports: the header's lines for Lean (`prelude`, `import ...`), each ended.
        environment: of the process, whole.
        importing: seconds that importing took when it was tried; on a busy machine it takes longer, so each job may
            use three times as much of it, by the clock and of CPU, on top of its limits.
    """

    program: Path
    imports: str
    environment: Mapping[str, str]
    importing: float = 0.0

    @property
    def _spare(self) -> float:
        return 3 * self.importing

    async def run(self, job: Job) -> Reply:
        """Check one job. Cancelling stops it.

        Raises:
            WorkerLost: the process can't be started, or its folder not be written.
        """
        folder = ""
        try:
            folder = await asyncio.to_thread(tempfile.mkdtemp, prefix="lean-gym-")
            # Our line keeps `import` lines of the job's text out of the header.
            text = f"{self.imports}set_option maxHeartbeats {job.limits.heartbeats}\n{job.text}"
            (Path(folder) / "main.lean").write_bytes(text.encode("utf-8", "replace"))
            return await self._run(job, Path(folder))
        except OSError as error:
            raise WorkerLost(f"{self.program} can't be run: {error}") from error
        finally:
            if folder:
                await asyncio.shield(asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True))

    def _command(self, job: Job) -> list[str]:
        cpu = int(job.limits.cpu + self._spare) + 2
        blocks = _LARGEST // 512
        command = ["/bin/sh", "-c", _LIMITED, "lean", str(cpu), str(blocks), str(self.program), "--json"]
        command.append("-Dlinter.all=false")  # they only warn
        if sys.platform != "linux":
            command.append(f"--memory={job.limits.memory >> 20}")  # nobody watches there
        if job.module:
            command += ["-o", "main.olean"]
        return [*command, "main.lean"]

    async def _run(self, job: Job, folder: Path) -> Reply:
        # Files, not pipes: a process that the text left behind could hold a pipe open for ever.
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as words:
            started = time.monotonic()
            process = await asyncio.create_subprocess_exec(
                *self._command(job),
                cwd=folder,
                env={**self.environment, "HOME": str(folder), "TMPDIR": str(folder)},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=words,
                start_new_session=True,
            )
            try:
                verdict = await self._watch(process, job, started)
            finally:
                # All of its group, whatever it left behind.
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
            seconds = time.monotonic() - started
            if verdict is not None:
                return Reply(verdict[0], detail=verdict[1], seconds=seconds)
            said = _Output(output), _Output(words)
        return await asyncio.to_thread(self._read, job, folder, process.returncode or 0, *said, seconds)

    async def _watch(self, process: asyncio.subprocess.Process, job: Job, started: float) -> tuple[Status, str] | None:
        """Wait for the end. Returns why it had to be stopped, or None."""
        limits = job.limits
        ended = asyncio.ensure_future(process.wait())
        try:
            while True:
                done, _ = await asyncio.wait([ended], timeout=_TICK)
                if done:
                    return None
                if time.monotonic() - started > limits.wall + self._spare:
                    return Status.TIMEOUT, f"Stopped after {limits.wall:g} s of wall time."
                cpu, memory = _usage(process.pid)
                if cpu > limits.cpu + self._spare:
                    return Status.TIMEOUT, f"Stopped after {limits.cpu:g} s of CPU time."
                if memory > limits.memory:
                    allowed = limits.memory >> 20
                    return Status.OUT_OF_MEMORY, f"Stopped at {memory >> 20} MB of memory; {allowed} MB are allowed."
        finally:
            ended.cancel()

    def _read(self, job: Job, folder: Path, code: int, output: _Output, words: _Output, seconds: float) -> Reply:
        said = " ".join([*output.other, *words.other])[:500]
        if code < 0 or code > 1:
            return _died(code, said, seconds)
        moved = self.imports.count("\n") + 1
        messages = [_moved(message, moved) for message in output.messages]
        failed = any(message.severity == "error" for message in messages)
        if code == 1 and not failed:
            if output.dropped:
                messages.append(RawMessage("error", 1, 0, "Lean reports an error behind more output than is read."))
            else:
                return _died(code, said, seconds)
        kept, truncated = cut_messages(messages, job.limits.output)
        module, detail = None, ""
        path = folder / "main.olean"
        if code == 0 and job.module and path.is_file() and not path.is_symlink():
            if path.stat().st_size > MAX_MODULE:
                detail = "The compiled module is too large to hand back."
            else:
                module = path.read_bytes()
        return Reply(
            Status.DONE,
            kept,
            olean=module,
            detail=detail,
            seconds=max(0.0, seconds - self.importing),
            importing=min(self.importing, seconds),
            truncated=truncated or output.dropped,
        )


class _Output:
    """What a process wrote to a file, up to a size: messages, and lines that are none."""

    def __init__(self, file: IO[bytes]) -> None:
        file.seek(0)
        data = file.read(_READ + 1)
        self.dropped = len(data) > _READ
        self.messages: list[RawMessage] = []
        self.other: list[str] = []
        for line in data[:_READ].split(b"\n"):
            try:
                self.messages.append(read_message(json.loads(line)))
            except (ValueError, RecursionError):
                if line.strip():
                    self.other.append(line[:_WORDS].decode("utf-8", "replace").strip())


def _moved(message: RawMessage, lines: int) -> RawMessage:
    return RawMessage(message.severity, max(1, message.line - lines), message.column, message.text, message.kind)


def _died(code: int, said: str, seconds: float) -> Reply:
    words = f" It said: {said}" if said else ""
    if "out of memory" in said:
        return Reply(Status.OUT_OF_MEMORY, detail=f"Lean ran out of memory.{words}", seconds=seconds)
    # sh gives back 128 + N for a process that signal N ended, where it did not become that process.
    number = -code if code < 0 else code - 128
    if number == signal.SIGXCPU:
        return Reply(Status.TIMEOUT, detail="Stopped by the limit of CPU time.", seconds=seconds)
    if number == signal.SIGKILL:
        detail = "Killed by the system, most likely for lack of memory."
        return Reply(Status.OUT_OF_MEMORY, detail=detail, seconds=seconds)
    if number == signal.SIGXFSZ:
        words = f" It wrote more than {_LARGEST >> 20} MB."
    return Reply(Status.CRASHED, detail=f"Lean ended with exit code {code}.{words}", seconds=seconds)


def _usage(pid: int) -> tuple[float, int]:
    """CPU seconds and bytes of memory of a process's own (not of mapped files); 0 where the system does not say."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = Path(f"/proc/{pid}/status").read_text()
    except (OSError, UnicodeDecodeError):
        return 0.0, 0
    cpu = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    own = [int(line.split()[1]) for line in status.split("\n") if line.startswith(("RssAnon:", "RssShmem:"))]
    return cpu, sum(own) << 10


def environment(search_path: Sequence[Path]) -> dict[str, str]:
    """The environment of a Lean process: nothing of ours but the system's PATH."""
    return {
        "PATH": os.defpath,
        "LC_ALL": "C.UTF-8",
        "LEAN_PATH": os.pathsep.join(str(path) for path in search_path),
    }
