"""`gs.yield`: ends the body of a `gs` op."""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import Location, Operation, Value, ext, ir
from mlir_gs.dialect.base import NAMED, Gs
from mlir_gs.dialect.build import value_of
from mlir_gs.dialect.checks import Attributes, Wrong, verifier


class YieldOp(Gs.Operation, name="yield", traits=[ir.IsTerminatorTrait, ext.Pure]):
    """Ends the body or combiner of a `gs` op and gives the new elements, one operand per output.

    Constraints:

    - C1: there is one operand or more.
    - C2: the operands after the first share one type (one IRDL operand definition holds one type).
    - C3: the op around it is a `gs` op.

    ```mlir
    %y = gs.scatter %updates into %dest[%indices] scatter_dims([0])
        : (tensor<6xf32>, tensor<4xf32>, tensor<6x1xindex>) -> tensor<4xf32> {
    ^bb0(%current: f32, %update: f32):
      %larger = arith.maximumf %current, %update : f32
      gs.yield %larger : f32
    }
    ```
    """

    ATTRIBUTES = Attributes()

    value: ext.Operand[Any]
    more: Sequence[ext.Operand[Any]]

    @verifier
    def verify_invariants(self) -> None:
        types = [operand.type for operand in self.operands]
        if not types:  # yield_c1
            raise Wrong("expects 1 operand or more, found 0")
        if len(set(types[1:])) > 1:  # yield_c2
            found = ", ".join(str(type_) for type_ in types)
            raise Wrong(f"operands after the first must share one type, found {found}")
        parent = self.operation.parent
        if parent is not None and not (
            parent.name.startswith("gs.") or parent.name in NAMED
        ):  # yield_c3
            raise Wrong(f"expects a gs op around it, found '{parent.name}'")


def yield_(*values: Value, loc: Location | None = None) -> Operation:
    """Build `gs.yield` of `values` at the current insertion point. Raises InvalidOp for what is no
    value."""
    operands = [value_of("gs.yield", f"#{number}", value) for number, value in enumerate(values)]
    return ir.Operation.create("gs.yield", operands=operands, loc=loc)
