"""The ready configurations: they load, and give the same bits on one and two processes, in any order."""

from __future__ import annotations

import random
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import yaml
from es_toy import Runs, shared_runs, toy_model
from transformers import TrainingArguments

from trainers.config_file import parse_args
from trainers.es_config import ESConfig
from trainers.history import History
from trainers.noise import Noise
from trainers.strategy import standardize

CONFIGS = Path(__file__).parent.parent / "examples" / "configs"
SMALL = {"max_steps": 3, "num_prompts_per_step": 2, "max_completion_length": 4}


def settings_of(name: str) -> dict[str, Any]:
    return dict(yaml.safe_load((CONFIGS / name).read_text()))


def base() -> dict[str, torch.Tensor]:
    return {n: p.detach() for n, p in toy_model().named_parameters()}


@pytest.fixture
def runs() -> Runs:
    return shared_runs()


def test_the_settings_of_qiu_et_al(tmp_path: Path) -> None:
    (args,) = parse_args(
        (ESConfig,), ["--config", str(CONFIGS / "es_full_rank.yaml"), "--output_dir", str(tmp_path), "--use_cpu"]
    )
    assert (args.population_size, args.sigma, args.learning_rate, args.rank) == (30, 0.001, 0.0005, 0)
    assert args.fitness_shaping == "standardize" and not args.antithetic and args.target_modules == ["all"]


def test_flags_come_before_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "c.yaml"
    file.write_text("sigma: 1e-3\nrank: 2\nstrategy_options: {c_mean: 0.5}\ntarget_modules: [norms]\n")
    words = ["--output_dir", str(tmp_path), "--use_cpu", "--config"]
    (args,) = parse_args((ESConfig,), ["--rank", "4", *words, str(file)])
    assert (args.rank, args.sigma, args.strategy_options, args.target_modules) == (4, 0.001, {"c_mean": 0.5}, ["norms"])
    for text, message in [
        ("sgima: 1\n", "no setting sgima"),
        ("just text\n", "holds no settings"),
        ("a: [", "be read"),
    ]:
        file.write_text(text)
        with pytest.raises(SystemExit):
            parse_args((ESConfig,), [*words, str(file)])
        assert message in capsys.readouterr().err
    with pytest.raises(SystemExit):
        parse_args((ESConfig,), [*words, str(tmp_path / "none.yaml")])


@pytest.mark.parametrize("name", ["es_full_rank.yaml", "es_rank_r.yaml"])
def test_exact_on_one_and_two_processes_and_in_any_order(name: str, runs: Runs, tmp_path: Path) -> None:
    settings = {**settings_of(name), **SMALL}
    assert settings.keys() <= {f.name for f in fields(ESConfig)} | {f.name for f in fields(TrainingArguments)}
    one = runs.finish(runs.start(tmp_path / "one", **settings, noise_backend="torch"))
    two = runs.finish(runs.start(tmp_path / "two", 2, **settings, per_device_train_batch_size=7))
    assert one["hash"] == two["hash"]
    history = History.read(tmp_path / "two" / "history.jsonl")
    assert any(any(g.coefficients) for g in history.generations)
    pairs = [p for g in history.generations for p in zip(g.seeds, g.coefficients, strict=True)]
    random.Random(0).shuffle(pairs)
    weights = history.weights(base())
    for seed, coefficient in pairs:
        weights.apply([seed], [coefficient])
    assert weights.hash() == one["hash"]


def test_full_rank_is_the_published_update(tmp_path: Path, runs: Runs) -> None:
    """W + alpha / N * sum_n z_n eps_n, eps of unit variance: one generation, every parameter, embeddings included."""
    settings = {**settings_of("es_full_rank.yaml"), **SMALL, "max_steps": 1, "temperature": 1.0, "sigma": 0.05}
    runs.finish(runs.start(tmp_path / "run", **settings))
    history = History.read(tmp_path / "run" / "history.jsonl")
    (line,) = history.generations
    unit = 2.0 ** history.header["unit_exponent"] * 0.0005 / 30 / np.sqrt(2)
    z = np.array(line.coefficients) / unit
    # The coefficients are z-scores of something, to 15 bits.
    assert abs(z.mean()) < 1e-3 and abs(z.std() - 1) < 1e-3
    assert np.allclose(standardize(list(z)), z, atol=1e-3)
    weights = history.weights(base())
    line.apply_to(weights)
    assert "model.embed_tokens.weight" in weights.base and len(weights.base) == len(base())
    noise = Noise(history.header["run_key"], 0)
    for key, start in base().items():
        eps = [noise.full(seed, key, tuple(start.shape)) / np.sqrt(2) for seed in line.seeds]
        expected = start.double().numpy() + 0.0005 / 30 * sum(f * e for f, e in zip(z, eps, strict=True))
        assert np.abs(weights.weight(key).double().numpy() - expected).max() < 1e-7
