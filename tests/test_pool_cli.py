"""`lean-gym pool`: what running programs and engines have, and what is left of ended ones."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import SWAP_PROOF
from docker_engine import CORE_IMAGE, HOST
from docker_engine import engine as engine
from test_cli import lean_gym

from lean_gym.live import read_all
from lean_gym.submission import Submission
from lean_gym.theorem import Theorem
from lean_gym.verifier import Verifier
from lean_gym.workers.owner import EXPIRES, OWNER, Owner


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache folder of the test's own: other programs of this user run verifiers too."""
    compiled = Path(os.environ.get("LEAN_GYM_CACHE") or Path.home() / ".cache" / "lean-gym") / "core"
    if compiled.is_dir():
        (tmp_path / "core").symlink_to(compiled)  # not to compile Core again
    monkeypatch.setenv("LEAN_GYM_CACHE", str(tmp_path))
    yield tmp_path


def eventually(found: Any, seconds: float = 10.0) -> Any:
    deadline = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return value


def test_top_shows_a_running_verifier_and_nothing_after_its_end(cache: Path, swap: Theorem) -> None:
    with Verifier(cache=False) as verifier:
        assert verifier.verify([Submission(swap, SWAP_PROOF)])[0].proved
        eventually(lambda: any(program.get("PROVED") for program in read_all()))
        (program,) = json.loads(lean_gym("pool", "top", "--json").stdout)
        assert (program["pid"], program["host"], program["PROVED"]) == (os.getpid(), socket.gethostname(), 1)
        assert program["stations"][0]["workers"]["jobs"] >= 1
        table = lean_gym("pool", "top", "--once", COLUMNS="200")
        assert table.returncode == 0 and str(os.getpid()) in table.stdout
        assert "workers" in table.stdout and "auditors" in table.stdout
    assert read_all() == [] and not list((cache / "live").iterdir())
    assert "no program" in lean_gym("pool", "top", "--once", COLUMNS="200").stdout
    assert json.loads(lean_gym("pool", "top", "--json").stdout) == []


def test_files_of_dead_programs_are_removed(cache: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    here, now = socket.gethostname(), time.time()
    folder = cache / "live"
    folder.mkdir()
    cases: dict[str, tuple[Any, bool]] = {
        "dead": ({"pid": ended.pid, "host": here, "time": now, "stations": []}, False),
        "old and elsewhere": ({"pid": 1, "host": "elsewhere", "time": now - 3600, "stations": []}, False),
        "elsewhere": ({"pid": 1, "host": "elsewhere", "time": now, "stations": []}, True),
        "busy": ({"pid": os.getpid(), "host": here, "time": now - 3600, "stations": []}, True),
        "no number": ({"pid": "x", "host": here, "time": now}, False),
        "no object": ([1, 2], False),
    }
    for name, (data, _) in cases.items():
        (folder / f"{name}.json").write_text(json.dumps(data))
    (folder / "half.json").write_text('{"pid": 1')
    shown = json.loads(lean_gym("pool", "top", "--json").stdout)
    assert [program["host"] for program in shown] == sorted(["elsewhere", here])
    left = {path.stem for path in folder.iterdir()}
    assert {"elsewhere", "busy"} <= left and not {"dead", "old and elsewhere"} & left


@pytest.mark.parametrize("command", ["ls", "reap"])
def test_an_engine_that_is_not_there_is_one_sentence(command: str, tmp_path: Path) -> None:
    for address, words in (
        (f"unix://{tmp_path}/none.sock", "There is no Docker engine at"),
        ("http://localhost", "unix:///PATH"),
    ):
        done = lean_gym("pool", command, "--docker-host", address)
        assert done.returncode == 2 and done.stdout == ""
        assert words in done.stderr and "Traceback" not in done.stderr


@pytest.mark.docker
def test_containers_are_listed_and_leftovers_removed(engine: Any) -> None:
    me = Owner.current()
    later = str(int(time.time()) + 1000)
    labels = {
        "left": {OWNER: str(Owner(me.boot, me.namespace, 1 << 22, "1")), EXPIRES: later},
        "in use": {OWNER: str(me), EXPIRES: later},
    }
    made = {
        name: engine.api.create_container(CORE_IMAGE, ["true"], labels=labels[name], name=f"lean-gym-test-{number}")
        for number, name in enumerate(labels, os.getpid())
    }
    names = {name: f"lean-gym-test-{number}" for number, name in enumerate(labels, os.getpid())}
    try:
        for _ in range(2):  # listing removes nothing
            done = lean_gym("pool", "ls", "--docker-host", HOST, "--json")
            assert done.returncode == 0, done.stderr
            rows = {row["name"]: row for line in done.stdout.splitlines() if (row := json.loads(line))}
            assert rows[names["left"]]["leftover"] and not rows[names["in use"]]["leftover"]
            assert rows[names["left"]]["engine"] == HOST and 0 <= rows[names["left"]]["age"] < 60
        table = lean_gym("pool", "ls", "--docker-host", HOST, COLUMNS="250").stdout
        assert names["left"] in table and names["in use"] in table
        done = lean_gym("pool", "reap", "--docker-host", HOST, "--json")
        removed = {json.loads(line)["name"] for line in done.stdout.splitlines()}
        assert names["left"] in removed and names["in use"] not in removed
        assert {item["Id"] for item in engine.api.containers(all=True)} & {made[name]["Id"] for name in made} == {
            made["in use"]["Id"]
        }
    finally:
        engine.api.remove_container(made["in use"]["Id"], force=True)
