"""What the iterations of a parallel loop allocate for themselves: a MemoryError of the call, too.

No error leaves a parallel region. An iteration whose allocation fails frees what it has, sets a
flag and ends; the iterations after it do nothing, and the flag is looked at behind the region.

before:  omp.parallel { omp.wsloop { omp.loop_nest { %p = llvm.call @malloc(%n) ... } } }
after:   omp.parallel { ... if %flag: yield; %p = malloc; if null: set %flag, yield ... }
         if %flag: raise
"""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import enclosing
from mlir_gs.lowering.llvm.llvm_ops import call, is_null, null_word, number, split_after, track
from mlir_gs.lowering.passes.registry import fail

llvm = dialect("llvm")

_NEST = "omp.loop_nest"
_MONOTONIC = 2
"""LLVM's number of an ordering."""


def check_parallel(
    entry: Any, calls: Sequence[Any], frees: Sequence[Any], failed: Any, tracked: bool
) -> None:
    """Check `calls` of malloc in parallel regions of `entry`, an `llvm.func`; go on at its block
    `failed` where one gave null.

    `tracked`: an iteration may have other memory then; `frees` are the calls of free in those
    regions. Raises an error for an allocation that is in no iteration.
    """
    if not calls:
        return
    with ir.InsertionPoint.at_block_begin(entry.regions[0].blocks[0]), entry.location:
        flag = null_word()
    loops: list[_Loop] = []
    for op in calls:
        nest = enclosing(op, _NEST)
        if nest is None:
            fail(op, "memory that a thread allocates outside of its loop is not checked")
        while nest is not None:
            _add_loop(loops, nest)
            nest = enclosing(nest, _NEST)
    track([], frees if tracked else [], None)
    for loop in loops:
        loop.prepare(flag, tracked)
    for op in calls:
        loop = _add_loop(loops, enclosing(op, _NEST))
        loop.check(op)
    for loop in loops:
        outer = enclosing(loop.region, _NEST)
        rest = split_after(loop.region)
        with ir.InsertionPoint(loop.region.block), loop.region.location:
            target = failed if outer is None else _add_loop(loops, outer).leaving(rest)
            llvm.CondBrOp(_is_unset(flag), [], [], rest, target)


def _add_loop(loops: list["_Loop"], nest: Any) -> "_Loop":
    """The loop of `nest` in `loops`, where it is added if it is not there."""
    for loop in loops:
        if loop.nest == nest:
            return loop
    loops.append(_Loop(nest))
    return loops[-1]


class _Loop:
    """A loop whose iterations are shared out: it can be left in each."""

    def __init__(self, nest: Any) -> None:
        self.nest = nest
        # Any: a loop whose iterations are shared out is in a parallel region.
        self.region: Any = enclosing(nest, "omp.parallel")

    def prepare(self, flag: Any, tracked: bool) -> None:
        """Let an iteration end at once where `flag` is set."""
        self.flag, self.head = flag, None
        if tracked:
            first = self.region.regions[0].blocks[0]
            with ir.InsertionPoint.at_block_begin(first), self.nest.location:
                self.head = null_word()
        self.end = _end(self.nest)
        first = self.nest.regions[0].blocks[0]
        with ir.InsertionPoint.at_block_begin(first), self.nest.location:
            is_unset = _is_unset(flag)
        rest = split_after(is_unset.owner.operation)
        with ir.InsertionPoint(first), self.nest.location:
            llvm.CondBrOp(is_unset, [], [], rest, self.end)

    def check(self, op: Any) -> None:
        """Leave the iteration where `op`, a call of malloc, gives null."""
        if self.head is not None:
            (op,) = track([op], [], self.head)
        block, rest = op.block, split_after(op)
        with ir.InsertionPoint(block), op.location:
            llvm.CondBrOp(is_null(op.results[0]), [], [], self.leaving(rest), rest)

    def leaving(self, before: Any) -> Any:
        """A new block, behind the block `before`, that sets the flag and ends the iteration."""
        block = before.create_after()
        with ir.InsertionPoint(block), self.nest.location:
            if self.head is not None:
                call("__gs_free_all", [self.head])
                llvm.StoreOp(llvm.ZeroOp(self.flag.type).result, self.head)
            llvm.StoreOp(self.flag, self.flag, ordering=number(_MONOTONIC), alignment=8)
            llvm.BrOp([], self.end)
        return block


def _end(nest: Any) -> Any:
    """The block of the loop's body that has nothing but its end."""
    blocks = nest.regions[0].blocks
    last = next(
        block.operations[len(block.operations) - 1].operation
        for block in blocks
        if block.operations[len(block.operations) - 1].operation.name == "omp.yield"
    )
    block = last.block
    end = blocks[len(blocks) - 1].create_after()
    end.append(last)
    with ir.InsertionPoint(block), last.location:
        llvm.BrOp([], end)
    return end


def _is_unset(flag: Any) -> Any:
    # Other threads set it meanwhile.
    return is_null(llvm.LoadOp(flag.type, flag, ordering=number(_MONOTONIC), alignment=8).result)
