"""Episodes without their I/O: what is checked next, and what a verdict makes of it.

An episode's `start` and `play` are generators: they yield the `Submission`s that have to be checked, are sent the
verdicts, and return what came of it. So one environment and hundreds of them side by side run the same code.
"""

from __future__ import annotations

import queue
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from .feedback import feedback
from .process_reward import score
from .prompt import plain_prompt
from .reward import binary_reward
from .spaces import shown
from .submission import Submission
from .theorem import Theorem
from .verdict import Verdict
from .verifier import Verifier

__all__ = ["Checks", "Episode", "RepairEpisode", "Rules", "Turn", "WholeEpisode", "play_all"]

T = TypeVar("T")
Checks = Generator[Submission, Verdict, T]
"""Yields what to check, is sent the verdict, returns a T."""


@dataclass(frozen=True)
class Rules:
    """How episodes go; see `LeanProofEnv`."""

    reward: Callable[..., float | None] = binary_reward
    max_attempts: int = 4
    max_steps: int = 100
    reward_by: str = "last"
    feedback_chars: int = 2000
    max_length: int = 1 << 16

    def __post_init__(self) -> None:
        for name in ("max_attempts", "max_steps", "feedback_chars", "max_length"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: give at least 1")
        if self.reward_by not in ("last", "best"):
            raise ValueError(f"reward_by={self.reward_by!r}: give 'last' or 'best'")


@dataclass(frozen=True)
class Turn:
    """What a step came to, by Gymnasium's words."""

    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class Episode(ABC):
    """One theorem, from `start` until `over`.

    Attributes:
        theorem: what is to be proved.
        text: what was written last.
        verdict: on it, or None before the first check.
        over: whether the episode has ended.
    """

    keys: tuple[str, ...] = ()
    """What its observations hold besides header, statement and prompt."""

    def __init__(self, theorem: Theorem, rules: Rules) -> None:
        self.theorem = theorem
        self.rules = rules
        self.text = ""
        self.verdict: Verdict | None = None
        self.over = False

    def start(self) -> Checks[dict[str, Any]]:
        """Begin; returns `info`."""
        yield from ()
        return {"theorem": self.theorem.id}

    @abstractmethod
    def play(self, action: str) -> Checks[Turn]:
        """One step. Nothing of the episode changes before its checks are done."""

    def observation(self) -> dict[str, str]:
        """The texts to observe, each a member of `LeanText(max_length)`."""
        texts = {
            "header": self.theorem.header,
            "prompt": plain_prompt(self.theorem),
            "statement": self.theorem.formal_statement,
            **self.more(),
        }
        return {key: shown(text, self.rules.max_length) for key, text in texts.items()}

    def more(self) -> dict[str, str]:
        """The texts under `keys`."""
        return {}

    def render(self) -> str:
        """The episode as text."""
        lines = [f"{self.theorem.formal_statement} := by"]
        if self.verdict:
            lines += [
                self.text,
                f"-- {self.verdict.outcome}" + (f": {self.verdict.detail}" if self.verdict.detail else ""),
            ]
        return "\n".join(lines)

    def _turn(self, verdict: Verdict, reward: float | None, ended: bool, cut: bool = False, **more: Any) -> Turn:
        """The step's end. `reward` None: our fault, so the episode is cut and masked."""
        infra = reward is None
        self.over = infra or ended or cut
        info = {
            "theorem": self.theorem.id,
            "verdict": verdict,
            "outcome": verdict.outcome.value,
            "mask": infra,
            **more,
        }
        return Turn(0.0 if reward is None else float(reward), ended and not infra, infra or (cut and not ended), info)

    def _score(self, verdict: Verdict, text: str) -> float | None:
        return score(self.rules.reward, verdict, text)


class WholeEpisode(Episode):
    """One proof, one verdict."""

    def play(self, action: str) -> Checks[Turn]:
        verdict = yield Submission(self.theorem, action)
        self.text, self.verdict = action, verdict
        return self._turn(verdict, self._score(verdict, action), ended=True)


class RepairEpisode(Episode):
    """Up to `max_attempts` proofs, with Lean's feedback after each; the reward comes at the end."""

    keys = ("attempt", "feedback")

    def __init__(self, theorem: Theorem, rules: Rules) -> None:
        super().__init__(theorem, rules)
        self.attempts = 0
        self.best: float | None = None

    def play(self, action: str) -> Checks[Turn]:
        verdict = yield Submission(self.theorem, action)
        self.text, self.verdict = action, verdict
        self.attempts += 1
        last = self._score(verdict, action)
        if last is not None:
            self.best = last if self.best is None else max(self.best, last)
        cut = self.attempts >= self.rules.max_attempts
        reward = last
        if last is not None:
            final = self.best if self.rules.reward_by == "best" else last
            reward = final if verdict.proved or cut else 0.0
        return self._turn(verdict, reward, verdict.proved, cut, attempts=self.attempts, attempt_reward=last or 0.0)

    def more(self) -> dict[str, str]:
        told = feedback(self.verdict, self.text, self.rules.feedback_chars) if self.verdict else ""
        return {"attempt": self.text, "feedback": told}

    def render(self) -> str:
        told = self.more()["feedback"]
        return super().render() + (f"\n{told}" if told else "")


def play_all(verifier: Verifier, games: Sequence[Checks[T]]) -> list[T]:
    """Run `games` to their ends, all their checks in flight together; what each returned, in order."""
    ends: dict[int, T] = {}
    running: dict[int, Future[Verdict]] = {}
    done: queue.SimpleQueue[int] = queue.SimpleQueue()

    def advance(index: int, verdict: Verdict | None) -> None:
        try:
            submission = games[index].send(verdict)  # type: ignore[arg-type]
        except StopIteration as end:
            ends[index] = end.value
            return
        running[index] = verifier.submit(submission)
        running[index].add_done_callback(lambda _: done.put(index))

    try:
        for index in range(len(games)):
            advance(index, None)
        while running:
            index = done.get()
            advance(index, running.pop(index).result())
    finally:
        for future in running.values():
            future.cancel()
    return [ends[index] for index in range(len(games))]
