"""The kernels of `gathered_matmul` and `grouped_matmul`: a `gs.generic` for each group of rows."""

from typing import Any

from mlir_gs import dialect as gs
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.functions.products import Form

arith = dialect("arith")
math = dialect("math")

_BLOCK = 240
"""Rows whose products wait to be added to others: whole tiles, and enough for a panel to pay."""

_GROUPS = """
func.func @f(%x: {x}, %w: {ws}, %rows: memref<?x{i}>, %starts: memref<?xi64>, {more}%y: {y}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : {s}
  %groups = memref.dim %w, %c0 : {ws}
  %k = memref.dim %w, %c1 : {ws}
  %n = memref.dim %w, %c2 : {ws}
  {buffer}
  scf.for %g = %c0 to %groups step %c1 {{
    %next = arith.addi %g, %c1 : index
    %a = memref.load %starts[%g] : memref<?xi64>
    %b = memref.load %starts[%next] : memref<?xi64>
    %begin = arith.index_cast %a : i64 to index
    %end = arith.index_cast %b : i64 to index
    %matrix = memref.subview %w[%g, 0, 0] [1, %k, %n] [1, 1, 1] : {ws} to {w}
    {blocks}
  }}
  {free}
  return
}}"""

_IN_ORDER = """
    %size = arith.subi %end, %begin : index
    %part = memref.subview %rows[%begin] [%size] [1] : memref<?x{i}> to memref<?x{i}, {list}>
    %sums = memref.subview %y[%begin, 0] [%size, %n] [1, 1] : {y} to {sums}
    linalg.fill ins(%zero : {s}) outs(%sums : {sums})"""

_COMBINED = """
    scf.for %first = %begin to %end step %block {{
      %rest = arith.subi %end, %first : index
      %size = arith.minsi %rest, %block : index
      %part = memref.subview %rows[%first] [%size] [1] : memref<?x{i}> to memref<?x{i}, {list}>
      %tos = memref.subview %to[%first] [%size] [1] : memref<?xi64> to memref<?xi64, {list}>
      %factors = memref.subview %by[%first] [%size] [1] : memref<?x{s}> to memref<?x{s}, {list}>
      %sums = memref.subview %all[0, 0] [%size, %n] [1, 1] : {y} to {sums}
      linalg.fill ins(%zero : {s}) outs(%sums : {sums})
    }}"""

_ONE = """
func.func @f(%x: {x}, %w: {x}, %rows: memref<?x{i}>, %y: {y}) {{
  %zero = arith.constant 0.0 : {s}
  linalg.fill ins(%zero : {s}) outs(%y : {y})
  return
}}"""


def module(form: Form) -> Any:
    parts = {
        "i": form.coordinate,
        "s": form.sums,
        "x": f"memref<?x?x{form.element}>",
        "ws": f"memref<?x?x?x{form.element}>",
        "w": f"memref<?x?x{form.element}, strided<[?, 1], offset: ?>>",
        "y": f"memref<?x?x{form.sums}>",
        "list": "strided<[1], offset: ?>",
        "sums": f"memref<?x?x{form.sums}, strided<[?, 1], offset: ?>>",
        "more": "",
        "buffer": "",
        "free": "",
    }
    if form.combined:
        parts["sums"] = f"memref<?x?x{form.sums}, strided<[?, 1]>>"
        parts["more"] = f"%to: memref<?xi64>, %by: memref<?x{form.sums}>, "
        parts["buffer"] = f"""%block = arith.constant {_BLOCK} : index
  %all = memref.alloc(%block, %n) : {parts["y"]}"""
        parts["free"] = f"memref.dealloc %all : {parts['y']}"
    parts["blocks"] = (_COMBINED if form.combined else _IN_ORDER).format(**parts)
    text = (_GROUPS if form.grouped else _ONE).format(**parts)
    made = ir.Module.parse(text)
    entry = made.body.operations[0].regions[0].blocks[0]
    block, values = entry, list(entry.arguments)
    x, matrix, rows, result = values[0], values[1], values[2], values[-1]
    sums, updates = result, None
    if form.grouped:
        block = _loop(block)
        matrix, *views = _views(block)
        if form.combined:
            block = _loop(block)
            rows, to, factors, sums = _views(block)
            updates = (factors, sums, to)
        else:
            rows, sums = views
    with ir.InsertionPoint(block.operations[len(block.operations) - 1]):
        _product(form, x, matrix, rows, sums)
        if updates:
            _added(*updates, result)
    return made


def _loop(block: Any) -> Any:
    """The body of the loop in a block."""
    loop = next(op for op in block.operations if op.operation.name == "scf.for")
    return loop.regions[0].blocks[0]


def _views(block: Any) -> list[Any]:
    return [op.results[0] for op in block.operations if op.operation.name == "memref.subview"]


def _product(form: Form, x: Any, matrix: Any, rows: Any, sums: Any) -> None:
    """sums[m, n] += x[rows[m], k] * matrix[k, n] over k."""
    m, k, n = map(ir.AffineDimExpr.get, range(3))
    row = ir.AffineSymbolExpr.get(0)

    def body(a: Any, b: Any, current: Any) -> Any:
        if a.type != current.type:
            a, b = arith.extf(current.type, a), arith.extf(current.type, b)
        return math.fma(a, b, current)

    gs.generic(
        [x, matrix],
        [rows],
        [sums],
        indexing_maps=[ir.AffineMap.get(3, 1, each) for each in ([row, k], [k, n], [m, n])],
        coordinate_maps=[[ir.AffineMap.get(3, 1, [m])]],
        iterator_types=["parallel", "reduction", "parallel"],
        body=body,
        wrap_negative=[True],
    )


def _added(factors: Any, sums: Any, to: Any, result: Any) -> None:
    """result[to[m], n] += factors[m] * sums[m, n], in order."""
    m, n = map(ir.AffineDimExpr.get, range(2))
    row = ir.AffineSymbolExpr.get(0)
    gs.generic(
        [factors, sums],
        [to],
        [result],
        indexing_maps=[ir.AffineMap.get(2, 1, each) for each in ([m], [m, n], [row, n])],
        coordinate_maps=[[ir.AffineMap.get(2, 1, [m])]],
        iterator_types=["reduction", "parallel"],
        body=lambda factor, product, current: math.fma(factor, product, current),
    )
