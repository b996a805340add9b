"""Commands, as Lean parsed them: a body stays a body, and what the policy refuses is not run."""

from __future__ import annotations

import asyncio

import pytest

from lean_gym.submission import Submission
from lean_gym.theorem import CORE_HEADER, Theorem
from lean_gym.verdict import Outcome, Verdict
from lean_gym.verifier import Verifier
from lean_gym.workers.base import Job, Limits, Reply, Status
from lean_gym.workers.core import CoreWorker

PROOF = "  exact ⟨h.2, h.1⟩"
STATEMENT = "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p"


@pytest.mark.parametrize(
    ("after", "line", "command"),
    [
        ("#print swap", 2, "print"),
        ("#exit", 2, "exit"),
        ("#exit\ntheorem", 2, "exit"),
        ("\n-- a comment\nexample : True := trivial", 4, "declaration"),
        ("namespace A\nend A", 2, "namespace"),
        ("theorem swap.more : True := trivial", 2, "declaration"),
        ("set_option autoImplicit true", 2, "set_option"),
        ("open Nat in\ntheorem more : True := trivial", 2, "in"),
        ("mutual\ntheorem more : True := trivial\nend", 2, "mutual"),
        ("notation \"twice\" => 2", 2, "notation"),
        ("#check swap\n#check swap", 2, "check"),
    ],
)  # fmt: skip
def test_a_body_holds_no_command_after_its_proof(
    verifier: Verifier, swap: Theorem, after: str, line: int, command: str
) -> None:
    (verdict,) = verifier.verify([Submission(swap, f"{PROOF}\n{after}")])
    assert (verdict.outcome, verdict.reason) == (Outcome.REJECTED, "policy"), verdict
    assert f"before line {line}, where the command" in verdict.detail and command in verdict.detail


def test_a_documentation_comment_is_no_command(verifier: Verifier, swap: Theorem) -> None:
    good, more = verifier.verify([Submission(swap, f"{PROOF}\n/-! the end -/\n{end}") for end in ("", "#print swap")])
    assert good.proved, good
    assert more.reason == "policy" and "line 3" in more.detail


def test_a_statement_may_bring_commands_of_its_own(verifier: Verifier) -> None:
    theorem = Theorem(
        "b", f"open Nat in\ndef two : Nat := 2\nnamespace A\n#check two\n{STATEMENT.replace('swap', 'b')}"
    )
    # The theorem's full name is A.b: the statement is what it is about.
    good, more = verifier.verify(
        [Submission(Theorem("A.b", theorem.formal_statement), PROOF + end) for end in ("", "\nend A")]
    )
    assert good.proved, good
    assert more.reason == "policy" and "`end`" in more.detail


def refused(verifier: Verifier, theorem: Theorem, text: str) -> Verdict:
    (verdict,) = verifier.verify([Submission(theorem, text, "file")])
    return verdict


@pytest.mark.parametrize("before", ["", "-- a comment\n\n", "def two : Nat := 2\n"])
@pytest.mark.parametrize("command", ["#eval two", "open Nat in #eval 1", "open Nat in\nopen Bool in\n#eval 1"])
def test_refused_commands_are_named_with_their_line(
    verifier: Verifier, swap: Theorem, before: str, command: str
) -> None:
    verdict = refused(verifier, swap, f"{before}{command}\n{STATEMENT} := by\n{PROOF}\n")
    assert (verdict.outcome, verdict.reason) == (Outcome.REJECTED, "policy"), verdict
    assert verdict.detail.startswith(f"Line {1 + before.count(chr(10))} holds the command `eval`")


def test_the_policy_is_a_setting(swap: Theorem) -> None:
    helper = "@[simp] private theorem helper : True := trivial\n"
    texts = {
        "axiom": "axiom cheat : False\n",
        "Lean.Parser.Command.notation": 'notation "two" => 2\n',
        "theorem": "",
    }
    for kind, text in texts.items():
        with Verifier(cache=False, concurrency=1, refused_commands=(kind,)) as strict:
            verdict = refused(strict, swap, f"{helper if text else ''}{text}{STATEMENT} := by\n{PROOF}\n")
            if text:
                assert verdict.reason == "policy" and "Line 2" in verdict.detail, (kind, verdict)
            else:
                assert verdict.reason == "policy" and "Line 1" in verdict.detail, (kind, verdict)
    with Verifier(cache=False, concurrency=1, refused_commands=()) as lax:
        verdict = refused(lax, swap, f"#eval 1\n{STATEMENT} := by\n{PROOF}\n")
        assert verdict.reason != "policy"


def test_a_command_of_its_own_may_have_any_name(verifier: Verifier, swap: Theorem) -> None:
    own = 'syntax (name := eval) "go" : command\nmacro_rules | `(go) => `(theorem aid : True := trivial)\ngo\n'
    assert refused(verifier, swap, f"{own}{STATEMENT} := by\n{PROOF}\n").reason != "policy"


def test_words_are_no_commands(verifier: Verifier, swap: Theorem) -> None:
    text = f"/- #eval axiom\nrun_cmd -/\n-- #eval 1\n{STATEMENT} := by\n  -- #eval initialize\n{PROOF}\n/-\n#eval 1 -/"
    assert refused(verifier, swap, text).proved


# -- trusted statements, several in one child -------------------------------------------------------------------------


def compiled(texts: list[str], **limits: float) -> tuple[list[Reply], list[Reply]]:
    """Replies for the texts compiled together, and one by one."""

    async def work() -> tuple[list[Reply], list[Reply]]:
        worker = CoreWorker(capacity=1)
        await worker.start()
        try:
            jobs = [Job(CORE_HEADER, text, Limits(**limits)) for text in texts]
            return await worker.compile(jobs), [(await worker.compile([each]))[0] for each in jobs]
        finally:
            await worker.aclose()

    return asyncio.run(work())


def test_statements_compiled_together_are_as_compiled_alone() -> None:
    texts = [f"theorem t{n} (a : Nat) : a + {n} = {n} + a := by sorry\n" for n in range(8)]
    texts.insert(3, "theorem wrong : no_such_thing := by sorry\n")
    texts.append("theorem t0 : True := by sorry\n")  # the name again: each text has an environment of its own
    together, alone = compiled(texts)
    assert [r.olean for r in together] == [r.olean for r in alone]
    assert [r.messages for r in together] == [r.messages for r in alone]
    assert [index for index, reply in enumerate(together) if reply.olean is None] == [3]


def test_a_statement_that_does_not_end_takes_the_others_along_only_once() -> None:
    endless = "theorem t (f : Nat → Nat) (h : ∀ n, f n = f (n + 1)) : f 0 = 1 := by repeat rw [h]\n"
    together, alone = compiled(["theorem a : True := by sorry\n", endless], cpu=1.0, wall=3.0)
    assert {reply.status for reply in together} == {Status.TIMEOUT}
    assert [reply.status for reply in alone] == [Status.DONE, Status.TIMEOUT]


def test_one_bad_statement_spoils_no_other() -> None:
    """All new, so that statements share children; one of them kills its child."""
    theorems = [Theorem(f"t{n}", f"theorem t{n} (p q : Prop) (h : p ∧ q) : q ∧ p") for n in range(40)]
    kills = "theorem kills (f : Nat → Nat) (h : ∀ n, f n = f (n + 1)) : f 0 = f 0 := by (repeat rw [h]); rfl"
    bad = Theorem("bad", f"{kills}\ntheorem bad : True")
    with Verifier(cache=False, timeout=1.0) as verifier:
        verdicts = verifier.verify([Submission(theorem, PROOF) for theorem in theorems[:20]])
        mixed = [Submission(bad, "  trivial"), *(Submission(theorem, PROOF) for theorem in theorems[20:])]
        late = verifier.verify(mixed)
        assert all(verdict.proved for verdict in verdicts + late[1:])
        assert not late[0].proved
        jobs = verifier.stats()["stations"][0]["workers"]["jobs"]
        assert jobs < 2 * 41 + 20, "statements did share children"
