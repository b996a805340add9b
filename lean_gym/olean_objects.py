"""The objects of an `.olean` file, and the names, levels and expressions among them. See `olean` for the layout."""

from __future__ import annotations

from .terms import (
    APP,
    BINDERS,
    BVAR,
    CONST,
    LAM,
    LET,
    LIT,
    MAX_LOOSE,
    MAX_NAME_DEPTH,
    MAX_NUMERAL_BITS,
    MDATA,
    MVAR,
    PARAM,
    PI,
    PROJ,
    SORT,
    SUCC,
    IncompleteTerm,
    OleanError,
    Terms,
)  # fmt: skip

__all__ = ["TermReader", "object_word"]

_START = 96  # first byte after the root address
_ARRAY, _STRING, _BIGNUM = 246, 249, 250


def object_word(tag: int, fields: int, scalars: int = 0) -> int:
    """First word of a constructor object in a file."""
    return tag << 56 | fields << 48 | (8 + 8 * fields + scalars) << 32


# By an object's first word: the kind of expression or level.
_EXPR = {
    object_word(kind, fields, 16 if kind in (LAM, PI, LET) else 8): kind
    for kind, fields in zip(range(12), (1, 1, 1, 1, 2, 2, 3, 3, 4, 1, 2, 3), strict=True)
}
_LEVEL = {object_word(kind, fields, 8): kind for kind, fields in zip(range(1, 6), (1, 2, 2, 1, 1), strict=True)}
_NAME_STR, _NAME_NUM = object_word(1, 2, 8), object_word(2, 2, 8)
_CONS, _LIT_NAT, _LIT_STR = object_word(1, 2), object_word(0, 1), object_word(1, 1)
_ARRAY_WORD = _ARRAY << 56 | 1 << 32
_STRING_WORD = _STRING << 56 | 1 << 32


class TermReader:
    """Typed access to the objects of a file. Every address is checked before it is followed; nothing recurses.

    Attributes:
        terms: the table that names and expressions go to.
        version: of Lean, e.g. "4.35.0"; `githash`: its commit.
        flags: bit 0: big numbers in GMP's layout.
        mentioned: names of all constants mentioned by what has been read so far.

    Raises:
        OleanError: see there; also from the methods, which raise `IndexError` where an object reaches beyond the file.
    """

    def __init__(self, data: bytes, terms: Terms) -> None:
        self.terms = terms
        self.mentioned: set[int] = set()
        if len(data) < _START or data[:5] != b"olean":
            raise OleanError("the file does not start with Lean's mark `olean`")
        self.version = data[7:40].rstrip(b"\0").decode("ascii", "replace")
        self.githash = data[40:80].rstrip(b"\0").decode("ascii", "replace")
        self.flags = data[6]
        if data[5] != 2:
            raise OleanError(f"format version {data[5]} is not known (2 is)")
        if len(data) % 8:
            raise OleanError("the file is cut off: its length is no multiple of 8")
        self._words = memoryview(data).cast("Q")
        self._bytes = data
        self._base = self._words[10]
        if self._base % 8:
            raise OleanError("the base address is not aligned")
        # Objects that overlap could make the reader do quadratic work; those of an honest file don't.
        self._budget = 4 * len(self._words) + 1024
        self._names: dict[int, int] = {}
        self._levels: dict[int, int] = {}
        self._exprs: dict[int, int] = {}
        self._strings: dict[int, str] = {}

    def _at(self, address: int, before: int) -> int:
        """Word index of the object at an address, which must lie before the word index `before`."""
        place = address - self._base
        if place & 7 or not _START <= place < before * 8:
            raise OleanError(f"an address points outside the objects before it (0x{address:x} at 0x{before * 8:x})")
        return place >> 3

    def _spend(self, words: int) -> None:
        self._budget -= words
        if self._budget < 0:
            raise OleanError("the file's objects overlap")

    def _array(self, address: int, before: int) -> list[int]:
        at = self._at(address, before)
        size = self._words[at + 1]
        if self._words[at] != _ARRAY_WORD or size > before - at - 3:
            raise OleanError(f"no array at 0x{at * 8:x}")
        self._spend(size)
        return [int(word) for word in self._words[at + 3 : at + 3 + size]]

    def _list(self, address: int, before: int) -> list[tuple[int, int]]:
        """Elements of a `List`: each an address, and the word index of the cell it was found in."""
        words = self._words
        items: list[tuple[int, int]] = []
        while address != 1:
            before = self._at(address, before)
            if words[before] != _CONS:
                raise OleanError(f"no list at 0x{before * 8:x}")
            items.append((words[before + 1], before))
            address = words[before + 2]
        self._spend(len(items))
        return items

    def _name_list(self, address: int, before: int) -> tuple[int, ...]:
        return tuple(self._name(item, at) for item, at in self._list(address, before))

    def _name(self, address: int, before: int) -> int:
        if address == 1:
            return 0
        at = self._at(address, before)
        names = self._names
        found = names.get(at)
        if found is not None:
            return found
        words = self._words
        chain = []
        while True:
            if words[at] != _NAME_STR and words[at] != _NAME_NUM:
                raise OleanError(f"no name at 0x{at * 8:x}")
            chain.append(at)
            if len(chain) > MAX_NAME_DEPTH:
                raise OleanError(f"a name has more than {MAX_NAME_DEPTH} components")
            address = words[at + 1]
            if address == 1:
                found = 0
                break
            at = self._at(address, at)
            found = names.get(at)
            if found is not None:
                break
        for at in reversed(chain):
            last = words[at + 2]
            part: str | int = self._string(last, at) if words[at] == _NAME_STR else self._nat(last, at)
            found = names[at] = self.terms.add_name(found, part)
        return found

    def _string(self, address: int, before: int) -> str:
        at = self._at(address, before)
        found = self._strings.get(at)
        if found is None:
            words = self._words
            size = words[at + 1]
            if words[at] != _STRING_WORD or not 0 < size <= (before - at - 4) * 8:
                raise OleanError(f"no string at 0x{at * 8:x}")
            self._spend(size >> 3)
            raw = self._bytes[at * 8 + 32 : at * 8 + 32 + size]
            try:
                found = raw[:-1].decode()
            except UnicodeDecodeError:
                raise OleanError(f"the string at 0x{at * 8:x} is not UTF-8") from None
            if raw[-1] or words[at + 3] != len(found):
                raise OleanError(f"no string at 0x{at * 8:x}")
            self._strings[at] = found
        return found

    def _nat(self, address: int, before: int) -> int:
        if address & 1:
            return address >> 1
        at = self._at(address, before)
        words = self._words
        # GMP's layout: an object word, capacity (low half) and limb count (high half), an address, the limbs.
        limbs = words[at + 1] >> 32
        if words[at] & ~(0xFFFF << 32) != _BIGNUM << 56 or not self.flags & 1 or limbs > before - at - 3:
            raise OleanError(f"no natural number at 0x{at * 8:x}")
        if limbs * 64 > MAX_NUMERAL_BITS:
            raise OleanError(f"a numeral has more than {MAX_NUMERAL_BITS} bits")
        self._spend(limbs)
        return int.from_bytes(self._bytes[at * 8 + 24 : at * 8 + 24 + limbs * 8], "little")

    def _level(self, address: int, before: int) -> int:
        if address == 1:
            return 0
        top = self._at(address, before)
        levels = self._levels
        if top in levels:
            return levels[top]
        words = self._words
        todo, seen = [top], set()
        while todo:
            at = todo.pop()
            if at in levels or at in seen:
                continue
            seen.add(at)
            kind = _LEVEL.get(words[at])
            if kind is None:
                raise OleanError(f"no universe level at 0x{at * 8:x}")
            if kind < PARAM:
                children = (words[at + 1],) if kind == SUCC else (words[at + 1], words[at + 2])
                todo += [self._at(child, at) for child in children if child != 1]
        for at in sorted(seen):
            kind = _LEVEL[words[at]]
            if kind == PARAM:
                key: tuple[int, ...] = (PARAM, self._name(words[at + 1], at))
            elif kind > PARAM:
                raise IncompleteTerm("a universe level holds a metavariable")
            else:
                children = (words[at + 1],) if kind == SUCC else (words[at + 1], words[at + 2])
                key = (kind, *(0 if child == 1 else levels[(child - self._base) >> 3] for child in children))
            levels[at] = self.terms.add_level(key)
        return levels[top]

    # Expressions. Two passes without recursion: which objects are reached, then each from the first in the file to the
    # last, when all its parts are there already.

    def _reach(self, todo: list[int], seen: set[int], known: dict[int, int]) -> None:
        """Add to `seen` the word indices of all expressions under those in `todo` that are not in `known`."""
        words, base, kinds, add, push = self._words, self._base, _EXPR, seen.add, todo.append
        while todo:
            at = todo.pop()
            if at in seen or at in known:
                continue
            add(at)
            kind = kinds.get(words[at])
            if kind == APP:
                a, b = words[at + 1] - base, words[at + 2] - base
            elif kind in BINDERS:
                a, b = words[at + 2] - base, words[at + 3] - base
            elif kind == LET:
                a, b = words[at + 2] - base, words[at + 3] - base
                push(self._at(words[at + 4], at))
            elif kind == MDATA:
                a = b = words[at + 2] - base
            elif kind == PROJ:
                a = b = words[at + 3] - base
            elif kind is None:
                raise OleanError(f"no expression at 0x{at * 8:x}")
            else:
                continue
            end = at * 8
            if a & 7 or b & 7 or not (_START <= a < end and _START <= b < end):
                raise OleanError(f"an address points outside the objects before it (at 0x{end:x})")
            push(a >> 3)
            push(b >> 3)

    def _expr(self, address: int, before: int) -> int:
        top = self._at(address, before)
        known = self._exprs
        if top in known:
            return known[top]
        seen: set[int] = set()
        self._reach([top], seen, known)
        words, base, add, ids = self._words, self._base, self.terms.add_expr, self.terms._expr_ids
        for at in sorted(seen):
            kind = _EXPR[words[at]]
            if kind == APP:
                key: tuple[int, ...] = (APP, known[(words[at + 1] - base) >> 3], known[(words[at + 2] - base) >> 3])
            elif kind in BINDERS:
                key = (kind, known[(words[at + 2] - base) >> 3], known[(words[at + 3] - base) >> 3])
            elif kind == MDATA:
                known[at] = known[(words[at + 2] - base) >> 3]
                continue
            else:
                key = self._leaf(kind, at)
            found = ids.get(key)
            known[at] = add(key) if found is None else found
        return known[top]

    def _leaf(self, kind: int, at: int) -> tuple[int, ...]:
        """The rarer kinds of expression, as a key for `Terms.add_expr`."""
        words, base, known = self._words, self._base, self._exprs
        if kind == CONST:
            name = self._name(words[at + 1], at)
            self.mentioned.add(name)
            if words[at + 2] == 1:
                return (CONST, name)
            return (CONST, name, *(self._level(item, cell) for item, cell in self._list(words[at + 2], at)))
        if kind == BVAR:
            return (BVAR, self._nat(words[at + 1], at))
        if kind == SORT:
            return (SORT, self._level(words[at + 1], at))
        if kind == LET:
            return (LET, *(known[(words[at + i] - base) >> 3] for i in (2, 3, 4)))
        if kind == PROJ:
            name = self._name(words[at + 1], at)
            self.mentioned.add(name)
            index = self._nat(words[at + 2], at)
            if index >= MAX_LOOSE:
                raise OleanError("a projection's field number is out of range")
            return (PROJ, name, index, known[(words[at + 3] - base) >> 3])
        if kind == LIT:
            lit = self._at(words[at + 1], at)
            if words[lit] == _LIT_NAT:
                return (LIT, self._nat(words[lit + 1], lit))
            if words[lit] == _LIT_STR:
                return (LIT, self._string(words[lit + 1], lit))  # type: ignore[return-value]
            raise OleanError(f"no literal at 0x{lit * 8:x}")
        raise IncompleteTerm("a term holds a metavariable" if kind == MVAR else "a term holds a free variable")
