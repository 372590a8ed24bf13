"""Private copies of a small output: for combiners of which points may be grouped.

Counts and other sums, products, minima, maxima and bit operations on integers, minima and maxima of
floats, and sums and products of floats with the fast-math flag `reassoc`: each thread runs its share
of the points into a copy of its own, and the copies are combined at the end.
"""

from typing import NamedTuple

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.generic import generic
from mlir_gs.lowering.across import combiner_of
from mlir_gs.lowering.body import bytes_of
from mlir_gs.lowering.combiners import identity
from mlir_gs.lowering.emit import (
    all_at_least,
    memref,
    mul,
    size_of,
    value,
)
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.threads import (
    Emit,
    func,
    in_parallel,
    memory_of_thread,
    memory_per_thread,
    outline,
    share,
)
from mlir_gs.lowering.volume import elements_in, points

linalg = dialect("linalg")

MOST_BYTES = 1 << 18
"""Bytes of a copy, so that it stays in a thread's own cache."""

POINTS_PER_ELEMENT = 16
"""Points for each element of a copy, at least: a copy is filled and read once more."""


class Private(NamedTuple):
    """Threads share the iteration dim `dim`; `kind` is the op that combines."""

    dim: int
    kind: str


def find_private(job: Job, lanes_dim: int | None) -> Private | None:
    """How `job` can run in private copies, if its combiner is exact in any order."""
    if len(job.outputs) != 1 or job.structure.unique:
        return None
    (output,) = job.outputs
    combine = combiner_of(job)
    if combine is None or output.element != output.memref.type.element_type:
        return None
    outer, _ = job.loop_order(lanes_dim)
    ordered = [dim for dim in outer if not job.structure.plain_in_outputs(dim)]
    if not ordered or outer[0] != ordered[0] or job.extents[ordered[0]] == 1:
        return None
    return Private(ordered[0], combine.name)


def is_worth_it(job: Job, threads: int) -> ir.Value | bool:
    """Whether copies are small, and small beside the work."""
    (output,) = job.outputs
    elements = elements_in(output.memref)
    size = mul(elements, bytes_of(output.storage))
    least = mul(elements, threads * POINTS_PER_ELEMENT)
    return all_at_least([(MOST_BYTES, size), (points(job, job.extents), least)])


def emit_private(
    op: ir.Operation, job: Job, private: Private, threads: int, name: str, emit: Emit
) -> None:
    """Run `op` in `threads` copies, on threads of their own.

    `emit(op, bounds)` emits the loops of a part of an op, or of all of it if there are no bounds.
    `name` names the function that runs a part.
    """
    (output,) = job.structure.outputs
    target = output.value
    rank, element = target.type.rank, target.type.element_type
    sizes = [size_of(target, position) for position in range(rank)]
    copies = memory_per_thread(sizes, element, threads)
    linalg.fill(identity(private.kind, element), outs=[copies])

    on_copy = op.clone()
    last = len(on_copy.operands) - 1
    on_copy.operands[last] = memory_of_thread(copies, 0, sizes)
    name, arguments = outline(on_copy, name, 1, emit)
    on_copy.erase()

    def part(number: ir.Value) -> None:
        bounds = share(number, job.extents[private.dim], 1, threads)
        mine = memory_of_thread(copies, number, sizes)
        given = [*arguments[:last], mine, *arguments[last + 1 :]]
        func.call([], name, [*given, *map(value, bounds)])

    in_parallel(threads, part)
    strides, _ = copies.type.get_strides_and_offset()
    layout = ir.StridedLayoutAttr.get(0, strides)
    type_ = ir.MemRefType.get([threads, *target.type.shape], element, layout)
    zeros, ones = [0] * (rank + 1), [1] * (rank + 1)
    used = memref.subview(copies, zeros, [threads, *sizes], ones, result_type=type_)
    combining = _combine(private.kind, used, target)
    emit(combining, [])
    combining.erase()
    memref.dealloc(copies)


def _combine(kind: str, copies: ir.Value, target: ir.Value) -> ir.Operation:
    """`target` combined with each of `copies`, in order."""
    dims = [ir.AffineDimExpr.get(d) for d in range(target.type.rank + 1)]

    def body(copied: ir.Value, current: ir.Value) -> ir.Value:
        return ir.Operation.create(kind, results=[current.type], operands=[current, copied]).result

    maps = [ir.AffineMap.get(len(dims), 0, results) for results in (dims, dims[1:])]
    return generic(
        [copies],
        [],
        [target],
        indexing_maps=maps,
        coordinate_maps=[],
        iterator_types=["reduction"] + ["parallel"] * target.type.rank,
        body=body,
    )
