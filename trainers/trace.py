"""A run's timeline in the Chrome trace format: opens in Perfetto (ui.perfetto.dev) and chrome://tracing.

https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU (JSON array format). A process of the
trace is a rank. Spans that follow each other ("X") are `iteration`, `generate`, `wait_verify`, `gather`, `update`,
`evaluation` and `checkpoint`; those that overlap ("b" and "e", an id each) are `verification`: from the moment that a
completion goes to the reward functions to its last reward.
"""

from __future__ import annotations

import itertools
import json
import logging
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["Trace", "TraceFile", "read_trace"]

logger = logging.getLogger(__name__)

Event = dict[str, Any]

_END = b"\n]\n"


class Trace:
    """Collects the events of one rank; any thread may add some.

    Args:
        rank: of this process.
        enabled: False makes every call do nothing.
    """

    def __init__(self, rank: int = 0, enabled: bool = True) -> None:
        self.rank = rank
        self.enabled = enabled
        self._lock = threading.Lock()
        self._events: list[Event] = []
        self._ids = itertools.count()
        # The time of day once, then a clock that never jumps.
        self._offset = time.time() - time.perf_counter()
        self._origin = f"{rank}.{int(self.now() / 1000):x}"
        if enabled:
            self._add({"ph": "M", "name": "process_name", "args": {"name": f"rank {rank}"}})

    def now(self) -> float:
        """Microseconds since 1970."""
        return round((self._offset + time.perf_counter()) * 1e6, 1)

    def _add(self, event: Event) -> None:
        with self._lock:
            self._events.append({**event, "pid": self.rank, "tid": 0})

    @contextmanager
    def span(self, name: str, **details: Any) -> Iterator[None]:
        """Time a block; what it raises ends the span too."""
        if not self.enabled:
            yield
            return
        started = self.now()
        try:
            yield
        finally:
            event: Event = {"ph": "X", "name": name, "ts": started, "dur": round(self.now() - started, 1)}
            self._add({**event, "args": details} if details else event)

    def begin(self, name: str, **details: Any) -> str | None:
        """Begin a span that may overlap others of its name; pass what comes back to `end`."""
        if not self.enabled:
            return None
        # Ids are global in a trace: of all ranks, and of the parts of a run that was resumed.
        number = f"{self._origin}.{next(self._ids)}"
        self._add({"ph": "b", "name": name, "cat": name, "id": number, "ts": self.now(), "args": details})
        return number

    def end(self, name: str, number: str | None, **details: Any) -> None:
        """End a span of `begin`."""
        if number is not None:
            self._add({"ph": "e", "name": name, "cat": name, "id": number, "ts": self.now(), "args": details})

    def take(self) -> list[Event]:
        """The events since the last call."""
        with self._lock:
            events, self._events = self._events, []
        return events


class TraceFile:
    """The file of a run's events: one JSON array, whole after each `append`.

    A process that is killed while it writes leaves an array without its end, which viewers accept and the next
    `append` repairs. A resumed run goes on in the same file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def append(self, events: Sequence[Event]) -> None:
        """Add events to the file."""
        if not events:
            return
        text = ",\n".join(json.dumps(event, separators=(",", ":")) for event in events).encode()
        if not self.path.exists():
            self.path.write_bytes(b"[\n" + text + _END)
            return
        with self.path.open("r+b") as file:
            file.seek(0, os.SEEK_END)
            size = file.tell()
            file.seek(max(0, size - len(_END)))
            if file.read() == _END:
                file.seek(size - len(_END))
            else:  # torn: everything after the last whole line goes
                file.seek(0)
                file.seek(_whole(file.read()))
            file.write((b",\n" if file.tell() > 1 else b"[\n") + text + _END)
            file.truncate()


def _whole(data: bytes) -> int:
    """Length of the part of a torn array that holds whole events, without a comma after the last."""
    lines = data.split(b"\n")
    while lines:
        try:
            json.loads(lines[-1].rstrip(b","))
        except ValueError:
            lines.pop()
            continue
        return len(b"\n".join(lines).rstrip(b","))
    return 0


def read_trace(path: str | os.PathLike[str]) -> list[Event]:
    """The events of a file; a torn end is left out.

    Raises:
        ValueError: when it is no trace.
    """
    data = Path(path).read_bytes()
    try:
        events = json.loads(data)
    except ValueError:
        events = json.loads(data[: _whole(data)] + b"]") if _whole(data) else None
    if not isinstance(events, list):
        raise ValueError(f"{path} is no trace: it holds no JSON array of events")
    return events
