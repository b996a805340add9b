"""The REPL of leanprover-community on the embedded Lean: `python -m lean_gym.core.repl`.

Protocol: a JSON object and a blank line in, a JSON object and a blank line out.

- `{"cmd": TEXT}`: elaborate a whole file, import lines first. `{"cmd": TEXT, "env": N}`: go on where command N ended;
  its declarations are there, not its `open`s and options. `"gc": true`: the answer names no environment to go on from.
- Answer: `{"env": N, "messages": [...], "sorries": [...]}`, the lists left out when empty, or `{"message": WHY}`.

Unlike the original it has no info trees (`infotree` is ignored, a `sorry` shows no goal and stands at its
declaration), no tactic mode and no pickles. `Init` is not there to be imported: each file counts as a `prelude`.
Use it alone in a process: the library has global state, and the text may do to the process what it likes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import sys
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from ..theorem import skip_blank, split_header
from .build import CoreBuildError, core_library
from .ffi import Lean, LeanError
from .library import LeanNotFound

__all__ = ["Repl", "main", "serve"]

_OPTIONS: dict[str, bool | int | str] = {"Elab.async": False, "linter.all": False}
_NOT_NEWLINE = re.compile(r"[^\n]")
_SEVERITY = {"information": "info"}  # the REPL's word for Lean's
# Servers read a line of 64 KiB at most, and a character becomes 6 bytes of JSON at most.
_MAX_TEXT = 10_000
_CUT = "\n... (cut)"
_STACK = 64 << 20


class Repl:
    """Environments by number, and commands that make new ones.

    Args:
        lean: the library, initialised.
        search_path: folders of `.olean` files.
    """

    def __init__(self, lean: Lean, search_path: Sequence[str]) -> None:
        self._lean = lean
        self._search_path = tuple(search_path)
        self._imported: dict[tuple[str, ...], int] = {}
        self._environments: list[int] = []

    def answer(self, request: Any) -> dict[str, Any]:
        """Run one command; what is wrong with it is in the answer's `message`."""
        if not isinstance(request, dict) or not isinstance(request.get("cmd"), str):
            return {"message": 'Could not parse as a valid JSON command: an object with a text "cmd" is expected.'}
        text, number = request["cmd"], request.get("env")
        try:
            if number is None:
                base, text = self._import(text)
            elif isinstance(number, int) and 0 <= number < len(self._environments):
                base = self._environments[number]
            else:
                return {"message": "Unknown environment."}
            left, lines = base, list[bytes]()
            if skip_blank(text, 0) < len(text):  # Lean takes a text without a command for a broken one
                left, lines = self._lean.elaborate(base, text.encode("utf-8", "replace"), _OPTIONS)
        except LeanError as error:
            return {"message": str(error)}
        messages = [json.loads(line) for line in lines]
        answer: dict[str, Any] = {}
        if not request.get("gc"):
            self._environments.append(left)
            answer["env"] = len(self._environments) - 1
        if messages:
            answer["messages"] = [_message(message) for message in messages]
        sorries = [_sorry(message) for message in messages if message["kind"] == "hasSorry"]
        if sorries:
            answer["sorries"] = sorries
        return answer

    def _import(self, text: str) -> tuple[int, str]:
        """The environment that a file's header asks for, and the file with blanks for its header."""
        modules, _, rest = split_header(text)
        if modules not in self._imported:
            self._imported[modules] = self._lean.import_modules(modules, self._search_path)
        header = text[: len(text) - len(rest)]
        return self._imported[modules], _NOT_NEWLINE.sub(" ", header) + rest


def _message(message: dict[str, Any]) -> dict[str, Any]:
    data = message["data"].strip()
    return {
        "severity": _SEVERITY.get(message["severity"], message["severity"]),
        "pos": message["pos"],
        "endPos": message["endPos"],
        "data": data if len(data) <= _MAX_TEXT else data[:_MAX_TEXT] + _CUT,
    }


def _sorry(message: dict[str, Any]) -> dict[str, Any]:
    return {"pos": message["pos"], "endPos": message["endPos"] or message["pos"], "goal": ""}


def serve(repl: Repl, source: BinaryIO, target: BinaryIO) -> None:
    """Answer the commands that come from `source` until it ends."""
    for block in _blocks(source):
        try:
            request = json.loads(block)
        except (ValueError, RecursionError) as error:
            answer = {"message": f"Could not parse JSON:\n{error}"}
        else:
            answer = repl.answer(request)
        # Indented, a part a line: the lines stay short.
        target.write(json.dumps(answer, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n\n")
        target.flush()


def _blocks(source: BinaryIO) -> Iterator[bytes]:
    """The texts between blank lines."""
    lines: list[bytes] = []
    for line in source:
        if line.strip():
            lines.append(line)
        elif lines:
            yield b"".join(lines)
            lines = []
    if lines:
        yield b"".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """The program: this machine's Lean library and Core, compiled if need be. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m lean_gym.core.repl", description="The Lean REPL's protocol.")
    parser.add_argument("--path", action="append", default=[], help="a folder of more .olean files (repeatable)")
    options = parser.parse_args(arguments)
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (_STACK if hard < 0 else min(hard, _STACK), hard))
    try:
        core = core_library(progress=False)
        lean = Lean.load(core.library.path)
        lean.initialise()
    except (LeanNotFound, CoreBuildError, LeanError) as error:
        print(error, file=sys.stderr)
        return 1
    # What Lean itself prints is no part of the protocol, and whoever runs a REPL may never read its stderr.
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    serve(Repl(lean, [*map(str, core.search_path), *options.path]), sys.stdin.buffer, answers)
    return 0


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    os._exit(code)  # Lean's threads may still run; an orderly exit would wait for them
