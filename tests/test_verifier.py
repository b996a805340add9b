"""The verifier, end to end on the embedded Lean."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from conftest import SWAP_PROOF

from lean_gym.submission import Submission
from lean_gym.theorem import Theorem
from lean_gym.verdict import Outcome
from lean_gym.verifier import Verifier


def mixed(count: int) -> tuple[list[Submission], list[tuple[Outcome, str]]]:
    """`count` different submissions, good, wrong and open in turn, and how each must end."""
    submissions, expected = [], []
    kinds = [
        (SWAP_PROOF, Outcome.PROVED, ""),
        ("exact ⟨h.1, h.2⟩", Outcome.REJECTED, "lean_error"),
        ("sorry", Outcome.REJECTED, "sorry"),
    ]
    for index in range(count):
        text, outcome, reason = kinds[index % 3]
        theorem = Theorem(f"t{index}", f"theorem t{index} (p q : Prop) (h : p ∧ q) : q ∧ p")
        submissions.append(Submission(theorem, text))
        expected.append((outcome, reason))
    return submissions, expected


def test_good_wrong_and_open_proofs(verifier: Verifier, swap: Theorem) -> None:
    good, wrong, open_, file = verifier.verify(
        [
            Submission(swap, SWAP_PROOF),
            Submission(swap, "-- first\nexact h"),
            Submission(swap, "constructor\n· sorry\n· exact h.1"),
            Submission(swap, f"theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  {SWAP_PROOF}", "file"),
        ]
    )
    assert good.proved and good.axioms == () and good.lean == "4.35.0" and good.image and good.worker
    assert good.seconds.total >= good.seconds.elaborate > 0 and good.seconds.audit > 0
    assert (wrong.outcome, wrong.reason) == (Outcome.REJECTED, "lean_error")
    assert [(m.severity, m.line, m.column) for m in wrong.messages] == [("error", 2, 0)]
    assert (open_.outcome, open_.reason) == (Outcome.REJECTED, "sorry")
    assert file.proved


def test_a_stream_may_be_endless(verifier: Verifier, swap: Theorem) -> None:
    taken = 0

    def endless() -> Iterator[Submission]:
        nonlocal taken
        while True:
            taken += 1
            yield Submission(swap, SWAP_PROOF)

    with contextlib.closing(verifier.stream(endless())) as stream:
        assert all(next(stream)[1].proved for _ in range(10))
    assert taken < 10_000

    async def main() -> int:
        count = 0
        async with contextlib.aclosing(verifier.astream(endless())) as stream:
            async for _, verdict in stream:
                assert verdict.proved
                count += 1
                if count == 10:
                    break
        return count

    assert asyncio.run(main()) == 10 and taken < 20_000


def test_asking_again_for_what_was_just_cancelled(verifier: Verifier, swap: Theorem) -> None:
    for _ in range(50):
        first = verifier.submit(Submission(swap, f"-- again\n{SWAP_PROOF}"))
        time.sleep(0.001)
        first.cancel()
        assert verifier.submit(Submission(swap, f"-- again\n{SWAP_PROOF}")).result().proved


def test_axioms_of_a_proof_are_told(verifier: Verifier) -> None:
    theorem = Theorem("excluded", "theorem excluded (p : Prop) : p ∨ ¬p")
    (verdict,) = verifier.verify([Submission(theorem, "exact Classical.em p")])
    assert verdict.proved
    assert set(verdict.axioms) == {"propext", "Classical.choice", "Quot.sound"}


def test_permitted_axioms_are_a_setting() -> None:
    theorem = Theorem("excluded", "theorem excluded (p : Prop) : p ∨ ¬p")
    with Verifier(cache=False, permitted_axioms=("propext",)) as strict:
        (verdict,) = strict.verify([Submission(theorem, "exact Classical.em p")])
    assert (verdict.outcome, verdict.reason) == (Outcome.EXPLOIT_SUSPECTED, "axiom")


@pytest.mark.parametrize(
    ("text", "form", "reason"),
    [
        ("set_option warn.sorry false\ntheorem goal : 1 + 1 = 3 := sorryAx _ false", "file", "sorry"),
        ("axiom cheat : False\ntheorem goal : 1 + 1 = 3 := cheat.elim", "file", "axiom"),
        ("theorem goal : True := trivial", "file", "statement"),
        ("theorem other : True := trivial", "file", "missing"),
        ("axiom goal : 1 + 1 = 3", "file", "kind"),
        ("#exit\ntheorem goal : 1 + 1 = 3 := by rfl", "file", "missing"),
        (
            "set_option debug.skipKernelTC true in\ntheorem goal : 1 + 1 = 3 := by decide +kernel",
            "file",
            "kernel",
        ),
    ],
)
def test_what_lean_accepts_and_the_audit_does_not(verifier: Verifier, text: str, form: str, reason: str) -> None:
    theorem = Theorem("goal", "theorem goal : 1 + 1 = 3")
    (verdict,) = verifier.verify([Submission(theorem, text, form)])  # type: ignore[arg-type]
    assert (verdict.outcome, verdict.reason) == (Outcome.EXPLOIT_SUSPECTED, reason), verdict


def test_a_wrong_statement_is_the_tasks_fault_and_no_score(verifier: Verifier) -> None:
    theorem = Theorem("bad", "theorem bad : undefined_thing = 1")
    for text, form in [("rfl", "body"), ("theorem bad : True := trivial", "file")]:
        (verdict,) = verifier.verify([Submission(theorem, text, form)])  # type: ignore[arg-type]
        assert (verdict.outcome, verdict.reason) == (Outcome.INFRA, "statement")
        assert "does not elaborate" in verdict.detail


def test_an_unknown_header_is_no_score(verifier: Verifier) -> None:
    theorem = Theorem("x", "theorem x : True", header="prelude\nimport Nowhere\n")
    (verdict,) = verifier.verify([Submission(theorem, "trivial")])
    assert verdict.outcome is Outcome.INFRA and "Nowhere" in verdict.detail


def test_empty_huge_and_unreadable_texts(verifier: Verifier, swap: Theorem) -> None:
    texts = ["", "\x00", "\udcff", "-- " + "x" * 1_000_000, "x " * 500_000, "∀" * 1000]
    reasons = ["lean_error", "policy", "policy", "lean_error", "lean_error", "lean_error"]
    verdicts = verifier.verify([Submission(swap, text) for text in texts])
    assert [(v.outcome, v.reason) for v in verdicts] == [(Outcome.REJECTED, reason) for reason in reasons]


@pytest.mark.parametrize(
    "text",
    [
        "constructor\n  · exact h.2\n  · exact h.1",
        "have a := h.2\n  have b := h.1\n  exact ⟨a, b⟩",
        "cases h with\n  | intro a b => exact ⟨b, a⟩",
        "exact And.intro\n  h.2\n  h.1",
        "-- an axiom? no: sorry\nby\nexact ⟨h.2, h.1⟩",
        "/- c -/ := ⟨h.2, h.1⟩",
        "\ufeff  exact ⟨h.2, h.1⟩\r\n",
        'have s : String := "theorem x\naxiom y -/ end"\nexact ⟨h.2, h.1⟩',
    ],
)
def test_no_honest_proof_is_refused_for_its_layout(verifier: Verifier, swap: Theorem, text: str) -> None:
    (verdict,) = verifier.verify([Submission(swap, text)])
    assert verdict.proved, verdict


def test_the_reading_that_lean_takes_is_judged(verifier: Verifier, swap: Theorem) -> None:
    open_, wrong = verifier.verify(
        [
            Submission(swap, "constructor\n  · sorry\n  · exact h.1"),
            Submission(swap, "constructor\n  · exact h.1\n  · exact h.1"),
        ]
    )
    assert (open_.outcome, open_.reason) == (Outcome.REJECTED, "sorry")
    assert (wrong.outcome, wrong.reason) == (Outcome.REJECTED, "lean_error")


def test_statements_with_definitions(verifier: Verifier) -> None:
    definition = "def Even (n : Nat) : Prop := ∃ k, n = 2 * k"
    for separator in ("; ", "\n"):
        theorem = Theorem("even", f"{definition}{separator}theorem even : ∀ n, Even (2 * n)")
        shadow = f"{definition}\nnamespace W\ndef Even (_ : Nat) := True\ntheorem even : ∀ n, Even (2 * n) := "
        good, cheat = verifier.verify(
            [
                Submission(theorem, "exact fun n => ⟨n, rfl⟩"),
                Submission(theorem, shadow + "fun _ => trivial\nend W", "file"),
            ]
        )
        assert good.proved, good
        assert (cheat.outcome, cheat.reason) == (Outcome.EXPLOIT_SUSPECTED, "missing")


HEAVY = """def f : Nat → Nat → Nat
  | 0, k => k - k
  | n+1, k => f n (2*k) + f n (2*k+1)
"""
SLEEP = """inductive Res where | ok (a : Unit) | error (e : Unit)
instance : Inhabited Res := ⟨.ok ()⟩
@[extern "x"] opaque IO.sleep (ms : Nat) : Res
open Lean in
macro "go" : command => fun _ s => match IO.sleep 100000 with
  | .ok _ => .error (.error .missing "slept") s
  | .error _ => .error (.error .missing "refused") s
go
"""


def test_what_sleeps_or_keeps_the_audit_busy_ends_in_time(swap: Theorem) -> None:
    heavy = Theorem("heavy", HEAVY + "theorem heavy : f 22 1 = 0")
    skipped = f"{HEAVY}set_option debug.skipKernelTC true in\ntheorem heavy : f 22 1 = 0 := by decide +kernel"
    with Verifier(cache=False, timeout=1) as own:
        own.verify([Submission(swap, SWAP_PROOF)])
        sleeper, busy, good = own.verify(
            [Submission(swap, SLEEP, "file"), Submission(heavy, skipped, "file"), Submission(swap, SWAP_PROOF)]
        )
        assert (sleeper.outcome, sleeper.reason) == (Outcome.TIMEOUT, "limit") and "slept" in sleeper.detail
        assert (busy.outcome, busy.reason) == (Outcome.TIMEOUT, "timeout")
        assert good.proved
        assert max(sleeper.seconds.elaborate, busy.seconds.elaborate + busy.seconds.audit) < 1 + 2
        assert own.verify([Submission(swap, f"-- next\n{SWAP_PROOF}")])[0].proved


def test_many_mixed_jobs_none_wrong(verifier: Verifier) -> None:
    submissions, expected = mixed(300)
    assert [(v.outcome, v.reason) for v in verifier.verify(submissions)] == expected


def test_results_stream_as_they_come(verifier: Verifier, swap: Theorem) -> None:
    slow = Submission(swap, "repeat (first | skip)")
    fast = [Submission(swap, f"-- {index}\n{SWAP_PROOF}") for index in range(4)]
    started = time.monotonic()
    results = verifier.stream([slow, *fast])
    order = [next(results)[0] for _ in range(4)]
    assert sorted(order) == [1, 2, 3, 4]
    assert time.monotonic() - started < 9
    results.close()


def test_duplicates_share_one_check(swap: Theorem) -> None:
    with Verifier(cache=False) as own:
        verdicts = own.verify([Submission(swap, SWAP_PROOF)] * 50)
        assert all(verdict.proved for verdict in verdicts)
        assert own.stats()["shared"] == 49
        assert own.stats()["stations"][0]["workers"]["jobs"] == 2, "the candidate and the statement"


def test_the_cache_outlives_the_verifier(tmp_path: Path, swap: Theorem) -> None:
    submissions = [Submission(swap, SWAP_PROOF), Submission(swap, "exact h")]
    settings = {"cache_path": str(tmp_path / "cache")}
    with Verifier(**settings) as first:
        before = first.verify(submissions)
    with Verifier(**settings) as second:
        after = second.verify(submissions)
        assert second.stats()["cache_hits"] == 2
    assert before == after
    assert [v.cached for v in before + after] == [False, False, True, True]
    with Verifier(**settings, permitted_axioms=()) as other_policy:
        assert not other_policy.verify(submissions)[0].cached


def test_a_damaged_cache_is_put_aside(tmp_path: Path, swap: Theorem) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    (folder / "cache.db").write_bytes(b"this is no database" * 1000)
    with Verifier(cache_path=str(folder)) as own:
        assert own.verify([Submission(swap, SWAP_PROOF)])[0].proved
    assert list(tmp_path.glob("cache.damaged-*"))


def test_a_cache_that_cannot_be_used_is_done_without(tmp_path: Path, swap: Theorem) -> None:
    (tmp_path / "file").write_text("in the way")
    with Verifier(cache_path=str(tmp_path / "file" / "cache")) as own:
        assert own.verify([Submission(swap, SWAP_PROOF)])[0].proved
    locked = tmp_path / "locked"
    with Verifier(cache_path=str(locked)) as own:
        own.verify([Submission(swap, SWAP_PROOF)])
        holder = sqlite3.connect(locked / "cache.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        assert own.verify([Submission(swap, "exact h")])[0].outcome is Outcome.REJECTED
    holder.close()
    assert not list(tmp_path.glob("*damaged*")), "a locked file is not a damaged one"


def test_async_from_any_loop_and_cancelling(verifier: Verifier, swap: Theorem) -> None:
    async def main() -> None:
        verdicts = await verifier.averify([Submission(swap, SWAP_PROOF), Submission(swap, "exact h")])
        assert [v.proved for v in verdicts] == [True, False]
        seen = {index async for index, _ in verifier.astream([Submission(swap, SWAP_PROOF)] * 3)}
        assert seen == {0, 1, 2}
        endless = asyncio.ensure_future(verifier.averify([Submission(swap, "repeat (first | skip)")] * 3))
        await asyncio.sleep(0.3)
        endless.cancel()
        with pytest.raises(asyncio.CancelledError):
            await endless
        started = time.monotonic()
        assert (await verifier.averify([Submission(swap, f"-- again\n{SWAP_PROOF}")]))[0].proved
        assert time.monotonic() - started < 5, "the cancelled checks gave their workers back"

    for _ in range(2):
        asyncio.run(main())


def test_from_many_threads(verifier: Verifier) -> None:
    submissions, expected = mixed(30)
    results: dict[int, list[tuple[Outcome, str]]] = {}

    def work(index: int) -> None:
        results[index] = [(v.outcome, v.reason) for v in verifier.verify(submissions)]

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [results[index] for index in range(4)] == [expected] * 4


def test_a_copy_by_pickle_works_on_its_own(verifier: Verifier, swap: Theorem) -> None:
    with pickle.loads(pickle.dumps(verifier)) as copy:
        assert copy.config == verifier.config
        assert copy.verify([Submission(swap, SWAP_PROOF)])[0].proved


def servers_of(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


def test_kill_9_on_the_workers_in_the_middle_of_a_batch() -> None:
    submissions, expected = mixed(240)
    with Verifier(cache=False) as own:
        own.verify(submissions[:3])
        ends: dict[int, tuple[Outcome, str]] = {}
        kills = 0
        for index, verdict in own.stream(submissions):
            ends[index] = (verdict.outcome, verdict.reason)
            if len(ends) in (40, 120):
                for process in servers_of(os.getpid()):
                    try:
                        process.kill()
                        kills += 1
                    except psutil.NoSuchProcess:
                        pass
        assert kills >= 2
        assert [ends[index] for index in range(len(submissions))] == expected


PROGRAM = """
    import sys, time
    from lean_gym import Submission, Theorem, Verifier
    theorem = Theorem("t", "theorem t (p : Prop) (h : p) : p")
    verifier = Verifier(cache=False)
    assert verifier.verify([Submission(theorem, "exact h")])[0].proved
    print("ready", flush=True)
    verifier.verify([Submission(theorem, "repeat (first | skip)")] * 2 + [Submission(theorem, "exact h")])
"""


def spawn_program() -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PROGRAM)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    return process


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_is_left_after_the_programs_death(how: signal.Signals) -> None:
    process = spawn_program()
    children = servers_of(process.pid)
    assert len(children) >= 2
    process.send_signal(how)
    process.communicate(timeout=20)
    _, alive = psutil.wait_procs(children, timeout=5)
    assert not alive, alive


def test_a_program_that_forgets_to_close_ends(swap: Theorem) -> None:
    code = textwrap.dedent(PROGRAM).rsplit("\n", 2)[0]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "ready\n"), done.stderr


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_mixed_jobs_none_wrong_none_lost_memory_flat() -> None:
    """All of them new. (10,000, with attackers among them, are in test_attackers.py.)"""
    submissions, expected = mixed(4_000)
    with Verifier(cache=False) as own:

        def memory() -> int:
            return sum(process.memory_info().rss for process in servers_of(os.getpid()))

        ends: dict[int, tuple[Outcome, str]] = {}
        early = 0
        for index, verdict in own.stream(submissions):
            ends[index] = (verdict.outcome, verdict.reason)
            if len(ends) == 1_000:
                early = memory()
        late = memory()
    assert [ends[index] for index in range(len(submissions))] == expected
    assert late < early * 1.25 + (64 << 20), (early, late)


@pytest.mark.parametrize(
    "wrong",
    [
        {"worker": "nothing"},
        {"timeout": 0},
        {"timeout": float("nan")},
        {"queue_timeout": float("inf")},
        {"concurrency": -1},
        {"memory_mb": 0},
    ],
)
def test_settings_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Verifier(**wrong)
