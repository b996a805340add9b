"""`Engine`: one Docker engine (or podman's compatible socket), local or remote: make, list and remove containers.

Containers are made as tight as a stock image stands: no network, no capabilities, no new privileges, a read-only root,
limits on memory, processors and processes, no log on the host's disk, removed by the engine when they end. Each carries
labels that say who started it and when it expires (`owner.py`); `reaper.py` removes what a killed program leaves.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .base import WorkerLost
from .docker_client import (
    ContainerInfo,
    EngineInfo,
    ImageInfo,
    connect,
    connect_client,
    explained,
    image_info,
    list_containers,
    pull,
    reap,
    remove_container,
)
from .hijack import Endpoint, RawStream
from .owner import EXPIRES, OWNER, Owner
from .reaper import Guard

__all__ = ["ContainerInfo", "ContainerSpec", "Engine", "EngineInfo", "ImageInfo"]

log = logging.getLogger(__name__)

T = TypeVar("T")

_THREADS = 8
_REMOVALS, _REMOVAL_PAUSE = 200, 3.0  # tries to remove a container while the engine is down, and seconds between two


@dataclass(frozen=True)
class ContainerSpec:
    """A container to make.

    Attributes:
        image: id or name.
        name: unique on the engine.
        entrypoint, command: None: the image's own.
        environment: variables, all that it gets besides the image's.
        cpus: processors' worth of time; more than the engine has is cut to that.
        memory_mb: MiB of memory, tmpfs included; no swap.
        pids: processes and threads.
        tmpfs_mb: MiB of the writable /tmp.
        user: as `docker run --user`; "" is the image's.
        lifetime: seconds after which anybody may remove it.
        leashed: its stdin is open for as long as we are attached to it.
        binds: host folder -> folder in the container, writable; only the socket mode needs one.
    """

    image: str
    name: str
    entrypoint: tuple[str, ...] | None = None
    command: tuple[str, ...] | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    cpus: float = 1.0
    memory_mb: int = 1024
    pids: int = 256
    tmpfs_mb: int = 256
    user: str = ""
    lifetime: float = 3600.0
    leashed: bool = False
    binds: Mapping[str, str] = field(default_factory=dict)


class Engine:
    """A connection to one engine. Calls that block run in a few threads; all methods belong to one event loop.

    Args:
        docker_host: unix:///PATH, tcp://HOST:PORT or ssh://[USER@]HOST; "": `DOCKER_HOST`, else the usual socket.
        tls_path: for tcp: folder with `ca.pem`, `cert.pem`, `key.pem`; "": `DOCKER_CERT_PATH`, else no TLS.
        timeout: seconds for one call of the engine.
        guard: let a small process of ours remove this program's containers if the program is killed; without it,
            containers should only be listed and reaped.

    Raises:
        ValueError: `docker_host` is of no known kind.
    """

    def __init__(self, docker_host: str = "", tls_path: str = "", timeout: float = 30.0, guard: bool = True) -> None:
        self.endpoint = Endpoint.parse(docker_host, tls_path)
        self.timeout = timeout
        self.owner = Owner.current()
        self.info: EngineInfo | None = None
        self._guarded = guard
        self._guard: Guard | None = None
        self._client: Any = None
        self._connecting = asyncio.Lock()
        self._images: dict[str, ImageInfo] = {}
        self._removals: set[asyncio.Task[None]] = set()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="lean-gym-docker")

    def __repr__(self) -> str:
        return f"<Engine {self.endpoint.url}{f' {self.info.version}' if self.info else ''}>"

    @property
    def url(self) -> str:
        """Its address."""
        return self.endpoint.url

    async def connect(self) -> EngineInfo:
        """Reach the engine, agree on an API version; with a guard, remove what ended programs left.

        Raises:
            ImportError: the docker package is not installed.
            WorkerLost: the engine can't be reached, in one sentence that says what to do.
        """
        if self.info is not None:
            return self.info
        async with self._connecting:
            if self.info is None:
                client, info = await self._run("connect", lambda: connect(self.endpoint, self.timeout))
                self._client = client
                if self._guarded:
                    self._guard = Guard.watch(self.endpoint)
                self.info = info
                if self._guarded and (removed := await self.reap()):
                    log.info("%s: removed %d containers that ended programs left", self.url, len(removed))
        return self.info

    async def wait_up(self, patience: float) -> None:
        """Connect, or, if that was done before, wait until the engine answers: it may be starting anew.

        Raises:
            WorkerLost: at the first try to connect, or when `patience` seconds have passed.
        """
        if self.info is None:
            await self.connect()
            return
        # Over a new connection: an engine that is stopping still answers on those it has, and makes no containers.
        until = time.monotonic() + patience
        while True:
            try:
                await self._run("answer", lambda: connect_client(self.endpoint, self.timeout).close())
                return
            except WorkerLost:
                if time.monotonic() > until:
                    raise
            await asyncio.sleep(0.5)

    async def image(self, name: str) -> ImageInfo:
        """The image of that name (or id, or digest); looked up once, so that all workers of a program run the same.

        Raises:
            WorkerLost: it is not on the engine.
        """
        await self.connect()
        if name not in self._images:
            self._images[name] = await self._call(f"look up image {name}", lambda c: image_info(c.inspect_image(name)))
        return self._images[name]

    async def pull(self, name: str, progress: Callable[[str], None] | None = None) -> ImageInfo:
        """Pull an image, however long it takes; `progress` gets a line now and then. Raises `WorkerLost`."""
        await self.connect()

        await self._run(f"pull {name}", lambda: pull(self.endpoint, name, progress), deadline=None)
        self._images.pop(name, None)
        return await self.image(name)

    def create(self, spec: ContainerSpec) -> Future[str]:
        """Make a container in the background; the future holds its id. Needs `connect` before.

        It is a thread's future: giving up the wait does not stop the engine, so who gives up must still wait for it
        and remove what it made (`Container` does).
        """
        return self._threads.submit(
            self._blocking, f"create a container of {spec.image}", lambda c: self._create(c, spec)
        )

    def _create(self, client: Any, spec: ContainerSpec) -> str:
        cpus = min(spec.cpus, self.info.cpus) if self.info and self.info.cpus else spec.cpus
        host_config = client.create_host_config(
            network_mode="none",
            cap_drop=["ALL"],
            security_opt=["no-new-privileges"],
            read_only=True,
            tmpfs={"/tmp": f"rw,noexec,nosuid,nodev,size={spec.tmpfs_mb}m,mode=1777"},
            shm_size=f"{min(spec.tmpfs_mb, 64)}m",
            pids_limit=spec.pids,
            mem_limit=spec.memory_mb << 20,
            memswap_limit=spec.memory_mb << 20,
            nano_cpus=int(cpus * 1e9),
            init=True,  # else no proof can be killed that got to be process 1, and nobody collects orphans
            auto_remove=True,
            log_config={"Type": "none"},  # a proof could fill the host's disk by printing
            # nofile: podman otherwise asks for more than some machines give.
            ulimits=[{"Name": "core", "Soft": 0, "Hard": 0}, {"Name": "nofile", "Soft": 8192, "Hard": 8192}],
            oom_score_adj=500,  # a machine out of memory ends a proof, not the trainer
            binds={host: {"bind": inside, "mode": "rw"} for host, inside in spec.binds.items()},
        )
        answer = client.create_container(
            spec.image,
            command=None if spec.command is None else list(spec.command),
            entrypoint=None if spec.entrypoint is None else list(spec.entrypoint),
            name=spec.name,
            user=spec.user or None,
            environment=dict(spec.environment),
            labels={OWNER: str(self.owner), EXPIRES: str(int(time.time() + spec.lifetime))},
            host_config=host_config,
            stdin_open=spec.leashed,
            network_disabled=True,
            use_config_proxy=False,  # proxy addresses may hold passwords
        )
        return str(answer["Id"])

    async def start(self, container: str) -> None:
        """Start a container that was made. Raises `WorkerLost`."""
        await self._call("start a container", lambda c: c.start(container))

    async def remove(self, container: str) -> None:
        """Kill and remove a container, by id or name; fine if it is gone already. Raises `WorkerLost`."""
        await self._call("remove a container", lambda c: remove_container(c, container))

    def remove_later(self, container: str, making: Future[str]) -> None:
        """Remove a container in the background, for as long as it takes. `making`: what `create` returned for it."""

        async def work() -> None:
            with contextlib.suppress(WorkerLost):
                await asyncio.wrap_future(making)
            for _ in range(_REMOVALS):
                try:
                    return await self.remove(container)
                except WorkerLost as error:
                    log.debug("container %s: %s", container, error)
                await asyncio.sleep(_REMOVAL_PAUSE)
            log.error("container %s could not be removed from %s: `lean-gym pool reap`", container, self.url)

        task = asyncio.get_running_loop().create_task(work())
        self._removals.add(task)
        task.add_done_callback(self._removals.discard)

    async def attach(self, container: str, leashed: bool = False) -> RawStream:
        """What the container's first process prints from now on, and its stdin if `leashed`. Raises `WorkerLost`."""
        info = await self.connect()
        path = f"/v{info.api}/containers/{container}/attach?stream=1&stdout=1&stderr=1{'&stdin=1' if leashed else ''}"
        return await RawStream.open(self.endpoint, path, {}, self.timeout)

    async def execute(self, container: str, command: tuple[str, ...], user: str = "") -> RawStream:
        """Start a program in a running container and hold its stdin, stdout and stderr. Raises `WorkerLost`."""
        info = await self.connect()
        made = await self._call(
            "start a program in a container",
            lambda c: c.exec_create(container, list(command), stdin=True, stdout=True, stderr=True, user=user),
        )
        path = f"/v{info.api}/exec/{made['Id']}/start"
        return await RawStream.open(self.endpoint, path, {"Detach": False, "Tty": False}, self.timeout)

    async def list_containers(self) -> list[ContainerInfo]:
        """All containers with our labels, whichever program on whichever machine made them. Raises `WorkerLost`."""
        await self.connect()
        return await self._call("list containers", list_containers)

    async def reap(self) -> list[ContainerInfo]:
        """Remove containers whose program has ended on this machine, and expired ones. Raises `WorkerLost`."""
        return await self._call("remove leftover containers", reap)

    async def aclose(self) -> None:
        """Give up the connection. Containers are their workers' to remove. Safe to call twice."""
        for task in self._removals:
            task.cancel()
        await asyncio.gather(*self._removals, return_exceptions=True)
        guard, self._guard = self._guard, None
        if guard is not None:
            await asyncio.to_thread(guard.release)
        client, self._client, self.info = self._client, None, None
        self._threads.shutdown(wait=False, cancel_futures=True)
        if client is not None:
            client.close()

    async def _call(self, doing: str, function: Callable[[Any], T]) -> T:
        return await self._run(doing, lambda: function(self._live_client()))

    async def _run(self, doing: str, function: Callable[[], T], deadline: float | None = 0.0) -> T:
        future = self._threads.submit(explained, self.url, doing, function)
        limit = None if deadline is None else (deadline or self.timeout + 5.0)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), limit)
        except asyncio.TimeoutError:
            raise WorkerLost(f"The Docker engine at {self.url} did not {doing} within {limit:g} s.") from None

    def _blocking(self, doing: str, function: Callable[[Any], T]) -> T:
        return explained(self.url, doing, lambda: function(self._live_client()))

    def _live_client(self) -> Any:
        if self._client is None:
            raise WorkerLost(f"The connection to the Docker engine at {self.url} is not open.")
        return self._client
