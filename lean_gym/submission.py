"""`Submission`: a proof attempt, and the Lean text that checks it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .theorem import Theorem, split_header

__all__ = ["Refusal", "Source", "Submission", "prepare", "trusted_source"]

MAX_CHARS = 2 << 20
"""Longest text (code points) that is sent to Lean at all."""

_LEADING = re.compile(r"\s*(?:(:=)|by\b)")
# Lean takes tab as an error itself, with a position; the rest of C0 and DEL can't stand in honest Lean text.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_FIRST_COLUMN = re.compile(r"^\S", re.MULTILINE)
_LINE = re.compile(r"^(?=[^\n])", re.MULTILINE)
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Submission:
    """One proof attempt.

    Attributes:
        theorem: the trusted statement.
        text: what the model wrote. With `form="body"`: the proof, spliced under the statement (tactics, or a text
            that starts with `by` or `:=`; moved right when a line starts in the first column). With `form="file"`:
            a whole file, its header optional; a header that it brings must be the trusted one.
        form: "body" or "file".
    """

    theorem: Theorem
    text: str
    form: Literal["body", "file"] = "body"


@dataclass(frozen=True)
class Source:
    """Text for Lean: `header` holds the imports, `text` all after them.

    The model's text starts after `offset` lines and was moved right by `indent` columns.
    """

    header: str
    text: str
    offset: int
    indent: int = 0


@dataclass(frozen=True)
class Refusal:
    """Why a text is not sent to Lean: `reason` as in `Verdict.reason`, `line` in the model's text."""

    reason: str
    detail: str
    line: int


def prepare(submission: Submission) -> Source | Refusal:
    """Splice a submission under its statement, or say why it is refused before Lean runs."""
    text = submission.text
    if len(text) > MAX_CHARS:
        return Refusal("policy", f"The text has {len(text)} characters; at most {MAX_CHARS} are checked.", 1)
    for pattern, what in ((_CONTROL, "a control character"), (_SURROGATE, "a lone surrogate")):
        if found := pattern.search(text):
            line = text.count("\n", 0, found.start()) + 1
            code = ord(found.group())
            return Refusal("policy", f"Line {line} holds {what} (U+{code:04X}), which no Lean text needs.", line)
    theorem = submission.theorem
    modules, prelude, rest = split_header(theorem.header)
    # Lean reads CRLF as a line end; a bare CR is an error there.
    text = text.replace("\r\n", "\n")
    if submission.form == "file":
        own_modules, own_prelude, own_rest = split_header(text)
        brings_header = own_prelude or bool(own_modules)
        if brings_header:
            if (own_modules, own_prelude) != (modules, prelude):
                return Refusal("import", f"The file's header is not the trusted one, {_show(theorem.header)}.", 1)
            blank = text[: len(text) - len(own_rest)].count("\n")
            before = rest + "\n" if rest and not rest.endswith("\n") else rest
            return Source(theorem.header, before + "\n" * blank + own_rest + "\n", before.count("\n"))
        before = rest + "\n" if rest and not rest.endswith("\n") else rest
        return Source(theorem.header, before + text + "\n", before.count("\n"))
    # Lean takes no tactic in the first column; models often write there.
    indent = 2 if _FIRST_COLUMN.search(text) else 0
    start = _LEADING.match(text)
    if start and start.group(1):
        at = start.start(1)
        text = text[:at] + "  " + text[at + 2 :]
    if indent:
        text = _LINE.sub(" " * indent, text)
    before = f"{rest}{theorem.formal_statement} :=" + ("\n" if start else " by\n")
    return Source(theorem.header, before + text + "\n", before.count("\n"), indent)


def trusted_source(theorem: Theorem) -> Source:
    """The statement alone, its proof left open: what the audit compares a candidate with."""
    _, _, rest = split_header(theorem.header)
    return Source(theorem.header, f"{rest}{theorem.formal_statement} := by sorry\n", 0)


def _show(header: str) -> str:
    return "; ".join(header.split("\n")).strip("; ")
