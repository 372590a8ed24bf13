"""Private copies of a small output: for combiners of which points may be grouped.

Counts and other sums, products, minima, maxima and bit operations on integers, minima and maxima
of floats, and sums and products of floats with the fast-math flag `reassoc`: each thread fills a
copy of its own and runs its share of the points into it, and the copies are combined at the end.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.generic import generic
from mlir_gs.lowering.ir.builders import index
from mlir_gs.lowering.ir.combiners import identity
from mlir_gs.lowering.ir.emit import all_at_least, either, memref, mul, size_of
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.lanes import combiner_of
from mlir_gs.lowering.op.segments import find_segments
from mlir_gs.lowering.op.volume import elements_in, points
from mlir_gs.lowering.scf.remarks import parts_of_a_strategy
from mlir_gs.lowering.scf.strategies.parts import emit_part
from mlir_gs.lowering.scf.strategies.split import Cut, Split
from mlir_gs.lowering.scf.strategies.work import Work
from mlir_gs.lowering.scf.strategy import Later, Strategy, unless_always
from mlir_gs.lowering.scf.threads import (
    in_function,
    in_parallel,
    memories_of_threads,
    memory_of_thread,
    memory_per_thread,
    outline,
    share,
)

Emit: TypeAlias = Callable[[ir.Operation, list[ir.Value]], None]


class Private(NamedTuple):
    """Threads share the iteration dim `dim`; `kind` is the op that combines."""

    dim: int
    kind: str


class PrivateCopies(Strategy[Work, Private]):
    """Threads combine into copies of the output."""

    name = "private"
    meaning = "privatization: threads reduce into private copies of a small output"
    numbers = ("copies_bytes", "points_per_element")
    makes_ops = True
    in_parallel = False

    def applies(self, work: Work) -> Private | None:
        if not work.may_be_shared or find_segments(work.job, work.lanes_dim) is not None:
            return None
        return find_private(work.job, work.lanes_dim)

    def pays(self, work: Work, match: Private) -> ir.Value | bool:
        """Where copies are small, and small in proportion to the work."""
        (output,) = work.job.outputs
        policy, elements = work.policy, elements_in(output.memref)
        size = mul(elements, bytes_of(output.storage))
        least = mul(elements, policy.threads * policy.points_per_element)
        found = points(work.job, work.job.extents)
        return all_at_least([(policy.copies_bytes, size), (found, least)])

    def emit(self, work: Work, match: Private, pays: ir.Value | bool, later: Later[Work]) -> None:
        policy, name = work.policy, f"{work.name}_copy"

        def share_of_thread(part: ir.Operation, bounds: list[ir.Value]) -> None:
            emit_part(Job.of(part), policy, Split((Cut(match.dim),)), bounds)

        def around(part: ir.Operation, _: list[ir.Value]) -> None:
            with parts_of_a_strategy():
                emit_part(Job.of(part), policy.near(), None, [])

        def in_copies() -> None:
            emit_private(work.op, work.job, match, policy.threads, name, share_of_thread, around)

        either(unless_always(pays), in_copies, lambda: later(work))

    def describe(self, work: Work, match: Private, pays: ir.Value | bool) -> str:
        when = "" if pays is True else ", where it is small in proportion to the work"
        return (
            f"on {work.policy.threads} threads{when}: each combines into a copy of the small "
            "output; points may be grouped"
        )


def find_private(job: Job, lanes_dim: int | None) -> Private | None:
    """How `job` can run in private copies, if its points may be grouped."""
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


def emit_private(
    op: ir.Operation, job: Job, private: Private, threads: int, name: str, emit: Emit, around: Emit
) -> None:
    """Run `op` in copies, on `threads` threads.

    `emit(part, bounds)` emits the loops of a thread's part, `around(part, [])` those that fill
    copies and bring them together. `name` begins the names of the functions that run a part.
    """
    (output,) = job.structure.outputs
    target = output.value
    element = target.type.element_type
    sizes = [size_of(target, position) for position in range(target.type.rank)]
    copies = memory_per_thread(sizes, element, threads)
    first = memory_of_thread(copies, index(0), sizes)
    on_copy = op.clone()
    on_copy.operands[len(on_copy.operands) - 1] = first
    kernel = outline(on_copy, name, 1, emit)
    on_copy.erase()
    combining = _combine(private.kind, memories_of_threads(copies, threads, sizes), target)
    start = identity(private.kind, element)
    begun = generic([], [], [first], body=lambda _: start)
    begin = outline(begun, f"{name}_filled", 0, around)
    begun.erase()

    def all_of_thread(number: ir.Value) -> None:
        mine = {first: memory_of_thread(copies, number, sizes)}
        begin.call([], instead=mine)
        kernel.call(share(number, job.extents[private.dim], 1, threads), instead=mine)

    in_parallel(threads, all_of_thread)
    in_function(combining, f"{name}_combined", around)
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
        iterator_types=["reduction"] + ["parallel"] * target.type.rank,
        body=body,
    )
