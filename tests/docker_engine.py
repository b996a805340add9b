"""The Docker engine and the images of the container tests. A test module that needs them says:

    from docker_engine import KIMINA_IMAGE, engine as engine
    pytestmark = pytest.mark.docker

Environment: LEAN_GYM_TEST_DOCKER_HOST, the engine (without it these tests are skipped; the images are made by
`docker/make_test_images.py`); LEAN_GYM_TEST_KIMINA_IMAGE and LEAN_GYM_TEST_CORE_IMAGE, other images than those. An
engine that may be stopped and started: LEAN_GYM_TEST_DOCKERD_PID, its pid file, and LEAN_GYM_TEST_DOCKERD_START, a
program that starts it again (`.ci/docker` sets all of them).
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HOST = os.environ.get("LEAN_GYM_TEST_DOCKER_HOST", "")
KIMINA_IMAGE = os.environ.get("LEAN_GYM_TEST_KIMINA_IMAGE", "lean-gym-test-kimina:latest")
CORE_IMAGE = os.environ.get("LEAN_GYM_TEST_CORE_IMAGE", "lean-gym-test-core:latest")

_DEADLINE = 60.0  # seconds for an engine to end, and to start


@pytest.fixture(scope="session")
def engine() -> Iterator[Any]:
    """A docker client of the tests' engine, the images there."""
    if not HOST:
        pytest.skip("LEAN_GYM_TEST_DOCKER_HOST names no Docker engine for the tests")
    docker = pytest.importorskip("docker")
    client = docker.DockerClient(base_url=HOST)
    try:
        client.ping()
        for image in (KIMINA_IMAGE, CORE_IMAGE):
            try:
                client.images.get(image)
            except docker.errors.ImageNotFound:
                pytest.skip(f"{HOST} has no image {image}: run docker/make_test_images.py")
        yield client
    finally:
        client.close()


def stop_engine() -> None:
    """Stop the engine, as a reboot of its machine would. Skips the test where the engine isn't the tests' own."""
    pid = int(Path(_of_ours("LEAN_GYM_TEST_DOCKERD_PID")).read_text())
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + _DEADLINE
    while _lives(pid):
        assert time.monotonic() < deadline, "the engine does not end"
        time.sleep(0.05)


def start_engine() -> None:
    """Start the engine again and wait until it answers."""
    subprocess.run([_of_ours("LEAN_GYM_TEST_DOCKERD_START")], check=True, timeout=_DEADLINE)


def _of_ours(variable: str) -> str:
    value = os.environ.get(variable, "")
    if not value:
        pytest.skip(f"{variable} is not set: this engine is not the tests' own")
    return value


def _lives(pid: int) -> bool:
    try:
        # One that has ended but was not waited for lives no more.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
