"""`ESTrainer`: Evolution Strategies for language models, with the interface of TRL's `GRPOTrainer`."""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, TrainerCallback, TrainerControl, TrainerState
from transformers.integrations import get_reporting_integration_callbacks
from transformers.trainer_callback import CallbackHandler, DefaultFlowCallback
from transformers.utils import logging as hf_logging

from trainers.attempts import Attempts, Runner
from trainers.balance import Portions
from trainers.data import checked_rows, generation_rows
from trainers.es_config import ESConfig, as_dict
from trainers.es_setup import history_header, make_strategy
from trainers.evaluate import pass_metrics
from trainers.history import HASH_DIGITS, Generation, History, HistoryError, replay
from trainers.launch import launch_warning, set_threads
from trainers.metrics import Result, generation_metrics, mean_reward
from trainers.progress import RichProgress
from trainers.provenance import data_hash, model_source, versions
from trainers.ranks import Ranks
from trainers.rollout import Request, Rollout, Sampling, narrow, widen
from trainers.run_dir import RunDir
from trainers.scoring import Scorer, load_reward_func
from trainers.stop import StopStrings
from trainers.strategy import Member, member_fitness
from trainers.trace import Trace, TraceFile
from trainers.weights import rms_exponents, select_targets, tensors_hash

__all__ = ["ESTrainer"]

logger = logging.getLogger(__name__)

_EVALUATION = (1 << 63) + 1  # a "generation" no training uses: evaluations draw the same random numbers each time


class ESTrainer:
    """Trains a causal language model by Evolution Strategies: a seeded population, rewards, one exact update.

    A GRPO script becomes an ES script by changing the class and the configuration.

    Args:
        model: a model, or the name or folder of one. The trainer works on it in place.
        reward_funcs: one or several reward functions by TRL's contract (trainers.scoring), models, or names of models.
        args: settings; `ESConfig()` by default.
        train_dataset: rows with the column `prompt` (text, or chat messages); the other columns go to the reward
            functions. A `datasets.Dataset` or a list of dicts.
        eval_dataset: held-out rows, or a dict of several such.
        processing_class: the tokenizer; loaded by the model's name when it is left out.
        reward_processing_classes: tokenizers of reward models.
        callbacks: transformers' `TrainerCallback`s.

    Attributes:
        state: transformers' `TrainerState`; one step is one generation.
        history: the seed history of the run, from `train` on.
        weights: the evolving weights, from `train` on.
    """

    def __init__(
        self,
        model: Any,
        reward_funcs: Any,
        args: ESConfig | None = None,
        train_dataset: Any = None,
        eval_dataset: Any = None,
        processing_class: Any = None,
        reward_processing_classes: Any = None,
        callbacks: Sequence[TrainerCallback] | None = None,
    ) -> None:
        self.args = args if args is not None else ESConfig()
        set_threads(self.args.torch_num_threads, self.args.device.type)
        self.rank, self.world_size = self.args.process_index, self.args.world_size
        if self.rank == 0 and (message := launch_warning(self.world_size)):
            logger.warning("%s", message)
        self.ranks = Ranks(self.rank, self.world_size, self.args.ddp_timeout)
        self.trace = Trace(self.rank, self.args.trace)
        self._speeds: list[float] = []  # of the ranks, in the last generation
        self._batch_size = self.args.per_device_train_batch_size
        if isinstance(model, str):
            options = {"dtype": "float32", **(as_dict(self.args.model_init_kwargs))}
            processing_class = processing_class or AutoTokenizer.from_pretrained(model)
            model = AutoModelForCausalLM.from_pretrained(model, **options)
        self.processing_class = processing_class or AutoTokenizer.from_pretrained(model.config._name_or_path)
        if self.processing_class.pad_token is None:
            self.processing_class.pad_token = self.processing_class.eos_token
        self.model = model.to(self.args.device)
        self.train_dataset = checked_rows(train_dataset, "train_dataset")
        self.eval_dataset = eval_dataset
        funcs = list(reward_funcs) if isinstance(reward_funcs, (list, tuple)) else [reward_funcs]
        tokenizers = reward_processing_classes
        tokenizers = tokenizers if isinstance(tokenizers, (list, tuple)) else [tokenizers] * len(funcs)
        self.reward_funcs = [load_reward_func(f, t) for f, t in zip(funcs, tokenizers, strict=True)]

        self.dtype = next(self.model.parameters()).dtype
        names = select_targets(self.model, self.args.target_modules or "all-linear", full_rank=self.args.rank == 0)
        base = {name: p.detach() for name, p in self.model.named_parameters()}
        self.base_hash = tensors_hash(base)
        evolving = {name: base[name] for name in names}
        exponents = rms_exponents(evolving) if self.args.sigma_scale == "rms" else None
        self.strategy, self.weights, self.noise = make_strategy(self.args, evolving, exponents)
        self.history: History | None = None
        self.run_dir = RunDir(str(self.args.output_dir))

        self.state = TrainerState(
            is_local_process_zero=self.args.local_process_index == 0, is_world_process_zero=self.rank == 0
        )
        self.control = TrainerControl()
        self.progress = RichProgress()
        shown = [] if self.args.disable_tqdm else [self.progress]
        reporting = get_reporting_integration_callbacks(self.args.report_to)
        self.callback_handler = CallbackHandler(
            [DefaultFlowCallback, *reporting, *(callbacks or []), *shown], self.model, self.processing_class, None, None
        )
        self.control = self.callback_handler.on_init_end(self.args, self.state, self.control)
        self.scorer = Scorer(
            self.reward_funcs, self.args.reward_weights, self.args.reward_batch_size, self.state, self.trace
        )
        self._stop: StopStrings | None = None
        if self.args.stop_strings:
            vocabulary = self.model.get_output_embeddings().weight.shape[0]
            self._stop = StopStrings(self.processing_class, self.args.stop_strings, vocabulary)
        self._tokens = 0

    def add_callback(self, callback: Any) -> None:
        """Add a `TrainerCallback` (class or instance)."""
        self.callback_handler.add_callback(callback)

    def is_world_process_zero(self) -> bool:
        """Whether this is the first process."""
        return self.rank == 0

    # ---- training -------------------------------------------------------------------------------------------------

    def train(self, resume_from_checkpoint: bool | str | None = None) -> dict[str, float]:
        """Train up to `args.max_steps` generations and save the model in `args.output_dir`.

        Args:
            resume_from_checkpoint: True, or the run's folder, goes on after the last whole generation of its history,
                to the same weights as a run without a break, on any number of processes. The base model
                must be the same.

        Returns:
            The last generation's metrics.

        Raises:
            HistoryError: when the history is damaged or of another run.
        """
        if self.train_dataset is None:
            raise ValueError("train needs a train_dataset")
        steps = self._max_steps()
        self.state.max_steps = steps
        self.state.compute_steps(self.args, steps)
        self._open_run(resume_from_checkpoint)
        metrics: dict[str, float] = {}
        with self._rollout_model():
            self.weights.write_to(self.model)
            self.control = self.callback_handler.on_train_begin(self.args, self.state, self.control)
            if self.args.eval_on_start and self.state.global_step == 0 and self.eval_dataset is not None:
                self._evaluate_all()
            self.control.should_training_stop = self.state.global_step >= steps
            while not self.control.should_training_stop:
                self.control = self.callback_handler.on_step_begin(self.args, self.state, self.control)
                with self.trace.span("iteration", generation=self.state.global_step):
                    metrics = self._generation(self.state.global_step)
                self._write_trace()
                self.state.global_step += 1
                self.state.epoch = self.state.global_step * self.args.num_prompts_per_step / len(self.train_dataset)
                if self.rank == 0:
                    self.run_dir.log({"step": self.state.global_step, **metrics})
                self.control = self.callback_handler.on_step_end(self.args, self.state, self.control)
                if self.control.should_log:
                    self.log(metrics)
                if self.control.should_evaluate and self.eval_dataset is not None:
                    self._evaluate_all()
                if self.control.should_save:
                    self._save_checkpoint()
            self.control = self.callback_handler.on_train_end(self.args, self.state, self.control)
        self.save_model()
        self._write_trace()
        return metrics

    def _generation(self, generation: int) -> dict[str, float]:
        """Ask, attempt, gather the rewards, tell, update, remember."""
        started = time.perf_counter()
        args = self.args
        rows = generation_rows(
            self.train_dataset, generation, args.num_prompts_per_step, args.seed, args.shuffle_dataset
        )
        members = self.strategy.ask(generation)
        # Both members of a pair go to one rank: they share their noise.
        pairs: dict[int, list[int]] = {}
        for i, member in enumerate(members):
            pairs.setdefault(member.seed, []).append(i)
        units = [
            [Request(i, q, a) for i in pair for q in range(len(rows)) for a in range(args.num_generations)]
            for pair in pairs.values()
        ]
        attempts = self._share(
            units, self._runner(self._sigma(generation)), rows, members, generation, weights=self.weights
        )
        gathered = time.perf_counter()
        # Rewards are all that travels (with what the metrics show). Each rank then does the same arithmetic.
        report = [
            Result(members[r.member].index, r.prompt, r.attempt, reward, scores, tokens, ended)
            for r, reward, scores, tokens, ended in zip(
                attempts.requests, attempts.rewards, attempts.scores, attempts.tokens, attempts.ended, strict=True
            )
            if r.member is not None
        ]
        with self.trace.span("gather"):
            results: list[Result] = sorted(self.ranks.gather(report))
            seconds = self.ranks.gather([(attempts.generating, attempts.waiting, attempts.distinct)])
            self._speeds = self.ranks.gather([max(1, len(report)) / (gathered - started)])
        waited = time.perf_counter() - gathered

        updating = time.perf_counter()
        fitness = member_fitness(
            [(r.member, r.prompt, r.reward) for r in results],
            args.population_size,
            args.min_scored_share,
            args.prompt_baseline,
        )
        factor = args.learning_rate_factor(generation, self.state.max_steps)
        with self.trace.span("update"):
            coefficients = self.strategy.tell(fitness, factor)
            update = self.strategy.advance(self.weights, generation, coefficients)
            digest = self.weights.write_to(self.model)
        if len(set(self.ranks.gather([digest]))) > 1:
            raise RuntimeError(
                f"the processes have different weights after generation {generation}: do all run the same versions?"
            )
        assert self.history is not None
        self.history.append(
            Generation(
                generation,
                self.strategy.seeds(generation)[0],
                tuple(coefficients),
                mean_reward(results),
                len(results),
                sum(r.reward is not None for r in results),
                digest[:HASH_DIGITS],
                update,
            )
        )
        updated = time.perf_counter()

        self._tokens += sum(r.tokens for r in results)
        logs = generation_metrics(results, fitness, self.scorer.names, args.success_threshold)
        logs |= {
            "distinct": sum(s[2] for s in seconds) / max(1, len(results)),
            "num_tokens": float(self._tokens),
            "num_attempts": float(sum(g.scored for g in self.history.generations)),
            "learning_rate": args.learning_rate * factor,
            "sigma": self._sigma(generation),
            "seconds/generate": max(s[0] for s in seconds),
            "seconds/wait_verify": max(s[1] for s in seconds),
            "seconds/wait_ranks": waited,
            "seconds/update": updated - updating,
            "step_time": updated - started,
            **self.scorer.take_metrics(),
        }
        self.progress.note(f"pass rate {logs['pass_rate']:.1%}, {logs['step_time']:.1f} s/generation", generation + 1)
        return logs

    # ---- evaluation -----------------------------------------------------------------------------------------------

    def evaluate(self, eval_dataset: Any = None, metric_key_prefix: str = "eval") -> dict[str, float]:
        """pass@k of the present weights on held-out rows, over all ranks, `num_generations_eval` attempts a row."""
        rows = checked_rows(self.eval_dataset if eval_dataset is None else eval_dataset, "eval_dataset")
        if rows is None:
            raise ValueError("evaluate needs an eval_dataset")
        if isinstance(rows, Mapping):
            several: dict[str, float] = {}
            for name, part in rows.items():
                several |= self.evaluate(part, f"{metric_key_prefix}_{name}")
            return several
        with self._rollout_model(), self.trace.span("evaluation"):
            started = time.perf_counter()
            held_out = [dict(rows[i]) for i in range(len(rows))]
            n = self.args.num_generations_eval
            units = [[Request(None, q, a) for a in range(n)] for q in range(len(held_out))]
            attempts = self._share(units, self._runner(), held_out, [], _EVALUATION)
            by_prompt: dict[int, list[float | None]] = {}
            for request, reward in zip(attempts.requests, attempts.rewards, strict=True):
                by_prompt.setdefault(request.prompt, []).append(reward)
            everything = dict(self.ranks.gather(list(by_prompt.items())))
            found = pass_metrics([everything[q] for q in sorted(everything)], self.args.success_threshold)
            found["runtime"] = time.perf_counter() - started
            self.scorer.take_metrics()
        return {f"{metric_key_prefix}_{key}": value for key, value in found.items()}

    def _evaluate_all(self) -> None:
        metrics = self.evaluate()
        if self.rank == 0:
            self.run_dir.log({"step": self.state.global_step, **metrics})
        self.log(metrics)
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)

    def log(self, logs: Mapping[str, float]) -> None:
        """Report metrics to the callbacks."""
        output = {**logs, "step": self.state.global_step}
        self.state.log_history.append(output)
        self.control = self.callback_handler.on_log(self.args, self.state, self.control, dict(logs))

    # ---- saving and resuming --------------------------------------------------------------------------------------

    def save_model(self, output_dir: str | Path | None = None) -> None:
        """Save the present weights (in the base model's dtype) and the tokenizer by `save_pretrained`."""
        if self.rank != 0:
            return
        folder = str(output_dir if output_dir is not None else self.args.output_dir)
        wide = next(self.model.parameters()).dtype
        bars = hf_logging.is_progress_bar_enabled()
        hf_logging.disable_progress_bar()  # it would break ours
        narrow(self.model, self.dtype)  # exact: the values are of that dtype
        try:
            self.model.save_pretrained(folder)
            self.processing_class.save_pretrained(folder)
        finally:
            if wide != self.dtype:
                widen(self.model, wide)
            if bars:
                hf_logging.enable_progress_bar()

    def _save_checkpoint(self) -> None:
        if self.rank == 0:

            def save(folder: Path) -> None:
                self.save_model(folder)
                self.state.save_to_json(str(folder / "trainer_state.json"))

            self.run_dir.save_checkpoint(self.state.global_step, self.weights, save, self.args.save_total_limit)
        self.control = self.callback_handler.on_save(self.args, self.state, self.control)

    def _open_run(self, resume: bool | str | None) -> None:
        """Start a history, or read one and bring the weights to its end. Only the first process touches files."""
        rows, model = data_hash(self.train_dataset), self.model.config._name_or_path
        source = model_source(model, self.dtype, as_dict(self.args.model_init_kwargs))
        made = {"data_hash": rows, "model": source, "versions": versions(self.reward_funcs)}
        header = history_header(self.args, self.weights, self.base_hash, self.state.max_steps) | made
        if not resume:
            if self.rank == 0:
                self.run_dir.path.mkdir(parents=True, exist_ok=True)
                self.run_dir.set_aside()
                self.history = History.create(self.run_dir.history, header)
            else:
                self.history = History(header)
            return
        if isinstance(resume, str):
            folder = Path(resume)
            self.run_dir = RunDir(folder.parent if folder.name.startswith("checkpoint-") else folder)
        box: list[Any] = [None]
        if self.rank == 0:
            if not self.run_dir.history.exists():
                raise HistoryError(f"{self.run_dir.path} holds no history.jsonl to resume from")
            old = History.read(self.run_dir.history, repair=True)
            box = [(old.header, old.generations)]
        box = self.ranks.broadcast(box)
        history = History(box[0][0], box[0][1], self.run_dir.history if self.rank == 0 else None)
        # The hash of the base weights says which model it is, wherever it lies now.
        for key in (k for k in header if k not in ("versions", "model")):
            if history.header.get(key) != header[key]:
                raise HistoryError(
                    f"the history in {self.run_dir.path} is of another run: {key} is {_brief(history.header.get(key))} "
                    f"there and {_brief(header[key])} here"
                )
        done = self.run_dir.restore(self.weights, history)
        replay({}, history, start=self.weights, start_generation=done)
        self.strategy.resume(history.generations)
        self.history = history
        self.state.global_step = len(history.generations)
        if self.rank == 0:
            self.state.log_history = self.run_dir.read_metrics(self.state.global_step)
            self._tokens = int(max((r.get("num_tokens", 0) for r in self.state.log_history), default=0))

    # ---- parts ----------------------------------------------------------------------------------------------------

    def _max_steps(self) -> int:
        if self.args.max_steps > 0:
            return self.args.max_steps
        return math.ceil(self.args.num_train_epochs * len(self.train_dataset) / self.args.num_prompts_per_step)

    @contextmanager
    def _rollout_model(self) -> Iterator[None]:
        """The model in the arithmetic of the generation meanwhile; in its own dtype again afterwards."""
        name = self.args.rollout_dtype
        if name == "auto":
            name = "float64" if self.args.device.type == "cpu" else str(self.dtype).removeprefix("torch.")
        if next(self.model.parameters()).dtype == (wide := getattr(torch, name)):
            yield
            return
        widen(self.model, wide)
        try:
            yield
        finally:
            narrow(self.model, self.dtype)

    def _sigma(self, generation: int) -> float:
        """What the members' noise is multiplied by; a strategy of evosax has its own deviation."""
        if self.args.strategy != "open_es":
            return 1.0
        return self.args.sigma * self.args.sigma_factor(generation, self.state.max_steps)

    def _runner(self, sigma: float = 1.0) -> Runner:
        args, tokenizer = self.args, self.processing_class
        sampling = Sampling(
            args.max_completion_length, args.temperature, args.top_k, args.top_p, args.common_random_numbers
        )
        declared = self.model.generation_config.eos_token_id
        ends = [declared] if isinstance(declared, int) else list(declared or [])
        if tokenizer.eos_token_id is not None:
            ends.append(tokenizer.eos_token_id)
        rollout = Rollout(
            self.model,
            {name: 2.0**e for name, e in self.weights.exponents.items()},
            self.noise,
            sigma,
            sampling,
            ends,
            tokenizer.pad_token_id,
            self._batch_size,
            self._stop,
            args.noise_backend,
        )
        template = as_dict(args.chat_template_kwargs)
        return Runner(rollout, self.scorer, tokenizer, args.min_scored_share, template, self.trace)

    def _share(
        self,
        units: Sequence[Sequence[Request]],
        runner: Runner,
        rows: Sequence[Any],
        members: Sequence[Member],
        generation: int,
        weights: Any = None,
    ) -> Attempts:
        """This rank's part of a round's attempts; what is done together goes to one rank."""
        portions = Portions(self.ranks, len(units), self._speeds)

        def more() -> Sequence[Request]:
            unit = portions.next()
            return [] if unit is None else units[unit]

        first = [request for unit in portions.first() for request in units[unit]]
        kind = "attempts" if members else "evaluation"
        self.progress.begin(kind, sum(map(len, units)) // self.world_size)
        attempts = runner.run(
            rows,
            first,
            members,
            self.args.seed,
            generation,
            weights=weights,
            progress=self.progress.advance,
            more=more if self.world_size > 1 else None,
        )
        self._batch_size = runner.rollout.batch_size  # smaller now, if memory ran out
        return attempts

    def _write_trace(self) -> None:
        if self.args.trace:
            events = self.ranks.gather(self.trace.take())
            if self.rank == 0:
                TraceFile(self.run_dir.trace).append(events)


def _brief(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 400 else text[:400] + "..."
