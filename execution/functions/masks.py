"""Index expressions that are one boolean array: each element is looked at once or twice."""

import math
from functools import lru_cache
from string import Template
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.call.memory import empty
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.functions import few
from mlir_gs.execution.functions.elements import carried, moved
from mlir_gs.execution.machine import openmp

Array = np.ndarray[Any, Any]

_SHARED = 1 << 16
"""Elements from which several threads are used."""

_KNOWN = 16
"""Elements of a row up to which its width is compiled for."""

_SMALL = 16
"""Bytes of a row up to which it is copied whether its flag is set or not, and the next one to the
same place if it is not: that takes less than to guess wrong which flags are set. Of longer rows the
positions are found first, and then taken."""


def is_mask(index: Any, x: Array) -> bool:
    """Whether `index` is a boolean array for the first dims of `x`."""
    return (
        type(index) is np.ndarray
        and index.dtype == np.bool_
        and 0 < index.ndim <= x.ndim
        and index.shape == x.shape[: index.ndim]
    )


def is_compressed(x: Array, mask: Array) -> bool:
    """Whether `compressed` is for such rows."""
    return x.itemsize * math.prod(x.shape[mask.ndim :]) <= _SMALL


def compressed(x: Array, mask: Array) -> Array:
    """`x[mask]`, for short rows."""
    rest = x.shape[mask.ndim :]
    rows, flags = _rows(x, mask)
    pieces = _pieces(rows.size)
    length = -(-len(flags) // pieces)
    starts = np.zeros(pieces + 1, np.int64)
    for p in range(pieces):
        starts[p + 1] = starts[p] + np.count_nonzero(flags[p * length : (p + 1) * length])
    result = empty((int(starts[pieces]), rows.shape[1]), rows.dtype)
    if result.size:
        run = _compress(moved(x.dtype), rows.shape[1], pieces > 1)
        run(rows, flags.view(np.int8), starts, result)
    return result.view(x.dtype).reshape(len(result), *rest)


def replaced(x: Array, mask: Array, value: Array) -> Array:
    """A copy of `x` with `value`, of rank 0 and the dtype of `x`, where `mask` is set."""
    if x.size < few.MOST:
        result = x.copy()
        result[mask] = value
        return result
    rows, flags = _rows(x, mask)
    result = empty(rows.shape, rows.dtype)
    if result.size:
        _replace(moved(x.dtype), rows.shape[1], _pieces(rows.size) > 1)(
            rows, flags.view(np.int8), carried(value), result
        )
    return result.view(x.dtype).reshape(x.shape)


def _rows(x: Array, mask: Array) -> tuple[Array, Array]:
    """The elements as a matrix with a row for each flag, and the flags."""
    size = math.prod(x.shape[mask.ndim :])
    return np.ascontiguousarray(carried(x)).reshape(mask.size, size), np.ascontiguousarray(
        mask
    ).reshape(-1)


def _pieces(elements: int) -> int:
    return openmp.wanted_threads(None) if elements >= _SHARED else 1


_COMPRESS = Template("""
func.func @f(%rows: $matrix, %mask: memref<?xi8>, %starts: memref<?xi64>, %result: $matrix) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i8
  %clear = arith.constant 0 : i64
  %width = memref.dim %rows, %c1 : $matrix
  %found = memref.dim %result, %c0 : $matrix
  %most = arith.subi %found, %c1 : index
  %total = memref.dim %mask, %c0 : memref<?xi8>
  %ends = memref.dim %starts, %c0 : memref<?xi64>
  %pieces = arith.subi %ends, %c1 : index
  %length = arith.ceildivui %total, %pieces : index
  scf.parallel (%p) = (%c0) to (%pieces) step (%c1) {
    %start = arith.muli %p, %length : index
    %next = arith.addi %start, %length : index
    %limit = arith.minui %next, %total : index
    // The last one of the piece: from there on nothing may be written.
    %stop = scf.while (%k = %limit) : (index) -> index {
      %more = arith.cmpi ugt, %k, %start : index
      %goes = scf.if %more -> (i1) {
        %before = arith.subi %k, %c1 : index
        %flag = memref.load %mask[%before] : memref<?xi8>
        %unset = arith.cmpi eq, %flag, %none : i8
        scf.yield %unset : i1
      } else {
        scf.yield %more : i1
      }
      scf.condition(%goes) %k : index
    } do {
    ^bb0(%k: index):
      %before = arith.subi %k, %c1 : index
      scf.yield %before : index
    }
    %first = memref.load %starts[%p] : memref<?xi64>
    %from = arith.index_cast %first : i64 to index
    %some = arith.cmpi sgt, %stop, %start : index
    scf.if %some {
      $vectors
      %size = arith.subi %stop, %begin : index
      %rest = arith.remui %size, %c8 : index
      %whole = arith.subi %stop, %rest : index
      %mid = scf.for %k = %begin to %whole step %c8 iter_args(%at = %room) -> (index) {
        %flags = vector.load %mask[%k] : memref<?xi8>, vector<8xi8>
        %word = vector.bitcast %flags : vector<8xi8> to vector<1xi64>
        %all = vector.extract %word[0] : i64 from vector<1xi64>
        %any = arith.cmpi ne, %all, %clear : i64
        %then = scf.if %any -> (index) {
          %c8b = arith.addi %k, %c8 : index
          %on = scf.for %i = %k to %c8b step %c1 iter_args(%place = %at) -> (index) {
            $step
            scf.yield %after : index
          }
          scf.yield %on : index
        } else {
          scf.yield %at : index
        }
        scf.yield %then : index
      }
      %last = scf.for %i = %whole to %stop step %c1 iter_args(%place = %mid) -> (index) {
        $step
        scf.yield %after : index
      }
    }
    scf.reduce
  }
  return
}
""")

# A vector is written as a whole, where it does not reach what others write.
_VECTORS = Template("""
      %flat = memref.collapse_shape %rows [[0, 1]] : $matrix into memref<?x$t>
      %new = memref.collapse_shape %result [[0, 1]] : $matrix into memref<?x$t>
      %np = arith.addi %p, %c1 : index
      %following = memref.load %starts[%np] : memref<?xi64>
      %end = arith.index_cast %following : i64 to index
      %lanes = arith.constant $lanes : index
      %unset = arith.constant dense<0> : vector<${lanes}xi8>
      %poison = ub.poison : vector<${lanes}x$word>
      %begin, %room = scf.while (%k = %start, %at = %from) : (index, index) -> (index, index) {
        %kn = arith.addi %k, %lanes : index
        %an = arith.addi %at, %lanes : index
        %reads = arith.cmpi ule, %kn, %stop : index
        %writes = arith.cmpi ule, %an, %end : index
        %both = arith.andi %reads, %writes : i1
        scf.condition(%both) %k, %at : index, index
      } do {
      ^bb0(%k: index, %at: index):
        %flags = vector.load %mask[%k] : memref<?xi8>, vector<${lanes}xi8>
        %set = arith.cmpi ne, %flags, %unset : vector<${lanes}xi8>
        %given = vector.load %flat[%k] : memref<?x$t>, vector<${lanes}x$t>
        $widen
        %kept = llvm.call_intrinsic "llvm.experimental.vector.compress"(%words, %set, %poison)
            : (vector<${lanes}x$word>, vector<${lanes}xi1>, vector<${lanes}x$word>)
            -> vector<${lanes}x$word>
        $narrow
        vector.store %packed, %new[%at] : memref<?x$t>, vector<${lanes}x$t>
        %bits = vector.bitcast %set : vector<${lanes}xi1> to vector<1xi$lanes>
        %word = vector.extract %bits[0] : i$lanes from vector<1xi$lanes>
        %number = math.ctpop %word : i$lanes
        %count = arith.index_castui %number : i$lanes to index
        %later = arith.addi %k, %lanes : index
        %then = arith.addi %at, %count : index
        scf.yield %later, %then : index, index
      }""")

_STEP = Template("""%flag = memref.load %mask[%i] : memref<?xi8>
            %is = arith.cmpi ne, %flag, %none : i8
            %add = arith.index_castui %is : i1 to index
            %to = arith.minui %place, %most : index
            scf.for %j = %c0 to %width step %c1 {
              %element = memref.load %rows[%i, %j] : $matrix
              memref.store %element, %result[%to, %j] : $matrix
            }
            %after = arith.addi %place, %add : index""")


_LANES = {"i8": 16, "i16": 16, "f32": 16, "f64": 8}
"""Elements of a vector of 64 bytes that a core can compress: of 4 bytes or more, once widened."""


def _vectors(matrix: str, element: str) -> str:
    lanes = _LANES[element]
    word = f"i{512 // lanes}"
    few, wide = f"vector<{lanes}x{element}>", f"vector<{lanes}x{word}>"
    widen, narrow = (
        ("%words = arith.extui %given : {0} to {1}", "%packed = arith.trunci %kept : {1} to {0}")
        if element.startswith("i")
        else (
            "%words = vector.bitcast %given : {0} to {1}",
            "%packed = vector.bitcast %kept : {1} to {0}",
        )
    )
    return _VECTORS.substitute(
        matrix=matrix,
        t=element,
        lanes=lanes,
        word=word,
        widen=widen.format(few, wide),
        narrow=narrow.format(few, wide),
    )


@lru_cache(None)
def _compress(element: str, width: int, shared: bool) -> Kernel:
    # It imports MLIR, which other functions do without.
    from mlir_gs.execution.machine import host

    matrix = f"memref<?x{width}x{element}>"
    step = _STEP.substitute(matrix=matrix)
    vectors = "%begin = arith.addi %start, %c0 : index\n%room = arith.addi %from, %c0 : index"
    if width == 1 and element in _LANES and host.known().vector_bytes >= 64:
        vectors = _vectors(matrix, element)
    text = _COMPRESS.substitute(matrix=matrix, step=step, vectors=vectors)
    return compile(text, threads=None if shared else 1)


_REPLACE = Template("""
func.func @f(%rows: $matrix, %mask: memref<?xi8>, %value: memref<$element>, %result: $matrix) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %block = arith.constant 4096 : index
  %none = arith.constant 0 : i8
  %new = memref.load %value[] : memref<$element>
  %width = memref.dim %rows, %c1 : $matrix
  %total = memref.dim %mask, %c0 : memref<?xi8>
  scf.parallel (%start) = (%c0) to (%total) step (%block) {
    %next = arith.addi %start, %block : index
    %stop = arith.minui %next, %total : index
    scf.for %k = %start to %stop step %c1 {
      %flag = memref.load %mask[%k] : memref<?xi8>
      %is = arith.cmpi ne, %flag, %none : i8
      scf.for %j = %c0 to %width step %c1 {
        %old = memref.load %rows[%k, %j] : $matrix
        %element = $select
        memref.store %element, %result[%k, %j] : $matrix
      }
    }
    scf.reduce
  }
  return
}
""")


def _replace(element: str, width: int, shared: bool) -> Kernel:
    return _replacer(element, str(width) if width <= _KNOWN else "?", shared)


@lru_cache(None)
def _replacer(element: str, width: str, shared: bool) -> Kernel:
    matrix = f"memref<?x{width}x{element}>"
    select = f"arith.select %is, %new, %old : {element}"
    text = _REPLACE.substitute(matrix=matrix, element=element, select=select)
    return compile(text, threads=None if shared else 1)
