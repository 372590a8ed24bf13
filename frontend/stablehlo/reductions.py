"""StableHLO leaves the order of reductions and scatters open, and so do their loops."""

from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering import register_pass
from mlir_gs.lowering.ir.builders import element_of, producer, walk_named


@register_pass
@dataclass(frozen=True)
class StablehloGroupSums:
    """Mark sums and products of floats over the elements of one tensor with `reassoc`.

    Applies to the linalg.generic that upstream makes of `stablehlo.reduce`. Products of matrices
    stay: their sums run in the order of the dims.
    """

    name: ClassVar[str] = "stablehlo-group-sums"

    def run(self, module: ir.Operation) -> None:
        flag = ir.Attribute.parse("#arith.fastmath<reassoc>", module.context)
        for op in walk_named(module, "linalg.generic"):
            if len(op.operands) != 2 or not any(
                "reduction" in str(kind) for kind in op.attributes["iterator_types"]
            ):
                continue
            ops = [each.operation for each in op.regions[0].blocks[0].operations]
            combine, *rest = [each for each in ops if not each.name.startswith("tensor.")]
            if combine.name in ("arith.addf", "arith.mulf") and len(rest) == 1:
                combine.attributes["fastmath"] = flag


def add_in_place(op: ir.Operation) -> ir.Value | None:
    """Updates are added to the other summand, where zeros held them alone.

    `add(x, scatter(zeros, i, u))`, where the scatter adds --> `scatter(x, i, u)`

    StableHLO leaves the order of a scatter open. An element of -0.0 that no update reaches stays
    -0.0. Does not apply where something else reads the result of the scatter, where types differ in
    what is static, nor to elements of less than 32 bits, whose sums round at each step.
    """
    element = element_of(op.results[0].type)
    if not isinstance(element, ir.IntegerType | ir.FloatType) or element.width < 32:
        return None
    if len({value.type for value in (*op.operands, *op.results)}) > 1:
        return None
    for value, other in (op.operands, reversed(list(op.operands))):
        made = producer(value, "stablehlo.scatter")
        if made is None or len(list(value.uses)) != 1 or not _is_zero(made.operands[0]):
            continue
        block = made.regions[0].blocks[0]
        add, *rest = [each.operation for each in block.operations]
        is_given = len(rest) == 1 and list(rest[0].operands) == list(add.results)
        if is_given and add.name == op.name and {*add.operands} == {*block.arguments}:
            new = made.clone()
            new.operands[0] = other
            return new.results[0]
    return None


def _is_zero(value: ir.Value) -> bool:
    while (spread := producer(value, "stablehlo.broadcast_in_dim")) is not None:
        value = spread.operands[0]
    made = producer(value, "stablehlo.constant")
    found: Any = None if made is None else made.attributes["value"]
    return getattr(found, "is_splat", False) and getattr(found.get_splat_value(), "value", 1) == 0


SUMS = {"stablehlo.add": (add_in_place,)}
