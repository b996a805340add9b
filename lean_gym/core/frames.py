"""What goes over the wire between the client and the fork server, and from a child to the server.

A frame is a header (payload length, kind, nonce) and its payload. The nonce names a job; the client draws it at
random. A child never holds the socket: it answers on a pipe of its own, of which the server believes nothing but the
lengths, and the server gives the answer the nonce of the job that it started that child for.
"""

from __future__ import annotations

import struct

__all__ = ["Answer", "FrameError", "FrameReader", "Part", "Request", "Result", "frame", "pack_table", "unpack_table"]

HELLO, READY, FAILED, JOB, CANCEL, RESULT = _KINDS = b"H", b"R", b"F", b"J", b"C", b"D"

DONE, TIMEOUT, OUT_OF_MEMORY, CRASHED, LOST = range(5)
"""How a job ended. LOST: the server could not run it; no fault of the job."""

TRUNCATED, MODULE_TOO_LARGE = 1, 2
"""Flags of a part: messages were cut; the module was too large to hand back."""

MAX_MODULE = 64 << 20
MAX_COMMANDS = 64 << 10
"""Most bytes of the list of commands; a child leaves out what is beyond."""
MAX_PAYLOAD = 256 << 20

_HEADER = struct.Struct("<IcQ")
_REQUEST = struct.Struct("<dQQdI??H")
_LENGTH = struct.Struct("<I")
_RESULT = struct.Struct("<BddQI")
_ANSWER = struct.Struct("<QH")
_PART = struct.Struct("<BIII")


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
        """The frames (kind, nonce, payload) that `data` completes. Raises `FrameError` for an impossible header."""
        self._buffer += data
        frames = []
        while len(self._buffer) >= _HEADER.size:
            length, kind, nonce = _HEADER.unpack_from(self._buffer)
            if kind not in _KINDS:
                raise FrameError(f"a frame of unknown kind {kind!r}")
            if length > MAX_PAYLOAD:
                raise FrameError(f"a frame of {length} bytes; at most {MAX_PAYLOAD} are sent")
            end = _HEADER.size + length
            if len(self._buffer) < end:
                break
            frames.append((kind, nonce, bytes(self._buffer[_HEADER.size : end])))
            del self._buffer[:end]
        return frames


class Request:
    """A job on its way to the server: limits as in `Limits`, the texts as UTF-8.

    Several texts are elaborated one after another in one process, each over the fresh environment, within the limits
    of one job. `trusted`: they are nobody's submission; their modules are handed back though a proof is left open,
    and no command is refused.
    """

    __slots__ = ("cpu", "heartbeats", "memory", "module", "output", "texts", "trusted", "wall")

    def __init__(
        self,
        cpu: float,
        memory: int,
        output: int,
        wall: float,
        heartbeats: int,
        module: bool,
        texts: tuple[bytes, ...],
        trusted: bool = False,
    ) -> None:
        self.cpu = cpu
        self.memory = memory
        self.output = output
        self.wall = wall
        self.heartbeats = heartbeats
        self.module = module
        self.texts = texts
        self.trusted = trusted

    def pack(self) -> bytes:
        """As a payload."""
        head = _REQUEST.pack(
            self.cpu, self.memory, self.output, self.wall, self.heartbeats, self.module, self.trusted, len(self.texts)
        )
        return b"".join((head, *(_LENGTH.pack(len(text)) + text for text in self.texts)))

    @classmethod
    def unpack(cls, payload: bytes) -> Request:
        """Inverse of `pack`."""
        cpu, memory, output, wall, heartbeats, module, trusted, count = _REQUEST.unpack_from(payload)
        texts = []
        at = _REQUEST.size
        for _ in range(count):
            (size,) = _LENGTH.unpack_from(payload, at)
            at += _LENGTH.size + size
            texts.append(payload[at - size : at])
        return cls(cpu, memory, output, wall, heartbeats, module, tuple(texts), trusted)


class Part:
    """What came of one text.

    `messages`: JSON objects, one a line. `commands`: "OFFSET KIND", one a line, OFFSET being the byte at which the
    command starts and KIND Lean's syntax kind, after a "!" if the command was refused. `module`: `.olean` bytes.
    """

    __slots__ = ("commands", "flags", "messages", "module")

    def __init__(self, flags: int = 0, messages: bytes = b"", commands: bytes = b"", module: bytes = b"") -> None:
        self.flags = flags
        self.messages = messages
        self.commands = commands
        self.module = module


def _pack_parts(parts: list[Part]) -> bytes:
    heads = [_PART.pack(p.flags, len(p.messages), len(p.commands), len(p.module)) for p in parts]
    return b"".join((*heads, *(data for p in parts for data in (p.messages, p.commands, p.module))))


def _unpack_parts(payload: bytes | bytearray, at: int, count: int) -> list[Part] | None:
    """Inverse of `_pack_parts` for what starts at byte `at`; None when the lengths don't add up."""
    parts = []
    end = at + count * _PART.size
    if len(payload) < end:
        return None
    for index in range(count):
        flags, *sizes = _PART.unpack_from(payload, at + index * _PART.size)
        pieces = []
        for size in sizes:
            pieces.append(bytes(payload[end : end + size]))
            end += size
        parts.append(Part(flags, *pieces))
    return parts if end == len(payload) else None


class Result:
    """A job's end, on its way to the client: a part for each text if it is DONE. `peak`: bytes of resident memory."""

    __slots__ = ("cpu", "detail", "parts", "peak", "seconds", "status")

    def __init__(self, status: int, detail: str = "", parts: list[Part] | None = None) -> None:
        self.status = status
        self.detail = detail
        self.parts = parts or []
        self.seconds = 0.0
        self.cpu = 0.0
        self.peak = 0

    def pack(self) -> bytes:
        """As a payload."""
        detail = self.detail.encode("utf-8", "replace")
        head = _RESULT.pack(self.status, self.seconds, self.cpu, self.peak, len(detail))
        return b"".join((head, detail, _LENGTH.pack(len(self.parts)), _pack_parts(self.parts)))

    @classmethod
    def unpack(cls, payload: bytes) -> Result:
        """Inverse of `pack`. Raises `FrameError` when the lengths don't agree."""
        if len(payload) < _RESULT.size:
            raise FrameError("a result without its header")
        status, seconds, cpu, peak, size = _RESULT.unpack_from(payload)
        at = _RESULT.size + size
        if len(payload) < at + _LENGTH.size or status > LOST:
            raise FrameError("a result whose parts don't add up")
        (count,) = _LENGTH.unpack_from(payload, at)
        parts = _unpack_parts(payload, at + _LENGTH.size, count)
        if parts is None:
            raise FrameError("a result whose parts don't add up")
        result = cls(status, payload[_RESULT.size : at].decode("utf-8", "replace"), parts)
        result.seconds, result.cpu, result.peak = seconds, cpu, peak
        return result


class Answer:
    """A child's answer as it arrives: one byte when it is confined and starts, then a header and a part for each text.

    Args:
        nonce: that of the child's job.
        output: most bytes of messages that the child may send for one text.
        texts: how many texts the job has.
    """

    START = b"S"

    def __init__(self, nonce: int, output: int, texts: int = 1) -> None:
        self.nonce = nonce
        self._limits = (output, MAX_COMMANDS, MAX_MODULE)
        self._texts = texts
        self._buffer = bytearray()
        self._size: int | None = None

    @staticmethod
    def pack(nonce: int, parts: list[Part]) -> bytes:
        """What the child writes after `START`."""
        return _ANSWER.pack(nonce, len(parts)) + _pack_parts(parts)

    @property
    def started(self) -> bool:
        """Whether the child came as far as the candidate's text."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> bool:
        """Take more bytes. False as soon as they can't be an answer any more."""
        self._buffer += data
        head = 1 + _ANSWER.size + self._texts * _PART.size
        if self._size is None and len(self._buffer) >= head:
            nonce, texts = _ANSWER.unpack_from(self._buffer, 1)
            if self._buffer[:1] != self.START or nonce != self.nonce or texts != self._texts:
                return False
            size = head
            for index in range(texts):
                _, *sizes = _PART.unpack_from(self._buffer, 1 + _ANSWER.size + index * _PART.size)
                if any(given > limit for given, limit in zip(sizes, self._limits)):
                    return False
                size += sum(sizes)
            self._size = size
        return self._size is None or len(self._buffer) <= self._size

    @property
    def complete(self) -> bool:
        """Whether all of it is there, and nothing else."""
        return len(self._buffer) == self._size

    def parts(self) -> list[Part]:
        """The parts of a complete answer."""
        parts = _unpack_parts(self._buffer, 1 + _ANSWER.size, self._texts)
        assert parts is not None
        return parts
