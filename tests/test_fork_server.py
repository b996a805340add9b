"""The fork server and its worker, on the real Lean."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from lean_gym.core import client
from lean_gym.core.build import core_library
from lean_gym.core.library import run_lean
from lean_gym.theorem import CORE_HEADER
from lean_gym.workers.base import Job, Limits, Reply, Status, WorkerLost
from lean_gym.workers.core import CoreWorker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

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


def job(text: str, **limits: float) -> Job:
    return Job(CORE_HEADER, text, Limits(**limits))  # type: ignore[arg-type]


def with_worker(work: Callable[[CoreWorker], Awaitable[T]], **arguments: object) -> T:
    async def run() -> T:
        worker = CoreWorker(**arguments)  # type: ignore[arg-type]
        await worker.start()
        try:
            return await asyncio.wait_for(work(worker), 120)
        finally:
            await worker.aclose()

    return asyncio.run(run())


def is_good(reply: Reply) -> bool:
    return reply.status is Status.DONE and not reply.messages and (reply.olean or b"")[:5] == b"olean"


def is_bad(reply: Reply) -> bool:
    return reply.status is Status.DONE and reply.messages[0].severity == "error" and reply.olean is None


def is_sorry(reply: Reply) -> bool:
    return reply.status is Status.DONE and reply.messages[0].kind == "hasSorry" and reply.olean is None


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


async def until(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        await asyncio.sleep(0.02)
    return condition()


def test_good_bad_and_open_proofs() -> None:
    async def work(worker: CoreWorker) -> None:
        assert worker.lean == core_library().lean_version
        assert worker.image == core_library().digest
        assert worker._server is not None and worker._server.ready["plain"] == ["yes"]
        good = await worker.check(job(GOOD))
        assert is_good(good) and 0 < good.seconds < 10 and good.importing == 0.0
        bad = await worker.check(job(BAD))
        assert is_bad(bad)
        error = bad.messages[0]
        assert (error.line, error.column) == (2, 9) and "mismatch" in error.text
        assert is_sorry(await worker.check(job(SORRY)))
        without = await worker.check(Job(CORE_HEADER, GOOD, module=False))
        assert without.status is Status.DONE and without.olean is None

    with_worker(work, capacity=1)


def test_positions_count_code_points() -> None:
    async def work(worker: CoreWorker) -> None:
        reply = await worker.check(job("theorem α₁ (p : Prop) : p → p := fun «ünï» => wrong\n"))
        [error] = reply.messages
        assert (error.line, error.column) == (1, 46)

    with_worker(work, capacity=1)


def test_texts_at_the_edge() -> None:
    async def work(worker: CoreWorker) -> None:
        empty = await worker.check(job(""))
        assert empty.status is Status.DONE and empty.messages == () and empty.olean is not None
        nul = await worker.check(job(GOOD + "\0\n" + BAD))
        assert nul.status is Status.DONE and any(m.severity == "error" and m.line == 3 for m in nul.messages)
        surrogate = await worker.check(job(GOOD + "\ud800\n"))
        assert surrogate.status is Status.DONE and surrogate.messages[0].severity == "error"
        million = await worker.check(job("/- " + "word " * 200_000 + "-/\n" + GOOD))
        assert is_good(million)
        unfinished = await worker.check(job("theorem goal (p : Prop) : p :=\n  (\ntheorem next : True := True.intro\n"))
        assert is_bad(unfinished)

    with_worker(work, capacity=1)


def test_an_early_end_hides_nothing() -> None:
    async def work(worker: CoreWorker) -> None:
        reply = await worker.check(job("#exit\n" + GOOD))
        assert reply.status is Status.DONE and reply.olean is not None
        assert "exit" in reply.messages[0].text
        with_goal = await worker.check(job(GOOD))
        assert b"goal" in (with_goal.olean or b"") and b"goal" not in reply.olean

    with_worker(work, capacity=1)


def test_what_a_child_holds() -> None:
    """The null device, a pipe for Lean's last words, one for the answer; no socket, no file. And it is confined."""

    async def work(worker: CoreWorker) -> None:
        task = asyncio.create_task(worker.check(job(ENDLESS)))
        assert await until(lambda: bool(children(worker.pid)), 5)
        [pid] = children(worker.pid)
        await asyncio.sleep(0.3)
        held = {int(path.name): str(path.readlink()) for path in Path(f"/proc/{pid}/fd").iterdir()}
        assert held.pop(0) == held.pop(1) == "/dev/null"
        assert sorted(held) == [2, 3] and all(target.startswith("pipe:") for target in held.values())
        status = Path(f"/proc/{pid}/status").read_text()
        assert "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status
        maps = [line.split() for line in Path(f"/proc/{pid}/maps").read_text().splitlines()]
        assert [
            words for words in maps if words[1][1::2] == "ws"
        ] == []  # no io_uring of libuv's, whose kernel thread would act for the server
        assert os.getpgid(pid) == pid and os.getsid(pid) == pid
        task.cancel()

    with_worker(work, capacity=1)


def test_many_jobs_at_once_keep_their_own_answers() -> None:
    kinds = [(GOOD, is_good), (BAD, is_bad), (SORRY, is_sorry)]

    async def work(worker: CoreWorker) -> None:
        texts = [kinds[i % 3][0].replace("goal", f"goal{i}") for i in range(90)]
        replies = await asyncio.gather(*(worker.check(job(text)) for text in texts))
        for i, reply in enumerate(replies):
            assert kinds[i % 3][1](reply), (i, reply)
            if reply.olean is not None:
                assert f"goal{i}\0".encode() in reply.olean

    with_worker(work, capacity=3)


def test_heartbeats_end_a_proof_with_a_message() -> None:
    text = "theorem goal (n : Nat) : n = n + 0 := by\n" + "  have : n + 0 + 0 + 0 = n := by simp\n" * 40 + "  simp\n"

    async def work(worker: CoreWorker) -> None:
        assert is_good(await worker.check(job(text)))
        reply = await worker.check(job(text, heartbeats=20))
        assert is_bad(reply) and any("heartbeats" in message.text for message in reply.messages)

    with_worker(work, capacity=1)


def test_cancelling_a_check_ends_its_child() -> None:
    async def work(worker: CoreWorker) -> None:
        task = asyncio.create_task(worker.check(job(ENDLESS)))
        assert await until(lambda: bool(children(worker.pid)), 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await until(lambda: not children(worker.pid), 2)
        assert is_good(await worker.check(job(GOOD)))

    with_worker(work, capacity=1)


def test_killed_server_loses_its_jobs_at_once() -> None:
    async def work(worker: CoreWorker) -> None:
        tasks = [asyncio.create_task(worker.check(job(ENDLESS))) for _ in range(2)]
        assert await until(lambda: len(children(worker.pid)) == 2, 5)
        orphans = children(worker.pid)
        start = time.monotonic()
        os.kill(worker.pid, signal.SIGKILL)
        replies = await asyncio.gather(*tasks, return_exceptions=True)
        assert time.monotonic() - start < 2
        assert all(isinstance(reply, WorkerLost) for reply in replies)
        with pytest.raises(WorkerLost):
            await worker.check(job(GOOD))
        assert await until(lambda: not any(map(alive, orphans)), 5)

    with_worker(work, capacity=2)


def test_a_hung_server_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lean_gym.workers.core._GRACE", 0.5)

    async def work(worker: CoreWorker) -> None:
        os.kill(worker.pid, signal.SIGSTOP)
        with pytest.raises(WorkerLost, match="no answer"):
            await worker.check(job(GOOD, wall=0.5))

    with_worker(work, capacity=1)


PARENT = """
import asyncio, sys
from lean_gym.workers.core import CoreWorker
from lean_gym.workers.base import Job, Limits
async def main():
    worker = CoreWorker(capacity=2)
    await worker.start()
    print(worker.pid, flush=True)
    await asyncio.gather(*(worker.check(Job(worker.header, sys.argv[1], Limits(wall=60, cpu=60))) for _ in range(4)))
asyncio.run(main())
"""


def test_nothing_outlives_a_killed_parent() -> None:
    root = str(Path(client.__file__).resolve().parents[2])
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, ENDLESS], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": root}
    ) as parent:
        assert parent.stdout is not None
        server = int(parent.stdout.readline())

        async def watch() -> None:
            assert await until(lambda: len(children(server)) == 2, 10)
            family = [server, *children(server)]
            parent.kill()
            assert await until(lambda: not any(map(alive, family)), 5)

        try:
            asyncio.run(watch())
        finally:
            parent.kill()


def test_closing_leaves_nothing() -> None:
    pids: list[int] = []

    async def work(worker: CoreWorker) -> None:
        task = asyncio.create_task(worker.check(job(ENDLESS)))
        assert await until(lambda: bool(children(worker.pid)), 5)
        pids.extend([worker.pid, *children(worker.pid)])
        await worker.aclose()
        with pytest.raises(WorkerLost):
            await task
        await worker.aclose()

    with_worker(work, capacity=1)
    assert pids and not any(map(alive, pids))


def test_memory_stays_flat_over_a_thousand_jobs() -> None:
    def held(pid: int) -> int:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    async def work(worker: CoreWorker) -> None:
        texts = [GOOD, BAD, SORRY, ""]
        await asyncio.gather(*(worker.check(job(texts[i % 4])) for i in range(100)))
        before, descriptors = held(worker.pid), len([*Path(f"/proc/{worker.pid}/fd").iterdir()])
        replies = await asyncio.gather(*(worker.check(job(texts[i % 4])) for i in range(1000)))
        assert all(reply.status is Status.DONE for reply in replies)
        assert held(worker.pid) - before < 4 << 20
        assert len([*Path(f"/proc/{worker.pid}/fd").iterdir()]) == descriptors
        assert children(worker.pid) == []

    with_worker(work)


@pytest.fixture
def extra(tmp_path: Path) -> Iterator[Path]:
    """A folder with a compiled module `Extra.Lemmas`."""
    core = core_library()
    source = tmp_path / "Lemmas.lean"
    source.write_text("prelude\nimport Core\ntheorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n")
    (tmp_path / "Extra").mkdir()
    done = run_lean(core.library, "-o", "Extra/Lemmas.olean", source.name, lean_path=core.root, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    yield tmp_path


def test_other_modules_on_the_search_path(extra: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header = "prelude\nimport Core\nimport Extra.Lemmas\n"
    text = "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := swap p q h\n"

    async def work(worker: CoreWorker) -> str:
        assert is_good(await worker.check(Job(header, text)))
        with pytest.raises(ValueError, match=r"Extra\.Lemmas"):
            await worker.check(Job(CORE_HEADER, GOOD))
        return worker.image

    by_argument = with_worker(work, header=header, capacity=1, search_path=(extra,))
    monkeypatch.setenv("LEAN_GYM_PATH", str(extra))
    assert with_worker(work, header=header, capacity=1) == by_argument != core_library().digest


@pytest.mark.parametrize("header", ["prelude\nimport Core\nimport Foo.Bar\n", "import Mathlib\n"])
def test_a_missing_module_is_named(header: str) -> None:
    with pytest.raises(WorkerLost, match=r"unknown module prefix '(Foo|Init)'"):
        with_worker(lambda worker: worker.check(Job(header, GOOD)), header=header, capacity=1)


def test_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAN_GYM_LIBLEAN", str(tmp_path))
    with pytest.raises(WorkerLost, match="libleanshared"):
        with_worker(lambda worker: worker.check(job(GOOD)), capacity=1)


def test_a_file_that_is_no_library(tmp_path: Path) -> None:
    broken = tmp_path / "libleanshared.so"
    broken.write_bytes(b"no library")

    async def start() -> None:
        server = client.ForkServer(client.ServerConfig(broken, ("Core",), (), 1))
        with pytest.raises(WorkerLost, match="can't be loaded"):
            await server.start()

    asyncio.run(start())


# Faults of a child, injected into its answer: our own code in the server's place of it.
FAULTS = """
import os
from lean_gym.core import child as c
honest = c.ChildWork._answer
def answer(self, request, nonce):
    text = request.texts[0]
    good = honest(self, request, nonce)
    if b'garbage' in text: return b'\\xff' * 300
    if b'wrong_nonce' in text: return c.Answer.pack(nonce ^ 1, [c.Part(0, b'', b'', b'olean')])
    if b'half' in text: return good[:-1]
    if b'extra' in text: return good + b'more'
    if b'huge' in text: return c.Answer.pack(nonce, [c.Part(0, b'x' * (request.output + 1))])
    if b'no_json' in text: return c.Answer.pack(nonce, [c.Part(0, b'[' * 10000)])
    odd = b'{"severity":1,"data":"","kind":"","pos":{"line":1,"column":1}}'
    if b'odd_json' in text: return c.Answer.pack(nonce, [c.Part(0, odd)])
    if b'two_parts' in text: return c.Answer.pack(nonce, [c.Part(), c.Part()])
    if b'odd_commands' in text: return c.Answer.pack(nonce, [c.Part(0, b'', b'9 a\\n3 b')])
    if b'far_commands' in text: return c.Answer.pack(nonce, [c.Part(0, b'', b'99999 a')])
    if b'silent' in text: os._exit(0)
    if b'lingers' in text:
        os.write(c.RESULT_FD, good); os.close(c.RESULT_FD)
        while True: pass
    return good
c.ChildWork._answer = answer
"""


def test_a_child_that_answers_badly_harms_itself_only(monkeypatch: pytest.MonkeyPatch) -> None:
    inject(monkeypatch, FAULTS)
    faults = ["garbage", "wrong_nonce", "half", "extra", "huge", "no_json", "odd_json", "silent", "lingers"]
    faults += ["two_parts", "odd_commands", "far_commands"]

    async def work(worker: CoreWorker) -> None:
        texts = [text for fault in faults for text in (f"-- {fault}\n{GOOD}", GOOD)]
        replies = await asyncio.gather(*(worker.check(job(text)) for text in texts))
        for fault, reply in zip(faults, replies[::2], strict=True):
            assert reply.status is Status.CRASHED and reply.olean is None, (fault, reply)
        assert all(is_good(reply) for reply in replies[1::2])

    with_worker(work, capacity=2)


def inject(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """Run `fault` in each server before it starts."""
    start, end = client._BOOTSTRAP.split("from lean_gym.core.server import main;")
    monkeypatch.setattr(client, "_BOOTSTRAP", f"{start}exec({fault!r}); from lean_gym.core.server import main;{end}")


def test_a_child_that_can_not_start_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = (
        "from lean_gym.core import sandbox as s\n"
        "def enter(self, keep=None, ident=0): raise OSError(1, 'no sandbox today')\n"
        "s.Sandbox.enter = enter\n"
    )
    inject(monkeypatch, fault)

    async def work(worker: CoreWorker) -> None:
        with pytest.raises(WorkerLost, match="no sandbox today"):
            await worker.check(job(GOOD))

    with_worker(work, capacity=1)


def test_without_our_own_loop_and_without_huge_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a server falls back to on a library or a machine that it finds wanting gives the same answers."""
    inject(monkeypatch, "from lean_gym.core import frontend\nfrontend.Frontend.agrees = lambda self: False\n")

    async def work(worker: CoreWorker) -> None:
        assert worker._server is not None
        ready = worker._server.ready
        assert ready["plain"] == ["no"] and ready["huge"] == ["0"]
        assert is_good(await worker.check(job(GOOD)))
        assert is_bad(await worker.check(job(BAD)))
        assert is_sorry(await worker.check(job(SORRY)))

    with_worker(work, capacity=1, hugepages=False)


def test_nothing_stays_where_the_sandbox_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a child that may fork leaves nothing behind: orphans come to the server, which ends them."""
    fault = (
        "import os\n"
        "from lean_gym.core import child as c, sandbox as s\n"
        "s.Sandbox.__init__.__defaults__ = ((),)\n"
        "honest = c.ChildWork._answer\n"
        "def answer(self, request, nonce):\n"
        "    for _ in range(3):\n"
        "        if os.fork() == 0:\n"
        "            os.setsid()\n"
        "            if os.fork() == 0: os.closerange(0, 20)\n"
        "            while True: os.times()\n"
        "    return honest(self, request, nonce)\n"
        "c.ChildWork._answer = answer\n"
    )
    inject(monkeypatch, fault)

    async def work(worker: CoreWorker) -> None:
        assert worker.layers == ()
        replies = await asyncio.gather(*(worker.check(job(GOOD, wall=1.0)) for _ in range(2)))
        assert {reply.status for reply in replies} == {Status.TIMEOUT}  # its pipe was held open
        assert children(worker.pid) == []

    with_worker(work, capacity=2)
