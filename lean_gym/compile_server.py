"""Compile many Lean texts, one after another: `lean-gym-compile --serve` in our images.

The protocol is that of `workers/inside/compile.py`: frames of a length (32 bits, big-endian) and that many bytes.
First it says JSON {"tool", "version"}. For each text it takes JSON {"wall", "cpu" (seconds), "memory", "output",
"module" (bytes; 0: none is wanted)} and the whole file. It answers JSON {"end": "exit" | "wall" | "cpu" | "memory" |
"crash", "code", "seconds", "truncated", "killed_for_memory", "module_too_large", "detail" (of a crash)}, the messages
(a JSON object a line) and the module. It ends when its standard input does.

Core is imported once; a confined child, forked for each text, elaborates it and leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import json
import logging
import struct
import sys
from typing import Any, BinaryIO

from .core.frames import MAX_MODULE
from .theorem import CORE_HEADER, split_header
from .workers.base import Job, Limits, RawMessage, Reply, Status, WorkerLost
from .workers.core import CoreWorker

__all__ = ["main", "serve"]

_LENGTH = struct.Struct(">L")
_FAILED = 70  # exit code of a Lean that did not come to its end; Lean's own are 0 and 1
_MODULES = split_header(CORE_HEADER)[0]


async def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Answer the texts that come from `source` until it ends. Raises `WorkerLost` when Lean can't be had here."""
    worker = CoreWorker(capacity=1, hugepages=False)  # quick to start: it may serve one text only
    await worker.start()
    try:
        _send(target, json.dumps({"tool": "lean-gym-compile", "version": worker.lean}).encode())
        while (wishes := await asyncio.to_thread(_receive, source)) is not None:
            file = await asyncio.to_thread(_receive, source)
            if file is None:
                break
            for part in await _compile(worker, json.loads(wishes), file):
                _send(target, part)
    finally:
        await worker.aclose()


async def _compile(worker: CoreWorker, wishes: dict[str, Any], file: bytes) -> tuple[bytes, bytes, bytes]:
    """The three parts of an answer."""
    text = file.decode("utf-8", "replace")
    modules, _, rest = split_header(text)
    if modules != _MODULES:
        message = RawMessage("error", 1, 0, f"This compiler has {' '.join(_MODULES)} to import and nothing else.")
        return _answer(Reply(Status.DONE, (message,)), 0)
    limits = Limits(
        wall=float(wishes["wall"]),
        cpu=float(wishes["cpu"]),
        memory=int(wishes["memory"]),
        output=int(wishes["output"]),
    )
    largest = int(wishes["module"])
    (reply,) = await worker.compile([Job(CORE_HEADER, rest, limits, module=largest > 0)])
    return _answer(reply, text[: len(text) - len(rest)].count("\n"), largest)


def _answer(reply: Reply, shift: int, largest: int = MAX_MODULE) -> tuple[bytes, bytes, bytes]:
    """A reply in the protocol's words. `shift`: lines of the file before what the reply's messages count."""
    code, end = 0, "exit"
    if reply.status is Status.TIMEOUT:
        end = "cpu" if "CPU" in reply.detail else "wall"
    elif reply.status is Status.OUT_OF_MEMORY:
        end = "memory"
    elif reply.status is not Status.DONE:
        code, end = _FAILED, "crash"
    elif any(message.severity == "error" for message in reply.messages):
        code = 1
    module = reply.olean or b""
    result = {
        "end": end,
        "code": code,
        "seconds": reply.seconds,
        "truncated": reply.truncated,
        "killed_for_memory": False,
        "module_too_large": len(module) > largest > 0,
        "detail": reply.detail if end == "crash" else "",
    }
    lines = "\n".join(_line(message, shift) for message in reply.messages)
    return json.dumps(result).encode(), lines.encode(), module if len(module) <= largest else b""


def _line(message: RawMessage, shift: int) -> str:
    place = {"line": message.line + shift, "column": message.column}
    return json.dumps({"severity": message.severity, "pos": place, "data": message.text, "kind": message.kind})


def _receive(source: BinaryIO) -> bytes | None:
    """A frame, or None at the end."""
    head = source.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = source.read(length)
    return data if len(data) == length else None


def _send(target: BinaryIO, data: bytes) -> None:
    target.write(_LENGTH.pack(len(data)) + data)
    target.flush()


def main() -> int:
    """The program. Returns the exit code."""
    logging.basicConfig(level=logging.WARNING)
    try:
        asyncio.run(serve(sys.stdin.buffer, sys.stdout.buffer))
    except WorkerLost as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
