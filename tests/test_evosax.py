"""evosax: its shaping, parity with its Open_ES, its strategies over adapter spaces, exact by their integer updates."""

from __future__ import annotations

import dataclasses
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from es_toy import ROWS, letter_share, shared_runs, toy_config, toy_model, toy_tokenizer

pytest.importorskip("evosax")

from trainers.adapter import AdapterSpace, AdapterWeights
from trainers.es import ESTrainer
from trainers.evosax_strategy import EvosaxStrategy, evosax_shaping
from trainers.history import HASH_DIGITS, Generation, History, replay
from trainers.noise import NOISE_SPEC, Noise
from trainers.strategy import Strategy
from trainers.weights import EvolvingWeights, tensors_hash


@pytest.mark.parametrize("name", ["standardize", "centered_rank", "normalize"])
def test_evosax_shaping_gives_the_same_coefficients(name: str) -> None:
    ours, theirs = (Strategy(16, 0.02, fitness_shaping=f"{prefix}{name}") for prefix in ("", "evosax:"))
    assert ours.unit_exponent == theirs.unit_exponent
    rng = random.Random(0)
    for _ in range(20):
        # Always one without a score: JAX compiles anew for another number of values.
        fitness: list[float | None] = [rng.choice([0.0, 0.25, 0.5, rng.random()]) for _ in range(16)]
        fitness[rng.randrange(16)] = None
        assert ours.tell(fitness) == theirs.tell(fitness)
    same = [None, *[0.5] * 15]
    assert ours.tell(same) == theirs.tell(same) == [0] * 8


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="evosax:centered_rank"):
        evosax_shaping("zscore")
    space = AdapterSpace({"w": (4, 3)}, Noise(1))
    with pytest.raises(ValueError, match="CMA_ES"):
        EvosaxStrategy("CMA", 4, space, 0.1, 0)
    with pytest.raises(ValueError, match="no c_men"):
        EvosaxStrategy("CMA_ES", 4, space, 0.1, 0, options={"c_men": 1.0})
    with pytest.raises(ValueError, match="constant"):
        EvosaxStrategy("CMA_ES", 4, space, 0.1, 0).tell([0.0] * 4, 0.5)


@pytest.mark.parametrize(("rank", "shaping"), [(0, "standardize"), (1, "centered_rank")])
def test_the_trajectory_of_open_es(rank: int, shaping: str) -> None:
    """1,000 dimensions, 30 generations, the same noise: our integers follow evosax's Open_ES with SGD."""
    import jax
    import optax
    from evosax.algorithms import Open_ES
    from evosax.core import fitness_shaping

    population, sigma, rate = 16, 0.05, 0.3
    rng = np.random.default_rng(0)
    goal = rng.normal(size=1000)
    start = torch.from_numpy(rng.normal(size=(25, 40)))
    strategy = Strategy(population, rate, rank, shaping)
    weights = EvolvingWeights({"w": start}, Noise(7, rank), strategy.unit_exponent)
    theirs = Open_ES(
        population_size=population,
        solution=jax.numpy.zeros(1000),
        optimizer=optax.sgd(rate * sigma),  # evosax divides by sigma once more
        std_schedule=optax.constant_schedule(sigma),
        fitness_shaping_fn=getattr(fitness_shaping, f"{shaping}_fitness_shaping_fn"),
    )
    key = jax.random.key(0)
    state = theirs.init(key, jax.numpy.asarray(start.numpy().ravel()), theirs.default_params)
    first = float(np.square(start.numpy().ravel() - goal).mean())
    for generation in range(30):
        members = strategy.ask(generation)
        noise = np.stack(
            [(weights.perturbed("w", m.seed, m.sign, 1.0) - weights.weight("w")).numpy().ravel() for m in members]
        )
        ours = weights.weight("w").numpy().ravel() + sigma * noise
        loss = np.square(ours - goal).mean(axis=1)
        # Centred, since evosax takes E f^2 - (E f)^2 in float32; the same numbers for both.
        loss = (loss - loss.mean()).astype(np.float32)
        strategy.advance(weights, generation, strategy.tell([-float(x) for x in loss]))
        told = jax.numpy.asarray(np.asarray(state.mean) + sigma * noise)
        state, _ = theirs.tell(key, told, jax.numpy.asarray(loss), state, theirs.default_params)
        moved = np.asarray(state.mean) - start.numpy().ravel()
        mine = weights.weight("w").numpy().ravel() - start.numpy().ravel()
        assert np.abs(mine - moved).max() < 1e-3 * np.abs(moved).max()
    assert (
        np.square(weights.weight("w").numpy().ravel() - goal).mean() < (0.9 if shaping == "standardize" else 1) * first
    )


def base() -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    return {"w": torch.randn(12, 5, generator=generator), "norm": torch.ones(6)}


def history_of(strategy: EvosaxStrategy, path: Path) -> History:
    header = {
        "noise_spec": NOISE_SPEC,
        "run_key": 3,
        "rank": 2,
        "unit_exponent": strategy.unit_exponent,
        "base_hash": tensors_hash(base()),
        "manifest": {"w": [12, 5], "norm": [6]},
        "adapter": {"dimensions": strategy.space.dimensions},
    }
    return History.create(path, header)


def generation(strategy: EvosaxStrategy, weights: AdapterWeights, number: int) -> tuple[Generation, float]:
    """One generation towards the adapter of all ones; the line, and the distance of the mean."""
    members = strategy.ask(number)
    fitness: list[float | None] = []
    present = np.ldexp(strategy.vector.astype(float), -strategy.unit_exponent)
    for member in members:
        a, b = strategy.noise.low_rank(member.seed, "w", (12, 5))
        assert a.shape == (12, 2) and b.shape == (5, 2)
        z = np.concatenate([b.ravel(), strategy.noise.vector(member.seed, "norm", 6)])
        fitness.append(-float(np.square((present + z) / strategy.space.scale - 1).sum()))
    fitness[number % len(fitness)] = None  # one could not be scored
    told = strategy.tell(fitness)
    update = strategy.advance(weights, number, told)
    distance = float(np.square(np.ldexp(strategy.vector, -strategy.unit_exponent) / strategy.space.scale - 1).sum())
    return Generation(number, number * 8, tuple(told), None, 8, 7, weights.hash()[:HASH_DIGITS], update), distance


@pytest.mark.parametrize(("name", "options"), [("CMA_ES", {"c_mean": 0.9}), ("PGPE", {"learning_rate": 0.1})])
def test_strategies_improve_resume_and_replay(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    space = AdapterSpace({"w": (12, 5), "norm": (6,)}, Noise(3, 2))
    assert space.dimensions == 16
    strategy = EvosaxStrategy(name, 8, space, 0.2, 11, "centered_rank", options)
    weights = AdapterWeights(base(), space, strategy.unit_exponent)
    history = history_of(strategy, tmp_path / "history.jsonl")
    distances = []
    for number in range(12):
        line, distance = generation(strategy, weights, number)
        history.append(line)
        distances.append(distance)
    assert distances[-1] < 16.0 and distances[-1] < distances[0]
    assert max(map(len, (tmp_path / "history.jsonl").read_bytes().splitlines()[1:])) < 300
    # From the integers alone, no evosax needed.
    assert replay(base(), History.read(tmp_path / "history.jsonl"), verify=True).hash() == weights.hash()
    # A new strategy, told everything again, goes on the same way.
    again = EvosaxStrategy(name, 8, space, 0.2, 11, "centered_rank", options)
    resumed = replay(base(), history)
    again.resume(history.generations)
    assert isinstance(resumed, AdapterWeights)
    expected, _ = generation(strategy, weights, 12)
    assert generation(again, resumed, 12)[0] == expected
    # Where it moves otherwise (another machine), it says so.
    other = dataclasses.replace(expected, generation=13, update=bytes(4 * 16))
    with pytest.raises(RuntimeError, match="generation 13"):
        again.resume([other])


CMA = {
    "strategy": "evosax:CMA_ES",
    "rank": 4,
    "population_size": 6,
    "sigma": 0.1,
    "sigma_scale": "rms",
    "target_modules": ["q_proj", "norms"],
    "num_prompts_per_step": 2,
    "max_completion_length": 6,
}


@pytest.mark.slow
def test_the_trainer_with_cma_es(tmp_path: Path) -> None:
    config = toy_config(tmp_path / "whole", **CMA, max_steps=3, per_device_train_batch_size=5)
    whole = ESTrainer(toy_model(), letter_share, config, train_dataset=ROWS, processing_class=toy_tokenizer())
    whole.train()
    assert whole.history is not None and any(any(g.coefficients) for g in whole.history.generations)
    assert whole.history.header["adapter"] == {"dimensions": 2 * 4 * 48 + 5 * 48}
    # Cut off after two generations, two processes of one BLAS thread each come to the same third.
    lines = whole.run_dir.history.read_bytes().splitlines(keepends=True)
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "history.jsonl").write_bytes(b"".join(lines[:3]))
    runs = shared_runs()
    part = runs.finish(runs.start(tmp_path / "part", 2, **CMA, max_steps=3, resume=True))
    assert part["hash"] == whole.weights.hash()
    assert (tmp_path / "part" / "history.jsonl").read_bytes() == b"".join(lines)
    weights = {n: p.detach() for n, p in toy_model().named_parameters()}
    assert replay(weights, whole.history, verify=True).hash() == whole.weights.hash()


def test_settings_that_do_not_go_together(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="rank"):
        toy_config(tmp_path, strategy="evosax:SNES", rank=0)
    with pytest.raises(ValueError, match="own step sizes"):
        toy_config(tmp_path, strategy="evosax:SNES", lr_scheduler_type="linear")
    with pytest.raises(ValueError, match="open_es or evosax:NAME"):
        toy_config(tmp_path, strategy="cma")


def test_members_differ_by_sigma(tmp_path: Path) -> None:
    """The change that a member sees in each weight has the standard deviation asked for."""
    space = AdapterSpace({"w": (300, 200), "norm": (400,)}, Noise(3, 4))
    strategy = EvosaxStrategy("SNES", 8, space, 0.03, 0)
    changes = []
    for member in strategy.ask(0):
        a, b = strategy.noise.low_rank(member.seed, "w", (300, 200))
        changes.append((a.astype(np.float64) @ b.T).ravel())
        norm = strategy.noise.vector(member.seed, "norm", 400)
        assert math.isclose(float(np.std(norm)), 0.03, rel_tol=0.15)
    assert math.isclose(float(np.std(changes)), 0.03, rel_tol=0.1)
