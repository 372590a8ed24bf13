"""Numbers of equal bins: computed from the value, and compared with the edges of the bin if the
value lies near one."""

from functools import lru_cache
from string import Template
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile

Array = np.ndarray[Any, Any]

_ROOM = 64
"""Bins are wider than so many spacings of their edges' numbers: what is computed is off by less
than one bin, whatever is rounded."""

_NEAR = 16
"""Spacings from an edge within which rounding decides: what is computed is off by half of that."""

_EXACT = 1 << 53
"""Up to this, float64 holds every integer."""

# Values that are fewer are no work for several threads.
_SHARED = 1 << 14


def spacing_of(values: Array, edges: Array) -> float | None:
    """The spacing of the numbers at such edges of equal bins, in bins; None where `numbers` does
    not know them, or values of this dtype."""
    dtype = values.dtype
    if not (dtype.kind in "iuf" and dtype.isnative) or edges.dtype not in _FLOATS:
        return None
    if dtype.kind == "f" and dtype not in _FLOATS:
        return None
    greatest = max(abs(float(edges[0])), abs(float(edges[-1])))
    if dtype.kind in "iu" and (greatest > _EXACT or edges.dtype != np.float64):
        return None
    with np.errstate(over="ignore"):
        width = float(np.diff(edges).min())
        whole = float(edges[-1] - edges[0])
    spacing = float(np.finfo(edges.dtype).eps) * greatest
    return spacing / width if _ROOM * spacing < width and np.isfinite(whole) else None


def numbers(values: Array, edges: Array, spacing: float, result: Array) -> None:
    """`result[k]`, int32, is the i with edges[i] <= values[k] < edges[i + 1], of the last bin also
    where values[k] is its end, and the number of bins for values in none, such as NaN.

    `values`: [n], `edges`: the n + 1 ascending ends of equal bins, `spacing`: their `spacing_of`.
    """
    count = len(edges) - 1
    kind = edges.dtype.type
    run = _kernel(values.dtype, edges.dtype, len(values) >= _SHARED)
    scale = count / (float(edges[-1]) - float(edges[0]))
    near = _NEAR * spacing
    run(values, edges, np.array([scale, near, 1 - near], kind), result)


_FLOATS = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64"}

_LANES = 16

_LOOP = Template("""
func.func @f(%values: memref<?x$value>, %edges: memref<?x$edge>, %scales: memref<3x$edge>,
             %result: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %lanes = arith.constant $lanes : index
  %step = arith.constant 4096 : index
  %i1 = arith.constant 1 : i32
  %n = memref.dim %values, %c0 : memref<?x$value>
  %room = memref.dim %result, %c0 : memref<?xi32>
  %fits = arith.cmpi ule, %n, %room : index
  cf.assert %fits, "a number for each value"
  %ends = memref.dim %edges, %c0 : memref<?x$edge>
  %some = arith.cmpi uge, %ends, %c2 : index
  cf.assert %some, "a bin has two ends"
  %end = arith.subi %ends, %c1 : index
  %first = memref.load %edges[%c0] : memref<?x$edge>
  %final = memref.load %edges[%end] : memref<?x$edge>
  %scale = memref.load %scales[%c0] : memref<3x$edge>
  %near = memref.load %scales[%c1] : memref<3x$edge>
  %far = memref.load %scales[%c2] : memref<3x$edge>
  %count = arith.index_cast %end : index to i32
  %most = arith.subi %count, %i1 : i32
  scf.parallel (%block) = (%c0) to (%n) step (%step) {
    %next = arith.addi %block, %step : index
    %stop = arith.minui %next, %n : index
    %size = arith.subi %stop, %block : index
    %rest = arith.remui %size, %lanes : index
    %whole = arith.subi %stop, %rest : index
    scf.for %k = %block to %whole step %lanes { $many }
    scf.for %k = %whole to %stop step %c1 { $one }
    scf.reduce
  }
  return
}
""")

# Vectors are written out: LLVM does not know that the edges are no part of the result.
_BODY = Template("""
  %value = vector.load %values[%k] : memref<?x$value>, vector<${n}x$value>
  %firsts = vector.broadcast %first : $edge to vector<${n}x$edge>
  %finals = vector.broadcast %final : $edge to vector<${n}x$edge>
  %scaling = vector.broadcast %scale : $edge to vector<${n}x$edge>
  %counts = vector.broadcast %count : i32 to vector<${n}xi32>
  %greatest = vector.broadcast %most : i32 to vector<${n}xi32>
  %zero = arith.constant dense<0.0> : vector<${n}x$edge>
  %i0 = arith.constant dense<0> : vector<${n}xi32>
  %ones = arith.constant dense<1> : vector<${n}xi32>
  %all = arith.constant dense<true> : vector<${n}xi1>
  %x = $converted
  %above = arith.cmpf oge, %x, %firsts : vector<${n}x$edge>
  %below = arith.cmpf ole, %x, %finals : vector<${n}x$edge>
  %inside = arith.andi %above, %below : vector<${n}xi1>
  %moved = arith.subf %x, %firsts : vector<${n}x$edge>
  %scaled = arith.mulf %moved, %scaling : vector<${n}x$edge>
  %guess = arith.select %inside, %scaled, %zero : vector<${n}xi1>, vector<${n}x$edge>
  %truncated = arith.fptosi %guess : vector<${n}x$edge> to vector<${n}xi32>
  %low = arith.maxsi %truncated, %i0 : vector<${n}xi32>
  %bin = arith.minsi %low, %greatest : vector<${n}xi32>
  %floor = arith.sitofp %bin : vector<${n}xi32> to vector<${n}x$edge>
  %part = arith.subf %guess, %floor : vector<${n}x$edge>
  %nears = vector.broadcast %near : $edge to vector<${n}x$edge>
  %fars = vector.broadcast %far : $edge to vector<${n}x$edge>
  %at_start = arith.cmpf ole, %part, %nears : vector<${n}x$edge>
  %at_end = arith.cmpf oge, %part, %fars : vector<${n}x$edge>
  %at_edge = arith.ori %at_start, %at_end : vector<${n}xi1>
  %unsure = arith.andi %at_edge, %inside : vector<${n}xi1>
  %checked = vector.reduction <or>, %unsure : vector<${n}xi1> into i1
  %compared = scf.if %checked -> vector<${n}xi32> {
    %start = vector.gather %edges[%c0] [%bin], %all, %zero : memref<?x$edge>, vector<${n}xi32>,
        vector<${n}xi1>, vector<${n}x$edge> into vector<${n}x$edge>
    %after = vector.gather %edges[%c1] [%bin], %all, %zero : memref<?x$edge>, vector<${n}xi32>,
        vector<${n}xi1>, vector<${n}x$edge> into vector<${n}x$edge>
    %early = arith.cmpf olt, %x, %start : vector<${n}x$edge>
    %reaches = arith.cmpf oge, %x, %after : vector<${n}x$edge>
    %is_last = arith.cmpi eq, %bin, %greatest : vector<${n}xi32>
    %back = arith.select %early, %ones, %i0 : vector<${n}xi1>, vector<${n}xi32>
    %on = arith.select %reaches, %ones, %i0 : vector<${n}xi1>, vector<${n}xi32>
    %forth = arith.select %is_last, %i0, %on : vector<${n}xi1>, vector<${n}xi32>
    %left = arith.subi %bin, %back : vector<${n}xi32>
    %right = arith.addi %left, %forth : vector<${n}xi32>
    %safe = arith.maxsi %right, %i0 : vector<${n}xi32>
    scf.yield %safe : vector<${n}xi32>
  } else {
    scf.yield %bin : vector<${n}xi32>
  }
  %number = arith.select %inside, %compared, %counts : vector<${n}xi1>, vector<${n}xi32>
  vector.store %number, %result[%k] : memref<?xi32>, vector<${n}xi32>
""")


@lru_cache(None)
def _kernel(value: np.dtype[Any], edge: np.dtype[Any], shared: bool) -> Kernel:
    to = _FLOATS[edge]
    if value.kind == "f":
        of, cast = _FLOATS[value], "extf"
    else:
        of, cast = f"i{8 * value.itemsize}", "uitofp" if value.kind == "u" else "sitofp"

    def body(n: int) -> str:
        source, target = f"vector<{n}x{of}>", f"vector<{n}x{to}>"
        converted = f"arith.{cast} %value : {source} to {target}"
        if of == to:
            converted = f"arith.addf %value, %zero : {target}"
        return _BODY.substitute(value=of, edge=to, n=n, converted=converted)

    text = _LOOP.substitute(value=of, edge=to, lanes=_LANES, many=body(_LANES), one=body(1))
    return compile(text, threads=None if shared else 1)
