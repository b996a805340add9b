"""The progress display of a run: a rich bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

__all__ = ["RichProgress"]


class RichProgress(TrainerCallback):
    """Generations done, pass rate and seconds a generation; a second bar while one runs."""

    def __init__(self) -> None:
        self.console = Console(stderr=True)
        self._progress: Progress | None = None
        self._main: TaskID | None = None
        self._inner: TaskID | None = None

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        if not state.is_world_process_zero or not self.console.is_terminal:
            return
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
            console=self.console,
        )
        self._main = self._progress.add_task("generations", total=state.max_steps, completed=state.global_step, note="")
        self._inner = self._progress.add_task("attempts", total=None, visible=False, note="")
        self._progress.start()

    def begin(self, what: str, total: int) -> None:
        """A part with a known number of attempts begins ("attempts", "evaluation")."""
        if self._progress is not None and self._inner is not None:
            self._progress.reset(self._inner, total=total, visible=True, description=what)

    def advance(self, count: int) -> None:
        """So many attempts are finished."""
        if self._progress is not None and self._inner is not None:
            self._progress.advance(self._inner, count)

    def note(self, text: str, step: int) -> None:
        """Text beside the bar."""
        if self._progress is not None and self._main is not None:
            self._progress.update(self._main, completed=step, note=text)

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        if not state.is_world_process_zero or logs is None:
            return
        text = describe(logs)
        if self._progress is None:
            self.console.print(f"[{state.global_step}/{state.max_steps}] {text}", highlight=False, markup=False)
        elif "eval_pass@1" in logs:
            self._progress.print(f"after {state.global_step} generations: {text}")

    def on_train_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        if self._progress is not None and self._inner is not None:
            self._progress.update(self._inner, visible=False)
            self._progress.stop()
            self._progress = None


def describe(logs: dict[str, Any]) -> str:
    """The numbers that a person watches."""
    shown = [
        ("eval_pass@1", "held-out pass@1 {:.1%}"),
        ("eval_pass@4", "pass@4 {:.1%}"),
        ("pass_rate", "pass rate {:.1%}"),
        ("reward", "reward {:.3f}"),
        ("step_time", "{:.1f} s/generation"),
    ]
    return ", ".join(form.format(logs[key]) for key, form in shown if logs.get(key) is not None)
