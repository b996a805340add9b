"""Settings from a YAML file and the command line: `--config FILE`, overridden by the other flags."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]
from transformers import HfArgumentParser

__all__ = ["parse_args"]


def parse_args(types: Any, argv: Sequence[str] | None = None) -> tuple[Any, ...]:
    """Instances of dataclasses, as `HfArgumentParser` makes them, with the values of a `--config` file as defaults.

    Args:
        types: dataclasses, such as `(Script, ESConfig)`.
        argv: words of the command line; the program's own by default.

    Raises:
        SystemExit: after a message, when the file can't be read or names a setting that there is none of.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    parser = HfArgumentParser(types)
    parser.add_argument("--config", metavar="FILE", help="YAML file of settings; flags come before it")
    known, _ = parser.parse_known_args(words)
    if known.config is not None:
        try:
            settings = yaml.safe_load(Path(known.config).read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError) as error:
            parser.error(f"--config {known.config} can't be read: {error}")
        if not isinstance(settings, dict):
            parser.error(f"--config {known.config} holds no settings: write one `name: value` a line")
        names = {action.dest for action in parser._actions}
        if unknown := [str(key) for key in settings if key not in names]:
            parser.error(f"--config {known.config}: there is no setting {', '.join(unknown)}")
        parser.set_defaults(**settings)
    return tuple(parser.parse_args_into_dataclasses(args=words)[: len(types)])
