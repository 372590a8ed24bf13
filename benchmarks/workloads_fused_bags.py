"""Embedding bags and what experts return, as chains of ops that the compiler merges."""

from types import SimpleNamespace
from typing import Any

import loops_gather
import numpy as np
import workloads_bags
from peers import compiled, over_tensors, xla
from workload import Case, Slices, Workload, coordinates, empty, floats
from workloads_fused import chain, rows_of

_BAG = """
func.func @bags(%table: tensor<?x${width}xf32>, %ids: tensor<?x?xi64>$weights)
    -> tensor<?x${width}xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bags = tensor.dim %ids, %c0 : tensor<?x?xi64>
  %each = tensor.dim %ids, %c1 : tensor<?x?xi64>
  %from = tensor.expand_shape %ids [[0], [1, 2]] output_shape [%bags, %each, 1]
      : tensor<?x?xi64> into tensor<?x?x1xi64>
  %found = gs.gather %table[%from] gather_dims([0])
      : (tensor<?x${width}xf32>, tensor<?x?x1xi64>) -> tensor<?x?x${width}xf32>
$before
  %start = arith.constant $start : f32
  %new = tensor.empty(%bags) : tensor<?x${width}xf32>
  %starts = linalg.fill ins(%start : f32) outs(%new : tensor<?x${width}xf32>)
      -> tensor<?x${width}xf32>
  %all = linalg.reduce ins($rows : tensor<?x?x${width}xf32>)
      outs(%starts : tensor<?x${width}xf32>) dimensions = [1]
    (%row: f32, %old: f32) {
      %next = $step %old, %row : f32
      linalg.yield %next : f32
    }
$after
}
"""

_WEIGHTED = """  %space = tensor.empty(%bags, %each) : tensor<?x?x${width}xf32>
  %wide = linalg.broadcast ins(%weights : tensor<?x?xf32>)
      outs(%space : tensor<?x?x${width}xf32>) dimensions = [2]
  %products = arith.mulf %found, %wide : tensor<?x?x${width}xf32>"""

_MEAN = """  %each32 = arith.index_cast %each : index to i32
  %number = arith.sitofp %each32 : i32 to f32
  %numbers = tensor.splat %number[%bags] : tensor<?x${width}xf32>
  %mean = arith.divf %all, %numbers : tensor<?x${width}xf32>
  return %mean : tensor<?x${width}xf32>"""

_RETURN = "  return %all : tensor<?x${width}xf32>"


def _bag(step: str, start: str, weighted: bool = False, after: str = _RETURN) -> str:
    parts = {
        "$weights": ", %weights: tensor<?x?xf32>" if weighted else "",
        "$before": _WEIGHTED if weighted else "",
        "$rows": "%products" if weighted else "%found",
        "$start": start,
        "$step": step,
        "$after": after,
    }
    text = _BAG
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


def _bags(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    table = floats(rng, (n.rows, n.width))
    ids = coordinates(rng, n.rows, (n.bags, n.each))
    out = empty((n.bags, n.width), "f4")
    rows = Slices(table, ids)
    return Case(
        table=table,
        ids=ids,
        out=out,
        arguments=(table, ids),
        expected=np.zeros_like(out),
        read=rows.read,
        written=out.nbytes,
        slices=(rows,),
        temporaries=4 * ids.size * n.width,
    )


def make_mean(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    case = _bags(rng, n)
    for k in range(n.each):
        case.expected += case.table[case.ids[:, k]]
    case.expected /= np.float32(n.each)
    # The sums, and the number by which they are divided.
    case.temporaries += 2 * case.out.nbytes
    return case


def make_max(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    case = _bags(rng, n)
    case.expected = case.table[case.ids].max(1)
    return case


def make_weighted(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    case = _bags(rng, n)
    case.weights = floats(rng, case.ids.shape)
    case.arguments += (case.weights,)
    for k in range(n.each):
        case.expected += case.weights[:, k, None] * case.table[case.ids[:, k]]
    case.read += case.weights.nbytes
    # The rows, the weights as wide as they, and the products.
    case.temporaries *= 3
    return case


def make_experts(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    case = workloads_bags.make_combine(rng, n)
    case.arguments = (case.table, case.ids, case.weights)
    case.temporaries = 3 * case.table.nbytes
    return case


def _torch_bag(mode: str) -> Any:
    def bag(t: Any) -> Any:
        return t.torch.nn.functional.embedding_bag(t.ids, t.table, mode=mode)

    return over_tensors(bag)


def _torch_weighted(t: Any) -> Any:
    bag = t.torch.nn.functional.embedding_bag
    return bag(t.ids, t.table, mode="sum", per_sample_weights=t.weights)


def _jax_weighted(old: Any, table: Any, ids: Any, weights: Any) -> Any:
    return (rows_of(table, ids) * weights[:, :, None]).sum(1)


_MEAN_PEERS = {
    "torch embedding_bag": _torch_bag("mean"),
    "torch.compile mean": compiled(lambda table, ids: table[ids].mean(1), "table", "ids"),
    **xla("get mean", lambda old, table, ids: rows_of(table, ids).mean(1), "table", "ids"),
    "numba prange": lambda d: lambda: loops_gather.mean_bags(d.table, d.ids, d.out),
}

_MAX_PEERS = {
    "torch embedding_bag": _torch_bag("max"),
    "torch.compile amax": compiled(lambda table, ids: table[ids].amax(1), "table", "ids"),
    **xla("get max", lambda old, table, ids: rows_of(table, ids).max(1), "table", "ids"),
    "numba prange": lambda d: lambda: loops_gather.max_bags(d.table, d.ids, d.out),
}

_WEIGHTED_PEERS = {
    "torch embedding_bag": over_tensors(_torch_weighted),
    "torch.compile sum": compiled(
        lambda table, ids, weights: (table[ids] * weights[:, :, None]).sum(1),
        "table",
        "ids",
        "weights",
    ),
    **xla("get sum", _jax_weighted, "table", "ids", "weights"),
    "numba prange": lambda d: lambda: loops_gather.weighted_bags(d.table, d.ids, d.weights, d.out),
}

BAGS = {"rows": 500_000, "width": 128, "bags": 4096, "each": 32}
TINY_BAGS = {"rows": 50, "width": 16, "bags": 20, "each": 5}


def _bag_chain(id: str, title: str, ir: str, make: Any, peers: Any) -> Workload:
    title = f"{title} of 32 of 500k rows, 128 f32"
    return chain(id, title, ir, make, peers, BAGS, TINY_BAGS, workloads_bags.SUMMED)


WORKLOADS = [
    _bag_chain(
        "U04",
        "embedding bags: 4,096 means",
        _bag("arith.addf", "0.0", after=_MEAN),
        make_mean,
        _MEAN_PEERS,
    ),
    _bag_chain(
        "U05",
        "embedding bags: 4,096 maxima",
        _bag("arith.maximumf", "0xFF800000"),
        make_max,
        _MAX_PEERS,
    ),
    _bag_chain(
        "U06",
        "embedding bags: 4,096 weighted sums",
        _bag("arith.addf", "0.0", weighted=True),
        make_weighted,
        _WEIGHTED_PEERS,
    ),
    chain(
        "U10",
        "experts: 4,096 weighted sums of 2 of 8,192 rows, 2048 f32",
        _bag("arith.addf", "0.0", weighted=True),
        make_experts,
        _WEIGHTED_PEERS,
        {"tokens": 4096, "width": 2048},
        {"tokens": 20, "width": 16},
        workloads_bags.STREAMED,
    ),
]
