"""A run's trace as a timeline: what each rank did when, how many proofs were in Lean, and what overlapped."""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass, field

from trainers.trace import read_trace

__all__ = ["Span", "Timeline", "read_timeline"]

_WHOLE = "iteration"


@dataclass(frozen=True)
class Span:
    """One part of a rank's work; seconds from the timeline's begin."""

    rank: int
    name: str
    start: float
    seconds: float


@dataclass
class Timeline:
    """A part of a trace.

    Attributes:
        spans: what the ranks did, iterations left out.
        iterations: when generations of the first rank began.
        in_flight: rank -> (second, completions whose verdict is awaited from then on).
        seconds: rank -> span name -> total; `verification` counts the time with any proof in flight, `overlap` the
            part of it in which the rank generated meanwhile.
    """

    spans: list[Span] = field(default_factory=list)
    iterations: list[float] = field(default_factory=list)
    in_flight: dict[int, list[tuple[float, int]]] = field(default_factory=dict)
    seconds: dict[int, dict[str, float]] = field(default_factory=dict)


def read_timeline(path: str | os.PathLike[str], last: int | None = None) -> Timeline:
    """The timeline of a trace file.

    Args:
        last: only so many generations at its end.

    Raises:
        ValueError: when the file is no trace, or holds no generation.
    """
    events = [e for e in read_trace(path) if "ts" in e]
    begins = sorted(e["ts"] for e in events if e["name"] == _WHOLE and e["pid"] == 0)
    if not begins:
        raise ValueError(f"{path} holds no generation")
    if last is not None and last < 1:
        raise ValueError(f"--last must be at least 1, not {last}")
    first = begins[-last] if last is not None and last < len(begins) else min(e["ts"] for e in events)
    timeline = Timeline(iterations=[_second(t, first) for t in begins if t >= first])
    changes: dict[int, list[tuple[float, int]]] = {}
    # Of a run that was killed, some verifications never ended.
    ended = {e["id"] for e in events if e["ph"] == "e"}
    for event in sorted(events, key=lambda e: e["ts"]):
        rank, phase, at = int(event["pid"]), event["ph"], _second(event["ts"], first)
        if phase == "X" and at >= 0 and event["name"] != _WHOLE:
            timeline.spans.append(Span(rank, event["name"], at, round(event["dur"] / 1e6, 6)))
        elif phase in "be" and event["id"] in ended:
            changes.setdefault(rank, []).append((max(at, 0.0), 1 if phase == "b" else -1))
    for rank, steps in changes.items():
        count = 0
        points: list[tuple[float, int]] = []
        for at, change in steps:
            count += change
            if points and points[-1][0] == at:
                points[-1] = (at, count)
            else:
                points.append((at, count))
        timeline.in_flight[rank] = points
    for rank in sorted({s.rank for s in timeline.spans} | set(changes)):
        timeline.seconds[rank] = _totals(timeline, rank)
    return timeline


def _second(ts: float, first: float) -> float:
    return round((ts - first) / 1e6, 6)


def _totals(timeline: Timeline, rank: int) -> dict[str, float]:
    totals: dict[str, float] = {}
    own = [s for s in timeline.spans if s.rank == rank]
    for span in own:
        totals[span.name] = totals.get(span.name, 0.0) + span.seconds
    points = timeline.in_flight.get(rank, [])
    busy = [(a, b) for (a, n), (b, _) in itertools.pairwise(points) if n > 0]
    generating = [(s.start, s.start + s.seconds) for s in own if s.name == "generate"]
    totals["verification"] = sum(b - a for a, b in busy)
    # Both lists are in order and do not overlap themselves.
    overlap, i = 0.0, 0
    for a, b in busy:
        while i < len(generating) and generating[i][1] <= a:
            i += 1
        j = i
        while j < len(generating) and generating[j][0] < b:
            overlap += max(0.0, min(b, generating[j][1]) - max(a, generating[j][0]))
            j += 1
    totals["overlap"] = overlap
    return {name: round(value, 6) for name, value in totals.items()}
