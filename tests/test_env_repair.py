"""Mode "repair", the feedback it gives, and credit for the part of a proof that stands."""

from __future__ import annotations

import warnings

import pytest
from conftest import SWAP_PROOF
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from lean_gym.env import LeanProofEnv
from lean_gym.feedback import feedback
from lean_gym.process_reward import ProcessReward, process_credit, score
from lean_gym.reward import OutcomeReward, binary_reward
from lean_gym.submission import Submission
from lean_gym.theorem import Theorem
from lean_gym.verdict import Message, Outcome, Verdict
from lean_gym.verifier import Verifier


def told(verifier: Verifier, theorem: Theorem, text: str, limit: int = 2000) -> str:
    (verdict,) = verifier.verify([Submission(theorem, text)])
    return feedback(verdict, text, limit)


def test_check_env_has_nothing_to_say(verifier: Verifier, swap: Theorem) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(LeanProofEnv([swap], mode="repair", verifier=verifier), skip_render_check=True)


def test_an_episode(verifier: Verifier, swap: Theorem) -> None:
    env = LeanProofEnv([swap], mode="repair", verifier=verifier, render_mode="ansi")
    observation, _ = env.reset(seed=0)
    assert set(observation) == {"header", "statement", "prompt", "attempt", "feedback"}
    assert observation["attempt"] == observation["feedback"] == ""
    observation, reward, terminated, truncated, info = env.step("constructor\nexact h.2\nexact h.2")
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert (info["mask"], info["attempts"], info["outcome"]) == (False, 1, "REJECTED")
    assert observation["attempt"].startswith("constructor")
    assert observation["feedback"].startswith("line 3, column 0: Type mismatch\n  | exact h.2\n")
    assert "line 3" in env.render()
    observation, reward, terminated, truncated, info = env.step(SWAP_PROOF)
    assert (reward, terminated, truncated, info["attempts"], observation["feedback"]) == (1.0, True, False, 2, "")
    with pytest.raises(ResetNeeded):
        env.step(SWAP_PROOF)
    assert env.reset()[0]["attempt"] == ""


def test_truncated_after_the_last_attempt_with_the_last_or_best_reward(verifier: Verifier, swap: Theorem) -> None:
    reward = ProcessReward(OutcomeReward(rejected=-1.0), share=0.5)
    attempts = ["constructor\nexact h.2\nexact h.2", "exact h", "nonsense"]
    for by, expected in [("last", -1.0), ("best", -1.0 + 0.5 * 2 / 3 * 2)]:
        env = LeanProofEnv([swap], mode="repair", max_attempts=3, reward=reward, reward_by=by, verifier=verifier)
        env.reset(seed=0)
        steps = [env.step(text) for text in attempts]
        assert [step[1] for step in steps] == [0.0, 0.0, pytest.approx(expected)]
        assert [step[3] for step in steps] == [False, False, True] and not any(step[2] for step in steps)
        assert [step[4]["attempt_reward"] for step in steps] == [pytest.approx(-1.0 + 2 / 3), -1.0, -1.0]


def test_an_infrastructure_failure_ends_the_episode_without_a_score(verifier: Verifier) -> None:
    bad = Theorem("bad", "theorem bad : undefined = 1")
    env = LeanProofEnv([bad], mode="repair", reward=lambda verdict: float(verdict.proved), verifier=verifier)
    env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step("rfl")
    assert (reward, terminated, truncated, info["mask"]) == (0.0, False, True, True)
    assert info["verdict"].outcome is Outcome.INFRA and observation["feedback"] == ""


def test_settings_are_looked_at(verifier: Verifier, swap: Theorem) -> None:
    for arguments, what in [
        ({"mode": "x"}, "whole, repair, tactic"),
        ({"max_attempts": 0}, "max_attempts=0"),
        ({"reward_by": "mean"}, "reward_by"),
    ]:
        with pytest.raises(ValueError, match=what):
            LeanProofEnv([swap], verifier=verifier, **arguments)
    with pytest.raises(ValueError, match="prefix"):
        LeanProofEnv([swap], verifier=verifier, mode="repair").reset(options={"prefix": "skip"})


def test_feedback_speaks_of_the_models_own_text(verifier: Verifier, swap: Theorem) -> None:
    # Moved under the statement by two columns, but the columns told are the text's own.
    assert told(verifier, swap, "exact foo").startswith("line 1, column 6: Unknown identifier `foo`\n  | exact foo")
    assert told(verifier, swap, "constructor").startswith("at the end: unsolved goals\ncase left\np q : Prop")
    assert "`sorry`" in told(verifier, swap, "sorry")
    assert told(verifier, swap, SWAP_PROOF) == ""
    twice = "constructor\n· exact h.1\n· exact h.1\nexact h.1"
    assert told(verifier, swap, twice).count("line 2") == 1
    # What a text has Lean print is not handed on.
    text = "constructor\n#print And\n#check swap\ntheorem other : True := by exact foo"
    said = told(verifier, swap, text)
    assert "structure And" not in said and "Prop" in said


def test_feedback_within_its_budget() -> None:
    goals = "unsolved goals\nh1 : " + "x" * 300 + "\nh2 : y\n⊢ z\n\ncase b\n⊢ w"
    messages = (
        Message("error", 0, 0, goals),
        Message("warning", 1, 0, "unused variable"),
        Message("error", 3, 4, "third\n" + "t" * 200),
        Message("error", 1, 2, goals),
        Message("error", 3, 4, "third\n" + "t" * 200),
        *(Message("error", 10 + i, 0, f"later {i}") for i in range(50)),
    )
    verdict = Verdict(Outcome.REJECTED, "lean_error", "", messages)
    text = "\n".join(f"  tactic {i}" for i in range(70))
    full = feedback(verdict, text, 100_000)
    assert full.count("third") == 1 and "unused" not in full and full.count("⊢ z") == 1
    assert (
        full.index("line 1, column 2") < full.index("line 3, column 4") < full.index("later 0") < full.index("later 9")
    )
    for limit in range(1, 2200, 7):
        cut = feedback(verdict, text, limit)
        assert len(cut) <= limit
        if limit > 60:
            assert cut.startswith("line 1, column 2: unsolved goals\n") and "⊢ z" in cut
        if limit > 250:
            assert "line 3, column 4: third" in cut, cut
    assert feedback(Verdict(Outcome.TIMEOUT, "wall", "Stopped after 30 s."), "x") == "Stopped after 30 s."
    hidden = Verdict(Outcome.EXPLOIT_SUSPECTED, "axiom", "It rests on `cheat`.")
    assert "cheat" not in feedback(hidden, "x") != ""
    assert feedback(Verdict(Outcome.INFRA, "infrastructure", "no worker"), "x") == ""


def test_credit_up_to_the_first_failing_tactic(verifier: Verifier, swap: Theorem) -> None:
    cases = [
        ("exact foo", 0.0),
        ("constructor\nexact foo\nexact h.1", 1 / 4),
        ("constructor\nexact h.2\nexact foo", 2 / 4),
        ("constructor; exact h.2; exact foo", 2 / 4),
        ("constructor\n-- a comment\n\nexact h.2", 2 / 3),
        ("constructor\nskip\nskip\nskip", 1 / 2),
        ("constructor\nhave := h\nhave := h\nhave := h", 2 / 3),
        ("constructor\n· exact h.2\n· exact foo", 2 / 4),
        ("constructor\nexact h.2\nexact (h.1", 0.0),
        ("constructor\nsorry\nexact foo", 0.0),
        ("sorry", 0.0),
        ("", 0.0),
    ]
    verdicts = verifier.verify([Submission(swap, text) for text, _ in cases])
    for verdict, (text, credit) in zip(verdicts, cases):
        assert process_credit(verdict, text) == pytest.approx(credit), (text, verdict.messages)
    reward = ProcessReward(share=0.99)
    (proved,) = verifier.verify([Submission(swap, SWAP_PROOF)])
    assert reward(proved, SWAP_PROOF) == 1.0
    assert all(0.0 <= (reward(verdict, text) or 0.0) < 1.0 for verdict, (text, _) in zip(verdicts, cases))


def test_process_rewards_of_other_outcomes() -> None:
    reward = ProcessReward(OutcomeReward(proved=2.0, timeout=-1.0))
    assert reward(Verdict(Outcome.TIMEOUT), "simp") == -1.0
    assert reward(Verdict(Outcome.INFRA), "simp") is None
    assert (
        score(reward, Verdict(Outcome.PROVED), "x") == 2.0 and score(binary_reward, Verdict(Outcome.PROVED), "x") == 1.0
    )
    assert score(lambda verdict: 1.0, Verdict(Outcome.INFRA), "x") is None
    # Lean's word on the whole proof, and a message without a text, say nothing of tactics.
    for message in ("(kernel) deep recursion detected", "unexpected end of input"):
        verdict = Verdict(Outcome.REJECTED, "lean_error", "", (Message("error", 0, 0, message),))
        assert process_credit(verdict, "intro x\nsimp") == 0.0
    for share in (0.0, 1.0):
        with pytest.raises(ValueError, match="share"):
            ProcessReward(share=share)


@pytest.mark.parametrize("mode", ["whole", "repair", "tactic"])
def test_rendering_shows_theorem_text_and_what_lean_says(
    verifier: Verifier, swap: Theorem, capsys: pytest.CaptureFixture[str], mode: str
) -> None:
    env = LeanProofEnv([swap], mode=mode, verifier=verifier, render_mode="human")
    env.reset(seed=0)
    env.step("constructor")
    assert env.render() is None
    shown = capsys.readouterr().out
    assert swap.formal_statement in shown and "constructor" in shown
    assert "case left" in shown if mode != "whole" else "REJECTED" in shown
    again = LeanProofEnv([swap], mode=mode, verifier=verifier, render_mode="ansi")
    assert "no episode" in str(again.render())
    again.reset(seed=0)
    again.step("constructor")
    assert str(again.render()) + "\n" == shown
