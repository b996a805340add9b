"""The members' perturbations within one batch, as forward hooks of the evolving layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from trainers.noise import Noise
from trainers.noise_torch import NoiseTensors
from trainers.strategy import Member

__all__ = ["PopulationTerm"]


class PopulationTerm:
    """Adds each row's low-rank term to the outputs of the evolving layers.

    Args:
        model: whose layers get the hooks; `remove` takes them away.
        scales: canonical names of the evolving weights, each the `weight` of an `nn.Linear` or an RMSNorm, and the
            scale 2^e of their noise.
        noise, sigma: the members' perturbation.
        noise_backend: who computes the noise, see `trainers.noise_torch`.
    """

    def __init__(
        self,
        model: nn.Module,
        scales: Mapping[str, float],
        noise: Noise,
        sigma: float,
        noise_backend: str = "auto",
    ) -> None:
        parameter = next(model.parameters())
        self.device, self.dtype = parameter.device, parameter.dtype
        self.model, self.scales, self.noise = model, dict(scales), noise
        self.factor = sigma * noise.scale
        self._tensors = NoiseTensors(noise, self.device, noise_backend)
        self._columns: dict[int, int] = {}  # seed -> its first column
        self._left: dict[str, torch.Tensor] = {}  # linear: (columns, out)
        self._right: dict[str, torch.Tensor] = {}  # linear: (in, columns); norm: (columns, n)
        self._chosen: torch.Tensor | None = None  # (rows, 1, columns): s in a row's own columns, 0 elsewhere
        self._handles: list[Any] = []

    @property
    def seeds(self) -> int:
        """Number of seeds that are loaded."""
        return len(self._columns)

    def load(self, members: Sequence[Member | None]) -> None:
        """These members may be selected from now on. Noise of others is dropped."""
        seeds = sorted({m.seed for m in members if m is not None})
        if not seeds:
            self.remove()
            return
        if self.noise.rank == 0:
            raise ValueError("full-rank members cannot share a batch; generate them one after another")
        if set(seeds) == set(self._columns):
            return
        rank = self.noise.rank
        old = [seed for seed in seeds if seed in self._columns]
        new = [seed for seed in seeds if seed not in self._columns]
        kept = torch.tensor(
            [self._columns[seed] + i for seed in old for i in range(rank)], dtype=torch.long, device=self.device
        )
        for name, scale in self.scales.items():
            module = self.model.get_submodule(name.removesuffix(".weight"))
            if isinstance(module, nn.Linear):
                left, right = self._matrix(name, module, scale, new)
                if old:
                    left = torch.cat([self._left[name][kept], left])
                    right = torch.cat([self._right[name][:, kept], right], dim=1)
                self._left[name] = left
            else:
                right = self._vector(name, module, scale, new)
                if old:
                    right = torch.cat([self._right[name][kept], right])
            self._right[name] = right
        self._columns = {seed: i * rank for i, seed in enumerate([*old, *new])}
        if not self._handles:
            for name in self.scales:
                module = self.model.get_submodule(name.removesuffix(".weight"))
                hook = self._linear_hook(name) if isinstance(module, nn.Linear) else self._norm_hook(name)
                self._handles.append(module.register_forward_hook(hook))

    def select(self, members: Sequence[Member | None]) -> None:
        """The next batch's rows belong to these members; None: a row without perturbation."""
        if not self._columns:
            return
        chosen = np.zeros((len(members), len(self._columns) * self.noise.rank))
        for row, member in enumerate(members):
            if member is not None:
                at = self._columns[member.seed]
                chosen[row, at : at + self.noise.rank] = member.sign * self.factor
        self._chosen = torch.from_numpy(chosen).to(self.device, self.dtype)[:, None, :]

    def remove(self) -> None:
        """Take the hooks away."""
        for handle in self._handles:
            handle.remove()
        self._handles, self._columns, self._chosen = [], {}, None
        self._left, self._right = {}, {}

    def _matrix(
        self, name: str, module: nn.Linear, scale: float, seeds: Sequence[int]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """(columns, out), scaled, and (in, columns)."""
        columns = len(seeds) * self.noise.rank
        if not seeds:
            empty = torch.empty(0, dtype=self.dtype, device=self.device)
            return empty.view(0, module.out_features), empty.view(module.in_features, 0)
        a, b = self._tensors.low_ranks(seeds, name, (module.out_features, module.in_features))
        left = a.to(self.dtype).permute(0, 2, 1).reshape(columns, module.out_features) * scale
        return left, b.to(self.dtype).permute(1, 0, 2).reshape(module.in_features, columns)

    def _vector(self, name: str, module: nn.Module, scale: float, seeds: Sequence[int]) -> torch.Tensor:
        """(columns, n), scaled; a seed's r columns hold the same, each a share of 1 / r."""
        size = int(module.weight.numel())  # type: ignore[operator]
        if not seeds:
            return torch.empty((0, size), dtype=self.dtype, device=self.device)
        vectors = self._tensors.vectors(seeds, name, size).to(self.dtype)
        return vectors.repeat_interleave(self.noise.rank, dim=0) * (scale / self.noise.rank)

    def _linear_hook(self, name: str) -> Any:
        def add_term(module: nn.Module, inputs: tuple[torch.Tensor, ...], output: torch.Tensor) -> None:
            # x: (rows, time, in). The output is ours to change in place.
            assert self._chosen is not None
            hidden = (inputs[0] @ self._right[name]) * self._chosen
            output.view(-1, output.shape[-1]).addmm_(hidden.view(-1, hidden.shape[-1]), self._left[name])

        return add_term

    def _norm_hook(self, name: str) -> Any:
        def add_term(module: Any, inputs: tuple[torch.Tensor, ...], output: torch.Tensor) -> torch.Tensor:
            # x: (rows, time, n); each row has its own weight beside the module's.
            assert self._chosen is not None
            hidden = inputs[0]
            scaled = torch.rsqrt(hidden.pow(2).mean(-1, keepdim=True) + module.variance_epsilon) * hidden
            return torch.addcmul(output, scaled, self._chosen @ self._right[name])

        return add_term
