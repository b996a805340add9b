"""Disposable containers on a real engine: they judge and compile, they are killed, they hang, they fill up."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from docker_engine import CORE_IMAGE, HOST, KIMINA_IMAGE
from docker_engine import engine as engine
from docker_helpers import BAD, GOOD, handle, job, options, run
from docker_helpers import compiling_image as compiling_image
from docker_helpers import lean_image as lean_image
from test_hostile import LIST_BOMB, SPIN, spawn, write_file

from lean_gym.core.kernel import KernelAuditor
from lean_gym.pool import Pool, PoolError, PoolSettings
from lean_gym.theorem import CORE_HEADER
from lean_gym.workers.base import Limits, Status, WorkerLost
from lean_gym.workers.compiler import DockerCompiler
from lean_gym.workers.core import CoreWorker
from lean_gym.workers.docker import DockerWorker, Engines

pytestmark = pytest.mark.docker


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


def test_a_compiled_proof_passes_the_audit_on_the_host(engine: Any, compiling_image: str) -> None:
    async def work(engines: Engines) -> None:
        host = CoreWorker(CORE_HEADER, capacity=1)
        auditor = KernelAuditor(CORE_HEADER)
        compiler = DockerCompiler(CORE_HEADER, options(compiling_image), engines.next())

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
            given_up = asyncio.create_task(compiler.check(job(SPIN)))
            await asyncio.sleep(0.1)
            given_up.cancel()
            with pytest.raises(asyncio.CancelledError):
                await given_up
            with pytest.raises(WorkerLost, match="given up"):
                await compiler.check(job(GOOD))
        finally:
            await asyncio.gather(*(closing.aclose() for closing in (host, auditor, compiler)))

    run(work, options(compiling_image))


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


def test_compilations_that_take_too_much(engine: Any, compiling_image: str) -> None:
    async def reply(engines: Engines, text: str, limits: Limits) -> Any:
        compiler = DockerCompiler(CORE_HEADER, options(compiling_image), engines.next())
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

    run(work, options(compiling_image))


def test_what_a_compiled_text_leaves_behind_meets_no_other(engine: Any, compiling_image: str) -> None:
    async def work(engines: Engines) -> None:
        compiler = DockerCompiler(CORE_HEADER, options(compiling_image), engines.next())
        try:
            await compiler.start()
            before = handle(engine, compiler).top()["Processes"]
            for text in (spawn("sleep", "100"), write_file(Path("/tmp/left"))):
                (message,) = (await compiler.check(job(text))).messages
                assert message.text in ("worked", "refused")
                if "lean:" in compiling_image:
                    assert message.text == "worked"  # nothing confines it there but the container
                assert len(handle(engine, compiler).top()["Processes"]) == len(before)
                assert handle(engine, compiler).exec_run(["ls", "-A", "/tmp"]).output == b""
                assert (await compiler.check(job(GOOD))).olean
        finally:
            await compiler.aclose()

    run(work, options(compiling_image))


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
            assert sum(await asyncio.gather(*clients)) >= 4
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


def test_a_full_disk_in_the_container(engine: Any, compiling_image: str) -> None:
    chosen = options(compiling_image, tmpfs_mb=16)

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
            try:
                reply = await compiler.check(job(GOOD))
            except WorkerLost as error:
                assert "could not run" in str(error) or "ended" in str(error)
            else:
                # One that served keeps what it needs in memory.
                assert reply.olean is not None
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
