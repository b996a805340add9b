"""Move the code of a loaded library into huge pages, before a process starts to fork children that run it.

A forked child maps a library's code anew, page by page: some 450 page faults in a child that lives for 5 ms.
Anonymous huge pages come with the fork instead (2 MB an entry), and spare the processor's address cache as well. It
costs the library's size in memory, once for each server; whoever has too little memory, or a kernel without huge
pages, goes without.
"""

from __future__ import annotations

import ctypes
import mmap
import sys

__all__ = ["promote"]

_HUGE = 2 << 20
_MADV_HUGEPAGE = 14
_MREMAP_MAYMOVE, _MREMAP_FIXED = 1, 2
_FAILED = ctypes.c_void_p(-1).value


def promote(library: str, spare: int = 1 << 30) -> int:
    """Copy the read-only segments of `library`, as loaded in this process, into huge pages in their place.

    Call it while only one thread runs. `spare`: bytes of memory that must stay available.

    Returns:
        Bytes moved: 0 where it can't be done or would not pay.
    """
    if sys.platform != "linux" or not _enabled():
        return 0
    segments = [
        (low, high, permissions)
        for low, high, permissions, path in _maps()
        if path == library and permissions in ("r-xp", "r--p") and high - low >= 8 * _HUGE
    ]
    total = sum(high - low for low, high, _ in segments)
    if _available() < total + spare:
        return 0
    return sum(_move(low, high, permissions) for low, high, permissions in segments)


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def _enabled() -> bool:
    try:
        return "[never]" not in _read("/sys/kernel/mm/transparent_hugepage/enabled")
    except OSError:
        return False


def _available() -> int:
    for line in _read("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    return 0


def _maps() -> list[tuple[int, int, str, str]]:
    found = []
    for line in _read("/proc/self/maps").splitlines():
        words = line.split(maxsplit=5)
        low, high = (int(word, 16) for word in words[0].split("-"))
        found.append((low, high, words[1], words[5] if len(words) > 5 else ""))
    return found


def _huge_bytes(address: int) -> int:
    inside = False
    for line in _read("/proc/self/smaps").splitlines():
        word = line.split(maxsplit=1)[0]
        if "-" in word and not word.endswith(":"):
            low, high = (int(part, 16) for part in word.split("-"))
            inside = low <= address < high
        elif inside and line.startswith("AnonHugePages:"):
            return int(line.split()[1]) << 10
    return 0


def _move(low: int, high: int, permissions: str) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    size_t, pointer = ctypes.c_size_t, ctypes.c_void_p
    libc.mmap.restype = libc.mremap.restype = pointer
    libc.mmap.argtypes = [pointer, size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    libc.mremap.argtypes = [pointer, size_t, size_t, ctypes.c_int, pointer]
    libc.munmap.argtypes = [pointer, size_t]
    libc.madvise.argtypes = libc.mprotect.argtypes = [pointer, size_t, ctypes.c_int]
    size = high - low
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    area = libc.mmap(None, size + 2 * _HUGE, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
    if area in (None, _FAILED):
        return 0
    # Source and target must lie alike within a huge page, or the kernel would split every page as it moves them.
    source = -(-area // _HUGE) * _HUGE + low % _HUGE
    protection = mmap.PROT_READ | (mmap.PROT_EXEC if "x" in permissions else 0)
    ready = libc.madvise(area, size + 2 * _HUGE, _MADV_HUGEPAGE) == 0
    if ready:
        ctypes.memmove(source, low, size)
        # Without huge pages (memory too fragmented) each fork would copy an entry for every 4 KB: worse than before.
        ready = _huge_bytes(source) >= size - 4 * _HUGE and libc.mprotect(source, size, protection) == 0
    if not ready or libc.mremap(source, size, size, _MREMAP_MAYMOVE | _MREMAP_FIXED, low) != low:
        libc.munmap(area, size + 2 * _HUGE)
        return 0
    libc.munmap(area, source - area)
    libc.munmap(source + size, area + size + 2 * _HUGE - (source + size))
    return size
