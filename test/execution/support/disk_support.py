"""A kernel, where it is kept, and what it is kept under: for tests of kernels on the disk."""

from pathlib import Path

import numpy as np
from mlir_gs.execution.disk import cache, cached, keeping

ROWS = """
func.func @f(%t: tensor<?x4xf32>, %i: tensor<?x1xi64>) -> tensor<?x4xf32> {
  %r = gs.gather %t[%i] gather_dims([0]) mode(error)
      : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""
TABLE = np.arange(24, dtype=np.float32).reshape(6, 4)
IDS = np.array([[5], [0], [5]])


def files(place: Path) -> list[Path]:
    """What is kept there, when all is written."""
    keeping.write_all()
    return sorted(place.glob(f"*{cache.SUFFIX}"))


def key_of_rows() -> str:
    """What `compile(ROWS)` is found by."""
    options = repr(((), False, True, []))
    return cached.key(ROWS, None, False, cached.openmp.thread_count(None), options)
