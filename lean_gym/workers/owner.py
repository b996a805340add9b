"""Who started a container: labels that outlive the program, and whether that program still lives."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["EXPIRES", "OWNER", "Owner", "leftover"]

OWNER = "lean-gym.owner"
"""Label: the program that started the container, as `str(Owner)`."""

EXPIRES = "lean-gym.expires"
"""Label: unix time (whole seconds) after which anybody may remove the container."""

_SKEW = 60  # seconds that the clocks of two machines on one engine may differ


@dataclass(frozen=True)
class Owner:
    """A running program, told apart from later ones that get the same process id.

    Attributes:
        boot: the kernel's boot id (elsewhere than on Linux the machine's name).
        namespace: the process-id namespace that `pid` counts in; "0" where there is none.
        pid: process id.
        started: the process's start in clock ticks since the boot; "0" where it can't be read.
    """

    boot: str
    namespace: str
    pid: int
    started: str

    def __str__(self) -> str:
        return f"{self.boot}:{self.namespace}:{self.pid}:{self.started}"

    @classmethod
    def current(cls) -> Owner:
        """This program."""
        pid = os.getpid()
        return cls(*_place(), pid, _started(pid) or "0")

    @classmethod
    def parse(cls, text: str) -> Owner | None:
        """Read `str(owner)`; None for anything else."""
        parts = text.split(":")
        if len(parts) != 4 or not all(parts) or not parts[2].isascii() or not parts[2].isdigit():
            return None
        return cls(parts[0], parts[1], int(parts[2]), parts[3])

    def gone(self) -> bool:
        """Whether that program has surely ended. False when it can't be seen from here (another machine)."""
        if (self.boot, self.namespace) != _place():
            return False
        if self.started == "0":
            try:
                os.kill(self.pid, 0)
            except ProcessLookupError:
                return True
            except PermissionError:
                return False
            return False
        return _started(self.pid) != self.started


def leftover(labels: Mapping[str, str], now: float) -> str:
    """Why a container with these labels may be removed by anybody; "" when it may not.

    Args:
        labels: the container's.
        now: unix time.
    """
    if OWNER not in labels:
        return ""
    owner = Owner.parse(labels[OWNER])
    if owner is not None and owner.gone():
        return f"its program (process {owner.pid}) has ended"
    expires = labels.get(EXPIRES, "")
    if expires.isascii() and expires.isdigit() and now > int(expires) + _SKEW:
        return "it has expired"
    return ""


def _place() -> tuple[str, str]:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return boot, str(Path("/proc/self/ns/pid").stat().st_ino)
    except OSError:
        return platform.node().replace(":", "-") or "unknown", "0"


def _started(pid: int) -> str:
    """The process's start time; "" when there is no such process or it is only waiting to be collected."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return ""
    # The second field, the name, may hold anything, ")" too.
    fields = stat[stat.rfind(b")") + 1 :].split()
    if len(fields) < 20 or fields[0] in (b"Z", b"X"):
        return ""
    return fields[19].decode("ascii")
