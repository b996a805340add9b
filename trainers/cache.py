"""A key-value cache for decoding many sequences: rooms are taken once, rows come, go and repeat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn
from transformers.cache_utils import DynamicCache, DynamicLayer

__all__ = ["GrowingCache"]


class _GrowingLayer(DynamicLayer):
    """Keys and values of one layer in a buffer of fixed capacity.

    The stock dynamic layer copies the whole cache at each step (torch.cat), the stock static one attends over all of
    its capacity; this one writes in place and hands out a view of what is filled.
    """

    def __init__(self, capacity: int) -> None:
        super().__init__()
        self.capacity = capacity
        self.filled = 0
        self._buffers: list[torch.Tensor] = []

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
            self._buffers = [x.new_empty((*x.shape[:2], self.capacity, x.shape[3])) for x in (key_states, value_states)]
        end = self.filled + key_states.shape[-2]
        for buffer, states in zip(self._buffers, (key_states, value_states), strict=True):
            buffer[:, :, self.filled : end] = states
        self.filled = end
        self.keys, self.values = (buffer[:, :, :end] for buffer in self._buffers)
        return self.keys, self.values

    def get_seq_length(self) -> int:
        return self.filled

    def collect(self, parts: Sequence[tuple[_GrowingLayer, torch.Tensor]], width: int) -> None:
        """Become these rows of other layers, one part after another, their last `width` positions right-aligned."""
        first = parts[0][0]
        assert first.keys is not None and first.values is not None
        self.lazy_initialization(first.keys, first.values)
        rows = sum(len(chosen) for _, chosen in parts)
        for which, like in enumerate(first._buffers):
            buffer = like.new_empty((rows, like.shape[1], self.capacity, like.shape[3]))
            if any(layer.filled < width for layer, _ in parts):
                # Zeros, not garbage: a masked position has weight 0, and 0 times NaN would be NaN.
                buffer[:, :, :width] = 0
            at = 0
            for layer, chosen in parts:
                count = min(layer.filled, width)
                source = layer._buffers[which][:, :, layer.filled - count : layer.filled]
                room = buffer[at : at + len(chosen), :, width - count : width]
                torch.index_select(source, 0, chosen, out=room)
                at += len(chosen)
            self._buffers.append(buffer)
        self.filled = width
        self.keys, self.values = (buffer[:, :, :width] for buffer in self._buffers)


class GrowingCache:
    """The model's cache, with its plain attention layers replaced by buffers of a known capacity.

    Args:
        model: the causal language model; its layers of other kinds (sliding window, recurrent) stay as they are.
        capacity: most positions, prompt and completion together.
    """

    def __init__(self, model: nn.Module, capacity: int) -> None:
        self.model = model
        self.cache = DynamicCache(config=model.config)
        layers = [_GrowingLayer(capacity) if type(layer) is DynamicLayer else layer for layer in self.cache.layers]
        self.cache.layers = layers
        self.partable = all(isinstance(layer, _GrowingLayer) for layer in layers)
        """Whether rows of several caches can become one."""

    @classmethod
    def of(
        cls, model: nn.Module, parts: Sequence[tuple[GrowingCache, torch.Tensor]], width: int, capacity: int
    ) -> GrowingCache:
        """Rows of filled, partable caches as one, the last `width` positions of each, right-aligned.

        A row may come several times. The parts' buffers are given up layer by layer.
        """
        made = cls(model, capacity)
        for at, layer in enumerate(made.cache.layers):
            layer.collect([(cache.cache.layers[at], rows) for cache, rows in parts], width)
            for cache, _ in parts:
                cache.cache.layers[at] = None
        return made

    def select(self, rows: torch.Tensor) -> None:
        """Keep these rows, in this order; a row may come several times."""
        for at, layer in enumerate(self.cache.layers):
            if isinstance(layer, _GrowingLayer):
                kept = _GrowingLayer(layer.capacity)
                kept.collect([(layer, rows)], layer.filled)
                self.cache.layers[at] = kept
            else:
                layer.reorder_cache(rows)
