"""`gs-schedule`: what is to be done is written on each op, for `convert-gs-to-scf` to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import NAMED
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.ir.asserts import refuse_named, refuse_nested
from mlir_gs.lowering.ir.builders import index, walk_named
from mlir_gs.lowering.op.collapse import collapse_dims
from mlir_gs.lowering.op.segments import find_segments
from mlir_gs.lowering.passes.explain import note
from mlir_gs.lowering.passes.registry import fail, register_pass
from mlir_gs.lowering.scf import schedule
from mlir_gs.lowering.scf.machine_options import MachineOptions
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.remarks import parts_of_a_strategy
from mlir_gs.lowering.scf.strategies.initial import fills_before
from mlir_gs.lowering.scf.strategies.nests import Loops, in_checked_blocks
from mlir_gs.lowering.scf.strategies.parts import LANES, READS, RUNS
from mlir_gs.lowering.scf.strategies.work import Work
from mlir_gs.lowering.scf.strategy import Strategy
from mlir_gs.lowering.scf.table import WHOLE
from mlir_gs.lowering.scf.targets import machine


@register_pass
@dataclass(frozen=True)
class GsSchedule(MachineOptions):
    """Write on each `gs.generic` on memrefs which strategies its loops are to use.

    The attribute `gs.schedule` names the strategies that apply to the op and may pay, each with the
    numbers that it reads of the policy, the threads and the bytes of a vector. What
    `convert-gs-to-scf` does is the same with and without it; in between, entries may be changed,
    taken away or added. Ops that have the attribute keep it.
    """

    name: ClassVar[str] = "gs-schedule"

    def run(self, module: ir.Operation) -> None:
        refuse_named(walk_named(module, *NAMED), "loops")
        policy = machine(self.target).policy(self.threads)
        ops = walk_named(module, "gs.generic")
        refuse_nested(ops)
        for op, fill in zip(ops, fills_before(module), strict=True):
            if len(op.results) > 0:
                fail(op, "'gs.generic' op is on tensors: run gs-bufferize first")
            if schedule.ATTRIBUTE in op.attributes or Structure.of(op.opview).is_nothing:
                continue
            with _scratch(op) as copy:
                found = _strategies(copy, policy, is_changed=fill is not None)
            schedule.write(op, policy, found)
            note(op, "runs", f"{schedule.ATTRIBUTE} = {op.attributes[schedule.ATTRIBUTE]}")


def _strategies(op: ir.Operation, policy: Policy, is_changed: bool) -> list[Strategy[Any, Any]]:
    """Those that apply to `op` and may pay, in their order. `is_changed`: before it is lowered it
    becomes another op, or starts from a constant that its output was filled with."""
    work = Work.of(op, policy, "")
    found: list[Strategy[Any, Any]] = []
    for strategy in WHOLE:
        if not policy.uses(strategy.name) or (work.is_in_parallel and not strategy.in_parallel):
            continue
        match = strategy.applies(work)
        pays = match is not None and strategy.pays(work, match)
        makes_ops = any(one.makes_ops for one in found)
        if pays is not False or makes_ops:
            found.append(strategy)
        if pays is True and not makes_ops and not strategy.makes_ops:
            break
    segments = find_segments(work.job, work.lanes_dim)
    loops = Loops(work.job, policy, work.lanes_dim, segments)
    possible: list[Strategy[Loops, Any]] = []
    if is_changed or any(one.makes_ops for one in found):
        # Other ops than this one have other loops.
        possible = [*RUNS, *READS, *LANES]
    else:
        with parts_of_a_strategy():
            checked = in_checked_blocks(loops)
        possible = [one for one in RUNS if one.applies(checked) is not None]
        possible += [] if loops.dim is None else _of_vectors(loops)
    return [*found, *(one for one in possible if policy.uses(one.name))]


def _of_vectors(loops: Loops) -> list[Strategy[Loops, Any]]:
    """Those of loops over vectors that apply, each to what the ones before make of them."""
    found: list[Strategy[Loops, Any]] = []
    for strategy in READS:
        match = strategy.applies(loops) if loops.policy.uses(strategy.name) else None
        if match is not None:
            found.append(strategy)
            then: list[Loops] = []
            strategy.emit(loops, match, True, then.append)
            (loops,) = then
    return found + [one for one in LANES if one.applies(loops) is not None]


@contextmanager
def _scratch(op: ir.Operation) -> Iterator[ir.Operation]:
    """A copy of `op`, ready for its strategies to be looked for; what is emitted for it goes."""
    with op.location, ir.InsertionPoint(op):
        first = index(0).owner
        yield collapse_dims(op.clone())
    made: list[ir.Operation] = []
    for one in op.block.operations:
        one = one.operation
        if one == op:
            break
        if made or one == first:
            made.append(one)
    for one in reversed(made):
        one.erase()
