"""`Theorem`: a statement that a task owns and a submission must prove."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["CORE_HEADER", "Theorem", "skip_blank", "split_header"]

CORE_HEADER = "prelude\nimport Core\nset_option autoImplicit false\n"
"""Header of every theorem stated over the embedded `Core` library."""

_DECLARATION = re.compile(r"\b(?:theorem|lemma)\s+(«[^»]*»(?:\.\S+)?|[^\s:({\[⦃]+)")
_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"?|--[^\n]*|/-')
# A statement on one line may part its commands by `;`, which Lean itself does not take there.
_SEMICOLON = re.compile(
    r";\s*(?=(?:@\[[^\]\n]*\]\s*)?(?:(?:private|protected|noncomputable|local|scoped)\s+)*"
    r"(?:theorem|lemma|def|abbrev|structure|inductive|class|instance|opaque|axiom|notation|variable|universe|"
    r"namespace|section|end|open(?![^;\n]*\sin\s))\b)"
)


@dataclass(frozen=True)
class Theorem:
    """A trusted statement.

    Attributes:
        id: unique name within its suite or data set.
        formal_statement: Lean text up to, but without, `:=`; it may hold definitions before its one theorem, on lines
            of their own or parted by `;`.
        header: text that opens the file: `prelude`/`import` lines, then options and `open` lines.
        informal_prefix: the statement in words, as a Lean doc comment, or "".
        split: "train", "validation" or "test".
        family: what the theorem is about ("logic", "nat", ...), or "".
        level: difficulty from 1 up; 0 when unknown.
        proof: a reference proof (a body, see `submission.Submission`), or None.
        extra: columns of the data set that nothing here reads.

    Raises:
        ValueError: when `formal_statement` names no theorem.
    """

    id: str
    formal_statement: str
    header: str = CORE_HEADER
    informal_prefix: str = ""
    split: str = "train"
    family: str = ""
    level: int = 0
    proof: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False, compare=False)

    def __post_init__(self) -> None:
        statement = _without_open_end(self.formal_statement.removeprefix("\ufeff"))
        statement = _SEMICOLON.sub("\n", textwrap.dedent(statement).strip())
        object.__setattr__(self, "formal_statement", statement)
        if not _DECLARATION.search(_without_comments(statement)):
            raise ValueError(
                f"theorem {self.id!r}: formal_statement holds no `theorem NAME`: {statement[:80]!r}; "
                "give the statement as Lean text, e.g. `theorem goal (n : Nat) : n + 0 = n`"
            )

    @property
    def name(self) -> str:
        """Name of the declaration to prove: that of the last theorem in `formal_statement`, as written."""
        return str(_DECLARATION.findall(_without_comments(self.formal_statement))[-1])


def split_header(text: str) -> tuple[tuple[str, ...], bool, str]:
    """Split a text into what Lean imports and what it elaborates.

    Comments may stand before, between and behind the import lines, as in Lean.

    Returns:
        (modules, prelude, rest): the imported module names in order, whether the file opts out of `Init` by
        `prelude`, and the text after the last import (options, `open`, ...), which stands before each proof. When
        the text starts with neither `prelude` nor `import`, `rest` is all of it.
    """
    modules: list[str] = []
    prelude = False
    end = 0
    while found := _IMPORT.match(text, skip_blank(text, end)):
        if found.group(1):
            modules.append(found.group(1))
        elif prelude or modules:
            break
        else:
            prelude = True
        end = found.end()
    # The rest of the last import's line belongs to the header if it holds nothing but a comment.
    newline = text.find("\n", end) + 1 or len(text)
    if end and skip_blank(text, end) >= newline:
        end = newline
    return tuple(modules), prelude, text[end:]


_IMPORT = re.compile(r"(?:prelude|import[ \t]+([^\s]+))(?=\s|$)")
_BLANK = re.compile(r"\s+|--[^\n]*")
_COMMENT_EDGE = re.compile(r"/-|-/")


def skip_blank(text: str, at: int) -> int:
    """Where the first thing after `at` starts that is neither space nor a comment (block comments nest)."""
    while True:
        if found := _BLANK.match(text, at):
            at = found.end()
        elif text.startswith("/-", at) and not text.startswith(("/--", "/-!"), at):
            end = _comment_end(text, at)
            if end is None:
                return at
            at = end
        else:
            return at


def _comment_end(text: str, at: int) -> int | None:
    """Where the block comment that starts at `at` ends, or None if it does not."""
    depth, inside = 1, at + 2
    while depth and (edge := _COMMENT_EDGE.search(text, inside)):
        depth += 1 if edge.group() == "/-" else -1
        inside = edge.end()
    return None if depth else inside


def _without_comments(text: str) -> str:
    """The text with blanks for its comments."""
    parts, at = [], 0
    while found := _COMMENT.search(text, at):
        start, end = found.span()
        if found.group().startswith('"'):
            parts.append(text[at:end])
        else:
            if found.group() == "/-":
                end = _comment_end(text, start) or len(text)
            parts.append(text[at:start] + " " * (end - start))
        at = end
    return "".join([*parts, text[at:]])


def _without_open_end(text: str) -> str:
    """The text without what data sets leave behind a statement: `:= by sorry`, `:= sorry`, `:= by`, `:=`, comments."""
    code = _without_comments(text).rstrip()
    end = len(code)
    for word in ("sorry", "by"):
        if re.search(rf"(?:^|[\s=]){word}$", code[-6:]):
            code = code[: -len(word)].rstrip()
    return text[: len(code[:-2].rstrip()) if code.endswith(":=") else end]
