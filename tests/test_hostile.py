"""Submissions that attack: each ends with a status of its own, in time, and harms no neighbour.

Macros run in Lean's interpreter while the text is elaborated, and `@[extern]` reaches every function of the library, so
a text can call `IO.Process.spawn` and the rest of `IO`. `test_the_attacks_are_real` shows that without the sandbox.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lean_gym.core import sandbox
from lean_gym.core.build import core_library
from lean_gym.core.library import run_lean
from lean_gym.theorem import CORE_HEADER
from lean_gym.workers import core as core_worker
from lean_gym.workers.base import Job, Limits, Reply, Status, WorkerLost
from lean_gym.workers.core import CoreWorker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's")

GOOD = "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  exact ⟨h.2, h.1⟩\n"
WALL, CPU, MEMORY = 3.0, 2.0, 384 << 20
SPARE = 2.0  # seconds beyond its limit within which a job must be over

# What `IO` functions return, in Lean's own layout.
RESULT = "inductive Res where | ok (a : Unit) | error (e : Unit)\ninstance : Inhabited Res := ⟨.ok ()⟩\n"
SPAWN_TYPES = """inductive Stdio where | piped | inherit | null
structure StdioConfig where
  stdin : Stdio
  stdout : Stdio
  stderr : Stdio
structure SpawnArgs where
  toStdioConfig : StdioConfig
  cmd : String
  args : Array String
  cwd : Option String
  env : Array String
  inheritEnv : Bool
  setsid : Bool
"""


def evaluate(definitions: str, expression: str) -> str:
    """A text that evaluates a number while it is elaborated."""
    return f"""{definitions}
open Lean in
macro "go" : command => match {expression} with
  | .zero => `(theorem zero : True := True.intro)
  | _ => `(theorem more : True := True.intro)
go
"""


def attack(declaration: str, call: str) -> str:
    """A text that makes an `IO` call while it is elaborated; its one error says "worked" or "refused"."""
    return f"""{RESULT}{declaration}
open Lean in
macro "go" : command => fun _ s => match {call} with
  | .ok _ => .error (.error .missing "worked") s
  | .error _ => .error (.error .missing "refused") s
go
"""


def spawn(command: str, argument: str) -> str:
    call = f'IO.Process.spawn ⟨⟨.null, .null, .null⟩, "{command}", Array.mkArray1 "{argument}", .none, Array.mkArray0, '
    return attack(SPAWN_TYPES + '@[extern "x"] opaque IO.Process.spawn (args : SpawnArgs) : Res', call + "true, false⟩")


def write_file(path: Path) -> str:
    return attack('@[extern "x"] opaque IO.FS.writeFile (path content : String) : Res', f'IO.FS.writeFile "{path}" "x"')


def read_file(path: Path) -> str:
    return attack('@[extern "x"] opaque IO.FS.readFile (path : String) : Res', f'IO.FS.readFile "{path}"')


def remove_file(path: Path) -> str:
    return attack('@[extern "x"] opaque IO.FS.removeFile (path : String) : Res', f'IO.FS.removeFile "{path}"')


SPIN = evaluate("partial def spin (n : Nat) : Nat := spin (n + 1)\n", "spin 0")
SLEEP = attack('@[extern "x"] opaque IO.sleep (ms : Nat) : Res', "IO.sleep 100000")
EXIT = attack('@[extern "x"] opaque IO.Process.exit (a : Type) (code : Nat) : Res', "IO.Process.exit Unit 0")
LIST_BOMB = evaluate(
    "def bomb : Nat → List Nat → List Nat\n  | 0, acc => acc\n  | n+1, acc => bomb n (n :: acc)\n"
    "def size : List Nat → Nat\n  | .nil => 0\n  | .cons a _ => a\n",
    "size (bomb 100000000000 .nil)",
)
STRINGS = (
    '@[extern "x"] opaque String.append (a b : String) : String\n'
    'def big : Nat → String\n  | 0 => "0123456789abcdefghijklmnopqrstuvwxyz"\n'
    "  | n+1 => String.append (big n) (big n)\n"
)
FAST_BOMB = f"""{STRINGS}
open Lean in
macro "go" : command => fun _ s => .error (.error .missing (big 28)) s
go
"""
LONG_MESSAGE = f"""{STRINGS}
open Lean in
macro "go" : command => fun _ s => .error (.error .missing (big 20)) s
go
{GOOD}"""
DEEP_CODE = evaluate("def deep : Nat → Nat\n  | 0 => 0\n  | n+1 => Nat.succ (deep n)\n", "deep 100000000")
DEEP_TEXT = "theorem deep : " + "(" * 200_000 + "True" + ")" * 200_000 + " := True.intro\n"
HEAVY = "theorem heavy : True := by\n" + "  have h : True := True.intro\n" * 30_000 + "  exact h\n"
LOOP = """set_option maxHeartbeats 0
theorem loop (p : Nat → Prop) (h : ∀ n, p (n + 1) → p n) : p 0 := by
  repeat apply h
"""


def check(*texts: str, **limits: float) -> list[tuple[Reply, float]]:
    """Run each text beside good ones, with small limits; the good ones must all be right, the next job too."""
    given = {"wall": WALL, "cpu": CPU, "memory": MEMORY, **limits}

    async def run() -> list[tuple[Reply, float]]:
        worker = CoreWorker(capacity=2)
        await worker.start()

        async def timed(text: str) -> tuple[Reply, float]:
            started = time.monotonic()
            reply = await worker.check(Job(CORE_HEADER, text, Limits(**given)))  # type: ignore[arg-type]
            return reply, time.monotonic() - started

        try:
            replies = []
            for text in texts:
                hostile, *neighbours = await asyncio.gather(timed(text), *(timed(GOOD) for _ in range(6)))
                replies.append(hostile)
                for reply, _ in [*neighbours, await timed(GOOD)]:
                    assert reply.status is Status.DONE and not reply.messages and reply.olean is not None
            left = Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split()
            assert left == []
            return replies
        finally:
            await worker.aclose()

    return asyncio.run(run())


@pytest.mark.parametrize("text", [SPIN, SLEEP, LOOP], ids=["spin", "sleep", "tactic"])
def test_endless(text: str) -> None:
    [(reply, seconds)] = check(text, memory=2 << 30)
    assert reply.status is Status.TIMEOUT and "Stopped after" in reply.detail
    assert seconds < WALL + SPARE


def test_the_first_limit_counts() -> None:
    [(reply, _)] = check(SPIN, cpu=0.5, wall=20)
    assert reply.status is Status.TIMEOUT and "CPU" in reply.detail and reply.seconds < 0.5 + SPARE
    [(reply, _)] = check(SPIN, cpu=20, wall=0.5)
    assert reply.status is Status.TIMEOUT and "wall" in reply.detail and reply.seconds < 0.5 + SPARE


@pytest.mark.parametrize("text", [LIST_BOMB, FAST_BOMB, HEAVY], ids=["slow", "fast", "tactics"])
def test_memory(text: str) -> None:
    [(reply, seconds)] = check(text, cpu=20, wall=20)
    assert reply.status is Status.OUT_OF_MEMORY and "384 MB" in reply.detail
    assert seconds < 20 + SPARE


def test_long_message() -> None:
    [(reply, _)] = check(LONG_MESSAGE, memory=2 << 30, cpu=20, wall=20)
    assert reply.status is Status.DONE and reply.truncated and reply.olean is None
    [message] = reply.messages
    assert message.severity == "error" and message.text.startswith("0123456789abc")
    assert 200_000 < len(message.text) < Limits().output


@pytest.mark.parametrize("text", [DEEP_CODE, DEEP_TEXT], ids=["code", "text"])
def test_stack_overflow(text: str) -> None:
    [(reply, seconds)] = check(text, memory=1 << 30, cpu=20, wall=20)
    assert reply.status is Status.CRASHED and "SIG" in reply.detail
    assert seconds < 20 + SPARE


def test_exit_is_no_answer() -> None:
    [(reply, _)] = check(EXIT)
    assert reply.status is Status.CRASHED and reply.olean is None


def refused(reply: Reply) -> bool:
    return reply.status is Status.DONE and [message.text for message in reply.messages] == ["refused"]


def test_files(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    victim = tmp_path / "victim"
    victim.write_text("kept")
    victim.chmod(0o666)
    texts = [write_file(tmp_path / "new"), write_file(victim), remove_file(victim), read_file(victim)]
    replies = check(*texts, read_file(Path("/etc/passwd")), write_file(Path("/proc/self/fd/3")))
    assert all(refused(reply) for reply, _ in replies)
    assert victim.read_text() == "kept" and [*tmp_path.iterdir()] == [victim]


def test_processes(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    made = tmp_path / "made"
    replies = check(spawn("/bin/mkdir", str(made)), spawn("/bin/sleep", "1000"))
    assert all(refused(reply) for reply, _ in replies)
    assert not made.exists()


def test_the_attacks_are_real(tmp_path: Path) -> None:
    core = core_library()
    made, written = tmp_path / "made", tmp_path / "written"
    for text in (spawn("/bin/mkdir", str(made)), write_file(written)):
        done = run_lean(core.library, "--stdin", text=CORE_HEADER + text, lean_path=core.root)
        assert "worked" in done.stdout, done.stdout + done.stderr
    assert written.read_text() == "x"
    end = time.monotonic() + 5
    while not made.exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert made.exists()


DEEDS = """
import ctypes, errno, os, socket, sys, types
package = types.ModuleType("lean_gym"); package.__path__ = [sys.argv[1]]; sys.modules["lean_gym"] = package
from lean_gym.core.sandbox import Sandbox
folder, parent = sys.argv[2], os.getppid()
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    if libc.syscall(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "syscall")
deeds = {
    "udp": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "tcp": lambda: socket.socket(),
    "unix": lambda: socket.socketpair(),
    "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "write": lambda: os.open(folder + "/victim", os.O_WRONLY),
    "truncate": lambda: os.truncate(folder + "/victim", 0),
    "rename": lambda: os.rename(folder + "/victim", folder + "/other"),
    "link": lambda: os.symlink("/", folder + "/link"),
    "mkdir": lambda: os.mkdir(folder + "/new"),
    "chmod": lambda: os.chmod(folder + "/victim", 0o777),
    "memory file": lambda: os.memfd_create("x"),
    "pipe": lambda: os.pipe(),
    "kill": lambda: os.kill(parent, 0),
    "kill group": lambda: os.kill(0, 0),
    "fork": lambda: call(57 if os.uname().machine == "x86_64" else 220, 17, 0, 0, 0, 0),
    "exec": lambda: os.execv("/bin/true", ["true"]),
    "ptrace": lambda: call(101 if os.uname().machine == "x86_64" else 117, 16, parent, 0, 0),
    "limits": lambda: call(302 if os.uname().machine == "x86_64" else 261, parent, 7, None, None),
    "io_uring": lambda: call(425, 8, ctypes.create_string_buffer(120)),
    "bpf": lambda: call(321 if os.uname().machine == "x86_64" else 280, 0, None, 0),
    "user": lambda: os.setuid(0),
    "leave session": lambda: os.setsid(),
}
Sandbox().enter(keep=3)
done = []
for name, deed in deeds.items():
    try:
        deed()
        done.append(name)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EACCES, errno.ENOSYS):
            done.append(f"{name} ({error.errno})")
os.write(1, ", ".join(done).encode())
"""


def test_what_a_confined_process_can_do(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    (tmp_path / "victim").write_text("kept")
    (tmp_path / "victim").chmod(0o666)
    package = str(Path(sandbox.__file__).parents[1])
    command = [sys.executable, "-I", "-S", "-c", DEEDS, package, str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    assert result.stdout == ""
    assert (tmp_path / "victim").read_text() == "kept"


def test_available_tries_everything_out() -> None:
    holds = sandbox.available()
    assert set(holds) == {"landlock", "seccomp", "user", *sandbox.PROMISES}
    assert holds["user"] == (os.geteuid() == 0)
    assert all(holds[promise] for promise in sandbox.PROMISES)


def test_strict_refuses_a_weak_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    async def start() -> None:
        worker = CoreWorker(capacity=1, strict_sandbox=True)
        await worker.start()
        await worker.aclose()

    asyncio.run(start())
    real = sandbox.available()
    monkeypatch.setattr(core_worker, "available", lambda: {**real, "no_network": False})
    with pytest.raises(WorkerLost, match="no_network"):
        asyncio.run(start())


@pytest.mark.parametrize("layer", ["landlock", "seccomp"])
def test_each_layer_stands_alone(layer: str, tmp_path: Path) -> None:
    """Files stay safe with either layer missing."""
    tmp_path.chmod(0o777)
    victim = tmp_path / "victim"
    victim.write_text("kept")
    victim.chmod(0o666)
    script = (
        "import os, sys, types\n"
        "package = types.ModuleType('lean_gym'); package.__path__ = [sys.argv[1]]; sys.modules['lean_gym'] = package\n"
        "from lean_gym.core.sandbox import Sandbox\n"
        "box = Sandbox((sys.argv[3],)); assert box.layers == (sys.argv[3],); box.enter(keep=3)\n"
        "for path in (sys.argv[2], sys.argv[2] + '.new'):\n"
        "    try: os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)\n"
        "    except PermissionError: os.write(1, b'refused ')\n"
    )
    package = str(Path(sandbox.__file__).parents[1])
    command = [sys.executable, "-I", "-S", "-c", script, package, str(victim), layer]
    result = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    assert result.stdout == "refused refused "
    assert victim.read_text() == "kept" and [*tmp_path.iterdir()] == [victim]
