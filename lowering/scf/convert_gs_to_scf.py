"""`convert-gs-to-scf`: `gs.generic` on memrefs to loops."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.checks.bounds import emit_checks, needs_checks, somewhere
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.ir.builders import arith, walk_named
from mlir_gs.lowering.ir.emit import (
    Ix,
    any_of,
    compare,
    either,
    loop,
    maximum,
    size_of,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.collapse import cast_collapses, collapse_dims
from mlir_gs.lowering.op.coordinates import Coordinates
from mlir_gs.lowering.op.extents import extents_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.segments import find_segments
from mlir_gs.lowering.op.volume import bytes_moved
from mlir_gs.lowering.passes.registry import fail, register_pass
from mlir_gs.lowering.scf.prefetch.streams import Streams
from mlir_gs.lowering.scf.remarks import parts_of_a_strategy
from mlir_gs.lowering.scf.strategies.adjacent_slices import LOOPS
from mlir_gs.lowering.scf.strategies.bucket_sort import emit_buckets
from mlir_gs.lowering.scf.strategies.buckets import find_buckets, sorting_pays, tell_buckets
from mlir_gs.lowering.scf.strategies.cuts import (
    Cut,
    Split,
    choose_split,
    lane_count,
    split_pays,
    tell_one_thread,
    tell_threads,
    vector_dim,
)
from mlir_gs.lowering.scf.strategies.initial import (
    fill_by_elements,
    fills_before,
    shared_fills,
    take_fill,
)
from mlir_gs.lowering.scf.strategies.overwritten import find_overwritten, tell_overwritten, without
from mlir_gs.lowering.scf.strategies.private import (
    emit_private,
    find_private,
    tell_private,
    ways_that_pay,
)
from mlir_gs.lowering.scf.strategies.records import emit_records, find_records, records_pay
from mlir_gs.lowering.scf.strategies.slice_sums import emit_slice_sums
from mlir_gs.lowering.scf.strategies.strip_loops import cut, emit_strips
from mlir_gs.lowering.scf.strategies.strips import (
    are_worth_it,
    find_strips,
    tell_strips,
    whole_strips,
)
from mlir_gs.lowering.scf.strategies.variants import emit_part
from mlir_gs.lowering.scf.target import Target
from mlir_gs.lowering.scf.targets import facts
from mlir_gs.lowering.scf.threads import (
    SERIAL_BYTES,
    call_in_parts,
    in_function,
    is_in_parallel,
    outline,
)

_MOST_THREADS = 1 << 16
_PREFETCH = "memref.prefetch"


@register_pass
@dataclass(frozen=True)
class ConvertGsToScf:
    """Lower `gs.generic` on memrefs to scf loops over vectors and elements.

    With several threads each op becomes a function that runs a part of it, called from
    scf.parallel where there is enough to do. Results have the bits of the sequential loop.
    """

    name: ClassVar[str] = "convert-gs-to-scf"
    threads: int = field(default=1, metadata={"help": "threads that share an op"})
    target: str = field(
        default="generic",
        metadata={
            "help": "the machine: a preset or a file with facts, and facts to override, as in "
            "'generic:cache-bytes=16777216:words=false'"
        },
    )

    def __post_init__(self) -> None:
        if not 1 <= self.threads <= _MOST_THREADS:
            raise ValueError(f"threads must be from 1 to {_MOST_THREADS}, found {self.threads}")
        facts(self.target)

    def run(self, module: ir.Operation) -> None:
        sites = Sites(module)
        given = list(module.regions[0].blocks[0])
        target = facts(self.target).target(self.threads)
        kept = None if target.uses("prefetch") else walk_named(module, _PREFETCH)
        sums = walk_named(module, *LOOPS) if target.uses("slice-sums") else []
        for number, rows in enumerate(sums):
            emit_slice_sums(rows, target, f"gs_sums_{number}")
        ops = walk_named(module, "gs.generic")
        for number, (op, fill) in enumerate(zip(ops, fills_before(module), strict=True)):
            if len(op.results) > 0:
                fail(op, "'gs.generic' op is on tensors: run gs-bufferize first")
            with op.location, ir.InsertionPoint(op):
                fits = _check(op, target, sites)
            if Structure.of(op.opview).is_nothing:
                op.erase()
                continue
            checked = fits is not None or "error" in Structure.of(op.opview).modes
            initial = take_fill(op, None if checked else fill)
            with op.location:
                op = collapse_dims(op)
            with op.location, ir.InsertionPoint(op):
                when(fits, lambda o=op, n=number, i=initial: _lower(o, target, f"gs_kernel_{n}", i))
            op.erase()
        if self.threads > 1:
            for number, fill in enumerate(shared_fills(module)):
                with fill.location, ir.InsertionPoint(fill):
                    op = collapse_dims(fill_by_elements(fill))
                with op.location, ir.InsertionPoint(op), parts_of_a_strategy():
                    _lower(op, target, f"gs_fill_{number}", None)
                op.erase()
        # Functions that were added collapse nothing.
        for one in given:
            cast_collapses(one.operation)
        sites.write()
        if kept is not None:
            for op in walk_named(module, _PREFETCH):
                if op not in kept:
                    op.erase()


def _check(op: ir.Operation, target: Target, sites: Sites) -> ir.Value | None:
    """The loops that look at coordinates before anything is written, and when the op may run; None
    for always.

    No error leaves a parallel loop: there an op that has nothing to clip to does nothing.
    """
    structure = Structure.of(op.opview)
    if not needs_checks(structure):
        return None
    extents = extents_of(structure)
    coordinates = Coordinates(structure, extents)
    alone = target.threads == 1 or not is_in_parallel(op)
    emit_checks(op, coordinates, sites, clipped=alone)
    return None if alone else somewhere(coordinates)


def _lower(op: ir.Operation, target: Target, name: str, initial: ir.Attribute | None) -> None:
    job = Job.of(op, initial)
    overwritten = find_overwritten(job) if target.uses("overwritten") else None
    if overwritten is None:
        _lower_points(op, job, target, name, initial)
        return
    tell_overwritten(job, overwritten)
    rest = without(op, overwritten)
    _lower_points(rest, Job.of(rest), target, name, None)
    rest.erase()
    if overwritten.windows:
        end = job.extents[overwritten.moved]
        first = maximum(sub(end, overwritten.windows), 0)
        with parts_of_a_strategy():
            last = Split((Cut(overwritten.moved),))
            emit_part(job, target.near(), last, [value(first), value(end)])


def _lower_points(
    op: ir.Operation, job: Job, target: Target, name: str, initial: ir.Attribute | None
) -> None:
    if is_in_parallel(op):
        tell_one_thread(job, "threads share the loop around it")
        emit_part(job, target, None, [])
        return
    strips = None
    if initial is None and target.uses("strips"):
        strips = find_strips(job, target.written_strip_bytes)
    worth: ir.Value | bool = False
    if strips is not None:
        worth = are_worth_it(job, strips, target.cache_bytes, target.threads)
    if strips is None or worth is False:
        _whole(op, job, target, name, initial)
        return
    tell_strips(job, strips, worth)
    first, end = whole_strips(job, strips)
    if isinstance(worth, ir.Value):
        first, end = (arith.select(worth, value(x), value(0)) for x in (first, end))

    def emit(part: ir.Operation, _: list[ir.Value]) -> None:
        emit_part(Job.of(part), target.near(), None, [])

    def in_strips() -> None:
        with parts_of_a_strategy():
            emit_strips(op, job, strips, (first, end), target.threads, f"{name}_strips", emit)

    when(None if worth is True else worth, in_strips)

    def others(side: Ix) -> None:
        """The columns before and after whole strips, or all there are."""
        is_left = compare("eq", side, 0)
        lower = arith.select(is_left, value(0), value(end))
        upper = arith.select(is_left, value(first), value(job.extents[strips.dim]))

        def run() -> None:
            rest = cut(op, {strips.dim: lower}, {strips.dim: arith.subi(upper, lower)})
            _whole(rest, Job.of(rest), target, name, None)
            rest.erase()

        when(compare("slt", lower, upper), run)

    loop(0, 2, 1, others, "never")


def _whole(
    op: ir.Operation, job: Job, target: Target, name: str, initial: ir.Attribute | None
) -> None:
    buckets = None
    if initial is None and target.uses("buckets"):
        buckets = find_buckets(job, target.bucket_bytes)
    pays = False if buckets is None else sorting_pays(job, buckets)
    if buckets is None or pays is False:
        _in_order(op, job, target, name, initial)
        return
    tell_buckets(job, pays)

    def in_buckets() -> None:
        def emit(part: ir.Operation, bounds: list[ir.Value]) -> None:
            emit_part(Job.of(part), target, Split((Cut(buckets.dim),)), bounds)

        with parts_of_a_strategy():
            emit_buckets(op, job, buckets, target, f"{name}_sorted", emit)

    either(
        None if pays is True else pays,
        in_buckets,
        lambda: _in_order(op, job, target, name, initial),
    )


def _in_order(
    op: ir.Operation, job: Job, target: Target, name: str, initial: ir.Attribute | None
) -> None:
    work = bytes_moved(job)
    few = isinstance(work, int) and work < SERIAL_BYTES
    dim = vector_dim(job)
    private = None
    if target.uses("private") and not few and find_segments(job, dim) is None:
        private = find_private(job, dim)
    ways = [] if private is None else ways_that_pay(job, private, target.threads)
    for way, pays in ways:
        tell_private(job, way.copies, target.threads, pays)

    in_place: Callable[[], None] | None = None

    def in_copies() -> None:
        nonlocal in_place

        def emit(part: Job, bounds: list[ir.Value]) -> None:
            emit_part(part, target, Split((Cut(ways[0][0].dim),)) if bounds else None, bounds)

        def emit_beside(copies: Job) -> None:
            with parts_of_a_strategy():
                emit_part(copies, target.near(), None, [])

        found = emit_private(op, job, ways, target.threads, f"{name}_copy", emit, emit_beside)
        in_place = found if initial is None else None

    def in_one() -> None:
        if few or target.threads == 1:
            tell_one_thread(job, "little moves" if few else "no more were asked for")
            (in_place or partial(emit_part, job, target, None, []))()
        else:
            _shared(op, job, target, dim, work, name, initial, in_place)

    if not ways:
        in_one()
    elif ways[-1][1] is True:
        in_copies()
    else:
        either(any_of([pays for _, pays in ways]), in_copies, in_one)


def _shared(
    op: ir.Operation,
    job: Job,
    target: Target,
    dim: int | None,
    work: Ix,
    name: str,
    initial: ir.Attribute | None,
    in_place: Callable[[], None] | None,
) -> None:
    """One output, of which each thread writes its own part; `in_place` emits what one thread does,
    if there is code for it."""
    lanes = 1 if dim is None else lane_count(job, dim, target.vector_bytes)
    split = choose_split(job, dim, lanes, target)
    owned = None if split is None or not target.uses("records") else split.owned
    records = find_records(job, owned, dim, target)
    if records is not None:
        pays = records_pay(job, target, work)
    else:
        pays = split is None or split_pays(job, split, work, target.threads, target.owned_bytes)
    tell_threads(job, None if pays is False else split, target.threads)

    def on_threads(work: Ix) -> None:
        if records is not None:
            emit_records(op, records, target.threads, f"{name}_owned", run_list)
        elif split is not None:
            _in_parts(op, job, target, split, work, name, initial)

    def alone() -> None:
        def emit(part: ir.Operation, _: list[ir.Value]) -> None:
            emit_part(Job.of(part, initial), target, None, [])

        if in_place is not None:
            in_place()
        else:
            in_function(op, f"{name}_alone", emit)

    def run_list(part: ir.Operation, beside: Streams | None) -> None:
        emit_part(Job.of(part), target.near(), None, [], beside=beside)

    if split is None or pays is False:
        (in_place or partial(emit_part, job, target, None, []))()
    elif pays is True:
        on_threads(work)
    else:
        # Where it pays, there is enough to do for threads.
        either(pays, lambda: on_threads(SERIAL_BYTES), alone)


def _in_parts(
    op: ir.Operation,
    job: Job,
    target: Target,
    split: Split,
    work: Ix,
    name: str,
    initial: ir.Attribute | None,
) -> None:
    if split.of_output is not None:
        position, grain = split.of_output
        extents = [size_of(job.structure.outputs[0].value, position)]
        grains = [grain]
    else:
        extents = [job.extents[cut.dim] for cut in split.cuts]
        grains = [cut.grain for cut in split.cuts]

    def emit(clone: ir.Operation, bounds: list[ir.Value]) -> None:
        emit_part(Job.of(clone, initial), target, split, bounds)

    kernel = outline(op, name, len(extents), emit)
    call_in_parts(kernel, extents, grains, work, target.threads)
