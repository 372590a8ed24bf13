"""`gs-raise`: loops and ops of upstream that access memory through coordinates to `gs.generic`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import producer, walk, walk_named
from mlir_gs.lowering.passes.explain import note
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.raising.linalg_reads import raise_linalg
from mlir_gs.lowering.raising.loop_nests import LOOPS, raise_loops
from mlir_gs.lowering.raising.places import LOADS, STORES, Left, access


@register_pass
@dataclass(frozen=True)
class GsRaise:
    """Rewrite loops and linalg.generics that read or write through coordinates to `gs.generic`."""

    name: ClassVar[str] = "gs-raise"

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, "linalg.generic"):
            if indirect(op):
                attempt(op)
        for op in _outermost(module):
            if indirect(op):
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


def attempt(op: ir.Operation) -> bool:
    """Raise `op`, or leave a note that says why not."""
    try:
        (raise_linalg if op.name == "linalg.generic" else raise_loops)(op)
    except Left as reason:
        note(reason.op or op, "refused", f"stays as it is: {reason}")
        return False
    return True


def indirect(op: ir.Operation) -> list[ir.Operation]:
    """The loads and stores in `op` whose place is computed from what another load has read."""
    found = []
    arguments = list(op.regions[0].blocks[0].arguments) if op.name == "linalg.generic" else []
    for each in walk(op):
        if each.name not in (*LOADS, *STORES):
            continue
        todo = list(access(each)[1])
        seen: set[ir.Value] = set()
        while todo:
            number = todo.pop()
            made = producer(number)
            if number in arguments or (made is not None and made.name in LOADS):
                found.append(each)
                break
            if made is not None and number not in seen and not len(made.regions):
                seen.add(number)
                todo += made.operands
    return found
