"""Gathers of single elements: from tables of all sizes, along an axis, by pairs."""

from types import SimpleNamespace
from typing import Any

import loops_gather
import numpy as np
from peers import compiled, numpy_call, onnx_node, over_tensors, xla
from workload import Case, Slices, Workload, coordinates, empty, floats

TAKE = """
func.func @take(%table: tensor<?xf32>, %ids: tensor<?x1x$type>) -> tensor<?xf32> {
  %r = gs.gather %table[%ids] gather_dims([0])
      : (tensor<?xf32>, tensor<?x1x$type>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""

ALONG = """
func.func @along(%table: tensor<?x?xf32>, %ids: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %r = "gs.gather_elements"(%table, %ids) {dim = $dim : i64}
      : (tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""

LAST_AXIS = """
func.func @columns(%x: tensor<?x?xf32>, %ids: tensor<?xi64>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %count = tensor.dim %ids, %c0 : tensor<?xi64>
  %new = tensor.empty(%rows, %count) : tensor<?x?xf32>
  %r = gs.generic (d0, d1) [s0 = %ids[d1]]
      ins(%x[d0, s0]) outs(%new[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (tensor<?x?xf32>, tensor<?xi64>, tensor<?x?xf32>) -> tensor<?x?xf32> {
  ^bb0(%element: f32, %old: f32):
    gs.yield %element : f32
  }
  return %r : tensor<?x?xf32>
}
"""

PAIRS = """
func.func @pairs(%table: tensor<?x?xf32>, %ids: tensor<?x2xi64>) -> tensor<?xf32> {
  %r = gs.gather %table[%ids] gather_dims([0, 1])
      : (tensor<?x?xf32>, tensor<?x2xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def make_take(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    table, ids = floats(rng, (n.size,)), coordinates(rng, n.size, (n.count,), n.type)
    case = _case(table, ids, ids, (n.count,), table[ids])
    case.arguments = (table, ids[:, None])
    return case


def make_along(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    table = floats(rng, n.table)
    ids = coordinates(rng, n.table[n.dim], n.ids)
    place = list(np.indices(n.ids, sparse=True))
    place[n.dim] = ids
    flat = np.ravel_multi_index(tuple(np.broadcast_arrays(*place)), n.table)
    return (
        _case(table, ids, flat, n.ids, np.take_along_axis(table[: n.ids[0]], ids, 1))
        if n.dim
        else _case(table, ids, flat, n.ids, table[ids, np.arange(n.ids[1])])
    )


def make_last_axis(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    table, ids = floats(rng, (n.rows, n.width)), coordinates(rng, n.width, (n.count,))
    flat = np.arange(n.rows)[:, None] * n.width + ids
    case = _case(table, ids, flat, (n.rows, n.count), table[:, ids])
    # Nearly all lines of all rows, one row after the other.
    case.slices = ()
    return case


def make_pairs(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    table, ids = floats(rng, (n.size, n.size)), coordinates(rng, n.size, (n.count, 2))
    flat = ids[:, 0] * n.size + ids[:, 1]
    return _case(table, ids, flat, (n.count,), table[ids[:, 0], ids[:, 1]])


def _case(
    table: np.ndarray, ids: np.ndarray, flat: np.ndarray, shape: Any, expected: np.ndarray
) -> Case:
    out = empty(shape, table.dtype)
    elements = Slices(table.reshape(-1), flat)
    return Case(
        table=table,
        ids=ids,
        out=out,
        arguments=(table, ids),
        expected=expected,
        read=elements.lines + ids.nbytes,
        written=out.nbytes,
        slices=(elements,),
    )


def _jax_take(old: Any, table: Any, ids: Any) -> Any:
    return table.at[ids].get(mode="promise_in_bounds")


def _jax_last_axis(old: Any, table: Any, ids: Any) -> Any:
    return table.at[:, ids].get(mode="promise_in_bounds")


def _jax_pairs(old: Any, table: Any, ids: Any) -> Any:
    return table.at[ids[:, 0], ids[:, 1]].get(mode="promise_in_bounds")


def _jax_along(dim: int) -> Any:
    def along(old: Any, table: Any, ids: Any) -> Any:
        import jax.numpy as jnp

        some = table[: ids.shape[0]] if dim else table[:, : ids.shape[1]]
        return jnp.take_along_axis(some, ids, dim, mode="promise_in_bounds")

    return along


def _torch_pairs(t: Any) -> Any:
    # `take` is torch's fastest way to single elements; the positions are part of the work.
    return t.torch.take(t.table, t.ids[:, 0] * t.table.shape[1] + t.ids[:, 1], out=t.out)


def _compiled_take(table: Any, ids: Any, out: Any) -> Any:
    return out.copy_(table[ids])


def _compiled_pairs(table: Any, ids: Any, out: Any) -> Any:
    return out.copy_(table[ids[:, 0], ids[:, 1]])


def _compiled_along(dim: int) -> Any:
    return lambda table, ids, out: out.copy_(table.gather(dim, ids))


def _compiled_last_axis(table: Any, ids: Any, out: Any) -> Any:
    return out.copy_(table[:, ids])


ARRAYS = ("table", "ids", "out")

ELEMENTS = "elements one by one"
"""What takes the time where lines do not."""

TAKE_PEERS = {
    "numpy take": numpy_call(lambda d: np.take(d.table, d.ids, out=d.out, mode="clip")),
    "torch index_select": over_tensors(
        lambda t: t.torch.index_select(t.table, 0, t.ids, out=t.out)
    ),
    "torch.compile": compiled(_compiled_take, *ARRAYS),
    **xla("get", _jax_take, "table", "ids"),
    "onnxruntime Gather": onnx_node("Gather", "table", "ids", axis=0),
    "numba prange": lambda d: lambda: loops_gather.elements(d.table, d.ids, d.out),
}


def along_peers(dim: int) -> dict[str, Any]:
    loop = (loops_gather.along_dim0, loops_gather.along_dim1)[dim]

    def numpy_along(d: Case) -> np.ndarray:
        some = d.table[: d.ids.shape[0]] if dim else d.table[:, : d.ids.shape[1]]
        return np.take_along_axis(some, d.ids, dim)

    return {
        "numpy take_along_axis": numpy_call(numpy_along),
        "torch gather": over_tensors(lambda t: t.torch.gather(t.table, dim, t.ids, out=t.out)),
        "torch.compile": compiled(_compiled_along(dim), *ARRAYS),
        **xla("take_along_axis", _jax_along(dim), "table", "ids"),
        "onnxruntime GatherElements": onnx_node("GatherElements", "table", "ids", axis=dim),
        "numba prange": lambda d: lambda: loop(d.table, d.ids, d.out),
    }


LAST_AXIS_PEERS = {
    "numpy take": numpy_call(lambda d: np.take(d.table, d.ids, 1, out=d.out, mode="clip")),
    "torch index_select": over_tensors(
        lambda t: t.torch.index_select(t.table, 1, t.ids, out=t.out)
    ),
    "torch.compile": compiled(_compiled_last_axis, *ARRAYS),
    **xla("get", _jax_last_axis, "table", "ids"),
    "onnxruntime Gather": onnx_node("Gather", "table", "ids", axis=1),
    "numba prange": lambda d: lambda: loops_gather.last_axis(d.table, d.ids, d.out),
}

PAIR_PEERS = {
    "numpy": numpy_call(lambda d: d.table[d.ids[:, 0], d.ids[:, 1]]),
    "torch take": over_tensors(_torch_pairs),
    "torch.compile": compiled(_compiled_pairs, *ARRAYS),
    **xla("get", _jax_pairs, "table", "ids"),
    "onnxruntime GatherND": onnx_node("GatherND", "table", "ids"),
    "numba prange": lambda d: lambda: loops_gather.pairs(d.table, d.ids, d.out),
}


def take(id: str, title: str, size: int, count: int, type: str = "i64") -> Workload:
    sizes = {"size": size, "count": count, "type": type}
    tiny = {"size": 300, "count": 100}
    return Workload(id, title, TAKE, make_take, TAKE_PEERS, sizes, tiny, why=ELEMENTS)


def along(id: str, title: str, dim: int, table: Any, ids: Any) -> Workload:
    sizes = {"dim": dim, "table": table, "ids": ids}
    tiny = {"table": (20, 30), "ids": (20, 17) if dim else (11, 30)}
    why = ELEMENTS if dim else "columns copied to a cache block first"
    return Workload(id, title, ALONG, make_along, along_peers(dim), sizes, tiny, why=why)


WORKLOADS = [
    take("G06", "take: 1M f32 of 16 KB, by i64", 4096, 1 << 20),
    take("G07", "take: 1M f32 of 512 KB, by i64", 128 << 10, 1 << 20),
    take("G08", "take: 4M f32 of 8 MB, by i64", 2 << 20, 4 << 20),
    take("G09", "take: 4M f32 of 256 MB, by i64", 64 << 20, 4 << 20),
    take("G10", "take: 1M f32 of 512 KB, by i32", 128 << 10, 1 << 20, "i32"),
    along("G11", "take_along_axis 1: 2048 x 1024 of 2048 x 4096", 1, (2048, 4096), (2048, 1024)),
    along("G12", "take_along_axis 0: 1024 x 1024 of 4096 x 1024", 0, (4096, 1024), (1024, 1024)),
    Workload(
        "G13",
        "take columns: 1,024 of 2048 x 4096",
        LAST_AXIS,
        make_last_axis,
        LAST_AXIS_PEERS,
        {"rows": 2048, "width": 4096, "count": 1024},
        {"rows": 20, "width": 50, "count": 33},
        why=ELEMENTS,
    ),
    Workload(
        "G14",
        "take by pairs: 1M f32 of 2048 x 2048",
        PAIRS,
        make_pairs,
        PAIR_PEERS,
        {"size": 2048, "count": 1 << 20},
        {"size": 30, "count": 100},
        why="two coordinates per element",
    ),
]
