"""Long rows that only move: memcpy copies them, see `row_copy`."""

from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.refs import Ref

LONG_BYTES = 4096


def moves_long_rows(job: Job, dim: int) -> bool:
    """Whether rows along `dim` are known to be long, to lie in bounds, and only to move: memcpy
    copies them."""
    length = job.extents[dim]
    if not isinstance(length, int) or copied_refs(job, dim, length) is None:
        return False
    return job.fills[job.body.moved_input(0) or 0] is None


def copied_refs(job: Job, dim: int, elements: int) -> tuple[Ref, Ref] | None:
    """What so many elements along `dim` are copied from and to, where they lie in bounds, if the
    job is a copy and they are long."""
    if not job.body.moves_only or len(job.outputs) != 1:
        return None
    (target,) = job.outputs
    source = job.inputs[job.body.moved_input(0) or 0]
    for ref in (source, target):
        if not ref.steps_with(dim, job.coordinates) or ref.last_stride != 1:
            return None
    if source.storage != target.storage or elements * bytes_of(target.storage) < LONG_BYTES:
        return None
    return source, target
