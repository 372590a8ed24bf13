"""`gs-return-status`: errors that compiled code finds while it runs become an error return."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.checks.sites import NO_MEMORY
from mlir_gs.lowering.ir.builders import callee_of, has_named, is_within, walk_named
from mlir_gs.lowering.kernel.attributes import RESULTS, STATUS, TRACKED, kernel_of, records
from mlir_gs.lowering.kernel.gs_lower_asserts import CALLS, PARALLEL, is_raise
from mlir_gs.lowering.llvm.allocations import check_results, is_no_memory, may_lie_together
from mlir_gs.lowering.llvm.llvm_ops import (
    append,
    call,
    following,
    null_word,
    number,
    track,
    type_list,
)
from mlir_gs.lowering.llvm.parallel_allocations import check_parallel
from mlir_gs.lowering.passes.registry import fail, register_pass

llvm = dialect("llvm")


_TRACKING = """
llvm.func @__gs_alloc(!llvm.ptr, i64) -> (!llvm.ptr {llvm.noalias})
llvm.func @__gs_free(!llvm.ptr)
llvm.func @__gs_free_all(!llvm.ptr)
"""


@register_pass
@dataclass(frozen=True)
class GsReturnStatus:
    """Let the kernel, in the LLVM dialect, return 0, or -1 after an error.

    before: `llvm.func @f(...) { ... llvm.call @__gs_raise_2(...); more; llvm.return }`
    after:  `llvm.func @f(...) -> i32 { ... llvm.call @__gs_raise_2(...); llvm.return -1 ... }`

    Calls of `__gs_raise_<what>`, `__gs_assert` and `__gs_no_memory` do not go on: what follows one
    is cut, allocations are freed, and the function returns. So it does where malloc gives null, in
    a parallel region after it. Allocations that may be there at an error are kept in a list, by
    calls of `__gs_alloc` and `__gs_free`: the function is `gs.tracked` then. What the function
    returned is stored through one more argument. Does not apply to a function that is `gs.status`.
    """

    name: ClassVar[str] = "gs-return-status"

    def run(self, module: ir.Operation) -> None:
        entry = kernel_of(module, RESULTS)
        if entry is None or entry.name != "llvm.func" or STATUS in entry.attributes:
            return
        results = records(entry, RESULTS)
        owned = any(not found.keys() & {"sizes", "argument"} for found in results)
        entry.attributes[STATUS] = ir.UnitAttr.get()
        if _return_status(module, entry, owned):
            entry.attributes[TRACKED] = ir.UnitAttr.get()
            append(module, _TRACKING)


def _return_status(module: Any, entry: Any, owned: bool) -> bool:
    """Whether its allocations are tracked, which they are if there may be some to free after an
    error."""
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
    if not has_named(module, "llvm.call"):
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
            fail(op, "an error cannot be raised from inside a parallel loop")
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
    append(entry.parent, f"llvm.func @{NO_MEMORY}()")
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
            message = "can raise an error and cannot be inlined into its callers"
            fail(function, f"function '{name}' {message}")


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
