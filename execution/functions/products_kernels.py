"""The kernels of `gathered_matmul` and `grouped_matmul`: a `gs.generic` for each group of rows."""

from typing import Any

from mlir_gs._texts import template
from mlir_gs.execution.functions.products import Form
from mlir_gs.frontend.parse import parse

_BLOCK = 240
"""Rows whose products wait to be added to others: whole tiles, and enough for a panel to pay."""

_IN_ORDER = """
    %size = arith.subi %end, %begin : index
    %rows = memref.subview %all_rows[%begin] [%size] [1] : memref<?x{i}> to {list}
    %sums = memref.subview %y[%begin, 0] [%size, %n] [1, 1] : {y} to {sums}
    {product}"""

_ONE = """
func.func @f(%x: {x}, %w: {w}, %rows: {list}, %sums: {sums}) {{
  %zero = arith.constant 0.0 : {s}
  {product}
  return
}}"""

_PRODUCT = """linalg.fill ins(%zero : {s}) outs(%sums : {sums})
  gs.generic (m, k, n) [row = %rows[m] wrap_negative] ins(%x[row, k], %w[k, n]) outs(%sums[m, n])
      iterators(m = parallel, k = reduction, n = parallel) : ({x}, {w}, {list}, {sums}) -> () {{
  ^bb0({elements}, %current: {s}):
    {widened}
    %sum = math.fma %a, %b, %current : {s}
    gs.yield %sum : {s}
  }}"""

_WIDENED = """%a = arith.extf %left : {e} to {s}
    %b = arith.extf %right : {e} to {s}"""


def module(form: Form) -> Any:
    """The module of a kernel, in the current context."""
    element, sums, i = form.element, form.sums, form.coordinate
    parts = {
        "i": i, "s": sums, "e": element, "more": "", "buffer": "", "free": "",
        "x": f"memref<?x?x{element}>", "ws": f"memref<?x?x?x{element}>",
        "y": f"memref<?x?x{sums}>", "strided": "strided<[1], offset: ?>",
    }  # fmt: skip
    given = {"w": parts["x"], "list": f"memref<?x{i}>", "sums": parts["y"]}
    if form.grouped:
        start = "" if form.combined else ", offset: ?"
        given = {
            "w": f"memref<?x?x{element}, strided<[?, 1], offset: ?>>",
            "list": f"memref<?x{i}, strided<[1], offset: ?>>",
            "sums": f"memref<?x?x{sums}, strided<[?, 1]{start}>>",
        }
    parts |= given
    if form.combined:
        parts["more"] = f"%to: memref<?xi64>, %by: memref<?x{sums}>, "
        parts["buffer"] = f"""%block = arith.constant {_BLOCK} : index
  %all = memref.alloc(%block, %n) : {parts["y"]}"""
        parts["free"] = f"memref.dealloc %all : {parts['y']}"
    names = ("a", "b") if element == sums else ("left", "right")
    parts["elements"] = ", ".join(f"%{name}: {element}" for name in names)
    parts["widened"] = "" if element == sums else _WIDENED.format(**parts)
    parts["product"] = _PRODUCT.format(**parts)
    if not form.grouped:
        return parse(_ONE.format(**parts))
    parts["blocks"] = _IN_ORDER.format(**parts)
    if form.combined:
        parts["blocks"] = template(__file__, "mlir/products_combined.mlir").substitute(parts)
    return parse(template(__file__, "mlir/products.mlir").substitute(parts))
