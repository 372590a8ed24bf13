"""Rows that are copied by memcpy: see `row_copy`."""

from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.refs import Ref


def copied_refs(job: Job, dim: int, elements: int, least: int) -> tuple[Ref, Ref] | None:
    """The source and target of `elements` along `dim`, if the job copies rows of `least`
    bytes or more; else None."""
    if not job.body.moves_only or len(job.outputs) != 1:
        return None
    (target,) = job.outputs
    source = job.inputs[job.body.moved_input(0) or 0]
    for ref in (source, target):
        if not ref.steps_with(dim, job.coordinates) or ref.last_stride != 1:
            return None
    if source.storage != target.storage or elements * bytes_of(target.storage) < least:
        return None
    return source, target
