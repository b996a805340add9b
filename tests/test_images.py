"""The images of the container tests: hardened, without network, they judge a true and a false proof right."""

from __future__ import annotations

import base64
import json
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from docker_engine import CORE_IMAGE, KIMINA_IMAGE
from docker_engine import engine as engine

pytestmark = pytest.mark.docker

HEADER = "import Core\nset_option autoImplicit false\n"
GOOD = "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n"
BAD = "theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.1, h.2⟩\n"

ASK = """
import json, sys, urllib.request
request = urllib.request.Request(sys.argv[1], sys.argv[2].encode() or None, {"Content-Type": "application/json"})
print(urllib.request.urlopen(request, timeout=60).read().decode())
"""


class Container:
    """One container and what runs in it."""

    def __init__(self, engine: Any, image: str) -> None:
        self.handle = engine.containers.run(
            image,
            detach=True,
            network_mode="none",
            read_only=True,
            tmpfs={"/tmp": ""},
            cap_drop=["ALL"],
            security_opt=["no-new-privileges"],
            pids_limit=256,
            mem_limit="4g",
            memswap_limit="4g",
            init=True,
            user="12345:12345",
            environment={
                "GOOGLE_APPLICATION_CREDENTIALS": "/nonexistent",
                "LEAN_SERVER_LOG_LEVEL": "CRITICAL",
                "LEAN_SERVER_MAX_REPLS": "2",
            },
        )

    def run(self, *command: str) -> tuple[int, bytes, bytes]:
        code, (out, err) = self.handle.exec_run(list(command), demux=True)
        return code, out or b"", err or b""

    def ask(self, path: str, body: str = "") -> dict[str, Any]:
        code, out, err = self.run("python", "-c", ASK, f"http://127.0.0.1:8000{path}", body)
        if code:
            raise ConnectionError(err.decode())
        answer: dict[str, Any] = json.loads(out)
        return answer

    def verify(self, text: str) -> dict[str, Any]:
        body = json.dumps({"codes": [{"custom_id": "job", "proof": text}], "timeout": 30})
        (result,) = self.ask("/verify", body)["results"]
        assert result["custom_id"] == "job"
        response: dict[str, Any] = result["response"]
        return response


@pytest.fixture(scope="module", params=[KIMINA_IMAGE, CORE_IMAGE], ids=["kimina", "core"])
def container(engine: Any, request: pytest.FixtureRequest) -> Iterator[Container]:
    container = Container(engine, request.param)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                assert container.ask("/health") == {"status": "ok"}
                break
            except ConnectionError:
                assert time.monotonic() < deadline, container.handle.logs().decode()
        yield container
    finally:
        container.handle.remove(force=True)


def test_verdicts(container: Container) -> None:
    assert set(container.verify(HEADER + GOOD)) == {"time"}
    (message,) = container.verify(HEADER + BAD)["messages"]
    assert message["severity"] == "error" and message["pos"] == {"line": 2, "column": 50}
    assert set(container.verify(HEADER + GOOD)) == {"time"}, "a proof leaves nothing behind"
    unfinished = container.verify(HEADER + "theorem goal : 1 = 2 := sorry\n")
    assert len(unfinished["sorries"]) == 1


def test_the_compiler(container: Container) -> None:
    text = "prelude\n" + HEADER + GOOD
    code, out, err = container.run("sh", "-c", 'printf %s "$0" | lean-gym-compile', text)
    assert (code, err) == (0, b"")
    host = subprocess.run([sys.executable, "-m", "lean_gym.core.compile_one"], input=text.encode(), capture_output=True)
    assert out == host.stdout and out.startswith(b"olean"), "the same Lean makes the same module anywhere"
    code, out, err = container.run("sh", "-c", 'printf %s "$0" | lean-gym-compile', "prelude\n" + HEADER + BAD)
    assert (code, out) == (1, b"")
    assert json.loads(err)["severity"] == "error"


def test_the_compiler_that_stays(container: Container) -> None:
    """One text through `lean-gym-compile --serve`; what it does with texts is in test_compile_server.py."""
    wishes = {"wall": 20, "cpu": 20, "memory": 1 << 30, "output": 1 << 20, "module": 64 << 20}
    parts = (json.dumps(wishes).encode(), f"prelude\n{HEADER}{GOOD}".encode())
    frames = "".join(base64.b64encode(struct.pack(">L", len(part)) + part).decode() + "\n" for part in parts)
    decode = "import base64, sys; [sys.stdout.buffer.write(base64.b64decode(line)) for line in sys.argv[1].split()]"
    code, out, err = container.run("sh", "-c", f"python -c '{decode}' \"$0\" | lean-gym-compile --serve", frames)
    assert (code, err) == (0, b"")
    answers = []
    while out:
        (length,) = struct.unpack_from(">L", out)
        answers.append(out[4 : 4 + length])
        out = out[4 + length :]
    hello, result, messages, module = answers
    assert json.loads(hello)["version"] == "4.35.0"
    assert json.loads(result)["code"] == 0 and messages == b"" and module[:5] == b"olean"


def test_nothing_is_writable_but_the_temporary_folder(container: Container) -> None:
    for path in ("/opt/x", "/workspace/x", "/usr/local/bin/x"):
        assert container.run("touch", path)[0] != 0
    assert container.run("touch", "/tmp/x")[0] == 0
