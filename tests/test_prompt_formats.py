"""Prompts of published provers, and proofs taken out of what such models write."""

from __future__ import annotations

import pytest

from lean_gym.prompt_formats import FORMATS, Extracted, prompt_format, take_out
from lean_gym.theorem import CORE_HEADER, Theorem
from lean_gym.verifier import Verifier

STATEMENT = "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p"
SWAP = Theorem("swap", STATEMENT, informal_prefix="/-- And commutes. -/")
BODY = "  have hq := h.2\n  exact ⟨hq, h.1⟩"
FILE = f"{CORE_HEADER}\n{STATEMENT} := by\n{BODY}"
PLAN = "### Plan\nTake it apart.\n\n```lean4\ntheorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  sorry\n```\n"


def fenced(text: str, language: str = "lean4") -> str:
    return f"```{language}\n{text}\n```"


def test_prompts_have_their_models_wording() -> None:
    code = f"{CORE_HEADER}/-- And commutes. -/\n{STATEMENT} := by\n"
    assert FORMATS["plain"].prompt(SWAP) == code
    completion = "Complete the following Lean 4 code:\n\n```lean4\n" + code
    assert FORMATS["deepseek-v1.5"].prompt(SWAP) == completion
    assert FORMATS["stp"].prompt(SWAP) == completion.replace("/-- And commutes. -/\n", "").removesuffix("\n")
    assert str(FORMATS["goedel-sft"].prompt(SWAP)).endswith("each line of code:\n\n```lean4\n" + code)
    system, user = FORMATS["kimina"].prompt(SWAP)
    assert isinstance(system, dict) and system["role"] == "system" and "expert in mathematics" in system["content"]
    assert isinstance(user, dict)
    assert user["content"] == (
        "Think about and solve the following problem step by step in Lean 4.\n# Problem:And commutes.\n"
        f"# Formal statement:\n```lean4\n{code}```\n"
    )
    for name in ("deepseek", "goedel"):
        (message,) = FORMATS[name].prompt(SWAP)
        assert isinstance(message, dict)
        assert message["content"].startswith(f"Complete the following Lean 4 code:\n\n```lean4\n{code}  sorry\n```\n\n")
        assert message["content"].endswith("construction of the final formal proof.")


def test_places_in_a_theorem_are_no_places_of_the_format() -> None:
    theorem = Theorem("t", "theorem t : {x : Nat | x = 0} = {open}", informal_prefix="/-- {code} -/")
    assert "{open} := by" in str(FORMATS["stp"].prompt(theorem))
    assert "# Problem:{code}\n" in FORMATS["kimina-rl"].prompt(theorem)[1]["content"]  # type: ignore[index]
    with pytest.raises(ValueError, match=r"'gpt'.*kimina"):
        prompt_format("gpt")
    assert prompt_format("kimina") is FORMATS["kimina"]


@pytest.mark.parametrize(
    "completion",
    [
        fenced(FILE),
        f"<think>Let me try\n{fenced('exact wrong', 'tactics')}\n{fenced('exact wrong')}</think>\n{fenced(FILE)}",
        PLAN + f"### Complete proof\n{fenced(FILE)}\nThis works.",
        fenced("exact wrong") + "\nNo:\n" + fenced(FILE, "lean"),
        fenced(FILE) + "\nwith\n" + fenced("print('x')", "python"),
        fenced(FILE) + "\nor\n```lean4\nexact trunca",
        fenced(BODY),
        fenced(FILE.replace("(h : p ∧ q) :", "\n    (h : p ∧ q) :")),
        fenced(FILE) + "<|im_end|>\n" + fenced("exact wrong"),
        "thought without its start</think>" + fenced(BODY, ""),
    ],
)
def test_chat_answers(completion: str) -> None:
    for name in ("kimina", "kimina-rl", "deepseek", "goedel"):
        assert FORMATS[name].extract(completion, SWAP) == Extracted(BODY, "body", "proof")
        messages = [{"role": "user", "content": fenced("x")}, {"role": "assistant", "content": completion}]
        assert FORMATS[name].extract(messages, SWAP).text == BODY


@pytest.mark.parametrize(
    "completion",
    [
        BODY,
        BODY + "\n```",
        BODY + "\n```\n\nHere is another:\n" + fenced(f"{STATEMENT} := by\n  exact wrong"),
        BODY + "\n\ntheorem next : True := by\n  trivial",
        fenced(FILE),
    ],
)
def test_texts_that_go_on(completion: str) -> None:
    for name in ("plain", "stp", "goedel-sft", "deepseek-v1.5"):
        assert FORMATS[name].extract(completion, SWAP) == Extracted(BODY, "body", "proof")


def test_what_is_cut_off_says_so() -> None:
    chat = FORMATS["kimina"]
    assert chat.extract(f"<think>so\n{fenced(FILE)}\nor", SWAP) == Extracted("", "body", "truncated")
    assert chat.extract(f"Here:\n```lean4\n{FILE}"[:-5], SWAP).found == "truncated"
    assert chat.extract("```lean4\n", SWAP).found == "nothing"
    assert chat.extract("", SWAP) == chat.extract([], SWAP) == Extracted("", "body", "nothing")
    assert chat.extract(fenced("x = 1", "python"), SWAP).found == "nothing"


def test_a_term_proof_keeps_its_mark() -> None:
    assert take_out(fenced(f"{STATEMENT} :=\n  ⟨h.2, h.1⟩"), SWAP).text.split() == [":=", "⟨h.2,", "h.1⟩"]


def test_lean_judges_what_was_taken_out(verifier: Verifier) -> None:
    lemma = "theorem helper (p q : Prop) (h : p ∧ q) : q := h.2\n"
    changed = fenced("import Mathlib\n\ntheorem swap (p : Prop) (h : p) : p := by\n  exact h")
    renamed = fenced(f"{STATEMENT.replace('swap', 'other')} := by\n{BODY}")
    before = fenced(f"{CORE_HEADER}{lemma}{STATEMENT} := by\n  exact ⟨helper p q h, h.1⟩")
    after = fenced(f"{STATEMENT} := by\n{BODY}\n\ntheorem more : True := True.intro")
    cases = [
        (fenced(FILE), "proof", "PROVED"),
        (fenced(f"{STATEMENT} :=\n  ⟨h.2, h.1⟩"), "proof", "PROVED"),
        (before, "file", "PROVED"),
        (after, "file", "PROVED"),
        (changed, "changed", "EXPLOIT_SUSPECTED"),
        (renamed, "changed", "EXPLOIT_SUSPECTED"),
        (PLAN, "proof", "REJECTED"),
        (f"```lean4\n{FILE}"[:-6], "truncated", "REJECTED"),
        ("I can't.", "proof", "REJECTED"),
        (fenced("x = 1", "python"), "nothing", "REJECTED"),
    ]
    found = [take_out(completion, SWAP) for completion, _, _ in cases]
    verdicts = verifier.verify([one.submission(SWAP) for one in found])
    outcomes = [(one.found, verdict.outcome.value) for one, verdict in zip(found, verdicts)]
    assert outcomes == [(what, outcome) for _, what, outcome in cases], [v.detail for v in verdicts]
