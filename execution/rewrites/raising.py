"""Errors that compiled code finds while it runs become an error return of the function.

Lowering calls `__gs_raise_<rank>(site, coordinate, size, position...)` and treats the call as one
that does not return. Here the call gets a body that sets tvm-ffi's raised error, and what follows
it is cut: allocations are freed and the function returns a status. So does `cf.assert`.
"""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.sizes import compared_sizes
from mlir_gs.dialect.structure import Structure
from mlir_gs.execution.generated.messages import NO_MEMORY
from mlir_gs.execution.generated.raising_text import ASSERT, ASSERTIONS
from mlir_gs.execution.generated.text import type_list
from mlir_gs.execution.rewrites.allocations import check_results, is_no_memory, may_lie_together
from mlir_gs.execution.rewrites.llvm_ops import (
    call,
    callee_of,
    following,
    null_word,
    number,
    track,
)
from mlir_gs.execution.rewrites.parallel_allocations import check_parallel
from mlir_gs.execution.signature.signature import CompileError
from mlir_gs.lowering.checks.sites import RAISE, Sites, one
from mlir_gs.lowering.ir.builders import is_within, walk_named

func = dialect("func")
scf = dialect("scf")
llvm = dialect("llvm")

_PARALLEL = ("scf.parallel", "scf.forall", "omp.parallel")
_CALLS = ("func.call", "llvm.call")


def checks_in_parallel(module: Any) -> bool:
    """Whether a gs.generic checks its coordinates in a parallel loop, which then has to run
    sequentially, as for assertions."""
    return any(
        is_within(op, *_PARALLEL) and "error" in Structure.of(op.opview).modes
        for op in walk_named(module, "gs.generic")
    )


def lower_assertions(module: Any) -> bool:
    """`cf.assert %c, "text"` to a call of `__gs_assert` where %c is false, or, where it compares
    sizes, to one that shows them.

    Returns whether something raises in a parallel loop, which then has to run sequentially: an
    error return cannot leave a parallel region.
    """
    found = walk_named(module, "cf.assert")
    if found:
        _lower_assertions(module, found)
    return any(_is_raise(op) and is_within(op, *_PARALLEL) for op in walk_named(module, *_CALLS))


def _lower_assertions(module: Any, found: Sequence[Any]) -> None:
    known = module.attributes.get(ASSERTIONS, [])
    texts: list[str] = [text.value for text in known]
    earlier = len(texts)
    sites = Sites(module)
    i64 = ir.IntegerType.get_signless(64)
    i1 = ir.IntegerType.get_signless(1)
    for op in found:
        text = op.attributes["msg"].value
        compared = compared_sizes(op)
        with ir.InsertionPoint(op), op.location:
            true = dialect("arith").constant(i1, 1)
            failed = dialect("arith").xori(op.operands[0], true)
            branch = scf.IfOp(failed)
            with ir.InsertionPoint(branch.then_block):
                if compared is not None:
                    wanted, size = compared[1], compared[0]
                    sites.raise_broken("size", sites.add(text), [one(wanted), one(size)])
                else:
                    which = dialect("arith").constant(i64, len(texts))
                    func.CallOp([], ASSERT, [which])
                    texts.append(text)
                scf.YieldOp([])
        op.erase()
    sites.write()
    if len(texts) == earlier:
        return
    module.attributes[ASSERTIONS] = ir.ArrayAttr.get([ir.StringAttr.get(text) for text in texts])
    if earlier:
        return
    with ir.InsertionPoint.at_block_begin(module.regions[0].blocks[0]), ir.Location.unknown():
        declaration = func.FuncOp(ASSERT, ir.FunctionType.get([i64], []), visibility="private")
    assert declaration.is_external


def inlining(module: Any) -> str:
    """The passes, after loops are there, that bring errors of called functions into their callers;
    empty where there is no such function, or where one is called in a parallel loop."""
    names = {
        op.attributes["sym_name"].value
        for op in walk_named(module.operation, "func.func")
        if len(op.regions[0].blocks) and "no_inline" not in op.attributes
    }
    calls = [op for op in walk_named(module.operation, "func.call") if callee_of(op) in names]
    if not calls or any(is_within(op, *_PARALLEL) for op in calls):
        return ""
    return ",inline{default-pipeline=},symbol-dce"


def _is_raise(op: Any) -> bool:
    callee = callee_of(op)
    return callee.startswith(RAISE) or callee == ASSERT


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
    raises = [op for op in calls.all if _is_raise(op)]
    together = [may_lie_together(made) for made in (calls.of("malloc"), inside)]
    tracked = bool(raises) or any(together)
    head = None
    if tracked:
        with ir.InsertionPoint.at_block_begin(first), entry.location:
            head = null_word()
    ends = _first_ends([op for op in calls.all if _is_raise(op) or is_no_memory(op)], entry)
    for op in ends:
        if is_within(op, *_PARALLEL):
            raise CompileError("an error cannot be raised from inside a parallel loop")
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
        if any(_is_raise(op) for op in walk_named(function, *_CALLS)):
            name = function.operation.attributes["sym_name"].value
            raise CompileError(
                f"function '{name}' can raise an error and cannot be inlined into its callers"
            )


def named(root: Any, name: str, parallel: bool = False) -> list[Any]:
    """The operations of a name below `root` that are in no parallel loop, or those that are."""
    return [op for op in walk_named(root, name) if is_within(op, *_PARALLEL) == parallel]


class _Calls:
    """The calls below an operation."""

    def __init__(self, root: Any) -> None:
        self.all = walk_named(root, "llvm.call")
        self._places: dict[tuple[str, bool], list[Any]] = {}
        for op in self.all:
            place = (callee_of(op), is_within(op, *_PARALLEL))
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
