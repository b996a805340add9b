"""A tiny policy that writes real tactics, for the tests of the GRPO trainer: some of its proofs hold, most don't."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

sys.path.insert(0, str(Path(__file__).parent.parent))

from lean_gym.prompt import to_dataset_rows
from lean_gym.theorem import Theorem
from lean_gym.verifier import Verifier
from trainers.grpo import LeanGRPOConfig, LeanGRPOTrainer
from trainers.grpo_reward import GRPOReward

PIECES = ["<pad>", "</s>", "?", "  exact h\n", "  sorry\n", "  exact h.2\n", "  skip\n"]
THEOREMS = [Theorem(f"t{i}", f"theorem t{i} (p{i} q : Prop) (h : p{i}) : p{i}") for i in range(8)]
ROWS = to_dataset_rows(THEOREMS)


def toy_tokenizer() -> PreTrainedTokenizerFast:
    """One token a tactic; every other word is unknown."""
    tokenizer = Tokenizer(models.WordLevel({piece: i for i, piece in enumerate(PIECES)}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.decoder = decoders.Fuse()
    tokenizer.add_tokens([AddedToken(piece, normalized=False) for piece in PIECES[3:]])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="?")


def toy_model(seed: int = 0) -> LlamaForCausalLM:
    torch.manual_seed(seed)
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(PIECES),
            hidden_size=16,
            intermediate_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=2,
            max_position_embeddings=64,
            bos_token_id=None,
            eos_token_id=1,
            pad_token_id=0,
        )
    )


def toy_trainer(output: Path, verifier: Verifier, rows: Any = None, **settings: Any) -> LeanGRPOTrainer:
    more = {name: settings.pop(name) for name in ("callbacks", "peft_config") if name in settings}
    changes = {
        "max_steps": 2,
        "per_device_train_batch_size": 8,
        "num_generations": 4,
        "max_completion_length": 4,
        "use_cpu": True,
        "disable_tqdm": True,
        "bf16": False,
        "torch_num_threads": 1,
        **settings,
    }
    return LeanGRPOTrainer(
        toy_model(),
        GRPOReward(verifier),
        LeanGRPOConfig(output_dir=str(output), **changes),
        train_dataset=ROWS if rows is None else rows,
        eval_dataset=ROWS[:4],
        processing_class=toy_tokenizer(),
        **more,
    )


def main() -> None:
    """`grpo_toy.py FOLDER`: two steps; leaves in FOLDER/result-RANK what this process holds in the end."""
    folder = Path(sys.argv[1])
    with Verifier(cache=False) as verifier:
        trainer = toy_trainer(folder, verifier, theorem_sampler="win_rate")
        trainer.train()
        weights = b"".join(p.detach().numpy().tobytes() for p in trainer.model.parameters())
        held = [hashlib.sha256(weights).hexdigest(), trainer.num_attempts, trainer.win_rates.state_dict()]
        (folder / f"result-{trainer.args.process_index}").write_text(json.dumps(held))


if __name__ == "__main__":
    main()
