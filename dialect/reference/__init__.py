"""NumPy semantics of `gs` and of the upstream ops around it."""

from mlir_gs.dialect.reference.named import (
    CoordinateError,
    UndefinedBehavior,
    default_fill,
    gather,
    gather_elements,
    generic,
    generic_in_place,
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
    "generic_in_place",
    "histogram",
    "scatter",
    "scatter_elements",
    "strided_slice",
    "window_sizes",
]
