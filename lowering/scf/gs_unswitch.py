"""`gs-unswitch`: one loop with prefetches and one without, for loops so short that to ask in each
iteration whether to prefetch takes a part of their time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import made_in, walk, walk_named
from mlir_gs.lowering.ir.emit import any_of, scf
from mlir_gs.lowering.passes.registry import register_pass

_MOST = 128
"""Ops of a loop, at most: those of a vector of elements, each with an address of its own. To ask
between them keeps all addresses in registers; of longer loops what is asked is a small part."""

_HARMLESS = ("memref.prefetch", "memref.load", "vector.load", "scf.for", "scf.yield")
_COMPUTES = ("arith.", "affine.", "vector.")


@register_pass
@dataclass(frozen=True)
class GsUnswitch:
    """Test once before a loop, not in each iteration, whether to prefetch.

    before: `for i { if far { prefetch x[...] }; x[idx[i]] }`
    after:  `if far { for i { prefetch x[...]; x[idx[i]] } } else { for i { x[idx[i]] } }`

    Several conditions become one test of their disjunction before the loop; the loop with
    prefetches tests each again. Applies to an innermost scf.for of few ops, for conditions that are
    computed before it. Does not apply to an scf.if that does more than prefetch.
    """

    name: ClassVar[str] = "gs-unswitch"
    only_with: ClassVar[tuple[str, ...]] = ("memref.prefetch",)

    def run(self, module: ir.Operation) -> bool:
        loops = dict.fromkeys(map(_loop_that_asks, walk_named(module, "memref.prefetch")))
        is_changed = False
        for loop in loops:
            asked = [] if loop is None else _asked(loop)
            if loop is not None and asked and _is_short(loop, asked):
                _unswitch(loop, asked)
                is_changed = True
        return is_changed


def _loop_that_asks(prefetch: ir.Operation) -> ir.Operation | None:
    """The loop in whose body an if holds `prefetch`, or a loop that has it, if there is one."""
    around = prefetch.parent
    while around is not None and around.operation.name == "scf.for":
        around = around.operation.parent
    if around is None or around.operation.name != "scf.if":
        return None
    loop = around.operation.parent
    return loop.operation if loop is not None and loop.operation.name == "scf.for" else None


def _asked(loop: ir.Operation) -> list[ir.Operation]:
    """The ifs of the loop's body that only prefetch, on conditions from before it."""
    return [
        op.operation
        for op in loop.regions[0].blocks[0]
        if op.operation.name == "scf.if"
        and _only_prefetches(op.operation)
        and not made_in(op.operands[0], loop)
    ]


def _only_prefetches(branch: ir.Operation) -> bool:
    names = {op.name for op in walk(branch) if op != branch}
    return (
        len(branch.results) == 0
        and len(branch.regions[1].blocks) == 0
        and "memref.prefetch" in names
        and all(name in _HARMLESS or name.startswith(_COMPUTES) for name in names)
        and "vector.store" not in names
    )


def _is_short(loop: ir.Operation, asked: Sequence[ir.Operation]) -> bool:
    """Whether the loop is to be two: innermost, and of few ops beside `asked`."""
    beside = list(walk(loop))
    for one in asked:
        inside = set(walk(one))
        beside = [op for op in beside if op not in inside]
    return len(beside) <= _MOST and all(op == loop or op.name != "scf.for" for op in beside)


def _unswitch(loop: ir.Operation, asked: Sequence[ir.Operation]) -> None:
    conditions: list[ir.Value] = []
    for one in asked:
        if one.operands[0] not in conditions:
            conditions.append(one.operands[0])
    places = [list(loop.regions[0].blocks[0]).index(one.opview) for one in asked]
    with loop.location, ir.InsertionPoint(loop):
        types = [result.type for result in loop.results]
        branch = scf.IfOp(any_of(conditions), types, has_else=True)
        with ir.InsertionPoint(branch.else_block):
            plain = loop.clone()
            scf.yield_(list(plain.results))
        for result, whole in zip(loop.results, branch.results, strict=True):
            result.replace_all_uses_with(whole)
        with ir.InsertionPoint(branch.then_block):
            end = scf.YieldOp(list(loop.results))
    loop.move_before(end.operation)
    body = list(plain.regions[0].blocks[0])
    for place in places:
        body[place].operation.erase()
    if len(conditions) == 1:
        for one in asked:
            for op in list(one.regions[0].blocks[0])[:-1]:
                op.operation.move_before(one)
            one.erase()
