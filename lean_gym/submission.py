"""`Submission`: a proof attempt, and the Lean text that checks it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from .theorem import Theorem, skip_blank, split_header

__all__ = ["Refusal", "Source", "Submission", "prepare", "trusted_source"]

MAX_CHARS = 2 << 20
"""Longest text (code points) that is sent to Lean at all."""

_LEADING = re.compile(r"(:=)|by\b")
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
            that starts with `by` or `:=`; moved right when a line starts in the first column; when only its first
            line does, Lean says whether the lines below belong under it or beside it). With `form="file"`:
            a whole file, its header optional; a header that it brings must be the trusted one.
        form: "body" or "file".
    """

    theorem: Theorem
    text: str
    form: Literal["body", "file"] = "body"


@dataclass(frozen=True)
class Source:
    """Text for Lean: `header` holds the imports, `text` all after them.

    The model's text starts after `offset` lines and was moved right by `indent` columns: all of it, or only its line
    `indented` (from 1) if that is not 0. `other`: a second reading of the text's layout, for when this one is an error.
    """

    header: str
    text: str
    offset: int
    indent: int = 0
    indented: int = 0
    other: Source | None = None


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
    # Lean reads CRLF as a line end (a bare CR is an error there), and no byte order mark.
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    return _file(submission.theorem, text) if submission.form == "file" else _body(submission.theorem, text)


def _file(theorem: Theorem, text: str) -> Source | Refusal:
    modules, prelude, rest = split_header(theorem.header)
    own_modules, own_prelude, own_rest = split_header(text)
    blank = 0
    if own_prelude or own_modules:
        if (own_modules, own_prelude) != (modules, prelude):
            line, what = _first_import(text, modules, prelude)
            return Refusal("import", f"Line {line} {what}; the trusted header is {_show(theorem.header)}.", line)
        blank = text[: len(text) - len(own_rest)].count("\n")
    # A file that brings the rest of the header too must not open it twice (`universe u`, `namespace A`).
    before = "" if _opens_with(own_rest, rest) else _ended(rest)
    return Source(theorem.header, before + "\n" * blank + own_rest + "\n", before.count("\n"))


def _first_import(text: str, modules: tuple[str, ...], prelude: bool) -> tuple[int, str]:
    """The line at which a file's imports part from the trusted ones, and what it says there."""
    wanted = [*(["prelude"] if prelude else []), *(f"import {module}" for module in modules)]
    said = [
        (number, words)
        for number, line in enumerate(text.split("\n"), 1)
        if (words := " ".join(line.split("--")[0].split())).startswith(("import ", "prelude"))
    ]
    for (number, words), trusted in zip(said, wanted):
        if words != trusted:
            return number, f"says `{words}`"
    if len(said) > len(wanted):
        return said[len(wanted)][0], f"says `{said[len(wanted)][1]}`"
    return (said[-1][0] if said else 1), "ends the imports"


def _body(theorem: Theorem, text: str) -> Source:
    in_first_column = _FIRST_COLUMN.search(text)
    at = skip_blank(text, 0)
    start = _LEADING.match(text, at)
    if start and start.group(1):
        text = text[:at] + "  " + text[at + 2 :]
    before = _ended(split_header(theorem.header)[2]) + theorem.formal_statement + (" :=\n" if start else " := by\n")
    source = Source(theorem.header, before + text + "\n", before.count("\n"))
    if not in_first_column:
        return source
    # Lean takes no tactic in the first column; models often write there.
    moved = _LINE.sub("  ", text)
    source = replace(source, text=before + moved + "\n", indent=2)
    above, below = text[:at], text[at:].split("\n")
    depths = [len(line) - len(line.lstrip(" ")) for line in below[1:] if line.strip()]
    if start or not depths or 0 in depths or not (at == 0 or text[at - 1] == "\n"):
        return source
    # Only the first tactic stands there: the text may have lost the blanks before it (`str.strip`).
    text = above + " " * min(depths) + text[at:]
    line = above.count("\n") + 1
    other = Source(theorem.header, before + text + "\n", source.offset, min(depths), line)
    return replace(source, other=other)


def trusted_source(theorem: Theorem) -> Source:
    """The statement alone, its proof left open: what the audit compares a candidate with."""
    _, _, rest = split_header(theorem.header)
    return Source(theorem.header, f"{_ended(rest)}{theorem.formal_statement} := by sorry\n", 0)


def _ended(rest: str) -> str:
    return rest + "\n" if rest and not rest.endswith("\n") else rest


def _opens_with(text: str, opening: str) -> bool:
    """Whether `text` starts as `opening` does, whatever the comments, and the blanks where both have some."""
    here = there = 0
    while True:
        at, to = skip_blank(text, here), skip_blank(opening, there)
        if to == len(opening):
            return at > here or at == len(text)
        if at == len(text) or text[at] != opening[to] or ((at > here) != (to > there) and there):
            return False
        here, there = at + 1, to + 1


def _show(header: str) -> str:
    return "; ".join(header.split("\n")).strip("; ")
