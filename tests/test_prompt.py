"""Prompts, and proofs taken out of completions."""

from __future__ import annotations

import pytest

from lean_gym.prompt import chat_prompt, extract_proof, plain_prompt, theorem_from_row, to_dataset_rows
from lean_gym.submission import Submission
from lean_gym.suites import load_suite
from lean_gym.theorem import CORE_HEADER, Theorem
from lean_gym.verifier import Verifier

SWAP = Theorem("swap", "theorem swap (p q : Prop) : p ∧ q → q ∧ p", informal_prefix="/-- And commutes. -/")
PROOF = "  intro h\n  exact ⟨h.2, h.1⟩"


def test_plain_prompt_ends_where_the_proof_starts() -> None:
    assert plain_prompt(SWAP) == "/-- And commutes. -/\ntheorem swap (p q : Prop) : p ∧ q → q ∧ p := by\n"
    assert plain_prompt(Theorem("t", "theorem t : True := by sorry")) == "theorem t : True := by\n"


def test_chat_prompt_shows_header_and_statement() -> None:
    messages = chat_prompt(SWAP)
    assert [m["role"] for m in messages] == ["system", "user"]
    assert CORE_HEADER.strip() in messages[1]["content"]
    assert "theorem swap (p q : Prop) : p ∧ q → q ∧ p := by\n  sorry" in messages[1]["content"]


@pytest.mark.parametrize(
    "completion",
    [
        PROOF,
        PROOF + "\n\n",
        "\n" + PROOF,
        "intro h\nexact ⟨h.2, h.1⟩",
        PROOF.replace("\n", "\r\n"),
        PROOF + "<eos>junk",
        PROOF + "\n\ntheorem next : True := by\n  trivial",
        PROOF + "\n/-- another -/\ntheorem next : True",
        f"Here it is:\n```lean\n{PROOF}\n```\nDone.",
        "```lean4\nintro h\nexact ⟨h.2, h.1⟩\n```",
        f"<think>```lean\nexact foo\n```</think>\n```lean\n{PROOF}\n```",
        f"```lean\nwrong\n```\nNo, better:\n```lean\n{PROOF}\n```",
        f"```lean\n{PROOF}",
        f"```lean\ntheorem swap (p q : Prop) : p ∧ q → q ∧ p := by\n{PROOF}\n```",
        [{"role": "assistant", "content": f"```lean\n{PROOF}\n```"}],
        [{"role": "user", "content": "?"}, {"role": "assistant", "content": PROOF}],
    ],
)
def test_the_proof_is_found(completion: str | list[dict[str, str]]) -> None:
    assert extract_proof(completion) == PROOF


def test_layouts_that_lean_decides_on_are_kept() -> None:
    lost = "constructor\n  · exact h.2\n  · exact h.1"
    assert extract_proof(lost) == extract_proof(f"```lean\n{lost}\n```") == lost
    opened = "  intro h\nopen Classical in\n  exact h"
    assert extract_proof(opened) == "    intro h\n  open Classical in\n    exact h"
    assert extract_proof("  intro h\nopen Classical\ntheorem x") == "  intro h"


def test_term_proofs_keep_their_mark() -> None:
    text = (
        "```lean\ntheorem swap (p q : Prop) (f : (x : p) → q := by simp) : p ∧ q → q ∧ p :=\n  fun h => ⟨h.2, h.1⟩\n```"
    )
    assert extract_proof(text) == ":=\n  fun h => ⟨h.2, h.1⟩"
    assert extract_proof("by exact h") == "by exact h"


def test_nothing_stays_nothing() -> None:
    assert extract_proof("") == ""
    assert extract_proof([]) == ""
    assert extract_proof("\n \n") == ""


def test_extracted_proofs_pass(verifier: Verifier) -> None:
    completions = [
        PROOF,
        "intro h\nexact ⟨h.2, h.1⟩",
        ":= fun h => ⟨h.2, h.1⟩",
        "by\n  intro h\n  exact ⟨h.2, h.1⟩",
        "intro h",
    ]
    verdicts = verifier.verify([Submission(SWAP, extract_proof(c)) for c in completions])
    assert [v.proved for v in verdicts] == [True, True, True, True, False]


def test_rows_and_back() -> None:
    theorems = load_suite("core", "test", 20)
    rows = to_dataset_rows(theorems)
    assert [r["prompt"] for r in rows] == [plain_prompt(t) for t in theorems]
    assert all("proof" not in r for r in rows)
    for theorem, row in zip(theorems, rows):
        back = theorem_from_row(row)
        assert (back.id, back.formal_statement, back.header) == (theorem.id, theorem.formal_statement, theorem.header)
        assert (back.split, back.family, back.level) == (theorem.split, theorem.family, theorem.level)
    assert isinstance(to_dataset_rows(theorems[:1], chat=True)[0]["prompt"], list)


def test_a_row_of_another_data_set() -> None:
    theorem = theorem_from_row({"formal_statement": "theorem x : True := by sorry", "header": "import Mathlib\n"})
    assert (theorem.formal_statement, theorem.header) == ("theorem x : True", "import Mathlib\n")
    assert theorem_from_row({"formal_statement": "theorem x : True"}).header == CORE_HEADER
    with pytest.raises(ValueError, match="formal_statement"):
        theorem_from_row({"prompt": "x"})
