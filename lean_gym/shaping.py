"""Shaped rewards: small functions, put together by `Shaping`. Every proof stays above every failure."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields

from .process_reward import ProcessReward, score
from .reward import OutcomeReward, binary_reward
from .verdict import Verdict

__all__ = ["Shaping", "length_factor", "unlikeliness_factors"]


def unlikeliness_factors(logprobs: Sequence[float], groups: Sequence[Hashable], beta: float) -> list[float]:
    """Factors on the rewards of proofs that favour the ones the policy found unlikely.

    1 - beta * (G - rank) / G, with rank 0 for the likeliest of a group of G attempts at one theorem and G - 1 for the
    least likely (He, Fried and Welleck 2025, "Rewarding the Unlikely", arXiv 2506.02355, who take beta = 0.25). Equal
    log-probabilities share their mean rank: the same proof twice gets the same reward.

    Args:
        logprobs: of each whole completion under the policy that made it.
        groups: what theorem each belongs to.
        beta: in [0, 1).
    """
    members: dict[Hashable, list[int]] = {}
    for i, group in enumerate(groups):
        members.setdefault(group, []).append(i)
    factors = [1.0] * len(logprobs)
    for own in members.values():
        for i in own:
            above = sum(logprobs[j] > logprobs[i] for j in own)
            same = sum(logprobs[j] == logprobs[i] for j in own)
            rank = above + (same - 1) / 2
            factors[i] = 1.0 - beta * (len(own) - rank) / len(own)
    return factors


def length_factor(length: int, limit: int, share: float) -> float:
    """1 for an empty completion down to 1 - share for one of `limit` tokens or more."""
    return 1.0 - share * min(1.0, length / limit)


@dataclass(frozen=True)
class Shaping:
    """Rewards of a batch of verdicts. With all settings 0: the outcome's own.

    A failure gets credit for the tactics before its first error (`process_reward`); the reward of a proof is multiplied
    by `unlikeliness_factors` and `length_factor`, which never touch a failure.

    Attributes:
        outcome: verdict -> reward before shaping.
        process: share of the way up to a proof that a failure can come, see `ProcessReward`.
        unlikeliness: beta of `unlikeliness_factors`.
        length_penalty: what a proof of the greatest length loses, as a share of its reward.

    Raises:
        ValueError: for a setting outside [0, 1), and when the least of a proof would not be above the most of a
            failure.
    """

    outcome: OutcomeReward = binary_reward
    process: float = 0.0
    unlikeliness: float = 0.0
    length_penalty: float = 0.0

    def __post_init__(self) -> None:
        for name in ("process", "unlikeliness", "length_penalty"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: give a number from 0 up to, but without, 1")
        least = self.outcome.proved * (1 - self.unlikeliness) * (1 - self.length_penalty)
        failures = [getattr(self.outcome, f.name) for f in fields(self.outcome) if f.name != "proved"]
        most = max(failures)
        most = max(most, self.outcome.rejected + self.process * (self.outcome.proved - self.outcome.rejected))
        if self.outcome.proved <= 0 or least <= most:
            raise ValueError(
                f"a proof could get {least:g} and a failure {most:g}: lower process, unlikeliness or length_penalty"
            )

    def __call__(
        self,
        verdicts: Sequence[Verdict],
        texts: Sequence[str],
        groups: Sequence[Hashable],
        *,
        lengths: Sequence[int] | None = None,
        limit: int = 0,
        logprobs: Sequence[float] | None = None,
    ) -> list[float | None]:
        """The rewards; None for INFRA.

        Args:
            texts: the proofs as they were checked.
            groups: what theorem each belongs to.
            lengths, limit: tokens of each and the greatest number; for `length_penalty`.
            logprobs: see `unlikeliness_factors`.

        Raises:
            ValueError: when a setting needs `lengths` or `logprobs` that are not given.
        """
        base = ProcessReward(self.outcome, self.process) if self.process else self.outcome
        rewards = [score(base, verdict, text) for verdict, text in zip(verdicts, texts, strict=True)]
        factors = [1.0] * len(rewards)
        if self.unlikeliness:
            if logprobs is None:
                raise ValueError("unlikeliness needs the log-probability of each completion, which is not known here")
            factors = unlikeliness_factors(logprobs, groups, self.unlikeliness)
        if self.length_penalty:
            if lengths is None or limit < 1:
                raise ValueError("length_penalty needs the length of each completion and the greatest one")
            short = [length_factor(length, limit, self.length_penalty) for length in lengths]
            factors = [a * b for a, b in zip(factors, short, strict=True)]
        return [
            reward * factor if reward is not None and verdict.proved else reward
            for reward, factor, verdict in zip(rewards, factors, verdicts, strict=True)
        ]
