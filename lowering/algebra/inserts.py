"""Pattern on elements that are inserted into tensors."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.ir.builders import producer, tensor


@pattern("tensor.insert")
def insert_of_result(op: ir.OpView, rewriter: Any) -> bool:
    """The result of a reduction is inserted as a slice, without a buffer of its own.

    before: `insert (extract r[]) into x[i, j]`, where an op writes r, a tensor of rank 0
    after:  `insert_slice r into x[i, j] [1, 1] [1, 1]`

    Applies when nothing else reads r.
    """
    element, into, *places = op.operands
    extract = producer(element, "tensor.extract")
    if extract is None or len(list(element.uses)) != 1:
        return False
    made = extract.operands[0]
    maker = producer(made)
    if made.type.rank or maker is None or not maker.name.startswith(("linalg.", "gs.generic")):
        return False
    if len(list(made.uses)) != 1 or maker.block != op.operation.block:
        return False
    ones = [1] * len(places)
    new = tensor.insert_slice(made, into, places, [], [], [DYNAMIC] * len(places), ones, ones)
    rewriter.replace_op(op, [new])
    return True
