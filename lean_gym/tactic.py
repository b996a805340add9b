"""`TacticEpisode`: a proof tactic by tactic, its state being the goals as Lean prints them.

A state is its text: the tactics so far, run again with each step by whatever worker the verifier has. The step stands
in parentheses, so that it must be whole in itself, and `done` follows, whose error is "unsolved goals" and the goals.
A lone `)` ends the text: so it is never accepted, and costs no audit, when no goal is left.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from .episode import Checks, Episode, Rules, Turn
from .feedback import feedback
from .submission import Submission
from .theorem import Theorem
from .verdict import Message, Outcome, Verdict

__all__ = ["TacticEpisode"]

_OPEN = "unsolved goals\n"
_CLOSING, _END = "unexpected token ')'", "unexpected end of the tactic"
_COMMENT = re.compile(r"--[^\n]*|/-.*?-/", re.DOTALL)
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_SORRY = re.compile(r"\b(?:sorry|admit)\b")
_INDENT = 2  # columns before a tactic of the proof; one more within the parentheses


@dataclass(frozen=True)
class _Tried:
    """A step that was checked: it `failed` (then why is in the verdict, whose positions are the action's), it left
    `goals`, or it `closed` them all."""

    verdict: Verdict
    step: str = ""
    goals: str = ""
    closed: bool = False
    failed: bool = False


class TacticEpisode(Episode):
    """One tactic (or block of tactics) a step.

    A tactic that fails leaves the state as it was. When no goal is left, the whole text goes through the whole-proof
    check and the audit; that verdict ends the episode. `sorry` and `admit` count as failing tactics.

    Args:
        theorem, rules: as for every episode.
        prefix: tactics to start after.

    Attributes:
        prefix: the proof so far, each line indented.
        goals: those left, as Lean prints them.
        steps: steps taken.
    """

    keys = ("feedback", "goals", "prefix")

    def __init__(self, theorem: Theorem, rules: Rules, prefix: str = "") -> None:
        super().__init__(theorem, rules)
        self.prefix = ""
        self.goals = ""
        self.steps = 0
        self._start = prefix
        self._told = ""

    def start(self) -> Checks[dict[str, Any]]:
        """Look at the first goals.

        Raises:
            ValueError: when the prefix fails, or leaves nothing to prove.
        """
        tried = yield from self._try(self._start)
        if not tried.verdict.scored:
            # Our fault; the next step may have more luck, or says so itself.
            return {"theorem": self.theorem.id, "error": tried.verdict.detail}
        if tried.failed and self._start.strip():
            raise ValueError(f"reset option prefix: {feedback(tried.verdict, self._start) or tried.verdict.detail}")
        if tried.closed and self._start.strip():
            raise ValueError("reset option prefix: it leaves no goal; give a part of it")
        self.prefix, self.goals = tried.step, tried.goals
        return {"theorem": self.theorem.id, "error": tried.verdict.detail if tried.failed else ""}

    def play(self, action: str) -> Checks[Turn]:
        if action.strip():
            tried = yield from self._try(action)
        else:
            tried = _failed(Verdict(Outcome.REJECTED, "missing", "The tactic is empty."))
        verdict = tried.verdict
        if tried.closed:
            # What counts is the text itself, without what was put around it.
            verdict = yield Submission(self.theorem, self.prefix + tried.step)
            if verdict.outcome is Outcome.REJECTED:
                lines = self.prefix.count("\n")
                tried = _failed(replace(verdict, messages=tuple(_moved(m, lines, 0) for m in verdict.messages)))
                verdict = tried.verdict
        self.steps += 1
        self.verdict = verdict
        self._told = ""
        if not verdict.scored:
            return self._turn(verdict, None, ended=False, error=verdict.detail, proof=self.prefix)
        if tried.failed:
            self._told = feedback(verdict, action, self.rules.feedback_chars) or verdict.detail
        else:
            self.prefix, self.goals = self.prefix + tried.step, tried.goals
        self.text = self.prefix
        cut = self.steps >= self.rules.max_steps
        reward: float | None = 0.0
        if tried.closed and not tried.failed:
            reward = self._score(verdict, self.prefix)
        elif cut:
            reward = self._score(_unfinished(self.goals), self.prefix)
        ended = tried.closed and not tried.failed
        return self._turn(verdict, reward, ended, cut, error=self._told, proof=self.prefix, steps=self.steps)

    def more(self) -> dict[str, str]:
        return {"feedback": self._told, "goals": self.goals, "prefix": self.prefix}

    def render(self) -> str:
        lines = [f"{self.theorem.formal_statement} := by"]
        if self.prefix:
            lines.append(self.prefix.removesuffix("\n"))
        if self._told:
            lines.append(textwrap.indent(self._told, "-- "))
        if self.over and self.verdict:
            lines.append(f"-- {self.verdict.outcome}" + (f": {self.verdict.detail}" if self.verdict.detail else ""))
        else:
            lines.append(textwrap.indent(self.goals, "-- "))
        return "\n".join(lines)

    def _try(self, action: str) -> Checks[_Tried]:
        """Check a step after the prefix, in each reading of its layout until one holds."""
        if _SORRY.search(_COMMENT.sub(" ", action)):
            detail = "`sorry` and `admit` prove nothing."
            return _failed(Verdict(Outcome.REJECTED, "sorry", detail))
        if _closes_more(action):
            detail = "The tactic has a `)` that nothing in it opens."
            return _failed(Verdict(Outcome.REJECTED, "lean_error", detail))
        if len(self.prefix) + len(action) > self.rules.max_length:
            detail = f"The proof would have more than {self.rules.max_length} characters (max_length)."
            return _failed(Verdict(Outcome.REJECTED, "policy", detail))
        first: _Tried | None = None
        for lines, shifts in _readings(action):
            inside = "\n".join(lines).strip("\n")
            body = f"{self.prefix}{' ' * _INDENT}({inside.lstrip(' ')}\n{' ' * _INDENT})\n" if inside.strip() else ""
            body = body or self.prefix
            verdict = yield Submission(self.theorem, f"{body}{' ' * _INDENT}done\n{' ' * _INDENT})")
            tried = self._judge(verdict, body.count("\n") + 1, lines, shifts)
            if not tried.failed:
                return tried
            first = first or tried
        assert first is not None
        return first

    def _judge(self, verdict: Verdict, done: int, lines: list[str], shifts: list[int]) -> _Tried:
        """What a verdict says of a step. `done`: the line on which `done` stands."""
        blank = next((i for i, line in enumerate(lines) if line.strip()), 0)
        step = "\n".join([" " * _INDENT + lines[blank].strip(), *(line[1:] for line in lines[blank + 1 :])])
        step = step.rstrip() + "\n" if step.strip() else ""
        if not verdict.scored:
            return _Tried(verdict, step)
        errors = [message for message in verdict.messages if message.severity == "error"]
        *others, last = errors or [Message("error", 0, 0, verdict.detail)]
        if (verdict.reason, last.line) == ("lean_error", done + 1) and last.text.startswith(_CLOSING):
            if not others:
                return _Tried(verdict, step, closed=True)
            if len(others) == 1 and others[0].line == done and others[0].text.startswith(_OPEN):
                goals = others[0].text[len(_OPEN) :].strip("\n")
                return _Tried(replace(verdict, messages=()), step, goals)
        # The step's own errors; what stands after them (the `done`, the end of the proof) only follows from them.
        before = self.prefix.count("\n") - blank
        own = []
        for message in errors:
            line = message.line - before
            if message.text.startswith(_CLOSING) and (line > len(lines) or not any(")" in text for text in lines)):
                # Not the model's parenthesis.
                message = replace(message, text=_END + message.text[len(_CLOSING) :])
            if line == len(lines) + 1:
                own.append(replace(message, line=len(lines), column=max(len(lines[-1]) - shifts[-1], 0)))
            elif 0 < line <= len(lines):
                own.append(_moved(message, before, shifts[line - 1]))
        return _failed(replace(verdict, messages=tuple(own)) if own else verdict)


def _closes_more(action: str) -> bool:
    """Whether a parenthesis is closed that was not opened: it would end the ones that the step stands in."""
    depth = 0
    for character in _STRING.sub("", _COMMENT.sub(" ", action)):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return True
    return False


def _failed(verdict: Verdict) -> _Tried:
    return _Tried(verdict, failed=True)


def _unfinished(goals: str) -> Verdict:
    """The verdict on a proof that was left with goals."""
    message = Message("error", 0, 0, f"{_OPEN}{goals}")
    return Verdict(Outcome.REJECTED, "lean_error", "The proof is not finished.", (message,))


def _moved(message: Message, lines: int, columns: int) -> Message:
    return replace(message, line=max(message.line - lines, 0), column=max(message.column - columns, 0))


def _readings(action: str) -> Iterator[tuple[list[str], list[int]]]:
    """The step's lines as they may be meant, each three columns in at least, and how far each was moved right.

    Where only the first line stands in the first column, it may have lost its blanks (`str.strip`).
    """
    lines = action.replace("\r\n", "\n").split("\n")
    depths = [len(line) - len(line.lstrip(" ")) for line in lines]
    filled = [index for index, line in enumerate(lines) if line.strip()]
    if not filled:
        yield [""], [0]
        return
    least = min(depths[index] for index in filled)
    move = _INDENT + 1 - least
    yield [_indented(line, move) for line in lines], [move] * len(lines)
    first, below = filled[0], [depths[index] for index in filled[1:]]
    if below and depths[first] < min(below):
        move = _INDENT + 1 - min(below)
        moves = [move] * len(lines)
        moves[first] = _INDENT + 1 - depths[first]
        yield [_indented(line, moves[index]) for index, line in enumerate(lines)], moves


def _indented(line: str, columns: int) -> str:
    if not line.strip():
        return ""
    return " " * columns + line if columns >= 0 else line[-columns:]
