"""Vectors: tensors of static shapes; each lane of an access is an element of a memref."""

from collections.abc import Callable, Sequence
from typing import Any

import z3
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.vectors import parts_of
from mlir_gs.prove.generic import RunBlock
from mlir_gs.prove.shapes import spread
from mlir_gs.prove.terms import Item, every, inside, pick, some
from mlir_gs.prove.values import LANE, Side, Tensor, Unsupported

Terms = Sequence[z3.ArithRef]


def place_of(
    side: Side, view: Any, index: Terms, added: Any, mask: Any, lane: Terms
) -> tuple[list[z3.ArithRef], z3.BoolRef]:
    """The element of a view that a lane is, and whether that is on."""
    is_on = z3.BoolVal(True) if mask is None else side.used(mask.at(lane), "a mask")
    more = list(lane) if added is None else [side.used(added.at(lane), "a place")]
    first = len(index) - len(more)
    at = [*index[:first], *(a + b for a, b in zip(index[first:], more, strict=True))]
    out = some([z3.Not(each) for each in inside(at, view.shape)])
    side.is_undefined(z3.And(is_on, out), "a lane out of bounds")
    return at, is_on


def _access(memory: Any, op: Any) -> tuple[Any, ...]:
    """The parts of an access, the sizes of its vector, its lanes, the place of each and whether it
    is on."""
    side = memory.side
    view, index, added, mask, value = parts_of(op, [memory.values[o] for o in op.operands])
    if mask is not None and "alignment" in op.attributes:
        raise Unsupported("lanes under a mask that are aligned")
    types = [each.type for each in (*op.operands, *op.results)]
    if any(isinstance(each, ir.VectorType) and each.scalable for each in types):
        raise Unsupported("scalable vectors")
    index = [side.used(each, "a place") for each in index]
    memory.aligned(op, view, index)
    if not len(op.results) and not isinstance(value, Tensor):
        raise Unsupported("a vector that hangs on what a loop carries")
    shape = [*map(z3.IntVal, op.results[0].type.shape)] if len(op.results) else value.shape
    is_all = mask is None or z3.is_true(mask.term)
    lanes = side.new_indices(len(shape), "d" if is_all else LANE[1:])
    with side.under(lanes, inside(lanes, shape)):
        at, is_on = place_of(side, view, index, added, mask, lanes)
    return (view, index, added, mask, value), shape, lanes, at, is_on


def read(memory: Any, op: Any) -> list[Any]:
    """A vector from memory."""
    side = memory.side
    (view, index, added, mask, other), shape, *_ = _access(memory, op)
    whole = memory.whole(view)

    def at(lane: Terms) -> Item:
        with side.quiet():
            place, is_on = place_of(side, view, index, added, mask, lane)
        item = whole.at(view.at(place))
        return item if other is None else pick(is_on, item, other.at(lane))

    return [side.tensor(shape, op.results[0].type.element_type, at)]


def write(memory: Any, op: Any) -> tuple[Any, tuple[Terms, Terms], Any, z3.BoolRef, Item]:
    """The view that is written, the lanes and their number, and of each the place in the buffer,
    whether it is on and the value."""
    (view, *_, value), shape, lanes, at, is_on = _access(memory, op)
    return view, (lanes, shape), tuple(map(z3.simplify, view.at(at))), is_on, value.at(lanes)


def _made(side: Side, op: Any, at: Callable[[Terms], Item]) -> list[Any]:
    type_ = op.results[0].type
    return [side.tensor([z3.IntVal(n) for n in type_.shape], type_.element_type, at)]


def _broadcast(side: Side, op: Any, values: dict[Any, Any], _: RunBlock) -> list[Any]:
    source = values[op.operands[0]]
    if not isinstance(source, Tensor):
        return _made(side, op, lambda _: source)
    count = len(source.shape)
    wide = [d for d in range(count) if source.shape[d].as_long() > 1]
    return _made(
        side,
        op,
        lambda lane: source.at(spread(count, wide, [lane[len(lane) - count + d] for d in wide])),
    )


def _mask(side: Side, op: Any, values: dict[Any, Any], _: RunBlock) -> list[Any]:
    sizes = [values[operand] for operand in op.operands]
    return _made(side, op, lambda lane: every([i < n for i, n in zip(lane, sizes, strict=True)]))


VECTORS: dict[str, Any] = {
    "vector.broadcast": _broadcast,
    "vector.create_mask": _mask,
    "vector.splat": _broadcast,
    "vector.step": lambda side, op, *_: _made(side, op, lambda lane: lane[0]),
}
