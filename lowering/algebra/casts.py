"""Patterns on the named ops and `tensor.cast`."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.gather import sliced_shapes
from mlir_gs.dialect.named_maps import NAMED, addressed_dims
from mlir_gs.dialect.shared import batch_dims
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.ir.builders import producer, tensor
from mlir_gs.lowering.passes.explain import note


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
    if types is None:
        return False
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


for _name in NAMED:
    pattern(_name)(fold_casts)


def _before_cast(value: ir.Value) -> ir.Value:
    cast = producer(value, "tensor.cast")
    if cast is None or not isinstance(cast.operands[0].type, ir.RankedTensorType):
        return value
    given, made = cast.operands[0].type, value.type
    if made.rank != given.rank or given.encoding != made.encoding:
        return value
    known = all(a == b or b == DYNAMIC for a, b in zip(given.shape, made.shape, strict=True))
    return cast.operands[0] if known else value


def _result_types(op: ir.OpView, operands: list[ir.Value]) -> list[ir.Type] | None:
    """The results' types with the sizes that follow from the new operands; None for an op whose
    sizes are not known here."""
    moved, name = op.results[0].type, op.operation.name
    if name in ("gs.scatter", "gs.scatter_elements"):
        return [operands[1].type]
    shape = list(moved.shape)
    if name == "gs.gather_elements":
        known = list(operands[1].type.shape)
    elif name == "gs.gather":
        known = _gathered_shape(op, operands)
    elif name in ("gs.histogram", "gs.strided_slice"):
        # Attributes and the cast itself say what they are.
        return [result.type for result in op.results]
    else:
        return None
    shape = [b if a == DYNAMIC else a for a, b in zip(shape, known, strict=True)]
    return [ir.RankedTensorType.get(shape, moved.element_type)]


def _gathered_shape(op: ir.OpView, operands: list[ir.Value]) -> list[int]:
    source, indices = (value.type.shape for value in operands)
    shapes = sliced_shapes(source, indices, addressed_dims(op), batch_dims(op))
    return next(list(shape) for shape in shapes if len(shape) == op.results[0].type.rank)
