"""The audit of a pass: does this compiled module prove the trusted statement? Decided on data; nothing of it is run.

Two compiled modules are compared: the trusted statement with its proof left open (`by sorry`), and the candidate.
`examine` holds all rules but one: that the terms are well typed, which Lean's kernel decides (`core.kernel`), in the
order that `Examined.order` gives. `@[implemented_by]`, `@[extern]` and `@[csimp]` change only what the compiler
makes of a constant. The kernel never looks at them, except through `Lean.reduceBool` and the axioms of
`native_decide`, which are refused below.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .base_library import BaseLibrary, split_name
from .dependencies import Refused, in_order, statement_closure
from .olean import Constant, IncompleteTerm, Kind, Olean, OleanError

__all__ = ["PERMITTED_AXIOMS", "AuditResult", "Examined", "Trusted", "TrustedError", "audit", "examine"]

PERMITTED_AXIOMS = ("propext", "Classical.choice", "Quot.sound")

# Constants whose meaning is built into the kernel (arithmetic on numerals, string literals, quotients,
# `reduceBool`): where the imported library leaves one of them out, a module that declares it with another meaning
# proves False.
_BUILT_IN = frozenset(
    (family, *rest)
    for family, members in {
        "Nat": (
            "zero", "succ", "add", "sub", "mul", "div", "mod", "gcd", "pow", "log2", "beq", "ble", "land", "lor", "xor",
            "shiftLeft", "shiftRight",
        ),
        "Bool": ("true", "false"),
        "String": ("mk", "ofList", "ofByteArray"),
        "Char": ("ofNat",),
        "List": ("nil", "cons"),
        "Eq": ("refl",),
        "Quot": ("mk", "lift", "ind"),
        "Lean": ("reduceBool", "reduceNat"),
        "eagerReduce": (),
    }.items()
    for rest in [(), *((member,) for member in members)]
)  # fmt: skip
_VALUED = (Kind.DEFINITION, Kind.THEOREM, Kind.OPAQUE)


class TrustedError(ValueError):
    """The trusted module is not what a statement with an open proof compiles to: no fault of the candidate's."""


@dataclass(frozen=True)
class AuditResult:
    """What the audit found.

    Attributes:
        reason: "" when `ok`; else one word: missing, kind, import, statement, sorry, axiom, unsafe, incomplete,
            policy, kernel, olean (the compiled module can't be read) or timeout (the kernel reached a limit).
        detail: one plain sentence: which rule, which constant.
        axioms: full names of the axioms that the proof rests on, sorted.
        declarations: full names of the candidate's own constants that the proof rests on, in order of dependency.
        seconds: wall seconds that the audit took, waiting included.
    """

    ok: bool
    reason: str = ""
    detail: str = ""
    axioms: tuple[str, ...] = ()
    declarations: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class Examined:
    """A result of `examine`. `order` is empty unless all rules hold: each item is one declaration for the kernel, a
    lone constant or the inductive types of a block with their constructors."""

    result: AuditResult
    order: tuple[tuple[Constant, ...], ...] = ()


@dataclass(frozen=True)
class Trusted:
    """A trusted statement, compiled: the module, its open theorem, and what else of the module the audit looks at.

    All is read at once, so that `Terms.rollback` after a refused candidate takes nothing away from it.

    Attributes:
        statement: the module's own constants that the theorem's type rests on.
        axioms: the module's own axioms.
    """

    module: Olean
    target: Constant
    statement: tuple[Constant, ...] = field(repr=False)
    axioms: tuple[Constant, ...] = field(repr=False)

    @classmethod
    def read(cls, data: bytes, target: str, base: BaseLibrary) -> Trusted:
        """Find the theorem written as `target` (its full name may be longer) whose proof is `sorry`.

        Raises:
            TrustedError: there is none, or more than one, or the module can't be read.
        """
        terms = base.terms
        written = split_name(target)
        try:
            module = Olean(data, terms)
            named = [name for name in module if terms.components(name)[-len(written) :] == written]
            sorry = terms.name("sorryAx")
            found = [n for n in named if module.constant_kind(n) is Kind.THEOREM and sorry in module.uses(n)]
            if len(found) != 1:
                what = "no theorem" if not found else "more than one theorem"
                raise TrustedError(f"The compiled statement holds {what} {target} whose proof is `sorry`.")
            for name in module:
                if name in base:
                    raise TrustedError(f"The statement's module declares {terms.show(name)}, which it also imports.")
            statement = tuple(statement_closure(module, module.constant(found[0])))
            axioms = tuple(module.constant(name) for name in module if module.constant_kind(name) is Kind.AXIOM)
        except (OleanError, Refused, KeyError) as error:
            raise TrustedError(f"The compiled statement can't be used: {error.args[-1]}.") from error
        return cls(module, module.constant(found[0]), statement, axioms)


def audit(
    trusted: bytes,
    candidate: bytes,
    target: str,
    base: BaseLibrary,
    permitted_axioms: Iterable[str] = PERMITTED_AXIOMS,
    *,
    body_only: bool = False,
) -> AuditResult:
    """All rules but the kernel's, on two compiled modules. `core.kernel.KernelAuditor` adds the kernel.

    Args:
        trusted: the module of the statement with its proof left open.
        candidate: the module of the submission.
        target: the theorem's name, as the statement writes it.
        base: the modules that both import.
        permitted_axioms: full names of the axioms that a proof may rest on.
        body_only: the submission is a proof body: refuse declarations that no proof body makes.

    Raises:
        TrustedError: the trusted module is at fault.
    """
    statement = Trusted.read(trusted, target, base)
    return examine(statement, candidate, base, permitted_axioms, body_only=body_only).result


def examine(
    trusted: Trusted,
    candidate: bytes,
    base: BaseLibrary,
    permitted_axioms: Iterable[str] = PERMITTED_AXIOMS,
    *,
    body_only: bool = False,
) -> Examined:
    """As `audit`, with the trusted module already read."""
    try:
        module = Olean(candidate, base.terms)
        _check_module(trusted, module, base)
        target = _check_target(trusted, module)
        _check_statement(trusted, module)
        order = tuple(in_order(module, target))
        axioms = _check_axioms(trusted, module, base, order, permitted_axioms)
        if body_only:
            _check_body(trusted, module, base)
    except Refused as refused:
        return Examined(AuditResult(False, *refused.args))
    except IncompleteTerm as error:
        return Examined(AuditResult(False, "incomplete", f"The proof is not finished: {error}."))
    except OleanError as error:
        return Examined(AuditResult(False, "olean", f"The compiled module can't be read: {error}."))
    show = base.terms.show
    names = tuple(show(constant.name) for group in order for constant in group)
    return Examined(AuditResult(True, "", "", tuple(sorted(map(show, axioms))), names), order)


# The rules


def _check_module(trusted: Trusted, module: Olean, base: BaseLibrary) -> None:
    own, theirs = module, trusted.module
    if (own.version, own.githash, own.flags) != (theirs.version, theirs.githash, theirs.flags):
        raise Refused(
            "olean", f"The module was compiled by Lean {own.version}, the statement by Lean {theirs.version}."
        )
    show = base.terms.show
    if own.is_module != theirs.is_module or own.imports != theirs.imports:
        imports, wanted = (", ".join(show(name) for name, *_ in m.imports) or "nothing" for m in (own, theirs))
        raise Refused("import", f"The module imports {imports}; the statement imports {wanted}.")
    known = base.terms.base
    for name in own:
        if name in known:
            raise Refused("kernel", f"The module declares {show(name)}, which it also imports.")
        if name not in theirs and base.terms.components(name) in _BUILT_IN:
            raise Refused("kernel", f"The module declares {show(name)}, a name whose meaning is built into the kernel.")


def _check_target(trusted: Trusted, module: Olean) -> Constant:
    terms, wanted = module.terms, trusted.target
    name = terms.show(wanted.name)
    if wanted.name not in module:
        own = terms.components(wanted.name)
        for other in module:
            parts = terms.components(other)
            if parts[-len(own) :] == own:
                what = "only as private" if parts[0] == "_private" else f"only as {terms.show(other)}"
                raise Refused("missing", f"The theorem {name} is declared {what}, so the statement is not proved.")
        raise Refused("missing", f"The submission declares no theorem {name}.")
    target = module.constant(wanted.name)
    if target.kind is not Kind.THEOREM:
        raise Refused("kind", f"{name} is declared as {_article(target.kind)}, not as a theorem.")
    if target.level_params != wanted.level_params:
        own_levels, levels = (", ".join(map(terms.show, c.level_params)) or "none" for c in (target, wanted))
        raise Refused("statement", f"{name} has these universe parameters: {own_levels}; the statement has: {levels}.")
    if target.type != wanted.type:
        raise Refused("statement", f"{name} is declared with another type than the trusted statement.")
    return target


def _check_statement(trusted: Trusted, module: Olean) -> None:
    for theirs in trusted.statement:
        name = module.terms.show(theirs.name)
        if theirs.name not in module:
            raise Refused("statement", f"The statement rests on {name}, which the submission does not declare.")
        own = module.constant(theirs.name)
        same = (
            own.kind is theirs.kind
            and own.level_params == theirs.level_params
            and own.type == theirs.type
            # Any proof of the same proposition will do: all are equal to the kernel.
            and (own.kind is Kind.THEOREM or own.value == theirs.value)
            and own.safety is theirs.safety
            and (own.ctors, own.induct, own.counts) == (theirs.ctors, theirs.induct, theirs.counts)
            and (own.kind in _VALUED or own.all == theirs.all)
        )
        if not same:
            raise Refused("statement", f"The statement rests on {name}, which the submission declares otherwise.")


def _check_axioms(
    trusted: Trusted,
    module: Olean,
    base: BaseLibrary,
    order: Iterable[tuple[Constant, ...]],
    permitted_axioms: Iterable[str],
) -> set[int]:
    """Axioms that the constants in `order` rest on."""
    terms = base.terms
    permitted = {terms.name(*split_name(axiom)) for axiom in permitted_axioms}
    reached: set[int] = set()
    for group in order:
        for constant in group:
            if constant.kind is Kind.AXIOM:
                name = constant.name
                if name not in permitted or constant not in trusted.axioms:
                    way = _path(module, name, trusted)
                    detail = f"The proof rests on the axiom {terms.show(name)} of the submission: {way}."
                    raise Refused("axiom", detail)
                reached.add(name)
    for native in ("reduceBool", "reduceNat"):
        if terms.name("Lean", native) in module.mentioned:
            raise Refused("axiom", f"The proof rests on the result of compiled code (Lean.{native}).")
    for used in module.mentioned:
        if used in base:
            reached |= base.axioms.get(used, frozenset())
    wrong = sorted(reached - permitted)
    if wrong:
        sorry = terms.name("sorryAx")
        axiom = sorry if sorry in wrong else wrong[0]
        what = "a sorry" if axiom == sorry else f"the axiom {terms.show(axiom)}"
        way = _path(module, axiom, trusted, base)
        raise Refused("sorry" if axiom == sorry else "axiom", f"The proof rests on {what}: {way}.")
    return reached


def _check_body(trusted: Trusted, module: Olean, base: BaseLibrary) -> None:
    """A proof body may declare only what Lean itself makes beside a theorem.

    That are names under the theorem's, or under that of a constant that was there before (`Nat.rec.congr_simp`,
    `f.match_1.splitter`), private or not.
    """
    terms = base.terms
    known = trusted.module
    for name in module:
        if name in known:
            continue
        parts = terms.components(name)
        if parts[0] == "_private":
            numbered = [index for index, part in enumerate(parts) if isinstance(part, int)]
            parts = parts[numbered[0] + 1 :] if numbered else parts
        prefix = 0
        for part in parts[:-1]:
            prefix = terms.add_name(prefix, part)
            if prefix == trusted.target.name or prefix in base or prefix in known:
                break
        else:
            if parts[: len(own := terms.components(trusted.target.name))] != own:
                raise Refused("policy", f"The proof body declares something else: {terms.show(name)}.")


def _path(module: Olean, axiom: int, trusted: Trusted, base: BaseLibrary | None = None) -> str:
    """How the target reaches an axiom: names from the target to the axiom, joined by arrows; "" when it doesn't."""
    start = trusted.target.name
    came: dict[int, int] = {start: start}
    todo = [start]
    for name in todo:  # grows while it is walked: breadth first
        for used in sorted(module.uses(name)) if name in module else ():
            if used not in came:
                came[used] = name
                if used == axiom or (base is not None and axiom in base.axioms.get(used, ())):
                    steps = [axiom] if used == axiom else [axiom, used]
                    while name != start:
                        steps.append(name)
                        name = came[name]
                    return " → ".join(module.terms.show(step) for step in reversed([*steps, start]))
                todo.append(used)
    return ""


def _article(kind: Kind) -> str:
    return f"an {kind.value}" if kind.value[0] in "aio" else f"a {kind.value}"
