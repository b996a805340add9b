"""A server with kimina's HTTP contract whose verdicts are the embedded Lean's, and that can be told to go wrong."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from lean_gym.theorem import CORE_HEADER
from lean_gym.workers.base import Job, Limits, RawMessage, Status
from lean_gym.workers.core import CoreWorker

Answer = Callable[[], Awaitable[dict[str, Any]]]
Fault = Callable[[dict[str, Any], Answer], Awaitable["web.StreamResponse | dict[str, Any]"]]
_HEADER = CORE_HEADER.rpartition("set_option")[0]


def split(code: str) -> tuple[str, str]:
    """Header and body, as kimina takes them apart (with all that is odd about it)."""
    lines = code.splitlines()
    count = 0
    while count < len(lines) and (not lines[count].strip() or lines[count].strip().startswith("import ")):
        count += 1
    imports = dict.fromkeys(line.strip() for line in lines[:count] if line.strip())
    return "\n".join(imports), "\n".join(lines[count:])


class StandIn:
    """The server, in a thread of its own. `fault`: decides what becomes of the next requests.

    Attributes:
        url: where it listens.
        requests: the bodies that `/verify` got. last: the newest request itself.
        whole: count lines from the first of the code, not from the first after its header.
    """

    def __init__(self, socket: str = "") -> None:
        self.fault: Fault | None = None
        self.healthy = True
        self.key = ""
        self.whole = False
        self.requests: list[dict[str, Any]] = []
        self.last: web.Request
        self.url = ""
        self._socket = socket
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)

    def __enter__(self) -> StandIn:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self.loop).result(60)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self.loop).result(60)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    def reset(self) -> None:
        self.fault, self.healthy, self.key, self.whole = None, True, "", False
        self.requests.clear()

    async def _start(self) -> None:
        self._worker = CoreWorker(capacity=2)
        await self._worker.start()
        app = web.Application(client_max_size=1 << 26)
        app.add_routes([web.get("/health", self._health), web.post("/verify", self._verify)])
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        if self._socket:
            await web.UnixSite(self._runner, self._socket).start()
            self.url = f"unix://{self._socket}"
        else:
            await web.TCPSite(self._runner, "127.0.0.1", 0).start()
            self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def _stop(self) -> None:
        await self._runner.cleanup()
        await self._worker.aclose()

    async def _health(self, _: web.Request) -> web.Response:
        return web.json_response({"status": "ok"}, status=200 if self.healthy else 503)

    async def _verify(self, request: web.Request) -> web.StreamResponse:
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            return web.json_response({"detail": "Invalid API key"}, status=401)
        data = json.loads(await request.read())
        self.requests.append(data)
        self.last = request
        answer = await self.fault(data, lambda: self.answer(data)) if self.fault else await self.answer(data)
        return web.json_response(answer) if isinstance(answer, dict) else answer

    async def answer(self, data: dict[str, Any]) -> dict[str, Any]:
        """The right answer."""
        [code] = data["codes"]
        result: dict[str, Any] = {"custom_id": code["custom_id"]}
        header, body = split(code["proof"])
        if header != "import Core":
            return {"results": [{**result, "response": {"message": "Unknown environment.", "time": 0.01}}]}
        job = Job(_HEADER, body, Limits(wall=data["timeout"], cpu=data["timeout"]), module=False)
        reply = await self._worker.check(job)
        if reply.status is Status.TIMEOUT:
            return {
                "results": [{**result, "error": f"Lean REPL command timed out in {data['timeout']} seconds", "time": 1}]
            }
        assert reply.status is Status.DONE, reply
        moved = code["proof"].splitlines().index(body.split("\n")[0]) if self.whole else 0
        response: dict[str, Any] = {"env": 1, "time": reply.seconds}
        if reply.messages:
            response["messages"] = [_json(message, moved) for message in reply.messages]
        return {"results": [{**result, "error": None, "response": response}]}


def _json(message: RawMessage, moved: int) -> dict[str, Any]:
    severity = "info" if message.severity == "information" else message.severity
    pos = {"line": message.line + moved, "column": message.column}
    return {"severity": severity, "pos": pos, "endPos": None, "data": message.text}
