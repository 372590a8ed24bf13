"""Torch's counts: histograms, and elements by how often each is repeated."""

from collections.abc import Sequence

from mlir_gs.dialect import scatter
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.shared import ScatterMode
from mlir_gs.frontend.common.combiners import combiner
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import elementwise, filled, sizes_of
from mlir_gs.frontend.common.shapes import with_trailing_unit
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.torch.op import COMMON, TORCH, TorchOp, as_index, cast, number
from mlir_gs.frontend.torch.reduce_dims import loops
from mlir_gs.frontend.torch.reduce_into import COMBINERS, accumulated, neutral_element
from mlir_gs.lowering.ir.builders import dim_of, index
from mlir_gs.lowering.ir.emit import Ix, flat, loop_carrying, value

arith = dialect("arith")
cf = dialect("cf")
tensor = dialect("tensor")

FLOATS = Refusal("histograms of elements that are not floats", "elements must be floats")
BINS = Refusal(
    "fewer than one bin, or bounds in the wrong order", "has {bins} bins from {least} to {most}"
)


def _whole(values: ir.Value, element: ir.Type, reduction: str) -> ir.Value:
    """All elements of a vector in one: `sum`, `amax` or `amin`."""
    combine = combiner(COMBINERS[reduction], element)
    assert combine is not None
    start = neutral_element(reduction, element)
    found = loops(values, [0], start, lambda each, current: combine(current, each))
    return tensor.extract(found, [])


def _counted(places: ir.Value, weights: ir.Value, count: Int, mode: ScatterMode) -> ir.Value:
    """For each of `count` places the sum of the weights of what is there."""
    combine = combiner("add", weights.type.element_type)
    zeros = filled([count], number(0, weights.type.element_type))
    return scatter(weights, zeros, with_trailing_unit(places), [0], combine, mode=mode)


@TORCH.converts("aten.bincount", {"every form": "`gs.scatter`"}, refuses=COMMON)
def convert_bincount(op: ir.OpView) -> Sequence[ir.Value]:
    """bincount(self, weights, minlength): weights are added up in order, in the result's type."""
    t = TorchOp(op)
    given, i64 = t.type(0).element, ir.IntegerType.get_signed(64)
    bare = ir.IntegerType.get_signless(64)
    places = elementwise([t.tensor(0)], bare, lambda each: cast(each, given, i64))
    most = arith.index_cast(ir.IndexType.get(), _whole(places, i64, "amax"))
    # The neutral element plus 1 is far below 0.
    count = arith.maxsi(arith.addi(most, index(1)), as_index(t.op.operands[2]))
    if t.is_none(1):
        weights = filled(sizes_of(places), number(1, i64))
    else:
        held, wanted = t.type(1).element, t.of_result().element
        weights = elementwise([t.tensor(1)], wanted, lambda each: cast(each, held, wanted))
    return [t.result(_counted(places, weights, count, "error"))]


@TORCH.converts(
    "aten.histc", {"constant bins and bounds": "`gs.scatter`"}, refuses=(*COMMON, FLOATS, BINS)
)
def convert_histc(op: ir.OpView) -> Sequence[ir.Value]:
    """histc(self, bins, min, max): from the least to the largest element where `min` is `max`."""
    t = TorchOp(op)
    element = t.type(0).element
    bins, low, high = (t.constant(n) for n in (1, 2, 3))
    if not isinstance(element, ir.FloatType):
        raise FLOATS()
    if bins < 1 or low > high:
        raise BINS(bins=bins, least=low, most=high)
    source = flat(t.tensor(0))
    least, most = number(low, element), number(high, element)
    if low == high:
        least, most = _bounds(source, least, most)
    i64 = ir.IntegerType.get_signless(64)
    outside, last, parts = number(bins, i64), number(bins - 1, i64), number(bins, element)

    def place(each: ir.Value) -> ir.Value:
        above = arith.cmpf(arith.CmpFPredicate.OGE, each, least)
        inside = arith.andi(above, arith.cmpf(arith.CmpFPredicate.OLE, each, most))
        # In the order in which eager Torch rounds.
        walked = arith.mulf(arith.subf(arith.select(inside, each, least), least), parts)
        found = arith.fptosi(i64, arith.divf(walked, arith.subf(most, least)))
        return arith.select(inside, arith.minsi(found, last), outside)

    wide = accumulated(element)
    ones = filled(sizes_of(source), number(1, wide))
    counts = _counted(elementwise([source], i64, place), ones, bins, "drop")
    return [t.result(elementwise([counts], element, lambda each: cast(each, wide, element)))]


def _bounds(source: ir.Value, low: ir.Value, high: ir.Value) -> list[ir.Value]:
    """The least and the largest element, apart from each other; `low` and `high` of nothing."""
    element = source.type.element_type
    some = arith.cmpi(arith.CmpIPredicate.sgt, dim_of(source, 0), index(0))
    found = [
        arith.select(some, _whole(source, element, reduction), otherwise)
        for reduction, otherwise in (("amin", low), ("amax", high))
    ]
    zero, one = number(0, element), number(1, element)
    for each in found:
        finite = arith.cmpf(arith.CmpFPredicate.OEQ, arith.subf(each, each), zero)
        cf.AssertOp(finite, "'aten.histc' the range of the elements is not finite")
    alone = arith.cmpf(arith.CmpFPredicate.OEQ, *found)
    apart = [arith.subf(found[0], one), arith.addf(found[1], one)]
    return [arith.select(alone, a, b) for a, b in zip(apart, found, strict=True)]


@TORCH.converts("aten.repeat_interleave.Tensor", {"every form": "loops"}, refuses=COMMON)
def convert_repeat_interleave(op: ir.OpView) -> Sequence[ir.Value]:
    """repeat_interleave(repeats, output_size): each position as often as it is repeated."""
    t = TorchOp(op)
    repeats, element = t.indices(0), t.type(0).element
    place = ir.IndexType.get()
    least = _whole(repeats, element, "amin")
    natural = arith.cmpi(arith.CmpIPredicate.sge, least, number(0, element))
    cf.AssertOp(natural, f"'{t.key}' repeats must not be negative")
    total = arith.index_cast(place, _whole(repeats, element, "sum"))
    if not t.is_none(1):
        fits = arith.cmpi(arith.CmpIPredicate.eq, total, as_index(t.op.operands[1]))
        cf.AssertOp(fits, f"'{t.key}' output_size must be the sum of the repeats")
    made = tensor.empty([total], repeats.type.element_type)

    def repeat(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
        made, first = carried
        often = arith.index_cast(place, tensor.extract(repeats, [position]))
        given = arith.index_cast(repeats.type.element_type, value(position))
        end = arith.addi(first, often)
        written = loop_carrying(
            first, end, [made], lambda i, held: [tensor.insert(given, *held, [i])], unroll="any"
        )
        return [*written, end]

    found, _ = loop_carrying(0, dim_of(repeats, 0), [made, index(0)], repeat, unroll="any")
    return [t.result(found)]
