"""Evolution Strategies train a policy to prove theorems; the real Lean checks its proofs.

accelerate launch examples/train_es.py
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field

from transformers import HfArgumentParser

from lean_gym.prompt import to_dataset_rows
from lean_gym.reward import LeanReward
from lean_gym.suites import load_suite
from trainers.es import ESTrainer
from trainers.es_config import ESConfig
from trainers.starter import starter_path


@dataclass
class ScriptArguments:
    model: str | None = field(default=None, metadata={"help": "Name or folder; the starter policy by default."})
    suite: str = field(default="core", metadata={"help": "Theorem suite."})
    train_theorems: int = field(default=512, metadata={"help": "Training theorems."})
    eval_theorems: int = field(default=100, metadata={"help": "Held-out theorems."})
    resume: bool = field(default=False, metadata={"help": "Go on with the run in output_dir."})


@dataclass
class Settings(ESConfig):
    """The defaults of this example: some minutes on two CPU cores."""

    output_dir: str | None = field(default="runs/es", metadata={"help": "Where the run is kept."})
    max_steps: int = field(default=60, metadata={"help": "Generations."})
    eval_on_start: bool = field(default=True, metadata={"help": "Evaluate before the first generation."})
    eval_strategy: str = field(default="steps", metadata={"help": "When to evaluate."})
    eval_steps: float | None = field(default=20, metadata={"help": "Generations between evaluations."})


def main() -> None:
    script, args = HfArgumentParser((ScriptArguments, Settings)).parse_args_into_dataclasses()
    train = load_suite(script.suite, split="train", limit=script.train_theorems)
    held_out = load_suite(script.suite, split="validation", limit=script.eval_theorems)
    with closing(LeanReward()) as reward:
        trainer = ESTrainer(
            model=script.model or str(starter_path()),
            reward_funcs=reward,
            args=args,
            train_dataset=to_dataset_rows(train),
            eval_dataset=to_dataset_rows(held_out),
        )
        trainer.train(resume_from_checkpoint=script.resume)
    rates = [log["eval_pass@1"] for log in trainer.state.log_history if "eval_pass@1" in log]
    if rates and trainer.is_world_process_zero():
        print(f"held-out pass rate: {rates[0]:.1%} -> {rates[-1]:.1%} ({args.output_dir})")


if __name__ == "__main__":
    main()
