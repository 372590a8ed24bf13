"""Merges that would move a read after a write, where bufferization would copy."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.dialect.sizes import destination
from mlir_gs.lowering.fuse.equal_sizes import Sizes, token
from mlir_gs.lowering.fuse.loops import LOOPS, Loops
from mlir_gs.lowering.fuse.merge import Refused
from mlir_gs.lowering.fuse.views import VIEWS
from mlir_gs.lowering.ir.builders import producer

_WRITABLE = "bufferization.writable"


class Hazards:
    """The order of the ops of one block, and which of them write to which tensor in place."""

    def __init__(self, operations: Sequence[ir.Operation]) -> None:
        self._place = {token(op): n for n, op in enumerate(operations)}
        self._writers: dict[ir.Value, list[int]] = {}
        for number, op in enumerate(operations):
            for result in op.results:
                written = destination(result)
                if written is not None:
                    self._writers.setdefault(shown(written), []).append(number)

    def same_block(self, *ops: ir.Operation) -> bool:
        return all(token(op) in self._place for op in ops)

    def check(self, consumer: Loops, made: Loops, merged: Loops) -> Loops:
        """`merged`, if no read of `made` comes to stand after a write to the same tensor.

        An input that reads just the element that the op writes, once, is the output's current
        element. Raises Refused.
        """
        first, last = self._place[token(made.op)], self._place[token(consumer.op)]
        moved = {shown(value) for value in made.sources}
        for value in moved:
            writers = self._writers.get(value, [])
            after = bisect_right(writers, first)
            if after < len(writers) and writers[after] < last:
                raise Refused("what it reads is written before its result is used")
        for number, write in enumerate(merged.writes):
            target = shown(write.value)
            if target not in moved or _is_copied_anyway(target):
                continue
            merged = _with_current(merged, number)
            if any(shown(value) == target for value in merged.sources):
                raise Refused("it reads the tensor that is written")
        return merged

    def in_place(self, loops: Loops, sizes: Sizes) -> Loops:
        """`loops` that write over an input which nothing reads later, where there is one.

        before: `y[d] = f(x[d], ...)` with a new tensor `y`
        after:  `x[d] = f(x[d], ...)`
        """
        write = loops.writes[0]
        made = producer(write.value)
        if len(loops.writes) > 1 or made is None or made.name != "tensor.empty":
            return loops
        if "reduction" in loops.iterators or any(symbols_of(expr) for expr in write.exprs):
            return loops
        for read in loops.reads:
            entries = (*loops.reads, *loops.symbols)
            if (
                read.exprs == write.exprs
                and read.value.type == write.value.type
                and sum(entry.value == read.value for entry in entries) == 1
                and all(
                    sizes.key(read.value, d) == sizes.key(write.value, d)
                    for d in range(len(read.exprs))
                )
                and self._dies(read.value, loops.op)
            ):
                return _with_current(replace(loops, writes=(replace(write, value=read.value),)), 0)
        return loops

    def _dies(self, value: ir.Value, last: ir.Operation) -> bool:
        """`value` is made by loops in this block, and what uses it are loops up to `last` that only
        read it."""
        made = producer(value)
        if made is None or made.name not in LOOPS or token(made) not in self._place:
            return False
        users = [use.owner.operation for use in value.uses]
        return all(
            user.name in LOOPS
            and self._place.get(token(user), len(self._place)) <= self._place[token(last)]
            and all(destination(result) != value for result in user.results)
            for user in users
        )


def _with_current(loops: Loops, number: int) -> Loops:
    """Inputs that are the element of output `number` about to be written, as its current one."""
    write = loops.writes[number]
    if "reduction" in loops.iterators:
        return loops
    same = [r for r in loops.reads if (r.value, r.exprs) == (write.value, write.exprs)]
    return replace(
        loops,
        reads=tuple(read for read in loops.reads if read not in same),
        bindings=(*loops.bindings, *((arg, write.arg) for read in same for arg in read.args)),
    )


def shown(value: ir.Value) -> ir.Value:
    """The tensor of which `value` is a view."""
    while (op := producer(value)) is not None and op.name in VIEWS:
        value = op.operands[0]
    return value


def _is_copied_anyway(value: ir.Value) -> bool:
    """An argument of a public function that may not be written."""
    if not isinstance(value.owner, ir.Block):
        return False
    function = value.owner.owner.operation
    if function.name != "func.func" or (
        "sym_visibility" in function.attributes
        and function.attributes["sym_visibility"].value == "private"
    ):
        return False
    if "arg_attrs" not in function.attributes:
        return True
    given = function.attributes["arg_attrs"][ir.BlockArgument(value).arg_number]
    return not any(named.name == _WRITABLE and named.attr.value for named in given)
