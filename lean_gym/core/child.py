"""What a forked child of the server does: confine itself, elaborate, answer, end."""

from __future__ import annotations

import os
import resource

from .frames import MAX_COMMANDS, MAX_MODULE, MODULE_TOO_LARGE, TRUNCATED, Answer, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from .ffi import Lean
    from .frames import Request
    from .frontend import Elaborated
    from .sandbox import Sandbox

__all__ = ["ChildWork", "cut_messages"]

RESULT_FD = 3
"""The one descriptor that a child keeps, beside 0, 1 (the null device) and 2 (a pipe for Lean's last words)."""

EXIT_FAILED = 71
"""Exit code of a child that failed in our own code."""

_ERROR = b'"severity":"error"'  # never inside a JSON string, where its quotes would be escaped
_SORRY = b'"kind":"hasSorry"'
_TEXT, _AFTER_TEXT = b'"data":"', b'","endPos":'  # Lean writes the keys in alphabetical order
_SHORT = 1024


class ChildWork:
    """The work of a child, made ready in the parent so that a child touches little memory.

    Args:
        lean: the library, its task manager stopped.
        elaborate: (text, heartbeats, trusted) -> what came of it.
        module: environment -> `.olean` bytes.
        sandbox: what to enter before the text is looked at.
    """

    def __init__(
        self,
        lean: Lean,
        elaborate: Callable[[bytes, int, bool], Elaborated],
        module: Callable[[int], bytes],
        sandbox: Sandbox,
    ) -> None:
        self._lean = lean
        self._elaborate = elaborate
        self._module = module
        self._sandbox = sandbox
        self._parent = os.getpid()

    def run(self, request: Request, nonce: int, result: int, errors: int) -> NoReturn:
        """Do the job in this process, which ends with it. `result` and `errors`: where to write."""
        code = EXIT_FAILED
        try:
            os.setsid()
            seconds = int(request.cpu) + 2
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            self._arrange(result, errors)
            self._sandbox.enter(keep=RESULT_FD + 1, ident=os.getpid())
            if os.getppid() != self._parent:
                os._exit(EXIT_FAILED)
            os.write(RESULT_FD, Answer.START)
            _write(RESULT_FD, self._answer(request, nonce))
            code = 0
        except BaseException as error:  # this process ends here, and its parent reports it
            os.write(2, f"{type(error).__name__}: {error}".encode("utf-8", "replace")[:1000])
        finally:
            os._exit(code)

    def _arrange(self, result: int, errors: int) -> None:
        # Neither may lie where the other goes; the server holds 0 to 2 (null device and its log) and 3 (its socket).
        os.dup2(errors, 2, inheritable=False)
        os.dup2(result, RESULT_FD, inheritable=False)

    def _answer(self, request: Request, nonce: int) -> bytes:
        self._lean.start_tasks(1)
        return Answer.pack(nonce, [self._part(request, text) for text in request.texts])

    def _part(self, request: Request, text: bytes) -> Part:
        done = self._elaborate(text, request.heartbeats, request.trusted)
        lines = done.messages
        flags = 0
        module = b""
        # A module is wanted of what may pass. (An open proof that hides it is found in the module.)
        failed = done.refused or any(_ERROR in line or (_SORRY in line and not request.trusted) for line in lines)
        if request.module and not failed:
            module = self._module(done.env)
            if len(module) > MAX_MODULE:
                module, flags = b"", MODULE_TOO_LARGE
        messages, cut = cut_messages(lines, request.output)
        commands = cut_commands(done.commands, MAX_COMMANDS)
        return Part(flags | (TRUNCATED if cut else 0), messages, commands, module)


def cut_commands(lines: list[bytes], limit: int) -> bytes:
    """Join the commands' lines within `limit` bytes: the first ones that fit and, if some don't, the last one."""
    text = b"\n".join(lines)
    if len(text) <= limit:
        return text
    start = text[: limit - len(lines[-1]) - 1]
    return start[: start.rfind(b"\n") + 1] + lines[-1]


def cut_messages(lines: list[bytes], limit: int) -> tuple[bytes, bool]:
    """Join messages (JSON, one a line) within `limit` bytes.

    Returns:
        (text, cut). What doesn't fit is shortened or left out, but for the first error, which always has its word.
    """
    if sum(map(len, lines)) + len(lines) <= limit:
        return b"\n".join(lines), False
    errors = [index for index, line in enumerate(lines) if _ERROR in line]
    error = errors[0] if errors else -1
    kept: list[bytes] = []
    room = limit
    for index, line in enumerate(lines):
        spare = min(_SHORT, len(lines[error]) + 1) if index < error else 0
        short = _shorten(line, room - spare - 1)
        if short:
            kept.append(short)
            room -= len(short) + 1
        if short != line:
            if index < error and (short := _shorten(lines[error], room - 1)):
                kept.append(short)
            break
    return b"\n".join(kept), True


def _shorten(line: bytes, limit: int) -> bytes:
    """One of Lean's messages in at most `limit` bytes, its text cut to fit; empty when that leaves nothing."""
    if len(line) <= limit:
        return line
    start = line.find(_TEXT)
    end = line.rfind(_AFTER_TEXT)
    if start < 0 or end < start:
        return b""
    start += len(_TEXT)
    room = limit - start - (len(line) - end)
    if room <= 0:
        return b""
    # Neither in the middle of a character nor of an escape, the longest of which is \\uXXXX.
    text = line[start : min(end, start + room)].decode("utf-8", "ignore").encode()
    slash = text.rfind(b"\\", max(0, len(text) - 6))
    if slash >= 0:
        text = text[:slash]
        while text.endswith(b"\\"):
            text = text[:-1]
    return line[:start] + text + line[end:]


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
