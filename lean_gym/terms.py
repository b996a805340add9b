"""Names, universe levels and expressions of Lean as small integers: equal terms have equal numbers.

The table forgets what no kernel looks at: names and kinds of bound variables, `mdata`, `nondep`.
"""

from __future__ import annotations

__all__ = ["IncompleteTerm", "OleanError", "Terms"]

BVAR, FVAR, MVAR, SORT, CONST, APP, LAM, PI, LET, LIT, MDATA, PROJ = range(12)
"""Numbers of `Lean.Expr`'s constructors; the first item of an expression's tuple in `Terms.exprs`."""
BINDERS = frozenset((LAM, PI))
SUCC, MAX, IMAX, PARAM = 1, 2, 3, 4
"""Numbers of `Lean.Level`'s constructors; level 0 is the number 0."""

MAX_LOOSE = 1 << 20  # Lean's own limit on bound variable indices
MAX_LEVEL_DEPTH = 1 << 10
MAX_NAME_DEPTH = 1 << 8
MAX_NUMERAL_BITS = 1 << 18


class OleanError(ValueError):
    """The bytes are no compiled module that this reader knows: damaged, cut off, hostile, or of another Lean."""


class IncompleteTerm(OleanError):
    """A term holds a metavariable or a free variable: it was never finished."""


class Terms:
    """Hash-consed names, levels and expressions of any number of modules.

    Attributes:
        names: `names[i]` is (number of the prefix, last component); 0 is the anonymous name.
        levels: `levels[i]` is a tuple that starts with SUCC, MAX, IMAX or PARAM; 0 is level zero.
        exprs: `exprs[i]` is (BVAR, index), (SORT, level), (CONST, name, *levels), (APP, f, a), (LAM | PI, type, body),
            (LET, type, value, body), (LIT, int | str) or (PROJ, structure name, field, e).
        info: `info[i]` is twice the loose bound variable range of expression i, plus 1 when it mentions a constant
            outside `base`.
        base: names of constants that every module may use without giving them (of the imported modules).
    """

    def __init__(self) -> None:
        self.names: list[tuple[int, str | int]] = [(0, "")]
        self.levels: list[tuple[int, ...]] = [()]
        self.exprs: list[tuple[int, ...]] = []
        self.info: list[int] = []
        self.base: set[int] = set()
        self._name_ids: dict[tuple[int, str | int], int] = {}
        self._level_ids: dict[tuple[int, ...], int] = {}
        self._expr_ids: dict[tuple[int, ...], int] = {}
        self._level_depths: list[int] = [0]
        self._name_depths: list[int] = [0]

    def __len__(self) -> int:
        return len(self.exprs) + len(self.names) + len(self.levels)

    def mark(self) -> tuple[int, int, int]:
        """The table's present state, for `rollback`."""
        return len(self.names), len(self.levels), len(self.exprs)

    def rollback(self, mark: tuple[int, int, int]) -> None:
        """Forget all that was added since `mark`; modules read since then must not be used again."""
        names, levels, exprs = mark
        for table, columns, size in (
            (self._name_ids, (self.names, self._name_depths), names),
            (self._level_ids, (self.levels, self._level_depths), levels),
            (self._expr_ids, (self.exprs, self.info), exprs),
        ):
            for _ in range(len(columns[0]) - size):
                table.popitem()  # a dict gives back the latest first
            for column in columns:
                del column[size:]

    def name(self, *components: str | int) -> int:
        """Number of a name."""
        result = 0
        for component in components:
            result = self.add_name(result, component)
        return result

    def add_name(self, prefix: int, component: str | int) -> int:
        """Number of the name `prefix.component`. Raises `OleanError` for a name of absurd depth."""
        key = (prefix, component)
        found = self._name_ids.get(key)
        if found is None:
            depth = self._name_depths[prefix] + 1
            if depth > MAX_NAME_DEPTH:
                raise OleanError(f"a name has more than {MAX_NAME_DEPTH} components")
            found = self._name_ids[key] = len(self.names)
            self.names.append(key)
            self._name_depths.append(depth)
        return found

    def components(self, name: int) -> tuple[str | int, ...]:
        """Components of a name, outermost first."""
        parts: list[str | int] = []
        while name:
            name, part = self.names[name]
            parts.append(part)
        return tuple(reversed(parts))

    def show(self, name: int) -> str:
        """A name as text; components that need it in «»."""
        if not name:
            return "[anonymous]"
        return ".".join(
            str(part) if isinstance(part, int) or part.replace("'", "").replace("!", "").replace("?", "").isidentifier()
            else f"«{part}»"
            for part in self.components(name)
        )  # fmt: skip

    def add_level(self, key: tuple[int, ...]) -> int:
        """Number of a level given as in `levels`."""
        found = self._level_ids.get(key)
        if found is None:
            depths = self._level_depths
            depth = 0 if key[0] == PARAM else 1 + max(depths[child] for child in key[1:])
            if depth > MAX_LEVEL_DEPTH:
                raise OleanError(f"a universe level is nested more than {MAX_LEVEL_DEPTH} deep")
            found = self._level_ids[key] = len(self.levels)
            self.levels.append(key)
            depths.append(depth)
        return found

    def add_expr(self, key: tuple[int, ...]) -> int:
        """Number of an expression given as in `exprs`."""
        found = self._expr_ids.get(key)
        if found is not None:
            return found
        info = self.info
        kind = key[0]
        if kind == APP:
            a, b = info[key[1]], info[key[2]]
            new = (a if a > b else b) | (a & 1) | (b & 1)
        elif kind in BINDERS:
            a, b = info[key[1]], info[key[2]]
            c = b - 2 if b > 1 else b
            new = (a if a > c else c) | (a & 1) | (b & 1)
        elif kind == CONST:
            new = key[1] not in self.base
        elif kind == BVAR:
            new = 2 * key[1] + 2
            if key[1] >= MAX_LOOSE - 1:
                raise OleanError("a bound variable index is out of Lean's range")
        elif kind == LET:
            a, b, c = info[key[1]], info[key[2]], info[key[3]]
            new = max(a, b, c - 2 if c > 1 else c) | (a & 1) | (b & 1) | (c & 1)
        elif kind == PROJ:
            new = info[key[3]] | (key[1] not in self.base)
        else:
            new = 0
        found = self._expr_ids[key] = len(self.exprs)
        self.exprs.append(key)
        info.append(int(new))
        return found

    def is_closed(self, expr: int) -> bool:
        """Whether an expression has no loose bound variable."""
        return self.info[expr] < 2
