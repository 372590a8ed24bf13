"""The alignment of rows to cache lines, for non-temporal stores."""

from typing import Literal, NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, index
from mlir_gs.lowering.ir.emit import Ix, add, compare, floor_div, modulo, mul, sub, value
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import symbols_in
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import LINE

PIECE = 16
"""Alignment in bytes of memory from the C library; rows of a multiple of it keep it."""

LEAST = 256
"""The least bytes of a row for which non-temporal stores pay where it does not begin at a line."""

LEAST_APART = {LINE: LEAST, PIECE: 384, 1: 640}
"""LEAST for rows at coordinates, by the alignment in bytes of the rows. The part of a row before
its first line then has another length for each row, which the core mispredicts."""

SHORT = 2048
"""Bytes of a row from which a loop over its lines is as fast as unrolled stores."""


class Rows(NamedTuple):
    """The alignment of the rows of `ref` to cache lines of `lanes` elements.

    The memref begins `after` bytes past a line. `odd`: the offsets in bytes of rows within a line,
    or'ed over all dims. `begin_lines`: whether all rows begin at a line. Rows begin and end at
    multiples of `piece` elements if the memref does.
    """

    ref: Ref
    lanes: int
    after: Ix
    strides: tuple[Ix, ...]
    odd: Ix
    begin_lines: ir.Value | Literal[False]
    piece: int

    def begin_in_pieces(self, length: int | None) -> ir.Value | None:
        """Whether to peel rows of so many elements to a line boundary; None for always.

        Short rows that all begin at a line have code of their own, without a loop.
        """
        is_short = length is not None and length * bytes_of(self.ref.storage) < SHORT
        if self.begin_lines is False or not is_short:
            return None
        return compare("eq", self.begin_lines, arith.constant(self.begin_lines.type, 0))

    def before_line(self, point: Point) -> Ix:
        """The number of elements of the row of `point` from there to the next line boundary."""
        position = floor_div(self.after, bytes_of(self.ref.storage))
        for number, stride in zip(self.ref.indices(point), self.strides, strict=True):
            if not isinstance(stride, int) or stride % self.lanes:
                position = add(position, mul(number, stride))
        return modulo(sub(0, position), self.lanes)

    def least(self) -> Ix:
        """The least bytes of a row for which non-temporal stores pay, by the alignment of the rows;
        one line where every row begins at one."""
        known = LEAST_APART if symbols_in(self.ref) else dict.fromkeys(LEAST_APART, LEAST)
        if isinstance(self.odd, int):
            return next(least for unit, least in known.items() if self.odd % unit == 0)
        (_, least), *others = reversed(known.items())
        for unit, shorter in others:
            if shorter != least:
                is_unit = compare("eq", modulo(self.odd, unit), 0)
                least = arith.select(is_unit, index(shorter), value(least))
        return arith.select(self.begin_lines, index(LINE), value(least))
