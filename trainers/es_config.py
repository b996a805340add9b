"""`ESConfig`: the settings of `ESTrainer`."""

from __future__ import annotations

import json
import logging
import math
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from transformers import TrainingArguments

from trainers.noise_torch import BACKENDS
from trainers.strategy import FITNESS_SHAPING

__all__ = ["ESConfig", "as_dict"]

logger = logging.getLogger(__name__)

# Settings of TrainingArguments that would change a gradient trainer and have no meaning here.
_NO_MEANING = (
    "gradient_accumulation_steps",
    "weight_decay",
    "adam_beta1",
    "adam_beta2",
    "max_grad_norm",
    "optim",
    "warmup_steps",
    "fp16",
    "bf16",
    "deepspeed",
    "fsdp",
)


@dataclass
class ESConfig(TrainingArguments):
    """Settings of an Evolution Strategies run.

    A subclass of `TrainingArguments`, so that scripts, command lines and callbacks work as with `GRPOConfig`; names
    that GRPO has keep their meaning. One training step is one generation. Settings of gradient descent (optimizer,
    weight decay, mixed precision, ...) have no meaning here and are named in a warning when they are set.

    Attributes:
        learning_rate: alpha of W += alpha / N * sum_i f_i * eps_i, with eps_i of unit variance (see trainers.strategy).
        lr_scheduler_type: "constant", "linear" or "cosine", down to 0 at max_steps.
        sigma_scheduler_type: the same for sigma, down to sigma_end * sigma.
        per_device_train_batch_size: most sequences generated in one batch.
        num_generations: completions that each member makes for each prompt.
        num_prompts_per_step: prompts of a generation, the same for all members.
        model_init_kwargs: for `from_pretrained`, when the model is a name.
    """

    learning_rate: float = field(default=0.02, metadata={"help": "Step size; times unit-variance noise and z-scores."})
    lr_scheduler_type: str = field(default="constant", metadata={"help": "constant, linear or cosine."})
    logging_steps: float = field(default=1, metadata={"help": "Log every so many generations."})
    per_device_train_batch_size: int = field(default=512, metadata={"help": "Most sequences generated in one batch."})
    disable_tqdm: bool | None = field(default=False, metadata={"help": "Show no progress bar."})
    population_size: int = field(default=32, metadata={"help": "Members of a generation, over all processes."})
    sigma: float = field(default=0.02, metadata={"help": "Standard deviation of a member's noise on each weight."})
    sigma_scale: str = field(
        default="rms",
        metadata={
            "help": "What sigma and learning_rate are relative to: rms, each tensor's root mean square (rounded to a "
            "power of two), or absolute."
        },
    )
    rank: int = field(default=1, metadata={"help": "Rank of the noise; 0 is full rank."})
    antithetic: bool = field(default=True, metadata={"help": "Members in pairs of opposite noise."})
    fitness_shaping: str = field(
        default="standardize",
        metadata={"help": f"One of {', '.join(FITNESS_SHAPING)}; or evosax:NAME, evosax's own function."},
    )
    strategy: str = field(
        default="open_es",
        metadata={
            "help": "open_es, or evosax:NAME (CMA_ES, SNES, PGPE, ...) over an adapter of the given rank; for "
            "spaces of up to about a million dimensions."
        },
    )
    strategy_options: dict[str, Any] | str | None = field(
        default=None, metadata={"help": "Options of an evosax strategy, such as learning_rate or c_mean."}
    )
    sigma_scheduler_type: str = field(default="constant", metadata={"help": "constant, linear or cosine."})
    sigma_end: float = field(default=0.1, metadata={"help": "Share of sigma that its schedule ends at, at max_steps."})
    prompt_baseline: bool = field(
        default=True, metadata={"help": "Subtract the population's mean reward on a prompt from each reward on it."}
    )
    noise_backend: str = field(
        default="auto",
        metadata={"help": "Who computes the update's noise: numpy, torch (on the device), or auto. Same integers."},
    )
    noise_seed: int | None = field(default=None, metadata={"help": "Key of the noise (64 bits); `seed` by default."})
    target_modules: list[str] | None = field(
        default=None,
        metadata={
            "help": "Layers that evolve: all-linear (the default; not the head), norms, ends of module names, patterns."
        },
    )
    num_prompts_per_step: int = field(
        default=8, metadata={"help": "Prompts of a generation, the same for all members."}
    )
    num_generations: int = field(default=2, metadata={"help": "Completions of a member for each prompt."})
    num_generations_eval: int = field(default=4, metadata={"help": "Completions for each prompt of the evaluation."})
    max_completion_length: int = field(default=128, metadata={"help": "Most tokens of a completion."})
    temperature: float = field(default=1.0, metadata={"help": "Sampling temperature; 0 is greedy."})
    top_p: float = field(default=1.0, metadata={"help": "Nucleus sampling; 1 is off."})
    top_k: int = field(default=0, metadata={"help": "Sample of the k likeliest tokens; 0 is off."})
    stop_strings: list[str] | None = field(
        default=None, metadata={"help": "A completion ends where one of these comes, and is cut before it."}
    )
    common_random_numbers: bool = field(
        default=True, metadata={"help": "All members draw their tokens with the same random numbers."}
    )
    rollout_dtype: str = field(
        default="auto",
        metadata={
            "help": "Arithmetic of the generation: auto (float64 on CPU, else the model's), float64, float32, bfloat16."
        },
    )
    reward_weights: list[float] | None = field(default=None, metadata={"help": "Weight of each reward function."})
    reward_batch_size: int = field(
        default=64, metadata={"help": "Completions in one call of a reward function that has no `submit`."}
    )
    min_scored_share: float = field(
        default=0.75, metadata={"help": "A member with a smaller share of scored attempts is evaluated again."}
    )
    success_threshold: float = field(default=1.0, metadata={"help": "A reward from here up counts as a pass."})
    shuffle_dataset: bool = field(default=True, metadata={"help": "Shuffle the training prompts, anew each epoch."})
    trace: bool = field(
        default=False,
        metadata={"help": "Write trace.json, the run's timeline in the Chrome trace format (Perfetto opens it)."},
    )
    torch_num_threads: int | None = field(
        default=None, metadata={"help": "Threads of torch a process; default on a CPU: half its cores."}
    )
    model_init_kwargs: dict[str, Any] | str | None = field(
        default=None, metadata={"help": "Keyword arguments of `from_pretrained`, when the model is a name."}
    )
    chat_template_kwargs: dict[str, Any] | str | None = field(
        default=None, metadata={"help": "Keyword arguments of the chat template, for conversational prompts."}
    )

    _VALID_DICT_FIELDS: ClassVar[list[str]] = [
        *TrainingArguments._VALID_DICT_FIELDS,
        "model_init_kwargs",
        "chat_template_kwargs",
        "strategy_options",
    ]

    def __post_init__(self) -> None:
        if self.lr_scheduler_type not in ("constant", "linear", "cosine"):
            raise ValueError(f"lr_scheduler_type must be constant, linear or cosine, not {self.lr_scheduler_type!r}")
        if self.sigma_scheduler_type not in ("constant", "linear", "cosine"):
            raise ValueError(
                f"sigma_scheduler_type must be constant, linear or cosine, not {self.sigma_scheduler_type!r}"
            )
        if not 0 < self.sigma_end <= 1:
            raise ValueError(f"sigma_end must be in (0, 1], not {self.sigma_end}")
        if self.noise_backend not in BACKENDS:
            raise ValueError(f"noise_backend must be one of {', '.join(BACKENDS)}, not {self.noise_backend!r}")
        if self.strategy != "open_es":
            self._check_evosax()
        super().__post_init__()
        for name in ("num_prompts_per_step", "num_generations", "num_generations_eval", "max_completion_length"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.sigma_scale not in ("rms", "absolute"):
            raise ValueError(f"sigma_scale must be rms or absolute, not {self.sigma_scale!r}")
        if self.sigma <= 0:
            raise ValueError(f"sigma must be positive, not {self.sigma}")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p must be in (0, 1], not {self.top_p}")
        if self.temperature < 0 or self.top_k < 0:
            raise ValueError("temperature and top_k must not be negative")
        defaults = {f.name: f.default for f in fields(TrainingArguments)}
        ignored = [
            name
            for name in _NO_MEANING
            if name in defaults and getattr(self, name) != _plain(defaults[name], self, name)
        ]
        if ignored:
            logger.warning("ESConfig: %s: no meaning in evolution strategies; ignored", ", ".join(ignored))

    @property
    def run_key(self) -> int:
        """Key of the noise."""
        return self.seed if self.noise_seed is None else self.noise_seed

    def _check_evosax(self) -> None:
        if not self.strategy.startswith("evosax:"):
            raise ValueError(f"strategy must be open_es or evosax:NAME, not {self.strategy!r}")
        if self.rank < 1:
            raise ValueError(f"strategy {self.strategy} moves an adapter: set rank to 1 or more")
        if (self.lr_scheduler_type, self.sigma_scheduler_type) != ("constant", "constant"):
            raise ValueError(f"{self.strategy} has its own step sizes: lr_ and sigma_scheduler_type must be constant")

    def learning_rate_factor(self, generation: int, max_steps: int) -> float:
        """Factor of the learning rate at a generation: 1 at the first, falling to 0 at max_steps."""
        return _schedule(self.lr_scheduler_type, generation / max_steps)

    def sigma_factor(self, generation: int, max_steps: int) -> float:
        """Factor of sigma at a generation: 1 at the first, falling to `sigma_end` at max_steps."""
        if self.sigma_scheduler_type == "constant":
            return 1.0
        return self.sigma_end + (1.0 - self.sigma_end) * _schedule(self.sigma_scheduler_type, generation / max_steps)


def as_dict(value: Any) -> dict[str, Any]:
    """A setting that is a dict, or one in JSON."""
    return json.loads(value) if isinstance(value, str) else dict(value or {})


def _schedule(kind: str, done: float) -> float:
    """Factor in [0, 1] when a share of the run is done."""
    if kind == "linear":
        return 1.0 - done
    return 0.5 * (1.0 + math.cos(math.pi * done)) if kind == "cosine" else 1.0


def _plain(default: Any, args: TrainingArguments, name: str) -> Any:
    """The default as TrainingArguments normalises it (enums, None)."""
    value = getattr(args, name)
    return value if default is None and not value else type(value)(default) if isinstance(default, str) else default
