"""The `lean` program out of the shared library: `python lean_program.py LIBRARY ARGUMENTS...`.

Runs alone, with the standard library only (`python -I -S`), so that a child process starts in some 10 ms.
"""

from __future__ import annotations

import ctypes
import os
import sys


def main(library: str, arguments: list[str]) -> int:
    """Load the library into this process, call its `lean_main`, give back the exit code."""
    # RTLD_GLOBAL: Lean's interpreter finds the functions behind `@[extern]` with dlsym.
    lean = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
    argv = [b"lean", *map(os.fsencode, arguments)]
    code = lean.lean_main(len(argv), (ctypes.c_char_p * (len(argv) + 1))(*argv, None))
    ctypes.CDLL(None).fflush(None)  # C's buffers, which os._exit would drop
    return int(code)


if __name__ == "__main__":
    exit_code = main(sys.argv[1], sys.argv[2:])
    os._exit(exit_code)  # Lean's own threads may still run; an orderly exit would wait for them.
