"""Disposable containers on a real engine: they judge, they are killed, they hang, and nothing is left of them."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import textwrap
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from docker_engine import CORE_IMAGE, HOST, KIMINA_IMAGE, start_engine, stop_engine
from docker_engine import engine as engine
from test_hostile import LIST_BOMB, SPIN, spawn, write_file

from lean_gym.core.kernel import KernelAuditor
from lean_gym.pool import Pool, PoolError, PoolSettings
from lean_gym.theorem import CORE_HEADER
from lean_gym.workers.base import Job, Limits, Status, WorkerLost
from lean_gym.workers.compiler import DockerCompiler
from lean_gym.workers.container import Container, new_name
from lean_gym.workers.core import CoreWorker
from lean_gym.workers.docker import DockerOptions, DockerWorker, Engines
from lean_gym.workers.engine import ContainerSpec
from lean_gym.workers.hijack import STDOUT
from lean_gym.workers.owner import EXPIRES, OWNER, Owner
from lean_gym.workers.reaper import Guard

pytestmark = pytest.mark.docker

GOOD = "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n"
BAD = "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  exact ⟨h.1, h.2⟩\n"
LIMITS = Limits(wall=20, cpu=20)
PROGRAM = Path(__file__).with_name("docker_program.py")


def options(image: str = CORE_IMAGE, **more: Any) -> DockerOptions:
    return DockerOptions(**{"image": image, "docker_hosts": (HOST,), "cpus": 2, "memory_mb": 4096, **more})


def job(text: str, limits: Limits = LIMITS) -> Job:
    return Job(CORE_HEADER, text, limits)


def run(work: Callable[[Engines], Awaitable[None]], chosen: DockerOptions | None = None) -> None:
    """Run a test in a loop with engines, and see that it leaves no container and no guard."""

    async def main() -> None:
        engines = Engines(chosen or options())
        try:
            await work(engines)
            mine = str(Owner.current())
            assert not [item.name for _, item in await engines.list_containers() if item.owner == mine]
        finally:
            await engines.aclose()
        assert not Guard.pid()

    asyncio.run(main())


def handle(engine: Any, worker: DockerWorker | DockerCompiler) -> Any:
    return engine.containers.get(worker.id)


# -- what it is for -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("image", [KIMINA_IMAGE, CORE_IMAGE], ids=["kimina", "core"])
@pytest.mark.parametrize("socket", [False, True], ids=["relay", "socket"])
def test_a_container_judges(engine: Any, image: str, socket: bool) -> None:
    command = ("python", "-m", "lean_gym.serve", "--uds", "{socket}")
    chosen = options(image, socket=socket, **({"socket_command": command, "user": "0"} if image == CORE_IMAGE else {}))

    async def work(engines: Engines) -> None:
        worker = engines.worker(CORE_HEADER)
        try:
            await worker.start()
            good, bad = await asyncio.gather(worker.check(job(GOOD)), worker.check(job(BAD)))
            assert good.status is bad.status is Status.DONE
            assert not good.messages and good.olean is None
            assert [(m.severity, m.line) for m in bad.messages] == [("error", 2)]
            assert worker.lean == "4.35.0" and worker.capacity == 2
            assert worker.image == engine.images.get(image).id == (await engines.image()).digest
            ((url, item),) = [found for found in await engines.list_containers() if found[1].name == worker.id]
            assert url.endswith(HOST.removeprefix("unix://")) and item.state == "running" and not item.leftover
        finally:
            await worker.aclose()
            await worker.aclose()
        with pytest.raises(WorkerLost, match="does not run"):
            await worker.check(job(GOOD))

    run(work, chosen)


@pytest.mark.parametrize("image", [KIMINA_IMAGE, CORE_IMAGE], ids=["kimina", "core"])
def test_a_compiled_proof_passes_the_audit_on_the_host(engine: Any, image: str) -> None:
    async def work(engines: Engines) -> None:
        host = CoreWorker(CORE_HEADER, capacity=1)
        auditor = KernelAuditor(CORE_HEADER)
        compiler = DockerCompiler(CORE_HEADER, options(image), engines.next())

        async def passes(module: bytes) -> bool:
            result = await auditor.audit(statement.olean, module, "t")
            return result.ok

        try:
            await asyncio.gather(host.start(), auditor.start(), compiler.start())
            (statement,) = await host.compile([job(GOOD.replace("⟨h.2, h.1⟩", "sorry"))])
            assert statement.olean is not None
            for number in range(3):
                assert compiler.served == 3 * number
                reply = await compiler.check(job(GOOD))
                assert reply.status is Status.DONE and reply.olean is not None and not reply.messages
                assert await passes(reply.olean)
                reply = await compiler.check(job(BAD))
                assert reply.olean is None and [(m.severity, m.line) for m in reply.messages] == [("error", 2)]
                reply = await compiler.check(job(GOOD.replace("⟨h.2, h.1⟩", "sorry")))
                assert reply.olean is not None and not await passes(reply.olean)
            given_up = asyncio.create_task(compiler.check(job(GOOD)))
            await asyncio.sleep(0.01)
            given_up.cancel()
            with pytest.raises(asyncio.CancelledError):
                await given_up
            with pytest.raises(WorkerLost, match="given up"):
                await compiler.check(job(GOOD))
        finally:
            await asyncio.gather(*(closing.aclose() for closing in (host, auditor, compiler)))

    run(work, options(image))


def test_an_image_without_a_compiler_or_a_server_is_explained(engine: Any) -> None:
    async def work(engines: Engines) -> None:
        chosen = options(env={"PATH": "/usr/bin:/bin"})
        # The core image with its tools hidden by another PATH still has the server's command, which is then not found.
        worker = DockerWorker(CORE_HEADER, chosen, engines.next())
        with pytest.raises(WorkerLost, match=r"did not start to work|did not start a container"):
            await worker.start()
        await worker.aclose()
        broken = DockerWorker(CORE_HEADER, options(KIMINA_IMAGE, env={"LEAN_SERVER_MAX_REPLS": "many"}), engines.next())
        started = time.monotonic()
        with pytest.raises(WorkerLost, match=r"(?s)ended.*It printed:.*MAX_REPLS|max_repls"):
            await broken.start()
        assert time.monotonic() - started < 30, "its death was not noticed"
        await broken.aclose()
        missing = DockerWorker(CORE_HEADER, options("no-such-image:1"), engines.next())
        with pytest.raises(WorkerLost, match=r"no-such-image.*lean-gym doctor --pull"):
            await missing.start()
        await missing.aclose()

    run(work)


# -- limits and faults ----------------------------------------------------------------------------------------------


def test_compilations_that_take_too_much(engine: Any) -> None:
    async def reply(engines: Engines, text: str, limits: Limits) -> Any:
        compiler = DockerCompiler(CORE_HEADER, options(), engines.next())
        try:
            await compiler.start()
            return await compiler.check(job(text, limits))
        finally:
            await compiler.aclose()

    async def work(engines: Engines) -> None:
        endless, busy, hungry = await asyncio.gather(
            reply(engines, SPIN, Limits(wall=2, cpu=60)),
            reply(engines, SPIN, Limits(wall=60, cpu=2)),
            reply(engines, LIST_BOMB, Limits(wall=60, cpu=60, memory=300 << 20)),
        )
        assert endless.status is Status.TIMEOUT and "2 s" in endless.detail
        assert busy.status is Status.TIMEOUT and "CPU" in busy.detail
        assert hungry.status is Status.OUT_OF_MEMORY

    run(work)


@pytest.mark.parametrize("image", [KIMINA_IMAGE, CORE_IMAGE], ids=["kimina", "core"])
def test_what_a_compiled_text_leaves_behind_meets_no_other(engine: Any, image: str) -> None:
    async def work(engines: Engines) -> None:
        compiler = DockerCompiler(CORE_HEADER, options(image), engines.next())
        try:
            await compiler.start()
            before = handle(engine, compiler).top()["Processes"]
            for text in (spawn("sleep", "100"), write_file(Path("/tmp/left"))):
                (message,) = (await compiler.check(job(text))).messages
                assert message.text in ("worked", "refused")
                assert len(handle(engine, compiler).top()["Processes"]) == len(before)
                assert handle(engine, compiler).exec_run(["ls", "-A", "/tmp"]).output == b""
                assert (await compiler.check(job(GOOD))).olean
        finally:
            await compiler.aclose()

    run(work, options(image))


def test_a_killed_container_is_replaced_and_no_job_is_lost(engine: Any) -> None:
    async def work(engines: Engines) -> None:
        pool = Pool(lambda: engines.worker(CORE_HEADER), PoolSettings(workers=1, spares=1), "workers")
        try:
            await pool.run(lambda worker: worker.check(job(GOOD)))

            async def judge(number: int) -> bool:
                text = GOOD if number % 2 else BAD
                lease = await pool.run(lambda worker: worker.check(job(text)), retries=5)
                return not lease.value.messages

            async def client() -> int:
                count = 0
                while len(killed) < 2 or not count:
                    assert await judge(count) == bool(count % 2)
                    count += 1
                return count

            killed: set[str] = set()
            clients = [asyncio.create_task(client()) for _ in range(4)]
            while len(killed) < 2:
                await asyncio.sleep(0.3)
                worker = await pool.ready()
                if worker.id not in killed:
                    await asyncio.to_thread(handle(engine, worker).kill)
                    killed.add(worker.id)
            assert sum(await asyncio.gather(*clients)) > 20
            assert pool.stats()["lost"] >= 1
        finally:
            await pool.aclose()

    run(work)


def test_a_hung_container_is_lost_by_the_deadline(engine: Any) -> None:
    chosen = options(grace=2.0)

    async def work(engines: Engines) -> None:
        worker = engines.worker(CORE_HEADER)
        compiler = DockerCompiler(CORE_HEADER, chosen, engines.next())
        try:
            await asyncio.gather(worker.start(), compiler.start())
            for each in (worker, compiler):
                handle(engine, each).pause()
                started = time.monotonic()
                with pytest.raises(WorkerLost, match="no answer within"):
                    await each.check(job(GOOD, Limits(wall=1)))
                assert time.monotonic() - started < 6
        finally:
            started = time.monotonic()
            await asyncio.gather(worker.aclose(), compiler.aclose())
            assert time.monotonic() - started < 10, "a paused container was not removed at once"

    run(work, chosen)


def test_a_container_out_of_memory_harms_nobody_else(engine: Any) -> None:
    chosen = options(KIMINA_IMAGE, memory_mb=700, cpus=1)

    async def work(engines: Engines) -> None:
        pool = Pool(lambda: engines.worker(CORE_HEADER), PoolSettings(), "workers")
        try:
            try:
                lease = await pool.run(lambda worker: worker.check(job(LIST_BOMB)))
                failed = lease.value.status in (Status.CRASHED, Status.OUT_OF_MEMORY, Status.TIMEOUT)
                assert failed or any(m.severity == "error" for m in lease.value.messages)
            except (WorkerLost, PoolError):
                pass  # the container went with it, each time
            after = await pool.run(lambda worker: worker.check(job(GOOD)))
            assert after.value.status is Status.DONE and not after.value.messages
        finally:
            await pool.aclose()

    run(work, chosen)


def test_a_full_disk_in_the_container(engine: Any) -> None:
    chosen = options(tmpfs_mb=16)

    async def work(engines: Engines) -> None:
        worker = engines.worker(CORE_HEADER)
        compiler = DockerCompiler(CORE_HEADER, chosen, engines.next())
        try:
            await asyncio.gather(worker.start(), compiler.start())
            for each in (worker, compiler):
                _, said = handle(engine, each).exec_run(
                    ["sh", "-c", "head -c 100M /dev/zero > /tmp/full; stat -c %s /tmp/full"]
                )
                assert int(said.split()[-1]) <= 16 << 20, said
            for text, fine in ((GOOD, True), (BAD, False)):
                try:
                    reply = await worker.check(job(text))
                except WorkerLost:
                    break
                assert (not reply.messages) is fine
            with pytest.raises(WorkerLost, match=r"could not run|ended"):
                await compiler.check(job(GOOD))
        finally:
            await asyncio.gather(worker.aclose(), compiler.aclose())

    run(work, chosen)


def test_a_start_given_up_leaves_nothing(engine: Any) -> None:
    async def work(engines: Engines) -> None:
        for delay in (0.0, 0.002, 0.01, 0.03, 0.1, 0.3):
            worker = engines.worker(CORE_HEADER)
            starting = asyncio.create_task(worker.start())
            await asyncio.sleep(delay)
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            await worker.aclose()

    run(work)


# -- nothing is left ------------------------------------------------------------------------------------------------


def left_by(engine: Any, pid: int) -> list[str]:
    """Names of the containers of a program, whose process may be gone."""
    found = engine.api.containers(all=True, filters={"label": OWNER})
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
            # Those with a relay end by themselves; an idle compiler is removed at the next program's start.
            eventually(
                lambda: not [n for n in left_by(engine, program.pid) if "worker" in n], 30, "the workers are gone"
            )
            run(_connects)
            assert not left_by(engine, program.pid)
        else:
            eventually(lambda: not left_by(engine, program.pid), 30, "the containers are gone")
        eventually(lambda: not alive(program.guard), 30, "the guard is gone")


async def _connects(engines: Engines) -> None:
    for each in engines.engines:
        await each.connect()


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


# -- a proof reaches nothing ----------------------------------------------------------------------------------------

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


# -- ways to an engine ----------------------------------------------------------------------------------------------


def test_an_engine_behind_ssh(engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for ssh joins its stdin and stdout to the engine's socket, as `docker system dial-stdio` does."""
    pytest.importorskip("paramiko", reason="the docker package wants it for ssh, though it is ssh that is run")
    ssh = tmp_path / "ssh"
    ssh.write_text(
        f"#!{sys.executable}\n"
        + textwrap.dedent(
            f"""
            import os, socket, sys, threading
            open({str(tmp_path / "asked")!r}, "a").write(" ".join(sys.argv[1:]) + "\\n")
            link = socket.socket(socket.AF_UNIX)
            link.connect({HOST.removeprefix("unix://")!r})
            def out():
                while data := link.recv(65536):
                    os.write(1, data)
                os._exit(0)
            threading.Thread(target=out, daemon=True).start()
            while data := os.read(0, 65536):
                link.sendall(data)
            link.shutdown(socket.SHUT_WR)
            """
        )
    )
    ssh.chmod(ssh.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    chosen = options(docker_hosts=("ssh://someone@example.org:2222",))

    async def work(engines: Engines) -> None:
        await _judges(engines)

    run(work, chosen)
    asked = (tmp_path / "asked").read_text().splitlines()
    assert all("someone" in line and "2222" in line and line.endswith("docker system dial-stdio") for line in asked)


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificates")
def test_an_engine_behind_tls(engine: Any, tmp_path: Path) -> None:
    """A proxy of ours speaks TLS with certificates on both sides, as an engine behind tcp does."""
    import ssl

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=tmp_path, check=True, capture_output=True)

    key = "req -newkey rsa:2048 -nodes"
    openssl(*f"{key} -x509 -keyout ca-key.pem -out ca.pem -subj /CN=ca -days 2".split())
    (tmp_path / "san").write_text("subjectAltName=IP:127.0.0.1\n")
    for name in ("server", ""):
        prefix = f"{name}-" if name else ""
        openssl(*f"{key} -keyout {prefix}key.pem -out {prefix}req.pem -subj /CN=x".split())
        openssl(
            *f"x509 -req -in {prefix}req.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 2".split(),
            *f"-out {prefix}cert.pem -extfile san".split(),
        )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(tmp_path / "ca.pem"))
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_cert_chain(tmp_path / "server-cert.pem", tmp_path / "server-key.pem")

    async def join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        theirs, ours = await asyncio.open_unix_connection(HOST.removeprefix("unix://"))

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            try:
                while data := await source.read(1 << 16):
                    sink.write(data)
                    await sink.drain()
            except OSError:
                pass
            finally:
                sink.close()

        await asyncio.gather(pump(reader, ours), pump(theirs, writer))

    async def main() -> None:
        async with await asyncio.start_server(join, "127.0.0.1", 0, ssl=context) as proxy:
            port = proxy.sockets[0].getsockname()[1]
            engines = Engines(options(docker_hosts=(f"tcp://127.0.0.1:{port}",), tls_path=str(tmp_path)))
            try:
                await _judges(engines)
            finally:
                await engines.aclose()

    asyncio.run(main())


async def _judges(engines: Engines) -> None:
    worker = engines.worker(CORE_HEADER)
    compiler = DockerCompiler(CORE_HEADER, options(), engines.next())
    try:
        await asyncio.gather(worker.start(), compiler.start())
        assert not (await worker.check(job(GOOD))).messages
        assert (await worker.check(job(BAD))).messages
        assert (await compiler.check(job(GOOD))).olean
    finally:
        await asyncio.gather(worker.aclose(), compiler.aclose())


def test_an_image_that_differs_between_engines_is_refused(engine: Any) -> None:
    async def main() -> None:
        engines = Engines(options(docker_hosts=(HOST, HOST)), guard=False)
        try:
            assert (await engines.image()).id == engine.images.get(CORE_IMAGE).id
            other = await engines.engines[1].image(KIMINA_IMAGE)
            engines.engines[1]._images[CORE_IMAGE] = other
            with pytest.raises(WorkerLost, match="the same image on every engine"):
                await engines.image()
        finally:
            await engines.aclose()

    asyncio.run(main())
