"""The noise: a pure function of run key, seed, tensor name and element index, in integers only.

This module implements "noise specification 1" (docs/noise.md). Bits come from Philox4x32-10 (Salmon, Moraes, Dror and
Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011), a counter-based generator: any element can be computed
alone, in any order, on any device. No floating-point number is involved before the integers are used.
"""

from __future__ import annotations

import hashlib
import math
import os
import struct
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

__all__ = [
    "ELEMENT_LIMIT",
    "ELEMENT_VARIANCE",
    "NOISE_SPEC",
    "Key",
    "Noise",
    "Part",
    "noise_key",
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
_LOW, _HALF = np.uint64(_MASK), np.uint64(32)

_BLOCK_BYTES = 16  # one Philox4x32 block is 128 bits
_CHUNK_BLOCKS = 1 << 15  # six arrays of 256 KiB: within the cache, and long enough for threads to pay
_THREAD_CHUNKS = 4  # fewer chunks than this are not worth handing to threads

Words = npt.NDArray[np.uint32]
Key = tuple[int, int]


def _rounds(
    c0: npt.NDArray[np.uint64],
    c1: npt.NDArray[np.uint64],
    c2: npt.NDArray[np.uint64],
    c3: npt.NDArray[np.uint64],
    k0: npt.NDArray[np.uint64],
    k1: npt.NDArray[np.uint64],
    rounds: int = 10,
) -> None:
    """Philox4x32 in place: 32-bit words held in uint64 arrays of one shape; the keys broadcast to it."""
    p0, p1 = np.empty_like(c0), np.empty_like(c0)
    for _ in range(rounds):
        np.multiply(c0, _M0, out=p0)
        np.multiply(c2, _M1, out=p1)
        np.right_shift(p1, _HALF, out=c0)
        np.bitwise_xor(c0, c1, out=c0)
        np.bitwise_xor(c0, k0, out=c0)
        np.bitwise_and(p1, _LOW, out=c1)
        np.right_shift(p0, _HALF, out=c2)
        np.bitwise_xor(c2, c3, out=c2)
        np.bitwise_xor(c2, k1, out=c2)
        np.bitwise_and(p0, _LOW, out=c3)
        k0, k1 = (k0 + np.uint64(_W0)) & _LOW, (k1 + np.uint64(_W1)) & _LOW


def philox4x32(counter: Words, key: Key, rounds: int = 10) -> Words:
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
    _rounds(c0, c1, c2, c3, np.array([key[0]], np.uint64), np.array([key[1]], np.uint64), rounds)
    out = np.empty(counter.shape, dtype=np.uint32)
    for column, words in enumerate((c0, c1, c2, c3)):
        out[:, column] = words
    return out


def _key(domain: bytes, *numbers: int) -> Key:
    """Two key words: the first 8 bytes of SHA-256 over a domain tag and unsigned 64-bit little-endian numbers."""
    digest = hashlib.sha256(domain + struct.pack(f"<{len(numbers)}Q", *numbers)).digest()
    return struct.unpack("<2I", digest[:8])


def noise_key(run_key: int, seed: int) -> Key:
    """Philox key of a run's seed (docs/noise.md, 2)."""
    return _key(b"lean-gym noise 1", run_key, seed)


def stream_id(name: str, part: str) -> tuple[int, int]:
    """Upper two counter words of a tensor's part ("A", "B" or "full"): 8 bytes of SHA-256 of `name NUL part`."""
    return struct.unpack("<2I", hashlib.sha256(f"{name}\0{part}".encode()).digest()[:8])


def _popcounts(words: npt.NDArray[np.uint64]) -> None:
    """Each byte becomes the number of its set bits, in place."""
    spare = words >> np.uint64(1)
    spare &= np.uint64(0x5555555555555555)
    words -= spare
    np.right_shift(words, np.uint64(2), out=spare)
    spare &= np.uint64(0x3333333333333333)
    words &= np.uint64(0x3333333333333333)
    words += spare
    np.right_shift(words, np.uint64(4), out=spare)
    words += spare
    words &= np.uint64(0x0F0F0F0F0F0F0F0F)


def _elements(keys: Sequence[Key], stream: tuple[int, int], count: int, threads: int) -> npt.NDArray[np.int8]:
    """The first `count` elements of one stream under each key: int8, (keys, count).

    Blocks 0, 1, ... of Philox; words least significant byte first; an element is the popcount of a byte, minus 4.
    """
    blocks = -(-count // _BLOCK_BYTES)
    out = np.empty((len(keys), blocks, _BLOCK_BYTES), dtype=np.int8)
    words = np.array(keys, dtype=np.uint64).reshape(-1, 2)

    def fill(rows: slice, start: int, stop: int) -> None:
        shape = (len(range(*rows.indices(len(keys)))), stop - start)
        index = np.arange(start, stop, dtype=np.uint64)
        c0, c1, c2, c3 = (np.empty(shape, dtype=np.uint64) for _ in range(4))
        c0[:], c1[:], c2[:], c3[:] = index & _LOW, index >> _HALF, stream[0], stream[1]
        _rounds(c0, c1, c2, c3, words[rows, :1], words[rows, 1:])
        # Two 32-bit words make a 64-bit one, the first in its lower half.
        pairs = np.empty((*shape, 2), dtype="<u8")
        for column, (low, high) in enumerate(((c0, c1), (c2, c3))):
            high <<= _HALF
            np.bitwise_or(low, high, out=pairs[..., column])
        _popcounts(pairs)
        np.subtract(pairs.view(np.int8), np.int8(ELEMENT_LIMIT), out=out[rows, start:stop])

    # Short streams are computed for many keys at once: a call of NumPy costs as much as some thousand elements.
    group = max(1, _CHUNK_BLOCKS // max(blocks, 1))
    tasks = [
        (slice(row, row + group), start, min(start + _CHUNK_BLOCKS, blocks))
        for row in range(0, len(keys), group)
        for start in range(0, blocks, _CHUNK_BLOCKS)
    ]
    if threads > 1 and len(tasks) >= _THREAD_CHUNKS:
        # NumPy lets other threads run inside its loops; each task writes its own part.
        with ThreadPoolExecutor(min(threads, len(tasks))) as pool:
            list(pool.map(lambda task: fill(*task), tasks))
    else:
        for task in tasks:
            fill(*task)
    return out.reshape(len(keys), -1)[:, :count]


def default_threads() -> int:
    """Threads that this process may use for noise: its share of the cores it may run on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores // int(os.environ.get("LOCAL_WORLD_SIZE", "1")))


def noise_scale(rank: int) -> float:
    """Factor that gives the noise of one weight unit variance: 1 / (variance * sqrt(r)) at rank r, 1 / sqrt(variance)
    for full rank (rank 0). An entry of A B^T is a sum of r products of two independent elements: variance r * 2^2.
    """
    if rank == 0:
        return 1.0 / math.sqrt(ELEMENT_VARIANCE)
    return 1.0 / (ELEMENT_VARIANCE * math.sqrt(rank))


Part = Literal["A", "B", "full"]


class Noise:
    """Integer noise of one run.

    Args:
        run_key: 64-bit number that sets the run apart; the same key and seed give the same noise everywhere.
        rank: r of the low-rank noise A B^T (A: out x r, B: in x r); 0 for full rank.
        threads: threads for long streams; this process's share of the cores by default.
    """

    counter_based = True
    """Whether the numbers are those of the specification, which another device can compute."""

    def __init__(self, run_key: int, rank: int = 1, threads: int | None = None) -> None:
        if not 0 <= run_key < 1 << 64:
            raise ValueError(f"run_key must be an unsigned 64-bit number, not {run_key}")
        if rank < 0:
            raise ValueError(f"rank must be 0 (full rank) or more, not {rank}")
        self.run_key = run_key
        self.rank = rank
        self.threads = default_threads() if threads is None else threads

    @property
    def entry_limit(self) -> int:
        """Largest absolute value of an entry of one member's integer noise matrix."""
        return ELEMENT_LIMIT if self.rank == 0 else self.rank * ELEMENT_LIMIT**2

    @property
    def scale(self) -> float:
        """Factor from integer noise to unit variance, see `noise_scale`."""
        return noise_scale(self.rank)

    def elements_of(self, seeds: Sequence[int], name: str, part: Part, count: int) -> npt.NDArray[np.int8]:
        """The first `count` elements of a tensor's part for each seed: int8 in [-4, 4], (seeds, count)."""
        keys = [noise_key(self.run_key, seed) for seed in seeds]
        return _elements(keys, stream_id(name, part), count, self.threads)

    def elements(self, seed: int, name: str, part: Part, count: int) -> npt.NDArray[np.int8]:
        """The first `count` elements of a tensor's part: int8 in [-4, 4], popcount of byte i of the stream minus 4."""
        return self.elements_of([seed], name, part, count)[0]

    def low_ranks(
        self, seeds: Sequence[int], name: str, shape: tuple[int, int]
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """(A, B) of each seed, far cheaper than one after another: int8, (seeds, out, r) and (seeds, in, r)."""
        if self.rank == 0:
            raise ValueError("this run has full-rank noise; call `full`")
        rows, columns = shape
        a = self.elements_of(seeds, name, "A", rows * self.rank).reshape(len(seeds), rows, self.rank)
        b = self.elements_of(seeds, name, "B", columns * self.rank).reshape(len(seeds), columns, self.rank)
        return a, b

    def low_rank(self, seed: int, name: str, shape: tuple[int, int]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """(A, B) of a weight of `shape` (out, in): int8 of shapes (out, r) and (in, r), filled row by row."""
        a, b = self.low_ranks([seed], name, shape)
        return a[0], b[0]

    def vectors(self, seeds: Sequence[int], name: str, length: int) -> npt.NDArray[Any]:
        """Noise of a weight of shape (n,), such as a norm's, beside rank-r matrices: the diagonal of A B^T.

        A and B are (n, r), so that an entry has the mean, variance and limit of a matrix's entry. int16, (seeds, n).
        """
        a, b = self.low_ranks(seeds, name, (length, length))
        return (a.astype(np.int16) * b).sum(axis=2, dtype=np.int16)

    def vector(self, seed: int, name: str, length: int) -> npt.NDArray[Any]:
        """`vectors` of one seed: int16, (n,)."""
        return self.vectors([seed], name, length)[0]

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
