"""The trace of a run, and the pictures of `lean-gym plot`."""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest
from es_toy import ROWS, letter_share, toy_config, toy_model, toy_tokenizer

from trainers import plot_cli
from trainers.curves import Point, RunCurve, combine, read_run, t_quantile
from trainers.es import ESTrainer
from trainers.timeline import read_timeline
from trainers.trace import Trace, TraceFile, read_trace


def train(folder: Path, **changes: Any) -> ESTrainer:
    settings = {"max_steps": 3, "eval_strategy": "steps", "eval_steps": 1, "eval_on_start": True, **changes}
    trainer = ESTrainer(
        toy_model(), letter_share, toy_config(folder, **settings), train_dataset=ROWS, eval_dataset=ROWS,
        processing_class=toy_tokenizer(),
    )  # fmt: skip
    trainer.train(resume_from_checkpoint=changes.get("resume_from_checkpoint"))
    return trainer


@pytest.fixture(scope="module")
def run_dirs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two seeds of one setting and one of another; the first with a trace."""
    folder = tmp_path_factory.mktemp("runs")
    train(folder / "toy-1", trace=True)
    train(folder / "toy-2", seed=7)
    train(folder / "other", sigma=0.1)
    return [folder / "toy-1", folder / "toy-2", folder / "other"]


def plot(capsys: pytest.CaptureFixture[str], *words: Any) -> tuple[int, str, str]:
    parser = argparse.ArgumentParser()
    plot_cli.add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["plot", *map(str, words)])
    code = arguments.run(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_run_leaves_a_trace(run_dirs: list[Path]) -> None:
    events = json.loads((run_dirs[0] / "trace.json").read_text())
    assert events == read_trace(run_dirs[0] / "trace.json")
    names = {e["name"] for e in events}
    assert {"iteration", "generate", "verification", "wait_verify", "gather", "update", "evaluation"} <= names
    iterations = [e for e in events if e["name"] == "iteration"]
    assert [e["args"]["generation"] for e in iterations] == [0, 1, 2]
    for inner in (e for e in events if e["name"] == "update"):
        assert any(i["ts"] <= inner["ts"] and inner["ts"] + inner["dur"] <= i["ts"] + i["dur"] for i in iterations)
    begun = {e["id"]: e["ts"] for e in events if e["ph"] == "b"}
    ended = {e["id"]: e["ts"] for e in events if e["ph"] == "e"}
    # 8 members x 4 prompts x 2 in each of 3 generations, 5 prompts x 4 in each of 4 evaluations.
    assert len(begun) == 3 * 64 + 4 * 20 and begun.keys() == ended.keys()
    assert all(ended[key] >= at for key, at in begun.items())
    assert not (run_dirs[1] / "trace.json").exists()


def test_a_torn_trace_is_read_and_goes_on(tmp_path: Path) -> None:
    file = TraceFile(tmp_path / "trace.json")
    event = {"ph": "X", "name": "update", "ts": 1.0, "dur": 2.0, "pid": 0, "tid": 0}
    file.append([event, event])
    file.append([])
    file.append([event])
    whole = file.path.read_bytes()
    assert json.loads(whole) == [event] * 3
    for cut in range(len(whole)):
        file.path.write_bytes(whole[:cut])
        lines = whole[:cut].split(b"\n")
        expected = sum(line.rstrip(b",") == whole.split(b"\n")[1].rstrip(b",") for line in lines)
        if expected:
            assert read_trace(file.path) == [event] * expected
        else:
            with pytest.raises(ValueError, match="no trace"):
                read_trace(file.path)
        file.append([event])
        assert json.loads(file.path.read_text()) == [event] * (expected + 1)


def test_a_disabled_trace_costs_nothing() -> None:
    trace = Trace(enabled=False)
    with trace.span("update"):
        trace.end("verification", trace.begin("verification"))
    assert trace.take() == []
    loud = Trace(3)
    with pytest.raises(ZeroDivisionError), loud.span("update", n=1):
        raise ZeroDivisionError
    meta, event = loud.take()
    assert meta["args"] == {"name": "rank 3"} and event["pid"] == 3 and event["args"] == {"n": 1} and event["dur"] >= 0


def test_a_timeline_adds_up(tmp_path: Path) -> None:
    def span(name: str, start: float, seconds: float, **more: Any) -> dict[str, Any]:
        return {"ph": "X", "name": name, "ts": start * 1e6, "dur": seconds * 1e6, "pid": 0, "tid": 0, **more}

    def check(kind: str, number: int, at: float) -> dict[str, Any]:
        return {"ph": kind, "name": "verification", "cat": "verification", "id": number, "ts": at * 1e6, "pid": 0}

    events = [
        span("iteration", 100, 10), span("generate", 100, 4), span("wait_verify", 104, 2), span("update", 106, 1),
        check("b", 1, 101), check("b", 2, 103), check("e", 1, 105), check("e", 2, 106), check("b", 3, 106),
        span("iteration", 110, 5), span("generate", 110, 5),
    ]  # fmt: skip
    TraceFile(tmp_path / "trace.json").append(events)
    timeline = read_timeline(tmp_path / "trace.json")
    assert timeline.iterations == [0, 10]
    assert timeline.in_flight == {0: [(1.0, 1), (3.0, 2), (5.0, 1), (6.0, 0)]}  # 3 has no end: the run was killed
    assert timeline.seconds[0] == {
        "generate": 9.0, "wait_verify": 2.0, "update": 1.0, "verification": 5.0, "overlap": 3.0
    }  # fmt: skip
    assert read_timeline(tmp_path / "trace.json", last=1).spans[0].start == 0.0
    (tmp_path / "empty.json").write_text("[]")
    with pytest.raises(ValueError, match="no generation"):
        read_timeline(tmp_path / "empty.json")


def test_curves_of_seeds_are_averaged(run_dirs: list[Path]) -> None:
    one = read_run(str(run_dirs[0]))
    assert [p.step for p in one.points] == [0, 1, 2, 3]
    assert [p.attempts for p in one.points] == [0.0, 64.0, 128.0, 192.0]
    curves = combine([read_run(str(d)) for d in run_dirs])
    assert [c.label for c in curves] == ["toy (2 runs)", "other"] and curves[1].low is None
    by_hand = [RunCurve("a", "x", "s", (Point(1, 10, 0.2),)), RunCurve("b", "x", "s", (Point(1, 20, 0.4),))]
    (curve,) = combine(by_hand)
    assert curve.attempts == (15.0,) and math.isclose(curve.rate[0], 0.3)
    assert curve.low == (0.0,) and curve.high == (1.0,)  # 0.3 -+ 12.7 * 0.1
    assert abs(t_quantile(20) - 2.086) < 0.005 and t_quantile(2) == 4.303


def test_plot_draws_curves(run_dirs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    code, out, _ = plot(capsys, *run_dirs, "-o", tmp_path / "curve.png", "--json")
    report = json.loads(out)
    assert code == 0 and (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert report["metric"] == "eval_pass@1" and len(report["curves"]) == 2
    assert plot(capsys, *run_dirs, "-o", tmp_path / "x.svg", "--label", "A", "--label", "B", "--label", "A")[0] == 0
    assert "A (2 runs)" in (tmp_path / "x.svg").read_text()
    assert plot(capsys, "--timeline", run_dirs[0], "--last", 2, "-o", tmp_path / "timeline.png")[0] == 0
    assert (tmp_path / "timeline.png").stat().st_size > 10000
    code, _, err = plot(capsys, run_dirs[0], "-o", tmp_path / "curve.docx")
    assert code == 2 and "docx" in err


def test_plot_refuses_in_a_sentence(
    run_dirs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for words, message in [
        ([], "folders of runs"),
        ([run_dirs[0]], "-o FILE"),
        ([tmp_path, "--json"], "metrics.jsonl can't be read"),
        ([run_dirs[0], "--json", "--metric", "eval_pass@9"], "has no eval_pass@9; it has"),
        ([run_dirs[0], "--json", "--label", "a", "--label", "b"], "2 --label for 1 runs"),
        (["--timeline", run_dirs[1], "--json"], "--trace"),
        (["--timeline", run_dirs[0], "--last", 0, "--json"], "at least 1"),
    ]:
        code, out, err = plot(capsys, *words)
        assert (code, out) == (2, "") and message in err, err
    code, out, _ = plot(capsys, "--timeline", run_dirs[0], "--json")
    assert code == 0 and json.loads(out)["seconds"]["0"]["generate"] > 0
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, _, err = plot(capsys, run_dirs[0], "-o", tmp_path / "x.png")
    assert code == 2 and 'pip install "lean-gym[plot]"' in err
