"""The kimina worker: against a stand-in with real verdicts that can go wrong, and against a real server.

The latter if LEAN_GYM_TEST_KIMINA_URL names a kimina server that has Core, LEAN_GYM_TEST_KIMINA_KEY its key.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

pytest.importorskip("aiohttp", reason="the kimina worker needs aiohttp")
from aiohttp import web
from kimina_stand_in import Answer, StandIn

from lean_gym.core.build import core_library
from lean_gym.theorem import CORE_HEADER
from lean_gym.workers.base import Job, Limits, Reply, Status, WorkerLost, WorkerUnavailable
from lean_gym.workers.core import CoreWorker
from lean_gym.workers.kimina import KiminaWorker, ServerList
from lean_gym.workers.kimina_wire import Snippet, Surprise, read_answer
from lean_gym.workers.transport import HttpTransport

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the stand-in runs the embedded Lean's fork server")

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


@pytest.fixture(scope="module")
def running() -> Iterator[StandIn]:
    with StandIn() as server:
        yield server


@pytest.fixture
def server(running: StandIn) -> StandIn:
    running.reset()
    return running


def with_worker(
    server: StandIn, work: Callable[[KiminaWorker], Awaitable[T]], *, key: str | None = None, **arguments: Any
) -> T:
    """Start a worker on the server, do the work, close it."""

    async def run() -> T:
        worker = KiminaWorker(HttpTransport(server.url, key), **{"start_timeout": 20.0, "grace": 10.0, **arguments})
        try:
            await worker.start()
            return await asyncio.wait_for(work(worker), 60)
        finally:
            await worker.aclose()

    return asyncio.run(run())


def under_fault(
    server: StandIn, fault: Callable[[dict[str, Any], Answer], Awaitable[Any]], work_job: Job, **arguments: Any
) -> Reply:
    """One job on a worker whose server goes wrong after the start."""

    async def work(worker: KiminaWorker) -> Reply:
        server.fault = fault
        try:
            return await worker.check(work_job)
        finally:
            server.fault = None

    return with_worker(server, work, **arguments)


def error_answer(words: str) -> Callable[[dict[str, Any], Answer], Awaitable[Any]]:
    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        return {"results": [{"custom_id": data["codes"][0]["custom_id"], "error": words, "time": 1.0}]}

    return fault


def status_answer(status: int, body: Any) -> Callable[[dict[str, Any], Answer], Awaitable[Any]]:
    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        return web.json_response(body, status=status)

    return fault


def only_goal(fault: Callable[[dict[str, Any], Answer], Awaitable[Any]]) -> Any:
    """The fault for the tests' own theorem, the right answer for canaries."""

    async def chosen(data: dict[str, Any], answer: Answer) -> Any:
        return await (fault(data, answer) if "theorem goal" in data["codes"][0]["proof"] else answer())

    return chosen


# -- what works ---------------------------------------------------------------------------------------------------


def test_verdicts_and_what_start_finds_out(server: StandIn) -> None:
    async def work(worker: KiminaWorker) -> list[Reply]:
        assert worker.lean == core_library().lean_version
        assert worker.base == 0 and len(worker.image) == 64
        return [await worker.check(job(text)) for text in (GOOD, BAD, SORRY)]

    good, bad, unfinished = with_worker(server, work)
    assert good == Reply(Status.DONE, seconds=good.seconds) and good.seconds > 0
    [error] = bad.messages
    assert (error.severity, error.line, error.column) == ("error", 2, 9)
    assert [m.kind for m in unfinished.messages] == ["hasSorry"]


@pytest.mark.parametrize("whole", [False, True])
def test_positions_are_those_of_the_embedded_worker(server: StandIn, whole: bool) -> None:
    server.whole = whole
    unfinished = [
        "theorem goal : True :=",
        "theorem goal : True :=\n",
        "theorem goal : True := by\n  have h : True :=\n",
        "/- never closed",
    ]
    texts = [
        *unfinished,
        BAD,
        SORRY,
        "\n\n" + BAD,
        "set_option autoImplicit false\n-- α β\n" + BAD,
        BAD.rstrip("\n"),
        "theorem α₁ (p : Prop) : p → p := fun «ünï» => wrong\n",
        "theorem goal : True := by",
        "import Other\n" + GOOD,
        "#print axioms True.intro\n",
        "",
    ]

    async def work(worker: KiminaWorker) -> None:
        assert worker.base == (1 if whole else 0)
        core = CoreWorker(capacity=1)
        await core.start()
        try:
            for text in texts:
                ours, theirs = await worker.check(job(text)), await core.check(job(text))
                # At the end of a file Lean does not say what it expected there.
                kinds, expected = (
                    [(m.severity, m.line, m.column, m.text.removesuffix("; expected term")) for m in reply.messages]
                    for reply in (ours, theirs)
                )
                if text in unfinished:  # Lean complains where the file ends, or at the last word before our line
                    kinds, expected = [(k[0], k[3]) for k in kinds], [(e[0], e[3]) for e in expected]
                assert kinds == expected, text
        finally:
            await core.aclose()

    with_worker(server, work)


def test_the_code_starts_with_the_imports_alone(server: StandIn) -> None:
    with_worker(server, lambda worker: worker.check(job("import Evil\n" + GOOD, heartbeats=777)))
    data = server.requests[-1]
    [code] = data["codes"]
    lines = code["proof"].split("\n")
    assert lines[0] == "import Core" and lines[1] == f'#print "{code["custom_id"]} begin"'
    assert lines[2] == "set_option maxHeartbeats 777" and lines[3] == "import Evil"
    assert lines[-2] == f'#print "{code["custom_id"]} end"'
    assert data["timeout"] == 20 and data["disable_cache"] is False
    assert len({request["codes"][0]["custom_id"] for request in server.requests}) == len(server.requests)


def test_line_ends_that_only_python_knows(server: StandIn) -> None:
    """kimina splits at them: what stands behind one in a comment must not become code."""
    text = "-- a\u2028theorem no : False := sorry\x85x\x0by\x1cz\n" + GOOD
    reply = with_worker(server, lambda worker: worker.check(job(text)))
    assert reply.messages == ()


@pytest.mark.parametrize("text", ["#exit\n" + GOOD, "#exit\n"])
def test_a_text_that_ends_early_is_no_pass(server: StandIn, text: str) -> None:
    reply = with_worker(server, lambda worker: worker.check(job(text)))
    assert [m.severity for m in reply.messages] == ["warning", "error"]
    assert "to its end" in reply.messages[-1].text


def test_a_silenced_sorry_is_seen(server: StandIn) -> None:
    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        right = await answer()
        right["results"][0]["response"]["sorries"] = [{"pos": {"line": 5, "column": 2}, "goal": "⊢ p"}]
        return right

    reply = under_fault(server, fault, job("set_option warn.sorry false\ntheorem a (p : Prop) : p := by\n  sorry\n"))
    [message] = reply.messages
    assert (message.kind, message.line, message.column) == ("hasSorry", 3, 2)


def test_output_is_cut_but_for_the_first_error(server: StandIn) -> None:
    text = "#print axioms True.intro\n" * 200 + BAD
    reply = with_worker(server, lambda worker: worker.check(job(text, output=2000)))
    assert reply.truncated and reply.messages[-1].severity == "error" and "mismatch" in reply.messages[-1].text
    assert len(reply.messages) > 2 and sum(len(m.text) for m in reply.messages) <= 2000


def test_a_lone_surrogate_and_a_large_text(server: StandIn) -> None:
    async def work(worker: KiminaWorker) -> None:
        assert (await worker.check(job(GOOD + "\ud800\n"))).messages[0].severity == "error"
        assert (await worker.check(job("/- " + "word " * 200_000 + "-/\n" + GOOD))).messages == ()

    with_worker(server, work)


def test_a_unix_socket(tmp_path: Path) -> None:
    with StandIn(str(tmp_path / "socket")) as server:
        assert with_worker(server, lambda worker: worker.check(job(GOOD))).messages == ()


def test_many_jobs_at_once_keep_their_own_answers(server: StandIn) -> None:
    async def work(worker: KiminaWorker) -> None:
        texts = [GOOD, BAD, SORRY] * 8
        replies = await asyncio.gather(*(worker.check(job(text)) for text in texts))
        for text, reply in zip(texts, replies):
            found = [m.kind if m.kind == "hasSorry" else m.severity for m in reply.messages]
            assert found == {GOOD: [], BAD: ["error"], SORRY: ["hasSorry"]}[text]

    with_worker(server, work, capacity=2)


# -- faults of the server -----------------------------------------------------------------------------------------


def test_a_real_timeout(server: StandIn) -> None:
    reply = with_worker(server, lambda worker: worker.check(job(ENDLESS, wall=1.0)))
    assert reply.status is Status.TIMEOUT and "timed out in 1 seconds" in reply.detail


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        (status_answer(500, {"detail": "JSON decode error"}), "memory"),
        (error_answer("Snippet execution failed: JSON decode error"), "memory"),
        (error_answer("Snippet execution failed: Failed to read from REPL stdout"), "longer"),
        (status_answer(500, {"detail": "Separator is not found, and chunk exceed the limit"}), "longer"),
        (status_answer(500, {"detail": "Separator is found, but chunk is longer than limit"}), "longer"),
    ],
)
def test_a_repl_that_died_is_a_crash_of_the_job(server: StandIn, fault: Any, word: str) -> None:
    reply = under_fault(server, only_goal(fault), job(GOOD))
    assert reply.status is Status.CRASHED and word in reply.detail


def test_a_server_whose_repls_all_die_is_lost(server: StandIn) -> None:
    """A crash is only a job's own where a proof that is known to be right does not crash."""
    with pytest.raises(WorkerLost, match="a true proof was not accepted: crashed"):
        under_fault(server, status_answer(500, {"detail": "JSON decode error"}), job(GOOD))


@pytest.mark.parametrize("status", [Status.OUT_OF_MEMORY, Status.CRASHED])
def test_the_words_of_our_own_server(server: StandIn, status: Status) -> None:
    reply = under_fault(server, only_goal(error_answer(f"{status.value}: Stopped at 3 GB.")), job(GOOD))
    assert (reply.status, reply.detail) == (status, "Stopped at 3 GB.")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (status_answer(401, {"detail": "Invalid API key"}), "API key"),
        (status_answer(422, {"detail": [{"msg": "field required"}]}), "field required"),
        (status_answer(404, {"detail": "Not Found"}), "kimina"),
        (status_answer(500, {"detail": "Failed to start REPL"}), "Failed to start REPL"),
        (status_answer(502, {"detail": "JSON decode error"}), "502"),
        (status_answer(200, {"results": []}), "protocol surprise"),
        (status_answer(200, ["x"]), "protocol surprise"),
        (error_answer("Snippet execution failed: Lean process broken pipe"), "broken pipe"),
        (error_answer("Failed to get REPL: disk full"), "disk full"),
    ],
)
def test_failures_of_the_server_are_no_scores(server: StandIn, fault: Any, words: str) -> None:
    with pytest.raises(WorkerLost, match=words) as caught:
        under_fault(server, fault, job(GOOD))
    assert server.url in str(caught.value)


def test_an_environment_that_is_unknown(server: StandIn) -> None:
    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        response = {"message": "Unknown environment.", "time": 0.1}
        return {"results": [{"custom_id": data["codes"][0]["custom_id"], "error": None, "response": response}]}

    with pytest.raises(WorkerLost, match="can't import the header"):
        under_fault(server, fault, job(GOOD))


@pytest.mark.parametrize("busy", [status_answer(429, {"detail": "busy"}), error_answer("No available REPLs")])
def test_a_busy_server_is_asked_again(server: StandIn, busy: Any) -> None:
    left = 2

    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        nonlocal left
        left -= 1
        return await (answer() if left < 0 else busy(data, answer))

    assert under_fault(server, fault, job(GOOD)).messages == ()
    assert left == -1


def test_a_server_that_stays_busy(server: StandIn) -> None:
    with pytest.raises(WorkerUnavailable, match="no REPL free in time"):
        under_fault(server, status_answer(429, {"detail": "busy"}), job(GOOD, wall=0.5), grace=0.3)


def test_a_hung_server(server: StandIn) -> None:
    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        await asyncio.sleep(30)
        return await answer()

    started = time.monotonic()
    with pytest.raises(WorkerLost, match="no answer within"):
        under_fault(server, fault, job(GOOD, wall=0.5), grace=0.5)
    assert time.monotonic() - started < 10


def test_a_timeout_of_a_server_that_stood_still_is_none(server: StandIn) -> None:
    late = error_answer("Lean REPL command timed out in 1 seconds")

    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        time.sleep(4)  # as a container that is paused: its server answers nobody
        return await late(data, answer)

    with pytest.raises(WorkerLost, match="stood still for 4 s"):
        under_fault(server, fault, job(GOOD, wall=1.0))

    # One that answers meanwhile is believed.
    async def slow(data: dict[str, Any], answer: Answer) -> Any:
        await asyncio.sleep(4)
        return await late(data, answer)

    assert under_fault(server, slow, job(GOOD, wall=1.0)).status is Status.TIMEOUT


def test_a_header_that_was_late_is_imported_and_the_job_run_again(server: StandIn) -> None:
    asked: list[int] = []

    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        asked.append(data["timeout"])
        if len(asked) == 1:
            return await error_answer("Lean REPL header command timed out in 1 seconds")(data, answer)
        return await answer()

    assert under_fault(server, fault, job(GOOD, wall=1.0)).messages == ()
    assert asked == [1, 20, 1]
    with pytest.raises(WorkerLost, match="can't import the header in time"):
        under_fault(server, error_answer("Lean REPL header command timed out in 1 seconds"), job(GOOD))


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"results": [', b"[" * 100_000, b"\xff\xfe", b"null", b"1e999"])
def test_garbage(server: StandIn, body: bytes) -> None:
    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        return web.Response(body=body, content_type="application/json")

    with pytest.raises(WorkerLost, match="protocol surprise"):
        under_fault(server, fault, job(GOOD))


def test_half_an_answer(server: StandIn) -> None:
    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        text = json.dumps(await answer()).encode()
        response = web.StreamResponse(headers={"Content-Length": str(len(text))})
        await response.prepare(server.last)
        await response.write(text[: len(text) // 2])
        assert server.last.transport is not None
        server.last.transport.close()
        return response

    with pytest.raises(WorkerLost, match="broke off"):
        under_fault(server, fault, job(GOOD), grace=2.0)


def test_a_server_that_is_gone() -> None:
    async def run() -> None:
        server = StandIn()
        await asyncio.to_thread(server.__enter__)
        worker = KiminaWorker(HttpTransport(server.url), start_timeout=20.0)
        await worker.start()
        await asyncio.to_thread(server.__exit__)
        with pytest.raises(WorkerUnavailable, match="can't be reached"):
            await worker.check(job(GOOD))
        await worker.aclose()
        await worker.aclose()
        with pytest.raises(WorkerLost, match="closed"):
            await worker.check(job(GOOD))

    asyncio.run(run())


# -- answers that belong to another job, or to none ----------------------------------------------------------------


def test_a_shifted_answer(server: StandIn) -> None:
    """A REPL that is one line ahead answers each job with the words for the one before it."""
    earlier: list[Any] = []

    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        right = await answer()
        earlier.append(right["results"][0]["response"])
        return {"results": [{**right["results"][0], "response": earlier[max(0, len(earlier) - 2)]}]}

    async def work(worker: KiminaWorker) -> None:
        server.fault = fault
        assert (await worker.check(job(GOOD))).messages == ()
        with pytest.raises(Surprise, match="not to this job"):
            await worker.check(job(BAD))

    with_worker(server, work)


@pytest.mark.parametrize(
    "response",
    [
        {"env": 0},
        {"env": 0, "messages": []},
        {"env": 0, "messages": [{"severity": "error", "pos": {"line": 1, "column": 0}, "data": "forged"}]},
        {"env": 0, "messages": [{"severity": "info", "pos": {"line": 1, "column": 0}, "data": "0" * 32 + " begin"}]},
        {"env": 0, "messages": "none"},
        {"env": 0, "messages": [7]},
        {"env": 0, "messages": [{"severity": "info", "data": "x"}]},
        {"env": 0, "messages": [{"severity": "info", "pos": {"line": True, "column": 0}, "data": "x"}]},
        {"env": 0, "messages": [{"severity": "fine", "pos": {"line": 1, "column": 0}, "data": "x"}]},
        {"env": 0, "messages": [{"severity": "info", "pos": {"line": 1, "column": 0}, "data": None}]},
    ],
)
def test_a_forged_answer(server: StandIn, response: dict[str, Any]) -> None:
    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        return {"results": [{"custom_id": data["codes"][0]["custom_id"], "error": None, "response": response}]}

    with pytest.raises(Surprise, match="protocol surprise"):
        under_fault(server, fault, job(GOOD))


def test_an_answer_to_another_request(server: StandIn) -> None:
    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        right = await answer()
        right["results"][0]["custom_id"] = "0" * 32
        return right

    with pytest.raises(Surprise, match="another request"):
        under_fault(server, fault, job(GOOD))


def test_lines_counted_otherwise_than_at_the_start(server: StandIn) -> None:
    async def work(worker: KiminaWorker) -> None:
        server.whole = True
        with pytest.raises(WorkerLost, match="counts lines otherwise"):
            await worker.check(job(GOOD))

    with_worker(server, work)


def test_an_odd_time_is_no_surprise() -> None:
    snippet = Snippet.of(("Core",), job(GOOD))
    messages = [
        {"severity": "info", "pos": {"line": line, "column": 0}, "data": f"{snippet.nonce} {word}\n"}
        for line, word in ((1, "begin"), (5, "end"))
    ]
    for odd in (float("nan"), float("inf"), -1, "soon", None):
        result = {"custom_id": snippet.nonce, "response": {"messages": messages, "time": odd}}
        reply, base = read_answer(200, json.dumps({"results": [result]}).encode(), snippet, 10_000)
        assert reply == Reply(Status.DONE) and base == 0


# -- the start ----------------------------------------------------------------------------------------------------


def start_fails(server: StandIn, words: str, key: str | None = None, **arguments: Any) -> None:
    async def never(worker: KiminaWorker) -> None:
        raise AssertionError("it started")

    with pytest.raises(WorkerLost, match=words):
        with_worker(server, never, key=key, **arguments)


def test_a_server_that_is_not_healthy(server: StandIn) -> None:
    server.healthy = False
    start_fails(server, "not healthy within 0.3 s: GET /health gave 503", start_timeout=0.3)


def test_no_server() -> None:
    async def run() -> None:
        worker = KiminaWorker(HttpTransport("http://127.0.0.1:9"), start_timeout=0.3)
        with pytest.raises(WorkerLost, match="not healthy within"):
            await worker.start()
        await worker.aclose()

    asyncio.run(run())


def test_the_api_key(server: StandIn) -> None:
    server.key = "secret-key"
    start_fails(server, "refuses the API key")
    start_fails(server, "refuses the API key", key="wrong")
    reply = with_worker(server, lambda worker: worker.check(job(GOOD)), key="secret-key")
    assert reply.messages == ()
    assert "secret-key" not in repr(HttpTransport(server.url, "secret-key"))
    assert "secret-key" not in repr(ServerList([server.url], api_key="secret-key"))


def drop(match: Callable[[str], bool], change: Callable[[dict[str, Any]], None]) -> Any:
    async def fault(data: dict[str, Any], answer: Answer) -> Any:
        right = await answer()
        if match(data["codes"][0]["proof"]):
            change(right["results"][0]["response"])
        return right

    return fault


def only_nonces(response: dict[str, Any]) -> None:
    response["messages"] = [m for m in response["messages"] if m["data"].endswith((" begin", " end"))]


def one_lower(response: dict[str, Any]) -> None:
    for message in response["messages"]:
        message["pos"]["line"] += not message["data"].endswith((" begin", " end"))


def with_an_error(response: dict[str, Any]) -> None:
    response["messages"].append({"severity": "error", "pos": {"line": 4, "column": 0}, "data": "no such tactic"})


@pytest.mark.parametrize(
    ("where", "change", "words"),
    [
        ("#version", only_nonces, "did not tell its version"),
        ("lean_gym_false", only_nonces, "false proof was not refused"),
        ("lean_gym_open", only_nonces, "sorry` was not noticed"),
        ("lean_gym_true", with_an_error, "true proof was not accepted: no such tactic"),
        ("lean_gym_false", one_lower, "false proof was refused at line 3, column 2"),
    ],
)
def test_canaries(server: StandIn, where: str, change: Any, words: str) -> None:
    server.fault = drop(lambda code: where in code, change)
    start_fails(server, words)


def test_an_old_lean_without_the_version_command(server: StandIn) -> None:
    def old(response: dict[str, Any]) -> None:
        for message in response["messages"]:
            if message["data"].startswith("Lean 4"):
                message["data"] = '"4.9.0-rc1"'

    server.fault = drop(lambda code: "#version" in code, old)

    async def work(worker: KiminaWorker) -> None:
        assert worker.lean == "4.9.0-rc1"

    with_worker(server, work)


def test_headers_that_kimina_can_not_take() -> None:
    transport = HttpTransport("http://127.0.0.1:9")
    with pytest.raises(ValueError, match="imports nothing"):
        KiminaWorker(transport, "open Nat\n")
    with pytest.raises(ValueError, match="prelude"):
        KiminaWorker(transport, "prelude\nimport Mathlib\n")
    with pytest.raises(ValueError, match="capacity"):
        KiminaWorker(transport, capacity=0)


def test_a_job_under_another_header(server: StandIn) -> None:
    async def work(worker: KiminaWorker) -> None:
        with pytest.raises(ValueError, match="imports Mathlib"):
            await worker.check(Job("import Mathlib\n", GOOD))
        assert (await worker.check(Job("prelude\nimport Core\nopen Nat\n", GOOD))).messages == ()

    with_worker(server, work)


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://host", "http://", "unix://host", "http://h:1?q=1", "http://user:key@host:1"]
)
def test_urls(url: str) -> None:
    with pytest.raises(ValueError, match="server") as caught:
        HttpTransport(url)
    assert "key@" not in str(caught.value)


# -- cancelling, several servers ----------------------------------------------------------------------------------


def test_a_cancelled_job_keeps_its_place_until_the_server_is_done(server: StandIn) -> None:
    async def work(worker: KiminaWorker) -> None:
        started = time.monotonic()
        task = asyncio.create_task(worker.check(job(ENDLESS, wall=2.0)))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - started < 1.5
        assert (await worker.check(job(GOOD))).messages == ()
        assert time.monotonic() - started > 1.5

    with_worker(server, work, capacity=1)


def test_closing_ends_what_runs(server: StandIn) -> None:
    async def work(worker: KiminaWorker) -> None:
        task = asyncio.create_task(worker.check(job(ENDLESS, wall=20.0)))
        await asyncio.sleep(0.3)
        started = time.monotonic()
        await worker.aclose()
        with pytest.raises(WorkerLost, match="closed"):
            await task
        assert time.monotonic() - started < 2

    with_worker(server, work)


def test_a_list_of_servers_spreads_its_workers() -> None:
    async def run() -> None:
        servers = ServerList(["http://127.0.0.1:8", "http://127.0.0.1:9"])
        first, second = servers(), servers()
        assert {first._transport.url, second._transport.url} == set(servers.urls)
        await first.aclose()
        third = servers()
        assert third._transport.url == first._transport.url
        await asyncio.gather(second.aclose(), third.aclose())
        fourth = servers()
        assert fourth._transport.url == second._transport.url  # its turn was longest ago
        await fourth.aclose()

    asyncio.run(run())
    with pytest.raises(ValueError, match="no server"):
        ServerList([])


# -- a real kimina server -----------------------------------------------------------------------------------------

URL = os.environ.get("LEAN_GYM_TEST_KIMINA_URL", "")


@pytest.mark.skipif(not URL, reason="LEAN_GYM_TEST_KIMINA_URL names no kimina server with Core")
def test_a_real_server() -> None:
    async def run() -> None:
        worker = ServerList([URL], capacity=2, api_key=os.environ.get("LEAN_GYM_TEST_KIMINA_KEY"))()
        try:
            await worker.start()
            assert worker.lean == core_library().lean_version
            texts = [GOOD, BAD, SORRY, "\n\n" + BAD, "#print axioms True.intro\n"] * 3
            replies = await asyncio.gather(*(worker.check(job(text)) for text in texts))
            core = CoreWorker(capacity=1)
            await core.start()
            for text, reply in zip(texts, replies):
                expected = await core.check(job(text))
                found = [(m.severity, m.line, m.text.strip()) for m in reply.messages]
                assert found == [(m.severity, m.line, m.text.strip()) for m in expected.messages]
            await core.aclose()
            assert (await worker.check(job(ENDLESS, wall=2.0))).status is Status.TIMEOUT
            assert (await worker.check(job(GOOD))).messages == ()
        finally:
            await worker.aclose()

    asyncio.run(run())
