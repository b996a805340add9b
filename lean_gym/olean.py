"""Reader of Lean's compiled modules (`.olean`), as data: nothing of a file is run, mapped or trusted.

Layout (Lean 4.35, little-endian words of 64 bits): a header of 88 bytes (`olean`, format version, flags, Lean's
version, its commit, base address), the address of the root object, then the objects. An object starts with a word
`tag | fields | size | count`. An address is odd for a small value, else the base address plus the object's place in
the file. Lean writes an object after all that it refers to, so every address must point backwards: this one check
rules out loops.

Hashes and flags that are stored in the file are never read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from .olean_objects import TermReader, object_word
from .terms import CONST, PROJ, IncompleteTerm, OleanError, Terms

__all__ = ["Constant", "IncompleteTerm", "Kind", "Olean", "OleanError", "Safety", "Terms"]

_HINT_REGULAR = object_word(2, 0, 8)


class Kind(str, Enum):
    """What a constant is (`Lean.ConstantInfo`)."""

    AXIOM = "axiom"
    DEFINITION = "def"
    THEOREM = "theorem"
    OPAQUE = "opaque"
    QUOT = "quot"
    INDUCTIVE = "inductive"
    CONSTRUCTOR = "constructor"
    RECURSOR = "recursor"


class Safety(str, Enum):
    """`Lean.DefinitionSafety`; constants with a flag `isUnsafe` are SAFE or UNSAFE."""

    UNSAFE = "unsafe"
    SAFE = "safe"
    PARTIAL = "partial"


_SHAPES = (  # by tag of ConstantInfo: kind, first word of its value object
    (Kind.AXIOM, object_word(0, 1, 8)),
    (Kind.DEFINITION, object_word(0, 4, 8)),
    (Kind.THEOREM, object_word(0, 3)),
    (Kind.OPAQUE, object_word(0, 3, 8)),
    (Kind.QUOT, object_word(0, 1, 8)),
    (Kind.INDUCTIVE, object_word(0, 6, 8)),
    (Kind.CONSTRUCTOR, object_word(0, 5, 8)),
    (Kind.RECURSOR, object_word(0, 7, 8)),
)
_SAFETIES = (Safety.UNSAFE, Safety.SAFE, Safety.PARTIAL)


@dataclass(frozen=True)
class Constant:
    """One constant of a module; every `int` is a number in the module's `Terms` unless said otherwise.

    Attributes:
        hints: of a definition: -1 opaque, -2 abbrev, else its height.
        all: names of the mutual block (of the inductive types, for an inductive type or recursor).
        ctors: of an inductive type. `induct`: the type of a constructor.
        counts: plain numbers. Inductive: parameters, indices, nested types, is recursive, is reflexive; constructor:
            its index, parameters, fields; recursor: parameters, indices, motives, minor premises, supports K.
    """

    name: int
    kind: Kind
    level_params: tuple[int, ...]
    type: int
    value: int | None = None
    safety: Safety = Safety.SAFE
    hints: int = -1
    all: tuple[int, ...] = ()
    ctors: tuple[int, ...] = ()
    induct: int = 0
    counts: tuple[int, ...] = ()


class Olean(TermReader):
    """A module. Its header and list of constants are read at once, a constant when it is asked for.

    Attributes (beside those of `TermReader`):
        is_module: compiled under the module system (its private parts are in other files: not supported by the audit).
        imports: (module name, import all, exported, meta), as written.

    Args:
        data: the whole file. It must not change while the reader lives.
        terms: the table that names and expressions go to.

    Raises:
        OleanError: see there; also from the methods.
    """

    def __init__(self, data: bytes, terms: Terms) -> None:
        super().__init__(data, terms)
        self._read: dict[int, Constant] = {}
        try:
            self._read_module()
        except IndexError:
            raise OleanError(f"an object reaches beyond the end of the file (Lean {self.version})") from None

    def __contains__(self, name: int) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def constant(self, name: int) -> Constant:
        """Read one constant. Raises `KeyError` when the module has none of this name."""
        found = self._read.get(name)
        if found is None:
            place = self._places[name]
            try:
                found = self._read[name] = self._constant(place)
            except IndexError:
                raise OleanError("an object reaches beyond the end of the file") from None
        return found

    def constant_kind(self, name: int) -> Kind:
        """Kind of a constant, without reading it. Raises `KeyError` when the module has none of this name."""
        return _SHAPES[self._info(self._places[name])[0]][0]

    def uses(self, name: int) -> set[int]:
        """Names of the constants that a constant mentions, found without reading its terms into the table.

        Of an inductive type also its constructors, of a constructor its type.
        """
        try:
            return self._mentions(self._places[name])
        except IndexError:
            raise OleanError("an object reaches beyond the end of the file") from None

    # The module

    def _read_module(self) -> None:
        words = self._words
        root = self._at(words[11], len(words))
        if words[root] != object_word(0, 5, 8):
            raise OleanError(f"the root object is no module as Lean 4.35 writes it (Lean {self.version})")
        self.is_module = bool(words[root + 6] & 255)
        imports = []
        for item in self._array(words[root + 1], root):
            at = self._at(item, root)
            if words[at] != object_word(0, 1, 8):
                raise OleanError(f"no import at 0x{at * 8:x}")
            scalars = words[at + 2]
            flags = (bool(scalars & 255), bool(scalars >> 8 & 255), bool(scalars >> 16 & 255))
            imports.append((self._name(words[at + 1], at), *flags))
        self.imports = tuple(imports)
        listed = self._array(words[root + 2], root)
        infos = self._array(words[root + 3], root)
        if len(listed) != len(infos):
            raise OleanError("the lists of constants and of their names differ in length")
        self._places: dict[int, int] = {}
        for address, info in zip(listed, infos, strict=True):
            place = self._at(info, root)
            _, val = self._info(place)
            head = self._at(words[val + 1], val)
            if words[head] != object_word(0, 3):
                raise OleanError(f"no constant at 0x{head * 8:x}")
            name = self._name(words[head + 1], head)
            if name != self._name(address, root) or name in self._places:
                raise OleanError(f"the list of constants is wrong at {self.terms.show(name)}")
            self._places[name] = place

    def _info(self, place: int) -> tuple[int, int]:
        """Tag of the `ConstantInfo` at `place` and the word index of its value object."""
        words = self._words
        tag = words[place] >> 56
        if tag >= len(_SHAPES) or words[place] != object_word(tag, 1):
            raise OleanError(f"no constant at 0x{place * 8:x}")
        val = self._at(words[place + 1], place)
        if words[val] != _SHAPES[tag][1]:
            raise OleanError(f"no {_SHAPES[tag][0].value} at 0x{val * 8:x}")
        return tag, val

    def _constant(self, place: int) -> Constant:
        words = self._words
        tag, val = self._info(place)
        kind = _SHAPES[tag][0]
        head = self._at(words[val + 1], val)
        name = self._name(words[head + 1], head)
        params = self._name_list(words[head + 2], head)
        type_ = self._expr(words[head + 3], head)
        if kind is Kind.THEOREM:
            return Constant(
                name, kind, params, type_, self._expr(words[val + 2], val), all=self._name_list(words[val + 3], val)
            )
        if kind is Kind.DEFINITION:
            value = self._expr(words[val + 2], val)
            number = words[val + 5] & 255
            if number > 2:
                raise OleanError("a definition's safety is none that Lean has")
            safety, hints = _SAFETIES[number], self._hints(words[val + 3], val)
            return Constant(name, kind, params, type_, value, safety, hints, self._name_list(words[val + 4], val))
        if kind is Kind.OPAQUE:
            value = self._expr(words[val + 2], val)
            names = self._name_list(words[val + 3], val)
            return Constant(name, kind, params, type_, value, self._safety(words[val + 4] & 255), all=names)
        if kind is Kind.AXIOM:
            return Constant(name, kind, params, type_, safety=self._safety(words[val + 2] & 255))
        if kind is Kind.QUOT:
            return Constant(name, kind, params, type_, counts=(words[val + 2] & 255,))
        if kind is Kind.INDUCTIVE:
            flags = words[val + 7]
            counts = (*(self._count(words[val + i]) for i in (2, 3, 6)), flags & 255, flags >> 16 & 255)
            return Constant(
                name, kind, params, type_, safety=self._safety(flags >> 8 & 255), counts=counts,
                all=self._name_list(words[val + 4], val), ctors=self._name_list(words[val + 5], val),
            )  # fmt: skip
        if kind is Kind.CONSTRUCTOR:
            counts = tuple(self._count(words[val + i]) for i in (3, 4, 5))
            safety, induct = self._safety(words[val + 6] & 255), self._name(words[val + 2], val)
            return Constant(name, kind, params, type_, safety=safety, induct=induct, counts=counts)
        flags = words[val + 8]
        counts = (*(self._count(words[val + i]) for i in (3, 4, 5, 6)), flags & 255)
        names = self._name_list(words[val + 2], val)
        return Constant(name, kind, params, type_, safety=self._safety(flags >> 8 & 255), all=names, counts=counts)

    def _mentions(self, place: int) -> set[int]:
        words = self._words
        tag, val = self._info(place)
        kind = _SHAPES[tag][0]
        roots = [self._at(words[self._at(words[val + 1], val) + 3], val)]
        result: set[int] = set()
        if kind in (Kind.DEFINITION, Kind.THEOREM, Kind.OPAQUE):
            roots.append(self._at(words[val + 2], val))
        elif kind is Kind.INDUCTIVE:
            result.update(self._name_list(words[val + 4], val), self._name_list(words[val + 5], val))
        elif kind is Kind.CONSTRUCTOR:
            result.add(self._name(words[val + 2], val))
        seen: set[int] = set()
        self._reach(roots, seen, {})
        for at in seen:
            if words[at] == object_word(CONST, 2, 8) or words[at] == object_word(PROJ, 3, 8):
                result.add(self._name(words[at + 1], at))
        return result

    # Parts of a constant

    @staticmethod
    def _safety(is_unsafe: int) -> Safety:
        return Safety.UNSAFE if is_unsafe else Safety.SAFE

    def _count(self, address: int) -> int:
        if not address & 1 or address >> 33:
            raise OleanError("a count is out of range")
        return address >> 1

    def _hints(self, address: int, before: int) -> int:
        if address in (1, 3):
            return -1 if address == 1 else -2
        at = self._at(address, before)
        if self._words[at] != _HINT_REGULAR:
            raise OleanError(f"no reducibility hints at 0x{at * 8:x}")
        return self._words[at + 1] & 0xFFFFFFFF
