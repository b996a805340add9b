"""`Crew`: who does what under one header, for each kind of worker. What pools, station and audit share.

- worker: checks submissions (stage 1).
- compiler: compiles what passed to a module, where a worker hands back none.
- confirmer: compiles once more what came to nothing with a compiler, in a worker where nothing else ever ran.
- keeper: compiles trusted statements, on this machine, in processes that no candidate shares.
- auditor: compares the two modules as data, and has Lean's kernel check the candidate's again.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from .config import VerifierConfig, machine_cpus
from .core.kernel import KernelAuditor
from .pool import Pool, PoolSettings
from .workers.base import Worker
from .workers.core import CoreWorker
from .workers.local import LocalWorker

if TYPE_CHECKING:
    from .workers.docker import DockerOptions

__all__ = ["API_KEY_VARIABLE", "Crew", "Role", "docker_options", "make_crew"]

W = TypeVar("W", Worker, CoreWorker, LocalWorker, KernelAuditor)

API_KEY_VARIABLE = "LEAN_GYM_API_KEY"

_MAX_SERVER = 4 << 30  # bytes: twenty times what a server of Core holds
_MARGIN = 120.0  # seconds before a container's expiry at which its worker is replaced


@dataclass(frozen=True)
class Role(Generic[W]):
    """How workers of one role are made, and how their pool behaves."""

    make: Callable[[], W]
    settings: PoolSettings
    memory: Callable[[W], int] | None = None

    def pool(self, name: str) -> Pool[W]:
        """A pool for the role."""
        return Pool(self.make, self.settings, name, self.memory)


async def _nothing() -> None:
    pass


@dataclass(frozen=True)
class Crew:
    """The roles.

    Attributes:
        worker: stage 1.
        compiler: None where workers hand back modules themselves. confirmer: None where a compiler's jobs can't meet.
        keeper: None where the workers compile statements too, in other processes than the candidates'.
        auditor: the second stage.
        aclose: gives up what the workers share.
    """

    worker: Role[Worker] | Role[CoreWorker] | Role[LocalWorker]
    compiler: Role[Worker] | Role[CoreWorker] | None
    keeper: Role[CoreWorker] | None
    auditor: Role[KernelAuditor]
    confirmer: Role[Worker] | None = None
    aclose: Callable[[], Awaitable[None]] = _nothing


def make_crew(header: str, config: VerifierConfig) -> Crew:
    """The crew that `config` asks for."""
    return _CREWS[config.worker](header, config)


def _core_role(header: str, config: VerifierConfig, capacity: int, settings: PoolSettings) -> Role[CoreWorker]:
    search_path = _search_path(config)

    def make() -> CoreWorker:
        return CoreWorker(
            header,
            capacity=capacity,
            search_path=search_path,
            strict_sandbox=config.strict_sandbox,
            refused=config.refused_commands,
        )

    return Role(make, replace(settings, max_memory=_MAX_SERVER), CoreWorker.resident)


def _auditor(header: str, config: VerifierConfig) -> Role[KernelAuditor]:
    # An audit takes a fraction of an elaboration, and only passes need one.
    settings = PoolSettings(workers=max(1, config.slots // 3), queue_timeout=config.queue_timeout)
    search_path = _search_path(config)
    return Role(lambda: KernelAuditor(header, search_path=search_path), settings)


def _search_path(config: VerifierConfig) -> tuple[str, ...]:
    return tuple(path for path in config.search_path.split(os.pathsep) if path)


def _core(header: str, config: VerifierConfig) -> Crew:
    settings = PoolSettings(
        workers=config.workers or 1,
        max_jobs=config.jobs_per_worker,
        start_timeout=config.start_timeout,
        queue_timeout=config.queue_timeout,
    )
    return Crew(_core_role(header, config, config.slots, settings), None, None, _auditor(header, config))


def _keeper(header: str, config: VerifierConfig) -> Role[CoreWorker]:
    settings = PoolSettings(start_timeout=config.start_timeout, queue_timeout=config.queue_timeout)
    return _core_role(header, config, min(config.slots, 2), settings)


def _local(header: str, config: VerifierConfig) -> Crew:
    search_path = _search_path(config)
    latest: list[LocalWorker] = []

    def make() -> LocalWorker:
        latest[:] = [
            LocalWorker(
                header,
                config.slots,
                lean_project=config.lean_project or None,
                search_path=search_path,
                strict_sandbox=config.strict_sandbox,
                refused=config.refused_commands,
                start_timeout=config.start_timeout,
            )
        ]
        return latest[0]

    def make_auditor() -> KernelAuditor:
        # A pass has come before any audit, so a worker has found the toolchain.
        found = next((worker.toolchain for worker in latest if worker.toolchain), None)
        return KernelAuditor(header, search_path=found.search_path if found else search_path)

    settings = PoolSettings(
        workers=config.workers or 1,
        max_jobs=config.jobs_per_worker,
        start_timeout=2 * config.start_timeout + 30.0,
        queue_timeout=config.queue_timeout,
    )
    return Crew(Role(make, settings), None, None, Role(make_auditor, _auditor(header, config).settings))


def docker_options(config: VerifierConfig) -> DockerOptions:
    """The settings of containers."""
    from .workers.docker import DockerOptions

    return DockerOptions(
        image=config.image,
        docker_hosts=tuple(config.docker_hosts),
        tls_path=config.tls_path,
        cpus=config.cpus,
        memory_mb=config.container_memory_mb,
        repl_memory_mb=config.repl_memory_mb,
        pids=config.pids,
        tmpfs_mb=config.tmpfs_mb,
        user=config.user,
        repls=config.concurrency,
        start_timeout=config.start_timeout,
        lifetime=config.lifetime,
        pull=config.pull,
    )


def _docker(header: str, config: VerifierConfig) -> Crew:
    from .workers.compiler import DockerCompiler
    from .workers.docker import Engines

    options = docker_options(config)
    engines = Engines(options)
    containers = config.workers or max(1, int(machine_cpus() / config.cpus))
    # A container that is slow to come or to go is the engine's matter: give it time.
    patience = PoolSettings(
        workers=containers,
        spares=config.spares,
        max_jobs=config.jobs_per_worker,
        max_age=max(config.lifetime - _MARGIN, config.lifetime / 2),
        start_timeout=config.start_timeout + (3600.0 if config.pull else 30.0),
        close_timeout=60.0,
        queue_timeout=config.queue_timeout,
    )

    def make_compiler() -> Worker:
        return DockerCompiler(header, options, engines.next())

    audited = config.audit != "none"
    return Crew(
        Role(lambda: engines.worker(header), patience),
        Role(make_compiler, patience) if audited else None,
        _keeper(header, config),
        _auditor(header, config),
        Role(make_compiler, replace(patience, workers=1, spares=0, max_jobs=1)) if audited else None,
        engines.aclose,
    )


def _kimina(header: str, config: VerifierConfig) -> Crew:
    from .workers.kimina import ServerList

    servers = ServerList(
        config.servers,
        header,
        capacity=config.concurrency or max(1, int(config.cpus)),
        api_key=os.environ.get(API_KEY_VARIABLE) or None,
        start_timeout=config.start_timeout,
    )
    settings = PoolSettings(
        workers=config.workers or len(config.servers),
        max_jobs=config.jobs_per_worker,
        start_timeout=config.start_timeout + 30.0,
        queue_timeout=config.queue_timeout,
    )
    keeper = _keeper(header, config)
    # A server hands back no module: what it lets pass is compiled here, in a confined child.
    compiler = None if config.audit == "none" else keeper
    return Crew(Role(servers, settings), compiler, keeper, _auditor(header, config))


_CREWS = {"core": _core, "local": _local, "docker": _docker, "kimina": _kimina}
