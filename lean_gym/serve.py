"""A small server with the kimina server's HTTP contract over the embedded Lean: `python -m lean_gym.serve`.

`GET /health` and `POST /verify`, as kimina-lean-server 2.0.0 answers them. What differs: each text is checked in a
confined child process of its own, so one can neither see nor harm another; a text that runs out of memory or crashes
has an `error` of its own and does not fail its batch; a client that leaves frees its place.

Every text must import the server's modules (`Core` by default). Lines are counted from the first line after the
imports, as kimina counts them.

Environment, as for kimina: LEAN_SERVER_API_KEY, LEAN_SERVER_MAX_REPLS (texts at the same time; the CPUs by default),
LEAN_SERVER_MAX_REPL_MEM (such as 8G), LEAN_SERVER_MAX_WAIT (seconds that a text waits for its turn).
"""

from __future__ import annotations

import argparse
import asyncio
import hmac
import json
import logging
import os
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from .theorem import CORE_HEADER, split_header
from .workers.base import Job, Limits, Reply, Status, WorkerLost
from .workers.core import CoreWorker

if TYPE_CHECKING:
    from aiohttp import web

__all__ = ["Refused", "application", "main"]

logger = logging.getLogger(__name__)

_MAX_BODY = 64 << 20
_MEMORY = re.compile(r"(\d+)([MmGg]?)")
_LEADING_BLANK = re.compile(r"(?:[^\S\n]*\n)+")
_SEVERITY = {"information": "info"}  # the REPL's word for Lean's


class Refused(Exception):
    """A request that is answered with an error: `status` and a `detail`, as FastAPI words it."""

    def __init__(self, status: int, detail: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class _Server:
    """The handlers over one worker."""

    def __init__(self, worker: CoreWorker, api_key: str | None, memory: int, max_wait: float) -> None:
        self.worker = worker
        self.modules = split_header(worker.header)[0]
        self.api_key = api_key
        self.memory = memory
        self.max_wait = max_wait
        self.lost = ""  # why the worker is gone: this server is then of no more use
        self.slots = asyncio.Semaphore(worker.capacity)

    async def health(self, request: web.Request) -> dict[str, Any]:
        """`GET /health`."""
        if self.lost:
            raise Refused(503, self.lost)
        return {"status": "ok"}

    async def verify(self, request: web.Request) -> dict[str, Any]:
        """`POST /verify`."""
        self._admit(request.headers.get("Authorization", ""))
        codes, timeout = _parse(await request.read())
        try:
            results = await asyncio.gather(*(self._check(name, text, timeout) for name, text in codes))
        except WorkerLost as error:
            self.lost = str(error)
            logger.error("the worker is lost: %s", error)
            raise Refused(500, self.lost) from error
        return {"results": results}

    def _admit(self, authorization: str) -> None:
        if self.api_key is None:
            return
        if not authorization:
            raise Refused(401, "Missing API key")
        given = authorization.removeprefix("Bearer ").strip()
        if not hmac.compare_digest(given.encode("utf-8", "replace"), self.api_key.encode()):
            raise Refused(401, "Invalid API key")

    async def _check(self, name: str, text: str, timeout: float) -> dict[str, Any]:
        if self.lost:
            raise WorkerLost(self.lost)
        modules, _, rest = split_header(text)
        if modules != self.modules:
            wanted, found = (" and ".join(names) or "nothing" for names in (self.modules, modules))
            message = f"This server imports {wanted}, the text imports {found}: its first lines must import {wanted}."
            return {"custom_id": name, "response": {"message": message, "time": 0.0}}
        if blank := _LEADING_BLANK.match(rest):
            rest = rest[blank.end() :]
        limits = Limits(wall=timeout, cpu=timeout, memory=self.memory)
        try:
            await asyncio.wait_for(self.slots.acquire(), self.max_wait)
        except asyncio.TimeoutError:
            raise Refused(429, "No available REPLs") from None
        try:
            reply = await self.worker.check(Job(self.worker.header, rest, limits, module=False))
        finally:
            self.slots.release()
        return {"custom_id": name, **_answer(reply, timeout)}


def _answer(reply: Reply, timeout: float) -> dict[str, Any]:
    """A reply in kimina's shape: `error`, or `response`."""
    if reply.status is Status.TIMEOUT:
        return {"error": f"Lean REPL command timed out in {timeout} seconds"}
    if reply.status is not Status.DONE:
        return {"error": f"{reply.status.value}: {reply.detail}"}
    response: dict[str, Any] = {}
    if reply.messages:
        response["messages"] = [
            {
                "severity": _SEVERITY.get(message.severity, message.severity),
                "pos": {"line": message.line, "column": message.column},
                "data": message.text.strip(),
            }
            for message in reply.messages
        ]
    if sorries := [message for message in reply.messages if message.kind == "hasSorry"]:
        places = [{"line": message.line, "column": message.column} for message in sorries]
        response["sorries"] = [{"pos": place, "endPos": place, "goal": ""} for place in places]
    return {"response": {**response, "time": round(reply.seconds, 6)}}


def _parse(body: bytes) -> tuple[list[tuple[str, str]], float]:
    """(custom_id, text) of each code, and the timeout. Raises `Refused` with FastAPI's status."""
    try:
        request = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _invalid([], "json_invalid", f"JSON decode error: {error}") from None
    if not isinstance(request, dict):
        raise _invalid([], "model_attributes_type", "Input should be a valid dictionary")
    timeout = request.get("timeout", 300)
    if isinstance(timeout, bool) or not isinstance(timeout, int) or timeout < 0:
        raise _invalid(["timeout"], "int_type", "Input should be a valid integer")
    codes = request.get("codes")
    if not isinstance(codes, list):
        raise _invalid(["codes"], "list_type", "Input should be a valid list")
    texts = []
    for index, code in enumerate(codes):
        name = code.get("custom_id") if isinstance(code, dict) else None
        if isinstance(name, bool) or not isinstance(name, (str, int)):
            raise _invalid(["codes", index, "custom_id"], "missing", "Field required")
        text = code.get("proof")
        text = code.get("code") if text is None else text
        if not isinstance(text, str):
            raise _invalid(["codes", index, "proof"], "string_type", "Input should be a valid string")
        texts.append((str(name), text))
    return texts, float(timeout)


def _invalid(where: list[str | int], kind: str, message: str) -> Refused:
    return Refused(422, [{"type": kind, "loc": ["body", *where], "msg": message}])


def application(
    worker: CoreWorker, *, api_key: str | None = None, memory: int = Limits.memory, max_wait: float = 3600.0
) -> web.Application:
    """The web application over `worker`, which it starts and closes.

    Args:
        worker: not started yet.
        api_key: what a request must bring as `Authorization: Bearer KEY`; None asks for nothing.
        memory: bytes that one text may use.
        max_wait: seconds that a text waits for its turn before the answer is 429.
    """
    from aiohttp import web

    server = _Server(worker, api_key, memory, max_wait)

    def handler(work: Callable[[web.Request], Awaitable[dict[str, Any]]]) -> Callable[..., Awaitable[web.Response]]:
        async def handle(request: web.Request) -> web.Response:
            try:
                return web.json_response(await work(request))
            except Refused as refused:
                return web.json_response({"detail": refused.detail}, status=refused.status)

        return handle

    async def live(_: web.Application) -> Any:
        await worker.start()
        logger.info("%s: Lean %s, %d at a time", worker.id, worker.lean, worker.capacity)
        yield
        await worker.aclose()

    app = web.Application(client_max_size=_MAX_BODY)
    for path in ("/", "/health", "/health/"):
        app.router.add_get(path, handler(server.health))
    app.router.add_post("/verify", handler(server.verify))
    app.cleanup_ctx.append(live)
    return app


def _memory(text: str) -> int:
    """Bytes of "512M" or "8G"; a bare number means GiB, as for kimina."""
    found = _MEMORY.fullmatch(text)
    if not found:
        raise SystemExit(f"LEAN_SERVER_MAX_REPL_MEM is {text!r}; write a whole number with M or G, such as 8G")
    return int(found.group(1)) << (20 if found.group(2) in ("M", "m") else 30)


def main(arguments: Sequence[str] | None = None) -> None:
    """The program: serve until a signal ends it."""
    from aiohttp import web

    environment = os.environ
    parser = argparse.ArgumentParser(
        prog="python -m lean_gym.serve", description="The kimina server's contract over the embedded Lean."
    )
    parser.add_argument("--host", default=environment.get("LEAN_SERVER_HOST", "127.0.0.1"))
    parser.add_argument("--port", type=int, default=int(environment.get("LEAN_SERVER_PORT", "8000")))
    parser.add_argument("--uds", help="serve on this Unix socket instead")
    parser.add_argument(
        "--header",
        default=CORE_HEADER,
        help="the import lines of every text; modules are looked up in LEAN_GYM_PATH too",
    )
    options = parser.parse_args(arguments)
    logging.basicConfig(level=environment.get("LEAN_SERVER_LOG_LEVEL", "WARNING").upper())
    capacity = environment.get("LEAN_SERVER_MAX_REPLS", "")
    worker = CoreWorker(options.header, capacity=int(capacity) if capacity else None)
    app = application(
        worker,
        api_key=environment.get("LEAN_SERVER_API_KEY") or None,
        memory=_memory(environment.get("LEAN_SERVER_MAX_REPL_MEM", "8G")),
        max_wait=float(environment.get("LEAN_SERVER_MAX_WAIT", "3600")),
    )
    place: dict[str, Any] = {"path": options.uds} if options.uds else {"host": options.host, "port": options.port}
    try:
        web.run_app(app, **place, handler_cancellation=True, print=None)
    except WorkerLost as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
