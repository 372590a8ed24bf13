"""The next row of a memref of which a loop touches most lines, in any order: line by line."""

from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import constant_of
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    all_at_least,
    ceil_div,
    loop,
    maximum,
    mul,
    size_of,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.volume import LINE, bytes_in
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.prefetch.accesses import Place, is_written
from mlir_gs.lowering.scf.prefetch.groups import emit_prefetch
from mlir_gs.lowering.scf.prefetch.slices import Slices, ancestor_in

ROWS_NEAR = 4
"""Such rows that the second-level cache can hold, at least."""


class NextRow(NamedTuple):
    """The loop of `slices` goes from row to row of the memref of `place`. The loop `inner`, which
    `op` is in, touches elements of a row at coordinates."""

    slices: Slices
    inner: ir.Operation
    op: ir.Operation
    place: Place

    def emit(self, policy: Policy) -> bool | ir.Value:
        """Prefetch the next row, where that pays, a part in each step of the loop inside. Whether
        it does: a bool, or a condition that is known before the loop."""
        shaped = self.place.memref
        size = bytes_of(shaped.type.element_type)
        with ir.InsertionPoint(self.slices.loop):
            length = size_of(shaped, shaped.type.rank - 1)
            points = self.slices.end_of(self.inner)
            if points is None:
                return False
            row = mul(length, size)
            pays = all_at_least(
                [
                    (policy.far_bytes // ROWS_NEAR, row),
                    # As many points as lines touch most of them.
                    (mul(points, LINE), row),
                    (bytes_in(shaped), policy.far_bytes),
                ]
            )
            if pays is False:
                return False
            per_point = ceil_div(length, maximum(points, 1))
        known = self.slices.known_in(self._row, self.inner.regions[0].blocks[0])
        with ir.InsertionPoint(ancestor_in(known, self.op)):
            when(None if pays is True else pays, lambda: self._lines(policy, per_point, size))
        return pays

    @property
    def _row(self) -> list[Ix]:
        return [part for dim in self.place.indices[:-1] for part in dim]

    def _lines(self, policy: Policy, per_point: Ix, size: int) -> None:
        begin, _, by, *_ = self.inner.operands
        step = constant_of(by) or 1
        written = is_written(self.op)
        # A row that is written next is better in the first cache.
        level = 1 if written else policy.prefetch_level
        later = iter(
            self.slices.later(self._row, value(add(self.slices.position, self.slices.step)))
        )
        row = [[next(later) for _ in dim] for dim in self.place.indices[:-1]]
        first = mul(sub(self.inner.regions[0].blocks[0].arguments[0], begin), per_point)

        def line(offset: Ix) -> None:
            emit_prefetch(self.place.memref, [*row, [first, offset]], written, level)

        count = mul(per_point, step)
        if isinstance(count, int) and count * size <= LINE:
            line(0)
        else:
            loop(0, count, LINE // size, line, "never")
