"""Proofs whose verdicts are known: what a worker must judge right before it is trusted with others.

They need nothing of any library but `∧`, and Lean's versions agree on where they are wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from .base import RawMessage, Reply, Status, WorkerLost

__all__ = ["TRUE_PROOF", "check_canaries", "insist_on_true"]

TRUE_PROOF = "theorem lean_gym_true (p q : Prop) (hp : p) (hq : q) : p ∧ q :=\n  ⟨hp, hq⟩\n"
_FALSE = "theorem lean_gym_false (p q : Prop) (hp : p) (hq : q) : p :=\n  hq\n\n\n"
_FALSE_AT = (2, 2)
_OPEN = "theorem lean_gym_open (p : Prop) : p :=\n  sorry\n"
_OPEN_AT = (1, 8)


async def check_canaries(check: Callable[[str], Awaitable[Reply]], copies: int = 1) -> None:
    """Have a true proof, a false one and an open one checked, all at the same time.

    Args:
        check: runs a text without header.
        copies: of the true proof, so that every process of a worker has had its imports before the first job.

    Raises:
        WorkerLost: one was judged wrongly, or its error was reported elsewhere than where it is.
    """
    *right, wrong, unfinished = await asyncio.gather(*(check(text) for text in [TRUE_PROOF] * copies + [_FALSE, _OPEN]))
    for reply in right:
        insist_on_true(reply)
    _insist(wrong, _FALSE_AT, "a false proof", "refused", lambda message: message.severity == "error")
    _insist(unfinished, _OPEN_AT, "a proof by `sorry`", "noticed", lambda message: message.kind == "hasSorry")


def insist_on_true(reply: Reply) -> None:
    """Raise `WorkerLost` unless this reply to `TRUE_PROOF` is the right one."""
    if reply.status is not Status.DONE or reply.messages:
        said = reply.messages[0].text if reply.messages else f"{reply.status.value}: {reply.detail}"
        raise WorkerLost(f"a true proof was not accepted: {said[:500]}")


def _insist(reply: Reply, at: tuple[int, int], what: str, how: str, wanted: Callable[[RawMessage], bool]) -> None:
    if reply.status is not Status.DONE:
        raise WorkerLost(f"{what} ended as {reply.status.value}: {reply.detail}")
    found = [(message.line, message.column) for message in reply.messages if wanted(message)]
    if not found:
        raise WorkerLost(f"{what} was not {how}")
    if found[0] != at:
        raise WorkerLost(f"{what} was {how} at line {found[0][0]}, column {found[0][1]}, not {at[0]}, {at[1]}")
