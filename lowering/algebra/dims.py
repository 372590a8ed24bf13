"""Patterns on `tensor.dim` of results of `gs`: sizes are asked of operands."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.sizes import destination, gathered_dim
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.ir.builders import dim_of, producer


@pattern("tensor.dim")
def dim_of_result(op: ir.OpView, rewriter: Any) -> bool:
    """The size of a result is that of an operand.

    before: `dim(scatter(u, d, i), n)`, `dim(gather(x, i), n)`, `dim(generic(...), n)`
    after:  `dim(d, n)`, `dim(i, n)` or `dim(x, m)`, `dim(the output, n)`

    Applies when n is constant. Does not apply to gs.histogram, whose size the data decides.
    """
    made, number = producer(op.operands[0]), producer(op.operands[1])
    if made is None or number is None or number.name != "arith.constant":
        return False
    position = number.attributes["value"].value
    if not 0 <= position < op.operands[0].type.rank:
        return False
    if made.name == "gs.generic":
        found = destination(op.operands[0]), position
    elif made.name in _SOURCES:
        found = _SOURCES[made.name](made, position)
    else:
        return False
    value, number = found or (None, None)
    if value is None or number is None:
        return False
    rewriter.replace_op(op, [dim_of(value, number)])
    return True


_SOURCES = {
    "gs.gather": gathered_dim,
    "gs.gather_elements": lambda op, position: (op.operands[1], position),
    "gs.scatter": lambda op, position: (op.operands[1], position),
    "gs.scatter_elements": lambda op, position: (op.operands[1], position),
}
