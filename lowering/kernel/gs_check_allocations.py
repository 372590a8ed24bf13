"""`gs-check-allocations`: allocations too large for memory are a MemoryError."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.checks.sites import NO_MEMORY
from mlir_gs.lowering.ir.builders import symbol
from mlir_gs.lowering.ir.emit import when
from mlir_gs.lowering.kernel.attributes import kernel_of
from mlir_gs.lowering.kernel.gs_lower_asserts import named
from mlir_gs.lowering.passes.registry import fail, register_pass

arith = dialect("arith")
func = dialect("func")

_MOST = float(1 << 62)
"""Bytes that no machine has, and whose number does not wrap around."""


@register_pass
@dataclass(frozen=True)
class GsCheckAllocations:
    """Raise where the number of bytes of a memref.alloc of the kernel wraps around.

    before: `%a = memref.alloc(%n, %m)`
    after:  `scf.if %bytes_are_too_many { call @__gs_no_memory() }`, then the allocation

    No error leaves a parallel loop: an allocation there gets a size for which malloc fails, or is
    refused if it is constant.
    """

    name: ClassVar[str] = "gs-check-allocations"
    only_with: ClassVar[tuple[str, ...]] = ("memref.alloc",)

    def run(self, module: ir.Operation) -> None:
        function = kernel_of(module)
        if function is not None:
            _check_sizes(module, named(function, "memref.alloc"))
            _bound_sizes(named(function, "memref.alloc", parallel=True))


def _check_sizes(module: Any, allocations: Sequence[Any]) -> None:
    checked = [op for op in allocations if _may_wrap(op)]
    for op in checked:
        with ir.InsertionPoint(op), op.location:
            when(_is_too_large(op), lambda: func.call([], NO_MEMORY, []))
    body = module.regions[0].blocks[0]
    if checked and not any(symbol(op) == NO_MEMORY for op in body.operations):
        with ir.InsertionPoint.at_block_begin(body), ir.Location.unknown():
            func.FuncOp(NO_MEMORY, ir.FunctionType.get([], []), visibility="private")


def _bound_sizes(allocations: Sequence[Any]) -> None:
    for op in allocations:
        if not _may_wrap(op):
            continue
        constant = _constant_bytes(op)
        if constant > _MOST:
            fail(op, f"{op.results[0].type} in a parallel loop fits into no memory")
        with ir.InsertionPoint(op), op.location:
            large = _is_too_large(op)
            instead = [int(_MOST / max(constant, 1.0)), *[1] * (len(op.operands) - 1)]
            for number, size in enumerate(instead):
                some = arith.ConstantOp(ir.IndexType.get(), size).result
                op.operands[number] = arith.SelectOp(large, some, op.operands[number]).result


def _constant_bytes(op: Any) -> float:
    """A bound on the bytes that the constant sizes of a `memref.alloc` make."""
    type_ = op.results[0].type
    sizes = [n for k, n in enumerate(type_.shape) if not type_.is_dynamic_dim(k)]
    # A complex number of two doubles is the largest element.
    return float(prod(sizes) * 16)


def _may_wrap(op: Any) -> bool:
    """Whether the number of bytes of a `memref.alloc` may wrap around."""
    return bool(op.operands) or _constant_bytes(op) > _MOST


def _is_too_large(op: Any) -> Any:
    """Whether it does, as a value before it."""
    f64, i64 = ir.F64Type.get(), ir.IntegerType.get_signless(64)
    size = arith.ConstantOp(f64, _constant_bytes(op)).result
    for extent in op.operands:
        # As an unsigned number: one below 0 is large.
        number = arith.UIToFPOp(f64, arith.IndexCastOp(i64, extent).result).result
        size = arith.MulFOp(size, number).result
    return arith.CmpFOp(arith.CmpFPredicate.OGT, size, arith.ConstantOp(f64, _MOST).result).result
