"""Curves of finished or running runs: held-out pass rate over verified attempts, seeds of one setting together.

Reads the files of run folders only; needs neither torch nor matplotlib.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Curve", "Point", "RunCurve", "combine", "read_run", "t_quantile"]

# Two-sided 95 % quantiles of Student's t at 1, 2, ... degrees of freedom.
_T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)


def t_quantile(degrees: int) -> float:
    """97.5 % quantile of Student's t, 1 degree of freedom or more (above 15: within 0.3 %, Hill 1970, first terms)."""
    if degrees <= len(_T95):
        return _T95[degrees - 1]
    z = 1.959964
    return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)


@dataclass(frozen=True)
class Point:
    """One evaluation: generations done, attempts verified until then, share of held-out theorems proved."""

    step: int
    attempts: float
    rate: float


@dataclass(frozen=True)
class RunCurve:
    """The evaluations of one run. `setting` is the same for runs that differ in their seed only."""

    path: str
    label: str
    setting: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Curve:
    """Mean over runs of one setting; `low` and `high` are its 95 % confidence interval (None for one run)."""

    label: str
    runs: tuple[str, ...]
    attempts: tuple[float, ...]
    rate: tuple[float, ...]
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None


def read_run(path: str, label: str | None = None, metric: str = "eval_pass@1") -> RunCurve:
    """The curve of a run's folder, from its metrics.jsonl (and the history's header, for the setting).

    Raises:
        ValueError: when the folder holds no evaluation of `metric`.
        OSError: when a file can't be read.
    """
    folder = Path(path)
    points, known = [], set()
    attempts: float | None = 0.0
    for record in _records(folder / "metrics.jsonl"):
        attempts = record.get("num_attempts", attempts)
        if record.get(metric) is not None:
            points.append(Point(int(record["step"]), float(attempts or 0), float(record[metric])))
        known |= set(record)
    if not points:
        found = sorted(key for key in known if key.startswith("eval_")) or "no evaluation"
        raise ValueError(f"{folder / 'metrics.jsonl'} has no {metric}; it has {found}")
    if "num_attempts" not in known and len(points) > 1:
        raise ValueError(f"{folder / 'metrics.jsonl'} does not say how many attempts were verified (num_attempts)")
    return RunCurve(path, label or folder.resolve().name, _setting(folder), tuple(points))


def _records(file: Path) -> list[dict[str, Any]]:
    records = []
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            records.append(json.loads(line))
        except json.JSONDecodeError:  # torn: the run was killed, or is writing
            continue
    return records


def _setting(folder: Path) -> str:
    """What a run's result depends on but its seeds, as text; the folder's name when it has no history."""
    try:
        with (folder / "history.jsonl").open(encoding="ascii") as file:
            header = json.loads(file.readline())
    except (OSError, ValueError):
        return str(folder.resolve())
    settings = {k: v for k, v in header.get("hyperparameters", {}).items() if k != "seed"}
    kept = {k: header.get(k) for k in ("rank", "base_hash", "data_hash", "exponents", "adapter")}
    return json.dumps([settings, kept], sort_keys=True)


def combine(runs: Sequence[RunCurve], by_label: bool = False) -> list[Curve]:
    """One curve a setting: the mean over its runs, with a 95 % confidence band by Student's t from two runs up.

    Runs of one setting are averaged where all of them were evaluated (after the same number of generations).

    Args:
        by_label: runs with the same label belong together, whatever their settings.
    """
    groups: dict[str, list[RunCurve]] = {}
    for run in runs:
        groups.setdefault(run.label if by_label else run.setting, []).append(run)
    curves = []
    for group in groups.values():
        steps = sorted(set.intersection(*({p.step for p in run.points} for run in group)))
        if not steps:
            names = ", ".join(run.path for run in group)
            raise ValueError(f"{names}: never evaluated after the same number of generations")
        at = [{p.step: p for p in run.points} for run in group]
        rows = [[points[step] for points in at] for step in steps]
        mean = tuple(math.fsum(p.rate for p in row) / len(row) for row in rows)
        low = high = None
        label = group[0].label
        if len(group) > 1:
            factor = t_quantile(len(group) - 1) / math.sqrt(len(group))
            half = [factor * statistics.stdev(p.rate for p in row) for row in rows]
            low = tuple(max(0.0, m - h) for m, h in zip(mean, half, strict=True))
            high = tuple(min(1.0, m + h) for m, h in zip(mean, half, strict=True))
            label = f"{label if by_label else _common([run.label for run in group])} ({len(group)} runs)"
        curves.append(
            Curve(
                label,
                tuple(run.path for run in group),
                tuple(math.fsum(p.attempts for p in row) / len(row) for row in rows),
                mean,
                low,
                high,
            )
        )
    return curves


def _common(labels: Sequence[str]) -> str:
    """What the labels begin with alike, as a name; the first label when that is nothing."""
    first, last = min(labels), max(labels)
    length = next((i for i, (a, b) in enumerate(zip(first, last)) if a != b), min(len(first), len(last)))
    return first[:length].rstrip("-_. ") or labels[0]
