"""`RelayTransport`: HTTP into a container that has no network, through the stdin and stdout of a program in it.

The other end is `inside/relay.py`. A hostile proof may run as the same user there, and may stop the relay or write in
its name; it then harms the answers that it could forge at the server anyway. Here only lengths are believed, and they
are bounded.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import struct
from pathlib import Path
from typing import Protocol

from .base import WorkerLost, WorkerUnavailable
from .hijack import STDOUT
from .transport import MAX_ANSWER

__all__ = ["RelayTransport", "Stream", "relay_command"]

log = logging.getLogger(__name__)

_ASK, _ANSWER, _FAILED, _PING = 1, 2, 3, 4
_HEAD = struct.Struct(">QBL")
_STATUS = struct.Struct(">H")

_PING_EVERY = 20.0  # seconds
_SILENCE = 600.0  # seconds without a word from here after which the relay gives the container up
_GRACE = 5.0  # seconds between the end of its stdin and the container's end
_MORE = 5.0  # seconds that the relay waits longer than we do: our own deadline decides
_TAIL = 2000  # bytes of its stderr that are kept
_MAX_LATE = 10_000  # answers given up that may still come


class Stream(Protocol):
    """What a relay needs of `hijack.RawStream`."""

    async def read(self) -> tuple[int, bytes]: ...

    async def write(self, data: bytes) -> None: ...

    async def aclose(self) -> None: ...


def relay_command(port: int) -> tuple[str, ...]:
    """The program to run in the container, whose server listens on 127.0.0.1:`port`."""
    source = (Path(__file__).parent / "inside" / "relay.py").read_text("utf-8")
    return ("python3", "-c", source, str(port), str(MAX_ANSWER), f"{_SILENCE:g}", f"{_GRACE:g}")


class RelayTransport:
    """Requests through one relay, several at a time. Implements `Transport`.

    Args:
        stream: to a running `relay_command`; closed with the transport.
        url: what messages call the server.
    """

    def __init__(self, stream: Stream, url: str) -> None:
        self.url = url
        self._stream = stream
        self._waiting: dict[int, asyncio.Future[tuple[int, bytes]]] = {}
        self._late: set[int] = set()
        self._lost = ""
        self._stderr = b""
        self._tasks: list[asyncio.Task[None]] = []

    def __repr__(self) -> str:
        return f"<RelayTransport {self.url} {self._lost or f'{len(self._waiting)} waiting'}>"

    async def request(self, method: str, path: str, body: bytes | None, timeout: float) -> tuple[int, bytes]:
        """As `Transport.request`."""
        if self._lost:
            raise WorkerUnavailable(self._lost)
        self.watch()
        # Random: a proof that writes in the relay's name can't guess whose answer to give.
        number = secrets.randbits(64)
        payload = f"{method} {path} {timeout + _MORE:.3f}\n".encode("ascii") + (body or b"")
        answer: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            return await asyncio.wait_for(self._exchange(number, payload, answer), timeout)
        except asyncio.TimeoutError:
            raise WorkerLost(f"{self.url}{path} gave no answer within {timeout:g} s.") from None
        finally:
            # Given up, by time or cancellation: the answer may still come.
            if self._waiting.pop(number, None) is not None and not self._lost:
                self._late.add(number)
                if len(self._late) > _MAX_LATE:
                    self._fail(f"{self.url} owes {_MAX_LATE} answers.")

    def watch(self) -> None:
        """Keep the relay awake, and notice its end, from now on. The first request does so by itself."""
        if not self._tasks:
            loop = asyncio.get_running_loop()
            self._tasks = [loop.create_task(self._listen()), loop.create_task(self._ping())]

    async def _exchange(
        self, number: int, payload: bytes, answer: asyncio.Future[tuple[int, bytes]]
    ) -> tuple[int, bytes]:
        try:
            # One write a frame: a cancelled one can't leave half of it.
            await self._stream.write(_HEAD.pack(number, _ASK, len(payload)) + payload)
        except OSError as error:
            self._fail(f"{self.url}: the way into the container broke: {error}.")
        return await answer

    async def aclose(self) -> None:
        """As `Transport.aclose`. The relay ends the container soon after, if nobody else does."""
        self._fail(f"{self.url} was closed.")
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._stream.aclose()

    def fail(self, reason: str) -> None:
        """Let all requests, now and later, raise `WorkerLost(reason)`: the container is known to be gone."""
        self._fail(reason)

    def _fail(self, reason: str) -> None:
        if self._lost:
            return
        self._lost = reason
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(WorkerLost(reason))
        self._waiting.clear()

    async def _ping(self) -> None:
        while not self._lost:
            await asyncio.sleep(_PING_EVERY)
            try:
                await self._stream.write(_HEAD.pack(0, _PING, 0))
            except OSError as error:
                self._fail(f"{self.url}: the way into the container broke: {error}.")

    async def _listen(self) -> None:
        buffer = bytearray()
        try:
            while not self._lost:
                number, data = await self._stream.read()
                if not data:
                    said = self._stderr.decode("utf-8", "replace").strip()[-300:]
                    self._fail(f"{self.url}: the relay in the container ended{f': {said}' if said else '.'}")
                elif number == STDOUT:
                    buffer += data
                    self._take(buffer)
                else:
                    self._stderr = (self._stderr + data)[-_TAIL:]
        except OSError as error:
            self._fail(f"{self.url}: the way into the container broke: {error}.")
        except BaseException as error:
            # A bug of ours must not leave requests waiting.
            self._fail(f"{self.url}: the relay's reader failed: {error!r}.")
            raise

    def _take(self, buffer: bytearray) -> None:
        """Take whole frames from the front of the buffer."""
        while len(buffer) >= _HEAD.size and not self._lost:
            number, kind, length = _HEAD.unpack_from(buffer)
            known = number in self._waiting or number in self._late
            if not known or kind not in (_ANSWER, _FAILED) or length > MAX_ANSWER + _STATUS.size:
                self._fail(f"{self.url}: the relay in the container broke its protocol.")
                return
            if len(buffer) < _HEAD.size + length:
                return
            payload = bytes(memoryview(buffer)[_HEAD.size : _HEAD.size + length])
            del buffer[: _HEAD.size + length]
            self._late.discard(number)
            answer = self._waiting.pop(number, None)
            if answer is None or answer.done():
                continue
            if kind == _FAILED:
                words = payload[:300].decode("ascii", "replace")
                kind_of_loss = WorkerUnavailable if words.startswith("ConnectionRefusedError") else WorkerLost
                answer.set_exception(kind_of_loss(f"{self.url} can't be reached or broke off: {words}."))
            elif length < _STATUS.size:
                answer.set_exception(WorkerLost(f"{self.url}: the relay in the container broke its protocol."))
            else:
                answer.set_result((*_STATUS.unpack_from(payload), payload[_STATUS.size :]))
