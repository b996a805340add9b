"""The REPL's protocol and the compiler's program, on the real embedded Lean."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lean_gym.core.kernel import KernelAuditor
from lean_gym.theorem import CORE_HEADER

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the embedded Lean's programs run on Linux")

GOOD = "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n"
BAD = "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.1, h.2⟩\n"
OPEN = "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  sorry\n"


class Repl:
    """One REPL process."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "lean_gym.core.repl"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)

    def lines(self, text: str) -> list[bytes]:
        """The lines of the answer to a text that is sent as it is, the blank one left out."""
        process = self.process
        assert process.stdin and process.stdout
        process.stdin.write(text.encode())
        process.stdin.flush()
        lines = []
        while (line := process.stdout.readline()).strip():
            lines.append(line)
        assert line == b"\n", "the REPL ended"
        return lines

    def ask(self, cmd: str, **more: Any) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(b"".join(self.lines(json.dumps({"cmd": cmd, **more}) + "\n\n")))
        return answer

    def end(self) -> bytes:
        """What it wrote to its standard error, once its input has ended."""
        _, errors = self.process.communicate(timeout=20)
        assert self.process.returncode == 0
        return errors


@pytest.fixture(scope="module")
def repl() -> Iterator[Repl]:
    repl = Repl()
    try:
        yield repl
        assert repl.end() == b""
    finally:
        repl.process.kill()


def test_a_whole_file_keeps_its_positions(repl: Repl) -> None:
    assert set(repl.ask(CORE_HEADER + GOOD)) == {"env"}
    answer = repl.ask("/- é -/ prelude\n\nimport Core -- here\n#check True\n" + BAD)
    info, error = answer["messages"]
    assert info == {
        "severity": "info",
        "pos": {"line": 4, "column": 0},
        "endPos": {"line": 4, "column": 6},
        "data": "True : Prop",
    }
    assert error["severity"] == "error" and error["pos"] == {"line": 5, "column": 50}
    assert error["data"].startswith("Application type mismatch") and not error["data"].endswith("\n")


def test_commands_go_on_in_an_environment(repl: Repl) -> None:
    header = repl.ask("import Core")
    assert set(header) == {"env"}
    first = repl.ask("theorem one : 1 = 1 := rfl", env=header["env"])
    assert first["env"] > header["env"] and "messages" not in first
    assert repl.ask("#check one", env=first["env"])["messages"][0]["data"] == "one : 1 = 1"
    assert repl.ask("#check one", env=header["env"])["messages"][0]["severity"] == "error"
    assert set(repl.ask("-- nothing\n", env=first["env"])) == {"env"}


def test_a_dropped_environment_has_no_number(repl: Repl) -> None:
    header = repl.ask("import Core")["env"]
    assert repl.ask(GOOD, env=header, gc=True) == {}
    assert set(repl.ask(BAD, env=header, gc=True)) == {"messages"}
    assert repl.ask(GOOD, env=header)["env"] == header + 1


def test_an_open_proof_shows(repl: Repl) -> None:
    answer = repl.ask(CORE_HEADER + OPEN, infotree="original")
    assert [message["severity"] for message in answer["messages"]] == ["warning"]
    assert answer["sorries"] == [
        {"pos": {"line": 4, "column": 8}, "endPos": {"line": 4, "column": 12}, "goal": ""},
    ]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('{"cmd": "#check True", "env": 99}', "Unknown environment."),
        ('{"cmd": "#check True", "env": -1}', "Unknown environment."),
        ('{"cmd": "import Mathlib"}', "unknown module prefix 'Mathlib'"),
        ('{"tactic": "simp", "proofState": 0}', "Could not parse as a valid JSON command"),
        ('["cmd"]', "Could not parse as a valid JSON command"),
        ('{"cmd": ', "Could not parse JSON"),
        ("[" * 100_000, "Could not parse JSON"),
    ],
)
def test_what_is_wrong_with_a_command_is_its_answer(repl: Repl, text: str, word: str) -> None:
    answer = json.loads(b"".join(repl.lines(text + "\n\n")))
    assert list(answer) == ["message"] and word in answer["message"]
    assert set(repl.ask("import Core")) == {"env"}


def test_a_command_may_stand_on_several_lines(repl: Repl) -> None:
    lines = repl.lines('\n\n{"cmd":\n"import Core"}\n\n')
    assert set(json.loads(b"".join(lines))) == {"env"}


def test_lines_stay_short_however_long_a_message_is(repl: Repl) -> None:
    long = "é\\n" * 50_000
    text = f'{CORE_HEADER}#print "{long}"\n#print "end"\n'
    lines = repl.lines(json.dumps({"cmd": text}) + "\n\n")
    first, last = json.loads(b"".join(lines))["messages"]
    assert max(map(len, lines)) < 64 << 10
    assert first["data"].startswith("é\né\n") and first["data"].endswith("... (cut)")
    assert last["data"] == "end"


def compile_text(text: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "lean_gym.core.compile_one", *arguments]
    return subprocess.run(command, input=text.encode(), capture_output=True, timeout=60, check=False)


def test_the_compiler_hands_back_a_module_that_the_audit_takes(tmp_path: Path) -> None:
    statement, candidate = compile_text(CORE_HEADER + OPEN), compile_text(CORE_HEADER + GOOD)
    assert statement.returncode == candidate.returncode == 0
    assert b'"kind":"hasSorry"' in statement.stderr and candidate.stderr == b""
    assert candidate.stdout.startswith(b"olean")
    target = tmp_path / "goal.olean"
    done = compile_text(CORE_HEADER + GOOD, "-o", str(target))
    assert done.returncode == 0 and done.stdout == b""
    assert target.read_bytes() == candidate.stdout

    async def audit() -> list[bool]:
        auditor = KernelAuditor(CORE_HEADER)
        await auditor.start()
        try:
            results = [await auditor.audit(statement.stdout, done.stdout, "goal") for done in (candidate, statement)]
            return [result.ok for result in results]
        finally:
            await auditor.aclose()

    assert asyncio.run(audit()) == [True, False]


def test_the_compiler_says_what_lean_said(tmp_path: Path) -> None:
    target = tmp_path / "goal.olean"
    done = compile_text(CORE_HEADER + BAD, "-o", str(target))
    assert done.returncode == 1 and not target.exists()
    (message,) = map(json.loads, done.stderr.splitlines())
    assert message["severity"] == "error" and message["pos"] == {"line": 4, "column": 50}


def test_the_compiler_that_cannot_run_is_no_error_of_the_text(tmp_path: Path) -> None:
    done = compile_text(CORE_HEADER + GOOD, "-o", str(tmp_path / "absent" / "goal.olean"))
    assert done.returncode == 2 and b"goal.olean" in done.stderr
    done = compile_text(CORE_HEADER + GOOD, "--timeout", "0.001")
    assert done.returncode == 2 and b"no end after 0.001 seconds" in done.stderr
