"""The dynamic symbols of an ELF shared object (64-bit, little-endian): what `nm -D` lists."""

from __future__ import annotations

import struct
from pathlib import Path

__all__ = ["NotElf", "dynamic_symbols"]

_DYNSYM = 11  # section type SHT_DYNSYM
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")


class NotElf(ValueError):
    """The file is no 64-bit little-endian ELF object."""


def dynamic_symbols(path: Path) -> dict[str, bool]:
    """The defined symbols that the object exports: name to whether it is data (else code).

    Raises:
        NotElf: the file is of another kind.
    """
    data = memoryview(path.read_bytes())
    if len(data) < 64 or bytes(data[:6]) != b"\x7fELF\x02\x01":
        raise NotElf(f"{path} is not a 64-bit little-endian ELF shared object.")
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    sections = [_SECTION.unpack_from(data, table + i * size) for i in range(count)]
    found: dict[str, bool] = {}
    for _, kind, _, _, offset, length, link, *_ in sections:
        if kind != _DYNSYM:
            continue
        start, extent = sections[link][4], sections[link][5]
        strings = bytes(data[start : start + extent])
        for name, info, _, section, _, _ in _SYMBOL.iter_unpack(data[offset : offset + length]):
            if section:  # 0: defined elsewhere
                text = strings[name : strings.index(b"\0", name)]
                found[text.decode("utf-8", "replace")] = info & 15 == 1
    return found
