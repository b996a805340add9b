"""`GRPOReward`: verdicts as a reward function of TRL's trainers, asynchronous, with the verdict mix as metrics."""

from __future__ import annotations

import asyncio
import math
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from lean_gym.prompt import extract_proof, theorem_from_row
from lean_gym.reward import LeanReward
from lean_gym.shaping import Shaping
from lean_gym.submission import Submission
from lean_gym.verdict import Outcome, Verdict
from lean_gym.verifier import Verifier

__all__ = ["GRPOReward", "verdict_mix"]

_REASONS = ("lean_error", "sorry", "axiom", "statement", "kernel", "policy")


def verdict_mix(verdicts: Sequence[Verdict]) -> dict[str, float]:
    """Shares of the outcomes and of the reasons of rejections, cache hits, mean seconds; the same keys always, so that
    means over steps and processes stay right. {} without a verdict."""
    if not verdicts:
        return {}
    count = len(verdicts)
    outcomes = Counter(v.outcome for v in verdicts)
    reasons = Counter(v.reason if v.reason in _REASONS else "other" for v in verdicts if v.outcome is Outcome.REJECTED)
    mix = {f"lean/{outcome.value.lower()}": outcomes[outcome] / count for outcome in Outcome}
    mix |= {f"lean/rejected/{reason}": reasons[reason] / count for reason in (*_REASONS, "other")}
    mix["lean/cached"] = sum(v.cached for v in verdicts) / count
    mix["lean/seconds_queued"] = math.fsum(v.seconds.queued for v in verdicts) / count
    mix["lean/seconds"] = math.fsum(v.seconds.elaborate + v.seconds.audit for v in verdicts) / count
    return mix


class GRPOReward:
    """A reward function by TRL's contract: a float a completion, None where the check failed by our fault.

    TRL (1.16) awaits it on a loop of its own beside the other asynchronous reward functions; the checks wait on the
    verifier's thread and never on TRL's loop. `start` begins a check early: the call that follows takes its verdict.
    Picklable; a copy starts workers of its own.

    Args:
        verifier: see `Verifier`. shaping: verdicts -> rewards. name: what TRL logs it as.
        max_completion_length: tokens; for the length penalty.

    Attributes:
        passed: of the last call, whether each completion proved its theorem; None for INFRA.
    """

    def __init__(
        self,
        verifier: Verifier | None = None,
        shaping: Shaping | None = None,
        name: str = "lean",
        max_completion_length: int = 0,
    ) -> None:
        self.verifier = verifier or Verifier()
        self.shaping = shaping or Shaping()
        self.max_completion_length = max_completion_length
        self.__name__ = name
        self._reset()

    def _reset(self) -> None:
        self.passed: list[bool | None] = []
        self._early: defaultdict[Submission, deque[Future[Verdict]]] = defaultdict(deque)

    def __getstate__(self) -> dict[str, Any]:
        hidden = ("passed", "_early")
        return {key: value for key, value in self.__dict__.items() if key not in hidden}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._reset()

    def start(self, row: Mapping[str, Any], completion: Any) -> None:
        """Begin the check of a completion of a data set's row, for the next call."""
        submission = Submission(theorem_from_row(row), extract_proof(completion))
        self._early[submission].append(self.verifier.submit(submission))

    def drop(self) -> None:
        """Forget (and stop) the checks that were begun and not asked for."""
        for futures in self._early.values():
            for future in futures:
                future.cancel()
        self._early.clear()

    async def __call__(
        self,
        prompts: Sequence[Any],
        completions: Sequence[Any],
        completion_ids: Sequence[Sequence[int]] | None = None,
        sequence_logprob: Sequence[float] | None = None,
        log_metric: Callable[[str, float], None] | None = None,
        log_extra: Callable[[str, list[Any]], None] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """Rewards of `completions`; `columns` are those of the data set.

        Raises:
            ValueError: when the columns that name the theorem are missing.
        """
        count = len(completions)
        columns = {k: v for k, v in columns.items() if isinstance(v, (list, tuple)) and len(v) == count}
        submissions = [
            Submission(theorem_from_row({k: v[i] for k, v in columns.items()}), extract_proof(completions[i]))
            for i in range(count)
        ]
        futures = []
        for submission in submissions:
            early = self._early.get(submission)
            futures.append(early.popleft() if early else self.verifier.submit(submission))
        self.drop()
        verdicts = list(await asyncio.gather(*map(asyncio.wrap_future, futures)))
        self.passed = [v.proved if v.scored else None for v in verdicts]
        rewards = self.shaping(
            verdicts,
            [s.text for s in submissions],
            [s.theorem for s in submissions],
            lengths=None if completion_ids is None else [len(ids) for ids in completion_ids],
            limit=self.max_completion_length,
            logprobs=sequence_logprob,
        )
        if log_metric is not None:
            for key, value in verdict_mix(verdicts).items():
                log_metric(key, value)
        if log_extra is not None:
            log_extra("outcome", [v.outcome.value for v in verdicts])
            log_extra("detail", [v.detail for v in verdicts])
        return rewards

    def provenance(self) -> dict[str, str]:
        """See `LeanReward.provenance`."""
        return LeanReward(self.verifier).provenance()

    def close(self) -> None:
        """Stop the workers."""
        self.drop()
        self.verifier.close()
