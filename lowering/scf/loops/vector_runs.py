"""A dim in vector lanes: blocks of whole vectors, then what is left: of a known length in halves or
in a vector of that length, else one by one, or in a vector that ends where the dim does, and
repeats some of the one before."""

import functools
from collections.abc import Callable, Sequence
from math import gcd

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, index
from mlir_gs.lowering.ir.emit import Ix, Unroll, add, compare, either, loop, sub, value, when
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.lines import Rows
from mlir_gs.lowering.op.ranges import Range, Run

Block = Callable[[Sequence[Run]], None]


def runs_of(
    lower: Ix, length: int, lanes: int, first: int = 1, in_halves: bool = True
) -> list[Run]:
    """So many points in whole vectors, and the rest in halves or in one vector of its length;
    `lower` is a multiple of `first`."""
    runs, done, width = [], 0, lanes
    while done < length:
        if not in_halves:
            width = min(width, length - done)
        if done + width <= length:
            runs.append(Run(add(lower, done), width, multiple=gcd(first, done)))
            done += width
        else:
            width //= 2
    return runs


# Registers of rows that are one vector each.
_IN_ROW = (2, 4)


def row_lanes(part: Range, lanes: int) -> int:
    """The elements of a vector: all of a short row, which LLVM cuts up sooner than it unrolls a
    loop, or `lanes`."""
    return lanes * next((count for count in _IN_ROW if part.length == count * lanes), 1)


def in_vectors(
    part: Range,
    lanes: int,
    per_block: int,
    rest_as_one: bool,
    repeated: bool,
    twice: bool,
    block: Block,
    in_halves: bool = True,
) -> None:
    """Emit `block` for all of `part`, on `per_block` vectors at a time and then on fewer.

    `rest_as_one`: the last points of a known number are one block; `repeated`: LLVM may repeat
    blocks where their number is known; `twice`: points may be in two blocks; `in_halves`: as in
    `runs_of`.
    """

    def at(width: int, count: int) -> Callable[[Ix], None]:
        multiples = [gcd(part.first, width * count, width * i) for i in range(count)]
        return lambda position: block(
            [Run(add(position, width * i), width, multiple=m) for i, m in enumerate(multiples)]
        )

    unroll: Unroll = "known" if repeated else "never"
    lower, upper, multiple, length = part.lower, part.upper, part.multiple, part.length
    if part.least is not None:
        block([Run(lower, part.least, multiple=part.first)])
        if part.least > 1:
            block([Run(sub(upper, part.least), part.least, at_end=True)])
        return
    if length is not None:
        step = lanes * per_block
        whole = length - length % step
        loop(0, whole, step, lambda done: at(lanes, per_block)(add(lower, done)), unroll)
        first = gcd(part.first, whole)
        rest = runs_of(add(lower, whole), length - whole, lanes, first, in_halves)
        for runs in [rest] if rest_as_one and rest else [[run] for run in rest]:
            block(runs)
        return
    for count in sorted({per_block, 1}, reverse=True):
        step = lanes * count
        if multiple % step == 0:
            loop(lower, upper, step, at(lanes, count), unroll)
            return
        rest_size = arith.remui(value(sub(upper, lower)), index(step))
        whole_end = value(sub(upper, rest_size))
        loop(lower, whole_end, step, at(lanes, count), unroll)
        lower = whole_end

    def one_by_one() -> None:
        loop(lower, upper, 1, at(1, 1), unroll)

    if not twice:
        one_by_one()
        return
    last = Run(sub(upper, lanes), lanes, at_end=True)
    fits = compare("sge", part.size, lanes)
    rest = compare("slt", lower, upper)
    when(rest, lambda: either(fits, lambda: block([last]), one_by_one))


def in_lines(rows: Rows, part: Range, begin: Point, block: Block) -> None:
    """Emit `block` for all of `part` of the row of `rows` at `begin`, on whole lines.

    What comes before the first one and after the last one is in halves of vectors. It could be two
    vectors, which begin and end as `part` does, but what is in a line that is written past the
    caches no other store may touch. Of loops over it LLVM makes calls of memcpy.
    """
    lanes = rows.lanes
    before = value(rows.before_line(begin))
    after = arith.andi(value(sub(part.size, before)), index(lanes - 1))
    first, last = add(part.lower, before), sub(part.upper, after)

    def halves(lower: Ix, count: ir.Value) -> None:
        width = lanes // 2
        while width >= rows.piece:
            at = add(lower, arith.andi(count, index(-2 * width)))
            has = compare("ne", arith.andi(count, index(width)), 0)
            when(has, functools.partial(block, [Run(at, width, at_end=True)]))
            width //= 2

    halves(part.lower, before)
    loop(first, last, lanes, lambda position: block([Run(position, lanes)]), "any")
    halves(last, after)
