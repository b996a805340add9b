"""What the modules of a header bring: the names of their constants and the axioms that each of them rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from .olean import Kind, Olean, OleanError, Terms

__all__ = ["BaseLibrary", "split_name"]


class BaseLibrary:
    """The imported modules, read as data; shared by any number of audits in one thread.

    Attributes:
        terms: the table in which all audits over this library number their terms.
        modules: imported modules by name, those that they import included.
        axioms: for a constant (its number in `terms`) the axioms that it rests on; a constant that rests on none is
            absent.
    """

    def __init__(self, modules: Sequence[str], search_path: Iterable[Path | str]) -> None:
        """Read modules and all that they import (0.2 s for Core; minutes for a library of Mathlib's size).

        Raises:
            FileNotFoundError: a module is not on the search path.
            OleanError: a file is none that this reader knows.
        """
        self.terms = Terms()
        self.modules: dict[str, Olean] = {}
        self._homes: dict[int, Olean] = {}
        folders = [Path(folder) for folder in search_path]
        todo = list(modules)
        while todo:
            module = todo.pop()
            if module in self.modules:
                continue
            file = _find(module, folders)
            try:
                olean = Olean(file.read_bytes(), self.terms)
            except OleanError as error:
                raise OleanError(f"{file}: {error}") from error
            self.modules[module] = olean
            self._homes.update(dict.fromkeys(olean, olean))
            todo += [".".join(map(str, self.terms.components(name))) for name, *_ in olean.imports]
        self.terms.base = set(self._homes)
        self.axioms = self._collect_axioms()

    def __contains__(self, name: int) -> bool:
        return name in self._homes

    def kind(self, name: int) -> Kind:
        """What a constant is. Raises `KeyError` when no module has it."""
        return self._homes[name].constant_kind(name)

    def _collect_axioms(self) -> dict[int, frozenset[int]]:
        users: dict[int, list[int]] = {}
        axioms = []
        for name, home in self._homes.items():
            for used in home.uses(name):
                users.setdefault(used, []).append(name)
            if home.constant_kind(name) is Kind.AXIOM:
                axioms.append(name)
        found: dict[int, set[int]] = {}
        for axiom in axioms:
            todo, seen = [axiom], {axiom}
            while todo:
                name = todo.pop()
                found.setdefault(name, set()).add(axiom)
                for user in users.get(name, ()):
                    if user not in seen:
                        seen.add(user)
                        todo.append(user)
        # Most constants rest on one of a few sets: share them.
        shared: dict[frozenset[int], frozenset[int]] = {}
        return {name: shared.setdefault(frozenset(s), frozenset(s)) for name, s in found.items()}


def split_name(written: str) -> tuple[str, ...]:
    """Components of a name as Lean text writes it: dots separate, except within «»; `_root_` is dropped."""
    parts: list[str] = []
    rest = written
    while rest:
        if rest.startswith("«") and "»" in rest:
            part, _, rest = rest[1:].partition("»")
            rest = rest.removeprefix(".")
        else:
            part, _, rest = rest.partition(".")
        parts.append(part)
    return tuple(parts[1:] if parts[:1] == ["_root_"] else parts)


def _find(module: str, folders: Sequence[Path]) -> Path:
    parts = module.split(".")
    relative = Path(*parts[:-1], parts[-1] + ".olean")
    for folder in folders:
        if (folder / relative).is_file():
            return folder / relative
    places = ", ".join(map(str, folders)) or "an empty search path"
    raise FileNotFoundError(f"The compiled module {module} is not in {places}; compile it or name its folder.")
