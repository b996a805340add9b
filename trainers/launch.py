"""How many processes run, and how many were asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch

__all__ = ["asked_processes", "launch_warning", "set_threads"]


def asked_processes(environment: Mapping[str, str], parent: Sequence[str]) -> int:
    """Processes that `accelerate launch` was asked for; 1 when it is not the parent or was not told.

    Args:
        environment: this process's environment variables.
        parent: the parent's command line.
    """
    if "ACCELERATE_MIXED_PRECISION" not in environment or not any("accelerate" in word for word in parent):
        return 1
    words = list(parent)
    for at, word in enumerate(words):
        option, _, value = word.partition("=")
        if option.replace("_", "-") == "--num-processes":
            value = value or (words[at + 1] if at + 1 < len(words) else "")
            return int(value) if value.isdigit() else 1
    # accelerate sets these for several processes only (a count from its config file), though it then starts one.
    if "MASTER_PORT" in environment and "RANK" not in environment:
        return 2
    return 1


def launch_warning(world_size: int) -> str | None:
    """A message when fewer processes run than `accelerate launch` was asked for, else None.

    On a CPU, `accelerate launch --cpu --num_processes 2` starts one process and says nothing (accelerate 1.15).
    """
    asked = asked_processes(os.environ, _parent_command())
    if asked <= world_size:
        return None
    return (
        f"accelerate launch was asked for {asked if asked > 2 else 'at least 2'} processes, but {world_size} runs: "
        f"on CPUs it starts only one. The training goes on with {world_size} (the result is the same, only slower). "
        f"For several processes use: torchrun --nproc_per_node {asked} SCRIPT"
    )


def set_threads(count: int | None, device_type: str) -> None:
    """Threads of torch in this process: `count`, or on a CPU by default half of this process's share of the cores.

    The other half checks proofs meanwhile. A thread too many costs far more than one too few: torch's threads
    wait for each other at every operation, so one that shares its core stops them all (10 times slower, measured).
    """
    if count is None:
        if device_type != "cpu":
            return
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        count = max(1, cores // int(os.environ.get("LOCAL_WORLD_SIZE", "1")) // 2)
    torch.set_num_threads(count)


def _parent_command() -> list[str]:
    path = Path(f"/proc/{os.getppid()}/cmdline")
    try:
        return [word.decode(errors="replace") for word in path.read_bytes().split(b"\0") if word]
    except OSError:  # no /proc (macOS), or the parent is gone
        return []
