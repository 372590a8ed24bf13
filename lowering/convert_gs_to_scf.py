"""`convert-gs-to-scf`: `gs.generic` on memrefs to loops."""

import dataclasses
from dataclasses import dataclass, field
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.bounds_check import Sites, emit_checks
from mlir_gs.lowering.builders import walk_named
from mlir_gs.lowering.collapse import collapse_dims
from mlir_gs.lowering.coordinates import Coordinates
from mlir_gs.lowering.emit import scf, size_of
from mlir_gs.lowering.extents import extents_of
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.nest import Nest, Owner, Range
from mlir_gs.lowering.plan import (
    Split,
    Target,
    bytes_moved,
    choose_split,
    lane_count,
    unit_stride_condition,
    vector_dim,
)
from mlir_gs.lowering.prefetch import row_prefetch
from mlir_gs.lowering.prefetch_next_row import next_rows
from mlir_gs.lowering.registry import fail, register_pass
from mlir_gs.lowering.threads import SERIAL_BYTES, call_in_parts, outline


@register_pass
@dataclass(frozen=True)
class ConvertGsToScf:
    """Lower `gs.generic` on memrefs to scf loops over vectors and elements.

    With several threads each op becomes a function that runs a part of it, called from
    scf.parallel where there is enough to do. Results have the bits of the sequential loop.
    """

    name: ClassVar[str] = "convert-gs-to-scf"
    vector_bytes: int = field(default=64, metadata={"help": "bytes of a vector register"})
    threads: int = field(default=1, metadata={"help": "threads that share an op"})

    def __post_init__(self) -> None:
        if self.vector_bytes < 8 or self.vector_bytes & (self.vector_bytes - 1):
            raise ValueError(f"vector-bytes must be a power of 2 from 8, found {self.vector_bytes}")
        if self.threads < 1:
            raise ValueError(f"threads must be 1 or more, found {self.threads}")

    def run(self, module: ir.Operation) -> None:
        sites = Sites(module)
        target = Target(self.vector_bytes, self.threads)
        for number, op in enumerate(walk_named(module, "gs.generic")):
            if len(op.results) > 0:
                fail(op, "'gs.generic' op is on tensors: run gs-bufferize first")
            with op.location, ir.InsertionPoint(op):
                _check(op, sites)
            if _is_nothing(op):
                op.erase()
                continue
            with op.location:
                op = collapse_dims(op)
            with op.location, ir.InsertionPoint(op):
                _lower(op, target, number)
            op.erase()
        sites.write()


def _is_nothing(op: ir.Operation) -> bool:
    """The iteration space is known to be empty."""
    structure = Structure.of(op.opview)
    return any(structure.static_extent(dim) == 0 for dim in range(structure.rank))


def _check(op: ir.Operation, sites: Sites) -> None:
    """The loops that look at coordinates under mode error, before anything is written."""
    structure = Structure.of(op.opview)
    if "error" in structure.modes:
        extents = extents_of(structure)
        emit_checks(op, structure, Coordinates(structure, extents), extents, sites)


def _lower(op: ir.Operation, target: Target, number: int) -> None:
    job = Job.of(op)
    work = bytes_moved(job)
    if target.threads == 1 or (isinstance(work, int) and work < SERIAL_BYTES):
        _emit(job, target, None, [])
        return
    dim = vector_dim(job)
    lanes = 1 if dim is None else lane_count(job, dim, target.vector_bytes)
    split = choose_split(job, dim, lanes, target.threads)
    if split is None:
        _emit(job, target, None, [])
        return
    if split.owner is not None:
        extents, grains = [size_of(job.structure.outputs[0].value, split.owner[1])], [1]
    else:
        extents = [job.extents[cut.dim] for cut in split.cuts]
        grains = [cut.grain for cut in split.cuts]

    def emit(clone: ir.Operation, bounds: list[ir.Value]) -> None:
        _emit(Job.of(clone), target, split, bounds)

    name = f"gs_kernel_{number}"
    arguments = outline(op, name, len(extents), emit)
    call_in_parts(name, arguments, extents, grains, work, target.threads)


def _emit(job: Job, target: Target, split: Split | None, bounds: list[ir.Value]) -> None:
    """The loops of `job`, or of a part of it: in lanes, and by element where strides forbid them.

    `bounds` are the lower and upper end of each cut of `split`, or of what is owned.
    """
    ranges, owner = {}, None
    if split is not None and split.owner is not None:
        owner = Owner(split.owner[0], bounds[0], bounds[1])
    elif split is not None:
        for number, (dim, grain) in enumerate(split.cuts):
            extent = job.extents[dim]
            aligned = isinstance(extent, int) and extent % grain == 0
            lower, upper = bounds[2 * number : 2 * number + 2]
            ranges[dim] = Range(lower, upper, grain if aligned else 1)
    dim = vector_dim(job)
    if dim is None:
        Nest(job, ranges=ranges, owner=owner).emit()
        return
    lanes = lane_count(job, dim, target.vector_bytes)

    def in_lanes(job: Job) -> None:
        rows = next_rows(job, dim, lanes)
        Nest(job, dim, lanes, ranges, owner, row_prefetch(job, dim), rows).emit()

    condition = unit_stride_condition(job, dim)
    if condition is None:
        in_lanes(job)
        return
    branch = scf.IfOp(condition, has_else=True)
    with ir.InsertionPoint(branch.then_block):
        stepping = {id(ref) for ref in job.refs if ref.steps_with(dim, job.coordinates)}

        def unit(refs):
            return [ref.with_unit_stride() if id(ref) in stepping else ref for ref in refs]

        in_lanes(dataclasses.replace(job, inputs=unit(job.inputs), outputs=unit(job.outputs)))
        scf.yield_([])
    with ir.InsertionPoint(branch.else_block):
        Nest(job, ranges=ranges, owner=owner).emit()
        scf.yield_([])
