"""`LeanProofVectorEnv`: many episodes over one verifier, all checks of a step in flight together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .env import LeanProofEnv
from .episode import Checks, Turn, play_all
from .theorem import Theorem
from .verifier import Verifier, VerifierConfig

__all__ = ["LeanProofVectorEnv"]

Observations = dict[str, tuple[str, ...]]
Flags = npt.NDArray[np.bool_]


class LeanProofVectorEnv(VectorEnv[Observations, Sequence[str], npt.NDArray[Any]]):
    """`num_envs` episodes of `LeanProofEnv` side by side.

    Each slot draws its theorems from a generator of its own, as a single environment with that slot's seed does.
    Observations hold a tuple of `num_envs` texts under each key; actions are as many texts. A step takes as long as
    its slowest proof, which the verifier's deadline bounds.

    Args:
        num_envs: how many episodes.
        theorems: as in `LeanProofEnv`.
        autoreset_mode: Gymnasium's: an episode that ended starts again with the next step, which ignores the slot's
            action ("NextStep"); in the same step, what ended being in `infos["final_obs"]` and `infos["final_info"]`
            ("SameStep"); or by `reset(options={"reset_mask": ...})` only ("Disabled").
        verifier, render_mode: as in `LeanProofEnv`.
        **arguments: further ones of `LeanProofEnv`, and fields of `VerifierConfig`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        theorems: Sequence[Theorem] | None = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        verifier: Verifier | None = None,
        render_mode: str | None = None,
        **arguments: Any,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs}: give at least 1")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        names = VerifierConfig.__dataclass_fields__
        settings = {name: arguments.pop(name) for name in list(arguments) if name in names}
        if verifier is not None and settings:
            raise ValueError(f"{', '.join(settings)}: settings of a verifier that is given already; set them there")
        self._owns_verifier = verifier is None
        self.verifier = verifier or Verifier(VerifierConfig(**settings))
        first = LeanProofEnv(theorems, verifier=self.verifier, render_mode=render_mode, **arguments)
        for name in ("suite", "split", "limit"):
            arguments.pop(name, None)
        self.envs = [first] + [
            LeanProofEnv(first.theorems, verifier=self.verifier, render_mode=render_mode, **arguments)
            for _ in range(num_envs - 1)
        ]
        self.num_envs = num_envs
        self.metadata = {**first.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.single_observation_space = first.observation_space
        self.single_action_space = first.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ended: Flags = np.zeros(num_envs, dtype=np.bool_)
        self._begun: Flags = np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Start episodes in all slots, or in those of `options["reset_mask"]`.

        Args:
            seed: slot i gets seed + i, or the i-th of a sequence.
            options: those of `LeanProofEnv.reset` for every slot; "reset_mask": a bool array of `num_envs`; "each": a
                sequence with the options of each slot.

        Raises:
            ValueError: as `LeanProofEnv.reset`, and for sequences of another length than `num_envs`.
        """
        options = dict(options or {})
        mask = _mask(options.pop("reset_mask", None), self.num_envs)
        each = options.pop("each", None)
        each = [options] * self.num_envs if each is None else [{**options, **own} for own in each]
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, (int, np.integer)) else seed
        seeds = [None] * self.num_envs if seeds is None else list(seeds)
        for name, values in (("seed", seeds), ('options["each"]', each)):
            if len(values) != self.num_envs:
                raise ValueError(f"{name} has {len(values)} entries for {self.num_envs} environments")
        if not (self._begun | mask).all():
            raise ValueError('options["reset_mask"] leaves out slots that have no episode yet; reset all of them first')
        chosen = [int(i) for i in np.flatnonzero(mask)]
        started = play_all(self.verifier, [self.envs[i].begin(seeds[i], each[i]) for i in chosen])
        self._begun[mask], self._ended[mask] = True, False
        infos: dict[str, Any] = {}
        for i, info in zip(chosen, started):
            infos = self._add_info(infos, info, i)
        return self._observations(), infos

    def step(
        self, actions: Sequence[str]
    ) -> tuple[Observations, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """One step of every slot.

        Raises:
            ValueError: for another number of actions than slots.
            ResetNeeded: before the first `reset`, and in mode "Disabled" while an episode that ended was not reset.
        """
        if len(actions) != self.num_envs:
            raise ValueError(f"{len(actions)} actions for {self.num_envs} environments")
        if not self._begun.all():
            raise ResetNeeded("no episode has begun: call reset() before step()")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            slots = ", ".join(map(str, np.flatnonzero(self._ended)))
            raise ResetNeeded(f'the episodes of slots {slots} have ended: reset(options={{"reset_mask": ...}}) them')
        turns = play_all(self.verifier, [self._move(i, actions[i]) for i in range(self.num_envs)])
        rewards = np.array([turn.reward for turn in turns], dtype=np.float64)
        terminations = np.array([turn.terminated for turn in turns], dtype=np.bool_)
        truncations = np.array([turn.truncated for turn in turns], dtype=np.bool_)
        self._ended = terminations | truncations
        infos: dict[str, Any] = {}
        ended = [int(i) for i in np.flatnonzero(self._ended)]
        own = [turn.info for turn in turns]
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended:
            final = {i: self.envs[i].observation() for i in ended}
            begun = play_all(self.verifier, [self.envs[i].begin() for i in ended])
            for i, info in zip(ended, begun):
                infos = self._add_info(infos, {"final_obs": final[i], "final_info": own[i]}, i)
                own[i] = info
            self._ended = np.zeros(self.num_envs, dtype=np.bool_)
        for i, info in enumerate(own):
            infos = self._add_info(infos, info, i)
        return self._observations(), rewards, terminations, truncations, infos

    def _move(self, index: int, action: str) -> Checks[Turn]:
        """What a slot does in a step: its action, or its reset."""
        if self._ended[index]:
            info = yield from self.envs[index].begin()
            return Turn(0.0, False, False, info)
        return (yield from self.envs[index].play(str(action)))

    def _observations(self) -> Observations:
        seen = [env.observation() for env in self.envs]
        return {key: tuple(one[key] for one in seen) for key in seen[0]}

    def render(self) -> tuple[Any, ...] | None:
        """The episodes as texts in "ansi" mode; None in "human" mode, which prints at each step."""
        return tuple(env.render() for env in self.envs) if self.render_mode == "ansi" else None

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the workers, unless the verifier was given from outside."""
        if self._owns_verifier:
            self.verifier.close()


def _mask(mask: Any, count: int) -> Flags:
    if mask is None:
        return np.ones(count, dtype=np.bool_)
    if not isinstance(mask, np.ndarray) or mask.shape != (count,) or mask.dtype != np.bool_ or not mask.any():
        raise ValueError(f'options["reset_mask"] must be a bool array of shape ({count},) with a True in it')
    return mask
