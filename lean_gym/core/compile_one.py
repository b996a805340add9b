"""Compile one Lean text into an `.olean` file: `python -m lean_gym.core.compile_one [-o FILE] < TEXT`.

The whole file, header included, comes by standard input; the compiled module goes to FILE, or to standard output.
Lean's messages go to standard error, one JSON object a line (`severity`, `pos`, `endPos`, `data`, `kind`).

Exit codes: 0 compiled (there may be warnings), 1 Lean reported an error and there is no module, 2 it could not run
to its end.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .build import CoreBuildError, core_library
from .library import LeanNotFound, find_library, run_lean

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """The program. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="lean-gym-compile", description="Lean text on stdin -> .olean on stdout.")
    parser.add_argument("-o", "--output", type=Path, help="write the module there instead")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds (300)")
    parser.add_argument("--version", action="store_true", help="print Lean's version and end")
    options = parser.parse_args(arguments)
    try:
        if options.version:
            print(f"lean-gym-compile Lean {find_library().version} serve")  # serve: it knows --serve
            return 0
        core = core_library(progress=False)
        with tempfile.TemporaryDirectory(prefix="lean-gym-") as scratch:
            folder = Path(scratch)
            (folder / "main.lean").write_bytes(sys.stdin.buffer.read())
            done = run_lean(
                core.library, "--json", "-o", "main.olean", "main.lean",
                lean_path=core.root, cwd=folder, timeout=options.timeout,
            )  # fmt: skip
            sys.stderr.write(done.stdout + done.stderr)
            if done.returncode:
                return 1 if done.returncode == 1 else 2
            module = (folder / "main.olean").read_bytes()
        if options.output:
            options.output.write_bytes(module)
        else:
            sys.stdout.buffer.write(module)
            sys.stdout.buffer.flush()
    except (LeanNotFound, CoreBuildError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    except subprocess.TimeoutExpired:
        print(f"no end after {options.timeout:g} seconds", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
