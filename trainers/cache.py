"""A key-value cache for decoding many sequences: rooms are taken once, rows can be repeated and dropped."""

from __future__ import annotations

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

    def put(self, other: _GrowingLayer, rows: torch.Tensor, total: int, width: int) -> None:
        """Copy another layer's rows in, aligned to the right at `width` positions."""
        if not self.is_initialized:
            assert other.keys is not None and other.values is not None
            self.lazy_initialization(other.keys, other.values)
            # Zeros, not garbage: a masked position has weight 0, and 0 times NaN would be NaN.
            self._buffers = [x.new_zeros((total, x.shape[1], self.capacity, x.shape[3])) for x in other._buffers]
            self.filled = width
        for buffer, states in zip(self._buffers, (other.keys, other.values), strict=True):
            buffer[rows, :, width - other.filled : width] = states
        self.keys, self.values = (buffer[:, :, : self.filled] for buffer in self._buffers)

    def select(self, rows: torch.Tensor) -> None:
        kept = []
        for buffer in self._buffers:
            room = buffer.new_empty((len(rows), *buffer.shape[1:]))
            torch.index_select(buffer[:, :, : self.filled], 0, rows, out=room[:, :, : self.filled])
            kept.append(room)
        self._buffers = kept
        self.keys, self.values = (buffer[:, :, : self.filled] for buffer in kept)


class GrowingCache:
    """The model's cache, with its plain attention layers replaced by buffers of a known capacity.

    Args:
        model: the causal language model; its layers of other kinds (sliding window, recurrent) stay as they are.
        capacity: most positions, prompt and completion together.
    """

    def __init__(self, model: nn.Module, capacity: int) -> None:
        self.cache = DynamicCache(config=model.config)
        layers = [_GrowingLayer(capacity) if type(layer) is DynamicLayer else layer for layer in self.cache.layers]
        self.cache.layers = layers
        self.partable = all(isinstance(layer, _GrowingLayer) for layer in layers)

    def put(self, other: GrowingCache, rows: list[int], total: int, width: int) -> None:
        """Copy the rows of another, filled cache in as rows `rows` of `total`, right-aligned at `width` positions."""
        for layer, filled in zip(self.cache.layers, other.cache.layers, strict=True):
            layer.put(filled, torch.tensor(rows, device=filled.keys.device), total, width)

    def select(self, rows: torch.Tensor) -> None:
        """Keep these rows, in this order; a row may come several times."""
        for layer in self.cache.layers:
            if isinstance(layer, _GrowingLayer):
                layer.select(rows)
            else:
                layer.reorder_cache(rows)
