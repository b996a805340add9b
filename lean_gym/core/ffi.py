"""Lean's own library, called from Python: load, initialise, import, elaborate, write a module.

The layouts are those of Lean 4's `lean.h` (object header: int32 reference count, uint16 size, uint8 number of
object fields, uint8 tag). A Lean value is a Python int: the address of an object, or a small value shifted left by one
with its lowest bit set ("boxed"). Every `owned` argument is consumed by the call, as in compiled Lean code.

The library is a C library with global state: load it once a process, from one thread, in a process that does nothing
else.
"""

from __future__ import annotations

import ctypes
import os

TYPE_CHECKING = False  # not from typing: see server.py on what is imported there
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    Options = Mapping[str, bool | int | str]

__all__ = ["Lean", "LeanError"]

_OBJECT = ctypes.c_void_p
_U8 = ctypes.c_uint8
_U32 = ctypes.c_uint32
_SIZE = ctypes.c_size_t

TAG_ARRAY = 246
TAG_STRING = 249
_TRUST_LEVEL = 1024  # what `lean` itself uses (LEAN_DEFAULT_TRUST_LEVEL)
_LEVEL_PRIVATE = 2  # OLeanLevel.private: all of a module, as `lean` imports for a file that is not a `module`


class LeanError(Exception):
    """An `IO` error of Lean, in its own words, or a library that is not the one this binding was written for."""


def box(value: int) -> int:
    """A small natural number, `Unit`, or a constructor without fields, as Lean passes it."""
    return (value << 1) | 1


def is_scalar(value: int) -> bool:
    """Whether a Lean value is boxed, not an object."""
    return bool(value & 1)


def unbox(value: int) -> int:
    """Inverse of `box`."""
    return value >> 1


def tag(value: int) -> int:
    """Constructor number (or kind, from 245 up) of an object; the value itself when boxed."""
    return unbox(value) if value & 1 else int(_U8.from_address(value + 7).value)


def fields(value: int) -> int:
    """Number of object fields of a constructor object."""
    return int(_U8.from_address(value + 6).value)


def field(value: int, index: int) -> int:
    """Object field of a constructor object, borrowed."""
    return int(ctypes.c_uint64.from_address(value + 8 + 8 * index).value)


def retain(value: int) -> int:
    """One more reference (`lean_inc`). Positive counts belong to one thread, negative ones are atomic, 0 is for ever.

    A negative count is changed here without an atomic operation: call it only where no other thread runs.
    """
    if not value & 1:
        count = ctypes.c_int32.from_address(value)
        if count.value > 0:
            count.value += 1
        elif count.value < 0:
            count.value -= 1
    return value


def array_size(value: int) -> int:
    """Number of elements of an `Array`."""
    return int(ctypes.c_uint64.from_address(value + 8).value)


def array_get(value: int, index: int) -> int:
    """Element of an `Array`, borrowed."""
    return int(ctypes.c_uint64.from_address(value + 24 + 8 * index).value)


def string_bytes(value: int) -> bytes:
    """UTF-8 bytes of a `String`, without the closing NUL."""
    size = ctypes.c_uint64.from_address(value + 8).value
    return ctypes.string_at(value + 32, size - 1)


def name_text(value: int) -> str:
    """A `Name` with dots between its components ("" for the anonymous one), borrowed."""
    parts = []
    while not value & 1:
        part = field(value, 1)
        parts.append(string_bytes(part).decode("utf-8", "replace") if tag(value) == 1 else str(unbox(part)))
        value = field(value, 0)
    return ".".join(reversed(parts))


class Lean:
    """The loaded library. See `load`."""

    def __init__(self, handle: ctypes.CDLL, path: str) -> None:
        self.handle = handle
        self.path = path
        self._initialised = False
        bind = self.bind
        self._alloc = bind("lean_alloc_object", _OBJECT, _SIZE)
        self._string = bind("lean_mk_string_from_bytes", _OBJECT, ctypes.c_char_p, _SIZE)
        self._name_str = bind("l_Lean_Name_str___override", _OBJECT, _OBJECT, _OBJECT)
        self._options_insert = bind("l_Lean_Options_insert", _OBJECT, _OBJECT, _OBJECT, _OBJECT)
        self._search_path = bind("l_Lean_initSearchPath", _OBJECT, _OBJECT, _OBJECT)
        self._import = bind(
            "l_Lean_importModules", _OBJECT, _OBJECT, _OBJECT, _U32, _OBJECT, _U8, _U8, _U8, _OBJECT
        )  # fmt: skip
        self._process = bind("l_Lean_Elab_process", _OBJECT, _OBJECT, _OBJECT, _OBJECT, _OBJECT)
        self._messages = bind("l_Lean_MessageLog_toArray", _OBJECT, _OBJECT)
        self._to_json = bind("l_Lean_Message_toJson", _OBJECT, _OBJECT)
        self._compress = bind("l_Lean_Json_compress", _OBJECT, _OBJECT)
        self._write_module = bind("l_Lean_writeModule", _OBJECT, _OBJECT, _OBJECT, _U8)
        self._error_to_string = bind("lean_io_error_to_string", _OBJECT, _OBJECT)
        self._persist = bind("lean_mark_persistent", None, _OBJECT)
        self._tasks_start = bind("lean_init_task_manager_using", None, ctypes.c_uint)
        self._tasks_stop = bind("lean_finalize_task_manager", None)

    @classmethod
    def load(cls, library: Path | str) -> Lean:
        """Load `libleanshared` (global symbols: Lean finds its own functions by name).

        Raises:
            LeanError: when the file can't be loaded or lacks a function that is used here.
        """
        path = os.fspath(library)
        # libuv would set up an io_uring whose rings every forked child shares, with a kernel thread that acts as the
        # parent: a way round any sandbox of the child.
        os.environ["UV_USE_IO_URING"] = "0"
        try:
            handle = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            raise LeanError(f"{path} can't be loaded: {error}; install the extra lean-gym[lean]") from error
        return cls(handle, path)

    def bind(self, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
        """A function of the library with its C types.

        Raises:
            LeanError: when the library has no such function.
        """
        try:
            function = self.handle[name]
        except AttributeError as error:
            raise LeanError(f"{self.path} has no {name}: not a Lean library that lean-gym knows (4.35)") from error
        function.restype = result
        function.argtypes = arguments
        return function

    # Life

    def initialise(self, tasks: int = 1) -> None:
        """Run the initialisers of all of Lean (about 50 ms), with `tasks` threads at most for its task manager.

        Afterwards the process may import modules. Raises `LeanError` when an initialiser fails.
        """
        if self._initialised:
            return
        self.bind("lean_initialize", None)()
        self.start_tasks(tasks)
        self.bind("lean_enable_initializer_execution", _OBJECT)()
        self.bind("lean_io_mark_end_initialization", None)()
        self._initialised = True

    def start_tasks(self, count: int = 1) -> None:
        """Start Lean's task manager; its threads start when there is work."""
        self._tasks_start(count)

    def stop_tasks(self) -> None:
        """End the task manager and its threads: needed before a fork, since a fork copies no thread."""
        self._tasks_stop()

    @property
    def version(self) -> str:
        """E.g. "4.35.0"; known after `initialise`."""
        return string_bytes(self.constant("l_Lean_versionStringCore")).decode()

    @property
    def githash(self) -> str:
        """Commit of Lean that the library was built from, or ""."""
        return string_bytes(self.constant("l_Lean_githash")).decode()

    def constant(self, symbol: str) -> int:
        """Value of a compiled Lean constant (a global variable of the library)."""
        return int(ctypes.c_uint64.in_dll(self.handle, symbol).value)

    # Values

    def string(self, text: str | bytes) -> int:
        """A `String`. Bytes that are not UTF-8 become replacement characters, a lone surrogate too."""
        data = text.encode("utf-8", "replace") if isinstance(text, str) else text
        return int(self._string(data, len(data)))

    def name(self, dotted: str) -> int:
        """A `Name` from its components joined by dots; "" is the anonymous name."""
        result = box(0)
        for part in dotted.split(".") if dotted else ():
            result = self._name_str(result, self.string(part))
        return result

    def constructor(self, number: int, objects: Sequence[int], scalars: bytes = b"") -> int:
        """A constructor object: `objects` in field order, then the bytes of its scalar fields."""
        padded = scalars + bytes(-len(scalars) % 8)
        # The allocator has written the object's size class into its header: leave that field alone.
        result = int(self._alloc(8 + 8 * len(objects) + len(padded)))
        ctypes.c_int32.from_address(result).value = 1
        _U8.from_address(result + 6).value = len(objects)
        _U8.from_address(result + 7).value = number
        for index, value in enumerate(objects):
            ctypes.c_uint64.from_address(result + 8 + 8 * index).value = value
        ctypes.memmove(result + 8 + 8 * len(objects), padded, len(padded))
        return result

    def array(self, values: Sequence[int]) -> int:
        """An `Array` of objects or boxed values."""
        capacity = max(len(values), 1)
        result = int(self._alloc(24 + 8 * capacity))
        ctypes.c_int32.from_address(result).value = 1
        _U8.from_address(result + 6).value = 0
        _U8.from_address(result + 7).value = TAG_ARRAY
        ctypes.c_uint64.from_address(result + 8).value = len(values)
        ctypes.c_uint64.from_address(result + 16).value = capacity
        for index, value in enumerate(values):
            ctypes.c_uint64.from_address(result + 24 + 8 * index).value = value
        return result

    def linked(self, values: Iterable[int]) -> int:
        """A `List`."""
        result = box(0)
        for value in reversed(tuple(values)):
            result = self.constructor(1, [value, result])
        return result

    def options(self, values: Options) -> int:
        """An `Options` that holds `values` by their dotted names."""
        result = retain(self.constant("l_Lean_Options_empty"))
        for key, value in values.items():
            if isinstance(value, bool):
                data = self.constructor(1, [], bytes([value]))
            elif isinstance(value, int):
                data = self.constructor(3, [box(value)])
            else:
                data = self.constructor(0, [self.string(value)])
            result = self._options_insert(result, self.name(key), data)
        return result

    # Work

    def import_modules(self, modules: Sequence[str], search_path: Sequence[Path | str]) -> int:
        """Import modules (`.olean` files found along `search_path`) into a new `Environment`, which stays for ever.

        `LEAN_PATH` of the process, if set, is searched too.

        Raises:
            LeanError: in Lean's words, e.g. "unknown module prefix 'Foo'".
        """
        # The first argument is the sysroot, whose lib/lean Lean appends to the path: we have none, so name none that
        # exists.
        sysroot = self.string(str(search_path[0]) if search_path else "/nonexistent")
        self._io(self._search_path(sysroot, self.linked(self.string(str(path)) for path in search_path)))
        # structure Import: module, importAll, isExported, isMeta
        imports = [self.constructor(0, [self.name(module)], bytes([0, 1, 0])) for module in modules]
        for item in imports:
            # They go into every module that is written, and the compactor copies as many bytes as this field says.
            # Elsewhere it must stay 0 ("allocated by malloc"), or freeing goes wrong; these are never freed.
            ctypes.c_uint16.from_address(self.persistent(item) + 4).value = 24
        leak, load_extensions = 1, 1
        env = self._io(
            self._import(
                self.array(imports), self.options({}), _TRUST_LEVEL, self.array([]),
                leak, load_extensions, _LEVEL_PRIVATE, box(1),
            )
        )  # fmt: skip
        return self.persistent(env)  # `leak` leaves out the outermost object

    def persistent(self, value: int) -> int:
        """Make an object live for ever, so that nobody counts (and no forked child copies) its references."""
        self._persist(value)
        return value

    def elaborate(
        self, env: int, text: bytes, options: Options, file_name: str = "main.lean"
    ) -> tuple[int, list[bytes]]:
        """Elaborate Lean text that has no header over `env`.

        Returns:
            (environment, messages): what the text left, and Lean's messages in order, each the bytes of one JSON object
            (`severity`, `pos`, `endPos`, `data`, `kind`, ...).

        Raises:
            LeanError: when Lean itself fails, which no text should be able to cause.
        """
        name = self.constructor(1, [self.string(file_name)])
        pair = self._io(self._process(self.string(text), retain(env), self.options(options), name))
        messages = self._messages(retain(field(pair, 1)))
        lines = []
        for index in range(array_size(messages)):
            json = self._compress(self._to_json(retain(array_get(messages, index))))
            lines.append(string_bytes(json))
        return field(pair, 0), lines

    def write_module(self, env: int, path: Path | str) -> None:
        """Write `env`'s own module as an `.olean` file. Raises `LeanError` when it can't be written."""
        self._io(self._write_module(retain(env), self.string(str(path)), 0))

    def _io(self, result: int) -> int:
        """The value of an `IO` result (borrowed from it), or its error raised."""
        if tag(result) == 0:
            return field(result, 0)
        raise LeanError(self.error_text(field(result, 0)))

    def error_text(self, error: int) -> str:
        """An `IO.Error` in Lean's words."""
        return string_bytes(self._error_to_string(retain(error))).decode("utf-8", "replace")
