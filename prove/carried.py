"""What loops carry: tensors, numbers and memory before and after a step writes them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import z3
from mlir_gs.prove.nest import Nest, new_current
from mlir_gs.prove.poison import blocks_may_be_poison
from mlir_gs.prove.terms import Element, Item, poison_of, term_of
from mlir_gs.prove.tiles import Piece, Tiled
from mlir_gs.prove.values import Side, Tensor, Unsupported, chosen_value

FORM = "a loop that is no nest with one tensor.insert per result in its innermost body"


@dataclass(frozen=True)
class Carried:
    """What the loops carry, before it is written; `tensor` is what they start from."""

    tensor: Tensor
    current: Item
    is_number: bool = False
    # The nest, and how many of its loops are around: what an outer one carries is out of date.
    owner: Any = None
    depth: int = 1

    def is_kin(self, other: Any) -> bool:
        """Both are arguments for the same result of the outermost loop."""
        return isinstance(other, Carried) and self.current is other.current


@dataclass(frozen=True)
class Written:
    """A carried tensor with `value` at `place`, where `valid`, at each point of `nest`."""

    carried: Carried
    place: tuple[z3.ArithRef, ...]
    valid: z3.BoolRef
    value: Item
    nest: Nest


@dataclass(frozen=True)
class Number:
    """The greatest number that the loops carry, and what it was compared with in this point."""

    current: z3.ArithRef
    compared: z3.ArithRef | None = None
    type: Any = None


HANDLED = (Carried, Written, Number, Piece, Tiled)


def all_carried(
    owner: Any, op: Any, starts: Sequence[Any], operands: Sequence[Any]
) -> list[Carried]:
    """What the loops of `owner` carry: tensors, or numbers of the types of `operands`."""
    side = owner.side
    poisons = blocks_may_be_poison(op.regions, side.flags) or reads_poison(op, owner.values)
    carried = []
    for n, start in enumerate(starts):
        is_number = not isinstance(start, Tensor)
        if is_number and not isinstance(start, (z3.ExprRef, Element)):
            raise Unsupported("a loop that carries memory")
        if is_number:
            start = Tensor((), operands[n].type, (), term_of(start), poison_of(start))
        may_be = poisons or not z3.is_false(start.poison)
        current = new_current(side, start.element, may_be)
        carried.append(Carried(start, current, is_number, owner))
    return carried


def is_carried(value: Any) -> bool:
    return isinstance(value, Carried)


def merged(side: Side, condition: z3.BoolRef, a: Any, b: Any) -> Any:
    """What a conditional gives: a write of one branch holds under its guard."""
    if isinstance(a, Carried) and a is b:
        return a
    if isinstance(a, Written) and a.carried is b:
        return a
    if isinstance(b, Written) and b.carried is a:
        return b
    if isinstance(a, HANDLED) or isinstance(b, HANDLED):
        raise Unsupported(FORM)
    return chosen_value(side, condition, a, b)


def captured_by(op: Any, values: dict[Any, Any]) -> Iterator[Any]:
    """What is known of values that the regions of `op` use."""
    for region in op.regions:
        for block in region.blocks:
            for view in block.operations:
                yield from (values.get(operand) for operand in view.operation.operands)
                yield from captured_by(view.operation, values)


def reads_poison(op: Any, values: dict[Any, Any]) -> bool:
    """A value that is used in the regions of `op` may be poison."""
    return any(
        isinstance(item, Element) or (isinstance(item, Tensor) and not z3.is_false(item.poison))
        for item in captured_by(op, values)
    )


def simple(place: Sequence[z3.ArithRef]) -> list[z3.ArithRef]:
    return [z3.simplify(at) for at in place]
