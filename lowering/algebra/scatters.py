"""Pattern on scatters that change nothing."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.shared import Bounds
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.passes.explain import note


@pattern("gs.scatter")
@pattern("gs.scatter_elements")
def scatter_of_nothing(op: ir.OpView, rewriter: Any) -> bool:
    """A scatter of no updates leaves its destination as it is.

    before: `scatter(u, d, i)` where u has a dimension of size 0
    after:  `d`

    Applies when that size is static. Does not apply under error, where coordinates of empty
    slices are looked at too.
    """
    if 0 not in op.operands[0].type.shape or Bounds.of(op).mode == "error":
        return False
    note(op.operation, "rewrote", "scatter of nothing")
    rewriter.replace_op(op, [op.operands[1]])
    return True
