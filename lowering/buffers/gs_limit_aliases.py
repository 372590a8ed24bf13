"""`gs-limit-aliases`: bounds the sets of tensors that One-Shot Bufferize compares.

For each op that writes to a tensor its analysis compares all tensors that may share the buffer: the
cost is the third power of their number.
"""

from dataclasses import dataclass, field
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.sizes import destination
from mlir_gs.lowering.ir.builders import producer, walk, walk_named
from mlir_gs.lowering.passes.registry import register_pass

bufferization = dialect("bufferization")


@register_pass
@dataclass(frozen=True)
class GsLimitAliases:
    """Cut long chains of tensors that may share a buffer, for One-Shot Bufferize.

    before: `a = generic(... outs(x)); b = generic(... outs(a)); ...`, `most` updates in a row
    after:  a bufferization.to_buffer and to_tensor after each `most` of them, where no other
            tensor that may share the buffer is used again

    At most `most` ops share one tensor.empty, a view of it or its fill. Applies to ops directly in
    a function, outside of loops. Does not apply to chains with views or to shorter chains.
    """

    name: ClassVar[str] = "gs-limit-aliases"
    most: int = field(default=32, metadata={"help": "most tensors in a chain"})
    arguments: bool = field(default=True, metadata={"help": "chains may start at arguments"})

    def __post_init__(self) -> None:
        if self.most < 1:
            raise ValueError(f"most must be 1 or more, found {self.most}")

    def run(self, module: ir.Operation) -> None:
        for function in walk_named(module, "func.func"):
            for block in function.regions[0].blocks:
                _share_among(block, self.most)
                _Chains(block, self.arguments).cut(self.most)


def _share_among(block: ir.Block, most: int) -> None:
    """Not more than `most` ops of the block use one tensor.empty, a view of it or what fills it;
    others get one of their own."""
    users: dict[ir.Value, int] = {}
    instead: dict[ir.Value, ir.Value] = {}
    for op in [op.operation for op in block.operations]:
        for number, operand in enumerate(op.operands):
            chain = _from_empty(operand, block)
            if not chain:
                continue
            count = users[operand] = users.get(operand, 0) + 1
            if count > most and (count - 1) % most == 0:
                with ir.InsertionPoint(op):
                    instead[operand] = _again(chain)
            # Set to what it was, an operand would change its place among the uses.
            if operand in instead:
                op.operands[number] = instead[operand]


_SHOWS = {"tensor.empty": 0, "tensor.expand_shape": 0, "tensor.collapse_shape": 0}
_SHOWS |= {"tensor.cast": 0, "linalg.fill": 1}
"""Ops that give a tensor.empty, and the operand that they show or fill."""


def _from_empty(value: ir.Value, block: ir.Block) -> list[ir.Operation]:
    """The ops that make `value` from a tensor.empty, the last one first, if they are in `block`."""
    found = []
    while (made := producer(value, *_SHOWS)) is not None and made.block == block:
        found.append(made)
        if made.name == "tensor.empty":
            return found
        value = made.operands[_SHOWS[made.name]]
    return []


def _again(chain: list[ir.Operation]) -> ir.Value:
    """What they make, from a tensor.empty of its own."""
    *rest, empty = chain
    made = empty.clone().results[0]
    for op in reversed(rest):
        clone = op.clone()
        clone.operands[_SHOWS[op.name]] = made
        made = clone.results[0]
    return made


@dataclass
class _Class:
    """Tensors that may share a buffer: when any of them is used last, whether each is whole."""

    last_use: int = -1
    whole: bool = True
    since_cut: int = 0


class _Chains:
    """The tensors of one block of a function, in classes of those that may share a buffer."""

    def __init__(self, block: ir.Block, arguments: bool) -> None:
        self._operations = [op.operation for op in block.operations]
        self._last_use: dict[ir.Value, int] = {}
        for position, op in enumerate(self._operations):
            for each in (op, *walk(op)):
                for operand in each.operands:
                    self._last_use[operand] = position
        self._classes: dict[ir.Value, _Class] = {
            argument: self._new(argument, arguments) for argument in block.arguments
        }
        # Of two classes that became one.
        self._joined: dict[int, _Class] = {}

    def _new(self, value: ir.Value, whole: bool = True) -> _Class:
        return _Class(self._last_use.get(value, -1), whole)

    def _of(self, value: ir.Value) -> _Class:
        found = self._classes.setdefault(value, self._new(value))
        while id(found) in self._joined:
            found = self._joined[id(found)]
        return found

    def _join(self, one: _Class, other: _Class) -> _Class:
        if one is other:
            return one
        self._joined[id(other)] = one
        one.last_use = max(one.last_use, other.last_use)
        one.whole = one.whole and other.whole
        one.since_cut += other.since_cut
        return one

    def cut(self, most: int) -> None:
        for position, op in enumerate(self._operations):
            tensors = [r for r in op.results if isinstance(r.type, ir.RankedTensorType)]
            if tensors and all(destination(result) is not None for result in tensors):
                for result in tensors:
                    self._update(op, position, result, most)
            elif tensors:
                self._mix(op, tensors)

    def _update(self, op: ir.Operation, position: int, result: ir.Value, most: int) -> None:
        """`result` may have the buffer of its destination, and of nothing else."""
        found = self._of(destination(result))
        found.since_cut += 1
        alone = found.whole and found.last_use <= position
        if alone and found.since_cut >= most and result.type.encoding is None:
            _restart(op, result)
            found.since_cut = 0
        found.last_use = max(found.last_use, self._last_use.get(result, -1))
        self._classes[result] = found

    def _mix(self, op: ir.Operation, tensors: list[ir.Value]) -> None:
        """The results may show what any operand of `op` holds, in whatever layout."""
        given = {
            operand: None
            for each in (op, *walk(op))
            for operand in each.operands
            if isinstance(operand.type, ir.RankedTensorType) and operand in self._classes
        }
        for result in tensors:
            self._classes[result] = self._new(result)
        if not given:
            return
        one = self._of(tensors[0])
        for value in (*given, *tensors):
            one = self._join(one, self._of(value))
        one.whole = False


def _restart(op: ir.Operation, result: ir.Value) -> None:
    """Who reads `result` reads a tensor of the same buffer that no other is known to have."""
    type_ = ir.MemRefType.get(list(result.type.shape), result.type.element_type)
    with op.location, ir.InsertionPoint.after(op):
        buffer = bufferization.to_buffer(type_, result)
        again = bufferization.to_tensor(result.type, buffer, restrict=True, writable=True)
    result.replace_all_uses_except(again, buffer.owner.operation)
