"""Ways to an engine: ssh, TLS; several engines."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from docker_engine import CORE_IMAGE, HOST, KIMINA_IMAGE
from docker_engine import engine as engine
from docker_helpers import BAD, GOOD, job, options, run

from lean_gym.theorem import CORE_HEADER
from lean_gym.workers.base import WorkerLost
from lean_gym.workers.compiler import DockerCompiler
from lean_gym.workers.docker import Engines

pytestmark = pytest.mark.docker


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
