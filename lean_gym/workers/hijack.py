"""Two-way streams to processes in containers: Docker's API upgrades an HTTP request to a raw connection.

The Docker SDK offers these streams as blocking sockets of four kinds; here they are asyncio's, whether the engine is
behind a Unix socket, TCP, TLS or ssh. What comes back is split by the engine into stdout and stderr
(https://docs.docker.com/reference/api/engine/version/v1.41/#tag/Container/operation/ContainerAttach).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import ssl
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from .base import WorkerLost

__all__ = ["STDERR", "STDOUT", "Endpoint", "RawStream"]

STDOUT, STDERR = 1, 2

_CHUNK = 256 << 10
_HEADER = struct.Struct(">BxxxL")  # stream number, bytes that follow


@dataclass(frozen=True)
class Endpoint:
    """Where an engine listens.

    Attributes:
        url: as given, normalised: "unix:///PATH", "tcp://HOST:PORT" or "ssh://[USER@]HOST[:PORT]".
        tls_path: folder with `ca.pem`, `cert.pem` and `key.pem` for tcp; "": no TLS.
    """

    url: str
    tls_path: str = ""

    @classmethod
    def parse(cls, host: str = "", tls_path: str = "") -> Endpoint:
        """Read a `docker_host`; "" means the environment's `DOCKER_HOST`, else the usual sockets.

        For tcp, `tls_path` is the environment's `DOCKER_CERT_PATH` unless given.

        Raises:
            ValueError: for any other kind of address.
        """
        host = host or os.environ.get("DOCKER_HOST", "") or _usual_socket()
        parts = urlsplit(host)
        if parts.scheme == "unix" and (parts.netloc or parts.path):
            return cls(f"unix:///{(parts.netloc + parts.path).lstrip('/')}")
        if parts.scheme == "tcp" and parts.hostname and parts.path in ("", "/"):
            tls_path = tls_path or os.environ.get("DOCKER_CERT_PATH", "")
            name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
            return cls(f"tcp://{name}:{parts.port or (2376 if tls_path else 2375)}", tls_path)
        if parts.scheme == "ssh" and parts.hostname and parts.path in ("", "/") and not parts.password:
            if parts.hostname.startswith("-") or (parts.username or "").startswith("-"):
                raise ValueError(f"docker_host {host!r}: a name can't start with '-'")
            return cls(f"ssh://{parts.netloc}")
        raise ValueError(f"docker_host {host!r}: give unix:///PATH, tcp://HOST:PORT or ssh://[USER@]HOST[:PORT]")

    @property
    def socket_path(self) -> str:
        """Path of a Unix socket; "" for the other kinds."""
        return urlsplit(self.url).path if self.url.startswith("unix:") else ""

    @property
    def local(self) -> bool:
        """Whether the engine is surely on this machine."""
        return bool(self.socket_path)

    def tls_files(self) -> tuple[str, str, str]:
        """(CA, certificate, key). Raises `WorkerLost` when one is missing."""
        names = [str(Path(self.tls_path).expanduser() / name) for name in ("ca.pem", "cert.pem", "key.pem")]
        for name in names:
            if not Path(name).is_file():
                raise WorkerLost(f"TLS for {self.url}: there is no {name}; set DOCKER_CERT_PATH to the right folder.")
        return names[0], names[1], names[2]

    async def dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter | _Ssh]:
        """A new connection to the engine. Raises `OSError`, `WorkerLost`."""
        if self.socket_path:
            return await asyncio.open_unix_connection(self.socket_path, limit=_CHUNK)
        parts = urlsplit(self.url)
        if parts.scheme == "ssh":
            return await _dial_ssh(self.url)
        context = None
        if self.tls_path:
            authority, certificate, key = self.tls_files()
            try:
                context = ssl.create_default_context(cafile=authority)
                context.load_cert_chain(certificate, key)
            except ssl.SSLError as error:
                raise WorkerLost(f"TLS for {self.url}: the files in {self.tls_path} can't be used: {error}") from error
        return await asyncio.open_connection(parts.hostname, parts.port, ssl=context, limit=_CHUNK)


def _usual_socket() -> str:
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    rootless = [f"{runtime}/docker.sock", f"{runtime}/podman/podman.sock"] if runtime else []
    for path in ("/var/run/docker.sock", *rootless):
        if Path(path).exists():
            return f"unix://{path}"
    return "unix:///var/run/docker.sock"


class _Ssh:
    """The writing end of a connection through `ssh HOST docker system dial-stdio`, with StreamWriter's methods."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        assert process.stdin is not None
        self._stdin = process.stdin

    def write(self, data: bytes) -> None:
        self._stdin.write(data)

    async def drain(self) -> None:
        await self._stdin.drain()

    def close(self) -> None:
        self._stdin.close()
        if self._process.returncode is None:
            self._process.kill()

    async def wait_closed(self) -> None:
        await self._process.wait()


async def _dial_ssh(url: str) -> tuple[asyncio.StreamReader, _Ssh]:
    parts = urlsplit(url)
    user = ("-l", unquote(parts.username)) if parts.username else ()
    port = ("-p", str(parts.port)) if parts.port else ()
    process = await asyncio.create_subprocess_exec(
        *("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20", *user, *port, "--", str(parts.hostname)),
        *("docker", "system", "dial-stdio"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_CHUNK,
        start_new_session=True,  # a Ctrl-C is for us, who close it in order
    )
    assert process.stdout is not None
    return process.stdout, _Ssh(process)


class RawStream:
    """A process's stdin, stdout and stderr over one connection. Made by `open`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter | _Ssh) -> None:
        self._reader = reader
        self._writer = writer
        self._left = 0
        self._number = 0

    @classmethod
    async def open(cls, endpoint: Endpoint, path: str, body: Any, timeout: float) -> RawStream:
        """POST `body` as JSON to `path` and take over the connection.

        Raises:
            WorkerLost: the engine refused, or did not answer within `timeout` seconds.
        """
        try:
            return await asyncio.wait_for(cls._open(endpoint, path, json.dumps(body).encode()), timeout)
        except asyncio.TimeoutError:
            raise WorkerLost(f"The engine at {endpoint.url} did not open a stream within {timeout:g} s.") from None
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            words = str(error) or type(error).__name__
            raise WorkerLost(f"No stream from the engine at {endpoint.url}: {words}.") from error

    @classmethod
    async def _open(cls, endpoint: Endpoint, path: str, body: bytes) -> RawStream:
        reader, writer = await endpoint.dial()
        try:
            head = (
                f"POST {path} HTTP/1.1\r\nHost: docker\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            writer.write(head.encode("ascii") + body)
            await writer.drain()
            answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            words = answer.split("\r\n", 1)[0].split(" ", 2)
            if len(words) < 2 or words[1] not in ("101", "200") or "chunked" in answer.lower():
                said = (await reader.read(4096)).decode("utf-8", "replace").strip()
                raise WorkerLost(f"The engine at {endpoint.url} opened no stream: {' '.join(words[1:])} {said[:500]}")
        except BaseException:
            writer.close()
            raise
        return cls(reader, writer)

    async def read(self) -> tuple[int, bytes]:
        """The next bytes: (STDOUT or STDERR, bytes), or (0, b"") at the end. Raises `OSError`."""
        try:
            while not self._left:
                header = await self._reader.readexactly(_HEADER.size)
                self._number, self._left = _HEADER.unpack(header)
        except asyncio.IncompleteReadError:
            return 0, b""
        data = await self._reader.read(min(self._left, _CHUNK))
        self._left -= len(data)
        return (self._number, data) if data else (0, b"")

    async def write(self, data: bytes) -> None:
        """Send to stdin. Raises `OSError`."""
        self._writer.write(data)
        await self._writer.drain()

    async def aclose(self) -> None:
        """Cut the connection: the process finds its stdin ended. Safe to call twice."""
        self._writer.close()
        with contextlib.suppress(OSError, asyncio.TimeoutError):
            await asyncio.wait_for(self._writer.wait_closed(), 5.0)
