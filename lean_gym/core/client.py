"""The asyncio side of the fork server: start it, send it jobs, notice when it is gone."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ..workers.base import WorkerLost
from . import frames
from .frames import FrameError, FrameReader, Request, Result, frame, pack_table, unpack_table

__all__ = ["ForkServer", "ServerConfig"]

_log = logging.getLogger(__name__)

# The server needs nothing but lean_gym.core and the standard library: no site packages, and not what `import
# lean_gym` runs. It works alike from a source tree and from an installed wheel.
_BOOTSTRAP = (
    "import sys, types; package = types.ModuleType('lean_gym'); package.__path__ = [sys.argv[1]]; "
    "sys.modules['lean_gym'] = package; from lean_gym.core.server import main; sys.exit(main(int(sys.argv[2])))"
)
_GRACE = 2.0  # seconds that a server gets to end by itself


@dataclass(frozen=True)
class ServerConfig:
    """What a server is started for.

    Attributes:
        library: the file of `libleanshared`.
        modules: what it imports; "Init" stands first here unless the header says `prelude`.
        search_path: folders in which modules are looked up.
        capacity: children at the same time.
        warm: texts that are elaborated once before the first fork.
        refused: syntax kinds of the commands that no untrusted text may hold, in full or their last component.
        hugepages: whether the library's code may be moved into huge pages (160 MB of memory, children start faster).
    """

    library: Path
    modules: tuple[str, ...]
    search_path: tuple[Path, ...]
    capacity: int
    warm: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    hugepages: bool = True

    def pack(self, scratch: str) -> bytes:
        """As the payload of the first frame. `scratch`: an empty folder for the server's start."""
        return pack_table(
            {
                "library": [str(self.library)],
                "modules": list(self.modules),
                "search_path": [str(path) for path in self.search_path],
                "capacity": [str(self.capacity)],
                "warm": list(self.warm),
                "refused": list(self.refused),
                "hugepages": ["yes" if self.hugepages else "no"],
                "scratch": [scratch],
            }
        )


class _Link(asyncio.Protocol):
    """The client's end of the socket: frames to futures."""

    def __init__(self) -> None:
        self.reader = FrameReader()
        self.ready: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.jobs: dict[int, tuple[Request, asyncio.Future[Result]]] = {}
        self.cancelled: set[int] = set()  # nonces of jobs whose result may still come
        self.lost: str | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        try:
            for kind, nonce, payload in self.reader.feed(data):
                self._take(kind, nonce, payload)
        except FrameError as error:
            self.fail(f"it broke its protocol: {error}")

    def _take(self, kind: bytes, nonce: int, payload: bytes) -> None:
        if kind == frames.RESULT:
            result = Result.unpack(payload)
            if nonce in self.cancelled:
                self.cancelled.discard(nonce)
                return
            if nonce not in self.jobs:
                raise FrameError("a result with a nonce that no job has")
            request, future = self.jobs[nonce]
            if result.status == frames.DONE and len(result.parts) != len(request.texts):
                raise FrameError(f"{len(result.parts)} parts for {len(request.texts)} texts")
            del self.jobs[nonce]
            if not future.done():
                future.set_result(result)
        elif kind == frames.READY and not self.ready.done():
            self.ready.set_result(payload)
        elif kind == frames.FAILED and not self.ready.done():
            self.ready.set_exception(WorkerLost(payload.decode("utf-8", "replace")))
        else:
            raise FrameError(f"a frame of kind {kind!r} that nobody waits for")

    def connection_lost(self, exc: Exception | None) -> None:
        self.fail("it is gone" if exc is None else f"it is gone ({exc})")

    def fail(self, why: str) -> None:
        """Give up the server: all that wait raise `WorkerLost`."""
        if self.lost is None:
            self.lost = why
        if not self.ready.done():
            self.ready.set_exception(WorkerLost(f"The Lean server did not start: {self.lost}."))
            self.ready.exception()  # nobody may be waiting any more
        jobs, self.jobs = self.jobs, {}
        for _, future in jobs.values():
            if not future.done():
                future.set_exception(WorkerLost(f"The Lean server was lost: {self.lost}."))
        if self.transport is not None:
            self.transport.abort()


class ForkServer:
    """One fork server, as a process of its own.

    Attributes:
        pid: of the server, once started.
        ready: what it said when it was ready, as lists of strings: version, githash, importing (seconds), layers (of
            the sandbox), ...
    """

    def __init__(self, config: ServerConfig) -> None:
        self.config = config
        self.ready: dict[str, list[str]] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._log_file: IO[bytes] | None = None
        self._link: _Link | None = None

    @property
    def pid(self) -> int:
        """The server's process id. Raises `WorkerLost` before the start."""
        if self._process is None:
            raise WorkerLost("The Lean server was not started.")
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can take jobs."""
        return self._link is not None and self._link.lost is None and bool(self.ready)

    async def start(self, timeout: float = 60.0) -> None:
        """Start the server and wait until its imports are done.

        Raises:
            WorkerLost: in Lean's words when a module can't be imported; else what went wrong.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._log_file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
            self._process = await asyncio.to_thread(self._spawn, theirs)
            ours.setblocking(False)
            _, self._link = await asyncio.get_running_loop().create_connection(_Link, sock=ours)
        except BaseException:
            ours.close()
            await self.close()
            raise
        finally:
            theirs.close()
        link = self._link
        assert link is not None and link.transport is not None
        try:
            with tempfile.TemporaryDirectory(prefix="lean-gym-") as scratch:
                link.transport.write(frame(frames.HELLO, 0, self.config.pack(scratch)))
                self.ready = unpack_table(await asyncio.wait_for(asyncio.shield(link.ready), timeout))
        except asyncio.TimeoutError:
            await self.close()
            raise WorkerLost(f"The Lean server was not ready after {timeout:g} s.") from None
        except WorkerLost as error:
            words = await asyncio.to_thread(self._words)
            await self.close()
            raise WorkerLost(f"{error}{words}") from None
        except BaseException:
            await self.close()
            raise

    def _spawn(self, theirs: socket.socket) -> subprocess.Popen[bytes]:
        package = Path(__file__).resolve().parent.parent
        command = [sys.executable, "-I", "-S", "-c", _BOOTSTRAP, str(package), str(theirs.fileno())]
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._log_file,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,  # a Ctrl-C is for us, who will then close it in order
        )

    async def run(self, request: Request, deadline: float) -> Result:
        """Run one job; cancelling stops it. `deadline`: seconds after which the server counts as hung.

        Raises:
            WorkerLost: the server is gone, hung, or could not run the job.
        """
        link = self._link
        if link is None or link.lost is not None or link.transport is None:
            raise WorkerLost(f"The Lean server was lost: {link.lost if link else 'it was not started'}.")
        nonce = secrets.randbits(64)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        link.jobs[nonce] = request, future
        link.transport.write(frame(frames.JOB, nonce, request.pack()))
        timer = loop.call_later(deadline, link.fail, f"no answer within {deadline:g} s")
        try:
            result = await future
        except asyncio.CancelledError:
            if link.jobs.pop(nonce, None) is not None and link.lost is None:
                link.cancelled.add(nonce)
                link.transport.write(frame(frames.CANCEL, nonce, b""))
            raise
        except WorkerLost as error:
            self._kill()
            _log.warning("%s%s", error, self._words(wait=0))
            raise
        finally:
            timer.cancel()
        if result.status == frames.LOST:
            raise WorkerLost(result.detail)
        return result

    async def close(self) -> None:
        """End the server and its children. Safe to call twice."""
        if self._link is not None:
            self._link.fail("it was closed")
        process, self._process = self._process, None
        if process is not None:
            await asyncio.shield(asyncio.to_thread(_end, process))
        if self._log_file is not None:
            self._log_file.close()
            self._log_file = None

    def _kill(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    def _words(self, wait: float = 0.5) -> str:
        """What the server wrote to its error output, for an error message."""
        if self._log_file is None or self._log_file.closed:
            return ""
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(wait)
        self._log_file.seek(0)
        words = self._log_file.read(1 << 16).decode("utf-8", "replace").strip()
        return f" It said: {words[-2000:]}" if words else ""


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_GRACE)  # its socket is closed: it ends by itself
    except subprocess.TimeoutExpired:
        _log.warning("the Lean server %d did not end within %g s and is killed", process.pid, _GRACE)
        process.kill()
        process.wait()


def modules_of(modules: Sequence[str], prelude: bool) -> tuple[str, ...]:
    """The modules to import for a header: `Init` first unless it says `prelude`, as Lean itself does."""
    return tuple(modules) if prelude else ("Init", *modules)
