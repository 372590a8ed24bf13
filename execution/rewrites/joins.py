"""Threads that share a loop meet once: at the end of the parallel region, not of the loop as well.

Upstream's conversion leaves both barriers. A region of two threads that does nothing takes 0.50 us
with one and 0.69 with both on a Zen 4.
"""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import walk_named

_LAST = ("omp.terminator", "llvm.intr.stackrestore")


def join_once(root: Any) -> None:
    """Mark each `omp.wsloop` below `root` that nothing follows in its `omp.parallel` with `nowait`;
    not one that reduces, for threads take part in that before they go on."""
    for loop in walk_named(root.operation, "omp.wsloop"):
        region = loop.operation.parent
        if region is None or region.name != "omp.parallel" or loop.operands or loop.results:
            continue
        blocks = list(region.regions[0].blocks)
        followers = list(blocks[-1].operations)
        if loop not in followers:
            continue
        if all(op.name in _LAST for op in followers[followers.index(loop) + 1 :]):
            loop.attributes["nowait"] = ir.UnitAttr.get(root.context)
