"""How published provers are asked, and how the proof is taken out of what they answer.

The wording is that of the models' own cards, as public evaluation code has it: another one costs a model much of its
skill. Compare with the card of the very model you use.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .prompt import extract_proof, plain_prompt
from .submission import Submission
from .theorem import Theorem, split_header

__all__ = ["FORMATS", "Extracted", "PromptFormat", "prompt_format", "take_out"]

Prompt = str | list[dict[str, str]]
Found = Literal["proof", "file", "changed", "nothing", "truncated"]

_FENCE = re.compile(r"^[ \t]*```[ \t]*([A-Za-z0-9_+-]*)[ \t]*$", re.MULTILINE)
_LEAN = ("lean4", "lean", "lean3", "")
_STOPS = ("<|endoftext|>", "<|im_end|>", "<|eot_id|>", "<｜end▁of▁sentence｜>", "</s>", "<eos>", "<pad>")
_DECLARATION = re.compile(
    r"^[ \t]*(?:@\[[^\]\n]*\][ \t]*)?(?:(?:private|protected)[ \t]+)?(theorem|lemma|example|def)\b", re.M
)
_PLACE = re.compile(r"\{(?:code|open|bare|problem)\}")
_WORDS = re.compile(r"\s+")


@dataclass(frozen=True)
class Extracted:
    """What a completion holds.

    Attributes:
        text: for a `Submission` of that `form`.
        form: "body" for a proof of the statement as given, "file" for a text that states for itself (helper lemmas
            before the theorem, another statement): the audit then compares the statements.
        found: "proof" (a body), "file" (the theorem is in it as it was given), "changed" (it is not), "truncated" (a
            thought or a block that never ends, and no whole one), "nothing".
    """

    text: str
    form: Literal["body", "file"]
    found: Found

    def submission(self, theorem: Theorem) -> Submission:
        """For `Verifier.verify`."""
        return Submission(theorem, self.text, self.form)


@dataclass(frozen=True)
class PromptFormat:
    """One prover's way.

    Attributes:
        name: key in `FORMATS`.
        instruction: what the model is asked, with the places {code} (header and statement, ending in `:= by`),
            {open} (the same with `sorry`), {bare} (the same without words and last line end) and {problem} (the words).
        system: the system message, or "" for none.
        chat: whether the prompt is a list of messages; otherwise a text, which the completion goes on from.
        source: where the wording comes from.
    """

    name: str
    instruction: str
    system: str = ""
    chat: bool = True
    source: str = ""

    def prompt(self, theorem: Theorem) -> Prompt:
        """Messages (`role`, `content`), or a text that ends where the proof starts."""
        header = theorem.header if not theorem.header or theorem.header.endswith("\n") else theorem.header + "\n"
        code = header + plain_prompt(theorem)
        places = {
            "{code}": code,
            "{open}": code.rstrip("\n") + "\n  sorry",
            "{bare}": f"{header}{theorem.formal_statement} := by",
            "{problem}": _words(theorem.informal_prefix),
        }
        # All at once: a theorem may have such a word in it.
        text = _PLACE.sub(lambda found: places[found.group()], self.instruction)
        if not self.chat:
            return text
        system = [{"role": "system", "content": self.system}] if self.system else []
        return [*system, {"role": "user", "content": text}]

    def extract(self, completion: str | Sequence[Mapping[str, Any]], theorem: Theorem) -> Extracted:
        """The proof in a completion, see `take_out`."""
        return take_out(completion, theorem, goes_on=not self.chat)

    def submission(self, completion: str | Sequence[Mapping[str, Any]], theorem: Theorem) -> Submission:
        """What to verify of a completion."""
        return self.extract(completion, theorem).submission(theorem)


_KIMINA = """Think about and solve the following problem step by step in Lean 4.
# Problem:{problem}
# Formal statement:
```lean4
{code}```
"""

_PLAN = """Complete the following Lean 4 code:

```lean4
{open}
```

Before producing the Lean 4 code to formally prove the given theorem, provide a detailed proof plan outlining the main \
proof steps and strategies.
The plan should highlight key ideas, intermediate lemmas, and proof structures that will guide the construction of the \
final formal proof."""

FORMATS: dict[str, PromptFormat] = {
    form.name: form
    for form in (
        PromptFormat("plain", "{code}", chat=False, source="a base model goes on from the statement"),
        PromptFormat(
            "kimina",
            _KIMINA,
            system="You are an expert in mathematics and Lean 4.",
            source="card of AI-MO/Kimina-Prover-Preview-Distill-1.5B",
        ),
        PromptFormat(
            "kimina-rl",
            _KIMINA,
            system="You are an expert in mathematics and proving theorems in Lean 4.",
            source="AI-MO/Kimina-Prover-72B and kimina-prover-rl",
        ),
        PromptFormat("deepseek", _PLAN, source="card of deepseek-ai/DeepSeek-Prover-V2-7B"),
        PromptFormat(
            "deepseek-v1.5",
            "Complete the following Lean 4 code:\n\n```lean4\n{code}",
            chat=False,
            source="card of deepseek-ai/DeepSeek-Prover-V1.5-RL, without chain of thought",
        ),
        PromptFormat("goedel", _PLAN, source="card of Goedel-LM/Goedel-Prover-V2-8B"),
        PromptFormat(
            "goedel-sft",
            "Complete the following Lean 4 code with explanatory comments preceding each line of code:\n\n"
            "```lean4\n{code}",
            chat=False,
            source="card of Goedel-LM/Goedel-Prover-SFT",
        ),
        PromptFormat(
            "stp",
            "Complete the following Lean 4 code:\n\n```lean4\n{bare}",
            chat=False,
            source="kfdong/STP's evaluation, which gives it no words",
        ),
    )
}
"""The formats by name."""


def prompt_format(name: str) -> PromptFormat:
    """The format of that name.

    Raises:
        ValueError: for an unknown name.
    """
    if name not in FORMATS:
        raise ValueError(f"prompt format {name!r} is unknown; give one of {', '.join(FORMATS)}")
    return FORMATS[name]


def take_out(completion: str | Sequence[Mapping[str, Any]], theorem: Theorem, *, goes_on: bool = False) -> Extracted:
    """The proof in a completion: a text, or a list of messages of which the last one counts.

    Thoughts (`... </think>`) are dropped; of Lean's code blocks the last whole one counts, and one that is cut off
    only where there is no whole one. A block that states the theorem as it was given is taken for the proof in it;
    one that also has lemmas, or states something else, is taken as a file, so that the audit judges the statement.
    Import lines of a file are dropped: it is checked under the theorem's own header.

    Args:
        goes_on: the prompt ended in an open code block, with which the completion begins.
    """
    if not isinstance(completion, str):
        completion = str(completion[-1]["content"]) if completion else ""
    text = completion.replace("\r\n", "\n")
    for stop in _STOPS:
        text = text.split(stop, 1)[0]
    _, closed, answer = text.rpartition("</think>")
    if not closed and "<think>" in text:
        return Extracted("", "body", "truncated")  # what stands in a thought is no answer
    begun = goes_on and not closed and _ends_a_block(answer)
    whole, open_end = _blocks("```lean4\n" + answer if begun else answer)
    if begun and whole:
        return _read(whole[0], theorem, "proof")  # what follows is about something else
    if whole:
        return _read(whole[-1], theorem, "proof")
    if open_end is not None:
        # A text that goes on from an open block needs no end of its own.
        return _read(open_end, theorem, "proof" if goes_on else "truncated")
    if not answer.strip():
        return Extracted("", "body", "nothing")
    if goes_on or not _FENCE.search(answer):
        return _read(answer, theorem, "proof")
    return Extracted("", "body", "nothing")


def _ends_a_block(answer: str) -> bool:
    """Whether the first fence of a completion ends a block that the prompt began."""
    first = _FENCE.search(answer)
    return first is None or first.group(1) == ""


def _blocks(text: str) -> tuple[list[str], str | None]:
    """Lean's code blocks: the whole ones, and the one that the end of the text cuts off."""
    whole = []
    start: tuple[str, int] | None = None
    for fence in _FENCE.finditer(text):
        if start is None or fence.group(1):
            # A fence with a language opens a block, even where the one before was not closed.
            start = fence.group(1).lower(), fence.end() + 1
            continue
        if start[0] in _LEAN:
            whole.append(text[start[1] : fence.start()].rstrip("\n"))
        start = None
    return whole, text[start[1] :] if start is not None and start[0] in _LEAN else None


def _read(block: str, theorem: Theorem, found: Found) -> Extracted:
    """What a block of Lean text holds."""
    declarations = list(_DECLARATION.finditer(block))
    if not declarations:
        body = extract_proof(block)
        return Extracted(body, "body", found if body.strip() else "nothing")
    _, _, rest = split_header(block)
    given = _WORDS.sub(" ", theorem.formal_statement).strip()
    at = _find(rest, given)
    if at is None:
        if found == "proof" and not _states(rest, theorem.name) and _body_first(block, declarations):
            # A base model's proof, after which it goes on to the next theorem.
            return Extracted(extract_proof(block), "body", found)
        return Extracted(rest, "file", "truncated" if found == "truncated" else "changed")
    before, after = rest[: at[0]], rest[at[1] :]
    if _DECLARATION.search(before):
        return Extracted(rest, "file", "truncated" if found == "truncated" else "file")
    start = re.match(r"\s*:=[ \t]*(by\b[ \t]*)?\n?", after)
    if start is None:
        return Extracted("", "body", "nothing")
    body = extract_proof((":= " if start.group(1) is None else "") + after[start.end() :])
    if _states(after, ""):
        return Extracted(rest, "file", "file")  # more declarations behind it
    return Extracted(body, "body", found if body.strip() else "nothing")


def _body_first(block: str, declarations: list[re.Match[str]]) -> bool:
    return bool(block[: declarations[0].start()].strip()) and not split_header(block)[0]


def _states(text: str, name: str) -> bool:
    """Whether a theorem of that name (any, for "") is declared in a text."""
    pattern = rf"\b(?:theorem|lemma)\s+{re.escape(name)}(?![\w.'])" if name else r"^(?:theorem|lemma)\s"
    return re.search(pattern, text, re.MULTILINE) is not None


def _find(text: str, given: str) -> tuple[int, int] | None:
    """Where `given`, blanks apart, stands in a text, followed by `:=`."""
    pattern = r"\s+".join(re.escape(word) for word in given.split(" "))
    found = re.search(rf"(?<!\S){pattern}(?=\s*:=)", text)
    return found.span() if found else None


def _words(informal: str) -> str:
    """A doc comment without its marks."""
    return informal.strip().removeprefix("/--").removesuffix("-/").strip()
