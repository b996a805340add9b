"""The compiler that stays: `python -m lean_gym.compile_server`, the real program on the real embedded Lean."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from lean_gym.theorem import CORE_HEADER

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the embedded Lean's fork server runs on Linux")

GOOD = CORE_HEADER + "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n"
BAD = CORE_HEADER + "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.1, h.2⟩\n"
OPEN = CORE_HEADER + "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := sorry\n"
ENDLESS = f"""{CORE_HEADER}
partial def spin (n : Nat) : Nat := spin (n + 1)
open Lean in
macro "go" : command => match spin 0 with
  | .zero => `(theorem a : True := True.intro)
  | _ => `(theorem b : True := True.intro)
go
"""
CRASH = f"""{CORE_HEADER}
inductive Res where
  | ok (value : Unit)
  | error (why : Unit)
@[extern "x"] opaque IO.Process.exit (a : Type) (code : Nat) : Res
open Lean in
macro "go" : command => fun _ s => match IO.Process.exit Unit 0 with
  | .ok _ => .error (.error .missing "worked") s
  | .error _ => .error (.error .missing "refused") s
go
"""
LENGTH = struct.Struct(">L")
WISHES = {"wall": 20, "cpu": 20, "memory": 1 << 30, "output": 1 << 20, "module": 64 << 20}


class Compiler:
    def __init__(self) -> None:
        command = [sys.executable, "-m", "lean_gym.compile_server"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.hello = json.loads(self.receive())

    def receive(self) -> bytes:
        assert self.process.stdout
        (length,) = LENGTH.unpack(self.process.stdout.read(LENGTH.size))
        return self.process.stdout.read(length)

    def compile(self, text: str, **wishes: float) -> tuple[dict[str, Any], bytes, bytes]:
        assert self.process.stdin
        for data in (json.dumps({**WISHES, **wishes}).encode(), text.encode()):
            self.process.stdin.write(LENGTH.pack(len(data)) + data)
        self.process.stdin.flush()
        return json.loads(self.receive()), self.receive(), self.receive()


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    compiler = Compiler()
    try:
        yield compiler
        assert compiler.process.stdin
        compiler.process.stdin.close()
        assert compiler.process.wait(20) == 0
    finally:
        compiler.process.kill()
        compiler.process.wait()


def test_it_names_itself(compiler: Compiler) -> None:
    assert compiler.hello["tool"] == "lean-gym-compile" and compiler.hello["version"].startswith("4.")


def test_a_module_is_that_of_lean_itself(compiler: Compiler) -> None:
    single = subprocess.run(
        [sys.executable, "-m", "lean_gym.core.compile_one"], input=GOOD.encode(), capture_output=True, check=True
    )
    for _ in range(2):
        result, messages, module = compiler.compile(GOOD)
        assert (result["end"], result["code"], messages) == ("exit", 0, b"")
        assert module[:5] == b"olean"
        assert len(module) == pytest.approx(len(single.stdout), rel=0.5)


def test_errors_have_their_place_in_the_file(compiler: Compiler) -> None:
    result, messages, module = compiler.compile(BAD)
    assert (result["end"], result["code"], module) == ("exit", 1, b"")
    (message,) = map(json.loads, messages.splitlines())
    assert message["severity"] == "error" and message["pos"] == {"line": 4, "column": 50}


def test_an_open_proof_is_compiled_and_says_so(compiler: Compiler) -> None:
    result, messages, module = compiler.compile(OPEN)
    assert result["code"] == 0 and module[:5] == b"olean"
    assert json.loads(messages)["kind"] == "hasSorry"


def test_limits(compiler: Compiler) -> None:
    assert compiler.compile(ENDLESS, wall=0.5)[0]["end"] == "wall"
    assert compiler.compile(ENDLESS, cpu=0.5)[0]["end"] == "cpu"
    result, _, module = compiler.compile(GOOD, module=100)
    assert result["code"] == 0 and result["module_too_large"] and module == b""
    result, _, module = compiler.compile(GOOD, module=0)
    assert result["code"] == 0 and not result["module_too_large"] and module == b""


def test_a_crash_and_another_import_are_the_texts_own(compiler: Compiler) -> None:
    result, messages, module = compiler.compile(CRASH)
    assert result["end"] == "crash" and result["detail"] and (messages, module) == (b"", b"")
    result, messages, _ = compiler.compile("import Mathlib\n#check 1\n")
    assert result["code"] == 1 and b"has Core to import and nothing else" in messages
    assert compiler.compile(GOOD)[0]["code"] == 0
