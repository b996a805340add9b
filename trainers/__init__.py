"""Trainers for language models that prove theorems. Names are imported when first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .es import ESTrainer
    from .es_config import ESConfig
    from .starter import starter_path, starter_policy

__all__ = ["ESConfig", "ESTrainer", "starter_path", "starter_policy"]

_HOMES = {"ESConfig": "es_config", "ESTrainer": "es", "starter_path": "starter", "starter_policy": "starter"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f".{_HOMES[name]}", __name__)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in ("torch", "transformers", "accelerate"):
            raise ImportError(f'{error.name} is not installed: pip install "lean-gym[es]"') from error
        raise
    return getattr(module, name)
