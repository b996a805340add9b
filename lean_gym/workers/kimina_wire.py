"""What goes to a kimina server for one job, and what its answer means. No I/O.

    import Core                      the header's import lines, nothing else: the server splits the code here
    #print "NONCE begin"             proves that the answer belongs to this job
    set_option maxHeartbeats N
    ...                              the job's text
    #print "NONCE end"               proves that Lean read the text to its end

A REPL on which an earlier proof wrote a line of its own, or left a process behind, answers one job with the words of
another. The nonce is random and new in every job, so such an answer is found. (A job that reads its own source can
still forge its own answer: see the audit.)
"""

from __future__ import annotations

import json
import math
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .base import Job, RawMessage, Reply, Status, WorkerLost, WorkerUnavailable
from .messages import cut_messages, read_message, read_position

__all__ = ["Busy", "HeaderLate", "Snippet", "Surprise", "read_answer"]

_BEFORE = 2  # lines of ours between the imports and the job's text
# The server splits at all that Python's str.splitlines takes for a line end and joins with newlines. None of them is
# a space for Lean, so a replacement keeps every position, and the meaning outside string literals.
_FALSE_LINE_ENDS = dict.fromkeys(map(ord, "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), "\ufffd")
_TIMED_OUT = re.compile(r"REPL command timed out in")
_HEADER_TIMED_OUT = re.compile(r"header command timed out in")
_NO_REPL = re.compile(r"No available REPL|Timed out after .* while waiting for a REPL|unable to acquire a REPL", re.I)
_DIED = re.compile(r"JSON decode error")
_TOO_LONG = re.compile(r"Failed to read from REPL stdout|exceed(?:s|ed)? (?:the |buffer )?limit|longer than limit")
_OWN_WORDS = re.compile(r"(out_of_memory|crashed): ")  # of our own server, which knows more than kimina


class Surprise(WorkerLost):
    """The server answered what no server in its right mind answers: it can't be trusted any more."""


class Busy(Exception):
    """The server has no REPL free: ask again later."""


class HeaderLate(Exception):
    """Importing the header took longer than the job's time limit: not the job's doing."""


@dataclass(frozen=True)
class Snippet:
    """One job as the server gets it.

    Attributes:
        nonce: also the request's `custom_id`.
        text: the job's text as it is sent.
        code: all of it.
        imports: number of its import lines.
    """

    nonce: str
    text: str
    code: str
    imports: int

    @classmethod
    def of(cls, modules: Sequence[str], job: Job) -> Snippet:
        """The snippet of a job under a header of import lines."""
        nonce = secrets.token_hex(16)
        # A lone surrogate becomes "?", as in the embedded worker.
        text = job.text.encode("utf-8", "replace").decode().replace("\r\n", "\n").translate(_FALSE_LINE_ENDS)
        imports = list(dict.fromkeys(modules))
        lines = [
            *(f"import {module}" for module in imports),
            f'#print "{nonce} begin"',
            f"set_option maxHeartbeats {job.limits.heartbeats}",
            f"{text}{'' if text.endswith(chr(10)) else chr(10)}" + f'#print "{nonce} end"',
        ]
        return cls(nonce, text, "\n".join(lines) + "\n", len(imports))

    def body(self, timeout: int, reuse: bool) -> bytes:
        """The body of `POST /verify`. `timeout`: seconds. `reuse`: whether a REPL that served before may serve it."""
        request = {
            "codes": [{"custom_id": self.nonce, "proof": self.code}],
            "timeout": timeout,
            "disable_cache": not reuse,
        }
        return json.dumps(request).encode()

    @property
    def end(self) -> tuple[int, int]:
        """Line and column at which the job's text ends."""
        return self.text.count("\n") + 1, len(self.text) - self.text.rfind("\n") - 1


def read_answer(status: int, body: bytes, snippet: Snippet, output: int) -> tuple[Reply, int]:
    """What the server's answer means for the job.

    Args:
        output: bytes of messages that are kept.

    Returns:
        (reply, base): `base` is the number of lines by which the server's positions are moved (its import lines, or
        none), -1 when the answer doesn't show it.

    Raises:
        Busy: no REPL was free.
        HeaderLate: see there.
        Surprise: the answer isn't one to this job.
        WorkerLost: the server refuses or fails for reasons that are not the job's (`WorkerUnavailable`: not run).
    """
    response, seconds, words = _result(status, body, snippet.nonce)
    if response is None:
        return _failed(status, words, seconds), -1
    if "messages" not in response and isinstance(message := response.get("message"), str):
        hint = ""
        if "nknown environment" in message or "nknown module" in message:
            hint = "; the server can't import the header: give one whose modules it has"
        raise WorkerLost(f"the server's REPL refused the job: {message[:300]}{hint}")
    try:
        messages = [read_message(raw) for raw in _list(response, "messages")]
        sorries = [_sorry(raw) for raw in _list(response, "sorries")]
    except ValueError as error:
        raise Surprise(f"protocol surprise: {error}") from error
    return _understand(messages, sorries, snippet, seconds, output)


def _result(status: int, body: bytes, nonce: str) -> tuple[dict[str, Any] | None, float, str]:
    """(response, seconds, ""), or (None, seconds, what went wrong in the server's words)."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        if status != 200:
            return None, 0.0, body[:300].decode("utf-8", "replace")
        raise Surprise(f"protocol surprise: the answer is no JSON: {body[:80]!r}") from None
    if status != 200:
        detail = data.get("detail", data) if isinstance(data, dict) else data
        return None, 0.0, detail if isinstance(detail, str) else json.dumps(detail)
    results = data.get("results") if isinstance(data, dict) else None
    if not (isinstance(results, list) and len(results) == 1 and isinstance(results[0], dict)):
        raise Surprise("protocol surprise: one snippet was sent, and not one result came back")
    result = results[0]
    if result.get("custom_id") != nonce:
        raise Surprise("protocol surprise: the answer is to another request")
    response, error = result.get("response"), result.get("error")
    time = response.get("time") if isinstance(response, dict) else None
    seconds = float(time) if isinstance(time, (int, float)) and 0 <= time < math.inf else 0.0
    if isinstance(error, str) and error:
        return None, seconds, error
    if not isinstance(response, dict):
        raise Surprise("protocol surprise: the result holds neither a response nor an error")
    return response, seconds, ""


def _failed(status: int, words: str, seconds: float) -> Reply:
    said = " ".join(words.split())[:300]
    if status == 429 or _NO_REPL.search(words):
        raise Busy(said)
    if status in (200, 500):
        if _HEADER_TIMED_OUT.search(words):
            raise HeaderLate(said)
        if _TIMED_OUT.search(words):
            return Reply(Status.TIMEOUT, detail=f"Stopped by the server: {said}.", seconds=seconds)
        if found := _OWN_WORDS.match(words):
            return Reply(Status(found.group(1)), detail=said[found.end() :], seconds=seconds)
        # Neither tells a submission that used up all memory from a server whose REPLs die; the verifier therefore
        # believes it only the second time.
        if _DIED.search(words):
            detail = "Lean died, most likely for lack of memory, or wrote what is not its own answer."
            return Reply(Status.CRASHED, detail=detail, seconds=seconds)
        if _TOO_LONG.search(words):
            return Reply(Status.CRASHED, detail="Lean's answer is longer than the server can read.", seconds=seconds)
    if status in (401, 403):
        raise WorkerUnavailable(f"the server refuses the API key ({status}): give the one it was started with")
    if status in (404, 405):
        raise WorkerUnavailable(f"the server has no POST /verify ({status}): is it a kimina Lean server?")
    if status == 422:
        raise WorkerLost(f"the server does not understand the request (422): {said}")
    if status in (502, 503, 504):
        raise WorkerUnavailable(f"the server behind the gateway failed ({status}): {said}")
    raise WorkerLost(f"the server failed ({status}): {said}")


def _list(response: dict[str, Any], key: str) -> list[Any]:
    value = response.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError(f"{key} is no list")
    return value


def _sorry(raw: Any) -> RawMessage:
    line, column = read_position(raw.get("pos") if isinstance(raw, dict) else None)
    return RawMessage("warning", line, column, "declaration uses `sorry`", "hasSorry")


def _understand(
    messages: list[RawMessage], sorries: list[RawMessage], snippet: Snippet, seconds: float, output: int
) -> tuple[Reply, int]:
    first, last = f"{snippet.nonce} begin", f"{snippet.nonce} end"
    heads = [m for m in messages if m.text.strip() == first]
    if not heads:
        raise Surprise("protocol surprise: the answer is not to this job (a REPL gave the words of another)")
    base = heads[0].line - 1
    if base not in (0, snippet.imports):
        raise Surprise(f"protocol surprise: Lean counts from line {heads[0].line}")
    ended = any(m.text.strip() == last for m in messages)
    moved = base + _BEFORE
    kept = [_place(m, moved, snippet) for m in messages if m.text.strip() not in (first, last)]
    failed = any(m.severity == "error" for m in kept)
    if not ended and not failed:
        line, column = snippet.end
        kept.append(RawMessage("error", line, column, "Lean did not read the text to its end."))
        failed = True
    if sorries and not failed and not any(m.kind == "hasSorry" for m in kept):
        # `set_option warn.sorry false` silences Lean, not the REPL.
        kept.append(_place(sorries[0], moved, snippet))
    cut, truncated = cut_messages(kept, output)
    return Reply(Status.DONE, cut, seconds=seconds, truncated=truncated), base


def _place(message: RawMessage, moved: int, snippet: Snippet) -> RawMessage:
    """The message with its position in the job's text, and without a word of what stands around it."""
    line, column = message.line - moved, message.column
    text = message.text
    end = snippet.end
    if (line, column) >= end:
        line, column = end
    if (line, column) == end or "#print" not in snippet.text:
        text = text.replace("unexpected token '#print'", "unexpected end of input")
    return replace(message, line=max(line, 1), column=column, text=text)
