"""Scatters of whole rows into a destination that is updated in place, and segment sums."""

from types import SimpleNamespace
from typing import Any

import loops_scatter
import numpy as np
from peers import numpy_call, onnx_node, over_tensors, xla
from workload import Case, Maker, Slices, Workload, aligned, coordinates, empty, floats

SET = """
func.func @set(%updates: tensor<?x${width}xf32>,
    %dest: tensor<?x${width}xf32> {bufferization.writable = true}, %ids: tensor<?x1xi64>)
    -> tensor<?x${width}xf32> {
  %r = gs.scatter %updates into %dest[%ids] scatter_dims([0]) unique
      : (tensor<?x${width}xf32>, tensor<?x${width}xf32>, tensor<?x1xi64>)
      -> tensor<?x${width}xf32>
  return %r : tensor<?x${width}xf32>
}
"""

COMBINE = """
func.func @combine(%updates: tensor<?x${width}xf32>,
    %dest: tensor<?x${width}xf32> {bufferization.writable = true}, %ids: tensor<?x1xi64>)
    -> tensor<?x${width}xf32> {
  %r = gs.scatter %updates into %dest[%ids] scatter_dims([0])
      : (tensor<?x${width}xf32>, tensor<?x${width}xf32>, tensor<?x1xi64>)
      -> tensor<?x${width}xf32> {
  ^bb0(%current: f32, %update: f32):
    %new = $combiner %current, %update : f32
    gs.yield %new : f32
  }
  return %r : tensor<?x${width}xf32>
}
"""

SEGMENTS = """
func.func @segments(%updates: tensor<?x${width}xf32>, %ids: tensor<?x1xi64>)
    -> tensor<${segments}x${width}xf32> {
  %zero = arith.constant 0.0 : f32
  %new = tensor.empty() : tensor<${segments}x${width}xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%new : tensor<${segments}x${width}xf32>)
      -> tensor<${segments}x${width}xf32>
  %r = "gs.scatter"(%updates, %zeros, %ids) ({
  ^bb0(%current: f32, %update: f32):
    %new_sum = arith.addf %current, %update : f32
    gs.yield %new_sum : f32
  }) {scatter_dims = array<i64: 0>, sorted}
      : (tensor<?x${width}xf32>, tensor<${segments}x${width}xf32>, tensor<?x1xi64>)
      -> tensor<${segments}x${width}xf32>
  return %r : tensor<${segments}x${width}xf32>
}
"""

UFUNCS = {"arith.addf": np.add, "arith.maximumf": np.maximum}


def make_rows(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    """A scatter of rows, by a combiner or of rows that do not repeat."""
    initial, updates = floats(rng, (n.rows, n.width)), floats(rng, (n.count, n.width))
    combiner = getattr(n, "combiner", None)
    expected = initial.copy()
    if combiner is None:
        ids = aligned(rng.permutation(n.rows)[: n.count])
        expected[ids] = updates
    else:
        ids = coordinates(rng, n.rows, (n.count,))
        UFUNCS[combiner].at(expected, ids, updates)
    dest = initial.copy()
    dest = aligned(dest)
    rows = Slices(initial, ids, "update" if combiner else "set")
    return Case(
        updates=updates,
        ids=ids,
        tuples=ids[:, None],
        initial=initial,
        dest=dest,
        arguments=(updates, dest, ids[:, None]),
        expected=expected,
        read=updates.nbytes + rows.read,
        written=rows.written,
        slices=(rows,),
    )


def make_segments(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    updates = floats(rng, (n.count, n.width))
    ids = aligned(np.sort(rng.integers(0, n.segments, n.count)))
    out = empty((n.segments, n.width), "f4")
    expected = np.zeros_like(out)
    np.add.at(expected, ids, updates)
    return Case(
        updates=updates,
        ids=ids,
        positions=np.arange(n.count),
        starts=np.searchsorted(ids, np.arange(n.segments + 1)),
        out=out,
        arguments=(updates, ids[:, None]),
        expected=expected,
        read=updates.nbytes + ids.nbytes,
        written=out.nbytes,
    )


def _numpy_set(d: Case) -> np.ndarray:
    d.dest[d.ids] = d.updates
    return d.dest


def _numpy_combine(ufunc: np.ufunc) -> Maker:
    def combine(d: Case) -> np.ndarray:
        ufunc.at(d.dest, d.ids, d.updates)
        return d.dest

    return numpy_call(combine)


def _jax_set(dest: Any, updates: Any, ids: Any) -> Any:
    return dest.at[ids].set(updates, mode="promise_in_bounds", unique_indices=True)


def _jax_add(dest: Any, updates: Any, ids: Any) -> Any:
    return dest.at[ids].add(updates, mode="promise_in_bounds")


def _jax_max(dest: Any, updates: Any, ids: Any) -> Any:
    return dest.at[ids].max(updates, mode="promise_in_bounds")


def _jax_segments(old: Any, updates: Any, ids: Any) -> Any:
    target = (old * 0).at[ids]
    return target.add(updates, mode="promise_in_bounds", indices_are_sorted=True)


def _torch_max(t: Any) -> Any:
    ids = t.ids[:, None].expand(-1, t.dest.shape[1])
    return t.dest.scatter_reduce_(0, ids, t.updates, "amax")


def _torch_segments(t: Any) -> Any:
    bag = t.torch.nn.functional.embedding_bag
    return bag(t.positions, t.updates, t.starts, mode="sum", include_last_offset=True)


def _torch_segment_reduce(t: Any) -> Any:
    return t.torch.segment_reduce(t.updates, "sum", offsets=t.starts, unsafe=True)


def _scipy_segments(d: Case) -> Any:
    from scipy.sparse import csr_matrix

    parts = (np.ones(d.ids.size, np.float32), d.positions, d.starts)
    matrix = csr_matrix(parts, shape=(d.out.shape[0], d.ids.size))
    return lambda: matrix @ d.updates


def _loop(function: Any) -> Maker:
    return lambda d: lambda: function(d.updates, d.ids, d.dest)


ARRAYS = ("updates", "ids")
ND_ARRAYS = ("dest", "tuples", "updates")

SET_PEERS = {
    "numpy assign": numpy_call(_numpy_set),
    "torch index_copy_": over_tensors(lambda t: t.dest.index_copy_(0, t.ids, t.updates)),
    **xla("set", _jax_set, *ARRAYS),
    "onnxruntime ScatterND": onnx_node("ScatterND", *ND_ARRAYS),
    "numba prange": _loop(loops_scatter.set_rows),
}

ADD_PEERS = {
    "numpy add.at": _numpy_combine(np.add),
    "torch index_add_": over_tensors(lambda t: t.dest.index_add_(0, t.ids, t.updates)),
    **xla("add", _jax_add, *ARRAYS),
    "onnxruntime ScatterND": onnx_node("ScatterND", *ND_ARRAYS, reduction="add"),
    "onnxruntime ScatterND (1 thread)": onnx_node(
        "ScatterND", *ND_ARRAYS, threads=1, reduction="add"
    ),
    "numba sequential": _loop(loops_scatter.add_rows),
    "numba owner": _loop(loops_scatter.add_rows_owner),
    "numba columns": _loop(loops_scatter.add_rows_columns),
}

MAX_PEERS = {
    "numpy maximum.at": _numpy_combine(np.maximum),
    "torch scatter_reduce_": over_tensors(_torch_max),
    **xla("max", _jax_max, *ARRAYS),
    "onnxruntime ScatterND": onnx_node("ScatterND", *ND_ARRAYS, reduction="max"),
    "onnxruntime ScatterND (1 thread)": onnx_node(
        "ScatterND", *ND_ARRAYS, threads=1, reduction="max"
    ),
    "numba owner": _loop(loops_scatter.max_rows_owner),
}

SEGMENT_PEERS = {
    "numpy add.reduceat": numpy_call(lambda d: np.add.reduceat(d.updates, d.starts[:-1], 0)),
    "torch embedding_bag": over_tensors(_torch_segments),
    "torch segment_reduce": over_tensors(_torch_segment_reduce),
    **xla("add sorted", _jax_segments, *ARRAYS),
    "scipy csr @": _scipy_segments,
    "numba prange": lambda d: lambda: loops_scatter.segment_sums(d.updates, d.starts, d.out),
}


def set_rows(id: str, title: str, why: str = "", **sizes: int) -> Workload:
    tiny = {"rows": 50, "width": 16, "count": 20}
    return Workload(id, title, SET, make_rows, SET_PEERS, sizes, tiny, why=why)


def combine_rows(id: str, title: str, combiner: str, why: str = "", **sizes: Any) -> Workload:
    peers = ADD_PEERS if combiner == "arith.addf" else MAX_PEERS
    sizes["combiner"] = combiner
    tiny = {"rows": 20, "width": 16, "count": 100}
    return Workload(id, title, COMBINE, make_rows, peers, sizes, tiny, tolerance=1e-5, why=why)


WORKLOADS = [
    set_rows(
        "S01",
        "set 100k of 200k rows, 64 f32",
        "scattered non-temporal stores",
        rows=200_000,
        width=64,
        count=100_000,
    ),
    set_rows(
        "S02",
        "cache write: 256 of 65,536 rows, 1024 f32",
        "start and end of threads",
        rows=65536,
        width=1024,
        count=256,
    ),
    combine_rows(
        "S03", "add 200k to 1M rows, 64 f32", "arith.addf", rows=1_000_000, width=64, count=200_000
    ),
    combine_rows(
        "S04",
        "add 200k to 1,000 rows, 64 f32",
        "arith.addf",
        "updates in order, columns shared by threads",
        rows=1000,
        width=64,
        count=200_000,
    ),
    combine_rows(
        "S05",
        "max of 200k into 50k rows, 64 f32",
        "arith.maximumf",
        "updates in order, columns shared by threads",
        rows=50_000,
        width=64,
        count=200_000,
    ),
    Workload(
        "S09",
        "sorted segments: 500k rows to 50k sums, 64 f32",
        SEGMENTS,
        make_segments,
        SEGMENT_PEERS,
        {"count": 500_000, "segments": 50_000, "width": 64},
        {"count": 400, "segments": 20, "width": 16},
        tolerance=1e-5,
    ),
]
