"""DynamicQuantizeLinear: bytes for floats, with the scale and the zero point of their range."""

from collections.abc import Callable, Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.elementwise import elementwise, filled, looped
from mlir_gs.frontend.onnx.node import ONNX, Node
from mlir_gs.frontend.torch.vtensor import from_builtin

arith = dialect("arith")
math = dialect("math")

_MOST = 255.0


@ONNX.converts("onnx.DynamicQuantizeLinear", {"every form": "`linalg.generic`"})
def convert_dynamic_quantize_linear(node: Node) -> Sequence[ir.Value]:
    """The scale is 1 where all elements are 0, as there are none: torch-mlir divides by 0."""
    x = node.input(0)
    f32, i8 = ir.F32Type.get(), ir.IntegerType.get_signless(8)

    def scale_of(low: ir.Value, high: ir.Value) -> ir.Value:
        span = arith.subf(high, low)
        is_flat = arith.cmpf(arith.CmpFPredicate.OEQ, span, _number(0))
        return arith.select(is_flat, _number(1), arith.divf(span, _number(_MOST)))

    def zero_of(low: ir.Value, scale: ir.Value) -> ir.Value:
        return math.roundeven(_bounded(arith.subf(_number(0), arith.divf(low, scale))))

    def quantized(element: ir.Value, scale: ir.Value, zero: ir.Value) -> ir.Value:
        whole = math.roundeven(arith.divf(element, scale))
        return _byte(_bounded(arith.addf(whole, zero)))

    low = _extreme(x, arith.minimumf)
    scale = elementwise([low, _extreme(x, arith.maximumf)], f32, scale_of)
    zero = elementwise([low, scale], f32, zero_of)
    found = elementwise([x, scale, zero], i8, quantized)
    results = [found, scale, elementwise([zero], i8, _byte)]
    declared = [each.type for each in node.op.results]
    return [from_builtin(*each) for each in zip(results, declared, strict=False)]


def _number(value: float) -> ir.Value:
    return arith.constant(ir.F32Type.get(), float(value))


def _bounded(value: ir.Value) -> ir.Value:
    return arith.minimumf(arith.maximumf(value, _number(0)), _number(_MOST))


def _byte(value: ir.Value) -> ir.Value:
    return arith.fptoui(ir.IntegerType.get_signless(8), value)


def _extreme(x: ir.Value, combine: Callable[..., ir.Value]) -> ir.Value:
    """The least or largest of the elements and 0."""
    start = filled([], _number(0))
    rank = x.type.rank
    maps = [ir.AffineMap.get_identity(rank), ir.AffineMap.get(rank, 0, [])]
    return looped([x], start, maps, lambda element, found: combine(found, element), folds=True)
