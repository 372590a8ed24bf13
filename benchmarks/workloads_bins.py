"""Scatters of single elements: counts, sums per bin, elements along an axis."""

from types import SimpleNamespace
from typing import Any

import loops_scatter
import numpy as np
from peers import numpy_call, onnx_node, over_tensors, xla
from workload import Case, Slices, Workload, aligned, coordinates, empty, floats

COUNT = """
func.func @count(%ids: tensor<?xi64>) -> tensor<${bins}xi64> {
  %zero = arith.constant 0 : i64
  %new = tensor.empty() : tensor<${bins}xi64>
  %zeros = linalg.fill ins(%zero : i64) outs(%new : tensor<${bins}xi64>) -> tensor<${bins}xi64>
  %r = gs.generic (d0) [s0 = %ids[d0]] outs(%zeros[s0]) iterators(d0 = reduction)
      : (tensor<?xi64>, tensor<${bins}xi64>) -> tensor<${bins}xi64> {
  ^bb0(%current: i64):
    %one = arith.constant 1 : i64
    %next = arith.addi %current, %one : i64
    gs.yield %next : i64
  }
  return %r : tensor<${bins}xi64>
}
"""

ADD = """
func.func @add(%updates: tensor<?xf32>, %dest: tensor<?xf32> {bufferization.writable = true},
    %ids: tensor<?x1xi64>) -> tensor<?xf32> {
  %r = gs.scatter %updates into %dest[%ids] scatter_dims([0])
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32> {
  ^bb0(%current: f32, %update: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return %r : tensor<?xf32>
}
"""

ADD_IN_ANY_ORDER = ADD.replace("%update : f32\n", "%update fastmath<reassoc> : f32\n")

ALONG = """
func.func @along(%updates: tensor<?x?xf32>,
    %dest: tensor<?x?xf32> {bufferization.writable = true}, %ids: tensor<?x?xi64>)
    -> tensor<?x?xf32> {
  %r = "gs.scatter_elements"(%updates, %dest, %ids) ({}) {dim = $dim : i64, unique}
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""


def make_count(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    ids = coordinates(rng, n.bins, (n.count,))
    out = empty((n.bins,), "i8")
    return Case(
        ids=ids,
        out=out,
        arguments=(ids,),
        expected=np.bincount(ids, minlength=n.bins),
        read=ids.nbytes,
        written=out.nbytes,
        slices=(Slices(out, ids, "update"),),
    )


def make_add(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    ids, updates = coordinates(rng, n.bins, (n.count,)), floats(rng, (n.count,))
    initial = floats(rng, (n.bins,))
    expected = initial.copy()
    np.add.at(expected, ids, updates)
    case = _in_place(initial, ids, updates, ids, expected, "update")
    case.arguments = (updates, case.dest, ids[:, None])
    return case


def make_along(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    initial, updates = floats(rng, n.dest), floats(rng, n.ids)
    order = np.argsort(rng.random((n.dest[0], n.ids[1]) if n.dim == 0 else n.dest), axis=n.dim)
    ids = aligned(order[: n.ids[0], : n.ids[1]])
    place = list(np.broadcast_arrays(*np.indices(n.ids, sparse=True)))
    place[n.dim] = ids
    expected = initial.copy()
    expected[tuple(place)] = updates
    flat = np.ravel_multi_index(tuple(place), n.dest)
    case = _in_place(initial, ids, updates, flat, expected, "set")
    case.place = tuple(place)
    case.arguments = (updates, case.dest, ids)
    return case


def _in_place(
    initial: np.ndarray,
    ids: np.ndarray,
    updates: np.ndarray,
    flat: np.ndarray,
    expected: np.ndarray,
    access: str,
) -> Case:
    elements = Slices(initial.reshape(-1), flat, access)
    return Case(
        updates=updates,
        ids=ids,
        initial=initial,
        dest=aligned(initial),
        expected=expected,
        read=updates.nbytes + elements.read,
        written=elements.written,
        slices=(elements,),
    )


def _numpy_add(d: Case) -> np.ndarray:
    np.add.at(d.dest, d.ids, d.updates)
    return d.dest


def _numpy_place(d: Case) -> np.ndarray:
    d.dest[d.place] = d.updates
    return d.dest


def _torch_count(t: Any) -> Any:
    return t.torch.bincount(t.ids, minlength=t.out.shape[0])


def _jax_count(old: Any, ids: Any) -> Any:
    return (old * 0).at[ids].add(1, mode="promise_in_bounds")


def _jax_add(dest: Any, updates: Any, ids: Any) -> Any:
    return dest.at[ids].add(updates, mode="promise_in_bounds")


def _jax_along(dim: int) -> Any:
    def along(dest: Any, updates: Any, ids: Any) -> Any:
        import jax.numpy as jnp

        other = jnp.arange(ids.shape[1 - dim])
        place = (ids, other[None]) if dim == 0 else (other[:, None], ids)
        return dest.at[place].set(updates, mode="promise_in_bounds", unique_indices=True)

    return along


def _loop(function: Any) -> Any:
    return lambda d: lambda: function(d.updates, d.ids, d.dest)


COUNT_PEERS = {
    "numpy bincount": numpy_call(lambda d: np.bincount(d.ids, minlength=d.out.size)),
    "torch bincount": over_tensors(_torch_count),
    **xla("add", _jax_count, "ids"),
    "numba private": lambda d: lambda: loops_scatter.count_private(d.ids, d.out),
}

ADD_PEERS = {
    "numpy add.at": numpy_call(_numpy_add),
    "torch scatter_add_": over_tensors(lambda t: t.dest.scatter_add_(0, t.ids, t.updates)),
    "torch index_add_": over_tensors(lambda t: t.dest.index_add_(0, t.ids, t.updates)),
    **xla("add", _jax_add, "updates", "ids"),
    "onnxruntime ScatterElements": onnx_node(
        "ScatterElements", "dest", "ids", "updates", reduction="add"
    ),
    "numba sequential": _loop(loops_scatter.add_elements),
    "numba private": _loop(loops_scatter.add_elements_private),
}


def along(id: str, title: str, dim: int, dest: Any, ids: Any) -> Workload:
    peers = {
        "numpy assign": numpy_call(_numpy_place),
        "torch scatter_": over_tensors(lambda t: t.dest.scatter_(dim, t.ids, t.updates)),
        **xla("set", _jax_along(dim), "updates", "ids"),
        "onnxruntime ScatterElements": onnx_node(
            "ScatterElements", "dest", "ids", "updates", axis=dim
        ),
        "numba": _loop((loops_scatter.set_along_dim0, loops_scatter.set_along_dim1)[dim]),
    }
    sizes = {"dim": dim, "dest": dest, "ids": ids}
    tiny = {"dest": (30, 20), "ids": (10, 20) if dim == 0 else (30, 7)}
    why = "" if dim else "columns copied to a cache block first"
    return Workload(id, title, ALONG, make_along, peers, sizes, tiny, why=why)


def add(id: str, title: str, bins: int, why: str = "", in_any_order: bool = False) -> Workload:
    tiny = {"bins": 16, "count": 100}
    sizes = {"bins": bins, "count": 4 << 20}
    # A bin is a long sum of f32: other orders differ in more digits.
    ir = ADD_IN_ANY_ORDER if in_any_order else ADD
    return Workload(
        id, title, ir, make_add, ADD_PEERS, sizes, tiny, 1e-4, why=why, in_any_order=in_any_order
    )


WORKLOADS = [
    Workload(
        "S06",
        "count 4M i64 in 256 bins",
        COUNT,
        make_count,
        COUNT_PEERS,
        {"bins": 256, "count": 4 << 20},
        {"bins": 16, "count": 100},
    ),
    add("S07", "add 4M f32 in 256 bins", 256, "one thread, in order"),
    add(
        "S07b",
        "add 4M f32 in 256 bins, in any order",
        256,
        "elements one by one",
        in_any_order=True,
    ),
    add(
        "S08",
        "add 4M f32 in 1M bins",
        1 << 20,
        "one thread, or owner-computes with lists",
    ),
    along("S10", "set along dim 0: 1024 x 1024 in 4096 x 1024", 0, (4096, 1024), (1024, 1024)),
    along("S11", "set along dim 1: 4096 x 256 in 4096 x 1024", 1, (4096, 1024), (4096, 256)),
]
