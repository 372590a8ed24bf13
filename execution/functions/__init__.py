"""Functions on arrays with names and meaning of NumPy's and JAX's.

Arrays of NumPy, torch and JAX go in, and results are arrays of that framework. Each function is one
`gs.generic` with dynamic sizes, compiled when it is first called with such ranks and elements.
"""

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
