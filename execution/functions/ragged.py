"""Rows of different lengths: each row of a result combines slices that a list of its own names."""

from functools import lru_cache
from string import Template
from typing import Any

import numpy as np
from mlir_gs import dialect as gs
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.functions.bodies import build
from mlir_gs.execution.functions.elements import as_int64, coordinate, coordinates, span
from mlir_gs.execution.functions.shapes import refuse_outside

Array = np.ndarray[Any, Any]

# Elements that are read by fewer than so many are no work for several threads.
_SHARED = 1 << 16
_STARTS = (np.dtype(np.int32), np.dtype(np.int64))
# Columns for which a kernel of their own is worth compiling.
_MOST_KNOWN = 512


def combine_rows(
    body: str,
    scales: Array | None,
    table: Array,
    numbers: Array,
    starts: Array,
    result: Array,
    elements: tuple[str, str],
) -> None:
    """`result[r] = body(..., scales[k], table[numbers[k]])` for each k from `starts[r]` to
    `starts[r + 1]`, in order, beginning with what `result` holds.

    `table`: [n] or [n, width]. `scales`: [count], of its type, for the body "multiply_add".
    `numbers`: [count], integers. `starts`: one more than `result`, [rows] or [rows, width], has
    rows; ascending, from 0 to `count` at most. `elements`: the MLIR types of `table` and `result`.
    Raises IndexError for a number out of bounds, ValueError for other starts and lengths.
    """
    given, numbers = numbers, coordinates(numbers)
    starts = starts if starts.dtype in _STARTS else as_int64(starts)
    if len(starts) != len(result) + 1:
        raise ValueError(f"{len(result)} rows have {len(result) + 1} ends, found {len(starts)}")
    if starts[0] < 0 or (np.diff(starts) < 0).any() or starts[-1] > len(numbers):
        raise ValueError(f"rows must start at ascending places from 0 to {len(numbers)}")
    if scales is not None and len(scales) != len(numbers):
        raise ValueError(f"{len(numbers)} numbers of slices, found {len(scales)} factors")
    if numbers.size:
        size = table.shape[0]
        negative, greatest = span(numbers)
        if negative or greatest >= size:
            refuse_outside(given, 0, size, wrap=False)
    if not result.size or not numbers.size:
        return
    shared = numbers.size * (table.size // table.shape[0]) >= _SHARED
    kernel = _kernel(body, *elements, coordinate(numbers.dtype), coordinate(starts.dtype),
                     scales is not None, _width(result), None if shared else 1)  # fmt: skip
    arrays = (table, numbers, starts) if scales is None else (scales, table, numbers, starts)
    kernel(*map(np.ascontiguousarray, arrays), result)


def _width(result: Array) -> str:
    """The columns as a type has them: few of a known number stay in registers for a whole row."""
    if result.ndim == 1:
        return ""
    width = result.shape[1]
    return f"{width}x" if width <= _MOST_KNOWN else "?x"


@lru_cache(None)
def _kernel(
    body: str,
    element: str,
    wide: str,
    number: str,
    start: str,
    scaled: bool,
    width: str,
    threads: int | None,
) -> Kernel:
    return compile(_module(body, element, wide, number, start, scaled, width), threads=threads)


_LOOP = """
func.func @f($scales%table: $table, %numbers: $list, %starts: $bounds, %result: $result) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %result, %c0 : $result
  $width
  scf.parallel (%r) = (%c0) to (%rows) step (%c1) {
    %next = arith.addi %r, %c1 : index
    %a = memref.load %starts[%r] : $bounds
    %b = memref.load %starts[%next] : $bounds
    %first = arith.index_cast %a : $start to index
    %end = arith.index_cast %b : $start to index
    %size = arith.subi %end, %first : index
    %row = memref.subview %result$place : $result to $row
    %part = memref.subview %numbers[%first] [%size] [1] : $list to memref<?x$number, $strided>
    $scaling
    scf.reduce
  }
  return
}
"""
_SCALING = """%by = memref.subview %scales[%first] [%size] [1]
        : memref<?x$element> to memref<?x$element, $strided>"""


def _module(
    body: str, element: str, wide: str, number: str, start: str, scaled: bool, width: str
) -> Any:
    """A loop over rows, with one `gs.generic` on memrefs in it."""
    shape, strided = f"?x{width}", "strided<[1], offset: ?>"
    parts = {
        "element": element,
        "number": number,
        "start": start,
        "strided": strided,
        "table": f"memref<{shape}{element}>",
        "result": f"memref<{shape}{wide}>",
        "list": f"memref<?x{number}>",
        "bounds": f"memref<?x{start}>",
        "scales": f"%scales: memref<?x{element}>, " if scaled else "",
    }
    if width:
        columns = "%width" if width == "?x" else width[:-1]
        parts["place"] = f"[%r, 0] [1, {columns}] [1, 1]"
        parts["row"] = f"memref<{width}{wide}, {strided}>"
    else:
        parts["place"], parts["row"] = "[%r] [1] [1]", f"memref<{wide}, strided<[], offset: ?>>"
    parts["width"] = "%width = memref.dim %result, %c1 : $result" if width == "?x" else ""
    parts["scaling"] = Template(_SCALING if scaled else "").substitute(parts)
    text = Template(_LOOP).substitute(parts)
    with gs.context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        function = module.body.operations[0]
        entry = function.regions[0].blocks[0]
        loop = next(op for op in entry.operations if op.operation.name == "scf.parallel")
        inner = loop.regions[0].blocks[0]
        views = [op.results[0] for op in inner.operations if op.operation.name == "memref.subview"]
        row_of, numbers, *scaling = views
        with ir.InsertionPoint(inner.operations[len(inner.operations) - 1]):
            _combined(body, entry.arguments[int(scaled)], row_of, numbers, scaling, bool(width))
    return module


def _combined(
    body: str, table: Any, row: Any, numbers: Any, scaling: list[Any], wider: bool
) -> None:
    """row[j] = body(row[j], scaling[k], table[numbers[k], j]) over k and j."""
    k, j = ir.AffineDimExpr.get(0), ir.AffineDimExpr.get(1)
    number = ir.AffineSymbolExpr.get(0)
    rank = 2 if wider else 1
    columns = [j] if wider else []

    def map_(*results: Any) -> Any:
        return ir.AffineMap.get(rank, 1, list(results))

    gs.generic(
        [*scaling, table],
        [numbers],
        [row],
        indexing_maps=[*[map_(k)] * len(scaling), map_(number, *columns), map_(*columns)],
        coordinate_maps=[[map_(k)]],
        iterator_types=["reduction", *["parallel"] * wider],
        body=lambda *elements: build(body, elements),
    )
