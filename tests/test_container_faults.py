"""Faults under a running verifier: containers killed, paused and full, servers that answer rubbish, engines that stop.

5,000 jobs in all: 3,000 through two servers with kimina's contract that go wrong as they are told (500s, garbage, half
answers, 429, a hang), 1,500 through containers of our small image and 300 through containers of the published kimina
server that are killed, paused and filled at random, and 200 while the engine itself is stopped and started. Every job
must end with the right outcome or as INFRA, and nothing may be left on the engine. Their texts all differ, so that no
two share a check.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import CancelledError
from typing import Any

import pytest
from aiohttp import web
from docker_engine import CORE_IMAGE, HOST, KIMINA_IMAGE, start_engine, stop_engine
from docker_engine import engine as engine
from kimina_stand_in import Answer, StandIn
from test_kimina import ENDLESS

from lean_gym.submission import Submission
from lean_gym.suites import load_suite
from lean_gym.verdict import Outcome, Verdict
from lean_gym.verifier import Verifier
from lean_gym.workers.owner import OWNER, Owner
from lean_gym.workers.reaper import Guard

pytestmark = pytest.mark.slow

End = tuple[Outcome, str]


def jobs(count: int) -> tuple[list[Submission], list[End]]:
    """`count` different submissions, a quarter of them good, half wrong, a quarter open; how each must end."""
    theorems = load_suite("core", split="test", limit=100, seed=7)
    submissions, expected = [], []
    for index in range(count):
        theorem = theorems[index % len(theorems)]
        good, wrong, unfinished = theorem.proof or "", f"{theorem.proof}\n  exact False.elim", "  sorry"
        text, end = (
            (good, (Outcome.PROVED, "")),
            (wrong, (Outcome.REJECTED, "lean_error")),
            (unfinished, (Outcome.REJECTED, "sorry")),
            (wrong, (Outcome.REJECTED, "lean_error")),
        )[(index + index // len(theorems)) % 4]
        submissions.append(Submission(theorem, f"  -- {index}\n{text}"))
        expected.append(end)
    return submissions, expected


def insist(verdicts: list[Verdict], expected: list[End], infra: float) -> None:
    """None lost, none wrong, at most that share of them without a verdict."""
    assert len(verdicts) == len(expected)
    wrong = [
        (index, verdict)
        for index, (verdict, end) in enumerate(zip(verdicts, expected))
        if (verdict.outcome, verdict.reason) != end and verdict.outcome is not Outcome.INFRA
    ]
    assert not wrong, wrong[:3]
    missing = [verdict.detail for verdict in verdicts if verdict.outcome is Outcome.INFRA]
    assert len(missing) <= infra * len(expected), (len(missing), Counter(missing).most_common(3))


# -- servers that go wrong --------------------------------------------------------------------------------------------


class Faults:
    """What goes wrong with some of the requests to a stand-in. Those of a worker's start go wrong less often."""

    def __init__(self, server: StandIn, seed: int) -> None:
        self.server = server
        self.random = random.Random(seed)
        self.done: Counter[str] = Counter()
        self._kinds = ("died", "failed", "busy", "gateway", "garbage", "half", "dropped", "other", "late", "hung")

    async def __call__(self, data: dict[str, Any], answer: Answer) -> web.StreamResponse | dict[str, Any]:
        [code] = data["codes"]
        own = "theorem" not in code["proof"] or "theorem lean_gym_" in code["proof"]
        if self.random.random() > (0.02 if own else 0.12):
            return await answer()
        kind = self.random.choice(self._kinds)
        if kind == "hung" and (own or self.done["hung"] >= 2):
            kind = "late"  # each costs half a minute
        self.done[kind] += 1
        return await self._go_wrong(kind, data, answer)

    async def _go_wrong(self, kind: str, data: dict[str, Any], answer: Answer) -> web.StreamResponse | dict[str, Any]:
        if kind == "died":
            return web.json_response({"detail": "JSON decode error"}, status=500)
        if kind == "failed":
            return web.json_response({"detail": "Internal Server Error"}, status=500)
        if kind == "busy":
            return web.json_response({"detail": "No available REPLs"}, status=429)
        if kind == "gateway":
            return web.Response(status=502, text="<html>Bad Gateway</html>")
        if kind == "garbage":
            return web.Response(body=self.random.randbytes(200))
        if kind == "late":
            await asyncio.sleep(0.3)
            return await answer()
        if kind == "hung":
            await asyncio.sleep(60)
            return await answer()
        if kind == "other":
            right = await answer()
            return {"results": [{**right["results"][0], "custom_id": "another"}]}
        request = self.server.last
        if kind == "half":
            response = web.StreamResponse(headers={"Content-Length": "4000", "Content-Type": "application/json"})
            await response.prepare(request)
            await response.write(b'{"results": [{"custom_id": "')
        assert request.transport is not None
        request.transport.abort()
        return web.Response()


@pytest.mark.timeout(600)
def test_servers_that_go_wrong_cost_no_verdict() -> None:
    submissions, expected = jobs(3000)
    with StandIn() as one, StandIn() as two:
        one.fault, two.fault = faults = Faults(one, 1), Faults(two, 2)
        settings: dict[str, Any] = {"servers": [one.url, two.url], "concurrency": 2, "timeout": 4.0}
        with Verifier(cache=False, worker="kimina", **settings) as verifier:
            verdicts = verifier.verify(submissions)
            stats = verifier.stats()["stations"][0]["workers"]
    done = faults[0].done + faults[1].done
    assert min(done.values()) >= 2 and done.total() > 200, done
    assert stats["lost"] > 50 and stats["running"] == stats["waiting"] == 0, stats
    insist(verdicts, expected, infra=0.02)


def test_a_crash_is_believed_when_it_repeats() -> None:
    """One submission whose Lean dies each time, among others whose Lean dies now and then."""
    submissions, expected = jobs(40)
    died: Counter[str] = Counter()

    with StandIn() as server:
        always = "-- 7\n"

        async def fault(data: dict[str, Any], answer: Answer) -> web.StreamResponse | dict[str, Any]:
            proof = data["codes"][0]["proof"]
            name = next((line for line in proof.splitlines() if line.strip().startswith("-- ")), "")
            died[name.strip()] += 1
            mortal = always in proof or (name and died[name.strip()] <= 2 and int(name.split()[1]) % 5 == 0)
            return web.json_response({"detail": "JSON decode error"}, status=500) if mortal else await answer()

        server.fault = fault
        with Verifier(cache=False, worker="kimina", servers=[server.url], concurrency=1) as verifier:
            # One after another: the first shows that Lean dies by itself here.
            first = verifier.verify([submissions[7]])
            assert (first[0].outcome, first[0].reason, died["-- 7"]) == (Outcome.CRASHED, "crash", 2)
            once = verifier.verify([submissions[1]])
            died["-- 5"] = died["-- 10"] = 1  # these die once
            rest = verifier.verify([submissions[5], submissions[10]])
            # Now more is asked for: dying twice is no longer enough.
            twice = verifier.verify([submissions[index] for index in (15, 20, 25)])
            again = verifier.verify([Submission(submissions[7].theorem, submissions[7].text + "\n  -- once more")])
    insist(once + rest + twice, [expected[index] for index in (1, 5, 10, 15, 20, 25)], infra=0.0)
    assert again[0].outcome is Outcome.CRASHED and died["-- 7"] == 7


# -- containers that are killed, paused and full ----------------------------------------------------------------------


def mine(client: Any) -> list[Any]:
    """This program's containers."""
    return [
        item for item in client.containers.list(all=True, filters={"label": f"{OWNER}={Owner.current()}"}) if item.name
    ]


@contextlib.contextmanager
def containers(client: Any, image: str, **settings: Any) -> Iterator[Verifier]:
    """A verifier over containers; nothing of it may be left on the engine or as a process."""
    chosen = {"cpus": 2, "container_memory_mb": 4096, "tmpfs_mb": 32, "timeout": 4.0, "concurrency": 2, **settings}
    chosen.setdefault("start_timeout", 60.0)
    with Verifier(cache=False, worker="docker", image=image, docker_hosts=[HOST], **chosen) as verifier:
        yield verifier
    deadline = time.monotonic() + 30
    while left := mine(client):
        assert time.monotonic() < deadline, [item.name for item in left]
        time.sleep(0.2)
    assert not Guard.pid()


class Chaos:
    """Does harm to containers at random, in a thread, while its block runs."""

    def __init__(self, client: Any, every: float, hangs: int, seed: int) -> None:
        self.done: Counter[str] = Counter()
        self._client = client
        self._every = every
        self._hangs = hangs
        self._random = random.Random(seed)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._timers: list[threading.Timer] = []

    def __enter__(self) -> Chaos:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join(60)
        for timer in self._timers:
            timer.cancel()

    def _run(self) -> None:
        import docker

        while not self._end.wait(self._every * self._random.uniform(0.5, 1.5)):
            with contextlib.suppress(docker.errors.APIError):  # one that went by itself this moment
                running = [item for item in mine(self._client) if item.status == "running"]
                if running:
                    self._harm(self._random.choice(running))

    def _harm(self, container: Any) -> None:
        if self.done["hung"] < self._hangs and self.done["killed"]:
            container.pause()
            self.done["hung"] += 1
            return
        kind = self._random.choice(("killed", "killed", "paused", "full"))
        if kind == "killed":
            container.kill()
        elif kind == "paused":
            container.pause()
            timer = threading.Timer(self._random.uniform(1.0, 4.0), self._resume, [container])
            self._timers.append(timer)
            timer.start()
        else:
            container.exec_run(["sh", "-c", "head -c 64M /dev/zero >/tmp/full"], detach=True)
        self.done[kind] += 1

    def _resume(self, container: Any) -> None:
        import docker

        with contextlib.suppress(docker.errors.APIError):
            container.unpause()


@pytest.mark.docker
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("image", "count"), [(CORE_IMAGE, 1500), (KIMINA_IMAGE, 300)], ids=["core", "kimina"])
def test_containers_killed_paused_and_full_at_random(engine: Any, image: str, count: int) -> None:
    submissions, expected = jobs(count)
    with containers(engine, image, workers=2, concurrency=1, batch_size=256) as verifier:
        verifier.verify(submissions[:4])  # so that harm comes to containers at work
        with Chaos(engine, every=2.0, hangs=1, seed=3) as chaos:
            verdicts = verifier.verify(submissions)
        stats = verifier.stats()["stations"][0]
    assert chaos.done["killed"] >= 2 and chaos.done["hung"] == 1, chaos.done
    assert stats["workers"]["lost"] + stats["compilers"]["lost"] >= 1, stats
    assert stats["workers"]["running"] == stats["workers"]["waiting"] == 0
    insist(verdicts, expected, infra=0.02)


@pytest.mark.docker
@pytest.mark.parametrize("image", [CORE_IMAGE, KIMINA_IMAGE], ids=["core", "kimina"])
def test_a_pause_longer_than_the_limit_is_no_timeout(engine: Any, image: str) -> None:
    """The clock of the server in the container goes on while its proof stands still."""
    submissions, expected = jobs(24)
    with containers(engine, image, workers=1, spares=0, timeout=1.5) as verifier:
        verifier.verify(submissions[:1])
        futures = [verifier.submit(submission) for submission in submissions]
        (worker,) = [item for item in mine(engine) if "worker" in item.name]
        worker.pause()
        time.sleep(7.0)  # the limit by the clock is 4.5 s
        worker.unpause()
        verdicts = [future.result(120) for future in futures]
    insist(verdicts, expected, infra=0.0)


@pytest.mark.docker
def test_no_deadlock_and_cancelling_gives_the_worker_back(engine: Any) -> None:
    submissions, expected = jobs(200)
    with containers(engine, KIMINA_IMAGE, workers=2, concurrency=1, batch_size=64, timeout=2.0) as verifier:
        futures = [verifier.submit(submission) for submission in submissions]
        insist([future.result(240) for future in futures], expected, infra=0.0)

        theorem = submissions[0].theorem
        endless = [verifier.submit(Submission(theorem, f"-- {n}\n{ENDLESS}", "file")) for n in range(8)]
        time.sleep(1.0)
        assert verifier.stats()["stations"][0]["workers"]["running"] == 2
        for future in endless:
            future.cancel()
        for future in endless:
            with pytest.raises(CancelledError):
                future.result(30)
        deadline = time.monotonic() + 5
        while verifier.stats()["stations"][0]["workers"]["running"]:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        started = time.monotonic()
        insist(verifier.verify(submissions[:8]), expected[:8], infra=0.0)
        # A kimina server goes on with a proof whose client has left: up to its limit of 6 s.
        assert time.monotonic() - started < 30


@pytest.mark.docker
@pytest.mark.timeout(600)
def test_an_engine_stopped_and_started_under_a_verifier(engine: Any) -> None:
    submissions, expected = jobs(200)
    with containers(engine, CORE_IMAGE, workers=2, concurrency=1, batch_size=64) as verifier:
        verifier.verify(submissions[:4])
        futures = [verifier.submit(submission) for submission in submissions]
        time.sleep(1.0)
        stop_engine()
        time.sleep(2.0)
        start_engine()
        verdicts = [future.result(300) for future in futures]
        stats = verifier.stats()["stations"][0]
        insist(verifier.verify(submissions[:8]), expected[:8], infra=0.0)
    insist(verdicts, expected, infra=0.25)
    assert stats["workers"]["lost"] >= 1, stats
