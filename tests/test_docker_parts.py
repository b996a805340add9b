"""What needs no Docker engine: labels and owners, addresses, the relay's protocol, results of a compilation."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import http.server
import json
import os
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lean_gym.theorem import CORE_HEADER
from lean_gym.workers.base import Job, Limits, Status, WorkerLost
from lean_gym.workers.compiler import file_of, read_result
from lean_gym.workers.docker import DockerOptions, Engines
from lean_gym.workers.engine import Engine
from lean_gym.workers.hijack import STDERR, STDOUT, Endpoint, RawStream
from lean_gym.workers.owner import EXPIRES, OWNER, Owner, leftover
from lean_gym.workers.relay import RelayTransport, relay_command
from lean_gym.workers.transport import MAX_ANSWER

HEAD = struct.Struct(">QBL")
ASK, ANSWER, FAILED = 1, 2, 3


def in_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A coroutine as a test: pytest runs none by itself."""

    @functools.wraps(test)
    def run(**arguments: Any) -> None:
        async def work() -> None:
            await test(**arguments)

        asyncio.run(work())

    return run


# -- owners ---------------------------------------------------------------------------------------------------------


def test_an_owner_is_read_back_and_lives() -> None:
    owner = Owner.current()
    assert owner.pid == os.getpid()
    assert Owner.parse(str(owner)) == owner
    assert not owner.gone()


@pytest.mark.parametrize("text", ["", "a:b:c:d", "a:b:1", "a:b:1:2:3", "a:b:-1:2", "a::1:2", "a:b:²:1"])
def test_other_texts_are_no_owner(text: str) -> None:
    assert Owner.parse(text) is None


def test_an_ended_program_is_gone_before_and_after_it_is_collected() -> None:
    program = [
        sys.executable,
        "-c",
        "from lean_gym.workers.owner import Owner; print(Owner.current(), flush=True); input()",
    ]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        owner = Owner.parse(child.stdout.readline().decode().strip())
        assert owner is not None and owner.pid == child.pid and not owner.gone()
        child.kill()
        deadline = time.monotonic() + 10
        while not owner.gone():  # killed, and not waited for: a zombie
            assert time.monotonic() < deadline
            time.sleep(0.01)
        child.wait()
    assert owner.gone()


def test_a_process_id_used_again_is_another_program() -> None:
    mine = Owner.current()
    assert Owner(mine.boot, mine.namespace, mine.pid, str(int(mine.started) + 1)).gone()


def test_a_program_elsewhere_is_never_gone() -> None:
    mine = Owner.current()
    assert not Owner("another boot", mine.namespace, 1 << 22, "1").gone()
    assert not Owner(mine.boot, "another namespace", 1 << 22, "1").gone()
    assert Owner(mine.boot, mine.namespace, 1 << 22, "1").gone()


def test_what_may_be_removed() -> None:
    now = 1_000_000.0
    mine = Owner.current()
    elsewhere = "another-boot:1:1:1"
    assert leftover({}, now) == ""
    assert leftover({EXPIRES: "1"}, now) == ""  # not ours
    assert leftover({OWNER: elsewhere, EXPIRES: str(int(now) + 1)}, now) == ""
    assert leftover({OWNER: elsewhere, EXPIRES: str(int(now) - 30)}, now) == ""  # clocks differ
    assert leftover({OWNER: elsewhere, EXPIRES: str(int(now) - 61)}, now) == "it has expired"
    assert leftover({OWNER: elsewhere, EXPIRES: "soon"}, now) == ""
    assert leftover({OWNER: str(mine), EXPIRES: str(int(now) + 99)}, now) == ""
    ended = Owner(mine.boot, mine.namespace, 1 << 22, "1")
    assert "has ended" in leftover({OWNER: str(ended), EXPIRES: str(int(now) + 99)}, now)


# -- addresses ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("unix:///run/docker.sock", "unix:///run/docker.sock"),
        ("unix://run/docker.sock", "unix:///run/docker.sock"),
        ("tcp://gpu1:2375", "tcp://gpu1:2375"),
        ("tcp://gpu1", "tcp://gpu1:2375"),
        ("tcp://[::1]:99", "tcp://[::1]:99"),
        ("ssh://me@gpu1:22", "ssh://me@gpu1:22"),
    ],
)
def test_addresses(given: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOCKER_CERT_PATH", raising=False)
    assert Endpoint.parse(given).url == url


@pytest.mark.parametrize(
    "given", ["http://x", "gpu1", "unix://", "tcp://", "ssh://-oProxyCommand=x", "ssh://me:word@x", "ssh://x/y"]
)
def test_wrong_addresses(given: str) -> None:
    with pytest.raises(ValueError, match="docker_host"):
        Endpoint.parse(given)


def test_the_environment_gives_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "tcp://there")
    monkeypatch.setenv("DOCKER_CERT_PATH", "/certificates")
    assert Endpoint.parse() == Endpoint("tcp://there:2376", "/certificates")


@in_loop
async def test_no_engine_is_one_sentence(tmp_path: Path) -> None:
    engine = Engine(f"unix://{tmp_path}/none.sock", guard=False)
    with pytest.raises(WorkerLost, match=r"There is no Docker engine at unix:///.*start Docker"):
        await engine.connect()
    await engine.aclose()
    tls = Engine("tcp://127.0.0.1:1", str(tmp_path), guard=False)
    with pytest.raises(WorkerLost, match=r"there is no .*ca\.pem"):
        await tls.connect()
    await tls.aclose()
    plain = Engine("tcp://127.0.0.1:1", guard=False)
    with pytest.raises(WorkerLost, match="did not connect"):
        await plain.connect()
    await plain.aclose()


@in_loop
async def test_without_the_docker_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docker", None)
    engine = Engine(f"unix://{tmp_path}/none.sock", guard=False)
    with pytest.raises(ImportError, match=r'pip install "lean-gym\[docker\]"'):
        await engine.connect()
    await engine.aclose()


def test_engines_take_turns_and_pass_over_one_that_failed() -> None:
    engines = Engines(DockerOptions(docker_hosts=("unix:///a", "unix:///b", "unix:///c")), guard=False)
    a, b, c = engines.engines
    assert [engines.next() for _ in range(4)] == [a, b, c, a]
    engines.failed(b)
    assert [engines.next() for _ in range(4)] == [c, a, c, a]
    engines.failed(a)
    engines.failed(c)
    assert engines.next() is b  # all are down: the one that failed first
    engines.worked(c)
    assert [engines.next() for _ in range(2)] == [c, c]
    asyncio.run(engines.aclose())


@pytest.mark.parametrize(
    "wrong", [{"cpus": 0}, {"memory_mb": -1}, {"repls": -1}, {"image": ""}, {"grace": float("inf")}]
)
def test_wrong_options(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        DockerOptions(**wrong)


def test_the_servers_environment() -> None:
    options = DockerOptions(cpus=3.5, env={"LEAN_SERVER_MAX_WAIT": "7"})
    found = options.environment("import Mathlib.Tactic\nimport Aesop\nopen Nat\n")
    assert json.loads(found["LEAN_SERVER_INIT_REPLS"]) == {"import Mathlib\nimport Aesop": 3}
    assert found["LEAN_SERVER_MAX_REPLS"] == "3" and found["LEAN_SERVER_MAX_WAIT"] == "7"
    assert not any("KEY" in name or "TOKEN" in name for name in found)


# -- streams --------------------------------------------------------------------------------------------------------


async def serve(path: Path, answer: bytes) -> asyncio.Server:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    return await asyncio.start_unix_server(handle, path)


@in_loop
async def test_a_stream_splits_stdout_and_stderr(tmp_path: Path) -> None:
    frames = (
        struct.pack(">BxxxL", 1, 3)
        + b"one"
        + struct.pack(">BxxxL", 2, 3)
        + b"two"
        + struct.pack(">BxxxL", 1, 9)
        + b"cut"
    )
    async with await serve(tmp_path / "s", b"HTTP/1.1 101 UPGRADED\r\nUpgrade: tcp\r\n\r\n" + frames):
        stream = await RawStream.open(Endpoint(f"unix://{tmp_path}/s"), "/x", {}, 5)
        found = [await stream.read() for _ in range(4)]
        await stream.aclose()
    assert found == [(STDOUT, b"one"), (STDERR, b"two"), (STDOUT, b"cut"), (0, b"")]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b'HTTP/1.1 404 Not Found\r\n\r\n{"message":"no such exec"}', "404 Not Found.*no such exec"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "opened no stream"),
        (b"nonsense\r\n\r\n", "opened no stream"),
        (b"HTTP/1.1 101", "No stream"),
        (b"x" * 1_000_000, "No stream"),
    ],
)
@in_loop
async def test_no_stream(tmp_path: Path, answer: bytes, words: str) -> None:
    async with await serve(tmp_path / "s", answer):
        with pytest.raises(WorkerLost, match=words):
            await RawStream.open(Endpoint(f"unix://{tmp_path}/s"), "/x", {}, 5)


# -- the relay ------------------------------------------------------------------------------------------------------


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with what it got; "/slow" after a while, "/long" with more than may be."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path == "/slow":
            time.sleep(1.5)
        self.reply(200 if self.path != "/missing" else 404, self.path.encode())

    def do_POST(self) -> None:
        self.reply(200, self.rfile.read(int(self.headers["Content-Length"])))

    def reply(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        # The relay is killed in one of the tests.
        with contextlib.suppress(BrokenPipeError):
            self.wfile.write(body)

    def log_message(self, *words: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[int]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        yield httpd.server_address[1]
        httpd.shutdown()


class Local:
    """The relay program as a process of this machine, as a stream."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None and process.stdout is not None
        self.process, self.stdin, self.stdout = process, process.stdin, process.stdout

    @classmethod
    async def start(cls, port: int) -> Local:
        # The real source; its grace is 0 here. It kills nobody outside of a container.
        command = [sys.executable, *relay_command(port)[1:-1], "0"]
        pipe = asyncio.subprocess.PIPE
        return cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))

    async def read(self) -> tuple[int, bytes]:
        data = await self.stdout.read(1 << 16)
        return (STDOUT, data) if data else (0, b"")

    async def write(self, data: bytes) -> None:
        self.stdin.write(data)
        await self.stdin.drain()

    async def aclose(self) -> None:
        self.stdin.close()
        await asyncio.wait_for(self.process.wait(), 10)


@in_loop
async def test_requests_pass_the_relay(server: int) -> None:
    stream = await Local.start(server)
    relay = RelayTransport(stream, "docker:test")
    assert await relay.request("GET", "/health", None, 10) == (200, b"/health")
    assert await relay.request("GET", "/missing", None, 10) == (404, b"/missing")
    bodies = [bytes([number]) * (number * 10_000) for number in range(1, 40)] + [os.urandom(3 << 20)]
    answers = await asyncio.gather(*(relay.request("POST", "/", body, 30) for body in bodies))
    assert answers == [(200, body) for body in bodies]
    started = time.monotonic()
    slow = asyncio.create_task(relay.request("GET", "/slow", None, 10))
    await asyncio.sleep(0)
    assert await relay.request("GET", "/quick", None, 10) == (200, b"/quick")
    assert time.monotonic() - started < 1.4, "one waited for the other"
    assert await slow == (200, b"/slow")
    await relay.aclose()
    await relay.aclose()
    assert await asyncio.wait_for(stream.process.wait(), 10) == 0
    with pytest.raises(WorkerLost, match="was closed"):
        await relay.request("GET", "/health", None, 10)


@in_loop
async def test_a_request_given_up_harms_no_other(server: int) -> None:
    relay = RelayTransport(await Local.start(server), "docker:test")
    with pytest.raises(WorkerLost, match=r"docker:test/slow gave no answer within 0\.3 s"):
        await relay.request("GET", "/slow", None, 0.3)
    cancelled = asyncio.create_task(relay.request("GET", "/slow", None, 10))
    await asyncio.sleep(0.1)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    for _ in range(20):  # until after the two late answers
        assert await relay.request("GET", "/health", None, 10) == (200, b"/health")
        await asyncio.sleep(0.1)
    await relay.aclose()


@in_loop
async def test_no_server_behind_the_relay() -> None:
    relay = RelayTransport(await Local.start(1), "docker:test")
    with pytest.raises(WorkerLost, match="ConnectionRefused"):
        await relay.request("GET", "/health", None, 10)
    await relay.aclose()


@in_loop
async def test_a_killed_relay_loses_all_requests(server: int) -> None:
    stream = await Local.start(server)
    relay = RelayTransport(stream, "docker:test")
    tasks = [asyncio.create_task(relay.request("GET", "/slow", None, 60)) for _ in range(3)]
    await asyncio.sleep(0.3)
    stream.process.kill()
    for task in tasks:
        with pytest.raises(WorkerLost, match="the relay in the container ended"):
            await task
    with pytest.raises(WorkerLost, match="ended"):
        await relay.request("GET", "/health", None, 10)
    await relay.aclose()


class Broken:
    """A stream that answers each frame as a fault wants it."""

    def __init__(self, fault: Callable[[bytes], bytes]) -> None:
        self.fault = fault
        self.queue: asyncio.Queue[bytes] = asyncio.Queue()

    async def read(self) -> tuple[int, bytes]:
        return STDOUT, await self.queue.get()

    async def write(self, data: bytes) -> None:
        if answer := self.fault(data):
            self.queue.put_nowait(answer)

    async def aclose(self) -> None: ...


@pytest.mark.parametrize(
    "fault",
    [
        lambda data: b"garbage, not a frame at all",
        lambda data: HEAD.pack(7, ANSWER, 2) + b"\0\0",  # a number nobody asked with
        lambda data: data[:8] + bytes([ASK]) + data[9:],  # an echo
        lambda data: data[:8] + bytes([ANSWER]) + struct.pack(">L", MAX_ANSWER + 3),
        lambda data: data[:8] + bytes([ANSWER]) + struct.pack(">L", 1) + b"x",  # no room for a status
        lambda data: data[:8] + bytes([9]) + struct.pack(">L", 0),
    ],
    ids=["garbage", "unknown", "echo", "too long", "too short", "kind"],
)
@in_loop
async def test_a_relay_that_breaks_its_protocol(fault: Callable[[bytes], bytes]) -> None:
    relay = RelayTransport(Broken(fault), "docker:test")
    with pytest.raises(WorkerLost, match="broke its protocol"):
        await relay.request("GET", "/health", None, 5)
    await relay.aclose()


@in_loop
async def test_a_relay_that_answers_twice() -> None:
    def twice(data: bytes) -> bytes:
        return 2 * (data[:8] + bytes([ANSWER]) + struct.pack(">L", 2) + b"\0\xc8")

    relay = RelayTransport(Broken(twice), "docker:test")
    assert await relay.request("GET", "/health", None, 5) == (200, b"")
    with pytest.raises(WorkerLost, match="broke its protocol"):
        await relay.request("GET", "/health", None, 5)
    await relay.aclose()


@in_loop
async def test_a_hung_relay() -> None:
    relay = RelayTransport(Broken(lambda data: b""), "docker:test")
    with pytest.raises(WorkerLost, match="within"):
        await asyncio.wait_for(relay.request("GET", "/health", None, 0.2), 5)
    await relay.aclose()


@in_loop
async def test_a_relays_words_are_cut_and_plain() -> None:
    def fail(data: bytes) -> bytes:
        words = "é".encode() * 5000
        return data[:8] + bytes([FAILED]) + struct.pack(">L", len(words)) + words

    relay = RelayTransport(Broken(fail), "docker:test")
    with pytest.raises(WorkerLost) as error:
        await relay.request("GET", "/health", None, 5)
    assert len(str(error.value)) < 400
    await relay.aclose()


@in_loop
async def test_a_container_known_to_be_gone_fails_its_requests() -> None:
    relay = RelayTransport(Broken(lambda data: b""), "docker:test")
    task = asyncio.create_task(relay.request("GET", "/health", None, 60))
    await asyncio.sleep(0.05)
    relay.fail("The container ended.")
    with pytest.raises(WorkerLost, match="The container ended"):
        await task
    await relay.aclose()


# -- compilation ----------------------------------------------------------------------------------------------------

LIMITS = Limits(wall=30, cpu=10, memory=1 << 30)


def outcome(result: dict[str, Any], messages: bytes = b"", module: bytes = b"") -> Any:
    return read_result(
        {"code": 0, "seconds": 1.0, "end": "exit", "truncated": False, **result}, messages, module, 3, LIMITS
    )


def line(severity: str, at: int) -> bytes:
    return (
        json.dumps(
            {"severity": severity, "pos": {"line": at, "column": 2}, "data": "words", "kind": "[anonymous]"}
        ).encode()
        + b"\n"
    )


def test_results_of_a_compilation() -> None:
    reply = outcome({}, line("warning", 5) + b"noise\n", b"olean")
    assert (reply.status, reply.olean) == (Status.DONE, b"olean")
    assert [(m.severity, m.line, m.column) for m in reply.messages] == [("warning", 2, 2)]
    assert outcome({"code": 1}, line("error", 4)).messages[0].line == 1
    assert outcome({"code": 1}).status is Status.CRASHED  # no message says why
    assert outcome({"end": "wall", "code": -9}).status is Status.TIMEOUT
    assert outcome({"end": "cpu", "code": -24}).status is Status.TIMEOUT
    assert outcome({"end": "crash", "detail": "Stack overflow."}).detail == "Stack overflow."
    assert outcome({"code": -9, "killed_for_memory": True}).status is Status.OUT_OF_MEMORY
    assert outcome({"end": "memory", "code": -9}).status is Status.OUT_OF_MEMORY
    assert outcome({"code": -11}).status is Status.CRASHED
    assert "too large" in outcome({"module_too_large": True}).detail


@pytest.mark.parametrize("wrong", [{"code": None}, {"seconds": float("nan")}, {"seconds": -1}, {"seconds": "1"}])
def test_a_malformed_result_is_no_verdict(wrong: dict[str, Any]) -> None:
    with pytest.raises(WorkerLost, match="malformed"):
        outcome(wrong)


def test_a_compiler_that_could_not_run_is_no_verdict() -> None:
    with pytest.raises(WorkerLost, match="no space left"):
        outcome({"code": 2}, b"no space left on device\n")


def test_the_file_that_is_compiled() -> None:
    file, imports = file_of(Job(CORE_HEADER, "theorem t : True := trivial\n", LIMITS))
    text = file.decode()
    assert text.startswith("prelude\nimport Core\n") and text.endswith("\ntheorem t : True := trivial\n")
    assert text.split("\n")[imports + 1] == "theorem t : True := trivial"
    assert file_of(Job("import Mathlib", "x \ud800", LIMITS))[0].endswith(b"\nx ?")
