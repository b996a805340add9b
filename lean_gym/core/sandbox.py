"""What a forked child may still do: compute. No files, no network, no new process, no signal to others.

A proof may run any function of the Lean library in its child (`@[extern]`, macros), so the child is hostile. Four
layers, each as far as the kernel has it, none in need of privileges:

- Landlock (Linux 5.13; TCP from 6.7, signals from 6.12): no access to any file, no TCP, no abstract Unix socket;
- seccomp: a list of the system calls that elaboration needs; all others fail with EPERM, `fork` and `execve` among
  them;
- resource limits: no core file, no file data, few descriptors;
- as root only: an unprivileged user id of the child's own.

Rulesets and programs are made once, by `Sandbox()`; a child only does `enter()`, some ten system calls.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import resource
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PROMISES", "Sandbox", "available"]

PROMISES = ("no_file_write", "no_file_read", "no_network", "no_new_process", "no_signals")
"""What `available` reports of the whole sandbox, beside the layers that it is made of."""

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
_SIGKILL = 9
_FIRST_ID = 2_000_000_000  # user ids that no system gives to anyone
_OVERFLOW_ID = 65534  # "nobody"

# Number of each system call on x86_64 and aarch64: what elaboration, threads and memory need.
_ALLOWED: dict[str, tuple[int, int]] = {
    "read": (0, 63), "write": (1, 64), "writev": (20, 66), "close": (3, 57), "fstat": (5, 80), "lseek": (8, 62),
    "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214), "mremap": (25, 216),
    "madvise": (28, 233), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132), "sched_yield": (24, 124), "nanosleep": (35, 101), "clock_nanosleep": (230, 115),
    "ppoll": (271, 73), "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getuid": (102, 174),
    "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177), "exit": (60, 93), "exit_group": (231, 94),
    "futex": (202, 98), "set_robust_list": (273, 99), "get_robust_list": (274, 100), "rseq": (334, 293),
    "membarrier": (324, 283), "sched_getaffinity": (204, 123), "getcpu": (309, 168), "restart_syscall": (219, 128),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "gettimeofday": (96, 169), "getrandom": (318, 278),
    "getrusage": (98, 165), "times": (100, 153), "sysinfo": (99, 179), "uname": (63, 160),
    "set_tid_address": (218, 96),
}  # fmt: skip
_CLONE, _CLONE3, _PRLIMIT = (56, 220), (435, 435), (302, 261)
_CALLS = {  # made by `enter` itself
    "seccomp": (317, 277), "setgroups": (116, 159), "setresgid": (119, 149), "setresuid": (117, 147),
    "close_range": (436, 436),
}  # fmt: skip
_LANDLOCK_CREATE, _LANDLOCK_RESTRICT = 444, 446
_ARCHES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _JEQ, _JGE, _JSET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_CLONE_THREAD = 0x00010000


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


def _instruction(code: int, value: int, true: int = 0, false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, true, false, value)


def _syscall_filter(arch: int, audit: int) -> bytes:
    """The seccomp program for one architecture: a search tree over the numbers of the allowed calls."""
    refuse = _instruction(_RETURN, _ERRNO | errno.EPERM)
    allow = _instruction(_RETURN, _ALLOW)
    actions = {numbers[arch]: allow for numbers in _ALLOWED.values()}
    # A thread, not a process; clone3 hides its flags in memory, and glibc then takes clone.
    actions[_CLONE[arch]] = (
        _instruction(_LOAD, 16) + _instruction(_JSET, _CLONE_THREAD, 0, 1) + allow + refuse
    )  # fmt: skip
    actions[_CLONE3[arch]] = _instruction(_RETURN, _ERRNO | errno.ENOSYS)
    actions[_PRLIMIT[arch]] = (
        _instruction(_LOAD, 16) + _instruction(_JEQ, 0, 0, 1) + allow + refuse
    )  # its own limits only

    def tree(numbers: list[int]) -> bytes:
        if len(numbers) <= 2:
            body = b""
            for number in numbers:
                action = actions[number]
                body += _instruction(_JEQ, number, 0, len(action) // 8) + action
            return body + refuse
        half = len(numbers) // 2
        left, right = tree(numbers[:half]), tree(numbers[half:])
        return _instruction(_JGE, numbers[half], len(left) // 8, 0) + left + right

    start = (
        _instruction(_LOAD, 4) + _instruction(_JEQ, audit, 1, 0) + _instruction(_RETURN, _KILL) + _instruction(_LOAD, 0)
    )
    return start + tree(sorted(actions))


def _landlock_abi(libc: ctypes.CDLL) -> int:
    return max(0, int(libc.syscall(_LANDLOCK_CREATE, None, 0, 1)))


class Sandbox:
    """The layers that this kernel has, made ready once in the parent (about 1 ms).

    Attributes:
        layers: names of the layers in force: "landlock", "seccomp", "user".
        landlock_abi: version of Landlock's interface, 0 without.
    """

    def __init__(self, layers: tuple[str, ...] = ("landlock", "seccomp", "user")) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._arch = _ARCHES.get(os.uname().machine) if sys.platform == "linux" else None
        self.landlock_abi = 0
        self._ruleset = -1
        self._program: _Program | None = None
        self._ids = False
        if self._arch is None:
            self.layers: tuple[str, ...] = ()
            return
        self._libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)  # inherited by every child
        if "landlock" in layers:
            self._make_ruleset()
        if "seccomp" in layers:
            self._make_program()
        self._ids = "user" in layers and os.geteuid() == 0 and _child(lambda: self._become(_FIRST_ID))
        present = {"landlock": self._ruleset >= 0, "seccomp": self._program is not None, "user": self._ids}
        self.layers = tuple(name for name, there in present.items() if there)

    def _make_ruleset(self) -> None:
        abi = self.landlock_abi = _landlock_abi(self._libc)
        if abi < 1:
            return
        bits = {1: 13, 2: 14, 3: 15, 4: 15}.get(abi, 16)  # rights on files that this version knows
        rules = _Ruleset(files=(1 << bits) - 1, network=3 if abi >= 4 else 0, scoped=3 if abi >= 6 else 0)
        size = 24 if abi >= 6 else 16 if abi >= 4 else 8
        ruleset = int(self._libc.syscall(_LANDLOCK_CREATE, ctypes.byref(rules), size, 0))
        if ruleset >= 0:
            # Out of the way of the numbers that a child gives to its own descriptors.
            self._ruleset = fcntl.fcntl(
                ruleset, fcntl.F_DUPFD_CLOEXEC, min(100, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 1)
            )
            os.close(ruleset)

    def _make_program(self) -> None:
        assert self._arch is not None
        code = _syscall_filter(*self._arch)
        self._code = ctypes.create_string_buffer(code, len(code))
        program = _Program(len(code) // 8, ctypes.addressof(self._code))
        self._program_address = ctypes.addressof(program)
        self._program = program
        if not _child(self._filter):
            self._program = None

    def enter(self, keep: int | None = None, ident: int = 0) -> None:
        """Confine the calling process for good.

        Args:
            keep: descriptors from this one up are closed; None closes none.
            ident: tells children apart that run at the same time (as root each gets a user id of its own).

        Raises:
            OSError: when a layer that was there at start can't be entered: the caller must not go on.
        """
        limit = resource.setrlimit
        limit(resource.RLIMIT_CORE, (0, 0))
        limit(resource.RLIMIT_FSIZE, (0, 0))
        limit(resource.RLIMIT_NOFILE, (16, 16))
        if keep is not None:
            self._close_from(keep)
        if self._ids:
            limit(resource.RLIMIT_NPROC, (64, 64))
            self._become(_FIRST_ID + ident)
        if sys.platform == "linux":
            # A change of user clears this, hence here.
            self._libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
        if self._ruleset >= 0:
            # Flag of version 7: refusals are not logged.
            self._check(self._libc.syscall(_LANDLOCK_RESTRICT, self._ruleset, 1 if self.landlock_abi >= 7 else 0))
            os.close(self._ruleset)
        if self._program is not None:
            self._filter()

    def _close_from(self, first: int) -> None:
        top, ruleset = 0x7FFFFFFF, self._ruleset
        gaps = [(first, top)] if ruleset < first else [(first, ruleset - 1), (ruleset + 1, top)]
        for low, high in gaps:
            if low > high:
                continue
            if self._arch is None or self._libc.syscall(_CALLS["close_range"][self._arch[0]], low, high, 0) != 0:
                os.closerange(low, min(high, 65536) + 1)

    def _filter(self) -> None:
        assert self._arch is not None
        set_filter, speculation_allowed = 1, 4
        number = _CALLS["seccomp"][self._arch[0]]
        pointer = ctypes.c_void_p(self._program_address)
        self._check(self._libc.syscall(number, set_filter, speculation_allowed, pointer))

    def _become(self, ident: int) -> None:
        assert self._arch is not None
        call, arch, libc = self._libc.syscall, self._arch[0], self._libc
        self._check(call(_CALLS["setgroups"][arch], 0, None))
        for ids in (ident, _OVERFLOW_ID):
            value = ctypes.c_uint32(ids)
            if call(_CALLS["setresgid"][arch], value, value, value) == 0:
                self._check(call(_CALLS["setresuid"][arch], value, value, value))
                return
        self._check(libc.setgid(_OVERFLOW_ID))

    @staticmethod
    def _check(result: int) -> None:
        if result != 0:
            code = ctypes.get_errno()
            raise OSError(code, f"the sandbox can't be entered: {os.strerror(code)}")


def available() -> dict[str, bool]:
    """Which layers hold on this machine, and which promises, each tried out in a small process of its own (about 0.1
    s).

    Keys: "landlock", "seccomp", "user", and those of `PROMISES`.
    """
    import json
    import subprocess

    command = [sys.executable, "-I", "-S", os.path.abspath(__file__)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"the sandbox probe failed: {result.stderr.strip()[-500:]}")
    return {str(key): bool(value) for key, value in json.loads(result.stdout).items()}


def _child(attempt: Callable[[], object], refused: bool = False) -> bool:
    """Whether `attempt` succeeds in a forked child; with `refused`, whether it fails with EPERM, EACCES or ENOSYS."""
    pid = os.fork()
    if pid == 0:
        code = 2
        try:
            attempt()
            code = 1 if refused else 0
        except OSError as error:
            code = 0 if refused and error.errno in (errno.EPERM, errno.EACCES, errno.ENOSYS) else 1
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    return status == 0


def _attempts(folder: str, parent: int) -> dict[str, list[Callable[[], object]]]:
    """For each promise, deeds that must fail."""
    import socket

    def fork() -> None:
        if os.fork() == 0:
            os._exit(0)

    def connect() -> None:
        with socket.socket() as link:
            try:
                link.connect(("127.0.0.1", 9))
            except ConnectionRefusedError:
                pass  # the network answered

    file = os.path.join(folder, "probe")
    return {
        "no_file_write": [lambda: os.open(file, os.O_WRONLY), lambda: os.open(f"{file}.new", os.O_WRONLY | os.O_CREAT)],
        "no_file_read": [lambda: os.open(file, os.O_RDONLY), lambda: os.listdir(folder)],
        "no_network": [connect],
        "no_new_process": [fork, lambda: os.execv("/bin/true", ["true"])],
        "no_signals": [lambda: os.kill(parent, 0)],
    }


def _probe() -> dict[str, bool]:
    import tempfile

    sandbox = Sandbox()
    result = {name: name in sandbox.layers for name in ("landlock", "seccomp", "user")}
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        file = os.path.join(folder, "probe")
        with open(file, "w", encoding="utf-8"):
            os.chmod(file, 0o666)
        for promise, attempts in _attempts(folder, os.getpid()).items():

            def confined(attempt: Callable[[], object]) -> Callable[[], object]:
                def run() -> None:
                    sandbox.enter()
                    attempt()

                return run

            result[promise] = all(_child(confined(attempt), refused=True) for attempt in attempts)
    return result


if __name__ == "__main__":
    import json

    print(json.dumps(_probe()))
