"""Theorem -> prompt, and completion -> proof text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .theorem import CORE_HEADER, Theorem

__all__ = [
    "chat_prompt",
    "extract_proof",
    "plain_prompt",
    "theorem_from_row",
    "to_dataset_rows",
    "to_row",
]

Message = Mapping[str, Any]

SYSTEM = "You prove theorems in Lean 4. Answer with one ```lean code block that holds only the tactic proof."
_FENCE = re.compile(r"```[ \t]*([A-Za-z0-9_+-]*)[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)
_THINKING = re.compile(r"\A.*?</think>", re.DOTALL)
_STOPS = ("<|endoftext|>", "<|im_end|>", "<|eot_id|>", "</s>", "<eos>", "<pad>")
# What begins a new command, and so ends a body: a base model goes on to the next theorem.
_NEXT = re.compile(r"\n(?=(?:theorem|lemma|example|def|end|namespace|import|open(?!.* in\b)|#\w+)\b|/--)")
_HEAD = re.compile(r"\b(?:theorem|lemma)\s")


def plain_prompt(theorem: Theorem) -> str:
    """The statement, then `:= by` and a line end: what a base model goes on from (`informal_prefix` before it)."""
    prefix = theorem.informal_prefix.rstrip()
    return (prefix + "\n" if prefix else "") + f"{theorem.formal_statement} := by\n"


def chat_prompt(theorem: Theorem, system: str = SYSTEM) -> list[dict[str, str]]:
    """Messages (`role`, `content`) that ask a chat model for the proof."""
    text = f"{theorem.header}\n{plain_prompt(theorem)}  sorry\n"
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": f"Prove this theorem: replace `sorry`.\n\n```lean\n{text}```"},
    ]


def extract_proof(completion: str | Sequence[Message]) -> str:
    """The proof body in a completion.

    A list of messages counts as its last message's text. Thinking (`... </think>`) is dropped; of code fences the last
    one counts; a repeated statement is dropped up to its `:=`; text from a stop marker or from a next command on is
    cut. Lines keep their indentation, and are indented where none of them is, as Lean asks under `:= by`.
    """
    if not isinstance(completion, str):
        completion = str(completion[-1]["content"]) if completion else ""
        chat = True
    else:
        chat = False
    text = completion.replace("\r\n", "\n")
    for stop in _STOPS:
        text = text.split(stop, 1)[0]
    text = _THINKING.sub("", text)
    fences = _FENCE.findall(text)
    if fences:
        text = fences[-1][1]
    if chat or fences:
        text = _after_statement(text)
    text = _NEXT.split(text, maxsplit=1)[0]
    return _indented(text.strip("\n").rstrip())


def _after_statement(text: str) -> str:
    """What follows `theorem ... :=`, when the text repeats the statement."""
    head = _HEAD.search(text)
    if head is None:
        return text
    depth = 0
    for i in range(head.end(), len(text)):
        if text[i] in "([{⟨⦃":
            depth += 1
        elif text[i] in ")]}⟩⦄":
            depth -= 1
        elif depth == 0 and text.startswith(":=", i):
            rest = text[i + 2 :]
            by = re.match(r"\s*by\b[ \t]*\n?", rest)
            # `by` is ours; a term proof keeps its `:=`.
            return rest[by.end() :] if by else ":=" + rest
    return text


def _indented(text: str) -> str:
    lines = text.split("\n")
    # Where only the first line stands in the first column, `Submission` tries both readings.
    below = lines[1:] if any(line.strip() for line in lines[1:]) else lines
    if re.match(r"(?::=|by\b)", text) or all(line[:1] in ("", " ") for line in below):
        return text
    return "\n".join("  " + line if line.strip() else line for line in lines)


def to_row(theorem: Theorem, *, chat: bool = False) -> dict[str, Any]:
    """A data-set row: `prompt` (text, or messages with `chat`), and the columns that rewards read."""
    return {
        "prompt": chat_prompt(theorem) if chat else plain_prompt(theorem),
        "id": theorem.id,
        "formal_statement": theorem.formal_statement,
        "header": theorem.header,
        "informal_prefix": theorem.informal_prefix,
        "split": theorem.split,
        "family": theorem.family,
        "level": theorem.level,
    }


def to_dataset_rows(theorems: Iterable[Theorem], *, chat: bool = False) -> list[dict[str, Any]]:
    """Rows for `datasets.Dataset.from_list`, in the order of `theorems`. Reference proofs are left out."""
    return [to_row(theorem, chat=chat) for theorem in theorems]


def theorem_from_row(row: Mapping[str, Any]) -> Theorem:
    """The theorem of a data-set row; columns that are missing take the defaults of `Theorem`.

    Raises:
        ValueError: when the row has no `formal_statement`.
    """
    statement = row.get("formal_statement")
    if not isinstance(statement, str):
        raise ValueError(
            f"the row has no text in its column formal_statement (it has {', '.join(map(str, row)) or 'no columns'}); "
            "keep that column in the data set, e.g. by prompt.to_dataset_rows"
        )
    header = row.get("header")
    return Theorem(
        id=str(row.get("id") or statement),
        formal_statement=statement,
        header=CORE_HEADER if header is None else str(header),
        informal_prefix=str(row.get("informal_prefix") or ""),
        split=str(row.get("split") or "train"),
        family=str(row.get("family") or ""),
        level=int(row.get("level") or 0),
        proof=row.get("proof"),
    )
