"""`VerifierConfig`: the settings of a verifier, the same names in Python, on the command line and in YAML."""

from __future__ import annotations

import hashlib
import json
import math
import os
from dataclasses import dataclass
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

WORKER_KINDS = ("core",)


@dataclass(frozen=True)
class VerifierConfig:
    """Settings of a `Verifier`.

    Attributes:
        worker: kind of worker: "core" (the embedded Lean).
        concurrency: submissions checked at the same time; 0: one for each core of this machine.
        timeout: CPU seconds that one submission may use, and one more by the clock while no other process keeps it
            waiting; on a busy machine, which is not the submission's fault, three times as long by the clock.
        memory_mb: MiB of memory that one submission may use.
        output_kb: KiB of Lean's messages that are kept for one submission.
        heartbeats: Lean's `maxHeartbeats` at the start of the file.
        permitted_axioms: full names of the axioms that a proof may rest on.
        refused_commands: Lean's syntax kinds of the commands that no submission may hold, in full
            (`Lean.Parser.Command.eval`) or their last component (`eval`). A proof body holds no command anyway.
        cache: keep verdicts on disk. `cache_path`: where; "" is `verdicts` in the user's cache folder.
        max_jobs: submissions that one worker serves before it is replaced; 0: no limit.
        search_path: folders with compiled modules besides the worker's own, separated by os.pathsep.
        strict_sandbox: refuse to run when this kernel can't confine the candidate (see `lean-gym doctor`).
        queue_timeout: seconds that a submission may wait for a worker before it ends as INFRA.

    Raises:
        ValueError: for a setting out of its range, saying which.
    """

    worker: str = "core"
    concurrency: int = 0
    timeout: float = 10.0
    memory_mb: int = 2048
    output_kb: int = 256
    heartbeats: int = 200_000
    permitted_axioms: tuple[str, ...] = STANDARD_AXIOMS
    refused_commands: tuple[str, ...] = REFUSED_COMMANDS
    cache: bool = True
    cache_path: str = ""
    max_jobs: int = 20_000
    search_path: str = ""
    strict_sandbox: bool = False
    queue_timeout: float = 1800.0

    def __post_init__(self) -> None:
        if self.worker not in WORKER_KINDS:
            raise ValueError(f"worker={self.worker!r}: the kinds of worker are {', '.join(WORKER_KINDS)}")
        for name in ("timeout", "memory_mb", "output_kb", "heartbeats", "queue_timeout"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name}={getattr(self, name)}: give a number above 0")
        for name in ("concurrency", "max_jobs"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}={getattr(self, name)}: give 0 or more")
        for name in ("permitted_axioms", "refused_commands"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

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
        """Submissions checked at the same time."""
        if self.concurrency:
            return self.concurrency
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    def cache_folder(self) -> Path:
        """Where verdicts are kept."""
        return Path(self.cache_path).expanduser() if self.cache_path else cache_dir() / "verdicts"

    def policy_hash(self) -> str:
        """Hash of all that may change a verdict besides the texts and the Lean in use (16 hex digits)."""
        limits = self.limits
        names = [sorted(self.permitted_axioms), sorted(self.refused_commands)]
        rules = [_RULES, limits.heartbeats, limits.output, *names]
        return hashlib.sha256(json.dumps(rules).encode()).hexdigest()[:16]

    def check_machine(self) -> None:
        """Raise `LeanNotFound` when this kind of worker can't run here, before anything is started."""
        from .core.library import find_library

        find_library()
