"""Functions that distribute work to threads and do none of it: LLVM does not optimize them.

Such a function calls others, inside and outside of a parallel region. It runs once in a call, and
the code generator would take as long for it as for the loops.
"""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import producer

_HALVES = (ir.F16Type, ir.BF16Type)

PARTS = 1 << 10
"""Iterations of a parallel loop that are the parts of threads, at most."""


def leave_unoptimized(function: Any) -> None:
    """Let LLVM optimize nothing in `function`, an `llvm.func`, if it only calls others.

    Not where floats of 16 bits are passed on: such code would call libraries to round them.
    """
    if _only_calls(function.operation.regions[0]):
        for name in ("no_inline", "optimize_none"):
            function.attributes[name] = ir.UnitAttr.get(function.operation.context)


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
