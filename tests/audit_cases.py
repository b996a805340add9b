"""The cases of `audit_cases.txt`, whose head says how it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["CASES", "Case"]

_SECTION = re.compile(
    r"^--- (?:statement (\w+)|case (\w+): (\w+), (body|file), (\w+))\n(.*?)\n*(?=^--- |\Z)", re.M | re.S
)


@dataclass(frozen=True)
class Case:
    """A submission. `reason` is "" when the audit must agree, "lean" when Lean itself must refuse the text."""

    name: str
    statement: str
    text: str
    form: str
    reason: str


def _read() -> list[Case]:
    statements: dict[str, str] = {}
    cases = []
    for section in _SECTION.finditer(Path(__file__).with_suffix(".txt").read_text("utf-8")):
        statement, name, given, form, reason, text = section.groups()
        if statement:
            statements[statement] = text
        else:
            cases.append(Case(name, statements[given], text, form, "" if reason == "ok" else reason))
    return cases


CASES = _read()
