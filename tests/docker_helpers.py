"""What the tests of containers share. A module that uses them imports `engine`, `lean_image` and `compiling_image`."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from docker_engine import CORE_IMAGE, HOST, KIMINA_IMAGE

from lean_gym.theorem import CORE_HEADER
from lean_gym.workers.base import Job, Limits
from lean_gym.workers.compiler import DockerCompiler
from lean_gym.workers.docker import DockerOptions, DockerWorker, Engines
from lean_gym.workers.owner import Owner
from lean_gym.workers.reaper import Guard

GOOD = "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n"
BAD = "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  exact ⟨h.1, h.2⟩\n"
LIMITS = Limits(wall=20, cpu=20)


def options(image: str = CORE_IMAGE, **more: Any) -> DockerOptions:
    """Small containers on the tests' engine."""
    return DockerOptions(**{"image": image, "docker_hosts": (HOST,), "cpus": 2, "memory_mb": 4096, **more})


def job(text: str, limits: Limits = LIMITS) -> Job:
    """A job under Core's header."""
    return Job(CORE_HEADER, text, limits)


def run(work: Callable[[Engines], Awaitable[None]], chosen: DockerOptions | None = None) -> None:
    """Run a test in a loop with engines, and see that it leaves no container and no guard."""

    async def main() -> None:
        engines = Engines(chosen or options())
        try:
            await work(engines)
            mine = str(Owner.current())
            assert not [item.name for _, item in await engines.list_containers() if item.owner == mine]
        finally:
            await engines.aclose()
        assert not Guard.pid()

    asyncio.run(main())


def handle(engine: Any, worker: DockerWorker | DockerCompiler) -> Any:
    """The docker package's object for its container."""
    return engine.containers.get(worker.id)


@pytest.fixture(scope="session")
def lean_image(engine: Any) -> Iterator[str]:
    """An image with a plain `lean` and a lake project, as the stock image has, and no compiler of ours."""
    shim = (
        "import os, sys; from lean_gym.core.build import core_library; "
        "command = core_library(progress=False).library.command(*sys.argv[1:]); os.execv(command[0], command)"
    )
    root = "from lean_gym.core.build import core_library; print(core_library(progress=False).root)"
    lines = [
        f"FROM {CORE_IMAGE}",
        "USER 0",
        "RUN rm /usr/local/bin/lean-gym-compile && mkdir -p /project/.lake/build/lib"
        f" && ln -s $(python -c '{root}') /project/.lake/build/lib/lean"
        f""" && printf '#!/bin/sh\\nexec /opt/lean-gym/bin/python -c "{shim}" "$@"\\n' > /usr/local/bin/lean"""
        " && chmod +x /usr/local/bin/lean",
        "ENV LEAN_SERVER_PROJECT_DIR=/project",
        "USER 65532",
    ]
    recipe = io.BytesIO("\n".join(lines).encode())
    image, _ = engine.images.build(fileobj=recipe, network_mode="none", rm=True, tag="lean-gym-test-lean:latest")
    yield "lean-gym-test-lean:latest"
    engine.images.remove(image.id, force=True)


@pytest.fixture(params=["kimina", "core", "lean"])
def compiling_image(request: pytest.FixtureRequest, lean_image: str) -> str:
    """Each image that compiles."""
    return {"kimina": KIMINA_IMAGE, "core": CORE_IMAGE, "lean": lean_image}[request.param]
