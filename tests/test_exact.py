"""One hash after 50 generations: whatever the processes, batches, noise backends and orders, and after kill -9."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from es_toy import ROWS, Runs, letter_share, shared_runs, toy_config, toy_model, toy_tokenizer

from trainers.es import ESTrainer
from trainers.history import History, replay
from trainers.noise import Noise
from trainers.strategy import Strategy, standardize
from trainers.weights import EvolvingWeights, rms_exponents

SETTINGS: dict[str, Any] = {
    "max_steps": 50,
    "population_size": 6,
    "num_prompts_per_step": 2,
    "num_generations": 1,
    "max_completion_length": 4,
    "rank": 2,
    "lr_scheduler_type": "linear",
    "sigma_scheduler_type": "cosine",
    "target_modules": ["all-linear", "norms"],
}


def base() -> dict[str, torch.Tensor]:
    return {n: p.detach() for n, p in toy_model().named_parameters()}


@pytest.fixture
def runs() -> Runs:
    return shared_runs()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """(hash, folder) of a run in this process: one rank, batches of 64, noise of NumPy."""
    folder = tmp_path_factory.mktemp("whole")
    config = toy_config(folder, **SETTINGS, per_device_train_batch_size=64, noise_backend="numpy")
    trainer = ESTrainer(toy_model(), letter_share, config, train_dataset=ROWS, processing_class=toy_tokenizer())
    trainer.train()
    assert trainer.history is not None
    # The hash means something: coefficients were not zero, and the weights moved.
    assert sum(any(g.coefficients) for g in trainer.history.generations) > 25
    assert len({g.weights_hash for g in trainer.history.generations}) > 25
    return trainer.weights.hash(), folder


def test_one_hash_from_one_two_and_three_processes(runs: Runs, whole: tuple[str, Path], tmp_path: Path) -> None:
    cases = [(1, 4, "torch"), (2, 64, "torch"), (3, 4, "numpy")]
    for processes, batch, backend in cases:
        output = tmp_path / str(processes)
        started = runs.start(output, processes, **SETTINGS, per_device_train_batch_size=batch, noise_backend=backend)
        assert runs.finish(started) == {"hash": whole[0], "world": processes, "rank": 0}
        mine, theirs = (History.read(f / "history.jsonl").generations for f in (output, whole[1]))
        assert mine == theirs


def test_kill_9_at_ten_random_moments_and_resume(runs: Runs, whole: tuple[str, Path], tmp_path: Path) -> None:
    rng = random.Random(4)
    settings = {**SETTINGS, "save_strategy": "steps", "save_steps": 7, "save_total_limit": 2, "delay": 0.05}
    seen = []
    for kill in range(10):
        started = runs.start(tmp_path / "run", 2 if kill % 4 == 3 else 1, resume=kill > 0, **settings)
        if kill == 0:
            while not (tmp_path / "run" / "history.jsonl").exists():
                time.sleep(0.01)
        time.sleep(rng.uniform(0.1, 0.6))
        for pid, _ in started:
            os.kill(pid, signal.SIGKILL)
        while any(Path(f"/proc/{pid}").exists() for pid, _ in started):
            time.sleep(0.01)
        seen.append(len(History.read(tmp_path / "run" / "history.jsonl").generations))
    assert seen == sorted(seen) and 0 < seen[-1] < 50
    end = runs.finish(runs.start(tmp_path / "run", 3, resume=True, **settings))
    assert end["hash"] == whole[0]
    assert (
        History.read(tmp_path / "run" / "history.jsonl").generations
        == History.read(whole[1] / "history.jsonl").generations
    )


def test_replay_alone_and_sums_in_any_order(whole: tuple[str, Path]) -> None:
    history = History.read(whole[1] / "history.jsonl")
    assert replay(base(), history, verify=True).hash() == replay(base(), history).hash() == whole[0]
    pairs = [p for g in history.generations for p in zip(g.seeds, g.coefficients, strict=True)]
    for seed, backend in enumerate(("numpy", "torch")):
        rng = random.Random(seed)
        weights = history.weights(base())
        weights.noise_backend = backend
        rng.shuffle(pairs)
        rest = list(pairs)
        while rest:
            n = rng.randrange(1, 20)
            weights.apply([s for s, _ in rest[:n]], [c for _, c in rest[:n]])
            rest = rest[n:]
        assert weights.hash() == whole[0]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_the_same_hash_on_a_gpu(whole: tuple[str, Path]) -> None:
    history = History.read(whole[1] / "history.jsonl")
    device = {name: tensor.cuda() for name, tensor in base().items()}
    assert replay(device, history, verify=True).hash() == whole[0]


def cosine(a: torch.Tensor, b: torch.Tensor) -> float:
    return float(torch.nn.functional.cosine_similarity(a.double().flatten(), b.double().flatten(), dim=0))


@pytest.mark.parametrize("rank", [0, 1])
def test_the_applied_update_is_the_intended_one(rank: int) -> None:
    """Against lr / N * sum f_i eps_i in float64. The accumulators hold it at once, bf16 weights as soon as it is
    larger than their rounding (0.2 % of a weight), which does not pile up."""
    generator = torch.Generator().manual_seed(0)
    start = {"w": torch.randn((192, 160), generator=generator).mul(0.02).to(torch.bfloat16)}
    exponents = rms_exponents(start)
    still = EvolvingWeights(start, Noise(3, rank), 0, exponents)
    zero = still.weight("w").double()
    for rate, generations in ((0.9, 1), (0.02, 200)):
        strategy = Strategy(32, rate, rank)
        unit = 2.0 ** (exponents["w"] - strategy.unit_exponent)
        weights = EvolvingWeights(start, still.noise, strategy.unit_exponent, exponents)
        intended = torch.zeros(192, 160, dtype=torch.float64)
        rng = random.Random(0)
        for generation in range(generations):
            fitness = [rng.random() for _ in range(32)]
            members, shaped = strategy.ask(generation), standardize(fitness)
            strategy.advance(weights, generation, strategy.tell(fitness))
            if generation < 3:
                for member, f in zip(members, shaped, strict=True):
                    step = still.perturbed("w", member.seed, member.sign, 1.0) - zero
                    intended += rate / 32 * f * step
                assert cosine(weights.accumulators["w"] * unit, intended) > 0.99999999
        applied, kept = weights.weight("w").double() - zero, weights.accumulators["w"] * unit
        assert cosine(applied, kept) >= 0.999
        assert abs(float(applied.norm() / kept.norm()) - 1) < 0.01


@pytest.mark.parametrize("rank", [0, 1, 4])
def test_members_see_their_noise_in_bf16(rank: int) -> None:
    generator = torch.Generator().manual_seed(0)
    start = {"w": torch.randn((192, 160), generator=generator).mul(0.02).to(torch.bfloat16)}
    weights = EvolvingWeights(start, Noise(3, rank), 20, rms_exponents(start))
    for seed, sign in ((0, 1), (1, -1)):
        intended = weights.perturbed("w", seed, sign, 0.02) - start["w"].double()
        seen = weights.perturbed("w", seed, sign, 0.02).to(torch.bfloat16).double() - start["w"].double()
        assert cosine(seen, intended) >= 0.99
