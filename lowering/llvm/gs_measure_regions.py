"""`gs-measure-regions`: parallel regions that lose to one thread."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import callee_of, enclosing, replace_op, symbol, walk_named
from mlir_gs.lowering.llvm.llvm_ops import append, call, number
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.scf.threads import LOSES

llvm = dialect("llvm")

SHARE = 2
"""Work on one thread for each part that a region has lost: on two threads or more as much is won
meanwhile, at most, as was lost."""

DOUBLED = 6
"""How often this doubles while a region loses again and again, at most."""

MOST = 1 << 14
"""Calls on one thread until a region is tried again, at most."""

CREDIT = 16
"""What threads have won in earlier calls counts, up to the work of so many calls: a region that
gains is not given up for one call that had to wait."""

_STATE = "__gs_turns"

FUNCTIONS = f"""
llvm.func internal @__gs_threads(%state: !llvm.ptr, %threads: i32) -> i32 {{
  %one = llvm.mlir.constant(1 : i64) : i64
  %alone = llvm.mlir.constant(1 : i32) : i32
  %left = llvm.load %state atomic monotonic {{alignment = 8 : i64}} : !llvm.ptr -> i64
  %pays = llvm.icmp "ule" %left, %one : i64
  llvm.cond_br %pays, ^all, ^less
^less:
  %less = llvm.sub %left, %one : i64
  llvm.store %less, %state atomic monotonic {{alignment = 8 : i64}} : i64, !llvm.ptr
  llvm.return %alone : i32
^all:
  llvm.return %threads : i32
}}
llvm.func internal @__gs_took(%state: !llvm.ptr, %threads: i32, %took: i64, %parts: !llvm.ptr) {{
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %most = llvm.mlir.constant({MOST} : i64) : i64
  %alone = llvm.mlir.constant(1 : i32) : i32
  %was_alone = llvm.icmp "eq" %threads, %alone : i32
  llvm.cond_br %was_alone, ^end, ^together
^together:
  %left = llvm.load %state atomic monotonic {{alignment = 8 : i64}} : !llvm.ptr -> i64
  %has_woken = llvm.icmp "eq" %left, %one : i64
  llvm.cond_br %has_woken, ^woken, ^measured
^woken:
  llvm.store %zero, %state atomic monotonic {{alignment = 8 : i64}} : i64, !llvm.ptr
  llvm.br ^end
^measured:
  %together = llvm.load %parts : !llvm.ptr -> i64
  %won = llvm.sub %together, %took : i64
  %place = llvm.getelementptr %state[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %before = llvm.load %place atomic monotonic {{alignment = 8 : i64}} : !llvm.ptr -> i64
  %sum = llvm.add %before, %won : i64
  %calls = llvm.mlir.constant({CREDIT} : i64) : i64
  %bound = llvm.mul %together, %calls : i64
  %credit = llvm.intr.smin(%sum, %bound) : (i64, i64) -> i64
  %kept = llvm.intr.smax(%credit, %zero) : (i64, i64) -> i64
  llvm.store %kept, %place atomic monotonic {{alignment = 8 : i64}} : i64, !llvm.ptr
  %lost = llvm.sub %kept, %credit : i64
  %again = llvm.getelementptr %state[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %times = llvm.load %again atomic monotonic {{alignment = 8 : i64}} : !llvm.ptr -> i64
  %has_lost = llvm.icmp "ne" %lost, %zero : i64
  %has_won = llvm.icmp "eq" %credit, %bound : i64
  %next = llvm.add %times, %one : i64
  %doubled = llvm.mlir.constant({DOUBLED} : i64) : i64
  %more = llvm.intr.umin(%next, %doubled) : (i64, i64) -> i64
  %same = llvm.select %has_won, %zero, %times : i1, i64
  %kept_times = llvm.select %has_lost, %more, %same : i1, i64
  llvm.store %kept_times, %again atomic monotonic {{alignment = 8 : i64}} : i64, !llvm.ptr
  %share = llvm.mlir.constant({SHARE} : i64) : i64
  %shared = llvm.shl %share, %times : i64
  %wanted = llvm.mul %lost, %shared : i64
  %some = llvm.intr.umax(%together, %one) : (i64, i64) -> i64
  %turns = llvm.udiv %wanted, %some : i64
  %bounded = llvm.intr.umin(%turns, %most) : (i64, i64) -> i64
  llvm.store %bounded, %state atomic monotonic {{alignment = 8 : i64}} : i64, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}}
"""


@register_pass
@dataclass(frozen=True)
class GsMeasureRegions:
    """Run parallel regions on one thread for some calls where that is faster.

    before: `omp.parallel num_threads(%n) { omp.wsloop { ... } }`
    after:  `%m = @__gs_threads(state, %n); omp.parallel num_threads(%m) { omp.wsloop nowait
    { ... } }; @__gs_took(state, %m, %elapsed, %parts)`

    A thread whose CPU is busy with something else begins its part when the system lets it, which
    may be a thousand times as long as the part. A region measures itself: how long it took, and how
    long its parts took together. Where the first is more, the region has lost the difference. If it
    has lost more than earlier calls won, calls take one thread until they have computed twice as
    long as the loss. Each loss that follows doubles that. The first call on all threads after that
    wakes them, and is not measured. Results do not depend on it: which part is computed is not a
    matter of the thread. A call of `@__gs_loses` is replaced with whether the region that follows
    in the function would take one thread. Does not apply to a module whose regions measure
    themselves.
    """

    name: ClassVar[str] = "gs-measure-regions"
    only_with: ClassVar[tuple[str, ...]] = ("omp.parallel",)
    clock: Literal["cycle", "steady"] = field(
        default="cycle",
        metadata={"help": "what is read; a process may read the cycle counter on x86 alone"},
    )

    def run(self, module: ir.Operation) -> None:
        if any(symbol(op) == _STATE for op in module.regions[0].blocks[0].operations):
            return
        regions, asked = [], None
        for op in walk_named(module, "llvm.func", "llvm.call", "omp.parallel"):
            if op.name == "omp.parallel":
                _measure(op, 3 * len(regions), self.clock, asked)
                regions.append(op)
            if op.name != "llvm.call" or callee_of(op) == LOSES:
                asked = op if op.name == "llvm.call" else None
        count = 3 * len(regions)
        state = (
            f"llvm.mlir.global internal @{_STATE}(dense<0> : tensor<{count}xi64>)"
            f" : !llvm.array<{count} x i64>\n"
        )
        append(module, state + FUNCTIONS)


def _measure(region: Any, place: int, clock: str, asked: Any) -> None:
    word, pointer = ir.IntegerType.get_signless(64), ir.Type.parse("!llvm.ptr")
    function: Any = enclosing(region, "llvm.func")
    with region.location:
        with ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0]):
            one = llvm.ConstantOp(word, number(1)).result
            parts = llvm.AllocaOp(pointer, one, ir.TypeAttr.get(word)).result
        with ir.InsertionPoint(region):
            state = llvm.AddressOfOp(pointer, _STATE).result
            state = _element(pointer, state, word, place)
            llvm.StoreOp(llvm.ConstantOp(word, number(0)).result, parts)
            used = region.operands[0]
            if asked is None:
                used = call("__gs_threads", [state, used], used.type)
                region.operands[0] = used
            begun = _clock(word, clock)
        if asked is not None:
            _answer(asked, place)
        blocks = region.regions[0].blocks
        with ir.InsertionPoint.at_block_begin(blocks[0]):
            start = _clock(word, clock)
        last = blocks[len(blocks) - 1]
        end = last.operations[len(last.operations) - 1]
        before = last.operations[len(last.operations) - 2].operation
        if before.name == "omp.wsloop":
            # The region itself waits for all.
            before.attributes["nowait"] = ir.UnitAttr.get()
        with ir.InsertionPoint(end):
            mine = llvm.SubOp(_clock(word, clock), start, number(0, 32)).result
            llvm.AtomicRMWOp(_ADD, parts, mine, _MONOTONIC)
        with ir.InsertionPoint(_next(region)):
            took = llvm.SubOp(_clock(word, clock), begun, number(0, 32)).result
            call("__gs_took", [state, used, took, parts])


def _answer(asked: Any, place: int) -> None:
    word, pointer = ir.IntegerType.get_signless(64), ir.Type.parse("!llvm.ptr")
    with asked.location, ir.InsertionPoint(asked):
        state = _element(pointer, llvm.AddressOfOp(pointer, _STATE).result, word, place)
        one, two = (llvm.ConstantOp(number(n, 32).type, number(n, 32)).result for n in (1, 2))
        used = call("__gs_threads", [state, two], two.type)
        replace_op(asked, [llvm.ICmpOp(number(0), used, one).result])


_ADD, _MONOTONIC = 1, 2
"""LLVM's numbers of an operation and of an ordering."""


def _clock(word: Any, clock: str) -> Any:
    made = ir.Operation.create(
        "llvm.call_intrinsic",
        results=[word],
        attributes={
            "intrin": ir.StringAttr.get(f"llvm.read{clock}counter"),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0]),
            "op_bundle_sizes": ir.DenseI32ArrayAttr.get([]),
        },
    )
    return made.result


def _element(pointer: Any, array: Any, element: Any, place: int) -> Any:
    return ir.Operation.create(
        "llvm.getelementptr",
        results=[pointer],
        operands=[array],
        attributes={
            "elem_type": ir.TypeAttr.get(element),
            "rawConstantIndices": ir.DenseI32ArrayAttr.get([place]),
        },
    ).result


def _next(op: Any) -> Any:
    operations = list(op.block.operations)
    return operations[operations.index(op.opview) + 1]
