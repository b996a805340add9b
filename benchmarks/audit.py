"""What the audit costs on top of elaboration: wall and CPU seconds of each, for proofs of the core suite.

Each proof is elaborated in a forked child and, if it passes, audited by the kernel server, one after the other, with
the statements compiled and read beforehand. CPU seconds of a child are the system's count when it ends, those of an
audit the auditing process's own before and after. Wrong and open proofs go the same way: none of them reaches the
audit.

    python benchmarks/audit.py [--proofs 200] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

from lean_gym.core.frames import Request, Result
from lean_gym.core.kernel import KernelAuditor
from lean_gym.submission import Source, Submission, prepare, trusted_source
from lean_gym.suites import load_suite
from lean_gym.theorem import CORE_HEADER, Theorem
from lean_gym.verdict import judge, place_messages
from lean_gym.workers.base import Job, Reply
from lean_gym.workers.core import CoreWorker


def cpu_seconds(pid: int) -> float:
    """CPU seconds of all threads of a process, to the nanosecond where the kernel keeps them."""
    return sum(int(file.read_text().split()[0]) for file in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


class Meter:
    """Keeps the last result of a worker's server, which knows the child's CPU seconds."""

    def __init__(self, worker: CoreWorker) -> None:
        server = worker._server
        assert server is not None
        run = server.run
        self.last: Result | None = None

        async def metered(request: Request, deadline: float) -> Result:
            self.last = await run(request, deadline)
            return self.last

        server.run = metered  # type: ignore[method-assign]


async def measure(theorems: list[Theorem]) -> dict[str, Any]:
    worker, auditor = CoreWorker(capacity=1), KernelAuditor()
    await worker.start()
    await auditor.start()
    try:
        meter = Meter(worker)
        return await _measure(worker, meter, auditor, theorems)
    finally:
        await worker.aclose()
        await auditor.aclose()


async def _elaborate(worker: CoreWorker, submission: Submission) -> tuple[Reply, bool, float]:
    """The reply, whether the audit has to decide, and wall seconds."""
    started = time.perf_counter()
    source = prepare(submission)
    assert isinstance(source, Source)
    reply = await worker.check(Job(source.header, source.text))
    placed = place_messages(reply, source.offset, source.indent, source.indented)
    passed = judge(reply, placed, source.offset) is None
    return reply, passed, time.perf_counter() - started


async def _measure(worker: CoreWorker, meter: Meter, auditor: KernelAuditor, theorems: list[Theorem]) -> dict[str, Any]:
    statements = {}
    for theorem in theorems:
        (reply,) = await worker.compile([Job(CORE_HEADER, trusted_source(theorem).text)])
        assert reply.olean is not None, theorem
        statements[theorem.id] = reply.olean
    names = ("wall", "cpu", "audit_wall", "audit_cpu", "first_wall", "first_cpu", "failing_wall")
    figures: dict[str, list[float]] = {name: [] for name in names}
    audits_of_failing = 0
    assert auditor.pid is not None
    for theorem in theorems:
        assert theorem.proof is not None
        for text, good in ((theorem.proof, True), (theorem.proof + "\n  exact False.elim", False), ("  sorry", False)):
            reply, passed, seconds = await _elaborate(worker, Submission(theorem, text))
            assert meter.last is not None
            if not good:
                figures["failing_wall"].append(seconds)
                audits_of_failing += passed
                continue
            assert passed, (theorem, text, reply)
            assert reply.olean is not None
            # The first audit of a statement reads it; samples of a group share the rest.
            for kind in ("first", "audit"):
                cpu = cpu_seconds(auditor.pid)
                started = time.perf_counter()
                result = await auditor.audit(statements[theorem.id], reply.olean, theorem.name, body_only=True)
                figures[f"{kind}_wall"].append(time.perf_counter() - started)
                figures[f"{kind}_cpu"].append(cpu_seconds(auditor.pid) - cpu)
                assert result.ok, (theorem, kind, result)
            figures["wall"].append(seconds)
            figures["cpu"].append(meter.last.cpu)
    median = {name: statistics.median(values) for name, values in figures.items()}
    return {
        "passing": len(figures["wall"]),
        "failing": len(figures["failing_wall"]),
        "audits_of_failing": audits_of_failing,
        "cpus": len(os.sched_getaffinity(0)),
        "median_ms": {name: round(1000 * value, 3) for name, value in median.items()},
        "audit_over_elaboration": {
            "wall": round(median["audit_wall"] / median["wall"], 3),
            "cpu": round(median["audit_cpu"] / median["cpu"], 3),
            "first_cpu": round(median["first_cpu"] / median["cpu"], 3),
            "wall_of_all": round(sum(figures["audit_wall"]) / sum(figures["wall"]), 3),
            "cpu_of_all": round(sum(figures["audit_cpu"]) / sum(figures["cpu"]), 3),
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--proofs", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    report = asyncio.run(measure(load_suite("core", split="test", limit=arguments.proofs)))
    if arguments.json:
        print(json.dumps(report))
        return
    median, share = report["median_ms"], report["audit_over_elaboration"]
    print(f"elaboration of a passing proof  {median['wall']:7.2f} ms wall  {median['cpu']:7.2f} ms CPU (medians)")
    print(f"its audit                       {median['audit_wall']:7.2f} ms wall  {median['audit_cpu']:7.2f} ms CPU")
    print(f"the first of a statement        {median['first_wall']:7.2f} ms wall  {median['first_cpu']:7.2f} ms CPU")
    print(f"audit / elaboration: {share['wall']:.1%} of wall, {share['cpu']:.1%} of CPU time")
    print(f"wrong and open proofs: {report['audits_of_failing']} of {report['failing']} audited")


if __name__ == "__main__":
    main()
