"""`gs-split-parallel`: threads share the outer dims of parallel loops, not the last one."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import clone_block, is_within, walk_named
from mlir_gs.lowering.passes.registry import register_pass

scf, _LOOP = dialect("scf"), "scf.parallel"


@register_pass
@dataclass(frozen=True)
class GsSplitParallel:
    """Make the last dim of each scf.parallel of several an scf.for.

    before: `scf.parallel (%i, %j) = (0, 0) to (%m, %n) { ... }`
    after:  `scf.parallel (%i) = (0) to (%m) { scf.for %j = 0 to %n { ... } }`

    OpenMP divides the number of each point of several dims, which hides what lies side by side.
    Does not apply to loops with results.
    """

    name: ClassVar[str] = "gs-split-parallel"

    def run(self, module: ir.Operation) -> None:
        for op in [o for o in walk_named(module, _LOOP) if not is_within(o, _LOOP)]:
            block, given = op.regions[0].blocks[0], list(op.operands)
            n = len(block.arguments)
            if n < 2 or len(op.results) > 0:
                continue
            with op.location, ir.InsertionPoint(op):
                new = scf.ParallelOp([], *(given[k : k + n - 1] for k in (0, n, 2 * n)), [])
                outer = new.regions[0].blocks.append(*[ir.IndexType.get()] * (n - 1))
            with op.location, ir.InsertionPoint(outer):
                inner = scf.ForOp(*given[n - 1 :: n])
                scf.ReduceOp([], 0)
            with op.location, ir.InsertionPoint(inner.body):
                clone_block(block, [*outer.arguments, inner.induction_variable])
                scf.yield_([])
            op.erase()
