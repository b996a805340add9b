"""What `LeanGRPOTrainer` adds to a step of TRL's plain `GRPOTrainer`, with a reward that costs nothing.

python benchmarks/grpo_step.py [--steps 12]      prints one JSON object: median seconds a step, and their ratio

The same model, prompts, seed and completions, one after the other in one process, in turns so that a slow spell of
the machine meets both; the first two steps of each turn are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
import zlib
from typing import Any

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")

from datasets import Dataset
from transformers import TrainerCallback
from trl import GRPOTrainer

from lean_gym.prompt import to_dataset_rows
from lean_gym.suites import load_suite
from lean_gym.verifier import Verifier
from trainers import starter_path
from trainers.grpo import LeanGRPOConfig, LeanGRPOTrainer
from trainers.grpo_reward import GRPOReward
from trainers.starter import STARTER_FAMILIES, STARTER_LEVELS


def score(text: str) -> float:
    """A reward without any work, which differs within groups."""
    return float(zlib.crc32(text.encode()) % 2)


def plain(prompts: list[Any], completions: list[str], **_: Any) -> list[float]:
    return [score(text) for text in completions]


class Free(GRPOReward):
    def start(self, row: Any, completion: Any) -> None:
        return

    async def __call__(self, prompts: Any, completions: Any, **_: Any) -> list[float | None]:  # type: ignore[override]
        rewards: list[float | None] = [score(text) for text in completions]
        self.passed = [reward == 1.0 for reward in rewards]
        return rewards


class Clock(TrainerCallback):
    def __init__(self) -> None:
        self.seconds: list[float] = []

    def on_step_begin(self, *_: Any, **__: Any) -> None:
        self.started = time.perf_counter()

    def on_step_end(self, *_: Any, **__: Any) -> None:
        self.seconds.append(time.perf_counter() - self.started)


def run(kind: str, steps: int, rows: list[dict[str, Any]]) -> list[float]:
    """Seconds of each step."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        args = LeanGRPOConfig(
            output_dir=folder, max_steps=steps, disable_tqdm=True, stream_checks=kind == "stream", use_cpu=True
        )
        model = str(starter_path())
        if kind == "plain":
            trainer: Any = GRPOTrainer(model, plain, args, Dataset.from_list(rows), callbacks=[clock])
        else:
            trainer = LeanGRPOTrainer(model, Free(Verifier(cache=False)), args, rows, callbacks=[clock])
        trainer.train()
    return clock.seconds[2:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--turns", type=int, default=2)
    arguments = parser.parse_args()
    from trainers.launch import set_threads

    set_threads(None, "cpu")
    theorems = load_suite("core", split="train", limit=400, families=STARTER_FAMILIES, levels=STARTER_LEVELS)
    rows = to_dataset_rows(theorems)
    seconds: dict[str, list[float]] = {"plain": [], "ours": [], "stream": []}
    for _ in range(arguments.turns):
        for kind in seconds:
            seconds[kind] += run(kind, arguments.steps, rows)
    median = {kind: statistics.median(values) for kind, values in seconds.items()}
    # By step: the n-th step of each does the same work.
    pairs = [b / a for a, b in zip(seconds["plain"], seconds["ours"], strict=True)]
    report = {**{f"{kind}_s": round(value, 4) for kind, value in median.items()}, "ratio": statistics.median(pairs)}
    print(json.dumps(report))


if __name__ == "__main__":
    main()
