"""The numbers of a generation, under TRL's names where TRL has them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Result", "generation_metrics", "mean_reward"]


class Result(NamedTuple):
    """What a rank reports of one attempt: the first three order the results, `reward` is what the update needs."""

    member: int
    prompt: int
    attempt: int
    reward: float | None
    scores: list[float | None]
    tokens: int
    ended: bool


def mean_reward(results: Sequence[Result]) -> float | None:
    """Mean of the rewards there are; None without any."""
    rewards = [r.reward for r in results if r.reward is not None]
    return math.fsum(rewards) / len(rewards) if rewards else None


def generation_metrics(
    results: Sequence[Result], fitness: Sequence[float | None], names: Sequence[str], threshold: float
) -> dict[str, float]:
    """Metrics of one generation.

    Args:
        results: of all attempts of all ranks.
        fitness: of the members; its spread is `reward_std`.
        names: of the reward functions.
        threshold: a reward from here up is a pass.

    Returns:
        reward (mean; NaN without any), reward_std, pass_rate, prompts_solved (share of prompts with a pass), scored and
        members_scored (shares), completions/mean_length (tokens), completions/clipped_ratio, rewards/NAME/mean and std.
    """
    count = max(1, len(results))
    scored = [r for r in results if r.reward is not None]
    passed = [r for r in scored if r.reward is not None and r.reward >= threshold]
    known = [f for f in fitness if f is not None]
    mean = mean_reward(results)
    metrics = {
        "reward": math.nan if mean is None else mean,
        "reward_std": _std(known),
        "pass_rate": len(passed) / max(1, len(scored)),
        "prompts_solved": len({r.prompt for r in passed}) / max(1, len({r.prompt for r in results})),
        "scored": len(scored) / count,
        "members_scored": len(known) / len(fitness),
        "completions/mean_length": sum(r.tokens for r in results) / count,
        "completions/clipped_ratio": sum(not r.ended for r in results) / count,
    }
    for i, name in enumerate(names):
        values = [score for r in results if (score := r.scores[i]) is not None]
        if values:
            metrics[f"rewards/{name}/mean"] = math.fsum(values) / len(values)
            metrics[f"rewards/{name}/std"] = _std(values)
    return metrics


def _std(values: Sequence[float]) -> float:
    if not values:
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values))
