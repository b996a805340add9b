"""Calls to a Docker engine that block, over the docker package's low-level client."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from .base import WorkerLost
from .hijack import Endpoint
from .owner import EXPIRES, OWNER, leftover

__all__ = [
    "ContainerInfo",
    "EngineInfo",
    "ImageInfo",
    "connect",
    "connect_client",
    "explained",
    "image_info",
    "list_containers",
    "pull",
    "reap",
    "remove_container",
]

T = TypeVar("T")

_PULL_SILENCE = 120.0  # seconds without any progress after which a pull is given up
_REMOVAL = 10.0  # seconds that the engine may take to remove a container that has ended
_CONNECTIONS = 16  # kept open to one engine


@dataclass(frozen=True)
class EngineInfo:
    """What an engine says of itself: `api` is the negotiated API version, `cpus` and `memory` (bytes) its machine's."""

    name: str
    version: str
    api: str
    architecture: str
    cpus: int
    memory: int


@dataclass(frozen=True)
class ImageInfo:
    """An image on an engine.

    Attributes:
        id: the engine's id of its content, "sha256:...": what containers are made from.
        digest: "repository@sha256:..." as the registry knows it, else `id`; what a verdict names.
        size: bytes on the engine's disk.
    """

    id: str
    digest: str
    size: int


@dataclass(frozen=True)
class ContainerInfo:
    """A container of ours on an engine. `leftover` says why anybody may remove it; "" when its program may live."""

    id: str
    name: str
    image: str
    state: str
    created: int
    owner: str
    expires: int
    leftover: str


def explained(url: str, doing: str, function: Callable[[], T]) -> T:
    """`function()`, its failures as `WorkerLost` in one sentence. `doing`: what it does, after "did not"."""
    docker = _docker()
    import requests

    try:
        return function()
    except docker.errors.ImageNotFound as error:
        raise WorkerLost(
            f"The image is not on the engine at {url} ({error.explanation}): run `lean-gym doctor --pull`, "
            "or `docker pull` or `docker build` there."
        ) from error
    except (docker.errors.DockerException, requests.RequestException, OSError) as error:
        words = str(getattr(error, "explanation", None) or error) or type(error).__name__
        raise WorkerLost(f"The Docker engine at {url} did not {doing}: {words}") from error


def list_containers(client: Any) -> list[ContainerInfo]:
    """As `Engine.list_containers`."""
    now = time.time()
    found = []
    for item in client.containers(all=True, filters={"label": OWNER}):
        labels = item.get("Labels") or {}
        expires = labels.get(EXPIRES, "")
        found.append(
            ContainerInfo(
                id=item["Id"],
                name=((item.get("Names") or [""])[0]).lstrip("/"),
                image=item.get("Image", ""),
                state=item.get("State", ""),
                created=int(item.get("Created", 0)),
                owner=labels.get(OWNER, ""),
                expires=int(expires) if expires.isascii() and expires.isdigit() else 0,
                leftover=leftover(labels, now),
            )
        )
    return found


def reap(client: Any) -> list[ContainerInfo]:
    """As `Engine.reap`."""
    removed = [item for item in list_containers(client) if item.leftover]
    for item in removed:
        remove_container(client, item.id)
    return removed


def connect(endpoint: Endpoint, timeout: float) -> tuple[Any, EngineInfo]:
    """The SDK's low-level client, with the newest API version that both sides know."""
    client = connect_client(endpoint, timeout)
    said, machine = client.version(), client.info()
    return client, EngineInfo(
        name=str(machine.get("Name", "")),
        version=str(said.get("Version", "")),
        api=client.api_version,
        architecture=str(said.get("Arch", "")),
        cpus=int(machine.get("NCPU", 0)),
        memory=int(machine.get("MemTotal", 0)),
    )


def connect_client(endpoint: Endpoint, timeout: float) -> Any:
    """A low-level client of the docker package.

    Raises:
        ImportError: it is not installed.
        WorkerLost: nothing answers, or we may not ask.
        docker.errors.DockerException: any other failure.
    """
    docker = _docker()
    if path := endpoint.socket_path:
        if not Path(path).exists():
            raise WorkerLost(
                f"There is no Docker engine at {endpoint.url}: start Docker, or give docker_hosts or DOCKER_HOST."
            )
        if not os.access(path, os.R_OK | os.W_OK):
            raise WorkerLost(
                f"This user may not use the Docker engine at {endpoint.url}: join the group that owns the socket "
                "(`sudo usermod -aG docker $USER`, then log in again), or use rootless Docker or podman."
            )
    tls: Any = False
    if endpoint.tls_path:
        authority, certificate, key = endpoint.tls_files()
        tls = docker.TLSConfig(client_cert=(certificate, key), ca_cert=authority, verify=True)
    # An ssh client of the system's: it knows the user's keys, agent and configuration.
    ssh = endpoint.url.startswith("ssh:")
    url = endpoint.url.replace("tcp:", "https:", 1) if tls else endpoint.url

    class Client(docker.APIClient):  # type: ignore[misc, name-defined]
        # Else REQUESTS_CA_BUNDLE would replace the engine's own authority, and a proxy would see what we send.
        trust_env = property(lambda self: False, lambda self, value: None)

    return Client(
        base_url=url, version="auto", timeout=timeout, tls=tls, use_ssh_client=ssh, max_pool_size=_CONNECTIONS
    )


def _docker() -> Any:
    try:
        import docker
    except ImportError as error:
        raise ImportError('Containers need the docker package: pip install "lean-gym[docker]"') from error
    return docker


def remove_container(client: Any, container: str) -> None:
    """Kill and remove, and see that it is gone; fine if it was. Raises `docker.errors.APIError`."""
    docker = _docker()
    until = time.monotonic() + _REMOVAL
    while True:
        try:
            client.remove_container(container, force=True, v=True)
            return
        except docker.errors.NotFound:
            return
        except docker.errors.APIError as error:
            # 409: the engine is removing it by itself, as it was told to do at its end.
            if error.status_code != 409 or "removal" not in str(error.explanation) or time.monotonic() > until:
                raise
        time.sleep(0.05)


def pull(endpoint: Endpoint, name: str, progress: Callable[[str], None] | None) -> None:
    """As `Engine.pull`, blocking."""
    # An own client: the reads of this one wait longer than those of other calls.
    client = connect_client(endpoint, _PULL_SILENCE)
    repository, tag = _split_tag(name)
    try:
        for step in client.pull(repository, tag=tag, stream=True, decode=True):
            if "error" in step:
                raise WorkerLost(f"{endpoint.url} can't pull {name}: {step['error']}")
            if progress is not None and step.get("status"):
                progress(" ".join(str(step[key]) for key in ("id", "status", "progress") if step.get(key)))
    finally:
        client.close()


def image_info(said: Mapping[str, Any]) -> ImageInfo:
    """From what the engine says when an image is inspected."""
    digests = said.get("RepoDigests") or []
    return ImageInfo(str(said["Id"]), str(digests[0] if digests else said["Id"]), int(said.get("Size", 0)))


def _split_tag(name: str) -> tuple[str, str | None]:
    """ "host:5000/a/b:tag" -> ("host:5000/a/b", "tag"); a digest stays with the name."""
    if "@" in name:
        return name, None
    head, colon, tail = name.rpartition(":")
    return (head, tail) if colon and "/" not in tail else (name, "latest")
