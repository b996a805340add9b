"""The GRPO trainer: TRL's own, on the real Lean."""

from __future__ import annotations

import json
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch
from grpo_toy import ROWS, THEOREMS, toy_model, toy_tokenizer, toy_trainer
from transformers import TrainerCallback
from trl import GRPOTrainer, TrlParser

from lean_gym.submission import Submission
from lean_gym.verdict import Outcome, Verdict
from lean_gym.verifier import Verifier
from trainers.grpo import LeanGRPOConfig, LeanGRPOTrainer
from trainers.grpo_reward import GRPOReward
from trainers.grpo_rollout import sequence_logprobs

pytestmark = pytest.mark.filterwarnings("ignore")


class Seen(TrainerCallback):
    """Keeps what TRL computed of each step's rewards."""

    def __init__(self) -> None:
        self.rewards: list[torch.Tensor] = []
        self.advantages: list[list[float]] = []
        self.completions: list[list[str]] = []

    def watch(self, trainer: LeanGRPOTrainer) -> Seen:
        inner = trainer._calculate_rewards

        def calculate(inputs: Any, prompts: Any, completions: Any, ids: Any) -> Any:
            rewards = inner(inputs, prompts, completions, ids)
            self.rewards.append(rewards.clone())
            self.completions.append(list(completions))
            return rewards

        score = trainer._generate_and_score_completions

        def scored(inputs: Any) -> Any:
            output = score(inputs)
            self.advantages.append(output["advantages"].tolist())
            return output

        trainer._calculate_rewards = calculate
        trainer._generate_and_score_completions = scored
        return self


def holds(completion: str) -> float:
    """What Lean must say of a text of the toy policy: `exact h` once and nothing else that does anything."""
    return float(completion.replace("  skip\n", "") == "  exact h\n")


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def test_two_steps(tmp_path: Path, verifier: Verifier) -> None:
    trainer = toy_trainer(
        tmp_path, verifier, eval_on_start=True, eval_strategy="steps", eval_steps=2, num_generations_eval=4
    )
    assert isinstance(trainer, GRPOTrainer)
    seen = Seen().watch(trainer)
    before = [p.clone() for p in trainer.model.parameters()]
    trainer.train()
    for rewards, completions in zip(seen.rewards, seen.completions, strict=True):
        for reward, completion in zip(rewards[:, 0].tolist(), completions, strict=True):
            assert reward == holds(completion)
    assert any(not torch.equal(a, b) for a, b in zip(before, trainer.model.parameters(), strict=True))
    made = json.loads((tmp_path / "run.json").read_text())
    assert made["versions"]["lean"] and made["versions"]["policy"] and made["data_hash"]
    found = records(tmp_path)
    evaluations = [r for r in found if "eval_pass@1" in r]
    assert [r["step"] for r in evaluations] == [0, 2]
    assert {"eval_pass@4", "eval_lean/proved", "eval_theorems"} <= set(evaluations[0])
    steps = [r for r in found if "pass_rate" in r]
    assert [r["num_attempts"] for r in steps] == [8, 16]
    assert steps[0]["lean/proved"] == steps[0]["pass_rate"] == pytest.approx(steps[0]["reward"])
    assert sum(v for k, v in steps[0].items() if k.startswith("lean/rejected/")) == pytest.approx(
        steps[0]["lean/rejected"]
    )


def test_checks_begin_while_others_are_written(tmp_path: Path, verifier: Verifier) -> None:
    trainer = toy_trainer(tmp_path, verifier, max_steps=1, max_completion_length=24)
    reward = trainer.lean_reward
    assert reward is not None
    begun: list[int] = []
    inner = reward.start

    def start(row: Any, completion: Any) -> None:
        begun.append(len(reward.passed))
        inner(row, completion)

    reward.start = start  # type: ignore[method-assign]
    submitted = 0
    real = verifier.submit

    def submit(submission: Submission) -> Future[Verdict]:
        nonlocal submitted
        submitted += 1
        return real(submission)

    verifier.submit = submit  # type: ignore[method-assign]
    try:
        trainer.train()
    finally:
        del verifier.submit  # type: ignore[method-assign]
    assert begun == [0] * 8  # all of them before TRL asked for the rewards
    assert submitted == 8  # and none twice


def test_a_check_that_fails_by_our_fault_is_left_out(tmp_path: Path, verifier: Verifier) -> None:
    """INFRA is None to TRL: no part in the baseline, no advantage."""
    trainer = toy_trainer(tmp_path, verifier, max_steps=1)
    seen = Seen().watch(trainer)
    real, count = verifier.submit, 0

    def submit(submission: Submission) -> Future[Verdict]:
        nonlocal count
        count += 1
        if count % 4:
            return real(submission)
        lost: Future[Verdict] = Future()
        lost.set_result(Verdict(Outcome.INFRA, "lost"))
        return lost

    verifier.submit = submit  # type: ignore[method-assign]
    try:
        trainer.train()
    finally:
        del verifier.submit  # type: ignore[method-assign]
    rewards = seen.rewards[0][:, 0]
    missing = rewards.isnan()
    assert missing.sum() == 2
    groups, advantages = rewards.view(2, 4), torch.zeros(2, 4)
    for i, group in enumerate(groups):
        kept = group[~group.isnan()]
        deviation = kept.std() if len(kept) > 1 else torch.tensor(0.0)
        advantages[i] = ((group - kept.mean()) / (deviation + 1e-4)).nan_to_num(0.0)
    assert sorted(seen.advantages[0]) == pytest.approx(sorted(advantages.flatten().tolist()), abs=1e-3)
    (step,) = (r for r in records(tmp_path) if "pass_rate" in r)
    assert step["scored"] == 0.75 and step["num_attempts"] == 6 and step["lean/infra"] == 0.25
    assert trainer.win_rates._attempts.sum() == 6


def test_workers_are_killed_during_a_step(tmp_path: Path) -> None:
    """Training goes on, and each number is the one that Lean gives."""
    with Verifier(cache=False, workers=2) as verifier:
        verifier.verify([Submission(THEOREMS[0], f"  exact h -- {i}") for i in range(8)])
        trainer = toy_trainer(tmp_path, verifier, max_steps=3, per_device_train_batch_size=16)
        seen = Seen().watch(trainer)
        killed: list[int] = []

        class Killer(TrainerCallback):
            def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
                children = [p for p in psutil.Process().children() if p.status() != psutil.STATUS_ZOMBIE]
                servers = [p for p in children if "lean_gym" in " ".join(p.cmdline())]
                if state.global_step == 1 and servers:
                    victims = servers[: math.ceil(len(servers) / 2)]
                    killed.extend(p.pid for p in victims)
                    for victim in victims:
                        threading.Timer(0.05, os.kill, (victim.pid, signal.SIGKILL)).start()

        trainer.add_callback(Killer())
        trainer.train()
    assert killed
    assert trainer.state.global_step == 3
    for rewards, completions in zip(seen.rewards, seen.completions, strict=True):
        for reward, completion in zip(rewards[:, 0].tolist(), completions, strict=True):
            if not math.isnan(reward):
                assert reward == holds(completion)


def test_resume_keeps_the_win_rates(tmp_path: Path, verifier: Verifier) -> None:
    settings: dict[str, Any] = {"theorem_sampler": "win_rate", "save_strategy": "steps", "save_steps": 1}
    first = toy_trainer(tmp_path, verifier, max_steps=2, **settings)
    first.train()
    second = toy_trainer(tmp_path, verifier, max_steps=3, **settings)
    second.train(resume_from_checkpoint=True)
    assert second.num_attempts == 24
    steps = [r for r in records(tmp_path) if "pass_rate" in r]
    assert [(r["step"], r["num_attempts"]) for r in steps] == [(1, 8), (2, 16), (3, 24)]
    assert second.win_rates.draws > first.win_rates.draws


def test_unlikeliness_sees_the_policys_own_numbers(tmp_path: Path, verifier: Verifier) -> None:
    trainer = toy_trainer(tmp_path, verifier, max_steps=1, unlikeliness=0.25, per_device_train_batch_size=32)
    seen = Seen().watch(trainer)
    trainer.train()
    proofs = [r for r in seen.rewards[0][:, 0].tolist() if r > 0]
    assert proofs and all(0.75 <= r < 1 for r in proofs)


def test_log_probabilities_are_the_models() -> None:
    model = toy_model().eval()
    head, tail = [2, 2, 3], [4, 6, 1]
    with torch.no_grad():
        together = sequence_logprobs(model, [head, [2]], [tail, [3, 3, 3, 3, 1]])
        logits = model(torch.tensor([head + tail])).logits[0].log_softmax(-1)
    expected = sum(float(logits[len(head) - 1 + i, token]) for i, token in enumerate(tail))
    assert together[0] == pytest.approx(expected, abs=1e-5)


def test_the_same_step_without_our_rollout(tmp_path: Path, verifier: Verifier) -> None:
    trainer = toy_trainer(tmp_path, verifier, max_steps=1, stream_checks=False)
    assert trainer.rollout_func is None
    trainer.train()
    assert trainer.num_attempts == 8


def test_lora(tmp_path: Path, verifier: Verifier) -> None:
    peft = pytest.importorskip("peft")
    trainer = toy_trainer(
        tmp_path, verifier, peft_config=peft.LoraConfig(task_type="CAUSAL_LM", r=2, target_modules="all-linear")
    )
    base = toy_model().state_dict()
    trainer.train()
    assert trainer.num_attempts == 16
    with trainer.model.disable_adapter():
        held = trainer.model.get_base_model().state_dict()
    assert all(
        torch.equal(held[k.replace("proj.weight", "proj.base_layer.weight")], v) for k, v in base.items() if "proj" in k
    )


@pytest.mark.timeout(150)
def test_two_processes_stay_alike(tmp_path: Path) -> None:
    script = Path(__file__).with_name("grpo_toy.py")
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2"]
    done = subprocess.run(
        [*launcher, str(script), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=140,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    first, second = (json.loads((tmp_path / f"result-{rank}").read_text()) for rank in (0, 1))
    assert first == second
    assert first[1] == 2 * 2 * 8  # two steps of 8 completions on each


def test_settings_from_a_file_and_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "grpo.yaml"
    file.write_text("learning_rate: 0.002\nnum_generations: 4\nbeta: 0.04\n")
    words = ["--config", str(file), "--output_dir", str(tmp_path), "--num_generations", "16", "--use_cpu", "true"]
    (args,) = TrlParser((LeanGRPOConfig,)).parse_args_and_config(words)
    assert (args.learning_rate, args.num_generations, args.beta, args.bf16) == (0.002, 16, 0.04, False)
    refused: list[dict[str, Any]] = [
        {"theorem_sampler": "best"},
        {"process_share": 0.9, "unlikeliness": 0.5},
        {"unlikeliness": 0.2, "stream_checks": False},
    ]
    for wrong in refused:
        with pytest.raises(ValueError, match=r"theorem_sampler|lower process|unlikeliness"):
            LeanGRPOConfig(output_dir=str(tmp_path), use_cpu=True, **wrong)


def test_the_reward_is_picklable_and_named() -> None:
    reward = pickle.loads(pickle.dumps(GRPOReward(Verifier(cache=False), name="proof")))
    assert reward.__name__ == "proof" and reward.passed == []


def test_another_reward_alone_is_refused(tmp_path: Path) -> None:
    def constant(prompts: list[Any], **_: Any) -> list[float]:
        return [0.0] * len(prompts)

    with pytest.raises(ValueError, match="GRPOReward"):
        LeanGRPOTrainer(
            toy_model(), constant, LeanGRPOConfig(output_dir=str(tmp_path), use_cpu=True), ROWS,
            processing_class=toy_tokenizer(),
        )  # fmt: skip
