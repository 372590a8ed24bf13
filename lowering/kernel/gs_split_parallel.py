"""`gs-split-parallel`: threads share the outer dims of parallel loops, or the last one."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import clone_block, constant_of, is_within, walk_named
from mlir_gs.lowering.ir.emit import Ix, all_at_least, ceil_div, either, product, sub
from mlir_gs.lowering.passes.registry import register_pass

scf, _LOOP = dialect("scf"), "scf.parallel"


@register_pass
@dataclass(frozen=True)
class GsSplitParallel:
    """Make the last dim of each scf.parallel of several an scf.for.

    before: `scf.parallel (%i, %j) = (0, 0) to (%m, %n) { ... }`
    after:  `scf.parallel (%i) = (0) to (%m) { scf.for %j = 0 to %n { ... } }`

    OpenMP divides the number of each point of several dims, which hides what lies side by side.
    If the outer dims have fewer points than there are threads, they become scf.for, and threads
    share the last one. Does not apply to loops with results.
    """

    name: ClassVar[str] = "gs-split-parallel"
    threads: int = field(default=2, metadata={"help": "threads that share a loop"})

    def run(self, module: ir.Operation) -> None:
        for op in [o for o in walk_named(module, _LOOP) if not is_within(o, _LOOP)]:
            if len(op.regions[0].blocks[0].arguments) > 1 and len(op.results) == 0:
                with op.location, ir.InsertionPoint(op):
                    _split(op, self.threads)


def _split(op: ir.Operation, threads: int) -> None:
    block, given = op.regions[0].blocks[0], list(op.operands)
    n = len(block.arguments)
    known: list[Ix] = [one if (number := constant_of(one)) is None else number for one in given]
    points = product(ceil_div(sub(known[n + d], known[d]), known[2 * n + d]) for d in range(n - 1))
    enough = all_at_least([(points, threads)])

    def share_outer() -> None:
        with ir.InsertionPoint(shared := _parallel(given, n, range(n - 1))):
            inner = scf.ForOp(*given[n - 1 :: n])
            scf.ReduceOp([], 0)
        with ir.InsertionPoint(inner.body):
            clone_block(block, [*shared.arguments, inner.induction_variable])
            scf.yield_([])

    def share_last() -> None:
        with ExitStack() as nest:
            places = []
            for d in range(n - 1):
                outer = scf.ForOp(*given[d::n])
                with ir.InsertionPoint(outer.body):
                    scf.yield_([])
                nest.enter_context(ir.InsertionPoint.at_block_terminator(outer.body))
                places.append(outer.induction_variable)
            with ir.InsertionPoint(shared := _parallel(given, n, [n - 1])):
                clone_block(block, [*places, *shared.arguments])
                scf.ReduceOp([], 0)

    if enough is False:
        share_last()
    else:
        either(None if enough is True else enough, share_outer, share_last)
    op.erase()


def _parallel(given: Sequence[ir.Value], n: int, dims: Iterable[int]) -> ir.Block:
    """The block of a new scf.parallel over some of `n` dims with these bounds and steps."""
    parts = [[given[k + d] for d in dims] for k in (0, n, 2 * n)]
    new = scf.ParallelOp([], *parts, [])
    return new.regions[0].blocks.append(*[ir.IndexType.get()] * len(parts[0]))
