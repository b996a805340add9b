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
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from trainers.cache import GrowingCache
from trainers.noise import Noise, uniforms
from trainers.strategy import Member

__all__ = ["Completion", "Request", "Rollout", "Sampling", "narrow", "sample_tokens", "widen"]

PREFILL_TOKENS = 2048
"""Most prompt tokens in one forward pass."""


@dataclass(frozen=True)
class Request:
    """One completion to make: `member` is an index into the members given, or None for the unperturbed weights;
    `prompt` an index into the prompts; `attempt` a number that tells completions of the two apart."""

    member: int | None
    prompt: int
    attempt: int


@dataclass(frozen=True)
class Completion:
    """Tokens of request number `index`. `ended`: an end-of-sequence token was sampled; it is not in `tokens`."""

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


class Rollout:
    """Generates with a transformers causal language model.

    Args:
        model: any causal language model; its present weights are the population's centre.
        scales: canonical names of the evolving weights, each the `weight` of an `nn.Linear` or an RMSNorm, and the
            scale 2^e of their noise.
        noise, sigma: the members' perturbation.
        sampling: how tokens are drawn.
        eos_token_ids, pad_token_id: of the tokenizer.
        batch_size: most sequences in one batch.
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
    ) -> None:
        self.model = model
        self.scales = dict(scales)
        self.noise = noise
        self.sigma = sigma
        self.sampling = sampling
        self.pad_token_id = pad_token_id
        self.batch_size = batch_size
        parameter = next(model.parameters())
        self.device, self.dtype = parameter.device, parameter.dtype
        self._eos = torch.tensor(sorted(set(eos_token_ids)), device=self.device)
        # transformers 5.2x renames the argument `past_key_values` to `cache`.
        accepted = inspect.signature(model.forward).parameters
        self._cache_argument = "cache" if "cache" in accepted else "past_key_values"
        self._keep = {"logits_to_keep": 1} if "logits_to_keep" in accepted else {}

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

        Raises:
            ValueError: for an empty prompt.
            FloatingPointError: when the model's output is not finite.
        """
        if any(len(prompt) == 0 for prompt in prompts):
            raise ValueError(
                "a prompt has no tokens; give the tokenizer a beginning-of-sequence token or a longer prompt"
            )
        # Sorted so that attempts of one member and prompt are neighbours and members of a batch few.
        order = sorted(
            range(len(requests)),
            key=lambda i: (-1 if (m := requests[i].member) is None else m, requests[i].prompt, requests[i].attempt),
        )
        was_training = self.model.training
        self.model.eval()
        try:
            for start in range(0, len(order), self.batch_size):
                chunk = order[start : start + self.batch_size]
                rows = [requests[i] for i in chunk]
                drawn = uniforms(
                    seed,
                    generation,
                    [0 if r.member is None or self.sampling.common else members[r.member].index + 1 for r in rows],
                    [r.prompt if prompt_numbers is None else prompt_numbers[r.prompt] for r in rows],
                    [r.attempt for r in rows],
                    self.sampling.max_new_tokens,
                )
                chosen = [None if r.member is None or not perturb else members[r.member] for r in rows]
                for finished in self._batch([prompts[r.prompt] for r in rows], chosen, torch.from_numpy(drawn)):
                    yield [Completion(chunk[row], tokens, ended) for row, tokens, ended in finished]
        finally:
            self.model.train(was_training)

    def _batch(
        self, prompts: list[Sequence[int]], members: list[Member | None], drawn: torch.Tensor
    ) -> Iterator[list[tuple[int, list[int], bool]]]:
        """One batch: prefill each (member, prompt) once, then decode; finished rows leave the batch."""
        limit = self.sampling.max_new_tokens
        unique: dict[tuple[int | None, tuple[int, ...]], int] = {}
        source = [
            unique.setdefault((None if m is None else m.index, tuple(p)), len(unique))
            for m, p in zip(members, prompts, strict=True)
        ]
        first = [source.index(i) for i in range(len(unique))]
        heads = [prompts[i] for i in first]
        width = max(len(head) for head in heads)
        padded = any(len(head) < width for head in heads)
        mask = torch.zeros((len(heads), width + limit), dtype=torch.bool)
        for row, head in enumerate(heads):
            mask[row, width - len(head) :] = True
        mask, drawn = mask.to(self.device), drawn.to(self.device)
        cache = GrowingCache(self.model, width + limit)
        with self._population(members) as term:
            logits = self._prefill(heads, first, width, cache, term)
            position = torch.tensor([len(head) - 1 for head in heads], device=self.device)[:, None]
            # The prompt's cache and logits are repeated for its attempts.
            repeat = torch.tensor(source, device=self.device)
            alive = torch.arange(len(source), device=self.device)  # row of the batch -> row of the chunk
            if len(unique) < len(source):
                cache.select(repeat)
                logits, mask, position = logits[repeat], mask[repeat], position[repeat]
            term.select(list(range(len(source))))
            output = torch.full((len(source), limit), self.pad_token_id, device=self.device)
            running = torch.ones(len(source), dtype=torch.bool, device=self.device)
            for step in range(limit):
                token = sample_tokens(logits, drawn[alive, step], self.sampling)
                if not bool(torch.isfinite(logits).all()):
                    raise FloatingPointError(
                        "the model's logits are not finite; is sigma or the learning rate too large?"
                    )
                output[alive, step] = token
                ended = torch.isin(token, self._eos) & running
                if step + 1 == limit:
                    yield [
                        (row, output[row, : step if end else limit].tolist(), end)
                        for row, end in zip(alive[running].tolist(), ended[running].tolist(), strict=True)
                    ]
                    return
                if bool(ended.any()):
                    yield [(row, output[row, :step].tolist(), True) for row in alive[ended].tolist()]
                    running &= ~ended
                    left = int(running.sum())
                    if left == 0:
                        return
                    if left <= 0.85 * len(running):
                        kept = running.nonzero()[:, 0]
                        cache.select(kept)
                        alive, mask, position, token = alive[kept], mask[kept], position[kept], token[kept]
                        running = running[kept]
                        term.select(alive.tolist())
                position = position + 1
                seen = mask[:, : width + step + 1] if padded else None
                logits = self._forward(token[:, None], seen, position, cache)

    def _prefill(
        self, heads: list[Sequence[int]], rows: list[int], width: int, cache: GrowingCache, term: _PopulationTerm
    ) -> torch.Tensor:
        """Fill the cache with the prompts, left-padded to `width`; logits of their last positions, (heads, vocabulary).

        Done in parts of neighbouring lengths, so that activations stay in the processor's cache and little is padding.
        """
        order = sorted(range(len(heads)), key=lambda i: len(heads[i]))
        if not cache.partable:
            parts = [list(range(len(heads)))]
        else:
            size = max(1, PREFILL_TOKENS // width)
            parts = [order[i : i + size] for i in range(0, len(order), size)]
        logits: list[torch.Tensor] = [torch.empty(0)] * len(heads)
        for part in parts:
            longest = max(len(heads[i]) for i in part) if cache.partable else width
            tokens = torch.full((len(part), longest), self.pad_token_id)
            mask = torch.zeros((len(part), longest), dtype=torch.bool)
            for row, i in enumerate(part):
                tokens[row, longest - len(heads[i]) :] = torch.tensor(heads[i])
                mask[row, longest - len(heads[i]) :] = True
            tokens, mask = tokens.to(self.device), mask.to(self.device)
            position = (mask.long().cumsum(-1) - 1).clamp_(min=0)
            term.select([rows[i] for i in part])
            own = cache if not cache.partable else GrowingCache(self.model, longest)
            out = self._forward(tokens, None if bool(mask.all()) else mask, position, own)
            if cache.partable:
                cache.put(own, part, len(heads), width)
            for row, i in enumerate(part):
                logits[i] = out[row]
        return torch.stack(logits)

    def _forward(
        self, tokens: torch.Tensor, mask: torch.Tensor | None, position: torch.Tensor, cache: GrowingCache
    ) -> torch.Tensor:
        """Logits of the last position: (rows, vocabulary)."""
        arguments: dict[str, Any] = {self._cache_argument: cache.cache, **self._keep}
        if mask is not None:
            arguments["attention_mask"] = mask
        return self.model(input_ids=tokens, position_ids=position, use_cache=True, **arguments).logits[:, -1]

    @contextmanager
    def _population(self, members: list[Member | None]) -> Iterator[_PopulationTerm]:
        term = _PopulationTerm(self, members)
        try:
            yield term
        finally:
            term.remove()


class _PopulationTerm:
    """Adds each row's low-rank term to the outputs of the evolving layers, by forward hooks.

    Args:
        members: of each row of the chunk; None for a row without perturbation.
    """

    def __init__(self, rollout: Rollout, members: list[Member | None]) -> None:
        noise, device, dtype = rollout.noise, rollout.device, rollout.dtype
        seeds = sorted({m.seed for m in members if m is not None})
        self._handles: list[Any] = []
        self._mask: torch.Tensor | None = None
        self._select: torch.Tensor | None = None
        if not seeds:
            return
        if noise.rank == 0:
            raise ValueError("full-rank members cannot share a batch; generate them one after another")
        column = {seed: i * noise.rank for i, seed in enumerate(seeds)}
        mask = np.zeros((len(members), len(seeds) * noise.rank))
        for row, member in enumerate(members):
            if member is not None:
                at = column[member.seed]
                mask[row, at : at + noise.rank] = member.sign * rollout.sigma * noise.scale
        self._mask = torch.from_numpy(mask).to(device, dtype)
        for name, scale in rollout.scales.items():
            module = rollout.model.get_submodule(name.removesuffix(".weight"))
            if not isinstance(module, nn.Linear):
                size = module.weight.numel()  # type: ignore[operator]
                vectors = np.stack([noise.vector(seed, name, size) for seed in seeds]).repeat(noise.rank, axis=0)
                # The mask holds a member's factor once for each of its r columns.
                vector = torch.from_numpy(vectors).to(device, dtype) * (scale / noise.rank)
                self._handles.append(module.register_forward_hook(self._norm_hook(vector)))
                continue
            shape = (int(module.out_features), int(module.in_features))
            factors = [noise.low_rank(seed, name, shape) for seed in seeds]
            a = torch.from_numpy(np.concatenate([a for a, _ in factors], axis=1).T.copy()).to(device, dtype) * scale
            b = torch.from_numpy(np.concatenate([b for _, b in factors], axis=1)).to(device, dtype)
            self._handles.append(module.register_forward_hook(self._hook(a, b)))

    def _hook(self, a: torch.Tensor, b: torch.Tensor) -> Any:
        def add_term(module: nn.Module, inputs: tuple[torch.Tensor, ...], output: torch.Tensor) -> None:
            # x: (rows, time, in); a: (columns, out); b: (in, columns). The output is ours to change in place.
            assert self._select is not None
            hidden = (inputs[0] @ b) * self._select
            output.view(-1, output.shape[-1]).addmm_(hidden.view(-1, hidden.shape[-1]), a)

        return add_term

    def _norm_hook(self, vectors: torch.Tensor) -> Any:
        def add_term(module: Any, inputs: tuple[torch.Tensor, ...], output: torch.Tensor) -> torch.Tensor:
            # x: (rows, time, n); vectors: (columns, n); each row has its own weight beside the module's.
            assert self._select is not None
            hidden = inputs[0]
            scaled = torch.rsqrt(hidden.pow(2).mean(-1, keepdim=True) + module.variance_epsilon) * hidden
            return torch.addcmul(output, scaled, self._select @ vectors)

        return add_term

    def select(self, rows: list[int]) -> None:
        """The batch's rows are these rows of the chunk from now on."""
        if self._mask is not None:
            self._select = self._mask[rows][:, None, :]

    def remove(self) -> None:
        for handle in self._handles:
            handle.remove()
