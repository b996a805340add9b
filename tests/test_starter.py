"""The starter policy: tokenizer, training that repeats itself, cache."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerFast

from lean_gym.prompt import plain_prompt
from lean_gym.suites import load_suite
from trainers.starter import StarterConfig, starter_path
from trainers.tokenizer import END, train_tokenizer

TINY = StarterConfig(theorems=120, steps=6, hidden=32, layers=2, heads=2, feed_forward=64, tokens=512, vocabulary=600)


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    theorems = load_suite("core", "train", 600)
    return train_tokenizer([text for t in theorems for text in (plain_prompt(t), t.proof or "")])


def test_the_tokenizer_loses_nothing(tokenizer: PreTrainedTokenizerFast) -> None:
    theorems = [*load_suite("core", "test", 300), *load_suite("core-200")]
    texts = [text for t in theorems for text in (t.header, plain_prompt(t), t.proof or "")]
    texts += ["héllo\tworld 🎉\r\n  x  ", "∀∃→∧∨¬↔⟨⟩≤≠∈⊆∪∩·", "", " ", "\n", "h₁'.symm!?", "数学 𝔸"]
    for text in texts:
        assert tokenizer.decode(tokenizer(text)["input_ids"]) == text


def test_symbols_tactics_and_lemmas_are_whole(tokenizer: PreTrainedTokenizerFast) -> None:
    symbols = [
        "∀ x, ",
        "∃ x, ",
        " → ",
        " ∧ ",
        " ∨ ",
        "¬",
        " ↔ ",
        "⟨",
        "⟩",
        " ≤ ",
        " ∈ ",
        " ⊆ ",
        " ∪ ",
        " ∩ ",
        "α",
        "⁻¹",
    ]
    words = ["exact ", "intro ", "rw [", "constructor", "\n  · ", "\n    ", "Nat.add_comm", "Or.inl ", "h₁", ".symm"]
    for text in symbols + words:
        assert len(tokenizer(text)["input_ids"]) == 1, text


def test_proofs_are_short_in_tokens(tokenizer: PreTrainedTokenizerFast) -> None:
    lengths = sorted(len(tokenizer(t.proof)["input_ids"]) for t in load_suite("core", "test", 300))
    assert lengths[len(lengths) // 2] <= 25
    assert lengths[int(0.9 * len(lengths))] <= 60


def test_the_tokenizer_is_the_same_each_time() -> None:
    texts = [plain_prompt(t) for t in load_suite("core", "train", 200)]
    assert train_tokenizer(texts).backend_tokenizer.to_str() == train_tokenizer(texts).backend_tokenizer.to_str()


def test_training_twice_gives_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAN_GYM_CACHE", str(tmp_path))
    threads = torch.get_num_threads()
    state = torch.get_rng_state()
    one = starter_path(config=TINY, progress=False)
    two = starter_path(cache=False, config=TINY, progress=False)
    assert one != two
    assert torch.get_num_threads() == threads, "training changes the number of threads for the caller"
    assert torch.equal(torch.get_rng_state(), state), "training changes the caller's random numbers"
    first, second = (AutoModelForCausalLM.from_pretrained(p).state_dict() for p in (one, two))
    assert all(torch.equal(first[name], second[name]) for name in first)
    other = starter_path(cache=False, config=StarterConfig(**{**TINY.__dict__, "seed": 1}), progress=False)
    third = AutoModelForCausalLM.from_pretrained(other).state_dict()
    assert any(not torch.equal(first[name], third[name]) for name in first if first[name].shape == third[name].shape)


def _path(cache: str, queue: multiprocessing.Queue[str]) -> None:
    import os

    os.environ["LEAN_GYM_CACHE"] = cache
    queue.put(str(starter_path(config=TINY, progress=False)))


def test_the_cache_is_used_and_survives_two_processes_and_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEAN_GYM_CACHE", str(tmp_path))
    context = multiprocessing.get_context("spawn")
    queue: multiprocessing.Queue[str] = context.Queue()
    processes = [context.Process(target=_path, args=(str(tmp_path), queue)) for _ in range(2)]
    for process in processes:
        process.start()
    paths = {queue.get(timeout=200) for _ in processes}
    for process in processes:
        process.join(60)
    assert len(paths) == 1
    path = Path(paths.pop())
    stamp = (path / "model.safetensors").stat().st_mtime_ns
    assert starter_path(config=TINY, progress=False) == path
    assert (path / "model.safetensors").stat().st_mtime_ns == stamp
    (path / "model.safetensors").write_bytes(b"")  # a torn write
    assert starter_path(config=TINY, progress=False) == path
    assert (path / "model.safetensors").stat().st_size > 0


def test_it_loads_and_generates_as_any_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAN_GYM_CACHE", str(tmp_path))
    path = starter_path(config=TINY, progress=False)
    model, tokenizer = AutoModelForCausalLM.from_pretrained(path), AutoTokenizer.from_pretrained(path)
    prompts = [plain_prompt(t) for t in load_suite("core", "test", 3)]
    batch = tokenizer(prompts, return_tensors="pt", padding=True)
    assert tokenizer.eos_token == END
    assert set(batch) == {"input_ids", "attention_mask"}
    out = model.generate(**batch, max_new_tokens=5, do_sample=True)
    assert out.shape[0] == 3


def test_the_default_is_a_small_model() -> None:
    from transformers import LlamaConfig, LlamaForCausalLM

    config = StarterConfig()
    with torch.device("meta"):
        model = LlamaForCausalLM(
            LlamaConfig(
                vocab_size=config.vocabulary,
                hidden_size=config.hidden,
                intermediate_size=config.feed_forward,
                num_hidden_layers=config.layers,
                num_attention_heads=config.heads,
                num_key_value_heads=config.heads,
                tie_word_embeddings=True,
            )
        )
    assert 1e6 <= sum(p.numel() for p in model.parameters()) <= 3e6
    assert set(config.levels) < {1, 2, 3, 4, 5}
