"""The same submissions through every kind of worker: the same outcomes, by the same verifier and the same audit."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from conftest import SWAP_PROOF
from docker_engine import CORE_IMAGE, HOST, KIMINA_IMAGE
from docker_engine import engine as engine
from test_local_worker import lay_out

import lean_gym
from lean_gym.core.build import core_library
from lean_gym.submission import Submission
from lean_gym.suites import load_suite
from lean_gym.theorem import Theorem
from lean_gym.verdict import Outcome, Verdict
from lean_gym.verifier import Verifier

SWAP = "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p"


def attempts(theorems: int) -> tuple[list[Submission], list[tuple[Outcome, str]]]:
    """Good, wrong and open proofs of suite theorems, and some that only the audit or our rules refuse."""
    submissions, expected = [], []
    for theorem in load_suite("core", split="test", limit=theorems, seed=5):
        for text, end in (
            (theorem.proof or "", (Outcome.PROVED, "")),
            (f"{theorem.proof}\n  exact False.elim", (Outcome.REJECTED, "lean_error")),
            ("  sorry", (Outcome.REJECTED, "sorry")),
        ):
            submissions.append(Submission(theorem, text))
            expected.append(end)
    swap = Theorem("swap", SWAP)
    hidden = "theorem lie : False := by\n  sorry\n" + SWAP + " := lie.elim\n"
    for form, text, end in (
        ("file", f"{SWAP} := ⟨h.2, h.1⟩\n", (Outcome.PROVED, "")),
        ("file", "axiom cheat : False\n" + SWAP + " := cheat.elim\n", (Outcome.EXPLOIT_SUSPECTED, "axiom")),
        ("file", hidden, (Outcome.REJECTED, "sorry")),
        ("file", "set_option warn.sorry false\n" + hidden, (Outcome.EXPLOIT_SUSPECTED, "sorry")),
        ("file", "theorem swap : True := trivial\n", (Outcome.EXPLOIT_SUSPECTED, "statement")),
        ("file", "theorem other : True := trivial\n", (Outcome.EXPLOIT_SUSPECTED, "missing")),
        ("body", f"{SWAP_PROOF}\x00", (Outcome.REJECTED, "policy")),
    ):
        submissions.append(Submission(swap, text, form))  # type: ignore[arg-type]
        expected.append(end)
    return submissions, expected


def ends(verdicts: list[Verdict]) -> list[tuple[Outcome, str]]:
    return [(verdict.outcome, verdict.reason) for verdict in verdicts]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """A running server with kimina's contract, on a Unix socket, behind a key."""
    path = tmp_path / "lean.sock"
    environment = {**os.environ, "LEAN_SERVER_API_KEY": "secret", "LEAN_SERVER_MAX_REPLS": "2"}
    server = subprocess.Popen([sys.executable, "-m", "lean_gym.serve", "--uds", str(path)], env=environment)
    try:
        yield f"unix://{path}"
    finally:
        server.terminate()
        server.wait(20)


def local(monkeypatch: pytest.MonkeyPatch, root: Path, version: str = "") -> dict[str, Any]:
    """Settings for the embedded library laid out as a toolchain on PATH."""
    toolchain = lay_out(root, version)
    monkeypatch.setenv("PATH", f"{toolchain / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return {"worker": "local", "search_path": os.pathsep.join(str(path) for path in core_library().search_path)}


@pytest.mark.parametrize("kind", ["core", "local", "kimina"])
def test_all_kinds_give_the_same_outcomes(
    kind: str, served: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings: dict[str, Any] = {}
    if kind == "local":
        settings = local(monkeypatch, tmp_path / "toolchain")
    elif kind == "kimina":
        monkeypatch.setenv("LEAN_GYM_API_KEY", "secret")
        settings = {"worker": "kimina", "servers": [served, served], "concurrency": 1}
    submissions, expected = attempts(12)
    with Verifier(cache=False, **settings) as verifier:
        verdicts = verifier.verify(submissions)
    assert ends(verdicts) == expected
    assert {verdict.lean for verdict in verdicts if verdict.worker} == {"4.35.0"}
    if kind == "local":
        assert verdicts[0].way.startswith("fork: ")


def test_a_server_that_wants_another_key_is_our_fault(served: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAN_GYM_API_KEY", "wrong")
    with Verifier(cache=False, worker="kimina", servers=[served], start_timeout=3.0) as verifier:
        (verdict,) = verifier.verify([Submission(Theorem("swap", SWAP), SWAP_PROOF)])
    assert verdict.outcome is Outcome.INFRA and "key" in verdict.detail


def test_another_lean_is_refused_unless_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = local(monkeypatch, tmp_path / "toolchain", version="4.26.0")
    theorem = Theorem("swap", SWAP)
    with Verifier(cache=False, **settings) as verifier:
        (verdict,) = verifier.verify([Submission(theorem, SWAP_PROOF)])
        assert verdict.outcome is Outcome.INFRA
        assert "Lean 4.26.0" in verdict.detail and 'audit="none"' in verdict.detail
    with Verifier(cache=False, audit="none", **settings) as unaudited:
        good, wrong = unaudited.verify([Submission(theorem, text) for text in (SWAP_PROOF, "exact h")])
    assert good.proved and good.audit == "none" and good.to_json()["audit"] == "none"
    assert good.way.startswith("process: ") and "4.26.0" in good.way
    assert (wrong.outcome, wrong.reason) == (Outcome.REJECTED, "lean_error")


@pytest.mark.docker
@pytest.mark.timeout(600)
@pytest.mark.parametrize("image", [KIMINA_IMAGE, CORE_IMAGE])
def test_containers_give_the_outcomes_of_the_embedded_lean(engine: Any, image: str) -> None:
    """200 theorems through the published kimina server, and some through our small image."""
    submissions, expected = attempts(200 if image == KIMINA_IMAGE else 20)
    settings: dict[str, Any] = {"image": image, "docker_hosts": [HOST], "cpus": 2, "container_memory_mb": 4096}
    with Verifier(cache=False, worker="docker", **settings) as verifier:
        verdicts = verifier.verify(submissions)
        stats = verifier.stats()["stations"][0]
    assert ends(verdicts) == expected
    assert all(verdict.image.startswith("sha256:") for verdict in verdicts if verdict.worker)
    assert stats["workers"]["retired"] >= len(expected) // 64 - 1, "containers are gone after their batch"


@pytest.mark.docker
@pytest.mark.timeout(300)
def test_the_environment_over_containers(engine: Any) -> None:
    lean_gym.register_envs()  # lean_gym was imported before gymnasium
    settings: dict[str, Any] = {"worker": "docker", "image": CORE_IMAGE, "docker_hosts": [HOST], "cpus": 2}
    env = gymnasium.make(
        "lean_gym:LeanGym/LeanProof-v0", limit=3, cache=False, container_memory_mb=2048, spares=0, **settings
    )
    try:
        (theorem,) = load_suite("core", split="test", limit=1)
        env.reset(options={"theorem": theorem})
        _, reward, terminated, truncated, info = env.step(theorem.proof)
        assert (reward, terminated, truncated) == (1.0, True, False) and info["verdict"].proved
        assert info["verdict"].image.startswith("sha256:")
    finally:
        env.close()
