"""What a workload of functions.py is, and the results that are kept of them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass
class Work:
    """A workload: `make` gives arrays by name from a generator and a size; `ours` and the peers are
    functions of a module (mlir_gs, numpy, torch, jax.numpy; None for others) and these arrays.

    `peers` are named by their kind first. `size` is what `make` gets, `tolerance` is relative to
    the greatest of the expected elements. The first peer says what is expected. `through`: torch or
    jax, whose module and arrays `ours` gets, like its peers.
    """

    name: str
    make: Callable[[np.random.Generator, int], dict[str, Any]]
    ours: Callable[[Any, Any], Any]
    peers: dict[str, Callable[[Any, Any], Any]]
    size: int = 1_000_000
    tolerance: float = 0.0
    through: str = ""


def rows_of(path: Path | None) -> dict[tuple[int, str], dict]:
    """The last result of each workload in the file, by threads and name."""
    if path is None or not path.exists():
        return {}
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {(row["threads"], row["name"]): row for row in rows}


def print_means(title: str, rows: list[dict]) -> None:
    parts = []
    for kind in ("peer", "library"):
        ratios = [row[kind] for row in rows if row[kind]]
        if ratios:
            parts.append(f"best {kind} / ours {np.exp(np.mean(np.log(ratios))):.2f}")
    print(f"{title}: {len(rows)} workloads, geometric means: {', '.join(parts)}")
