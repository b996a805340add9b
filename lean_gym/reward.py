"""Verdict -> reward. An infrastructure failure has no reward: None, never a number."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from .core.library import find_library
from .prompt import extract_proof, theorem_from_row
from .submission import Submission
from .verdict import Outcome, Verdict
from .verifier import Verifier

__all__ = ["LeanReward", "OutcomeReward", "binary_reward", "score"]


@dataclass(frozen=True)
class OutcomeReward:
    """Rewards by outcome; every one but `proved` must stay below `proved`.

    Attributes:
        proved, rejected, timeout, out_of_memory, crashed, exploit: the reward of that outcome.

    Raises:
        ValueError: when some other outcome would pay as much as a proof.
    """

    proved: float = 1.0
    rejected: float = 0.0
    timeout: float = 0.0
    out_of_memory: float = 0.0
    crashed: float = 0.0
    exploit: float = 0.0

    def __post_init__(self) -> None:
        for name in ("rejected", "timeout", "out_of_memory", "crashed", "exploit"):
            if getattr(self, name) >= self.proved:
                raise ValueError(f"reward {name}={getattr(self, name)} must be below proved={self.proved}")

    def __call__(self, verdict: Verdict) -> float | None:
        """The reward of `verdict`; None for INFRA, which must be left out of every mean."""
        return {
            Outcome.PROVED: self.proved,
            Outcome.REJECTED: self.rejected,
            Outcome.TIMEOUT: self.timeout,
            Outcome.OUT_OF_MEMORY: self.out_of_memory,
            Outcome.CRASHED: self.crashed,
            Outcome.EXPLOIT_SUSPECTED: self.exploit,
            Outcome.INFRA: None,
        }[verdict.outcome]


binary_reward = OutcomeReward()
"""1 for PROVED, 0 for every other end, None for INFRA."""


def score(reward: Callable[..., float | None], verdict: Verdict, text: str) -> float | None:
    """The reward of `verdict` on `text`: None for INFRA whatever `reward` says; given the text if it `reads_text`."""
    if not verdict.scored:
        return None
    return reward(verdict, text) if getattr(reward, "reads_text", False) else reward(verdict)


class LeanReward:
    """Rewards of completions by the contract of TRL's `reward_funcs`, from verdicts.

    Called with `prompts`, `completions` and the data set's columns (those of `prompt.to_dataset_rows`), it returns
    one float a completion, or None where the check failed by our fault; trainers leave such samples out. `submit`
    does the same without waiting, so that a trainer can send each completion when it is finished. Picklable.

    Args:
        verifier: an open `Verifier` to share; None: one is made from `settings` at the first use.
        reward: verdict -> float | None, or (verdict, text) -> float | None with an attribute `reads_text` that is true
            (`ProcessReward`); never asked for INFRA, which has none.
        name: the name under which trainers log this reward.
        **settings: fields of `VerifierConfig` for a verifier of its own.
    """

    def __init__(
        self,
        verifier: Verifier | None = None,
        reward: Callable[..., float | None] = binary_reward,
        name: str = "lean",
        **settings: Any,
    ) -> None:
        if verifier is not None and settings:
            raise ValueError(f"{', '.join(settings)}: settings of a verifier that is given already; set them there")
        self.verifier = verifier or Verifier(**settings)
        self.reward = reward
        self.__name__ = name
        self._reset()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()

    def __getstate__(self) -> dict[str, Any]:
        return {"verifier": self.verifier, "reward": self.reward, "__name__": self.__name__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._reset()

    def __call__(self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> list[float | None]:
        """Rewards of `completions` (texts, or lists of chat messages); waits for all of them.

        Raises:
            ValueError: when the columns that name the theorem are missing.
        """
        rows = [
            {key: values[index] for key, values in columns.items() if _is_column(values, len(completions))}
            for index in range(len(completions))
        ]
        futures = self.submit(rows, completions)
        rewards = [future.result() for future in futures]
        log_metric = columns.get("log_metric")
        if callable(log_metric):
            for key, value in self.take_metrics().items():
                log_metric(key, value)
        return rewards

    def submit(self, rows: Sequence[Mapping[str, Any]], completions: Sequence[Any]) -> list[Future[float | None]]:
        """Start the checks of `completions` of the data set's `rows`; returns one future of the reward for each."""
        submissions = [
            Submission(theorem_from_row(row), extract_proof(completion))
            for row, completion in zip(rows, completions, strict=True)
        ]
        return [self._score(self.verifier.submit(submission), submission.text) for submission in submissions]

    def _score(self, checking: Future[Verdict], text: str) -> Future[float | None]:
        scored: Future[float | None] = Future()

        def finish(done: Future[Verdict]) -> None:
            if done.cancelled():
                scored.cancel()
                return
            if error := done.exception():
                scored.set_exception(error)
                return
            verdict = done.result()
            with self._lock:
                self._counts["attempts"] += 1
                self._counts[verdict.outcome.value.lower()] += 1
                self._counts["cached"] += verdict.cached
            try:
                scored.set_result(score(self.reward, verdict, text))
            except Exception as error:  # the reward function's own fault goes to who waits
                scored.set_exception(error)

        checking.add_done_callback(finish)
        return scored

    def take_metrics(self) -> dict[str, float]:
        """The verdict mix since the last call: `lean/attempts`, then each outcome as a share of them."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        attempts = counts.pop("attempts", 0)
        shares = {f"lean/{key}": count / attempts for key, count in sorted(counts.items()) if attempts}
        return {"lean/attempts": float(attempts), **shares}

    def provenance(self) -> dict[str, str]:
        """What the rewards rest on, for the header of a run's history: worker kind, rules, the Lean that audits."""
        config = self.verifier.config
        told = {"worker": config.worker, "audit": config.audit, "policy": config.policy_hash()}
        if config.audit == "full":
            library = find_library()
            told |= {"lean": library.version, "lean_githash": library.githash}
        return told

    def close(self) -> None:
        """Stop the workers of the verifier."""
        self.verifier.close()


def _is_column(values: Any, count: int) -> bool:
    return isinstance(values, (list, tuple)) and len(values) == count
