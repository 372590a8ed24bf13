"""Facts through the bodies of loops: scalar by scalar, as functions of the point they run at."""

from collections.abc import Callable

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.sizes import Origin, origin
from mlir_gs.lowering.facts import arithmetic
from mlir_gs.lowering.facts.numbers import Facts, anything, fitting, iota, union

# What is known of a value.
Look = Callable[[ir.Value], Facts | None]


def of_generate(look: Look, op: ir.Operation, value: ir.Value) -> Facts | None:
    block = op.regions[0].blocks[0]
    sizes = [origin(value, d) for d in range(value.type.rank)]
    scalars: dict[ir.Value, Facts | None] = {
        argument: iota(d, sizes) for d, argument in enumerate(block.arguments)
    }
    return _at_points(look, block, scalars, sizes)


def of_linalg(look: Look, op: ir.Operation, value: ir.Value) -> Facts | None:
    """An element-wise linalg.generic whose first result has a point of its own per element."""
    if len(op.results) != 1 or "reduction" in str(op.attributes["iterator_types"]):
        return None
    maps = [attribute.value for attribute in op.attributes["indexing_maps"]]
    rank = value.type.rank
    identity = ir.AffineMap.get_identity(rank)
    if maps[-1] != identity:
        return None
    block = op.regions[0].blocks[0]
    sizes = [origin(value, d) for d in range(rank)]
    scalars: dict[ir.Value, Facts | None] = {}
    for operand, map_, argument in zip(op.operands, maps, block.arguments, strict=True):
        found = look(operand)
        if found is None or map_ == identity:
            scalars[argument] = found
        else:
            scalars[argument] = union([found])
        if isinstance(operand.type, ir.RankedTensorType) and map_ == identity:
            continue
        if not all(plain_dim(expr) is not None for expr in map_.results):
            scalars[argument] = None
    return _at_points(look, block, scalars, sizes)


def _at_points(
    look: Look, block: ir.Block, scalars: dict[ir.Value, Facts | None], sizes: list[Origin]
) -> Facts | None:
    """What the block yields first, at the points of an iteration space of these sizes."""
    for op in list(block.operations)[:-1]:
        op = op.operation
        if len(op.results) != 1:
            return None
        result = op.results[0]
        if op.name == "linalg.index":
            scalars[result] = iota(op.attributes["dim"].value, sizes)
            continue
        parts = [
            scalars[operand] if operand in scalars else look(operand) for operand in op.operands
        ]
        found = look(result) if op.name == "arith.constant" else arithmetic.transfer(op, parts)
        scalars[result] = fitting(found, result.type) or anything(result.type)
    last = list(block.operations)[-1].operands[0]
    return scalars[last] if last in scalars else look(last)
