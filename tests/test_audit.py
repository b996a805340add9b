"""The audit and its kernel half, on texts that the real Lean compiles and on modules written by hand."""

from __future__ import annotations

import asyncio
import functools
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from audit_cases import CASES, Case
from hypothesis import given, settings
from hypothesis import strategies as st
from olean_builder import Builder

from lean_gym.audit import AuditResult, TrustedError, audit
from lean_gym.base_library import BaseLibrary
from lean_gym.core.build import core_library
from lean_gym.core.kernel import KernelAuditor
from lean_gym.core.library import run_lean
from lean_gym.workers.base import WorkerLost

T = TypeVar("T")


@functools.cache
def base() -> BaseLibrary:
    return BaseLibrary(["Core"], core_library(progress=False).search_path)


@functools.cache
def compiled(text: str) -> bytes | None:
    """The module that Lean makes of a text, or None when it reports an error.

    A first line `IMPORT M` adds an import, `IMPORT ONLY M` takes the place of Core's.
    """
    imports = "import Core\n"
    if text.startswith("IMPORT"):
        first, _, text = text.partition("\n")
        imports = ("" if "ONLY" in first else imports) + f"import {first.split()[-1]}\n"
    core = core_library(progress=False)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "main.lean").write_text(f"prelude\n{imports}set_option autoImplicit false\n{text}\n", "utf-8")
        run_lean(core.library, "-o", "main.olean", "main.lean", lean_path=core.root, cwd=Path(folder))
        module = Path(folder, "main.olean")
        return module.read_bytes() if module.exists() else None


def trusted(statement: str) -> bytes:
    module = compiled(f"{statement} := by sorry")
    assert module is not None, statement
    return module


def spliced(statement: str, body: str) -> str:
    return f"{statement} {body}" if body.startswith(":=") else f"{statement} := by\n  {body}"


class Auditor:
    """A `KernelAuditor` and the loop that it lives on."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.auditor = KernelAuditor()
        self.run(self.auditor.start())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    def audit(self, statement: bytes, candidate: bytes, target: str = "goal", **options: Any) -> AuditResult:
        return self.run(self.auditor.audit(statement, candidate, target, **options))

    def resident(self) -> int:
        assert self.auditor.pid is not None
        pages = int(Path(f"/proc/{self.auditor.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def close(self) -> None:
        self.run(self.auditor.aclose())
        self.loop.close()


@pytest.fixture(scope="module")
def auditor() -> Iterator[Auditor]:
    shared = Auditor()
    yield shared
    shared.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(auditor: Auditor, case: Case) -> None:
    in_body = case.form == "body"
    module = compiled(spliced(case.statement, case.text) if in_body else case.text)
    if case.reason == "lean":
        assert module is None, "Lean was to refuse this text"
        return
    assert module is not None, "Lean was to accept this text"
    statement = trusted(case.statement)
    result = auditor.audit(statement, module, body_only=in_body)
    assert result.reason == case.reason, result.detail
    assert result.ok == (case.reason == "")
    assert bool(result.detail) == (case.reason != "")
    # The rules on data alone say the same, except where only the kernel can tell.
    data = audit(statement, module, "goal", base(), body_only=in_body)
    assert data.reason == case.reason or (data.ok and case.reason == "kernel")


def test_there_are_enough_cases() -> None:
    wanted = {"sorry": 8, "axiom": 12, "kind": 5, "missing": 8, "statement": 18, "kernel": 3, "policy": 5, "": 35}
    for reason, count in wanted.items():
        assert sum(case.reason == reason for case in CASES) >= count, reason


def test_axioms_and_declarations_are_named(auditor: Auditor) -> None:
    statement = "theorem goal (p q : Prop) (h : p ↔ q) (f g : Nat → Nat) (e : ∀ x, f x = g x) : p = q ∧ f = g"
    module = compiled(
        f"theorem first (p q : Prop) (h : p ↔ q) : p = q := propext h\n{statement} := ⟨first p q h, funext e⟩"
    )
    assert module is not None
    result = auditor.audit(trusted(statement), module)
    assert result.ok
    assert result.axioms == ("Quot.sound", "propext")
    assert result.declarations == ("first", "goal")
    narrow = auditor.audit(trusted(statement), module, permitted_axioms=["propext"])
    assert (narrow.reason, narrow.detail) == (
        "axiom",
        "The proof rests on the axiom Quot.sound: goal → funext → Quot.sound.",
    )


def test_own_axiom_of_the_statement_may_be_permitted(auditor: Auditor) -> None:
    statement = "axiom given : (1 : Nat) = 2\n\ntheorem goal : (1 : Nat) = 2"
    module = compiled(spliced(statement, "exact given"))
    assert module is not None
    assert auditor.audit(trusted(statement), module).reason == "axiom"
    result = auditor.audit(trusted(statement), module, permitted_axioms=["given"])
    assert result.ok
    assert result.axioms == ("given",)
    # Another type than the statement's axiom has; afterwards the statement still serves.
    retyped = compiled("axiom given : False\n\ntheorem goal : (1 : Nat) = 2 := given.elim")
    assert retyped is not None
    for _ in range(2):
        assert auditor.audit(trusted(statement), retyped, permitted_axioms=["given"]).reason == "axiom"
        assert auditor.audit(trusted(statement), module, permitted_axioms=["given"]).ok
    other = compiled("axiom given : (1 : Nat) = 3\n\ntheorem goal : (1 : Nat) = 2 := absurd given (by decide)")
    assert other is not None
    assert not auditor.audit(trusted("theorem goal : (1 : Nat) = 2"), other, permitted_axioms=["given"]).ok


def test_faults_of_the_statement(auditor: Auditor) -> None:
    module = compiled("theorem goal : True := trivial")
    assert module is not None
    for statement in (module, trusted("theorem other : True"), module[:200], b""):
        with pytest.raises(TrustedError):
            auditor.audit(statement, module)
        with pytest.raises(TrustedError):
            audit(statement, module, "goal", base())
    two = trusted("theorem A.goal : True := by sorry\ntheorem B.goal : True")
    with pytest.raises(TrustedError, match="more than one"):
        auditor.audit(two, module)
    assert auditor.audit(trusted("theorem goal : True"), module).ok


def test_helper_theorems_of_the_statement_need_no_sorry(auditor: Auditor) -> None:
    statement = "theorem A.goal : True := trivial\ntheorem B.goal : (1 : Nat) = 1"
    module = compiled(f"{statement} := rfl")
    assert module is not None
    assert auditor.audit(trusted(statement), module).ok


# Modules written by hand, with `goal : False` or `goal : True` as the statement


def by_hand(build: Callable[[Builder], list[int]], goal: str = "False") -> bytes:
    builder = Builder(trusted("theorem goal : True"))
    return builder.finish(build(builder))


def check(auditor: Auditor, build: Callable[[Builder], list[int]], reason: str, goal: str = "False") -> AuditResult:
    result = auditor.audit(trusted(f"theorem goal : {goal}"), by_hand(build), deadline=10)
    assert result.reason == reason, result
    return result


def test_by_hand_control(auditor: Auditor) -> None:
    result = check(auditor, lambda b: [b.theorem("goal", b.const("True"), b.const("True.intro"))], "", "True")
    assert result.declarations == ("goal",)


def test_wrong_proof(auditor: Auditor) -> None:
    check(auditor, lambda b: [b.theorem("goal", b.const("False"), b.const("True.intro"))], "kernel")


def test_circles(auditor: Auditor) -> None:
    check(auditor, lambda b: [b.theorem("goal", b.const("False"), b.const("goal"))], "kernel")

    def two(b: Builder) -> list[int]:
        return [b.theorem("goal", b.const("False"), b.const("a")), b.theorem("a", b.const("False"), b.const("goal"))]

    def three(b: Builder) -> list[int]:
        shared = b.app(b.const("id"), b.const("b"))
        return [
            b.theorem("goal", b.const("False"), b.const("a")),
            b.theorem("a", b.const("False"), shared),
            b.theorem("b", b.const("False"), shared),
        ]

    def definition(b: Builder) -> list[int]:
        return [b.definition("p", b.sort(), b.const("p")), b.theorem("goal", b.const("False"), b.const("p"))]

    for build in (two, three, definition):
        assert "circle" in check(auditor, build, "kernel").detail


def test_undeclared(auditor: Auditor) -> None:
    result = check(auditor, lambda b: [b.theorem("goal", b.const("False"), b.const("nowhere"))], "kernel")
    assert "nowhere" in result.detail


@pytest.mark.parametrize("name", ["Nat.land", "Nat.gcd", "Nat.log2", "Lean.reduceBool", "String.ofList", "Nat.add"])
def test_built_in_names(auditor: Auditor, name: str) -> None:
    """The kernel computes `Nat.land 1 1` to 1 whatever a module says: `def Nat.land _ _ := 0` would prove 1 = 0."""

    def build(b: Builder) -> list[int]:
        nat = b.const("Nat")
        wrong = b.lam(nat, b.lam(nat, b.nat(0)))
        return [
            b.definition(name, b.pi(nat, b.pi(nat, nat)), wrong),
            b.theorem("goal", b.const("True"), b.const("True.intro")),
        ]

    assert name in check(auditor, build, "kernel", "True").detail


def test_compiled_code(auditor: Auditor) -> None:
    """`Lean.reduceBool c` would be what the compiled code of `c` returns."""

    def build(b: Builder) -> list[int]:
        term = b.app(b.lam(b.const("True"), b.const("True.intro")), b.const("Lean.reduceBool"))
        return [b.theorem("goal", b.const("True"), term)]

    assert "compiled code" in check(auditor, build, "axiom", "True").detail


def test_library_names(auditor: Auditor) -> None:
    def again(b: Builder) -> list[int]:
        return [
            b.definition("False", b.sort(), b.const("True")),
            b.theorem("goal", b.const("False"), b.const("True.intro")),
        ]

    assert "imports" in check(auditor, again, "kernel").detail


@pytest.mark.parametrize("safety", [0, 2])
def test_unsafe(auditor: Auditor, safety: int) -> None:
    def build(b: Builder) -> list[int]:
        return [
            b.definition("loop", b.const("False"), b.const("loop"), safety=safety),
            b.theorem("goal", b.const("False"), b.const("loop")),
        ]

    check(auditor, build, "unsafe")
    check(
        auditor,
        lambda b: [
            b.opaque("o", b.const("False"), b.const("o"), unsafe=1),
            b.theorem("goal", b.const("False"), b.const("o")),
        ],
        "unsafe",
    )


def test_open_and_loose_terms(auditor: Auditor) -> None:
    for tag in (1, 2):
        check(
            auditor,
            lambda b, tag=tag: [b.theorem("goal", b.const("False"), b.obj(tag, [b.name("m")], bytes(8)))],
            "incomplete",
        )  # type: ignore[misc]
    check(auditor, lambda b: [b.theorem("goal", b.const("False"), b.bvar(0))], "incomplete")


def test_quotient_kind(auditor: Auditor) -> None:
    check(
        auditor, lambda b: [b.quot("q", b.const("False")), b.theorem("goal", b.const("False"), b.const("q"))], "kernel"
    )


def test_inductive_types_that_lie(auditor: Auditor) -> None:
    def not_positive(b: Builder) -> list[int]:
        bad = b.const("Bad")
        return [
            b.inductive("Bad", b.sort(), ["Bad.mk"]),
            b.constructor("Bad.mk", b.pi(b.pi(bad, b.const("False")), bad), "Bad", fields=1),
            b.theorem("goal", b.const("True"), b.app(b.lam(b.sort(), b.const("True.intro")), bad)),
        ]

    def constructor_of_another(b: Builder) -> list[int]:
        return [
            b.inductive("I", b.sort(), []),
            b.constructor("I.mk", b.const("I"), "I"),
            b.theorem("goal", b.const("True"), b.app(b.lam(b.const("I"), b.const("True.intro")), b.const("I.mk"))),
        ]

    def constructor_of_false(b: Builder) -> list[int]:
        return [b.constructor("mk", b.const("False"), "False"), b.theorem("goal", b.const("False"), b.const("mk"))]

    def recursor_alone(b: Builder) -> list[int]:
        return [b.recursor("r", b.const("False"), ["r"]), b.theorem("goal", b.const("False"), b.const("r"))]

    def recursor_of_another(b: Builder) -> list[int]:
        return [
            b.inductive("I", b.sort(), []),
            b.recursor("r", b.const("False"), ["I"]),
            b.theorem("goal", b.const("False"), b.const("r")),
        ]

    def recursor_retyped(b: Builder) -> list[int]:
        return [
            b.inductive("I", b.sort(), []),
            b.recursor("I.rec", b.const("False"), ["I"]),
            b.theorem("goal", b.const("False"), b.const("I.rec")),
        ]

    def blocks_that_differ(b: Builder) -> list[int]:
        return [
            b.inductive("I", b.sort(), [], ["I", "J"]),
            b.inductive("J", b.sort(), [], ["J"]),
            b.theorem("goal", b.const("True"), b.app(b.lam(b.sort(), b.const("True.intro")), b.const("I"))),
        ]

    for build in (not_positive, constructor_of_another, blocks_that_differ):
        check(auditor, build, "kernel", "True")
    for build in (constructor_of_false, recursor_alone, recursor_of_another, recursor_retyped):
        check(auditor, build, "kernel")


def test_own_inductive_by_hand(auditor: Auditor) -> None:
    def build(b: Builder) -> list[int]:
        one = b.const("MyOne")
        return [
            b.inductive("MyOne", b.sort(), ["MyOne.mk"]),
            b.constructor("MyOne.mk", one, "MyOne"),
            b.theorem("goal", b.const("True"), b.app(b.lam(one, b.const("True.intro")), b.const("MyOne.mk"))),
        ]

    result = check(auditor, build, "", "True")
    assert result.declarations == ("MyOne", "MyOne.mk", "goal")


def test_universes(auditor: Auditor) -> None:
    def undeclared(b: Builder) -> list[int]:
        return [
            b.theorem(
                "goal",
                b.const("True"),
                b.app(b.lam(b.sort(b.succ(b.param("u"))), b.const("True.intro")), b.sort(b.param("u"))),
            )
        ]

    def twice(b: Builder) -> list[int]:
        return [
            b.theorem("h", b.const("True"), b.const("True.intro"), ["u", "u"]),
            b.theorem("goal", b.const("True"), b.const("h", 1, 1)),
        ]

    check(auditor, undeclared, "kernel", "True")
    check(auditor, twice, "kernel", "True")


def test_theorem_about_data(auditor: Auditor) -> None:
    """A "theorem" whose type is no proposition."""

    def build(b: Builder) -> list[int]:
        return [
            b.theorem("h", b.sort(), b.const("False")),
            b.theorem("goal", b.const("True"), b.app(b.lam(b.sort(), b.const("True.intro")), b.const("h"))),
        ]

    check(auditor, build, "kernel", "True")


@pytest.mark.parametrize("depth", [1_000, 10_000, 100_000])
def test_deep_terms(auditor: Auditor, depth: int) -> None:
    """Lean may give up on a term that is nested too deep; the auditor lives on."""

    def build(b: Builder) -> list[int]:
        true, identity = b.const("True"), b.const("id", 1)
        function = b.app(identity, true)
        term = b.const("True.intro")
        for _ in range(depth):
            term = b.app(function, term)
        return [b.theorem("goal", true, term)]

    try:
        result = auditor.audit(trusted("theorem goal : True"), by_hand(build), deadline=20)
        assert result.reason in ("", "timeout", "kernel")
        assert result.ok or depth > 1_000
    except WorkerLost:
        assert depth > 10_000
    test_by_hand_control(auditor)


def test_shared_terms(auditor: Auditor) -> None:
    """A term of 2^5000 nodes when written out: checked at once, or given up in time."""

    def build(b: Builder) -> list[int]:
        pair = b.const("And.intro")
        type_, term = b.const("True"), b.const("True.intro")
        for _ in range(5_000):
            type_, term = b.app(b.const("And"), type_, type_), b.app(pair, type_, type_, term, term)
        body = b.let(type_, term, b.const("True.intro"))
        return [b.theorem("goal", b.const("True"), body)]

    started = time.monotonic()
    result = auditor.audit(trusted("theorem goal : True"), by_hand(build), deadline=10)
    assert result.reason in ("", "timeout", "kernel")
    assert time.monotonic() - started < 15
    test_by_hand_control(auditor)


WORK = """def work : Nat → Nat → Nat
  | 0, a => a
  | n + 1, a => work n (a + 1) + work n (a + 2)

theorem goal : work 60 0 = 0"""


def test_deadline(auditor: Auditor) -> None:
    module = compiled(f"set_option debug.skipKernelTC true\n{WORK} := by decide +kernel")
    assert module is not None
    before = auditor.auditor.pid
    started = time.monotonic()
    result = auditor.audit(trusted(WORK), module, deadline=1)
    assert result.reason in ("timeout", "kernel"), result
    assert time.monotonic() - started < 3
    test_by_hand_control(auditor)
    assert (auditor.auditor.pid != before) == (result.reason == "timeout")


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_changed_candidates_prove_nothing(auditor: Auditor, data: st.DataObject) -> None:
    """A compiled wrong proof with any words changed is never accepted, and the auditor answers."""
    statement = "theorem goal : (1 : Nat) = 2"
    module = compiled(f"set_option debug.skipKernelTC true in\n{statement} := by decide +kernel")
    assert module is not None
    file = bytearray(module)
    words = len(file) // 8
    for _ in range(data.draw(st.integers(1, 3))):
        at, other = data.draw(st.integers(10, words - 1)), data.draw(st.integers(0, words - 1))
        word = data.draw(
            st.sampled_from([0, 1, 3, 8 * other, int.from_bytes(file[8 * other : 8 * other + 8], "little")])
        )
        file[8 * at : 8 * at + 8] = word.to_bytes(8, "little")
    result = auditor.audit(trusted(statement), bytes(file), deadline=10)
    assert not result.ok
    assert result.reason


def test_memory_bomb(auditor: Auditor) -> None:
    """The kernel keeps every numeral that it has computed: 4000 of 2 MB each."""

    def build(b: Builder) -> list[int]:
        bool_, false, two, one = b.const("Bool"), b.const("Bool.false"), b.nat(2), b.nat(1)
        equal, refl = b.app(b.const("Eq", b.succ(1)), bool_), b.app(b.const("Eq.refl", b.succ(1)), bool_, false)
        term = b.const("True.intro")
        for index in range(4000):
            power = b.app(b.const("Nat.pow"), two, b.nat((1 << 24) - 1 - index))
            term = b.app(b.lam(b.app(equal, b.app(b.const("Nat.ble"), power, one), false), term), refl)
        return [b.theorem("goal", b.const("True"), term)]

    started = time.monotonic()
    try:
        result = auditor.audit(trusted("theorem goal : True"), by_hand(build), deadline=20)
        assert result.reason in ("timeout", "kernel", ""), result
    except WorkerLost:
        pass
    assert time.monotonic() - started < 25
    test_by_hand_control(auditor)


# The process


def test_memory_stays_flat(auditor: Auditor) -> None:
    statement = "theorem goal (a b : Nat) (h : a = b) : b = a"
    good, bad = compiled(spliced(statement, "simp [h]")), compiled(spliced(statement, "sorry"))
    wrong = "have : (1 : Nat) = 2 := by decide +kernel\n  simp [h]"
    false = compiled("set_option debug.skipKernelTC true\n" + spliced(statement, wrong))
    assert good is not None and bad is not None and false is not None

    def some(count: int) -> None:
        for _ in range(count):
            assert auditor.audit(trusted(statement), good).ok
            assert not auditor.audit(trusted(statement), bad).ok
            assert auditor.audit(trusted(statement), false).reason == "kernel"

    some(50)
    before = auditor.resident()
    some(600)
    assert auditor.resident() - before < 2 << 20


def test_full_table_replaces_the_process() -> None:
    async def main() -> None:
        auditor = KernelAuditor(max_terms=3000)
        await auditor.start()
        first = auditor.pid
        statement = trusted("theorem goal : True")

        def build(b: Builder, start: int) -> list[int]:
            term, true = b.const("True.intro"), b.const("True")
            for index in range(start, start + 400):
                term = b.app(b.lam(b.const("Nat"), b.let(true, term, b.bvar(0))), b.nat(index))
            return [b.theorem("goal", true, term)]

        for round_ in range(4):
            result = await auditor.audit(statement, by_hand(lambda b, r=round_: build(b, 1000 * r)), "goal")  # type: ignore[misc]
            assert result.ok, result
        assert auditor.pid != first
        assert auditor.replaced == 2
        await auditor.aclose()
        assert auditor.pid is None
        await auditor.aclose()

    asyncio.run(main())


def test_death_is_no_verdict() -> None:
    async def main() -> None:
        auditor = KernelAuditor()
        await auditor.start()
        statement = trusted(WORK)
        heavy = compiled(f"set_option debug.skipKernelTC true\n{WORK} := by decide +kernel")
        assert heavy is not None and auditor.pid is not None
        os.kill(auditor.pid, signal.SIGKILL)
        with pytest.raises(WorkerLost):
            await auditor.audit(statement, heavy, "goal")
        # A cancelled audit leaves no answer behind for the next one.
        task = asyncio.ensure_future(auditor.audit(statement, heavy, "goal", deadline=30))
        await asyncio.sleep(1.0)
        if not task.done():
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        module = compiled("theorem goal : True := trivial")
        assert module is not None
        assert (await auditor.audit(trusted("theorem goal : True"), module, "goal")).ok
        await auditor.aclose()
        with pytest.raises(WorkerLost, match="closed"):
            await auditor.audit(statement, heavy, "goal")

    asyncio.run(main())


PARENT = """
import asyncio
from lean_gym.core.kernel import KernelAuditor

async def main():
    auditor = KernelAuditor()
    await auditor.start()
    print(auditor.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


def test_dies_with_its_parent() -> None:
    core_library(progress=False)
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, env={**os.environ, **path}) as parent:
        assert parent.stdout is not None
        process = Path(f"/proc/{int(parent.stdout.readline())}")
        assert process.exists()
        parent.kill()
    for _ in range(50):
        if not process.exists() or process.joinpath("stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.1)
    raise AssertionError("the auditor outlives its parent by 5 seconds")


def test_start_says_what_is_missing() -> None:
    async def main() -> None:
        auditor = KernelAuditor("prelude\nimport No.Such.Module\n")
        with pytest.raises(WorkerLost, match="No"):
            await auditor.start()
        await auditor.aclose()

    asyncio.run(main())
