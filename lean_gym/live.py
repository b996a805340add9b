"""What running verifiers do, for `lean-gym pool top`: each writes a small file now and then, which others read."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .paths import cache_dir

__all__ = ["Beacon", "read_all"]

log = logging.getLogger(__name__)

_EVERY = 1.0  # seconds between two writings
_STALE = 10.0  # seconds after which a file of this machine's dead program, or any of another machine, is ignored


def folder() -> Path:
    """Where the files are: one for each verifier that runs."""
    return cache_dir() / "live"


class Beacon:
    """Writes `stats()` to a file each second while its task runs.

    Args:
        name: of the file, unique on this machine.
        stats: JSON values.
    """

    def __init__(self, name: str, stats: Callable[[], dict[str, Any]]) -> None:
        self.path = folder() / f"{socket.gethostname()}-{name}.json"
        self._stats = stats

    async def run(self) -> None:
        """Write until cancelled, then remove the file. A folder that can't be written to is no reason to stop."""
        try:
            while True:
                self._write()
                await asyncio.sleep(_EVERY)
        except OSError as error:
            log.info("lean-gym pool top won't show this program: %s can't be written (%s)", self.path, error)
        finally:
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)

    def _write(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        data = {"pid": os.getpid(), "host": socket.gethostname(), "time": time.time(), **self._stats()}
        half = self.path.with_suffix(".part")
        half.write_text(json.dumps(data))
        half.replace(self.path)  # a reader sees the old text or the new one


def read_all() -> list[dict[str, Any]]:
    """What all running verifiers last wrote, oldest program first; files that dead programs left are removed."""
    found = []
    for path in sorted(folder().glob("*.json")):
        try:
            data = json.loads(path.read_text())
            here = data["host"] == socket.gethostname()
            gone = not _alive(data["pid"]) if here else time.time() - data["time"] > _STALE
        except (OSError, ValueError, KeyError, TypeError):
            continue  # just replaced or removed, or not ours
        if gone:
            with contextlib.suppress(OSError):
                path.unlink()
            continue
        found.append(data)
    return sorted(found, key=lambda data: (data["host"], data["pid"]))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # another user's, but there
    return True
