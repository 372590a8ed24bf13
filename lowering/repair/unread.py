"""Outputs of linalg that the body does not read and the loops may not write in full."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import producer
from mlir_gs.lowering.repair.repairs import repairs

_KEPT = ("tensor.empty", "bufferization.alloc_tensor")


@repairs("linalg.generic", "linalg.reduce")
def kept_output(op: ir.Operation) -> None:
    """Copy an output that is not read where elements of it may stay as they are.

    before: `linalg.generic ... outs(%init : tensor<2xf32>)`, summed over a dim of size 0
    after:  `linalg.generic ... outs(%copy : tensor<2xf32>)`

    One-Shot Bufferize gives such an output memory that nobody writes. Does not apply where the
    loops write every element: each dim of the output is one of the loops, and no other loop has
    the size 0. A `tensor.empty` has nothing to keep.
    """
    block = op.regions[0].blocks[0]
    count = len(op.results)
    first = len(op.operands) - count
    for number in range(count):
        output = op.operands[first + number]
        argument = block.arguments[len(block.arguments) - count + number]
        if list(argument.uses) or producer(output, *_KEPT) is not None:
            continue
        if not _writes_all(op, first + number):
            op.operands[first + number] = ir.Operation.create(
                "bufferization.alloc_tensor",
                results=[output.type],
                operands=[output],
                attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 1, 0])},
            ).result


def _writes_all(op: ir.Operation, position: int) -> bool:
    if op.name == "linalg.reduce":
        source = op.operands[0].type
        return all(source.shape[dim] not in (0, DYNAMIC) for dim in op.attributes["dimensions"])
    maps = [attribute.value for attribute in op.attributes["indexing_maps"]]
    if not maps[position].is_projected_permutation:
        return False
    run = {expr.position for expr in maps[position].results}
    for operand, map_ in zip(op.operands, maps, strict=True):
        shape = operand.type.shape if isinstance(operand.type, ir.ShapedType) else []
        run |= {
            expr.position
            for expr, size in zip(map_.results, shape, strict=False)
            if isinstance(expr, ir.AffineDimExpr) and size not in (0, DYNAMIC)
        }
    return len(run) == maps[position].n_dims
