"""What goes over the wire: frames, requests, results, a child's answer."""

from __future__ import annotations

import json

import pytest

from lean_gym.core import frames
from lean_gym.core.child import cut_commands, cut_messages
from lean_gym.core.frames import Answer, FrameError, FrameReader, Part, Request, Result


def parts_of(value: Answer | Result) -> list[tuple[int, bytes, bytes, bytes]]:
    parts = value.parts() if isinstance(value, Answer) else value.parts
    return [(part.flags, part.messages, part.commands, part.module) for part in parts]


def test_frames_survive_any_cut() -> None:
    sent = [(b"J", 7, b"payload"), (b"C", 2**64 - 1, b""), (b"D", 0, bytes(1000))]
    stream = b"".join(frames.frame(*each) for each in sent)
    for size in (1, 3, 17, len(stream)):
        reader = FrameReader()
        got = [each for at in range(0, len(stream), size) for each in reader.feed(stream[at : at + size])]
        assert got == sent
    with pytest.raises(FrameError):
        FrameReader().feed(b"\xff" * 32)


def test_payloads_round_trip() -> None:
    texts = ("∀".encode(), b"", b"x" * 1000)
    request = Request(1.5, 1 << 31, 1 << 18, 20.0, 200_000, True, texts, trusted=True)
    again = Request.unpack(request.pack())
    assert all(getattr(request, name) == getattr(again, name) for name in Request.__slots__)
    parts = [Part(frames.TRUNCATED, b"[1]", b"0 a", b"olean"), Part(), Part(0, b"", b"", b"m" * 99)]
    for given in (parts, []):
        result = Result(frames.DONE, "why", given)
        result.seconds, result.cpu, result.peak = 0.25, 0.125, 1 << 28
        back = Result.unpack(result.pack())
        same = ("status", "detail", "seconds", "cpu", "peak")
        assert all(getattr(result, name) == getattr(back, name) for name in same) and parts_of(result) == parts_of(back)
        for wrong in (result.pack() + b"x", result.pack()[:-1], b""):
            with pytest.raises(FrameError):
                Result.unpack(wrong)
    table = {"a": ["x", "∀", ""], "none": [], "b": ["\udcff"]}
    assert frames.unpack_table(frames.pack_table(table)) == table


def test_an_answer_is_taken_only_whole() -> None:
    given = [Part(1, b"messages", b"0 kind", b"module"), Part(0, b"", b"", b"second")]
    packed = Answer.START + Answer.pack(5, given)
    answer = Answer(5, 100, 2)
    assert not answer.started
    for byte in packed:
        assert not answer.complete and answer.feed(bytes([byte]))
    assert answer.complete
    assert parts_of(answer) == [(1, b"messages", b"0 kind", b"module"), (0, b"", b"", b"second")]
    assert answer.feed(b"x") is False
    assert not Answer(6, 100, 2).feed(packed), "another job's nonce"
    assert not Answer(5, 7, 2).feed(packed), "more messages than allowed"
    assert not Answer(5, 100, 1).feed(packed), "more parts than texts"
    many = Answer.pack(5, [Part(0, b"", b"x" * (frames.MAX_COMMANDS + 1), b"")])
    assert not Answer(5, 100).feed(Answer.START + many), "a longer list of commands than any child sends"


def test_commands_are_cut_to_whole_lines() -> None:
    lines = [b"%d kind" % number for number in range(1000)] + [b"5000 last"]
    assert cut_commands(lines, 1 << 20) == b"\n".join(lines)
    cut = cut_commands(lines, 500).split(b"\n")
    assert len(b"\n".join(cut)) <= 500 and cut[-1] == b"5000 last" and cut[:-1] == lines[: len(cut) - 1]
    assert cut_commands([], 10) == b""


def test_messages_are_cut_to_whole_json() -> None:
    def line(severity: str, text: str) -> bytes:
        message = {"data": text, "endPos": None, "kind": "k", "pos": {"column": 1, "line": 2}, "severity": severity}
        return json.dumps({"caption": "", **message}, ensure_ascii=False, separators=(",", ":")).encode()

    short, error = line("information", "hello"), line("error", "wrong " * 1000)
    assert cut_messages([short, error], 1 << 20) == (short + b"\n" + error, False)
    for filler in ("x", "∀", '"\\', "\n", "\u0001"):
        long = line("information", filler * 50_000)
        for limit in (3000, 3001, 3002, 3003, 3004, 5000, 20_000):
            cut, truncated = cut_messages([short, long, short, error], limit)
            assert truncated and len(cut) <= limit
            kept = [json.loads(each) for each in cut.split(b"\n")]
            assert kept[0]["data"] == "hello" and kept[-1]["severity"] == "error"
            assert kept[-1]["data"].startswith("wrong")
