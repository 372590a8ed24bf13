"""The `gs` dialect: its ops, their verifiers, and the reference semantics.

`load()` puts it into the current context; `context()` makes a context that has it.
"""

if __name__ == "dialect":
    # The repository root on sys.path would import this folder a second time and register the
    # ops twice.
    raise ImportError("import mlir_gs.dialect, not dialect: the repository root is on sys.path")

from mlir_gs.dialect.base import Gs, context, irdl_text, load, load_with_gs, named_op, spelled
from mlir_gs.dialect.build import InvalidOp, build
from mlir_gs.dialect.effects import Effects
from mlir_gs.dialect.elements import (
    GatherElementsOp,
    ScatterElementsOp,
    gather_elements,
    scatter_elements,
)
from mlir_gs.dialect.gather import GatherOp, gather
from mlir_gs.dialect.generic import GenericOp, generic
from mlir_gs.dialect.histogram import HistogramOp, histogram
from mlir_gs.dialect.scatter import ScatterOp, scatter
from mlir_gs.dialect.strided_slice import StridedSliceOp, strided_slice
from mlir_gs.dialect.structure import Access, Structure
from mlir_gs.dialect.yield_ import YieldOp, yield_

__all__ = [
    "Access",
    "Effects",
    "GatherElementsOp",
    "GatherOp",
    "GenericOp",
    "Gs",
    "HistogramOp",
    "InvalidOp",
    "ScatterElementsOp",
    "ScatterOp",
    "StridedSliceOp",
    "Structure",
    "YieldOp",
    "build",
    "context",
    "gather",
    "gather_elements",
    "generic",
    "histogram",
    "irdl_text",
    "load",
    "load_with_gs",
    "named_op",
    "scatter",
    "scatter_elements",
    "spelled",
    "strided_slice",
    "yield_",
]
