"""A toy run for the tests of the ES trainer, also started as a script: es_toy.py OUTPUT_DIR '{"setting": value}'.

The task: write the letter `a`. Settings besides those of ESConfig: resume, delay (of the reward function), kill_at,
slow (rank -> seconds that it sleeps in each forward pass).
`es_toy.py --serve` imports once and forks a run for each line of its input (`Runs`): many short runs cost little.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import signal
import socket
import string
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

sys.path.insert(0, str(Path(__file__).parent.parent))

from trainers.es import ESTrainer
from trainers.es_config import ESConfig

ROWS = [{"prompt": text, "letter": "a"} for text in ["hello", "abc", "world", "x y z", "lean"]]


def toy_tokenizer() -> PreTrainedTokenizerFast:
    """One token a letter."""
    vocabulary = {t: i for i, t in enumerate(["<pad>", "<s>", "</s>", *string.ascii_lowercase, " "])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<pad>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>", eos_token="</s>", padding_side="left"
    )


def toy_model(seed: int = 0) -> LlamaForCausalLM:
    torch.manual_seed(seed)
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=30,
            hidden_size=48,
            intermediate_size=96,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=128,
            initializer_range=0.15,
            bos_token_id=1,
            eos_token_id=2,
            pad_token_id=0,
        )
    )


def letter_share(prompts: list[str], completions: list[str], letter: list[str], **_: Any) -> list[float]:
    """Share of the wanted letter in 12."""
    return [c.count(wanted) / 12 for c, wanted in zip(completions, letter, strict=True)]


def toy_config(output: str | Path, **changes: Any) -> ESConfig:
    settings: dict[str, Any] = {
        "max_steps": 6,
        "population_size": 8,
        "num_prompts_per_step": 4,
        "num_generations": 2,
        "max_completion_length": 12,
        "sigma": 0.05,
        "sigma_scale": "absolute",
        "learning_rate": 0.1,
        "success_threshold": 0.5,
        "save_strategy": "no",
        "use_cpu": True,
        "disable_tqdm": True,
    }
    return ESConfig(output_dir=str(output), **{**settings, **changes})


def run(output: str, settings: dict[str, Any]) -> dict[str, Any]:
    resume, delay, kill_at, slow = (settings.pop(k, None) for k in ("resume", "delay", "kill_at", "slow"))
    forwards = 0

    def reward(prompts: list[str], completions: list[str], trainer_state: Any, **columns: Any) -> list[float]:
        time.sleep(delay or 0)
        if kill_at is not None and trainer_state.global_step >= kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return letter_share(prompts, completions, **columns)

    trainer = ESTrainer(
        toy_model(),
        reward,
        toy_config(output, **settings),
        train_dataset=ROWS,
        eval_dataset=ROWS,
        processing_class=toy_tokenizer(),
    )
    if slow is not None:

        def sleep(*_: Any) -> None:
            nonlocal forwards
            forwards += 1
            time.sleep(slow.get(str(trainer.rank), 0))

        trainer.model.register_forward_pre_hook(sleep)
    trainer.train(resume_from_checkpoint=resume)
    result = {"hash": trainer.weights.hash(), "world": trainer.world_size, "rank": trainer.rank}
    return result if slow is None else {**result, "forwards": forwards}


def serve() -> None:
    """Fork a run for each line of JSON: its environment, output folder, settings, and the file for its result."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        job = json.loads(line)
        if pid := os.fork():
            print(pid, flush=True)
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.environ.update(job["environment"])
        torch.set_num_threads(1)
        result = run(job["output"], job["settings"])
        spare = Path(job["result"] + ".tmp")
        spare.write_text(json.dumps(result))
        spare.replace(job["result"])
        os._exit(0)


class Runs:
    """Toy runs in processes of their own, forked off one that has imported everything."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0
        self.log = (folder / "log").open("wb")
        self.server = subprocess.Popen(
            [sys.executable, __file__, "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )

    def start(self, output: Path, processes: int = 1, **settings: Any) -> list[tuple[int, Path]]:
        """Start a run on some processes: (pid, file of its result) of each."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        started = []
        for rank in range(processes):
            self.count += 1
            environment = {} if processes == 1 else {
                "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(processes),
                "LOCAL_WORLD_SIZE": str(processes), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port),
            }  # fmt: skip
            result = self.folder / f"result-{self.count}"
            job = {"environment": environment, "output": str(output), "settings": settings, "result": str(result)}
            assert self.server.stdin is not None and self.server.stdout is not None
            self.server.stdin.write(json.dumps(job) + "\n")
            self.server.stdin.flush()
            started.append((int(self.server.stdout.readline()), result))
        return started

    def finish(self, started: list[tuple[int, Path]], seconds: float = 120.0) -> dict[str, Any]:
        """Wait for a run; what its first process says in the end."""
        end = time.monotonic() + seconds
        for pid, result in started:
            while not result.exists():
                try:
                    os.kill(pid, 0)
                except ProcessLookupError:
                    assert result.exists(), (self.folder / "log").read_text()[-3000:]
                assert time.monotonic() < end, f"the run takes longer than {seconds} s"
                time.sleep(0.02)
        return dict(json.loads(started[0][1].read_text()))

    def close(self) -> None:
        assert self.server.stdin is not None
        self.server.stdin.close()
        self.server.wait(timeout=20)
        self.log.close()


@functools.cache
def shared_runs() -> Runs:
    """One `Runs` for all tests of a session."""
    folder = tempfile.TemporaryDirectory(prefix="lean-gym-runs-")
    runs = Runs(Path(folder.name))
    atexit.register(folder.cleanup)
    atexit.register(runs.close)  # the last registered is called first
    return runs


def main() -> None:
    if sys.argv[1] == "--serve":
        serve()
        return
    result = run(sys.argv[1], json.loads(sys.argv[2]))
    if result["rank"] == 0:
        print(json.dumps(result))


if __name__ == "__main__":
    main()
