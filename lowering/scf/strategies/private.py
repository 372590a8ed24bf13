"""Private copies of a small output: for combiners of which points may be grouped.

Counts and other sums, products, minima, maxima and bit operations on integers, minima and maxima
of floats, and sums and products of floats with the fast-math flag `reassoc`: each thread fills a
copy of its own and runs its share of the points into it, and the copies are combined at the end.

Of floats a thread, even if it is the only one, has several copies of an output that is small
enough, which points take in turns: where many reach one element, each waits for the sum before it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.generic import generic
from mlir_gs.lowering.ir.builders import arith, index
from mlir_gs.lowering.ir.combiners import identity
from mlir_gs.lowering.ir.emit import (
    Ix,
    all_at_least,
    any_of,
    either,
    memref,
    mul,
    size_of,
    value,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.lanes import combiner_of
from mlir_gs.lowering.op.segments import find_segments
from mlir_gs.lowering.op.volume import elements_in, points
from mlir_gs.lowering.scf.loops.point_strips import at_once
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.remarks import parts_of_a_strategy
from mlir_gs.lowering.scf.strategies.initial import filling
from mlir_gs.lowering.scf.strategies.parts import emit_part
from mlir_gs.lowering.scf.strategies.split import Cut, Split
from mlir_gs.lowering.scf.strategies.work import Work
from mlir_gs.lowering.scf.strategy import Later, Strategy, unless_always
from mlir_gs.lowering.scf.threads import (
    in_function,
    in_parallel,
    memories_of_threads,
    memories_or_one,
    memory_per_thread,
    one_as_several,
    outline,
    share,
)

Way: TypeAlias = tuple["Private", ir.Value | bool]
"""Copies, and whether they pay."""
EmitJob: TypeAlias = Callable[[Job, list[ir.Value]], None]


class Private(NamedTuple):
    """Threads share the iteration dim `dim`; `kind` is the op that combines. Each has so many
    `copies`, which its points take in turns."""

    dim: int
    kind: str
    copies: int


@dataclass
class Copies:
    """`private` as far as the maps say, and the `ways` that pay, as soon as that is looked at."""

    private: Private
    ways: list[Way] = field(default_factory=list)


class PrivateCopies(Strategy[Work, Copies]):
    """Threads, or one that would wait for its own sums, combine into copies of the output."""

    name = "private"
    meaning = "privatization: threads reduce into private copies of a small output"
    numbers = ("copies_bytes", "turns_bytes", "points_per_element")
    makes_ops = True
    in_parallel = False

    def applies(self, work: Work) -> Copies | None:
        if work.is_little or find_segments(work.job, work.lanes_dim) is not None:
            return None
        private = find_private(work.job, work.lanes_dim, work.policy.together)
        return None if private is None else Copies(private)

    def pays(self, work: Work, match: Copies) -> ir.Value | bool:
        """As far as copies are small, and small in proportion to the work: several for each thread,
        or one; the first way whose condition holds is the one to take."""
        private, threads = match.private, work.policy.threads
        ways = [private] if private.copies > 1 else []
        # For one thread a copy gains nothing over the output itself.
        ways += [private._replace(copies=1)] if threads > 1 else []
        for way in ways:
            pays = _pays(work.job, way, work.policy)
            if pays is not False:
                match.ways.append((way, pays))
            if pays is True:
                return True
        if not match.ways:
            return False
        some = any_of([unless_always(pays) for _, pays in match.ways])
        return True if some is None else some

    def emit(self, work: Work, match: Copies, pays: ir.Value | bool, later: Later[Work]) -> None:
        policy, ways = work.policy, match.ways

        def in_copies() -> None:
            def emit(part: Job, bounds: list[ir.Value]) -> None:
                split = Split((Cut(match.private.dim),)) if bounds else None
                emit_part(part, policy, split, bounds)

            def emit_around(copies: Job) -> None:
                with parts_of_a_strategy():
                    emit_part(copies, policy.near(), None, [])

            name = f"{work.name}_copy"
            found = emit_private(work.op, work.job, ways, policy.threads, name, emit, emit_around)
            work.in_place = found if work.initial is None else None

        either(unless_always(pays), in_copies, lambda: later(work))

    def describe(self, work: Work, match: Copies, pays: ir.Value | bool) -> str:
        threads = work.policy.threads
        when = "" if pays is True else ", where it is small in proportion to the work"
        counts = [way.copies for way, _ in match.ways]
        into = " or ".join("a copy" if n == 1 else f"{n} copies, in turns," for n in counts)
        return (
            f"on {threads} thread{'s' if threads > 1 else ''}{when}: each combines into {into} of "
            "the small output; points may be grouped"
        )


def find_private(job: Job, lanes_dim: int | None, together: int) -> Private | None:
    """How `job` can run in private copies, if its points may be grouped."""
    if len(job.outputs) != 1 or job.structure.unique:
        return None
    (output,) = job.outputs
    combine = combiner_of(job)
    if combine is None or output.element != output.memref.type.element_type:
        return None
    outer, inner = job.loop_order(lanes_dim)
    ordered = [dim for dim in outer if not job.structure.plain_in_outputs(dim)]
    if not ordered or outer[0] != ordered[0] or job.extents[ordered[0]] == 1:
        return None
    alone = lanes_dim is None and not inner and all(job.extents[d] == 1 for d in outer[1:])
    in_turns = alone and isinstance(output.element, ir.FloatType)
    return Private(ordered[0], combine.name, at_once(job, ordered[0], together) if in_turns else 1)


def _pays(job: Job, private: Private, policy: Policy) -> ir.Value | bool:
    (output,) = job.outputs
    elements = elements_in(output.memref)
    size = mul(elements, bytes_of(output.storage) * private.copies)
    least = mul(elements, policy.threads * private.copies**2 * policy.points_per_element)
    # Sums of integers do not wait for each other as those of floats do: they have one copy.
    most = policy.copies_bytes if private.copies == 1 else policy.turns_bytes
    return all_at_least([(most, size), (points(job, job.extents), least)])


def emit_private(
    op: ir.Operation,
    job: Job,
    ways: Sequence[Way],
    threads: int,
    name: str,
    emit: EmitJob,
    emit_around: Callable[[Job], None],
) -> Callable[[], None] | None:
    """Run `op` in copies, on `threads` threads, by the first of `ways` whose condition holds; one
    of them does. Returns what emits the same in place, if the code for copies can do that.

    `emit(job, bounds)` emits the loops of a part of a job, or of all of it if there are no bounds,
    `emit_around(job)` those that fill copies and bring them together. `name` begins the names of
    the functions that run a part.
    """
    (output,) = job.structure.outputs
    target = output.value
    rank, element = target.type.rank, target.type.element_type
    sizes = [size_of(target, position) for position in range(rank)]
    kind = ways[0][0].kind
    count: Ix = ways[-1][0].copies
    for way, pays in reversed(ways[:-1]):
        count = arith.select(pays, index(way.copies), value(count))
    copies = memory_per_thread(sizes, element, mul(count, threads))

    def of_thread(number: ir.Value) -> ir.Value:
        return memories_of_threads(copies, value(mul(number, count)), count, sizes)

    def fill(filled: ir.Value) -> ir.Operation:
        return filling(identity(kind, element), filled)

    def around(part: ir.Operation, _: list[ir.Value]) -> None:
        emit_around(Job.of(part))

    run = _Runner(op, job, ways, copies, sizes, threads, name, emit)

    def part(number: ir.Value, n: int = 0) -> None:
        if n == len(ways) - 1:
            run.part(number, ways[n][0].copies)
        else:
            way, pays = ways[n]
            either(pays, lambda: run.part(number, way.copies), lambda: part(number, n + 1))

    all_copies = memories_of_threads(copies, None, mul(count, threads), sizes)
    combining = _combine(kind, all_copies, target)
    if threads == 1:
        begun = fill(all_copies)
        emit_around(Job.of(begun))
        begun.erase()
        part(index(0))
        emit_around(Job.of(combining))
    else:
        first = of_thread(index(0))
        begun = fill(first)
        begin = outline(begun, f"{name}_filled", 0, around)
        begun.erase()

        def all_of_thread(number: ir.Value) -> None:
            begin.call([], instead={first: of_thread(number)})
            part(number)

        in_parallel(threads, all_of_thread)
        in_function(combining, f"{name}_combined", around)
    combining.erase()
    memref.dealloc(copies)
    return run.in_place()


class _Runner:
    """The function that runs a part of `op`, which is `job`, in copies among `copies`: in several,
    or in one that stands for them."""

    def __init__(
        self,
        op: ir.Operation,
        job: Job,
        ways: Sequence[Way],
        copies: ir.Value,
        sizes: Sequence[Ix],
        threads: int,
        name: str,
        emit: EmitJob,
    ) -> None:
        self.job, self.threads = job, threads
        self.copies, self.sizes = copies, sizes
        self.most, pays = ways[0]
        self.is_for_one = self.most.copies > 1 and pays is not True
        """One array may stand for several."""
        turns = job.structure.rank

        def in_turns(part: ir.Operation, bounds: list[ir.Value]) -> None:
            found = Job.of(part)
            extents = {**found.extents, turns: 1}
            several = turns if self.most.copies > 1 else None
            emit(replace(found, extents=extents, turns=several), bounds)

        on_copies = _on_copies(op, self._of_thread(index(0), self.most.copies))
        self.shown = on_copies.operands[len(on_copies.operands) - 1]
        self.kernel = outline(on_copies, name, 1, in_turns)
        on_copies.erase()

    def part(self, number: ir.Value, count: int) -> None:
        """The part of thread `number`, in `count` copies."""
        extent = self.job.extents[self.most.dim]
        bounds = share(number, extent, 1, self.threads) if self.threads > 1 else (0, extent)
        self.kernel.call(bounds, instead={self.shown: self._of_thread(number, count)})

    def in_place(self) -> Callable[[], None] | None:
        """All of it, in the output itself: what emits that anywhere in the function around; None if
        the code for copies cannot do it."""
        target = self.job.structure.outputs[0].value
        is_identity = isinstance(target.type.layout, ir.AffineMapAttr)
        if not self.is_for_one or not is_identity or self.kernel.sizes:
            return None

        def emit() -> None:
            whole = one_as_several(target, self.most.copies)
            self.kernel.call((0, self.job.extents[self.most.dim]), instead={self.shown: whole})

        return emit

    def _of_thread(self, number: ir.Value, count: int) -> ir.Value:
        first = value(mul(number, count))
        if not self.is_for_one:
            return memories_of_threads(self.copies, first, count, self.sizes)
        return memories_or_one(self.copies, first, count == 1, self.most.copies, self.sizes)


def _on_copies(op: ir.Operation, copies: ir.Value) -> ir.Operation:
    """`op` on `copies`, along whose first dimension a dim of its own runs."""
    clone = op.clone()
    clone.operands[len(clone.operands) - 1] = copies
    attributes = clone.attributes

    def wider(map_: ir.AffineMap, *first: ir.AffineExpr) -> ir.AffineMap:
        return ir.AffineMap.get(map_.n_dims + 1, map_.n_symbols, [*first, *map_.results])

    maps = [attribute.value for attribute in attributes["indexing_maps"]]
    turn = ir.AffineDimExpr.get(maps[-1].n_dims)
    wide = [*(wider(map_) for map_ in maps[:-1]), wider(maps[-1], turn)]
    attributes["indexing_maps"] = ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in wide])
    attributes["coordinate_maps"] = ir.ArrayAttr.get(
        [
            ir.ArrayAttr.get([ir.AffineMapAttr.get(wider(each.value)) for each in of_one])
            for of_one in attributes["coordinate_maps"]
        ]
    )
    kinds = [*attributes["iterator_types"], ir.StringAttr.get("parallel")]
    attributes["iterator_types"] = ir.ArrayAttr.get(kinds)
    return clone


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
