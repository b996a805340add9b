"""Adapter spaces: a vector of some hundred to a million numbers that moves the weights, for strategies that need one.

The adapter of a weight of shape (out, in) is V (in x r) behind a frozen integer factor A (out x r) of the run's noise,
as in LoRA-FA (Zhang et al. 2023, arXiv 2308.03303), which trains one of LoRA's two factors:

    W = round(base + 2^(e-k) * D),    D = A V^T.

A weight of shape (n,), such as a norm's, has n numbers of its own: D = V. All V's behind one another are the vector.
It is kept in integers, so D is exact (see trainers.weights) and the weights do not depend on devices or processes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from trainers.noise import ELEMENT_LIMIT, ELEMENT_VARIANCE, Noise
from trainers.weights import EXACT_LIMIT, EvolvingWeights

__all__ = ["AdapterNoise", "AdapterSpace", "AdapterWeights"]


class AdapterSpace:
    """The vector's layout.

    Args:
        manifest: name -> shape of the weights that evolve, in order.
        noise: the run's noise; its rank is r, and its seed 0 gives the factors A.

    Attributes:
        dimensions: length of the vector.
        scale: float64, (dimensions,): what a number of unit variance is multiplied by, so that the weights' change has
            unit variance too: 1 / sqrt(2 r) for a matrix, whose A has variance 2, else 1.
    """

    def __init__(self, manifest: Mapping[str, Sequence[int]], noise: Noise) -> None:
        if noise.rank < 1:
            raise ValueError("an adapter space needs rank 1 or more")
        self.noise = noise
        self.shapes = {name: tuple(shape) for name, shape in manifest.items()}
        self.parts: dict[str, slice] = {}
        scales = []
        start = 0
        for name, shape in self.shapes.items():
            size = shape[0] if len(shape) == 1 else shape[1] * noise.rank
            self.parts[name] = slice(start, start + size)
            scales.append(np.full(size, 1.0 if len(shape) == 1 else 1.0 / math.sqrt(ELEMENT_VARIANCE * noise.rank)))
            start += size
        self.dimensions = start
        self.scale: npt.NDArray[np.float64] = np.concatenate(scales)

    def frozen(self, name: str) -> npt.NDArray[np.int8]:
        """The factor A of a matrix: int8, (out, r)."""
        rank = self.noise.rank
        return self.noise.elements(0, name, "A", self.shapes[name][0] * rank).reshape(-1, rank)

    def blocks(self, vector: npt.NDArray[Any]) -> Iterator[tuple[str, npt.NDArray[Any]]]:
        """(name, its part of a vector) in order: (in, r) for a matrix, (n,) for a vector."""
        for name, shape in self.shapes.items():
            part = vector[self.parts[name]]
            yield name, part if len(shape) == 1 else part.reshape(shape[1], self.noise.rank)


class AdapterWeights(EvolvingWeights):
    """Weights moved by an integer vector of an adapter space.

    Args: as `EvolvingWeights`, with the space in place of the noise; `base` may hold a part of the space's weights.
    """

    def __init__(
        self,
        base: Mapping[str, torch.Tensor],
        space: AdapterSpace,
        unit_exponent: int,
        exponents: Mapping[str, int] | None = None,
        device: torch.device | None = None,
    ) -> None:
        super().__init__(base, space.noise, unit_exponent, exponents, device)
        self.space = space

    def shift(self, update: bytes) -> None:
        """Move the vector by little-endian 32-bit integers.

        Raises:
            ValueError: when their number is not the space's.
            OverflowError: before anything changes, when an entry of D could pass 2^53.
        """
        step = np.frombuffer(update, dtype="<i4").astype(np.float64)
        if len(step) != self.space.dimensions:
            raise ValueError(f"an update of {len(step)} numbers for an adapter space of {self.space.dimensions}")
        bound = self.bound + int(np.abs(step).max(initial=0)) * ELEMENT_LIMIT * self.noise.rank
        if bound > EXACT_LIMIT:
            raise OverflowError(f"the accumulators could pass 2^53 (bound {bound}); start a new run from these weights")
        for name, block in self.space.blocks(step):
            if name not in self.accumulators:
                continue
            accumulator = self.accumulators[name]
            part = torch.from_numpy(np.ascontiguousarray(block)).to(accumulator.device)
            if accumulator.ndim == 1:
                accumulator.add_(part)
            else:
                frozen = torch.from_numpy(self.space.frozen(name)).to(accumulator.device, torch.float64)
                accumulator.addmm_(frozen, part.T)
        self.bound = bound


class AdapterNoise(Noise):
    """What the members of a generation see, in the form the rollout asks for: A frozen, B the member's own numbers.

    The numbers are floating point and hold the member's deviation from the present weights, sigma included.
    """

    counter_based = False

    def __init__(self, space: AdapterSpace) -> None:
        super().__init__(space.noise.run_key, space.noise.rank)
        self.space = space
        self._deviations: dict[int, npt.NDArray[np.float32]] = {}

    @property
    def scale(self) -> float:
        return 1.0

    def hold(self, seeds: Sequence[int], deviations: npt.NDArray[np.float32]) -> None:
        """Take over the generation's members: their seeds, and (members, dimensions)."""
        self._deviations = dict(zip(seeds, deviations, strict=True))

    def low_ranks(
        self, seeds: Sequence[int], name: str, shape: tuple[int, int]
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        part = self.space.parts[name]
        b = np.stack([self._deviations[seed][part].reshape(shape[1], self.rank) for seed in seeds])
        return np.stack([self.space.frozen(name)] * len(seeds)), b

    def vectors(self, seeds: Sequence[int], name: str, length: int) -> npt.NDArray[Any]:
        return np.stack([self._deviations[seed][self.space.parts[name]] for seed in seeds])
