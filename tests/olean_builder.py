"""Write `.olean` files by hand: what Lean would never write, for the tests of the reader and of the audit."""

from __future__ import annotations

import struct
from collections.abc import Sequence


class Builder:
    """Objects in the order in which they are made; addresses are places in the file (base address 0).

    Args:
        like: a real file, whose header (version, commit, flags) is taken.
    """

    def __init__(self, like: bytes) -> None:
        self._data = bytearray(like[:80]) + bytes(16)

    def raw(self, *words: int) -> int:
        """An object of any words."""
        place = len(self._data)
        self._data += struct.pack(f"<{len(words)}Q", *words)
        return place

    def obj(self, tag: int, fields: Sequence[int], scalars: bytes = b"") -> int:
        """A constructor object."""
        scalars += bytes(-len(scalars) % 8)
        head = tag << 56 | len(fields) << 48 | (8 + 8 * len(fields) + len(scalars)) << 32
        place = self.raw(head, *fields)
        self._data += scalars
        return place

    def set_word(self, place: int, word: int) -> None:
        """Change a word that is written already."""
        struct.pack_into("<Q", self._data, place, word)

    def string(self, text: str | bytes) -> int:
        data = text.encode() if isinstance(text, str) else text
        length = len(text) if isinstance(text, str) else len(data)
        place = self.raw(249 << 56 | 1 << 32, len(data) + 1, len(data) + 1, length)
        self._data += data + bytes(1 + -(len(data) + 1) % 8)
        return place

    def array(self, items: Sequence[int]) -> int:
        return self.raw(246 << 56 | 1 << 32, len(items), len(items), *items)

    def list(self, items: Sequence[int]) -> int:
        result = 1
        for item in reversed(items):
            result = self.obj(1, [item, result])
        return result

    def name(self, *parts: str | int) -> int:
        result = 1
        for part in parts:
            if isinstance(part, str):
                result = self.obj(1, [result, self.string(part)], bytes(8))
            else:
                result = self.obj(2, [result, part << 1 | 1], bytes(8))
        return result

    # Levels and expressions; their hashes are left 0, which nothing may believe.

    def param(self, name: str) -> int:
        return self.obj(4, [self.name(name)], bytes(8))

    def succ(self, level: int) -> int:
        return self.obj(1, [level], bytes(8))

    def bvar(self, index: int) -> int:
        return self.obj(0, [index << 1 | 1], bytes(8))

    def sort(self, level: int = 1) -> int:
        return self.obj(3, [level], bytes(8))

    def const(self, name: str, *levels: int) -> int:
        return self.obj(4, [self.name(*name.split(".")), self.list(levels)], bytes(8))

    def app(self, function: int, *arguments: int) -> int:
        for argument in arguments:
            function = self.obj(5, [function, argument], bytes(8))
        return function

    def lam(self, type_: int, body: int) -> int:
        return self.obj(6, [self.name("x"), type_, body], bytes(16))

    def pi(self, type_: int, body: int) -> int:
        return self.obj(7, [self.name("x"), type_, body], bytes(16))

    def let(self, type_: int, value: int, body: int) -> int:
        return self.obj(8, [self.name("x"), type_, value, body], bytes(16))

    def nat(self, value: int) -> int:
        return self.obj(9, [self.obj(0, [value << 1 | 1])], bytes(8))

    def proj(self, structure: str, index: int, term: int) -> int:
        return self.obj(11, [self.name(structure), index << 1 | 1, term], bytes(8))

    # Constants

    def _head(self, name: str, type_: int, params: Sequence[str]) -> int:
        return self.obj(0, [self.name(*name.split(".")), self.list([self.name(p) for p in params]), type_])

    def _all(self, name: str) -> int:
        return self.list([self.name(*name.split("."))])

    def axiom(self, name: str, type_: int, params: Sequence[str] = (), unsafe: int = 0) -> int:
        return self.obj(0, [self.obj(0, [self._head(name, type_, params)], bytes([unsafe]))])

    def definition(self, name: str, type_: int, value: int, params: Sequence[str] = (), safety: int = 1) -> int:
        head = self._head(name, type_, params)
        return self.obj(1, [self.obj(0, [head, value, 3, self._all(name)], bytes([safety]))])

    def theorem(self, name: str, type_: int, value: int, params: Sequence[str] = ()) -> int:
        head = self._head(name, type_, params)
        return self.obj(2, [self.obj(0, [head, value, self._all(name)])])

    def opaque(self, name: str, type_: int, value: int, unsafe: int = 0) -> int:
        return self.obj(3, [self.obj(0, [self._head(name, type_, ()), value, self._all(name)], bytes([unsafe]))])

    def quot(self, name: str, type_: int, kind: int = 0) -> int:
        return self.obj(4, [self.obj(0, [self._head(name, type_, ())], bytes([kind]))])

    def inductive(
        self, name: str, type_: int, ctors: Sequence[str], all_: Sequence[str] = (), counts: tuple[int, int] = (0, 0)
    ) -> int:
        names = [self.name(*n.split(".")) for n in all_ or (name,)]
        ctor_names = [self.name(*n.split(".")) for n in ctors]
        params, indices = (count << 1 | 1 for count in counts)
        fields = [self._head(name, type_, ()), params, indices, self.list(names), self.list(ctor_names), 1]
        return self.obj(5, [self.obj(0, fields, bytes(3))])

    def constructor(self, name: str, type_: int, induct: str, index: int = 0, fields: int = 0) -> int:
        parts = [self._head(name, type_, ()), self.name(*induct.split(".")), index << 1 | 1, 1, fields << 1 | 1]
        return self.obj(6, [self.obj(0, parts, bytes(1))])

    def recursor(self, name: str, type_: int, all_: Sequence[str]) -> int:
        names = self.list([self.name(*n.split(".")) for n in all_])
        return self.obj(7, [self.obj(0, [self._head(name, type_, ()), names, 1, 1, 3, 3, 1], bytes(2))])

    def finish(self, constants: Sequence[int], imports: Sequence[str] = ("Core",)) -> bytes:
        """The file; the list of names is made from the constants."""
        names = []
        for constant in constants:
            (value,) = struct.unpack_from("<Q", self._data, constant + 8)
            (head,) = struct.unpack_from("<Q", self._data, value + 8)
            names.append(struct.unpack_from("<Q", self._data, head + 8)[0])
        modules = [self.obj(0, [self.name(*module.split("."))], bytes([0, 1, 0])) for module in imports]
        parts = [self.array(modules), self.array(names), self.array(constants), self.array([]), self.array([])]
        return self.root(self.obj(0, parts, bytes(1)))

    def root(self, place: int) -> bytes:
        """The file with any root object."""
        struct.pack_into("<QQ", self._data, 80, 0, place)
        return bytes(self._data)
