"""The `lean-gym` command."""

from __future__ import annotations

import argparse
import io
import json
import logging
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, NoReturn

from . import __version__

__all__ = ["main"]

EXIT_PROVED, EXIT_NOT_PROVED, EXIT_USAGE, EXIT_INFRA = 0, 1, 2, 3


class UsageError(Exception):
    """Bad input; the message says what is wrong, where, and what to do."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Lean's symbols whatever the locale; a lone surrogate comes out as JSON's own escape.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    logging.basicConfig(format="lean-gym: %(levelname)s: %(message)s", level=arguments.log_level.upper())
    from .core.library import LeanNotFound

    try:
        status: int = arguments.run(arguments)
    except (UsageError, LeanNotFound) as error:
        print(f"lean-gym: {error}", file=sys.stderr)
        return EXIT_USAGE
    except BrokenPipeError:
        # The reader left (`lean-gym ... | head`); what Python would still flush goes nowhere.
        sys.stdout = None
        return EXIT_USAGE
    except KeyboardInterrupt:
        print("lean-gym: interrupted", file=sys.stderr)
        return 130
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lean-gym", description="Check Lean 4 proofs as a reward for training.")
    parser.add_argument("--version", action="version", version=f"lean-gym {__version__}")
    parser.add_argument(
        "--log-level", default="warning", choices=["debug", "info", "warning", "error"], help="what is logged"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    doctor = commands.add_parser("doctor", help="what is here, what is missing, which kinds of worker work")
    doctor.add_argument("--json", action="store_true", help="print one JSON object")
    _add_settings(doctor)
    doctor.set_defaults(run=_doctor)

    suite = commands.add_parser("suite", help="list the built-in theorems, or verify their reference proofs")
    suite.add_argument("name", nargs="?", help="core or core-200; without it, the suites are listed")
    suite.add_argument("--split", default="test", help="train, validation or test (default: test)")
    suite.add_argument("--limit", type=int, default=20, help="how many theorems (default: 20)")
    suite.add_argument("--verify", action="store_true", help="check every reference proof")
    suite.add_argument("--json", action="store_true", help="print one JSON object a theorem")
    suite.set_defaults(run=_suite)

    check = commands.add_parser(
        "check",
        help="check one proof, or a JSONL file of them",
        description="Exit status: 0 all PROVED, 1 some not, 2 bad usage, 3 some INFRA.",
    )
    check.add_argument("file", nargs="?", help="a whole Lean file; - for standard input")
    check.add_argument("--statement", help='the trusted statement, e.g. "theorem goal : 1 + 1 = 2"')
    check.add_argument("--proof", metavar="FILE", help="a proof body, checked under --statement; - for standard input")
    check.add_argument("--header", metavar="FILE", help="file with the trusted header (default: that of Core)")
    check.add_argument(
        "--jsonl", metavar="FILE", help='lines of {"id", "formal_statement", "proof" or "source", "header"?}'
    )
    check.add_argument("--json", action="store_true", help="print JSON for a single check too")
    check.add_argument("--no-cache", action="store_true", help="leave the verdict cache out")
    _add_settings(check)
    check.set_defaults(run=_check)

    from trainers import eval_cli, plot_cli, replay_cli

    from . import pool_cli

    pool_cli.add_parser(commands)
    replay_cli.add_parser(commands)
    plot_cli.add_parser(commands)
    eval_cli.add_parser(commands)
    return parser


# Settings that have flags of their own above, or none on the command line.
_NOT_FLAGS = {"cache"}


def _add_settings(parser: argparse.ArgumentParser) -> None:
    """A flag for each field of `VerifierConfig`, under its own name."""
    from .config import VerifierConfig

    group = parser.add_argument_group("verifier settings (fields of lean_gym.VerifierConfig)")
    for setting in fields(VerifierConfig):
        if setting.name in _NOT_FLAGS:
            continue
        flag = "--" + setting.name.replace("_", "-")
        factory: Any = setting.default_factory
        default: Any = setting.default if factory is MISSING else factory()
        if isinstance(default, bool):
            group.add_argument(flag, action="store_true", default=default)
        elif isinstance(default, list):
            group.add_argument(flag, nargs="*", default=default, metavar="NAME")
        else:
            group.add_argument(flag, type=type(default), default=default, help=f"default: {default!r}")


def _settings(arguments: argparse.Namespace) -> Any:
    from .config import VerifierConfig

    names = [setting.name for setting in fields(VerifierConfig) if setting.name not in _NOT_FLAGS]
    try:
        values = {name: getattr(arguments, name) for name in names}
        return VerifierConfig(**values, cache=not getattr(arguments, "no_cache", False))
    except ValueError as error:
        raise UsageError(str(error)) from error


def _doctor(arguments: argparse.Namespace) -> int:
    from .doctor import examine, show

    report = examine(_settings(arguments))
    if arguments.json:
        print(json.dumps(report, indent=2))
    else:
        show(report)
    return 0 if report["ok"] else 1


def _suite(arguments: argparse.Namespace) -> int:
    from .suites import load_suite, summary

    if arguments.name is None:
        if arguments.json:
            print(json.dumps(summary(), indent=2))
        else:
            from .doctor import show_summary

            show_summary(summary())
        return 0
    if arguments.limit < 0:
        raise UsageError(f"--limit {arguments.limit}: give 0 or more")
    try:
        theorems = load_suite(arguments.name, split=arguments.split, limit=arguments.limit)
    except ValueError as error:
        raise UsageError(str(error)) from error
    verdicts = None
    if arguments.verify:
        from .submission import Submission
        from .verifier import Verifier

        with Verifier() as verifier:
            submissions = [Submission(theorem, theorem.proof or "") for theorem in theorems]
            verdicts = list(_in_order(verifier.stream(submissions), len(submissions)))
    for index, theorem in enumerate(theorems):
        verdict = verdicts[index] if verdicts else None
        if arguments.json:
            row = {
                "id": theorem.id,
                "family": theorem.family,
                "level": theorem.level,
                "split": theorem.split,
                "formal_statement": theorem.formal_statement,
                "proof": theorem.proof,
            }
            print(json.dumps(row | ({"outcome": verdict.outcome.value} if verdict else {}), ensure_ascii=False))
        else:
            mark = f"  -- {verdict.outcome}" if verdict else ""
            print(f"-- {theorem.id} ({theorem.family}, level {theorem.level}){mark}")
            print(f"{theorem.formal_statement} := by\n{theorem.proof}\n")
    return _status(verdicts) if verdicts else 0


def _check(arguments: argparse.Namespace) -> int:
    from .reward import binary_reward
    from .verifier import Verifier

    ids, submissions = _read_submissions(arguments)
    as_json = arguments.json or arguments.jsonl is not None
    verdicts = []
    with Verifier(_settings(arguments)) as verifier:
        for index, verdict in enumerate(_in_order(verifier.stream(submissions), len(submissions))):
            verdicts.append(verdict)
            if as_json:
                data = verdict.to_json()
                first = {key: data[key] for key in ("outcome", "reason")}
                row = {"id": ids[index], **first, "reward": binary_reward(verdict), **data}
                print(json.dumps(row, ensure_ascii=False), flush=True)
            else:
                _print_verdict(verdict)
    return _status(verdicts)


def _read_submissions(arguments: argparse.Namespace) -> tuple[list[Any], list[Any]]:
    """The ids and submissions that `lean-gym check` was given."""
    from .submission import Submission
    from .theorem import CORE_HEADER, Theorem

    header = _read(arguments.header) if arguments.header else CORE_HEADER
    given = [name for name in ("file", "proof", "jsonl") if getattr(arguments, name)]
    if len(given) != 1:
        raise UsageError("give exactly one of FILE, --proof FILE and --jsonl FILE; see lean-gym check --help")
    if arguments.jsonl:
        if arguments.statement:
            raise UsageError("--statement does not go with --jsonl: each line brings its own formal_statement")
        return _read_jsonl(arguments.jsonl, header)
    if not arguments.statement:
        raise UsageError(
            '--statement is missing: give the trusted statement, e.g. --statement "theorem goal : 1 + 1 = 2"'
        )
    try:
        theorem = Theorem("goal", arguments.statement, header)
    except ValueError as error:
        raise UsageError(f"--statement: {error}") from error
    text = _read(arguments.file or arguments.proof)
    return [arguments.file or arguments.proof], [Submission(theorem, text, "file" if arguments.file else "body")]


def _read_jsonl(path: str, header: str) -> tuple[list[Any], list[Any]]:
    from .submission import Submission
    from .theorem import Theorem

    ids, submissions = [], []
    for number, line in enumerate(_read(path).split("\n"), 1):
        if not line.strip():
            continue

        def wrong(what: str, number: int = number) -> NoReturn:
            raise UsageError(f"{path}, line {number}: {what}")

        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            wrong(f"no JSON object ({error})")
        if not isinstance(row, dict):
            wrong("no JSON object; write one object a line")
        # A field that is null is a field that is not given; an id is handed back as it is.
        row = {key: value for key, value in row.items() if value is not None or key == "id"}
        if ("proof" in row) == ("source" in row):
            wrong('give exactly one of "proof" (a body) and "source" (a whole file)')
        form = "proof" if "proof" in row else "source"
        for key in ("formal_statement", form, *(["header"] if "header" in row else [])):
            if not isinstance(row.get(key), str):
                wrong(f'"{key}" is missing or no text')
        name = row.get("id", str(number))
        try:
            theorem = Theorem(str(name), row["formal_statement"], row.get("header", header))
        except ValueError as error:
            wrong(str(error))
        ids.append(name)
        submissions.append(Submission(theorem, row[form], "body" if form == "proof" else "file"))
    if not ids:
        raise UsageError(f"{path} holds no line to check")
    return ids, submissions


def _read(path: str) -> str:
    """The text of a file or of standard input; bytes that are no UTF-8 become lone surrogates, refused later."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from error
    return data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


def _in_order(results: Iterator[tuple[int, Any]], count: int) -> Iterator[Any]:
    """Results in order of input, each as soon as those before it are there; a progress bar on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    waiting: dict[int, Any] = {}
    next_index = 0
    columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=count < 10 or not console.is_terminal) as progress:
        task = progress.add_task("checking", total=count)
        for index, value in results:
            waiting[index] = value
            progress.advance(task)
            while next_index in waiting:
                yield waiting.pop(next_index)
                next_index += 1


def _print_verdict(verdict: Any) -> None:
    print(verdict.outcome.value + (f" ({verdict.reason})" if verdict.reason else ""))
    if verdict.detail:
        print(verdict.detail)
    for message in verdict.messages:
        place = "statement" if message.line == 0 else f"{message.line}:{message.column}"
        print(f"  {place}: {message.severity}: {message.text.rstrip()}")
    if verdict.proved:
        basis = "not audited" if verdict.audit == "none" else f"axioms: {', '.join(verdict.axioms) or 'none'}"
        print(f"{basis}; Lean {verdict.lean}")


def _status(verdicts: Iterable[Any]) -> int:
    seen = [(verdict.scored, verdict.proved) for verdict in verdicts]
    if not all(scored for scored, _ in seen):
        return EXIT_INFRA
    return EXIT_PROVED if all(proved for _, proved in seen) else EXIT_NOT_PROVED
