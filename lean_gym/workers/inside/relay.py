"""Runs inside a container: carries HTTP requests from stdin to a server on 127.0.0.1, and the answers to stdout.

    python3 -c SOURCE PORT LARGEST_ANSWER SILENCE GRACE

A frame is a number (64 bits), a kind (8 bits), a length (32 bits), all big-endian, and that many bytes:

    ASK     "METHOD PATH SECONDS\n" and the body
    ANSWER  the status (16 bits) and the body
    FAILED  why there is no answer
    PING    nothing; keeps the relay awake

When stdin ends, or is silent for SILENCE seconds, whoever wanted the container is gone: after GRACE seconds the relay
kills every process it may, so that the container ends although nobody is there to remove it.
"""

import http.client
import os
import select
import signal
import struct
import sys
import threading
import time

ASK, ANSWER, FAILED, PING = 1, 2, 3, 4
HEAD = struct.Struct(">QBL")

writing = threading.Lock()


def send(number: int, kind: int, payload: bytes) -> None:
    data = memoryview(HEAD.pack(number, kind, len(payload)) + payload)
    with writing:
        while data:
            data = data[os.write(1, data) :]


def ask(port: int, largest: int, number: int, payload: bytes) -> None:
    try:
        line, body = payload.split(b"\n", 1)
        method, path, seconds = line.decode("ascii").split(" ")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=float(seconds))
        try:
            headers = {"Content-Type": "application/json", "Connection": "close"}
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            data = answer.read(largest + 1)
        finally:
            connection.close()
        if len(data) > largest:
            raise ValueError("the answer is too long")
        send(number, ANSWER, struct.pack(">H", answer.status) + data)
    except (OSError, ValueError, http.client.HTTPException) as error:
        send(number, FAILED, f"{type(error).__name__}: {error}".encode()[:500])


def read(count: int, silence: float) -> bytes:
    parts = []
    while count:
        if not select.select([0], [], [], silence)[0]:
            raise EOFError
        data = os.read(0, min(count, 1 << 20))
        if not data:
            raise EOFError
        parts.append(data)
        count -= len(data)
    return b"".join(parts)


def main() -> None:
    port, largest, silence, grace = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
    try:
        while True:
            number, kind, length = HEAD.unpack(read(HEAD.size, silence))
            payload = read(length, silence)
            if kind == ASK:
                threading.Thread(target=ask, args=(port, largest, number, payload), daemon=True).start()
    except EOFError:
        time.sleep(grace)
    # A parent 0 is one outside of this process namespace: so this is a container. Anywhere else it would be a massacre.
    if os.getppid() == 0:
        os.kill(-1, signal.SIGKILL)  # all but this process and process 1, which ends when its child has


if __name__ == "__main__":
    main()
