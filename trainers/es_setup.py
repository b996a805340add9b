"""What a run is made of: its strategy, the weights that it moves, and the header of its history."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import torch

from trainers.adapter import AdapterSpace, AdapterWeights
from trainers.es_config import ESConfig, as_dict
from trainers.noise import NOISE_SPEC, Noise
from trainers.strategy import Strategy
from trainers.weights import EvolvingWeights

if TYPE_CHECKING:
    from trainers.evosax_strategy import EvosaxStrategy

__all__ = ["history_header", "make_strategy"]

# The settings that the members' rewards depend on.
_HYPERPARAMETERS = (
    "population_size", "sigma", "learning_rate", "lr_scheduler_type", "antithetic", "fitness_shaping",
    "prompt_baseline", "strategy", "strategy_options", "sigma_scheduler_type", "sigma_end",
    "num_prompts_per_step", "num_generations", "max_completion_length", "temperature",
    "top_p", "top_k", "stop_strings", "common_random_numbers", "min_scored_share", "shuffle_dataset", "seed",
)  # fmt: skip


def make_strategy(
    args: ESConfig, evolving: Mapping[str, torch.Tensor], exponents: Mapping[str, int] | None
) -> tuple[Strategy | EvosaxStrategy, EvolvingWeights, Noise]:
    """(strategy, the weights that it moves, the noise that its members see).

    Args:
        evolving: name -> base weight of those that evolve.
        exponents: their scales, see `EvolvingWeights`.
    """
    noise = Noise(args.run_key, args.rank)
    if args.strategy == "open_es":
        own = Strategy(args.population_size, args.learning_rate, args.rank, args.fitness_shaping, args.antithetic)
        weights = EvolvingWeights(evolving, noise, own.unit_exponent, exponents, noise_backend=args.noise_backend)
        return own, weights, noise
    from trainers.evosax_strategy import EvosaxStrategy

    space = AdapterSpace({name: tuple(p.shape) for name, p in evolving.items()}, noise)
    theirs = EvosaxStrategy(
        args.strategy.removeprefix("evosax:"),
        args.population_size,
        space,
        args.sigma,
        args.run_key,
        args.fitness_shaping,
        as_dict(args.strategy_options),
    )
    return theirs, AdapterWeights(evolving, space, theirs.unit_exponent, exponents), theirs.noise


def history_header(args: ESConfig, weights: EvolvingWeights, base_hash: str, max_steps: int) -> dict[str, Any]:
    """What the weights follow from, besides the base model and the lines, and the settings of the run."""
    hyperparameters = {name: getattr(args, name) for name in _HYPERPARAMETERS}
    if (args.lr_scheduler_type, args.sigma_scheduler_type) != ("constant", "constant"):
        hyperparameters["max_steps"] = max_steps
    header = {
        "noise_spec": NOISE_SPEC,
        "run_key": args.run_key,
        "rank": args.rank,
        "unit_exponent": weights.unit_exponent,
        "base_hash": base_hash,
        "manifest": weights.manifest,
        "exponents": weights.exponents,
        "hyperparameters": hyperparameters,
    }
    if isinstance(weights, AdapterWeights):
        header["adapter"] = {"dimensions": weights.space.dimensions}
    # As a file gives it back: tuples are lists.
    plain: dict[str, Any] = json.loads(json.dumps(header))
    return plain
