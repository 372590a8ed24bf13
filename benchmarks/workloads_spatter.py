"""Patterns of the Spatter benchmark, as numbers in the IR: four of them, and its whole suite."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import loops_gather
import numpy as np
from peers import numpy_call, over_tensors
from spatter_suite import AMG, LULESH, NEKBONE, patterns, uniform
from workload import LINE, Case, Slices, Workload, aligned, empty, floats

GATHER = """
func.func @pattern(%source: tensor<?xf64>, %new: tensor<?x${length}xf64>
    {bufferization.writable = true}) -> tensor<?x${length}xf64> {
  %offsets = arith.constant dense<$pattern> : tensor<${length}xindex>
  %r = "gs.generic"(%source, %offsets, %new) ({
  ^bb0(%element: f64, %old: f64):
    gs.yield %element : f64
  }) {
    coordinate_maps = [[affine_map<(i, j)[s] -> (j)>]],
    indexing_maps = [affine_map<(i, j)[s] -> (i * $delta + s)>, affine_map<(i, j)[s] -> (i, j)>],
    iterator_types = ["parallel", "parallel"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<?xf64>, tensor<${length}xindex>, tensor<?x${length}xf64>) -> tensor<?x${length}xf64>
  return %r : tensor<?x${length}xf64>
}
"""

SCATTER = """
func.func @pattern(%updates: tensor<?x${length}xf64>, %dest: tensor<?xf64>
    {bufferization.writable = true}) -> tensor<?xf64> {
  %offsets = arith.constant dense<$pattern> : tensor<${length}xindex>
  %r = "gs.generic"(%updates, %offsets, %dest) ({
  ^bb0(%update: f64, %old: f64):
    gs.yield %update : f64
  }) {
    coordinate_maps = [[affine_map<(i, j)[s] -> (j)>]],
    indexing_maps = [affine_map<(i, j)[s] -> (i, j)>, affine_map<(i, j)[s] -> (i * $delta + s)>],
    iterator_types = ["reduction", "reduction"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<?x${length}xf64>, tensor<${length}xindex>, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
"""


IN_LINE = LINE // 8
"""Elements of a line."""


def _positions(n: SimpleNamespace) -> np.ndarray:
    return _moved(n.pattern, n.delta, n.count)


def _moved(offsets: Sequence[int], delta: int, count: int) -> np.ndarray:
    return np.arange(count)[:, None] * delta + np.array(offsets)


def _lines(memory: np.ndarray, positions: np.ndarray, access: str) -> Slices:
    """The lines of `memory` that elements at `positions` lie in, each when it is met first; but not
    a last one of which there is only a part."""
    lines = memory[: memory.size // IN_LINE * IN_LINE].reshape(-1, IN_LINE)
    at = positions.ravel() // IN_LINE
    first = np.full(int(at.max()) + 1, -1)
    # Of what is assigned several times the last value stays.
    first[at[::-1]] = np.arange(at.size)[::-1]
    met = np.flatnonzero(first[: len(lines)] >= 0)
    in_order = met[np.argsort(first[met], kind="stable")]
    return Slices(lines, aligned(in_order.astype(np.int32)), access)


def _lines_that_stay(positions: np.ndarray) -> int:
    """Bytes of the lines of updates of which some are not overwritten by later ones."""
    last = np.full(int(positions.max()) + 1, -1)
    last[positions.ravel()] = np.arange(positions.size)
    return np.unique(last[last >= 0] // IN_LINE).size * LINE


def make_gather(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    positions = _positions(n)
    source = floats(rng, (int(positions.max()) + 1,), "f64")
    dest = empty(positions.shape, "f8")
    touched = _lines(source, positions, "read")
    return Case(
        source=source,
        flat=positions.ravel(),
        initial=np.zeros_like(dest),
        dest=dest,
        line=dest.reshape(-1),
        pattern=n.pattern,
        delta=n.delta,
        arguments=(source, dest),
        expected=source[positions],
        read=touched.lines,
        written=dest.nbytes,
        slices=(touched,),
    )


def make_scatter(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    positions = _positions(n)
    updates = floats(rng, positions.shape, "f64")
    dest = empty((int(positions.max()) + 1,), "f8")
    expected = np.zeros_like(dest)
    # Where steps meet the last one stands: NumPy assigns in order.
    expected[positions.ravel()] = updates.ravel()
    # What else is in a line that is written in part has to stay.
    is_whole = dest.size == np.unique(positions).size
    touched = _lines(dest, positions, "set" if is_whole else "update")
    # Where windows do not move, a floor of the last one alone would be less than a call.
    needed = _lines_that_stay(positions) if n.delta else updates.nbytes
    return Case(
        updates=updates,
        line=updates.reshape(-1),
        flat=positions.ravel(),
        initial=np.zeros_like(dest),
        dest=dest,
        pattern=n.pattern,
        delta=n.delta,
        arguments=(updates, dest),
        expected=expected,
        read=needed + (0 if is_whole else touched.lines),
        written=touched.lines,
        slices=(touched,),
    )


def _numpy_gather(d: Case) -> np.ndarray:
    np.take(d.source, d.flat, out=d.line, mode="clip")
    return d.dest


def _numpy_scatter(d: Case) -> np.ndarray:
    d.dest[d.flat] = d.line
    return d.dest


def _torch_gather(t: Any) -> Any:
    t.torch.index_select(t.source, 0, t.flat, out=t.line)
    return t.dest


def _numba_gather(d: Case) -> Any:
    kernel = loops_gather.pattern_gather(tuple(d.pattern), d.delta)
    return lambda: kernel(d.source, d.dest)


def _numba_scatter(d: Case) -> Any:
    kernel = loops_gather.pattern_scatter(tuple(d.pattern), d.delta)
    return lambda: kernel(d.updates, d.dest)


GATHER_PEERS = {
    "numpy take": numpy_call(_numpy_gather),
    "torch index_select": over_tensors(_torch_gather),
    "numba pattern": _numba_gather,
}

SCATTER_PEERS = {
    "numpy assign": numpy_call(_numpy_scatter),
    "torch scatter_": over_tensors(lambda t: t.dest.scatter_(0, t.flat, t.line)),
    "numba pattern": _numba_scatter,
}


def pattern(
    id: str,
    title: str,
    offsets: Sequence[int],
    delta: int,
    count: int,
    scatter: bool = False,
) -> Workload:
    sizes = {"pattern": list(offsets), "length": len(offsets), "delta": delta, "count": count}
    text, make, peers = (
        (SCATTER, make_scatter, SCATTER_PEERS) if scatter else (GATHER, make_gather, GATHER_PEERS)
    )
    why = _why(_moved(offsets, delta, min(count, 1000)), count, scatter)
    return Workload(id, f"Spatter, {title}", text, make, peers, sizes, {"count": 50}, why=why)


SHORT = 1 << 14
"""Elements that move in less time than a few calls take."""


def _why(positions: np.ndarray, count: int, scatter: bool) -> str:
    """What takes the time where lines do not: calls, or elements one by one."""
    if count * positions.shape[1] < SHORT:
        return "overhead of the call"
    moved = np.unique(positions).size if scatter else positions.size
    in_each = moved / np.unique(positions // IN_LINE).size
    if in_each >= 1.5:
        return f"{in_each:.0f} {'stores to' if scatter else 'loads of'} each line"
    return "stores in order that wait for their lines" if scatter else ""


WORKLOADS = [
    pattern("P01", "uniform stride 8, gather", uniform(16, 8), 128, 1 << 18),
    pattern("P02", "AMG-1, gather", AMG[1], 1, 1_454_647),
    pattern("P03", "Nekbone-0, gather", NEKBONE[0][0], 3, 982_980),
    pattern("P04", "LULESH-3, scatter", LULESH[3][0], 8, 128_002, scatter=True),
]

WORKLOADS += [
    pattern(
        f"T{number:02}",
        f"{one.name}, {'scatter' if one.scatter else 'gather'}",
        one.offsets,
        one.delta,
        one.steps,
        one.scatter,
    )
    for number, one in enumerate(patterns(), 1)
]
