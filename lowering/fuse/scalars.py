"""Tensors of one repeated value, as scalars of the loops that read them."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.lowering.ir.builders import producer


def take_scalars(op: ir.Operation) -> None:
    """Let a linalg.generic read the scalar instead of the tensor that repeats it.

    Inputs from which alone the extent of a dim is known stay as they are.
    """
    maps = [attribute.value for attribute in op.attributes["indexing_maps"]]
    count = next(iter(op.attributes["operandSegmentSizes"]))
    for number in range(count):
        made = producer(op.operands[number])
        if made is None or made.name != "tensor.splat":
            continue
        others = [*maps[:number], *maps[number + 1 :]]
        known = {plain_dim(expr) for map_ in others for expr in map_.results}
        if not known.issuperset(range(maps[number].n_dims)):
            continue
        maps[number] = ir.AffineMap.get(maps[number].n_dims, 0, [])
        op.operands[number] = made.operands[0]
    op.attributes["indexing_maps"] = ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in maps])
