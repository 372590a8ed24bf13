"""What the strategies by which threads share an op have in common."""

import functools
from collections.abc import Callable

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import Ix, all_at_least, either, negated, size_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.scf.strategies.parts import emit_part
from mlir_gs.lowering.scf.strategies.split import Split
from mlir_gs.lowering.scf.strategies.work import Work, on_one_thread
from mlir_gs.lowering.scf.threads import call_in_parts, loses, outline


def where_it_pays(work: Work, pays: ir.Value | bool, on_threads: Callable[[], None]) -> None:
    """`on_threads()`, of which each looks at all points, where `pays` holds and enough moves; else,
    and where threads have lost, the loops of one thread, which know what the function around them
    does before."""
    enough = all_at_least([(work.bytes, work.policy.serial_bytes)])
    conditions = [one for one in (pays, enough) if not isinstance(one, bool)]
    conditions.append(negated(loses()))
    either(functools.reduce(arith.andi, conditions), on_threads, lambda: on_one_thread(work))


def emit_parts(work: Work, split: Split, moved: Ix) -> None:
    """A function that runs a part of the op, called by each thread; by one for all of it where the
    `moved` bytes may be few."""
    job = work.job
    if split.of_output is not None:
        position, grain = split.of_output
        extents = [size_of(job.structure.outputs[0].value, position)]
        grains = [grain]
    else:
        extents = [job.extents[cut.dim] for cut in split.cuts]
        grains = [cut.grain for cut in split.cuts]

    def emit(clone: ir.Operation, bounds: list[ir.Value]) -> None:
        emit_part(Job.of(clone, work.initial), work.policy, split, bounds)

    kernel = outline(work.op, work.name, len(extents), emit)
    call_in_parts(kernel, extents, grains, moved, work.policy)
