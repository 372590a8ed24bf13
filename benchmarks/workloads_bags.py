"""Bags of rows: sums of embeddings, weighted sums of what experts return."""

from types import SimpleNamespace
from typing import Any

import loops_gather
import numpy as np
from peers import numpy_call, over_tensors, xla
from workload import Case, Slices, Workload, aligned, coordinates, empty, floats

BAGS = """
func.func @bags(%table: tensor<?x${width}xf32>, %ids: tensor<?x?xi64>) -> tensor<?x${width}xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %count = tensor.dim %ids, %c0 : tensor<?x?xi64>
  %new = tensor.empty(%count) : tensor<?x${width}xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%new : tensor<?x${width}xf32>)
      -> tensor<?x${width}xf32>
  %sums = gs.generic (bag, k, j) [id = %ids[bag, k]]
      ins(%table[id, j]) outs(%zeros[bag, j])
      iterators(bag = parallel, k = reduction, j = parallel)
      : (tensor<?x${width}xf32>, tensor<?x?xi64>, tensor<?x${width}xf32>)
      -> tensor<?x${width}xf32> {
  ^bb0(%row: f32, %sum: f32):
    %next = arith.addf %sum, %row : f32
    gs.yield %next : f32
  }
  return %sums : tensor<?x${width}xf32>
}
"""

COMBINE = """
func.func @combine(%rows: tensor<?x${width}xf32>, %weights: tensor<?x?xf32>,
    %ids: tensor<?x?xi64>) -> tensor<?x${width}xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %count = tensor.dim %ids, %c0 : tensor<?x?xi64>
  %new = tensor.empty(%count) : tensor<?x${width}xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%new : tensor<?x${width}xf32>)
      -> tensor<?x${width}xf32>
  %sums = gs.generic (token, k, j) [id = %ids[token, k]]
      ins(%rows[id, j], %weights[token, k]) outs(%zeros[token, j])
      iterators(token = parallel, k = reduction, j = parallel)
      : (tensor<?x${width}xf32>, tensor<?x?xf32>, tensor<?x?xi64>, tensor<?x${width}xf32>)
      -> tensor<?x${width}xf32> {
  ^bb0(%row: f32, %weight: f32, %sum: f32):
    %product = arith.mulf %weight, %row : f32
    %next = arith.addf %sum, %product : f32
    gs.yield %next : f32
  }
  return %sums : tensor<?x${width}xf32>
}
"""


def make_bags(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    table = floats(rng, (n.rows, n.width))
    ids = coordinates(rng, n.rows, (n.bags, n.each))
    out = empty((n.bags, n.width), "f4")
    expected = np.zeros_like(out)
    for k in range(n.each):
        expected += table[ids[:, k]]
    rows = Slices(table, ids)
    flat, starts = ids.ravel(), np.arange(0, ids.size, n.each)
    return Case(
        table=table,
        ids=ids,
        flat=flat,
        starts=starts,
        out=out,
        arguments=(table, ids),
        expected=expected,
        read=rows.read,
        written=out.nbytes,
        slices=(rows,),
    )


def make_combine(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    table, weights = floats(rng, (2 * n.tokens, n.width)), floats(rng, (n.tokens, 2))
    ids = aligned(rng.permutation(2 * n.tokens).reshape(n.tokens, 2))
    out = empty((n.tokens, n.width), "f4")
    expected = np.zeros_like(out)
    for k in range(2):
        expected += weights[:, k, None] * table[ids[:, k]]
    rows = Slices(table, ids)
    return Case(
        table=table,
        ids=ids,
        weights=weights,
        out=out,
        arguments=(table, weights, ids),
        expected=expected,
        read=rows.read + weights.nbytes,
        written=out.nbytes,
        slices=(rows,),
    )


def _embedding_bag(t: Any) -> Any:
    return t.torch.nn.functional.embedding_bag(t.ids, t.table, mode="sum")


def _weighted_bag(t: Any) -> Any:
    bag = t.torch.nn.functional.embedding_bag
    return bag(t.ids, t.table, mode="sum", per_sample_weights=t.weights)


def _jax_bags(old: Any, table: Any, ids: Any) -> Any:
    return table.at[ids].get(mode="promise_in_bounds").sum(1)


def _jax_combine(old: Any, table: Any, ids: Any, weights: Any) -> Any:
    return (table.at[ids].get(mode="promise_in_bounds") * weights[:, :, None]).sum(1)


def _scipy_bags(d: Case) -> Any:
    from scipy.sparse import csr_matrix

    ones = np.ones(d.flat.size, np.float32)
    starts = np.append(d.starts, d.flat.size)
    matrix = csr_matrix((ones, d.flat, starts), shape=(d.ids.shape[0], d.table.shape[0]))
    return lambda: matrix @ d.table


BAG_PEERS = {
    "numpy add.reduceat": numpy_call(lambda d: np.add.reduceat(d.table[d.flat], d.starts, 0)),
    "torch embedding_bag": over_tensors(_embedding_bag),
    **xla("get sum", _jax_bags, "table", "ids"),
    "scipy csr @": _scipy_bags,
    "numba prange": lambda d: lambda: loops_gather.bags(d.table, d.ids, d.out),
}

COMBINE_PEERS = {
    "numpy einsum": numpy_call(lambda d: np.einsum("tk,tkj->tj", d.weights, d.table[d.ids])),
    "torch embedding_bag": over_tensors(_weighted_bag),
    **xla("get sum", _jax_combine, "table", "ids", "weights"),
    "numba prange": lambda d: lambda: loops_gather.weighted_bags(d.table, d.ids, d.weights, d.out),
}


SUMMED = "scattered rows, summed in order"
STREAMED = "scattered rows and non-temporal stores"


def bags(id: str, title: str, width: int, count: int, each: int) -> Workload:
    sizes = {"rows": 1_000_000, "width": width, "bags": count, "each": each}
    tiny = {"rows": 50, "width": 16, "bags": 20, "each": 5}
    return Workload(id, title, BAGS, make_bags, BAG_PEERS, sizes, tiny, tolerance=1e-5, why=SUMMED)


WORKLOADS = [
    bags("G05", "embedding bags: 4,096 sums of 32 of 1M rows, 128 f32", 128, 4096, 32),
    bags("G05b", "short bags: 16,384 sums of 8 of 1M rows, 64 f32", 64, 16_384, 8),
    Workload(
        "F02",
        "experts: 4,096 weighted sums of 2 of 8,192 rows, 2048 f32",
        COMBINE,
        make_combine,
        COMBINE_PEERS,
        {"tokens": 4096, "width": 2048},
        {"tokens": 20, "width": 16},
        tolerance=1e-5,
        why=STREAMED,
    ),
]
