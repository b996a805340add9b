"""`lean-gym pool`: what the pools of running programs do, and the containers that they have on Docker engines."""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from typing import Any

__all__ = ["add_parser"]

_STATES = ("starting", "ready", "retiring", "running", "waiting", "jobs", "retries", "lost", "retired")


def add_parser(commands: Any) -> None:
    """Add `pool` and its subcommands to the command's parser."""
    pool = commands.add_parser("pool", help="running pools, and the containers on Docker engines")
    parts = pool.add_subparsers(required=True, metavar="WHAT")
    top = parts.add_parser("top", help="a live table of the pools of all running programs of this user")
    top.add_argument("--once", action="store_true", help="print it once")
    top.add_argument("--json", action="store_true", help="print it once, as JSON")
    top.set_defaults(run=_top)
    for name, run, text in (
        ("ls", _ls, "list the containers of lean-gym"),
        ("reap", _reap, "remove the containers that ended programs left, and expired ones"),
    ):
        parser = parts.add_parser(name, help=text)
        parser.add_argument(
            "--docker-host", action="append", default=[], metavar="URL", help="an engine; may be given several times"
        )
        parser.add_argument("--tls-path", default="", help="folder of ca.pem, cert.pem and key.pem")
        parser.add_argument("--json", action="store_true", help="print one JSON object a container")
        parser.set_defaults(run=run)


def _top(arguments: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.live import Live

    from .live import read_all

    if arguments.json:
        print(json.dumps(read_all()))
        return 0
    console = Console()
    if arguments.once or not console.is_terminal:
        console.print(_table(read_all()))
        return 0
    with Live(_table(read_all()), console=console, auto_refresh=False, screen=True) as live:
        while True:  # until Ctrl-C
            time.sleep(1.0)
            live.update(_table(read_all()), refresh=True)


def _table(programs: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table(title=f"lean-gym pools, {time.strftime('%H:%M:%S')}")
    for column in ("program", "pool", *_STATES):
        table.add_column(column, justify="left" if column in ("program", "pool") else "right")
    if not programs:
        table.caption = "no program of this user has a verifier open"
    for program in programs:
        who = f"{program['host']} {program['pid']}"
        for station in program.get("stations", []):
            for role, numbers in station.items():
                if isinstance(numbers, dict):
                    table.add_row(who, role, *(str(numbers.get(state, "")) for state in _STATES))
                    who = ""
    return table


def _ls(arguments: argparse.Namespace) -> int:
    return _containers(arguments, reap=False)


def _reap(arguments: argparse.Namespace) -> int:
    return _containers(arguments, reap=True)


def _containers(arguments: argparse.Namespace, *, reap: bool) -> int:
    from rich.console import Console
    from rich.table import Table

    from .cli import UsageError
    from .workers.base import WorkerLost
    from .workers.docker import DockerOptions, Engines

    async def ask() -> list[tuple[str, Any]]:
        # No guard: this program starts no container. Connecting removes what ended programs left; `ls` must not.
        options = DockerOptions(docker_hosts=tuple(arguments.docker_host), tls_path=arguments.tls_path)
        engines = Engines(options, guard=False)
        try:
            return await (engines.reap() if reap else engines.list_containers())
        finally:
            await engines.aclose()

    try:
        found = asyncio.run(ask())
    except (ValueError, WorkerLost) as error:
        raise UsageError(str(error)) from error
    rows = [
        {
            "engine": url,
            "name": item.name,
            "image": item.image,
            "state": item.state,
            "age": round(time.time() - item.created),
            "owner": item.owner,
            "expires": item.expires,
            "leftover": item.leftover,
        }
        for url, item in found
    ]
    if arguments.json:
        for row in rows:
            print(json.dumps(row))
        return 0
    console = Console()
    if not rows:
        console.print("nothing to remove" if reap else "no container of lean-gym")
        return 0
    table = Table(title="removed" if reap else "containers of lean-gym")
    for column in ("name", "image", "state", "age", "leftover", "engine"):
        table.add_column(column, justify="right" if column == "age" else "left")
    for row in rows:
        table.add_row(
            *(
                f"{row[c]} s" if c == "age" else str(row[c])
                for c in ("name", "image", "state", "age", "leftover", "engine")
            )
        )
    console.print(table)
    return 0
