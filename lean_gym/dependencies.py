"""Which of a module's own constants rest on which, and in what order a kernel must see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .olean import Constant, Kind, Olean, Safety
from .terms import APP, CONST, LAM, LET, PI, PROJ

__all__ = ["Refused", "in_order", "statement_closure"]

_MAX_STEPS = 1_000_000


class Refused(Exception):
    """A rule is broken. `args` is (reason, detail)."""


def in_order(module: Olean, target: Constant) -> Iterator[tuple[Constant, ...]]:
    """The module's declarations that a theorem rests on, each after those that it mentions; the theorem last."""
    show = module.terms.show
    blocks: dict[int, tuple[Constant, ...]] = {}
    steps = [_MAX_STEPS]
    finished: dict[int, bool] = {target.name: False}  # by the first name of a declaration; False: still open
    open_: list[tuple[tuple[Constant, ...], Iterator[int]]] = [((target,), _uses(module, (target,), steps))]
    while open_:
        group, mentioned = open_[-1]
        for name in mentioned:
            if name not in module:
                raise Refused("kernel", f"{show(group[0].name)} mentions {show(name)}, which is not declared.")
            used = _block(module, name, blocks)
            leader = used[0].name
            if leader not in finished:
                finished[leader] = False
                open_.append((used, _uses(module, used, steps)))
                break
            if not finished[leader] and (leader != group[0].name or used[0].kind is not Kind.INDUCTIVE):
                raise Refused("kernel", f"The declarations around {show(name)} refer to each other in a circle.")
        else:
            finished[group[0].name] = True
            open_.pop()
            yield group


def _uses(module: Olean, group: tuple[Constant, ...], steps: list[int]) -> Iterator[int]:
    """Names of the module's own constants that a declaration mentions, after checks on the declaration itself."""
    name = module.terms.show(group[0].name)
    for constant in group:
        if constant.safety is not Safety.SAFE:
            own = module.terms.show(constant.name)
            raise Refused("unsafe", f"The proof rests on {own}, which is declared {constant.safety.value}.")
    if group[0].kind is Kind.QUOT:
        raise Refused("kernel", f"The module declares {name} as a built-in quotient.")
    roots = _roots(group)
    if not all(map(module.terms.is_closed, roots)):
        raise Refused("incomplete", f"{name} holds a loose bound variable.")
    return _own_constants(module, roots, steps)


def statement_closure(module: Olean, target: Constant) -> Iterator[Constant]:
    """The module's own constants that a theorem's statement rests on; of theorems among them only their statements."""
    steps = [_MAX_STEPS]
    todo = list(_own_constants(module, [target.type], steps))
    seen = set(todo)
    blocks: dict[int, tuple[Constant, ...]] = {}
    while todo:
        name = todo.pop()
        group = _block(module, name, blocks)
        roots = [group[0].type] if group[0].kind is Kind.THEOREM else _roots(group)
        members = {name, *(c.name for c in group)}
        for other in sorted(members | set(_own_constants(module, roots, steps))):
            if other not in seen:
                seen.add(other)
                todo.append(other)
        yield module.constant(name)


def _own_constants(module: Olean, roots: Iterable[int], steps: list[int]) -> Iterator[int]:
    """Names of constants outside the imported library that expressions mention, each once.

    `steps` holds how many more expressions may be looked at: declarations may share terms, and each is walked for
    itself.
    """
    terms = module.terms
    exprs, info = terms.exprs, terms.info
    todo, seen, given = list(roots), set(), set()
    while todo:
        expr = todo.pop()
        if not info[expr] & 1 or expr in seen:
            continue
        seen.add(expr)
        steps[0] -= 1
        if steps[0] < 0:
            raise Refused("policy", "The proof's declarations share too many terms to be followed.")
        node = exprs[expr]
        kind = node[0]
        if kind in (CONST, PROJ) and node[1] not in terms.base and node[1] not in given:
            given.add(node[1])
            yield node[1]
        todo += _children(node)


def _children(node: tuple[int, ...]) -> tuple[int, ...]:
    kind = node[0]
    if kind in (APP, LAM, PI, LET):
        return node[1:]
    return (node[3],) if kind == PROJ else ()


def _block(module: Olean, name: int, known: dict[int, tuple[Constant, ...]]) -> tuple[Constant, ...]:
    """The declaration that brings a constant: itself, or the inductive types of its block, then their constructors.

    Blocks are kept in `known` by their first type.
    """
    constant = module.constant(name)
    if constant.kind is Kind.CONSTRUCTOR:
        constant = _get(module, constant.induct, name)
    elif constant.kind is Kind.RECURSOR:
        constant = _get(module, constant.all[0] if constant.all else name, name)
    elif constant.kind is not Kind.INDUCTIVE:
        return (constant,)
    leader = constant.all[0] if constant.all else name
    if leader not in known:
        types = [_get(module, other, name) for other in constant.all]
        ctors = [(t, _get(module, ctor, name)) for t in types for ctor in t.ctors]
        fit = all(t.kind is Kind.INDUCTIVE and t.all == constant.all for t in types)
        if not fit or not all(c.kind is Kind.CONSTRUCTOR and c.induct == t.name for t, c in ctors):
            constant, types, ctors = module.constant(name), [], []
        known[leader] = (*types, *(c for _, c in ctors))
    if constant not in known[leader]:
        raise Refused("kernel", f"The inductive types around {module.terms.show(name)} don't fit together.")
    return known[leader]


def _get(module: Olean, name: int, user: int) -> Constant:
    if name not in module:
        show = module.terms.show
        raise Refused("kernel", f"{show(user)} mentions {show(name)}, which is not declared.")
    return module.constant(name)


def _roots(group: tuple[Constant, ...]) -> list[int]:
    """The expressions that a declaration is made of."""
    return [c.type for c in group] + [c.value for c in group if c.value is not None]
