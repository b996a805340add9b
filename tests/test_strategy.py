"""Ask/tell: pairs, shaping (against evosax where it is installed), integer coefficients, bounds."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import torch

from trainers.noise import Noise
from trainers.strategy import COEFFICIENT_LIMIT, FITNESS_SHAPING, Strategy, centered_rank, normalize, standardize
from trainers.weights import EvolvingWeights, select_targets, tensors_hash


def test_members_come_in_antithetic_pairs_with_fresh_seeds() -> None:
    strategy = Strategy(8, 0.1)
    first, second = strategy.ask(0), strategy.ask(1)
    assert [m.index for m in first] == list(range(8))
    for plus, minus in zip(first[::2], first[1::2], strict=True):
        assert plus.seed == minus.seed and (plus.sign, minus.sign) == (1, -1)
    assert not {m.seed for m in first} & {m.seed for m in second}
    single = Strategy(5, 0.1, antithetic=False).ask(3)
    assert [m.seed for m in single] == [15, 16, 17, 18, 19] and all(m.sign == 1 for m in single)


def test_shaping_by_hand() -> None:
    assert centered_rank([3.0, 1.0, 2.0]) == [0.5, -0.5, 0.0]
    assert centered_rank([1.0, 1.0, 0.0]) == [0.25, 0.25, -0.5]
    assert normalize([0.0, 5.0, 10.0]) == [-1.0, 0.0, 1.0]
    assert normalize([2.0, 2.0]) == [0.0, 0.0]
    z = standardize([1.0, 2.0, 3.0])
    assert math.isclose(z[2], math.sqrt(1.5), rel_tol=1e-6) and z[1] == 0


def test_shaping_agrees_with_evosax() -> None:
    shaping = pytest.importorskip("evosax.core.fitness_shaping")
    names = {
        "standardize": shaping.standardize_fitness_shaping_fn,
        "centered_rank": shaping.centered_rank_fitness_shaping_fn,
        "normalize": shaping.normalize_fitness_shaping_fn,
        "none": shaping.identity_fitness_shaping_fn,
    }
    rng = random.Random(0)
    for _ in range(5):
        fitness = [rng.choice([0.0, 0.25, 0.5, rng.random()]) for _ in range(16)]
        for name, theirs in names.items():
            ours = FITNESS_SHAPING[name](fitness)
            assert np.allclose(ours, np.asarray(theirs(None, np.array(fitness), None, None)), atol=1e-5), name


def test_none_gets_no_weight_and_order_does_not_matter() -> None:
    strategy = Strategy(6, 0.1, antithetic=False)
    coefficients = strategy.tell([1.0, None, 0.0, 0.5, None, 0.25])
    assert coefficients[1] == coefficients[4] == 0 and coefficients[0] > 0 > coefficients[2]
    assert strategy.tell([None] * 6) == [0] * 6
    assert strategy.tell([None, 1.0, None, None, None, None]) == [0] * 6
    assert Strategy(4, 0.1).tell([1.0, 1.0, 1.0, 1.0]) == [0, 0]
    fitness = [random.Random(1).random() * 10**e for e in range(6)]
    assert strategy.tell(fitness)[::-1] == strategy.tell(fitness[::-1])


def test_pair_coefficient_is_the_difference() -> None:
    strategy = Strategy(4, 0.02, rank=2, fitness_shaping="none")
    coefficients = strategy.tell([0.75, 0.25, 0.0, 1.0])
    unit = 2.0**strategy.unit_exponent * 0.02 / (2 * math.sqrt(2)) / 4
    assert coefficients == [round(0.5 * unit), round(-1.0 * unit)]
    assert strategy.tell([0.75, 0.25, 0.0, 1.0], learning_rate_factor=0.5)[1] == round(-0.5 * unit)


@pytest.mark.parametrize("shaping", list(FITNESS_SHAPING))
@pytest.mark.parametrize("antithetic", [True, False])
def test_coefficients_always_fit_and_use_the_bits(shaping: str, antithetic: bool) -> None:
    for population in (2, 4, 32, 128):
        strategy = Strategy(population, 3e-3, fitness_shaping=shaping, antithetic=antithetic)
        worst = strategy.tell([1.0] + [0.0] * (population - 1))
        assert max(map(abs, worst)) <= COEFFICIENT_LIMIT
        assert max(map(abs, worst)) > 500
        split = strategy.tell([float(i % 2) for i in range(population)])
        assert max(map(abs, split)) <= COEFFICIENT_LIMIT


def test_bad_fitness_is_refused() -> None:
    strategy = Strategy(4, 0.1, fitness_shaping="none")
    with pytest.raises(ValueError, match="NaN"):
        strategy.tell([float("nan"), 0.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="3 fitness"):
        strategy.tell([0.0] * 3)
    with pytest.raises(OverflowError, match="fitness_limit"):
        strategy.tell([100.0, 0.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="even"):
        Strategy(3, 0.1)
    with pytest.raises(ValueError, match="fitness_shaping"):
        Strategy(4, 0.1, fitness_shaping="zscore")


def random_weights(rank: int, k: int = 24, dtype: torch.dtype = torch.float32) -> EvolvingWeights:
    generator = torch.Generator().manual_seed(0)
    base = {
        name: torch.randn(shape, generator=generator).mul(0.05).to(dtype)
        for name, shape in [("u", (70, 33)), ("v", (9, 50))]
    }
    return EvolvingWeights(base, Noise(5, rank), k)


@pytest.mark.parametrize("rank", [0, 1, 3])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_update_is_exact_in_any_order_and_grouping(rank: int, dtype: torch.dtype) -> None:
    rng = random.Random(rank)
    seeds = list(range(24))
    coefficients = [rng.randint(-COEFFICIENT_LIMIT, COEFFICIENT_LIMIT) for _ in seeds]
    together, split, shuffled = (random_weights(rank, dtype=dtype) for _ in range(3))
    together.apply(seeds, coefficients)
    for seed, coefficient in zip(seeds, coefficients, strict=True):
        split.apply([seed], [coefficient])
    order = rng.sample(seeds, len(seeds))
    shuffled.apply(order, [coefficients[i] for i in order])
    assert together.hash() == split.hash() == shuffled.hash() != random_weights(rank, dtype=dtype).hash()
    # The same sum in Python's unbounded integers.
    for name, shape in together.manifest.items():
        exact = np.zeros(shape, dtype=object)
        for seed, coefficient in zip(seeds, coefficients, strict=True):
            if rank:
                a, b = (x.astype(object) for x in together.noise.low_rank(seed, name, shape))
                exact += coefficient * (a @ b.T)
            else:
                exact += coefficient * together.noise.full(seed, name, shape).astype(object)
        assert (together.accumulators[name].numpy().astype(np.int64) == exact).all()
        assert abs(exact).max() <= together.bound


def test_bf16_update_keeps_its_direction() -> None:
    weights = random_weights(1, k=22, dtype=torch.bfloat16)
    for seed in range(400):
        weights.apply([seed], [(-1) ** seed * 300])
    applied = torch.cat([(weights.weight(n).double() - b.double()).flatten() for n, b in weights.base.items()])
    intended = torch.cat([d.flatten() * 2.0**-22 for d in weights.accumulators.values()])
    assert torch.nn.functional.cosine_similarity(applied, intended, dim=0) > 0.99


def test_accumulator_bound_is_checked_before_anything_changes() -> None:
    weights = random_weights(1)
    weights.bound = 2**53 - 16
    weights.apply([0], [1])
    before = weights.hash()
    with pytest.raises(OverflowError, match=r"2\^53"):
        weights.apply([1], [1])
    assert weights.hash() == before


def test_snapshot_round_trip() -> None:
    one, two = random_weights(2), random_weights(2)
    one.apply([1, 2], [30000, -7])
    two.load_state(one.state())
    assert one.hash() == two.hash() and one.bound == two.bound
    with pytest.raises(ValueError, match="other tensors"):
        two.load_state({"D.u": torch.zeros(1)})


def test_hash_sees_names_shapes_and_bits() -> None:
    x = torch.arange(6.0)
    hashes = {
        tensors_hash({"a": x}),
        tensors_hash({"b": x}),
        tensors_hash({"a": x.reshape(2, 3)}),
        tensors_hash({"a": x.bfloat16()}),
        tensors_hash({"a": torch.where(x == 0, -0.0, x)}),
    }
    assert len(hashes) == 5


def test_targets() -> None:
    class Tiny(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed = torch.nn.Embedding(5, 4)
            self.q_proj, self.up_proj = torch.nn.Linear(4, 4), torch.nn.Linear(4, 8)
            self.head = torch.nn.Linear(4, 5, bias=False)
            self.head.weight = self.embed.weight

        def get_output_embeddings(self) -> torch.nn.Module:
            return self.head

    model = Tiny()
    assert select_targets(model) == ["q_proj.weight", "up_proj.weight"]
    assert select_targets(model, ["q_proj"]) == select_targets(model, ["q_*"]) == ["q_proj.weight"]
    with pytest.raises(ValueError, match="shared"):
        select_targets(model, ["head"])
    with pytest.raises(ValueError, match=r"no layer"):
        select_targets(model, ["nothing"])
    with pytest.raises(ValueError, match="Embedding"):
        select_targets(model, ["embed"])
