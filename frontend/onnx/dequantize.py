"""DequantizeLinear: floats for small numbers, by a scale for all, for a slice or for a block."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import looped, sizes_of
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.onnx.gather_scatter import AXIS, COMMON, axis_of, result
from mlir_gs.frontend.onnx.node import ONNX, Node
from mlir_gs.frontend.onnx.quantized import SCALES, expect_shape
from mlir_gs.frontend.torch.vtensor import TensorType
from mlir_gs.lowering.ir.emit import ceil_div

arith = dialect("arith")
tensor = dialect("tensor")

_NAME = "onnx.DequantizeLinear"
NUMBERS = Refusal(
    "variables of fewer than 8 or more than 32 bits",
    "input 0 must have elements of 8 to 32 bits, found {found}",
)


@ONNX.converts(
    _NAME,
    {"a scale for all, for each slice or for each block": "`linalg.generic`"},
    refuses=(*COMMON, AXIS, SCALES, NUMBERS),
)
def convert_dequantize_linear(node: Node) -> Sequence[ir.Value]:
    """`(x - zero point) * scale` in float32, rounded once; floats have no zero point."""
    given, x, scale = node.type(0).element, node.input(0), node.input(1)
    if x.type.element_type.width not in (8, 16, 32):
        raise NUMBERS(found=given)
    inputs, rank = [x, scale], x.type.rank
    is_float = isinstance(given, ir.FloatType)
    if node.has(2) and not is_float:
        inputs.append(node.input(2))
    dims = [ir.AffineDimExpr.get(d) for d in range(rank)]
    place = _place(node, inputs, dims)
    if not scale.type.rank:
        inputs[1:] = [tensor.extract(each, []) for each in inputs[1:]]
    element = TensorType.of(node.result_type()).element
    out = tensor.empty(sizes_of(x), element)
    maps = [ir.AffineMap.get(rank, 0, each) for each in [dims, *[place] * (len(inputs) - 1), dims]]
    f32, i32 = ir.F32Type.get(), ir.IntegerType.get_signless(32)

    def scaled(number: ir.Value, factor: ir.Value, *point: ir.Value) -> ir.Value:
        if is_float:
            wide = arith.extf(f32, number)
        else:
            widen = arith.extui if given.is_unsigned else arith.extsi
            numbers = [n if n.type == i32 else widen(i32, n) for n in (number, *point)]
            wide = arith.sitofp(f32, arith.subi(*numbers) if point else numbers[0])
        found = arith.mulf(wide, factor if factor.type == f32 else arith.extf(f32, factor))
        return found if element == f32 else arith.truncf(element, found)

    return result(node, looped(inputs, out, maps, scaled))


def _place(
    node: Node, inputs: Sequence[ir.Value], dims: Sequence[ir.AffineExpr]
) -> list[ir.AffineExpr]:
    """Where the scale and the zero point of an element are; their shapes are checked."""
    x, scale, *points = inputs
    if scale.type.rank == 0 or list(scale.type.shape) == [1]:
        place, wanted = [ir.AffineConstantExpr.get(0)] * scale.type.rank, list(scale.type.shape)
    else:
        axis = axis_of(node, x.type.rank, 1)
        block = node.attribute("block_size", "int", 0)
        sizes: list[Int] = sizes_of(x)
        if block > 0:
            wanted = [*sizes[:axis], ceil_div(sizes[axis], block), *sizes[axis + 1 :]]
            place = list(dims)
            place[axis] = ir.AffineExpr.get_floor_div(dims[axis], block)
        else:
            place, wanted = [dims[axis]], sizes[axis : axis + 1]
        expect_shape(scale, "x_scale", wanted, _NAME)
    for point in points:
        expect_shape(point, "x_zero_point", wanted, _NAME)
    return place
