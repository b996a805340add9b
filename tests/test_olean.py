"""The reader of `.olean` files, on Lean's own files, on damaged ones and on files that Lean would never write."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from olean_builder import Builder

from lean_gym.base_library import BaseLibrary, split_name
from lean_gym.core.build import core_library
from lean_gym.olean import IncompleteTerm, Kind, Olean, OleanError, Safety
from lean_gym.terms import APP, BVAR, CONST, LIT, Terms

SECONDS = 5.0
"""No file of these tests may take longer; the slowest takes a tenth of it."""


@functools.cache
def real(module: str = "Core.Logic") -> bytes:
    core = core_library(progress=False)
    return (core.root / (module.replace(".", "/") + ".olean")).read_bytes()


@functools.cache
def base() -> BaseLibrary:
    return BaseLibrary(["Core"], core_library(progress=False).search_path)


def read_all(data: bytes) -> Olean:
    """Read every constant."""
    olean = Olean(data, Terms())
    for name in olean:
        olean.constant(name)
        olean.uses(name)
    return olean


def refused(data: bytes, kind: type[OleanError] = OleanError) -> str:
    started = time.perf_counter()
    with pytest.raises(kind) as caught:
        read_all(data)
    assert time.perf_counter() - started < SECONDS
    return str(caught.value)


def one(build: Callable[[Builder], int]) -> bytes:
    """A module with one theorem whose value is what `build` gives."""
    builder = Builder(real())
    return builder.finish([builder.theorem("t", builder.sort(), build(builder))])


# Lean's own files


def test_header() -> None:
    olean = Olean(real(), Terms())
    library = core_library(progress=False).library
    assert olean.version == library.version
    assert olean.githash == library.githash
    assert olean.flags == 1
    assert not olean.is_module


def test_core_is_read_whole() -> None:
    library = base()
    kinds: dict[Kind, int] = {}
    for module in library.modules.values():
        for name in module:
            constant = module.constant(name)
            kinds[constant.kind] = kinds.get(constant.kind, 0) + 1
            assert constant.name == name
            assert library.terms.is_closed(constant.type)
            assert library.kind(name) is constant.kind
            valued = constant.kind in (Kind.DEFINITION, Kind.THEOREM, Kind.OPAQUE)
            assert (constant.value is not None) == valued
    assert set(kinds) == set(Kind)
    assert kinds[Kind.THEOREM] > 100


def test_constants_of_core() -> None:
    library = base()
    terms = library.terms

    def get(*name: str):  # type: ignore[no-untyped-def]
        number = terms.name(*name)
        return next(m.constant(number) for m in library.modules.values() if number in m)

    conj = get("And")
    assert conj.kind is Kind.INDUCTIVE
    assert [terms.show(c) for c in conj.ctors] == ["And.intro"]
    assert conj.counts[0] == 2  # parameters
    intro = get("And", "intro")
    assert (intro.kind, terms.show(intro.induct), intro.counts) == (Kind.CONSTRUCTOR, "And", (0, 2, 2))
    assert get("And", "rec").kind is Kind.RECURSOR
    assert get("propext").kind is Kind.AXIOM
    assert get("Quot", "lift").kind is Kind.QUOT
    assert [terms.show(p) for p in get("Eq").level_params] == ["u_1"] or len(get("Eq").level_params) == 1
    assert get("lcProof").safety is Safety.UNSAFE
    # Not : Prop → Prop, its value fun a => a → False.
    assert [terms.exprs[part][0] for part in (get("Not").type, get("Not").value)] == [7, 6]


def test_axioms_of_core() -> None:
    library = base()
    terms = library.terms

    def axioms(*name: str) -> list[str]:
        number = terms.name(*name)
        assert number in library
        return sorted(terms.show(a) for a in library.axioms.get(number, ()))

    assert axioms("And", "intro") == []
    assert axioms("propext") == ["propext"]
    assert axioms("funext") == ["Quot.sound"]
    assert axioms("sorryAx") == ["sorryAx"]
    assert axioms("Classical", "em") == ["Classical.choice", "Quot.sound", "propext"]


def test_missing_module() -> None:
    with pytest.raises(FileNotFoundError, match=r"No\.Such\.Module"):
        BaseLibrary(["No.Such.Module"], core_library(progress=False).search_path)


def test_split_name() -> None:
    assert split_name("Foo.bar") == ("Foo", "bar")
    assert split_name("_root_.goal") == ("goal",)
    assert split_name("«a.b».c") == ("a.b", "c")
    assert split_name("a.«b c»") == ("a", "b c")


# Terms


def test_equal_terms_have_equal_numbers() -> None:
    builder = Builder(real())
    first = builder.app(builder.const("f"), builder.bvar(0))
    second = builder.app(builder.const("f"), builder.bvar(0))
    marked = builder.obj(10, [1, second], bytes(8))
    named = [builder.obj(6, [builder.name(name), builder.sort(), body], bytes([info]) + bytes(15))
             for name, body, info in (("x", first, 0), ("y", marked, 1))]  # fmt: skip
    data = builder.finish(
        [builder.theorem(name, builder.sort(), value) for name, value in zip("ab", named, strict=True)]
    )
    olean = read_all(data)
    a, b = (olean.constant(olean.terms.name(name)) for name in "ab")
    assert a.value == b.value


def test_terms_roll_back() -> None:
    terms = Terms()
    terms.name("kept", "name")
    mark = terms.mark()
    before = (len(terms), list(terms.names))
    numbers = []
    for _ in range(2):
        olean = Olean(one(lambda b: b.app(b.const("f", b.param("u")), b.nat(7))), terms)
        numbers.append(olean.constant(terms.name("t")))
        terms.rollback(mark)
        assert (len(terms), terms.names) == before
    assert numbers[0] == numbers[1]


def test_literals_and_names() -> None:
    big = (1 << 70) + 5

    def build(b: Builder) -> int:
        limbs = [big & (1 << 64) - 1, big >> 64]
        mpz = b.raw(250 << 56, 2 << 32 | 2, 0, *limbs)
        text = b.obj(9, [b.obj(1, [b.string("∀ x")])], bytes(8))
        return b.app(b.nat(3), b.obj(9, [b.obj(0, [mpz])], bytes(8)), text)

    olean = read_all(one(build))
    exprs = olean.terms.exprs
    assert (LIT, 3) in exprs
    assert (LIT, big) in exprs
    assert (LIT, "∀ x") in exprs
    terms = Terms()
    assert terms.name("a", 1) != terms.name("a", "1")
    assert terms.show(terms.name("a", "b c", 1)) == "a.«b c».1"


def test_loose_range_and_own_constants() -> None:
    terms = Terms()
    terms.base = {terms.name("Nat")}
    nat, own = terms.add_expr((CONST, terms.name("Nat"))), terms.add_expr((CONST, terms.name("mine")))
    variable = terms.add_expr((BVAR, 1))
    open_ = terms.add_expr((APP, nat, variable))
    assert [terms.info[e] for e in (nat, own, variable, open_)] == [0, 1, 4, 4]
    once = terms.add_expr((6, nat, open_))
    twice = terms.add_expr((6, own, once))
    assert [terms.info[e] for e in (once, twice)] == [2, 1]
    assert terms.is_closed(twice)
    assert not terms.is_closed(once)


# Damaged files


@pytest.mark.parametrize("data", [b"", b"olean", b"olean\x02", b"x" * 200, bytes(4096)])
def test_no_olean(data: bytes) -> None:
    assert "olean" in refused(data)


def test_other_versions() -> None:
    data = bytearray(real())
    data[5] = 3
    assert "version 3" in refused(bytes(data))


def test_cut_anywhere() -> None:
    data = one(lambda b: b.app(b.const("f", b.succ(b.param("u"))), b.nat(7)))
    for size in range(len(data)):
        refused(data[:size])
    read_all(data)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_changed_bytes(data: st.DataObject) -> None:
    """Whatever is changed, the file is read or refused, with no other exception."""
    file = bytearray(small())
    for _ in range(data.draw(st.integers(1, 4))):
        file[data.draw(st.integers(0, len(file) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(OleanError):
        read_all(bytes(file))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_changed_words(data: st.DataObject) -> None:
    """The same with whole words, which hit addresses and counts."""
    file = bytearray(small())
    words = len(file) // 8
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(10, words - 1))
        other = data.draw(st.integers(0, words - 1))
        word = data.draw(st.sampled_from([0, 1, 3, 8 * other, 8 * other + 4, (1 << 64) - 1, 1 << 63, 1 << 32]))
        file[8 * at : 8 * at + 8] = word.to_bytes(8, "little")
    started = time.perf_counter()
    with contextlib.suppress(OleanError):
        read_all(bytes(file))
    assert time.perf_counter() - started < SECONDS


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=2000))
def test_random_bytes(noise: bytes) -> None:
    refused(real()[:88] + noise)


@functools.cache
def small() -> bytes:
    b = Builder(real())
    nat = b.const("Nat")
    value = b.lam(
        nat, b.let(nat, b.nat(3), b.app(b.const("f", b.succ(b.param("u"))), b.bvar(0), b.proj("P", 0, b.bvar(1))))
    )
    return b.finish(
        [
            b.theorem("t", b.pi(nat, nat), value, ["u"]),
            b.definition("d", nat, value),
            b.inductive("I", b.sort(), ["I.mk"]),
            b.constructor("I.mk", b.const("I"), "I"),
            b.recursor("I.rec", nat, ["I"]),
            b.opaque("o", nat, value),
            b.axiom("a", nat),
            b.quot("q", nat),
        ]
    )


# Files that Lean would never write


def test_loops() -> None:
    b = Builder(real())
    loop = b.app(b.sort(), b.sort())
    b.set_word(loop + 8, loop)
    assert "before" in refused(b.finish([b.theorem("t", b.sort(), loop)]))
    b = Builder(real())
    name = b.name("x")
    b.set_word(name + 8, name)
    refused(b.finish([b.obj(2, [b.obj(0, [b.obj(0, [name, 1, b.sort()]), b.sort(), 1])])]))
    b = Builder(real())
    cell = b.list([b.name("u")])
    b.set_word(cell + 16, cell)
    refused(b.finish([b.obj(2, [b.obj(0, [b.obj(0, [b.name("t"), cell, b.sort()]), b.sort(), 1])])]))


def test_forward_address() -> None:
    b = Builder(real())
    early = b.app(b.sort(), b.sort())
    late = b.sort()
    b.set_word(early + 16, late)
    assert "before" in refused(b.finish([b.theorem("t", b.sort(), early)]))


@pytest.mark.parametrize("word", [0, 2, 8, 88, 4, 1 << 40, (1 << 64) - 8, (1 << 63) + 96, 7, 99])
def test_wild_addresses(word: int) -> None:
    def build(b: Builder) -> int:
        expr = b.app(b.sort(), b.sort())
        b.set_word(expr + 8, word)
        return expr

    refused(one(build))


@pytest.mark.parametrize("count", [1 << 20, 1 << 40, (1 << 64) - 1, 1 << 61])
def test_huge_counts(count: int) -> None:
    b = Builder(real())
    items = b.array([])
    b.set_word(items + 8, count)
    refused(b.root(b.obj(0, [items, items, items, items, items], bytes(1))))
    b = Builder(real())
    text = b.string("x")
    b.set_word(text + 8, count)
    name = b.obj(1, [1, text], bytes(8))
    refused(b.finish([b.obj(2, [b.obj(0, [b.obj(0, [name, 1, b.sort()]), b.sort(), 1])])]))
    b = Builder(real())
    number = b.raw(250 << 56, count << 32 & (1 << 64) - 1 | 1, 0, 1)
    if count % (1 << 32):
        refused(b.finish([b.theorem("t", b.sort(), b.obj(9, [b.obj(0, [number])], bytes(8)))]))


def test_shifted_tags() -> None:
    for tag in (*range(12, 20), 244, 246, 249, 250, 255):
        refused(one(lambda b, tag=tag: b.raw(tag << 56 | 2 << 48 | 32 << 32, b.sort(), b.sort(), 0)))  # type: ignore[misc]


def test_sizes_that_do_not_fit_the_tag() -> None:
    refused(one(lambda b: b.raw(5 << 56 | 3 << 48 | 32 << 32, b.sort(), b.sort(), 0)))
    refused(one(lambda b: b.raw(5 << 56 | 2 << 48 | 40 << 32, b.sort(), b.sort(), 0)))


def test_shared_terms_are_read_once() -> None:
    """2^20000 nodes when written out."""

    def build(b: Builder) -> int:
        term = b.const("f")
        for _ in range(20_000):
            term = b.app(term, term)
        return term

    started = time.perf_counter()
    assert len(read_all(one(build)).terms.exprs) > 20_000
    assert time.perf_counter() - started < SECONDS


def test_deep_terms() -> None:
    def build(b: Builder) -> int:
        term = b.const("f")
        for _ in range(50_000):
            term = b.lam(b.sort(), term)
        return term

    read_all(one(build))


def test_deep_names_and_levels() -> None:
    def deep_name(b: Builder) -> int:
        return b.obj(4, [b.name(*["x"] * 10_000), 1], bytes(8))

    def deep_level(b: Builder) -> int:
        level = 1
        for _ in range(50_000):
            level = b.succ(level)
        return b.sort(level)

    assert "components" in refused(one(deep_name))
    assert "deep" in refused(one(deep_level))


def test_overlapping_objects_cost_no_quadratic_time() -> None:
    def lists(b: Builder) -> int:
        """Constants that share the tails of one long list of levels."""
        cells, rest = [], 1
        for _ in range(8000):
            rest = b.obj(1, [1, rest])
            cells.append(rest)
        name, term = b.name("f"), b.sort()
        for cell in cells:
            term = b.app(term, b.obj(4, [name, cell], bytes(8)))
        return term

    assert "overlap" in refused(one(lists))


def test_strings_must_be_utf8() -> None:
    for text in (b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"a\xe2\x88"):
        refused(one(lambda b, text=text: b.obj(4, [b.obj(1, [1, b.string(text)], bytes(8)), 1], bytes(8))))  # type: ignore[misc]


def test_open_terms_are_incomplete() -> None:
    for tag in (1, 2):
        message = refused(one(lambda b, tag=tag: b.obj(tag, [b.name("m")], bytes(8))), IncompleteTerm)  # type: ignore[misc]
        assert "variable" in message
    refused(one(lambda b: b.sort(b.obj(5, [b.name("u")], bytes(8)))), IncompleteTerm)


def test_bound_variable_out_of_range() -> None:
    refused(one(lambda b: b.bvar(1 << 30)))
    refused(one(lambda b: b.proj("And", 1 << 40, b.sort())))


def test_list_of_names_is_checked() -> None:
    b = Builder(real())
    twice = b.theorem("t", b.sort(), b.sort())
    assert "wrong at t" in refused(b.finish([twice, twice]))
    b = Builder(real())
    constant, empty = b.theorem("t", b.sort(), b.sort()), b.array([])
    parts = [empty, b.array([b.name("other")]), b.array([constant]), empty, empty]
    assert "wrong at t" in refused(b.root(b.obj(0, parts, bytes(1))))
    parts[1] = empty
    assert "length" in refused(b.root(b.obj(0, parts, bytes(1))))
