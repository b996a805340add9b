"""`VerifierConfig`: the settings of a verifier, the same names in Python, on the command line and in YAML."""

from __future__ import annotations

import hashlib
import json
import math
import os
from dataclasses import dataclass, field
from pathlib import Path

from .paths import cache_dir
from .workers.base import Limits

__all__ = ["REFUSED_COMMANDS", "STANDARD_AXIOMS", "VerifierConfig"]

STANDARD_AXIOMS = ("propext", "Classical.choice", "Quot.sound")
"""The axioms of Lean's own library: what a proof may rest on by default."""

REFUSED_COMMANDS = ("eval", "evalBang", "runCmd", "runElab", "runMeta", "initialize")
"""Commands that run code as they are elaborated (`#eval`, `run_cmd`, ...) and that no proof needs."""

_RULES = "2"
"""Number of the rules that turn replies into verdicts; raise it when they change, so that cached verdicts expire."""

WORKER_KINDS = ("core", "local", "docker", "kimina")
AUDITS = ("full", "none")

_BATCH_SIZE = {"core": 20_000, "local": 20_000, "docker": 64, "kimina": 0}


@dataclass(frozen=True)
class VerifierConfig:
    """Settings of a `Verifier`: the same names in Python, on the command line and in YAML.

    Attributes:
        worker: kind of worker: "core" (the embedded Lean), "local" (a Lean toolchain of this machine), "docker"
            (disposable containers of kimina Lean servers), "kimina" (kimina Lean servers that run already).
        audit: "full", or "none" for images and servers whose Lean can't be audited: then a pass is what the worker
            says, and the verdict is marked.
        concurrency: submissions checked at the same time by one worker; 0: one for each of its processors.
        timeout: CPU seconds that one submission may use, and one more by the clock while no other process keeps it
            waiting; on a busy machine, which is not the submission's fault, three times as long by the clock.
        memory_mb: MiB of memory that one submission may use.
        output_kb: KiB of Lean's messages that are kept for one submission.
        heartbeats: Lean's `maxHeartbeats` at the start of the file.
        permitted_axioms: full names of the axioms that a proof may rest on.
        refused_commands: Lean's syntax kinds of the commands that no submission may hold, in full
            (`Lean.Parser.Command.eval`) or their last component (`eval`). A proof body holds no command anyway.
            Kimina servers don't tell commands apart: there the audit alone decides.
        cache: keep verdicts on disk. `cache_path`: where; "" is `verdicts` in the user's cache folder.
        batch_size: submissions that one worker serves before it is replaced; 0: 64 for a container, 20,000 for the
            embedded Lean and a toolchain's, no limit for a server.
        workers: workers at the same time: containers, or processes of the embedded Lean; 0: as many containers as
            this machine has processors for, one process. For servers: one a URL.
        spares: containers that stand ready to replace one that has served its batch.
        queue_timeout: seconds that a submission may wait for a worker before it ends as INFRA.
        start_timeout: seconds until a worker must be ready.
        search_path: folders with compiled modules besides the worker's own, separated by os.pathsep.
        strict_sandbox: refuse to run when this kernel can't confine the candidate (see `lean-gym doctor`).
        lean_project: folder of a built Lake project whose Lean and packages are used; "": `lean` on PATH.
        image: container image with a kimina server as its command.
        docker_hosts: Docker engines, unix:///PATH, tcp://HOST:PORT or ssh://[USER@]HOST; none: `DOCKER_HOST` or the
            usual socket. `tls_path`: folder of ca.pem, cert.pem and key.pem; "": `DOCKER_CERT_PATH`.
        cpus, container_memory_mb, pids, tmpfs_mb: processors, MiB of memory, processes and MiB of writable /tmp that
            one container may use. `repl_memory_mb`: MiB of address space of one REPL in it.
        user: as `docker run --user`; "": the image's own. The stock image works as root only.
        lifetime: seconds after which anybody may remove a container; its worker is replaced before that.
        pull: pull the image when it is not on the engine.
        servers: URLs of kimina servers, http://HOST:PORT or unix:///PATH. Their key: the variable LEAN_GYM_API_KEY.

    Raises:
        ValueError: for a setting out of its range, saying which.
    """

    worker: str = "core"
    audit: str = "full"
    concurrency: int = 0
    timeout: float = 10.0
    memory_mb: int = 2048
    output_kb: int = 256
    heartbeats: int = 200_000
    permitted_axioms: list[str] = field(default_factory=lambda: [*STANDARD_AXIOMS])
    refused_commands: list[str] = field(default_factory=lambda: [*REFUSED_COMMANDS])
    cache: bool = True
    cache_path: str = ""
    batch_size: int = 0
    workers: int = 0
    spares: int = 1
    queue_timeout: float = 1800.0
    start_timeout: float = 300.0
    search_path: str = ""
    strict_sandbox: bool = False
    lean_project: str = ""
    image: str = "projectnumina/kimina-lean-server:2.0.0"
    docker_hosts: list[str] = field(default_factory=list)
    tls_path: str = ""
    cpus: float = 4.0
    container_memory_mb: int = 16384
    repl_memory_mb: int = 8192
    pids: int = 256
    tmpfs_mb: int = 1024
    user: str = ""
    lifetime: float = 4 * 3600.0
    pull: bool = False
    servers: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name, kinds in (("worker", WORKER_KINDS), ("audit", AUDITS)):
            if getattr(self, name) not in kinds:
                raise ValueError(f"{name}={getattr(self, name)!r}: give one of {', '.join(kinds)}")
        if self.audit == "none" and self.worker == "core":
            raise ValueError('audit="none" is for containers and servers; the embedded Lean is always audited')
        if self.worker == "kimina" and not self.servers:
            raise ValueError('worker="kimina" needs servers=[URL, ...], e.g. http://localhost:8000')
        positive = ("timeout", "memory_mb", "output_kb", "heartbeats", "queue_timeout", "start_timeout", "cpus")
        for name in (*positive, "container_memory_mb", "repl_memory_mb", "pids", "tmpfs_mb", "lifetime"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name}={getattr(self, name)}: give a number above 0")
        for name in ("concurrency", "batch_size", "workers", "spares"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}={getattr(self, name)}: give 0 or more")
        for name in ("permitted_axioms", "refused_commands", "docker_hosts", "servers"):
            object.__setattr__(self, name, list(getattr(self, name)))

    @property
    def limits(self) -> Limits:
        """What one submission may use."""
        return Limits(
            wall=3 * self.timeout,
            cpu=self.timeout,
            memory=self.memory_mb << 20,
            output=self.output_kb << 10,
            heartbeats=self.heartbeats,
        )

    @property
    def slots(self) -> int:
        """Submissions that this machine checks at the same time."""
        return self.concurrency or machine_cpus()

    @property
    def jobs_per_worker(self) -> int | None:
        """`batch_size`, resolved for the kind of worker; None: no limit."""
        return self.batch_size or _BATCH_SIZE[self.worker] or None

    def cache_folder(self) -> Path:
        """Where verdicts are kept."""
        return Path(self.cache_path).expanduser() if self.cache_path else cache_dir() / "verdicts"

    def policy_hash(self) -> str:
        """Hash of all that may change a verdict besides the texts and the Lean in use (16 hex digits)."""
        limits = self.limits
        names = [sorted(self.permitted_axioms), sorted(self.refused_commands)]
        rules = [_RULES, limits.heartbeats, limits.output, *names, self.audit]
        return hashlib.sha256(json.dumps(rules).encode()).hexdigest()[:16]

    def check_machine(self) -> None:
        """Raise `LeanNotFound` when checks can't run here, before anything is started."""
        from .core.library import LeanNotFound, find_library

        try:
            find_library()
        except LeanNotFound as error:
            if self.worker == "core":
                raise
            # Statements are compiled, and passes audited, on this machine.
            if self.audit != "none":
                raise LeanNotFound(f'{error} (The audit runs here; audit="none" does without.)') from error


def machine_cpus() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
