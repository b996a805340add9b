"""`LeanProofEnv`: theorems to prove, by whole proofs, by repair, or tactic by tactic; the verifier's reward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from .config import VerifierConfig
from .episode import Checks, Episode, RepairEpisode, Rules, Turn, WholeEpisode, play_all
from .reward import binary_reward
from .spaces import LEAN_CHARACTERS, LeanText
from .suites import load_suite
from .tactic import TacticEpisode
from .theorem import Theorem
from .verifier import Verifier

__all__ = ["LEAN_CHARACTERS", "MODES", "LeanProofEnv", "LeanText"]

MODES: dict[str, type[Episode]] = {"whole": WholeEpisode, "repair": RepairEpisode, "tactic": TacticEpisode}


class LeanProofEnv(gymnasium.Env[dict[str, str], str]):
    """Prove a theorem.

    `reset` draws a theorem (uniformly by the environment's seed, or the one that `options` asks for). Observations are
    dicts of texts: `header`, `statement`, `prompt`, and those of the mode. `info` holds `theorem` (its id), and after
    a step `verdict` (a `Verdict`), `outcome`, and `mask`: True when the check failed by our fault (INFRA); the episode
    is then `truncated`, its reward 0.0, and nothing may be learned from it.

    Modes:
        whole: a step is a proof (a body, see `Submission`), and ends the episode.
        repair: a step is a proof, up to `max_attempts` of them. Observations also hold `attempt`, the text last
            written, and `feedback`, Lean's errors on it (see `feedback.feedback`). Terminated when proved, truncated
            after the last attempt; the reward comes then, that of the last or of the best attempt. `info` also holds
            `attempts` and `attempt_reward`.
        tactic: a step is one tactic or a block of them. Observations also hold `goals` as Lean prints them, `prefix`,
            the proof so far, and `feedback`, the errors of a tactic that failed (it leaves the state as it was).
            Terminated, with the reward, by the verdict on the whole proof once no goal is left; truncated after
            `max_steps`. `info` also holds `error` ("" for a tactic that worked), `proof` and `steps`.

    Args:
        theorems: the theorems to draw from; None: the `split` of `suite`.
        mode: "whole", "repair" or "tactic".
        suite, split, limit: which theorems to load when `theorems` is None.
        reward: verdict -> float, or None for "no reward"; never asked for INFRA, which has none. One whose attribute
            `reads_text` is true, e.g. `process_reward.ProcessReward`, is given the text too.
        max_attempts: of "repair". reward_by: "last" or "best" of them.
        max_steps: of "tactic".
        feedback_chars: longest feedback, in characters.
        verifier: an open `Verifier` to share; None: the environment opens and closes one of its own.
        render_mode: "human" prints the episode; "ansi" returns it as text; None.
        max_length: longest text, in code points, that the spaces admit.
        **settings: fields of `VerifierConfig` for the environment's own verifier.

    Raises:
        ValueError: when there is no theorem to draw from, or a mode or number is none of those above.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        theorems: Sequence[Theorem] | None = None,
        *,
        mode: str = "whole",
        suite: str = "core",
        split: str = "train",
        limit: int = 1000,
        reward: Callable[..., float | None] = binary_reward,
        max_attempts: int = 4,
        reward_by: str = "last",
        max_steps: int = 100,
        feedback_chars: int = 2000,
        verifier: Verifier | None = None,
        render_mode: str | None = None,
        max_length: int = 1 << 16,
        **settings: Any,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode={render_mode!r}: give one of {self.metadata['render_modes']} or None")
        if mode not in MODES:
            raise ValueError(f"mode={mode!r}: give one of {', '.join(MODES)}")
        if verifier is not None and settings:
            raise ValueError(f"{', '.join(settings)}: settings of a verifier that is given already; set them there")
        self.theorems = tuple(load_suite(suite, split=split, limit=limit) if theorems is None else theorems)
        if not self.theorems:
            raise ValueError("theorems is empty: give at least one Theorem")
        self.mode = mode
        self.rules = Rules(reward, max_attempts, max_steps, reward_by, feedback_chars, max_length)
        self.render_mode = render_mode
        self._owns_verifier = verifier is None
        self.verifier = verifier or Verifier(VerifierConfig(**settings))
        keys = sorted(("header", "prompt", "statement", *MODES[mode].keys))
        texts: Any = {key: LeanText(max_length) for key in keys}
        self.observation_space: Any = spaces.Dict(texts)
        self.action_space = LeanText(max_length)
        self._episode: Episode | None = None

    @property
    def reward(self) -> Callable[..., float | None]:
        """The reward function."""
        return self.rules.reward

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """Start an episode.

        Args:
            seed: seeds the draw of this and the following episodes.
            options: {"id": ID} for the theorem of that id, {"theorem": Theorem} for one from elsewhere,
                {"split": SPLIT} to draw among the theorems of one split. In mode "tactic" also {"prefix": TEXT}: start
                after these tactics, with no other option on the theorem of the episode before (so it undoes steps).

        Raises:
            ValueError: for an unknown id, split or option, and for a prefix that fails or proves all.
        """
        (info,) = play_all(self.verifier, [self.begin(seed, options)])
        return self.observation(), info

    def begin(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Checks[dict[str, Any]]:
        """`reset` without its checks (see `episode`), for whoever runs many environments at once."""
        super().reset(seed=seed)
        options = dict(options or {})
        prefix = options.pop("prefix", None)
        if prefix is not None and (self.mode != "tactic" or not isinstance(prefix, str)):
            raise ValueError('reset option prefix: a text, in mode "tactic" only')
        if prefix is not None and not options and self._episode is not None:
            theorem = self._episode.theorem
        else:
            theorem = self._choose(options)
        episode: Episode
        if self.mode == "tactic":
            episode = TacticEpisode(theorem, self.rules, prefix or "")
        else:
            episode = MODES[self.mode](theorem, self.rules)
        info = yield from episode.start()
        self._episode = episode
        return info

    def _choose(self, options: dict[str, Any]) -> Theorem:
        if unknown := set(options) - {"id", "theorem", "split"}:
            raise ValueError(f"reset option {sorted(unknown)[0]!r} is unknown; give id, theorem, split or prefix")
        if "theorem" in options:
            theorem = options["theorem"]
            if not isinstance(theorem, Theorem):
                raise ValueError(f"reset option theorem={theorem!r} is no lean_gym.Theorem")
            return theorem
        if "id" in options:
            found = next((theorem for theorem in self.theorems if theorem.id == options["id"]), None)
            if found is None:
                raise ValueError(f"no theorem has the id {options['id']!r}; env.theorems lists those that there are")
            return found
        candidates: Sequence[Theorem] = self.theorems
        if "split" in options:
            candidates = [theorem for theorem in candidates if theorem.split == options["split"]]
            if not candidates:
                raise ValueError(f"no theorem of this environment is in the split {options['split']!r}")
        return candidates[int(self.np_random.integers(len(candidates)))]

    def step(self, action: str) -> tuple[dict[str, str], float, bool, bool, dict[str, Any]]:
        """Check a proof or a tactic.

        Raises:
            ResetNeeded: before the first `reset` and after the end of an episode.
        """
        (turn,) = play_all(self.verifier, [self.play(action)])
        return self.observation(), turn.reward, turn.terminated, turn.truncated, turn.info

    def play(self, action: str) -> Checks[Turn]:
        """`step` without its checks (see `episode`)."""
        if self._episode is None or self._episode.over:
            raise ResetNeeded("the episode has ended or not begun: call reset() before step()")
        turn = yield from self._episode.play(action)
        if self.render_mode == "human":
            print(self._episode.render())
        return turn

    def observation(self) -> dict[str, str]:
        """What is to be seen now."""
        assert self._episode is not None
        return self._episode.observation()

    def render(self) -> str | None:
        """The episode as text in "ansi" mode; None in "human" mode, which prints at each step."""
        if self.render_mode != "ansi":
            return None
        return self._episode.render() if self._episode else "(no episode: call reset)"

    def close(self) -> None:
        """Stop the workers, unless the verifier was given from outside."""
        if self._owns_verifier:
            self.verifier.close()
