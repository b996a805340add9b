"""Read Lean's objects in this process's own memory, carefully: every address is checked before it is read."""

from __future__ import annotations

import bisect
import ctypes
from pathlib import Path

__all__ = ["Memory", "NotAnObject"]

_STRING = 249  # the tag of string objects; constructors have 0 to 244
_LAST_CONSTRUCTOR = 244


class NotAnObject(ValueError):
    """The address doesn't hold an object of the kind that was asked for."""


class Memory:
    """The objects of a loaded Lean library (Linux; the layout is that of `lean.h` on 64-bit machines)."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.library = library
        self._starts: list[int] = []
        self._ends: list[int] = []

    def global_object(self, symbol: str) -> int:
        """The object that an exported variable points to."""
        return self._word(ctypes.addressof(ctypes.c_uint64.in_dll(self.library, symbol)))

    def constructor(self, address: int) -> tuple[int, int]:
        """Tag and number of object fields of a constructor object."""
        tag, fields = self._header(address)
        if tag > _LAST_CONSTRUCTOR:
            raise NotAnObject
        return tag, fields

    def field(self, address: int, index: int) -> int:
        """An object field of a constructor object; boxed scalars are odd."""
        if index >= self.constructor(address)[1]:
            raise NotAnObject
        return self._word(address + 8 + 8 * index)

    def string(self, address: int) -> str:
        """The text of a string object."""
        tag, _ = self._header(address)
        size = self._word(address + 8)  # bytes, the closing NUL included
        if tag != _STRING or not 0 < size < 1 << 20 or not self._readable(address + 32, size):
            raise NotAnObject
        try:
            return ctypes.string_at(address + 32, size - 1).decode()
        except UnicodeDecodeError as error:
            raise NotAnObject from error

    def name(self, address: int) -> str:
        """A `Lean.Name` whose parts are all strings."""
        parts: list[str] = []
        while address != 1:  # Name.anonymous, boxed
            tag, fields = self._header(address)
            if (tag, fields) != (1, 2) or len(parts) > 30:
                raise NotAnObject
            parts.append(self.string(self._word(address + 16)))
            address = self._word(address + 8)
        if not parts:
            raise NotAnObject
        return ".".join(reversed(parts))

    def _header(self, address: int) -> tuple[int, int]:
        if address & 7:
            raise NotAnObject  # a boxed scalar, or no pointer
        header = self._word(address)
        return header >> 56, header >> 48 & 255

    def _word(self, address: int) -> int:
        if not self._readable(address, 8):
            raise NotAnObject
        return int(ctypes.c_uint64.from_address(address).value)

    def _readable(self, address: int, size: int) -> bool:
        if not self._starts:
            self._read_maps()
        at = bisect.bisect_right(self._starts, address) - 1
        return at >= 0 and address + size <= self._ends[at]

    def _read_maps(self) -> None:
        with Path("/proc/self/maps").open() as file:
            for line in file:
                span, access, *_ = line.split()
                if access.startswith("r"):
                    start, end = (int(part, 16) for part in span.split("-"))
                    self._starts.append(start)
                    self._ends.append(end)
