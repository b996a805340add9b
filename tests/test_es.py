"""The ES trainer: learning, rewards by TRL's contract, callbacks, resume, equal weights on any number of processes."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
import torch
from es_toy import ROWS, letter_share, shared_runs, toy_config, toy_model, toy_tokenizer
from transformers import AutoModelForCausalLM, AutoTokenizer, TrainerCallback

from trainers.es import ESTrainer
from trainers.evaluate import pass_at_k, pass_metrics
from trainers.history import History, HistoryError, replay
from trainers.launch import asked_processes
from trainers.scoring import Scorer
from trainers.strategy import member_fitness

SCRIPT = Path(__file__).with_name("es_toy.py")


def trainer(
    output: Path, reward: Any = letter_share, callbacks: Any = None, data: Any = ROWS, **changes: Any
) -> ESTrainer:
    return ESTrainer(
        toy_model(),
        reward,
        toy_config(output, **changes),
        train_dataset=data,
        eval_dataset=data,
        processing_class=toy_tokenizer(),
        callbacks=callbacks,
    )


def start(output: Path, processes: int = 1, **settings: Any) -> subprocess.Popen[str]:
    launcher = [sys.executable]
    if processes > 1:
        launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc_per_node={processes}"]
    return subprocess.Popen(
        [*launcher, str(SCRIPT), str(output), json.dumps(settings)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = process.communicate(timeout=200)
    assert process.returncode == 0, err[-3000:]
    return dict(json.loads(out.splitlines()[-1]))


def test_learns_and_leaves_a_run(tmp_path: Path) -> None:
    t = trainer(tmp_path, max_steps=25, population_size=32, save_strategy="steps", save_steps=10, save_total_limit=1)
    before = t.evaluate()
    t.train()
    after = t.evaluate()
    assert after["eval_reward"] > 2 * before["eval_reward"]
    assert t.state.global_step == 25
    records = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert [r["step"] for r in records] == list(range(1, 26))
    assert {
        "reward",
        "pass_rate",
        "seconds/generate",
        "seconds/wait_verify",
        "seconds/update",
        "rewards/letter_share/mean",
    } <= set(records[0])
    assert [p.name for p in tmp_path.glob("checkpoint-*")] == ["checkpoint-25"]
    # The folder loads with transformers, in the base model's dtype, and holds the evolved weights.
    saved = AutoModelForCausalLM.from_pretrained(tmp_path)
    assert saved.dtype == torch.float32 and next(t.model.parameters()).dtype == torch.float32
    for name, weight in t.weights.weights().items():
        assert torch.equal(saved.get_parameter(name), weight) and torch.equal(t.model.get_parameter(name), weight)
    assert AutoTokenizer.from_pretrained(tmp_path).pad_token == "<pad>"
    # And the history alone rebuilds them.
    base = {n: p.detach() for n, p in toy_model().named_parameters()}
    assert replay(base, History.read(tmp_path / "history.jsonl"), verify=True).hash() == t.weights.hash()
    lines = (tmp_path / "history.jsonl").read_bytes().splitlines(keepends=True)
    assert max(map(len, lines[1:])) <= 200


def test_one_and_two_processes_and_any_batch_give_the_same_bits(tmp_path: Path) -> None:
    runs = [
        start(tmp_path / "one"),
        start(tmp_path / "two", processes=2, per_device_train_batch_size=5),
    ]
    one, two = (finish(run) for run in runs)
    assert (one["world"], two["world"]) == (1, 2)
    assert one["hash"] == two["hash"]
    a, b = (History.read(tmp_path / name / "history.jsonl").generations for name in ("one", "two"))
    assert a == b
    small = trainer(tmp_path / "small", per_device_train_batch_size=3, reward_batch_size=2)
    small.train()
    assert small.weights.hash() == one["hash"]


def test_kill_9_and_resume_ends_at_the_same_weights(tmp_path: Path) -> None:
    whole = trainer(tmp_path / "whole", save_strategy="steps", save_steps=2)
    whole.train()
    rng = random.Random(0)
    for kill_at in (0, 3, 5):
        broken = tmp_path / f"broken-{kill_at}"
        ((pid, result),) = shared_runs().start(broken, kill_at=kill_at, save_strategy="steps", save_steps=2)
        while Path(f"/proc/{pid}").exists():
            time.sleep(0.02)
        assert not result.exists()
        if kill_at == 5:  # a write cut off in the middle
            with (broken / "history.jsonl").open("ab") as file:
                file.write(whole.run_dir.history.read_bytes().splitlines()[-1][: rng.randrange(1, 80)])
        resumed = trainer(broken, save_strategy="steps", save_steps=2)
        resumed.train(resume_from_checkpoint=True)
        assert resumed.weights.hash() == whole.weights.hash()
        assert History.read(broken / "history.jsonl").generations == whole.history.generations  # type: ignore[union-attr]
        steps = [json.loads(line)["step"] for line in (broken / "metrics.jsonl").read_text().splitlines()]
        assert steps == sorted(set(steps)) and steps[-1] == 6


def test_a_second_run_in_the_same_folder_sets_the_first_aside(tmp_path: Path) -> None:
    trainer(tmp_path, max_steps=1).train()
    first = (tmp_path / "history.jsonl").read_bytes()
    trainer(tmp_path, max_steps=1, seed=7).train()
    assert (
        (tmp_path / "previous-1" / "history.jsonl").read_bytes() == first != (tmp_path / "history.jsonl").read_bytes()
    )


def test_resume_of_another_run_is_refused(tmp_path: Path) -> None:
    trainer(tmp_path, max_steps=1).train()
    with pytest.raises(HistoryError, match=r"another run: hyperparameters.*0\.06"):
        trainer(tmp_path, max_steps=2, sigma=0.06).train(resume_from_checkpoint=True)
    with pytest.raises(HistoryError, match=r"no history\.jsonl"):
        trainer(tmp_path / "nothing", max_steps=2).train(resume_from_checkpoint=True)


def test_none_rewards_are_left_out_and_scored_again(tmp_path: Path) -> None:
    calls: list[int] = []
    failed: set[str] = set()

    def sometimes(completions: list[str], prompts: list[str], letter: list[str], **_: Any) -> list[float | None]:
        """Fails to score half of what it sees for the first time."""
        calls.append(len(completions))
        rewards: list[float | None] = list(letter_share(prompts, completions, letter))
        for i, key in enumerate(f"{p}|{c}" for p, c in zip(prompts, completions, strict=True)):
            if hash(key) % 2 and key not in failed:
                failed.add(key)
                rewards[i] = None
        return rewards

    whole, shaky = trainer(tmp_path / "a"), trainer(tmp_path / "b", sometimes, min_scored_share=1.0)
    whole.args.min_scored_share = 1.0
    whole.train()
    shaky.train()
    assert failed and shaky.weights.hash() == whole.weights.hash()

    nothing = trainer(tmp_path / "c", lambda completions, **_: [None] * len(completions), max_steps=2)
    metrics = nothing.train()
    assert metrics["scored"] == 0 and nothing.history is not None
    assert all(set(g.coefficients) == {0} and g.reward is None for g in nothing.history.generations)


def test_member_fitness_by_hand() -> None:
    results = [(0, 0, 1.0), (0, 1, None), (1, 0, 0.0), (1, 1, 1.0), (2, 0, None), (2, 1, None)]
    assert member_fitness(results, 3, prompt_baseline=False) == [1.0, 0.5, None]
    assert member_fitness(results, 3) == [0.5, -0.25, None]
    assert member_fitness(results, 3, min_scored_share=0.75) == [None, -0.25, None]


class Recorder(TrainerCallback):
    def __init__(self) -> None:
        self.events: list[str] = []
        self.logs: list[dict[str, Any]] = []

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("on_") and name != "on_log":
            object.__getattribute__(self, "events").append(name)
        return object.__getattribute__(self, name)

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any) -> None:
        self.events.append("on_log")
        self.logs.append(dict(logs or {}))

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        control.should_training_stop = state.global_step >= 3


def test_callbacks_see_a_run_and_can_stop_it(tmp_path: Path) -> None:
    recorder = Recorder()
    t = trainer(
        tmp_path, callbacks=[recorder], eval_strategy="steps", eval_steps=2, eval_on_start=True,
        save_strategy="steps", save_steps=2,
    )  # fmt: skip
    t.train()
    assert t.state.global_step == 3
    order = [e for e in recorder.events if e != "on_init_end"]
    assert order[:3] == ["on_train_begin", "on_log", "on_evaluate"] and order[-1] == "on_train_end"
    assert {"on_step_begin", "on_step_end", "on_save"} <= set(order)
    assert "eval_pass@1" in recorder.logs[0] and "reward" in recorder.logs[1]
    assert (tmp_path / "checkpoint-2" / "trainer_state.json").exists()


def test_reports_to_tensorboard_style_integrations(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nothing_of_the_kind"):
        trainer(tmp_path, report_to="nothing_of_the_kind")


def test_rewards_by_trl_contract(tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []

    def plain(prompts: Any, completions: Any, completion_ids: Any, **columns: Any) -> list[float]:
        seen.append({"prompts": prompts, "completions": completions, "ids": completion_ids, **columns})
        columns["log_metric"]("toy/length", 2.0)
        columns["log_extra"]("note", [""] * len(prompts))
        return [0.5] * len(prompts)

    async def later(completions: Any, **_: Any) -> list[float | None]:
        return [None if i % 2 else 1.0 for i in range(len(completions))]

    class Streaming:
        __name__ = "streaming"

        def submit(self, rows: Any, completions: Any) -> list[Future[float | None]]:
            futures: list[Future[float | None]] = []
            for row, completion in zip(rows, completions, strict=True):
                assert row["letter"] == "a" and isinstance(completion, str)
                future: Future[float | None] = Future()
                threading.Timer(0.01, future.set_result, [completion.count("a") / 12]).start()
                futures.append(future)
            return futures

        def __call__(self, **_: Any) -> list[float]:
            raise AssertionError("a reward that offers submit is not called")

    t = trainer(tmp_path, [plain, later, Streaming()], max_steps=1, reward_weights=[1.0, 2.0, 10.0])
    metrics = t.train()
    assert metrics["toy/length"] == 2.0 and metrics["rewards/plain/mean"] == 0.5
    assert metrics["rewards/later/mean"] == 1.0 and "rewards/streaming/mean" in metrics
    call = seen[0]
    assert len(call["prompts"]) == len(call["completions"]) == len(call["ids"]) == len(call["letter"]) == 64
    assert call["trainer_state"] is t.state and all(isinstance(i, int) for ids in call["ids"] for i in ids)
    with pytest.raises(ValueError, match="2 reward_weights for 1"):
        trainer(tmp_path, plain, reward_weights=[1.0, 2.0])


def test_a_failing_reward_function_is_loud(tmp_path: Path) -> None:
    def broken(completions: Any, **_: Any) -> list[float]:
        raise ZeroDivisionError("in the reward")

    with pytest.raises(ZeroDivisionError, match="in the reward"):
        trainer(tmp_path / "a", broken).train()
    with pytest.raises(ValueError, match="returned 1 rewards"):
        trainer(tmp_path / "b", lambda completions, **_: [1.0]).train()
    with pytest.raises(ValueError, match="finite"):
        trainer(tmp_path / "c", lambda completions, **_: [float("inf")] * len(completions)).train()


def test_reward_total_is_the_weighted_sum_of_what_is_there() -> None:
    scorer = Scorer([letter_share, letter_share], [1.0, 3.0])
    assert scorer.total([0.5, 1.0]) == 3.5 and scorer.total([None, 1.0]) == 3.0 and scorer.total([None, None]) is None
    scorer.close()


def test_conversational_prompts_by_model_name(tmp_path: Path) -> None:
    tokenizer = toy_tokenizer()
    tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }} {% endfor %}"
    toy_model().save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    rows = [{"prompt": [{"role": "user", "content": text}]} for text in ("hello", "abc")]

    def reward(completions: Any, **_: Any) -> list[float]:
        assert all(c[0]["role"] == "assistant" for c in completions)
        return [c[0]["content"].count("a") / 12 for c in completions]

    t = ESTrainer(str(tmp_path / "model"), reward, toy_config(tmp_path / "out", max_steps=1), train_dataset=rows)
    assert t.train()["scored"] == 1.0


def test_bf16_weights_and_full_rank(tmp_path: Path) -> None:
    for rank in (0, 4):
        t = ESTrainer(
            toy_model().to(torch.bfloat16), letter_share, toy_config(tmp_path / str(rank), rank=rank, max_steps=2),
            train_dataset=ROWS, processing_class=toy_tokenizer(),
        )  # fmt: skip
        t.train()
        assert AutoModelForCausalLM.from_pretrained(tmp_path / str(rank)).dtype == torch.bfloat16
        base = {n: p.detach() for n, p in toy_model().to(torch.bfloat16).named_parameters()}
        assert replay(base, History.read(tmp_path / str(rank) / "history.jsonl")).hash() == t.weights.hash()


def test_pass_at_k() -> None:
    assert pass_at_k(4, 0, 2) == 0 and pass_at_k(4, 4, 1) == 1 and pass_at_k(4, 1, 1) == 0.25
    assert pass_at_k(4, 1, 2) == 0.5 and pass_at_k(5, 3, 3) == 1.0
    metrics = pass_metrics([[1.0, 0.0, None, 0.0], [1.0, 1.0, 1.0, 1.0], [None] * 4])
    assert metrics["theorems"] == 2 and metrics["scored"] == 7 / 12
    assert abs(metrics["pass@1"] - (1 / 3 + 1) / 2) < 1e-12 and abs(metrics["pass@2"] - (2 / 3 + 1) / 2) < 1e-12
    assert "pass@4" not in metrics and pass_metrics([[None]]) == {"scored": 0.0}
    with pytest.raises(ValueError, match="c=5"):
        pass_at_k(4, 5, 1)


def test_fewer_processes_than_asked_for_are_noticed() -> None:
    marked = {"ACCELERATE_MIXED_PRECISION": "no"}
    command = ["python", "/venv/bin/accelerate", "launch", "--cpu", "--num_processes", "4", "train.py"]
    assert asked_processes(marked, command) == 4
    assert asked_processes(marked, ["accelerate", "launch", "--num-processes=3", "x.py"]) == 3
    assert asked_processes({**marked, "MASTER_PORT": "29500"}, ["accelerate", "launch", "x.py"]) == 2
    assert asked_processes(marked, ["accelerate", "launch", "x.py"]) == 1
    assert asked_processes({}, command) == 1 and asked_processes(marked, ["bash"]) == 1


def test_accelerate_launch_on_cpus_is_answered_with_a_clear_message(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "accelerate.commands.accelerate_cli", "launch", "--cpu", "--num_processes", "2"]
    run = subprocess.run(
        [*command, str(SCRIPT), str(tmp_path), json.dumps({"max_steps": 1})],
        capture_output=True, text=True, timeout=200, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-2000:]
    assert "torchrun --nproc_per_node 2" in run.stderr and json.loads(run.stdout.splitlines()[-1])["world"] == 1


def test_bad_settings_and_data_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="prompt"):
        trainer(tmp_path, data=[{"text": "x"}])
    with pytest.raises(ValueError, match="length"):
        trainer(tmp_path, data=iter(ROWS))
    with pytest.raises(ValueError, match="lr_scheduler_type"):
        toy_config(tmp_path, lr_scheduler_type="polynomial")
    with pytest.raises(ValueError, match="sigma"):
        toy_config(tmp_path, sigma=0.0)


def test_options_without_a_meaning_are_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    toy_config(tmp_path)
    assert "no meaning" not in caplog.text
    toy_config(tmp_path, weight_decay=0.1, gradient_accumulation_steps=4)
    assert "gradient_accumulation_steps, weight_decay: no meaning" in caplog.text


def test_schedules_of_learning_rate_and_sigma(tmp_path: Path) -> None:
    args = toy_config(tmp_path, lr_scheduler_type="linear", sigma_scheduler_type="cosine", sigma_end=0.2)
    assert [args.learning_rate_factor(g, 10) for g in (0, 5, 10)] == [1.0, 0.5, 0.0]
    assert [round(args.sigma_factor(g, 10), 12) for g in (0, 5, 10)] == [1.0, 0.6, 0.2]
    plain = toy_config(tmp_path, sigma_end=0.3)
    assert plain.learning_rate_factor(7, 10) == plain.sigma_factor(7, 10) == 1.0
    for wrong in ({"sigma_scheduler_type": "step"}, {"sigma_end": 0.0}, {"noise_backend": "cuda"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            toy_config(tmp_path, **wrong)
    t = trainer(tmp_path / "run", max_steps=2, sigma_scheduler_type="linear")
    t.train()
    logs = [log["sigma"] for log in t.state.log_history if "sigma" in log]
    assert logs == [0.05, 0.05 * (0.1 + 0.9 * 0.5)]
    assert t.history is not None and t.history.header["hyperparameters"]["max_steps"] == 2


def test_processes_that_disagree_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def another_rank(self: Any, items: list[Any]) -> list[Any]:
        return [*items, "0" * 64] if items and isinstance(items[0], str) else items

    monkeypatch.setattr("trainers.ranks.Ranks.gather", another_rank)
    with pytest.raises(RuntimeError, match="different weights after generation 0"):
        trainer(tmp_path, max_steps=1).train()
    assert History.read(tmp_path / "history.jsonl").generations == []
