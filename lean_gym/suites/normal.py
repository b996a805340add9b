"""The normal form of a statement: what stays of it when names, numerals and the order of hypotheses are forgotten.

Two statements that differ only so have the same key; the splits are made by the key, so that no test theorem is a
training theorem in other letters. The key comes from colour refinement (Weisfeiler and Leman 1968) on the variables:
each variable's colour is refined by the hypotheses it stands in. It is an invariant, so it never parts what is equal
up to renaming; that it may join a few statements that differ costs only a few theorems.
"""

from __future__ import annotations

import hashlib
import re

__all__ = ["normal_key", "split_of"]

_TOKEN = re.compile(r"[A-Za-zα-ωΑ-Ω_][A-Za-z0-9_'!?α-ωΑ-Ω₀-₉]*|\.[A-Za-z_][\w'!?]*|[0-9]+|:=|=>|&&|\|\||\+\+|::|[^\s]")
_OPEN = {"(": ")", "{": "}", "[": "]", "⦃": "⦄", "⟨": "⟩"}
_CLOSE = set(_OPEN.values())
_BINDERS = {"∀", "∃", "fun", "λ"}
_ROUNDS = 3


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _closing(tokens: list[str], start: int) -> int:
    depth = 0
    for i in range(start, len(tokens)):
        if tokens[i] in _OPEN:
            depth += 1
        elif tokens[i] in _CLOSE:
            depth -= 1
            if depth == 0:
                return i
    return len(tokens) - 1


def _top(tokens: list[str], what: str) -> int:
    """Index of the first `what` outside brackets, or -1."""
    depth = 0
    for i, token in enumerate(tokens):
        if depth == 0 and token == what:
            return i
        if token in _OPEN:
            depth += 1
        elif token in _CLOSE:
            depth -= 1
    return -1


def _binder_group(group: list[str]) -> tuple[list[str], list[str]]:
    colon = _top(group, ":")
    return (group, []) if colon < 0 else (group[:colon], group[colon + 1 :])


def _strip(tokens: list[str]) -> list[str]:
    while tokens and tokens[0] == "(" and _closing(tokens, 0) == len(tokens) - 1:
        tokens = tokens[1:-1]
    return tokens


def _open_goal(goal: list[str]) -> tuple[list[tuple[list[str], list[str]]], list[str]]:
    """Take `∀` and premises off the front of a goal, as `intro` would: (binders (names, type), goal)."""
    found: list[tuple[list[str], list[str]]] = []
    while True:
        goal = _strip(goal)
        if goal and goal[0] == "∀":
            comma = _top(goal, ",")
            binder, goal = goal[1:comma], goal[comma + 1 :]
            if binder and binder[0] in _OPEN:
                while binder:
                    end = _closing(binder, 0)
                    found.append(_binder_group(binder[1:end]))
                    binder = binder[end + 1 :]
            else:
                found.append(_binder_group(binder))
            continue
        arrow = -1
        depth = 0
        for i, token in enumerate(goal):
            if depth == 0 and (token in _BINDERS or token == "↔"):
                if token == "↔":
                    arrow = -1
                break
            if depth == 0 and token == "→" and arrow < 0:
                arrow = i
            if token in _OPEN:
                depth += 1
            elif token in _CLOSE:
                depth -= 1
        if arrow < 0:
            return found, goal
        found.append(([], _strip(goal[:arrow])))
        goal = goal[arrow + 1 :]


def _rename_bound(tokens: list[str]) -> list[str]:
    """Names bound inside become `#k` by the order in which they are bound; numerals from 2 up become `#n`."""
    bound: dict[str, str] = {}
    out: list[str] = []
    binding = False
    typed = False
    for token in tokens:
        if token in _BINDERS:
            binding, typed = True, False
        elif binding and token in (",", "=>"):
            binding = False
        elif binding and token == ":":
            typed = True
        elif binding and token == ")":
            typed = False
        elif binding and not typed and token[0].isalpha():
            bound[token] = f"#{len(bound)}"
        out.append(bound.get(token) or ("#n" if token.isdigit() and token not in ("0", "1") else token))
    return out


def _statement(text: str) -> tuple[list[str], list[list[str]], list[str]]:
    """(variables, hypotheses and types, goal) of the last theorem in `text`."""
    tokens = _tokens(text)
    starts = [i for i, token in enumerate(tokens) if token in ("theorem", "lemma")]
    before = tokens[: starts[-1]]
    tokens = tokens[starts[-1] + 2 :]
    groups: list[tuple[list[str], list[str]]] = []
    while tokens and tokens[0] in _OPEN:
        end = _closing(tokens, 0)
        inner = tokens[1:end]
        groups.append(_binder_group(inner) if _top(inner, ":") >= 0 else ([], inner))
        tokens = tokens[end + 1 :]
    goal = tokens[1:] if tokens and tokens[0] == ":" else tokens
    more, goal = _open_goal(goal)
    groups += more
    names: list[str] = []
    facts: list[list[str]] = [_rename_bound(before)] if before else []
    for names_here, kind in groups:
        kind = _rename_bound(_strip(kind))
        for name in names_here:
            names.append(name)
            facts.append([name, ":", *kind])
        if not names_here and kind:
            facts.append([":", *kind])
    return names, facts, _rename_bound(_strip(goal))


def normal_key(formal_statement: str) -> str:
    """16 hexadecimal digits, the same for statements equal up to names, numerals above 1 and hypotheses' order."""
    names, facts, goal = _statement(formal_statement)
    facts = [*facts, ["⊢", *goal]]
    used = {token for fact in facts for token in (fact[2:] if len(fact) > 1 and fact[1] == ":" else fact)}
    # A name that nothing mentions (most hypotheses' names) is no variable.
    names = [name for name in names if name in used]
    facts = [fact[1:] if len(fact) > 1 and fact[1] == ":" and fact[0] not in used else fact for fact in facts]
    colour = dict.fromkeys(names, "v")
    where: dict[str, list[int]] = {name: [] for name in names}
    for i, fact in enumerate(facts):
        for token in set(fact):
            if token in where:
                where[token].append(i)
    for _ in range(_ROUNDS):
        lines = [" ".join(colour.get(token, token) for token in fact) for fact in facts]
        fresh: dict[str, str] = {}
        for name in names:
            marks = sorted(
                lines[i] + "|" + ",".join(str(k) for k, token in enumerate(facts[i]) if token == name)
                for i in where[name]
            )
            fresh[name] = "v" + hashlib.blake2b("\n".join(marks).encode(), digest_size=6).hexdigest()
        colour = fresh
    lines = sorted(" ".join(colour.get(token, token) for token in fact) for fact in facts)
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=8).hexdigest()


def split_of(key: str) -> str:
    """Split of a normal key: 80 in 100 train, 8 validation, 12 test."""
    part = int(key[:8], 16) % 100
    return "train" if part < 80 else "validation" if part < 88 else "test"
