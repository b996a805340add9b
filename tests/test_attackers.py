"""10,000 mixed jobs, one in twenty an attack, over a wire that is tampered with: no wrong verdict for anyone.

Attackers are hostile Lean texts (`audit_cases.txt`, `shared/cases`), children that answer for themselves (our own code,
run in the fork server), and a relay between the client and the fork server that spoils answers. A child can't reach
that wire: the relay stands for faults, and for a sandbox that failed.
"""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice

import pytest
from conftest import SWAP_PROOF
from test_cases import HEADER, OWN, SHARED

from lean_gym.core import client, frames
from lean_gym.core.client import ForkServer
from lean_gym.core.frames import FrameReader, Part, Result, frame
from lean_gym.submission import Submission
from lean_gym.suites import load_suite
from lean_gym.theorem import Theorem
from lean_gym.verdict import Outcome, Verdict
from lean_gym.verifier import Verifier

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux's")

# -- a wire that spoils answers ---------------------------------------------------------------------------------------

FAULTS = (
    "wrong nonce",
    "the answer before",
    "twice",
    "text after the answer",
    "a byte after the answer",
    "a frame after the answer",
    "garbage",
    "half an answer",
    "no answer",
    "a payload cut short",
    "a payload of noise",
    "no part",
    "too many parts",
)


class Wire:
    """Relays between clients and their fork servers; spoils the answer to every `every`-th job.

    Attributes:
        spoilt: how often each fault was injected.
    """

    def __init__(self, every: int, kinds: tuple[str, ...] = FAULTS) -> None:
        self.every = every
        self.spoilt: Counter[str] = Counter()
        self._kinds = cycle(kinds)
        self._guard = threading.Lock()
        self._answers = 0
        self._last: bytes = frame(frames.RESULT, 0, Result(frames.DONE, parts=[Part()]).pack())

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        spawn = ForkServer._spawn

        def between(server: ForkServer, theirs: socket.socket) -> subprocess.Popen[bytes]:
            ours, inner = socket.socketpair()
            process = spawn(server, inner)
            inner.close()
            outer = theirs.dup()
            for work, source, sink in ((self._jobs, outer, ours), (self._results, ours, outer)):
                threading.Thread(target=work, args=(source, sink), daemon=True).start()
            return process

        monkeypatch.setattr(ForkServer, "_spawn", between)

    @staticmethod
    def _end(*sockets: socket.socket) -> None:
        for each in sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _jobs(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 18):
                sink.sendall(data)
        self._end(source, sink)

    def _results(self, source: socket.socket, sink: socket.socket) -> None:
        reader = FrameReader()
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 18):
                for each in reader.feed(data):
                    said, goes_on = self._pass(*each)
                    sink.sendall(said)
                    if not goes_on:
                        raise ConnectionError
        self._end(source, sink)

    def _pass(self, kind: bytes, nonce: int, payload: bytes) -> tuple[bytes, bool]:
        """What the client gets instead of a frame, and whether more comes after it."""
        whole = frame(kind, nonce, payload)
        if kind != frames.RESULT:
            return whole, True
        with self._guard:
            self._answers += 1
            before, self._last = self._last, whole
            if self._answers % self.every:
                return whole, True
            fault = next(self._kinds)
            self.spoilt[fault] += 1
        if fault in ("half an answer", "no answer"):
            return whole[: len(whole) // 2 if fault == "half an answer" else 0], False
        return self._spoil(fault, nonce, payload, whole, before), True

    @staticmethod
    def _spoil(fault: str, nonce: int, payload: bytes, whole: bytes, before: bytes) -> bytes:
        if fault == "wrong nonce":
            return frame(frames.RESULT, nonce ^ 1, payload)
        if fault == "the answer before":
            return before
        if fault == "twice":
            return whole + whole
        if fault == "text after the answer":
            return whole + b'{"severity":"information","data":"no errors"}\n'
        if fault == "a byte after the answer":
            return whole + b"x"
        if fault == "a frame after the answer":
            return whole + frame(frames.READY, nonce, b"")
        if fault == "garbage":
            return b"\xff" * 64
        if fault == "a payload cut short":
            return frame(frames.RESULT, nonce, payload[:-1])
        if fault == "a payload of noise":
            return frame(frames.RESULT, nonce, b"\x00" * 10 + b"\xff" * 60)
        parts = [] if fault == "no part" else [*Result.unpack(payload).parts, Part(), Part()]
        return frame(frames.RESULT, nonce, Result(frames.DONE, parts=parts).pack())


# -- children that answer for themselves ------------------------------------------------------------------------------

# Run in the fork server before it starts. A text says by a comment how its child shall lie.
LIARS = """
import os
from lean_gym.core import child as c
from lean_gym.core.frames import Request
honest = c.ChildWork._answer
def lie(self, request, nonce):
    text = request.texts[0]
    if b'liar_' not in text: return honest(self, request, nonce)
    def say(other, nonce=nonce):
        limits = [getattr(request, name) for name in ('cpu', 'memory', 'output', 'wall', 'heartbeats')]
        return honest(self, Request(*limits, True, (other,), True), nonce)
    # Of trusted texts the child hands back the module though a proof is open.
    open_ = say(text)
    answer = c.Answer(nonce, request.output)
    answer.feed(c.Answer.START + open_)
    part = answer.parts()[0]
    if b'liar_clean' in text: return c.Answer.pack(nonce, [c.Part(0, b'', part.commands, part.module)])
    if b'liar_other' in text: return say(b'set_option autoImplicit false\\ntheorem other : True := True.intro')
    if b'liar_weaker' in text: return say(b'set_option autoImplicit false\\ntheorem swap : True := True.intro')
    if b'liar_cut' in text: return c.Answer.pack(nonce, [c.Part(0, b'', part.commands, part.module[:-8])])
    if b'liar_noise' in text: return c.Answer.pack(nonce, [c.Part(0, b'', part.commands, os.urandom(4096))])
    if b'liar_nothing' in text: return c.Answer.pack(nonce, [c.Part(0, b'', b'', b'')])
    if b'liar_nonce' in text: return say(text, nonce ^ 1)
    if b'liar_early' in text:
        os.write(c.RESULT_FD, say(b'theorem swap : True := True.intro'))
        return open_
    if b'liar_more' in text: return open_ + b'more'
    if b'liar_half' in text:
        os.write(c.RESULT_FD, open_[:len(open_) // 2])
        os._exit(0)
    if b'liar_garbage' in text: return b'\\xff' * 5000
    raise AssertionError(text)
c.ChildWork._answer = lie
"""
REFUSED = frozenset({Outcome.REJECTED, Outcome.EXPLOIT_SUSPECTED})
EXPLOIT = frozenset({Outcome.EXPLOIT_SUSPECTED})
CRASHED = frozenset({Outcome.CRASHED})
PROVED = frozenset({Outcome.PROVED})
REJECTED = frozenset({Outcome.REJECTED})
LIES = {
    "clean": EXPLOIT,
    "other": EXPLOIT,
    "weaker": EXPLOIT,
    "cut": EXPLOIT,
    "noise": EXPLOIT,
    "nothing": REJECTED,
    "nonce": CRASHED,
    "early": CRASHED,
    "more": CRASHED,
    "half": CRASHED,
    "garbage": CRASHED,
}
SWAP = Theorem("swap", "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p")


def let_children_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    start, end = client._BOOTSTRAP.split("from lean_gym.core.server import main;")
    monkeypatch.setattr(client, "_BOOTSTRAP", f"{start}exec({LIARS!r}); from lean_gym.core.server import main;{end}")


# -- the crowd --------------------------------------------------------------------------------------------------------

Expected = tuple[Submission, frozenset[Outcome], str]
"""A submission, the outcomes that are right for it, and the right reason ("": any)."""


def liars() -> Iterator[Expected]:
    for lie, outcomes in LIES.items():
        yield Submission(SWAP, f"-- liar_{lie}\nsorry"), outcomes, ""


def hostile() -> Iterator[Expected]:
    for case in OWN:
        if case.reason:
            text = HEADER + case.text if case.form == "file" else case.text
            yield Submission(Theorem(case.name, case.statement), text, case.form), REFUSED, ""  # type: ignore[arg-type]
    for shared in SHARED:
        if shared.expected.startswith("REJECTED") and not shared.unfit:
            text = HEADER + re.sub(r"^import [^\n]*\n", "", shared.text, flags=re.MULTILINE)
            yield Submission(Theorem(shared.name, shared.statement), text, "file"), REFUSED, ""


def honest(count: int) -> Iterator[Expected]:
    """Good, wrong and open proofs of the suite."""
    for index, theorem in enumerate(islice(cycle(load_suite("core-200")), count)):
        assert theorem.proof is not None
        # A theorem comes in each of the kinds in turn.
        kind = (index + index // 200) % 4
        if kind in (0, 2):
            yield Submission(theorem, theorem.proof), PROVED, ""
        elif kind == 1:
            yield Submission(theorem, theorem.proof + "\n  exact False.elim"), REJECTED, "lean_error"
        else:
            yield Submission(theorem, "  sorry"), REJECTED, "sorry"


def crowd(count: int) -> list[Expected]:
    """`count` submissions, all different; every twentieth attacks."""
    attackers = cycle([*hostile(), *liars()])
    jobs = [next(attackers) if index % 20 == 7 else job for index, job in enumerate(honest(count))]
    return [(replace(s, text=f"{s.text}\n  -- {index}"), *right) for index, (s, *right) in enumerate(jobs)]  # type: ignore[misc]


def wrong(jobs: list[Expected], verdicts: list[Verdict]) -> list[tuple[str, str, Verdict]]:
    assert len(verdicts) == len(jobs)
    return [
        (submission.theorem.id, submission.text, verdict)
        for (submission, outcomes, reason), verdict in zip(jobs, verdicts)
        if verdict.outcome not in outcomes or (reason and verdict.reason != reason)
    ]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_spoilt_answer_costs_the_worker_and_nobody_a_verdict(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few jobs, so that each fault is seen to be noticed, and at once."""
    wire = Wire(12, (fault,))
    wire.install(monkeypatch)
    jobs = [
        (Submission(SWAP, f"{text}\n  -- {index}"), outcomes, "")
        for index in range(15)
        for text, outcomes in ((SWAP_PROOF, PROVED), ("exact h", REJECTED))
    ]
    started = time.monotonic()
    with Verifier(cache=False, concurrency=2, timeout=5) as verifier:
        verdicts = [future.result(60) for future in [verifier.submit(submission) for submission, *_ in jobs]]
        stats = verifier.stats()["stations"][0]["workers"]
    assert wrong(jobs, verdicts) == []
    assert wire.spoilt[fault] >= 1
    assert stats["lost"] >= wire.spoilt[fault] and stats["retries"] >= 1, stats
    # A job has 15 s by the clock, and its server 15 s more until it counts as hung: nobody waited for that.
    assert time.monotonic() - started < 25


def test_children_that_lie_harm_themselves_only(monkeypatch: pytest.MonkeyPatch) -> None:
    let_children_lie(monkeypatch)
    jobs: list[Expected] = []
    for job in liars():
        jobs += [job, (Submission(SWAP, f"{SWAP_PROOF} -- beside {len(jobs)}"), PROVED, "")]
    with Verifier(cache=False, timeout=20) as verifier:
        assert wrong(jobs, verifier.verify([submission for submission, *_ in jobs])) == []


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_ten_thousand_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    let_children_lie(monkeypatch)
    wire = Wire(360)
    wire.install(monkeypatch)
    jobs = crowd(10_000)
    assert len({(s.theorem.id, s.text) for s, *_ in jobs}) == len(jobs)
    with Verifier(cache=False, timeout=20) as verifier:
        verdicts = verifier.verify([submission for submission, *_ in jobs])
        stats = verifier.stats()
    assert wrong(jobs, verdicts) == []
    assert Outcome.INFRA.value not in stats and not stats.get("shared")
    workers = stats["stations"][0]["workers"]
    assert set(wire.spoilt) == set(FAULTS)
    assert workers["lost"] >= sum(wire.spoilt.values()) > 25 and workers["retries"] >= len(FAULTS)
