"""`gs-leave-callers`: functions that distribute work to threads and do none of it."""

from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import producer
from mlir_gs.lowering.kernel.attributes import kernel_of
from mlir_gs.lowering.passes.registry import register_pass

_HALVES = (ir.F16Type, ir.BF16Type)

PARTS = 1 << 10
"""Iterations of a parallel loop that are the parts of threads, at most."""


@register_pass
@dataclass(frozen=True)
class GsLeaveCallers:
    """Mark a kernel that only calls others, in the LLVM dialect, as `optimize_none`.

    It calls others inside and outside of a parallel region, runs once in a call, and LLVM would
    take as long for it as for the loops. Does not apply where floats of 16 bits are passed on: such
    code would call libraries to round them.
    """

    name: ClassVar[str] = "gs-leave-callers"
    only_with: ClassVar[tuple[str, ...]] = ("omp.parallel",)

    def run(self, module: ir.Operation) -> bool:
        function = kernel_of(module)
        if function is not None and _only_calls(function.regions[0]):
            for name in ("no_inline", "optimize_none"):
                function.attributes[name] = ir.UnitAttr.get()
        return False


def _only_calls(region: Any) -> bool:
    """Each loop in `region` calls something, and parallel ones have an iteration for a thread."""
    blocks = list(region.blocks)
    calls = []
    for number, block in enumerate(blocks):
        calls.append(False)
        op = None
        for op in block.operations:
            name = op.name
            calls[-1] = calls[-1] or name in ("llvm.call", "omp.parallel")
            if name == "llvm.call" and any(isinstance(o.type, _HALVES) for o in op.operands):
                return False
            if name.startswith("omp.") and not _shares_out(op, name):
                return False
        for successor in op.successors if op is not None and len(blocks) > 1 else ():
            # Loops become blocks in order.
            first = blocks.index(successor)
            if first <= number and not any(calls[first:]):
                return False
    return True


def _shares_out(op: Any, name: str) -> bool:
    """Nothing in `op`, of an OpenMP region, is more than calls for each thread."""
    if name == "omp.loop_nest":
        bounds = [producer(bound, "llvm.mlir.constant") for bound in op.operands]
        if any(n is None or abs(n.attributes["value"].value) > PARTS for n in bounds):
            return False
        names = {nested.name for block in op.regions[0].blocks for nested in block.operations}
        if "llvm.call" not in names:
            return False
    return all(map(_only_calls, op.regions))
