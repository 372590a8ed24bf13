"""Sums of what is scattered into zeros, as the gradients of gathers are: no zeros are made."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo.common import stablehlo
from mlir_gs.lowering.ir.builders import element_of, producer

_PLACED = ("stablehlo.scatter", "stablehlo.dynamic_update_slice")


def add_in_place(op: ir.Operation) -> ir.Value | None:
    """Updates are added to the other summand, where zeros held them alone.

    `add(x, scatter(zeros, i, u))`, where the scatter adds --> `scatter(x, i, u)`;
    `add(x, dynamic_update_slice(zeros, u, i))` -->
    `dynamic_update_slice(x, add(dynamic_slice(x, i), u), i)`.

    StableHLO leaves the order of a scatter open. Does not apply where something else reads the
    result of the scatter, nor to floats of less than 32 bits, whose sums round at each step.
    """
    element = element_of(op.results[0].type)
    if isinstance(element, ir.FloatType) and element.width < 32:
        return None
    for value, other in (op.operands, reversed(list(op.operands))):
        placed = producer(value, *_PLACED)
        if placed is None or len(list(value.uses)) != 1 or not _is_zero(placed.operands[0]):
            continue
        if placed.name != _PLACED[0]:
            _, update, *starts = placed.operands
            sizes = ir.DenseI64ArrayAttr.get(update.type.shape)
            held = stablehlo("dynamic_slice", update.type, other, *starts, slice_sizes=sizes)
            new = stablehlo("add", update.type, held, update)
            return stablehlo("dynamic_update_slice", value.type, other, new, *starts)
        if len(placed.results) == 1 and _adds(placed):
            new = placed.clone()
            new.operands[0] = other
            return new.results[0]
    return None


def _adds(scatter: ir.Operation) -> bool:
    block = scatter.regions[0].blocks[0]
    add, *rest = [each.operation for each in block.operations]
    return len(rest) == 1 and add.name == "stablehlo.add" and {*add.operands} == {*block.arguments}


def _is_zero(value: ir.Value) -> bool:
    while (spread := producer(value, "stablehlo.broadcast_in_dim")) is not None:
        value = spread.operands[0]
    made = producer(value, "stablehlo.constant")
    found = None if made is None else made.attributes["value"]
    if not isinstance(found, ir.DenseIntElementsAttr | ir.DenseFPElementsAttr):
        return False
    return found.is_splat and not float(getattr(found.get_splat_value(), "value", 1))


SUMS = {"stablehlo.add": (add_in_place,)}
