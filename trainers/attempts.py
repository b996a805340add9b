"""Attempts: completions of the population (or of the plain weights) with their rewards, scored as they finish."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from trainers.rollout import REFILL_SHARE, Completion, Request, Rollout
from trainers.scoring import Scorer
from trainers.strategy import Member
from trainers.trace import Trace
from trainers.weights import EvolvingWeights

__all__ = ["Attempts", "Runner"]

RETRIES = 2
"""How often attempts without a reward are scored again."""


@dataclass
class Attempts:
    """What came of a list of requests, in their order.

    Attributes:
        requests: the requests.
        rewards: weighted reward of each; None where no reward function gave one.
        scores: reward of each by function.
        tokens: completion lengths. ended: whether an end-of-sequence token came.
        distinct: number of different (prompt, completion) pairs.
        generating, waiting: seconds until the last token, and from there to the last reward.
    """

    requests: list[Request]
    rewards: list[float | None] = field(default_factory=list)
    scores: list[list[float | None]] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    ended: list[bool] = field(default_factory=list)
    distinct: int = 0
    generating: float = 0.0
    waiting: float = 0.0


class Runner:
    """Makes attempts.

    Args:
        rollout: generates tokens.
        scorer: scores completions.
        tokenizer: of the model.
        min_scored_share: see `run`.
        chat_template_kwargs: for conversational prompts.
        trace: gets the events `generate` and `wait_verify`.
    """

    def __init__(
        self,
        rollout: Rollout,
        scorer: Scorer,
        tokenizer: Any,
        min_scored_share: float = 0.75,
        chat_template_kwargs: dict[str, Any] | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.rollout = rollout
        self.scorer = scorer
        self.tokenizer = tokenizer
        self.min_scored_share = min_scored_share
        self.chat_template_kwargs = chat_template_kwargs or {}
        self.trace = trace or Trace(enabled=False)

    def encode(self, prompt: Any) -> list[int]:
        """Token ids of a prompt: text, or chat messages through the chat template."""
        if isinstance(prompt, str):
            return list(self.tokenizer(text=prompt)["input_ids"])
        text = self.tokenizer.apply_chat_template(
            prompt, add_generation_prompt=True, tokenize=False, **self.chat_template_kwargs
        )
        return list(self.tokenizer(text=text, add_special_tokens=False)["input_ids"])

    def run(
        self,
        rows: Sequence[dict[str, Any]],
        requests: Sequence[Request],
        members: Sequence[Member],
        seed: int,
        generation: int,
        prompt_numbers: Sequence[int] | None = None,
        weights: EvolvingWeights | None = None,
        progress: Callable[[int], None] | None = None,
        more: Callable[[], Sequence[Request]] | None = None,
    ) -> Attempts:
        """Generate and score. Each completion goes to the reward functions when it is finished.

        The completions of a member of which fewer than `min_scored_share` got a reward are scored again, at most
        twice: the same completions, so that a failure of the checking machinery changes nothing in the end.

        Args:
            rows: rows of the data set; requests name them by position.
            prompt_numbers: see `Rollout.generate`.
            weights: needed for full-rank members, whose weights are set one after another.
            progress: called with the number of newly finished completions.
            more: gives further requests, or none when all are taken. It is called when the attempts that are being
                generated or scored have fallen to three quarters of the first ones.
        """
        portion = list(requests) or (list(more()) if more is not None else [])
        attempts = Attempts([])
        ready: list[tuple[Any, list[int]]] = []
        seen = set()
        started = time.perf_counter()

        def take_in(portion: Sequence[Request]) -> None:
            attempts.requests += portion
            attempts.tokens += [0] * len(portion)
            attempts.ended += [False] * len(portion)
            ready.extend([("", [])] * len(portion))

        below = int(REFILL_SHARE * len(portion)) + 1

        def further(alive: int) -> Sequence[Request]:
            assert more is not None
            if alive + self.scorer.pending >= below:
                if alive:
                    return []
                self.scorer.flush()
                with self.trace.span("wait_verify"):
                    self.scorer.wait_below(below)
            portion = list(more())
            take_in(portion)
            return portion

        take_in(portion)
        prompts = [self.encode(row["prompt"]) for row in rows]
        source = self._generate(
            prompts, portion, members, (seed, generation, prompt_numbers), weights, further if more else None
        )
        with self.trace.span("generate"):
            for finished in source:
                texts = self.tokenizer.batch_decode([c.tokens for c in finished], skip_special_tokens=True)
                for completion, text in zip(finished, texts, strict=True):
                    i, request = completion.index, attempts.requests[completion.index]
                    if self.rollout.stop is not None:
                        text = self.rollout.stop.cut(text)
                    row = rows[request.prompt]
                    answer = text if isinstance(row["prompt"], str) else [{"role": "assistant", "content": text}]
                    ready[i] = (answer, completion.tokens)
                    attempts.tokens[i], attempts.ended[i] = len(completion.tokens), completion.ended
                    seen.add((request.prompt, text))
                    self.scorer.add(i, row, answer, completion.tokens)
                if progress is not None:
                    progress(len(finished))
        self.scorer.flush()
        attempts.distinct = len(seen)
        generated = time.perf_counter()
        count = len(attempts.requests)
        with self.trace.span("wait_verify"):
            scores = self.scorer.collect(range(count))
            for _ in range(RETRIES):
                again = self._unscored(attempts.requests, scores)
                if not again:
                    break
                for i in again:
                    self.scorer.add(i, rows[attempts.requests[i].prompt], *ready[i])
                scores |= self.scorer.collect(again)
        attempts.scores = [scores[i] for i in range(count)]
        attempts.rewards = [self.scorer.total(s) for s in attempts.scores]
        attempts.generating = generated - started
        attempts.waiting = time.perf_counter() - generated
        return attempts

    def _unscored(self, requests: Sequence[Request], scores: dict[int, list[float | None]]) -> list[int]:
        """Attempts without a reward of members with too few rewards."""
        made: dict[int | None, list[int]] = {}
        for i, request in enumerate(requests):
            made.setdefault(request.member, []).append(i)
        again = []
        for indices in made.values():
            missing = [i for i in indices if self.scorer.total(scores[i]) is None]
            if len(missing) > (1 - self.min_scored_share) * len(indices):
                again += missing
        return again

    def _generate(
        self,
        prompts: list[list[int]],
        requests: Sequence[Request],
        members: Sequence[Member],
        numbers: tuple[int, int, Sequence[int] | None],
        weights: EvolvingWeights | None,
        more: Callable[[int], Sequence[Request]] | None,
    ) -> Iterator[list[Completion]]:
        rollout = self.rollout
        if rollout.noise.rank or all(r.member is None for r in requests):
            yield from rollout.generate(prompts, requests, members, *numbers, more=more)
            return
        if weights is None:
            raise ValueError("full-rank members need the evolving weights")
        begun = 0
        try:
            while requests:
                for at in sorted({r.member for r in requests if r.member is not None}):
                    own = [i for i, r in enumerate(requests) if r.member == at]
                    with torch.no_grad():
                        for name in rollout.scales:
                            dense = weights.perturbed(name, members[at].seed, members[at].sign, rollout.sigma)
                            rollout.model.get_parameter(name).copy_(dense)
                    batch = [requests[i] for i in own]
                    for finished in rollout.generate(prompts, batch, members, *numbers, perturb=False):
                        yield [Completion(begun + own[c.index], c.tokens, c.ended) for c in finished]
                begun += len(requests)
                requests = more(0) if more is not None else []
        finally:
            weights.write_to(rollout.model)  # from base + D, never by subtraction
