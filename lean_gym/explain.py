"""Where in a submission it lies: lines for the sentences of verdicts. For people to read; nothing is decided by it."""

from __future__ import annotations

import re
from dataclasses import replace

from .verdict import Outcome, Verdict

__all__ = ["code_only", "declared", "explained"]

_TOKEN = re.compile(r'--[^\n]*|/-|-/|"(?:[^"\\]|\\.)*"', re.DOTALL)
_DECLARED = re.compile(
    r"\b(?:theorem|lemma|def|abbrev|axiom|opaque|instance|structure|inductive|class(?:\s+inductive)?|constant)\s+"
    r"(?P<name>(?:«[^»]*»|[^\s:({\[«»])+)"
)
_HOLE = re.compile(r"(?<![\w.«])(?:sorry|admit|sorryAx)(?![\w»'])")


def code_only(text: str) -> str:
    """The text with blanks for its comments and strings; lines and columns stay where they are."""
    parts: list[str] = []
    at = depth = begin = 0
    for found in _TOKEN.finditer(text):
        token = found.group()
        if token == "/-":
            begin = begin if depth else found.start()
            depth += 1
        elif token == "-/" and depth:
            depth -= 1
            if depth == 0:
                parts += text[at:begin], _blank(text[begin : found.end()])
                at = found.end()
        elif depth == 0 and token != "-/":
            parts += text[at : found.start()], _blank(token)
            at = found.end()
    if depth:
        parts += text[at:begin], _blank(text[begin:])
        at = len(text)
    return "".join((*parts, text[at:]))


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def declared(text: str) -> dict[str, int]:
    """Names as a text declares them (namespaces left out) -> the line of the first such declaration, from 1."""
    lines: dict[str, int] = {}
    for found in _DECLARED.finditer(code_only(text)):
        lines.setdefault(found["name"], text.count("\n", 0, found.start()) + 1)
    return lines


def explained(verdict: Verdict, text: str) -> Verdict:
    """The verdict with the lines of `text`, the submission's, in its sentence."""
    detail = verdict.detail
    if verdict.outcome is Outcome.REJECTED and verdict.reason == "sorry":
        if found := _HOLE.search(code := code_only(text)):
            line = code.count("\n", 0, found.start()) + 1
            detail = f"The proof leaves a hole: `{found.group()}` on line {line}."
    elif verdict.outcome is Outcome.EXPLOIT_SUSPECTED:
        for name, line in sorted(declared(text).items(), key=lambda item: -len(item[0])):
            # What Lean makes beside a declaration (`helper._proof_1`) belongs to it.
            place = re.compile(rf"(?<![\w.«»]){re.escape(name)}(?:\.[\w'«»]+)*(?![\w'«»])(?! \(line)")
            detail = place.sub(lambda found, line=line: f"{found.group()} (line {line})", detail, count=1)  # type: ignore[misc]
    return verdict if detail == verdict.detail else replace(verdict, detail=detail)
