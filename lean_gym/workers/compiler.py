"""`DockerCompiler`: compiles texts to `.olean`s in a container of the image that checks proofs.

The container runs nothing but the compiler, one text after another. What comes out is data: no text can make the audit
on this machine accept what it would not accept of itself. It can spoil the ones after it, though; so what comes to
nothing in a container that served others before (`DockerCompiler.served`) has to be compiled again in a fresh one.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import struct
import time
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ..core.frames import MAX_MODULE
from ..theorem import split_header
from .base import Job, Limits, RawMessage, Reply, Status, WorkerLost, WorkerUnavailable
from .container import Container
from .docker import ENGINE_PATIENCE, MARGIN, DockerOptions, image_on, while_running
from .engine import Engine
from .hijack import STDOUT, RawStream
from .messages import cut_messages, read_message

__all__ = ["DockerCompiler", "read_result"]

T = TypeVar("T")

_LENGTH = struct.Struct(">L")
_MAX_JSON = 64 << 10
_MAX_OUTPUT = 8 << 20  # bytes of messages that are looked at
_VERSION = re.compile(r"\d+\.\d+\.\d+(?:-[\w.]+)?")


class DockerCompiler:
    """A worker whose `Reply.olean` holds the compiled module.

    Args:
        header: opens every job.
        options, engine: as in `DockerWorker`.

    Attributes:
        id, image: as in `DockerWorker`. capacity: 1.
        served: jobs that it has done.
        lean: the compiler's version; "" when it does not tell.
    """

    def __init__(self, header: str, options: DockerOptions, engine: Engine) -> None:
        self.header = header
        self.options = options
        self.engine = engine
        self.capacity = 1
        self.id = "compiler-not-started"
        self.lean = ""
        self.image = ""
        self._container: Container | None = None
        self._channel: _Channel | None = None
        self._until = math.inf
        self._turn = asyncio.Lock()
        self._broken = ""
        self.served = 0

    async def start(self) -> None:
        """Make a container that idles, with the compiler's program waiting in it.

        Raises:
            ImportError: the docker package is not installed.
            WorkerLost: the engine or the image fails, or the image has no compiler.
        """
        await self.engine.wait_up(min(ENGINE_PATIENCE, self.options.start_timeout))
        image = await image_on(self.engine, self.options)
        self._until = time.monotonic() + self.options.lifetime - min(MARGIN, self.options.lifetime / 2)
        # `cat` ends with our end of its stdin, `timeout` at the expiry: nobody has to remember the container.
        idle = (str(math.ceil(self.options.lifetime)), "cat")
        spec = self.options.spec(image, "compiler", entrypoint=("timeout",), command=idle, leashed=True)
        self.id = spec.name
        self.image = image.digest
        container = self._container = Container(self.engine, spec)
        await container.start()
        source = (Path(__file__).parent / "inside" / "compile.py").read_text("utf-8")
        self._channel = _Channel(await container.execute(("python3", "-c", source)))
        hello = _object(await self._within(self._channel.receive(_MAX_JSON), self.options.start_timeout))
        if not hello.get("tool"):
            raise WorkerLost(
                f"{self.options.image} has neither `lean-gym-compile` nor `lean` on its PATH, so the audit can't "
                'compile a proof in it: use an image that has, or audit="none".'
            )
        found = _VERSION.search(str(hello.get("version", "")))
        self.lean = found.group() if found else ""

    async def check(self, job: Job) -> Reply:
        """Compile the job's text; other calls wait for their turn. Raises `WorkerLost` as `Worker.check`."""
        async with self._turn:
            channel = self._channel
            if channel is None:
                raise WorkerUnavailable(f"Compiler {self.id} does not run.")
            if self._broken or time.monotonic() > self._until:
                raise WorkerUnavailable(
                    f"Compiler {self.id} takes no more jobs: {self._broken or 'it has lived long enough'}."
                )
            # Until the answer is there whole, what comes next may belong to this job.
            self._broken = "its last job was given up"
            reply = await self._within(self._exchange(channel, job), job.limits.wall + self.options.grace)
            self._broken = ""
            self.served += 1
            return reply

    async def _exchange(self, channel: _Channel, job: Job) -> Reply:
        limits = job.limits
        file, imports = file_of(job)
        wishes = {
            "wall": limits.wall,
            "cpu": limits.cpu,
            "memory": limits.memory,
            "heartbeats": limits.heartbeats,
            "imports": imports,
            "output": _MAX_OUTPUT,
            "module": MAX_MODULE if job.module else 0,
        }
        await channel.send(json.dumps(wishes).encode())
        await channel.send(file)
        result = _object(await channel.receive(_MAX_JSON))
        messages = await channel.receive(_MAX_OUTPUT)
        return read_result(result, messages, await channel.receive(MAX_MODULE), imports + 1, limits)

    async def aclose(self) -> None:
        """Kill and remove the container. Safe to call twice."""
        container, self._container = self._container, None
        channel, self._channel = self._channel, None
        try:
            if container is not None:
                await container.aclose()
        finally:
            if channel is not None:
                await channel.stream.aclose()

    async def _within(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        assert self._container is not None
        try:
            return await asyncio.wait_for(while_running(self._container, work), seconds)
        except asyncio.TimeoutError:
            raise WorkerLost(f"The container {self.id} gave no answer within {seconds:g} s.") from None
        except OSError as error:
            raise WorkerLost(f"The way into the container {self.id} broke: {error}.") from error


class _Channel:
    """Frames of a length and bytes over a program's stdin and stdout."""

    def __init__(self, stream: RawStream) -> None:
        self.stream = stream
        self._buffer = bytearray()
        self._stderr = b""

    async def send(self, data: bytes) -> None:
        await self.stream.write(_LENGTH.pack(len(data)) + data)

    async def receive(self, limit: int) -> bytes:
        await self._fill(_LENGTH.size)
        (length,) = _LENGTH.unpack_from(self._buffer)
        if length > limit:
            raise WorkerLost(f"The program in the container announced {length} bytes; {limit} are allowed.")
        await self._fill(_LENGTH.size + length)
        data = bytes(memoryview(self._buffer)[_LENGTH.size : _LENGTH.size + length])
        del self._buffer[: _LENGTH.size + length]
        return data

    async def _fill(self, size: int) -> None:
        while len(self._buffer) < size:
            number, data = await self.stream.read()
            if not data:
                said = self._stderr.decode("utf-8", "replace").strip()[-500:]
                raise WorkerLost(f"The program in the container ended{f': {said}' if said else '.'}")
            if number == STDOUT:
                self._buffer += data
            else:
                self._stderr = (self._stderr + data)[-2000:]


def file_of(job: Job) -> tuple[bytes, int]:
    """The whole file for a job, and its number of import lines, which a line of ours follows."""
    rest = split_header(job.header)[2]
    imports = job.header[: len(job.header) - len(rest)]
    if imports and not imports.endswith("\n"):
        imports += "\n"
    before = f"{imports}set_option maxHeartbeats {job.limits.heartbeats}\n"
    # A lone surrogate becomes "?", as in the embedded worker.
    return (before + job.text).encode("utf-8", "replace"), imports.count("\n")


def read_result(result: dict[str, Any], messages: bytes, module: bytes, shift: int, limits: Limits) -> Reply:
    """What the program in the container handed back, as a `Reply`.

    Args:
        shift: lines in front of the job's text.

    Raises:
        WorkerLost: the compiler could not run, or the result is malformed.
    """
    end, code, seconds, truncated = (result.get(key) for key in ("end", "code", "seconds", "truncated"))
    if not (isinstance(code, int) and isinstance(seconds, (int, float)) and 0 <= seconds < math.inf):
        raise WorkerLost("The program in the container handed back a malformed result.")
    if end == "wall":
        return Reply(Status.TIMEOUT, detail=f"Stopped after {limits.wall:g} s.", seconds=seconds)
    if end == "cpu":
        return Reply(Status.TIMEOUT, detail=f"Stopped after {limits.cpu:g} CPU seconds.", seconds=seconds)
    if end == "memory" or (code != 0 and result.get("killed_for_memory")):
        detail = f"Lean took more than {limits.memory >> 20} MiB of memory, or all that the container had."
        return Reply(Status.OUT_OF_MEMORY, detail=detail, seconds=seconds)
    if end == "crash":
        return Reply(Status.CRASHED, detail=str(result.get("detail", ""))[:300] or "Lean crashed.", seconds=seconds)
    understood, other = _messages(messages, shift)
    words = " ".join(other[-500:].decode("utf-8", "replace").split())
    said = f" It said: {words}" if words else ""
    if code == 2 and words:
        raise WorkerLost(f"The compiler in the container could not run: {words}")
    if code not in (0, 1):
        how = f"by signal {-code}" if code < 0 else f"with exit status {code}"
        return Reply(Status.CRASHED, detail=f"Lean ended {how}.{said}", seconds=seconds)
    if code == 1 and not any(m.severity == "error" for m in understood) and not truncated:
        detail = f"Lean ended with exit status 1 and no error message.{said}"
        return Reply(Status.CRASHED, detail=detail, seconds=seconds)
    kept, cut = cut_messages(understood, limits.output)
    detail = "The compiled module is too large to hand back." if result.get("module_too_large") else ""
    return Reply(
        Status.DONE, kept, olean=module or None, detail=detail, seconds=seconds, truncated=cut or bool(truncated)
    )


def _messages(lines: bytes, shift: int) -> tuple[list[RawMessage], bytes]:
    """The messages, in the lines of the job's text, and all that is none."""
    understood, other = [], []
    for line in lines.split(b"\n"):
        try:
            message = read_message(json.loads(line))
        except (ValueError, RecursionError):
            other.append(line)
        else:
            understood.append(replace(message, line=max(message.line - shift, 1)))
    return understood, b"\n".join(other)


def _object(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise WorkerLost("The program in the container broke its protocol.")
    return value
