"""`lean-gym plot`: held-out pass rate over verified attempts, and a run's timeline, as pictures or numbers.

`lean_gym.cli` adds the command; matplotlib is imported when a picture is drawn.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from trainers.curves import Curve, combine, read_run
from trainers.timeline import Timeline, read_timeline

__all__ = ["add_parser", "run"]

EXIT_DONE, EXIT_USAGE = 0, 2

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # Okabe and Ito: told apart by everyone


class _Refused(Exception):
    """The command can't be done; the message says what is wrong, where, and what to do."""


def add_parser(commands: Any) -> None:
    """Add `plot` to the sub-commands of `lean-gym`."""
    parser = commands.add_parser(
        "plot",
        help="plot runs: held-out pass rate over verified attempts, or one run's timeline",
        description="Runs that differ in their seed only are one curve, with a 95 % confidence band.",
    )
    parser.add_argument("run_dirs", nargs="*", metavar="RUN_DIR", help="folders of ES runs")
    parser.add_argument("-o", "--output", metavar="FILE", help="the picture; its ending says the format (.png, .svg)")
    parser.add_argument("--label", action="append", metavar="TEXT", help="name of the runs, once a RUN_DIR, in order")
    parser.add_argument("--metric", default="eval_pass@1", help="what of metrics.jsonl to plot (%(default)s)")
    parser.add_argument("--timeline", metavar="RUN_DIR", help="plot the trace of a run that was made with --trace")
    parser.add_argument("--last", type=int, metavar="N", help="with --timeline: only the last N generations")
    parser.add_argument("--json", action="store_true", help="print the points as one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    try:
        if bool(arguments.run_dirs) == bool(arguments.timeline):
            raise _Refused("give the folders of runs, or --timeline RUN_DIR; see lean-gym plot --help")
        if not arguments.output and not arguments.json:
            raise _Refused("-o FILE is missing: where the picture goes (or --json, to print the points)")
        if arguments.timeline:
            timeline = _timeline(arguments.timeline, arguments.last)
            report: dict[str, Any] = asdict(timeline)
        else:
            curves = _curves(arguments.run_dirs, arguments.label, arguments.metric)
            report = {"metric": arguments.metric, "curves": [asdict(curve) for curve in curves]}
        if arguments.output:
            plt = _pyplot()
            figure = _draw_timeline(plt, timeline) if arguments.timeline else _draw(plt, curves, arguments.metric)
            try:
                figure.savefig(arguments.output, dpi=150, bbox_inches="tight")
            except (OSError, ValueError) as error:
                raise _Refused(f"{arguments.output} can't be written: {error}") from error
            finally:
                plt.close(figure)
            report["output"] = arguments.output
    except _Refused as error:
        print(f"lean-gym: {error}", file=sys.stderr)
        return EXIT_USAGE
    if arguments.json:
        print(json.dumps(report))
    else:
        print(f"saved {arguments.output}")
    return EXIT_DONE


def _curves(folders: Sequence[str], labels: Sequence[str] | None, metric: str) -> list[Curve]:
    if labels is not None and len(labels) != len(folders):
        raise _Refused(f"{len(labels)} --label for {len(folders)} runs: give one for each, in order")
    try:
        runs = [read_run(f, labels[i] if labels else None, metric) for i, f in enumerate(folders)]
        return combine(runs, by_label=labels is not None)
    except OSError as error:
        raise _Refused(
            f"{error.filename} can't be read ({error.strerror}): is this the folder of an ES run?"
        ) from error
    except ValueError as error:
        raise _Refused(str(error)) from error


def _timeline(folder: str, last: int | None) -> Timeline:
    file = Path(folder) / "trace.json" if Path(folder).is_dir() else Path(folder)
    try:
        return read_timeline(file, last)
    except OSError as error:
        raise _Refused(f"{file} can't be read ({error.strerror}): was the run made with --trace?") from error
    except ValueError as error:
        raise _Refused(str(error)) from error


def _pyplot() -> Any:
    try:
        import matplotlib
    except ModuleNotFoundError as error:
        raise _Refused(f'a picture needs {error.name}: pip install "lean-gym[plot]"') from error
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def _draw(plt: Any, curves: Sequence[Curve], metric: str) -> Any:
    """Held-out pass rate (percent) over attempts; bands are 95 % confidence intervals of the mean over seeds."""
    figure, axes = plt.subplots(figsize=(7, 4.2))
    for i, curve in enumerate(curves):
        colour = _COLOURS[i % len(_COLOURS)]
        axes.plot(curve.attempts, [100 * r for r in curve.rate], "o-", color=colour, ms=4, lw=1.8, label=curve.label)
        if curve.low is not None and curve.high is not None:
            low, high = [100 * r for r in curve.low], [100 * r for r in curve.high]
            axes.fill_between(curve.attempts, low, high, color=colour, alpha=0.18, lw=0)
    axes.set_xlabel("proof attempts verified in training")
    axes.set_ylabel(f"held-out theorems proved, {metric.rpartition('_')[2]} (%)")
    axes.xaxis.set_major_formatter(plt.FuncFormatter(lambda x, _: f"{x:,.0f}"))
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return figure


def _draw_timeline(plt: Any, timeline: Timeline) -> Any:
    """A row of spans a rank over the proofs in flight."""
    ranks = sorted({span.rank for span in timeline.spans} | set(timeline.in_flight))
    figure, rows = plt.subplots(
        2 * len(ranks), 1, sharex=True, figsize=(10, 0.6 + 1.9 * len(ranks)), squeeze=False,
        gridspec_kw={"height_ratios": [1, 1.6] * len(ranks), "hspace": 0.15},
    )  # fmt: skip
    names = list(dict.fromkeys(span.name for span in timeline.spans))
    colours = {name: _COLOURS[i % len(_COLOURS)] for i, name in enumerate(names)}
    for i, rank in enumerate(ranks):
        bars, flight = rows[2 * i][0], rows[2 * i + 1][0]
        for name in names:
            own = [(s.start, s.seconds) for s in timeline.spans if (s.rank, s.name) == (rank, name)]
            bars.broken_barh(own, (0, 1), color=colours[name], label=name if i == 0 else None, lw=0)
        bars.set_yticks([])
        bars.set_ylabel(f"rank {rank}", rotation=0, ha="right", va="center")
        points = timeline.in_flight.get(rank, ())
        flight.fill_between([t for t, _ in points], [n for _, n in points], step="post", color="0.6", lw=0)
        flight.set_ylabel("proofs\nin Lean", rotation=0, ha="right", va="center")
        flight.set_ylim(bottom=0)
        for axes in (bars, flight):
            axes.spines[["top", "right"]].set_visible(False)
            for start in timeline.iterations:
                axes.axvline(start, color="0.3", lw=0.6, ls=":")
    rows[0][0].legend(ncols=len(names), loc="lower left", bbox_to_anchor=(0, 1.0), frameon=False, fontsize=9)
    rows[-1][0].set_xlabel("seconds (dotted: a generation begins)")
    return figure
