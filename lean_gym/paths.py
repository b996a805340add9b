"""Where lean-gym keeps what it makes (compiled Core, starter policy, verdicts)."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cache_dir"]


def cache_dir() -> Path:
    """The user's cache folder: `LEAN_GYM_CACHE`, else `XDG_CACHE_HOME/lean-gym`, else `~/.cache/lean-gym`."""
    if own := os.environ.get("LEAN_GYM_CACHE"):
        return Path(own).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "lean-gym"
