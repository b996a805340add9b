"""Each refusal says in one sentence which rule, which constant and which line."""

from __future__ import annotations

import pytest

from lean_gym.explain import code_only, declared
from lean_gym.submission import Submission
from lean_gym.theorem import Theorem
from lean_gym.verdict import Outcome
from lean_gym.verifier import Verifier

GOAL = Theorem("goal", "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p")
S = GOAL.formal_statement


@pytest.mark.parametrize(
    ("form", "text", "reason", "detail"),
    [
        ("body", "  constructor\n  · exact h.2\n  · sorry", "sorry", "The proof leaves a hole: `sorry` on line 3."),
        ("body", "  -- sorry\n  admit", "sorry", "The proof leaves a hole: `admit` on line 2."),
        (
            "body",
            "  constructor\n  exact h.2",
            "lean_error",
            "The proof leaves goals open (Lean marks it at the statement): unsolved goals case right "
            "p q : Prop h : p ∧ q ⊢ p",
        ),
        ("body", "  exact h", "lean_error", "Lean reports an error on line 1, column 2: Type mismatch"),
        ("body", "  exact \x00h", "policy", "Line 1 holds a control character (U+0000), which no Lean text needs."),
        (
            "file",
            f"axiom bad : False\n{S} := bad.elim\n",
            "axiom",
            "The proof rests on the axiom bad (line 1) of the submission: goal (line 2) → bad.",
        ),
        (
            "file",
            f"set_option warn.sorry false\ntheorem aid : False := by\n  sorry\n{S} := aid.elim\n",
            "sorry",
            "The proof rests on a sorry: goal (line 4) → aid (line 2) → sorryAx.",
        ),
        (
            "file",
            "-- theorem goal\ntheorem goal : True := trivial\n",
            "statement",
            "goal (line 2) is declared with another type than the trusted statement.",
        ),
        ("file", "theorem other : True := trivial\n", "missing", "The submission declares no theorem goal."),
        ("file", f"private {S} := ⟨h.2, h.1⟩\n", "missing", "The theorem goal (line 1) is declared only as private"),
        ("file", S.replace("theorem", "def") + " := ⟨h.2, h.1⟩\n", "kind", "goal (line 1) is declared as a def"),
        ("file", f"/- x -/\nprelude\nimport Core.Nat\n{S} := h\n", "import", "Line 3 says `import Core.Nat`;"),
        ("file", f"prelude\n{S} := h\n", "import", "Line 1 ends the imports; the trusted"),
        (
            "file",
            f"set_option debug.skipKernelTC true in\ntheorem aid : False := (trivial : True)\n{S} := aid.elim\n",
            "lean_error",
            "Lean reports an error on line 2",
        ),
    ],
)  # fmt: skip
def test_each_refusal_says_where(verifier: Verifier, form: str, text: str, reason: str, detail: str) -> None:
    (verdict,) = verifier.verify([Submission(GOAL, text, form)])  # type: ignore[arg-type]
    assert verdict.reason == reason, verdict
    assert verdict.detail.startswith(detail), verdict.detail
    assert verdict.outcome in (Outcome.REJECTED, Outcome.EXPLOIT_SUSPECTED)


def test_comments_and_strings_are_blank() -> None:
    text = 'a -- b\n/- c /- d -/\n e -/ f "g \\" -- h" i /- open\n'
    blank = code_only(text)
    assert len(blank) == len(text) and blank.count("\n") == text.count("\n")
    assert blank.split() == ["a", "f", "i"]


def test_declarations_are_found() -> None:
    text = "-- theorem no\ntheorem a : x := y\n@[simp] private lemma «b c» (n) : z\ninstance i : C := c\ndef a := 1\n"
    assert declared(text) == {"a": 2, "«b c»": 3, "i": 4}
