"""Train a policy to prove theorems by Evolution Strategies, its proofs checked by the real Lean.

accelerate launch examples/train_es.py
torchrun --nproc_per_node 2 examples/train_es.py --config examples/configs/es_full_rank.yaml --model Qwen/Qwen3-0.6B
accelerate launch examples/train_es.py --worker docker --image IMAGE --cpus 4
"""

from dataclasses import dataclass, field

from lean_gym.prompt import to_dataset_rows
from lean_gym.reward import LeanReward
from lean_gym.suites import load_suite
from lean_gym.verifier import Verifier, VerifierConfig
from trainers import ESConfig, ESTrainer, starter_path
from trainers.config_file import parse_args
from trainers.ranks import RankLost
from trainers.starter import STARTER_FAMILIES, STARTER_LEVELS


@dataclass
class Script:
    model: str | None = field(default=None, metadata={"help": "Name or folder of a model; else the starter policy."})
    families: list[str] = field(default_factory=lambda: [*STARTER_FAMILIES], metadata={"help": "Families of theorems."})
    levels: list[int] = field(default_factory=lambda: [*STARTER_LEVELS], metadata={"help": "Levels, of 1 to 5."})
    train_theorems: int = field(default=2000, metadata={"help": "Training theorems."})
    eval_theorems: int = field(default=200, metadata={"help": "Held-out theorems."})
    chat: bool = field(default=False, metadata={"help": "Prompt as a chat."})
    resume: bool = field(default=False, metadata={"help": "Go on with the run in output_dir."})


@dataclass
class Settings(ESConfig):  # the small default run: the final norm evolves, where each attempt tells the most
    output_dir: str | None = "runs/es"
    max_steps: int = 36
    target_modules: list[str] | None = field(default_factory=lambda: ["model.norm"])
    sigma: float = 0.25
    learning_rate: float = 0.9
    lr_scheduler_type: str = "linear"
    num_prompts_per_step: int = 24
    max_completion_length: int = 48
    eval_on_start: bool = True
    eval_strategy: str = "steps"
    eval_steps: float | None = 12


if __name__ == "__main__":
    script, args, lean = parse_args((Script, Settings, VerifierConfig))
    kinds = {"families": script.families, "levels": script.levels}
    train = load_suite("core", split="train", limit=script.train_theorems, **kinds)
    held_out = load_suite("core", split="test", limit=script.eval_theorems, **kinds)
    trainer = ESTrainer(
        model=script.model or str(starter_path()),
        reward_funcs=LeanReward(Verifier(lean)),
        args=args,
        train_dataset=to_dataset_rows(train, chat=script.chat),
        eval_dataset=to_dataset_rows(held_out, chat=script.chat),
    )
    try:
        trainer.train(resume_from_checkpoint=script.resume)
    except RankLost as error:  # a sentence, not a traceback: the cause is in what the other process said
        raise SystemExit(f"train_es: {error}") from None
    if trainer.is_world_process_zero():
        rates = [f"{log['eval_pass@1']:.1%}" for log in trainer.state.log_history if "eval_pass@1" in log]
        print(f"held-out theorems proved: {' -> '.join(rates) or 'not evaluated'} ({args.output_dir})")
