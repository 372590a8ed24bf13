"""A stable merge sort of positions, in scf loops on tensors."""

from collections.abc import Callable

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import arith, dim_of, index, tensor
from mlir_gs.lowering.ir.emit import (
    Ix,
    choose,
    compare,
    generated,
    loop_carrying,
    loop_while_carrying,
    value,
)
from mlir_gs.lowering.op.coordinates import as_signless, never_negative

Before = Callable[[ir.Value, ir.Value], ir.Value]
"""Whether the element at one position goes before the one at another: an i1."""


def positions(total: Ix) -> ir.Value:
    """0..total-1, a `tensor<nxindex>`."""
    return generated([total], ir.IndexType.get(), lambda position: position)


def sorted_positions(total: Ix, before: Before) -> ir.Value:
    """0..total-1 in order: a merge sort from the bottom, elements that tie keep their places."""
    start = positions(total)
    scratch = tensor.empty([total], ir.IndexType.get())

    def goes_on(carried: list[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
        return compare("slt", carried[2], total), carried

    def double(carried: list[ir.Value]) -> list[ir.Value]:
        order, merged, width = carried
        twice = arith.muli(width, index(2))

        def merge(low: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            middle = arith.minsi(arith.addi(value(low), width), value(total))
            high = arith.minsi(arith.addi(middle, width), value(total))
            return [_merge(order, carried[0], value(low), middle, high, before)]

        def copy(i: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            return [tensor.insert(tensor.extract(merged, [value(i)]), carried[0], [value(i)])]

        (merged,) = loop_carrying(0, total, [merged], merge, twice)
        (order,) = loop_carrying(0, total, [order], copy)
        return [order, merged, twice]

    return loop_while_carrying([start, scratch, index(1)], goes_on, double)[0]


def first_positions(total: Ix, count: int, before: Before) -> ir.Value:
    """The first `count` of `sorted_positions`, which are no more: each position is put among those
    before it, if it belongs to them. Most do not, where there are many more positions."""
    order = tensor.empty([count], ir.IndexType.get())

    def put(position: ir.Value, last: ir.Value, order: ir.Value) -> ir.Value:
        """Those from `last` on move by one until `position` has its place."""
        truth = ir.IntegerType.get_signless(1)

        def goes_on(carried: list[ir.Value]) -> tuple[ir.Value, list[ir.Value]]:
            order, at = carried
            moves = choose(
                compare("sgt", at, 0),
                truth,
                lambda: before(position, tensor.extract(order, [arith.subi(at, index(1))])),
                lambda: arith.constant(truth, 0),
            )
            return moves, carried

        def move(carried: list[ir.Value]) -> list[ir.Value]:
            order, at = carried
            earlier = arith.subi(at, index(1))
            return [tensor.insert(tensor.extract(order, [earlier]), order, [at]), earlier]

        order, at = loop_while_carrying([order, last], goes_on, move)
        return tensor.insert(position, order, [at])

    def fill(i: Ix, carried: list[ir.Value]) -> list[ir.Value]:
        return [put(value(i), value(i), carried[0])]

    def pick(i: Ix, carried: list[ir.Value]) -> list[ir.Value]:
        (order,), position, last = carried, value(i), index(count - 1)
        is_better = before(position, tensor.extract(order, [last]))
        return [choose(is_better, order.type, lambda: put(position, last, order), lambda: order)]

    (order,) = loop_carrying(0, count, [order], fill)
    return loop_carrying(count, total, [order], pick)[0]


def _merge(
    order: ir.Value,
    merged: ir.Value,
    low: ir.Value,
    middle: ir.Value,
    high: ir.Value,
    before: Before,
) -> ir.Value:
    """Merge the runs [low, middle) and [middle, high) of `order` into `merged`."""
    truth = ir.IntegerType.get_signless(1)
    one, zero = index(1), index(0)

    def take(i: Ix, carried: list[ir.Value]) -> list[ir.Value]:
        merged, left, right = carried

        def right_is_next() -> ir.Value:
            return choose(
                compare("slt", right, high),
                truth,
                lambda: before(tensor.extract(order, [right]), tensor.extract(order, [left])),
                lambda: arith.constant(truth, 0),
            )

        from_right = choose(
            compare("slt", left, middle), truth, right_is_next, lambda: arith.constant(truth, 1)
        )
        source = tensor.extract(order, [arith.select(from_right, right, left)])
        return [
            tensor.insert(source, merged, [value(i)]),
            arith.addi(left, arith.select(from_right, zero, one)),
            arith.addi(right, arith.select(from_right, one, zero)),
        ]

    return loop_carrying(low, high, [merged, low, middle], take)[0]


def order_of_tuples(indices: ir.Value, already: bool) -> ir.Value:
    """0..n-1 in ascending lexicographic order of `indices` [n, k]; equal tuples keep their order.

    `already`: the tuples are in ascending order, nothing is sorted.
    """
    size = indices.type.shape[0]
    total = dim_of(indices, 0) if size == DYNAMIC else size
    if already:
        return positions(total)
    less = "ult" if never_negative(indices.type.element_type) else "slt"

    def before(a: ir.Value, b: ir.Value) -> ir.Value:
        result = arith.constant(ir.IntegerType.get_signless(1), 0)
        pairs = list(zip(_tuple(indices, a), _tuple(indices, b), strict=True))
        for x, y in reversed(pairs):
            tie = arith.andi(compare("eq", x, y), result)
            result = arith.ori(compare(less, x, y), tie)
        return result

    return sorted_positions(total, before)


def _tuple(indices: ir.Value, position: ir.Value) -> list[ir.Value]:
    return [
        as_signless(tensor.extract(indices, [position, index(j)]))
        for j in range(indices.type.shape[1])
    ]


def starts_new_bin(indices: ir.Value, order: ir.Value, place: ir.Value) -> ir.Value:
    """The tuple at `place` of `order` differs from the one before, or there is none before."""
    i1 = ir.IntegerType.get_signless(1)

    def differs() -> ir.Value:
        before, at = (
            _tuple(indices, tensor.extract(order, [p]))
            for p in (arith.subi(place, index(1)), place)
        )
        result = arith.constant(i1, 0)
        for x, y in zip(before, at, strict=True):
            result = arith.ori(result, compare("ne", x, y))
        return result

    first = compare("eq", place, 0)
    return choose(first, i1, lambda: arith.constant(i1, 1), differs)
