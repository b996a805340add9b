"""evosax's strategies and fitness shaping (https://github.com/RobertTLange/evosax), for spaces of an adapter's size.

A distribution-based strategy (CMA-ES, SNES, PGPE, ...) moves the vector of an adapter space (trainers.adapter). Its own
arithmetic is JAX's, in float32 on the CPU, and is the same only on like machines with like versions. So the history
does not rely on it: a line holds what the strategy was told (16-bit integers) and by what its mean moved, rounded to
integers. `replay` needs the second only, and no JAX: exact everywhere. Resuming tells a new strategy everything again
and checks that its mean moves as the history says; where it does not (another machine), it stops with a clear message.
"""

from __future__ import annotations

import ctypes
import importlib
import inspect
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from trainers.adapter import AdapterNoise, AdapterSpace, AdapterWeights
from trainers.strategy import COEFFICIENT_LIMIT, Member, Shaping, fitness_shaping_of, shaped_fitness

if TYPE_CHECKING:
    from trainers.history import Generation
    from trainers.weights import EvolvingWeights

__all__ = ["EvosaxStrategy", "evosax_shaping"]

_OURS = ("population_size", "solution", "optimizer", "std_schedule", "fitness_shaping_fn", "metrics_fn")
_SIGMA_BITS = 12  # sigma is some 2^12 units of the integer vector


def _jax() -> Any:
    """JAX on the CPU, its sums on one thread, whose order does not depend on the number of cores.

    Raises:
        ImportError: saying what to install.
    """
    if "jax" not in sys.modules:
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        flag = "--xla_cpu_multi_thread_eigen=false"
        if flag not in os.environ.get("XLA_FLAGS", ""):
            os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {flag}".strip()
    try:
        import evosax  # noqa: F401
        import jax
    except ImportError as error:
        raise ImportError(f"strategies and shaping of evosax need evosax ({error}): pip install evosax") from error
    return jax


@contextmanager
def _one_blas_thread() -> Iterator[None]:
    """SciPy's OpenBLAS, which JAX decomposes matrices with (CMA-ES), on one thread: on several it rounds otherwise."""
    libraries = []
    maps = Path("/proc/self/maps")  # Linux; elsewhere SciPy uses the system's library
    lines = maps.read_text().splitlines() if maps.exists() else []
    for path in sorted({line.split()[-1] for line in lines if "openblas" in line}):
        library = ctypes.CDLL(path)
        for name in ("scipy_openblas_{}_num_threads", "scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads"):
            if hasattr(library, name.format("set")):
                libraries.append((getattr(library, name.format("get")), getattr(library, name.format("set"))))
                break
    before = [ask() for ask, _ in libraries]
    for _, limit in libraries:
        limit(1)
    try:
        yield
    finally:
        for (_, limit), count in zip(libraries, before, strict=True):
            limit(count)


def _required(kind: type) -> set[str]:
    parameters = inspect.signature(kind).parameters.values()
    return {p.name for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD}


def evosax_shaping(name: str) -> Shaping:
    """evosax's own fitness shaping, in float64: "standardize", "centered_rank", "normalize" or "identity".

    Raises:
        ValueError: for another name.
    """
    jax = _jax()
    from evosax.core import fitness_shaping

    known = ("standardize", "centered_rank", "normalize", "identity")
    if name not in known:
        raise ValueError(f"fitness_shaping must be one of {', '.join('evosax:' + k for k in known)}, not evosax:{name}")
    function: Callable[..., Any] = getattr(fitness_shaping, f"{name}_fitness_shaping_fn")

    def shape(fitness: Sequence[float]) -> list[float]:
        with jax.enable_x64(True), jax.default_device(jax.devices("cpu")[0]):
            return [float(f) for f in function(None, jax.numpy.asarray(fitness, dtype="float64"), None, None)]

    return shape


class EvosaxStrategy:
    """A distribution-based strategy of evosax over an adapter space.

    Args:
        name: class in `evosax.algorithms`, such as "CMA_ES", "SNES", "PGPE", "Sep_CMA_ES".
        population_size: members a generation.
        space: the adapter space.
        sigma: first standard deviation of a member's change of each weight, before its tensor's scale.
        run_key: seeds the strategy's own random numbers.
        fitness_shaping: as for `trainers.strategy.Strategy`; what comes out is what the strategy is told, negated
            (evosax minimises).
        options: fields of the strategy's parameters ("c_mean", "lr_std_init", ...), keywords of its class
            ("elite_ratio"), or "learning_rate" for one with an optimiser (Adam's rate then).

    Raises:
        ImportError: without evosax.
        ValueError: for an unknown name or option.
    """

    def __init__(
        self,
        name: str,
        population_size: int,
        space: AdapterSpace,
        sigma: float,
        run_key: int,
        fitness_shaping: str = "standardize",
        options: dict[str, Any] | None = None,
    ) -> None:
        self._jax = jax = _jax()
        from evosax.algorithms import distribution_based

        optax: Any = importlib.import_module("optax")  # evosax brings it; it has no types
        # Classes that need more than these two keep several means, or none.
        kinds: dict[str, Any] = {
            n: c
            for n, c in vars(distribution_based).items()
            if inspect.isclass(c) and _required(c) == {"population_size", "solution"}
        }
        if name not in kinds:
            raise ValueError(f"strategy must be open_es or evosax:NAME with NAME of {', '.join(sorted(kinds))}")
        self.name, self.population_size, self.space, self.sigma = name, population_size, space, sigma
        self._shaping, limit = fitness_shaping_of(fitness_shaping, population_size)
        self._told_exponent = math.floor(math.log2(COEFFICIENT_LIMIT / limit))
        self.unit_exponent = _SIGMA_BITS + math.ceil(-math.log2(sigma * float(space.scale.min())))
        self.noise = AdapterNoise(space)
        left = dict(options or {})
        accepted = inspect.signature(kinds[name]).parameters
        keywords: dict[str, Any] = {key: left.pop(key) for key in list(left) if key in accepted and key not in _OURS}
        if "std_schedule" in accepted:
            keywords["std_schedule"] = optax.constant_schedule(sigma)
        if "optimizer" in accepted and "learning_rate" in left:
            keywords["optimizer"] = optax.adam(float(left.pop("learning_rate")))
        self._device = jax.devices("cpu")[0]
        with jax.default_device(self._device):
            self._strategy = kinds[name](
                population_size=population_size, solution=jax.numpy.zeros(space.dimensions), **keywords
            )
            self._params = self._strategy.default_params
            if hasattr(self._params, "std_init"):
                left.setdefault("std_init", sigma)
            unknown = [key for key in left if not hasattr(self._params, key)]
            if unknown:
                raise ValueError(f"strategy_options: {name} of evosax has no {', '.join(unknown)}")
            self._params = self._params.replace(**{k: jax.numpy.asarray(v) for k, v in left.items()})
            self._key = jax.random.key(run_key % (1 << 63))
            first = jax.numpy.zeros(space.dimensions)
            self._state = self._strategy.init(jax.random.fold_in(self._key, 0), first, self._params)
        if getattr(self._state, "mean", first).shape != (space.dimensions,):
            raise ValueError(f"{name} of evosax keeps no single mean; choose another strategy")
        self.vector = np.zeros(space.dimensions, dtype=np.int64)
        self._asked = -1
        self._population: Any = None

    @property
    def seeds_per_generation(self) -> int:
        return self.population_size

    def seeds(self, generation: int) -> list[int]:
        """A number for each member that no other generation uses."""
        return list(range(generation * self.population_size, (generation + 1) * self.population_size))

    def _keys(self, generation: int) -> tuple[Any, Any]:
        random = self._jax.random
        return tuple(random.split(random.fold_in(self._key, generation + 1)))

    def ask(self, generation: int) -> list[Member]:
        """The members of a generation; `noise` then holds what they see."""
        with self._jax.default_device(self._device), _one_blas_thread():
            self._population, self._state = self._strategy.ask(self._keys(generation)[0], self._state, self._params)
            # JAX works in the background: it must be done before the threads are given back.
            self._jax.block_until_ready((self._population, self._state))
        self._asked = generation
        seeds = self.seeds(generation)
        present = np.ldexp(self.vector.astype(np.float64), -self.unit_exponent)
        deviations = np.asarray(self._population, dtype=np.float64) * self.space.scale - present
        self.noise.hold(seeds, deviations.astype(np.float32))
        return [Member(i, seed, 1) for i, seed in enumerate(seeds)]

    def tell(self, fitness: Sequence[float | None], learning_rate_factor: float = 1.0) -> list[int]:
        """What the strategy will be told of each member: shaped fitness in 16-bit integers.

        Args:
            fitness: one a member, higher is better; None for a member without a score, which counts as average.
            learning_rate_factor: must be 1: schedules are the strategy's own matter.

        Raises:
            ValueError: for a NaN or infinite fitness, a wrong count, or a factor.
            OverflowError: when a shaped fitness needs more than 16 bits.
        """
        if learning_rate_factor != 1.0:
            raise ValueError("a strategy of evosax has its own step size: choose lr_scheduler_type=constant")
        shaped = shaped_fitness(fitness, self.population_size, self._shaping)
        told = [round(math.ldexp(f, self._told_exponent)) for f in shaped]
        if max(map(abs, told)) > COEFFICIENT_LIMIT:
            raise OverflowError("a shaped fitness needs more than 16 bits: choose another fitness_shaping")
        return told

    def advance(self, weights: EvolvingWeights, generation: int, coefficients: Sequence[int]) -> bytes:
        """Tell the strategy, and move the weights by what its mean moved; the step as little-endian 32-bit integers."""
        step = self._step(generation, coefficients)
        update = step.astype("<i4").tobytes()
        assert isinstance(weights, AdapterWeights)
        weights.shift(update)
        return update

    def _step(self, generation: int, told: Sequence[int]) -> Any:
        if self._asked != generation:
            self.ask(generation)
        if any(told):
            fitness = np.ldexp(-np.asarray(told, dtype=np.float32), -self._told_exponent)
            with self._jax.default_device(self._device), _one_blas_thread():
                self._state, _ = self._strategy.tell(
                    self._keys(generation)[1], self._population, fitness, self._state, self._params
                )
                self._jax.block_until_ready(self._state)
        mean = np.asarray(self._state.mean, dtype=np.float64) * self.space.scale
        if not np.isfinite(mean).all():
            raise FloatingPointError(f"the mean of {self.name} is not finite; choose a smaller sigma or learning rate")
        vector = np.rint(np.ldexp(mean, self.unit_exponent)).astype(np.int64)
        step = vector - self.vector
        if np.abs(step).max(initial=0) >= 1 << 31:
            raise OverflowError(f"the mean of {self.name} moved by more than 2^31 units in one generation")
        self.vector = vector
        return step

    def resume(self, generations: Sequence[Generation]) -> None:
        """Tell a new strategy all generations so far.

        Raises:
            RuntimeError: when its mean moves otherwise than the history says: another machine, or other versions.
        """
        for line in generations:
            if self._step(line.generation, line.coefficients).astype("<i4").tobytes() != line.update:
                raise RuntimeError(
                    f"{self.name} of evosax moves otherwise here than in the history at generation {line.generation} "
                    "(another machine, or another version of jax): the run can be replayed here but not resumed"
                )
