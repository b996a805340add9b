"""`Verdict`: what a check decided. Nothing else in the package decides what a Lean reply means."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from .workers.base import Command, RawMessage, Reply, Status

__all__ = ["Message", "Outcome", "Seconds", "Verdict", "extra_command", "judge", "place_messages"]


class Outcome(str, Enum):
    """The seven ends of a check (DESIGN: "Verdicts")."""

    PROVED = "PROVED"
    REJECTED = "REJECTED"
    TIMEOUT = "TIMEOUT"
    OUT_OF_MEMORY = "OUT_OF_MEMORY"
    CRASHED = "CRASHED"
    EXPLOIT_SUSPECTED = "EXPLOIT_SUSPECTED"
    INFRA = "INFRA"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Message:
    """A message of Lean on the text that the model wrote.

    `line` counts from 1 and `column` (code points) from 0 in that text; a message on the given statement, before
    the model's text, has line 0.
    """

    severity: str
    line: int
    column: int
    text: str


@dataclass(frozen=True)
class Seconds:
    """Wall seconds of one check, by stage. `queued` is waiting for a worker and is not charged to the submission."""

    queued: float = 0.0
    importing: float = 0.0
    elaborate: float = 0.0
    audit: float = 0.0
    total: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """The outcome of one check and the evidence for it.

    Attributes:
        outcome: see `Outcome`.
        reason: "" for PROVED; else one word: lean_error, sorry, axiom, statement, kernel, policy, missing, kind,
            import, unsafe, incomplete, olean (REJECTED and EXPLOIT_SUSPECTED), or the limit or fault (the others).
        detail: one plain sentence on the reason: which rule, which constant, which line.
        messages: Lean's messages, positions in the text the model wrote.
        axioms: full names of the axioms that the proof rests on, as the audit found them; () without an audit.
        lean: Lean's version. `image`: digest of what checked. `policy`: hash of the rules in force.
        audit: "full", or "none" where the settings do without: then PROVED is only what the worker says.
        worker: id of the worker. `way`: how it runs Lean and why so, where a kind of worker has several ways.
            `attempts`: how many workers tried. `cached`: from the verdict cache.
    """

    outcome: Outcome
    reason: str = ""
    detail: str = ""
    messages: tuple[Message, ...] = ()
    axioms: tuple[str, ...] = ()
    lean: str = ""
    image: str = ""
    policy: str = ""
    audit: str = "full"
    # How the check went does not make it another verdict.
    seconds: Seconds = field(default_factory=Seconds, compare=False)
    worker: str = field(default="", compare=False)
    way: str = field(default="", compare=False)
    attempts: int = field(default=1, compare=False)
    cached: bool = field(default=False, compare=False)
    truncated: bool = False

    @property
    def proved(self) -> bool:
        """Whether the audit agrees that the statement is proved."""
        return self.outcome is Outcome.PROVED

    @property
    def scored(self) -> bool:
        """False when the check failed by our fault, so that nothing may be concluded from it."""
        return self.outcome is not Outcome.INFRA

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain JSON values (the form that `lean-gym check` prints and the cache stores)."""
        return {
            "outcome": self.outcome.value,
            "reason": self.reason,
            "detail": self.detail,
            "axioms": list(self.axioms),
            "messages": [
                {"severity": m.severity, "line": m.line, "column": m.column, "text": m.text} for m in self.messages
            ],
            "lean": self.lean,
            "image": self.image,
            "policy": self.policy,
            "audit": self.audit,
            "seconds": {
                "queued": self.seconds.queued,
                "importing": self.seconds.importing,
                "elaborate": self.seconds.elaborate,
                "audit": self.seconds.audit,
                "total": self.seconds.total,
            },
            "worker": self.worker,
            "way": self.way,
            "attempts": self.attempts,
            "cached": self.cached,
            "truncated": self.truncated,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Verdict:
        """Inverse of `to_json`."""
        data = dict(data)
        data["outcome"] = Outcome(data["outcome"])
        data["messages"] = tuple(Message(**m) for m in data["messages"])
        data["axioms"] = tuple(data["axioms"])
        data["seconds"] = Seconds(**data["seconds"])
        return cls(**data)


def place_messages(reply: Reply, offset: int, indent: int = 0, indented: int = 0) -> tuple[Message, ...]:
    """Lean's messages with positions in the model's text.

    That text starts after `offset` lines of the job's text and was moved right by `indent` columns: all of it, or only
    its line `indented` if that is not 0.
    """
    return tuple(_place(message, offset, indent, indented) for message in reply.messages)


def _place(message: RawMessage, offset: int, indent: int, indented: int) -> Message:
    if message.line <= offset:
        return Message(message.severity, 0, 0, message.text)
    if indented and message.line - offset != indented:
        indent = 0
    return Message(message.severity, message.line - offset, max(0, message.column - indent), message.text)


_ENDS = {
    Status.TIMEOUT: (Outcome.TIMEOUT, "limit"),
    Status.OUT_OF_MEMORY: (Outcome.OUT_OF_MEMORY, "limit"),
    Status.CRASHED: (Outcome.CRASHED, "crash"),
}


def judge(
    reply: Reply, messages: tuple[Message, ...], offset: int, module: bool = True
) -> tuple[Outcome, str, str] | None:
    """Stage 1: what a worker's reply means.

    It weeds out; it never decides a pass, because a hostile text can forge all that Lean prints.

    Args:
        messages: those of `reply`, placed (`place_messages`).
        offset: lines of the job's text before the model's.
        module: whether a pass must come with its compiled module.

    Returns:
        (outcome, reason, detail) of a submission that failed, or None when the audit has to decide.
    """
    if reply.status is not Status.DONE:
        outcome, reason = _ENDS[reply.status]
        return outcome, reason, reply.detail
    for command in reply.commands:
        if command.refused:
            line = max(0, command.line - offset)
            what = f"Line {line} holds the command `{_short(command.kind)}`" if line else "The statement is refused"
            return Outcome.REJECTED, "policy", f"{what}, which the policy refuses (`refused_commands`)."
    for raw, message in zip(reply.messages, messages):
        if message.severity == "error":
            if message.line == 0 and message.text.startswith(_UNSOLVED):
                what = "The proof leaves goals open (Lean marks it at the statement)"
                return Outcome.REJECTED, "lean_error", f"{what}: {_gist(message)}"
            return Outcome.REJECTED, "lean_error", f"Lean reports an error {_where(message)}: {_gist(message)}"
        if raw.kind == "hasSorry":
            return Outcome.REJECTED, "sorry", f"A declaration uses `sorry` ({_where(message)})."
    if module and reply.olean is None:
        return Outcome.REJECTED, "incomplete", "Lean reported no error, but handed back no compiled module."
    return None


_MODULE_DOC = "Lean.Parser.Command.moduleDoc"


def extra_command(reply: Reply, statement: tuple[Command, ...], offset: int) -> str | None:
    """Whether a proof body went on after its proof, by Lean's own parse: None, or one sentence that says where.

    Not what a pass rests on (the audit compares the statement), but a body stays a body.

    Args:
        reply: of the statement with the body under it.
        statement: the commands of the statement with its proof left open.
        offset: lines of the job's text before the body.
    """
    # A comment for the documentation (`/-! ... -/`) is a command to Lean, and nothing to anybody else.
    commands = [command for command in reply.commands if command.kind != _MODULE_DOC]
    found = [command.kind for command in commands]
    expected = [command.kind for command in statement if command.kind != _MODULE_DOC]
    if not found or not expected or found == expected:
        return None
    same = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
    # The file's end is the last command of both; where it is expected, another one stands.
    command = commands[min(same, len(found) - 1)]
    line = max(0, command.line - offset)
    what = f"The proof ends before line {line}, where the command `{_short(command.kind)}` starts"
    return f"{what}; a proof body holds the proof and no command after it."


def _short(kind: str) -> str:
    return kind.removeprefix("Lean.Parser.Command.")


def _where(message: Message) -> str:
    if message.line == 0:
        return "on the statement"
    return f"on line {message.line}, column {message.column}"


_UNSOLVED = "unsolved goals"


def _gist(message: Message) -> str:
    """A message in one line: its first one, or all goals that are left."""
    text = message.text.strip()
    lines = text.split("\n")
    if text.startswith(_UNSOLVED):
        lines = [" ".join(line.strip() for line in lines)]
    return lines[0][:200]
