"""`gs.yield`: ends the body of a `gs` op."""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import ext, ir
from mlir_gs.dialect.base import Gs


class YieldOp(Gs.Operation, name="yield", traits=[ir.IsTerminatorTrait, ext.Pure]):
    """Gives the new elements of the outputs, one operand per output.

    The operands after the first share one type (one IRDL operand definition holds one type).

    ```mlir
    "gs.yield"(%sum) : (f32) -> ()
    ```
    """

    value: ext.Operand[Any]
    more: Sequence[ext.Operand[Any]]


def yield_(*values: ir.Value, loc: ir.Location | None = None) -> ir.Operation:
    """Build `gs.yield` of `values` at the current insertion point."""
    return ir.Operation.create("gs.yield", operands=list(values), loc=loc)
