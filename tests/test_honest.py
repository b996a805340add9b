"""Honest proofs, in every layout that people and models use: not one of more than 2,000 is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from lean_gym.submission import Submission
from lean_gym.suites import core_theorems, load_suite
from lean_gym.suites.core import FAMILIES, LEVELS, SPLITS
from lean_gym.theorem import CORE_HEADER, Theorem
from lean_gym.verdict import Verdict
from lean_gym.verifier import Verifier

WORDS = "sorry axiom #exit #eval unsafe native_decide admit sorryAx run_cmd initialize «»"


def refused(verifier: Verifier, submissions: list[Submission]) -> list[tuple[str, str, Verdict]]:
    """(statement, text, verdict) of what was not proved."""
    verdicts = verifier.verify(submissions)
    assert len(verdicts) == len(submissions)
    return [(s.theorem.formal_statement, s.text, v) for s, v in zip(submissions, verdicts) if not v.proved]


def body(theorem: Theorem) -> str:
    assert theorem.proof is not None
    return theorem.proof


def moved(text: str, columns: int) -> str:
    """`text` with its lines moved right, or left if `columns` is negative; only blanks are taken away."""
    lines = []
    for line in text.split("\n"):
        blanks = len(line) - len(line.lstrip(" "))
        lines.append(line[min(-columns, blanks) :] if columns < 0 else " " * columns * bool(line.strip()) + line)
    return "\n".join(lines)


def with_tabs(text: str) -> str:
    """Tabs where Lean's own blanks may not be: there are none in an honest text but inside comments."""
    return text + "\n  -- a\ttab\tin a comment\n  /- and\there\t-/"


def in_each_line(text: str) -> str:
    """A comment with suspicious words behind each line."""
    return "\n".join(f"{line} -- {WORDS}" if line.strip() else line for line in text.split("\n"))


Layout = Callable[[str], str]
BODIES: dict[str, Layout] = {
    "crlf": lambda t: t.replace("\n", "\r\n") + "\r\n",
    "tabs": with_tabs,
    "line comment": lambda t: f"  -- {WORDS}\n{t}",
    "comment behind each line": in_each_line,
    "block comment": lambda t: f"  /- {WORDS}\n{WORDS} -/\n{t}",
    "nested comment": lambda t: (
        f"  /- {WORDS} /- sorry -/ axiom a : False -/\n{t}\n  /- theorem goal : False := sorry -/"
    ),
    "comment in the first column": lambda t: f"{t}\n/-\naxiom no : False\n#exit\n-/\n-- sorry\n",
    "by on its own line": lambda t: f"by\n{t}",
    "by with a colon": lambda t: f":= by\n{t}",
    "by after blank lines": lambda t: f"\n\n  := by\n\n{t}",
    "by after a comment": lambda t: f"-- {WORDS}\nby\n{t}",
    "first column": lambda t: moved(t, -2),
    "far to the right": lambda t: moved(t, 38),
    "stripped": str.strip,
    "stripped, by on the same line": lambda t: "by " + moved(t, 1).strip() if "\n" not in t.strip() else f"by\n{t}",
    "trailing blanks": lambda t: "\n".join(line + "   " for line in t.split("\n")) + "\n \n   \n",
    "blank lines": lambda t: "\n" + t.replace("\n", "\n\n") + "\n\n\n",
    "byte order mark": lambda t: "\ufeff" + t,
    "have around it": lambda t: f"  have «sorry» : True := trivial\n  have «axiom x» := «sorry»\n{t}",
    "unicode names": lambda t: (
        f"  have ünï₁ : True := trivial\n  have αβγ' := ünï₁\n  have «name of 日本» := αβγ'\n{t}"
    ),
    "let around it": lambda t: f"  let n : Nat := 3\n  have _h : n = 3 := rfl\n  clear _h n\n{t}",
    "show around it": lambda t: f"  have _t : True := by\n    show True\n    trivial\n{t}",
    "suffices around it": lambda t: f"  suffices _t : True by\n{moved(t, 2)}\n  trivial",
    "calc around it": lambda t: (
        f"  have _c : (1 : Nat) + 1 = 2 := calc\n    (1 : Nat) + 1 = 2 := rfl\n    _ = 2 := rfl\n{t}"
    ),
    "match around it": lambda t: (
        f"  have _m : True := match (0 : Nat) with\n    | 0 => trivial\n    | _ + 1 => trivial\n{t}"
    ),
    "a string": lambda t: f'  have _s : "sorry #exit" = "sorry #exit" := rfl\n{t}',
    "a set_option": lambda t: f"  set_option maxRecDepth 1000 in\n  have _t : True := trivial\n{t}",
    "open in": lambda t: f"  open Nat in\n  have _t : True := trivial\n{t}",
    "in brackets": lambda t: f"  (\n{moved(t, 2)}\n  )",
    "a bullet": lambda t: "  · " + moved(t, 2).lstrip(" "),
}
HELPERS = {
    "a theorem": ("theorem helper (p : Prop) (h : p) : p := h", "helper True trivial"),
    "a private theorem": ("private theorem aid : 1 = 1 := rfl", "aid"),
    "a simp lemma": ("@[simp] theorem myLemma (n : Nat) : n + 0 = n := rfl", "myLemma 1"),
    "a namespace": ("namespace My.Own\ntheorem lem : True := trivial\nend My.Own", "My.Own.lem"),
    "open in": ("namespace MyNs\ntheorem lem₁ : True := trivial\nend MyNs\nopen MyNs in", "lem₁"),
    "open": ("namespace MyNs\ntheorem lem₁ : True := trivial\nend MyNs\nopen MyNs", "lem₁"),
    "a section": ("section\nvariable (n : Nat)\ntheorem own : n = n := rfl\nend", "own 2"),
    "universes": ("universe u v\ntheorem any (α : Sort u) (a : α) : a = a := rfl", "any Nat 1"),
    "more universes": ("theorem any.{x, y} (α : Type x) (_ : Type y) (a : α) : a = a := rfl", "any Nat Nat 1"),
    "a definition": ("def myDouble (n : Nat) : Nat := n + n\ntheorem h₂ : myDouble 2 = 4 := rfl", "h₂"),
    "a recursion": (
        "def mySum : Nat → Nat\n  | 0 => 0\n  | n + 1 => n + mySum n",
        "(rfl : mySum 3 = 3)",
    ),
    "a structure": ("structure MyPair where\n  a : Nat\n  b : Nat := 0", "(rfl : (MyPair.mk 1 2).a = 1)"),
    "an inductive type": (
        "inductive MyKind where\n  | one\n  | two\n  deriving DecidableEq",
        "(by decide : MyKind.one ≠ .two)",
    ),
    "an instance": ("instance : Inhabited (Nat → Nat) := ⟨fun n => n⟩", "(default : Nat → Nat)"),
    "an instance argument": (
        "theorem some' {α : Type} [Inhabited α] : ∃ _ : α, True := ⟨default, trivial⟩",
        "@some' Nat",
    ),
    "a class": (
        "class My (α : Type) where\n  zero : α\ninstance : My Nat := ⟨0⟩\ntheorem z [My Nat] : True := trivial",
        "z",
    ),
    "a quoted name": ("theorem «no axiom, no sorry» : True := trivial", "«no axiom, no sorry»"),
    "a name that holds words": ("theorem axiom_sorry_exit : True := trivial", "axiom_sorry_exit"),
    "an attribute": ("theorem att : 0 + 0 = 0 := rfl\nattribute [simp] att", "att"),
    "mutual theorems": ("mutual\ntheorem m₁ : True := trivial\ntheorem m₂ : True := trivial\nend", "m₁"),
    "an example": ("example : True := trivial", "trivial"),
    "a check": ("#check Nat\n#print axioms Nat.add_comm", "trivial"),
    "an option": ("set_option pp.all true\nset_option maxRecDepth 2000 in", "trivial"),
    "a doc comment": (f"/-- {WORDS} -/", "trivial"),
    "a string": ('theorem text : "sorry #exit" = "sorry #exit" := rfl', "text"),
}
"""What may stand before the theorem, and a term that uses it."""


def with_helper(before: str, term: str) -> Callable[[str, str], str]:
    return lambda s, t: f"{before}\n{s} := by\n  have _h := {term}\n{t}\n"


FILES: dict[str, Callable[[str, str], str]] = {
    "plain": lambda s, t: f"{s} := by\n{t}\n",
    "own header": lambda s, t: f"{CORE_HEADER}\n{s} := by\n{t}\n",
    "own imports": lambda s, t: f"prelude\nimport Core\n\n{s} := by\n{t}\n",
    "crlf": lambda s, t: f"prelude\nimport Core\n{s} := by\n{t}\n".replace("\n", "\r\n"),
    "comment first": lambda s, t: f"/- {WORDS} -/\n-- {WORDS}\nprelude\nimport Core\n{s} := by\n{t}",
    "module comment": lambda s, t: f"/-! {WORDS} -/\n{s} := by\n{t}\n/-! end: #exit -/",
    "a section of its own": lambda s, t: f"section Named\n{s} := by\n{t}\n\nend Named\n",
    "more after it": lambda s, t: f"{s} := by\n{t}\n\nexample : 1 = 1 := rfl\n#print axioms Nat.add_comm\n",
    "exit at the end": lambda s, t: f"{s} := by\n{t}\n\n#exit\nnothing of this is read: sorry axiom",
    **{name: with_helper(*helper) for name, helper in HELPERS.items()},
}


def distinct(seed: int, count: int) -> Iterator[Theorem]:
    """Theorems of the endless generator, all families and levels; a quarter of them of the two smaller splits."""
    for split in SPLITS:
        yield from islice(core_theorems(split, seed), count * 3 // 4 if split == "train" else count // 8)


@pytest.mark.timeout(300)
def test_reference_proofs(verifier: Verifier) -> None:
    theorems = load_suite("core-200") + list(distinct(31, 600))
    theorems += [
        theorem
        for family in FAMILIES
        for level in LEVELS
        for theorem in islice(core_theorems("train", 7, families=[family], levels=[level]), 4)
    ]
    assert {t.family for t in theorems} == set(FAMILIES)
    assert {t.level for t in theorems} == set(LEVELS) and {t.split for t in theorems} == set(SPLITS)
    assert refused(verifier, [Submission(theorem, body(theorem)) for theorem in theorems]) == []


@pytest.mark.timeout(300)
def test_layouts_of_a_body(verifier: Verifier) -> None:
    theorems = list(distinct(32, 24))
    submissions = [Submission(t, layout(body(t))) for layout in BODIES.values() for t in theorems]
    assert refused(verifier, submissions) == []


@pytest.mark.timeout(300)
def test_layouts_of_a_file(verifier: Verifier) -> None:
    theorems = list(distinct(33, 16))
    texts = [(t, layout(t.formal_statement, body(t))) for layout in FILES.values() for t in theorems]
    assert refused(verifier, [Submission(t, text, "file") for t, text in texts]) == []


def test_there_are_two_thousand() -> None:
    """What the three tests above check (of the four of a family and level, level 1 of some may hold fewer)."""
    assert 200 + 600 + 24 * len(BODIES) + 16 * len(FILES) + 4 * len(FAMILIES) * len(LEVELS) >= 2000


UNIVERSES = Theorem("u", "theorem goal.{u} (α : Type u) (a : α) : a = a")
HEADED = Theorem("h", "theorem goal (α : Type u) (n : Nat) (a : α) : succ n = n + 1 ∧ a = a")
PAIR = Theorem("p", "theorem goal (p q : Prop) (hp : p) (hq : q) : p ∧ q")
INSTANCE = Theorem("i", "theorem goal {α : Type} [Inhabited α] [DecidableEq α] (a b : α) : a = b ∨ a ≠ b")
DOCUMENTED = Theorem("d", "/-- sorry, no axiom -/\n@[simp] theorem goal (p : Prop) : p → p")
DEFINED = Theorem("e", "def myTwice (n : Nat) : Nat := n + n\n\n/-- about it -/\ntheorem goal : myTwice 2 = 4")
OPENED = Theorem("o", "open Nat in\ntheorem goal (n : Nat) : succ n = n + 1")
VARIABLE = Theorem("v", "variable {α : Type} (a : α)\ntheorem goal : a = a")
HEADER = f"{CORE_HEADER}universe u\nopen Nat\n"
QUOTED = Theorem("q", "theorem «my goal» (p : Prop) : p → p")
HYPOTHESES = Theorem("y", "theorem goal («sorry» : Prop) (axiom' : «sorry») : «sorry»")


@pytest.mark.parametrize(
    ("theorem", "text"),
    [
        (PAIR, ":= ⟨hp, hq⟩"),
        (PAIR, ":= And.intro hp\n  hq"),
        (PAIR, ":= by constructor <;> assumption"),
        (PAIR, "by exact ⟨hp, hq⟩"),
        (PAIR, "  := by exact ⟨hp, hq⟩ -- done"),
        (PAIR, ":=\n  let h := hp\n  ⟨h, hq⟩"),
        (PAIR, ":= have h : q := hq; ⟨hp, h⟩"),
        (PAIR, ":= show p ∧ q from ⟨hp, hq⟩"),
        (PAIR, ":= suffices h : q from ⟨hp, h⟩\n  hq"),
        (PAIR, ":= match hp, hq with\n  | a, b => ⟨a, b⟩"),
        (PAIR, ":= ⟨helper, hq⟩\n  where helper : p := hp"),
        (PAIR, "refine ⟨hp, ?_⟩\nexact hq"),
        (PAIR, "refine ⟨?left, ?right⟩\ncase left => exact hp\ncase right => exact hq"),
        (PAIR, "constructor; exact hp; exact hq"),
        (PAIR, "and_intros\n· exact hp\n· exact hq"),
        (PAIR, "exact\n  ⟨ hp\n  , hq ⟩"),
        (PAIR, "have ⟨a, b⟩ : p ∧ q := ⟨hp, hq⟩\n  exact ⟨a, b⟩"),
        (PAIR, "obtain ⟨a, b⟩ : p ∧ q := by\n    exact ⟨hp, hq⟩\n  exact ⟨a, b⟩"),
        (PAIR, "by\n  let rec go : Nat → p\n    | 0 => hp\n    | n + 1 => go n\n  exact ⟨go 3, hq⟩"),
        (PAIR, "first | done | exact ⟨hp, hq⟩"),
        (PAIR, "try sorry_free\n  exact ⟨hp, hq⟩".replace("sorry_free", "rfl")),
        (PAIR, "  -- sorry\n  /- axiom /- #exit -/ -/ exact /- unsafe -/ ⟨hp, /- native_decide -/ hq⟩"),
        (UNIVERSES, "rfl"),
        (UNIVERSES, ":= Eq.refl a"),
        (INSTANCE, "by_cases h : a = b\n  · left; exact h\n  · right; exact h"),
        (INSTANCE, "exact Decidable.em (a = b)"),
        (DOCUMENTED, "intro h\nexact h"),
        (DEFINED, "rfl"),
        (DEFINED, "simp [myTwice]"),
        (DEFINED, "decide"),
        (OPENED, "rfl"),
        (VARIABLE, "rfl"),
        (QUOTED, "exact fun h => h"),
        (HYPOTHESES, "exact axiom'"),
        (HYPOTHESES, "  have «#exit» := axiom'\n  exact «#exit»"),
        (Theorem("x", HEADED.formal_statement, HEADER), "exact ⟨rfl, rfl⟩"),
        (Theorem("x", HEADED.formal_statement, HEADER), "constructor\n\n  · rfl\n\n  · rfl"),
    ],
)
def test_a_body(verifier: Verifier, theorem: Theorem, text: str) -> None:
    assert refused(verifier, [Submission(theorem, text)]) == []


@pytest.mark.parametrize(
    ("theorem", "text"),
    [
        (UNIVERSES, "universe w\ntheorem aid (α : Sort w) (a : α) : a = a := rfl\n{} := aid α a"),
        (UNIVERSES, "theorem aid.{x, y} (α : Type x) (_ : Type y) (a : α) : a = a := rfl\n{} := aid α Nat a"),
        (
            INSTANCE,
            "open Nat Decidable in\ntheorem aid (p : Prop) [Decidable p] : p ∨ ¬p := Decidable.em p\n{} := aid (a = b)",
        ),
        (DOCUMENTED, "{} := id"),
        (DEFINED, "{} := rfl\n\ntheorem more : myTwice 3 = 6 := rfl"),
        (DEFINED, "theorem before : 1 = 1 := rfl\n{} := by\n  unfold myTwice\n  rfl"),
        (OPENED, "{} := rfl"),
        (PAIR, "section\nvariable (p q : Prop) (hp : p) (hq : q)\ninclude hp hq\ntheorem goal : p ∧ q := ⟨hp, hq⟩"),
        (Theorem("n", "theorem My.goal : True"), "protected theorem My.goal : True := trivial"),
        (PAIR, "noncomputable section\n{} := ⟨hp, hq⟩\nend"),
        (PAIR, "@[simp] theorem goal (p q : Prop) (hp : p) (hq : q) : p ∧ q := ⟨hp, hq⟩"),
        (PAIR, "@[simp] theorem goal (p q : Prop) (hp : p) (hq : q) : p ∧ q := ⟨hp, hq⟩"),
        (PAIR, "theorem goal : ∀ (p q : Prop), p → q → p ∧ q := fun _ _ hp hq => ⟨hp, hq⟩"),
        (PAIR, "theorem goal (p q : Prop) : p → q → p ∧ q\n  | hp, hq => ⟨hp, hq⟩"),
        (PAIR, "theorem goal\n    (p q : Prop)\n    (hp : p)\n    (hq : q) :\n    p ∧ q :=\n  ⟨hp, hq⟩"),
        (PAIR, 'theorem aid : "sorry" = "sorry" := rfl\n{} := ⟨hp, hq⟩'),
        (QUOTED, "{} := fun h => h"),
        (Theorem("x", HEADED.formal_statement, HEADER), "{} := ⟨rfl, rfl⟩"),
        (Theorem("x", HEADED.formal_statement, HEADER), HEADER + "{} := ⟨rfl, rfl⟩"),
    ],
)
def test_a_file(verifier: Verifier, theorem: Theorem, text: str) -> None:
    assert refused(verifier, [Submission(theorem, text.replace("{}", theorem.formal_statement), "file")]) == []
