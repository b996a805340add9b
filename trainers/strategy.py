"""Ask and tell: which seeds a generation tries, and which integer coefficient each seed earns.

Names follow evosax (`population_size`, fitness shaping), but fitness is a reward here: it is maximised. One generation
moves the weights by

    W <- W + learning_rate * (1 / N) * sum_i f_i * eps_i,

with f the shaped fitness of the N members (0 for one without a score) and eps_i = sign_i * scale * E_i the
unit-variance noise of member i (Qiu et al. 2025, arXiv 2509.24372, and EGGROLL, arXiv 2511.16652; both absorb 1/sigma
in the learning rate. evosax's Open_ES divides by sigma: its learning rate is this one times sigma). The learning
rate enters only through the integers

    C_j = round(2^k * learning_rate * scale / N * (f_2j - f_2j+1))

so the weights are a function of the base and of the stored integers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainers.noise import noise_scale

if TYPE_CHECKING:
    from trainers.history import Generation
    from trainers.weights import EvolvingWeights

__all__ = [
    "COEFFICIENT_LIMIT",
    "FITNESS_SHAPING",
    "Member",
    "Shaping",
    "Strategy",
    "centered_rank",
    "fitness_shaping_of",
    "member_fitness",
    "normalize",
    "shaped_fitness",
    "standardize",
]

COEFFICIENT_LIMIT = (1 << 15) - 1
"""Coefficients are stored as 16-bit integers."""


@dataclass(frozen=True)
class Member:
    """One member of the population: its index, the seed of its noise and the sign (+1 or -1) it takes it with."""

    index: int
    seed: int
    sign: int


# Sums go through math.fsum, which rounds the exact sum once: the result does not depend on the order or the machine.


def standardize(fitness: Sequence[float]) -> list[float]:
    """Z-scores: (f - mean) / sqrt(var + 1e-8), population variance.

    As evosax 0.3.2 `standardize_fitness_shaping_fn` (jax.nn.standardize with epsilon 1e-8).
    """
    mean = math.fsum(fitness) / len(fitness)
    variance = math.fsum((f - mean) ** 2 for f in fitness) / len(fitness)
    return [(f - mean) / math.sqrt(variance + 1e-8) for f in fitness]


def centered_rank(fitness: Sequence[float]) -> list[float]:
    """Ranks in [-0.5, 0.5], the mean rank for ties. As evosax 0.3.2 `centered_rank_fitness_shaping_fn`."""
    if len(fitness) == 1:
        return [0.0]
    ordered = sorted(fitness)
    first: dict[float, int] = {}
    count: dict[float, int] = {}
    for rank, value in enumerate(ordered):
        first.setdefault(value, rank)
        count[value] = count.get(value, 0) + 1
    return [(first[f] + (count[f] - 1) / 2) / (len(fitness) - 1) - 0.5 for f in fitness]


def normalize(fitness: Sequence[float]) -> list[float]:
    """Scaled to [-1, 1] by minimum and maximum; all 0 when they are equal. As evosax 0.3.2 `normalize`."""
    low, high = min(fitness), max(fitness)
    if math.isclose(low, high, rel_tol=1e-5, abs_tol=1e-8):
        return [0.0] * len(fitness)
    return [-1.0 + 2.0 * (f - low) / (high - low) for f in fitness]


def _identity(fitness: Sequence[float]) -> list[float]:
    return list(fitness)


FITNESS_SHAPING: dict[str, Callable[[Sequence[float]], list[float]]] = {
    "standardize": standardize,
    "centered_rank": centered_rank,
    "normalize": normalize,
    "none": _identity,
}
"""Name -> shaping function over the scored members."""

Shaping = Callable[[Sequence[float]], list[float]]


def fitness_shaping_of(name: str, population_size: int, fitness_limit: float = 1.0) -> tuple[Shaping, float]:
    """(function, largest absolute value it can give) of a fitness shaping.

    Args:
        name: a key of `FITNESS_SHAPING`, or "evosax:" with "standardize", "centered_rank", "normalize" or "identity":
            evosax's own function. Ours are the same formulas, but in sums that do not depend on the machine.
        fitness_limit: for a shaping that leaves fitness as it is.

    Raises:
        ValueError: for an unknown name.
        ImportError: without evosax.
    """
    own = name.removeprefix("evosax:")
    # Largest |shaped fitness|: a z-score of n values is at most sqrt(n - 1).
    limits = {"standardize": math.sqrt(population_size - 1), "centered_rank": 0.5, "normalize": 1.0}
    if own != name:
        from trainers.evosax_strategy import evosax_shaping

        # A little more room: rounding may carry evosax's values past the limit.
        return evosax_shaping(own), limits.get(own, fitness_limit) * (1 + 1e-6)
    if name not in FITNESS_SHAPING:
        raise ValueError(f"fitness_shaping must be one of {', '.join(FITNESS_SHAPING)}, or evosax:NAME, not {name!r}")
    return FITNESS_SHAPING[name], limits.get(name, fitness_limit)


def shaped_fitness(fitness: Sequence[float | None], population_size: int, shaping: Shaping) -> list[float]:
    """Shaped fitness of the members: 0 for one without a score, and for all when fewer than two have one.

    Raises:
        ValueError: for a NaN or infinite fitness, or a wrong count.
    """
    if len(fitness) != population_size:
        raise ValueError(f"{len(fitness)} fitness values for a population of {population_size}")
    scored = [i for i, f in enumerate(fitness) if f is not None]
    values = [float(f) for f in fitness if f is not None]
    if not all(math.isfinite(f) for f in values):
        raise ValueError("a fitness is NaN or infinite; a member that cannot be scored has fitness None")
    shaped = [0.0] * population_size
    if len(values) >= 2:
        for i, f in zip(scored, shaping(values), strict=True):
            shaped[i] = f
    return shaped


class Strategy:
    """Open-ES with seeds.

    Args:
        population_size: members a generation; even when antithetic.
        learning_rate: the largest learning rate of the run (a schedule scales it down in `tell`).
        rank: rank of the noise, for its scale (0: full rank).
        fitness_shaping: see `fitness_shaping_of`.
        antithetic: members 2j and 2j+1 share a seed with opposite signs.
        fitness_limit: largest absolute fitness that shaping "none" may see; sets the unit of the coefficients.
    """

    def __init__(
        self,
        population_size: int,
        learning_rate: float,
        rank: int = 1,
        fitness_shaping: str = "standardize",
        antithetic: bool = True,
        fitness_limit: float = 1.0,
    ) -> None:
        if population_size < 2 or (antithetic and population_size % 2):
            raise ValueError(f"population_size must be 2 or more, and even when antithetic, not {population_size}")
        if not learning_rate > 0:
            raise ValueError(f"learning_rate must be positive, not {learning_rate}")
        self.population_size = population_size
        self.learning_rate = learning_rate
        self.rank = rank
        self.fitness_shaping = fitness_shaping
        self.antithetic = antithetic
        self._shaping, self.fitness_limit = fitness_shaping_of(fitness_shaping, population_size, fitness_limit)
        self.unit_exponent = self._unit_exponent()

    def _unit_exponent(self) -> int:
        """The largest k for which no coefficient can pass 16 bits (members scored alone, N = 1, excepted)."""
        largest = self.learning_rate * noise_scale(self.rank) / self.population_size * self.fitness_limit
        return math.floor(math.log2(COEFFICIENT_LIMIT / (largest * (2 if self.antithetic else 1))))

    @property
    def seeds_per_generation(self) -> int:
        return self.population_size // 2 if self.antithetic else self.population_size

    def seeds(self, generation: int) -> list[int]:
        """Seeds of a generation (counted from 0): consecutive numbers that no other generation uses."""
        n = self.seeds_per_generation
        return list(range(generation * n, (generation + 1) * n))

    def ask(self, generation: int) -> list[Member]:
        """The members of a generation, by index."""
        seeds = self.seeds(generation)
        if self.antithetic:
            return [Member(2 * j + k, seed, sign) for j, seed in enumerate(seeds) for k, sign in enumerate((1, -1))]
        return [Member(j, seed, 1) for j, seed in enumerate(seeds)]

    def tell(self, fitness: Sequence[float | None], learning_rate_factor: float = 1.0) -> list[int]:
        """Integer coefficients of the generation's seeds.

        Args:
            fitness: one a member, higher is better; None for a member without a score, which gets no weight.
            learning_rate_factor: of a schedule, in [0, 1].

        Returns:
            One integer a seed, |C| <= COEFFICIENT_LIMIT; all 0 when fewer than two members have a score.

        Raises:
            ValueError: for a NaN or infinite fitness, or a wrong count.
            OverflowError: when a coefficient needs more than 16 bits (shaping "none" above `fitness_limit`).
        """
        if not 0.0 <= learning_rate_factor <= 1.0:
            raise ValueError(f"learning_rate_factor must be between 0 and 1, not {learning_rate_factor}")
        shaped = shaped_fitness(fitness, self.population_size, self._shaping)
        net = [shaped[i] - shaped[i + 1] for i in range(0, len(shaped), 2)] if self.antithetic else shaped
        # N stays the population size: members without a score make the step smaller, never larger.
        rate = self.learning_rate * learning_rate_factor
        unit = math.ldexp(rate * noise_scale(self.rank) / self.population_size, self.unit_exponent)
        coefficients = [round(f * unit) for f in net]
        largest = max(abs(c) for c in coefficients)
        if largest > COEFFICIENT_LIMIT:
            raise OverflowError(
                f"a coefficient is {largest}, above {COEFFICIENT_LIMIT}: a fitness passed {self.fitness_limit}; "
                "raise fitness_limit or choose another fitness_shaping"
            )
        return coefficients

    def advance(self, weights: EvolvingWeights, generation: int, coefficients: Sequence[int]) -> None:
        """Move the weights by the generation's coefficients."""
        weights.apply(self.seeds(generation), coefficients)

    def resume(self, generations: Sequence[Generation]) -> None:
        """Nothing: all that this strategy knows is in the weights."""


def member_fitness(
    results: Sequence[tuple[int, int, float | None]],
    population_size: int,
    min_scored_share: float = 0.0,
    prompt_baseline: bool = True,
) -> list[float | None]:
    """Fitness of each member: the mean reward of its scored attempts.

    Args:
        results: (member, prompt, reward or None) of every attempt, in any order.
        min_scored_share: a member with a smaller share of scored attempts has None.
        prompt_baseline: subtract the population's mean reward on the prompt from each reward, so that a member that
            lost attempts on a hard prompt is not thought better for it.
    """
    rewards: dict[int, list[float]] = {}
    for _, prompt, reward in results:
        if reward is not None and prompt_baseline:
            rewards.setdefault(prompt, []).append(reward)
    baseline = {prompt: math.fsum(values) / len(values) for prompt, values in rewards.items()}
    made = [0] * population_size
    own: list[list[float]] = [[] for _ in made]
    for member, prompt, reward in results:
        made[member] += 1
        if reward is not None:
            own[member].append(reward - baseline.get(prompt, 0.0))
    return [
        math.fsum(values) / len(values) if values and len(values) >= min_scored_share * count else None
        for values, count in zip(own, made, strict=True)
    ]
