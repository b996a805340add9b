"""Calls reward functions by the contract of TRL's `GRPOTrainer`, while generation goes on.

A reward function is called with `prompts`, `completions`, `completion_ids`, the data set's other columns, and
`trainer_state`, `log_metric` and `log_extra`; it returns one float or None a completion, and may be a coroutine
function. One that also offers `submit(rows, completions) -> list[Future[float | None]]` gets each completion when it is
finished; the others are called in a worker thread on batches of finished ones.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from trainers.trace import Trace

__all__ = ["RewardFunc", "Scorer", "load_reward_func"]

logger = logging.getLogger(__name__)

RewardFunc = Callable[..., Any]
Scores = list["float | None"]


def _callable_name(func: Any) -> str:
    while isinstance(func, functools.partial):
        func = func.func
    return str(getattr(func, "__name__", type(func).__name__))


def _is_async(func: Any) -> bool:
    while isinstance(func, functools.partial):
        func = func.func
    return inspect.iscoroutinefunction(func) or inspect.iscoroutinefunction(type(func).__call__)


class _ModelReward:
    """A sequence-classification model with one label as a reward function."""

    def __init__(self, model: Any, processing_class: Any = None) -> None:
        from transformers import AutoTokenizer

        name = model.config._name_or_path
        self.__name__ = name.split("/")[-1]
        self.model = model
        self.tokenizer = processing_class or AutoTokenizer.from_pretrained(name)
        if self.tokenizer.pad_token_id is None:
            self.tokenizer.pad_token = self.tokenizer.eos_token
        model.config.pad_token_id = self.tokenizer.pad_token_id

    @torch.inference_mode()
    def __call__(self, prompts: Sequence[Any], completions: Sequence[Any], **_: Any) -> list[float]:
        if isinstance(prompts[0], str):
            texts = [p + c for p, c in zip(prompts, completions, strict=True)]
        else:
            texts = [
                self.tokenizer.apply_chat_template([*p, *c], tokenize=False)
                for p, c in zip(prompts, completions, strict=True)
            ]
        inputs = self.tokenizer(
            text=texts, return_tensors="pt", padding=True, padding_side="right", add_special_tokens=False
        ).to(self.model.device)
        return self.model(**inputs).logits[:, 0].float().tolist()


def load_reward_func(func: Any, processing_class: Any = None) -> RewardFunc:
    """A reward function from a callable, a sequence-classification model, or the name of one."""
    if isinstance(func, str):
        from transformers import AutoModelForSequenceClassification

        func = AutoModelForSequenceClassification.from_pretrained(func, num_labels=1)
    if isinstance(func, nn.Module):
        return _ModelReward(func, processing_class)
    if not callable(func):
        raise TypeError(f"a reward function must be callable, a model or a model's name, not {type(func).__name__}")
    return func


@dataclass
class _Item:
    row: Mapping[str, Any]
    completion: Any
    completion_ids: list[int]
    futures: list[Future[float | None] | None]
    missing: int = 0


class Scorer:
    """Collects finished completions and their rewards.

    Args:
        reward_funcs: the functions.
        reward_weights: their weights; 1 by default.
        batch_size: completions in one call of a function without `submit`.
        trainer_state: what functions get as `trainer_state`.
        trace: gets a `verification` event for each completion, from here to its last reward.
    """

    def __init__(
        self,
        reward_funcs: Sequence[RewardFunc],
        reward_weights: Sequence[float] | None = None,
        batch_size: int = 64,
        trainer_state: Any = None,
        trace: Trace | None = None,
    ) -> None:
        if not reward_funcs:
            raise ValueError("no reward function: pass reward_funcs")
        if reward_weights is not None and len(reward_weights) != len(reward_funcs):
            raise ValueError(f"{len(reward_weights)} reward_weights for {len(reward_funcs)} reward functions")
        self.reward_funcs = list(reward_funcs)
        self.names = [_callable_name(func) for func in self.reward_funcs]
        self.weights = list(reward_weights) if reward_weights is not None else [1.0] * len(self.reward_funcs)
        self.batch_size = batch_size
        self.trainer_state = trainer_state
        self._streams = [callable(getattr(func, "submit", None)) for func in self.reward_funcs]
        self._items: dict[int, _Item] = {}
        self._waiting: list[int] = []
        self._metrics: dict[str, list[float]] = {}
        self._trace = trace or Trace(enabled=False)
        self._pending = 0
        self._change = threading.Condition()
        # One thread: calls stay in order and never overlap, as in TRL.
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="rewards")

    def add(self, key: int, row: Mapping[str, Any], completion: Any, completion_ids: list[int]) -> None:
        """A completion is finished: start its scoring. `row` is its row of the data set, `key` a number of yours."""
        item = _Item(row, completion, completion_ids, [None] * len(self.reward_funcs))
        for i, func in enumerate(self.reward_funcs):
            if self._streams[i]:
                (item.futures[i],) = func.submit([row], [completion])  # type: ignore[attr-defined]
        self._items[key] = item
        if all(self._streams):
            self._watch(item)
        else:
            self._waiting.append(key)
            if len(self._waiting) >= self.batch_size:
                self.flush()

    def flush(self) -> None:
        """Send what waits for a full batch."""
        items = [self._items[key] for key in self._waiting]
        self._waiting = []
        if not items:
            return
        indices = [i for i, streams in enumerate(self._streams) if not streams]
        for i in indices:
            for item in items:
                item.futures[i] = Future()
        for item in items:
            self._watch(item)
        call = self._pool.submit(self._call, indices, items)
        call.add_done_callback(functools.partial(_deliver, indices=indices, items=items))

    def _watch(self, item: _Item) -> None:
        """Notice when an item has all its rewards."""
        span = self._trace.begin("verification")
        futures = [future for future in item.futures if future is not None]
        item.missing = len(futures)
        with self._change:
            self._pending += 1

        def arrived(future: Future[float | None]) -> None:
            with self._change:
                item.missing -= 1
                if item.missing:
                    return
                self._pending -= 1
                self._change.notify_all()
            self._trace.end("verification", span)

        for future in futures:
            future.add_done_callback(arrived)

    @property
    def pending(self) -> int:
        """Completions that were sent to the reward functions and have no full set of rewards yet."""
        with self._change:
            return self._pending

    def wait_below(self, limit: int) -> None:
        """Wait until fewer than `limit` (at least 1) completions are pending."""
        with self._change:
            self._change.wait_for(lambda: self._pending < max(1, limit))

    def collect(self, keys: Sequence[int]) -> dict[int, Scores]:
        """Wait for the rewards of these completions: key -> one reward (or None) a function. They are forgotten then.

        Raises:
            whatever a reward function raised.
        """
        self.flush()
        scores: dict[int, Scores] = {}
        for key in keys:
            item = self._items.pop(key)
            values = [future.result() for future in item.futures if future is not None]
            scores[key] = [_checked(v, name) for v, name in zip(values, self.names, strict=True)]
        return scores

    def total(self, scores: Scores) -> float | None:
        """Weighted sum of the functions that gave a reward; None when none did (as in TRL)."""
        parts = [w * s for w, s in zip(self.weights, scores, strict=True) if s is not None]
        return math.fsum(parts) if parts else None

    def take_metrics(self) -> dict[str, float]:
        """Means of what reward functions logged since the last call."""
        metrics = {name: math.fsum(values) / len(values) for name, values in self._metrics.items()}
        self._metrics = {}
        for func in self.reward_funcs:
            take = getattr(func, "take_metrics", None)
            if callable(take):
                metrics.update(take())
        return metrics

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _log_metric(self, name: str, value: float) -> None:
        self._metrics.setdefault(name, []).append(float(value))

    def _log_extra(self, column: str, values: list[Any]) -> None:
        logger.debug("reward function logged column %s: %s", column, values)

    def _call(self, indices: list[int], items: list[_Item]) -> list[Scores]:
        """Rewards of a batch by the functions `indices`, one list a function. Runs in the worker thread."""
        columns = [k for k in items[0].row if k not in ("prompt", "completion", "completion_ids")]
        arguments: dict[str, Any] = {key: [item.row[key] for item in items] for key in columns}
        arguments |= {
            "prompts": [item.row["prompt"] for item in items],
            "completions": [item.completion for item in items],
            "completion_ids": [item.completion_ids for item in items],
            "trainer_state": self.trainer_state,
            "log_metric": self._log_metric,
            "log_extra": self._log_extra,
        }
        results: dict[int, Any] = {}

        async def gather(later: list[int]) -> list[Any]:
            return await asyncio.gather(*(self.reward_funcs[i](**arguments) for i in later))

        later = [i for i in indices if _is_async(self.reward_funcs[i])]
        for i in indices:
            if i not in later:
                results[i] = self.reward_funcs[i](**arguments)
        if later:
            results.update(zip(later, asyncio.run(gather(later)), strict=True))
        for i in indices:
            if len(results[i]) != len(items):
                raise ValueError(
                    f"reward function {self.names[i]} returned {len(results[i])} rewards for {len(items)} completions; "
                    "it must return one for each"
                )
        return [list(results[i]) for i in indices]


def _checked(value: Any, name: str) -> float | None:
    """A reward as a float; NaN counts as None, as TRL has it."""
    if value is None:
        return None
    number = float(value)
    if math.isinf(number):
        raise ValueError(f"reward function {name} returned {number}; rewards must be finite, or None")
    return None if math.isnan(number) else number


def _deliver(call: Future[list[Scores]], indices: list[int], items: list[_Item]) -> None:
    for place, i in enumerate(indices):
        for at, item in enumerate(items):
            future = item.futures[i]
            assert future is not None
            if call.cancelled():
                future.cancel()
            elif error := call.exception():
                future.set_exception(error)
            else:
                future.set_result(call.result()[place][at])
