"""Fail unless a run's held-out pass rate rose by at least 20 points. Usage: check_gain.py RUN_DIR"""

from __future__ import annotations

import json
import sys
from pathlib import Path

lines = (Path(sys.argv[1]) / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
rates = [record["eval_pass@1"] for record in map(json.loads, lines) if "eval_pass@1" in record]
gain = 100 * (rates[-1] - rates[0])
print(f"held-out pass rate: {rates[0]:.1%} -> {rates[-1]:.1%} ({gain:+.1f} points)")
sys.exit(0 if gain >= 20 else "the pass rate rose by less than 20 points")
