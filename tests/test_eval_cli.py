"""`lean-gym eval` and the numbers that it prints."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from grpo_toy import ROWS, THEOREMS, toy_model, toy_tokenizer

from lean_gym.verifier import Verifier
from trainers.eval_cli import add_parser
from trainers.evaluate import bootstrap_interval, pass_at_k, pass_report
from trainers.held_out import evaluate_model
from trainers.rollout import Sampling


def lean_gym(*words: str | Path) -> int:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["eval", *map(str, words)])
    return int(arguments.run(arguments))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    toy_model().save_pretrained(folder)
    toy_tokenizer().save_pretrained(folder)
    return folder


def test_json_and_text(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--model", model, "--limit", "3", "-n", "4", "-k", "1,4", "--max-tokens", "3"]
    assert lean_gym(*words, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["attempts"] == 12 and report["theorems"] == 3 and report["scored"] == 1.0
    for k in (1, 4):
        low, high = report[f"pass@{k}_interval"]
        assert 0 <= low <= report[f"pass@{k}"] <= high <= 1
    assert sum(report["outcomes"].values()) == pytest.approx(1.0)
    assert sum(report["rejected"].values()) == pytest.approx(report["outcomes"]["REJECTED"])
    assert report["lean"] and report["suite_hash"] and report["seconds"] > 0
    assert lean_gym(*words) == 0
    text = capsys.readouterr().out
    assert "pass@1: " in text and "12 attempts" in text and "100.0% of them known before" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-n", "4", "-k", "8"], "each k must be from 1"),
        (["--suite", "nothing"], "no suite"),
        (["--split", "nothing"], "split"),
        (["--model", "/no/such/model", "--limit", "1"], "can't be loaded"),
        (["--limit", "0"], "at least 1"),
    ],
)
def test_bad_usage(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lean_gym(*words) == 2
    assert said in capsys.readouterr().err


def test_the_same_weights_give_the_same_verdicts(verifier: Verifier) -> None:
    model, tokenizer = toy_model(), toy_tokenizer()

    def proved(numbers: list[int], batch_size: int) -> list[list[bool]]:
        rows = [ROWS[i] for i in numbers]
        found = evaluate_model(
            model, tokenizer, rows, verifier, 6, Sampling(3), batch_size=batch_size, prompt_numbers=numbers
        )
        return [[v.proved for v in row] for row in found]

    whole = proved(list(range(len(THEOREMS))), 64)
    assert whole[3:5] == proved([3, 4], 4)
    assert any(map(any, whole)) and not all(map(all, whole))


def test_report_counts_scored_attempts_only() -> None:
    report = pass_report([[True, False, None], [False, False, False], [None, None, None]], [1, 3])
    assert report["pass@1"] == pytest.approx((0.5 + 0.0) / 2) and report["pass@1_theorems"] == 2
    assert report["pass@3"] == 0.0 and report["pass@3_theorems"] == 1
    assert pass_report([[None]], [1]) == {"pass@1": None, "pass@1_interval": None, "pass@1_theorems": 0}
    assert pass_at_k(4, 1, 2) == pytest.approx(0.5)


def test_the_interval_is_that_of_the_mean() -> None:
    values = [1.0] * 30 + [0.0] * 70
    low, high = bootstrap_interval(values)
    # Binomial: 0.3 +- 1.96 * sqrt(0.3 * 0.7 / 100).
    assert low == pytest.approx(0.3 - 0.0898, abs=0.015) and high == pytest.approx(0.3 + 0.0898, abs=0.015)
    assert bootstrap_interval(values) == (low, high)
    uneven = [i * 0.37 % 1 for i in range(20)]
    assert bootstrap_interval(uneven, seed=0) != bootstrap_interval(uneven, seed=1)
    assert bootstrap_interval([0.5]) == (0.5, 0.5)
    with pytest.raises(ValueError, match="at least one"):
        bootstrap_interval([])
