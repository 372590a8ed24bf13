"""Bodies of `gs` ops in StableHLO: how the update goes with what the output holds."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo.common import stablehlo
from mlir_gs.lowering.ir.combiners import combiner_kind
from mlir_gs.lowering.passes.registry import fail

_OPS = {
    "arith.addf": "add", "arith.addi": "add", "arith.mulf": "multiply", "arith.muli": "multiply",
    "arith.subf": "subtract", "arith.subi": "subtract", "arith.divf": "divide",
    "arith.minimumf": "minimum", "arith.maximumf": "maximum", "arith.minsi": "minimum",
    "arith.maxsi": "maximum", "arith.minui": "minimum", "arith.maxui": "maximum",
    "arith.andi": "and", "arith.ori": "or", "arith.xori": "xor",
    "complex.add": "add", "complex.mul": "multiply", "complex.sub": "subtract",
}  # fmt: skip
_LOGICAL = ("and", "or", "xor")
"""On booleans, others mean something else there."""
_CAST = "builtin.unrealized_conversion_cast"


class Combine:
    """The body of an op of one input and one output."""

    def __init__(self, op: ir.Operation) -> None:
        self.op, self.current, self.update, self.kind = op, 0, 1, ""
        blocks = [block for region in op.regions for block in region.blocks]
        if not blocks:
            return
        self.block = blocks[0]
        if op.name == "gs.generic":
            self.current, self.update = 1, 0
        *ops, end = [each.operation for each in self.block]
        arguments = list(self.block.arguments)
        if not ops and end.operands[0] == arguments[self.update]:
            return
        real = [each for each in ops if each.name != _CAST]
        self.kind = real[0].name if len(real) == 1 else combiner_kind(op.regions[0]) or ""
        element = arguments[0].type
        name = _OPS.get(self.kind) if len(real) == 1 else None
        signed = name in ("minimum", "maximum") and isinstance(element, ir.IntegerType)
        fits = not signed or element.is_unsigned == self.kind.endswith("ui")
        is_boolean = isinstance(element, ir.IntegerType) and element.width == 1
        if name is None or not fits or (is_boolean and name not in _LOGICAL):
            kind = self.kind or "a combiner of several ops"
            fail(op, f"'{op.name}' op has no form in StableHLO: it combines by {kind} on {element}")
        assert name is not None
        self.name, self.real = name, real[0]

    @property
    def keeps_update(self) -> bool:
        return not self.kind

    def emit(self, current: ir.Value, update: ir.Value) -> ir.Value:
        """What the body yields of the two, which are scalars of StableHLO."""
        if self.keeps_update:
            return update
        known = {self.current: current, self.update: update}
        operands = [known[self._argument(each)] for each in self.real.operands]
        return stablehlo(self.name, current.type, *operands)

    def _argument(self, value: ir.Value) -> int:
        """The number of the body's argument that `value` is, through casts of its sign."""
        while not isinstance(value.owner, ir.Block) and value.owner.name == _CAST:
            value = value.owner.operands[0]
        if not isinstance(value.owner, ir.Block) or value.owner != self.block:
            message = "it combines with a value from outside"
            fail(self.op, f"'{self.op.name}' op has no form in StableHLO: {message}")
        return list(self.block.arguments).index(value)
