"""`LeanProofEnv` as Gymnasium sees it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import gymnasium
import pytest
from conftest import SWAP_PROOF
from gymnasium.utils.env_checker import check_env

import lean_gym
from lean_gym.env import LeanProofEnv, LeanText
from lean_gym.theorem import Theorem
from lean_gym.verdict import Outcome
from lean_gym.verifier import Verifier


@pytest.fixture
def env(verifier: Verifier, swap: Theorem) -> Iterator[LeanProofEnv]:
    other = Theorem("refl", "theorem refl (n : Nat) : n = n", split="test")
    env = LeanProofEnv([swap, other], verifier=verifier, render_mode="ansi")
    yield env
    env.close()


def test_check_env_has_nothing_to_say(env: LeanProofEnv) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)


def test_made_by_gymnasium() -> None:
    lean_gym.register_envs()
    env = gymnasium.make("lean_gym:LeanGym/LeanProof-v0", suite="core-200", split="test", cache=False)
    observation, info = env.reset(seed=1)
    assert set(observation) == {"header", "statement", "prompt"}
    again, same = env.reset(seed=1)
    assert (observation, info) == (again, same)
    theorem = env.unwrapped.reset(options={"id": info["theorem"]})[1]
    assert theorem == info
    proof = next(t.proof for t in env.unwrapped.theorems if t.id == info["theorem"])
    _, reward, terminated, truncated, info = env.step(proof)
    assert (reward, terminated, truncated) == (1.0, True, False), info
    env.close()


def test_an_episode(env: LeanProofEnv) -> None:
    observation, info = env.reset(options={"id": "swap"})
    assert observation["statement"] == "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p"
    assert info == {"theorem": "swap"}
    observation, reward, terminated, truncated, info = env.step(SWAP_PROOF)
    assert (reward, terminated, truncated, info["mask"]) == (1.0, True, False, False)
    assert info["verdict"].proved and info["outcome"] == "PROVED"
    assert "PROVED" in env.render() and SWAP_PROOF in env.render()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(SWAP_PROOF)
    env.reset(options={"split": "test"})
    assert env.step("sorry")[1] == 0.0


def test_an_infrastructure_failure_is_no_score(verifier: Verifier) -> None:
    env = LeanProofEnv([Theorem("bad", "theorem bad : undefined = 1")], verifier=verifier)
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step("rfl")
    assert (reward, terminated, truncated, info["mask"]) == (0.0, False, True, True)
    assert info["verdict"].outcome is Outcome.INFRA


def test_reset_says_what_is_wrong(env: LeanProofEnv) -> None:
    for options, what in [
        ({"id": "x"}, "id 'x'"),
        ({"split": "x"}, "split 'x'"),
        ({"theorem": 1}, "theorem=1"),
        ({"n": 1}, "'n'"),
    ]:
        with pytest.raises(ValueError, match=what):
            env.reset(options=options)
    with pytest.raises(ValueError, match="render_mode"):
        LeanProofEnv([], render_mode="rgb_array")
    with pytest.raises(ValueError, match="empty"):
        LeanProofEnv([])


def test_the_text_space() -> None:
    space = LeanText(20, seed=3)
    assert space.contains("") and space.contains("∀ x ∈ 𝓝, ⟨漢⟩") and not space.contains("x" * 21)
    assert not space.contains("\ud800") and not space.contains(b"x")
    assert all(space.contains(space.sample()) for _ in range(100))
