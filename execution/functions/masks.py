"""Index expressions that are one boolean array: each element is looked at once or twice."""

import math
from functools import lru_cache
from string import Template
from typing import Any

import numpy as np
from mlir_gs._texts import template
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


def is_assigned(x: Array, index: Any, values: Array) -> bool:
    """Whether `x[index] = values` gives each short row where a mask is set one of its own: NumPy
    takes one look at the mask, and stores no positions."""
    if not is_mask(index, x) or not is_compressed(x, index):
        return False
    return values.shape == (np.count_nonzero(index), *x.shape[index.ndim :])


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
    return template(__file__, "mlir/compress_vectors.mlir").substitute(
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
    text = template(__file__, "mlir/compress.mlir").substitute(
        matrix=matrix, step=step, vectors=vectors
    )
    return compile(text, threads=None if shared else 1)


def _replace(element: str, width: int, shared: bool) -> Kernel:
    return _replacer(element, str(width) if width <= _KNOWN else "?", shared)


@lru_cache(None)
def _replacer(element: str, width: str, shared: bool) -> Kernel:
    matrix = f"memref<?x{width}x{element}>"
    select = f"arith.select %is, %new, %old : {element}"
    text = template(__file__, "mlir/replace.mlir").substitute(
        matrix=matrix, element=element, select=select
    )
    return compile(text, threads=None if shared else 1)
