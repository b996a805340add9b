"""`lean-gym doctor`: what is here, what is missing, and which kinds of worker work, each by a real check."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from . import __version__
from .paths import cache_dir

__all__ = ["examine", "show", "show_summary"]

_PACKAGES = {
    "es": ("torch", "transformers", "accelerate", "datasets"),
    "grpo": ("trl",),
    "vllm": ("vllm",),
    "deepspeed": ("deepspeed",),
    "docker": ("docker",),
    "all": ("evosax",),
}
_TRUE = "theorem doctor_true (p q : Prop) (h : p ∧ q) : q ∧ p"
_FALSE = "theorem doctor_false (p q : Prop) (h : p ∨ q) : p ∧ q"
_PROOF = "exact ⟨h.2, h.1⟩"


def examine() -> dict[str, Any]:
    """Look at this machine.

    Returns:
        {"ok": whether proofs can be checked here, "version", "checks": [{"name", "ok", "detail", "fix"}],
        "workers": {kind: whether it works}, "sandbox": {mechanism: whether this kernel has it},
        "packages": {name: version or None}}.
    """
    checks = [
        _check("python", _python),
        _check("machine", _machine),
        _check("cache folder", _cache_folder),
        _check("Lean library", _library),
        _check("Core library", _core),
        _check("worker: core", _core_worker),
        _check("sandbox", _sandbox),
    ]
    works = {check["name"]: check["ok"] for check in checks}
    return {
        "ok": works["worker: core"],
        "version": __version__,
        "checks": checks,
        "workers": {"core": works["worker: core"]},
        "sandbox": _sandbox_features() if works["sandbox"] else {},
        "packages": {name: _version(name) for names in _PACKAGES.values() for name in names},
    }


class _Problem(Exception):
    """A check failed: what is wrong, and what to do."""

    def __init__(self, detail: str, fix: str) -> None:
        super().__init__(detail)
        self.fix = fix


def _check(name: str, look: Callable[[], str]) -> dict[str, Any]:
    try:
        return {"name": name, "ok": True, "detail": look(), "fix": ""}
    except _Problem as problem:
        return {"name": name, "ok": False, "detail": str(problem), "fix": problem.fix}
    except Exception as error:  # a diagnosis reports what it did not foresee, with its type, and goes on
        return {"name": name, "ok": False, "detail": f"{type(error).__name__}: {error}", "fix": ""}


def _python() -> str:
    return f"{platform.python_version()} at {sys.executable}"


def _machine() -> str:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{platform.system()} {platform.machine()}, {cores} cores, {memory:.0f} GiB of memory"


def _cache_folder() -> str:
    folder = cache_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        fix = "make it writable, or set LEAN_GYM_CACHE to a folder that is"
        raise _Problem(f"{folder} can't be written: {error.strerror}", fix) from error
    return f"{folder}, {shutil.disk_usage(folder).free / 2**30:.0f} GiB free"


def _library() -> str:
    from .core.library import LeanNotFound, find_library

    try:
        library = find_library()
    except LeanNotFound as error:
        raise _Problem(str(error), 'pip install "lean-gym[lean]"') from error
    return f"Lean {library.version}, {library.path}"


def _core() -> str:
    from .core.build import core_library

    core = core_library()
    return f"compiled in {core.root}"


def _core_worker() -> str:
    from .submission import Submission
    from .theorem import Theorem
    from .verdict import Outcome
    from .verifier import Verifier

    with Verifier(cache=False, concurrency=1) as verifier:
        right, wrong = verifier.verify([Submission(Theorem("canary", text), _PROOF) for text in (_TRUE, _FALSE)])
    if right.outcome is not Outcome.PROVED or wrong.outcome is not Outcome.REJECTED:
        details = (
            f"a true theorem came back {right.outcome} ({right.detail}), a false one {wrong.outcome} ({wrong.detail})"
        )
        raise _Problem(details, "report this with the output of lean-gym doctor --json")
    return f"a true theorem PROVED, a false one REJECTED, in {right.seconds.total:.2f} s with the start"


def _sandbox_features() -> dict[str, bool]:
    from .core.sandbox import available

    return available()


def _sandbox() -> str:
    features = _sandbox_features()
    missing = [name for name, here in features.items() if not here]
    if missing:
        fix = "a Linux kernel from 6.12 on has them all; --strict-sandbox refuses to run without"
        raise _Problem(f"this kernel lacks {', '.join(missing)}", fix)
    return ", ".join(features)


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def show(report: dict[str, Any]) -> None:
    """Print a report of `examine` for a person."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=f"lean-gym {report['version']}")
    for column in ("check", "", "found"):
        table.add_column(column)
    for check in report["checks"]:
        found = escape(check["detail"])
        if check["fix"]:
            found += f"\n[yellow]{escape(check['fix'])}[/]"
        table.add_row(check["name"], "[green]ok[/]" if check["ok"] else "[red]no[/]", found)
    for extra, names in _PACKAGES.items():
        for name in names:
            version = report["packages"][name]
            found = version or escape(f'pip install "lean-gym[{extra}]"')
            table.add_row(f"package {name}", "[green]ok[/]" if version else "-", found)
    Console().print(table)


def show_summary(summary: dict[str, Any]) -> None:
    """Print what `suites.summary` returns for a person."""
    from rich.console import Console

    Console().print_json(data=summary)
