"""Lean's messages as JSON (of `lean --json`, or of the REPL) as `RawMessage`s."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .base import RawMessage

__all__ = ["cut_messages", "read_message", "read_position"]

_SORRY = re.compile(r"declaration uses ['`‘]?sorry\b")
_SEVERITIES = {
    "info": "information",
    "information": "information",
    "trace": "information",
    "warning": "warning",
    "error": "error",
}
_OVERHEAD = 100  # bytes counted for a message beside its text


def read_message(raw: Any) -> RawMessage:
    """One message. Untrusted input. A warning of an open proof is of kind "hasSorry" whether Lean said its kind or not.

    Raises:
        ValueError: it isn't one.
    """
    if not isinstance(raw, dict):
        raise ValueError("a message is no object")
    severity, text, kind = raw.get("severity"), raw.get("data"), raw.get("kind", "")
    if not (isinstance(text, str) and isinstance(severity, str)):
        raise ValueError("a message has no severity or no text")
    if severity not in _SEVERITIES:
        raise ValueError(f"a message is of severity {severity[:40]!r}")
    line, column = read_position(raw.get("pos"))
    if severity == "warning" and _SORRY.match(text):
        kind = "hasSorry"
    if not isinstance(kind, str) or kind == "[anonymous]":
        kind = ""
    return RawMessage(_SEVERITIES[severity], line, column, text, kind)


def read_position(value: Any) -> tuple[int, int]:
    """Line and column of a position. Raises `ValueError` when it isn't one."""
    line, column = (value.get("line"), value.get("column")) if isinstance(value, dict) else (None, None)
    if not (type(line) is int and type(column) is int and line >= 0 and column >= 0):
        raise ValueError("a message has no position")
    return line, column


def cut_messages(messages: Sequence[RawMessage], limit: int) -> tuple[tuple[RawMessage, ...], bool]:
    """The messages within `limit` bytes, and whether they were cut. The first error always has its word."""
    if sum(len(m.text.encode("utf-8", "replace")) + _OVERHEAD for m in messages) <= limit:
        return tuple(messages), False
    error = [index for index, message in enumerate(messages) if message.severity == "error"][:1]
    kept: dict[int, RawMessage] = {}
    room = limit
    for index in dict.fromkeys([*error, *range(len(messages))]):
        data = messages[index].text.encode("utf-8", "replace")[: max(room - _OVERHEAD, 0)]
        if not data and kept:
            break
        kept[index] = replace(messages[index], text=data.decode("utf-8", "ignore"))
        room -= len(data) + _OVERHEAD
    return tuple(kept[index] for index in sorted(kept)), True
