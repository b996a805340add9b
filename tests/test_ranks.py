"""Several processes: work goes where it is done sooner, and a process that dies leaves a run that goes on."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from es_toy import ROWS, Runs, letter_share, toy_config, toy_model, toy_tokenizer
from torch.distributed import HashStore

from trainers.balance import Portions, shares
from trainers.es import ESTrainer
from trainers.history import History
from trainers.ranks import RankLost, Ranks
from trainers.trace import read_trace


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    started = Runs(tmp_path_factory.mktemp("runs"))
    yield started
    started.close()


def alone(folder: Path, **settings: Any) -> ESTrainer:
    """The same run in this process."""
    config = toy_config(folder, **settings)
    trainer = ESTrainer(toy_model(), letter_share, config, train_dataset=ROWS, processing_class=toy_tokenizer())
    trainer.train()
    return trainer


def test_shares_follow_speed() -> None:
    assert shares(10, [1.0, 1.0]) == [5, 5] and shares(7, [1.0, 1.0]) == [4, 3]
    assert shares(10, [4.0, 1.0]) == [8, 2] and shares(3, [1.0, 0.0, 1.0]) == [1, 1, 1]
    assert shares(0, [2.0, 1.0]) == [0, 0] and shares(2, [1.0, 1.0, 1.0]) == [1, 1, 0]
    with pytest.raises(ValueError, match="at least one"):
        shares(3, [])


@pytest.mark.parametrize("speeds", [(), (1.0, 1.0, 8.0), (1.0, 0.0, 1.0)])
def test_each_unit_goes_to_one_rank(speeds: tuple[float, ...]) -> None:
    rng, store = random.Random(0), HashStore()
    for units in (0, 1, 2, 17):
        portions = []
        for rank in range(3):
            ranks = Ranks(0, 1)
            ranks.rank, ranks.world_size, ranks._store = rank, 3, store
            portions.append(Portions(ranks, units, speeds))
        for ranks_round in portions:
            ranks_round.ranks._round = units + 1
        for portion in portions:
            portion.first()
        going = list(portions)
        while going:
            portion = rng.choice(going)
            if portion.next() is None:
                going.remove(portion)
        assert sorted(unit for portion in portions for unit in portion.taken) == list(range(units))


def test_one_process_takes_everything() -> None:
    portions = Portions(Ranks(0, 1), 5)
    assert portions.first() == [0, 1, 2, 3, 4] and portions.next() is None


def test_a_slow_rank_gets_less_and_nothing_changes(runs: Runs, tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "max_steps": 3, "population_size": 24, "num_prompts_per_step": 2, "num_generations": 1,
        "max_completion_length": 8, "per_device_train_batch_size": 8,
    }  # fmt: skip
    nap = 0.05
    started = runs.start(tmp_path / "two", 2, slow={"1": nap}, trace=True, **settings)
    first = runs.finish(started)
    slow = json.loads(started[1][1].read_text())
    whole = alone(tmp_path / "one", **settings)
    assert first["hash"] == slow["hash"] == whole.weights.hash()
    generations = [History.read(tmp_path / name / "history.jsonl").generations for name in ("one", "two")]
    assert generations[0] == generations[1]
    # By halves each would make half of the forward passes, and the slow one would sleep in each of them.
    half = (first["forwards"] + slow["forwards"]) / 2
    assert 0 < slow["forwards"] < 0.7 * half
    seconds = [e["dur"] / 1e6 for e in read_trace(tmp_path / "two" / "trace.json") if e["name"] == "iteration"]
    assert len(seconds) == 6 and sum(seconds) / 2 < half * nap + 1.5


def test_kill_9_of_one_rank_ends_the_other_with_a_sentence_and_the_run_goes_on(runs: Runs, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"max_steps": 8, "save_strategy": "steps", "save_steps": 3, "delay": 0.05}
    history = tmp_path / "run" / "history.jsonl"
    for victim, processes in ((1, 2), (0, 3)):
        started = runs.start(tmp_path / "run", processes, resume=history.exists(), **settings)
        before = len(history.read_bytes().splitlines()) if history.exists() else 1
        while not history.exists() or len(history.read_bytes().splitlines()) < before + 2:
            time.sleep(0.02)
        os.kill(started[victim][0], signal.SIGKILL)
        end = time.monotonic() + 30
        while any(Path(f"/proc/{pid}").exists() for pid, _ in started):
            assert time.monotonic() < end, "the others wait for the dead one"
            time.sleep(0.02)
        assert not any(result.exists() for _, result in started)
    log = (runs.folder / "log").read_text()
    assert log.count("another process of the run is gone") >= 2 and "resume_from_checkpoint" in log
    assert 3 <= len(History.read(history).generations) < 8
    settings.pop("delay")
    end_state = runs.finish(runs.start(tmp_path / "run", 1, resume=True, **settings))
    whole = alone(tmp_path / "whole", **settings)
    assert end_state["hash"] == whole.weights.hash() and whole.history is not None
    assert History.read(history).generations == whole.history.generations


def test_a_store_that_is_gone_is_named() -> None:
    ranks = Ranks(0, 1)
    with pytest.raises(ValueError, match="one process"):
        ranks.take(0)
    with (
        pytest.raises(RankLost, match=r"process 0 of 1: another process .* resume_from_checkpoint.*\(closed by peer\)"),
        ranks._together(),
    ):
        raise RuntimeError("closed by peer\nand more")


def test_out_of_memory_halves_the_batch(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    whole = alone(tmp_path / "whole", max_steps=3)
    config = toy_config(tmp_path / "small", max_steps=3)
    trainer = ESTrainer(toy_model(), letter_share, config, train_dataset=ROWS, processing_class=toy_tokenizer())
    rows: list[int] = []

    def small_device(module: Any, args: Any, kwargs: dict[str, Any]) -> None:
        rows.append(kwargs["input_ids"].shape[0])
        if rows[-1] > 20:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB")

    trainer.model.register_forward_pre_hook(small_device, with_kwargs=True)
    trainer.train()
    assert trainer.weights.hash() == whole.weights.hash()
    assert max(rows) > 20 and max(rows[len(rows) // 2 :]) <= 20
    assert "going on with batches of 16 sequences (CUDA out of memory" in caplog.text
    assert caplog.text.count("going on with batches") == 2  # 64 -> 32 -> 16, once for the run

    def no_device(module: Any, args: Any) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    trainer.model.register_forward_pre_hook(no_device)
    with pytest.raises(torch.OutOfMemoryError):
        trainer.evaluate(ROWS)
    trainer.model._forward_pre_hooks.clear()
    trainer.model.register_forward_pre_hook(lambda *_: (_ for _ in ()).throw(RuntimeError("something else")))
    with pytest.raises(RuntimeError, match="something else"):
        trainer.evaluate(ROWS)
