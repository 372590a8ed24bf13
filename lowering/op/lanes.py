"""Which dim of an op runs in vector lanes, and how many elements a vector has."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.combiners import combine_of, may_be_grouped
from mlir_gs.lowering.ir.emit import both, compare
from mlir_gs.lowering.op.body import bytes_of, vector_element
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.segments import find_segments

SHORTEST = 4
"""Points of a reduction across lanes, at least: shorter rows are left to loops over elements."""
_FROM_MEMORY = ("arith.add", "arith.sub", "arith.mul")


def vector_dim(job: Job) -> int | None:
    """The dim that runs in lanes, when the body runs on vectors.

    All outputs step by one element along it. Where an input does not do so, a dim that is reduced
    and along which it does is better: see `across`. Where there is none and each lane
    would load coordinates of its own, loops over elements are better.
    """
    if not job.body.vectorizable or not all(vector_element(ref.storage) for ref in job.refs):
        return None
    if is_skipped(job):
        return None
    found = _dim_of_outputs(job)
    if found is not None and all(
        ref.lies_along(found, job.coordinates) or not ref.mentions(found, job.coordinates)
        for ref in job.inputs
    ):
        return found
    across = across_dim(job)
    if across is None and found is not None and _reads_rows(job, found):
        return None
    if across is None and found is not None and _takes_elements(job, found):
        return None
    return found if across is None else across


def is_skipped(job: Job) -> bool:
    """A condition of data decides whether a point reads or writes at coordinates. A branch reads
    nothing where it does not hold."""
    mask = job.body.mask
    reduced = any(size != 1 and not job.reaches_outputs(dim) for dim, size in job.extents.items())
    if mask is None or reduced or job.initial is not None:
        return False
    late = [ref for n, ref in enumerate(job.inputs) if n not in mask[2] and job.body.uses(n)]
    reached = [ref for ref in (*late, *job.outputs) if symbols_in(ref)]
    return bool(reached) and not _blends_rows(job, mask[2], reached)


def _blends_rows(job: Job, numbers: Sequence[int], reached: Sequence[Ref]) -> bool:
    """The condition, which the arguments `numbers` of the body decide, has a value for each element
    of rows that lie at coordinates: vectors choose between elements that are read together."""
    dim = _dim_of_outputs(job)
    if dim is None or not job.body.vectorizable:
        return False
    depends = [job.coordinates.depends(symbol) for ref in reached for symbol in symbols_in(ref)]
    refs = [*job.inputs, *job.outputs]
    varies = any(refs[n].mentions(dim, job.coordinates) for n in numbers)
    return varies and not any(dim in dims for dims in depends)


def _reads_rows(job: Job, dim: int) -> bool:
    """Each lane would load coordinates of its own in each step of a dim that is reduced, and
    nothing lies side by side along `dim`."""
    reduced = {d for d in range(job.structure.rank) if not job.reaches_outputs(d)}
    depends = [job.coordinates.depends(symbol) for symbol in range(len(job.structure.coordinates))]
    places = [list(access.map.results) for access in job.structure.coordinates]
    return (
        any(dim in dims and dims & reduced for dims in depends)
        and not any(results and plain_dim(results[-1]) == dim for results in places)
        and not any(ref.lies_along(dim, job.coordinates) for ref in job.inputs)
    )


def _takes_elements(job: Job, dim: int) -> bool:
    """Lanes would be put together for two ops per element or fewer: scalar ops take elements from
    memory as they are. Coordinates that lie side by side are read in vectors."""
    ops = [op.name for op in job.body.operations]
    alone = job.by_elements(dim)
    lines = [job.structure.coordinates[s].map.results for ref in alone for s in symbols_in(ref)]
    return (
        0 < len(ops) <= 2 * len(alone)
        and all(name.startswith(_FROM_MEMORY) for name in ops)
        and all(map(job.reaches_outputs, range(job.structure.rank)))
        and all(symbols_in(ref) and not job.may_miss(ref, dim) for ref in alone)
        and not any(results and plain_dim(results[-1]) == dim for results in lines)
    )


def _dim_of_outputs(job: Job) -> int | None:
    """The dim along which all outputs step by one element, and inputs do or may."""
    for dim in reversed(range(job.structure.rank)):
        extent = job.extents[dim]
        if isinstance(extent, int) and extent < 2:
            continue
        if all(
            (is_plain_last(ref, dim) or _in_windows(job, dim))
            and ref.steps_with(dim, job.coordinates)
            and ref.may_step
            for ref in job.outputs
        ):
            stepping = [ref for ref in job.inputs if ref.lies_along(dim, job.coordinates)]
            return dim if all(ref.may_step for ref in stepping) else None
    return None


def _in_windows(job: Job, dim: int) -> bool:
    """Rows of outputs that overlap, as those of `y[i + u, j + v]`, stay in order where `dim` is the
    innermost one that outputs depend on, and inputs are read as they lie."""
    inner = range(dim + 1, job.structure.rank)
    return not job.by_elements(dim) and not any(map(job.reaches_outputs, inner))


def is_plain_last(ref: Ref, dim: int) -> bool:
    results = list(ref.map.results)
    return bool(results) and plain_dim(results[-1]) == dim and dim not in map(
        plain_dim, results[:-1]
    )  # fmt: skip


def register_lanes(job: Job, vector_bytes: int) -> int:
    """Elements of a register full of the widest element."""
    return max(vector_bytes // max(bytes_of(ref.storage) for ref in job.refs), 2)


def lane_count(job: Job, dim: int, vector_bytes: int) -> int:
    """Elements per vector: a register full of the widest element, no more than the dim has."""
    lanes, extent = register_lanes(job, vector_bytes), job.extents[dim]
    while isinstance(extent, int) and lanes > extent:
        lanes //= 2
    return lanes


def unit_stride_condition(job: Job, dim: int) -> ir.Value | None:
    """Whether each memref that steps with `dim` has 1 as last stride; None: it is known."""
    condition = None
    for ref in job.refs:
        if ref.lies_along(dim, job.coordinates) and ref.last_stride == DYNAMIC:
            condition = both(condition, compare("eq", ref.runtime_last_stride(), 1))
    return condition


def combiner_of(job: Job) -> ir.Operation | None:
    """The op that alone combines what the one output holds, if its points may be grouped."""
    if len(job.outputs) != 1:
        return None
    combine = combine_of(job.body.block, len(job.inputs))
    return None if combine is None or not may_be_grouped(combine) else combine


def across_dim(job: Job) -> int | None:
    """The innermost dim that no output depends on and along which inputs step.

    None where the body, the sizes or promises on the order speak against lanes.
    """
    if combiner_of(job) is None:
        return None
    for dim in reversed(range(job.structure.rank)):
        extent = job.extents[dim]
        if job.reaches_outputs(dim) or (isinstance(extent, int) and extent < SHORTEST):
            continue
        stepping = [ref for ref in job.inputs if ref.steps_with(dim, job.coordinates)]
        if stepping and all(ref.may_step for ref in stepping) and find_segments(job, dim) is None:
            return dim
    return None
