"""The seed history: the whole training state besides the base weights, one short line a generation.

A file of JSON lines. The first is the header: run key, base-weight hash, tensor manifest, noise specification and
whatever settings the run had. Each later line is a generation: its first seed, the coefficients (little-endian 16-bit
integers in base64), mean reward, counts and a hash of the weights after the update. Every line ends with a CRC-32 of
itself. The file is only appended to, flushed and fsynced. The format is written down in docs/evolution.md.
"""

from __future__ import annotations

import base64
import binascii
import json
import logging
import os
import struct
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from trainers.adapter import AdapterSpace, AdapterWeights
from trainers.noise import NOISE_SPEC, Noise
from trainers.weights import EvolvingWeights, tensors_hash

__all__ = ["HASH_DIGITS", "Difference", "Generation", "History", "HistoryError", "difference", "replay"]

logger = logging.getLogger(__name__)

HASH_DIGITS = 16
"""Hex digits of the weight hash kept in a line (64 bits); the header's hashes are whole."""

_GROUP_SEEDS = 256

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
        update: for a strategy in an adapter space only (trainers.adapter): the step of the space's integer vector, as
            little-endian 32-bit integers; the coefficients are then what the strategy was told.
    """

    generation: int
    seed: int
    coefficients: tuple[int, ...]
    reward: float | None
    attempts: int
    scored: int
    weights_hash: str
    update: bytes | None = None

    def __post_init__(self) -> None:
        if self.reward is not None:
            object.__setattr__(self, "reward", float(f"{self.reward:.6g}"))

    @property
    def seeds(self) -> range:
        return range(self.seed, self.seed + len(self.coefficients))

    def to_line(self) -> str:
        packed = struct.pack(f"<{len(self.coefficients)}h", *self.coefficients)
        record = {
            "g": self.generation,
            "s": self.seed,
            "c": base64.b64encode(packed).decode(),
            "r": self.reward,
            "n": [self.attempts, self.scored],
            "h": self.weights_hash,
        }
        if self.update is not None:
            record["u"] = base64.b64encode(zlib.compress(self.update)).decode()
        return _with_crc(record)

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
            update=zlib.decompress(base64.b64decode(record["u"], validate=True)) if "u" in record else None,
        )

    def apply_to(self, weights: EvolvingWeights) -> None:
        """Move weights that stand before this generation behind it."""
        if self.update is None:
            weights.apply(self.seeds, self.coefficients)
        else:
            weights.shift(self.update)


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
            except (ValueError, KeyError, TypeError, binascii.Error, struct.error, zlib.error) as error:
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

    def weights(self, base: Mapping[str, torch.Tensor], names: Collection[str] | None = None) -> EvolvingWeights:
        """Accumulators at generation 0 over the base tensors named in the manifest.

        Args:
            base: every parameter of the base model by canonical name, in the working dtype.
            names: only these tensors of the manifest (a process's share); all by default.

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
        evolving = {name: base[name] for name in manifest if names is None or name in names}
        unit, exponents = int(self.header["unit_exponent"]), self.header.get("exponents")
        if "adapter" in self.header:
            return AdapterWeights(evolving, AdapterSpace(manifest, self.noise()), unit, exponents)
        return EvolvingWeights(evolving, self.noise(), unit, exponents)


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
    weights_hash: Callable[[EvolvingWeights], str] = EvolvingWeights.hash,
    progress: Callable[[int], None] | None = None,
) -> EvolvingWeights:
    """Rebuild the weights after a number of generations from the base weights and the history alone.

    Args:
        base: every parameter of the base model by canonical name, in the working dtype.
        generation: how many generations; all by default.
        verify: check the hash after every generation, not only after the last.
        start, start_generation: go on from a snapshot that stands after so many generations; `base` is then not used.
        weights_hash: the hash of the weights, where `start` holds a part of them only.
        progress: called with the number of generations just done.

    Raises:
        HistoryError: when a hash differs, with the generation's number.
    """
    count = len(history.generations) if generation is None else generation
    if not start_generation <= count <= len(history.generations):
        raise HistoryError(f"the history holds {len(history.generations)} generations; {count} were asked for")
    weights = start if start is not None else history.weights(base)
    lines = history.generations[start_generation:count]
    # Sums are exact in any grouping: without a hash to check, many generations go into one matrix product.
    for group in [[line] for line in lines] if verify else _groups(lines):
        if group[0].update is None:
            weights.apply([s for line in group for s in line.seeds], [c for line in group for c in line.coefficients])
        else:
            group[0].apply_to(weights)
        last = group[-1]
        if (verify or last is lines[-1]) and (found := weights_hash(weights)[:HASH_DIGITS]) != last.weights_hash:
            raise HistoryError(
                f"after generation {last.generation} the weights have hash {found}, in the history {last.weights_hash}"
            )
        if progress is not None:
            progress(len(group))
    return weights


def _groups(lines: Sequence[Generation]) -> Iterator[list[Generation]]:
    """Neighbouring generations of up to `_GROUP_SEEDS` seeds together; those with an update alone."""
    group: list[Generation] = []
    for line in lines:
        if group and (
            line.update is not None
            or group[0].update is not None
            or sum(len(g.coefficients) for g in group) + len(line.coefficients) > _GROUP_SEEDS
        ):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


@dataclass(frozen=True)
class Difference:
    """Where two histories part.

    Attributes:
        header: setting -> its two values, for those that differ; those within `hyperparameters`, `versions` and `model`
            as "hyperparameters.sigma".
        generation: the first generation that differs in both, or None.
        parts: what differs there, of "seed", "coefficients", "reward", "attempts", "scored", "weights_hash", "update".
        lengths: generations of each.
    """

    header: dict[str, tuple[Any, Any]]
    generation: int | None
    parts: tuple[str, ...]
    lengths: tuple[int, int]

    def __bool__(self) -> bool:
        """Whether the runs differ; other versions and another place of the base model alone are no difference."""
        settings = [key for key in self.header if not key.startswith(("versions.", "model."))]
        return bool(settings) or self.generation is not None or self.lengths[0] != self.lengths[1]

    def sentences(self) -> list[str]:
        """The difference in words, a line each."""
        found = [f"the headers differ in {_unlike(key, a, b)}" for key, (a, b) in self.header.items()]
        if self.generation is not None:
            what = ", ".join(_PARTS[part] for part in self.parts)
            found.append(f"they part at generation {self.generation}: {what} differ")
            if self.parts == ("weights_hash",):
                found.append(
                    "seeds and coefficients are the same there: the base weights, the noise or the arithmetic were not"
                )
        elif self.lengths[0] != self.lengths[1]:
            found.append(f"one goes on from the other: {self.lengths[0]} and {self.lengths[1]} generations, else equal")
        return found


_PARTS = {
    "seed": "the seeds",
    "coefficients": "the coefficients",
    "reward": "the mean rewards",
    "attempts": "the numbers of attempts",
    "scored": "the numbers of scored attempts",
    "weights_hash": "the hashes of the weights",
    "update": "the updates",
}


def difference(one: History, two: History) -> Difference:
    """Where two histories part: settings of the headers, and the first generation that is not the same in both."""
    a, b = _flat(one.header), _flat(two.header)
    header = {k: (a.get(k), b.get(k)) for k in sorted(a.keys() | b.keys()) if a.get(k) != b.get(k)}
    lengths = (len(one.generations), len(two.generations))
    for mine, theirs in zip(one.generations, two.generations, strict=False):
        if parts := tuple(part for part in _PARTS if getattr(mine, part) != getattr(theirs, part)):
            return Difference(header, mine.generation, parts, lengths)
    return Difference(header, None, (), lengths)


_NESTED = ("hyperparameters", "versions", "model")


def _flat(header: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in header.items():
        flat |= {f"{key}.{k}": v for k, v in value.items()} if key in _NESTED else {key: value}
    return flat


def _unlike(key: str, a: Any, b: Any) -> str:
    """A setting and its two values; of tables (manifest, exponents) the first entry that differs."""
    if isinstance(a, dict) and isinstance(b, dict):
        names = [name for name in sorted(a.keys() | b.keys()) if a.get(name) != b.get(name)]
        more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
        return _unlike(f"{key} of {names[0]}{more}", a.get(names[0]), b.get(names[0]))
    return f"{key}: {json.dumps(a)} and {json.dumps(b)}"
