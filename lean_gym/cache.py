"""Verdicts on disk, so that the same proof of the same statement is never checked twice."""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import time
from pathlib import Path
from typing import Any

from .verdict import Outcome, Verdict

__all__ = ["CACHED_OUTCOMES", "VerdictCache"]

log = logging.getLogger(__name__)

CACHED_OUTCOMES = frozenset({Outcome.PROVED, Outcome.REJECTED, Outcome.EXPLOIT_SUSPECTED})
"""What depends on the text alone. A timeout may have been the machine's doing, and INFRA is our own."""

_FLUSH_SECONDS = 0.5
_FLUSH_COUNT = 256


class VerdictCache:
    """A bounded cache of verdicts (SQLite through `diskcache`), shared by the processes of one user.

    Values are JSON texts, so nothing in the file is ever executed when it is read. Writes are gathered for half a
    second; what a crash loses is only checked again. A damaged file is put aside with a warning, not trusted.

    Args:
        folder: where the cache lives; made when missing.
        size_limit: bytes on disk beyond which the least recently stored verdicts go.

    Raises:
        OSError, sqlite3.Error: the folder can't be used.
    """

    def __init__(self, folder: Path, size_limit: int = 1 << 30) -> None:
        self.folder = folder
        self._size_limit = size_limit
        self._pending: dict[str, str] = {}
        self._flushed = time.monotonic()
        self._disk = self._open()

    @classmethod
    def open(cls, folder: Path) -> VerdictCache | None:
        """The cache in `folder`, or None, with a warning, where it can't be used: a check needs no cache."""
        import diskcache

        try:
            return cls(folder)
        except (OSError, sqlite3.Error, diskcache.Timeout) as error:
            log.warning("the verdict cache in %s can't be used (%s); verdicts are not kept", folder, error)
            return None

    def _open(self) -> Any:
        import diskcache  # here, so that `import lean_gym` stays light

        self._timeout: type[Exception] = diskcache.Timeout
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = {"size_limit": self._size_limit, "disk": diskcache.JSONDisk, "timeout": 5.0}
        try:
            return diskcache.Cache(str(self.folder), **settings)
        except sqlite3.OperationalError:
            raise  # locked, full or not writable: nothing is wrong with the file
        except sqlite3.DatabaseError as error:
            aside = self.folder.with_name(f"{self.folder.name}.damaged-{int(time.time())}")
            self.folder.rename(aside)
            log.warning("the verdict cache in %s was damaged (%s); it is now in %s", self.folder, error, aside)
            self.folder.mkdir(parents=True)
            return diskcache.Cache(str(self.folder), **settings)

    @staticmethod
    def key(*parts: str) -> str:
        """A key for the given texts: SHA-256 over them, each with its length."""
        digest = hashlib.sha256()
        for part in parts:
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big"))
            digest.update(data)
        return digest.hexdigest()

    def get(self, key: str) -> Verdict | None:
        """The stored verdict, marked `cached`, or None."""
        text = self._pending.get(key)
        if text is None:
            try:
                text = self._disk.get(key)
            except (sqlite3.Error, OSError, self._timeout) as error:
                log.warning("the verdict cache can't be read now (%s); the proof is checked", error)
                return None
        if text is None:
            return None
        try:
            return Verdict.from_json({**json.loads(text), "cached": True})
        except (ValueError, TypeError, KeyError) as error:
            log.warning("a verdict in the cache can't be read (%s); the proof is checked again", error)
            return None

    def put(self, key: str, verdict: Verdict) -> None:
        """Store `verdict` if its outcome depends on the text alone (`CACHED_OUTCOMES`)."""
        if verdict.outcome not in CACHED_OUTCOMES:
            return
        self._pending[key] = json.dumps(verdict.to_json(), ensure_ascii=True)
        if len(self._pending) >= _FLUSH_COUNT or time.monotonic() - self._flushed > _FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what is pending."""
        self._flushed = time.monotonic()
        try:
            with self._disk.transact():
                for key, text in self._pending.items():
                    self._disk.set(key, text)
        except (sqlite3.Error, OSError, self._timeout) as error:
            log.warning("%d verdicts could not be written to the cache: %s", len(self._pending), error)
        self._pending.clear()

    def close(self) -> None:
        """Write what is pending and close the file."""
        self.flush()
        self._disk.close()
