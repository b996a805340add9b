"""Proofs a second and latency of the verifier, beside a fresh Lean process a proof and elaboration alone.

The same proofs of the core suite (half of them good, a quarter wrong, a quarter open) go through each, in one run,
in turns; medians over the rounds. Elaboration alone is a process that has imported the header and elaborates text
after text: no isolation, no limits, no audit. It runs in as many processes as the verifier has slots.

    python benchmarks/verifier.py [--proofs 400] [--rounds 3] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from lean_gym.config import VerifierConfig
from lean_gym.core.build import core_library
from lean_gym.submission import Source, Submission, prepare
from lean_gym.suites import load_suite
from lean_gym.verdict import Outcome
from lean_gym.verifier import Verifier

ALONE = """
import json, os, sys, time
from lean_gym.core.build import core_library
from lean_gym.core.ffi import Lean
texts = json.load(sys.stdin)
core = core_library(progress=False)
lean = Lean.load(core.library.path)
lean.initialise()
env = lean.import_modules(["Core"], core.search_path)
options = {"maxHeartbeats": 200000, "Elab.async": False}
lean.elaborate(env, b"theorem warm (a b : Nat) (h : a = b) : b = a := by simp [h]", options)
latencies = []
started = time.perf_counter()
for text in texts:
    begin = time.perf_counter()
    lean.elaborate(env, text.encode(), options)
    latencies.append(time.perf_counter() - begin)
print(json.dumps([time.perf_counter() - started, latencies]))
sys.stdout.flush()
os._exit(0)
"""


def proofs(count: int) -> tuple[list[Submission], list[bool]]:
    """`count` submissions, and whether each must be proved."""
    theorems = load_suite("core", split="test", limit=count)
    submissions, right = [], []
    for index, theorem in enumerate(theorems):
        assert theorem.proof is not None
        text = [theorem.proof, theorem.proof + "\n  exact False.elim", theorem.proof, "sorry"][index % 4]
        submissions.append(Submission(theorem, text))
        right.append(index % 2 == 0)
    return submissions, right


def through_verifier(submissions: list[Submission], right: list[bool], slots: int) -> tuple[float, list[float]]:
    with Verifier(cache=False, concurrency=slots) as verifier:
        verifier.verify(submissions[:4])  # workers are up
        started = time.perf_counter()
        verdicts = verifier.verify(submissions)
        seconds = time.perf_counter() - started
        latencies = [v.seconds.elaborate + v.seconds.audit for v in verdicts]
    wrong = [v for v, ok in zip(verdicts, right) if v.proved != ok or v.outcome is Outcome.INFRA]
    assert not wrong, wrong[0]
    return seconds, latencies


def alone(sources: list[Source], slots: int) -> tuple[float, list[float]]:
    def run(texts: list[str]) -> tuple[float, list[float]]:
        command = [sys.executable, "-c", ALONE]
        done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
        seconds, latencies = json.loads(done.stdout.splitlines()[-1])
        return seconds, latencies

    with ThreadPoolExecutor(slots) as threads:
        results = list(threads.map(run, [[s.text for s in sources[i::slots]] for i in range(slots)]))
    return max(seconds for seconds, _ in results), [latency for _, ls in results for latency in ls]


def fresh(sources: list[Source], slots: int) -> tuple[float, list[float]]:
    core = core_library(progress=False)
    environment = {**os.environ, "LEAN_PATH": os.pathsep.join(str(p) for p in core.search_path)}

    def run(source: Source) -> float:
        begin = time.perf_counter()
        text = "prelude\nimport Core\n" + source.text
        command = core.library.command("--json", "--stdin")
        subprocess.run(command, input=text.encode(), capture_output=True, env=environment, check=False)
        return time.perf_counter() - begin

    started = time.perf_counter()
    with ThreadPoolExecutor(slots) as threads:
        latencies = list(threads.map(run, sources))
    return time.perf_counter() - started, latencies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--proofs", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    slots = VerifierConfig().slots
    submissions, right = proofs(arguments.proofs)
    sources = [s for s in map(prepare, submissions) if isinstance(s, Source)]
    few = sources[:: max(1, len(sources) // 60)]
    rates: dict[str, list[float]] = {"verifier": [], "elaboration alone": [], "fresh process": []}
    waits: dict[str, list[float]] = {name: [] for name in rates}
    for _ in range(arguments.rounds):
        for name, (seconds, latencies), count in (
            ("verifier", through_verifier(submissions, right, slots), len(submissions)),
            ("elaboration alone", alone(sources, slots), len(sources)),
            ("fresh process", fresh(few, slots), len(few)),
        ):
            rates[name].append(count / seconds)
            waits[name] += latencies
    rate = {name: statistics.median(values) for name, values in rates.items()}
    report = {
        "slots": slots,
        "proofs": len(submissions),
        "per_second": {name: round(value, 1) for name, value in rate.items()},
        "latency_ms": {
            name: {
                "median": round(1000 * statistics.median(values), 2),
                "p99": round(1000 * sorted(values)[int(0.99 * len(values))], 2),
            }
            for name, values in waits.items()
        },
        "verifier_time_over_elaboration_alone": round(rate["elaboration alone"] / rate["verifier"], 2),
        "speedup_over_fresh_process": round(rate["verifier"] / rate["fresh process"], 2),
    }
    if arguments.json:
        print(json.dumps(report))
        return
    for name, value in rate.items():
        latency = report["latency_ms"][name]  # type: ignore[index]
        print(f"{name:18} {value:7.1f} proofs/s   median {latency['median']:6.2f} ms   p99 {latency['p99']:7.2f} ms")
    print(f"verifier / elaboration alone, in time: {report['verifier_time_over_elaboration_alone']}")
    print(f"verifier / fresh process, in rate:     {report['speedup_over_fresh_process']}")


if __name__ == "__main__":
    main()
