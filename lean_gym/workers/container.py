"""`Container`: one container from its making to its removal, whatever happens in between."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import os
import secrets
from concurrent.futures import Future

from .base import WorkerLost
from .engine import ContainerSpec, Engine
from .hijack import RawStream

__all__ = ["Container", "new_name"]

log = logging.getLogger(__name__)

_numbers = itertools.count(1)
_TAIL = 4000  # bytes of its first process's output that are kept


def new_name(kind: str) -> str:
    """A name that no other container on the engine has."""
    return f"lean-gym-{kind}-{os.getpid()}-{next(_numbers)}-{secrets.token_hex(3)}"


class Container:
    """One container. `aclose` leaves nothing of it, even when `start` was cancelled on the way.

    Args:
        engine: where.
        spec: what.

    Attributes:
        ended: set when its first process has ended, or the engine's word of it was lost.
    """

    def __init__(self, engine: Engine, spec: ContainerSpec) -> None:
        self.engine = engine
        self.spec = spec
        self.ended = asyncio.Event()
        self._making: Future[str] | None = None
        self._id = ""
        self._log: RawStream | None = None
        self._tail = b""
        self._watching: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """Its name on the engine."""
        return self.spec.name

    @property
    def said(self) -> str:
        """The end of what its first process printed."""
        return self._tail.decode("utf-8", "replace").strip()

    async def start(self) -> None:
        """Make it and start it. Raises `WorkerLost`."""
        await self.engine.connect()
        self._making = self.engine.create(self.spec)
        self._id = await asyncio.wrap_future(self._making)
        self._log = await self.engine.attach(self._id, self.spec.leashed)
        await self.engine.start(self._id)
        self._watching = asyncio.get_running_loop().create_task(self._watch(self._log))

    async def execute(self, command: tuple[str, ...]) -> RawStream:
        """Run a program in it, as its user. Raises `WorkerLost`."""
        return await self.engine.execute(self._id, command, self.spec.user)

    async def _watch(self, stream: RawStream) -> None:
        with contextlib.suppress(OSError):
            while True:
                _, data = await stream.read()
                if not data:
                    break
                self._tail = (self._tail + data)[-_TAIL:]
        self.ended.set()

    async def aclose(self) -> None:
        """Kill and remove it. Safe to call twice. An engine that is down is tried again in the background."""
        making, self._making = self._making, None
        # Not begun: nothing to remove. Else the engine may be at work on it, and what it makes must not be missed.
        if making is not None and not making.cancel():
            try:
                with contextlib.suppress(WorkerLost):
                    await asyncio.wrap_future(making)
                await self.engine.remove(self.name)
            except WorkerLost as error:
                log.warning("container %s is removed later: %s", self.name, error)
                self.engine.remove_later(self.name, making)
            except BaseException:
                self.engine.remove_later(self.name, making)
                raise
        watching, self._watching = self._watching, None
        if watching is not None:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
        stream, self._log = self._log, None
        if stream is not None:
            await stream.aclose()
        self.ended.set()
