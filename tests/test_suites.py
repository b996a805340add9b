"""The built-in suites: true, disjoint, reproducible, and refused without a proof."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import islice

import pytest

from lean_gym.submission import Submission
from lean_gym.suites import algebra, core_theorems, generate, load_suite, normal_key, suite_hash, summary
from lean_gym.suites.core import FAMILIES, LEVELS, SPLITS
from lean_gym.suites.expr import show
from lean_gym.suites.rewriting import Rule, Step, equation, read, rewrite, run, use
from lean_gym.theorem import Theorem
from lean_gym.verdict import Outcome, Verdict
from lean_gym.verifier import Verifier


@cache
def _sample() -> tuple[Theorem, ...]:
    """Twelve theorems of every family and level, the splits mixed."""
    return tuple(
        generate(1000 * level + i, family, level) for family in FAMILIES for level in LEVELS for i in range(12)
    )


def _check(verifier: Verifier, theorems: Sequence[Theorem], proofs: Sequence[str]) -> list[Verdict]:
    return verifier.verify([Submission(t, p) for t, p in zip(theorems, proofs)])


def test_every_family_and_level_gives_theorems_that_lean_accepts(verifier: Verifier) -> None:
    theorems = _sample()
    assert len(theorems) >= 600
    assert {(t.family, t.level) for t in theorems} == {(f, n) for f in FAMILIES for n in LEVELS}
    verdicts = _check(verifier, theorems, [t.proof or "" for t in theorems])
    bad = [(t.formal_statement, t.proof, v.reason, v.detail) for t, v in zip(theorems, verdicts) if not v.proved]
    assert not bad


def test_every_proof_of_core_200_is_accepted(verifier: Verifier) -> None:
    theorems = load_suite("core-200")
    verdicts = _check(verifier, theorems, [t.proof or "" for t in theorems])
    assert [(t.id, v.reason, v.detail) for t, v in zip(theorems, verdicts) if not v.proved] == []


def test_sorry_in_place_of_the_proof_is_refused(verifier: Verifier) -> None:
    theorems = [*_sample()[::12], *load_suite("core-200")]
    for verdict in _check(verifier, theorems, ["  sorry"] * len(theorems)):
        assert (verdict.outcome, verdict.reason) == (Outcome.REJECTED, "sorry")


def test_a_proof_of_another_theorem_mostly_fails(verifier: Verifier) -> None:
    """Statements differ enough that proofs can't be handed round."""
    theorems = [t for t in load_suite("core", "test", 80) if t.level > 1]
    proofs = [t.proof or "" for t in theorems]
    verdicts = _check(verifier, theorems, proofs[1:] + proofs[:1])
    assert sum(v.proved for v in verdicts) < 0.2 * len(verdicts)


def test_splits_are_disjoint_by_structure() -> None:
    limits = {"train": 600, "validation": 80, "test": 120}
    keys = {s: {normal_key(t.formal_statement) for t in load_suite("core", s, limits[s])} for s in SPLITS}
    assert not keys["train"] & keys["test"]
    assert not keys["train"] & keys["validation"]
    assert not keys["validation"] & keys["test"]
    assert not {normal_key(t.formal_statement) for t in load_suite("core-200")} & (keys["train"] | keys["validation"])


@pytest.mark.parametrize("split", SPLITS)
def test_a_split_holds_no_structure_twice_and_says_which_it_is(split: str) -> None:
    theorems = load_suite("core", split, 100, seed=3)
    assert len({normal_key(t.formal_statement) for t in theorems}) == len(theorems)
    assert len({t.id for t in theorems}) == len(theorems)
    assert {t.split for t in theorems} == {split}


def test_core_200_is_what_it_says() -> None:
    theorems = load_suite("core-200")
    assert len(theorems) == 200
    assert len({t.id for t in theorems}) == 200
    assert len({normal_key(t.formal_statement) for t in theorems}) == 200
    assert min(Counter(t.family for t in theorems).values()) >= 15
    assert set(Counter(t.family for t in theorems)) == set(FAMILIES)
    assert min(Counter(t.level for t in theorems).values()) >= 25
    assert {t.split for t in theorems} == {"test"}


def test_the_same_seed_gives_the_same_theorems() -> None:
    first, second = (list(islice(core_theorems("train", 7), 60)) for _ in range(2))
    assert first == second
    assert [t.proof for t in first] == [t.proof for t in second]
    assert first != list(islice(core_theorems("train", 8), 60))
    assert generate(5, "logic", 2) == generate(5, "logic", 2)
    assert len({generate(i).formal_statement for i in range(50)}) > 40


def test_theorems_do_not_end() -> None:
    stream = core_theorems("train", 0, families=["logic", "nat", "sets"])
    keys = {normal_key(t.formal_statement) for t in islice(stream, 1500)}
    assert len(keys) == 1500


def test_each_family_has_hundreds_of_structures() -> None:
    for family in FAMILIES:
        found = {t.id for t in islice(core_theorems("train", 0, families=[family]), 200)}
        assert len(found) == 200, family


def test_reference_proofs_are_short_and_levels_grow() -> None:
    theorems = _sample()
    lengths = sorted(len((t.proof or "").split()) for t in theorems)
    assert lengths[int(0.95 * len(lengths))] <= 60
    for family in FAMILIES:
        mean = {
            level: sum(
                len(t.formal_statement + (t.proof or "")) for t in theorems if (t.family, t.level) == (family, level)
            )
            for level in LEVELS
        }
        assert mean[1] < mean[3] and mean[1] < mean[5], family


def test_filters_and_wrong_arguments() -> None:
    assert {t.family for t in load_suite("core", limit=30, families=["order"])} == {"order"}
    assert {t.level for t in load_suite("core", limit=30, levels=[2])} == {2}
    assert {t.family for t in load_suite("core-200", families=["sets"])} == {"sets"}
    assert len(load_suite("core-200", limit=5)) == 5
    with pytest.raises(ValueError, match="no suite 'nope'"):
        load_suite("nope")
    with pytest.raises(ValueError, match="no split 'dev'"):
        load_suite("core", "dev")
    with pytest.raises(ValueError, match="all of it is test"):
        load_suite("core-200", "train")
    with pytest.raises(ValueError, match="no family 'topology'"):
        load_suite("core", families=["topology"])
    with pytest.raises(ValueError, match="no level 9"):
        generate(0, level=9)


def test_summary_and_hash() -> None:
    about = summary()
    assert about["core"]["families"] == list(FAMILIES)
    assert about["core-200"]["theorems"] == 200
    theorems = load_suite("core-200")
    assert about["core-200"]["hash"] == suite_hash(theorems)
    assert suite_hash(theorems[:10]) != suite_hash(theorems[1:11])
    assert suite_hash(theorems[:10]) != suite_hash(theorems[9::-1])


# -- the normal form --------------------------------------------------------------------------------------------------


def _renamed(statement: str, rng: random.Random) -> str:
    """The same statement with other names for its variables and hypotheses."""
    names = ["p", "q", "r", "s", "a", "b", "c", "d", "e", "f", "g", "h", "h₁", "h₂", "h₃"]
    fresh = {name: f"v{i}" for i, name in enumerate(rng.sample(names, len(names)))}
    return re.sub(r"(?<![\w.])[a-z][₁₂₃]?(?![\w'₁₂₃])", lambda m: fresh.get(m.group(), m.group()), statement)


def test_the_key_does_not_see_names() -> None:
    rng = random.Random(0)
    theorems = [t for t in load_suite("core", "train", 300) if t.family in ("logic", "nat", "equality", "order")]
    changed = 0
    for theorem in theorems:
        other = _renamed(theorem.formal_statement, rng)
        changed += other != theorem.formal_statement
        assert normal_key(other) == normal_key(theorem.formal_statement), other
    assert changed == len(theorems)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("theorem a (p q : Prop) (h : p) (k : q) : p ∧ q", "theorem b (x y : Prop) (u : y) (v : x) : x ∧ y"),
        ("theorem a (p q : Prop) (h : p) (k : q) : p ∧ q", "theorem b (y : Prop) (x : Prop) (v : x) (u : y) : y ∧ x"),
        ("theorem a (p q : Prop) (h : p ∧ q) : q ∧ p", "theorem b (p q : Prop) : p ∧ q → q ∧ p"),
        ("theorem a (n : Nat) : n + 0 = n", "theorem b : ∀ k : Nat, k + 0 = k"),
        ("theorem a (n : Nat) (h : n < 5) : n < 9", "theorem b (m : Nat) (hm : m < 17) : m < 3"),
        (
            "theorem a {α : Type} (P : α → Prop) (h : ∀ x, P x) (a : α) : P a",
            "theorem b {β : Type} (Q : β → Prop) (z : β) (k : ∀ y, Q y) : Q z",
        ),
        (
            "theorem a {α : Type} (xs ys : List α) : (xs ++ ys).length = 0",
            "theorem b {γ : Type} (l m : List γ) : (l ++ m).length = 0",
        ),
        ("theorem a {α : Type} (A B : Set α) : (A ∪ B)ᶜ ⊆ Aᶜ", "theorem b {α : Type} (S T : Set α) : (S ∪ T)ᶜ ⊆ Sᶜ"),
        ("theorem a (p : Prop) : (p → p)", "theorem b (p : Prop) : p → p"),
    ],
)
def test_statements_equal_up_to_names_have_one_key(one: str, other: str) -> None:
    assert normal_key(one) == normal_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("theorem a (p q : Prop) (h : p ∧ q) : q ∧ p", "theorem a (p q : Prop) (h : p ∧ q) : p ∧ q"),
        ("theorem a (p q : Prop) (h : p → q) (k : p) : q", "theorem a (p q : Prop) (h : p → q) (k : q) : p"),
        ("theorem a (a b c : Nat) : a + b + c = c + b + a", "theorem a (a b c : Nat) : a + b + c = c + a + b"),
        ("theorem a (n : Nat) : n + 0 = n", "theorem a (n : Nat) : n + 1 = n"),
        ("theorem a (n : Nat) : n ≤ n", "theorem a (n : Nat) : n < n"),
        ("theorem a {α : Type} (xs : List α) : xs.length = 0", "theorem a {α : Type} (xs : List α) : xs.reverse = 0"),
        ("theorem a {α : Type} (A B : Set α) : A ⊆ Aᶜ", "theorem a {α : Type} (A B : Set α) : A ⊆ Bᶜ"),
        ("theorem a (p q : Prop) : (p → q) ↔ p", "theorem a (p q : Prop) : p → (q ↔ p)"),
        ("theorem a (f : Nat → Nat) : f 0 = 1", "theorem a (f : Nat → Prop) : f 0 = 1"),
    ],
)
def test_statements_that_differ_have_different_keys(one: str, other: str) -> None:
    assert normal_key(one) != normal_key(other)


# -- the simulation of rw ---------------------------------------------------------------------------------------------


def test_rewriting_takes_the_first_instance_and_all_its_copies() -> None:
    comm = Rule("Nat.add_comm", ("+", "?n", "?m"), ("+", "?m", "?n"), ("?n", "?m"))
    assert rewrite(read("a + b + (a + b)"), Step(comm)) == read("a + b + (a + b)")
    assert rewrite(read("a + b * (a + b)"), Step(comm, arguments=("a", "b"))) == read("a + b * (b + a)")
    assert rewrite(read("a * b"), Step(comm)) is None
    assert run(read("a + b = b + a"), [Step(comm)])
    assert not run(read("a + b = a + b + c"), [Step(comm)])


def test_the_simulation_agrees_with_lean(verifier: Verifier) -> None:
    """Proofs with a step turned, exchanged or moved: Lean passes what the simulation passes, and no other."""
    rng = random.Random(1)
    rules = (*algebra.MONOID, *algebra.COMMUTATIVE)
    theorems, proofs, foreseen = [], [], []
    while len(theorems) < 150:
        start = algebra.grow(rng, rng.randint(2, 4), ("a", "b", "c"), 0.1, 0.0)
        made = equation(rng, rules, start, rng.randint(1, 3), 15, 1)
        if made is None:
            continue
        goal, steps = made
        i = rng.randrange(len(steps))
        kind = rng.randrange(3)
        if kind == 0:
            steps[i] = Step(steps[i].rule, not steps[i].back)
        elif kind == 1:
            steps[i] = Step(rng.choice(rules))
        else:
            rng.shuffle(steps)
        statement = f"theorem goal {{M : Type}} [CommMonoid M] (a b c : M) : {show(goal)}"
        theorems.append(Theorem(f"t{len(theorems)}", statement))
        proofs.append(use(steps))
        foreseen.append(run(goal, steps))
    verdicts = _check(verifier, theorems, proofs)
    assert 20 < sum(foreseen) < 130
    differ = [(t.formal_statement, p, f) for t, p, f, v in zip(theorems, proofs, foreseen, verdicts) if v.proved != f]
    assert not differ
