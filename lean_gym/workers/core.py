"""`CoreWorker`: the embedded Lean, by a fork server of its own."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core import frames
from ..core.build import CoreBuildError, core_library
from ..core.client import ForkServer, ServerConfig, modules_of
from ..core.frames import Part, Request
from ..core.library import LeanNotFound
from ..core.sandbox import available
from ..theorem import CORE_HEADER, skip_blank, split_header
from .base import Command, Job, RawMessage, Reply, Status, WorkerLost

__all__ = ["CoreWorker", "Installation"]

_log = logging.getLogger(__name__)

SEARCH_PATH_VARIABLE = "LEAN_GYM_PATH"

_GRACE = 15.0  # seconds beyond a job's wall limit after which the server counts as hung
_START, _IMPORT = 60.0, 600.0  # seconds for a start; with a library as large as Mathlib on a cold disk
_NEEDED = ("no_file_write", "no_network", "no_new_process")  # what strict_sandbox insists on
_numbers = itertools.count(1)

_STATUS = {
    frames.DONE: Status.DONE,
    frames.TIMEOUT: Status.TIMEOUT,
    frames.OUT_OF_MEMORY: Status.OUT_OF_MEMORY,
    frames.CRASHED: Status.CRASHED,
}

# Elaborated once in the server: what they make Lean build lazily is then there in every child.
_WARM = (
    """theorem warm (a b c : Nat) (h : a = b) : a + (c + 0) = c + b := by
  induction c with
  | zero => simp [h]
  | succ n ih => rw [h, Nat.add_zero, Nat.add_comm]
#print axioms warm
""",
    """theorem warm (p q r : Prop) : (p ∧ q) ∨ r → (q ∧ p) ∨ r := by
  intro h
  rcases h with ⟨hp, hq⟩ | hr
  · exact Or.inl ⟨hq, hp⟩
  · right; assumption
theorem warm' (n : Nat) (h : n = 0) : n + 1 = 1 := by
  subst h
  decide
theorem warm'' (f : Nat → Nat) (h : ∀ n, f n = n) : f 2 = 2 := by
  have step := h 2
  calc f 2 = 2 := step
    _ = 2 := rfl
""",
    "theorem warm (a b : Nat) : a + b = a := by simp\n",
    "theorem warm (a b : Nat) : a + b = b := by\n  cases a with\n  | zero => omega\n  | succ n => exact sorry\n",
)


@dataclass(frozen=True)
class Installation:
    """A Lean that the fork server runs.

    Attributes:
        library: the file of its `libleanshared`.
        search_path: folders of its `.olean` files.
        digest: names all of it.
    """

    library: Path
    search_path: tuple[Path, ...]
    digest: str


class CoreWorker:
    """Checks jobs with the embedded Lean: one server process, a forked and confined child for each job.

    Args:
        header: opens every job; its modules are imported once, at start. Other modules than Core's are looked up
        along the search path. capacity: children at the same time; by default the number of CPUs.
        search_path: folders of `.olean` files; those of the variable `LEAN_GYM_PATH` follow.
        strict_sandbox: refuse to start where children can't be kept from files, network and new processes.
        refused: syntax kinds of the commands that no job may hold, in full or their last component ("eval").
        hugepages: let the server put Lean's code into huge pages: 160 MB of memory, faster children.
        installation: another Lean than the embedded one, with the modules of the header.

    Attributes:
        id, capacity, lean, image: as in `Worker`.
        layers: layers of the sandbox in force, known after `start`.
    """

    def __init__(
        self,
        header: str = CORE_HEADER,
        capacity: int | None = None,
        search_path: Sequence[str | Path] = (),
        strict_sandbox: bool = False,
        refused: Sequence[str] = (),
        hugepages: bool = True,
        installation: Installation | None = None,
    ) -> None:
        if capacity is not None and capacity < 1:
            raise ValueError(f"capacity is {capacity}; a worker runs at least one job at a time")
        self.header = header
        self.capacity = capacity or _cpus()
        self.id = f"core-{os.getpid()}-{next(_numbers)}"
        self.lean = ""
        self.image = ""
        self.layers: tuple[str, ...] = ()
        self._modules, self._prelude, _ = split_header(header)
        more = os.environ.get(SEARCH_PATH_VARIABLE, "")
        self._search_path = tuple(Path(path) for path in (*search_path, *more.split(os.pathsep)) if str(path))
        self._strict = strict_sandbox
        self._refused = tuple(refused)
        self._hugepages = hugepages
        self._installation = installation
        self._server: ForkServer | None = None
        self._slots = asyncio.Semaphore(self.capacity)

    def __repr__(self) -> str:
        state = "alive" if self._server and self._server.alive else "down"
        return f"<CoreWorker {self.id} {state} capacity={self.capacity} modules={' '.join(self._modules)}>"

    @property
    def pid(self) -> int:
        """Process id of the server. Raises `WorkerLost` when there is none."""
        if self._server is None:
            raise WorkerLost(f"Worker {self.id} was not started.")
        return self._server.pid

    def resident(self) -> int:
        """Bytes of memory that the server itself holds; 0 when that is not to be known."""
        try:
            return int(Path(f"/proc/{self.pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, WorkerLost):
            return 0

    async def start(self) -> None:
        """Compile Core if need be, start the server, wait for its imports.

        Raises:
            WorkerLost: no Lean library here, a module that can't be found, a sandbox that is too weak for
            `strict_sandbox`.
        """
        if sys.platform != "linux":
            raise WorkerLost(
                f"The embedded Lean's fork server needs Linux; this is {sys.platform}: use another worker."
            )
        lean = self._installation
        if lean is None:
            lean = await asyncio.to_thread(_embedded)
        if self._strict:
            await asyncio.to_thread(_insist)
        paths = (*lean.search_path, *self._search_path)
        modules = modules_of(self._modules, self._prelude)
        warm = _WARM if modules == ("Core",) else ()
        server = ForkServer(
            ServerConfig(lean.library, modules, paths, self.capacity, warm, self._refused, self._hugepages)
        )
        await server.start(_START if self._installation is None else _IMPORT)
        if self._refused and server.ready["plain"] == ["no"]:
            _log.warning("%s: this library's commands can't be told apart; refused_commands is not in force", self.id)
        self._server = server
        self.lean = server.ready["version"][0]
        self.layers = tuple(server.ready["layers"])
        self.image = await asyncio.to_thread(_digest, lean.digest, modules, self._search_path)

    async def check(self, job: Job) -> Reply:
        """Run one job in a child of its own. More than `capacity` at a time wait here, at no cost to their limits.

        Raises:
            WorkerLost: the server is gone or does not answer.
            ValueError: the job's header imports other modules than the worker's.
        """
        (reply,) = await self._run((job,), trusted=False)
        return reply

    async def compile(self, jobs: Sequence[Job]) -> list[Reply]:
        """Compile trusted texts, one after another in one child, within the limits of the first job.

        An open proof has its module too, and no command is refused. When the child does not come to its end, all the
        replies say so. Raises as `check`.
        """
        return await self._run(jobs, trusted=True)

    async def _run(self, jobs: Sequence[Job], *, trusted: bool) -> list[Reply]:
        for job in jobs:
            if job.header != self.header:
                modules, prelude, _ = split_header(job.header)
                if (modules, prelude) != (self._modules, self._prelude):
                    raise ValueError(
                        f"worker {self.id} imported {' '.join(self._modules) or 'nothing'}; the job's header imports "
                        f"{' '.join(modules) or 'nothing'}: start a CoreWorker for that header"
                    )
        if self._server is None:
            raise WorkerLost(f"Worker {self.id} was not started.")
        limits = jobs[0].limits
        texts = tuple(job.text.encode("utf-8", "replace") for job in jobs)  # a lone surrogate becomes "?"
        request = Request(
            cpu=limits.cpu,
            memory=limits.memory,
            output=limits.output,
            wall=limits.wall,
            heartbeats=limits.heartbeats,
            module=jobs[0].module,
            texts=texts,
            trusted=trusted,
        )
        async with self._slots:
            result = await self._server.run(request, limits.wall + _GRACE)
        if result.status != frames.DONE:
            return [Reply(_STATUS[result.status], detail=result.detail, seconds=result.seconds) for _ in jobs]
        return [_reply(part, text, result.seconds) for part, text in zip(result.parts, texts)]

    async def aclose(self) -> None:
        """Stop the server and all its children. Safe to call twice."""
        server, self._server = self._server, None
        if server is not None:
            await server.close()


def _embedded() -> Installation:
    try:
        core = core_library()
    except (LeanNotFound, CoreBuildError) as error:
        raise WorkerLost(str(error)) from error
    return Installation(core.library.path, core.search_path, core.digest)


def _cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _insist() -> None:
    holds = available()
    missing = [name for name in _NEEDED if not holds[name]]
    if missing:
        raise WorkerLost(
            f"This kernel can't confine a proof: {', '.join(missing)} does not hold (Landlock or seccomp is missing). "
            "Use a newer kernel, a container worker, or strict_sandbox=False."
        )


def _digest(core: str, modules: tuple[str, ...], search_path: tuple[Path, ...]) -> str:
    """What runs: the library and Core, and the files of the header's own modules elsewhere."""
    if modules == ("Core",):
        return core
    parts = hashlib.sha256(core.encode())
    for module in modules:
        for folder in search_path:
            path = folder.joinpath(*module.split(".")).with_suffix(".olean")
            if path.is_file():
                parts.update(module.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
                break
    return parts.hexdigest()


def _reply(part: Part, text: bytes, seconds: float) -> Reply:
    """What a child says of one text as a `Reply`. It is read with suspicion: the text may have written it."""
    truncated = bool(part.flags & frames.TRUNCATED)
    try:
        messages = tuple(_message(line) for line in part.messages.split(b"\n") if line)
        commands = _commands(part.commands, text)
    except (ValueError, KeyError, TypeError, RecursionError):
        return Reply(Status.CRASHED, detail="The child's messages were malformed.", seconds=seconds)
    detail = "The compiled module is too large to hand back." if part.flags & frames.MODULE_TOO_LARGE else ""
    return Reply(
        Status.DONE,
        messages,
        commands,
        olean=part.module or None,
        detail=detail,
        seconds=seconds,
        truncated=truncated,
    )


def _commands(lines: bytes, text: bytes) -> tuple[Command, ...]:
    commands: list[Command] = []
    at, line = 0, 1
    for entry in lines.decode("ascii", "replace").split("\n") if lines else ():
        start, _, kind = entry.partition(" ")
        offset = int(start)
        if not at <= offset <= len(text):
            raise ValueError("the commands are out of order")
        line += text.count(b"\n", at, offset)
        at = offset
        # The first command is said to start with the file, whatever blanks and comments it has before it.
        blank = 0 if commands else _blank_lines(text)
        commands.append(Command(kind.removeprefix("!"), line + blank, kind.startswith("!")))
    return tuple(commands)


def _blank_lines(text: bytes) -> int:
    return text[: skip_blank(text.decode("utf-8", "replace"), 0)].count(b"\n")


def _message(line: bytes) -> RawMessage:
    data = json.loads(line)
    severity, text, kind = data["severity"], data["data"], data["kind"]
    row, column = data["pos"]["line"], data["pos"]["column"]
    if not (isinstance(severity, str) and isinstance(text, str) and isinstance(kind, str)):
        raise TypeError("a message's text is no string")
    if not (isinstance(row, int) and isinstance(column, int)):
        raise TypeError("a message's position is no number")
    return RawMessage(severity, row, column, text, "" if kind == "[anonymous]" else kind)
