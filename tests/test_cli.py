"""The `lean-gym` command, as a script meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SWAP = "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p"
PROOF = "exact ⟨h.2, h.1⟩"


def lean_gym(*arguments: str, given: str | bytes = "", **environment: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "lean_gym", *arguments],
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        timeout=120,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_check_a_jsonl_file(tmp_path: Path) -> None:
    rows = [
        {"id": "good", "formal_statement": SWAP, "proof": PROOF},
        {
            "id": 7,
            "formal_statement": SWAP + " := by sorry",
            "source": f"prelude\nimport Core\n{SWAP} := by\n  {PROOF}\n",
        },
        {"id": "wrong", "formal_statement": SWAP, "proof": "skip\nexact h"},
        {"formal_statement": SWAP, "proof": "sorry"},
        {
            "id": "cheat",
            "formal_statement": SWAP,
            "source": f"axiom cheat : {SWAP[13:]}\ntheorem swap : True := trivial",
        },
        {"id": "surrogate", "formal_statement": SWAP, "proof": "\ud800"},
        {"id": "own header", "formal_statement": SWAP, "header": "prelude\nimport Core\nopen Nat\n", "proof": PROOF},
    ]
    file = tmp_path / "proofs.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n")
    done = lean_gym("check", "--jsonl", str(file), "--no-cache")
    assert done.returncode == 1, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [a["id"] for a in answers] == ["good", 7, "wrong", "4", "cheat", "surrogate", "own header"]
    assert [(a["outcome"], a["reason"], a["reward"]) for a in answers] == [
        ("PROVED", "", 1.0),
        ("PROVED", "", 1.0),
        ("REJECTED", "lean_error", 0.0),
        ("REJECTED", "sorry", 0.0),
        ("REJECTED", "lean_error", 0.0),
        ("REJECTED", "policy", 0.0),
        ("PROVED", "", 1.0),
    ]
    assert [(m["severity"], m["line"], m["column"]) for m in answers[2]["messages"]] == [("error", 2, 0)]
    for answer in answers:
        assert {"axioms", "messages", "lean", "seconds", "cached"} <= set(answer)
        assert {"queued", "elaborate", "audit", "total"} <= set(answer["seconds"])
        assert answer["cached"] is False


def test_layouts_of_jsonl() -> None:
    rows = [
        {"id": None, "formal_statement": f"def D := 1; {SWAP}", "proof": PROOF, "source": None, "header": None, "x": 1},
        {"id": [1], "formal_statement": SWAP, "proof": None, "source": f"\ufeff{SWAP} := by\r\n  {PROOF}"},
        {"id": "\ud800", "formal_statement": SWAP, "proof": PROOF, "header": "prelude\nimport Core\nopen Nat"},
        {"id": "same", "formal_statement": SWAP, "proof": PROOF},
        {"id": "same", "formal_statement": SWAP, "proof": "exact h"},
    ]
    given = "\ufeff" + "\r\n\r\n".join(json.dumps(row) for row in rows)
    done = lean_gym("check", "--jsonl", "-", "--no-cache", given=given, PYTHONIOENCODING="ascii")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [a["id"] for a in answers] == [row["id"] for row in rows], done.stderr
    assert [a["outcome"] for a in answers] == ["PROVED"] * 4 + ["REJECTED"]
    assert list(answers[0])[:4] == ["id", "outcome", "reason", "reward"] and done.returncode == 1


def test_check_from_standard_input_all_proved() -> None:
    row = json.dumps({"id": "x", "formal_statement": SWAP, "proof": PROOF})
    done = lean_gym("check", "--jsonl", "-", given=f"{row}\n{row}")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 2, done.stderr


def test_check_one_file_and_one_body(tmp_path: Path) -> None:
    file = tmp_path / "a.lean"
    file.write_text(f"{SWAP} := by\n  {PROOF}\n", encoding="utf-8")
    done = lean_gym("check", str(file), "--statement", SWAP)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "PROVED"), done.stderr
    body = tmp_path / "body"
    body.write_text("  exact h\n")
    done = lean_gym("check", "--proof", str(body), "--statement", SWAP, "--json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["outcome"], answer["messages"][0]["line"]) == (1, "REJECTED", 1)
    body.write_bytes(b"exact \xff\xfe")
    done = lean_gym("check", "--proof", str(body), "--statement", SWAP)
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "REJECTED (policy)")


def test_an_infrastructure_failure_has_its_own_status() -> None:
    row = {"id": "x", "formal_statement": "theorem x : nothing_here", "proof": "trivial"}
    done = lean_gym("check", "--jsonl", "-", given=json.dumps(row))
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["outcome"], answer["reward"]) == (3, "INFRA", None)


@pytest.mark.parametrize(
    ("arguments", "given", "what"),
    [
        (["check"], "", "exactly one of"),
        (["check", "missing.lean", "--statement", SWAP], "", "missing.lean can't be read"),
        (["check", "-"], "", "--statement is missing"),
        (["check", "-", "--statement", "def x := 1"], "", "holds no `theorem NAME`"),
        (["check", "--jsonl", "-"], "", "no line to check"),
        (["check", "--jsonl", "-"], "{", "-, line 1: no JSON object"),
        (["check", "--jsonl", "-"], "\n[1]", "-, line 2: no JSON object"),
        (["check", "--jsonl", "-"], '{"formal_statement": "theorem x : True"}', "exactly one of"),
        (["check", "--jsonl", "-"], '{"proof": "trivial"}', '"formal_statement" is missing'),
        (["check", "-", "--statement", SWAP, "--timeout", "0"], "", "timeout=0"),
        (["check", "-", "--statement", SWAP, "--timeout", "nan"], "", "timeout=nan"),
        (["check", "--jsonl", "-"], '{"id": ' + "[" * 100_000, "-, line 1: no JSON object"),
        (["check", "--jsonl", "-"], '{"formal_statement": "theorem x : True", "proof": null}', "exactly one of"),
        (["suite", "nothing"], "", "nothing"),
        (["suite", "core", "--limit", "-1"], "", "--limit -1"),
        (["check", "--worker"], "", "expected one argument"),
    ],
)
def test_bad_usage_is_told_in_one_sentence(arguments: list[str], given: str, what: str) -> None:
    done = lean_gym(*arguments, given=given)
    assert done.returncode == 2
    assert what in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_doctor(tmp_path: Path) -> None:
    away = {"DOCKER_HOST": f"unix://{tmp_path}/none"}
    done = lean_gym("doctor", "--json", "--servers", f"unix://{tmp_path}/nobody", "--start-timeout", "1", **away)
    report = json.loads(done.stdout)
    assert (done.returncode, report["ok"], report["workers"]["core"]) == (0, True, True)
    details = {check["name"]: check["detail"] for check in report["checks"]}
    assert not report["workers"]["docker"] and "no Docker engine" in details["worker: docker"]
    assert not report["workers"]["kimina"] and "nobody" in details["worker: kimina"]
    assert {check["name"]: check["ok"] for check in report["checks"]}["Lean library"]
    assert "PROVED" in lean_gym("doctor", **away).stdout


def test_doctor_without_lean(tmp_path: Path) -> None:
    done = lean_gym("doctor", "--json", LEAN_GYM_LIBLEAN=str(tmp_path), LEAN_GYM_CACHE=str(tmp_path / "cache"))
    report = json.loads(done.stdout)
    assert (done.returncode, report["ok"]) == (1, False)
    checks = {check["name"]: check for check in report["checks"]}
    assert not checks["Lean library"]["ok"] and "lean-gym[lean]" in checks["Lean library"]["fix"]
    done = lean_gym("check", "-", "--statement", SWAP, LEAN_GYM_LIBLEAN=str(tmp_path))
    assert done.returncode == 2 and "libleanshared" in done.stderr and "Traceback" not in done.stderr


def test_suite() -> None:
    assert "core-200" in lean_gym("suite", "--json").stdout
    done = lean_gym("suite", "core", "--limit", "5", "--verify", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and [row["outcome"] for row in rows] == ["PROVED"] * 5
