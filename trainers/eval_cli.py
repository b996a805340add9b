"""`lean-gym eval`: pass@k of a policy on a suite, every proof checked by the real Lean.

`lean_gym.cli` adds the command; what needs torch is imported when it runs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["add_parser", "run"]

EXIT_DONE, EXIT_USAGE, EXIT_INFRA = 0, 2, 3


class _Refused(Exception):
    """The command can't be done; the message says what is wrong, where, and what to do."""


def add_parser(commands: Any) -> None:
    """Add `eval` to the sub-commands of `lean-gym`."""
    parser = commands.add_parser(
        "eval",
        help="measure pass@k of a model on a suite",
        description="Exit status: 0 done, 2 bad usage, 3 no attempt could be checked.",
    )
    parser.add_argument("--model", metavar="DIR", help="folder or name of a model (default: the starter policy)")
    parser.add_argument("--suite", default="core", help="core or core-200 (default: core)")
    parser.add_argument("--split", default="test", help="train, validation or test (default: test)")
    parser.add_argument("--limit", type=int, default=200, metavar="N", help="at most N theorems (default: 200)")
    parser.add_argument("--families", type=_names, metavar="A,B", help="only these (the starter: its own)")
    parser.add_argument("--levels", type=_numbers, metavar="1,2", help="only these (the starter: its own)")
    parser.add_argument("-n", type=int, default=16, help="attempts for each theorem (default: 16)")
    parser.add_argument("-k", type=_numbers, default=[1, 8], metavar="1,8", help="values of k (default: 1,8)")
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--max-tokens", type=int, default=0, metavar="N", help="default: 48 for the starter, else 1024")
    parser.add_argument("--batch-size", type=int, default=256, help="most sequences at once (default: 256)")
    parser.add_argument("--chat", action="store_true", help="prompt as a chat")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ModuleNotFoundError as error:
        print(f'lean-gym: eval needs {error.name}: pip install "lean-gym[es]"', file=sys.stderr)
        return EXIT_USAGE
    try:
        report = _evaluate(arguments)
    except _Refused as error:
        print(f"lean-gym: {error}", file=sys.stderr)
        return EXIT_USAGE
    if arguments.json:
        print(json.dumps(report))
    else:
        print("\n".join(_lines(report, arguments.k)))
    return EXIT_DONE if report["scored"] else EXIT_INFRA


def _evaluate(arguments: argparse.Namespace) -> dict[str, Any]:
    from lean_gym.prompt import to_dataset_rows
    from lean_gym.suites import load_suite, suite_hash
    from lean_gym.verifier import Verifier
    from trainers.evaluate import pass_report
    from trainers.held_out import evaluate_model
    from trainers.launch import set_threads
    from trainers.rollout import Sampling

    n, ks = arguments.n, sorted(set(arguments.k))
    if n < 1 or arguments.limit < 1 or arguments.batch_size < 1:
        raise _Refused("-n, --limit and --batch-size must be at least 1")
    if ks[0] < 1 or ks[-1] > n:
        raise _Refused(f"-k {','.join(map(str, ks))}: each k must be from 1 to the number of attempts, -n {n}")
    families, levels = arguments.families, arguments.levels
    if arguments.model is None and arguments.suite == "core":
        from trainers.starter import STARTER_FAMILIES, STARTER_LEVELS

        families, levels = families or list(STARTER_FAMILIES), levels or list(STARTER_LEVELS)
    try:
        theorems = load_suite(
            arguments.suite, split=arguments.split, limit=arguments.limit, families=families, levels=levels
        )
    except ValueError as error:
        raise _Refused(str(error)) from error
    if not theorems:
        raise _Refused("no theorem of the suite is of these families and levels")
    source, model, tokenizer = _load(arguments.model)
    set_threads(None, next(model.parameters()).device.type)
    longest = arguments.max_tokens or (48 if arguments.model is None else 1024)
    started = time.perf_counter()
    with Verifier() as verifier, _progress(n * len(theorems), arguments.json) as advance:
        rows = to_dataset_rows(theorems, chat=arguments.chat)
        sampling = Sampling(longest, arguments.temperature)
        verdicts = evaluate_model(
            model, tokenizer, rows, verifier, n, sampling,
            seed=arguments.seed, batch_size=arguments.batch_size, progress=advance,
        )  # fmt: skip
    seconds = time.perf_counter() - started
    flat = [v for row in verdicts for v in row]
    outcomes = Counter(v.outcome.value for v in flat)
    reasons = Counter(v.reason for v in flat if v.outcome.value == "REJECTED")
    return {
        **pass_report([[v.proved if v.scored else None for v in row] for row in verdicts], ks, seed=arguments.seed),
        "theorems": len(theorems),
        "attempts": len(flat),
        "scored": sum(v.scored for v in flat) / len(flat),
        "outcomes": {name: count / len(flat) for name, count in outcomes.most_common()},
        "rejected": {name: count / len(flat) for name, count in reasons.most_common()},
        "cached": sum(v.cached for v in flat) / len(flat),
        "seconds": round(seconds, 2),
        "model": source,
        "suite": arguments.suite,
        "split": arguments.split,
        "suite_hash": suite_hash(theorems),
        "lean": next((v.lean for v in flat if v.lean), ""),
        "policy": next((v.policy for v in flat if v.policy), ""),
        "n": n,
        "temperature": arguments.temperature,
        "seed": arguments.seed,
    }


def _load(name: str | None) -> tuple[str, Any, Any]:
    """(where it is from, model, tokenizer)."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging as hf_logging

    hf_logging.disable_progress_bar()
    if name is None:
        from trainers.starter import starter_path

        name = str(starter_path())
        source = f"starter/{Path(name).name}"
    else:
        source = name
    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
        model = AutoModelForCausalLM.from_pretrained(name, dtype="auto" if torch.cuda.is_available() else "float32")
    except (OSError, ValueError) as error:
        first = str(error).strip().splitlines()[0]
        raise _Refused(f"--model {name} can't be loaded ({first})") from error
    return source, model.to("cuda" if torch.cuda.is_available() else "cpu").eval(), tokenizer


def _lines(report: dict[str, Any], ks: Sequence[int]) -> Iterator[str]:
    """The report for people."""
    yield f"{report['model']} on {report['theorems']} theorems of {report['suite']} ({report['split']})"
    for k in sorted(set(ks)):
        if (rate := report[f"pass@{k}"]) is None:
            yield f"pass@{k}: no theorem has {k} checked attempts"
        else:
            low, high = report[f"pass@{k}_interval"]
            yield f"pass@{k}: {rate:.1%} (95 % interval {low:.1%} to {high:.1%})"
    for name, share in report["outcomes"].items():
        yield f"  {name.lower()}: {share:.1%}"
    mix = ", ".join(f"{name} {share:.1%}" for name, share in report["rejected"].items())
    if mix:
        yield f"  of which rejected by reason: {mix}"
    yield f"{report['attempts']} attempts in {report['seconds']:.1f} s, {report['cached']:.1%} of them known before"


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in _names(text)] or _fail(text)
    except ValueError:
        return _fail(text)


def _fail(text: str) -> list[int]:
    raise argparse.ArgumentTypeError(f"{text!r}: give whole numbers, separated by commas")


@contextmanager
def _progress(total: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar of attempts on the terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("attempts"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task("attempts", total=total)
        yield lambda done: bar.advance(task, done)
