"""pass@k on a held-out split."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

__all__ = ["bootstrap_interval", "pass_at_k", "pass_metrics", "pass_report"]


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


def bootstrap_interval(
    values: Sequence[float], *, level: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean of `values` (one a theorem): theorems are drawn again, not attempts.

    The same for the same arguments. Efron and Tibshirani 1993, "An Introduction to the Bootstrap", chapter 13.

    Raises:
        ValueError: without values.
    """
    if not values:
        raise ValueError("an interval needs at least one value")
    data, rng = np.asarray(values, dtype=np.float64), np.random.default_rng(seed)
    means = np.empty(resamples)
    block = max(1, 4_000_000 // len(data))  # draws at a time, so that memory stays small
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        means[start : start + size] = data[rng.integers(len(data), size=(size, len(data)))].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def pass_report(passed: Sequence[Sequence[bool | None]], ks: Sequence[int], *, seed: int = 0) -> Mapping[str, object]:
    """pass@k with intervals.

    Args:
        passed: for each theorem whether each attempt proved it; None (no score) is left out.
        ks: values of k. A theorem with fewer scored attempts than k is left out of pass@k.
        seed: of the bootstrap.

    Returns:
        for each k "pass@K", its 95 % interval "pass@K_interval" [low, high] over theorems, and "pass@K_theorems", how
        many theorems that is; without any, None in place of the first two.
    """
    scored = [[p for p in row if p is not None] for row in passed]
    report: dict[str, object] = {}
    for k in ks:
        each = [pass_at_k(len(row), sum(row), k) for row in scored if len(row) >= k]
        report[f"pass@{k}"] = math.fsum(each) / len(each) if each else None
        report[f"pass@{k}_interval"] = list(bootstrap_interval(each, seed=seed)) if each else None
        report[f"pass@{k}_theorems"] = len(each)
    return report
