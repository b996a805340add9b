"""Rewards from verdicts, and the contract of TRL's reward functions."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from conftest import SWAP_PROOF

from lean_gym.env import LeanProofEnv
from lean_gym.process_reward import ProcessReward
from lean_gym.prompt import to_dataset_rows, to_row
from lean_gym.reward import LeanReward, OutcomeReward, binary_reward
from lean_gym.theorem import Theorem
from lean_gym.verdict import Outcome, Verdict
from lean_gym.verifier import Verifier


def test_rewards_by_outcome() -> None:
    rewards = {outcome: binary_reward(Verdict(outcome)) for outcome in Outcome}
    assert rewards.pop(Outcome.INFRA) is None
    assert rewards.pop(Outcome.PROVED) == 1.0
    assert set(rewards.values()) == {0.0}
    assert OutcomeReward(exploit=-1.0)(Verdict(Outcome.EXPLOIT_SUSPECTED)) == -1.0
    with pytest.raises(ValueError, match="timeout"):
        OutcomeReward(timeout=1.0)


def columns(theorems: list[Theorem]) -> dict[str, list[Any]]:
    rows = to_dataset_rows(theorems)
    return {key: [row[key] for row in rows] for key in rows[0]}


def test_called_as_trl_calls_it(verifier: Verifier, swap: Theorem) -> None:
    bad = Theorem("bad", "theorem bad : undefined = 1")
    reward = LeanReward(verifier)
    logged: dict[str, float] = {}
    data = columns([swap, swap, swap, bad])
    rewards = reward(
        completions=[SWAP_PROOF, "exact h", [{"role": "assistant", "content": f"```lean4\n{SWAP_PROOF}\n```"}], "rfl"],
        completion_ids=[[1], [2], [3], [4]],
        trainer_state=None,
        log_metric=logged.__setitem__,
        **{"prompts": data.pop("prompt"), **data},
    )
    assert rewards == [1.0, 0.0, 1.0, None]
    assert logged["lean/attempts"] == 4 and logged["lean/proved"] == 0.5 and logged["lean/infra"] == 0.25
    assert reward.__name__ == "lean"


def test_submitting_without_waiting(verifier: Verifier, swap: Theorem) -> None:
    reward = LeanReward(verifier, OutcomeReward(proved=2.0))
    futures = reward.submit(to_dataset_rows([swap, swap]), [SWAP_PROOF, "exact h"])
    assert [future.result() for future in futures] == [2.0, 0.0]
    assert reward.take_metrics()["lean/proved"] == 0.5
    assert reward.take_metrics() == {"lean/attempts": 0.0}


def test_no_reward_function_makes_a_number_of_infra(verifier: Verifier) -> None:
    bad = Theorem("bad", "theorem bad : undefined = 1")

    def careless(verdict: Verdict) -> float:
        return float(verdict.proved)

    assert [f.result() for f in LeanReward(verifier, careless).submit(to_dataset_rows([bad]), ["rfl"])] == [None]
    env = LeanProofEnv([bad], reward=careless, verifier=verifier)
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step("rfl")
    assert (reward, terminated, truncated, info["mask"]) == (0.0, False, True, True)


def test_a_copy_by_pickle(swap: Theorem) -> None:
    copy = pickle.loads(pickle.dumps(LeanReward(name="copy", cache=False)))
    assert copy.__name__ == "copy"
    data = columns([swap])
    assert copy(prompts=data.pop("prompt"), completions=[SWAP_PROOF], **data) == [1.0]
    copy.close()


def test_a_reward_may_read_the_text(verifier: Verifier, swap: Theorem) -> None:
    """Half of a proof is worth something, and less than a proof."""
    reward = LeanReward(verifier, ProcessReward(share=0.5))
    row = to_row(swap)
    columns = {key: [value] * 3 for key, value in row.items() if key != "prompt"}
    texts = ["  constructor\n  exact h.2\n  exact h.1", "  constructor\n  exact h.2\n  exact h.2", "  exact h"]
    whole, most, nothing = reward([row["prompt"]] * 3, texts, **columns)
    assert whole == 1.0 and nothing == 0.0 and most is not None and 0.0 < most < 0.5


def test_a_reward_function_that_fails_is_heard(verifier: Verifier, swap: Theorem) -> None:
    def broken(_: Verdict) -> float:
        raise RuntimeError("my own mistake")

    row = to_row(swap)
    columns = {key: [value] for key, value in row.items() if key != "prompt"}
    with pytest.raises(RuntimeError, match="my own mistake"):
        LeanReward(verifier, broken)([row["prompt"]], ["  exact h"], **columns)
