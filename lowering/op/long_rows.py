"""Rows that are copied by memcpy: see `row_copy`."""

from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.refs import Ref

LONG_BYTES = 4096
"""The least bytes of a row that memcpy copies."""


def moves_long_rows(job: Job, dim: int) -> bool:
    """Whether memcpy copies the rows along `dim`: they are known to be long, in bounds, and the
    body computes nothing."""
    length = job.extents[dim]
    if not isinstance(length, int) or copied_refs(job, dim, length) is None:
        return False
    return job.fills[job.body.moved_input(0) or 0] is None


def copied_refs(job: Job, dim: int, elements: int) -> tuple[Ref, Ref] | None:
    """The source and target of `elements` along `dim`, if the job copies rows of LONG_BYTES or
    more; else None."""
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
