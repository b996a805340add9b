"""Train a policy to prove theorems by GRPO (TRL's own trainer), its proofs checked by the real Lean.

accelerate launch examples/train_grpo.py
accelerate launch --config_file examples/accelerate/zero2.yaml examples/train_grpo.py --model Qwen/Qwen3-0.6B --chat
accelerate launch examples/train_grpo.py --worker docker --image IMAGE --cpus 4
"""

from dataclasses import dataclass, field

from trl import TrlParser

from lean_gym.prompt import to_dataset_rows
from lean_gym.suites import load_suite
from lean_gym.verifier import Verifier, VerifierConfig
from trainers import starter_path
from trainers.grpo import LeanGRPOConfig, LeanGRPOTrainer
from trainers.grpo_reward import GRPOReward
from trainers.starter import STARTER_FAMILIES, STARTER_LEVELS


@dataclass
class Script:
    model: str | None = field(default=None, metadata={"help": "Name or folder of a model; else the starter policy."})
    families: list[str] = field(default_factory=lambda: [*STARTER_FAMILIES], metadata={"help": "Families of theorems."})
    levels: list[int] = field(default_factory=lambda: [*STARTER_LEVELS], metadata={"help": "Levels, of 1 to 5."})
    train_theorems: int = field(default=2000, metadata={"help": "Training theorems."})
    eval_theorems: int = field(default=200, metadata={"help": "Held-out theorems."})
    chat: bool = field(default=False, metadata={"help": "Prompt as a chat."})
    resume: bool = field(default=False, metadata={"help": "Go on from the newest checkpoint in output_dir."})


@dataclass
class Settings(LeanGRPOConfig):  # the small default run
    output_dir: str | None = "runs/grpo"
    max_steps: int = 100
    lr_scheduler_type: str = "linear"
    eval_on_start: bool = True
    eval_strategy: str = "steps"
    eval_steps: float | None = 25


if __name__ == "__main__":
    script, args, lean = TrlParser((Script, Settings, VerifierConfig)).parse_args_and_config()
    kinds = {"families": script.families, "levels": script.levels}
    train = load_suite("core", split="train", limit=script.train_theorems, **kinds)
    held_out = load_suite("core", split="test", limit=script.eval_theorems, **kinds)
    trainer = LeanGRPOTrainer(
        model=script.model or str(starter_path()),
        reward_funcs=GRPOReward(Verifier(lean)),
        args=args,
        train_dataset=to_dataset_rows(train, chat=script.chat),
        eval_dataset=to_dataset_rows(held_out, chat=script.chat),
    )
    trainer.train(resume_from_checkpoint=script.resume)
    trainer.save_model()
    if trainer.is_world_process_zero():
        rates = [f"{log['eval_pass@1']:.1%}" for log in trainer.state.log_history if "eval_pass@1" in log]
        print(f"held-out theorems proved: {' -> '.join(rates) or 'not evaluated'} ({args.output_dir})")
