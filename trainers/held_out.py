"""Held-out evaluation of one set of weights: completions by `Rollout`, checked while others are generated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from lean_gym.prompt import extract_proof, theorem_from_row
from lean_gym.submission import Submission
from lean_gym.verdict import Verdict
from lean_gym.verifier import Verifier
from trainers.noise import Noise
from trainers.rollout import Request, Rollout, Sampling

__all__ = ["EVALUATION", "encode", "end_tokens", "evaluate_model", "plain_rollout"]

EVALUATION = (1 << 63) + 1
"""The "generation" of evaluations in the sampling numbers, `ESTrainer`'s too: both draw the same numbers each time."""


def end_tokens(model: Any, tokenizer: Any) -> list[int]:
    """Tokens that end a completion: the model's and the tokenizer's."""
    declared = model.generation_config.eos_token_id
    ends = [declared] if isinstance(declared, int) else list(declared or [])
    if tokenizer.eos_token_id is not None and tokenizer.eos_token_id not in ends:
        ends.append(tokenizer.eos_token_id)
    return ends


def encode(tokenizer: Any, prompt: Any, template: dict[str, Any] | None = None) -> list[int]:
    """Token ids of a prompt: text, or chat messages through the chat template."""
    if isinstance(prompt, str):
        return list(tokenizer(text=prompt)["input_ids"])
    text = tokenizer.apply_chat_template(prompt, add_generation_prompt=True, tokenize=False, **(template or {}))
    return list(tokenizer(text=text, add_special_tokens=False)["input_ids"])


def plain_rollout(model: Any, tokenizer: Any, sampling: Sampling, batch_size: int = 256) -> Rollout:
    """A `Rollout` of the model's own weights."""
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    return Rollout(model, {}, Noise(0, 1), 0.0, sampling, end_tokens(model, tokenizer), pad, batch_size)


def evaluate_model(
    model: Any,
    tokenizer: Any,
    rows: Sequence[dict[str, Any]],
    verifier: Verifier,
    n: int,
    sampling: Sampling,
    *,
    seed: int = 0,
    batch_size: int = 256,
    prompt_numbers: Sequence[int] | None = None,
    template: dict[str, Any] | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[list[Verdict]]:
    """The verdicts on `n` completions for each row, in order. Checks run beside the generation.

    Args:
        rows: of a data set (`prompt.to_dataset_rows`).
        seed: of the sampling numbers: the same weights give the same completions.
        prompt_numbers: what stands for each row in the sampling numbers, its position by default.
        progress: called with the number of newly finished completions.
    """
    rollout = plain_rollout(model, tokenizer, sampling, batch_size)
    requests = [Request(None, q, a) for q in range(len(rows)) for a in range(n)]
    prompts = [encode(tokenizer, row["prompt"], template) for row in rows]
    checks: list[Future[Verdict] | None] = [None] * len(requests)
    for finished in rollout.generate(prompts, requests, [], seed, EVALUATION, prompt_numbers):
        texts = tokenizer.batch_decode([c.tokens for c in finished], skip_special_tokens=True)
        for done, text in zip(finished, texts, strict=True):
            row = rows[requests[done.index].prompt]
            checks[done.index] = verifier.submit(Submission(theorem_from_row(row), _proof(row, text)))
        if progress is not None:
            progress(len(finished))
    verdicts = [check.result() for check in checks if check is not None]
    return [verdicts[q * n : (q + 1) * n] for q in range(len(rows))]


def _proof(row: dict[str, Any], text: str) -> str:
    return extract_proof(text if isinstance(row["prompt"], str) else [{"role": "assistant", "content": text}])
