"""Graph layers: messages along edges, weighted, added up where they arrive."""

from types import SimpleNamespace
from typing import Any

import loops_gather
import loops_scatter
import numpy as np
from peers import xla
from workload import Case, Slices, Workload, aligned, coordinates, empty, floats

MESSAGES = """
func.func @messages(%x: tensor<?x${width}xf32>, %weights: tensor<?xf32>, %receivers: tensor<?xi64>,
    %senders: tensor<?xi64>) -> tensor<?x${width}xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %count = tensor.dim %x, %c0 : tensor<?x${width}xf32>
  %new = tensor.empty(%count) : tensor<?x${width}xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%new : tensor<?x${width}xf32>)
      -> tensor<?x${width}xf32>
  %sums = "gs.generic"(%x, %weights, %receivers, %senders, %zeros) ({
  ^bb0(%row: f32, %weight: f32, %sum: f32):
    %product = arith.mulf %weight, %row : f32
    %next = arith.addf %sum, %product : f32
    gs.yield %next : f32
  }) {
    coordinate_maps = [[affine_map<(edge, j)[to, from] -> (edge)>],
                       [affine_map<(edge, j)[to, from] -> (edge)>]],
    indexing_maps = [affine_map<(edge, j)[to, from] -> (from, j)>,
                     affine_map<(edge, j)[to, from] -> (edge)>,
                     affine_map<(edge, j)[to, from] -> (to, j)>],
    iterator_types = ["reduction", "parallel"],$promise
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<?x${width}xf32>, tensor<?xf32>, tensor<?xi64>, tensor<?xi64>, tensor<?x${width}xf32>)
      -> tensor<?x${width}xf32>
  return %sums : tensor<?x${width}xf32>
}
"""


def make_messages(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    x, weights = floats(rng, (n.nodes, n.width)), floats(rng, (n.edges,))
    senders = coordinates(rng, n.nodes, (n.edges,))
    receivers = coordinates(rng, n.nodes, (n.edges,))
    if n.promise:
        order = np.lexsort((senders, receivers))
        senders, receivers = aligned(senders[order]), aligned(receivers[order])
    out = empty((n.nodes, n.width), "f4")
    expected = np.zeros_like(out)
    np.add.at(expected, receivers, weights[:, None] * x[senders])
    order = np.argsort(receivers, kind="stable")
    starts = np.searchsorted(receivers[order], np.arange(n.nodes + 1))
    sent = Slices(x, senders)
    # In order they come one after the other.
    received = () if n.promise else (Slices(out, receivers, "update"),)
    return Case(
        x=x,
        weights=weights,
        senders=senders,
        receivers=receivers,
        starts=starts,
        columns=aligned(senders[order]),
        ordered_weights=aligned(weights[order]),
        out=out,
        arguments=(x, weights, receivers, senders),
        expected=expected,
        read=sent.read + receivers.nbytes + weights.nbytes,
        written=out.nbytes,
        slices=(sent, *received),
    )


def _jax_messages(sorted: bool) -> Any:
    def messages(old: Any, x: Any, weights: Any, senders: Any, receivers: Any) -> Any:
        values = x.at[senders].get(mode="promise_in_bounds") * weights[:, None]
        target = (old * 0).at[receivers]
        return target.add(values, mode="promise_in_bounds", indices_are_sorted=sorted)

    return messages


def _torch_messages(d: Case) -> Any:
    import torch

    x, weights, senders, receivers, out = (
        torch.from_numpy(array) for array in (d.x, d.weights, d.senders, d.receivers, d.out)
    )
    values = torch.empty(len(d.senders), d.x.shape[1])

    def run() -> Any:
        torch.index_select(x, 0, senders, out=values)
        values.mul_(weights[:, None])
        return out.zero_().index_add_(0, receivers, values)

    return run


def _torch_csr(d: Case) -> Any:
    import torch

    matrix = torch.sparse_csr_tensor(
        torch.from_numpy(d.starts),
        torch.from_numpy(d.columns),
        torch.from_numpy(d.ordered_weights),
        (d.x.shape[0], d.x.shape[0]),
        check_invariants=False,
    )
    x, out = torch.from_numpy(d.x), torch.from_numpy(d.out)
    return lambda: torch.mm(matrix, x, out=out)


def _scipy_csr(d: Case) -> Any:
    from scipy.sparse import csr_matrix

    parts = (d.ordered_weights, d.columns, d.starts)
    matrix = csr_matrix(parts, shape=(d.x.shape[0], d.x.shape[0]))
    return lambda: matrix @ d.x


def _numba_csr(d: Case) -> Any:
    arrays = (d.starts, d.columns, d.ordered_weights, d.x, d.out)
    return lambda: loops_gather.sparse_times_dense(*arrays)


def _numba_owner(d: Case) -> Any:
    arrays = (d.x, d.weights, d.senders, d.receivers, d.out)
    return lambda: loops_scatter.messages_owner(*arrays)


MESSAGE_ARRAYS = ("x", "weights", "senders", "receivers")

MESSAGE_PEERS = {
    "torch index_add_": _torch_messages,
    **xla("add", _jax_messages(False), *MESSAGE_ARRAYS),
    "numba owner": _numba_owner,
}

SORTED_PEERS = {
    "torch csr @": _torch_csr,
    **xla("add sorted", _jax_messages(True), *MESSAGE_ARRAYS),
    "scipy csr @": _scipy_csr,
    "numba csr": _numba_csr,
}

GRAPH = {"nodes": 50_000, "edges": 500_000, "width": 64}
TINY_GRAPH = {"nodes": 30, "edges": 200, "width": 16}

WORKLOADS = [
    Workload(
        "F01",
        "graph layer: 50k nodes x 64, 500k edges in any order",
        MESSAGES,
        make_messages,
        MESSAGE_PEERS,
        {**GRAPH, "promise": ""},
        TINY_GRAPH,
        tolerance=1e-5,
        why="edges in any order",
    ),
    Workload(
        "F01b",
        "graph layer: 50k nodes x 64, 500k edges sorted by receiver",
        MESSAGES,
        make_messages,
        SORTED_PEERS,
        {**GRAPH, "promise": "\n    sorted,"},
        TINY_GRAPH,
        tolerance=1e-5,
        why="a branch per sum of about ten rows",
    ),
]
