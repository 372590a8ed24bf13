"""The kernels of `segment_softmax`: three walks over the rows of a segment, or over all rows."""

from collections.abc import Callable, Sequence
from typing import Any

from mlir_gs import dialect as gs
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.functions.softmax_forms import Form
from mlir_gs.frontend.common.exponential import exponential

arith = dialect("arith")

# Columns from which a row fills lanes: less, and exponentials are a walk of their own.
_IN_LANES = 4


_LOOP = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %segments = memref.dim %first, %c0 : {held}
  scf.parallel (%r) = (%c0) to (%segments) step (%c1) {{
    %next = arith.addi %r, %c1 : index
    %a = memref.load %ids[%r] : {ids}
    %b = memref.load %ids[%next] : {ids}
    %begin = arith.index_cast %a : {i} to index
    %end = arith.index_cast %b : {i} to index
    %size = arith.subi %end, %begin : index
    {views}
    scf.reduce
  }}
"""


def module(form: Form) -> Any:
    width = form.width
    data, held = f"memref<?x{width}x{form.given}>", f"memref<?x{width}x{form.wide}>"
    ids = f"memref<?x{form.coordinate}>"
    types = {"data": data, "softmax": data, "ids": ids, "first": held, "second": held,
             "result": held}  # fmt: skip
    if not form.gradient:
        del types["softmax"]
    rows = [name for name in types if name in ("data", "softmax", "result")]
    views = [
        f"%{name}_part = memref.subview %{name}[%begin, 0] [%size, {width}] [1, 1]"
        f" : {types[name]}"
        f" to memref<?x{width}x{types[name][:-1].rpartition('x')[2]},"
        f" strided<[{width}, 1], offset: ?>>"
        for name in rows
    ]
    views += [
        f"%{name}_part = memref.subview %{name}[%r, 0] [1, {width}] [1, 1] : {held}"
        f" to memref<{width}x{form.wide}, strided<[1], offset: ?>>"
        for name in ("first", "second")
    ]
    loop = _LOOP.format(held=held, ids=ids, i=form.coordinate, views="\n    ".join(views))
    text = f"""
func.func @f({", ".join(f"%{name}: {type_}" for name, type_ in types.items())}) {{
  {loop if form.ordered else ""}
  return
}}"""
    module = ir.Module.parse(text)
    entry = module.body.operations[0].regions[0].blocks[0]
    given = dict(zip(types, entry.arguments, strict=True))
    block = entry
    if form.ordered:
        loop = next(op for op in entry.operations if op.operation.name == "scf.parallel")
        block = loop.regions[0].blocks[0]
        found = [op.results[0] for op in block.operations if "subview" in op.operation.name]
        given.update(zip((*rows, "first", "second"), found, strict=True))
    with ir.InsertionPoint(block.operations[len(block.operations) - 1]):
        (_gradient if form.gradient else _softmax)(form, given)
    return module


def _softmax(form: Form, given: dict[str, Any]) -> None:
    data, greatest, sums, result = (given[n] for n in ("data", "first", "second", "result"))

    def power(x: Any, most: Any) -> Any:
        return exponential(arith.subf(_wide(x, most.type), most))

    def maximum(x: Any, most: Any) -> Any:
        return arith.maximumf(most, _wide(x, most.type))

    _walk(form, given, [data], [greatest], maximum)
    if form.width < _IN_LANES:
        _walk(form, given, [data, greatest], [result], lambda x, most, _: power(x, most))
        _walk(form, given, [result], [sums], lambda e, total: _sum(form, total, e))
    else:

        def both(x: Any, most: Any, _: Any, total: Any) -> Sequence[Any]:
            found = power(x, most)
            return [found, _sum(form, total, found)]

        _walk(form, given, [data, greatest], [result, sums], both)
    _walk(form, given, [sums], [result], lambda total, e: arith.divf(e, total))


def _gradient(form: Form, given: dict[str, Any]) -> None:
    """softmax * (data - sum(data * softmax)), where data are gradients of the results."""
    data, softmax, sums, result = (given[n] for n in ("data", "softmax", "first", "result"))

    def product(g: Any, y: Any, total: Any) -> Any:
        return _sum(form, total, arith.mulf(_wide(g, total.type), _wide(y, total.type)))

    def through(g: Any, y: Any, total: Any, _: Any) -> Any:
        return arith.mulf(_wide(y, total.type), arith.subf(_wide(g, total.type), total))

    _walk(form, given, [data, softmax], [sums], product)
    _walk(form, given, [data, softmax, sums], [result], through)


def _sum(form: Form, total: Any, term: Any) -> Any:
    # Where a segment is a loop of its own, how its rows are grouped depends on nothing else.
    fast = arith.FastMathFlags.reassoc if form.ordered else arith.FastMathFlags.none
    return arith.addf(total, term, fastmath=fast)


def _wide(value: Any, type_: Any) -> Any:
    return value if value.type == type_ else arith.extf(type_, value)


def _walk(
    form: Form,
    given: dict[str, Any],
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    body: Callable[..., Any],
) -> None:
    """`body` for all rows and columns. Arrays to work in have the row of the segment."""
    k, j = ir.AffineDimExpr.get(0), ir.AffineDimExpr.get(1)
    segment = [j] if form.ordered else [ir.AffineSymbolExpr.get(0), j]
    work = [given["first"], given["second"]]
    operands = [*inputs, *outputs]
    symbols = 0 if form.ordered else 1
    reduces = any(each in work for each in outputs)
    gs.generic(
        list(inputs),
        [] if form.ordered else [given["ids"]],
        list(outputs),
        indexing_maps=[
            ir.AffineMap.get(2, symbols, segment if each in work else [k, j]) for each in operands
        ],
        coordinate_maps=[] if form.ordered else [[ir.AffineMap.get(2, 1, [k])]],
        iterator_types=["reduction" if reduces else "parallel", "parallel"],
        body=body,
        sorted=form.ascending and reduces,
        modes=[] if form.ordered else ["fill_or_drop" if form.drops else "promise_in_bounds"],
    )
