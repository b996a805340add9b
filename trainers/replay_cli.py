"""`lean-gym replay`: rebuild a run's weights from its base model and its history, or say where two runs part.

`lean_gym.cli` adds the command; what needs torch is imported when it runs. Under torchrun each process rebuilds its
share of the tensors:

    torchrun --nproc_per_node 4 -m lean_gym replay RUN_DIR --output DIR
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

    from trainers.history import History
    from trainers.weights import EvolvingWeights

__all__ = ["add_parser", "run"]

EXIT_DONE, EXIT_DIFFERS, EXIT_USAGE = 0, 1, 2


class _Refused(Exception):
    """The command can't be done; the message says what is wrong, where, and what to do."""


def add_parser(commands: Any) -> None:
    """Add `replay` to the sub-commands of `lean-gym`."""
    parser = commands.add_parser(
        "replay",
        help="rebuild a run's weights from its base model and history, or compare two runs",
        description="Exit status: 0 done (with --diff: no difference), 1 a hash or the two runs differ, 2 bad usage.",
    )
    parser.add_argument("run_dir", nargs="?", metavar="RUN_DIR", help="the run's folder, or its history.jsonl")
    parser.add_argument("--generation", type=int, metavar="N", help="after so many generations (default: all)")
    parser.add_argument("--output", metavar="DIR", help="where the model goes, in the layout of save_pretrained")
    parser.add_argument("--model", metavar="DIR", help="the base model (default: the one that the history names)")
    parser.add_argument(
        "--verify", action="store_true", help="check the hash after every generation, not only the last"
    )
    parser.add_argument("--diff", nargs=2, metavar=("A", "B"), help="say where two runs part")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    try:
        from trainers.history import HistoryError
    except ModuleNotFoundError as error:
        print(f'lean-gym: replay needs {error.name}: pip install "lean-gym[es]"', file=sys.stderr)
        return EXIT_USAGE
    try:
        if arguments.diff:
            if arguments.run_dir:
                raise _Refused("--diff compares the two runs that follow it; leave RUN_DIR out")
            a, b = arguments.diff
            return _diff(a, b, arguments.json)
        if not arguments.run_dir:
            raise _Refused("give the run's folder, or --diff A B; see lean-gym replay --help")
        if not arguments.output and not arguments.verify:
            raise _Refused("--output is missing: give a folder for the model (or --verify, to check the history only)")
        with _processes() as (rank, world_size):
            return _replay(arguments, rank, world_size)
    except _Refused as error:
        print(f"lean-gym: {error}", file=sys.stderr)
        return EXIT_USAGE
    except HistoryError as error:
        print(f"lean-gym: {error}", file=sys.stderr)
        return EXIT_DIFFERS


def _history(path: str) -> History:
    from trainers.history import History

    file = Path(path) / "history.jsonl" if Path(path).is_dir() else Path(path)
    try:
        return History.read(file)
    except OSError as error:
        raise _Refused(f"{file} can't be read ({error.strerror}): is this the folder of an ES run?") from error


def _diff(a: str, b: str, as_json: bool) -> int:
    from trainers.history import difference

    found = difference(_history(a), _history(b))
    if as_json:
        report = {
            "same": not found,
            "header": found.header,
            "generation": found.generation,
            "parts": found.parts,
            "lengths": found.lengths,
        }
        print(json.dumps(report))
    else:
        for sentence in found.sentences():
            print(sentence)
        if not found:
            print(f"the same weights after {found.lengths[0]} generations")
    return EXIT_DIFFERS if found else EXIT_DONE


def _replay(arguments: argparse.Namespace, rank: int, world_size: int) -> int:
    from trainers.history import HistoryError, replay

    history = _history(arguments.run_dir)
    count = len(history.generations) if arguments.generation is None else arguments.generation
    if not 0 <= count <= len(history.generations):
        raise _Refused(f"--generation {count}: the history holds {len(history.generations)} generations")
    output = Path(arguments.output) if arguments.output else None
    if output is not None and output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise _Refused(f"--output {output} exists and is not empty; choose another folder")
    source, model = _base_model(history, arguments.model, arguments.run_dir)
    base = {name: p.detach() for name, p in model.named_parameters()}
    names = list(history.header["manifest"])
    share = names[rank::world_size]
    try:
        weights = history.weights(base, share)
    except HistoryError as error:
        raise _Refused(f"the base model {source} does not fit: {error}; name the right one with --model") from error
    with _progress(count, rank) as advance:
        replay(base, history, count, arguments.verify, weights, weights_hash=_shared_hash(world_size), progress=advance)
    digest = _shared_hash(world_size)(weights)
    if output is not None:
        _gather(model, weights, names, rank, world_size)
        if rank == 0:
            _save(model, source, output)
    if rank == 0:
        checked = count if arguments.verify else min(count, 1)
        report = {"generations": count, "hash": digest, "hashes_checked": checked, "base": source}
        if arguments.json:
            print(json.dumps({**report, "output": None if output is None else str(output)}))
        else:
            print(f"{count} generations replayed, {checked} hashes checked; weights {digest[:16]}")
            if output is not None:
                print(f"saved in {output}")
    return EXIT_DONE


def _base_model(history: History, given: str | None, run_dir: str) -> tuple[str, Any]:
    """(name or folder, model) of the base weights."""
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging as hf_logging

    from lean_gym.paths import cache_dir

    hf_logging.disable_progress_bar()  # it would break ours

    said: dict[str, Any] = history.header.get("model", {})
    if given:
        source = given
    elif key := said.get("starter"):
        source = str(cache_dir() / "starter" / key)
        if not Path(source).is_dir():
            raise _Refused(
                f"the run started from the starter policy {key}, which is not in {cache_dir() / 'starter'}: "
                "copy it there from the run's machine, or name its folder with --model"
            )
    elif not (source := said.get("name", "")):
        raise _Refused(f"the history in {run_dir} does not say which model it started from; name it with --model")
    options = {"dtype": said.get("dtype", "float32"), **said.get("options", {})}
    try:
        return source, AutoModelForCausalLM.from_pretrained(source, **options).eval()
    except (OSError, ValueError) as error:
        first = str(error).strip().splitlines()[0]
        raise _Refused(f"the base model {source} can't be loaded ({first}); name its folder with --model") from error


def _save(model: Any, source: str, output: Path) -> None:
    """The model and its tokenizer in `output`, which appears whole or not at all."""
    from transformers import AutoTokenizer

    draft = output.parent / f".{output.name}.{os.getpid()}.tmp"
    draft.mkdir(parents=True)
    try:
        model.save_pretrained(draft)
        try:
            AutoTokenizer.from_pretrained(source).save_pretrained(draft)
        except (OSError, ValueError):
            print(f"lean-gym: {source} has no tokenizer; the output has none either", file=sys.stderr)
        if output.exists():
            output.rmdir()
        draft.replace(output)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


# ---- several processes ----------------------------------------------------------------------------------------------


@contextmanager
def _processes() -> Iterator[tuple[int, int]]:
    """(rank, number of processes): torchrun's, or (0, 1)."""
    world_size = int(os.environ.get("WORLD_SIZE", "1"))
    if world_size == 1:
        yield 0, 1
        return
    from torch import distributed

    distributed.init_process_group("gloo")
    try:
        yield distributed.get_rank(), world_size
    finally:
        distributed.destroy_process_group()


def _shared_hash(world_size: int) -> Callable[[EvolvingWeights], str]:
    """The hash of all weights, where each process holds a share of them."""
    from trainers.weights import combined_hash, tensor_digests

    def shared(weights: EvolvingWeights) -> str:
        digests = tensor_digests(weights.weights())
        if world_size > 1:
            from torch import distributed

            parts: list[dict[str, bytes]] = [{}] * world_size
            distributed.all_gather_object(parts, digests)
            digests = {name: digest for part in parts for name, digest in part.items()}
        return combined_hash(digests)

    return shared


def _gather(model: Any, weights: EvolvingWeights, names: list[str], rank: int, world_size: int) -> None:
    """Put the weights of all processes into the first one's model."""
    import torch

    own: Mapping[str, torch.Tensor] = weights.weights()
    for index, name in enumerate(names):
        owner = index % world_size
        parameter = model.get_parameter(name)
        if owner != 0 and rank in (0, owner):
            from torch import distributed

            # As bytes: gloo knows no bfloat16.
            data = own[name] if rank == owner else torch.empty_like(parameter)
            flat = data.contiguous().view(-1).view(torch.uint8)
            if rank == owner:
                distributed.send(flat, dst=0)
                continue
            distributed.recv(flat, src=owner)
            value = flat.view(parameter.dtype).view(parameter.shape)
        elif owner == rank == 0:
            value = own[name]
        else:
            continue
        with torch.no_grad():
            parameter.copy_(value)


@contextmanager
def _progress(count: int, rank: int) -> Iterator[Callable[[int], None]]:
    """A bar of generations on the first process's terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("replay"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=rank != 0 or not console.is_terminal) as bar:
        task = bar.add_task("replay", total=count)
        yield lambda done: bar.advance(task, done)
