"""A toy run for the tests of the ES trainer, also started as a script: es_toy.py OUTPUT_DIR '{"setting": value}'.

The task: write the letter `a`. Settings besides those of ESConfig: resume, rewards ("plain", "none"), delay, kill_at.
"""

from __future__ import annotations

import json
import os
import signal
import string
import sys
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


def main() -> None:
    settings = json.loads(sys.argv[2])
    resume, delay, kill_at = (settings.pop(k, None) for k in ("resume", "delay", "kill_at"))

    def reward(prompts: list[str], completions: list[str], trainer_state: Any, **columns: Any) -> list[float]:
        time.sleep(delay or 0)
        if kill_at is not None and trainer_state.global_step >= kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return letter_share(prompts, completions, **columns)

    trainer = ESTrainer(
        toy_model(),
        reward,
        toy_config(sys.argv[1], **settings),
        train_dataset=ROWS,
        eval_dataset=ROWS,
        processing_class=toy_tokenizer(),
    )
    trainer.train(resume_from_checkpoint=resume)
    if trainer.rank == 0:
        print(json.dumps({"hash": trainer.weights.hash(), "world": trainer.world_size}))


if __name__ == "__main__":
    main()
