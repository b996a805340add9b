"""Which theorems are tried next: those that the policy proves sometimes, neither always nor never.

A group of attempts that all pass or all fail teaches GRPO nothing (its advantages are 0) and ES little. `WinRates`
keeps a win rate for each theorem and chooses by it; `GroupSampler` gives its choices to TRL's data loader.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np
from torch.utils.data import Sampler

__all__ = ["GroupSampler", "WinRates"]

_LONGEST_REST = 1024


class WinRates:
    """Win rates of theorems and the choice by them.

    A theorem is drawn with weight 4 p (1 - p) + floor, where p is its win rate: past attempts count `decay` of what
    they did at each new group, and the rate of its kind (its family and level, say) stands in for those it has not had.
    A theorem whose whole group passed or failed rests for 2, 4, 8, ... draws (at most 1024), and is drawn before only
    when there are not enough others.

    Args:
        kinds: the kind of each theorem; theorems are known by their position.
        seed: of the draws; the n-th draw depends on the seed, n and the rates only.
        prior: how many attempts the rate of the kind counts as.
    """

    def __init__(
        self, kinds: Sequence[Hashable], seed: int = 0, *, prior: float = 4.0, decay: float = 0.7, floor: float = 0.05
    ) -> None:
        if not kinds:
            raise ValueError("there is no theorem to draw: give the kind of at least one")
        self.seed, self.prior, self.decay, self.floor = seed, prior, decay, floor
        names = sorted({str(kind) for kind in kinds})
        self._kind = np.array([names.index(str(kind)) for kind in kinds])
        self._kind_passes, self._kind_attempts = np.zeros(len(names)), np.zeros(len(names))
        size = len(kinds)
        self._passes, self._attempts = np.zeros(size), np.zeros(size)
        self._streak, self._rests_until = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        self.draws = 0
        self._key = hashlib.sha256(json.dumps([str(kind) for kind in kinds]).encode()).hexdigest()[:16]

    def __len__(self) -> int:
        return len(self._kind)

    def record(self, theorem: int, passes: int, attempts: int) -> None:
        """`passes` of `attempts` scored attempts proved a theorem; none scored changes nothing."""
        if not 0 <= passes <= attempts:
            raise ValueError(f"passes={passes} of attempts={attempts}: give 0 <= passes <= attempts")
        if attempts == 0:
            return
        self._passes[theorem] = self.decay * self._passes[theorem] + passes
        self._attempts[theorem] = self.decay * self._attempts[theorem] + attempts
        kind = self._kind[theorem]
        # A kind has many theorems: its past fades by the attempt, over some hundred.
        fade = 0.99**attempts
        self._kind_passes[kind] = fade * self._kind_passes[kind] + passes
        self._kind_attempts[kind] = fade * self._kind_attempts[kind] + attempts
        if attempts > 1 and passes in (0, attempts):
            self._streak[theorem] += 1
            self._rests_until[theorem] = self.draws + min(_LONGEST_REST, 2 ** int(self._streak[theorem]))
        else:
            self._streak[theorem] = 0

    def rates(self) -> np.ndarray:
        """The estimated win rate of each theorem, in (0, 1)."""
        kinds = (self._kind_passes + 1.0) / (self._kind_attempts + 2.0)
        rates: np.ndarray = (self._passes + self.prior * kinds[self._kind]) / (self._attempts + self.prior)
        return rates

    def draw(self, count: int) -> list[int]:
        """`count` different theorems (or all of them, over again, where there are fewer)."""
        rng = np.random.default_rng([self.seed & (2**64 - 1), self.draws])
        self.draws += 1
        chosen: list[int] = []
        while len(chosen) < count:
            rates = self.rates()
            # Efraimidis and Spirakis 2006: the largest u^(1/w) are a draw by weights without replacement.
            keys = np.log(rng.random(len(self))) / (4 * rates * (1 - rates) + self.floor)
            resting = np.maximum(0, self._rests_until - self.draws)
            order = np.lexsort((-keys, resting))
            chosen += order[: count - len(chosen)].tolist()
        return chosen

    def metrics(self) -> dict[str, float]:
        """`sampler/seen` and `sampler/resting` (shares of the theorems), `sampler/win_rate` (mean of those seen)."""
        seen = self._attempts > 0
        found = {"sampler/seen": float(seen.mean()), "sampler/resting": float((self._rests_until > self.draws).mean())}
        if seen.any():
            found["sampler/win_rate"] = float((self._passes[seen] / self._attempts[seen]).mean())
        return found

    def state_dict(self) -> dict[str, Any]:
        """The state as plain JSON values."""
        names = ("_passes", "_attempts", "_kind_passes", "_kind_attempts", "_streak", "_rests_until")
        return {"key": self._key, "draws": self.draws, **{name[1:]: getattr(self, name).tolist() for name in names}}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from a `state_dict`.

        Raises:
            ValueError: when it is of other theorems.
        """
        if state["key"] != self._key:
            raise ValueError("the sampler's state is of other theorems; give the data set of the run it comes from")
        self.draws = int(state["draws"])
        for name in ("passes", "attempts", "kind_passes", "kind_attempts", "streak", "rests_until"):
            own = getattr(self, f"_{name}")
            own[:] = np.array(state[name], dtype=own.dtype)


class GroupSampler(Sampler[int]):
    """Positions of prompts in the order of TRL's `RepeatSampler`, chosen by `WinRates` as they are asked for.

    Each draw of `batch_size` prompts is given `repeat_count` times, each prompt `mini_repeat_count` times in a row. All
    processes must hold the same `WinRates`, so that they draw alike.
    """

    def __init__(self, win_rates: WinRates, mini_repeat_count: int, batch_size: int, repeat_count: int) -> None:
        self.win_rates = win_rates
        self.mini_repeat_count, self.batch_size, self.repeat_count = mini_repeat_count, batch_size, repeat_count

    def __iter__(self) -> Iterator[int]:
        for _ in range(max(1, len(self.win_rates) // self.batch_size)):
            chosen = self.win_rates.draw(self.batch_size)
            for _ in range(self.repeat_count):
                for index in chosen:
                    yield from [index] * self.mini_repeat_count

    def __len__(self) -> int:
        draws = max(1, len(self.win_rates) // self.batch_size)
        return draws * self.batch_size * self.mini_repeat_count * self.repeat_count
