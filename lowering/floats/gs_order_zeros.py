"""`gs-order-zeros`: orders -0 before 0 in arith.maxnumf and arith.minnumf."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, replace_op, walk_named
from mlir_gs.lowering.passes.registry import register_pass

_PROPAGATING = {"arith.maxnumf": arith.maximumf, "arith.minnumf": arith.minimumf}


@register_pass
@dataclass(frozen=True)
class GsOrderZeros:
    """Order -0 before 0 in arith.maxnumf and arith.minnumf, as constant folding does.

    Each becomes arith.maximumf or minimumf, with a select of the other operand where one is NaN.
    An op with the flag `nsz`, for which the sign of a zero does not matter, stays.
    """

    name: ClassVar[str] = "gs-order-zeros"
    only_with: ClassVar[tuple[str, ...]] = tuple(_PROPAGATING)

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, *_PROPAGATING):
            flags = str(op.attributes["fastmath"]) if "fastmath" in op.attributes else ""
            if "nsz" not in flags and "fast>" not in flags:
                with op.location, ir.InsertionPoint(op):
                    replace_op(op, [_ordered(op)])


def _ordered(op: ir.Operation) -> ir.Value:
    a, b = op.operands
    uno = arith.CmpFPredicate.UNO
    found = _PROPAGATING[op.name](a, b)
    found = arith.select(arith.cmpf(uno, b, b), a, found)
    return arith.select(arith.cmpf(uno, a, a), b, found)
