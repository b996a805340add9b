"""The fork server: imports a header's modules once, then forks a child for each job.

A program of its own, started by `client.ForkServer`: `python -I -S -c BOOTSTRAP FD` with one end of a socket pair as
FD. One thread, one loop. The children are hostile; the client is trusted. It ends when the client's end of the socket
closes or its parent is gone, and takes its children along.
"""

from __future__ import annotations

# A forked child copies every page of memory that it writes to, and Python writes to an object by looking at it. So
# the server keeps a small heap: the plain modules below, and none of dataclasses, enum, json, pathlib, re, socket,
# typing, which would treble it.
import _signal  # type: ignore[import-not-found]
import _socket
import ctypes
import gc
import os
import resource
import select
import sys
import time

from . import frames, hugepages
from .child import ChildWork
from .ffi import Lean, LeanError
from .frames import Answer, FrameReader, Request, Result, frame
from .frontend import CANARIES, Elaborated, Frontend, ModuleWriter, job_options
from .sandbox import Sandbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["main"]

_TICK = 0.05  # seconds between two looks at the children's memory
_YOUNG = 0.1  # a child is first looked at when it is this old
_PATIENCE = 1.0  # seconds that a child may stand still over what it may compute
_IDLE = 1.0  # between two looks at the parent
_STACK = 64 << 20
_THREADS = 32
_PAGE = os.sysconf("SC_PAGE_SIZE")
_CLOCK = os.sysconf("SC_CLK_TCK")
_SIGNALS = {getattr(_signal, name): name for name in dir(_signal) if name.startswith("SIG") and name[3] != "_"}


# The C library's fork. os.fork also runs what modules registered (random reseeds itself, threading and logging remake
# their locks): 0.7 ms and 200 pages of memory in each child, for nothing, since neither server nor child has a second
# Python thread.
_fork: Callable[[], int] = ctypes.PyDLL(None, use_errno=True).fork


class _Child:
    """A forked child and what is known of it. `verdict`: (status, detail) once the server has stopped it."""

    __slots__ = ("answer", "errors", "nonce", "pid", "pipe", "request", "started", "verdict", "wanted")

    def __init__(self, pid: int, nonce: int, pipe: int, errors: int, request: Request, started: float) -> None:
        self.pid = pid
        self.nonce = nonce
        self.pipe = pipe
        self.errors = errors
        self.request = request
        self.answer = Answer(nonce, request.output, len(request.texts))
        self.started = started
        self.verdict: tuple[int, str] | None = None
        self.wanted = True


class _Server:
    """The loop. `base`: bytes of resident memory that every child starts with."""

    def __init__(self, link: _socket.socket, reader: FrameReader, work: ChildWork, capacity: int, base: int) -> None:
        self.link = link
        self.reader = reader
        self.work = work
        self.capacity = capacity
        self.base = base
        self.children: dict[int, _Child] = {}  # by pipe
        self.waiting: list[tuple[int, Request]] = []
        self.out = bytearray()
        self._poll = select.poll()

    def run(self) -> None:
        """Serve until the client is gone."""
        parent = os.getppid()
        poll = self._poll
        poll.register(self.link, select.POLLIN)
        self.link.setblocking(False)
        looked = time.monotonic()
        while True:
            events = poll.poll(self._timeout() * 1000)
            for descriptor, mask in events:
                if descriptor == self.link.fileno():
                    if mask & (select.POLLIN | select.POLLHUP | select.POLLERR) and not self._hear():
                        return
                    if mask & select.POLLOUT:
                        self._send()
                elif descriptor in self.children:
                    self._listen(self.children[descriptor])
            now = time.monotonic()
            if now - looked >= _TICK:
                looked = now
                self._watch(now)
                if os.getppid() != parent:
                    return
            while self.waiting and len(self.children) < self.capacity:
                self._start(*self.waiting.pop(0))

    def _timeout(self) -> float:
        return _TICK if self.children else _IDLE

    # The client

    def _hear(self) -> bool:
        try:
            data = self.link.recv(1 << 20)
        except BlockingIOError:
            return True
        except ConnectionError:
            return False
        if not data:
            return False
        for kind, nonce, payload in self.reader.feed(data):
            if kind == frames.JOB:
                self.waiting.append((nonce, Request.unpack(payload)))
            elif kind == frames.CANCEL:
                self._cancel(nonce)
            else:
                raise frames.FrameError(f"a frame of unknown kind {kind!r} from the client")
        return True

    def _reply(self, nonce: int, result: Result) -> None:
        self.out += frame(frames.RESULT, nonce, result.pack())
        self._send()

    def _send(self) -> None:
        try:
            while self.out:
                sent = self.link.send(memoryview(self.out)[: 1 << 20])
                del self.out[:sent]
        except BlockingIOError:
            pass
        except ConnectionError:
            self.out.clear()  # the next read sees the end
        self._poll.modify(self.link, select.POLLIN | (select.POLLOUT if self.out else 0))

    def _cancel(self, nonce: int) -> None:
        if any(job[0] == nonce for job in self.waiting):
            self.waiting = [job for job in self.waiting if job[0] != nonce]
            self._reply(nonce, Result(frames.LOST, detail="cancelled"))
        for child in self.children.values():
            if child.nonce == nonce:
                child.wanted = False
                self._kill(child)

    # The children

    def _start(self, nonce: int, request: Request) -> None:
        pipe, result = os.pipe()
        errors, words = os.pipe()
        os.set_blocking(words, False)  # a child that prints too much loses words, no time
        started = time.monotonic()
        pid = _fork()
        if pid < 0:
            for descriptor in (pipe, result, errors, words):
                os.close(descriptor)
            why = os.strerror(ctypes.get_errno())
            self._reply(nonce, Result(frames.LOST, detail=f"The server can't fork: {why}."))
            return
        if pid == 0:
            self.work.run(request, nonce, result, words)
        os.close(result)
        os.close(words)
        os.set_blocking(pipe, False)
        self.children[pipe] = _Child(pid, nonce, pipe, errors, request, started)
        self._poll.register(pipe, select.POLLIN)

    def _listen(self, child: _Child) -> None:
        while True:
            try:
                data = os.read(child.pipe, 1 << 18)
            except BlockingIOError:
                return
            if not data:
                self._finish(child)
                return
            if child.verdict is None and not child.answer.feed(data):
                self._stop(child, frames.CRASHED, "The child's answer was malformed.")
            if len(data) < 1 << 16:
                return

    def _watch(self, now: float) -> None:
        for child in list(self.children.values()):
            age = now - child.started
            if child.verdict is not None or not child.wanted:
                if self._gone(child):
                    self._finish(child)
                continue
            if age > child.request.wall:
                self._stop(child, frames.TIMEOUT, f"Stopped after {child.request.wall:g} s of wall time.")
            elif age > _YOUNG:
                self._check(child, age)

    def _check(self, child: _Child, age: float) -> None:
        try:
            text = _read(f"/proc/{child.pid}/stat")
        except OSError:
            return  # it has just ended, or there is no such file system: its end is seen on the pipe
        words = text[text.rindex(b")") + 2 :].split()
        cpu = (int(words[11]) + int(words[12])) / _CLOCK
        memory = int(words[21]) * _PAGE - self.base
        limits = child.request
        if memory > limits.memory:
            self._stop(
                child,
                frames.OUT_OF_MEMORY,
                f"Stopped at {memory >> 20} MB of memory; {limits.memory >> 20} MB are allowed.",
            )
        elif cpu > limits.cpu:
            self._stop(child, frames.TIMEOUT, f"Stopped after {limits.cpu:g} s of CPU time.")
        elif age - _waited(child.pid) > limits.cpu + _PATIENCE:
            # A busy machine makes a child wait; one that has not waited sleeps.
            self._stop(child, frames.TIMEOUT, f"Stopped after {age:.1f} s, most of which it slept.")
        elif int(words[17]) > _THREADS:
            self._stop(child, frames.CRASHED, f"Stopped with more than {_THREADS} threads.")

    def _stop(self, child: _Child, status: int, detail: str) -> None:
        child.verdict = (status, detail)
        self._kill(child)

    @staticmethod
    def _kill(child: _Child) -> None:
        # Its group first; a child that has not made its own group yet is killed by its id.
        for kill in (os.killpg, os.kill):
            try:
                kill(child.pid, _signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass  # no group yet, or over already

    @staticmethod
    def _gone(child: _Child) -> bool:
        # Without reaping it: whoever holds its pipe, a killed child is over when it is a zombie.
        return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _finish(self, child: _Child) -> None:
        """Its pipe is closed, or it was killed and is gone: end it whatever it does, and answer for it."""
        # A child closes its pipe by ending, and whoever is ending no longer minds a signal; one that lives on has
        # something in mind.
        self._kill(child)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - child.started
        self._poll.unregister(child.pipe)
        del self.children[child.pipe]
        words = self._last_words(child)
        os.close(child.pipe)
        os.close(child.errors)
        self._bury()
        if child.wanted:
            result = self._judge(child, status, usage, words)
            result.seconds = seconds
            result.cpu = usage.ru_utime + usage.ru_stime
            result.peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
            self._reply(child.nonce, result)
        else:
            # Each job has one result, so that the client knows a stranger's when it sees one.
            self._reply(child.nonce, Result(frames.LOST, detail="cancelled"))

    @staticmethod
    def _last_words(child: _Child) -> str:
        os.set_blocking(child.errors, False)
        try:
            return os.read(child.errors, 2000).decode("utf-8", "replace").strip()
        except BlockingIOError:
            return ""

    def _bury(self) -> None:
        """Kill and reap what a child left behind (orphans come to us), should one have got past the sandbox."""
        known = {child.pid for child in self.children.values()}
        for _ in range(100):  # each generation that dies hands us the next
            try:
                listed = _read("/proc/thread-self/children").split()
            except OSError:
                return
            strangers = [pid for pid in map(int, listed) if pid not in known]
            if not strangers:
                return
            for pid in strangers:
                try:
                    os.kill(pid, _signal.SIGKILL)
                    os.waitpid(pid, 0)
                except (ProcessLookupError, ChildProcessError):
                    pass  # over already

    @staticmethod
    def _judge(child: _Child, status: int, usage: resource.struct_rusage, words: str) -> Result:
        said = f" It said: {words[:500]}" if words else ""
        if child.verdict is not None:
            return Result(child.verdict[0], detail=child.verdict[1])
        if not child.answer.started:
            return Result(frames.LOST, detail=f"The child ended before it began.{said}")
        code = os.waitstatus_to_exitcode(status)
        if code == 0 and child.answer.complete:
            return Result(frames.DONE, parts=child.answer.parts())
        if code == 0:
            return Result(frames.CRASHED, detail="The child's answer was malformed.")
        if code > 0:
            status = frames.OUT_OF_MEMORY if "out of memory" in words else frames.CRASHED
            return Result(status, detail=f"The child ended with exit code {code}.{said}")
        if usage.ru_utime + usage.ru_stime > child.request.cpu:
            return Result(frames.TIMEOUT, detail=f"Stopped after {child.request.cpu:g} s of CPU time.")
        if -code == _signal.SIGKILL and child.answer.complete:
            return Result(frames.CRASHED, detail="The child answered and did not end.")
        if -code == _signal.SIGKILL:
            return Result(frames.OUT_OF_MEMORY, detail="Killed by the system, most likely for lack of memory.")
        return Result(frames.CRASHED, detail=f"The child died of {_SIGNALS.get(-code, code)}.{said}")

    def close(self) -> None:
        """Kill and reap all children."""
        for child in self.children.values():
            self._kill(child)
        for child in self.children.values():
            os.waitpid(child.pid, 0)
        self.children.clear()
        self._bury()


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()


def _waited(pid: int) -> float:
    """Seconds that a process was ready to run and had no processor; infinite where the kernel does not say."""
    try:
        return int(_read(f"/proc/{pid}/schedstat").split()[1]) / 1e9
    except (OSError, IndexError):
        return float("inf")


def _resident() -> int:
    return int(_read("/proc/self/statm").split()[1]) * _PAGE


def _prepare(config: dict[str, list[str]]) -> tuple[ChildWork, dict[str, list[str]]]:
    """Load Lean, import, warm up. Returns the children's work and what `READY` tells the client."""
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    # The main thread elaborates; its stack grows up to this (Lean reads the limit when it starts).
    resource.setrlimit(resource.RLIMIT_STACK, (_STACK if hard < 0 else min(hard, _STACK), hard))
    os.environ.pop("LEAN_PATH", None)
    [library], [scratch] = config["library"], config["scratch"]
    lean = Lean.load(library)
    moved = hugepages.promote(library) if config["hugepages"] == ["yes"] else 0
    lean.initialise(tasks=1)
    started = time.monotonic()
    env = lean.import_modules(config["modules"], config["search_path"])
    importing = time.monotonic() - started
    frontend = Frontend(lean, env, config["refused"])
    elaborate: Callable[[bytes, int, bool], Elaborated]
    plain = frontend.agrees()
    if plain:
        elaborate = frontend.elaborate
    else:

        def elaborate(text: bytes, heartbeats: int, trusted: bool) -> Elaborated:
            return Elaborated(*lean.elaborate(env, text, job_options(heartbeats)))

    writer = ModuleWriter(lean, elaborate(CANARIES[0], 200_000, True).env, scratch)
    # What is made at first use (tables, the interpreter's symbols, attribute maps) is made here, not in each child.
    for text in config["warm"]:
        elaborate(text.encode("utf-8", "replace"), 200_000, True)
    lean.stop_tasks()
    sandbox = Sandbox()
    ready = {
        "version": [lean.version],
        "githash": [lean.githash],
        "importing": [repr(importing)],
        "layers": list(sandbox.layers),
        "huge": [str(moved)],
        "plain": ["yes" if plain else "no"],
    }
    return ChildWork(lean, elaborate, writer, sandbox), ready


def main(descriptor: int) -> int:
    """Serve the client at the other end of the socket `descriptor`."""
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        # If memory runs out, the kernel shall take a child or this server before the trainer.
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("500")
    except OSError:
        pass  # no such file system
    if sys.platform == "linux":
        subreaper = 36
        ctypes.CDLL(None).prctl(subreaper, 1, 0, 0, 0)  # orphans below us become our children: none escapes
    link = _socket.socket(fileno=descriptor)
    reader = FrameReader()
    config = _hello(link, reader)
    if config is None:
        return 0
    try:
        work, ready = _prepare(config)
    except LeanError as error:
        link.sendall(frame(frames.FAILED, 0, str(error).encode("utf-8", "replace")))
        return 1
    gc.collect()
    gc.freeze()  # a collection in a child would touch, and so copy, every object
    gc.disable()
    link.sendall(frame(frames.READY, 0, frames.pack_table(ready)))
    server = _Server(link, reader, work, int(config["capacity"][0]), _resident())
    try:
        server.run()
    finally:
        server.close()
    return 0


def _hello(link: _socket.socket, reader: FrameReader) -> dict[str, list[str]] | None:
    while data := link.recv(1 << 16):
        for kind, _, payload in reader.feed(data):
            if kind != frames.HELLO:
                raise frames.FrameError(f"a frame of kind {kind!r} before the first word")
            return frames.unpack_table(payload)
    return None
