"""Patterns on the named ops and `tensor.cast`."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.base import NAMED, structure_of
from mlir_gs.dialect.checks import DYNAMIC, merged
from mlir_gs.dialect.sizes import sizes_of
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.ir.builders import producer, tensor
from mlir_gs.lowering.passes.explain import note


@pattern(NAMED)
def fold_casts(op: ir.OpView, rewriter: Any) -> bool:
    """An op reads the source of a cast that makes sizes dynamic.

    before: `gather(cast(x: 9x4 to ?x?), cast(i: 5x1 to ?x1)) -> ?x?`, and other named ops so
    after:  `cast(gather(x, i) -> 5x4 : to ?x?)`

    Applies to each operand whose source has all sizes that the cast keeps. Does not apply to casts
    that claim sizes, from `?` to a number.
    """
    operands = [_before_cast(value) for value in op.operands]
    if all(a == b for a, b in zip(operands, op.operands, strict=True)):
        return False
    types = _result_types(op, operands)
    new = ir.Operation.create(
        op.operation.name,
        results=types,
        operands=operands,
        attributes=dict(op.attributes),
        regions=len(op.regions),
    )
    for old, region in zip(op.regions, new.regions, strict=True):
        if len(old.blocks):
            old.blocks[0].append_to(region)
    results = [
        made if made.type == result.type else tensor.cast(result.type, made)
        for made, result in zip(new.results, op.results, strict=True)
    ]
    note(op.operation, "rewrote", "reads the source of a cast")
    rewriter.replace_op(op, results)
    return True


def _before_cast(value: ir.Value) -> ir.Value:
    cast = producer(value, "tensor.cast")
    if cast is None or not isinstance(cast.operands[0].type, ir.RankedTensorType):
        return value
    given, made = cast.operands[0].type, value.type
    if made.rank != given.rank or given.encoding != made.encoding:
        return value
    known = all(a == b or b == DYNAMIC for a, b in zip(given.shape, made.shape, strict=True))
    return cast.operands[0] if known else value


def _result_types(op: ir.OpView, operands: list[ir.Value]) -> list[ir.Type]:
    """The results' types with the sizes that follow from the new operands by the op's maps."""
    types = [result.type for result in op.results]
    structure = structure_of(op.operation)
    if structure is None:
        # What the data decides.
        return types
    new = dict(zip(op.operands, operands, strict=True))
    for number, access in enumerate(structure.outputs):
        if access.value in new:
            types[number] = new[access.value].type
            continue
        shape = list(types[number].shape)
        for position, expr in enumerate(access.map.results):
            dim = plain_dim(expr)
            if dim is not None:
                for value, place in sizes_of(op.operation, structure, dim):
                    shape[position] = merged(shape[position], new[value].type.shape[place])
        types[number] = ir.RankedTensorType.get(shape, types[number].element_type)
    return types
