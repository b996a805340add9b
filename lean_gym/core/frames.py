"""What goes over the wire between the client and the fork server, and from a child to the server.

A frame is a header (payload length, kind, nonce) and its payload. The nonce names a job; the client draws it at
random. A child never holds the socket: it answers on a pipe of its own, of which the server believes nothing but the
lengths, and the server gives the answer the nonce of the job that it started that child for.
"""

from __future__ import annotations

import struct

__all__ = ["Answer", "FrameError", "FrameReader", "Request", "Result", "frame", "pack_table", "unpack_table"]

HELLO, READY, FAILED, JOB, CANCEL, RESULT = b"H", b"R", b"F", b"J", b"C", b"D"

DONE, TIMEOUT, OUT_OF_MEMORY, CRASHED, LOST = range(5)
"""How a job ended. LOST: the server could not run it; no fault of the job."""

TRUNCATED, MODULE_TOO_LARGE = 1, 2
"""Flags of an answer: messages were cut; the module was too large to hand back."""

MAX_MODULE = 64 << 20
MAX_PAYLOAD = 256 << 20

_HEADER = struct.Struct("<IcQ")
_REQUEST = struct.Struct("<dQQdI?")
_RESULT = struct.Struct("<BBddQIII")
_ANSWER = struct.Struct("<QBII")


class FrameError(Exception):
    """Bytes that are no frame of this protocol."""


def frame(kind: bytes, nonce: int, payload: bytes) -> bytes:
    """One frame."""
    return _HEADER.pack(len(payload), kind, nonce) + payload


def pack_table(table: dict[str, list[str]]) -> bytes:
    """Named lists of strings as a payload."""
    parts = []
    for key, values in table.items():
        for text in (key, str(len(values)), *values):
            data = text.encode("utf-8", "surrogateescape")
            parts.append(struct.pack("<I", len(data)) + data)
    return b"".join(parts)


def unpack_table(payload: bytes) -> dict[str, list[str]]:
    """Inverse of `pack_table`."""
    texts = []
    at = 0
    while at < len(payload):
        (size,) = struct.unpack_from("<I", payload, at)
        texts.append(payload[at + 4 : at + 4 + size].decode("utf-8", "surrogateescape"))
        at += 4 + size
    table: dict[str, list[str]] = {}
    while texts:
        count = int(texts[1])
        table[texts[0]] = texts[2 : 2 + count]
        del texts[: 2 + count]
    return table


class FrameReader:
    """Cuts a stream of bytes into frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[tuple[bytes, int, bytes]]:
        """The frames (kind, nonce, payload) that `data` completes. Raises `FrameError` for an impossible length."""
        self._buffer += data
        frames = []
        while len(self._buffer) >= _HEADER.size:
            length, kind, nonce = _HEADER.unpack_from(self._buffer)
            if length > MAX_PAYLOAD:
                raise FrameError(f"a frame of {length} bytes; at most {MAX_PAYLOAD} are sent")
            end = _HEADER.size + length
            if len(self._buffer) < end:
                break
            frames.append((kind, nonce, bytes(self._buffer[_HEADER.size : end])))
            del self._buffer[:end]
        return frames


class Request:
    """A job on its way to the server: limits as in `Limits`, the text as UTF-8."""

    __slots__ = ("cpu", "heartbeats", "memory", "module", "output", "text", "wall")

    def __init__(
        self, cpu: float, memory: int, output: int, wall: float, heartbeats: int, module: bool, text: bytes
    ) -> None:
        self.cpu = cpu
        self.memory = memory
        self.output = output
        self.wall = wall
        self.heartbeats = heartbeats
        self.module = module
        self.text = text

    def pack(self) -> bytes:
        """As a payload."""
        head = _REQUEST.pack(self.cpu, self.memory, self.output, self.wall, self.heartbeats, self.module)
        return head + self.text

    @classmethod
    def unpack(cls, payload: bytes) -> Request:
        """Inverse of `pack`."""
        cpu, memory, output, wall, heartbeats, module = _REQUEST.unpack_from(payload)
        return cls(cpu, memory, output, wall, heartbeats, module, payload[_REQUEST.size :])


class Result:
    """A job's end, on its way to the client. `messages`: JSON objects, one a line; `peak`: bytes of resident memory."""

    __slots__ = ("cpu", "detail", "flags", "messages", "module", "peak", "seconds", "status")

    def __init__(
        self, status: int, flags: int = 0, detail: str = "", messages: bytes = b"", module: bytes = b""
    ) -> None:
        self.status = status
        self.flags = flags
        self.detail = detail
        self.messages = messages
        self.module = module
        self.seconds = 0.0
        self.cpu = 0.0
        self.peak = 0

    def pack(self) -> bytes:
        """As a payload."""
        detail = self.detail.encode("utf-8", "replace")
        sizes = (len(detail), len(self.messages), len(self.module))
        head = _RESULT.pack(self.status, self.flags, self.seconds, self.cpu, self.peak, *sizes)
        return b"".join((head, detail, self.messages, self.module))

    @classmethod
    def unpack(cls, payload: bytes) -> Result:
        """Inverse of `pack`. Raises `FrameError` when the lengths don't agree."""
        if len(payload) < _RESULT.size:
            raise FrameError("a result without its header")
        status, flags, seconds, cpu, peak, *sizes = _RESULT.unpack_from(payload)
        if len(payload) != _RESULT.size + sum(sizes) or status > LOST:
            raise FrameError("a result whose parts don't add up")
        first = _RESULT.size + sizes[0]
        second = first + sizes[1]
        detail = payload[_RESULT.size : first].decode("utf-8", "replace")
        result = cls(status, flags, detail, payload[first:second], payload[second:])
        result.seconds, result.cpu, result.peak = seconds, cpu, peak
        return result


class Answer:
    """A child's answer as it arrives: one byte when it is confined and starts, then a header, messages and module.

    Args:
        nonce: that of the child's job.
        output: most bytes of messages that the child may send.
    """

    START = b"S"

    def __init__(self, nonce: int, output: int) -> None:
        self.nonce = nonce
        self.flags = 0
        self._limit = output
        self._buffer = bytearray()
        self._sizes: tuple[int, int] | None = None

    @staticmethod
    def pack(nonce: int, flags: int, messages: bytes, module: bytes) -> bytes:
        """What the child writes after `START`."""
        return b"".join((_ANSWER.pack(nonce, flags, len(messages), len(module)), messages, module))

    @property
    def started(self) -> bool:
        """Whether the child came as far as the candidate's text."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> bool:
        """Take more bytes. False as soon as they can't be an answer any more."""
        self._buffer += data
        head = 1 + _ANSWER.size
        if self._sizes is None and len(self._buffer) >= head:
            nonce, flags, messages, module = _ANSWER.unpack_from(self._buffer, 1)
            if self._buffer[:1] != self.START or nonce != self.nonce or messages > self._limit or module > MAX_MODULE:
                return False
            self.flags, self._sizes = flags, (messages, module)
        return self._sizes is None or len(self._buffer) <= head + sum(self._sizes)

    @property
    def complete(self) -> bool:
        """Whether all of it is there, and nothing else."""
        return self._sizes is not None and len(self._buffer) == 1 + _ANSWER.size + sum(self._sizes)

    def parts(self) -> tuple[bytes, bytes]:
        """(messages, module) of a complete answer."""
        assert self._sizes is not None
        start = 1 + _ANSWER.size
        middle = start + self._sizes[0]
        return bytes(self._buffer[start:middle]), bytes(self._buffer[middle:])
