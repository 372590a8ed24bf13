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
from mlir_gs.lowering.checks.sites import NO_MEMORY
from mlir_gs.lowering.passes.registry import PassFailure

arith = dialect("arith")
func = dialect("func")
scf = dialect("scf")

MOST = float(1 << 62)
"""Bytes that no machine has, and whose number does not wrap around."""


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


def bound_sizes(allocations: Sequence[Any]) -> None:
    """Let a `memref.alloc` of these whose number of bytes wraps around be of a size that fails.
    Raises PassFailure for one of constant size."""
    for op in allocations:
        if not may_wrap(op):
            continue
        constant = constant_bytes(op)
        if constant > MOST:
            raise PassFailure(f"{op.results[0].type} in a parallel loop fits into no memory")
        with ir.InsertionPoint(op), op.location:
            large = is_too_large(op)
            instead = [int(MOST / max(constant, 1.0)), *[1] * (len(op.operands) - 1)]
            for number, size in enumerate(instead):
                some = arith.ConstantOp(ir.IndexType.get(), size).result
                op.operands[number] = arith.SelectOp(large, some, op.operands[number]).result


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
