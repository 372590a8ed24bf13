"""Patterns on `tensor.dim` of results of `gs`: sizes are asked of operands."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.shared import batch_dims
from mlir_gs.lowering.builders import dim_of
from mlir_gs.lowering.fuse_sizes import destination, producer
from mlir_gs.lowering.patterns import pattern


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


def _of_gather(op: ir.Operation, position: int) -> tuple[ir.Value, int] | None:
    source, indices = op.operands
    leading = indices.type.rank - 1
    if position < leading:
        return indices, position
    dims, batch = list(op.attributes["gather_dims"]), batch_dims(op.opview)
    rest = [d for d in range(batch, source.type.rank) if d not in dims]
    if op.results[0].type.rank != leading + len(rest):
        rest = list(range(batch, source.type.rank))
    place = rest[position - leading]
    return None if place in dims else (source, place)


_SOURCES = {
    "gs.gather": _of_gather,
    "gs.gather_elements": lambda op, position: (op.operands[1], position),
    "gs.scatter": lambda op, position: (op.operands[1], position),
    "gs.scatter_elements": lambda op, position: (op.operands[1], position),
}
