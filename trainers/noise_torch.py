"""The noise as torch tensors on a device: the integers of noise specification 1 (docs/noise.md), computed there.

On a CPU the numbers come from NumPy (trainers/noise.py), on other devices from integer tensor operations that run on
any of them; no device generator is involved. Both give the same integers, so that a run may move between devices.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from trainers.noise import ELEMENT_LIMIT, Key, Noise, Part, noise_key, stream_id

__all__ = ["BACKENDS", "NoiseTensors", "philox4x32", "stream_elements"]

BACKENDS = ("auto", "numpy", "torch")
"""Who computes the noise: NumPy on the CPU, torch on the tensor's device, or (auto) the first for CPU tensors and the
second for others."""

_MASK = 0xFFFFFFFF
_CHUNK_BLOCKS = 1 << 22  # 64 MiB of noise at a time: six int64 tensors of 32 MiB


def philox4x32(
    words: tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor], key: Key, rounds: int = 10
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Philox4x32 of counters given as four int64 tensors of 32-bit words, least significant word first.

    A product of two 32-bit words passes 2^63 and wraps around in int64; its 64 bits are right all the same, and the
    mask takes away what the signed shift brings in.
    """
    c0, c1, c2, c3 = words
    k0, k1 = key
    for _ in range(rounds):
        p0, p1 = c0 * 0xD2511F53, c2 * 0xCD9E8D57
        c0, c1 = ((p1 >> 32) & _MASK) ^ c1 ^ k0, p1 & _MASK
        c2, c3 = ((p0 >> 32) & _MASK) ^ c3 ^ k1, p0 & _MASK
        k0, k1 = (k0 + 0x9E3779B9) & _MASK, (k1 + 0xBB67AE85) & _MASK
    return c0, c1, c2, c3


def stream_elements(key: Key, stream: tuple[int, int], count: int, device: torch.device | str) -> torch.Tensor:
    """The first `count` elements of a stream: int8 in [-4, 4], (count,), on `device`."""
    blocks = -(-count // 16)
    out = torch.empty((blocks, 16), dtype=torch.int8, device=device)
    shifts = torch.tensor([0, 8, 16, 24], device=device)
    for start in range(0, blocks, _CHUNK_BLOCKS):
        index = torch.arange(start, min(start + _CHUNK_BLOCKS, blocks), device=device)
        upper = [torch.full_like(index, word) for word in stream]
        words = philox4x32((index & _MASK, index >> 32, upper[0], upper[1]), key)
        for column, word in enumerate(words):
            # Set bits of each byte, in that byte's place; then the bytes, least significant first.
            word = word - ((word >> 1) & 0x55555555)
            word = (word & 0x33333333) + ((word >> 2) & 0x33333333)
            word = (word + (word >> 4)) & 0x0F0F0F0F
            part = (word[:, None] >> shifts) & 0xFF
            out[start : start + len(index), 4 * column : 4 * column + 4] = part - ELEMENT_LIMIT
    return out.view(-1)[:count]


class NoiseTensors:
    """Noise of a run on a device.

    Args:
        noise: the run's noise.
        device: where the tensors are wanted.
        backend: one of `BACKENDS`.
    """

    def __init__(self, noise: Noise, device: torch.device | str = "cpu", backend: str = "auto") -> None:
        if backend not in BACKENDS:
            raise ValueError(f"noise_backend must be one of {', '.join(BACKENDS)}, not {backend!r}")
        self.noise = noise
        self.device = torch.device(device)
        self.on_device = noise.counter_based and (
            backend == "torch" or (backend == "auto" and self.device.type != "cpu")
        )

    def low_ranks(self, seeds: Sequence[int], name: str, shape: tuple[int, int]) -> tuple[torch.Tensor, torch.Tensor]:
        """(A, B) of each seed for a weight of `shape` (out, in): int8, (seeds, out, r) and (seeds, in, r)."""
        rank = self.noise.rank
        if not self.on_device:
            a, b = self.noise.low_ranks(seeds, name, shape)
            return torch.from_numpy(a).to(self.device), torch.from_numpy(b).to(self.device)
        if rank == 0:
            raise ValueError("this run has full-rank noise; call `full`")
        rows, columns = shape
        return (
            self._elements(seeds, name, "A", rows * rank).view(len(seeds), rows, rank),
            self._elements(seeds, name, "B", columns * rank).view(len(seeds), columns, rank),
        )

    def vectors(self, seeds: Sequence[int], name: str, length: int) -> torch.Tensor:
        """Noise of a weight of shape (n,) for each seed (`Noise.vectors`): int16, (seeds, n)."""
        if not self.on_device:
            return torch.from_numpy(self.noise.vectors(seeds, name, length)).to(self.device)
        a, b = self.low_ranks(seeds, name, (length, length))
        return (a.short() * b.short()).sum(dim=2, dtype=torch.int16)

    def full(self, seed: int, name: str, shape: tuple[int, ...]) -> torch.Tensor:
        """Full-rank noise: int8 of `shape`, filled in C order."""
        if not self.on_device:
            return torch.from_numpy(self.noise.full(seed, name, shape)).to(self.device)
        return self._elements([seed], name, "full", math.prod(shape)).view(shape)

    def _elements(self, seeds: Sequence[int], name: str, part: Part, count: int) -> torch.Tensor:
        """The first `count` elements of a tensor's part for each seed: int8, (seeds, count)."""
        stream = stream_id(name, part)
        keys = [noise_key(self.noise.run_key, seed) for seed in seeds]
        return torch.stack([stream_elements(key, stream, count, self.device) for key in keys])
