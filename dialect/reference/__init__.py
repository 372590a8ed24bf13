"""NumPy semantics of `gs` and of the upstream ops around it."""

from mlir_gs.dialect.reference.coordinates import CoordinateError, UndefinedBehavior, default_fill
from mlir_gs.dialect.reference.generic import generic
from mlir_gs.dialect.reference.named import (
    gather,
    gather_elements,
    histogram,
    scatter,
    scatter_elements,
    strided_slice,
    window_sizes,
)

__all__ = [
    "CoordinateError",
    "UndefinedBehavior",
    "default_fill",
    "gather",
    "gather_elements",
    "generic",
    "histogram",
    "scatter",
    "scatter_elements",
    "strided_slice",
    "window_sizes",
]
