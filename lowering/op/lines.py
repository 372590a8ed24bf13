"""How rows lie in cache lines."""

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
"""Memory of the C library begins at a multiple of so many bytes; so do rows that are as long."""


LEAST = 256
"""Bytes of a row, at least, that is written like this where it does not begin with a line. On a Zen
5, of 51 MB 16 bytes after a line, takes of rows of 128 bytes took 1.0 to 1.1 times as long like
that, of 176 and 192 0.85 to 1.1, of 256 to 400 0.74 to 1.0 and 1.2 once, of 500 and 600 0.7."""


LEAST_APART = {LINE: LEAST, PIECE: 384, 1: 640}
"""The same of rows at coordinates, where they lie at multiples of a line, of a piece, or anywhere:
what comes before its first line is then another length for each, at which a core guesses the wrong
way. Sets of rows of 192 bytes took 0.6 to 1.1 times as long like that, of 256 0.6 to 0.7; of 272
to 336, by pieces, 0.9 to 1.4, of 368 and 400 0.7 to 1.1; of 200, anywhere, 1.7 to 2.3, of 300 1.3
to 1.8, of 404 1.05 to 1.35, of 500 0.85 to 1.1, of 600 0.6 to 0.78."""

SHORT = 2048
"""Bytes of a row from which on a loop over its lines is as fast as the stores one by one."""


class Rows(NamedTuple):
    """Where rows of `ref` lie in lines of `lanes` elements: the memref begins `after` bytes after
    the begin of one, and rows lie `odd` bytes, of all dims or'ed, elsewhere in one than others.

    `begin_lines`: whether all begin with one. They begin and end at multiples of `piece` elements
    if the memref begins at one.
    """

    ref: Ref
    lanes: int
    after: Ix
    strides: tuple[Ix, ...]
    odd: Ix
    begin_lines: ir.Value | Literal[False]
    piece: int

    def begin_in_pieces(self, length: int | None) -> ir.Value | None:
        """Whether to look for where lines begin in rows of so many elements; None for always.

        Short rows have code of their own, without a loop, for where all begin with a line: on a Zen
        5 takes of rows of 256 bytes and 1 KiB are 1.1 and 1.25 times as fast with it.
        """
        is_short = length is not None and length * bytes_of(self.ref.storage) < SHORT
        if self.begin_lines is False or not is_short:
            return None
        return compare("eq", self.begin_lines, arith.constant(self.begin_lines.type, 0))

    def before_line(self, point: Point) -> Ix:
        """How many elements of its row come from `point` on before the next line."""
        position = floor_div(self.after, bytes_of(self.ref.storage))
        for number, stride in zip(self.ref.indices(point), self.strides, strict=True):
            if not isinstance(stride, int) or stride % self.lanes:
                position = add(position, mul(number, stride))
        return modulo(sub(0, position), self.lanes)

    def least(self) -> Ix:
        """The fewest bytes of a row for which non-temporal stores pay, wherever rows begin; one
        line where every row begins at one."""
        known = LEAST_APART if symbols_in(self.ref) else dict.fromkeys(LEAST_APART, LEAST)
        if isinstance(self.odd, int):
            return next(least for unit, least in known.items() if self.odd % unit == 0)
        (_, least), *others = reversed(known.items())
        for unit, shorter in others:
            if shorter != least:
                is_unit = compare("eq", modulo(self.odd, unit), 0)
                least = arith.select(is_unit, index(shorter), value(least))
        return arith.select(self.begin_lines, index(LINE), value(least))
