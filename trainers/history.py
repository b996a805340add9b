"""The seed history: the whole training state besides the base weights, one short line a generation.

A file of JSON lines. The first is the header: run key, base-weight hash, tensor manifest, noise specification and
whatever settings the run had. Each later line is a generation: its first seed, the coefficients (little-endian 16-bit
integers in base64), mean reward, counts and a hash of the weights after the update. Every line ends with a CRC-32 of
itself. The file is only appended to, flushed and fsynced.
"""

from __future__ import annotations

import base64
import binascii
import json
import logging
import os
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from trainers.noise import NOISE_SPEC, Noise
from trainers.weights import EvolvingWeights, tensors_hash

__all__ = ["HASH_DIGITS", "Generation", "History", "HistoryError", "difference", "replay"]

logger = logging.getLogger(__name__)

HASH_DIGITS = 16
"""Hex digits of the weight hash kept in a line (64 bits); the header's hashes are whole."""

_CRC = ',"crc":"'
_REQUIRED = ("noise_spec", "run_key", "rank", "unit_exponent", "base_hash", "manifest")


class HistoryError(ValueError):
    """A history that is damaged, of another run, or does not give the weights it promises."""


@dataclass(frozen=True)
class Generation:
    """One line of the history.

    Attributes:
        generation: number, from 0.
        seed: first of the consecutive seeds.
        coefficients: one integer a seed.
        reward: mean reward of the scored attempts, to 6 digits, or None when none was scored.
        attempts, scored: attempts made, and those of them with a reward.
        weights_hash: first `HASH_DIGITS` hex digits of the hash of the weights after the update.
    """

    generation: int
    seed: int
    coefficients: tuple[int, ...]
    reward: float | None
    attempts: int
    scored: int
    weights_hash: str

    def __post_init__(self) -> None:
        if self.reward is not None:
            object.__setattr__(self, "reward", float(f"{self.reward:.6g}"))

    @property
    def seeds(self) -> range:
        return range(self.seed, self.seed + len(self.coefficients))

    def to_line(self) -> str:
        packed = struct.pack(f"<{len(self.coefficients)}h", *self.coefficients)
        return _with_crc(
            {
                "g": self.generation,
                "s": self.seed,
                "c": base64.b64encode(packed).decode(),
                "r": self.reward,
                "n": [self.attempts, self.scored],
                "h": self.weights_hash,
            }
        )

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Generation:
        packed = base64.b64decode(record["c"], validate=True)
        return cls(
            generation=record["g"],
            seed=record["s"],
            coefficients=struct.unpack(f"<{len(packed) // 2}h", packed),
            reward=record["r"],
            attempts=record["n"][0],
            scored=record["n"][1],
            weights_hash=record["h"],
        )


def _with_crc(record: Mapping[str, Any]) -> str:
    text = json.dumps(record, separators=(",", ":"), ensure_ascii=True)
    return f'{text[:-1]}{_CRC}{zlib.crc32(text.encode()):08x}"}}'


def _parse(line: str) -> dict[str, Any]:
    """The record of a line; ValueError when it is not whole."""
    body, mark, tail = line.rpartition(_CRC)
    if not mark or len(tail) != 10 or not tail.endswith('"}'):
        raise ValueError("it has no checksum at its end")
    text = body + "}"
    if f"{zlib.crc32(text.encode()):08x}" != tail[:8]:
        raise ValueError("its checksum is wrong")
    record = json.loads(text)
    if not isinstance(record, dict):
        raise ValueError("it is no JSON object")
    return record


class History:
    """A history read from or written to a file.

    Attributes:
        header: settings of the run.
        generations: the lines so far.
    """

    def __init__(self, header: Mapping[str, Any], generations: Iterable[Generation] = (), path: Path | None = None):
        missing = [key for key in _REQUIRED if key not in header]
        if missing:
            raise HistoryError(f"the history's header lacks {', '.join(missing)}")
        if header["noise_spec"] != NOISE_SPEC:
            raise HistoryError(
                f"the history follows noise specification {header['noise_spec']}; this version implements {NOISE_SPEC}"
            )
        self.header = dict(header)
        self.generations = list(generations)
        self.path = path

    @classmethod
    def create(cls, path: str | os.PathLike[str], header: Mapping[str, Any]) -> History:
        """Start a new file.

        Raises:
            FileExistsError: when the file exists already: a history is never overwritten.
        """
        history = cls(header, path=Path(path))
        with Path(path).open("x", encoding="ascii") as file:
            file.write(_with_crc(header) + "\n")
            _sync(file)
        # The new name is durable only once the folder is synced too.
        folder = os.open(Path(path).parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        return history

    @classmethod
    def read(cls, path: str | os.PathLike[str], repair: bool = False) -> History:
        """Read a file. A torn last line (no newline at its end: the write was cut off) is dropped with a message.

        Args:
            repair: also cut the torn line off the file, so that it can be appended to.

        Raises:
            HistoryError: with the line's number, when a line is damaged.
        """
        data = Path(path).read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            logger.warning(
                "%s: the last line is torn (%d bytes); it is dropped and its generation is done again",
                path,
                len(data) - len(whole),
            )
            if repair:
                with Path(path).open("r+b") as file:
                    file.truncate(len(whole))
                    _sync(file)
        header: dict[str, Any] | None = None
        generations: list[Generation] = []
        for number, raw in enumerate(whole.split(b"\n")[:-1], start=1):
            try:
                record = _parse(raw.decode("ascii"))
                if header is None:
                    header = record
                    continue
                generation = Generation.from_record(record)
                if generation.generation != len(generations):
                    raise ValueError(f"it is generation {generation.generation}, not {len(generations)}")
            except (ValueError, KeyError, TypeError, binascii.Error, struct.error) as error:
                raise HistoryError(f"{path}: line {number} is damaged: {error}") from error
            generations.append(generation)
        if header is None:
            raise HistoryError(f"{path}: no header line; this is no history")
        return cls(header, generations, Path(path))

    def append(self, generation: Generation) -> None:
        """Add a line and wait until it is on the disk."""
        if generation.generation != len(self.generations):
            raise HistoryError(f"generation {len(self.generations)} is next, not {generation.generation}")
        if self.path is not None:
            with self.path.open("a", encoding="ascii") as file:
                file.write(generation.to_line() + "\n")
                _sync(file)
        self.generations.append(generation)

    def noise(self) -> Noise:
        """The noise of the run."""
        return Noise(int(self.header["run_key"]), int(self.header["rank"]))

    def weights(self, base: Mapping[str, torch.Tensor]) -> EvolvingWeights:
        """Accumulators at generation 0 over the base tensors named in the manifest.

        Raises:
            HistoryError: when `base` lacks a tensor, or holds other weights than the run started from.
        """
        manifest: dict[str, list[int]] = self.header["manifest"]
        for name, shape in manifest.items():
            if name not in base:
                raise HistoryError(f"the base model has no tensor {name}, which the history evolves")
            if list(base[name].shape) != list(shape):
                raise HistoryError(f"{name} has shape {tuple(base[name].shape)}, in the history {tuple(shape)}")
        if (found := tensors_hash(base)) != self.header["base_hash"]:
            raise HistoryError(
                f"these are not the base weights of the run: hash {found[:16]}, in the history "
                f"{self.header['base_hash'][:16]}"
            )
        evolving = {name: base[name] for name in manifest}
        return EvolvingWeights(evolving, self.noise(), int(self.header["unit_exponent"]), self.header.get("exponents"))


def _sync(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())


def replay(
    base: Mapping[str, torch.Tensor],
    history: History,
    generation: int | None = None,
    verify: bool = False,
    start: EvolvingWeights | None = None,
    start_generation: int = 0,
) -> EvolvingWeights:
    """Rebuild the weights after a number of generations from the base weights and the history alone.

    Args:
        base: every parameter of the base model by canonical name, in the working dtype.
        generation: how many generations; all by default.
        verify: check the hash after every generation, not only after the last.
        start, start_generation: go on from a snapshot that stands after so many generations.

    Raises:
        HistoryError: when a hash differs, with the generation's number.
    """
    count = len(history.generations) if generation is None else generation
    if not start_generation <= count <= len(history.generations):
        raise HistoryError(f"the history holds {len(history.generations)} generations; {count} were asked for")
    weights = start if start is not None else history.weights(base)
    for line in history.generations[start_generation:count]:
        weights.apply(line.seeds, line.coefficients)
        last = line.generation == count - 1
        if (verify or last) and (found := weights.hash()[:HASH_DIGITS]) != line.weights_hash:
            raise HistoryError(
                f"after generation {line.generation} the weights have hash {found}, in the history {line.weights_hash}"
            )
    return weights


def difference(one: History, two: History) -> str | None:
    """Where two histories part, in one sentence; None when one continues the other or they are the same."""
    for key in sorted(set(one.header) | set(two.header)):
        if one.header.get(key) != two.header.get(key):
            return f"the headers differ in {key}: {one.header.get(key)!r} and {two.header.get(key)!r}"
    for a, b in zip(one.generations, two.generations, strict=False):
        if a != b:
            fields: Sequence[str] = [k for k in a.__dataclass_fields__ if getattr(a, k) != getattr(b, k)]
            return f"they part at generation {a.generation}: {', '.join(fields)} differ"
    return None
