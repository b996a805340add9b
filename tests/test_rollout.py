"""Rollouts: members equal their dense models, and tokens do not depend on the batch."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from es_toy import ROWS, toy_config, toy_model, toy_tokenizer
from transformers import LlamaForCausalLM, MistralConfig, MistralForCausalLM, Qwen2Config, Qwen2ForCausalLM

from trainers.attempts import Runner
from trainers.es import ESTrainer
from trainers.noise import Noise
from trainers.rollout import Completion, Request, Rollout, Sampling, narrow, sample_tokens, widen
from trainers.scoring import Scorer
from trainers.stop import StopStrings
from trainers.strategy import Member, Strategy
from trainers.weights import EvolvingWeights, select_targets, tensors_hash

MEMBERS = Strategy(6, 0.1).ask(2)
PROMPTS = [[5, 6, 7], [8], [9, 10, 11, 12, 13, 14, 15], [5, 6]]
SIGMA = 0.1


def wide_model(dtype: torch.dtype = torch.float64) -> LlamaForCausalLM:
    model = toy_model()
    widen(model, dtype)
    return model


def exponents(model: Any) -> dict[str, int]:
    """Every linear layer and every norm, each with a scale of its own."""
    return {name: -(i % 3) for i, name in enumerate(select_targets(model, ["all-linear", "norms"]))}


def rollout_of(model: Any, rank: int = 2, **changes: Any) -> Rollout:
    settings = {"max_new_tokens": 20, **{k: v for k, v in changes.items() if k != "batch_size"}}
    return Rollout(
        model,
        {name: 2.0**e for name, e in exponents(model).items()},
        Noise(3, rank),
        SIGMA,
        Sampling(**settings),
        [2],
        0,
        changes.get("batch_size", 512),
    )


def run(
    rollout: Rollout, requests: Sequence[Request], members: Sequence[Member] = MEMBERS, **more: Any
) -> list[Completion]:
    done: dict[int, Completion] = {}
    for finished in rollout.generate(PROMPTS, requests, members, 1, 2, **more):
        for completion in finished:
            assert completion.index not in done
            done[completion.index] = completion
    assert sorted(done) == list(range(len(requests)))
    return [done[i] for i in range(len(requests))]


REQUESTS = [Request(m, p, a) for m in [*range(6), None] for p in range(4) for a in range(3)]


def evolving(model: Any, rank: int) -> EvolvingWeights:
    scales = exponents(model)
    base = {n: model.get_parameter(n).float() for n in scales}
    return EvolvingWeights(base, Noise(3, rank), 20, scales)


@pytest.mark.parametrize("rank", [1, 3])
def test_a_member_in_the_batch_is_its_dense_model(rank: int) -> None:
    model = wide_model()
    together = run(rollout_of(model, rank), REQUESTS)
    for at in (0, 1, 4):
        dense = wide_model()
        weights = evolving(dense, rank)
        with torch.no_grad():
            for name in weights.base:
                dense.get_parameter(name).copy_(weights.perturbed(name, MEMBERS[at].seed, MEMBERS[at].sign, SIGMA))
        own = [i for i, r in enumerate(REQUESTS) if r.member == at]
        alone = run(rollout_of(dense, rank), [REQUESTS[i] for i in own], perturb=False)
        assert [c.tokens for c in alone] == [together[i].tokens for i in own]
    plain = [together[i].tokens for i, r in enumerate(REQUESTS) if r.member is None]
    assert plain == [c.tokens for c in run(rollout_of(wide_model(), rank), [r for r in REQUESTS if r.member is None])]
    assert len({tuple(together[i].tokens) for i in range(0, len(REQUESTS), 12)}) > 3  # members do differ
    assert not any(m._forward_hooks for m in model.modules())


@pytest.mark.parametrize("changes", [{}, {"top_k": 5}, {"top_p": 0.8, "temperature": 0.7}, {"temperature": 0.0}])
def test_tokens_do_not_depend_on_the_batch(changes: dict[str, Any]) -> None:
    expected = run(rollout_of(wide_model(), **changes), REQUESTS)
    assert any(c.ended for c in expected) or changes
    for batch_size in (1, 5, 17) if not changes else (5,):
        got = run(rollout_of(wide_model(), batch_size=batch_size, **changes), REQUESTS)
        assert [c.tokens for c in got] == [c.tokens for c in expected]
    order = random.Random(0).sample(range(len(REQUESTS)), 40)
    part = run(rollout_of(wide_model(), batch_size=64, **changes), [REQUESTS[i] for i in order])
    assert [c.tokens for c in part] == [expected[i].tokens for i in order]
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(1 if threads > 1 else 2)
        assert [c.tokens for c in run(rollout_of(wide_model(), **changes), REQUESTS)] == [c.tokens for c in expected]
    finally:
        torch.set_num_threads(threads)


def test_ends_at_eos_and_at_the_limit() -> None:
    completions = run(rollout_of(wide_model(), max_new_tokens=30), REQUESTS)
    for completion in completions:
        assert 2 not in completion.tokens
        assert completion.ended or len(completion.tokens) == 30
        assert len(completion.tokens) < 30 or not completion.ended
    assert any(c.ended for c in completions) and any(not c.ended for c in completions)


def test_completions_come_as_they_finish() -> None:
    rollout = rollout_of(wide_model(), max_new_tokens=30)
    lengths = [len(f[0].tokens) for f in rollout.generate(PROMPTS, REQUESTS, MEMBERS, 1, 2)]
    assert len(lengths) > 3 and lengths == sorted(lengths)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Qwen2ForCausalLM(
            Qwen2Config(
                vocab_size=30, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
                num_key_value_heads=2, initializer_range=0.2, bos_token_id=1, eos_token_id=2, pad_token_id=0,
            )
        ),
        lambda: MistralForCausalLM(
            MistralConfig(
                vocab_size=30, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
                num_key_value_heads=2, sliding_window=6, initializer_range=0.2,
                bos_token_id=1, eos_token_id=2, pad_token_id=0,
            )
        ),
    ],
    ids=["qwen2", "mistral with a sliding window"],
)  # fmt: skip
def test_other_architectures(make: Any) -> None:
    torch.manual_seed(1)
    model = make()
    widen(model, torch.float64)
    expected = run(rollout_of(model), REQUESTS)
    assert [c.tokens for c in run(rollout_of(model, batch_size=7), REQUESTS)] == [c.tokens for c in expected]


def test_common_random_numbers_tie_members_together() -> None:
    same = [Request(m, 0, 0) for m in range(6)]
    model = wide_model()
    quiet = rollout_of(model, common=True)
    quiet.sigma = 1e-9
    assert len({tuple(c.tokens) for c in run(quiet, same)}) == 1
    loud = rollout_of(model)
    loud.sigma = 1e-9
    assert len({tuple(c.tokens) for c in run(loud, same)}) > 1


def test_prompt_numbers_stand_for_positions() -> None:
    rollout = rollout_of(wide_model())
    expected = run(rollout, [Request(None, p, 0) for p in range(4)])
    (alone,) = [c for f in rollout.generate([PROMPTS[2]], [Request(None, 0, 0)], [], 1, 2, [2]) for c in f]
    assert alone.tokens == expected[2].tokens


def test_sample_tokens_inverts_the_distribution() -> None:
    logits = torch.log(torch.tensor([[0.1, 0.2, 0.3, 0.4]], dtype=torch.float64)).expand(5, 4)
    uniform = torch.tensor([0.0, 0.0999, 0.1001, 0.6001, 0.99999], dtype=torch.float64)
    assert sample_tokens(logits, uniform, Sampling(1)).tolist() == [0, 0, 1, 3, 3]
    assert sample_tokens(logits, uniform, Sampling(1, top_k=2)).tolist() == [3, 3, 3, 2, 2]
    assert sample_tokens(logits, uniform, Sampling(1, top_p=0.3)).tolist() == [3] * 5
    assert sample_tokens(logits, uniform, Sampling(1, temperature=0)).tolist() == [3] * 5
    many = torch.rand(20000, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    counts = sample_tokens(logits[:1].expand(20000, 4), many, Sampling(1)).bincount() / 20000
    assert torch.allclose(counts.double(), torch.tensor([0.1, 0.2, 0.3, 0.4]).double(), atol=0.02)


def test_widen_and_narrow_keep_the_weights() -> None:
    model = toy_model()
    before = tensors_hash(dict(model.state_dict()))
    ids = torch.tensor([[5, 6, 7, 8]])
    with torch.no_grad():
        logits = model(input_ids=ids).logits
        widen(model, torch.float64)
        wide = model(input_ids=ids).logits
        narrow(model, torch.float32)
        assert torch.equal(model(input_ids=ids).logits, logits)
    assert wide.dtype == torch.float64 and torch.allclose(wide.float(), logits, atol=1e-4)
    assert tensors_hash(dict(model.state_dict())) == before


def test_full_rank_members_one_after_another() -> None:
    model = wide_model()
    weights = evolving(model, 0)
    scorer = Scorer([lambda completions, **_: [float(len(c)) for c in completions]])
    runner = Runner(rollout_of(model, rank=0), scorer, toy_tokenizer())
    requests = [Request(m, p, 0) for m in range(6) for p in range(len(ROWS))]
    first = runner.run(ROWS, requests, MEMBERS, 1, 0, weights=weights)
    assert tensors_hash({n: model.get_parameter(n).float() for n in weights.base}) == weights.hash()
    again = runner.run(ROWS, requests[::-1], MEMBERS, 1, 0, weights=weights)
    assert first.rewards == again.rewards[::-1] and len(set(first.rewards)) > 1
    with pytest.raises(ValueError, match="full-rank"):
        list(runner.rollout.generate(PROMPTS, [Request(0, 0, 0)], MEMBERS, 1, 0))
    scorer.close()


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="no tokens"):
        list(rollout_of(wide_model()).generate([[]], [Request(None, 0, 0)], [], 1, 0))
    broken = wide_model()
    with torch.no_grad():
        broken.model.norm.weight.fill_(float("nan"))
    with pytest.raises(FloatingPointError, match="not finite"):
        run(rollout_of(broken), REQUESTS[:3])


def test_stop_strings_end_a_completion(tmp_path: Any) -> None:
    tokenizer = toy_tokenizer()
    stop = StopStrings(tokenizer, ["a", "xy"], 30)
    letters = tokenizer.convert_ids_to_tokens(range(30))
    assert [letters[i] for i in range(30) if stop.candidates[i]] == ["a", "y"]
    assert stop.cut("bcxya") == "bc" and stop.cut("bxc") == "bxc" and stop.cut("a") == ""
    free = rollout_of(wide_model(), max_new_tokens=30)
    expected = run(free, REQUESTS)
    halted = rollout_of(wide_model(), max_new_tokens=30)
    halted = Rollout(*(getattr(halted, k) for k in ("model", "scales", "noise", "sigma", "sampling")), [2], 0, 16, stop)
    stopped = 0
    for whole, got in zip(expected, run(halted, REQUESTS)):
        text, short = (tokenizer.decode(c.tokens, skip_special_tokens=True) for c in (whole, got))
        if stop.cut(text) != text:
            stopped += 1
            assert got.ended and stop.cut(short) == stop.cut(text)
            assert got.tokens == whole.tokens[: len(got.tokens)] and not stop.ends(got.tokens[:-1])
        else:
            assert got == whole
    assert 20 < stopped < len(REQUESTS)
    config = toy_config(tmp_path, max_steps=1, stop_strings=["a"])
    seen: list[str] = []

    def reward(completions: list[str], **_: Any) -> list[float]:
        seen.extend(completions)
        return [float(len(c)) for c in completions]

    ESTrainer(toy_model(), reward, config, train_dataset=ROWS, processing_class=tokenizer).train()
    assert len(seen) == 64 and not any("a" in text for text in seen)
    with pytest.raises(ValueError, match="non-empty"):
        StopStrings(tokenizer, [""])


def test_finished_rows_make_room_for_new_ones() -> None:
    expected = run(rollout_of(wide_model(), max_new_tokens=30), REQUESTS)
    model = wide_model()
    rows: list[tuple[int, int]] = []
    model.register_forward_pre_hook(
        lambda module, args, kwargs: rows.append(tuple(kwargs["input_ids"].shape)), with_kwargs=True
    )
    rollout = rollout_of(model, max_new_tokens=30, batch_size=20)
    portions = [list(REQUESTS[start : start + 6]) for start in range(0, len(REQUESTS), 6)]
    alive_at_call: list[int] = []

    def more(alive: int) -> Sequence[Request]:
        alive_at_call.append(alive)
        return portions.pop(0) if portions else []

    first = [r for _ in range(4) for r in portions.pop(0)]
    done: dict[int, Completion] = {}
    for finished in rollout.generate(PROMPTS, first, MEMBERS, 1, 2, more=more):
        done |= {c.index: c for c in finished}
    assert [done[i].tokens for i in range(len(REQUESTS))] == [c.tokens for c in expected]
    decoding = [count for count, length in rows if length == 1]
    assert max(decoding) <= 20 and not portions and max(alive_at_call) <= 20
    # Batch after batch, each to its longest, would take 5 x 29 steps of decoding.
    assert len(decoding) < 0.8 * -(-len(REQUESTS) // 20) * 29
