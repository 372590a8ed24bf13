"""Pattern on `tensor.dim` of results of `gs`: a size of an operand."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import NAMED
from mlir_gs.dialect.sizes import step
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.ir.builders import dim_of, producer


@pattern("tensor.dim")
def dim_of_result(op: ir.OpView, rewriter: Any) -> bool:
    """The size of a result is that of an operand.

    before: `dim(scatter(u, d, i), n)`, `dim(gather(x, i), n)`, `dim(generic(...), n)`
    after:  `dim(d, n)`, `dim(i, n)` or `dim(x, m)`, `dim(the output, n)`

    Applies when n is constant. Does not apply to gs.histogram, whose size the data decides.
    """
    result, number = op.operands
    made, number = producer(result), producer(number, "arith.constant")
    if made is None or number is None or not (made.name in NAMED or made.name == "gs.generic"):
        return False
    position = number.attributes["value"].value
    if made.name == "gs.histogram" or not 0 <= position < result.type.rank:
        return False
    found = step(result, position)
    if found is None or isinstance(found, int):
        return False
    rewriter.replace_op(op, [dim_of(*found)])
    return True
