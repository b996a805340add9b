"""Runs inside a container: compiles Lean texts to `.olean`s and hands both messages and modules back.

    python3 -c SOURCE

Frames on stdin and stdout are a length (32 bits, big-endian) and that many bytes. Out, at once: JSON {"tool",
"version"}. Then, for each job, in: JSON {"wall", "cpu" (seconds), "memory", "output", "module" (bytes)}, the text. Out:
JSON {"end": "exit" | "wall" | "cpu" | "memory" | "crash", "detail", "code", "seconds", "truncated",
"killed_for_memory", "module_too_large"}, the messages (a JSON object a line), the module (empty when there is none, or
it is larger than "module"). Between two jobs all processes and files of the first are removed; when stdin ends, the
container does.

The compiler is `lean-gym-compile` of our images, which takes over if it can serve by itself, else the `lean` on PATH
with the modules of the image's lake project.
"""

import contextlib
import json
import os
import pathlib
import resource
import select
import shutil
import signal
import struct
import subprocess
import sys
import time

LENGTH = struct.Struct(">L")
SCRATCH = pathlib.Path("/tmp/lean-gym")
TEXT, MODULE = SCRATCH / "main.lean", SCRATCH / "main.olean"
PROC = pathlib.Path("/proc")
POLL = 0.02  # seconds between two looks at the compiler


def read() -> bytes:
    (length,) = LENGTH.unpack(sys.stdin.buffer.read(LENGTH.size))
    return sys.stdin.buffer.read(length)


def send(data: bytes) -> None:
    sys.stdout.buffer.write(LENGTH.pack(len(data)) + data)
    sys.stdout.buffer.flush()


def ask(command: "list[str]", folder: "pathlib.Path") -> str:
    """The first words that a program prints; "" when it fails."""
    try:
        said = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
    return said.decode("utf-8", "replace")[:1000].strip()


def find() -> "tuple[list[str], dict[str, str]]":
    """(command, environment); no command when there is no Lean."""
    environment = dict(os.environ)
    tool = shutil.which("lean-gym-compile")
    if tool:
        return [tool], environment
    tool = shutil.which("lean")
    if not tool:
        return [], environment
    named = environment.get("LEAN_SERVER_PROJECT_DIR") or environment.get("LEAN_SERVER_WORKSPACE") or "."
    project = pathlib.Path(named)
    # `lean` may be elan's, which takes the version from the folder that it is run in; that of a text is another.
    own = pathlib.Path(ask([tool, "--print-prefix"], project) or "/nonexistent") / "bin/lean"
    # What `lake env` would say, but lake wants to write into its project.
    roots = [project, *sorted(project.glob(".lake/packages/*"))]
    folders = [root / ".lake/build" / sub for root in roots for sub in ("lib/lean", "lib")]
    known = [str(folder.resolve()) for folder in folders if folder.is_dir()]
    environment["LEAN_PATH"] = ":".join([*known, environment.get("LEAN_PATH", "")]).strip(":")
    return [str(own) if own.is_file() else tool, "--json"], environment


def processes() -> "set[str]":
    return {path.name for path in PROC.iterdir() if path.name.isdigit()}


def memory(others: "set[str]") -> int:
    """Bytes that the compiler and all it started hold by themselves; the mapped library files are not theirs."""
    total = 0
    for name in processes() - others:
        try:
            lines = (PROC / name / "status").read_text("latin-1").split("\n")
        except OSError:
            continue
        total += sum(int(line.split()[1]) << 10 for line in lines if line.startswith(("RssAnon:", "RssShmem:")))
    return total


def killed_for_memory() -> int:
    """Processes of this container that the kernel killed for lack of memory."""
    for path in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
        try:
            lines = pathlib.Path(path).read_text("ascii").split("\n")
            return sum(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))
        except OSError:
            continue
    return 0


def clean(ours: "set[str]") -> None:
    """Remove all processes but `ours`, and all files. Raises `SystemExit` when they come faster than they go."""
    for _ in range(500):
        left = processes() - ours
        if not left:
            break
        for name in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(name), signal.SIGKILL)
        time.sleep(0.002)
    else:
        sys.exit("a job left processes that can't be removed")
    for folder in (pathlib.Path("/tmp"), pathlib.Path("/dev/shm")):
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


def run(command: "list[str]", environment: "dict[str, str]", limits: "dict[str, float]") -> None:
    ours = processes()
    SCRATCH.mkdir(exist_ok=True)
    TEXT.write_bytes(read())

    def confine() -> None:
        seconds = int(limits["cpu"] + 1)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    killed = killed_for_memory()
    started = time.monotonic()
    with TEXT.open("rb") as text:
        # lean reads the file by its name, in the folder that it is run in, lean-gym-compile its stdin.
        name = [TEXT.name] if command[-1] == "--json" else []
        child = subprocess.Popen(
            [*command, "-o", str(MODULE), *name], cwd=SCRATCH, env=environment, stdin=text, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=confine,
        )  # fmt: skip
    assert child.stdout is not None
    pipe = child.stdout.fileno()
    os.set_blocking(pipe, False)
    messages, truncated, end, opened = bytearray(), False, "exit", True
    while True:
        over = child.poll() is not None
        while opened and select.select([pipe], [], [], 0 if over else POLL)[0]:
            data = os.read(pipe, 1 << 16)
            opened = bool(data)
            room = int(limits["output"]) - len(messages)
            truncated = truncated or len(data) > room
            messages += data[: max(room, 0)]
            if time.monotonic() - started > limits["wall"]:
                break
        if over:
            break
        if not opened:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(POLL)
        if time.monotonic() - started > limits["wall"]:
            end = "wall"
        elif memory(ours) > limits["memory"]:
            end = "memory"
        else:
            continue
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        break
    child.stdout.close()
    seconds = time.monotonic() - started
    if -child.returncode in (signal.SIGXCPU, signal.SIGKILL) and end == "exit" and seconds >= limits["cpu"]:
        end = "cpu"
    module = b""
    if end == "exit" and child.returncode == 0 and MODULE.is_file():
        with MODULE.open("rb") as compiled:
            module = compiled.read(int(limits["module"]) + 1)
    too_large = bool(limits["module"]) and len(module) > limits["module"]
    result = {
        "end": end,
        "detail": "",
        "code": child.returncode,
        "seconds": seconds,
        "truncated": truncated,
        "killed_for_memory": killed_for_memory() > killed,
        "module_too_large": too_large,
    }
    # Before the answer: what a job left must not meet the next one.
    clean(ours)
    send(json.dumps(result).encode())
    send(bytes(messages))
    send(b"" if len(module) > limits["module"] else module)


def serve() -> None:
    """Work until stdin ends."""
    command, environment = find()
    said = ask([command[0], "--version"], pathlib.Path("/")) if command else ""
    if "serve" in said.split():
        # It imports once, and speaks these frames itself.
        subprocess.run([command[0], "--serve"], env=environment, check=False, start_new_session=True)
        return
    send(json.dumps({"tool": command[0] if command else "", "version": said}).encode())
    while True:
        head = sys.stdin.buffer.read(LENGTH.size)
        if len(head) < LENGTH.size:
            return
        run(command, environment, json.loads(sys.stdin.buffer.read(*LENGTH.unpack(head))))


def main() -> None:
    # A parent 0 is one outside of this process namespace: so this is a container, and all that is found here is ours.
    if os.getppid() != 0:
        sys.exit("this program removes what it finds: it is for containers only")
    try:
        serve()
    finally:
        # Nobody wants anything any more: the container ends with its first process, whose child this kills.
        os.kill(-1, signal.SIGKILL)


if __name__ == "__main__":
    main()
