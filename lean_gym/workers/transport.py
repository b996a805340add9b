"""How requests reach a server: `Transport`, and `HttpTransport` over TCP, TLS or a Unix socket."""

from __future__ import annotations

import asyncio
import ssl
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from .base import WorkerLost, WorkerUnavailable

if TYPE_CHECKING:
    import aiohttp

__all__ = ["MAX_ANSWER", "HttpTransport", "Transport"]

MAX_ANSWER = 64 << 20
"""Bytes of an answer's body that are read; a longer one is a broken server."""

_KEEP_ALIVE = 3.0  # seconds that an idle connection is kept: uvicorn closes one after 5, and must not do so first


class Transport(Protocol):
    """The way to one server. Requests may run at the same time; none knows of another.

    Attributes:
        url: where it leads, for messages and logs; holds no secret.
    """

    url: str

    async def request(self, method: str, path: str, body: bytes | None, timeout: float) -> tuple[int, bytes]:
        """Send one request and wait for its whole answer. Cancelling it is safe.

        Args:
            method: "GET" or "POST".
            path: starts with "/".
            body: JSON, or None.
            timeout: seconds for all of it.

        Returns:
            (HTTP status, body), whatever the status.

        Raises:
            WorkerLost: no whole answer came: a broken connection, or `timeout` seconds passed.
            WorkerUnavailable: no connection, so that the request was not sent.
        """

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""


class HttpTransport:
    """HTTP with connections that are kept open.

    Args:
        url: "http://host:port", "https://...", either with a path in front of the server's own, or "unix:///path/of/socket".
        api_key: sent as `Authorization: Bearer ...`; never part of an error or a `repr`.
        tls: for https, in place of the system's certificates.

    Raises:
        ValueError: for a URL of another kind.
        WorkerLost: aiohttp is not installed (from `request`).
    """

    def __init__(self, url: str, api_key: str | None = None, tls: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme == "unix" and parts.path and not parts.netloc:
            self._socket, self._base = parts.path, "http://localhost"
        elif parts.scheme in ("http", "https") and parts.netloc and not (parts.query or parts.fragment):
            self._socket, self._base = "", url.rstrip("/")
        else:
            raise ValueError(f"server {url!r}: give http://HOST:PORT, https://HOST[:PORT] or unix:///PATH")
        if parts.username or parts.password:
            raise ValueError(f"the server's URL holds a user or password ({parts.hostname}): give the key by api_key")
        self.url = url
        self._headers = {"Content-Type": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._tls = tls
        self._session: aiohttp.ClientSession | None = None

    def __repr__(self) -> str:
        return f"<HttpTransport {self.url}>"

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            try:
                import aiohttp
            except ImportError as error:
                raise WorkerLost(
                    'A server is reached by aiohttp, which is not installed: pip install "lean-gym[docker]"'
                ) from error
            # limit=0: the worker bounds what runs at the same time.
            connector: aiohttp.BaseConnector
            if self._socket:
                connector = aiohttp.UnixConnector(self._socket, limit=0, keepalive_timeout=_KEEP_ALIVE)
            else:
                connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=_KEEP_ALIVE, ssl=self._tls or True)
            # No cookies, no proxy of the environment: the answer comes from the server that was named.
            self._session = aiohttp.ClientSession(
                connector=connector, cookie_jar=aiohttp.DummyCookieJar(), headers=self._headers, trust_env=False
            )
        return self._session

    async def request(self, method: str, path: str, body: bytes | None, timeout: float) -> tuple[int, bytes]:
        """As `Transport.request`."""
        session = self._open()
        import aiohttp

        try:
            async with session.request(
                method,
                self._base + path,
                data=body,
                timeout=aiohttp.ClientTimeout(total=timeout, connect=min(timeout, 30.0)),
                allow_redirects=False,
            ) as response:
                answer = bytearray()
                async for chunk in response.content.iter_any():
                    answer += chunk
                    if len(answer) > MAX_ANSWER:
                        raise WorkerLost(f"{self.url}{path}: the answer is longer than {MAX_ANSWER >> 20} MiB.")
                return response.status, bytes(answer)
        except asyncio.TimeoutError:
            raise WorkerLost(f"{self.url}{path} gave no answer within {timeout:g} s.") from None
        except aiohttp.ClientConnectorError as error:
            raise WorkerUnavailable(f"{self.url}{path} can't be reached: {error}.") from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            # ValueError: an answer that is not HTTP in ways that aiohttp does not foresee.
            words = str(error) or type(error).__name__
            raise WorkerLost(f"{self.url}{path} can't be reached or broke off: {words}.") from error

    async def aclose(self) -> None:
        """As `Transport.aclose`."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()
