"""pass@k on a held-out split."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["pass_at_k", "pass_metrics"]


def pass_at_k(n: int, c: int, k: int) -> float:
    """Unbiased estimate of pass@k from n samples of which c pass: 1 - C(n - c, k) / C(n, k).

    Chen et al. 2021, "Evaluating Large Language Models Trained on Code" (arXiv 2107.03374), equation 1.

    Raises:
        ValueError: unless 0 <= c <= n and 1 <= k <= n.
    """
    if not (0 <= c <= n and 1 <= k <= n):
        raise ValueError(f"pass@k needs 0 <= c <= n and 1 <= k <= n, not n={n}, c={c}, k={k}")
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)


def pass_metrics(rewards: Sequence[Sequence[float | None]], threshold: float = 1.0) -> dict[str, float]:
    """Metrics of an evaluation.

    Args:
        rewards: for each theorem the rewards of its attempts; None (no score) is left out.
        threshold: a reward from here up is a pass.

    Returns:
        "pass@1" and "pass@k" for the powers of two k up to the fewest scored attempts, each the mean over theorems;
        "reward" and "theorems": the mean reward and how many theorems have a score; "scored": share of attempts.
        Theorems without any score are left out; {"scored": 0.0} when all are.
    """
    scored = [[r for r in row if r is not None] for row in rewards]
    made = sum(len(row) for row in rewards)
    kept = [row for row in scored if row]
    metrics = {"scored": sum(len(row) for row in kept) / made if made else 0.0}
    if not kept:
        return metrics
    fewest = min(len(row) for row in kept)
    ks = [2**i for i in range(fewest.bit_length()) if 2**i <= fewest]
    for k in ks:
        metrics[f"pass@{k}"] = math.fsum(
            pass_at_k(len(row), sum(r >= threshold for r in row), k) for row in kept
        ) / len(kept)
    metrics["reward"] = math.fsum(math.fsum(row) / len(row) for row in kept) / len(kept)
    metrics["theorems"] = float(len(kept))
    return metrics
