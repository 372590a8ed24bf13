"""`gs-raise`: loops and ops of upstream that access memory through coordinates to `gs.generic`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import walk_named
from mlir_gs.lowering.passes.explain import note
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.raising.accesses import STAYS, indirect
from mlir_gs.lowering.raising.linalg_reads import raise_linalg
from mlir_gs.lowering.raising.loop_nests import LOOPS, raise_loops
from mlir_gs.lowering.raising.outer_loops import raise_inside
from mlir_gs.lowering.raising.places import Left
from mlir_gs.lowering.raising.vectors import has_vectors, raise_vectors


@register_pass
@dataclass(frozen=True)
class GsRaise:
    """Rewrite loops and linalg.generics that read or write through coordinates to `gs.generic`.

    A form of the source at a time: a linalg.generic whose body reads by tensor.extract or
    memref.load; a nest of loops of scf (for, parallel, forall) or affine (for, parallel) around
    loads and stores, on memrefs or with tensors and numbers that are carried; loops around such
    nests, over segments above all. Clamps, wrapped negative numbers and tests of bounds become
    modes, other conditions select. The order of the points stays. Where memrefs may share memory,
    the loops stay beside the op, and a test of addresses chooses. What is not shown to be the same
    stays as it is, and `--gs-explain` says why.
    """

    name: ClassVar[str] = "gs-raise"

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, "linalg.generic"):
            if indirect(op):
                attempt(op)
        for op in list(_outermost(module)):
            if STAYS not in op.attributes and (indirect(op) or has_vectors(op)):
                attempt(op)


def _outermost(op: ir.Operation) -> Iterator[ir.Operation]:
    """The loops in `op` that are in no other."""
    for region in op.regions:
        for block in region.blocks:
            for each in list(block.operations):
                if each.operation.name in LOOPS:
                    yield each.operation
                else:
                    yield from _outermost(each.operation)


def attempt(op: ir.Operation) -> None:
    """Raise `op`, or leave a note that says why not."""
    try:
        if op.name == "linalg.generic":
            raise_linalg(op)
        else:
            (raise_vectors if has_vectors(op) else raise_loops)(op)
    except Left as reason:
        if op.name == "linalg.generic" or not raise_inside(op):
            note(reason.op or op, "refused", f"stays as it is: {reason}")
