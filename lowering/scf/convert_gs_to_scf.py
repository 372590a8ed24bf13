"""`convert-gs-to-scf`: `gs.generic` on memrefs to loops."""

from dataclasses import dataclass
from functools import partial, reduce
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import NAMED
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.checks.bounds import emit_checks, needs_checks, somewhere
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.ir.asserts import refuse_named, refuse_nested
from mlir_gs.lowering.ir.builders import walk_named
from mlir_gs.lowering.ir.emit import both, compare, when
from mlir_gs.lowering.op.collapse import cast_collapses, collapse_dims
from mlir_gs.lowering.op.coordinates import Coordinates
from mlir_gs.lowering.op.extents import extents_of
from mlir_gs.lowering.op.whole_bytes import convert_vectors_of_bits
from mlir_gs.lowering.passes.registry import fail, register_pass
from mlir_gs.lowering.scf import schedule
from mlir_gs.lowering.scf.equal_ops import EqualOps
from mlir_gs.lowering.scf.machine_options import MachineOptions
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.remarks import parts_of_a_strategy
from mlir_gs.lowering.scf.strategies.initial import (
    fill_by_elements,
    fills_before,
    shared_fills,
    take_fill,
)
from mlir_gs.lowering.scf.strategies.work import Work, plainly
from mlir_gs.lowering.scf.strategy import lower
from mlir_gs.lowering.scf.table import WHOLE
from mlir_gs.lowering.scf.targets import machine
from mlir_gs.lowering.scf.threads import SEQUENTIAL, is_in_parallel


@register_pass
@dataclass(frozen=True)
class ConvertGsToScf(MachineOptions):
    """Lower `gs.generic` on memrefs to scf loops over vectors and elements.

    With several threads each op becomes a function that runs a part of it, called from
    scf.parallel where there is enough to do. Results have the bits of the sequential loop. An op
    that has a `gs.schedule` uses the strategies that this names, with its numbers; others use those
    that `gs-schedule` would name. Where a function of the module is `gs.sequential` no loops are
    parallel. Ops of the kernel that are equal, of static sizes, are lowered once, to a function
    that each calls; those that threads share and those that may raise are not.
    """

    name: ClassVar[str] = "convert-gs-to-scf"

    def run(self, module: ir.Operation) -> None:
        refuse_named(walk_named(module, *NAMED), "loops")
        sites = Sites(module)
        given = list(module.regions[0].blocks[0])
        threads = 1 if any(SEQUENTIAL in op.operation.attributes for op in given) else self.threads
        policy = machine(self.target).policy(threads)
        ops = walk_named(module, "gs.generic")
        refuse_nested(ops)
        equal = EqualOps(ops)
        for number, (op, fill) in enumerate(zip(ops, fills_before(module), strict=True)):
            if len(op.results) > 0:
                fail(op, "'gs.generic' op is on tensors: run gs-bufferize first")
            with op.location, ir.InsertionPoint(op):
                mine = schedule.read(op, policy)
                fits = _check(op, mine, sites)
            if Structure.of(op.opview).is_nothing:
                op.erase()
                continue
            checked = fits is not None or "error" in Structure.of(op.opview).modes
            initial = take_fill(op, None if checked else fill)
            lowered = partial(_lower, policy=mine, name=f"gs_kernel_{number}", initial=initial)
            with op.location, ir.InsertionPoint(op):
                called = not checked and equal.call(
                    number, op, initial, partial(lowered, once=True)
                )
            if called:
                op.erase()
            else:
                lowered(op, fits)
        if threads > 1:
            for number, fill in enumerate(shared_fills(module)):
                with fill.location, ir.InsertionPoint(fill):
                    op = collapse_dims(fill_by_elements(fill))
                with op.location, ir.InsertionPoint(op), parts_of_a_strategy():
                    lower(Work.of(op, policy, f"gs_fill_{number}"), WHOLE, plainly)
                op.erase()
        # Functions that were added collapse nothing.
        for one in given:
            cast_collapses(one.operation)
        convert_vectors_of_bits(module)
        sites.write()


def _lower(
    op: ir.Operation,
    fits: ir.Value | None = None,
    *,
    policy: Policy,
    name: str,
    initial: ir.Attribute | None,
    once: bool = False,
) -> bool:
    """The loops of an op in its place, if it `fits` and has points. `once`: none for an op that
    threads may share; False then."""
    with op.location:
        op = collapse_dims(op)

    left = False

    def emit() -> None:
        nonlocal left
        work = Work.of(op, policy, name, initial)
        left = once and work.may_be_shared
        sizes = work.job.sizes_inside()
        some = reduce(both, (compare("sgt", size, 0) for size in sizes), None)
        if not left:
            when(some, lambda: lower(work, WHOLE, plainly))

    with op.location, ir.InsertionPoint(op):
        when(fits, emit)
    op.erase()
    return not left


def _check(op: ir.Operation, policy: Policy, sites: Sites) -> ir.Value | None:
    """The loops that look at coordinates before anything is written, and when the op may run; None
    for always.

    No error leaves a parallel loop: there an op that has nothing to clip to does nothing.
    """
    structure = Structure.of(op.opview)
    if not needs_checks(structure):
        return None
    coordinates = Coordinates(structure, extents_of(structure))
    alone = policy.threads == 1 or not is_in_parallel(op)
    emit_checks(op, coordinates, sites, clipped=alone)
    return None if alone else somewhere(coordinates)
