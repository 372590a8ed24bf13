"""What compiled code allocates for itself may be more than there is: a MemoryError of the call.

before:  %p = llvm.call @malloc(%bytes)
after:   %p is compared with null, and the function fails
"""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.checks.sites import NO_MEMORY
from mlir_gs.lowering.ir.builders import callee_of
from mlir_gs.lowering.llvm.llvm_ops import is_null

llvm = dialect("llvm")


def is_no_memory(op: Any) -> bool:
    """Whether `op` is a call of `NO_MEMORY`."""
    return op.name in ("func.call", "llvm.call") and callee_of(op) == NO_MEMORY


def may_lie_together(allocations: Sequence[Any]) -> bool:
    """Whether memory of an earlier allocation may be there when one of these calls fails."""
    return len(allocations) > 1 or any(_is_in_loop(op.block) for op in allocations)


def _is_in_loop(block: Any) -> bool:
    # Blocks are compared one by one: their hash is not their identity.
    seen: list[Any] = []
    waiting = list(block.successors)
    while waiting:
        one = waiting.pop()
        if one == block:
            return True
        if not any(one == other for other in seen):
            seen.append(one)
            waiting += one.successors
    return False


def check_results(allocations: Sequence[Any], failed: Any) -> None:
    """Go on at the block `failed` where one of these calls gives null."""
    # Each block is listed once: each call by itself would move all that follows it.
    calls, made = set(allocations), []
    for first in allocations:
        rest = first.block
        for op in [view.operation for view in rest.operations] if first in calls else ():
            if rest != first.block:
                rest.append(op)
            if op in calls:
                calls.remove(op)
                rest = rest.create_after()
                made.append((op, rest))
    for op, rest in made:
        with ir.InsertionPoint(op.block), op.location:
            llvm.CondBrOp(is_null(op.results[0]), [], [], failed, rest)
