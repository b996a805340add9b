"""Shaped rewards, on what the real Lean says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lean_gym.reward import OutcomeReward
from lean_gym.shaping import Shaping, length_factor, unlikeliness_factors
from lean_gym.submission import Submission
from lean_gym.theorem import Theorem
from lean_gym.verdict import Outcome, Verdict
from lean_gym.verifier import Verifier

THEOREM = Theorem("both", "theorem both (p q : Prop) (hp : p) (hq : q) : p ∧ q ∧ p")
PROOF = "  constructor\n  exact hp\n  constructor\n  exact hq\n  exact hp"
FAILURES = (
    "  constructor\n  exact hp\n  constructor\n  exact hq\n  exact hq",  # the last tactic fails
    "  constructor\n  exact hq\n  constructor\n  exact hq\n  exact hp",  # the second
    "  exact hp",
    "  sorry",
)


@pytest.fixture(scope="module")
def verdicts(verifier: Verifier) -> list[Verdict]:
    found = verifier.verify([Submission(THEOREM, text) for text in (PROOF, *FAILURES)])
    assert [v.outcome for v in found] == [Outcome.PROVED] + [Outcome.REJECTED] * 4
    return found


def test_off_is_the_outcome(verdicts: list[Verdict]) -> None:
    assert Shaping()(verdicts, [PROOF, *FAILURES], ["a"] * 5) == [1.0, 0.0, 0.0, 0.0, 0.0]


def test_farther_is_more_and_a_proof_is_most(verdicts: list[Verdict]) -> None:
    shaping = Shaping(process=0.3, unlikeliness=0.25, length_penalty=0.2)
    proof, late, early, first, sorry = shaping(
        verdicts, [PROOF, *FAILURES], ["a"] * 5, lengths=[48] * 5, limit=48, logprobs=[0.0, -1.0, -2.0, -3.0, -4.0]
    )
    assert proof == pytest.approx((1 - 0.25) * (1 - 0.2))  # the likeliest and the longest: the least a proof can get
    assert proof is not None and late is not None and early is not None
    assert proof > late > early > 0
    assert first == sorry == 0.0


def test_infra_has_no_reward(verdicts: list[Verdict]) -> None:
    lost = replace(verdicts[0], outcome=Outcome.INFRA)
    shaping = Shaping(process=0.2, unlikeliness=0.25)
    assert shaping([lost, verdicts[1]], [PROOF, FAILURES[0]], ["a", "a"], logprobs=[-1.0, -2.0])[0] is None


def test_the_unlikely_gets_more() -> None:
    # Two theorems, mixed; G = 4 and 1. By the paper: 1 - beta (G - rank) / G.
    factors = unlikeliness_factors([-1.0, -9.0, -5.0, -2.0, -3.0], ["a", "a", "b", "a", "a"], 0.25)
    assert factors == [0.75, 1 - 0.25 / 4, 0.75, 1 - 0.25 * 3 / 4, 1 - 0.25 * 2 / 4]
    same = unlikeliness_factors([-1.0, -1.0, -3.0], ["a"] * 3, 0.3)
    assert same[0] == same[1] < same[2]


def test_length() -> None:
    assert [length_factor(n, 40, 0.5) for n in (0, 20, 40, 80)] == [1.0, 0.75, 0.5, 0.5]


@pytest.mark.parametrize(
    "settings",
    [
        {"process": 0.8, "unlikeliness": 0.25},
        {"process": -0.1},
        {"unlikeliness": 1.0},
        {"outcome": OutcomeReward(proved=0.0, rejected=-1.0, timeout=-1, out_of_memory=-1, crashed=-1, exploit=-1)},
    ],
)
def test_a_failure_can_never_pay_like_a_proof(settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"proof|give a number"):
        Shaping(**settings)  # type: ignore[arg-type]


def test_what_is_missing_is_named(verdicts: list[Verdict]) -> None:
    with pytest.raises(ValueError, match="log-probability"):
        Shaping(unlikeliness=0.2)(verdicts[:1], [PROOF], ["a"])
    with pytest.raises(ValueError, match="length"):
        Shaping(length_penalty=0.2)(verdicts[:1], [PROOF], ["a"])
