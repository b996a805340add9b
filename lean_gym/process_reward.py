"""Credit for the tactics before the first one that fails: a shaped reward, always below a proof's."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .reward import OutcomeReward, binary_reward, score
from .verdict import Outcome, Verdict

__all__ = ["ProcessReward", "process_credit", "score"]

_COMMENT = re.compile(r"--[^\n]*|/-.*?(?:-/|\Z)", re.DOTALL)
_NOT_NEWLINE = re.compile(r"[^\n]")
_PARSE_ERROR = re.compile(r"(?:unexpected|expected|unterminated|missing end|invalid escape)\b")
_IDLE = re.compile(r"(?:skip|done|try skip|all_goals skip|·|by|:=|:= by)?\Z")


def process_credit(verdict: Verdict, text: str) -> float:
    """How far a rejected proof gets before its first failing tactic: from 0 up to, but without, 1.

    The first error by Lean's own positions parts the text: k tactics (lines, or parts of a line between `;`) stand
    before it, n in all, and the credit is k / (n + 1); goals left at the end count as the failing one. Tactics that
    are repeated or do nothing (`skip`) count once or not at all, so that padding pays little; it can't be kept from
    paying something, which is why the reward stays far below a proof's. 0 for a proof that Lean could not parse (then
    it says nothing of the tactics before), that holds `sorry`, and for every outcome but a Lean error.

    The idea, credit to what stands before the earliest failing tactic: Kim and Yun 2026, "Process-Verified
    Reinforcement Learning for Theorem Proving via Lean", arXiv 2606.20068. They give it to tokens; this is one number.
    """
    if verdict.outcome is not Outcome.REJECTED or verdict.reason != "lean_error":
        return 0.0
    errors = [message for message in verdict.messages if message.severity == "error"]
    if not errors or any(_PARSE_ERROR.match(message.text) for message in errors):
        return 0.0
    code = _COMMENT.sub(lambda found: _NOT_NEWLINE.sub(" ", found.group()), text)
    if re.search(r"\b(?:sorry|admit)\b", code):
        return 0.0
    placed = [(message.line, message.column) for message in errors if message.line]
    if len(placed) < len(errors) and not all(_is_open(m.text) for m in errors if not m.line):
        return 0.0  # an error of the whole proof says nothing of its parts
    first = min(placed, default=None)
    total: set[str] = set()
    good: set[str] = set()
    for line, column, tactic in _tactics(code):
        total.add(tactic)
        # An error stands at its tactic's start or within it.
        if first is None or (line, column + len(tactic)) <= first:
            good.add(tactic)
    return len(good) / (len(total) + 1)


def _is_open(message: str) -> bool:
    return message.lstrip().startswith("unsolved goals")


def _tactics(code: str) -> list[tuple[int, int, str]]:
    """(line, column, tactic) of each tactic that does something."""
    found = []
    for number, line in enumerate(code.split("\n"), 1):
        at = 0
        for part in line.split(";"):
            tactic = part.strip()
            if not _IDLE.match(tactic.removeprefix("·").strip()):
                found.append((number, at + len(part) - len(part.lstrip()), tactic))
            at += len(part) + 1
    return found


@dataclass(frozen=True)
class ProcessReward:
    """An outcome's reward, plus a share of what a proof has over it for the tactics that came before the failure.

    reward = r + share * `process_credit` * (r_proved - r), with r = `outcome` of the verdict: below r_proved always.

    Attributes:
        outcome: verdict -> float | None, e.g. an `OutcomeReward`.
        share: at most this much of the way up to a proof's reward, in (0, 1).
        reads_text: tells callers to give the text too (see `score`).

    Raises:
        ValueError: for a share that is not between 0 and 1.
    """

    outcome: OutcomeReward = binary_reward
    share: float = 0.2
    reads_text: bool = True

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise ValueError(f"share={self.share}: give a number between 0 and 1, e.g. 0.2")

    def __call__(self, verdict: Verdict, text: str) -> float | None:
        """The reward; None for INFRA."""
        reward = self.outcome(verdict)
        if reward is None or verdict.proved:
            return reward
        return reward + self.share * process_credit(verdict, text) * (self.outcome.proved - reward)
