"""Theorem, Submission and Verdict: what needs no Lean."""

from __future__ import annotations

import json

import pytest

from lean_gym.submission import MAX_CHARS, Refusal, Source, Submission, prepare, trusted_source
from lean_gym.theorem import CORE_HEADER, Theorem, split_header
from lean_gym.verdict import Message, Outcome, Seconds, Verdict, judge, place_messages
from lean_gym.workers.base import RawMessage, Reply, Status

GOAL = Theorem("goal", "theorem goal : 1 + 1 = 2")
OPTION = "set_option autoImplicit false\n"


@pytest.mark.parametrize("end", ["", " := by sorry", " := sorry", " := by", " :=", "\n  := by\n  sorry\n"])
def test_what_data_sets_leave_after_a_statement_is_cut_off(end: str) -> None:
    assert Theorem("x", "theorem goal : 1 + 1 = 2" + end).formal_statement == "theorem goal : 1 + 1 = 2"


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("theorem goal : True", "goal"),
        ("def Even (n : Nat) : Prop := ∃ k, n = 2 * k\ntheorem all_even: ∀ n, Even n", "all_even"),
        ("lemma Nat.foo' (n : Nat) : n = n", "Nat.foo'"),
        ("theorem «a b» : True", "«a b»"),
        ("@[simp] private theorem x₁{p : Prop} : p → p", "x₁"),
    ],
)
def test_the_name_is_that_of_the_last_theorem(statement: str, name: str) -> None:
    assert Theorem("x", statement).name == name


@pytest.mark.parametrize(
    ("given", "statement"),
    [
        ("def D := 1; theorem goal : D = 1", "def D := 1\ntheorem goal : D = 1"),
        ("open Nat; @[simp] theorem goal : 1 = 1;", "open Nat\n@[simp] theorem goal : 1 = 1;"),
        ("theorem goal : (by exact 1; done) = 1", "theorem goal : (by exact 1; done) = 1"),
        ("theorem goal : True -- a theorem about it", "theorem goal : True"),
        ("theorem goal : True /- theorem foo -/", "theorem goal : True"),
        ("/- a -/ theorem goal /- b -/ : True", "/- a -/ theorem goal /- b -/ : True"),
        ("theorem goal : True := by -- proof\n  sorry -- fill in", "theorem goal : True"),
        ("\n    def D := 1\n    theorem goal\n      : D = 1\n  ", "def D := 1\ntheorem goal\n  : D = 1"),
        ("\ufefftheorem goal : True", "theorem goal : True"),
        ("theorem goal\r\n  : True\r\n", "theorem goal\r\n  : True"),
    ],
)
def test_layouts_of_a_statement(given: str, statement: str) -> None:
    theorem = Theorem("x", given)
    assert (theorem.formal_statement, theorem.name) == (statement, "goal")


def test_a_name_is_not_sought_in_comments() -> None:
    assert Theorem("x", "/-- A theorem here. -/\ntheorem goal /- not theorem this -/ : True").name == "goal"
    with pytest.raises(ValueError, match="holds no"):
        Theorem("x", "-- theorem goal : True\nexample : True")


def test_a_statement_without_a_theorem_is_refused() -> None:
    with pytest.raises(ValueError, match="holds no `theorem NAME`"):
        Theorem("x", "def f : Nat := 1")


def test_headers_are_split_after_the_last_import() -> None:
    assert split_header(CORE_HEADER) == (("Core",), True, OPTION)
    assert split_header("import A\nimport C -- why\n\nopen Real\n") == (("A", "C"), False, "\nopen Real\n")
    assert split_header("/- a /- b -/ -/\n-- c\nimport A\nx") == (("A",), False, "x")
    assert split_header("import A theorem") == (("A",), False, " theorem")
    assert split_header("/- open\nimport A") == ((), False, "/- open\nimport A")
    assert split_header("preludes\nimportant") == ((), False, "preludes\nimportant")
    assert split_header("") == ((), False, "")


def source(text: str, form: str = "body", theorem: Theorem = GOAL) -> Source:
    prepared = prepare(Submission(theorem, text, form))  # type: ignore[arg-type]
    assert isinstance(prepared, Source)
    return prepared


@pytest.mark.parametrize(
    ("text", "spliced"),
    [
        ("  rfl", " := by\n  rfl\n"),
        ("rfl", " := by\n  rfl\n"),
        ("by rfl", " :=\n  by rfl\n"),
        ("  by\n  rfl", " :=\n  by\n  rfl\n"),
        (":= rfl", " :=\n     rfl\n"),
        (" := by\n  rfl", " :=\n    by\n  rfl\n"),
        ("byte", " := by\n  byte\n"),
        ("", " := by\n\n"),
        ("intro h\r\n\r\nexact h", " := by\n  intro h\n\n  exact h\n"),
        ("-- why\nby rfl", " :=\n  -- why\n  by rfl\n"),
        ("/- why -/ := rfl", " :=\n  /- why -/    rfl\n"),
    ],
)
def test_a_body_is_spliced_under_the_statement(text: str, spliced: str) -> None:
    prepared = source(text)
    assert prepared.text == OPTION + GOAL.formal_statement + spliced
    # Line and column of what the model wrote can be told.
    lines = prepared.text.split("\n")[prepared.offset :]
    for line, given in zip(lines, text.replace("\r", "").replace(":=", "  ").split("\n")):
        assert line == (" " * prepared.indent + given if given else "")


def test_a_body_that_lost_its_first_blanks_has_a_second_reading() -> None:
    prepared = source("-- why\nconstructor\n    · exact a\n    · exact b\n")
    start = OPTION + GOAL.formal_statement + " := by\n"
    assert prepared.text == start + "  -- why\n  constructor\n      · exact a\n      · exact b\n\n"
    other = prepared.other
    assert other and other.text == start + "-- why\n    constructor\n    · exact a\n    · exact b\n\n"
    raw = [RawMessage("error", other.offset + line, 6, "") for line in (2, 3)]
    placed = place_messages(Reply(Status.DONE, tuple(raw)), other.offset, other.indent, other.indented)
    assert [(m.line, m.column) for m in placed] == [(2, 2), (3, 6)]
    for unambiguous in ("rfl", "a\nb", "  a\n  b", "by\n  a", "a\n  b\nc"):
        assert source(unambiguous).other is None


def test_a_header_without_a_line_end() -> None:
    theorem = Theorem("x", "theorem goal : True", header="prelude\nimport Core\nopen Nat")
    for prepared in (source("trivial", theorem=theorem), trusted_source(theorem)):
        assert prepared.text.startswith("open Nat\ntheorem goal : True := by")


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        ("prelude\nimport Core\nuniverse u\nopen Nat\n", False),
        ("/- c -/ prelude -- d\n\nimport Core\n\n-- e\nuniverse u  open Nat -- f\n", False),
        ("universe u\r\nopen Nat\r\n", False),
        ("\ufeffprelude\nimport Core\nuniverse u open Nat\n", False),
        ("prelude\nimport Core\n", True),
        ("universe u\n", True),
        ("universe u open Natural\n", True),
        ("", True),
    ],
)
def test_a_file_does_not_open_the_trusted_header_twice(text: str, twice: bool) -> None:
    theorem = Theorem("x", "theorem goal : True", header="prelude\nimport Core\nuniverse u\nopen Nat\n")
    prepared = source(text + "theorem goal : True := trivial", "file", theorem)
    assert prepared.offset == (2 if twice else 0)
    line = prepared.text.split("\n").index("theorem goal : True := trivial")
    assert line - prepared.offset == text.count("\n"), "positions are those of the file"


def test_a_file_may_bring_the_trusted_header_and_no_other() -> None:
    body = "theorem goal : 1 + 1 = 2 := rfl"
    assert source(body, "file") == Source(CORE_HEADER, OPTION + body + "\n", 1)
    with_header = source("prelude\nimport Core\n" + body, "file")
    assert with_header.text == OPTION + "\n\n" + body + "\n"
    assert with_header.text.split("\n")[with_header.offset + 2] == body, "positions are those of the file"
    for header in ("import Core\n", "prelude\n", "prelude\nimport Core\nimport Lean\n", "prelude\nimport Other\n"):
        refused = prepare(Submission(GOAL, header + body, "file"))
        assert isinstance(refused, Refusal) and refused.reason == "import"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("rfl\n\x00", 2, "U+0000"),
        ("a\n\n\ud800", 3, "U+D800"),
        ("\x1b[0m", 1, "U+001B"),
        ("x" * (MAX_CHARS + 1), 1, "at most"),
    ],
)
def test_texts_that_are_no_lean_are_refused_with_their_line(text: str, line: int, what: str) -> None:
    refused = prepare(Submission(GOAL, text))
    assert isinstance(refused, Refusal)
    assert (refused.reason, refused.line) == ("policy", line)
    assert what in refused.detail


def test_the_trusted_text_holds_nothing_of_the_submission() -> None:
    assert trusted_source(GOAL).text == OPTION + "theorem goal : 1 + 1 = 2 := by sorry\n"


def reply(*messages: RawMessage, status: Status = Status.DONE, olean: bytes | None = b"olean") -> Reply:
    return Reply(status, messages, olean=olean, detail="why")


def test_judging_a_reply() -> None:
    error = RawMessage("error", 4, 2, "unknown tactic\nmore")
    sorry = RawMessage("warning", 1, 8, "declaration uses `sorry`", "hasSorry")
    info = RawMessage("information", 3, 0, "error: declaration uses 'sorry'")

    def judged(given: Reply) -> tuple[Outcome, str, str] | None:
        return judge(given, place_messages(given, 2), 2)

    assert judged(reply(info)) is None, "words in an information are no evidence"
    assert judged(reply(info, error)) == (
        Outcome.REJECTED,
        "lean_error",
        "Lean reports an error on line 2, column 2: unknown tactic",
    )
    assert judged(reply(sorry)) == (Outcome.REJECTED, "sorry", "A declaration uses `sorry` (on the statement).")
    assert judged(reply(olean=None)) is not None, "no module, no pass"
    for status in (Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.CRASHED):
        ended = judged(reply(status=status))
        assert ended is not None and ended[0].value == status.name
    assert place_messages(reply(error, sorry), 2)[0] == Message("error", 2, 2, "unknown tactic\nmore")
    assert place_messages(reply(error, sorry), 2)[1].line == 0


def test_verdicts_survive_json() -> None:
    verdict = Verdict(
        Outcome.EXPLOIT_SUSPECTED,
        "axiom",
        "cheat",
        (Message("warning", 1, 2, "∀"),),
        ("cheat",),
        seconds=Seconds(1, 2, 3, 4, 5),
        attempts=2,
    )
    again = Verdict.from_json(json.loads(json.dumps(verdict.to_json())))
    assert again == verdict and again.seconds == verdict.seconds
    assert not again.proved and again.scored
    assert not Verdict(Outcome.INFRA).scored
