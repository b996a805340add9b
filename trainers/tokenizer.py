"""The starter policy's tokenizer: Lean's symbols, tactic words and lemma names whole, any other text byte by byte.

Text is cut by a pattern in which operators keep the spaces around them and words that take an argument keep the space
behind them, so that a variable is the same token in a statement and in a proof. Byte-level BPE over these pieces makes
each frequent piece one token and loses nothing of any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

__all__ = ["END", "PAD", "train_tokenizer"]

END = "<eos>"
PAD = "<pad>"

_WORDS = re.findall(
    r"\S+",
    """
    theorem goal exact apply intro rintro obtain rcases cases constructor refine rw simp simp_all only have show from
    fun by induction calc by_cases exfalso contradiction assumption subst funext rfl decide unfold symm at using with
    left right trivial specialize exists ext next case match congr if then else change injection split solve_by_elim
    zero succ nil cons inl inr absurd let suffices Prop Type Nat List Set Option Bool
    """,
)
_OPERATORS = re.findall(r"\S+", "∧ ∨ → ↔ = ≠ ≤ < ≥ > + - * / % ^ ∪ ∩ ⊆ ∈ ∉ ∣ ∘ × := => && || ++ :: : ← | <;> \\ ▸ $ <|")
_KEEPS_SPACE = "|".join(sorted((re.escape(w) for w in _WORDS), key=len, reverse=True))
_INFIX = "|".join(sorted((re.escape(o) for o in _OPERATORS), key=len, reverse=True))
_NAME = r"[\p{L}_][\p{L}\p{N}_'!?]*"
_TYPES = "|".join(
    re.escape(t)
    for t in (
        "Type", "Prop", "Nat", "Bool", "α", "G", "Set α", "List α", "Option α", "α → α", "α → α → α", "α → Prop",
        "α → α → Prop", "Nat → Nat", "Nat → Prop", "Nat → α", "List α → Nat", "α → Nat",
    )
)  # fmt: skip
PATTERN = "|".join(
    (
        r"theorem goal (?:\{α : Type\} \(|\{G : Type\} \[|\()?",
        r" := by\n",
        rf" : (?:{_TYPES})[)}}](?: [(\[]| : )",  # the type of some variables, and on to the next binder or the goal
        r"[)}\]] (?:\(|: )",
        r"[A-Z][A-Za-z]+ G\] \(",
        r"\n *(?:· )*(?:\| )?",  # a line end with the next line's indentation and bullet
        rf" (?:{_INFIX}) ",
        rf" (?:{_INFIX})(?=\n)",
        rf"(?:{_KEEPS_SPACE})(?![\p{{L}}\p{{N}}_'.])(?: \[| )?",
        r"\p{Lu}[\p{L}\p{N}_']*(?:\.[\p{L}_][\p{L}\p{N}_'!?]*)+ ?",  # a full name: Nat.add_comm
        r"[∀∃] \p{L}, ",
        _NAME,
        r"\.[\p{L}\p{N}_']+",
        r"\p{N}+",
        r"⁻¹",
        r" [(⟨]",
        r"[,∀∃←¬λ] ?",
        r" +",
        r"[^\s]",
        r"\s",
    )
)


def train_tokenizer(texts: Iterable[str], vocabulary: int = 1024) -> PreTrainedTokenizerFast:
    """A tokenizer of at most `vocabulary` tokens for texts like `texts`; the same for the same texts."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PATTERN), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        min_frequency=2,
        special_tokens=[PAD, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        eos_token=END,
        padding_side="left",
        clean_up_tokenization_spaces=False,
        model_max_length=512,
    )
