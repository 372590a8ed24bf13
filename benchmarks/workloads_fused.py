"""A gather, what is computed from it, and a scatter: chains of ops that the compiler merges."""

from types import SimpleNamespace
from typing import Any

import loops_gather
import numpy as np
from peers import compiled, over_tensors, xla
from workload import Case, Slices, Workload, aligned, coordinates, empty, floats

SCORES = """
func.func @scores(%keys: tensor<?x${width}xf32>, %ids: tensor<?xi32>, %query: tensor<${width}xf32>)
    -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %count = tensor.dim %ids, %c0 : tensor<?xi32>
  %from = tensor.expand_shape %ids [[0, 1]] output_shape [%count, 1]
      : tensor<?xi32> into tensor<?x1xi32>
  %found = gs.gather %keys[%from] gather_dims([0])
      : (tensor<?x${width}xf32>, tensor<?x1xi32>) -> tensor<?x${width}xf32>
  %new = tensor.empty(%count) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%new : tensor<?xf32>) -> tensor<?xf32>
  %scores = linalg.matvec
      ins(%found, %query : tensor<?x${width}xf32>, tensor<${width}xf32>)
      outs(%zeros : tensor<?xf32>) -> tensor<?xf32>
  return %scores : tensor<?xf32>
}
"""

PAGES = """
func.func @scores(%keys: tensor<?x${page}x${heads}x${width}xf32>, %pages: tensor<?x?xi32>,
    %query: tensor<?x${heads}x${width}xf32>) -> tensor<?x?x${page}x${heads}xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %batch = tensor.dim %pages, %c0 : tensor<?x?xi32>
  %each = tensor.dim %pages, %c1 : tensor<?x?xi32>
  %from = tensor.expand_shape %pages [[0], [1, 2]] output_shape [%batch, %each, 1]
      : tensor<?x?xi32> into tensor<?x?x1xi32>
  %found = gs.gather %keys[%from] gather_dims([0])
      : (tensor<?x${page}x${heads}x${width}xf32>, tensor<?x?x1xi32>)
      -> tensor<?x?x${page}x${heads}x${width}xf32>
  %new = tensor.empty(%batch, %each) : tensor<?x?x${page}x${heads}xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%new : tensor<?x?x${page}x${heads}xf32>)
      -> tensor<?x?x${page}x${heads}xf32>
  %scores = linalg.generic {
      indexing_maps = [affine_map<(b, p, t, h, d) -> (b, p, t, h, d)>,
                       affine_map<(b, p, t, h, d) -> (b, h, d)>,
                       affine_map<(b, p, t, h, d) -> (b, p, t, h)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%found, %query : tensor<?x?x${page}x${heads}x${width}xf32>,
                           tensor<?x${heads}x${width}xf32>)
      outs(%zeros : tensor<?x?x${page}x${heads}xf32>) {
  ^bb0(%key: f32, %q: f32, %sum: f32):
    %product = arith.mulf %key, %q : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x?x${page}x${heads}xf32>
  return %scores : tensor<?x?x${page}x${heads}xf32>
}
"""

UPDATE = """
func.func @update(%y: tensor<?x${width}xf32> {bufferization.writable = true}, %ids: tensor<?xi64>)
    -> tensor<?x${width}xf32> {
  %c0 = arith.constant 0 : index
  %count = tensor.dim %ids, %c0 : tensor<?xi64>
  %at = tensor.expand_shape %ids [[0, 1]] output_shape [%count, 1]
      : tensor<?xi64> into tensor<?x1xi64>
  %rows = gs.gather %y[%at] gather_dims([0]) unique
      : (tensor<?x${width}xf32>, tensor<?x1xi64>) -> tensor<?x${width}xf32>
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %halves = tensor.splat %half[%count] : tensor<?x${width}xf32>
  %ones = tensor.splat %one[%count] : tensor<?x${width}xf32>
  %scaled = arith.mulf %rows, %halves : tensor<?x${width}xf32>
  %moved = arith.addf %scaled, %halves : tensor<?x${width}xf32>
  %new = arith.minimumf %moved, %ones : tensor<?x${width}xf32>
  %result = gs.scatter %new into %y[%at] scatter_dims([0]) unique
      : (tensor<?x${width}xf32>, tensor<?x${width}xf32>, tensor<?x1xi64>)
      -> tensor<?x${width}xf32>
  return %result : tensor<?x${width}xf32>
}
"""


def make_scores(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    keys, query = floats(rng, (n.rows, n.width)), floats(rng, (n.width,))
    # Pages in any order, the tokens of a page one after the other.
    pages = rng.integers(0, n.rows // n.page, n.count // n.page)
    ids = aligned((pages[:, None] * n.page + np.arange(n.page)).ravel().astype(np.int32))
    out = empty((ids.size,), "f4")
    expected = np.zeros_like(out)
    for j in range(n.width):
        expected += keys[ids, j] * query[j]
    rows = Slices(keys, ids)
    return Case(
        keys=keys,
        query=query,
        ids=ids,
        out=out,
        arguments=(keys, ids, query),
        expected=expected,
        read=rows.read + query.nbytes,
        written=out.nbytes,
        slices=(rows,),
        temporaries=4 * ids.size * n.width,
    )


def make_pages(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    keys = floats(rng, (n.pages, n.page, n.heads, n.width))
    query = floats(rng, (n.batch, n.heads, n.width))
    ids = coordinates(rng, n.pages, (n.batch, n.each), "i32")
    out = empty((n.batch, n.each, n.page, n.heads), "f4")
    expected = np.zeros_like(out)
    for j in range(n.width):
        expected += keys[..., j][ids] * query[:, None, None, :, j]
    pages = Slices(keys, ids)
    return Case(
        keys=keys,
        query=query,
        ids=ids,
        out=out,
        arguments=(keys, ids, query),
        expected=expected,
        read=pages.read + query.nbytes,
        written=out.nbytes,
        slices=(pages,),
        temporaries=ids.size * pages.bytes,
    )


def _f(rows: Any, minimum: Any) -> Any:
    return minimum(rows * 0.5 + 0.5, 1.0)


def make_update(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    dest = floats(rng, (n.rows, n.width))
    ids = aligned(rng.permutation(n.rows)[: n.count])
    expected = dest.copy()
    expected[ids] = _f(dest[ids], np.minimum)
    moved = n.count * n.width * 4
    rows = Slices(dest, ids, "update")
    return Case(
        dest=dest,
        initial=dest.copy(),
        ids=ids,
        arguments=(dest, ids),
        expected=expected,
        read=rows.read,
        written=rows.written,
        slices=(rows,),
        # The rows, two splats, and three results.
        temporaries=6 * moved,
    )


def rows_of(table: Any, ids: Any) -> Any:
    """Rows of one of JAX's arrays."""
    return table.at[ids].get(mode="promise_in_bounds")


def _torch_scores(t: Any) -> Any:
    return t.torch.mv(t.torch.index_select(t.keys, 0, t.ids), t.query, out=t.out)


def _torch_pages(t: Any) -> Any:
    found = t.torch.index_select(t.keys, 0, t.ids.flatten()).view(*t.ids.shape, *t.keys.shape[1:])
    return t.torch.einsum("bpthd,bhd->bpth", found, t.query)


def _jax_pages(old: Any, keys: Any, ids: Any, query: Any) -> Any:
    import jax

    return jax.numpy.einsum("bpthd,bhd->bpth", rows_of(keys, ids), query)


def _compiled_pages(keys: Any, ids: Any, query: Any) -> Any:
    return (keys[ids] * query[:, None, None]).sum(-1)


def _torch_update(d: Case) -> Any:
    import torch

    dest, ids = torch.from_numpy(d.dest), torch.from_numpy(d.ids)
    rows = torch.empty(len(d.ids), d.dest.shape[1])

    def run() -> Any:
        torch.index_select(dest, 0, ids, out=rows)
        rows.mul_(0.5).add_(0.5).clamp_(max=1.0)
        return dest.index_copy_(0, ids, rows)

    return run


def _compiled_update(dest: Any, ids: Any) -> Any:
    return dest.index_copy_(0, ids, (dest[ids] * 0.5 + 0.5).clamp(max=1.0))


def _jax_update(dest: Any, ids: Any) -> Any:
    import jax

    rows = _f(rows_of(dest, ids), jax.numpy.minimum)
    return dest.at[ids].set(rows, mode="promise_in_bounds", unique_indices=True)


_SCORES_PEERS = {
    "torch index_select mv": over_tensors(_torch_scores),
    "torch.compile [] @": compiled(
        lambda keys, ids, query: keys[ids] @ query, "keys", "ids", "query"
    ),
    **xla(
        "get @", lambda old, keys, ids, query: rows_of(keys, ids) @ query, "keys", "ids", "query"
    ),
    "numba prange": lambda d: lambda: loops_gather.scores(d.keys, d.ids, d.query, d.out),
}

_PAGES_PEERS = {
    "torch index_select einsum": over_tensors(_torch_pages),
    "torch.compile sum": compiled(_compiled_pages, "keys", "ids", "query"),
    **xla("get einsum", _jax_pages, "keys", "ids", "query"),
}

_UPDATE_PEERS = {
    "torch index_copy_": _torch_update,
    "torch.compile index_copy_": compiled(_compiled_update, "dest", "ids"),
    **xla("set", _jax_update, "ids"),
    "numba prange": lambda d: lambda: loops_gather.update_rows(d.dest, d.ids),
}


def chain(
    id: str, title: str, ir: str, make: Any, peers: Any, sizes: Any, tiny: Any, why: str = ""
) -> Workload:
    """An entry of the table of chains, whose peers sum floats as they like."""
    return Workload(id, title, ir, make, peers, sizes, tiny, tolerance=1e-5, chain=True, why=why)


WORKLOADS = [
    chain(
        "U07",
        "paged attention: 32k keys of 128 f32 in pages of 16, times a query",
        SCORES,
        make_scores,
        _SCORES_PEERS,
        {"rows": 262_144, "width": 128, "page": 16, "count": 32_768},
        {"rows": 64, "width": 16, "page": 4, "count": 32},
        "sums in order, rows transposed into lanes",
    ),
    chain(
        "U07b",
        "paged attention: scores, 8 queries of 8 heads x 64, 128 pages of 16",
        PAGES,
        make_pages,
        _PAGES_PEERS,
        {"pages": 4096, "page": 16, "heads": 8, "width": 64, "batch": 8, "each": 128},
        {"pages": 20, "page": 4, "heads": 2, "width": 16, "batch": 3, "each": 5},
        "sums in order",
    ),
    chain(
        "U08",
        "y[ids] = f(y[ids]): 200k distinct of 1M rows, 64 f32",
        UPDATE,
        make_update,
        _UPDATE_PEERS,
        {"rows": 1_000_000, "width": 64, "count": 200_000},
        {"rows": 50, "width": 16, "count": 20},
    ),
]
