"""Train language models on Lean 4 proofs: a verifier, an environment, and what plugs them into trainers.

Names are imported when first used, so that `import lean_gym` stays fast and pulls in neither torch nor docker.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .config import VerifierConfig
    from .env import LeanProofEnv
    from .process_reward import ProcessReward
    from .reward import LeanReward, OutcomeReward, binary_reward
    from .submission import Submission
    from .suites import load_suite
    from .theorem import CORE_HEADER, Theorem
    from .vector_env import LeanProofVectorEnv
    from .verdict import Message, Outcome, Verdict
    from .verifier import Verifier

__version__ = "0.1.0"

_HOMES = {
    "CORE_HEADER": "theorem",
    "LeanProofEnv": "env",
    "LeanProofVectorEnv": "vector_env",
    "LeanReward": "reward",
    "Message": "verdict",
    "Outcome": "verdict",
    "OutcomeReward": "reward",
    "ProcessReward": "process_reward",
    "Submission": "submission",
    "Theorem": "theorem",
    "Verdict": "verdict",
    "Verifier": "verifier",
    "VerifierConfig": "config",
    "binary_reward": "reward",
    "load_suite": "suites",
}

__all__ = [
    "CORE_HEADER",
    "LeanProofEnv",
    "LeanProofVectorEnv",
    "LeanReward",
    "Message",
    "Outcome",
    "OutcomeReward",
    "ProcessReward",
    "Submission",
    "Theorem",
    "Verdict",
    "Verifier",
    "VerifierConfig",
    "__version__",
    "binary_reward",
    "load_suite",
    "register_envs",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})


def register_envs() -> None:
    """Register `LeanGym/LeanProof-v0` with Gymnasium; again is harmless.

    `import lean_gym` does it when Gymnasium is loaded already, as `gymnasium.make("lean_gym:LeanGym/LeanProof-v0")`
    makes it be; whoever imports lean_gym first calls this, or uses that form.
    """
    import gymnasium

    name = "LeanGym/LeanProof-v0"
    if name not in gymnasium.registry:
        gymnasium.register(
            name,
            entry_point="lean_gym.env:LeanProofEnv",
            vector_entry_point="lean_gym.vector_env:LeanProofVectorEnv",
        )


if "gymnasium" in sys.modules:
    register_envs()
