"""Lean's kernel, given declarations that a `Terms` table holds. Runs inside the auditor's process only.

Every name, level and expression is built anew by Lean's own constructors, so that no hash or flag of a file is
believed. What is built is marked persistent (reference count 0, as in an imported file) and kept for later audits,
since a table gives equal terms the same number; the process is replaced when the table has grown too large
(`core.kernel_server`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any

from ..olean import Constant, Kind
from ..terms import APP, BVAR, CONST, IMAX, LAM, LET, LIT, MAX, PARAM, PI, PROJ, SORT, SUCC, Terms
from .ffi import Lean, box, field, retain, tag

__all__ = ["Kernel", "KernelRefusal"]

HEARTBEATS = 2_000_000_000
"""Limit of the kernel's own deterministic clock for one declaration: ten times what Lean allows a file by default."""
RECURSION = 100_000

# Lean.Kernel.Exception, by constructor.
_ERRORS = (
    "an unknown constant",
    "a name that is declared already",
    "a value that has not the declared type",
    "a metavariable",
    "a free variable",
    "an argument given to what is no function",
    "a term used as a type that is none",
    "a `let` whose value has not its type",
    "an ill-typed term",
    "an argument of the wrong type",
    "an invalid projection",
    "a statement that is no proposition",
    "a violation of another rule",
    "a computation that is too long",
    "a computation that needs too much memory",
    "a term that is nested too deep",
    "an interruption",
)
_LIMITS = (13, 14, 15)
_OBJECT = ctypes.c_void_p
_U8 = ctypes.c_uint8


class KernelRefusal(Exception):
    """The kernel does not accept a declaration. `args` is (reason, detail)."""


class Kernel:
    """A kernel environment that holds the imported modules and nothing else.

    Args:
        lean: the initialised library.
        env: what `Lean.import_modules` gave.
        terms: the table that all declarations are given in.
    """

    def __init__(self, lean: Lean, env: int, terms: Terms) -> None:
        self.terms = terms
        self._lean = lean
        bind, p = lean.bind, _OBJECT
        self._add_decl = bind("lean_add_decl", p, p, ctypes.c_size_t, ctypes.c_size_t, p, p)
        self._dec_cold = bind("lean_dec_ref_cold", None, p)
        self._persist = bind("lean_mark_persistent", None, p)
        self._alloc = bind("lean_alloc_small_object_core", p, ctypes.c_size_t)
        self._nat = bind("lean_cstr_to_nat", p, ctypes.c_char_p)
        self._name_str = bind("l_Lean_Name_str___override", p, p, p)
        self._name_num = bind("l_Lean_Name_num___override", p, p, p)
        self._level_makers = {
            SUCC: bind("lean_level_mk_succ", p, p),
            MAX: bind("lean_level_mk_max", p, p, p),
            IMAX: bind("lean_level_mk_imax", p, p, p),
            PARAM: bind("lean_level_mk_param", p, p),
        }
        self._app = bind("lean_expr_mk_app", p, p, p)
        self._bvar = bind("lean_expr_mk_bvar", p, p)
        self._sort = bind("lean_expr_mk_sort", p, p)
        self._const = bind("lean_expr_mk_const", p, p, p)
        self._lambda = bind("lean_expr_mk_lambda", p, p, p, p, _U8)
        self._forall = bind("lean_expr_mk_forall", p, p, p, p, _U8)
        self._let = bind("l_Lean_Expr_letE___override", p, p, p, p, p, _U8)
        self._lit = bind("lean_expr_mk_lit", p, p)
        self._proj = bind("lean_expr_mk_proj", p, p, p, p)
        # Objects by number in `terms`.
        self._names: list[int] = [box(0)]
        self._levels: list[int] = [box(0)]
        self._exprs: list[int] = []
        self._binder = self._keep(lean.name("x"))
        self._base = bind("lean_elab_environment_to_kernel_env", p, p)(retain(env))
        self._keep(self._base)

    def __len__(self) -> int:
        return len(self._names) + len(self._levels) + len(self._exprs)

    def check(self, order: Iterable[tuple[Constant, ...]]) -> None:
        """Check declarations, each over the imported modules and those before it. Nothing of them is left afterwards.

        Raises:
            KernelRefusal: the kernel refuses one.
        """
        self._build()
        env = self._base
        try:
            for group in order:
                declaration = self._declaration(group)
                result = self._add_decl(env, HEARTBEATS, RECURSION, declaration, box(0))
                self._release(declaration)
                env = self._base
                if tag(result) != 1:
                    number = tag(field(result, 0))
                    self._release(result)
                    self._refuse(group[0], number)
                env = retain(field(result, 0))
                self._release(result)
        finally:
            self._release(env)

    def _refuse(self, constant: Constant, number: int) -> None:
        name = self.terms.show(constant.name)
        what = _ERRORS[number] if number < len(_ERRORS) else "an error"
        if number in _LIMITS:
            raise KernelRefusal("timeout", f"Lean's kernel gives up on {name}: {what}.")
        raise KernelRefusal("kernel", f"Lean's kernel refuses {name}: it holds {what}.")

    # Reference counts

    def _keep(self, value: int) -> int:
        """Mark a new object, and all that it reaches, as there for ever."""
        if not value & 1:
            self._persist(value)
        return value

    def _release(self, value: int) -> None:
        """One reference less (`lean_dec`)."""
        if value & 1:
            return
        count = ctypes.c_int32.from_address(value)
        if count.value > 1:
            count.value -= 1
        elif count.value:
            self._dec_cold(value)

    # Building

    def _new(self, number: int, objects: Sequence[int], scalars: bytes = b"") -> int:
        """A constructor object, allocated as compiled Lean does it: the kernel copies objects by the size in their
        header."""
        size = len(objects)
        result = int(self._alloc(8 + 8 * size + len(scalars) + -len(scalars) % 8))
        ctypes.c_int32.from_address(result).value = 1
        ctypes.c_uint16.from_address(result + 6).value = number << 8 | size
        (ctypes.c_uint64 * size).from_address(result + 8)[:] = list(objects)
        if scalars:
            ctypes.memmove(result + 8 + 8 * size, scalars.ljust(8, b"\0"), 8)
        return result

    def _list(self, values: Sequence[int]) -> int:
        result = box(0)
        for value in reversed(values):
            result = self._new(1, [value, result])
        return result

    def _build(self) -> None:
        """Build what `terms` has got since the last call. Numbers grow from parts to wholes, so one pass will do."""
        terms, names, levels, exprs = self.terms, self._names, self._levels, self._exprs
        string, name_str, box_ = self._lean.string, self._name_str, box
        for prefix, part in terms.names[len(names) :]:
            if isinstance(part, str):
                names.append(self._keep(name_str(names[prefix], string(part))))
            else:
                names.append(self._keep(self._name_num(names[prefix], self._natural(part))))
        for key in terms.levels[len(levels) :]:
            parts = [names[key[1]]] if key[0] == PARAM else [levels[part] for part in key[1:]]
            levels.append(self._keep(self._level_makers[key[0]](*parts)))
        # An expression's count stays 1 however often it is used, until a declaration that holds it is kept
        # (`_declaration`).
        app, lam, pi, binder, add = self._app, self._lambda, self._forall, self._binder, exprs.append
        for key in terms.exprs[len(exprs) :]:
            kind = key[0]
            if kind == APP:
                add(app(exprs[key[1]], exprs[key[2]]))
            elif kind == LAM:
                add(lam(binder, exprs[key[1]], exprs[key[2]], 0))
            elif kind == PI:
                add(pi(binder, exprs[key[1]], exprs[key[2]], 0))
            elif kind == CONST:
                add(self._const(names[key[1]], self._list([levels[level] for level in key[2:]])))
            elif kind == BVAR:
                add(self._bvar(box_(key[1])))
            elif kind == SORT:
                add(self._sort(levels[key[1]]))
            elif kind == LET:
                add(self._let(binder, exprs[key[1]], exprs[key[2]], exprs[key[3]], 0))
            elif kind == PROJ:
                add(self._proj(names[key[1]], box_(key[2]), exprs[key[3]]))
            elif kind == LIT:
                value: Any = key[1]
                text = isinstance(value, str)
                add(self._lit(self._new(int(text), [string(value) if text else self._natural(value)])))
            else:
                raise AssertionError(f"an expression of kind {kind} in the table")

    def _natural(self, value: Any) -> int:
        return box(value) if value < 1 << 62 else int(self._nat(b"%d" % value))

    def _declaration(self, group: tuple[Constant, ...]) -> int:
        """A `Lean.Declaration`, owned."""
        names, exprs = self._names, self._exprs
        first = group[0]
        if first.kind is Kind.INDUCTIVE:
            types, members = [], {constant.name: constant for constant in group}
            for constant in (c for c in group if c.kind is Kind.INDUCTIVE):
                pairs = [(names[name], self._keep(exprs[members[name].type])) for name in constant.ctors]
                ctors = self._list([self._new(0, pair) for pair in pairs])
                types.append(self._new(0, [names[constant.name], self._keep(exprs[constant.type]), ctors]))
            params = self._list([names[name] for name in first.level_params])
            return self._new(6, [params, box(first.counts[0]), self._list(types)], bytes(1))
        head = self._new(
            0, [names[first.name], self._list([names[n] for n in first.level_params]), self._keep(exprs[first.type])]
        )
        if first.kind is Kind.AXIOM:
            return self._new(0, [self._new(0, [head], bytes(1))])
        assert first.value is not None
        value, block = self._keep(exprs[first.value]), self._list([names[first.name]])
        if first.kind is Kind.THEOREM:
            return self._new(2, [self._new(0, [head, value, block])])
        if first.kind is Kind.OPAQUE:
            return self._new(3, [self._new(0, [head, value, block], bytes(1))])
        hints = box(-first.hints - 1) if first.hints < 0 else self._new(2, [], first.hints.to_bytes(4, "little"))
        safe = b"\x01"
        return self._new(1, [self._new(0, [head, value, hints, block], safe)])
