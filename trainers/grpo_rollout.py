"""Generation for TRL's `rollout_func`: each completion is on its way to Lean while others are still being written."""

from __future__ import annotations

import json
import time
from typing import Any

import torch
from trl.models import unwrap_model_for_generation

from trainers.grpo_reward import GRPOReward
from trainers.held_out import encode, plain_rollout
from trainers.rollout import Request, Sampling

__all__ = ["StreamingRollout", "sequence_logprobs"]


def sequence_logprobs(
    model: Any, prompts: list[list[int]], completions: list[list[int]], temperature: float = 1.0, batch_size: int = 64
) -> list[float]:
    """Log-probability of each whole completion after its prompt, under the model at this temperature."""
    device = next(model.parameters()).device
    found: list[float] = []
    for start in range(0, len(prompts), batch_size):
        heads, tails = prompts[start : start + batch_size], completions[start : start + batch_size]
        longest = max(len(p) + len(c) for p, c in zip(heads, tails, strict=True))
        ids = torch.zeros((len(heads), longest), dtype=torch.long)  # (batch, longest), padded on the right
        mine = torch.zeros((len(heads), longest - 1))
        for i, (head, tail) in enumerate(zip(heads, tails, strict=True)):
            ids[i, : len(head) + len(tail)] = torch.tensor(head + tail)
            mine[i, len(head) - 1 : len(head) + len(tail) - 1] = 1.0
        ids = ids.to(device)
        logits = model(input_ids=ids, use_cache=False).logits[:, :-1].float() / temperature
        chosen = logits.log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]
        found += (chosen * mine.to(device)).sum(-1).tolist()
    return found


class StreamingRollout:
    """A `rollout_func` of TRL: prompts in, token ids out; finished proofs go to the reward function meanwhile.

    TRL gives the prompts only, each already repeated `num_generations` times, so the theorem of a prompt is looked up
    in the data sets; where two theorems share a prompt, the check begins when TRL asks for the reward.

    Args:
        reward: gets each completion by `start`.
        rows: of all data sets.
        batch_size: most sequences in one batch.
        seed: of the sampling numbers.
        logprobs: hand the column `sequence_logprob` to the reward functions.
    """

    def __init__(
        self,
        reward: GRPOReward | None,
        rows: list[dict[str, Any]],
        batch_size: int = 256,
        seed: int = 0,
        logprobs: bool = False,
    ) -> None:
        self.reward, self.batch_size, self.seed, self.logprobs = reward, batch_size, seed, logprobs
        self.seconds = 0.0
        self.calls = 0
        self._rows: dict[str, dict[str, Any] | None] = {}
        for row in rows:
            key = _key(row["prompt"])
            same = self._rows.get(key, row)
            told = ("formal_statement", "header", "id")
            self._rows[key] = row if same is not None and all(same.get(k) == row.get(k) for k in told) else None

    def __call__(self, prompts: list[Any], trainer: Any) -> dict[str, Any]:
        started = time.perf_counter()
        args, tokenizer = trainer.args, trainer.processing_class
        known: dict[str, int] = {}
        places = [known.setdefault(_key(prompt), len(known)) for prompt in prompts]
        distinct = [prompts[places.index(q)] for q in range(len(known))]
        template = getattr(trainer, "chat_template_kwargs", None) or {}
        heads = [encode(tokenizer, prompt, template) for prompt in distinct]
        # Prompts are told apart by process, so that two that share a theorem don't write the same proofs.
        numbers = [trainer.accelerator.process_index * len(prompts) + q for q in range(len(distinct))]
        requests = [Request(None, q, i) for i, q in enumerate(places)]
        sampling = Sampling(args.max_completion_length, args.temperature, max(0, args.top_k), args.top_p)
        tails: list[list[int]] = [[] for _ in prompts]
        with unwrap_model_for_generation(
            trainer.model_wrapped, trainer.accelerator, gather_deepspeed3_params=args.ds3_gather_for_generation
        ) as model:
            rollout = plain_rollout(model, tokenizer, sampling, self.batch_size)
            end = tokenizer.eos_token_id
            for finished in rollout.generate(heads, requests, [], self.seed, self.calls, numbers):
                texts = tokenizer.batch_decode([c.tokens for c in finished], skip_special_tokens=True)
                for done, text in zip(finished, texts, strict=True):
                    tails[done.index] = [*done.tokens, end] if done.ended else done.tokens
                    self._start(prompts[done.index], text)
            extra: dict[str, Any] = {}
            if self.logprobs:
                with torch.no_grad():
                    each = [heads[q] for q in places]
                    extra["sequence_logprob"] = sequence_logprobs(model, each, tails, args.temperature)
        self.calls += 1
        self.seconds = time.perf_counter() - started
        return {"prompt_ids": [heads[q] for q in places], "completion_ids": tails, "logprobs": None, **extra}

    def _start(self, prompt: Any, text: str) -> None:
        row = self._rows.get(_key(prompt))
        if self.reward is not None and row is not None:
            self.reward.start(row, text if isinstance(prompt, str) else [{"role": "assistant", "content": text}])


def _key(prompt: Any) -> str:
    return prompt if isinstance(prompt, str) else json.dumps(prompt, sort_keys=True)
