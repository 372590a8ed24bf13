"""What compiled code allocates for itself may be more than there is: a MemoryError of the call.

before:  %a = memref.alloc(%n, %m)     %p = llvm.call @malloc(%bytes)
after:   scf.if %bytes_are_too_many { call @__gs_no_memory() }, and %p is compared with null

`__gs_no_memory` is a call that does not return, as those of `raising` are.
`parallel_allocations` has what iterations of a parallel loop allocate for themselves.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.generated.messages import NO_MEMORY, string_global
from mlir_gs.execution.rewrites.llvm_ops import callee_of, is_null, split_after

arith = dialect("arith")
func = dialect("func")
scf = dialect("scf")
llvm = dialect("llvm")

MOST = float(1 << 62)
"""Bytes that no machine has, and whose number does not wrap around."""

_FAILED = 1

TEXT = (
    string_global("__gs_memory_error", "MemoryError")
    + string_global("__gs_memory_text", "what the function allocates for itself does not fit")
    + f"""
llvm.func internal @{NO_MEMORY}() attributes {{no_inline, cold}} {{
  call @__gs_set_error(@__gs_memory_error, @__gs_memory_text)
  llvm.return
}}
"""
)


def check_sizes(module: Any, allocations: Sequence[Any]) -> None:
    """Raise where the number of bytes of one of these `memref.alloc` wraps around."""
    checked = [op for op in allocations if may_wrap(op)]
    for op in checked:
        with ir.InsertionPoint(op), op.location:
            branch = scf.IfOp(is_too_large(op))
            with ir.InsertionPoint(branch.then_block):
                func.CallOp([], NO_MEMORY, [])
                scf.YieldOp([])
    if checked:
        with ir.InsertionPoint.at_block_begin(module.body), ir.Location.unknown():
            func.FuncOp(NO_MEMORY, ir.FunctionType.get([], []), visibility="private")


def constant_bytes(op: Any) -> float:
    """A bound on the bytes that the constant sizes of a `memref.alloc` make."""
    type_ = op.results[0].type
    sizes = [n for k, n in enumerate(type_.shape) if not type_.is_dynamic_dim(k)]
    # A complex number of two doubles is the largest element.
    return float(prod(sizes) * 16)


def may_wrap(op: Any) -> bool:
    """Whether the number of bytes of a `memref.alloc` may wrap around."""
    return bool(op.operands) or constant_bytes(op) > MOST


def is_too_large(op: Any) -> Any:
    """Whether it does, as a value before it."""
    f64, i64 = ir.F64Type.get(), ir.IntegerType.get_signless(64)
    size = arith.ConstantOp(f64, constant_bytes(op)).result
    for extent in op.operands:
        # As an unsigned number: one below 0 is large.
        number = arith.UIToFPOp(f64, arith.IndexCastOp(i64, extent).result).result
        size = arith.MulFOp(size, number).result
    return arith.CmpFOp(arith.CmpFPredicate.OGT, size, arith.ConstantOp(f64, MOST).result).result


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
    for op in allocations:
        block, rest = op.block, split_after(op)
        with ir.InsertionPoint(block), op.location:
            llvm.CondBrOp(is_null(op.results[0]), [], [], failed, rest)
