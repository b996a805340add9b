"""`lean-gym replay`: a run's weights from its base model and history, its checks, and --diff."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from es_toy import ROWS, letter_share, toy_config, toy_model, toy_tokenizer
from safetensors.torch import load_file

from trainers.es import ESTrainer
from trainers.history import History
from trainers.replay_cli import add_parser
from trainers.weights import tensors_hash


def lean_gym(*words: str | Path) -> int:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["replay", *map(str, words)])
    return int(arguments.run(arguments))


def save_base(folder: Path, seed: int = 0) -> Path:
    toy_model(seed).save_pretrained(folder)
    toy_tokenizer().save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run that started from the folder `base` beside it."""
    home = tmp_path_factory.mktemp("replay")
    config = toy_config(home / "run", max_steps=4, target_modules=["all-linear", "norms"])
    ESTrainer(str(save_base(home / "base")), letter_share, config, train_dataset=ROWS).train()
    return home / "run"


def test_rebuilds_the_model_of_the_run(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lean_gym(run, "--output", tmp_path / "a", "--verify", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    history = History.read(run / "history.jsonl")
    assert report["generations"] == report["hashes_checked"] == 4
    assert report["hash"].startswith(history.generations[-1].weights_hash)
    assert (tmp_path / "a" / "model.safetensors").read_bytes() == (run / "model.safetensors").read_bytes()
    assert (tmp_path / "a" / "tokenizer.json").exists()
    # Part of the way, and not at all.
    assert lean_gym(run, "--output", tmp_path / "b", "--generation", 2) == 0
    two = load_file(tmp_path / "b" / "model.safetensors")
    evolved = {name: two[name] for name in history.header["manifest"]}
    assert tensors_hash(evolved).startswith(history.generations[1].weights_hash)
    assert lean_gym(run / "history.jsonl", "--output", tmp_path / "c", "--generation", 0) == 0
    base = (run.parent / "base" / "model.safetensors").read_bytes()
    assert (tmp_path / "c" / "model.safetensors").read_bytes() == base
    assert lean_gym(run, "--verify") == 0


def test_what_it_refuses(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def says(status: int, text: str, *words: str | Path) -> None:
        assert lean_gym(*words) == status
        error = capsys.readouterr().err
        assert text in error and error.count("\n") == 1, error

    says(2, "history.jsonl can't be read", tmp_path, "--verify")
    says(2, "--output is missing", run)
    says(2, "give the run's folder", "--verify")
    says(2, "holds 4 generations", run, "--verify", "--generation", "5")
    says(2, "is not empty", run, "--output", run)
    other = save_base(tmp_path / "other", seed=1)
    says(2, "these are not the base weights of the run", run, "--verify", "--model", other)
    says(2, "can't be loaded", run, "--verify", "--model", tmp_path / "nowhere")

    moved = shutil.copytree(run, tmp_path / "moved")
    text = (moved / "history.jsonl").read_text()
    lines = text.splitlines(keepends=True)
    (moved / "history.jsonl").write_text("".join(lines[:2]) + lines[2].replace('"n":[64', '"n":[63') + lines[3])
    says(1, "line 3 is damaged", moved, "--verify")
    history = History.read(run / "history.jsonl")
    for header, text in [
        ({**history.header, "model": {"name": "", "dtype": "float32"}}, "does not say which model"),
        ({**history.header, "model": {"name": str(tmp_path / "gone"), "dtype": "float32"}}, "can't be loaded"),
        ({**history.header, "model": {"starter": "0123", "dtype": "float32"}}, "starter policy 0123"),
    ]:
        (moved / "history.jsonl").unlink()
        History.create(moved / "history.jsonl", header)
        says(2, text, moved, "--verify")
    # Another sum than the history's: the generation is named.
    (moved / "history.jsonl").unlink()
    changed = History.create(moved / "history.jsonl", {**history.header, "run_key": 7})
    for line in history.generations:
        changed.append(line)
    says(1, "after generation 0 the weights have hash", moved, "--verify")


def test_a_torn_last_line_is_dropped(run: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    torn = shutil.copytree(run, tmp_path / "torn")
    whole = (torn / "history.jsonl").read_bytes()
    (torn / "history.jsonl").write_bytes(whole[:-20])
    assert lean_gym(torn, "--verify") == 0
    assert "the last line is torn" in caplog.text


def test_the_starter_policy_is_found_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAN_GYM_CACHE", str(tmp_path / "cache"))
    starter = save_base(tmp_path / "cache" / "starter" / "0123456789abcdef")
    config = toy_config(tmp_path / "run", max_steps=1)
    ESTrainer(str(starter), letter_share, config, train_dataset=ROWS).train()
    header = History.read(tmp_path / "run" / "history.jsonl").header
    assert header["model"] == {"starter": "0123456789abcdef", "dtype": "float32"}
    (tmp_path / "cache").rename(tmp_path / "elsewhere")
    monkeypatch.setenv("LEAN_GYM_CACHE", str(tmp_path / "elsewhere"))
    assert lean_gym(tmp_path / "run", "--verify") == 0


def test_two_processes_give_the_same_file(run: Path, tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = (
        "import argparse, sys; from trainers.replay_cli import add_parser; p = argparse.ArgumentParser(); "
        "add_parser(p.add_subparsers()); a = p.parse_args(); sys.exit(a.run(a))"
    )
    started = []
    for rank in range(2):
        environment = {
            **os.environ, "RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port),
            "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path(__file__).parent.parent),
        }  # fmt: skip
        command = [sys.executable, "-c", program, "replay", str(run), "--output", str(tmp_path / "out"), "--verify"]
        started.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    for process in started:
        _, error = process.communicate(timeout=120)
        assert process.returncode == 0, error.decode()[-2000:]
    assert (tmp_path / "out" / "model.safetensors").read_bytes() == (run / "model.safetensors").read_bytes()


def test_diff(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lean_gym("--diff", run, run) == 0
    assert "the same weights after 4 generations" in capsys.readouterr().out
    config = toy_config(tmp_path / "two", max_steps=3, target_modules=["all-linear", "norms"], sigma=0.06)
    ESTrainer(str(run.parent / "base"), letter_share, config, train_dataset=ROWS).train()
    assert lean_gym("--diff", run, tmp_path / "two", "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert report["header"] == {"hyperparameters.sigma": [0.05, 0.06]} and report["generation"] == 0
    assert "coefficients" in report["parts"] and report["lengths"] == [4, 3] and not report["same"]
    assert lean_gym("--diff", run, tmp_path / "two") == 1
    out = capsys.readouterr().out
    assert "the headers differ in hyperparameters.sigma: 0.05 and 0.06" in out and "they part at generation 0" in out
    assert lean_gym(run, "--diff", run, run) == 2
