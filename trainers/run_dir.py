"""What a run leaves in its output folder: history.jsonl, metrics.jsonl, trace.json (on demand),
checkpoint-N/, the final weights."""

from __future__ import annotations

import json
import logging
import math
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from trainers.history import HASH_DIGITS, History
from trainers.weights import EvolvingWeights

__all__ = ["RunDir"]

logger = logging.getLogger(__name__)

_SNAPSHOT = "es_state.safetensors"


class RunDir:
    """The output folder. Only the first process writes."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.history = self.path / "history.jsonl"
        self.metrics = self.path / "metrics.jsonl"
        self.trace = self.path / "trace.json"

    def set_aside(self) -> None:
        """Move an earlier run's files to the next free `previous-N` folder: a new run never mixes with it."""
        if not self.history.exists():
            return
        n = 1
        while (self.path / f"previous-{n}").exists():
            n += 1
        aside = self.path / f"previous-{n}"
        aside.mkdir()
        moved = [self.history, self.metrics, self.trace, *self.path.glob("checkpoint-*")]
        for item in moved:
            if item.exists():
                item.rename(aside / item.name)
        logger.warning(
            "%s holds an earlier run; moved to %s. To go on with it: resume_from_checkpoint", self.path, aside
        )

    def log(self, record: Mapping[str, Any]) -> None:
        """Append to metrics.jsonl."""
        with self.metrics.open("a", encoding="utf-8") as file:
            file.write(json.dumps({k: _json_number(v) for k, v in record.items()}) + "\n")

    def read_metrics(self, step: int) -> list[dict[str, Any]]:
        """Records up to a step; later ones (and a torn last line) are cut off the file."""
        if not self.metrics.exists():
            return []
        kept = []
        for line in self.metrics.read_text(encoding="utf-8").splitlines():
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue  # torn by the end of an earlier process
            if record.get("step", 0) <= step:
                kept.append(record)
        spare = self.metrics.with_suffix(".tmp")
        spare.write_text("".join(json.dumps(record) + "\n" for record in kept), encoding="utf-8")
        spare.replace(self.metrics)
        return kept

    def save_checkpoint(self, step: int, weights: EvolvingWeights, save_model: Any, limit: int | None) -> Path:
        """Write checkpoint-`step` (model by `save_model(folder)`, snapshot of D), whole or not at all.

        Args:
            limit: keep so many of the newest checkpoints; None keeps all.
        """
        final = self.path / f"checkpoint-{step}"
        spare = self.path / f".checkpoint-{step}.tmp"
        shutil.rmtree(spare, ignore_errors=True)
        spare.mkdir(parents=True)
        save_model(spare)
        save_file(weights.state(), str(spare / _SNAPSHOT))
        if final.exists():
            shutil.rmtree(final)
        spare.rename(final)
        if limit is not None and limit > 0:
            for old in self._checkpoints()[:-limit]:
                shutil.rmtree(old)
        return final

    def _checkpoints(self) -> list[Path]:
        found = [p for p in self.path.glob("checkpoint-*") if p.name.rpartition("-")[2].isdigit()]
        return sorted(found, key=lambda p: int(p.name.rpartition("-")[2]))

    def restore(self, weights: EvolvingWeights, history: History) -> int:
        """Load the newest snapshot that agrees with the history; the generations it stands after (0: none found)."""
        for checkpoint in reversed(self._checkpoints()):
            step = int(checkpoint.name.rpartition("-")[2])
            if not 1 <= step <= len(history.generations) or not (checkpoint / _SNAPSHOT).exists():
                continue
            empty = {name: d.clone() for name, d in weights.state().items()}
            weights.load_state(load_file(str(checkpoint / _SNAPSHOT)))
            if weights.hash()[:HASH_DIGITS] == history.generations[step - 1].weights_hash:
                return step
            logger.warning("%s does not agree with the history; it is left out", checkpoint)
            weights.load_state(empty)
        return 0


def _json_number(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        value = value.item()
    if isinstance(value, float):
        return None if not math.isfinite(value) else float(f"{value:.6g}")
    return value
