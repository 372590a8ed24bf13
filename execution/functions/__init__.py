"""Functions on arrays with names and meaning of NumPy's and JAX's.

Arrays of NumPy, torch and JAX go in, and results are arrays of that framework. Each function is one
`gs.generic` with dynamic sizes, compiled when it is first called with such ranks and elements.
"""

from mlir_gs.execution.functions.along import put_along_axis, take_along_axis
from mlir_gs.execution.functions.at import at
from mlir_gs.execution.functions.attention import paged_attention
from mlir_gs.execution.functions.bags import embedding_bag
from mlir_gs.execution.functions.bins import bincount, histogram, histogram2d
from mlir_gs.execution.functions.groups import group, group_values
from mlir_gs.execution.functions.messages import (
    gather_segment_max,
    gather_segment_mean,
    gather_segment_sum,
)
from mlir_gs.execution.functions.nd import gather_nd, scatter_nd
from mlir_gs.execution.functions.products import gathered_matmul, grouped_matmul
from mlir_gs.execution.functions.quantized import quantized
from mlir_gs.execution.functions.segments import (
    segment_argmax,
    segment_argmin,
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
)
from mlir_gs.execution.functions.softmax import segment_softmax, segment_softmax_gradient
from mlir_gs.execution.functions.sparse import spmm, spmv
from mlir_gs.execution.functions.take import take

__all__ = [
    "at",
    "bincount",
    "embedding_bag",
    "gather_nd",
    "gather_segment_max",
    "gather_segment_mean",
    "gather_segment_sum",
    "gathered_matmul",
    "group",
    "group_values",
    "grouped_matmul",
    "histogram",
    "histogram2d",
    "paged_attention",
    "put_along_axis",
    "quantized",
    "scatter_nd",
    "segment_argmax",
    "segment_argmin",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_softmax",
    "segment_softmax_gradient",
    "segment_sum",
    "spmm",
    "spmv",
    "take",
    "take_along_axis",
]
