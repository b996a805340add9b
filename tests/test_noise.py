"""Noise specification 1: known answers, independence of order, exact moments."""

from __future__ import annotations

import hashlib
import struct

import numpy as np
import pytest
import torch

from trainers import noise_torch
from trainers.noise import ELEMENT_LIMIT, ELEMENT_VARIANCE, Noise, noise_scale, philox4x32, stream_id, uniforms
from trainers.noise_torch import NoiseTensors, stream_elements

# Known-answer vectors of Random123 (kat_vectors, "philox4x32 10"): counter, key, output.
KNOWN = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def words(text: str) -> list[int]:
    return [int(word, 16) for word in text.split()]


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN)
def test_philox_known_answers(counter: str, key: str, expected: str) -> None:
    out = philox4x32(np.array([words(counter)], dtype=np.uint32), (words(key)[0], words(key)[1]))
    assert out[0].tolist() == words(expected)


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN)
def test_philox_known_answers_in_torch(counter: str, key: str, expected: str) -> None:
    c0, c1, c2, c3 = (torch.tensor([word]) for word in words(counter))
    out = noise_torch.philox4x32((c0, c1, c2, c3), (words(key)[0], words(key)[1]))
    assert [int(word) for word in out] == words(expected)


def slow_element(run_key: int, seed: int, name: str, part: str, index: int) -> int:
    """The specification, one element at a time, in plain Python."""
    k = list(struct.unpack("<2I", hashlib.sha256(b"lean-gym noise 1" + struct.pack("<2Q", run_key, seed)).digest()[:8]))
    block, byte = divmod(index, 16)
    upper = struct.unpack("<2I", hashlib.sha256(name.encode() + b"\0" + part.encode()).digest()[:8])
    c = [block & 0xFFFFFFFF, block >> 32, *upper]
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & 0xFFFFFFFF, (p0 >> 32) ^ c[3] ^ k[1], p0 & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return bin(struct.pack("<4I", *c)[byte]).count("1") - 4


def test_elements_follow_the_written_specification() -> None:
    noise = Noise(run_key=2**63 + 5, rank=2)
    got = noise.elements(7, "model.layers.0.mlp.up_proj.weight", "A", 100)
    expected = [slow_element(2**63 + 5, 7, "model.layers.0.mlp.up_proj.weight", "A", i) for i in range(100)]
    assert got.tolist() == expected
    a, b = noise.low_rank(7, "model.layers.0.mlp.up_proj.weight", (30, 10))
    assert a.shape == (30, 2) and b.shape == (10, 2) and a.dtype == np.int8
    assert a.reshape(-1).tolist() == expected[:60]


def test_a_prefix_does_not_depend_on_the_count() -> None:
    noise = Noise(1)
    long = noise.elements(3, "w", "full", (1 << 20) + 100)  # more than one chunk of blocks
    assert np.array_equal(long[:37], noise.elements(3, "w", "full", 37))
    last = (1 << 20) + 99
    assert long[last] == slow_element(1, 3, "w", "full", last)


def test_seeds_together_and_threads_change_nothing() -> None:
    noise = Noise(5, 3)
    together = noise.low_ranks(range(40), "w", (70, 9))
    for seed in (0, 17, 39):
        alone = noise.low_rank(seed, "w", (70, 9))
        assert all(np.array_equal(t[seed], a) for t, a in zip(together, alone, strict=True))
    vectors = noise.vectors([3, 4], "norm", 33)
    assert np.array_equal(vectors[1], noise.vector(4, "norm", 33)) and vectors.dtype == np.int16
    count = 5 * (1 << 19) + 7  # six chunks of blocks
    one, four = (Noise(5, 0, threads=n).elements_of([1, 2], "w", "full", count) for n in (1, 4))
    assert np.array_equal(one, four)


def same_integers(device: str) -> None:
    for rank in (1, 3):
        host, there = (
            NoiseTensors(Noise(2**64 - 1, rank), device, "numpy"),
            NoiseTensors(Noise(2**64 - 1, rank), device, "torch"),
        )
        for x, y in zip(
            host.low_ranks([0, 7, 2**63], "w", (65, 30)), there.low_ranks([0, 7, 2**63], "w", (65, 30)), strict=True
        ):
            assert x.shape == y.shape and x.dtype == y.dtype == torch.int8 and torch.equal(x, y)
        assert torch.equal(host.vectors([1, 2], "n", 50), there.vectors([1, 2], "n", 50))
    host, there = (NoiseTensors(Noise(3, 0), device, backend) for backend in ("numpy", "torch"))
    assert torch.equal(host.full(9, "w", (301, 7)), there.full(9, "w", (301, 7)))


def test_torch_gives_the_same_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    same_integers("cpu")
    whole = stream_elements((1, 2), (3, 4), 1000, "cpu")
    monkeypatch.setattr(noise_torch, "_CHUNK_BLOCKS", 7)
    assert torch.equal(whole, stream_elements((1, 2), (3, 4), 1000, "cpu"))
    # A block number above 2^32 would need a tensor of 64 GiB: the counter's words alone.
    index = torch.tensor([2**32 + 5])
    words = (index & 0xFFFFFFFF, index >> 32, torch.tensor([8]), torch.tensor([9]))
    ours = [int(word) for word in noise_torch.philox4x32(words, (1, 2))]
    assert ours == philox4x32(np.array([[5, 1, 8, 9]], dtype=np.uint32), (1, 2))[0].tolist()
    with pytest.raises(ValueError, match="noise_backend"):
        NoiseTensors(Noise(1), "cpu", "jax")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_gpu_gives_the_same_integers() -> None:
    same_integers("cuda")


def test_streams_differ_by_key_seed_name_and_part() -> None:
    base = Noise(1).elements(0, "w", "A", 64).tolist()
    others = [
        Noise(2).elements(0, "w", "A", 64),
        Noise(1).elements(1, "w", "A", 64),
        Noise(1).elements(0, "v", "A", 64),
        Noise(1).elements(0, "w", "B", 64),
    ]
    assert all(other.tolist() != base for other in others)
    assert stream_id("w", "A") != stream_id("w", "B")


@pytest.mark.parametrize("rank", [0, 1, 4])
def test_moments(rank: int) -> None:
    noise = Noise(11, rank)
    full = noise.full(0, "w", (1000, 1000)).astype(np.float64)
    assert abs(full.mean()) < 0.01 and abs(full.var() - ELEMENT_VARIANCE) < 0.01
    assert np.abs(full).max() == ELEMENT_LIMIT
    variances = []
    for seed in range(20):
        if rank:
            a, b = (x.astype(np.float64) for x in noise.low_rank(seed, "w", (1000, 500)))
            matrix = a @ b.T
        else:
            matrix = noise.full(seed, "w", (1000, 500)).astype(np.float64)
        assert np.abs(matrix).max() <= noise.entry_limit
        variances.append(noise_scale(rank) ** 2 * matrix.var())
    # One rank-1 matrix holds 1,500 independent elements: its variance scatters by 7 %, the mean of 20 by 1.6 %.
    assert abs(np.mean(variances) - 1) < 0.06


def test_uniforms_depend_on_their_own_indices_only() -> None:
    members, prompts, attempts = np.array([0, 1, 2]), np.array([5, 5, 6]), np.array([0, 3, 1])
    together = uniforms(9, 4, members, prompts, attempts, 33)
    alone = uniforms(9, 4, [1], [5], [3], 8)
    assert together.shape == (3, 33)
    assert np.array_equal(together[1, :8], alone[0])
    assert together.min() >= 0 and together.max() < 1
    many = uniforms(9, 4, np.arange(2000), np.zeros(2000), np.zeros(2000), 50)
    assert abs(many.mean() - 0.5) < 0.005 and abs(many.var() - 1 / 12) < 0.002
    assert not np.array_equal(together, uniforms(9, 5, members, prompts, attempts, 33))


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="64-bit"):
        Noise(-1)
    with pytest.raises(ValueError, match="rank"):
        Noise(1, -1)
    with pytest.raises(ValueError, match="uint32"):
        philox4x32(np.zeros((1, 4), dtype=np.int64), (0, 0))
