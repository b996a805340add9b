"""`LeanProofVectorEnv`: many episodes over one verifier."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import psutil
import pytest
from conftest import SWAP_PROOF
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import lean_gym
from lean_gym.env import LeanProofEnv
from lean_gym.submission import Submission
from lean_gym.suites import load_suite
from lean_gym.theorem import Theorem
from lean_gym.vector_env import LeanProofVectorEnv
from lean_gym.verifier import Verifier

THEOREMS = [Theorem(f"t{i}", f"theorem t{i} : {i} = {i}") for i in range(10)]


@pytest.fixture(params=list(AutoresetMode))
def envs(request: pytest.FixtureRequest, verifier: Verifier) -> Iterator[LeanProofVectorEnv]:
    made = LeanProofVectorEnv(3, THEOREMS, autoreset_mode=request.param, verifier=verifier)
    yield made
    made.close()


def test_made_by_gymnasium() -> None:
    lean_gym.register_envs()
    envs = gymnasium.make_vec("lean_gym:LeanGym/LeanProof-v0", num_envs=3, suite="core-200", split="test", cache=False)
    assert isinstance(envs.unwrapped, LeanProofVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    _, infos = envs.reset(seed=1)
    proofs = {theorem.id: theorem.proof or "" for theorem in envs.unwrapped.envs[0].theorems}
    _, rewards, terminations, truncations, infos = envs.step([proofs[id] for id in infos["theorem"]])
    assert rewards.tolist() == [1.0, 1.0, 1.0] and terminations.all() and not truncations.any(), infos
    envs.close()


def test_spaces_and_types(envs: LeanProofVectorEnv) -> None:
    envs.action_space.seed(0)
    observations, infos = envs.reset(seed=5)
    assert envs.observation_space.contains(observations)
    actions = envs.action_space.sample()
    assert len(actions) == 3 and envs.action_space.contains(actions)
    observations, rewards, terminations, truncations, infos = envs.step(actions)
    assert envs.observation_space.contains(observations)
    assert rewards.dtype == np.float64 and terminations.dtype == truncations.dtype == np.bool_
    assert rewards.shape == terminations.shape == truncations.shape == (3,)
    assert envs.render() is None
    assert "final_info" in infos if envs.autoreset_mode is AutoresetMode.SAME_STEP else infos["outcome"].shape == (3,)


def test_seeds_reproduce_and_are_those_of_single_environments(verifier: Verifier) -> None:
    envs = LeanProofVectorEnv(4, THEOREMS, verifier=verifier, autoreset_mode="SameStep")
    singles = [LeanProofEnv(THEOREMS, verifier=verifier) for _ in range(4)]

    def episodes() -> list[list[str]]:
        seen = [list(envs.reset(seed=11)[1]["theorem"])]
        for _ in range(5):
            seen.append(list(envs.step(["rfl"] * 4)[4]["theorem"]))
        return seen

    first = episodes()
    assert first == episodes()
    alone = [[single.reset(seed=11 + i)[1]["theorem"] for i, single in enumerate(singles)]]
    alone += [[single.reset()[1]["theorem"] for single in singles] for _ in range(5)]
    assert first == alone
    assert list(envs.reset(seed=[3, 3, None, 4])[1]["theorem"][:2]) == [singles[0].reset(seed=3)[1]["theorem"]] * 2


def test_reset_in_the_next_step(verifier: Verifier) -> None:
    envs = LeanProofVectorEnv(2, THEOREMS, mode="repair", max_attempts=3, verifier=verifier)
    envs.reset(seed=0)
    _, rewards, terminations, _, infos = envs.step(["rfl", "nonsense"])
    assert rewards.tolist() == [1.0, 0.0] and terminations.tolist() == [True, False]
    # The slot that ended ignores its action and starts again; the other goes on.
    observations, rewards, terminations, truncations, infos = envs.step(["rfl", "rfl"])
    assert rewards.tolist() == [0.0, 1.0] and terminations.tolist() == [False, True] and not truncations.any()
    assert observations["attempt"] == ("", "rfl")
    assert infos["_outcome"].tolist() == [False, True] and infos["_theorem"].all()


def test_reset_in_the_same_step(verifier: Verifier) -> None:
    envs = LeanProofVectorEnv(2, THEOREMS, mode="repair", verifier=verifier, autoreset_mode=AutoresetMode.SAME_STEP)
    envs.reset(seed=0)
    observations, rewards, terminations, _, infos = envs.step(["rfl", "nonsense"])
    assert terminations.tolist() == [True, False] and rewards.tolist() == [1.0, 0.0]
    assert observations["attempt"] == ("", "nonsense")
    assert infos["final_obs"][0]["attempt"] == "rfl" and infos["_final_obs"].tolist() == [True, False]
    assert infos["final_info"]["outcome"][0] == "PROVED" and infos["_outcome"].tolist() == [False, True]


def test_reset_by_the_user_only(verifier: Verifier) -> None:
    envs = LeanProofVectorEnv(3, THEOREMS, verifier=verifier, autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(ResetNeeded):
        envs.step(["rfl"] * 3)
    with pytest.raises(ValueError, match="no episode yet"):
        envs.reset(options={"reset_mask": np.array([True, False, False])})
    before, _ = envs.reset(seed=0)
    envs.step(["rfl"] * 3)
    with pytest.raises(ResetNeeded, match="0, 1, 2"):
        envs.step(["rfl"] * 3)
    after, infos = envs.reset(options={"reset_mask": np.array([True, False, True]), "id": "t7"})
    assert "t7" in after["statement"][0] and after["statement"][1] == before["statement"][1]
    assert infos["_theorem"].tolist() == [True, False, True]
    with pytest.raises(ResetNeeded, match="slots 1 "):
        envs.step(["rfl"] * 3)
    each = [{"id": f"t{i}"} for i in range(3)]
    assert list(envs.reset(options={"each": each})[1]["theorem"]) == ["t0", "t1", "t2"]
    for call, what in [
        (lambda: envs.reset(seed=[1]), "seed has 1"),
        (lambda: envs.reset(options={"each": each[:1]}), "each"),
        (lambda: envs.reset(options={"reset_mask": [True]}), "reset_mask"),
        (lambda: envs.step(["rfl"]), "1 actions"),
        (lambda: LeanProofVectorEnv(0), "num_envs"),
    ]:
        with pytest.raises(ValueError, match=what):
            call()


def test_all_of_a_step_is_in_flight_together(verifier: Verifier, swap: Theorem) -> None:
    """Slots of one theorem and text share one check; infrastructure failures stay with their slot."""
    bad = Theorem("bad", "theorem bad : undefined = 1")
    envs = LeanProofVectorEnv(32, [swap], verifier=verifier, autoreset_mode="Disabled")
    envs.reset(options={"each": [{"theorem": bad if i == 7 else swap} for i in range(32)]})
    shared = verifier.stats().get("shared", 0)
    _, rewards, terminations, truncations, infos = envs.step([SWAP_PROOF] * 32)
    assert verifier.stats()["shared"] - shared == 30
    assert infos["mask"].tolist() == truncations.tolist() == [i == 7 for i in range(32)]
    assert rewards.tolist() == [float(i != 7) for i in range(32)] and terminations.sum() == 31


def test_256_slots_on_two_workers() -> None:
    theorems = [t for t in load_suite("core", "train", 400) if t.proof]
    with Verifier(cache=False, workers=2, concurrency=1) as two:
        envs = RecordEpisodeStatistics(LeanProofVectorEnv(256, theorems, verifier=two, mode="repair", max_attempts=2))
        _, infos = envs.reset(seed=0)
        proofs = {theorem.id: theorem.proof or "" for theorem in theorems}
        wanted = [i % 2 == 0 for i in range(256)]
        names = list(infos["theorem"])
        _, rewards, *_ = envs.step([proofs[name] if good else "exact foo" for name, good in zip(names, wanted)])
        assert rewards.tolist() == [float(good) for good in wanted]
        _, rewards, terminations, _, infos = envs.step([proofs[name] for name in names])
        assert rewards.tolist() == [float(not good) for good in wanted]
        assert infos["episode"]["l"][terminations].tolist() == [2] * 128
        assert sum(pool["retries"] for pool in _pools(two)) == 0


def _pools(verifier: Verifier) -> list[dict[str, Any]]:
    return [pool for station in verifier.stats()["stations"] for pool in station.values() if isinstance(pool, dict)]


def test_a_slow_proof_holds_its_step_up_to_the_deadline_only(swap: Theorem) -> None:
    hard = "theorem hard (f : Nat → Nat) (h : ∀ n, f n = f (n + 1)) : f 0 = 1"
    with Verifier(cache=False, timeout=1.0, heartbeats=10**9) as quick:
        envs = LeanProofVectorEnv(4, [swap], verifier=quick, autoreset_mode="Disabled")
        slow = Theorem("hard", hard)
        envs.reset(options={"each": [{"theorem": slow if i == 1 else swap} for i in range(4)]})
        started = time.monotonic()
        _, rewards, _, _, infos = envs.step([SWAP_PROOF, "repeat rw [h]", SWAP_PROOF, SWAP_PROOF])
        assert rewards.tolist() == [1.0, 0.0, 1.0, 1.0], infos["verdict"][1]
        assert infos["outcome"][1] == "TIMEOUT" and time.monotonic() - started < 20.0


def test_tactic_mode_side_by_side(verifier: Verifier, swap: Theorem) -> None:
    envs = LeanProofVectorEnv(3, [swap], mode="tactic", verifier=verifier, render_mode="ansi")
    observations, _ = envs.reset(seed=0)
    assert all(goals.endswith("⊢ q ∧ p") for goals in observations["goals"])
    observations, rewards, terminations, _, infos = envs.step(["constructor", "exact foo", SWAP_PROOF])
    assert rewards.tolist() == [0.0, 0.0, 1.0] and terminations.tolist() == [False, False, True]
    assert [goals.count("⊢") for goals in observations["goals"]] == [2, 1, 0]
    assert list(map(bool, infos["error"])) == [False, True, False]
    rendered = envs.render()
    assert rendered is not None and "constructor" in str(rendered[0])


def test_killed_workers_make_no_scores() -> None:
    theorems = [t for t in load_suite("core", "train", 200) if t.proof][:48]
    others = {child.pid for child in psutil.Process().children()}  # e.g. those of the verifier that tests share
    with Verifier(cache=False, workers=2, concurrency=1) as two:
        envs = LeanProofVectorEnv(48, theorems, verifier=two, autoreset_mode="Disabled")
        envs.reset(options={"each": [{"theorem": theorem} for theorem in theorems]})
        two.verify([Submission(theorems[0], f"exact foo{i}") for i in range(4)])  # workers stand
        stop = threading.Event()
        killed = threading.Thread(target=_kill_children, args=(stop, others))
        killed.start()
        _, rewards, terminations, truncations, infos = envs.step(
            [theorem.proof or "" if i % 2 else "exact foo" for i, theorem in enumerate(theorems)]
        )
        stop.set()
        killed.join()
        for i in range(48):
            judged = (rewards[i], terminations[i], truncations[i]) == (float(i % 2), True, False)
            masked = (rewards[i], terminations[i], truncations[i]) == (0.0, False, True)
            assert masked if infos["mask"][i] else judged, infos["verdict"][i]
        # A loss is retried: nearly all was judged all the same.
        assert infos["mask"].sum() <= 8 and sum(pool["lost"] for pool in _pools(two)) >= 1


def _kill_children(stop: threading.Event, spared: set[int]) -> None:
    """Kill one of this test's Lean processes now and then, three in all."""
    for _ in range(3):
        if stop.wait(0.15):
            return
        for child in reversed(psutil.Process().children()):
            # One that has ended meanwhile, or that another test killed, has no command line.
            with contextlib.suppress(psutil.NoSuchProcess):
                if child.pid not in spared and "lean_gym.core.server" in " ".join(child.cmdline()):
                    child.kill()
                    break
