"""What the pool of containers costs: beside a plain client on the same containers, and beside the embedded Lean.

Stage 1, in turns, medians over the rounds, each on the same proofs of the core suite (half good, a quarter wrong, a
quarter open): `pool`, its containers at work; `plain client`, which sends ready requests to the very same containers
over the very same relays and reads the JSON of the answers; `embedded`, as many jobs at a time in the embedded worker.
Both stages: `verifier, containers` and `verifier, embedded`.

Then containers are replaced after each batch, one spare standing by: the share of the time for which a place in a
container stood empty although proofs were waiting. It depends on how long a batch takes: starting a container must
take less time than that (`batch_seconds`, `start_seconds`).

    python benchmarks/containers.py [--image lean-gym-core] [--docker-host URL] [--proofs 400] [--rounds 3] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from verifier import proofs

from lean_gym.config import machine_cpus
from lean_gym.pool import Pool, PoolSettings
from lean_gym.submission import Source, Submission, prepare
from lean_gym.theorem import CORE_HEADER, split_header
from lean_gym.verdict import Outcome
from lean_gym.verifier import Verifier
from lean_gym.workers.base import Job, Reply, Status
from lean_gym.workers.core import CoreWorker
from lean_gym.workers.docker import DockerOptions, DockerWorker, Engines
from lean_gym.workers.kimina_wire import Snippet

_TURNS = 4  # turns of stage 1 in a round
_NOTICED = 0.02  # seconds; shorter gaps are turns of the event loop


@dataclass(frozen=True)
class Span:
    """One job in a container: when it began and ended."""

    worker: str
    begin: float
    end: float


def insist(reply: Reply, right: bool) -> None:
    assert reply.status is Status.DONE and right == (not reply.messages), reply


async def saturate(jobs: int, places: int, run: Callable[[int], Awaitable[None]]) -> float:
    """Seconds for all jobs, `places` at the same time."""
    numbers = iter(range(jobs))

    async def place() -> None:
        for number in numbers:
            await run(number)

    started = time.perf_counter()
    await asyncio.gather(*(place() for _ in range(places)))
    return time.perf_counter() - started


async def plain(workers: list[DockerWorker], bodies: list[bytes], right: list[bool]) -> float:
    """The same containers, without pool and worker: as many requests at a time in each as it has places."""
    relays = [worker._relay for worker in workers]
    places = [relay for worker, relay in zip(workers, relays) for _ in range(worker.capacity)]
    free: asyncio.Queue[Any] = asyncio.Queue()
    for relay in places:
        free.put_nowait(relay)

    async def send(number: int) -> None:
        relay = await free.get()
        try:
            status, answer = await relay.request("POST", "/verify", bodies[number], 60.0)
        finally:
            free.put_nowait(relay)
        response = json.loads(answer)["results"][0]["response"]
        messages = [m for m in response.get("messages", ()) if m["severity"] != "info"]
        assert status == 200 and right[number] == (not messages), answer

    return await saturate(len(bodies), len(places), send)


async def stage_one(
    options: DockerOptions, count: int, jobs: list[Job], right: list[bool], rounds: int
) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Proofs a second of pool, plain client and embedded worker; and milliseconds of this process a proof."""
    engines = Engines(options)
    workers: list[DockerWorker] = []

    def make() -> DockerWorker:
        workers.append(engines.worker(CORE_HEADER))
        return workers[-1]

    pool = Pool(make, PoolSettings(workers=count))
    embedded = CoreWorker(CORE_HEADER, capacity=count * options.capacity)
    modules = split_header(CORE_HEADER)[0]
    rates: dict[str, list[float]] = {"pool": [], "plain client": [], "embedded": []}
    busy: dict[str, list[float]] = {name: [] for name in rates}

    async def pooled(number: int) -> None:
        insist((await pool.run(lambda worker: worker.check(jobs[number]))).value, right[number])

    async def inside(number: int) -> None:
        insist(await embedded.check(jobs[number]), right[number])

    try:
        await embedded.start()
        # All containers stand before the first round, and the pool always has more jobs waiting than places.
        while len(workers) < count or pool.stats()["ready"] < count:
            await saturate(2 * count * options.capacity, 2 * count * options.capacity, pooled)
        bodies = [Snippet.of(modules, job).body(30, True) for job in jobs]
        for turn in range(_TURNS * rounds + 1):
            # Short turns, in changing order: what else this machine does then meets all of them alike.
            measured = {}
            for name in list(rates)[:: 1 if turn % 2 else -1]:
                before = time.process_time()
                if name == "plain client":
                    measured[name] = await plain(workers, bodies, right)
                elif name == "pool":
                    measured[name] = await saturate(len(jobs), 4 * count * options.capacity, pooled)
                else:
                    measured[name] = await saturate(len(jobs), count * options.capacity, inside)
                busy[name].append(1000 * (time.process_time() - before) / len(jobs))
            if turn:  # the first turn warms all of them
                for name, seconds in measured.items():
                    rates[name].append(len(jobs) / seconds)
    finally:
        await asyncio.gather(pool.aclose(), embedded.aclose())
        await engines.aclose()
    return rates, {name: round(statistics.median(values), 3) for name, values in busy.items()}


async def replacing(options: DockerOptions, jobs: list[Job], batch: int, batches: int) -> dict[str, float]:
    """One container at a time and one spare, replaced after each batch."""
    engines = Engines(options)
    starts: list[float] = []

    class Timed(DockerWorker):
        async def start(self) -> None:
            begin = time.perf_counter()
            await super().start()
            starts.append(time.perf_counter() - begin)

    pool = Pool(lambda: Timed(CORE_HEADER, options, engines.next()), PoolSettings(spares=1, max_jobs=batch))
    spans: list[Span] = []

    async def one(worker: DockerWorker, job: Job) -> None:
        begin = time.perf_counter()
        await worker.check(job)
        spans.append(Span(worker.id, begin, time.perf_counter()))

    try:
        while pool.stats()["ready"] < 2:
            await pool.ready()
            await asyncio.sleep(0.05)
        await saturate(
            batch * batches,
            4 * options.capacity,
            lambda number: pool.run(lambda worker: one(worker, jobs[number % len(jobs)])),  # type: ignore[arg-type, return-value]
        )
    finally:
        await pool.aclose()
        await engines.aclose()
    assert len({span.worker for span in spans}) == batches
    begins: dict[str, float] = {}
    for span in spans:
        begins[span.worker] = min(span.begin, begins.get(span.worker, span.begin))
    whole = max(span.end for span in spans) - min(span.begin for span in spans)
    return {
        "batch": batch,
        "batch_seconds": round(whole / batches, 2),
        "start_seconds": round(statistics.median(starts), 2),
        "waiting_share": round(waiting(spans, options.capacity) / (whole * options.capacity), 4),
    }


def waiting(spans: list[Span], places: int) -> float:
    """Seconds for which places stood empty before the last job began, summed over the places."""
    last = max(span.begin for span in spans)
    events = sorted([(span.begin, 1) for span in spans] + [(span.end, -1) for span in spans])
    running, since, empty = 0, events[0][0], 0.0
    for when, change in events:
        if when > last:
            break
        if when - since > _NOTICED and running < places:
            empty += (places - running) * (when - since)
        running, since = running + change, when
    return empty


def both_stages(submissions: list[Submission], right: list[bool], **settings: Any) -> float:
    """Proofs a second of a verifier that is warm."""
    with Verifier(cache=False, **settings) as verifier:
        verifier.verify(submissions[:8])
        started = time.perf_counter()
        verdicts = verifier.verify(submissions)
        seconds = time.perf_counter() - started
    wrong = [v for v, ok in zip(verdicts, right) if v.proved != ok or v.outcome is Outcome.INFRA]
    assert not wrong, wrong[0]
    return len(submissions) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--image", default="lean-gym-core")
    parser.add_argument("--docker-host", default="", help="the engine; default: DOCKER_HOST or the usual socket")
    parser.add_argument("--containers", type=int, default=1)
    parser.add_argument("--cpus", type=float, default=float(machine_cpus()))
    parser.add_argument("--proofs", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--batch", type=int, default=800, help="proofs to a container where they are replaced")
    parser.add_argument("--batches", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    hosts = (arguments.docker_host,) if arguments.docker_host else ()
    options = DockerOptions(image=arguments.image, docker_hosts=hosts, cpus=arguments.cpus, memory_mb=4096)
    submissions, right = proofs(arguments.proofs)
    sources = [source for s in submissions if isinstance(source := prepare(s), Source)]
    few = len(sources) // _TURNS
    jobs = [Job(source.header, source.text, module=False) for source in sources]
    rates, busy = asyncio.run(stage_one(options, arguments.containers, jobs[:few], right[:few], arguments.rounds))
    docker = {
        "worker": "docker",
        "image": arguments.image,
        "docker_hosts": list(hosts),
        "workers": arguments.containers,
        "cpus": arguments.cpus,
        "container_memory_mb": 4096,
        "batch_size": 100_000,
    }
    rates |= {"verifier, containers": [], "verifier, embedded": []}
    for _ in range(arguments.rounds):
        rates["verifier, containers"].append(both_stages(submissions, right, **docker))
        rates["verifier, embedded"].append(both_stages(submissions, right))
    rate = {name: statistics.median(values) for name, values in rates.items()}
    overhead = [client / pool - 1 for client, pool in zip(rates["plain client"], rates["pool"])]
    report = {
        "image": arguments.image,
        "containers": arguments.containers,
        "places": arguments.containers * options.capacity,
        "proofs": arguments.proofs,
        "per_second": {name: round(value, 1) for name, value in rate.items()},
        "pool_overhead": round(statistics.median(overhead), 3),
        "client_cpu_ms": busy,
        "embedded_over_pool": round(rate["embedded"] / rate["pool"], 2),
        "replacing": asyncio.run(replacing(options, jobs, arguments.batch, arguments.batches)),
    }
    if arguments.json:
        print(json.dumps(report))
        return
    for name, value in rate.items():
        print(f"{name:22} {value:7.1f} proofs/s")
    print(f"the pool's time over the plain client's: {100 * statistics.median(overhead):+.1f} %")
    print("processor time of this program a proof: " + ", ".join(f"{name} {ms} ms" for name, ms in busy.items()))
    print("replacing containers: " + ", ".join(f"{key} {value}" for key, value in report["replacing"].items()))


if __name__ == "__main__":
    main()
