"""Chains over points of a few coordinates each, and over the values of attention."""

from types import SimpleNamespace
from typing import Any

import loops_gather
import numpy as np
from peers import compiled, xla
from workload import Case, Slices, coordinates, empty, floats
from workloads_fused import chain, rows_of

LENGTHS = """
func.func @lengths(%points: tensor<?x3xf32>, %from: tensor<?x1xi32>, %to: tensor<?x1xi32>)
    -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %count = tensor.dim %from, %c0 : tensor<?x1xi32>
  %starts = gs.gather %points[%from] gather_dims([0])
      : (tensor<?x3xf32>, tensor<?x1xi32>) -> tensor<?x3xf32>
  %ends = gs.gather %points[%to] gather_dims([0])
      : (tensor<?x3xf32>, tensor<?x1xi32>) -> tensor<?x3xf32>
  %new = tensor.empty(%count) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%new : tensor<?xf32>) -> tensor<?xf32>
  %squares = linalg.generic {
      indexing_maps = [affine_map<(e, d) -> (e, d)>, affine_map<(e, d) -> (e, d)>,
                       affine_map<(e, d) -> (e)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%starts, %ends : tensor<?x3xf32>, tensor<?x3xf32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%start: f32, %end: f32, %sum: f32):
    %way = arith.subf %end, %start : f32
    %square = arith.mulf %way, %way : f32
    %next = arith.addf %sum, %square : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  %lengths = math.sqrt %squares : tensor<?xf32>
  return %lengths : tensor<?xf32>
}
"""

VALUES = """
func.func @values(%values: tensor<?x${page}x${heads}x${width}xf32>, %pages: tensor<?x?xi32>,
    %weights: tensor<?x${heads}x?x${page}xf32>) -> tensor<?x${heads}x${width}xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %batch = tensor.dim %pages, %c0 : tensor<?x?xi32>
  %each = tensor.dim %pages, %c1 : tensor<?x?xi32>
  %from = tensor.expand_shape %pages [[0], [1, 2]] output_shape [%batch, %each, 1]
      : tensor<?x?xi32> into tensor<?x?x1xi32>
  %found = gs.gather %values[%from] gather_dims([0])
      : (tensor<?x${page}x${heads}x${width}xf32>, tensor<?x?x1xi32>)
      -> tensor<?x?x${page}x${heads}x${width}xf32>
  %new = tensor.empty(%batch) : tensor<?x${heads}x${width}xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%new : tensor<?x${heads}x${width}xf32>)
      -> tensor<?x${heads}x${width}xf32>
  %sums = linalg.generic {
      indexing_maps = [affine_map<(b, h, d, p, t) -> (b, p, t, h, d)>,
                       affine_map<(b, h, d, p, t) -> (b, h, p, t)>,
                       affine_map<(b, h, d, p, t) -> (b, h, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%found, %weights : tensor<?x?x${page}x${heads}x${width}xf32>,
                             tensor<?x${heads}x?x${page}xf32>)
      outs(%zeros : tensor<?x${heads}x${width}xf32>) {
  ^bb0(%value: f32, %weight: f32, %sum: f32):
    %product = arith.mulf %value, %weight : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<?x${heads}x${width}xf32>
  return %sums : tensor<?x${heads}x${width}xf32>
}
"""


def make_lengths(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    points = floats(rng, (n.points, 3))
    start, end = (coordinates(rng, n.points, (n.edges, 1), "i32") for _ in range(2))
    out = empty((n.edges,), "f4")
    expected = np.zeros_like(out)
    for d in range(3):
        way = points[end[:, 0], d] - points[start[:, 0], d]
        expected += way * way
    found = Slices(points, np.concatenate([start, end]))
    return Case(
        points=points,
        start=start,
        end=end,
        out=out,
        arguments=(points, start, end),
        expected=np.sqrt(expected),
        read=found.read,
        written=out.nbytes,
        slices=(found,),
        # Both ends, and squares.
        temporaries=2 * n.edges * 12 + out.nbytes,
    )


def make_values(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    values = floats(rng, (n.pages, n.page, n.heads, n.width))
    weights = floats(rng, (n.batch, n.heads, n.each, n.page))
    ids = coordinates(rng, n.pages, (n.batch, n.each), "i32")
    out = empty((n.batch, n.heads, n.width), "f4")
    expected = np.zeros_like(out)
    for p in range(n.each):
        for t in range(n.page):
            expected += values[ids[:, p], t] * weights[:, :, p, t, None]
    pages = Slices(values, ids)
    return Case(
        values=values,
        weights=weights,
        ids=ids,
        out=out,
        arguments=(values, ids, weights),
        expected=expected,
        read=pages.read + weights.nbytes,
        written=out.nbytes,
        slices=(pages,),
        temporaries=ids.size * pages.bytes,
    )


def _compiled_lengths(points: Any, start: Any, end: Any) -> Any:
    return (points[end[:, 0]] - points[start[:, 0]]).square().sum(-1).sqrt()


def _jax_lengths(old: Any, points: Any, start: Any, end: Any) -> Any:
    import jax

    ways = rows_of(points, end[:, 0]) - rows_of(points, start[:, 0])
    return jax.numpy.sqrt(jax.numpy.square(ways).sum(-1))


def _compiled_values(values: Any, ids: Any, weights: Any) -> Any:
    return (values[ids].permute(0, 3, 1, 2, 4) * weights[..., None]).sum((2, 3))


def _jax_values(old: Any, values: Any, ids: Any, weights: Any) -> Any:
    import jax

    return jax.numpy.einsum("bpthd,bhpt->bhd", rows_of(values, ids), weights)


_LENGTHS_PEERS = {
    "torch.compile [] sum": compiled(_compiled_lengths, "points", "start", "end"),
    **xla("get sum", _jax_lengths, "points", "start", "end"),
    "numba prange": lambda d: (
        lambda: loops_gather.lengths(d.points, d.start[:, 0], d.end[:, 0], d.out)
    ),
}

_VALUES_PEERS = {
    "torch.compile sum": compiled(_compiled_values, "values", "ids", "weights"),
    **xla("get einsum", _jax_values, "values", "ids", "weights"),
    "numba prange": lambda d: (
        lambda: loops_gather.weighted_values(d.values, d.ids, d.weights, d.out)
    ),
}

WORKLOADS = [
    chain(
        "U11",
        "lengths of 2M edges between 300k points, 3 f32",
        LENGTHS,
        make_lengths,
        _LENGTHS_PEERS,
        {"points": 300_000, "edges": 2_000_000},
        {"points": 40, "edges": 100},
    ),
    chain(
        "U12",
        "paged attention: weighted values, 8 queries of 8 heads x 64, 128 pages of 16",
        VALUES,
        make_values,
        _VALUES_PEERS,
        {"pages": 4096, "page": 16, "heads": 8, "width": 64, "batch": 8, "each": 128},
        {"pages": 20, "page": 4, "heads": 2, "width": 16, "batch": 3, "each": 5},
        "sums in order",
    ),
]
