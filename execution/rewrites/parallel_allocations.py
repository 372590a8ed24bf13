"""What the iterations of a parallel loop allocate for themselves: a MemoryError of the call, too.

No error leaves a parallel region. An iteration whose allocation fails frees what it has, sets a
flag and ends; the iterations after it do nothing, and the flag is looked at behind the region.

before:  omp.parallel { omp.wsloop { omp.loop_nest { %p = llvm.call @malloc(%n) ... } } }
after:   omp.parallel { ... if %flag: yield; %p = malloc; if null: set %flag, yield ... }
         if %flag: raise
"""

from collections.abc import Callable, Sequence
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.rewrites.allocations import MOST, constant_bytes, is_too_large, may_wrap
from mlir_gs.execution.signature.signature import CompileError

arith = dialect("arith")
llvm = dialect("llvm")

_NEST = "omp.loop_nest"
# LLVM's numbers of comparisons and of an ordering.
_EQUAL, _DIFFERENT, _MONOTONIC = 0, 1, 2

Call = Callable[[str, Sequence[Any], Any], Any]
"""Builds a call of a function by its name: operands and the type of the result, or None."""


def bound_sizes(allocations: Sequence[Any]) -> None:
    """Let one of these `memref.alloc` whose number of bytes wraps around ask for more than there
    is. Raises CompileError for one of constant size."""
    for op in allocations:
        if not may_wrap(op):
            continue
        constant = constant_bytes(op)
        if constant > MOST:
            raise CompileError(f"{op.results[0].type} in a parallel loop fits into no memory")
        with ir.InsertionPoint(op), op.location:
            large = is_too_large(op)
            instead = [int(MOST / max(constant, 1.0)), *[1] * (len(op.operands) - 1)]
            for number, size in enumerate(instead):
                some = arith.ConstantOp(ir.IndexType.get(), size).result
                op.operands[number] = arith.SelectOp(large, some, op.operands[number]).result


def check_parallel(
    entry: Any, calls: Sequence[Any], frees: Sequence[Any], failed: Any, tracked: bool, call: Call
) -> None:
    """Check `calls` of malloc in parallel regions of `entry`, an `llvm.func`; go on at its block
    `failed` where one gave null.

    `tracked`: an iteration may have other memory then; `frees` are the calls of free in those
    regions. Raises CompileError for an allocation that is in no iteration.
    """
    if not calls:
        return
    pointer = ir.Type.parse("!llvm.ptr")
    with ir.InsertionPoint.at_block_begin(entry.regions[0].blocks[0]), entry.location:
        flag = _word(pointer)
    loops: list[_Loop] = []
    for op in calls:
        nest = _outer(op, _NEST)
        if nest is None:
            raise CompileError("memory that a thread allocates outside of its loop is not checked")
        while nest is not None:
            _add_loop(loops, nest)
            nest = _outer(nest, _NEST)
    for op in frees if tracked else ():
        with ir.InsertionPoint(op), op.location:
            call("__gs_free", [op.operands[0]], None)
        op.erase()
    for loop in loops:
        loop.prepare(flag, tracked, call)
    for op in calls:
        loop = _add_loop(loops, _outer(op, _NEST))
        loop.check(op)
    for loop in loops:
        outer = _outer(loop.region, _NEST)
        rest = _split_after(loop.region)
        with ir.InsertionPoint(loop.region.block), loop.region.location:
            target = failed if outer is None else _add_loop(loops, outer).leaving(rest)
            llvm.CondBrOp(_is_set(flag), [], [], target, rest)


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
        self.region: Any = _outer(nest, "omp.parallel")

    def prepare(self, flag: Any, tracked: bool, call: Call) -> None:
        """Let an iteration end at once where `flag` is set."""
        self.flag, self.call, self.head = flag, call, None
        if tracked:
            first = self.region.regions[0].blocks[0]
            with ir.InsertionPoint.at_block_begin(first), self.nest.location:
                self.head = _word(flag.type)
        self.end = _end(self.nest)
        first = self.nest.regions[0].blocks[0]
        with ir.InsertionPoint.at_block_begin(first), self.nest.location:
            is_set = _is_set(flag)
        rest = _split_after(is_set.owner.operation)
        with ir.InsertionPoint(first), self.nest.location:
            llvm.CondBrOp(is_set, [], [], self.end, rest)

    def check(self, op: Any) -> None:
        """Leave the iteration where `op`, a call of malloc, gives null."""
        if self.head is not None:
            with ir.InsertionPoint(op), op.location:
                result = self.call("__gs_alloc", [self.head, op.operands[0]], op.results[0].type)
                op.results[0].replace_all_uses_with(result)
            op.erase()
            op = result.owner.operation
        block, rest = op.block, _split_after(op)
        with ir.InsertionPoint(block), op.location:
            is_null = _compared_with_null(op.results[0], _EQUAL)
            llvm.CondBrOp(is_null, [], [], self.leaving(rest), rest)

    def leaving(self, before: Any) -> Any:
        """A new block, behind the block `before`, that sets the flag and ends the iteration."""
        block = before.create_after()
        with ir.InsertionPoint(block), self.nest.location:
            if self.head is not None:
                self.call("__gs_free_all", [self.head], None)
                llvm.StoreOp(llvm.ZeroOp(self.flag.type).result, self.head)
            llvm.StoreOp(self.flag, self.flag, ordering=_number(_MONOTONIC), alignment=8)
            llvm.BrOp([], self.end)
        return block


def _outer(op: Any, name: str) -> Any | None:
    parent = op.parent
    while parent is not None and parent.operation.name != name:
        parent = parent.operation.parent
    return None if parent is None else parent.operation


def _word(pointer: Any) -> Any:
    """A word on the stack, null."""
    one = llvm.ConstantOp(ir.IntegerType.get_signless(64), _number(1)).result
    word = llvm.AllocaOp(pointer, one, ir.TypeAttr.get(pointer)).result
    llvm.StoreOp(llvm.ZeroOp(pointer).result, word)
    return word


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


def _split_after(op: Any) -> Any:
    """A new block with what follows `op`."""
    block = op.block
    following = [other.operation for other in block.operations]
    rest = block.create_after()
    for later in following[following.index(op) + 1 :]:
        rest.append(later)
    return rest


def _number(value: int) -> Any:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def _compared_with_null(value: Any, predicate: int) -> Any:
    null = llvm.ZeroOp(value.type).result
    return llvm.ICmpOp(_number(predicate), value, null).result


def _is_set(flag: Any) -> Any:
    # Other threads set it meanwhile.
    ordering = _number(_MONOTONIC)
    loaded = llvm.LoadOp(flag.type, flag, ordering=ordering, alignment=8).result
    return _compared_with_null(loaded, _DIFFERENT)
