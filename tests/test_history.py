"""The history: size, torn and damaged lines, replay with checks."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from trainers.history import HASH_DIGITS, Generation, History, HistoryError, difference, replay
from trainers.noise import NOISE_SPEC, Noise
from trainers.strategy import COEFFICIENT_LIMIT
from trainers.weights import EvolvingWeights, tensors_hash


def base_weights() -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    return {"w": torch.randn(20, 30, generator=generator), "norm": torch.ones(20)}


def header(**changes: Any) -> dict[str, Any]:
    base = {
        "noise_spec": NOISE_SPEC,
        "run_key": 2**64 - 1,
        "rank": 1,
        "unit_exponent": 20,
        "base_hash": tensors_hash(base_weights()),
        "manifest": {"w": [20, 30]},
    }
    return {**base, **changes}


def written(path: Path, generations: int = 6, members: int = 16, **changes: Any) -> tuple[History, EvolvingWeights]:
    rng = random.Random(3)
    history = History.create(path, header(**changes))
    weights = history.weights(base_weights())
    for g in range(generations):
        coefficients = [rng.randint(-COEFFICIENT_LIMIT, COEFFICIENT_LIMIT) for _ in range(members)]
        weights.apply(range(g * members, (g + 1) * members), coefficients)
        digest = weights.hash()[:HASH_DIGITS]
        history.append(Generation(g, g * members, tuple(coefficients), rng.random(), 512, 510, digest))
    return history, weights


def test_round_trip_and_replay(tmp_path: Path) -> None:
    history, weights = written(tmp_path / "history.jsonl")
    again = History.read(tmp_path / "history.jsonl")
    assert again.generations == history.generations and not difference(history, again)
    assert replay(base_weights(), again).hash() == weights.hash()
    assert replay(base_weights(), again, verify=True).hash() == weights.hash()
    part = replay(base_weights(), again, generation=2)
    assert part.hash()[:HASH_DIGITS] == again.generations[1].weights_hash
    assert replay(base_weights(), again, start=part, start_generation=2).hash() == weights.hash()
    with pytest.raises(HistoryError, match="6 generations"):
        replay(base_weights(), again, generation=7)


@pytest.mark.parametrize(("antithetic", "members"), [(True, 16), (False, 32)])
def test_a_line_is_at_most_200_bytes_at_population_32(antithetic: bool, members: int) -> None:
    generation = Generation(
        999_999, 999_999 * members, (-(2**15),) * members, -0.123456789e-20, 99_999, 99_998, "f" * HASH_DIGITS
    )
    assert len(generation.to_line()) + 1 <= 200


def test_torn_last_line_is_dropped_with_a_message(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "history.jsonl"
    written(path)
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    for cut in (last + 1, last + 40, len(whole) - 1):
        path.write_bytes(whole[:cut])
        caplog.clear()
        assert len(History.read(path).generations) == 5
        assert "torn" in caplog.text
        assert path.read_bytes() == whole[:cut]  # reading alone changes nothing
    repaired = History.read(path, repair=True)
    assert path.read_bytes() == whole[:last]
    repaired.append(Generation(5, 80, (1,) * 16, None, 1, 0, "0" * HASH_DIGITS))
    assert len(History.read(path).generations) == 6


def test_every_flipped_byte_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    written(path, generations=3)
    whole = path.read_bytes()
    lines = whole.split(b"\n")
    start = len(lines[0]) + 1 + len(lines[1]) + 1
    for at in range(start, start + len(lines[2])):
        damaged = bytearray(whole)
        damaged[at] ^= 0x01
        path.write_bytes(damaged)
        with pytest.raises(HistoryError, match=r"line [34] is damaged"):
            History.read(path)


def test_missing_line_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    written(path)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join(lines[:2] + lines[3:]))
    with pytest.raises(HistoryError, match="line 3 is damaged: it is generation 2, not 1"):
        History.read(path)
    path.write_bytes(b"")
    with pytest.raises(HistoryError, match="no header"):
        History.read(path)


def test_wrong_base_and_wrong_hash_are_refused(tmp_path: Path) -> None:
    history, _ = written(tmp_path / "h.jsonl")
    other = base_weights()
    other["norm"][0] = 2.0  # a tensor that does not evolve counts as well
    with pytest.raises(HistoryError, match="not the base weights"):
        replay(other, history)
    line = history.generations[3]
    history.generations[3] = Generation(3, line.seed, (0,) * 16, line.reward, 512, 510, line.weights_hash)
    with pytest.raises(HistoryError, match="after generation 5"):
        replay(base_weights(), history)
    with pytest.raises(HistoryError, match="after generation 3"):
        replay(base_weights(), history, verify=True)


def test_never_overwritten_and_other_specifications_refused(tmp_path: Path) -> None:
    written(tmp_path / "h.jsonl")
    with pytest.raises(FileExistsError):
        History.create(tmp_path / "h.jsonl", header())
    with pytest.raises(HistoryError, match="specification 99"):
        History(header(noise_spec=99))
    with pytest.raises(HistoryError, match="lacks run_key"):
        History({k: v for k, v in header().items() if k != "run_key"})
    assert Noise(2**64 - 1).run_key == History.read(tmp_path / "h.jsonl").noise().run_key


def test_difference_says_where(tmp_path: Path) -> None:
    one, _ = written(tmp_path / "a.jsonl")
    two, _ = written(tmp_path / "b.jsonl", rank=2)
    found = difference(one, two)
    assert found and found.header == {"rank": (1, 2)} and found.sentences()[0] == "the headers differ in rank: 1 and 2"
    assert (found.generation, found.parts) == (0, ("weights_hash",)) and "arithmetic" in found.sentences()[2]
    other = History({**one.header, "manifest": {"w": [20, 30], "norm": [20], "v": [3]}}, one.generations)
    assert difference(one, other).sentences() == ["the headers differ in manifest of norm (and 1 more): null and [20]"]
    three, _ = written(tmp_path / "c.jsonl")
    line = three.generations[4]
    three.generations[4] = Generation(4, line.seed, line.coefficients, line.reward, 512, 500, line.weights_hash)
    found = difference(one, three)
    assert found.sentences() == ["they part at generation 4: the numbers of scored attempts differ"]
    longer, _ = written(tmp_path / "d.jsonl", generations=7)
    assert difference(one, longer) and "6 and 7 generations" in difference(one, longer).sentences()[0]
    moved, _ = written(tmp_path / "e.jsonl", model={"name": "b"}, hyperparameters={"sigma": 1})
    found = difference(History({**moved.header, "model": {"name": "a"}}, moved.generations), moved)
    assert found.header == {"model.name": ("a", "b")} and not found
    assert "hyperparameters.sigma" in difference(one, moved).header


def test_replay_groups_generations(tmp_path: Path) -> None:
    history, weights = written(tmp_path / "h.jsonl", generations=40)  # 640 seeds: three products
    done: list[int] = []
    assert replay(base_weights(), history, progress=done.append).hash() == weights.hash()
    assert done == [16, 16, 8]
    parts = [history.weights(base_weights(), [name]) for name in ("w",)]
    assert parts[0].manifest == {"w": (20, 30)}


def test_a_line_with_an_update(tmp_path: Path) -> None:
    history = History.create(tmp_path / "h.jsonl", header(adapter={"dimensions": 30}))
    weights = history.weights(base_weights())
    update = np.arange(-15, 15, dtype="<i4").tobytes()
    weights.shift(update)
    history.append(Generation(0, 0, (5, -5), 0.5, 2, 2, weights.hash()[:HASH_DIGITS], update))
    again = History.read(tmp_path / "h.jsonl")
    assert again.generations == history.generations
    assert replay(base_weights(), again, verify=True).hash() == weights.hash()
    frozen = again.noise().elements(0, "w", "A", 20).astype(np.int64)
    assert np.array_equal(weights.accumulators["w"].numpy(), np.outer(frozen, np.arange(-15, 15)))
    with pytest.raises(ValueError, match="29 numbers"):
        weights.shift(update[4:])
    with pytest.raises(ValueError, match="adapter"):
        replay(base_weights(), History(header(), again.generations))
