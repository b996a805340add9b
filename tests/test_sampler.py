"""The choice of theorems by win rate, and its state."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from trainers.sampler import GroupSampler, WinRates


def test_decided_theorems_rest() -> None:
    rates = WinRates(["k"] * 12, seed=1)
    for theorem in range(4):
        rates.record(theorem, 8, 8)
    for theorem in range(4, 8):
        rates.record(theorem, 0, 8)
    assert set(rates.draw(4)) == {8, 9, 10, 11}
    assert rates.metrics()["sampler/seen"] == pytest.approx(8 / 12)
    # They come back when they have rested.
    seen = {theorem for _ in range(40) for theorem in rates.draw(4)}
    assert seen == set(range(12))


def test_the_more_often_decided_the_longer_the_rest() -> None:
    rates = WinRates(["k"] * 2)
    waits = []
    for _ in range(4):
        rates.record(0, 0, 4)
        waits.append(int(rates._rests_until[0]) - rates.draws)
    assert waits == [2, 4, 8, 16]
    rates.record(0, 1, 4)
    assert rates._streak[0] == 0


def test_uncertain_theorems_come_oftener() -> None:
    rates = WinRates(["k"] * 20, seed=3, decay=1.0)
    for theorem in range(20):
        for _ in range(5):
            rates.record(theorem, 4 if theorem < 10 else 1, 8)
            rates.record(theorem, 4 if theorem < 10 else 0, 8 if theorem < 10 else 1)
    counts = Counter(theorem for _ in range(300) for theorem in rates.draw(4))
    often, seldom = (sum(counts[t] for t in part) for part in (range(10), range(10, 20)))
    assert often > 1.3 * seldom > 0


def test_a_kind_stands_in_for_its_unseen_theorems() -> None:
    rates = WinRates(["easy"] * 50 + ["half"] * 50, seed=0)
    for theorem in range(8):
        rates.record(theorem, 8, 8)
        rates.record(50 + theorem, 4, 8)
    assert rates.rates()[40] > 0.9 and 0.4 < rates.rates()[90] < 0.6
    counts = Counter(theorem >= 50 for _ in range(50) for theorem in rates.draw(4))
    assert counts[True] > 2 * counts[False]


def test_draws_go_on_after_a_resume() -> None:
    kinds = [str(i % 3) for i in range(30)]

    def work(rates: WinRates, rounds: int) -> list[list[int]]:
        drawn = []
        for _ in range(rounds):
            drawn.append(rates.draw(5))
            for theorem in drawn[-1]:
                rates.record(theorem, theorem % 5, 4 if theorem % 5 < 4 else 5)
        return drawn

    whole = WinRates(kinds, seed=7)
    expected = work(whole, 12)
    first = WinRates(kinds, seed=7)
    begun = work(first, 5)
    state = json.loads(json.dumps(first.state_dict()))
    second = WinRates(kinds, seed=7)
    second.load_state_dict(state)
    assert begun + work(second, 7) == expected
    with pytest.raises(ValueError, match="other theorems"):
        WinRates(["x"] * 30).load_state_dict(state)


def test_order_of_the_groups() -> None:
    sampler = GroupSampler(WinRates(["k"] * 10), mini_repeat_count=3, batch_size=2, repeat_count=2)
    order = list(sampler)
    assert len(order) == len(sampler) == 5 * 2 * 3 * 2
    for start in range(0, len(order), 12):
        first, again = order[start : start + 6], order[start + 6 : start + 12]
        assert first == again and first == [first[0]] * 3 + [first[3]] * 3 and first[0] != first[3]


def test_few_theorems_and_wrong_numbers() -> None:
    assert sorted(WinRates(["k"] * 2).draw(4)) == [0, 0, 1, 1]
    rates = WinRates(["k"])
    rates.record(0, 0, 0)
    assert rates.metrics()["sampler/seen"] == 0
    with pytest.raises(ValueError, match="passes"):
        rates.record(0, 3, 2)
    with pytest.raises(ValueError, match="no theorem"):
        WinRates([])
