"""The local worker, with the real library laid out as a toolchain: known, of a wrong version, spoilt, and absent.

`bin/lean` is a script that runs the library's own `lean`. `lake` is a stand-in that says what Lake would.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from lean_gym.core.build import core_library
from lean_gym.core.library import find_library
from lean_gym.theorem import CORE_HEADER
from lean_gym.workers.base import Job, Limits, Reply, Status, WorkerLost
from lean_gym.workers.local import KNOWN_VERSIONS, LocalWorker
from lean_gym.workers.process import LeanProcess
from lean_gym.workers.toolchain import ToolchainNotFound, find_toolchain

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server needs Linux")

T = TypeVar("T")

GOOD = "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  exact ⟨h.2, h.1⟩\n"
BAD = "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  exact ⟨h.1, h.2⟩\n"
SORRY = "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  sorry\n"
ENDLESS = """partial def spin (n : Nat) : Nat := spin (n + 1)
open Lean in
macro "go" : command => match spin 0 with
  | .zero => `(theorem a : True := True.intro)
  | _ => `(theorem b : True := True.intro)
go
"""


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def lay_out(root: Path, version: str = "", before: str = "") -> Path:
    """The library of this machine as a toolchain. `version`: what its `lean` says instead. `before`: Python to run."""
    library = find_library()
    (root / "lib" / "lean").mkdir(parents=True)
    (root / "lib" / "lean" / library.path.name).symlink_to(library.path)
    program = Path(sys.modules["lean_gym.core.library"].__file__ or "").with_name("lean_program.py")
    said = f"Lean (version {version}, x86_64-unknown-linux-gnu, commit 0123abc, Release)" if version else ""
    write_program(
        root / "bin" / "lean",
        f"""#!{sys.executable} -IS
import os, sys
arguments = sys.argv[1:]
if arguments == ["--print-prefix"]:
    print({str(root)!r})
    sys.exit()
if arguments == ["--version"] and {said!r}:
    print({said!r})
    sys.exit()
{before}
os.execv({sys.executable!r}, [{sys.executable!r}, "-I", "-S", {str(program)!r}, {str(library.path)!r}, *arguments])
""",
    )
    return root


def lay_out_project(folder: Path, toolchain: Path, lake: Path) -> Path:
    """A Lake project whose packages' folder is Core's, and the `lake` that says so."""
    folder.mkdir()
    (folder / "lakefile.toml").write_text('name = "project"\n')
    (folder / "lake-manifest.json").write_text('{"version": "1.1.0", "packages": []}\n')
    (folder / "library").symlink_to(core_library().root)
    write_program(
        lake,
        f"""#!/bin/sh
test "$1" = env || exit 7
test -f lakefile.toml || exit 8
echo LEAN_SYSROOT={toolchain}
echo LEAN_PATH=./library
""",
    )
    return folder


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a toolchain whose `bin` is on PATH, not laid out yet."""
    root = tmp_path / "toolchain"
    monkeypatch.setenv("PATH", f"{root / 'bin'}:/usr/bin:/bin")
    monkeypatch.delenv("LEAN_PATH", raising=False)
    return root


def with_worker(work: Callable[[LocalWorker], Awaitable[T]], **arguments: Any) -> T:
    async def run() -> T:
        arguments.setdefault("header", CORE_HEADER)
        arguments.setdefault("search_path", core_library().search_path)
        worker = LocalWorker(**arguments)
        try:
            await worker.start()
            return await asyncio.wait_for(work(worker), 120)
        finally:
            await worker.aclose()
            await worker.aclose()

    return asyncio.run(run())


def job(text: str, module: bool = True, **limits: float) -> Job:
    return Job(CORE_HEADER, text, Limits(**limits), module)  # type: ignore[arg-type]


async def nothing(worker: LocalWorker) -> None:
    return None


async def verdicts(worker: LocalWorker) -> None:
    """What holds in either mode."""
    good = await worker.check(job(GOOD))
    assert good.status is Status.DONE and not good.messages and (good.olean or b"")[:5] == b"olean"
    assert (await worker.check(job(GOOD, module=False))).olean is None
    bad = await worker.check(job("\n\n" + BAD))
    [error] = bad.messages
    assert (error.severity, error.line, error.column) == ("error", 4, 9) and bad.olean is None
    unfinished = await worker.check(job(SORRY))
    assert [m.kind for m in unfinished.messages] == ["hasSorry"]
    [compiled] = await worker.compile([job(SORRY)])
    assert (compiled.olean or b"")[:5] == b"olean"
    late_import = await worker.check(job("import Other\n" + GOOD))
    assert [(m.severity, m.line) for m in late_import.messages] == [("error", 1)]
    surrogate = await worker.check(job(GOOD + "\ud800\n"))
    assert surrogate.messages[0].severity == "error"
    timeout = await worker.check(job(ENDLESS, cpu=1.0, wall=5.0))
    assert timeout.status is Status.TIMEOUT
    replies = await asyncio.gather(*(worker.check(job(text)) for text in [GOOD, BAD] * 3))
    assert [bool(reply.messages) for reply in replies] == [False, True] * 3
    with pytest.raises(ValueError, match="header imports Mathlib"):
        await worker.check(Job("import Mathlib\n", GOOD))


def test_a_known_version_is_forked(path: Path) -> None:
    lay_out(path)

    async def work(worker: LocalWorker) -> None:
        assert worker.mode == "fork" and KNOWN_VERSIONS[0] in worker.why
        assert worker.lean == find_library().version and len(worker.image) == 64
        assert worker.toolchain is not None and worker.toolchain.prefix == path
        assert worker.toolchain.commit == find_library().githash
        await verdicts(worker)

    with_worker(work, capacity=2)


def test_another_version_runs_by_processes(path: Path) -> None:
    lay_out(path, version="4.9.0")

    async def work(worker: LocalWorker) -> None:
        assert worker.mode == "process" and "4.9.0 is no version that the fork server knows" in worker.why
        assert worker.lean == "4.9.0"
        await verdicts(worker)

    with_worker(work, capacity=2)


def test_a_library_without_the_exports_runs_by_processes(path: Path) -> None:
    lay_out(path)
    library = path / "lib" / "lean" / find_library().path.name
    library.unlink()
    library.symlink_to(core_library().root / "Core.olean")

    async def work(worker: LocalWorker) -> None:
        assert worker.mode == "process" and "can't be loaded" in worker.why
        assert (await worker.check(job(GOOD))).olean is not None

    with_worker(work, capacity=1)


def test_a_toolchain_without_a_shared_library(path: Path) -> None:
    lay_out(path)
    (path / "lib" / "lean" / find_library().path.name).unlink()

    async def work(worker: LocalWorker) -> None:
        assert worker.mode == "process" and "no libleanshared" in worker.why

    with_worker(work, capacity=1)


def test_the_way_can_be_asked_for(path: Path) -> None:
    lay_out(path)

    async def work(worker: LocalWorker) -> None:
        assert worker.mode == "process" and "asked for" in worker.why

    with_worker(work, mode="process", capacity=1)
    with pytest.raises(ValueError, match="mode"):
        LocalWorker(CORE_HEADER, mode="thread")  # type: ignore[arg-type]


@pytest.mark.parametrize("arguments", [{"mode": "fork"}, {"strict_sandbox": True}])
def test_what_only_the_fork_server_gives(path: Path, arguments: dict[str, Any]) -> None:
    lay_out(path, version="4.9.0")
    with pytest.raises(WorkerLost, match=r"can't be used: Lean 4\.9\.0"):
        with_worker(nothing, **arguments)


def test_no_toolchain(path: Path) -> None:
    with pytest.raises(WorkerLost, match=r"`lean` is not on PATH; install Lean"):
        with_worker(nothing)
    with pytest.raises(ToolchainNotFound, match="lake"):
        project = path.parent / "project"
        project.mkdir()
        (project / "lakefile.lean").touch()
        find_toolchain(project)


def test_no_project(path: Path) -> None:
    with pytest.raises(WorkerLost, match="holds no lakefile"):
        with_worker(nothing, lean_project=path.parent)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("#!/bin/sh\necho trouble >&2\nexit 3\n", "exit code 3: trouble"),
        ("#!/bin/sh\necho /nowhere\n", "no bin/lean"),
        ('#!/bin/sh\ntest $1 = --version && echo "Lean 3.4" || dirname $(dirname $0)\n', "no version of Lean 4"),
        ("not a program", "can't be run"),
    ],
)
def test_a_lean_that_does_not_answer(path: Path, script: str, words: str) -> None:
    write_program(path / "bin" / "lean", script)
    with pytest.raises(WorkerLost, match=words):
        with_worker(nothing)


@pytest.mark.parametrize("version", ["", "4.9.0"])
def test_a_module_that_is_not_there(path: Path, version: str) -> None:
    lay_out(path, version=version)
    with pytest.raises(WorkerLost, match="unknown module prefix 'Nowhere'"):
        with_worker(nothing, header="prelude\nimport Nowhere\n")


def test_a_lake_project(path: Path) -> None:
    lay_out(path)
    project = lay_out_project(path.parent / "project", path, path / "bin" / "lake")

    async def work(worker: LocalWorker) -> str:
        assert worker.toolchain is not None
        assert worker.toolchain.search_path[0] == core_library().root.resolve()
        assert (await worker.check(job(GOOD))).messages == ()
        return worker.image

    first = with_worker(work, lean_project=project, search_path=())
    (project / "lake-manifest.json").write_text('{"version": "1.1.0", "packages": [1]}\n')
    second = with_worker(work, lean_project=project, search_path=(), mode="process")
    assert first != second


# -- processes ----------------------------------------------------------------------------------------------------


def by_process(path: Path, work: Callable[[LocalWorker], Awaitable[T]], before: str = "", **arguments: Any) -> T:
    lay_out(path, before=before)
    return with_worker(work, mode="process", capacity=1, **arguments)


def hostile(what: str) -> str:
    """Python that `bin/lean` runs when the text names it."""
    return f"""
if arguments and arguments[-1] == "main.lean" and "HOSTILE" in open("main.lean").read():
    import signal, subprocess, time
    {what}
"""


@pytest.mark.parametrize(
    ("what", "status", "words"),
    [
        ("sys.exit(9)", Status.CRASHED, "exit code 9"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", Status.CRASHED, "-11"),
        ("os.kill(os.getpid(), signal.SIGKILL)", Status.OUT_OF_MEMORY, "Killed by the system"),
        ("print('words'); sys.exit(1)", Status.CRASHED, "words"),
        ("print('INTERNAL PANIC: out of memory', file=sys.stderr); sys.exit(1)", Status.OUT_OF_MEMORY, "PANIC"),
        ("time.sleep(60)", Status.TIMEOUT, "wall time"),
        ("x = [bytes(1 << 20) for _ in range(300)]; x = [bytes([1]) * len(b) for b in x]; time.sleep(60)",
         Status.OUT_OF_MEMORY, "MB of memory"),
        ("while True: pass", Status.TIMEOUT, "CPU time"),
    ],
)  # fmt: skip
def test_ends_of_a_process(path: Path, what: str, status: Status, words: str) -> None:
    async def work(worker: LocalWorker) -> Reply:
        wall = 2.0 if "wall" in words else 30.0
        return await worker.check(job("-- HOSTILE\n" + GOOD, wall=wall, cpu=1.0, memory=200 << 20))

    reply = by_process(path, work, hostile(what))
    assert reply.status is status and words in reply.detail


def test_nothing_is_left_behind(path: Path) -> None:
    """Neither a process of the same group, nor the folder; and what holds the output open holds up nobody."""
    note = path.parent / "note"
    what = f"open({str(note)!r}, 'w').write(str(subprocess.Popen(['sleep', '50']).pid) + ' ' + os.getcwd())"

    async def work(worker: LocalWorker) -> None:
        started = time.monotonic()
        assert (await worker.check(job("-- HOSTILE\n" + GOOD))).messages == ()
        assert time.monotonic() - started < 10

    by_process(path, work, hostile(what))
    pid, folder = note.read_text().split(" ", 1)
    state = Path(f"/proc/{pid}/stat")
    assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"
    assert not Path(folder).exists()


def test_the_environment_holds_no_secret(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hidden")
    note = path.parent / "note"
    asked = f"open({str(note)!r}, 'w').write(' '.join(sorted(os.environ)))"
    by_process(path, lambda worker: worker.check(job("-- HOSTILE\n" + GOOD)), hostile(asked))
    names = set(note.read_text().split()) - {"PWD", "SHLVL", "_", "OLDPWD", "LC_CTYPE"}
    assert names == {"PATH", "LC_ALL", "LEAN_PATH", "HOME", "TMPDIR"}


def test_much_output(path: Path) -> None:
    async def work(worker: LocalWorker) -> None:
        text = "#print axioms True.intro\n" * 300 + BAD
        reply = await worker.check(job(text, output=3000))
        assert reply.truncated and reply.messages[-1].severity == "error" and len(reply.messages) > 3
        noise = await worker.check(job("-- HOSTILE\n" + BAD))
        assert noise.truncated and noise.messages[-1].severity == "error"

    by_process(path, work, hostile("print('x' * (9 << 20)); sys.stdout.flush()"))


def test_cancelling_and_closing_stop_the_process(path: Path) -> None:
    note = path.parent / "note"

    async def work(worker: LocalWorker) -> None:
        for end in ("cancel", "close"):
            note.unlink(missing_ok=True)
            task = asyncio.create_task(worker.check(job("-- HOSTILE\n" + GOOD)))
            while not (note.exists() and note.read_text()):
                await asyncio.sleep(0.02)
            if end == "cancel":
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            else:
                await worker.aclose()
                with pytest.raises(WorkerLost, match="closed"):
                    await task
            with pytest.raises(ProcessLookupError):
                os.kill(int(note.read_text()), 0)
        with pytest.raises(WorkerLost, match="not running"):
            await worker.check(job(GOOD))

    by_process(path, work, hostile(f"open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep(60)"))


def test_a_program_that_is_gone() -> None:
    reply = asyncio.run(LeanProcess(Path("/nowhere/lean"), "", {}).run(Job("", GOOD)))
    assert reply.status is Status.CRASHED and "127" in reply.detail
