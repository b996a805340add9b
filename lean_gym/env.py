"""`LeanProofEnv`: one theorem an episode, one proof a step, the verifier's reward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from .config import VerifierConfig
from .prompt import plain_prompt
from .reward import binary_reward
from .submission import Submission
from .suites import load_suite
from .theorem import Theorem
from .verdict import Verdict
from .verifier import Verifier

__all__ = ["LEAN_CHARACTERS", "LeanProofEnv", "LeanText"]

LEAN_CHARACTERS = (
    "".join(map(chr, range(32, 127)))
    + "\n∀∃λΣΠ→←↔∧∨¬⊢⟨⟩≤≥≠∈∉⊆⊂∪∩∅∣∘×⊕⁻¹·•▸∎⊤⊥≈≃ℕℤℚℝℂαβγδεζηθικμνξπρστυφχψω₀₁₂₃₄₅₆₇₈₉⁰²³⁴⁵⁶⁷⁸⁹‹›«»"
)
"""What `LeanText.sample` draws from: printable ASCII, line ends, and the symbols of everyday Lean."""


class LeanText(spaces.Text):
    """Texts of up to `max_length` code points: all of Unicode but lone surrogates, as Lean files may hold."""

    def __init__(self, max_length: int, *, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, min_length=0, charset=LEAN_CHARACTERS, seed=seed)

    def contains(self, x: Any) -> bool:
        """Whether `x` is a text of this space."""
        return isinstance(x, str) and len(x) <= self.max_length and not any("\ud800" <= c <= "\udfff" for c in x)

    def __repr__(self) -> str:
        return f"LeanText({self.max_length})"


class LeanProofEnv(gymnasium.Env[dict[str, str], str]):
    """Prove a theorem in one step.

    `reset` draws a theorem (uniformly by the environment's seed, or the one that `options` asks for); the
    observation is a dict of texts: `header`, `statement`, `prompt`. `step` takes the proof's text (a body, see
    `Submission`) and ends the episode. `info` holds `theorem` (its id), and after a step `verdict` (a `Verdict`),
    `outcome`, and `mask`: True when the check failed by our fault (INFRA); the episode is then `truncated`, its
    reward 0.0, and nothing may be learned from it.

    Args:
        theorems: the theorems to draw from; None: the `split` of `suite`.
        suite, split, limit: which theorems to load when `theorems` is None.
        reward: verdict -> float, or None for "no reward"; never asked for INFRA, which has none.
        verifier: an open `Verifier` to share; None: the environment opens and closes one of its own.
        render_mode: "human" prints the episode; "ansi" returns it as text; None.
        max_length: longest text, in code points, that the spaces admit.
        **settings: fields of `VerifierConfig` for the environment's own verifier.

    Raises:
        ValueError: when there is no theorem to draw from, or `render_mode` is not one of `metadata`.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        theorems: Sequence[Theorem] | None = None,
        *,
        suite: str = "core",
        split: str = "train",
        limit: int = 1000,
        reward: Callable[[Verdict], float | None] = binary_reward,
        verifier: Verifier | None = None,
        render_mode: str | None = None,
        max_length: int = 1 << 16,
        **settings: Any,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode={render_mode!r}: give one of {self.metadata['render_modes']} or None")
        if verifier is not None and settings:
            raise ValueError(f"{', '.join(settings)}: settings of a verifier that is given already; set them there")
        self.theorems = list(load_suite(suite, split=split, limit=limit) if theorems is None else theorems)
        if not self.theorems:
            raise ValueError("theorems is empty: give at least one Theorem")
        self._by_id = {theorem.id: theorem for theorem in self.theorems}
        self.reward = reward
        self.render_mode = render_mode
        self._owns_verifier = verifier is None
        self.verifier = verifier or Verifier(VerifierConfig(**settings))
        texts: Any = {key: LeanText(max_length) for key in ("header", "prompt", "statement")}
        self.observation_space: Any = spaces.Dict(texts)
        self.action_space = LeanText(max_length)
        self._theorem: Theorem | None = None
        self._proof = ""
        self._verdict: Verdict | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """Start an episode.

        Args:
            seed: seeds the draw of this and the following episodes.
            options: {"id": ID} for the theorem of that id, {"theorem": Theorem} for one from elsewhere,
                {"split": SPLIT} to draw among the theorems of one split.

        Raises:
            ValueError: for an unknown id, split or option.
        """
        super().reset(seed=seed)
        self._theorem = self._choose(options or {})
        self._proof, self._verdict = "", None
        return self._observation(), {"theorem": self._theorem.id}

    def _choose(self, options: dict[str, Any]) -> Theorem:
        if unknown := set(options) - {"id", "theorem", "split"}:
            raise ValueError(f"reset option {sorted(unknown)[0]!r} is unknown; give id, theorem or split")
        if "theorem" in options:
            theorem = options["theorem"]
            if not isinstance(theorem, Theorem):
                raise ValueError(f"reset option theorem={theorem!r} is no lean_gym.Theorem")
            return theorem
        if "id" in options:
            if options["id"] not in self._by_id:
                raise ValueError(f"no theorem has the id {options['id']!r}; env.theorems lists those that there are")
            return self._by_id[options["id"]]
        candidates = self.theorems
        if "split" in options:
            candidates = [theorem for theorem in candidates if theorem.split == options["split"]]
            if not candidates:
                raise ValueError(f"no theorem of this environment is in the split {options['split']!r}")
        return candidates[int(self.np_random.integers(len(candidates)))]

    def step(self, action: str) -> tuple[dict[str, str], float, bool, bool, dict[str, Any]]:
        """Check a proof; the episode ends.

        Raises:
            ResetNeeded: before the first `reset` and after the end of an episode.
        """
        if self._theorem is None or self._verdict is not None:
            raise ResetNeeded("the episode has ended or not begun: call reset() before step()")
        self._proof = action
        (verdict,) = self.verifier.verify([Submission(self._theorem, action)])
        self._verdict = verdict
        reward = self.reward(verdict) if verdict.scored else None
        infra = reward is None
        info = {
            "theorem": self._theorem.id,
            "verdict": verdict,
            "outcome": verdict.outcome.value,
            "mask": infra,
        }
        if self.render_mode == "human":
            print(self._text())
        return self._observation(), 0.0 if reward is None else float(reward), not infra, infra, info

    def render(self) -> str | None:
        """The episode as text in "ansi" mode; None in "human" mode, which prints at each step."""
        return self._text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Stop the workers, unless the verifier was given from outside."""
        if self._owns_verifier:
            self.verifier.close()

    def _observation(self) -> dict[str, str]:
        assert self._theorem is not None
        return {
            "header": self._theorem.header,
            "prompt": plain_prompt(self._theorem),
            "statement": self._theorem.formal_statement,
        }

    def _text(self) -> str:
        if self._theorem is None:
            return "(no episode: call reset)"
        lines = [f"{self._theorem.formal_statement} := by"]
        if self._verdict:
            verdict = self._verdict
            lines += [self._proof, f"-- {verdict.outcome}" + (f": {verdict.detail}" if verdict.detail else "")]
        return "\n".join(lines)
