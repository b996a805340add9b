"""`lean-gym doctor`: what is here, what is missing, and which kinds of worker work, each by a real check."""

from __future__ import annotations

import asyncio
import importlib.metadata
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from . import __version__
from .config import WORKER_KINDS, VerifierConfig
from .paths import cache_dir
from .theorem import CORE_HEADER
from .workers.base import Worker, WorkerLost

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


def examine(config: VerifierConfig | None = None) -> dict[str, Any]:
    """Look at this machine.

    Args:
        config: settings of the containers, servers and toolchain to look for.

    Returns:
        {"ok": whether proofs can be checked here, "version", "checks": [{"name", "ok", "detail", "fix"}],
        "workers": {kind: whether it works}, "sandbox": {mechanism: whether this kernel has it},
        "packages": {name: version or None}}.
    """
    config = config or VerifierConfig()
    checks = [
        _check("python", _python),
        _check("machine", _machine),
        _check("cache folder", _cache_folder),
        _check("Lean library", _library),
        _check("Core library", _core),
        _check("sandbox", _sandbox),
        _check("worker: core", _core_worker),
        _check("worker: local", lambda: _local_worker(config)),
        _check("worker: docker", lambda: _docker_worker(config)),
        _check("worker: kimina", lambda: _kimina_worker(config)),
    ]
    works = {check["name"]: check["ok"] for check in checks}
    return {
        "ok": works["worker: core"],
        "version": __version__,
        "checks": checks,
        "workers": {kind: works[f"worker: {kind}"] for kind in WORKER_KINDS},
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


_HEADERS = (CORE_HEADER, "import Mathlib\n", "import Init\n")  # what an image or a toolchain may have


def _local_worker(config: VerifierConfig) -> str:
    from .workers.local import LocalWorker
    from .workers.toolchain import ToolchainNotFound, find_toolchain

    try:
        toolchain = find_toolchain(config.lean_project or None)
    except ToolchainNotFound as error:
        raise _Problem(str(error), "none is needed: the embedded Lean does without") from error
    header = "import Mathlib\n" if config.lean_project else "import Init\n"
    worker = LocalWorker(header, 1, lean_project=config.lean_project or None, start_timeout=config.start_timeout)
    _tried(worker)
    audit = "" if toolchain.version == _audited_version() else f'; needs audit="none" (not Lean {_audited_version()})'
    return f"Lean {toolchain.version} in {toolchain.prefix}: {worker.mode}: {worker.why}{audit}"


def _docker_worker(config: VerifierConfig) -> str:
    from .crew import docker_options
    from .workers.docker import Engines

    options = docker_options(config)

    async def look() -> str:
        engines = Engines(options)
        try:
            image = await engines.image()
            told = []
            for header in _HEADERS:
                worker = engines.worker(header)
                try:
                    await worker.start()
                except WorkerLost as error:
                    told.append(f"{header.splitlines()[-1]}: {error}")
                    continue
                finally:
                    await worker.aclose()
                where = ", ".join(repr(engine) for engine in engines.engines)
                ours = _audited_version()
                audit = "" if worker.lean == ours and header == CORE_HEADER else '; needs audit="none"'
                imports = header.strip().splitlines()[-1 if header != CORE_HEADER else 1]
                return f"{options.image} ({image.digest[:19]}) on {where}: Lean {worker.lean}, {imports}{audit}"
            raise WorkerLost(" ".join(told))
        finally:
            await engines.aclose()

    try:
        return asyncio.run(look())
    except ImportError as error:
        raise _Problem(str(error), 'pip install "lean-gym[docker]"') from error
    except WorkerLost as error:
        raise _Problem(str(error), "needed only for worker=docker; --pull fetches the image") from error


def _kimina_worker(config: VerifierConfig) -> str:
    if not config.servers:
        raise _Problem("no server was named", "needed only for worker=kimina: lean-gym doctor --servers URL")
    from .crew import API_KEY_VARIABLE
    from .workers.kimina import ServerList

    told = []
    for url in config.servers:
        for header in _HEADERS:
            servers = ServerList(
                [url], header, api_key=os.environ.get(API_KEY_VARIABLE), start_timeout=min(30.0, config.start_timeout)
            )
            worker = servers()
            try:
                _tried(worker)
            except _Problem as problem:
                failed = problem
                continue
            told.append(f"{url}: Lean {worker.lean}")
            break
        else:
            raise failed
    return "; ".join(told)


def _tried(worker: Worker) -> None:
    """Start a worker, which tries known proofs, and close it."""

    async def work() -> None:
        try:
            await worker.start()
        finally:
            await worker.aclose()

    try:
        asyncio.run(work())
    except WorkerLost as error:
        raise _Problem(str(error), "see docs/containers.md") from error


def _audited_version() -> str:
    from .core.library import LeanNotFound, find_library

    try:
        return find_library().version
    except LeanNotFound:
        return "none here"


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
