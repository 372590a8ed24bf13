"""Masks as coordinates: where the true elements are."""

from collections.abc import Callable, Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.elementwise import elementwise
from mlir_gs.frontend.common.slices import Int
from mlir_gs.lowering.ir.builders import dim_of, index
from mlir_gs.lowering.ir.emit import Ix, compare, flat, loop_carrying, sliced, value

arith = dialect("arith")
complex_ = dialect("complex")
tensor = dialect("tensor")


def true_positions(mask: ir.Value, limit: ir.Value | None = None) -> ir.Value:
    """The positions of the true elements of `mask`, a `tensor<nxi1>`, ascending: `tensor<?xindex>`.

    `limit`: at most so many elements of the mask count.
    """
    total = dim_of(mask, 0)
    if limit is not None:
        total = arith.minsi(total, limit)
    found = tensor.empty([total], ir.IndexType.get())

    def hold(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
        found, count = carried
        # Each position is written; the next one overwrites it where the mask is false.
        written = tensor.insert(value(position), found, [count])
        one = arith.index_castui(ir.IndexType.get(), tensor.extract(mask, [position]))
        return [written, arith.addi(count, one)]

    found, count = loop_carrying(0, total, [found, index(0)], hold, unroll="any")
    return sliced(found, [0], [count])


def coordinate_at(columns: Sequence[ir.Value], row: ir.Value, column: ir.Value) -> ir.Value:
    """An element of `columns`, of which there is one at least, side by side."""
    found = tensor.extract(columns[0], [row])
    for number, each in enumerate(columns[1:], 1):
        found = arith.select(compare("eq", column, number), tensor.extract(each, [row]), found)
    return found


def coordinates_of(mask: ir.Value, sizes: Sequence[Int]) -> list[ir.Value]:
    """The coordinates of the true elements of `mask`, of `sizes`: a vector per dim."""
    positions = true_positions(flat(mask))
    columns = []
    for size in reversed(sizes):
        extent = value(size)
        columns.append(_each(positions, arith.remui, extent))
        positions = _each(positions, arith.divui, extent)
    return columns[::-1]


def _each(positions: ir.Value, op: Callable[..., ir.Value], extent: ir.Value) -> ir.Value:
    element = ir.IndexType.get()
    return elementwise([positions], element, lambda position: op(position, extent))


def mask_of(given: ir.Value) -> ir.Value:
    """Whether the elements are not 0. NaN is not 0."""
    i1 = ir.IntegerType.get_signless(1)
    return given if given.type.element_type == i1 else elementwise([given], i1, is_set)


def is_set(number: ir.Value) -> ir.Value:
    """Whether a number is not 0. NaN is not 0."""
    type_ = number.type
    if isinstance(type_, ir.FloatType):
        return arith.cmpf(arith.CmpFPredicate.UNE, number, arith.constant(type_, 0.0))
    if isinstance(type_, ir.ComplexType):
        parts = ir.ArrayAttr.get([ir.FloatAttr.get(type_.element_type, 0.0)] * 2)
        return complex_.neq(number, complex_.constant(type_, parts))
    return arith.cmpi(arith.CmpIPredicate.ne, number, arith.constant(type_, 0))
