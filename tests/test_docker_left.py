"""Nothing is left of containers, whatever ends the program; and from inside of one nothing is reached."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from docker_engine import CORE_IMAGE, HOST, KIMINA_IMAGE, start_engine, stop_engine
from docker_engine import engine as engine
from docker_helpers import GOOD, job, options, run
from test_hostile import read_file

from lean_gym.pool import Pool, PoolError, PoolSettings
from lean_gym.theorem import CORE_HEADER
from lean_gym.workers.base import WorkerLost
from lean_gym.workers.container import Container, new_name
from lean_gym.workers.docker import Engines
from lean_gym.workers.engine import ContainerSpec
from lean_gym.workers.hijack import STDOUT
from lean_gym.workers.owner import EXPIRES, OWNER, Owner

pytestmark = pytest.mark.docker

PROGRAM = Path(__file__).with_name("docker_program.py")


def left_by(engine: Any, pid: int, running: bool = False) -> list[str]:
    """Names of the containers of a program, whose process may be gone; those that never ran too unless `running`."""
    found = engine.api.containers(all=not running, filters={"label": OWNER})
    owners = [(item["Names"][0], Owner.parse(item["Labels"][OWNER])) for item in found]
    return [name for name, owner in owners if owner is not None and owner.pid == pid]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def eventually(holds: Callable[[], bool], seconds: float, what: str) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"{what} not within {seconds:g} s"
        time.sleep(0.1)


class Program:
    """`docker_program.py` with its containers standing."""

    def __init__(self, end: str) -> None:
        root = str(PROGRAM.parent.parent)
        self.process = subprocess.Popen(
            [sys.executable, str(PROGRAM), HOST, CORE_IMAGE, end],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": root},
            # Whoever runs the tests in the background may have made them deaf to it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        assert self.process.stdout is not None
        words = self.process.stdout.readline().split()
        if not words:
            raise AssertionError(self.process.communicate()[1].decode())
        self.pid, self.guard = int(words[0]), int(words[1])

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *error: Any) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.mark.parametrize("end", ["end", "exception", "ctrl-c", "kill", "kill with guard"])
def test_nothing_is_left_of_a_program(engine: Any, end: str) -> None:
    with Program({"end": "end", "exception": "exception"}.get(end, "wait")) as program:
        if end not in ("end", "exception"):
            assert len(left_by(engine, program.pid)) >= 3
        if end == "ctrl-c":
            program.process.send_signal(signal.SIGINT)
        elif end.startswith("kill"):
            if end == "kill with guard":
                os.kill(program.guard, signal.SIGKILL)
            program.process.kill()
        program.process.wait(30)
        expected = {"end": 0, "exception": 1, "ctrl-c": -signal.SIGINT}.get(end, -signal.SIGKILL)
        assert program.process.returncode == expected
        if end == "kill with guard":
            # They end by themselves, because the program's end of their streams is closed. One that was being made
            # and never ran is removed by the next program's start.
            eventually(lambda: not left_by(engine, program.pid, running=True), 30, "the containers end")

            async def connect(engines: Engines) -> None:
                await engines.engines[0].connect()

            run(connect)
        eventually(lambda: not left_by(engine, program.pid), 30, "the containers are gone")
        eventually(lambda: not alive(program.guard), 30, "the guard is gone")


def test_what_may_be_reaped_and_what_not(engine: Any) -> None:
    mine = Owner.current()
    later = str(int(time.time()) + 1000)
    cases = {
        "ended": ({OWNER: str(Owner(mine.boot, mine.namespace, 1 << 22, "1")), EXPIRES: later}, True),
        "expired": ({OWNER: "elsewhere:1:1:1", EXPIRES: "1000"}, True),
        "elsewhere": ({OWNER: "elsewhere:1:1:1", EXPIRES: later}, False),
        "foreign": ({}, False),
    }
    made = {
        name: engine.api.create_container(CORE_IMAGE, ["true"], labels=labels)["Id"]
        for name, (labels, _) in cases.items()
    }
    try:

        async def work() -> None:
            engines = Engines(options(), guard=False)
            held = Container(engines.engines[0], ContainerSpec(CORE_IMAGE, new_name("test"), ("sleep",), ("60",)))
            try:
                await held.start()
                await engines.reap()
                assert any(item.name == held.name for _, item in await engines.list_containers())
            finally:
                await held.aclose()
                await engines.aclose()

        asyncio.run(work())
        there = {item["Id"] for item in engine.api.containers(all=True)}
        assert {name: made[name] not in there for name in made} == {name: gone for name, (_, gone) in cases.items()}
    finally:
        for name in ("elsewhere", "foreign"):
            engine.api.remove_container(made[name], force=True)


@pytest.mark.slow
@pytest.mark.skipif("LEAN_GYM_TEST_DOCKERD_PID" not in os.environ, reason="this engine is not the tests' own")
def test_an_engine_that_is_stopped_and_started(engine: Any) -> None:
    async def work(engines: Engines) -> None:
        pool = Pool(lambda: engines.worker(CORE_HEADER), PoolSettings(workers=1, spares=1), "workers")
        try:
            await pool.run(lambda worker: worker.check(job(GOOD)))
            stopping = asyncio.create_task(asyncio.to_thread(stop_engine))
            answers = asyncio.gather(
                *(pool.run(lambda worker: worker.check(job(GOOD)), retries=5) for _ in range(8)), return_exceptions=True
            )
            await stopping
            await asyncio.to_thread(start_engine)
            for answer in await answers:
                # Never a wrong verdict: the right one, or a failure of ours.
                assert isinstance(answer, (PoolError, WorkerLost)) or not answer.value.messages, answer
            assert not (await pool.run(lambda worker: worker.check(job(GOOD)), retries=5)).value.messages
        finally:
            await pool.aclose()

    run(work)


# -- a proof reaches nothing ------------------------------------------------------------------------------------------

PROBE = """
import json, os, pathlib, socket, subprocess
found = {}
def tried(name, action):
    try:
        found[name] = str(action())[:200]
    except Exception as error:
        found[name] = f"refused: {type(error).__name__}"
for address in ADDRESSES:
    tried(f"connect {address[0]}", lambda: socket.create_connection(tuple(address), timeout=2))
tried("name", lambda: socket.getaddrinfo("example.org", 80))
tried("interfaces", lambda: sorted(path.name for path in pathlib.Path("/sys/class/net").iterdir()))
tried("host file", lambda: pathlib.Path(SECRET).read_text())
tried("write root", lambda: pathlib.Path("/written").write_text("x"))
tried("write usr", lambda: pathlib.Path("/usr/written").write_text("x"))
tried("mount", lambda: subprocess.run(["mount", "-t", "tmpfs", "none", "/mnt"], check=True, capture_output=True))
tried("device", lambda: os.mknod("/tmp/disk", 0o60600, os.makedev(8, 0)))
tried("docker", lambda: [path for path in ("/var/run/docker.sock", "/run/docker.sock") if os.path.exists(path)])
commands = [path.read_bytes() for path in pathlib.Path("/proc").glob("[0-9]*/cmdline")]
tried("processes", lambda: [command for command in commands if OTHER[::-1].encode() in command])
environments = b""
for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
    try:
        environments += path.read_bytes()
    except OSError:
        pass
found["key"] = str(KEY[::-1].encode() in environments)
status = pathlib.Path("/proc/self/status").read_text()
found["capabilities"] = status.split("CapEff:")[1].split()[0]
found["new privileges"] = status.split("NoNewPrivs:")[1].split()[0]
children = []
try:
    while len(children) < 400:
        children.append(subprocess.Popen(["sleep", "30"]))
except OSError:
    pass
found["children"] = len(children)
for child in children:
    child.kill()
print(json.dumps(found))
"""


@pytest.mark.parametrize("image", [KIMINA_IMAGE, CORE_IMAGE], ids=["kimina", "core"])
def test_a_proof_reaches_nothing(engine: Any, image: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-the-key-of-the-user"
    for name in ("LEAN_SERVER_API_KEY", "HF_TOKEN", "HTTPS_PROXY"):
        monkeypatch.setenv(name, key)
    secret = tmp_path / "secret"
    secret.write_text("secret")
    other = "9876.54321"  # what another container runs
    addresses = [["1.1.1.1", 53], ["127.0.0.1", 1], ["172.17.0.1", 22], ["169.254.169.254", 80]]
    values = {"ADDRESSES": addresses, "SECRET": str(secret), "KEY": key[::-1], "OTHER": other[::-1]}
    # Backwards: the probe must not find its own command line.
    source = "".join(f"{name} = {value!r}\n" for name, value in values.items()) + PROBE

    async def work(engines: Engines) -> None:
        worker = engines.worker(CORE_HEADER)
        neighbour = Container(engines.engines[0], ContainerSpec(image, new_name("test"), ("sleep",), (other,)))
        try:
            await asyncio.gather(worker.start(), neighbour.start())
            # As the server's own user, which is what a proof runs as.
            assert worker._container is not None
            # A proof that reads the file itself, while it is elaborated; and it can't see the other container's either.
            (message,) = (await worker.check(job(read_file(secret)))).messages
            assert message.text == "refused"
            stream = await worker._container.execute(("python3", "-c", source))
            said = b""
            while True:
                number, data = await asyncio.wait_for(stream.read(), 60)
                if not data:
                    break
                assert number == STDOUT, data
                said += data
            await stream.aclose()
        finally:
            await asyncio.gather(worker.aclose(), neighbour.aclose())
        found = json.loads(said)
        assert all(found[f"connect {address}"].startswith("refused") for address, _ in addresses), found
        refused = ("name", "host file", "write root", "write usr", "mount", "device")
        assert all(found[name].startswith("refused") for name in refused), found
        assert (found["interfaces"], found["docker"], found["processes"]) == ("['lo']", "[]", "[]")
        assert found["key"] == "False" and int(found["capabilities"], 16) == 0 and found["new privileges"] == "1"
        assert found["children"] < 256

    run(work, options(image))
