"""Attempts to fool the verifier, and honest controls, through `Verifier` as a trainer calls it.

Our own are those of `audit_cases.txt`. Where a folder `shared/cases` lies beside the repository, its files run too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from audit_cases import CASES, Case

from lean_gym.submission import Submission
from lean_gym.theorem import Theorem
from lean_gym.verdict import Outcome, Verdict
from lean_gym.verifier import Verifier

# Cases of other imports are not a text that a trainer sends (test_audit.py compiles them).
OWN = [case for case in CASES if not case.text.startswith("IMPORT")]
HEADER = "prelude\nimport Core\n"
REFUSED = {Outcome.REJECTED, Outcome.EXPLOIT_SUSPECTED}


@pytest.fixture(scope="module")
def own() -> Iterator[dict[str, Verdict]]:
    """Verdicts on our own cases, by name."""
    submissions = []
    for case in OWN:
        text = HEADER + case.text if case.form == "file" else case.text
        submissions.append(Submission(Theorem(case.name, case.statement), text, case.form))  # type: ignore[arg-type]
    with Verifier(cache=False, timeout=20) as verifier:
        yield dict(zip((case.name for case in OWN), verifier.verify(submissions)))


@pytest.mark.parametrize("case", OWN, ids=lambda case: case.name)
def test_own(own: dict[str, Verdict], case: Case) -> None:
    verdict = own[case.name]
    # What Lean itself says comes first: a file with an open proof anywhere is not complete.
    reason = "sorry" if case.name == "ok_unused_sorry_file" else case.reason
    if reason:
        assert verdict.outcome in REFUSED and verdict.detail, verdict
        assert reason == "lean" or verdict.reason in {reason, "sorry"}, verdict
    else:
        assert verdict.proved, verdict


@dataclass(frozen=True)
class Shared:
    """A file of `shared/cases`. `unfit`: why the embedded Lean can't express it, or ""."""

    name: str
    expected: str
    statement: str
    text: str
    unfit: str


# What a file needs and `Core` has not: a file that uses one of these is not run. (The same deeds through
# `@[extern]` are in test_hostile.py and test_verifier.py.)
_LACKING = {
    r"\bIO\b": "Core has no IO",
    r"#eval": "Core has no #eval",
    r"\bnative_decide\b(?!\")": "Core has no native_decide",
    r"\bBitVec\b": "Core has no BitVec",
    r"\bdecreasing_by\b": "Core has no well-founded recursion",
    r"\belab\b|\brun_cmd\b": "Core has no metaprograms of type Elab",
}


def _shared() -> list[Shared]:
    cases = []
    folder = Path(__file__).resolve().parents[2] / "shared" / "cases"
    for file in sorted(folder.glob("*.lean")):
        text = file.read_bytes().decode()
        expected, needs, _ = re.findall(r"[A-Z]+: ([^|\r\n]*[^|\s])", text.split("\n")[0])
        statement = re.search(r"task\): (.*\S)", text)
        assert statement, file
        code = re.sub(r"/-.*?-/|--[^\n]*|\"[^\"]*\"", "", text, flags=re.DOTALL)
        unfit = "needs Mathlib" if needs == "Mathlib" else ""
        unfit = unfit or next((why for pattern, why in _LACKING.items() if re.search(pattern, code)), "")
        cases.append(Shared(file.stem, expected, statement.group(1), text, unfit))
    return cases


SHARED = _shared()


@pytest.fixture(scope="module")
def shared() -> Iterator[dict[str, Verdict]]:
    """Verdicts on the files that can be expressed: each after `Core`'s header, and as it stands."""
    fit = [case for case in SHARED if not case.unfit]
    with Verifier(cache=False, timeout=20) as verifier:
        submissions = [Submission(Theorem(c.name, c.statement), HEADER + _no_imports(c.text), "file") for c in fit]
        submissions += [Submission(Theorem(c.name, c.statement), c.text, "file") for c in fit]
        names = [f"{c.name} {how}" for how in ("core", "plain") for c in fit]
        yield dict(zip(names, verifier.verify(submissions)))


def _no_imports(text: str) -> str:
    return re.sub(r"^import [^\n]*\n", "", text, flags=re.MULTILINE)


@pytest.mark.skipif(not SHARED, reason="no folder shared/cases beside the repository")
@pytest.mark.parametrize("how", ["core", "plain"])
@pytest.mark.parametrize("case", SHARED, ids=lambda case: case.name)
def test_shared(shared: dict[str, Verdict], case: Shared, how: str) -> None:
    if case.unfit:
        pytest.skip(f"not run: {case.unfit}")
    verdict = shared[f"{case.name} {how}"]
    if case.expected == "PROVED":
        assert verdict.proved, verdict
    else:
        # Any reason will do, but not our own fault, nor a limit.
        assert case.expected.startswith("REJECTED") and verdict.outcome in REFUSED, verdict
