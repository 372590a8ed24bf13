"""The loops of an op, or of a part of one, as their strategies see them."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.checks.bounds import any_outside
from mlir_gs.lowering.checks.overlap import apart_by_origin, lie_apart
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import Ix, add, either, loop, minimum, negated
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.coordinates import Coordinates
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.lanes import lane_count
from mlir_gs.lowering.op.ranges import Range
from mlir_gs.lowering.op.segments import Segments
from mlir_gs.lowering.scf.loops.halo_share import HaloShare
from mlir_gs.lowering.scf.loops.nest import Nest
from mlir_gs.lowering.scf.loops.non_temporal import Streaming
from mlir_gs.lowering.scf.loops.owned_points import Owner
from mlir_gs.lowering.scf.loops.point_strips import FEW_OPS
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.remarks import remark


@dataclass(frozen=True)
class Blocks:
    """`length` points along `dim`, the outermost loop, at a time. Where the coordinates `symbols`
    of some are not in bounds as they are stored, the block is one of `job`, which looks at each."""

    job: Job
    dim: int
    symbols: Sequence[int]
    length: int


@dataclass(frozen=True)
class Loops:
    """`dim` is in vector lanes, None for loops over elements. `ranges` cut dims down, `owner` and
    `halo` say which points a thread runs, `segments` which dim runs through segments.

    `narrow_rows` emits a call of what runs rows of less than a vector; None where these are all
    there are. They run where `is_narrow` holds, None for never. Loops over vectors are right where
    all `conditions` hold, by what the others are for; `unit_strides`: those on strides are none.
    """

    job: Job
    policy: Policy
    dim: int | None
    segments: Segments | None
    ranges: Mapping[int, Range] = field(default_factory=dict)
    owner: Owner | None = None
    halo: HaloShare | None = None
    narrow_rows: Callable[[], None] | None = None
    is_narrow: ir.Value | None = None
    conditions: Mapping[str, ir.Value] = field(default_factory=dict)
    unit_strides: bool = True
    blocks: Blocks | None = None
    # Threads that share a loop around these change nothing of them.
    is_in_parallel: bool = False

    @property
    def op(self) -> ir.Operation:
        """The op, or a clone of it in a function."""
        return self.job.op

    @property
    def lanes(self) -> int:
        """Elements of a vector."""
        if self.dim is None:
            return 1
        return lane_count(self.job, self.dim, self.policy.vector_bytes)

    def part(self, dim: int) -> Range:
        """The points along `dim`."""
        return self.ranges.get(dim, Range(0, self.job.extents[dim]))

    def emit(self, streaming: Streaming | None = None) -> None:
        """The nest at the insertion point."""
        if self.blocks is not None:
            self._in_blocks(self.blocks)
            return
        shares = (self.ranges, self.owner, self.halo)
        Nest(self.job, self.policy, self.dim, self.lanes, *shares, streaming, self.segments).emit()

    def _in_blocks(self, blocks: Blocks) -> None:
        dim, job = blocks.dim, blocks.job
        lower, upper, *_ = self.part(dim)
        coordinates = [job.structure.coordinates[symbol].value for symbol in blocks.symbols]
        # A block that writes coordinates of its own has looked at others.
        pairs = [(ref.memref, c) for ref in job.outputs for c in coordinates]
        pairs = [pair for pair in pairs if not apart_by_origin(*pair)]
        changes = [negated(lie_apart(pairs))] if pairs else []

        def block(start: Ix) -> None:
            part = Range(start, minimum(add(start, blocks.length), upper))
            ends = {dim: (part.lower, part.upper)}
            here = replace(self, ranges={**self.ranges, dim: part}, blocks=None)
            outside = (any_outside(job.coordinates, symbol, ends) for symbol in blocks.symbols)
            with_guards = replace(here, job=job, segments=None)
            either(functools.reduce(arith.ori, [*changes, *outside]), with_guards.emit, here.emit)

        loop(lower, upper, blocks.length, block, "never")


def in_checked_blocks(loops: Loops) -> Loops:
    """`loops` over elements at coordinates, that wrap, clip or mask none of a block of points whose
    coordinates a loop in vectors finds to be in bounds. Of small bodies, which are there twice, and
    of more points than a block has.

    A block is half as long as a sequential input is prefetched ahead, so that its coordinates are
    in L1 when they are looked at.
    """
    job, of = loops.job, loops.job.coordinates
    accesses = job.structure.coordinates
    symbols = [symbol for symbol in range(len(accesses)) if not of.is_plain(symbol)]
    dim = next((d for d in job.loop_order(None)[0] if job.extents[d] != 1), 0)
    other = loops.dim is not None or loops.segments is not None or job.initial is not None
    other |= job.has_known_places or len(job.body.operations) > FEW_OPS
    other |= set().union(*map(symbols_in, job.outputs)).isdisjoint(symbols)
    if other or any(of.depends(s) != {dim} or job.structure.is_chained(s) for s in symbols):
        return loops
    size = max(bytes_of(accesses[symbol].value.type.element_type) for symbol in symbols)
    blocks = Blocks(job, dim, symbols, max(loops.policy.read_ahead // 2, loops.policy.line) // size)
    points = job.extents[dim]
    if isinstance(points, int) and points <= blocks.length:
        return loops
    remark(job, f"d{dim} in blocks of {blocks.length}, whose coordinates are looked at in vectors")
    count = len(accesses)
    stored = replace(job.structure, modes=("promise_in_bounds",) * count, wraps=(False,) * count)
    job = replace(job, structure=stored, coordinates=Coordinates(stored, job.extents))
    return replace(loops, job=job, blocks=blocks)
