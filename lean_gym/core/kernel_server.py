"""The auditor's process: audits compiled modules and has Lean's kernel check them. It never runs any candidate's text.

Run by `core.kernel.KernelAuditor` as `python -I kernel_server.py PARENT_PID`. It reads frames (`core.frames`) on
standard input and answers on what was its standard output. The first frame says what to import; each later one is an
audit.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import resource
import signal
import struct
import sys
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # -I leaves our own package off the path
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lean_gym.audit import AuditResult, Trusted, TrustedError, examine
from lean_gym.base_library import BaseLibrary
from lean_gym.core.ffi import Lean, LeanError
from lean_gym.core.frames import FAILED, READY, RESULT, FrameReader, frame
from lean_gym.core.kernel_check import Kernel, KernelRefusal
from lean_gym.core.sandbox import Sandbox
from lean_gym.olean import OleanError

STACK = 64 << 20
"""Stack for terms that are nested deep. Lean's own guard stops its recursion before the stack's end."""
MEMORY = 2 << 30
"""Bytes of address space that audits may take; Lean ends the process where the kernel asks for more."""
MAX_GROWTH = 1 << 30
"""Resident bytes over those at the start at which the process asks to be replaced."""
STATEMENTS_KEPT = 1024
_SIZES = struct.Struct("<II")


class Auditor:
    """One header's imported modules, as data and as a kernel environment."""

    def __init__(self, library: str, modules: list[str], search_path: list[str], max_terms: int) -> None:
        self.lean = Lean.load(library)
        self.lean.initialise()
        env = self.lean.import_modules(modules, search_path)
        self.lean.stop_tasks()
        self.base = BaseLibrary(modules, search_path)
        self.kernel = Kernel(self.lean, env, self.base.terms)
        self._statements: OrderedDict[bytes, Trusted] = OrderedDict()
        self._max_terms = max_terms + len(self.base.terms)
        self._start = _resident()

    def audit(self, request: dict[str, Any], trusted: bytes, candidate: bytes) -> AuditResult:
        """All rules, the kernel's last. Raises `TrustedError`."""
        statement = self._statement(trusted, request["target"])
        terms = self.base.terms
        mark = terms.mark()
        examined = examine(
            statement, candidate, self.base, request["permitted_axioms"], body_only=request["body_only"]
        )  # fmt: skip
        if not examined.result.ok:
            terms.rollback(mark)
            return examined.result
        try:
            self.kernel.check(examined.order)
        except KernelRefusal as refusal:
            return AuditResult(False, *refusal.args)
        return examined.result

    @property
    def worn(self) -> bool:
        """Whether the process has grown enough to be replaced."""
        return len(self.base.terms) > self._max_terms or _resident() - self._start > MAX_GROWTH

    def _statement(self, data: bytes, target: str) -> Trusted:
        key = hashlib.sha256(data + target.encode()).digest()
        found = self._statements.get(key)
        if found is None:
            found = self._statements[key] = Trusted.read(data, target, self.base)
            if len(self._statements) > STATEMENTS_KEPT:
                self._statements.popitem(last=False)
        self._statements.move_to_end(key)
        return found


def pack(request: dict[str, Any], trusted: bytes, candidate: bytes) -> bytes:
    """An audit as a payload."""
    head = json.dumps(request).encode()
    return b"".join((_SIZES.pack(len(head), len(trusted)), head, trusted, candidate))


def unpack(payload: bytes) -> tuple[dict[str, Any], bytes, bytes]:
    """Inverse of `pack`."""
    head, trusted = _SIZES.unpack_from(payload)
    middle = _SIZES.size + head
    return json.loads(payload[_SIZES.size : middle]), payload[middle : middle + trusted], payload[middle + trusted :]


def _frames(descriptor: int) -> Iterator[tuple[bytes, int, bytes]]:
    """Frames from a blocking file descriptor, until its end."""
    reader = FrameReader()
    while data := os.read(descriptor, 1 << 20):
        yield from reader.feed(data)


def _resident() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # the peak: needs no file


def die_with(parent: int) -> None:
    """Be killed when the parent process dies (Linux); exit at once when it is dead already."""
    set_death_signal = 1
    ctypes.CDLL(None, use_errno=True).prctl(set_death_signal, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def _raise_stack_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = STACK if hard == resource.RLIM_INFINITY else min(STACK, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_memory(more: int) -> None:
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = size + more
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def main() -> None:
    """Serve until standard input ends."""
    die_with(int(sys.argv[1]))
    _raise_stack_limit()
    # What Lean prints must not end up among the frames.
    inbound, outbound = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    sys.set_int_max_str_digits(0)  # numerals are capped by the reader

    def answer(kind: bytes, nonce: int, reply: dict[str, Any]) -> None:
        data = frame(kind, nonce, json.dumps(reply).encode())
        while data:
            data = data[os.write(outbound, data) :]

    sandbox = Sandbox()
    incoming = _frames(inbound)
    _, nonce, payload = next(incoming)
    config = json.loads(payload)
    try:
        auditor = Auditor(config["library"], config["modules"], config["search_path"], config["max_terms"])
    except (LeanError, OleanError, OSError) as error:
        answer(FAILED, nonce, {"error": f"The auditor can't start: {error}"})
        return
    _limit_memory(MEMORY)
    # It runs nothing of anyone; should a file nevertheless subvert the kernel, there is nowhere to go.
    sandbox.enter(ident=os.getpid())
    answer(READY, nonce, {"version": auditor.lean.version})
    for _, nonce, payload in incoming:
        request, trusted, candidate = unpack(payload)
        try:
            result = auditor.audit(request, trusted, candidate)
        except TrustedError as error:
            answer(FAILED, nonce, {"error": str(error), "worn": auditor.worn})
            continue
        fields = {name: getattr(result, name) for name in ("ok", "reason", "detail", "axioms", "declarations")}
        answer(RESULT, nonce, {**fields, "worn": auditor.worn})


if __name__ == "__main__":
    main()
    os._exit(0)
