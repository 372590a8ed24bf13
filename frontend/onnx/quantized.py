"""ONNX Runtime's GatherBlockQuantized: a gather of numbers in blocks, each with its scale."""

from collections.abc import Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import sizes_of
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.common.take import OutOfBounds, take
from mlir_gs.frontend.onnx.gather_scatter import AXIS, COMMON, result
from mlir_gs.frontend.onnx.node import ONNX, Node, expect, expect_sizes
from mlir_gs.lowering.ir.builders import dim_of, index
from mlir_gs.lowering.ir.emit import ceil_div, compare, mul

arith = dialect("arith")
linalg = dialect("linalg")
tensor = dialect("tensor")

BITS = Refusal("a width that no quantized number has", "bits must be 2, 4 or 8, found {found}")
BLOCK = Refusal(
    "blocks of another size", "block_size must be a power of 2 from 16 on, found {found}"
)
AXES = Refusal(
    "bytes that hold several numbers along another axis than the last",
    "of uint8 data gather_axis must be 0 and quantize_axis the last, found {found}",
)
SCALES = Refusal(
    "scales or zero points of another shape",
    "{what} must have shape {wanted}, a number for each block, found {found}",
)
DATA = Refusal("data of other elements", "data must be int4, uint4 or uint8, found {found}")


@ONNX.converts(
    "onnx.GatherBlockQuantized",
    {"of domain com.microsoft, 2, 4 and 8 bits": "`gs.gather`, `linalg.generic`"},
    refuses=(*COMMON, AXIS, BITS, BLOCK, AXES, SCALES, DATA),
)
def convert_gather_block_quantized(op: ir.OpView) -> Sequence[ir.Value]:
    """`(data - zero point) * scale` of the rows at the indices; rows out of bounds are 0."""
    node = Node(op)
    form = _Form.of(node)
    data, indices, scales = (node.input(number) for number in range(3))
    points = node.input(3) if node.has(3) else None
    _check_blocks(form, data, scales, points)
    moved = indices.type.rank - 1
    blocks = form.quantize + (moved if form.quantize > form.gather else 0)
    taken = [
        None if each is None else _rows(each, indices, form.gather)
        for each in (data, scales, points)
    ]
    return result(node, _dequantized(node, form, taken, blocks))


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
    _check(scales, "scales", wanted)
    if points is not None:
        wanted[form.quantize] = ceil_div(wanted[form.quantize], form.packed)
        _check(points, "zero_points", wanted)


def _check(held: ir.Value, what: str, wanted: Sequence[Int]) -> None:
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
            expect(same, f"'onnx.GatherBlockQuantized' {what} must have a number for each block")


def _rows(held: ir.Value, indices: ir.Value, axis: int) -> ir.Value:
    """The slices at the indices; 0 for those out of bounds, as ONNX Runtime has it."""
    element = held.type.element_type
    is_float = isinstance(element, ir.FloatType)
    zero = ir.FloatAttr.get(element, 0.0) if is_float else ir.IntegerAttr.get(element, 0)
    return take(held, indices, axis, OutOfBounds("fill", wrap_negative=True, fill_value=zero))


def _dequantized(
    node: Node, form: _Form, taken: Sequence[ir.Value | None], blocks: int
) -> ir.Value:
    """Element by element; `blocks` is the dim that blocks lie along."""
    data, scales, points = taken
    assert data is not None
    assert scales is not None
    sizes = sizes_of(data)
    sizes[-1] = mul(sizes[-1], form.packed)
    element = scales.type.element_type
    out = tensor.empty(sizes, element)
    rank = len(sizes)
    made = linalg.GenericOp(
        [out.type], [], [out], [ir.AffineMap.get_identity(rank)], ["parallel"] * rank
    )
    block = made.regions[0].blocks.append(element, arg_locs=[made.location])
    with ir.InsertionPoint(block):
        where = [linalg.IndexOp(d).result for d in range(rank)]
        number = _number(form, data, where, rank - 1)
        where[blocks] = arith.divui(where[blocks], index(form.block))
        if points is not None:
            zero = _number(form, points, where, blocks)
        else:
            is_natural = data.type.element_type.width == 8 and not form.signed
            zero = arith.constant(number.type, 1 << (form.bits - 1) if is_natural else 0)
        scale = tensor.extract(scales, where)
        f32 = ir.F32Type.get()
        wide = scale if scale.type == f32 else arith.extf(f32, scale)
        exact = arith.mulf(arith.sitofp(f32, arith.subi(number, zero)), wide)
        linalg.YieldOp([exact if scale.type == f32 else arith.truncf(element, exact)])
    return expect_sizes(made.results[0], node.result_type(), "onnx.GatherBlockQuantized")


def _number(form: _Form, held: ir.Value, where: Sequence[ir.Value], dim: int) -> ir.Value:
    """The number at a place, as an i32; `dim` is the one along which bytes hold several."""
    i32 = ir.IntegerType.get_signless(32)
    place, inside = list(where), None
    if form.packed > 1:
        place[dim] = arith.divui(where[dim], index(form.packed))
        inside = arith.remui(where[dim], index(form.packed))
    found = tensor.extract(held, place)
    if form.signed:
        return arith.extsi(i32, found)
    wide = arith.extui(i32, found)
    if inside is None:
        return wide
    shift = arith.index_cast(i32, arith.muli(inside, index(form.bits)))
    return arith.andi(arith.shrui(wide, shift), arith.constant(i32, (1 << form.bits) - 1))
