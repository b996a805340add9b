"""The starter policy: a small Llama-type model, pre-trained here on reference proofs of the easy levels.

`starter_policy()` trains it at the first call (a few minutes on two cores) and keeps it in the user's cache; after
that it loads in a moment. Like a language model that has read Lean of mixed quality, it has seen many proofs that were
left unfinished: it proves a part of the held-out theorems at the first try and most of them within a few tries, which
is what reinforcement learning starts from.
"""

from __future__ import annotations

import copy
import hashlib
import json
import logging
import shutil
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from lean_gym.paths import cache_dir
from lean_gym.prompt import plain_prompt
from lean_gym.suites import core_theorems, suite_hash
from lean_gym.theorem import Theorem

from .tokenizer import train_tokenizer

if TYPE_CHECKING:
    import torch
    from rich.progress import Progress
    from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

__all__ = ["STARTER_FAMILIES", "STARTER_LEVELS", "StarterConfig", "starter_path", "starter_policy"]

logger = logging.getLogger(__name__)


STARTER_FAMILIES = ("equality", "induction", "lists", "data")
"""Families that the starter policy has read proofs of."""

STARTER_LEVELS = (1, 2)
"""Levels that it has read proofs of."""


@dataclass(frozen=True)
class StarterConfig:
    """What makes the starter policy. Two equal configurations give the same model on the same kind of machine.

    Attributes:
        seed: of the theorems, the first weights and the order.
        theorems: training theorems, of the train split, `families` and `levels` only.
        unfinished: share of training proofs that are left open, as much Lean text is: `sorry`, or a lone guess.
        hidden, layers, heads, feed_forward: the model's shape. vocabulary: most tokens.
        steps: optimiser steps. tokens: tokens a step. learning_rate: peak rate of AdamW.
        prompt_weight: weight of the statement's tokens in the loss (the proof's have 1).
        threads: threads that train; fixed, because sums depend on it.
    """

    seed: int = 0
    theorems: int = 12000
    families: tuple[str, ...] = STARTER_FAMILIES
    levels: tuple[int, ...] = STARTER_LEVELS
    unfinished: float = 0.6
    hidden: int = 128
    layers: int = 4
    heads: int = 4
    feed_forward: int = 448
    vocabulary: int = 1024
    steps: int = 1100
    tokens: int = 2048
    learning_rate: float = 5e-3
    muon_rate: float = 1e-2
    prompt_weight: float = 0.2
    threads: int = 2


def _bar(show: bool) -> Progress:
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("starter policy: {task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, disable=not show)


def _corpus(config: StarterConfig, bar: Progress) -> list[Theorem]:
    task = bar.add_task("theorems", total=config.theorems)
    stream = core_theorems("train", config.seed, families=config.families, levels=config.levels, distinct=False)
    corpus = []
    for theorem in islice(stream, config.theorems):
        corpus.append(theorem)
        if len(corpus) % 100 == 0:
            bar.update(task, completed=len(corpus))
    return corpus


def _key(config: StarterConfig) -> str:
    """Name of the model in the cache: a hash of all that it depends on (this code and the suite's included)."""
    import torch
    import transformers

    from lean_gym import prompt, suites

    here = [Path(__file__), Path(__file__).with_name("tokenizer.py"), Path(prompt.__file__)]
    digest = hashlib.sha256()
    for path in [*here, *sorted(Path(suites.__file__).parent.glob("*.py"))]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    parts: dict[str, Any] = {
        "code": digest.hexdigest(),
        "config": asdict(config),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


# What stands where a proof was left unfinished: mostly `sorry`, else a guess.
_PLACEHOLDERS = ("sorry",) * 8 + ("simp", "trivial")


def _proofs(corpus: list[Theorem], config: StarterConfig) -> list[str]:
    """The proof to learn for each theorem: its reference proof, or (`unfinished`) a placeholder."""
    rng = Random(f"starter placeholders {config.seed}")
    return [
        "  " + rng.choice(_PLACEHOLDERS) if rng.random() < config.unfinished else theorem.proof or ""
        for theorem in corpus
    ]


@dataclass(frozen=True)
class _Example:
    ids: list[int]
    prompt: int  # how many of them are the statement


def _batches(examples: list[_Example], config: StarterConfig) -> Iterator[list[_Example]]:
    """Batches of about `config.tokens` tokens, of examples of like length, without end."""
    rng = Random(f"starter order {config.seed}")
    while True:
        order = list(examples)
        rng.shuffle(order)
        batches: list[list[_Example]] = []
        for start in range(0, len(order), 1024):
            part = sorted(order[start : start + 1024], key=lambda e: len(e.ids))
            batch: list[_Example] = []
            for example in part:
                if batch and (len(batch) + 1) * len(example.ids) > config.tokens:
                    batches.append(batch)
                    batch = []
                batch.append(example)
            if len(batch) >= config.threads:
                batches.append(batch)
        rng.shuffle(batches)
        yield from batches


def _tensors(batch: list[_Example], pad: int, prompt_weight: float) -> tuple[torch.Tensor, torch.Tensor]:
    """(ids, weight of each token as a target), both (batch, longest); padding on the right, of weight 0."""
    import torch

    longest = max(len(e.ids) for e in batch)
    ids = torch.full((len(batch), longest), pad)
    weights = torch.zeros((len(batch), longest))
    for i, e in enumerate(batch):
        ids[i, : len(e.ids)] = torch.tensor(e.ids)
        weights[i, : e.prompt] = prompt_weight
        weights[i, e.prompt : len(e.ids)] = 1.0
    return ids, weights


def _replica(model: LlamaForCausalLM) -> LlamaForCausalLM:
    """The same weights (in the same memory) with gradients of their own, for another thread."""
    replica = copy.deepcopy(model)
    for mine, theirs in zip(replica.parameters(), model.parameters()):
        mine.data = theirs.data
    return replica


def _train(
    config: StarterConfig, corpus: list[Theorem], bar: Progress
) -> tuple[LlamaForCausalLM, PreTrainedTokenizerFast]:
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    prompts = [plain_prompt(t) for t in corpus]
    proofs = _proofs(corpus, config)
    tokenizer = train_tokenizer([*prompts, *proofs], config.vocabulary)
    end = tokenizer.eos_token_id
    examples = []
    for prompt, proof in zip(tokenizer(prompts)["input_ids"], tokenizer(proofs)["input_ids"]):
        examples.append(_Example([*prompt, *proof, end], len(prompt)))
    torch.manual_seed(config.seed)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=config.hidden,
            intermediate_size=config.feed_forward,
            num_hidden_layers=config.layers,
            num_attention_heads=config.heads,
            num_key_value_heads=config.heads,
            max_position_embeddings=512,
            tie_word_embeddings=True,
            attn_implementation="eager",
            bos_token_id=None,
            eos_token_id=end,
            pad_token_id=tokenizer.pad_token_id,
        )
    )
    model.train()
    replicas = [model, *(_replica(model) for _ in range(config.threads - 1))]
    matrices = [p for n, p in model.named_parameters() if p.ndim == 2 and "embed" not in n]
    others = [p for n, p in model.named_parameters() if p.ndim != 2 or "embed" in n]
    optimisers = [
        torch.optim.Muon(matrices, lr=config.muon_rate, weight_decay=0.0, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(others, lr=config.learning_rate, betas=(0.9, 0.98), weight_decay=0.0),
    ]

    def rate(step: int) -> float:
        warm = min(1.0, (step + 1) / (0.05 * config.steps))
        return warm * min(1.0, 0.02 + (config.steps - step) / (0.6 * config.steps))

    schedules = [torch.optim.lr_scheduler.LambdaLR(o, rate) for o in optimisers]

    def gradients(replica: LlamaForCausalLM, batch: list[_Example], weight: float) -> float:
        ids, weights = _tensors(batch, tokenizer.pad_token_id, config.prompt_weight)
        logits = replica(input_ids=ids, use_cache=False).logits[:, :-1]  # (batch, length - 1, vocabulary)
        losses = torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="none")
        loss = (losses * weights[:, 1:].flatten()).sum() / weight
        loss.backward()
        return loss.item()

    with ThreadPoolExecutor(config.threads) as pool:
        task = bar.add_task("pre-training", total=config.steps)
        for step, batch in enumerate(islice(_batches(examples, config), config.steps)):
            parts = [batch[i :: config.threads] for i in range(config.threads)]
            weight = sum(config.prompt_weight * (e.prompt - 1) + len(e.ids) - e.prompt for e in batch)
            loss = sum(pool.map(gradients, replicas, parts, [weight] * len(parts)))
            for parameter, *more in zip(*(r.parameters() for r in replicas)):
                for other in more:
                    parameter.grad += other.grad
                    other.grad = None
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for optimiser, schedule in zip(optimisers, schedules):
                optimiser.step()
                optimiser.zero_grad(set_to_none=True)
                schedule.step()
            if step % 50 == 0:
                logger.info("starter step %d of %d: loss %.3f", step, config.steps, loss)
            bar.update(task, advance=1, description=f"pre-training (loss {loss:.2f})")
    model.eval()
    return model, tokenizer


def starter_path(*, cache: bool = True, config: StarterConfig | None = None, progress: bool = True) -> Path:
    """Folder of the starter policy, in `save_pretrained`'s layout; trained now if the cache does not hold it.

    Processes that ask at the same time wait for the one that trains. With `cache=False` it is trained again, into a
    new temporary folder.

    Raises:
        OSError: when the cache folder can't be written.
    """
    from filelock import FileLock

    config = config or StarterConfig()
    if not cache:
        return _make(config, Path(tempfile.mkdtemp(prefix="lean-gym-starter-")) / "starter", progress)
    home = cache_dir() / "starter"
    home.mkdir(parents=True, exist_ok=True)
    key = _key(config)
    target = home / key
    if _complete(target):
        return target
    with FileLock(home / f"{key}.lock"):
        if not _complete(target):
            _make(config, target, progress)
    return target


def starter_policy(
    cache: bool = True, seed: int = 0, progress: bool = True
) -> tuple[LlamaForCausalLM, PreTrainedTokenizerFast]:
    """The starter policy and its tokenizer, ready to generate (float32, on the CPU)."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path = starter_path(cache=cache, config=StarterConfig(seed=seed), progress=progress)
    model = AutoModelForCausalLM.from_pretrained(path, dtype="float32")
    return model.eval(), AutoTokenizer.from_pretrained(path)


_DONE = "starter.json"


def _complete(folder: Path) -> bool:
    """Whether all files are there and as long as they were when written."""
    try:
        files = json.loads((folder / _DONE).read_text(encoding="utf-8"))["files"]
        return all((folder / name).stat().st_size == size for name, size in files.items())
    except (OSError, ValueError, KeyError):
        return False


def _make(config: StarterConfig, target: Path, progress: bool) -> Path:
    """Train and save into `target`, which appears whole or not at all."""
    import torch

    started = time.perf_counter()
    threads = torch.get_num_threads()
    with torch.random.fork_rng(devices=[]):
        torch.set_num_threads(1)
        try:
            with _bar(progress) as bar:
                corpus = _corpus(config, bar)
                model, tokenizer = _train(config, corpus, bar)
        finally:
            torch.set_num_threads(threads)
    seconds = time.perf_counter() - started
    logger.info("starter policy trained in %.0f s", seconds)
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f"{target.name}.", dir=target.parent))
    try:
        model.save_pretrained(draft)
        tokenizer.save_pretrained(draft)
        files = {path.name: path.stat().st_size for path in sorted(draft.iterdir())}
        about = {"config": asdict(config), "corpus": suite_hash(corpus), "seconds": round(seconds, 1), "files": files}
        (draft / _DONE).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        if target.exists():  # left by an older, broken run
            shutil.rmtree(target)
        draft.replace(target)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return target
