"""Compile Core, our Lean library, into the user's cache: once for a Lean library and a state of the sources."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from ..paths import cache_dir
from .library import LeanLibrary, find_library, run_lean

__all__ = ["CoreBuildError", "CoreLibrary", "core_library"]

logger = logging.getLogger(__name__)

SOURCES = Path(__file__).with_name("lean")
_FORMAT = "1"  # of the manifest and the folder; a change makes a new key
_MANIFEST = "manifest.json"
_IMPORT = re.compile(r"^import\s+(\S+)", re.MULTILINE)


class CoreBuildError(RuntimeError):
    """Core could not be compiled, or not stored; the message has Lean's own words."""


@dataclass(frozen=True)
class CoreLibrary:
    """Core, compiled.

    Attributes:
        root: the folder of the `.olean` files; what `LEAN_PATH` must name.
        library: the Lean library that compiled it and that must load it.
        digest: SHA-256 over the Lean library and the sources, in hexadecimal.
    """

    root: Path
    library: LeanLibrary
    digest: str

    @property
    def lean_version(self) -> str:
        """Lean's version, such as "4.35.0"."""
        return self.library.version

    @property
    def search_path(self) -> tuple[Path, ...]:
        """The folders in which Lean looks up modules."""
        return (self.root,)


def core_library(progress: bool = True, *, verify: bool = False) -> CoreLibrary:
    """Core for this machine's Lean; compiled at first use (seconds), found again afterwards (about a millisecond).

    Args:
        progress: show a progress bar on standard error while compiling.
        verify: hash every compiled file; without it only those are hashed whose size or time has changed.

    Raises:
        LeanNotFound: this machine has no Lean library.
        CoreBuildError: Lean refused a source, or the cache folder can't be written.
    """
    library = find_library()
    sources = read_sources()
    digest = _digest(library, sources)
    base = cache_dir() / "core"
    root = base / digest[:20]
    core = CoreLibrary(root, library, digest)
    if is_intact(root, verify=verify):
        return core
    try:
        base.mkdir(parents=True, exist_ok=True)
        with FileLock(base / f"{root.name}.lock"):  # the system frees it when its holder dies
            if not is_intact(root, verify=verify):  # else another process was faster
                _build(core, sources, progress)
    except OSError as error:
        raise CoreBuildError(f"Can't store the compiled Core in {base}: {error}. Set LEAN_GYM_CACHE.") from error
    return core


def read_sources(folder: Path | None = None) -> dict[str, str]:
    """The sources in a folder (Core's own if none is given): module name to text, in alphabetical order."""
    folder = folder or SOURCES
    files = sorted(folder.rglob("*.lean"))
    return {".".join(file.relative_to(folder).with_suffix("").parts): file.read_text("utf-8") for file in files}


def is_intact(root: Path, *, verify: bool = False) -> bool:
    """Whether the folder holds all the compiled files that its manifest lists, unchanged."""
    try:
        files = json.loads((root / _MANIFEST).read_text())["files"]
        for name, (size, mtime_ns, sha256) in files.items():
            status = (root / name).stat()
            if status.st_size != size:
                return False
            if (verify or status.st_mtime_ns != mtime_ns) and _hash_file(root / name) != sha256:
                return False
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False  # absent, unreadable or not a manifest: to be compiled
    return bool(files)


def compile_sources(library: LeanLibrary, sources: dict[str, str], root: Path, progress: bool = False) -> None:
    """Compile modules into `root`, each in a child process, those that don't need each other at the same time.

    Raises:
        CoreBuildError: Lean reported anything at all; Core compiles without a message.
    """
    needs = {module: [name for name in _IMPORT.findall(text) if name in sources] for module, text in sources.items()}
    with (
        tempfile.TemporaryDirectory(prefix="lean-gym-") as scratch,
        _progress(len(sources), library, progress) as advance,
        ThreadPoolExecutor(max(1, min(4, os.cpu_count() or 1))) as pool,
    ):
        folder = Path(scratch)
        for module, text in sources.items():
            _write(folder / _file(module, ".lean"), text)
            (root / _file(module, ".olean")).parent.mkdir(parents=True, exist_ok=True)
        done: set[str] = set()
        running: dict[Future[str], str] = {}
        while len(done) < len(sources):
            for module in sorted(sources.keys() - done - set(running.values())):
                if done.issuperset(needs[module]):
                    running[pool.submit(_compile, library, module, folder, root)] = module
            if not running:
                raise CoreBuildError("Core's modules import each other in a circle.")
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                module = running.pop(future)
                if said := future.result():
                    raise CoreBuildError(f"Lean {library.version} did not compile Core's module {module}:\n{said}")
                done.add(module)
                advance()


def _compile(library: LeanLibrary, module: str, folder: Path, root: Path) -> str:
    """Compile one module; what Lean said, cut to a readable length."""
    source, target = _file(module, ".lean"), root / _file(module, ".olean")
    try:
        result = run_lean(library, "-R", ".", "-o", str(target), source, lean_path=root, cwd=folder)
    except subprocess.TimeoutExpired as error:
        return f"no end after {error.timeout:.0f} seconds"
    said = (result.stdout + result.stderr).strip()
    if result.returncode and not said:
        said = f"exit code {result.returncode}"
    return said if len(said) <= 4000 else f"{said[:4000]} ..."


def _build(core: CoreLibrary, sources: dict[str, str], progress: bool) -> None:
    """Compile into a folder beside `core.root`, then put it in its place. The caller holds the lock."""
    root = core.root
    logger.info("compiling Core for Lean %s into %s", core.lean_version, root)
    fresh = Path(tempfile.mkdtemp(prefix=f"{root.name}-", dir=root.parent))
    try:
        fresh.chmod(0o755)
        compile_sources(core.library, sources, fresh, progress)
        files = {}
        for module in sources:
            name = _file(module, ".olean")
            status = (fresh / name).stat()
            files[name] = (status.st_size, status.st_mtime_ns, _hash_file(fresh / name))
        manifest = {"lean": core.lean_version, "githash": core.library.githash, "digest": core.digest, "files": files}
        _write(fresh / _MANIFEST, json.dumps(manifest, indent=1))
        if root.exists():  # damaged; processes that have mapped its files keep them
            old = Path(tempfile.mkdtemp(prefix=f"{root.name}-", dir=root.parent))
            root.replace(old / "damaged")
            shutil.rmtree(old, ignore_errors=True)
        fresh.replace(root)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _digest(library: LeanLibrary, sources: dict[str, str]) -> str:
    digest = hashlib.sha256()
    for part in (_FORMAT, library.sha256, *(part for item in sources.items() for part in item)):
        data = part.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def _file(module: str, suffix: str) -> str:
    return module.replace(".", "/") + suffix


def _hash_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


@contextlib.contextmanager
def _progress(total: int, library: LeanLibrary, show: bool) -> Iterator[Callable[[], None]]:
    """A progress bar on standard error; yields the function that moves it one step on."""
    if not show:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"Compiling Core for Lean {library.version} (once)", total=total)
        yield lambda: bar.advance(task)
