"""ONNX Runtime's GatherBlockQuantized: a gather of numbers in blocks, each with its scale."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import elementwise, sizes_of
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.onnx.gather_scatter import AXIS, COMMON, result
from mlir_gs.frontend.onnx.node import ONNX, Node, expect, expect_sizes
from mlir_gs.lowering.ir.builders import dim_of
from mlir_gs.lowering.ir.emit import ceil_div, compare, mul

arith = dialect("arith")
tensor = dialect("tensor")

BITS = Refusal("numbers of another width", "bits must be 2, 4 or 8, found {found}")
BLOCK = Refusal(
    "a block size that is not a power of 2, or below 16",
    "block_size must be a power of 2 from 16 on, found {found}",
)
AXES = Refusal(
    "packed bytes along an axis other than the last",
    "of uint8 data gather_axis must be 0 and quantize_axis the last, found {found}",
)
SCALES = Refusal(
    "scales or zero points of another shape",
    "{what} must have shape {wanted}, a number for each block, found {found}",
)
DATA = Refusal("data of another element type", "data must be int4, uint4 or uint8, found {found}")


@ONNX.converts(
    "onnx.GatherBlockQuantized",
    {"of domain com.microsoft, 2, 4 and 8 bits": "`gs.generic`"},
    refuses=(*COMMON, AXIS, BITS, BLOCK, AXES, SCALES, DATA),
)
def convert_gather_block_quantized(node: Node) -> Sequence[ir.Value]:
    """`(data - zero point) * scale` of the rows at the indices; rows out of bounds are 0."""
    form = _Form.of(node)
    data, indices, scales = (node.input(number) for number in range(3))
    points = node.input(3) if node.has(3) else None
    _check_blocks(form, data, scales, points)
    found = _dequantized(form, data, indices, scales, points)
    return result(node, expect_sizes(found, node.result_type(), "onnx.GatherBlockQuantized"))


@dataclass(frozen=True)
class _Form:
    """The attributes; `packed`: how many numbers are in a byte, the lowest bits first."""

    gather: int
    quantize: int
    block: int
    bits: int
    packed: int
    signed: bool

    @classmethod
    def of(cls, node: Node) -> "_Form":
        given = node.type(0)
        bits = node.attribute("bits", "int", 4)
        block = node.attribute("block_size", "int", 128)
        axes = [node.attribute(f"{what}_axis", "int", k) for k, what in enumerate(_AXES)]
        for axis in axes:
            if not -given.rank <= axis < given.rank:
                raise AXIS(rank=given.rank, axis=axis)
        gather, quantize = (axis % given.rank for axis in axes)
        if block < 16 or block & (block - 1):
            raise BLOCK(found=block)
        element = given.element
        if not isinstance(element, ir.IntegerType) or element.width not in (4, 8):
            raise DATA(found=element)
        # Signed bytes are what `onnx_contrib` makes of constants of int4.
        if element.width == 4 or element.is_signed:
            return cls(gather, quantize, block, 4, 1, element.is_signed)
        if bits not in (2, 4, 8):
            raise BITS(found=bits)
        if bits < 8 and (gather != 0 or quantize != given.rank - 1):
            raise AXES(found=axes)
        return cls(gather, quantize, block, bits, 8 // bits, False)


_AXES = ("gather", "quantize")


def _check_blocks(form: _Form, data: ir.Value, scales: ir.Value, points: ir.Value | None) -> None:
    """Scales have a number for each block, zero points too, which may share bytes."""
    wanted: list[Int] = sizes_of(data)
    wanted[form.quantize] = ceil_div(mul(wanted[form.quantize], form.packed), form.block)
    expect_shape(scales, "scales", wanted, "onnx.GatherBlockQuantized")
    if points is not None:
        wanted[form.quantize] = ceil_div(wanted[form.quantize], form.packed)
        expect_shape(points, "zero_points", wanted, "onnx.GatherBlockQuantized")


def expect_shape(held: ir.Value, what: str, wanted: Sequence[Int], name: str) -> None:
    """`held` has the sizes `wanted`: a refusal, or an error of the call where they are dynamic."""
    known = [size if isinstance(size, int) else DYNAMIC for size in wanted]
    fits = held.type.rank == len(wanted) and all(
        DYNAMIC in (a, b) or a == b for a, b in zip(held.type.shape, known, strict=True)
    )
    if not fits:
        text = [each if each != DYNAMIC else "?" for each in known]
        raise SCALES(what=what, wanted=text, found=held.type.shape)
    for d, size in enumerate(wanted):
        if DYNAMIC in (held.type.shape[d], known[d]):
            same = compare("eq", dim_of(held, d), size)
            expect(same, f"'{name}' {what} must have a number for each block")


def _dequantized(
    form: _Form, data: ir.Value, indices: ir.Value, scales: ir.Value, points: ir.Value | None
) -> ir.Value:
    """One op, whose maps say where the bytes and the scales of an element are."""
    axis, count = form.gather, indices.type.rank
    rank = data.type.rank - 1 + count
    dims = [ir.AffineDimExpr.get(d) for d in range(rank)]
    symbols = 1 + (form.quantize == axis)
    where = [*dims[:axis], ir.AffineSymbolExpr.get(0), *dims[axis + count :]]
    in_blocks = list(where)
    coordinates = [indices]
    if symbols == 2:
        # Coordinates count numbers: those of their blocks are others.
        in_blocks[axis] = ir.AffineSymbolExpr.get(1)
        coordinates.append(_blocks_of(indices, dim_of(data, axis), form.block))
    else:
        in_blocks[form.quantize] = _divided(where[form.quantize], form.block)
    inputs, places = [data, scales], [_packed(where, data.type.rank, form.packed), in_blocks]
    if points is not None:
        inputs.append(points)
        places.append(_packed(in_blocks, form.quantize + 1, form.packed))
    fills: list[ir.Attribute | None] = [_zero(each.type.element_type) for each in inputs]
    if form.packed > 1:
        i32 = ir.IntegerType.get_signless(32)
        begins = np.arange(0, 8, form.bits, dtype=np.int32)
        shifts = ir.DenseElementsAttr.get(begins, type=i32)
        for place in (where[-1], in_blocks[form.quantize])[: len(inputs) - 1]:
            inputs.append(arith.constant(shifts.type, shifts))
            places.append([ir.AffineExpr.get_mod(place, form.packed)])
            fills.append(None)
    sizes = sizes_of(data)
    wide = [*sizes[:axis], *sizes_of(indices), *sizes[axis + 1 :]]
    if form.packed > 1:
        wide[-1] = mul(sizes[-1], form.packed)

    def body(*elements: ir.Value) -> ir.Value:
        return _element(form, points is not None, *elements[:-1])

    made = generic(
        inputs,
        coordinates,
        [tensor.empty(wide, scales.type.element_type)],
        indexing_maps=[ir.AffineMap.get(rank, symbols, each) for each in [*places, dims]],
        coordinate_maps=[[ir.AffineMap.get(rank, symbols, dims[axis : axis + count])]] * symbols,
        body=body,
        modes=["fill_or_drop"] * symbols,
        wrap_negative=[True, False][:symbols],
        fill_values=fills,
    )
    return made.result


def _element(form: _Form, has_points: bool, *given: ir.Value) -> ir.Value:
    """`given`: the byte, the scale, the byte of the zero point if there is one, and where in bytes
    of several numbers each begins."""
    f32, i32 = ir.F32Type.get(), ir.IntegerType.get_signless(32)
    held = [given[0], *given[2 : 2 + has_points]]
    numbers = [(arith.extsi if form.signed else arith.extui)(i32, each) for each in held]
    if form.packed > 1:
        mask = arith.constant(i32, (1 << form.bits) - 1)
        shifts = given[2 + has_points :]
        numbers = [
            arith.andi(arith.shrui(n, shift), mask)
            for n, shift in zip(numbers, shifts, strict=True)
        ]
    if not has_points:
        is_natural = given[0].type.width == 8 and not form.signed
        numbers.append(arith.constant(i32, 1 << (form.bits - 1) if is_natural else 0))
    scale = given[1]
    wide = scale if scale.type == f32 else arith.extf(f32, scale)
    exact = arith.mulf(arith.sitofp(f32, arith.subi(*numbers)), wide)
    return exact if scale.type == f32 else arith.truncf(scale.type, exact)


def _divided(expr: ir.AffineExpr, by: int) -> ir.AffineExpr:
    return ir.AffineExpr.get_floor_div(expr, by)


def _packed(where: Sequence[ir.AffineExpr], end: int, several: int) -> list[ir.AffineExpr]:
    """Places of bytes, of which each holds `several` numbers along the dim before `end`."""
    found = list(where)
    if several > 1:
        found[end - 1] = _divided(found[end - 1], several)
    return found


def _blocks_of(indices: ir.Value, size: ir.Value, block: int) -> ir.Value:
    """The blocks that the numbers at `indices` are in, -1 for numbers out of bounds."""
    element = indices.type.element_type

    def body(place: ir.Value) -> ir.Value:
        zero = arith.constant(element, 0)
        wide = arith.index_cast(element, size)
        below = arith.cmpi(arith.CmpIPredicate.slt, place, zero)
        moved = arith.select(below, arith.addi(place, wide), place)
        inside = arith.cmpi(arith.CmpIPredicate.ult, moved, wide)
        return arith.select(
            inside, arith.divui(moved, arith.constant(element, block)), arith.constant(element, -1)
        )

    return elementwise([indices], element, body)


def _zero(element: ir.Type) -> ir.Attribute:
    is_float = isinstance(element, ir.FloatType)
    return ir.FloatAttr.get(element, 0.0) if is_float else ir.IntegerAttr.get(element, 0)
