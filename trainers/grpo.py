"""GRPO on the same environment as `ESTrainer`: TRL's own `GRPOTrainer` with a few of its hooks filled in."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from accelerate.utils import gather_object
from datasets import Dataset
from transformers import Trainer, TrainerCallback, TrainerControl, TrainerState, TrainingArguments
from transformers.trainer_callback import PrinterCallback, ProgressCallback
from trl import GRPOConfig, GRPOTrainer
from trl.models import unwrap_model_for_generation

from lean_gym.shaping import Shaping
from trainers.evaluate import pass_metrics
from trainers.grpo_reward import GRPOReward, verdict_mix
from trainers.grpo_rollout import StreamingRollout
from trainers.held_out import evaluate_model
from trainers.launch import launch_warning, set_threads
from trainers.progress import RichProgress
from trainers.provenance import data_hash, versions
from trainers.rollout import Sampling
from trainers.run_dir import RunDir
from trainers.sampler import GroupSampler, WinRates

__all__ = ["LeanGRPOConfig", "LeanGRPOTrainer"]

logger = logging.getLogger(__name__)

_SAMPLER = "sampler.json"


@dataclass
class LeanGRPOConfig(GRPOConfig):
    """`GRPOConfig` with defaults for a small policy, and what `LeanGRPOTrainer` adds.

    Every field of `GRPOConfig` passes through. bfloat16 is off unless there is a GPU.
    """

    learning_rate: float = field(default=1e-3, metadata={"help": "Peak rate of AdamW."})
    lr_scheduler_type: str = field(default="constant_with_warmup", metadata={"help": "As in transformers."})
    warmup_steps: float = field(default=5, metadata={"help": "Steps of warm-up."})
    max_grad_norm: float = field(default=1.0, metadata={"help": "Clip the gradient to this norm."})
    per_device_train_batch_size: int = field(default=128, metadata={"help": "Completions in one backward pass."})
    num_generations: int | None = field(default=8, metadata={"help": "Completions for each prompt (the group)."})
    num_generations_eval: int | None = field(default=4, metadata={"help": "Completions a prompt of the evaluation."})
    max_completion_length: int | None = field(default=48, metadata={"help": "Most tokens of a completion."})
    gradient_checkpointing: bool = field(default=False, metadata={"help": "Save memory, take longer."})
    logging_steps: float = field(default=1, metadata={"help": "Log every so many steps."})
    save_strategy: str = field(default="no", metadata={"help": "As in transformers."})
    # In this order, or the command line's parser fails.
    report_to: None | str | list[str] = field(default="none", metadata={"help": "As in transformers."})  # noqa: RUF036
    stream_checks: bool = field(
        default=True,
        metadata={
            "help": "Generate by our own rollout and check proofs while others are being written. Off: TRL's own "
            "generation (always so with use_vllm)."
        },
    )
    rollout_batch_size: int = field(default=256, metadata={"help": "Most sequences generated in one batch."})
    process_share: float = field(default=0.0, metadata={"help": "Most credit of a failed proof, as a share of 1."})
    unlikeliness: float = field(default=0.0, metadata={"help": "beta of the unlikeliness reward; 0.25 in its paper."})
    length_penalty: float = field(default=0.0, metadata={"help": "Share that the longest proof loses."})
    theorem_sampler: str = field(
        default="uniform", metadata={"help": "uniform, or win_rate: theorems proved sometimes, not always or never."}
    )
    torch_num_threads: int | None = field(default=None, metadata={"help": "Threads of torch; CPU: half the cores."})

    def __post_init__(self) -> None:
        if getattr(self, "bf16", None) is None:
            self.bf16: bool | None = torch.cuda.is_available() and not self.fp16
        if self.theorem_sampler not in ("uniform", "win_rate"):
            raise ValueError(f"theorem_sampler must be uniform or win_rate, not {self.theorem_sampler!r}")
        if self.unlikeliness and (self.use_vllm or not self.stream_checks):
            raise ValueError("unlikeliness needs our own rollout: leave use_vllm off and stream_checks on")
        self.shaping()  # says what is out of its range
        if self.theorem_sampler == "win_rate":
            self.ignore_data_skip = True  # on a resume the sampler goes on from its own state
        super().__post_init__()

    def shaping(self) -> Shaping:
        """The reward that the settings ask for."""
        return Shaping(process=self.process_share, unlikeliness=self.unlikeliness, length_penalty=self.length_penalty)


class LeanGRPOTrainer(GRPOTrainer):
    """TRL's `GRPOTrainer` that streams its checks, evaluates as `ESTrainer` does, and keeps win rates.

    Args:
        model: as in `GRPOTrainer`.
        reward_funcs: a `GRPOReward`, alone or first in a list; its shaping and length are set from `args`.
        args: settings.
        train_dataset, eval_dataset: data sets or lists of rows (`prompt.to_dataset_rows`).
        **more: as in `GRPOTrainer` (callbacks, peft_config, ...).
    """

    def __init__(
        self,
        model: Any,
        reward_funcs: Any,
        args: LeanGRPOConfig | None = None,
        train_dataset: Any = None,
        eval_dataset: Any = None,
        **more: Any,
    ) -> None:
        args = args if args is not None else LeanGRPOConfig()
        set_threads(args.torch_num_threads, args.device.type)
        if args.process_index == 0 and (message := launch_warning(args.world_size)):
            logger.warning("%s", message)
        funcs = list(reward_funcs) if isinstance(reward_funcs, (list, tuple)) else [reward_funcs]
        self.lean_reward = next((f for f in funcs if isinstance(f, GRPOReward)), None)
        if self.lean_reward is None:
            raise ValueError("reward_funcs holds no GRPOReward; for other rewards alone use TRL's GRPOTrainer")
        self.lean_reward.shaping = args.shaping()
        self.lean_reward.max_completion_length = args.max_completion_length or 0
        train_rows, self.held_out = _rows(train_dataset), _rows(eval_dataset)
        kinds = [f"{row.get('family')}/{row.get('level')}" for row in train_rows] or ["none"]
        self.win_rates = WinRates(kinds, args.seed)
        self._place = {row.get("id"): i for i, row in enumerate(train_rows)}
        self.num_attempts = 0
        streams = args.stream_checks and not args.use_vllm
        if streams and not {"rollout_func", "tools", "environment_factory"} & set(more):
            more["rollout_func"] = StreamingRollout(
                self.lean_reward,
                [*train_rows, *self.held_out],
                args.rollout_batch_size,
                args.seed,
                bool(args.unlikeliness),
            )
        super().__init__(
            model=model,
            reward_funcs=funcs,
            args=args,
            train_dataset=Dataset.from_list(train_rows) if isinstance(train_dataset, list) else train_dataset,
            eval_dataset=Dataset.from_list(self.held_out) if isinstance(eval_dataset, list) else eval_dataset,
            **more,
        )
        self.run_dir = RunDir(str(args.output_dir))
        self.progress = RichProgress()
        for shown in (PrinterCallback, ProgressCallback):
            self.remove_callback(shown)
        self.add_callback(_Files(self))
        if not args.disable_tqdm:
            self.add_callback(self.progress)

    # ---- the hooks ------------------------------------------------------------------------------------------------

    def _get_train_sampler(self, dataset: Any = None) -> Any:
        if self.args.theorem_sampler == "uniform":
            return super()._get_train_sampler(dataset)
        return GroupSampler(
            self.win_rates,
            self.num_generations,
            self.args.generation_batch_size // self.num_generations,
            self.num_iterations * self.args.steps_per_generation,
        )

    def _calculate_rewards(self, inputs: Any, prompts: Any, completions: Any, completion_ids_list: Any) -> Any:
        started = time.perf_counter()
        rewards = super()._calculate_rewards(inputs, prompts, completions, completion_ids_list)
        waited = time.perf_counter() - started
        assert self.lean_reward is not None
        passed = gather_object(list(zip([row.get("id") for row in inputs], self.lean_reward.passed, strict=True)))
        if not self.model.training:
            return rewards
        groups: dict[Any, list[bool]] = {}
        for theorem, proved in passed:
            if proved is not None:
                groups.setdefault(theorem, []).append(proved)
        for theorem, results in groups.items():
            if theorem in self._place:
                self.win_rates.record(self._place[theorem], sum(results), len(results))
        scored = sum(map(len, groups.values()))
        self.num_attempts += scored
        metrics = {"pass_rate": sum(map(sum, groups.values())) / scored if scored else float("nan")}
        metrics |= {"scored": scored / len(passed), "seconds/wait_verify": waited, **self.win_rates.metrics()}
        if isinstance(self.rollout_func, StreamingRollout):
            metrics["seconds/generate"] = self.rollout_func.seconds
        for key, value in metrics.items():
            self._metrics["train"][key].append(value)
        return rewards

    def evaluate(
        self, eval_dataset: Any = None, ignore_keys: Any = None, metric_key_prefix: str = "eval"
    ) -> dict[str, float]:
        """pass@k on held-out rows, over all processes, with the sampling numbers and names of `ESTrainer.evaluate`."""
        rows = self.held_out if eval_dataset is None else _rows(eval_dataset)
        if not rows:
            raise ValueError("evaluate needs an eval_dataset")
        started = time.perf_counter()
        args, world = self.args, self.accelerator
        mine = list(range(world.process_index, len(rows), world.num_processes))
        sampling = Sampling(args.max_completion_length, args.temperature, max(0, args.top_k), args.top_p)
        assert self.lean_reward is not None
        with unwrap_model_for_generation(
            self.model_wrapped, world, gather_deepspeed3_params=args.ds3_gather_for_generation
        ) as model:
            verdicts = evaluate_model(
                model,
                self.processing_class,
                [rows[q] for q in mine],
                self.lean_reward.verifier,
                self.num_generations_eval,
                sampling,
                seed=args.seed,
                batch_size=args.rollout_batch_size,
                prompt_numbers=mine,
                template=self.chat_template_kwargs,
            )
        flat = gather_object([v for row in verdicts for v in row])
        rewards = gather_object([[float(v.proved) if v.scored else None for v in row] for row in verdicts])
        found = {**pass_metrics(rewards), **verdict_mix(flat), "runtime": time.perf_counter() - started}
        metrics = {f"{metric_key_prefix}_{key}": value for key, value in found.items()}
        Trainer.log(self, dict(metrics))  # not TRL's log, which would put the training's metrics under eval_
        self.control: TrainerControl = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        logs["num_attempts"] = float(self.num_attempts)
        super().log(logs, start_time)
        if logs.get("pass_rate") is not None and logs.get("step_time") is not None:
            note = f"pass rate {logs['pass_rate']:.1%}, {logs['step_time']:.1f} s/step"
            self.progress.note(note, self.state.global_step)


class _Files(TrainerCallback):
    """metrics.jsonl in the run's folder, as `ESTrainer` writes it, and the sampler's state in each checkpoint."""

    def __init__(self, trainer: LeanGRPOTrainer) -> None:
        self.trainer = trainer

    def on_train_begin(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        run_dir = self.trainer.run_dir
        if state.global_step:
            saved = run_dir.path / f"checkpoint-{state.global_step}" / _SAMPLER
            if saved.exists():
                kept = json.loads(saved.read_text(encoding="utf-8"))
                self.trainer.win_rates.load_state_dict(kept["win_rates"])
                self.trainer.num_attempts = kept["num_attempts"]
                if isinstance(self.trainer.rollout_func, StreamingRollout):
                    self.trainer.rollout_func.calls = kept["rollouts"]
            if state.is_world_process_zero:
                run_dir.read_metrics(state.global_step)
        elif state.is_world_process_zero:
            run_dir.path.mkdir(parents=True, exist_ok=True)
            if run_dir.metrics.exists():
                run_dir.metrics.replace(_free(run_dir.metrics))
            made = {"versions": versions(self.trainer.reward_funcs), "data_hash": data_hash(self.trainer.train_dataset)}
            (run_dir.path / "run.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: Mapping[str, Any] | None = None,
        **_: Any,
    ) -> None:
        if state.is_world_process_zero and logs:
            self.trainer.run_dir.path.mkdir(parents=True, exist_ok=True)
            self.trainer.run_dir.log({"step": state.global_step, **logs})

    def on_save(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        if state.is_world_process_zero:
            rollout = self.trainer.rollout_func
            kept = {
                "win_rates": self.trainer.win_rates.state_dict(),
                "num_attempts": self.trainer.num_attempts,
                "rollouts": rollout.calls if isinstance(rollout, StreamingRollout) else 0,
            }
            folder = self.trainer.run_dir.path / f"checkpoint-{state.global_step}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _SAMPLER).write_text(json.dumps(kept), encoding="utf-8")


def _free(path: Path) -> Path:
    """The next free name for an earlier run's file."""
    n = 1
    while (spare := path.with_suffix(f".previous-{n}{path.suffix}")).exists():
        n += 1
    return spare


def _rows(data: Any) -> list[dict[str, Any]]:
    if data is None:
        return []
    if isinstance(data, Sequence) or (hasattr(data, "__getitem__") and hasattr(data, "__len__")):
        rows = [dict(data[i]) for i in range(len(data))]
        if rows and "prompt" not in rows[0]:
            raise ValueError("the data set needs the column `prompt`")
        return rows
    raise ValueError("the data set must have a length (a Dataset or a list); take a part of an iterable one")
