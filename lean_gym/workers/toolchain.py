"""Find a Lean toolchain of this machine (`lean` on PATH, or a Lake project's), and say which one it is."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Toolchain", "ToolchainNotFound", "find_toolchain"]

_VERSION = re.compile(r"version (\d+\.\d+\.\d+(?:-[\w.]+)?)(?:.*?commit ([0-9a-f]+))?")
_TIMEOUT = 600.0  # seconds: elan may have to fetch a toolchain, lake to read a project's configuration
_INSTALL = (
    "install Lean by elan (https://lean-lang.org/install), name a Lake project (lean_project), or use the embedded "
    'Lean (worker="core")'
)


class ToolchainNotFound(RuntimeError):
    """There is no Lean toolchain here, or it doesn't answer; the message says what to do."""


@dataclass(frozen=True)
class Toolchain:
    """A Lean toolchain and where it looks up modules.

    Attributes:
        prefix: its folder, which holds bin/lean and lib/lean.
        program: its `lean` itself (not elan's stand-in for it).
        version: e.g. "4.9.0", "4.26.0-rc1".
        commit: of Lean's source, or "".
        library: the file of its `libleanshared`, or None where it has none.
        search_path: folders of `.olean` files, its own lib/lean the last.
        manifest: what Lake pinned for the project (`lake-manifest.json`), or b"".
    """

    prefix: Path
    program: Path
    version: str
    commit: str
    library: Path | None
    search_path: tuple[Path, ...]
    manifest: bytes = b""

    def digest(self, modules: Sequence[str]) -> str:
        """SHA-256 of what runs under a header with these imports: Lean, the pinned packages, the modules themselves.

        The trace that Lake keeps beside a module stands for all that the module rests on.
        """
        size = self.library.stat().st_size if self.library else self.program.stat().st_size
        parts = hashlib.sha256(f"{self.version}\0{self.commit}\0{size}\0".encode())
        parts.update(hashlib.sha256(self.manifest).digest())
        for module in modules:
            for folder in self.search_path:
                path = folder.joinpath(*module.split(".")).with_suffix(".olean")
                if path.is_file():
                    parts.update(module.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
                    trace = path.with_suffix(".trace")
                    if trace.is_file():
                        parts.update(hashlib.sha256(trace.read_bytes()).digest())
                    break
        return parts.hexdigest()


def find_toolchain(lean_project: str | Path | None = None, search_path: Sequence[str | Path] = ()) -> Toolchain:
    """The toolchain that a Lake project uses, or else that of `lean` on PATH. Blocks: it runs `lean` (and `lake`).

    Args:
        lean_project: folder of a Lake project that is built; its packages' modules can be imported.
        search_path: more folders of `.olean` files; those of the variable LEAN_PATH follow.

    Raises:
        ToolchainNotFound: none here, or it doesn't answer.
    """
    manifest = b""
    if lean_project is None:
        lean = _which("lean")
        prefix = _ask([lean, "--print-prefix"], None).strip()
        own = os.environ.get("LEAN_PATH", "")
    else:
        project = Path(lean_project).expanduser().resolve()
        if not any((project / name).is_file() for name in ("lakefile.lean", "lakefile.toml")):
            raise ToolchainNotFound(f"{project} holds no lakefile.lean or lakefile.toml: name a Lake project's folder.")
        environment = dict(
            line.split("=", 1) for line in _ask([_which("lake"), "env"], project).splitlines() if "=" in line
        )
        own = environment.get("LEAN_PATH", "")
        prefix = environment.get("LEAN_SYSROOT", "")
        if not prefix:
            prefix = _ask([_which("lake"), "env", "lean", "--print-prefix"], project).strip()
        if (project / "lake-manifest.json").is_file():
            manifest = (project / "lake-manifest.json").read_bytes()
        own = os.pathsep.join(str(project / path) for path in own.split(os.pathsep) if path)
    root = Path(prefix)
    program = root / "bin" / "lean"
    if not prefix or not program.is_file():
        raise ToolchainNotFound(f"`lean --print-prefix` gave {prefix!r}, where there is no bin/lean; {_INSTALL}.")
    said = _ask([str(program), "--version"], None)
    found = _VERSION.search(said)
    if not found:
        raise ToolchainNotFound(f"{program} --version gave {said.strip()[:200]!r}, which is no version of Lean 4.")
    name = "libleanshared.dylib" if sys.platform == "darwin" else "libleanshared.so"
    places = [root / "lib" / "lean" / name, root / "lib" / name]
    library = next((path.resolve() for path in places if path.is_file()), None)
    folders = [Path(path).expanduser().resolve() for path in (*search_path, *own.split(os.pathsep)) if str(path)]
    paths = tuple(dict.fromkeys([*folders, root / "lib" / "lean"]))
    return Toolchain(root, program, found.group(1), found.group(2) or "", library, paths, manifest)


def _which(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise ToolchainNotFound(f"No Lean toolchain: `{name}` is not on PATH; {_INSTALL}.")
    return path


def _ask(command: Sequence[str], folder: Path | None) -> str:
    words = " ".join(command)
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolchainNotFound(f"`{words}` did not end within {_TIMEOUT:g} s.") from error
    except OSError as error:
        raise ToolchainNotFound(f"`{words}` can't be run: {error.strerror or error}.") from error
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-500:]
        raise ToolchainNotFound(f"`{words}` ended with exit code {done.returncode}: {said}")
    return done.stdout
