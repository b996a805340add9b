"""Elaborate text over an imported environment, and turn what it left into the bytes of an `.olean` file.

`Lean.Elab.process` (`Lean.elaborate`) keeps snapshots for incremental reuse, which an editor needs and a verdict does
not. This is the plain loop, parse a command and elaborate it, made of the same exported functions as
`Lean.Elab.Frontend.processCommand`: some 30 % faster, in the calling thread. `Frontend.agrees` compares the two; the
server checks it at start and otherwise takes the slow way.
"""

from __future__ import annotations

import ctypes
import os

from .ffi import LeanError, array_get, array_size, box, field, name_text, retain, string_bytes, tag, unbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .ffi import Lean

__all__ = ["CANARIES", "Elaborated", "Frontend", "ModuleWriter", "job_options"]

_OBJECT = ctypes.c_void_p
_WORD = ctypes.c_uint64

# Texts that need nothing of `Core`: a proof, a wrong proof, an open proof, texts that do not parse, an early end.
CANARIES: tuple[bytes, ...] = (
    b"theorem canary (p q : Prop) (hp : p) (hq : q) : p := hp\n",
    b"theorem canary (p q : Prop) (hp : p) (hq : q) : p := hq\n",
    b"theorem canary (p : Prop) : p := sorry\n#check canary\n",
    b"theorem canary (p : Prop) (h : p) : p :=\n  (h\ntheorem second (p : Prop) (h : p) : p := h\n\ntheorem",
    b"namespace A\nset_option autoImplicit false\n#exit\ntheorem",
    b"",
)


def job_options(heartbeats: int) -> dict[str, bool | int | str]:
    """The options that a job starts with. Linters only ever warn (unused variables), and take 5 to 10 % of the time."""
    return {"maxHeartbeats": heartbeats, "Elab.async": False, "linter.all": False}


_COMPOUND = ("Lean.Parser.Command.declaration", "Lean.Parser.Command.in", "Lean.Parser.Command.mutual", "null")


def _kinds(command: int) -> list[str]:
    """Syntax kinds of a command: its own first, then those of the commands in it, and a declaration's own.

    `command` is a borrowed `Lean.Syntax`: missing, node info kind args, atom, ident.
    """
    kinds = []
    waiting = [command]
    while waiting:
        syntax = waiting.pop()
        if tag(syntax) != 1:
            continue
        kinds.append(name_text(field(syntax, 1)))
        if kinds[-1] in _COMPOUND:
            arguments = field(syntax, 2)
            waiting += (array_get(arguments, index) for index in range(array_size(arguments)))
    return kinds or [""]


def _first_of(kinds: list[str], names: frozenset[str]) -> str:
    """The first of `kinds` that is named, in full or, if it is one of Lean's own, by its last component; else ""."""
    for kind in kinds if names else ():
        if kind.startswith("Lean.") and kind.rpartition(".")[2] in names:
            return kind
        if "." in kind and kind in names:
            return kind
    return ""


class Elaborated:
    """What came of a text.

    Attributes:
        env: the environment after it (a borrowed Lean object).
        messages: JSON objects.
        commands: "OFFSET KIND" of each command, as `frames.Part.commands` has them; empty if they were not looked at.
        refused: whether the last command was refused, and the text after it not looked at.
    """

    __slots__ = ("commands", "env", "messages", "refused")

    def __init__(self, env: int, messages: list[bytes], commands: list[bytes] | None = None) -> None:
        self.env = env
        self.messages = messages
        self.commands = commands or []
        self.refused = False


class Frontend:
    """The elaboration loop over one environment.

    Args:
        lean: the initialised library.
        env: an imported environment.
        refused: syntax kinds of the commands at which an untrusted text is given up, before they are elaborated;
            each in full or, if it is one of Lean's own, its last component only.
    """

    def __init__(self, lean: Lean, env: int, refused: Sequence[str] = ()) -> None:
        self.lean = lean
        self.env = env
        self.refused = frozenset(refused)
        bind = lean.bind
        obj = _OBJECT
        self._context = bind("l_Lean_Parser_mkInputContext___redArg", obj, obj, obj, ctypes.c_uint8, obj)
        self._state = bind("l_Lean_Elab_Command_mkState", obj, obj, obj, obj)
        self._parse = bind("l_Lean_Parser_parseCommand", obj, obj, obj, obj, obj)
        # The ___boxed variants own their arguments, whatever the compiler inferred for the plain ones.
        self._elaborate = bind("l_Lean_Elab_Frontend_elabCommandAtFrontend___boxed", obj, obj, obj, obj)
        self._terminal = bind("l_Lean_Parser_isTerminalCommand___boxed", obj, obj)
        self._reference = bind("lean_st_mk_ref", obj, obj)
        self._messages = bind("l_Lean_MessageLog_toArray___boxed", obj, obj)
        self._to_json = bind("l_Lean_Message_toJson___boxed", obj, obj)
        self._compress = bind("l_Lean_Json_compress", obj, obj)
        self._no_messages = lean.constant("l_Lean_MessageLog_empty")
        self._file_name = lean.persistent(lean.string("main.lean"))
        self._options: dict[int, int] = {}

    def options(self, heartbeats: int) -> int:
        """The options of a job, made once for each number of heartbeats."""
        if heartbeats not in self._options:
            self._options[heartbeats] = self.lean.persistent(self.lean.options(job_options(heartbeats)))
        return self._options[heartbeats]

    def elaborate(self, text: bytes, heartbeats: int, trusted: bool = False) -> Elaborated:
        """Elaborate `text` within so many heartbeats; only an untrusted one's commands may be refused.

        Raises:
            LeanError: when the elaborator itself fails.
        """
        return self.run(text, self.options(heartbeats), frozenset() if trusted else self.refused)

    def run(self, text: bytes, options: int, refused: frozenset[str] = frozenset()) -> Elaborated:
        """Elaborate `text`. `options` is an owned Lean object, see `options`. Raises as `elaborate`."""
        lean = self.lean
        empty = self._no_messages
        context = self._context(lean.string(text), self._file_name, 1, box(len(text)))
        command_state = self._state(self.env, retain(empty), options)
        # ModuleParserState: pos, recovering; Frontend.State: commandState, parserState, cmdPos, commands
        start = lean.constructor(0, [box(0)], b"\0")
        state = lean.constructor(0, [command_state, start, box(0), lean.array([])])
        reference = self._reference(state)
        lines: list[bytes] = []
        done = Elaborated(self.env, lines)
        while True:
            state = field(reference, 0)
            command_state = field(state, 0)
            parser_state = field(state, 1)
            position = field(parser_state, 0)
            scope = field(field(command_state, 2), 0)
            # ParserModuleContext: env, options, currNamespace, openDecls; Scope has the last three from its field 1 on
            where = [field(command_state, 0), field(scope, 1), field(scope, 2), field(scope, 3)]
            for value in where:
                retain(value)
            result = self._parse(
                retain(context), lean.constructor(0, where), retain(parser_state), retain(empty)
            )  # fmt: skip
            command, rest = field(result, 0), field(result, 1)
            messages = field(rest, 1)
            kinds = list(_kinds(command))
            bad = _first_of(kinds, refused)
            # A position is a natural number: small, so boxed.
            done.commands.append(f"{unbox(position)} {'!' + bad if bad else kinds[0]}".encode())
            if bad:
                done.refused = True
                return done
            self._collect(messages, lines)
            # This thread alone holds the state, so it is changed in place.
            _WORD.from_address(state + 16).value = retain(field(rest, 0))
            _WORD.from_address(state + 24).value = retain(position)
            _WORD.from_address(command_state + 16).value = retain(messages)
            outcome = self._elaborate(retain(command), retain(context), retain(reference))
            if tag(outcome):
                raise LeanError("the elaborator failed: " + lean.error_text(field(outcome, 0)))
            command_state = field(field(reference, 0), 0)
            self._collect(field(command_state, 1), lines)
            if unbox(self._terminal(retain(command))):
                done.env = field(command_state, 0)
                return done

    def _collect(self, log: int, lines: list[bytes]) -> None:
        messages = self._messages(retain(log))
        for index in range(array_size(messages)):
            lines.append(string_bytes(self._compress(self._to_json(retain(array_get(messages, index))))))

    def agrees(self, texts: Sequence[bytes] = CANARIES) -> bool:
        """Whether `run` says what `Lean.Elab.process` says of each text: the layouts above are this library's."""
        for text in texts:
            _, expected = self.lean.elaborate(self.env, text, job_options(200_000))
            if self.run(text, self.options(200_000)).messages != expected:
                return False
        return True


class ModuleWriter:
    """Bytes of an environment's own module, as `Lean.write_module` would write them to a file, without a file.

    The compiled data goes through Lean's own `object_compactor`, whose class is exported; its header is that of a
    module that was written once with `Lean.write_module` to `folder`. Construction compares the two on that module,
    byte for byte.

    Raises:
        LeanError: when this library's compactor is another one.
    """

    _HEADER = 88  # "olean", version, flags, Lean version (33), commit (40), base address (8)
    _SIZE = 4096  # of the compactor object: 184 bytes in 4.35
    _TABLE = 0x28  # where it keeps the table of objects that are shared
    _BEGIN, _END = 0xA0, 0xA8  # and its buffer

    def __init__(self, lean: Lean, env: int, folder: str) -> None:
        obj = ctypes.c_void_p
        self._lean = lean
        self._data = lean.bind("l_Lean_mkModuleData___boxed", obj, obj, obj, obj)
        prefix = "_ZN4lean16object_compactor"
        view = "NSt3__16vectorINS_11region_viewENS2_9allocatorIS4_EEEE"
        self._construct = lean.bind(f"{prefix}C1EPv{view}b", None, obj, obj, obj, ctypes.c_bool)
        self._allocate = lean.bind(f"{prefix}5allocEm", obj, obj, ctypes.c_size_t)
        self._compact = lean.bind(f"{prefix}clEP11lean_object", None, obj, obj)
        path = os.path.join(folder, "module.olean")
        lean.write_module(env, path)
        with open(path, "rb") as file:
            written = file.read()
        os.unlink(path)
        self._header = written[: self._HEADER]
        self._base = int.from_bytes(self._header[-8:], "little")
        # Made before the process forks, and used again and again.
        self._compactor = self._new()
        self._used = False
        if not self(env) == self(env) == written:
            raise LeanError(f"{lean.path}: modules can't be handed back: its object_compactor is not that of Lean 4.35")
        self._empty(ctypes.addressof(self._compactor))
        self._used = False

    def _new(self) -> ctypes.Array[ctypes.c_char]:
        compactor = ctypes.create_string_buffer(self._SIZE)
        regions = (ctypes.c_uint64 * 3)()  # an empty std::vector
        address = ctypes.addressof(compactor)
        self._construct(address, self._base, ctypes.addressof(regions), False)
        # Its hash table (libc++: buckets, their number, first node, size, ...) starts with 2**20 buckets, so that
        # nearly every object of a small module touches another page. An empty table may as well use fewer; it grows
        # by itself.
        table = _WORD.from_address(address + self._TABLE).value
        if [_WORD.from_address(table + 8 * word).value for word in (1, 2, 3)] == [1 << 20, 0, 0]:
            _WORD.from_address(table + 8).value = 1 << 12
        return compactor

    def _empty(self, compactor: int) -> None:
        """Make a compactor that was used as good as new; what its tables hold is lost, not freed.

        A new one clears 8 MB for itself: twice the time that all the rest takes.
        """
        shared = _WORD.from_address(compactor + self._TABLE).value
        for table in (compactor, shared):
            buckets, count = (_WORD.from_address(table + 8 * word).value for word in (0, 1))
            ctypes.memset(buckets, 0, 8 * count)
            for word in (2, 3):
                _WORD.from_address(table + 8 * word).value = 0
        _WORD.from_address(compactor + self._END).value = _WORD.from_address(compactor + self._BEGIN).value

    def __call__(self, env: int) -> bytes:
        """The `.olean` bytes of `env`'s own module."""
        result = self._data(retain(env), box(2), box(0))  # OLeanLevel.private, none
        if tag(result):
            raise LeanError("the module can't be made: " + self._lean.error_text(field(result, 0)))
        address = ctypes.addressof(self._compactor)
        if self._used:
            self._empty(address)
        self._used = True
        self._allocate(address, self._HEADER)
        self._compact(address, field(result, 0))
        begin = _WORD.from_address(address + self._BEGIN).value
        end = _WORD.from_address(address + self._END).value
        if not 0 < begin + self._HEADER <= end:
            raise LeanError("the compactor left no buffer")
        return self._header + ctypes.string_at(begin + self._HEADER, end - begin - self._HEADER)
