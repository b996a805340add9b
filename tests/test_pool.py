"""The pool, with workers that fail as told: faults are injected here, Lean is in test_verifier.py."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from lean_gym.pool import Pool, PoolError, PoolSettings
from lean_gym.workers.base import WorkerLost, WorkerUnavailable


class FakeWorker:
    """A worker whose faults a test decides."""

    made: list[FakeWorker]

    def __init__(self, made: list[FakeWorker], capacity: int = 1, start: Callable[[], None] = lambda: None) -> None:
        self.id = f"fake-{len(made)}"
        self.capacity = capacity
        self._start = start
        self.running = 0
        self.most = 0
        self.started = self.closed = False
        made.append(self)

    async def start(self) -> None:
        await asyncio.sleep(0)
        self._start()
        self.started = True

    async def aclose(self) -> None:
        self.closed = True

    async def work(self, value: Any, seconds: float = 0.0) -> Any:
        assert self.started
        if self.closed:
            raise WorkerLost("closed before the call")
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await asyncio.sleep(seconds)
            if self.closed:
                raise WorkerLost("closed under the call")
            return value
        finally:
            self.running -= 1


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, 30))


def test_calls_share_the_capacity_and_no_more() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []
        pool = Pool(lambda: FakeWorker(made, capacity=3), PoolSettings(workers=2))
        leases = await asyncio.gather(*(pool.run(lambda w, i=i: w.work(i, 0.001)) for i in range(100)))
        assert [lease.value for lease in leases] == list(range(100))
        assert [worker.most for worker in made] == [3, 3]
        assert pool.stats()["jobs"] == 100 and pool.stats()["running"] == 0
        assert repr(pool) == "<Pool pool: 2 ready; 0 waiting>"
        await pool.aclose()
        assert all(worker.closed for worker in made)
        assert repr(pool) == "<Pool pool: no workers; 0 waiting>"

    run(main())


def test_a_worker_is_replaced_after_max_jobs_and_a_spare_stands_by() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []
        pool = Pool(lambda: FakeWorker(made), PoolSettings(workers=1, spares=1, max_jobs=4))
        leases = [await pool.run(lambda w: w.work(1)) for _ in range(10)]
        served = [lease.worker.id for lease in leases]
        assert served == ["fake-0"] * 4 + ["fake-1"] * 4 + ["fake-2"] * 2
        assert len(made) >= 4, "the worker in use and the spare"
        await pool.aclose()

    run(main())


def test_a_spare_takes_no_calls() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []
        pool = Pool(lambda: FakeWorker(made), PoolSettings(workers=1, spares=1))
        await asyncio.gather(*(pool.run(lambda w: w.work(1, 0.001)) for _ in range(20)))
        assert sorted(worker.most for worker in made) == [0, 1]
        await pool.aclose()

    run(main())


def test_a_lost_worker_is_replaced_and_its_calls_run_again() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []
        pool = Pool(lambda: FakeWorker(made, capacity=4), PoolSettings(workers=1))
        first = True

        async def kill_once(worker: FakeWorker) -> str:
            nonlocal first
            if first:
                first = False
                await asyncio.sleep(0.01)
                worker.closed = True
                raise WorkerLost("injected")
            return await worker.work("ok")

        async def neighbour(worker: FakeWorker) -> str:
            return await worker.work("fine", 0.02)

        leases = await asyncio.gather(pool.run(kill_once), *(pool.run(neighbour) for _ in range(3)))
        assert [lease.value for lease in leases] == ["ok", "fine", "fine", "fine"]
        assert [lease.attempts for lease in leases] == [2, 2, 2, 2]
        assert len(made) == 2 and made[0].closed
        await pool.aclose()

    run(main())


def test_a_call_that_kills_workers_is_found_and_its_neighbours_are_not_blamed() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []
        pool = Pool(lambda: FakeWorker(made, capacity=4), PoolSettings(workers=1))

        async def poison(worker: FakeWorker) -> None:
            await asyncio.sleep(0.005)
            worker.closed = True
            raise WorkerLost("poisoned")

        async def neighbour(worker: FakeWorker) -> str:
            return await worker.work("fine", 0.002)

        results = await asyncio.gather(
            pool.run(poison), *(pool.run(neighbour) for _ in range(40)), return_exceptions=True
        )
        assert isinstance(results[0], WorkerLost)
        assert [lease.value for lease in results[1:]] == ["fine"] * 40
        await pool.aclose()

    run(main())


def test_a_call_is_not_blamed_while_workers_are_lost_around_it() -> None:
    """Containers that somebody kills, and one call that two of them happen to hold."""

    async def main() -> None:
        made: list[FakeWorker] = []
        pool = Pool(lambda: FakeWorker(made), PoolSettings(workers=2))
        bad_luck = 3

        async def unlucky(worker: FakeWorker) -> str:
            nonlocal bad_luck
            await asyncio.sleep(0.005)
            if bad_luck:
                bad_luck -= 1
                raise WorkerLost("killed by somebody")
            return "fine"

        async def other(worker: FakeWorker) -> str:
            if worker.id in ("fake-0", "fake-1"):
                raise WorkerLost("killed by somebody")
            return "fine"

        leases = await asyncio.gather(pool.run(other), pool.run(unlucky))
        assert [lease.value for lease in leases] == ["fine", "fine"] and bad_luck == 0
        await pool.aclose()

    run(main())


def test_a_call_that_never_reached_its_workers_is_not_blamed() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []
        pool = Pool(lambda: FakeWorker(made, capacity=2), PoolSettings(workers=1))

        async def gone(worker: FakeWorker) -> str:
            if len(made) < 4:
                raise WorkerUnavailable("gone before the call")
            return "fine"

        async def never(worker: FakeWorker) -> None:
            raise WorkerUnavailable("no room")

        lease = await pool.run(gone)
        assert (lease.value, lease.attempts) == ("fine", 4)
        with pytest.raises(PoolError, match="no room"):
            await pool.run(never)
        await pool.aclose()

    run(main())


def test_a_call_may_have_a_worker_to_itself() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []
        pool = Pool(lambda: FakeWorker(made, capacity=4), PoolSettings(workers=1))

        async def lonely(worker: FakeWorker) -> int:
            found = worker.running
            await worker.work(1, 0.01)
            return max(found, worker.running)

        others = [asyncio.ensure_future(pool.run(lambda w: w.work(1, 0.005))) for _ in range(20)]
        leases = await asyncio.gather(*(pool.run(lonely, alone=True) for _ in range(3)))
        assert [lease.value for lease in leases] == [0, 0, 0]
        await asyncio.gather(*others)
        await pool.aclose()

    run(main())


def test_a_pool_that_can_start_nothing_says_why() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []

        def fail() -> None:
            raise WorkerLost("no such image")

        pool = Pool(lambda: FakeWorker(made, start=fail), PoolSettings(workers=2))
        results = await asyncio.gather(*(pool.run(lambda w: w.work(1)) for _ in range(5)), return_exceptions=True)
        assert all(isinstance(r, PoolError) and "no such image" in str(r) for r in results)
        assert pool.stats()["waiting"] == 0
        assert all(worker.closed for worker in made)
        await pool.aclose()

    run(main())


def test_a_failed_start_is_tried_again() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []

        def fail_first() -> None:
            if len(made) == 1:
                raise WorkerLost("a passing fault")

        pool = Pool(lambda: FakeWorker(made, start=fail_first), PoolSettings(workers=1))
        assert (await pool.run(lambda w: w.work("ok"))).value == "ok"
        await pool.aclose()

    run(main())


def test_waiting_ends_at_the_queue_timeout() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []
        pool = Pool(lambda: FakeWorker(made), PoolSettings(workers=1, queue_timeout=0.05))
        slow = asyncio.ensure_future(pool.run(lambda w: w.work("slow", 0.3)))
        await asyncio.sleep(0.01)
        with pytest.raises(PoolError, match=r"no worker was free within 0\.05 s"):
            await pool.run(lambda w: w.work("late"))
        assert (await slow).value == "slow"
        assert (await pool.run(lambda w: w.work("next"))).value == "next"
        await pool.aclose()

    run(main())


def test_a_cancelled_call_gives_its_worker_back() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []
        pool = Pool(lambda: FakeWorker(made), PoolSettings(workers=1))
        await pool.run(lambda w: w.work("warm"))
        for delay in (0.0, 0.001):
            running = asyncio.ensure_future(pool.run(lambda w: w.work("slow", 5)))
            waiting = asyncio.ensure_future(pool.run(lambda w: w.work("slow", 5)))
            await asyncio.sleep(delay)
            for task in (waiting, running):
                task.cancel()
            await asyncio.gather(running, waiting, return_exceptions=True)
            assert pool.stats()["running"] == 0 and pool.stats()["waiting"] == 0
            assert (await pool.run(lambda w: w.work("next"))).value == "next"
        assert len(made) == 1
        await pool.aclose()

    run(main())


def test_closing_tells_those_who_wait() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []
        pool = Pool(lambda: FakeWorker(made), PoolSettings(workers=1))
        tasks = [asyncio.ensure_future(pool.run(lambda w: w.work(1, 0.05))) for _ in range(3)]
        await asyncio.sleep(0.01)
        await pool.aclose()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(r) for r in results[1:]] == [PoolError, PoolError]
        with pytest.raises(PoolError, match="closed"):
            await pool.run(lambda w: w.work(1))

    run(main())


@pytest.mark.parametrize("seed", range(5))
def test_under_random_faults_every_call_ends_right_or_with_its_own_error(seed: int) -> None:
    async def main() -> None:
        random.seed(seed)
        made: list[FakeWorker] = []

        def start() -> None:
            if random.random() < 0.1:
                raise WorkerLost("start")

        pool = Pool(
            lambda: FakeWorker(made, capacity=random.randint(1, 4), start=start),
            PoolSettings(workers=3, spares=1, max_jobs=20, start_failures=50),
        )

        async def call(worker: FakeWorker, value: int) -> int:
            await worker.work(None, random.random() * 0.002)
            if random.random() < 0.03:
                worker.closed = True
                raise WorkerLost("random")
            return value

        tasks = [asyncio.ensure_future(pool.run(lambda w, i=i: call(w, i))) for i in range(500)]
        cancelled = set(random.sample(range(500), 25))
        await asyncio.sleep(0.01)
        for index in cancelled:
            tasks[index].cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        for index, result in enumerate(results):
            if isinstance(result, BaseException):
                assert isinstance(result, (WorkerLost, PoolError, asyncio.CancelledError))
            else:
                assert result.value == index
        assert pool.stats()["running"] == 0 and pool.stats()["waiting"] == 0
        await pool.aclose()
        assert all(worker.closed for worker in made)

    run(main())


@pytest.mark.parametrize("wrong", [{"workers": 0}, {"spares": -1}, {"max_jobs": 0}])
def test_settings_out_of_range_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        PoolSettings(**wrong)  # type: ignore[arg-type]


def test_a_worker_that_has_grown_is_replaced() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []
        settings = PoolSettings(workers=1, max_memory=100)
        pool = Pool(lambda: FakeWorker(made), settings, memory=lambda worker: 101 if worker is made[0] else 100)
        leases = [await pool.run(lambda w: w.work(1)) for _ in range(100)]
        assert [lease.worker.id for lease in leases] == ["fake-0"] * 32 + ["fake-1"] * 68
        await pool.aclose()

    run(main())


def test_a_call_may_go_first() -> None:
    async def main() -> None:
        made: list[FakeWorker] = []
        pool = Pool(lambda: FakeWorker(made))
        order: list[str] = []

        async def call(worker: FakeWorker, name: str) -> None:
            order.append(name)
            await worker.work(name, 0.001)

        assert pool.busy, "no worker yet"
        await pool.ready()
        assert not pool.busy
        names = [f"late {n}" for n in range(5)]
        late = [asyncio.ensure_future(pool.run(lambda w, name=name: call(w, name))) for name in names]
        await asyncio.sleep(0)
        assert pool.busy
        await pool.run(lambda w: call(w, "first"), first=True)
        await asyncio.gather(*late)
        assert order == ["late 0", "first", *names[1:]]
        await pool.aclose()

    run(main())


def test_closing_gives_up_what_is_starting() -> None:
    class Slow(FakeWorker):
        async def start(self) -> None:
            await asyncio.sleep(60)

    async def main() -> None:
        made: list[FakeWorker] = []
        pool = Pool(lambda: Slow(made), PoolSettings(workers=2, spares=1))
        calls = [asyncio.ensure_future(pool.run(lambda w: w.work(1))) for _ in range(3)]
        await asyncio.sleep(0.01)
        await asyncio.wait_for(pool.aclose(), 5)
        assert made and all(worker.closed for worker in made) and repr(pool).endswith("no workers; 0 waiting>")
        ends = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(end, PoolError) for end in ends)

    run(main())
