"""ES iteration time, beside generation alone and verification alone, on the same population and theorems.

- iteration: generations of the default run, proofs going to Lean while others are generated;
- generation alone: the same with a reward that costs nothing;
- verification alone: the proofs of the iteration, checked in one go, nothing generated.

On a machine whose cores do both, the two parts share them, so an iteration can't be shorter than their CPU time
together allows; where generation runs on an accelerator, it should take no longer than the longer of the two.

    python benchmarks/es.py [--generations 4] [--json]
"""

from __future__ import annotations

import argparse
import json
import logging
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from lean_gym.prompt import extract_proof, theorem_from_row, to_dataset_rows
from lean_gym.reward import LeanReward
from lean_gym.submission import Submission
from lean_gym.suites import load_suite
from lean_gym.verifier import Verifier
from trainers.es import ESTrainer
from trainers.es_config import ESConfig
from trainers.starter import starter_path


class Recorder(LeanReward):
    """A `LeanReward` that keeps what it was given."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.seen: list[Submission] = []

    def submit(self, rows: Sequence[Mapping[str, Any]], completions: Sequence[Any]) -> list[Future[float | None]]:
        self.seen += [Submission(theorem_from_row(r), extract_proof(c)) for r, c in zip(rows, completions)]
        return super().submit(rows, completions)


class Free:
    """A reward that costs nothing and needs no Lean."""

    __name__ = "free"

    def submit(self, rows: Sequence[Mapping[str, Any]], completions: Sequence[Any]) -> list[Future[float | None]]:
        futures: list[Future[float | None]] = []
        for completion in completions:
            future: Future[float | None] = Future()
            future.set_result(float(len(completion) % 2))
            futures.append(future)
        return futures

    def __call__(self, prompts: Sequence[Any], completions: Sequence[Any], **_: Any) -> list[float | None]:
        return [future.result() for future in self.submit([{}] * len(completions), completions)]


def run(reward: Any, generations: int, learning_rate: float) -> list[float]:
    """Seconds of each generation but the first (warm-up)."""
    with tempfile.TemporaryDirectory() as folder:
        args = ESConfig(
            output_dir=folder,
            max_steps=generations + 1,
            learning_rate=learning_rate,
            eval_strategy="no",
            save_strategy="no",
            report_to=[],
            disable_tqdm=True,
        )
        rows = to_dataset_rows(load_suite("core", split="train", limit=256))
        trainer = ESTrainer(model=str(starter_path()), reward_funcs=reward, args=args, train_dataset=rows)
        trainer.train()
        times = [log["step_time"] for log in trainer.state.log_history if "step_time" in log]
    return times[1:]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--generations", type=int, default=4)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)

    # A vanishing learning rate, so that all generate from the same weights.
    reward = Recorder(cache=False)
    iteration = run(reward, arguments.generations, 1e-9)
    reward.close()
    generation = run(Free(), arguments.generations, 1e-9)
    per_generation = len(reward.seen) // (arguments.generations + 1)
    verification = []
    with Verifier(cache=False) as verifier:
        verifier.verify(reward.seen[:4])
        for start in range(per_generation, len(reward.seen), per_generation):
            begin = time.perf_counter()
            verifier.verify(reward.seen[start : start + per_generation])
            verification.append(time.perf_counter() - begin)
    seconds = {
        "iteration": statistics.median(iteration),
        "generation alone": statistics.median(generation),
        "verification alone": statistics.median(verification),
    }
    longer = max(seconds["generation alone"], seconds["verification alone"])
    both = seconds["generation alone"] + seconds["verification alone"]
    report = {
        "attempts": per_generation,
        "distinct": len({(s.theorem.formal_statement, s.text) for s in reward.seen}) / len(reward.seen),
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        "iteration_over_longer": round(seconds["iteration"] / longer, 3),
        "iteration_over_sum": round(seconds["iteration"] / both, 3),
    }
    if arguments.json:
        print(json.dumps(report))
        return
    print(f"{per_generation} attempts a generation, {report['distinct']:.0%} of them distinct")
    for name, value in seconds.items():
        print(f"{name:20} {value:7.2f} s")
    print(f"iteration / the longer of the two: {report['iteration_over_longer']}")
    print(f"iteration / their sum:             {report['iteration_over_sum']}")


if __name__ == "__main__":
    main()
