"""Errors that compiled code finds while it runs become an error return of the function.

Lowering calls `__gs_raise_<rank>(site, coordinate, size, position...)` and treats the call as one
that does not return. Here what follows it is cut: allocations are freed and the function returns a
status. So it is for `__gs_assert`.
"""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.checks.sites import NO_MEMORY
from mlir_gs.lowering.ir.builders import callee_of, is_within, walk_named
from mlir_gs.lowering.kernel.gs_lower_asserts import CALLS, PARALLEL, is_raise
from mlir_gs.lowering.llvm.allocations import check_results, is_no_memory, may_lie_together
from mlir_gs.lowering.llvm.llvm_ops import (
    call,
    following,
    null_word,
    number,
    track,
    type_list,
)
from mlir_gs.lowering.llvm.parallel_allocations import check_parallel
from mlir_gs.lowering.passes.registry import PassFailure

llvm = dialect("llvm")


def return_status(module: Any, entry: Any, owned: bool, calls_any: bool) -> bool:
    """Make `entry`, an `llvm.func` of `module`, return 0, or -1 after an error.

    With `owned`, what it returned is stored through one more pointer argument. `calls_any`: there
    are calls in the module. Returns whether its allocations are tracked, which they are if there
    may be some to free after an error.
    """
    first = entry.regions[0].blocks[0]
    room = first.add_argument(ir.Type.parse("!llvm.ptr"), entry.location) if owned else None
    for block in entry.regions[0].blocks:
        last = block.operations[len(block.operations) - 1].operation
        if last.name == "llvm.return":
            with ir.InsertionPoint(last), last.location:
                if room is not None:
                    llvm.StoreOp(last.operands[0], room)
                _return(0)
            last.erase()
    _set_type(entry, owned)
    if not calls_any:
        return False
    _refuse_other_raises(module, entry)
    calls = _Calls(entry)
    inside = calls.of("malloc", parallel=True)
    raises = [op for op in calls.all if is_raise(op)]
    together = [may_lie_together(made) for made in (calls.of("malloc"), inside)]
    tracked = bool(raises) or any(together)
    head = None
    if tracked:
        with ir.InsertionPoint.at_block_begin(first), entry.location:
            head = null_word()
    ends = _first_ends([op for op in calls.all if is_raise(op) or is_no_memory(op)], entry)
    for op in ends:
        if is_within(op, *PARALLEL):
            raise PassFailure("an error cannot be raised from inside a parallel loop")
        _cut_after(op, head)
    if ends:
        # What was behind them is gone.
        calls = _Calls(entry)
        inside = calls.of("malloc", parallel=True)
    allocations = calls.of("malloc")
    if tracked:
        allocations = track(allocations, calls.of("free"), head)
    if allocations or inside:
        failed = _failed_block(entry, head)
        check_results(allocations, failed)
        frees = calls.of("free", parallel=True)
        check_parallel(entry, inside, frees, failed, tracked)
    return tracked


def _first_ends(ends: Sequence[Any], entry: Any) -> list[Any]:
    """Those of `ends`, calls in program order that do not return, that no other one is before in
    its block: what comes behind it goes with what is cut."""
    first: list[Any] = []
    for op in ends:
        around = op
        while first and around != entry and around.block != first[-1].block:
            around = around.parent.operation
        if not first or around == entry:
            first.append(op)
    return first


def _failed_block(entry: Any, head: Any) -> Any:
    """A new block of `entry` for an allocation that has failed."""
    blocks = entry.regions[0].blocks
    failed = blocks[len(blocks) - 1].create_after()
    with ir.InsertionPoint(failed), entry.location:
        call(NO_MEMORY, [])
        _free_and_return(head)
    return failed


def _return(status: int) -> None:
    value = number(status, 32)
    llvm.ReturnOp(arg=llvm.ConstantOp(value.type, value).result)


def _set_type(entry: Any, owned: bool) -> None:
    signature = f"!llvm.func<i32 ({type_list(entry.regions[0].blocks[0].arguments)})>"
    entry.attributes["function_type"] = ir.TypeAttr.get(ir.Type.parse(signature))
    if "arg_attrs" in entry.attributes and owned:
        old = list(entry.attributes["arg_attrs"])
        entry.attributes["arg_attrs"] = ir.ArrayAttr.get([*old, ir.DictAttr.get({})])
    if "res_attrs" in entry.attributes:
        del entry.attributes["res_attrs"]


def _refuse_other_raises(module: Any, entry: Any) -> None:
    for function in module.regions[0].blocks[0].operations:
        if function.operation == entry or not function.operation.regions:
            continue
        if any(is_raise(op) for op in walk_named(function, *CALLS)):
            name = function.operation.attributes["sym_name"].value
            raise PassFailure(
                f"function '{name}' can raise an error and cannot be inlined into its callers"
            )


class _Calls:
    """The calls below an operation."""

    def __init__(self, root: Any) -> None:
        self.all = walk_named(root, "llvm.call")
        self._places: dict[tuple[str, bool], list[Any]] = {}
        for op in self.all:
            place = (callee_of(op), is_within(op, *PARALLEL))
            self._places.setdefault(place, []).append(op)

    def of(self, callee: str, parallel: bool = False) -> list[Any]:
        """Those of `callee` outside parallel loops, or in them."""
        return self._places.get((callee, parallel), [])


def _cut_after(op: Any, head: Any) -> None:
    """Free and return instead of what follows `op` in its block."""
    block, cut = op.block, following(op)
    with ir.InsertionPoint(cut[0]), op.location:
        for later in cut:
            for result in later.results:
                result.replace_all_uses_with(llvm.PoisonOp(result.type).result)
    for later in reversed(cut):
        later.erase()
    with ir.InsertionPoint(block), op.location:
        _free_and_return(head)


def _free_and_return(head: Any) -> None:
    if head is not None:
        call("__gs_free_all", [head])
    _return(-1)
