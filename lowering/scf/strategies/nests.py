"""The loops of an op, or of a part of one, as their strategies see them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.lanes import lane_count
from mlir_gs.lowering.op.ranges import Range
from mlir_gs.lowering.op.segments import Segments
from mlir_gs.lowering.scf.loops.halo_share import HaloShare
from mlir_gs.lowering.scf.loops.nest import Nest
from mlir_gs.lowering.scf.loops.non_temporal import Streaming
from mlir_gs.lowering.scf.loops.owned_points import Owner
from mlir_gs.lowering.scf.policy import Policy


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
        shares = (self.ranges, self.owner, self.halo)
        Nest(self.job, self.policy, self.dim, self.lanes, *shares, streaming, self.segments).emit()
