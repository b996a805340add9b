"""Our own server with kimina's HTTP contract: the real program over a Unix socket, and its application in-process."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

aiohttp = pytest.importorskip("aiohttp")
from aiohttp.test_utils import TestServer  # noqa: E402

from lean_gym.serve import application  # noqa: E402
from lean_gym.workers.core import CoreWorker  # noqa: E402

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the embedded Lean's fork server runs on Linux")

T = TypeVar("T")

KEY = "a key"
HEADER = "import Core\nset_option autoImplicit false\n"
GOOD = HEADER + "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n"
BAD = HEADER + "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.1, h.2⟩\n"
OPEN = HEADER + "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := by sorry\n"
ENDLESS = """import Core
partial def spin (n : Nat) : Nat := spin (n + 1)
open Lean in
macro "go" : command => match spin 0 with
  | .zero => `(theorem a : True := True.intro)
  | _ => `(theorem b : True := True.intro)
go
"""


def codes(*texts: str, timeout: int = 20) -> dict[str, Any]:
    return {"codes": [{"custom_id": i, "proof": text} for i, text in enumerate(texts)], "timeout": timeout}


class Program:
    """`python -m lean_gym.serve` on a Unix socket."""

    def __init__(self, socket: Path) -> None:
        self.socket = socket
        environment = {**os.environ, "LEAN_SERVER_API_KEY": KEY, "LEAN_SERVER_MAX_REPLS": "2"}
        environment["LEAN_SERVER_MAX_REPL_MEM"] = "300M"
        self.process = subprocess.Popen([sys.executable, "-m", "lean_gym.serve", "--uds", str(socket)], env=environment)

    def __call__(self, method: str, path: str, body: Any = None, key: str = KEY) -> tuple[int, Any]:
        """One request: (status, JSON of the answer). `body`: JSON, or bytes that are sent as they are."""

        async def ask() -> tuple[int, Any]:
            connector = aiohttp.UnixConnector(str(self.socket))
            async with aiohttp.ClientSession(connector=connector) as session:
                data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
                headers = {"Authorization": f"Bearer {key}"} if key else {}
                async with session.request(method, f"http://server{path}", data=data, headers=headers) as answer:
                    return answer.status, await answer.json()

        return asyncio.run(asyncio.wait_for(ask(), 60))

    def verify(self, *texts: str, timeout: int = 20) -> list[dict[str, Any]]:
        status, answer = self("POST", "/verify", codes(*texts, timeout=timeout))
        assert status == 200, answer
        results: list[dict[str, Any]] = answer["results"]
        assert [result["custom_id"] for result in results] == [str(i) for i in range(len(texts))]
        return results


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    program = Program(tmp_path_factory.mktemp("serve") / "socket")
    try:
        deadline = time.monotonic() + 60
        while not program.socket.exists():
            assert program.process.poll() is None and time.monotonic() < deadline, "the server did not start"
            time.sleep(0.02)
        yield program
        program.process.send_signal(signal.SIGTERM)
        assert program.process.wait(20) == 0
    finally:
        program.process.kill()
        program.process.wait()


def test_health(server: Program) -> None:
    for path in ("/", "/health"):
        assert server("GET", path, key="") == (200, {"status": "ok"})


def test_verdicts(server: Program) -> None:
    good, bad, unfinished = server.verify(GOOD, BAD, OPEN)
    assert set(good["response"]) == {"time"} and 0 < good["response"]["time"] < 20
    (message,) = bad["response"]["messages"]
    assert message["severity"] == "error" and message["data"].startswith("Application type mismatch")
    assert message["pos"] == {"line": 2, "column": 50}, "lines count from the first after the imports"
    (sorry,) = unfinished["response"]["sorries"]
    assert sorry["pos"] == {"line": 2, "column": 8}
    assert unfinished["response"]["messages"][0]["severity"] == "warning"


def test_blank_lines_under_the_imports_do_not_count(server: Program) -> None:
    (result,) = server.verify('prelude\nimport Core\n\n  \n#print "here"\n')
    (message,) = result["response"]["messages"]
    assert message == {"severity": "info", "pos": {"line": 1, "column": 0}, "data": "here"}


def test_one_text_cannot_see_or_harm_another(server: Program) -> None:
    first, second = server.verify(HEADER + "theorem mine : 1 = 1 := rfl", HEADER + "#check mine")
    assert set(first["response"]) == {"time"}
    assert second["response"]["messages"][0]["severity"] == "error"
    assert server.verify(HEADER + "#check mine")[0]["response"]["messages"][0]["severity"] == "error"


def test_a_timeout_is_the_texts_own(server: Program) -> None:
    endless, good = server.verify(ENDLESS, GOOD, timeout=1)
    assert endless["error"] == "Lean REPL command timed out in 1.0 seconds" and "response" not in endless
    assert set(good["response"]) == {"time"}


def test_a_text_that_takes_too_much_memory_has_an_error_of_its_own(server: Program) -> None:
    greedy = """import Core
def bomb : Nat → List Nat → List Nat
  | 0, acc => acc
  | n+1, acc => bomb n (n :: acc)
open Lean in
macro "go" : command => match bomb 100000000000 .nil with
  | .nil => `(theorem a : True := True.intro)
  | _ => `(theorem b : True := True.intro)
go
"""
    result, good = server.verify(greedy, GOOD)
    assert result["error"].startswith("out_of_memory: ")
    assert set(good["response"]) == {"time"}


def test_another_import_is_refused_in_words(server: Program) -> None:
    for text in ("import Mathlib\n#check 1", "#check 1"):
        (result,) = server.verify(text)
        assert "its first lines must import Core" in result["response"]["message"]


def test_the_key(server: Program) -> None:
    assert server("POST", "/verify", codes(GOOD), key="") == (401, {"detail": "Missing API key"})
    assert server("POST", "/verify", codes(GOOD), key="another") == (401, {"detail": "Invalid API key"})


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"{", []),
        ([], []),
        ({}, ["codes"]),
        ({"codes": [{"proof": GOOD}]}, ["codes", 0, "custom_id"]),
        ({"codes": [{"custom_id": "a"}]}, ["codes", 0, "proof"]),
        ({"codes": [], "timeout": "soon"}, ["timeout"]),
    ],
)
def test_a_body_that_is_wrong(server: Program, body: Any, place: list[Any]) -> None:
    status, answer = server("POST", "/verify", body)
    assert status == 422 and answer["detail"][0]["loc"] == ["body", *place]


def with_application(
    work: Callable[[CoreWorker, Any, str], Awaitable[T]], *, capacity: int = 1, max_wait: float = 60.0
) -> T:
    """Run `work(worker, session, url)` against an application in this process."""

    async def run() -> T:
        worker = CoreWorker(capacity=capacity)
        server = TestServer(application(worker, max_wait=max_wait))
        await server.start_server()  # aiohttp: with handler_cancellation
        try:
            async with aiohttp.ClientSession() as session:
                return await asyncio.wait_for(work(worker, session, str(server.make_url("/verify"))), 60)
        finally:
            await server.close()

    return asyncio.run(run())


def test_a_full_server_says_so() -> None:
    async def work(worker: CoreWorker, session: Any, url: str) -> list[int]:
        async def status(body: dict[str, Any]) -> int:
            async with session.post(url, json=body) as answer:
                return int(answer.status)

        first = asyncio.create_task(status(codes(ENDLESS, timeout=2)))
        await asyncio.sleep(0.3)
        return [await status(codes(GOOD)), await first, await status(codes(GOOD))]

    assert with_application(work, max_wait=0.2) == [429, 200, 200]


def test_a_client_that_leaves_frees_its_place() -> None:
    async def work(worker: CoreWorker, session: Any, url: str) -> float:
        with pytest.raises(asyncio.TimeoutError):
            async with session.post(url, json=codes(ENDLESS, timeout=60), timeout=aiohttp.ClientTimeout(0.3)):
                pass
        started = time.monotonic()
        async with session.post(url, json=codes(GOOD)) as answer:
            assert answer.status == 200
        return time.monotonic() - started

    assert with_application(work) < 10


def test_a_lost_worker_is_an_error_of_the_server() -> None:
    async def work(worker: CoreWorker, session: Any, url: str) -> list[int]:
        os.kill(worker.pid, signal.SIGKILL)
        statuses = []
        for _ in range(2):
            async with session.post(url, json=codes(GOOD)) as answer:
                statuses.append(int(answer.status))
                assert (await answer.json())["detail"]
        async with session.get(url.replace("/verify", "/health")) as answer:
            statuses.append(int(answer.status))
        return statuses

    assert with_application(work) == [500, 500, 503]
