"""What a model is told of an attempt that failed: Lean's errors on its own text, within a budget of characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .verdict import Message, Outcome, Verdict

__all__ = ["feedback"]

_OPEN = "unsolved goals"
_MORE = "…"
_FIRST_SHARE = 0.6  # of the budget that the first error may take while others wait


@dataclass
class _Entry:
    """An error: where and what (one line), then goals and other lines that explain it."""

    head: str
    body: list[str]


def feedback(verdict: Verdict, text: str, limit: int = 2000) -> str:
    """What `verdict` says of `text`, in at most `limit` characters.

    Lean's errors come in the order of the text, each with line and column (from 1 and 0) of `text` itself, the line
    that it is on, and the goals as Lean prints them. Equal errors are told once. When not all fits, the first error
    goes before the others, their first lines before their goals, and of goals the first ones before the last. What a
    text makes Lean print (`#print`, `trace_state`) is no error and is left out, so nothing of other declarations than
    the theorem is shown.

    Returns:
        "" for a proof, and for INFRA, of which the text is not the cause.
    """
    if verdict.proved or not verdict.scored or limit <= 0:
        return ""
    if verdict.outcome is Outcome.EXPLOIT_SUSPECTED:
        # Not why: that would teach how to get round it.
        return _cut_line("Lean takes the text, but it is no proof of the given statement.", limit)
    errors = list(_errors(verdict.messages, text))
    if verdict.reason != "lean_error" or not errors:
        errors = [
            _Entry(verdict.detail or f"The text was not accepted ({verdict.outcome.value.lower()}).", []),
            *errors,
        ]
    return _within(errors, limit)


def _errors(messages: Sequence[Message], text: str) -> Iterator[_Entry]:
    lines = text.split("\n")
    errors = [message for message in messages if message.severity == "error"]
    # Without a line of its own: the proof came to its end with goals left (or what Lean says of the whole of it).
    errors.sort(key=lambda message: (message.line == 0, message.line, message.column))
    told: set[tuple[str, str]] = set()
    for message in errors:
        what, _, rest = message.text.strip().partition("\n")
        body = rest.split("\n") if rest else []
        if message.line:
            where = f"line {message.line}, column {message.column}: "
            line = lines[message.line - 1].strip() if message.line <= len(lines) else ""
            key = line, message.text.strip()
        else:
            where = "at the end: " if what == _OPEN else "on the whole: "
            line = ""
            key = where, message.text.strip()
        if key in told:
            continue
        told.add(key)
        if what.startswith(_OPEN) and not message.line and len(errors) > 1 and _same_goals(errors, message):
            continue
        yield _Entry(where + what, ([f"  | {line}"] if line else []) + body)


def _same_goals(errors: Sequence[Message], message: Message) -> bool:
    """Whether another error shows the same goals."""
    return any(other is not message and other.text.strip() == message.text.strip() for other in errors)


def _within(entries: list[_Entry], limit: int) -> str:
    """The entries in order, cut to `limit` characters."""
    full = ["\n".join([entry.head, *entry.body]) for entry in entries]
    if len("\n".join(full)) <= limit:
        return "\n".join(full)
    # A line end goes with each entry but the first.
    first = limit if len(entries) == 1 else max(int(limit * _FIRST_SHARE), limit - len("\n".join(full[1:])) - 1)
    shown = [_entry(entries[0], first)]
    room = limit - len(shown[0])
    heads = []
    for entry in entries[1:]:
        if len(entry.head) + 1 > room:
            break
        heads.append(entry)
        room -= len(entry.head) + 1
    for entry in heads:
        text = _entry(entry, len(entry.head) + room)
        room -= len(text) - len(entry.head)
        shown.append(text)
    if len(heads) < len(entries) - 1 and room >= 2:
        shown.append(_MORE)
    return "\n".join(shown)


def _entry(entry: _Entry, limit: int) -> str:
    """One entry in at most `limit` characters: whole lines as far as they go, but the first goal's `⊢` before its
    hypotheses, the nearest of which (the last ones) come first."""
    text = "\n".join([entry.head, *entry.body])
    if len(text) <= limit:
        return text
    if len(entry.head) >= limit:
        return _cut_line(entry.head, limit)
    goal = next((i for i, line in enumerate(entry.body) if line.startswith("⊢")), -1)
    room = limit - len(entry.head)
    upto = "\n".join(["", *entry.body[: goal + 1]])
    if goal >= 0 and len(upto) > room:
        return entry.head + _end_of(entry.body[: goal + 1], room)
    kept = []
    for line in entry.body:
        if len(line) + 1 > room - 2:
            break
        kept.append(line)
        room -= len(line) + 1
    return "\n".join([entry.head, *kept, *([_MORE] if room >= 2 else [])])


def _end_of(lines: list[str], room: int) -> str:
    """As many of the last lines as fit, "…" before them; of the last one its start if it alone is too long."""
    kept: list[str] = []
    left = room - 2
    for line in reversed(lines):
        if len(line) + 1 > left:
            break
        kept.insert(0, line)
        left -= len(line) + 1
    if not kept:
        return "\n" + _cut_line(lines[-1], room - 1) if room > 1 else ""
    return "\n".join(["", _MORE, *kept])


def _cut_line(line: str, limit: int) -> str:
    return line if len(line) <= limit else line[: max(0, limit - 1)] + _MORE
