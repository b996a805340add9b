"""The noise: a pure function of run key, seed, tensor name and element index, in integers only.

This module implements "noise specification 1" (docs/noise.md). Bits come from Philox4x32-10 (Salmon, Moraes, Dror and
Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011), a counter-based generator: any element can be computed
alone, in any order, on any device. No floating-point number is involved before the integers are used.
"""

from __future__ import annotations

import hashlib
import math
import struct
from typing import Literal

import numpy as np
import numpy.typing as npt

__all__ = [
    "ELEMENT_LIMIT",
    "ELEMENT_VARIANCE",
    "NOISE_SPEC",
    "Noise",
    "noise_scale",
    "philox4x32",
    "stream_id",
    "uniforms",
]

NOISE_SPEC = 1
"""Number of the noise specification implemented here (docs/noise.md)."""

ELEMENT_LIMIT = 4
"""Largest absolute value of a noise element."""

ELEMENT_VARIANCE = 2
"""Exact variance of a noise element: popcount of 8 fair bits minus 4, i.e. Binomial(8, 1/2) - 4."""

# Multipliers and Weyl constants of Philox4x32 (Salmon et al. 2011, table 2).
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = 0x9E3779B9, 0xBB67AE85
_MASK = 0xFFFFFFFF

_ELEMENT = np.array([bin(byte).count("1") - 4 for byte in range(256)], dtype=np.int8)
_BLOCK_BYTES = 16  # one Philox4x32 block is 128 bits
_CHUNK_BLOCKS = 1 << 16  # 1 MiB of noise at a time keeps the rounds within the cache

Words = npt.NDArray[np.uint32]


def philox4x32(counter: Words, key: tuple[int, int], rounds: int = 10) -> Words:
    """Philox4x32 of each counter.

    Args:
        counter: uint32, shape (n, 4), least significant word first.
        key: two 32-bit words.
        rounds: 10 for the published generator.

    Returns:
        uint32, shape (n, 4).
    """
    if counter.dtype != np.uint32 or counter.ndim != 2 or counter.shape[1] != 4:
        raise ValueError(f"counter must be uint32 of shape (n, 4), not {counter.dtype} of shape {counter.shape}")
    c0, c1, c2, c3 = (np.ascontiguousarray(counter[:, i]).astype(np.uint64) for i in range(4))
    k0, k1 = key
    shift, mask = np.uint64(32), np.uint64(_MASK)
    for _ in range(rounds):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1 = (p1 >> shift) ^ c1 ^ np.uint64(k0), p1 & mask
        c2, c3 = (p0 >> shift) ^ c3 ^ np.uint64(k1), p0 & mask
        k0, k1 = (k0 + _W0) & _MASK, (k1 + _W1) & _MASK
    out = np.empty(counter.shape, dtype=np.uint32)
    for column, words in enumerate((c0, c1, c2, c3)):
        out[:, column] = words
    return out


def _key(domain: bytes, *numbers: int) -> tuple[int, int]:
    """Two key words: the first 8 bytes of SHA-256 over a domain tag and unsigned 64-bit little-endian numbers."""
    digest = hashlib.sha256(domain + struct.pack(f"<{len(numbers)}Q", *numbers)).digest()
    return struct.unpack("<2I", digest[:8])


def stream_id(name: str, part: str) -> tuple[int, int]:
    """Upper two counter words of a tensor's part ("A", "B" or "full"): 8 bytes of SHA-256 of `name NUL part`."""
    return struct.unpack("<2I", hashlib.sha256(f"{name}\0{part}".encode()).digest()[:8])


def _bytes(key: tuple[int, int], stream: tuple[int, int], count: int) -> npt.NDArray[np.uint8]:
    """The first `count` bytes of a stream: blocks 0, 1, ... of Philox, words least significant byte first."""
    blocks = -(-count // _BLOCK_BYTES)
    out = np.empty((blocks, 4), dtype="<u4")
    for start in range(0, blocks, _CHUNK_BLOCKS):
        index = np.arange(start, min(start + _CHUNK_BLOCKS, blocks), dtype=np.uint64)
        counter = np.empty((len(index), 4), dtype=np.uint32)
        counter[:, 0] = index & np.uint64(_MASK)
        counter[:, 1] = index >> np.uint64(32)
        counter[:, 2], counter[:, 3] = stream
        out[start : start + len(index)] = philox4x32(counter, key)
    return out.reshape(-1).view(np.uint8)[:count]


def noise_scale(rank: int) -> float:
    """Factor that gives the noise of one weight unit variance: 1 / (variance * sqrt(r)) at rank r, 1 / sqrt(variance)
    for full rank (rank 0). An entry of A B^T is a sum of r products of two independent elements: variance r * 2^2.
    """
    if rank == 0:
        return 1.0 / math.sqrt(ELEMENT_VARIANCE)
    return 1.0 / (ELEMENT_VARIANCE * math.sqrt(rank))


class Noise:
    """Integer noise of one run.

    Args:
        run_key: 64-bit number that sets the run apart; the same key and seed give the same noise everywhere.
        rank: r of the low-rank noise A B^T (A: out x r, B: in x r); 0 for full rank.
    """

    def __init__(self, run_key: int, rank: int = 1) -> None:
        if not 0 <= run_key < 1 << 64:
            raise ValueError(f"run_key must be an unsigned 64-bit number, not {run_key}")
        if rank < 0:
            raise ValueError(f"rank must be 0 (full rank) or more, not {rank}")
        self.run_key = run_key
        self.rank = rank

    @property
    def entry_limit(self) -> int:
        """Largest absolute value of an entry of one member's integer noise matrix."""
        return ELEMENT_LIMIT if self.rank == 0 else self.rank * ELEMENT_LIMIT**2

    @property
    def scale(self) -> float:
        """Factor from integer noise to unit variance, see `noise_scale`."""
        return noise_scale(self.rank)

    def elements(self, seed: int, name: str, part: Literal["A", "B", "full"], count: int) -> npt.NDArray[np.int8]:
        """The first `count` elements of a tensor's part: int8 in [-4, 4], popcount of byte i of the stream minus 4."""
        return _ELEMENT[_bytes(_key(b"lean-gym noise 1", self.run_key, seed), stream_id(name, part), count)]

    def low_rank(self, seed: int, name: str, shape: tuple[int, int]) -> tuple[npt.NDArray[np.int8], ...]:
        """(A, B) of a weight of `shape` (out, in): int8 of shapes (out, r) and (in, r), filled row by row."""
        if self.rank == 0:
            raise ValueError("this run has full-rank noise; call `full`")
        rows, columns = shape
        a = self.elements(seed, name, "A", rows * self.rank).reshape(rows, self.rank)
        b = self.elements(seed, name, "B", columns * self.rank).reshape(columns, self.rank)
        return a, b

    def vector(self, seed: int, name: str, length: int) -> npt.NDArray[np.int16]:
        """Noise of a weight of shape (n,), such as a norm's, beside rank-r matrices: the diagonal of A B^T.

        A and B are (n, r), so that an entry has the mean, variance and limit of a matrix's entry. int16, (n,).
        """
        a, b = self.low_rank(seed, name, (length, length))
        product: npt.NDArray[np.int16] = (a.astype(np.int16) * b).sum(axis=1, dtype=np.int16)
        return product

    def full(self, seed: int, name: str, shape: tuple[int, ...]) -> npt.NDArray[np.int8]:
        """Full-rank noise of a tensor of any shape: int8, filled in C order."""
        return self.elements(seed, name, "full", math.prod(shape)).reshape(shape)


def uniforms(
    seed: int, generation: int, member: npt.ArrayLike, prompt: npt.ArrayLike, attempt: npt.ArrayLike, steps: int
) -> npt.NDArray[np.float64]:
    """Uniform numbers in [0, 1) for sampling, by (seed, generation, member, prompt, attempt, step) alone.

    Args:
        seed, generation: unsigned 64-bit numbers, the key.
        member, prompt, attempt: integers below 2^32, shape (n,), three words of the counter; the fourth is step / 2.
        steps: numbers a row.

    Returns:
        float64, shape (n, steps): multiples of 2^-53, from the upper 53 bits of half a Philox block.
    """
    rows = np.stack([np.asarray(x, dtype=np.uint32).reshape(-1) for x in (attempt, prompt, member)], axis=1)
    pairs = -(-steps // 2)
    counter = np.empty((len(rows), pairs, 4), dtype=np.uint32)
    counter[:, :, 0] = np.arange(pairs, dtype=np.uint32)
    counter[:, :, 1:] = rows[:, None, :]
    bits = philox4x32(counter.reshape(-1, 4), _key(b"lean-gym sampling 1", seed, generation)).astype("<u4")
    whole = bits.view("<u8").reshape(len(rows), pairs * 2)
    return (whole >> np.uint64(11)).astype(np.float64)[:, :steps] * 2.0**-53
