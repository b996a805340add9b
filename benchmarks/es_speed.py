"""ES on a 134.5 M-parameter Llama against what public code does: the update, and generation of a population.

Shape: hidden 576, 30 layers, 9 heads, 3 KV heads, vocabulary 49152 (SmolLM2-135M's), random weights.

- update: rank-1, 8 members, all linear layers, exact (trainers.weights), noise and the rounding of the weights
  included (the hash that the history keeps is not; it is shown beside); against the
  published method in our own words: for each member re-seed, and for every parameter draw torch.randn and add it times
  the member's coefficient (Qiu et al. 2025, arXiv 2509.24372).
- generation: a population of 16 in one batch, 4 prompts a member, the making of its noise included; against the same
  batch without perturbation, and against perturb, generate, restore, one member after another, by the same published
  method (restoring by subtraction) around the same generator.

Each figure is the median of paired repetitions, so that a machine whose speed changes meanwhile does little harm.

    python benchmarks/es_speed.py [--tokens 12] [--repeat 3] [--dtype float32] [--json]
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from trainers.noise import Noise
from trainers.rollout import Request, Rollout, Sampling, widen
from trainers.strategy import Member, Strategy
from trainers.weights import EvolvingWeights, rms_exponents, select_targets, tensors_hash

SIGMA, RATE, VOCABULARY, PROMPT = 0.02, 0.02, 49152, 24


def make_model(dtype: torch.dtype) -> Any:
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=576, intermediate_size=1536, num_hidden_layers=30, num_attention_heads=9,
        num_key_value_heads=3, max_position_embeddings=2048, tie_word_embeddings=True,
    )  # fmt: skip
    model = LlamaForCausalLM(config).eval()
    widen(model, dtype)
    return model


def seconds_of(call: Callable[[], Any]) -> float:
    gc.collect()
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


@torch.no_grad()
def perturb_by_seed(parameters: Sequence[torch.Tensor], seed: int, scale: float) -> None:
    """The published method: the generator set to the seed anew, a standard normal tensor for each parameter, added."""
    torch.manual_seed(seed)
    for parameter in parameters:
        parameter.add_(torch.randn(parameter.shape, dtype=parameter.dtype), alpha=scale)


class Update:
    """The two updates of 8 members on a model's weights."""

    def __init__(self, model: Any) -> None:
        self.parameters = list(model.parameters())
        names = select_targets(model, ["all-linear"])
        base = {name: model.get_parameter(name).detach().float() for name in names}
        self.strategy = Strategy(8, RATE)
        self.weights = EvolvingWeights(base, Noise(1), self.strategy.unit_exponent, rms_exponents(base))
        self.model = model
        self.generation = 0

    def ours(self) -> None:
        """Fitness to coefficients to accumulators to the model's weights."""
        coefficients = self.strategy.tell([float(i * i % 7) for i in range(8)])
        self.strategy.advance(self.weights, self.generation, coefficients)
        self.weights.put_into(self.model)
        self.generation += 1

    def theirs(self) -> None:
        for seed in range(8):
            perturb_by_seed(self.parameters, seed, 1e-9)


class Generation:
    """A population of 16 with 4 prompts a member."""

    def __init__(self, model: Any, tokens: int) -> None:
        self.model, self.parameters = model, list(model.parameters())
        names = select_targets(model, ["all-linear"])
        exponents = rms_exponents({name: model.get_parameter(name) for name in names})
        scales = {name: 2.0**e for name, e in exponents.items()}
        # No token ends a completion: all have the same length, so that tokens a second mean the same everywhere.
        self.rollout = Rollout(model, scales, Noise(1), SIGMA, Sampling(tokens), [], 0)
        generator = torch.Generator().manual_seed(0)
        self.prompts = torch.randint(3, VOCABULARY, (64, PROMPT), generator=generator).tolist()
        self.strategy = Strategy(16, RATE)
        self.generation = 0
        self.made = 16 * 4 * tokens

    def _run(self, requests: Sequence[Request], members: Sequence[Member]) -> None:
        count = sum(
            len(c.tokens) for done in self.rollout.generate(self.prompts, requests, members, 0, 0) for c in done
        )
        assert count == len(requests) * self.rollout.sampling.max_new_tokens

    def population(self) -> None:
        """New members each time, as in training: their noise is made anew."""
        self.generation += 1
        members = self.strategy.ask(self.generation)
        self._run([Request(m, p, 0) for m in range(16) for p in range(4)], members)

    def unperturbed(self) -> None:
        # 64 different prompts, where members have the same 4: as many to prefill.
        self._run([Request(0, p, 0) for p in range(64)], self._centre())

    def one_after_another(self) -> None:
        for seed in range(16):
            perturb_by_seed(self.parameters, seed, SIGMA * 0.02)
            self._run([Request(0, p, 0) for p in range(4)], self._centre()[:1])
            perturb_by_seed(self.parameters, seed, -SIGMA * 0.02)

    def _centre(self) -> list[Member]:
        return self.strategy.ask(0)


class Plain(Generation):
    """Without perturbation."""

    def _run(self, requests: Sequence[Request], members: Sequence[Member]) -> None:
        done = list(self.rollout.generate(self.prompts, requests, members, 0, 0, perturb=False))
        assert sum(len(c.tokens) for part in done for c in part) == len(requests) * self.rollout.sampling.max_new_tokens


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tokens", type=int, default=12, help="tokens a completion")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--dtype", default="float32", choices=("float32", "float64"), help="of the generation")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    load = os.getloadavg()[0]

    model = make_model(torch.float32)
    size = sum(p.numel() for p in model.parameters())
    update = Update(model)
    update.ours()
    ours = [seconds_of(update.ours) for _ in range(arguments.repeat)]
    evolved = {name: model.get_parameter(name) for name in update.weights.base}
    hashing = seconds_of(lambda: tensors_hash(evolved))
    theirs = [seconds_of(update.theirs) for _ in range(max(1, arguments.repeat // 2))]
    del update

    widen(model, getattr(torch, arguments.dtype))
    population, plain = Generation(model, arguments.tokens), Plain(model, arguments.tokens)
    plain.unperturbed()
    rows = []
    for turn in range(arguments.repeat):
        first = [(population.population, 0), (plain.unperturbed, 1)]
        row = [0.0, 0.0]
        for call, at in first if turn % 2 == 0 else first[::-1]:
            row[at] = seconds_of(call)
        rows.append(row)
    one_by_one = seconds_of(plain.one_after_another)
    together = statistics.median(row[0] for row in rows)
    report = {
        "parameters": size,
        "threads": torch.get_num_threads(),
        "load_before": round(load, 2),
        "dtype": arguments.dtype,
        "tokens_a_completion": arguments.tokens,
        "seconds": {
            "update, rank 1, 8 members": round(statistics.median(ours), 3),
            "hash of the updated weights": round(hashing, 3),
            "update by seed, public method": round(statistics.median(theirs), 3),
            "population of 16": round(together, 3),
            "the same batch unperturbed": round(statistics.median(row[1] for row in rows), 3),
            "perturb, generate, restore": round(one_by_one, 3),
        },
        "tokens_a_second": {
            "population of 16": round(population.made / together, 1),
            "the same batch unperturbed": round(population.made / statistics.median(row[1] for row in rows), 1),
            "perturb, generate, restore": round(population.made / one_by_one, 1),
        },
        "update_speedup": round(statistics.median(theirs) / statistics.median(ours), 1),
        "population_over_unperturbed": round(statistics.median(row[1] / row[0] for row in rows), 3),
        "population_over_one_by_one": round(one_by_one / together, 1),
    }
    if arguments.json:
        print(json.dumps(report))
        return
    print(f"{size / 1e6:.1f} M parameters, {report['threads']} threads, load {load:.1f}, {arguments.dtype}")
    for name, value in report["seconds"].items():  # type: ignore[attr-defined]
        rate = report["tokens_a_second"].get(name)  # type: ignore[attr-defined]
        print(f"{name:32} {value:8.2f} s" + (f" {rate:8.1f} tokens/s" if rate else ""))
    print(f"update: {report['update_speedup']} times faster than by seed")
    print(f"population: {report['population_over_unperturbed']} of the unperturbed batch's tokens a second")
    print(f"population: {report['population_over_one_by_one']} times one member after another")


if __name__ == "__main__":
    main()
