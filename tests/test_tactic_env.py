"""Mode "tactic": goals, undo, failing tactics, and the verdict on the whole proof."""

from __future__ import annotations

import time
import warnings

import pytest
from gymnasium.utils.env_checker import check_env

from lean_gym.env import LeanProofEnv
from lean_gym.episode import play_all
from lean_gym.reward import OutcomeReward
from lean_gym.submission import Submission
from lean_gym.suites import load_suite
from lean_gym.theorem import Theorem
from lean_gym.verdict import Outcome
from lean_gym.verifier import Verifier

GOAL = "p q : Prop\nh : p ∧ q\n⊢ q ∧ p"


@pytest.fixture
def env(verifier: Verifier, swap: Theorem) -> LeanProofEnv:
    return LeanProofEnv([swap], mode="tactic", verifier=verifier, render_mode="ansi")


def test_check_env_has_nothing_to_say(verifier: Verifier, swap: Theorem) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(LeanProofEnv([swap], mode="tactic", verifier=verifier), skip_render_check=True)


def test_an_episode(env: LeanProofEnv) -> None:
    observation, info = env.reset(seed=0)
    assert (observation["goals"], observation["prefix"], info["error"]) == (GOAL, "", "")
    observation, reward, terminated, truncated, info = env.step("constructor")
    assert (reward, terminated, truncated, info["error"]) == (0.0, False, False, "")
    assert observation["goals"].startswith("case left\n") and observation["goals"].count("⊢") == 2
    assert observation["prefix"] == info["proof"] == "  constructor\n"
    # A tactic that fails leaves the state as it was, and says why in its own lines and columns.
    before = observation
    for wrong, why in [
        ("exact h.1", "line 1, column 0: Type mismatch"),
        ("skip\nexact foo", "line 2, column 6: Unknown identifier"),
        ("", "is empty"),
        ("-- nothing", "unexpected end of the tactic"),
        ("have x : p := by", "unsolved goals"),
        ("<;> skip", "unexpected token '<;>'"),
        ("exact (h.2", "line 1, column 10: unexpected"),
        ("skip\n#check Nat", "line 2"),
        ("sorry", "prove nothing"),
        ("exact h.2)\n(skip", "nothing in it opens"),
    ]:
        observation, reward, terminated, truncated, info = env.step(wrong)
        assert (reward, terminated, truncated) == (0.0, False, False), wrong
        assert why in info["error"] == observation["feedback"], (wrong, info["error"])
        assert {**observation, "feedback": ""} == before
    observation, *_ = env.step("exact h.2  -- the first one")
    assert observation["goals"] == "case right\np q : Prop\nh : p ∧ q\n⊢ p" and observation["feedback"] == ""
    assert "⊢ p" in env.render() and "exact h.2" in env.render()
    observation, reward, terminated, truncated, info = env.step("· exact h.1")
    assert (reward, terminated, truncated, info["outcome"], info["mask"]) == (1.0, True, False, "PROVED", False)
    assert info["proof"] == "  constructor\n  exact h.2  -- the first one\n  · exact h.1\n"
    assert observation["goals"] == "" and "PROVED" in env.render()


def test_undo_by_a_prefix(env: LeanProofEnv) -> None:
    env.reset(seed=0)
    observation, *_ = env.step("constructor")
    env.step("exact h.2")
    again, info = env.reset(options={"prefix": observation["prefix"]})
    assert again == observation and info["theorem"] == "swap"
    with pytest.raises(ValueError, match="Type mismatch"):
        env.reset(options={"prefix": "exact h"})
    with pytest.raises(ValueError, match="no goal"):
        env.reset(options={"prefix": "exact ⟨h.2, h.1⟩"})
    assert env.step("exact h.2")[4]["error"] == ""  # the episode before goes on
    assert env.reset(options={"id": "swap", "prefix": ""})[0]["goals"] == GOAL


def test_blocks_and_their_layout(env: LeanProofEnv, verifier: Verifier) -> None:
    env.reset(seed=0)
    # The first line may have lost its blanks.
    observation, *_, info = env.step("constructor\n    · exact h.2")
    assert info["error"] == "" and observation["goals"].count("⊢") == 1
    assert env.step("\n\n    show p\n    exact h.1\n")[1] == 1.0
    add = Theorem("add", "theorem add (n : Nat) : 0 + n = n")
    deeper = LeanProofEnv([add], mode="tactic", verifier=verifier)
    deeper.reset(seed=0)
    block = "induction n with\n| zero => rfl\n| succ n ih =>\n  rw [Nat.add_succ, ih]"
    _, reward, terminated, _, info = deeper.step(block)
    assert (reward, terminated) == (1.0, True), info["error"]


def test_cut_after_max_steps(verifier: Verifier, swap: Theorem) -> None:
    env = LeanProofEnv([swap], mode="tactic", max_steps=2, reward=OutcomeReward(rejected=-1.0), verifier=verifier)
    env.reset(seed=0)
    assert env.step("constructor")[1:4] == (0.0, False, False)
    assert env.step("nonsense")[1:4] == (-1.0, False, True)


def test_infrastructure_failures_are_no_score(verifier: Verifier) -> None:
    env = LeanProofEnv([Theorem("bad", "theorem bad : undefined = 1")], mode="tactic", verifier=verifier)
    observation, info = env.reset(seed=0)
    assert observation["goals"] == "" and "does not elaborate" in info["error"]
    _, reward, terminated, truncated, info = env.step("rfl")
    assert (reward, terminated, truncated, info["mask"]) == (0.0, False, True, True)
    assert info["verdict"].outcome is Outcome.INFRA


def test_no_axiom_gets_through(env: LeanProofEnv) -> None:
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step("exact h.2\naxiom cheat : q ∧ p")
    assert reward == 0.0 and not terminated and info["error"]
    assert env.step("skip")[0]["goals"] == GOAL


def test_reference_proofs_line_by_line_come_to_the_verdict_on_the_whole(verifier: Verifier) -> None:
    """A proof of plain lines is the same proof in steps."""
    theorems = [t for t in load_suite("core", "test", 60) if t.proof and not _nested(t.proof)][:25]
    envs = [LeanProofEnv([theorem], mode="tactic", verifier=verifier) for theorem in theorems]
    play_all(verifier, [env.begin() for env in envs])
    texts = [theorem.proof.strip("\n").split("\n") for theorem in theorems if theorem.proof]
    left = dict(enumerate(envs))
    turns, steps, started = {}, 0, time.monotonic()
    while left:
        now = list(left)
        for index, turn in zip(now, play_all(verifier, [left[index].play(texts[index].pop(0)) for index in now])):
            assert not turn.info["error"], (theorems[index].id, turn.info)
            turns[index] = turn
            steps += 1
            if turn.terminated or not texts[index]:
                del left[index]
    print(f"{steps / (time.monotonic() - started):.0f} steps a second")
    whole = verifier.verify([Submission(theorem, theorem.proof or "") for theorem in theorems])
    assert [turns[i].info["verdict"].proved for i in range(len(envs))] == [v.proved for v in whole]
    assert len(theorems) >= 10 and steps > len(theorems) and all(turn.terminated for turn in turns.values())


def _nested(proof: str) -> bool:
    lines = proof.strip("\n").split("\n")
    if len({len(line) - len(line.lstrip()) for line in lines}) > 1:
        return True
    return any(line.lstrip().startswith(("|", ":=", "by", "·", "_")) or line.endswith("with") for line in lines)
