"""The bytes that an op moves and touches, by which strategies are chosen."""

from collections.abc import Iterable

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.emit import Ix, add, maximum, memref, minimum, mul, product, size_of
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.refs import Ref

LINE = 64
"""Bytes of a cache line."""

LITTLE = 1 << 17
"""Bytes below which an op runs on one thread, and elements are not counted as lines."""


def elements_in(shaped: ir.Value) -> Ix:
    """The number of elements of a memref."""
    return product(size_of(shaped, position) for position in range(shaped.type.rank))


def bytes_in(shaped: ir.Value) -> Ix:
    """The bytes of all elements of a memref."""
    return mul(elements_in(shaped), bytes_of(shaped.type.element_type))


def bytes_in_lines(shaped: ir.Value) -> Ix:
    """The bytes of the lines that the elements of a memref are in, where each has others around
    it that belong to another memref: rows that end with a scale are one of elements far apart."""
    strides, _ = shaped.type.get_strides_and_offset()
    size = bytes_of(shaped.type.element_type)
    if not strides or strides[-1] == 1:
        return bytes_in(shaped)
    step: Ix = strides[-1]
    if step == DYNAMIC:
        step = memref.extract_strided_metadata(shaped)[-1]
    return mul(elements_in(shaped), maximum(size, minimum(mul(step, size), LINE)))


def points(job: Job, dims: Iterable[int]) -> Ix:
    """The number of points of these iteration dims."""
    return product(job.extents[dim] for dim in sorted(dims))


def bytes_moved(job: Job) -> Ix:
    """The bytes that the op reads and writes, estimated, with repetitions. A gathered element
    counts as a cache line, up to the bytes of its memory."""
    total: Ix = 0
    for ref in job.refs:
        dims = [dim for dim in job.extents if ref.mentions(dim, job.coordinates)]
        count = points(job, dims)
        moved, apart = mul(count, bytes_of(ref.storage)), mul(count, LINE)
        little = isinstance(apart, int) and apart <= LITTLE
        gathered = any(map(symbols_of, list(ref.map.results)[-1:]))
        if ref in job.inputs and gathered and not little:
            moved = maximum(moved, minimum(apart, bytes_in(ref.memref)))
        total = add(total, moved)
    for symbol, access in enumerate(job.structure.coordinates):
        size = bytes_of(access.value.type.element_type)
        total = add(total, mul(points(job, job.coordinates.depends(symbol)), size))
    return total


def bytes_touched(job: Job, vector_dim: int) -> Ix:
    """The distinct bytes of memory that the op reads or writes, estimated."""
    total: Ix = 0
    for access in job.structure.coordinates:
        total = add(total, bytes_in(access.value))
    for ref in job.refs:
        total = add(total, bytes_touched_by(ref, job, vector_dim))
    return total


def bytes_touched_by(ref: Ref, job: Job, vector_dim: int) -> Ix:
    """The part of `bytes_touched` in `ref`."""
    # A gathered element brings a whole line.
    steps = ref.lies_along(vector_dim, job.coordinates)
    size = bytes_of(ref.storage) if steps else LINE
    dims = [dim for dim in job.extents if ref.mentions(dim, job.coordinates)]
    return minimum(mul(points(job, dims), size), bytes_in(ref.memref))
