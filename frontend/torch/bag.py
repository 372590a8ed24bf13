"""Torch's embedding bags: rows of a table reduced bag by bag."""

from collections.abc import Sequence
from dataclasses import dataclass

from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import elementwise, filled, sizes_of
from mlir_gs.frontend.common.shapes import with_trailing_unit
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.torch.op import COMMON, CONSTANT, TORCH, TorchOp, cast, number, signless
from mlir_gs.frontend.torch.reduce_into import accumulated
from mlir_gs.lowering.ir.builders import dim_of, index
from mlir_gs.lowering.ir.emit import Ix, add, choose, compare, loop_carrying, value

arith = dialect("arith")
cf = dialect("cf")
tensor = dialect("tensor")

OTHER_RESULTS = Refusal(
    "a used result other than the first: offset2bag, bag_size, max_indices",
    "only the first result is computed, but result {number} is used",
)
MODE = Refusal("an unknown mode", "mode must be 0 (sum), 1 (mean) or 2 (max), found {found}")
FLOATS = Refusal("tables that are not floats", "the table must hold floats, found {found}")

SUM, MEAN, MAX = range(3)


@dataclass(frozen=True)
class Bags:
    """For each index the bag that it is in, -1 for none, and for each bag how many it has."""

    of_index: ir.Value
    counts: ir.Value


def bags_of(indices: ir.Value, offsets: ir.Value, count: ir.Value, padding: int) -> Bags:
    """Walk the bags: bag b holds the indices from offsets[b] to before the next offset.

    `count` bags; the last one ends at offsets[count], if there is one, else with the indices.
    An index that is `padding`, if that is 0 or more, is in no bag.
    """
    total = dim_of(indices, 0)
    none, zero, one = index(-1), index(0), index(1)

    def walk(bag: Ix, carried: list[ir.Value]) -> list[ir.Value]:
        def hold(position: Ix, inner: list[ir.Value]) -> list[ir.Value]:
            kept, added = value(bag), one
            if padding >= 0:
                given = tensor.extract(indices, [position])
                is_pad = compare("eq", given, arith.constant(given.type, padding))
                kept, added = arith.select(is_pad, none, kept), arith.select(is_pad, zero, one)
            return [tensor.insert(kept, inner[0], [position]), arith.addi(inner[1], added)]

        first = _offset(offsets, value(bag), total)
        last = _offset(offsets, value(add(bag, 1)), total)
        of_index, held = loop_carrying(first, last, [carried[0], zero], hold, unroll="any")
        return [of_index, tensor.insert(held, carried[1], [bag])]

    start = [filled(sizes_of(indices), none), filled([count], zero)]
    return Bags(*loop_carrying(0, count, start, walk, unroll="any"))


def _offset(offsets: ir.Value, position: ir.Value, total: ir.Value) -> ir.Value:
    """offsets[position] within [0, total]; total where there are no more offsets."""
    length = dim_of(offsets, 0)
    zero = index(0)
    inside = compare("slt", position, length)
    safe = arith.maxsi(arith.minsi(position, arith.subi(length, index(1))), zero)
    found = _offset_or(offsets, safe, length, total)
    return arith.select(inside, arith.maxsi(arith.minsi(found, total), zero), total)


def check_offsets(name: str, offsets: ir.Value, total: ir.Value) -> None:
    """Offsets that Torch refuses for an op: the first is 0, the last at most the indices."""
    length = dim_of(offsets, 0)
    zero = index(0)
    first = _offset_or(offsets, zero, length, zero)
    last = _offset_or(offsets, arith.subi(length, index(1)), length, zero)
    cf.AssertOp(compare("eq", first, zero), f"'{name}' offsets must start with 0")
    ends = compare("sle", last, total)
    cf.AssertOp(ends, f"'{name}' offsets must not exceed the number of indices")


def _offset_or(
    offsets: ir.Value, position: ir.Value, length: ir.Value, otherwise: ir.Value
) -> ir.Value:
    """offsets[position]; `otherwise` where the `length` of the offsets is 0."""

    def given() -> ir.Value:
        return arith.index_cast(ir.IndexType.get(), tensor.extract(offsets, [position]))

    return choose(compare("sgt", length, 0), ir.IndexType.get(), given, lambda: otherwise)


_FORMS = {"sum, mean, max; per_sample_weights, include_last_offset, padding_idx": "`gs.generic`"}
_REFUSES = (*COMMON, OTHER_RESULTS, MODE, FLOATS)


@TORCH.converts("aten.embedding_bag.padding_idx", _FORMS, refuses=_REFUSES)
@TORCH.converts("aten._embedding_bag_forward_only", _FORMS, refuses=_REFUSES)
@TORCH.converts("aten._embedding_bag", _FORMS, refuses=_REFUSES)
def convert_embedding_bag(op: ir.OpView) -> Sequence[ir.Value]:
    """_embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse,
    per_sample_weights, include_last_offset, padding_idx): an empty bag is 0. In
    embedding_bag, padding_idx may be none, or count from the end.
    """
    t = TorchOp(op)
    results = list(t.op.results)
    for position, each in enumerate(results[1:], 1):
        if next(iter(each.uses), None) is not None:
            raise OTHER_RESULTS(number=position)
    mode = t.constant(4)
    if mode not in (SUM, MEAN, MAX):
        raise MODE(found=mode)
    element = t.type(0).element
    if not isinstance(element, ir.FloatType):
        raise FLOATS(found=element)
    table, indices, offsets = t.tensor(0), t.indices(1), t.indices(2)
    weights = None if t.is_none(6) else t.tensor(6)
    check_offsets("aten._embedding_bag", offsets, dim_of(indices, 0))
    count = dim_of(offsets, 0)
    if t.constant(7):
        count = arith.subi(count, index(1))
    bags = bags_of(indices, offsets, count, _padding(t))
    found = _reduce(table, indices, weights, bags, mode, count)
    return [t.result(found), *results[1:]]


def _padding(t: TorchOp) -> int:
    """The index that is in no bag; -1 for none."""
    if t.is_none(8):
        return -1
    padding = t.constant(8)
    if padding < 0 and t.key == "aten.embedding_bag.padding_idx":
        rows = t.type(0).shape[0]
        if rows == DYNAMIC:
            raise CONSTANT(number=8, found=f"{padding}, which counts from a dynamic size")
        padding += rows
    return padding


def _reduce(
    table: ir.Value,
    indices: ir.Value,
    weights: ir.Value | None,
    bags: Bags,
    mode: int,
    count: ir.Value,
) -> ir.Value:
    """The bags of rows; half precision is added up in single precision, as Torch does."""
    element = table.type.element_type
    wide = accumulated(element)
    start = number(float("-inf") if mode == MAX else 0, wide)
    sizes: list[Int] = [count, sizes_of(table)[1]]
    i, j = (ir.AffineDimExpr.get(d) for d in range(2))
    row, bag = (ir.AffineSymbolExpr.get(s) for s in range(2))
    inputs = [table] if weights is None else [table, weights]
    maps = [[row, j], *([[i]] if weights is not None else []), [bag, j]]

    def body(value: ir.Value, *rest: ir.Value) -> ir.Value:
        value, current = cast(value, element, wide), rest[-1]
        if mode == MAX:
            return arith.maximumf(current, value)
        if weights is not None:
            value = arith.mulf(value, cast(rest[0], rest[0].type, wide))
        return arith.addf(current, value)

    found = generic(
        inputs,
        [indices, bags.of_index],
        [filled(sizes, start)],
        indexing_maps=[ir.AffineMap.get(2, 2, each) for each in maps],
        coordinate_maps=[[ir.AffineMap.get(2, 2, [i])]] * 2,
        iterator_types=["reduction", "parallel"],
        body=body,
        modes=["error", "fill_or_drop"],
    ).result
    return _finished(found, bags.counts, mode, wide, element)


def _finished(
    found: ir.Value, counts: ir.Value, mode: int, wide: ir.Type, element: ir.Type
) -> ir.Value:
    """Means divided, empty maxima 0, in the element type of the table."""
    if mode == SUM and wide == element:
        return found
    zero, none = number(0, wide), index(0)
    column = with_trailing_unit(counts)

    def body(value: ir.Value, held: ir.Value) -> ir.Value:
        empty = arith.cmpi(arith.CmpIPredicate.eq, held, none)
        if mode == MEAN:
            several = arith.index_cast(ir.IntegerType.get_signless(64), held)
            value = arith.divf(value, arith.sitofp(wide, several))
        if mode != SUM:
            value = arith.select(empty, zero, value)
        return cast(value, wide, element)

    return elementwise([found, column], signless(element), body)
