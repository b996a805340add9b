"""What every kind of Lean worker offers, and what passes between it and the pool."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

__all__ = ["Command", "Job", "Limits", "RawMessage", "Reply", "Status", "Worker", "WorkerLost", "WorkerUnavailable"]


@dataclass(frozen=True)
class Limits:
    """What one job may use. A job that passes a limit is stopped; its neighbours are not.

    Attributes:
        wall: seconds from the start of elaboration (time in a queue is not counted).
        cpu: CPU seconds.
        memory: bytes of resident memory over what the worker holds itself.
        output: bytes of messages; what is beyond is cut, and `Reply.truncated` says so.
        heartbeats: Lean's `maxHeartbeats` (thousands of small allocations) at the start of the file.
    """

    wall: float = 20.0
    cpu: float = 20.0
    memory: int = 2 << 30
    output: int = 256 << 10
    heartbeats: int = 200_000


@dataclass(frozen=True)
class Job:
    """Lean text to elaborate.

    Attributes:
        header: the trusted header; the worker imports its modules.
        text: all that comes after the header's import lines; line 1 of every message is its first line.
        limits: see `Limits`.
        module: hand back the compiled module (`.olean`) when the text elaborates without an error message.
    """

    header: str
    text: str
    limits: Limits = Limits()
    module: bool = True


class Status(str, Enum):
    """How a job ended, as seen from outside the process that ran the candidate."""

    DONE = "done"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"


@dataclass(frozen=True)
class RawMessage:
    """One message of Lean. `line` counts from 1, `column` (in code points) from 0, both in `Job.text`."""

    severity: str
    line: int
    column: int
    text: str
    kind: str = ""


@dataclass(frozen=True)
class Command:
    """A command as Lean parsed it: its syntax kind, and the line of `Job.text` on which it starts.

    `refused`: the worker's policy forbids it; it and what follows were not elaborated.
    """

    kind: str
    line: int
    refused: bool = False


@dataclass(frozen=True)
class Reply:
    """A worker's answer. Untrusted: a hostile job can forge every field but `status` other than DONE.

    Attributes:
        commands: the text's commands in order, the end of the file one of them; empty from a worker that does not say.
        olean: the compiled module when `Job.module` was set, no error was reported and it was written.
        detail: one sentence on how the job ended when `status` is not DONE.
        seconds: wall seconds from the start of elaboration to the answer, import excluded.
        importing: wall seconds that importing the header took within this job (0.0 when it was there already).
        truncated: the messages passed `Limits.output` and were cut.
    """

    status: Status
    messages: tuple[RawMessage, ...] = ()
    commands: tuple[Command, ...] = ()
    olean: bytes | None = None
    detail: str = ""
    seconds: float = 0.0
    importing: float = 0.0
    truncated: bool = False


class WorkerLost(Exception):
    """The worker died, hung or broke its protocol: an infrastructure failure, never a score."""


class WorkerUnavailable(WorkerLost):
    """The worker did not take the job: it was gone before, has no room, or refuses us. No job is the cause of that."""


class Worker(Protocol):
    """One disposable worker. The pool starts it, gives it jobs, and closes it.

    Attributes:
        id: unique within the program, for logs and verdicts.
        capacity: jobs that may run in it at the same time.
        lean: Lean's version, e.g. "4.35.0", known after `start`.
        image: digest of what runs (library and `Core`, or the container image), known after `start`.
    """

    id: str
    capacity: int
    lean: str
    image: str

    async def start(self) -> None:
        """Make the worker ready. Raises `WorkerLost` when it can't start, with one sentence on what to do."""

    async def check(self, job: Job) -> Reply:
        """Run one job. Cancelling stops it.

        Raises:
            WorkerLost: every failure that is not the job's own; `WorkerUnavailable` if the job never began.
        """

    async def aclose(self) -> None:
        """Stop the worker and everything it started. Safe to call twice."""
