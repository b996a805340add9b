"""Completions of a whole population in one batch.

Every sequence carries its member's rank-r term in each evolving linear layer,

    y = x W^T + s * (x B) A^T,    s = sign * sigma * 2^e * scale,

(and its own weight in each evolving norm), so no weight is copied and none restored. The columns of all members of a
batch stand side by side: x B is one product for all of them, a mask with one non-zero block a row (holding s) keeps
the row's own, and one product with A^T follows.

The same tokens whatever the batch. The sampling numbers depend on (seed, generation, member, prompt, attempt, step)
only, and a token is the inverse of the cumulative distribution at that number. What remains is rounding: matrix
products of other batch shapes sum in other orders. Between batch shapes the cumulative probabilities of a 2 M model
differed by up to 9e-5 in float32, so that a token in some 10^5 would flip: many a run. In float64 (the default on CPU;
the weights are float32 numbers held in float64) they differed by at most 5e-14: fewer than one flip in 10^12
tokens, where a run samples 10^7. Modules that compute in float32 whatever their input (RMSNorm in transformers)
are replaced by float64 ones, else they would bring the difference back to 1e-8.

So rows may come and go: a finished one leaves the batch, and the next request takes its room, whose prompt is
prefilled beside. Short completions never wait for long ones, and the batch stays full to the end.
"""

from __future__ import annotations

import inspect
import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import torch
from torch import nn

from trainers.cache import GrowingCache
from trainers.noise import Noise, uniforms
from trainers.population import PopulationTerm
from trainers.stop import StopStrings
from trainers.strategy import Member

__all__ = ["Completion", "Request", "Rollout", "Sampling", "narrow", "sample_tokens", "widen"]

logger = logging.getLogger(__name__)

PREFILL_TOKENS = 2048
"""Most prompt tokens in one forward pass."""

REFILL_SHARE = 0.75
"""New rows come in when the batch has fallen to this share of its size: each time the cache is copied."""

COMPACT_SHARE = 0.85
"""With nobody waiting, finished rows leave the batch when it has fallen to this share of its rows."""


@dataclass(frozen=True)
class Request:
    """One completion to make: `member` is an index into the members given, or None for the unperturbed weights;
    `prompt` an index into the prompts; `attempt` a number that tells completions of the two apart."""

    member: int | None
    prompt: int
    attempt: int


@dataclass(frozen=True)
class Completion:
    """Tokens of request number `index`. `ended`: an end-of-sequence token was sampled (it is not in `tokens`), or a
    stop string came (it is)."""

    index: int
    tokens: list[int]
    ended: bool


@dataclass(frozen=True)
class Sampling:
    """How tokens are drawn. `temperature` 0 is greedy; `top_k` 0 and `top_p` 1 are off. `common`: members share the
    random numbers of a (generation, prompt, attempt), so that they differ by their weights only."""

    max_new_tokens: int
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    common: bool = False


def sample_tokens(logits: torch.Tensor, uniform: torch.Tensor, sampling: Sampling) -> torch.Tensor:
    """One token a row by the inverse of the cumulative distribution, in float64.

    Args:
        logits: (rows, vocabulary).
        uniform: float64 in [0, 1), (rows,).

    Returns:
        int64, (rows,): the first token whose cumulative probability exceeds the row's number.
    """
    logits = logits.double()
    if sampling.temperature == 0:
        return logits.argmax(dim=-1)
    logits = logits / sampling.temperature
    order = None
    if 0 < sampling.top_k < logits.shape[-1] or sampling.top_p < 1:
        logits, order = logits.sort(dim=-1, descending=True, stable=True)
        if 0 < sampling.top_k < logits.shape[-1]:
            logits, order = logits[:, : sampling.top_k], order[:, : sampling.top_k]
    probabilities = torch.softmax(logits, dim=-1)
    if sampling.top_p < 1:
        before = probabilities.cumsum(dim=-1) - probabilities
        probabilities = probabilities.masked_fill(before >= sampling.top_p, 0.0)
    cumulative = probabilities.cumsum(dim=-1)
    target = uniform[:, None] * cumulative[:, -1:]
    token = torch.searchsorted(cumulative, target, right=True).clamp_(max=logits.shape[-1] - 1)
    if order is not None:
        token = order.gather(1, token)
    return token[:, 0]


def _wide_rms_norm(module: Any, hidden: torch.Tensor) -> torch.Tensor:
    variance = hidden.pow(2).mean(-1, keepdim=True)
    return module.weight * (hidden * torch.rsqrt(variance + module.variance_epsilon))


def narrow(model: nn.Module, dtype: torch.dtype) -> None:
    """Undo `widen`: cast back (exact when the values are of `dtype`) and restore the model's own modules."""
    for module in model.modules():
        if getattr(module.__dict__.get("forward"), "__func__", None) is _wide_rms_norm:
            del module.forward
    model.to(dtype)


def widen(model: Any, dtype: torch.dtype) -> None:
    """Cast a model for rollouts; in float64 also replace RMSNorm modules that would round to float32 inside.

    A module is replaced only when it is of the plain kind: `weight`, `variance_epsilon`, and the same output as ours.
    """
    model.to(dtype)
    if dtype != torch.float64:
        return
    # transformers' eager attention takes its softmax in float32; sdpa keeps the input's dtype.
    if getattr(getattr(model, "config", None), "_attn_implementation", None) == "eager" and model._supports_sdpa:
        model.set_attn_implementation("sdpa")
    for module in model.modules():
        if "RMSNorm" not in type(module).__name__ or not hasattr(module, "variance_epsilon"):
            continue
        weight = module.weight
        assert isinstance(weight, torch.Tensor)
        probe = torch.linspace(-2, 3, 3 * weight.numel(), dtype=dtype, device=weight.device).view(3, -1)
        with torch.no_grad():
            same = torch.allclose(module(probe), _wide_rms_norm(module, probe), rtol=1e-4, atol=1e-5)
        if same:
            module.forward = _wide_rms_norm.__get__(module)


@dataclass
class _Rows:
    """The batch: tensors with a row a sequence.

    Attributes:
        index: each row's request, as int64.
        token: the last one, which the cache does not hold yet. position: its position in the sequence.
        drawn: sampling numbers, (rows, limit). output: tokens so far, (rows, limit). made: how many.
        running: rows that are not finished.
        own: which positions of the cache are the row's, (rows, capacity).
    """

    index: torch.Tensor
    token: torch.Tensor
    position: torch.Tensor
    drawn: torch.Tensor
    output: torch.Tensor
    made: torch.Tensor
    running: torch.Tensor
    own: torch.Tensor

    def of(self, rows: torch.Tensor) -> _Rows:
        """These rows, in this order."""
        return _Rows(**{f.name: getattr(self, f.name)[rows] for f in fields(self)})

    def join(self, other: _Rows) -> _Rows:
        """These rows and then the other ones."""
        return _Rows(**{f.name: torch.cat([getattr(self, f.name), getattr(other, f.name)]) for f in fields(self)})


@dataclass
class _Batch:
    """The sequences that are decoded together, and their cache: `filled` positions of it hold something."""

    rows: _Rows
    cache: GrowingCache
    filled: int
    padded: bool
    alive: int


class Rollout:
    """Generates with a transformers causal language model.

    Args:
        model: any causal language model; its present weights are the population's centre.
        scales: canonical names of the evolving weights, each the `weight` of an `nn.Linear` or an RMSNorm, and the
            scale 2^e of their noise.
        noise, sigma: the members' perturbation.
        sampling: how tokens are drawn.
        eos_token_ids, pad_token_id: of the tokenizer.
        batch_size: most sequences in one batch. Out of memory, it is halved for good.
        stop: stop strings.
        noise_backend: who computes the noise, see `trainers.noise_torch`.
    """

    def __init__(
        self,
        model: nn.Module,
        scales: Mapping[str, float],
        noise: Noise,
        sigma: float,
        sampling: Sampling,
        eos_token_ids: Sequence[int],
        pad_token_id: int,
        batch_size: int = 512,
        stop: StopStrings | None = None,
        noise_backend: str = "auto",
    ) -> None:
        if batch_size < 1:
            raise ValueError(f"batch_size must be at least 1, not {batch_size}")
        self.model = model
        self.scales = dict(scales)
        self.noise = noise
        self.sigma = sigma
        self.sampling = sampling
        self.pad_token_id = pad_token_id
        self.batch_size = batch_size
        self.stop = stop
        self.noise_backend = noise_backend
        parameter = next(model.parameters())
        self.device, self.dtype = parameter.device, parameter.dtype
        self._eos = torch.tensor(sorted(set(eos_token_ids)), device=self.device)
        self._stops = stop.candidates.to(self.device) if stop is not None else None
        # transformers 5.2x renames the argument `past_key_values` to `cache`.
        accepted = inspect.signature(model.forward).parameters
        self._cache_argument = "cache" if "cache" in accepted else "past_key_values"
        self._keep = {"logits_to_keep": 1} if "logits_to_keep" in accepted else {}
        self._partable = GrowingCache(model, 1).partable

    @torch.inference_mode()
    def generate(
        self,
        prompts: Sequence[Sequence[int]],
        requests: Sequence[Request],
        members: Sequence[Member],
        seed: int,
        generation: int,
        prompt_numbers: Sequence[int] | None = None,
        perturb: bool = True,
        more: Callable[[int], Sequence[Request]] | None = None,
    ) -> Iterator[list[Completion]]:
        """Yield completions as they finish, in lists.

        Args:
            prompts: token ids of each prompt.
            requests: what to generate; attempts of the same member and prompt share the prompt's computation.
            members: the members that requests refer to by position.
            seed, generation: of the sampling numbers.
            prompt_numbers: what stands for each prompt in the sampling numbers; its position by default.
            perturb: False when the model's weights are a member's already (full rank): members then only tell the
                sampling numbers apart.
            more: called with the number of sequences that still run, when there is room; gives further requests
                (numbered on from the first ones), or none. With none while nothing runs, generation ends.

        Raises:
            ValueError: for an empty prompt.
            FloatingPointError: when the model's output is not finite.
            torch.OutOfMemoryError: when there is no memory for a single sequence.
        """
        if any(len(prompt) == 0 for prompt in prompts):
            raise ValueError(
                "a prompt has no tokens; give the tokenizer a beginning-of-sequence token or a longer prompt"
            )
        known: list[Request] = []
        waiting: deque[int] = deque()

        def take_in(portion: Sequence[Request]) -> None:
            # Sorted so that attempts of one member and prompt are neighbours and members of a batch few.
            order = sorted(
                range(len(portion)),
                key=lambda i: (-1 if (m := portion[i].member) is None else m, portion[i].prompt, portion[i].attempt),
            )
            waiting.extend(len(known) + i for i in order)
            known.extend(portion)

        def fetch(room: int, alive: int) -> list[int]:
            """Up to `room` requests to begin."""
            while more is not None and len(waiting) < room and (portion := more(alive + len(waiting))):
                take_in(portion)
            return [waiting.popleft() for _ in range(min(room, len(waiting)))]

        def member_of(i: int) -> Member | None:
            member = known[i].member
            return None if member is None or not perturb else members[member]

        def numbers(indices: Sequence[int]) -> torch.Tensor:
            rows = [known[i] for i in indices]
            drawn = uniforms(
                seed,
                generation,
                [0 if r.member is None or self.sampling.common else members[r.member].index + 1 for r in rows],
                [r.prompt if prompt_numbers is None else prompt_numbers[r.prompt] for r in rows],
                [r.attempt for r in rows],
                self.sampling.max_new_tokens,
            )
            return torch.from_numpy(drawn).to(self.device)

        take_in(requests)
        # What is asked for in portions is not all begun at once: others may be quicker.
        size = self.batch_size if more is None else max(1, min(self.batch_size, len(requests)))
        batch: _Batch | None = None
        term = PopulationTerm(self.model, self.scales, self.noise, self.sigma, self.noise_backend)
        was_training = self.model.training
        self.model.eval()
        try:
            while True:
                # Rows of a cache that can't be joined all begin together.
                alive = 0 if batch is None else batch.alive
                room = size - alive if alive <= REFILL_SHARE * size and (self._partable or alive == 0) else 0
                new = fetch(room, alive) if room > 0 else []
                if alive == 0 and not new:
                    return
                finished: list[Completion] = []
                outside, short = new, None
                try:
                    if new:
                        heads = [prompts[known[i].prompt] for i in new]
                        batch = self._admit(batch, new, heads, numbers(new), member_of, term, finished)
                        outside = []
                    elif batch is not None and batch.alive <= COMPACT_SHARE * len(batch.rows.index):
                        self._compact(batch, term, member_of)
                    if batch is not None and batch.alive:
                        self._step(batch, finished)
                except RuntimeError as error:
                    rows = len(new) + alive
                    if rows <= 1 or not _out_of_memory(error):
                        raise
                    short = str(error).partition("\n")[0]
                if short is not None:
                    # Outside of the except clause, whose traceback holds on to tensors. What ran begins again: its
                    # tokens do not depend on the batch.
                    cut = [] if batch is None else batch.rows.index[batch.rows.running].tolist()
                    waiting.extendleft(reversed([*cut, *outside]))
                    batch = None
                    term.remove()
                    size = self.batch_size = rows // 2
                    if self.device.type == "cuda":
                        torch.cuda.empty_cache()
                    logger.warning("out of memory: going on with batches of %d sequences (%s)", size, short)
                if finished:
                    yield finished
        finally:
            term.remove()
            self.model.train(was_training)

    def _admit(
        self,
        batch: _Batch | None,
        new: list[int],
        prompts: list[Sequence[int]],
        drawn: torch.Tensor,
        member_of: Callable[[int], Member | None],
        term: PopulationTerm,
        finished: list[Completion],
    ) -> _Batch:
        """Prefill new requests, each (member, prompt) once, draw their first token, and join them to what runs."""
        limit = self.sampling.max_new_tokens
        kept = batch.rows.running.nonzero()[:, 0] if batch is not None else None
        staying = [member_of(i) for i in batch.rows.index[kept].tolist()] if batch is not None else []
        entering = [member_of(i) for i in new]
        term.load([*staying, *entering])
        attempts: dict[tuple[int | None, tuple[int, ...]], list[int]] = {}
        for at, (member, prompt) in enumerate(zip(entering, prompts, strict=True)):
            attempts.setdefault((None if member is None else member.index, tuple(prompt)), []).append(at)
        # In parts of neighbouring lengths, so that activations stay in the processor's cache and little is padding.
        places = sorted(attempts.values(), key=lambda place: len(prompts[place[0]]))
        longest = len(prompts[places[-1][0]])
        share = max(1, PREFILL_TOKENS // longest) if self._partable else len(places)
        order: list[int] = []
        logits, caches = [], []
        for start in range(0, len(places), share):
            part = places[start : start + share]
            term.select([entering[place[0]] for place in part])
            out, cache = self._prefill([prompts[place[0]] for place in part], 0 if self._partable else limit)
            # The prompt's cache and logits are repeated for its attempts.
            repeat = torch.tensor([row for row, place in enumerate(part) for _ in place], device=self.device)
            logits.append(out[repeat])
            caches.append((cache, repeat))
            order += [at for place in part for at in place]
        width = longest
        if batch is not None and kept is not None and len(kept):
            own = batch.rows.own[kept, : batch.filled]
            width = max(width, batch.filled - int(own.to(torch.uint8).argmax(dim=1).min()))
            caches.insert(0, (batch.cache, kept))
        lengths = torch.tensor([len(prompts[at]) for at in order], device=self.device)
        columns = torch.arange(width + limit, device=self.device)
        rows = _Rows(
            index=torch.tensor([new[at] for at in order], device=self.device),
            token=torch.zeros_like(lengths),
            position=lengths - 1,
            drawn=drawn[torch.tensor(order, device=self.device)],
            output=torch.full((len(order), limit), self.pad_token_id, device=self.device),
            made=torch.zeros_like(lengths),
            running=torch.ones_like(lengths, dtype=torch.bool),
            own=columns >= (width - lengths)[:, None],
        )
        first: list[Completion] = []
        self._draw(rows, torch.cat(logits), first)
        if batch is not None and kept is not None and len(kept):
            stay = batch.rows.of(kept)
            own = torch.ones((len(kept), width + limit), dtype=torch.bool, device=self.device)
            own[:, : max(0, width - batch.filled)] = False
            own[:, max(0, width - batch.filled) : width] = stay.own[:, max(0, batch.filled - width) : batch.filled]
            stay.own = own
            rows = stay.join(rows)
        if self._partable:
            cache = GrowingCache.of(self.model, caches, width, width + limit)
        else:
            cache = caches[0][0]
            cache.select(caches[0][1])
        finished += first
        term.select([member_of(i) for i in rows.index.tolist()])
        return _Batch(rows, cache, width, not bool(rows.own[:, :width].all()), int(rows.running.sum()))

    def _compact(self, batch: _Batch, term: PopulationTerm, member_of: Callable[[int], Member | None]) -> None:
        """Finished rows leave."""
        kept = batch.rows.running.nonzero()[:, 0]
        batch.cache.select(kept)
        batch.rows = batch.rows.of(kept)
        members = [member_of(i) for i in batch.rows.index.tolist()]
        if 2 * len({m.seed for m in members if m is not None}) <= term.seeds:
            term.load(members)
        term.select(members)

    def _step(self, batch: _Batch, finished: list[Completion]) -> None:
        """One more token for each row."""
        rows = batch.rows
        rows.position = rows.position + 1
        mask = rows.own[:, : batch.filled + 1] if batch.padded else None
        logits = self._forward(rows.token[:, None], mask, rows.position[:, None], batch.cache)
        batch.filled += 1
        batch.alive -= self._draw(rows, logits, finished)

    def _draw(self, rows: _Rows, logits: torch.Tensor, finished: list[Completion]) -> int:
        """Draw each row's next token; adds what is finished by it, and returns how many."""
        limit, at = self.sampling.max_new_tokens, rows.made[:, None]
        rows.token = token = sample_tokens(logits, rows.drawn.gather(1, at)[:, 0], self.sampling)
        rows.output.scatter_(1, at, token[:, None])
        ended = torch.isin(token, self._eos) & rows.running
        going = rows.running & ~ended
        full = going & (rows.made + 1 == limit)
        may_stop = going & self._stops[token] if self._stops is not None else torch.zeros_like(going)
        # One look at the device a step.
        sound, some, look = torch.stack([torch.isfinite(logits).all(), (ended | full).any(), may_stop.any()]).tolist()
        if not sound:
            raise FloatingPointError("the model's logits are not finite; is sigma or the learning rate too large?")
        if look and self.stop is not None:
            for row in may_stop.nonzero()[:, 0].tolist():
                if self.stop.ends(rows.output[row, : int(rows.made[row]) + 1].tolist()):
                    ended[row] = some = True
        count = 0
        if some:
            done = (ended | full).nonzero()[:, 0]
            # An end-of-sequence token is left out, the one that makes a stop string is not.
            lengths = rows.made[done] + (~torch.isin(token[done], self._eos)).long()
            table = (rows.index[done], lengths, ended[done])
            for index, length, end, tokens in zip(
                *(t.tolist() for t in table), rows.output[done].tolist(), strict=True
            ):
                finished.append(Completion(index, tokens[:length], end))
            rows.running = rows.running & ~(ended | full)
            count = len(done)
        rows.made = (rows.made + 1).clamp_(max=limit - 1)
        return count

    def _prefill(self, prompts: list[Sequence[int]], more: int) -> tuple[torch.Tensor, GrowingCache]:
        """(logits of the last positions, cache) of left-padded prompts; with room for `more` positions."""
        longest = max(map(len, prompts))
        tokens = torch.full((len(prompts), longest), self.pad_token_id)
        mask = torch.zeros((len(prompts), longest), dtype=torch.bool)
        for row, prompt in enumerate(prompts):
            tokens[row, longest - len(prompt) :] = torch.tensor(prompt)
            mask[row, longest - len(prompt) :] = True
        padded = not bool(mask.all())
        tokens, mask = tokens.to(self.device), mask.to(self.device)
        position = (mask.long().cumsum(-1) - 1).clamp_(min=0)
        cache = GrowingCache(self.model, longest + more)
        return self._forward(tokens, mask if padded else None, position, cache), cache

    def _forward(
        self, tokens: torch.Tensor, mask: torch.Tensor | None, position: torch.Tensor, cache: GrowingCache
    ) -> torch.Tensor:
        """Logits of the last position: (rows, vocabulary)."""
        arguments: dict[str, Any] = {self._cache_argument: cache.cache, **self._keep}
        if mask is not None:
            arguments["attention_mask"] = mask
        return self.model(input_ids=tokens, position_ids=position, use_cache=True, **arguments).logits[:, -1]


def _out_of_memory(error: RuntimeError) -> bool:
    """Whether an error says that a device, or the machine, has no memory left."""
    return isinstance(error, torch.OutOfMemoryError) or "DefaultCPUAllocator: can't allocate memory" in str(error)
