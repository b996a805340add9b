"""`DockerWorker`: a kimina server in a disposable container, reached without any network."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import shutil
import tempfile
import time
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ..theorem import split_header
from .base import Job, Reply, WorkerLost, WorkerUnavailable
from .container import Container, new_name
from .engine import ContainerInfo, ContainerSpec, Engine, ImageInfo
from .kimina import KiminaWorker
from .relay import RelayTransport, relay_command
from .transport import HttpTransport

__all__ = ["DockerOptions", "DockerWorker", "Engines", "image_on"]

log = logging.getLogger(__name__)

T = TypeVar("T")

STOCK_IMAGE = "projectnumina/kimina-lean-server:2.0.0"

SOCKET_COMMAND = ("python", "-m", "uvicorn", "server.main:app", "--uds", "{socket}", "--log-level", "critical")

_INSIDE = "/run/lean-gym"  # where the container sees the folder of its socket
ENGINE_PATIENCE = 60.0  # seconds that an engine may take to come back
_DOWN = 30.0  # seconds that an engine which failed is passed over while another one works
MARGIN = 60.0  # seconds before a container's expiry at which its worker takes no more jobs


@dataclass(frozen=True)
class DockerOptions:
    """How containers are made. The names are those of the settings in Python, on the command line and in YAML.

    Attributes:
        image: with a kimina server as its command and `python3` on its PATH.
        docker_hosts: engines: unix:///PATH, tcp://HOST:PORT or ssh://[USER@]HOST; none: `DOCKER_HOST` or the usual
            socket. tls_path: folder of ca.pem, cert.pem, key.pem for tcp; "": `DOCKER_CERT_PATH`.
        cpus: processors a container may use; cut to what the engine has.
        memory_mb: MiB of memory a container may use. repl_memory_mb: MiB of address space of one REPL in it.
        pids: processes and threads a container may have.
        tmpfs_mb: MiB of its writable /tmp, part of its memory.
        user: as `docker run --user`; "": the image's own. The stock image works as root only.
        repls: proofs at the same time in one container; 0: one for each of its processors.
        port: where the server in the container listens.
        start_timeout: seconds from the container's making until its server has judged the canaries.
        grace: seconds beyond a proof's own limit after which a container that does not answer is given up.
        lifetime: seconds after which a container may be removed by anybody; its worker ends before that.
        pull: pull the image when it is not on the engine; a start then takes as long as that.
        socket: reach the server by a Unix socket in a folder that the container shares with this machine, instead of
            by the relay: a little faster, and the container can write to this machine's disk. Local engines only.
        socket_command: the server's command then; "{socket}" in it becomes the socket's path in the container.
        env: more environment variables for the server; they win over ours.

    Raises:
        ValueError: for a setting out of its range, saying which.
    """

    image: str = STOCK_IMAGE
    docker_hosts: tuple[str, ...] = ()
    tls_path: str = ""
    cpus: float = 4.0
    memory_mb: int = 16384
    repl_memory_mb: int = 8192
    pids: int = 256
    tmpfs_mb: int = 1024
    user: str = ""
    repls: int = 0
    port: int = 8000
    start_timeout: float = 300.0
    grace: float = 30.0
    lifetime: float = 4 * 3600.0
    pull: bool = False
    socket: bool = False
    socket_command: tuple[str, ...] = SOCKET_COMMAND
    env: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in (
            "cpus",
            "memory_mb",
            "repl_memory_mb",
            "pids",
            "tmpfs_mb",
            "port",
            "start_timeout",
            "grace",
            "lifetime",
        ):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name}={getattr(self, name)}: give a number above 0")
        if self.repls < 0:
            raise ValueError(f"repls={self.repls}: give 0 or more")
        if not self.image:
            raise ValueError(f"image is empty: give the name of one, such as {STOCK_IMAGE}")
        for name in ("docker_hosts", "socket_command"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    @property
    def capacity(self) -> int:
        """Proofs at the same time in one container."""
        return self.repls or max(1, int(self.cpus))

    def environment(self, header: str) -> dict[str, str]:
        """The server's environment variables, for proofs under that header."""
        # What the server itself takes for the header: import lines, any part of Mathlib as all of it.
        modules = dict.fromkeys("Mathlib" if m.startswith("Mathlib.") else m for m in split_header(header)[0])
        imports = "\n".join(f"import {module}" for module in modules)
        return {
            "LEAN_SERVER_HOST": "127.0.0.1",
            "LEAN_SERVER_PORT": str(self.port),
            "LEAN_SERVER_LOG_LEVEL": "CRITICAL",  # at INFO a proof of 1 MB blocks the server for seconds
            "LEAN_SERVER_MAX_REPLS": str(self.capacity),  # else it counts the host's processors
            "LEAN_SERVER_MAX_REPL_MEM": f"{self.repl_memory_mb}M",
            "LEAN_SERVER_MAX_REPL_USES": "-1",
            "LEAN_SERVER_INIT_REPLS": json.dumps({imports: self.capacity}),
            "LEAN_SERVER_MAX_WAIT": "60",
            "GOOGLE_APPLICATION_CREDENTIALS": "/nonexistent",  # else it looks for a cloud for 3 s
            "PYTHONDONTWRITEBYTECODE": "1",
            **self.env,
        }

    def spec(self, image: ImageInfo, kind: str, **more: Any) -> ContainerSpec:
        """A container of that image. `kind`: part of its name. `more`: other fields of `ContainerSpec`."""
        return ContainerSpec(
            image=image.id,
            name=new_name(kind),
            cpus=self.cpus,
            memory_mb=self.memory_mb,
            pids=self.pids,
            tmpfs_mb=self.tmpfs_mb,
            user=self.user,
            lifetime=self.lifetime,
            **more,
        )


class DockerWorker:
    """Checks jobs on a kimina server in a container of its own, which `aclose` destroys.

    Args:
        header: opens every job; its modules must be in the image.
        options: see `DockerOptions`.
        engine: where; shared by workers, closed by its owner.

    Attributes:
        id, capacity, lean: as in `Worker`. id: also the container's name.
        image: the image's digest.
    """

    def __init__(self, header: str, options: DockerOptions, engine: Engine) -> None:
        self.options = options
        self.engine = engine
        self.header = header
        self.capacity = self.options.capacity
        self.id = "docker-not-started"
        self.lean = ""
        self.image = ""
        self._container: Container | None = None
        self._relay: RelayTransport | None = None
        self._socket: _SocketFolder | None = None
        self._kimina: KiminaWorker | None = None
        self._watching: asyncio.Task[None] | None = None
        self._until = math.inf
        self._ready = False

    def __repr__(self) -> str:
        return f"<DockerWorker {self.id} on {self.engine.url}{'' if self._ready else ' not running'}>"

    async def start(self) -> None:
        """Make the container, wait until its server has judged the canaries.

        Raises:
            ImportError: the docker package is not installed.
            WorkerLost: the engine, the image or the server in it fails; with the end of what the server printed.
        """
        options = self.options
        deadline = time.monotonic() + options.start_timeout
        await self.engine.wait_up(min(ENGINE_PATIENCE, options.start_timeout))
        image = await image_on(self.engine, options)
        self._until = time.monotonic() + options.lifetime - min(MARGIN, options.lifetime / 2)
        more: dict[str, Any] = {"environment": options.environment(self.header)}
        if options.socket:
            if not self.engine.endpoint.local:
                raise WorkerLost(f"socket: the engine at {self.engine.url} is on another machine.")
            self._socket = _SocketFolder()
            more["binds"] = {str(self._socket.folder): _INSIDE}
            more["command"] = tuple(word.replace("{socket}", f"{_INSIDE}/server") for word in options.socket_command)
        spec = options.spec(image, "worker", **more)
        self.id = spec.name
        self.image = image.digest
        container = self._container = Container(self.engine, spec)
        try:
            await container.start()
            # Also when requests go another way: the relay ends a container that nobody wants any more.
            relay = self._relay = RelayTransport(
                await container.execute(relay_command(options.port)), f"docker:{spec.name}"
            )
            relay.watch()
            kimina = KiminaWorker(
                HttpTransport(f"unix://{self._socket.folder}/server") if self._socket else relay,
                self.header,
                self.capacity,
                image=image.digest,
                start_timeout=max(deadline - time.monotonic(), 1.0),
                grace=options.grace,
            )
            self._kimina = kimina
            await while_running(container, kimina.start())
        except WorkerLost as error:
            said = f" It printed: {container.said[-1000:]}" if container.said else ""
            raise WorkerLost(f"The container of {options.image} did not start to work: {error}{said}") from error
        self.lean = kimina.lean
        self._ready = True
        self._watching = asyncio.get_running_loop().create_task(self._watch(container, relay))

    async def check(self, job: Job) -> Reply:
        """As `KiminaWorker.check`: `Reply.olean` is always None (see `DockerCompiler`)."""
        if self._kimina is None or not self._ready:
            raise WorkerUnavailable(f"Worker {self.id} does not run.")
        if self._container is not None and self._container.ended.is_set():
            raise WorkerUnavailable(f"The container {self.id} ended.")
        if time.monotonic() > self._until:
            raise WorkerUnavailable(f"Worker {self.id} has lived for {self.options.lifetime:g} s: no more jobs.")
        return await self._kimina.check(job)

    async def aclose(self) -> None:
        """Kill and remove the container. Safe to call twice."""
        watching, self._watching = self._watching, None
        if watching is not None:
            watching.cancel()
        self._ready = False
        kimina, self._kimina = self._kimina, None
        relay, self._relay = self._relay, None
        container, self._container = self._container, None
        folder, self._socket = self._socket, None
        # The container first: nothing else stops the proofs in it, and this may be cut short.
        try:
            if container is not None:
                await container.aclose()
        finally:
            if folder is not None:
                folder.remove()
            if kimina is not None:
                await kimina.aclose()
            if relay is not None:
                await relay.aclose()

    async def _watch(self, container: Container, relay: RelayTransport) -> None:
        await container.ended.wait()
        said = f": {container.said[-300:]}" if container.said else ""
        relay.fail(f"The container {self.id} ended{said}.")


class _SocketFolder:
    """A folder that the container sees, in one that nobody else here may enter."""

    def __init__(self) -> None:
        self._outer = tempfile.mkdtemp(prefix="lean-gym-")
        self.folder = Path(self._outer) / "s"
        self.folder.mkdir()
        self.folder.chmod(0o777)  # the container's user is not ours

    def remove(self) -> None:
        # A container may leave files that only its own user can remove.
        shutil.rmtree(self._outer, ignore_errors=True)


class Engines:
    """Several engines for one pool: `next` takes turns, and passes over one that failed a moment ago.

    Args:
        options: its `docker_hosts` and `tls_path` say which.
        guard: as in `Engine`.
    """

    def __init__(self, options: DockerOptions, guard: bool = True) -> None:
        hosts = options.docker_hosts or ("",)
        self.engines = [Engine(host, options.tls_path, guard=guard) for host in hosts]
        self._options = options
        self._down: dict[int, float] = {}
        self._turn = 0

    def next(self) -> Engine:
        """The engine for the next container."""
        now = time.monotonic()
        order = [(self._turn + step) % len(self.engines) for step in range(len(self.engines))]
        # When all are down: the one whose failure is longest ago.
        chosen = min(order, key=lambda index: max(self._down.get(index, 0.0) - now, 0.0))
        self._turn = chosen + 1
        return self.engines[chosen]

    def failed(self, engine: Engine) -> None:
        """Tell that a start on that engine failed."""
        self._down[self.engines.index(engine)] = time.monotonic() + _DOWN

    def worked(self, engine: Engine) -> None:
        """Tell that a start on that engine went well."""
        self._down.pop(self.engines.index(engine), None)

    def worker(self, header: str) -> DockerWorker:
        """A worker, not started, on the next engine. A pool's factory."""
        return _Reporting(header, self._options, self)

    async def image(self) -> ImageInfo:
        """The image of the options, which must be the same on all engines. Raises `WorkerLost`."""
        found = [(engine, await image_on(engine, self._options)) for engine in self.engines]
        for engine, image in found[1:]:
            if image.digest != found[0][1].digest:
                raise WorkerLost(
                    f"{self._options.image} is {found[0][1].digest} on {found[0][0].url} and {image.digest} on "
                    f"{engine.url}: pull or build the same image on every engine."
                )
        return found[0][1]

    async def list_containers(self) -> list[tuple[str, ContainerInfo]]:
        """(engine's address, container) of all containers of lean-gym. Raises `WorkerLost`."""
        return [(engine.url, item) for engine in self.engines for item in await engine.list_containers()]

    async def reap(self) -> list[tuple[str, ContainerInfo]]:
        """Remove what ended programs left, and what has expired; (engine's address, container). Raises `WorkerLost`."""
        removed = []
        for engine in self.engines:
            await engine.connect()
            removed += [(engine.url, item) for item in await engine.reap()]
        return removed

    async def aclose(self) -> None:
        """Close all connections. Safe to call twice."""
        await asyncio.gather(*(engine.aclose() for engine in self.engines))


class _Reporting(DockerWorker):
    """A worker that tells how its engine did."""

    def __init__(self, header: str, options: DockerOptions, engines: Engines) -> None:
        super().__init__(header, options, engines.next())
        self._engines = engines

    async def start(self) -> None:
        try:
            await super().start()
        except WorkerLost:
            self._engines.failed(self.engine)
            raise
        self._engines.worked(self.engine)


async def image_on(engine: Engine, options: DockerOptions) -> ImageInfo:
    """The options' image on that engine, pulled if it may be. Raises `WorkerLost`."""
    try:
        return await engine.image(options.image)
    except WorkerLost:
        if not options.pull:
            raise
    log.info("pulling %s to %s", options.image, engine.url)
    return await engine.pull(options.image)


async def while_running(container: Container, work: Coroutine[Any, Any, T]) -> T:
    """`await work`, given up as soon as the container ends.

    Raises:
        WorkerLost: it ended first.
    """
    task = asyncio.ensure_future(work)
    ended = asyncio.ensure_future(container.ended.wait())
    try:
        await asyncio.wait({task, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise WorkerLost(f"the container {container.name} ended.")
        return task.result()
    finally:
        ended.cancel()
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
