"""Removes the containers of a program that was killed: a small process of ours that outlives it.

The program holds one end of a pipe, the guard process the other. When the pipe closes, or the program is seen to have
ended (a forked child may still hold the pipe), the guard removes every container that carries the program's label on
the engines it was told of, trying again while an engine is down, and ends. What the guard can't do, because it was
killed too or the machine went down, the next program does at its start, and the relay in the container by itself.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from .owner import OWNER, Owner

if TYPE_CHECKING:
    from .hijack import Endpoint

__all__ = ["Guard", "main"]

_POLL = 2.0  # seconds between two looks at the program
_SWEEPS = (0.0, 1.0, 1.0, 2.0, 4.0)  # pauses: an engine may still be at work on a container that the program asked for
_PATIENCE = 600.0  # seconds that an engine may be down after the program was killed
_PATIENCE_BYE = 15.0  # the same after an orderly end
_RETRY = 3.0
_GRACE = 3.0  # seconds that `release` waits for the guard's end

_BOOTSTRAP = "import sys; sys.path[:] = sys.argv[1:]; from lean_gym.workers.reaper import main; main()"


class Guard:
    """A claim on this program's guard process, which starts with the first claim and ends with the last."""

    _lock: ClassVar[threading.Lock] = threading.Lock()
    _process: ClassVar[subprocess.Popen[bytes] | None] = None
    _of: ClassVar[int] = 0  # the process that started it: a forked child must not use its parent's
    _claims: ClassVar[int] = 0
    _told: ClassVar[list[bytes]] = []

    def __init__(self) -> None:
        self._held = True

    @classmethod
    def watch(cls, endpoint: Endpoint) -> Guard:
        """Have this program's containers on that engine removed should the program die."""
        line = json.dumps({"url": endpoint.url, "tls_path": endpoint.tls_path}).encode() + b"\n"
        with cls._lock:
            if cls._of != os.getpid():
                cls._process, cls._claims, cls._told, cls._of = None, 0, [], os.getpid()
            if line not in cls._told:
                cls._told.append(line)
            if cls._process is None or cls._process.poll() is not None:
                cls._process = _spawn()
                cls._send(b"".join(cls._told))
            else:
                cls._send(line)
            cls._claims += 1
        return cls()

    @classmethod
    def pid(cls) -> int:
        """Process id of the guard; 0 when there is none."""
        return cls._process.pid if cls._process is not None and cls._process.poll() is None else 0

    @classmethod
    def _send(cls, data: bytes) -> None:
        assert cls._process is not None and cls._process.stdin is not None
        # A guard that was killed this moment is replaced at the next claim.
        with contextlib.suppress(BrokenPipeError):
            cls._process.stdin.write(data)
            cls._process.stdin.flush()

    def release(self) -> None:
        """Give the claim back; may take seconds. Safe to call twice."""
        with self._lock:
            if not self._held or Guard._of != os.getpid():
                return
            self._held = False
            Guard._claims -= 1
            process = Guard._process
            if Guard._claims or process is None:
                return
            Guard._send(b'{"bye": true}\n')
            Guard._process, Guard._told = None, []
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        # Longer only when an engine is down: then the guard goes on by itself.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)


def _spawn() -> subprocess.Popen[bytes]:
    root = str(Path(__file__).resolve().parent.parent.parent)
    process = subprocess.Popen(
        [sys.executable, "-c", _BOOTSTRAP, root, *(path for path in sys.path if path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # a Ctrl-C is for the program
        cwd="/",
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps({"owner": str(Owner.current())}).encode() + b"\n")
    return process


def main() -> None:
    """The guard process: reads lines from stdin until it ends, then removes and returns."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    owner: Owner | None = None
    engines: list[tuple[str, str]] = []
    bye = False
    pending = b""
    while True:
        if select.select([0], [], [], _POLL)[0]:
            data = os.read(0, 1 << 16)
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                said = json.loads(line)
                if "owner" in said:
                    owner = Owner.parse(said["owner"])
                elif "url" in said and (said["url"], said["tls_path"]) not in engines:
                    engines.append((said["url"], said["tls_path"]))
                bye = bye or "bye" in said
            if not data:
                break
        elif owner is not None and owner.gone():
            break
    if owner is None:
        return
    workers = [threading.Thread(target=_sweep, args=(owner, *engine, bye)) for engine in engines]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def _sweep(owner: Owner, url: str, tls_path: str, bye: bool) -> None:
    """Remove the owner's containers from one engine."""
    from .base import WorkerLost
    from .docker_client import connect_client, explained, remove_container
    from .hijack import Endpoint

    def sweep() -> None:
        client = connect_client(Endpoint(url, tls_path), 20.0)
        try:
            for item in client.containers(all=True, filters={"label": f"{OWNER}={owner}"}):
                remove_container(client, item["Id"])
        finally:
            client.close()

    until = time.monotonic() + (_PATIENCE_BYE if bye else _PATIENCE)
    pauses = list(_SWEEPS[:1] if bye else _SWEEPS)
    while pauses and time.monotonic() < until:
        time.sleep(pauses[0])
        try:
            explained(url, "remove containers", sweep)
        except WorkerLost:
            time.sleep(_RETRY)
            continue
        pauses.pop(0)
