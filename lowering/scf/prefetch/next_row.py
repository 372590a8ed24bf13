"""Prefetch of the next row of a table of which each row is read in many places.

Reading along the last axis at coordinates touches most lines of a row, in no order that the
hardware foresees; the row after it is asked for line by line while this one is read.
"""

from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    all_at_least,
    ceil_div,
    floor_div,
    loop,
    maximum,
    minimum,
    mul,
    size_of,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import LINE, bytes_in
from mlir_gs.lowering.scf.prefetch.line import ask_for
from mlir_gs.lowering.scf.prefetch.rows import CACHED

# A row that the second-level cache cannot hold beside the rest is not worth asking for.
MOST_ROW_BYTES = CACHED // 4
# Of the lines of a row at least one in so many must be read.
LINES_PER_READ = 2


@dataclass(frozen=True)
class NextRow:
    """While the row of `ref` at `dim` is read, ask for the one at `dim + 1`.

    `per_step` lines are asked for at each vector; `enabled`: when it is worth it, None for always.
    Lines come to the cache of this `level`.
    """

    ref: Ref
    dim: int
    lanes: int
    per_step: Ix
    enabled: ir.Value | None
    written: bool
    level: int

    def emit(self, point: Point, upper: Ix, position: Ix) -> None:
        """At `position` along the vector dim; `upper` ends the loop over `dim`."""

        def ask() -> None:
            here = point.dims[self.dim]
            there = point.at(self.dim, minimum(add(here, 1), sub(upper, 1)))
            row = self.ref.indices_but_last(there)
            first = mul(floor_div(position, self.lanes), self.per_step)
            elements = LINE // bytes_of(self.ref.storage)

            def line(number: Ix) -> None:
                column = value(mul(add(first, number), elements))
                ask_for(self.ref.memref, [*row, column], self.written, self.level)

            if isinstance(self.per_step, int) and self.per_step <= 8:
                for number in range(self.per_step):
                    line(number)
            else:
                loop(0, self.per_step, 1, line)

        when(self.enabled, ask)


def next_rows(job: Job, vector_dim: int, lanes: int, level: int) -> list[NextRow]:
    """The operands that are addressed at coordinates along their last dimension, row after row."""
    outer, inner = job.loop_order(vector_dim)
    loops = [dim for dim in outer if job.extents[dim] != 1]
    if not loops or inner:
        return []
    found = []
    for ref in job.refs:
        if _in_rows(job, ref, vector_dim, loops[-1]):
            row = _next_row(job, ref, vector_dim, loops[-1], lanes, level)
            if row is not None:
                found.append(row)
    return found


def _in_rows(job: Job, ref: Ref, vector_dim: int, dim: int) -> bool:
    """The last dimension is a coordinate that differs from lane to lane, the others plain dims."""
    results = list(ref.map.results)
    if len(results) < 2 or ref.last_stride != 1:
        return False
    symbols = symbols_of(results[-1])
    by_lane = any(vector_dim in job.coordinates.depends(symbol) for symbol in symbols)
    plain = [plain_dim(expr) for expr in results[:-1]]
    return by_lane and dim in plain and all(d is not None and d != vector_dim for d in plain)


def _next_row(
    job: Job, ref: Ref, vector_dim: int, dim: int, lanes: int, level: int
) -> NextRow | None:
    columns = size_of(ref.memref, len(ref.map.results) - 1)
    row_bytes = mul(columns, bytes_of(ref.storage))
    lines = ceil_div(row_bytes, LINE)
    reads = job.extents[vector_dim]
    # With nothing to read there is no step, and nothing to divide by.
    per_step = ceil_div(lines, maximum(ceil_div(reads, lanes), 1))
    worth = all_at_least(
        [
            (MOST_ROW_BYTES, row_bytes),
            (mul(reads, LINES_PER_READ), lines),
            (bytes_in(ref.memref), CACHED),
        ]
    )
    if worth is False:
        return None
    enabled = None if worth is True else worth
    written = ref in job.outputs
    # A row that is written next is better in the first-level cache.
    return NextRow(ref, dim, lanes, per_step, enabled, written, 1 if written else level)
