"""Where a dynamic size comes from: two dimensions of one origin have the same size."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC

# Ops whose dynamic sizes are their first operands, one per `?`.
_ALLOCATING = ("tensor.empty", "memref.alloc")
_CASTS = ("tensor.cast", "memref.cast")
_DIMS = ("tensor.dim", "memref.dim")

# A number, a value of type index, or a dimension of a shaped value.
Origin = int | tuple[Any, int]


def origin(value: ir.Value, position: int) -> Origin:
    """What decides the size of `value` in dimension `position`."""
    while True:
        size = value.type.shape[position]
        if size != DYNAMIC:
            return size
        owner = value.owner
        if not isinstance(owner, (ir.Operation, ir.OpView)):
            return (value, position)
        op = owner.operation
        if op.name in _CASTS:
            value = op.operands[0]
            continue
        if op.name not in _ALLOCATING:
            return (value, position)
        number = sum(n == DYNAMIC for n in list(value.type.shape)[:position])
        given = op.operands[number]
        source = _dim_source(given)
        if source is None:
            return (given, 0)
        value, position = source


def _dim_source(size: ir.Value) -> tuple[ir.Value, int] | None:
    """(tensor or memref, dimension) where `size` is the dim op of it at a constant."""
    owner = size.owner
    if not isinstance(owner, (ir.Operation, ir.OpView)) or owner.operation.name not in _DIMS:
        return None
    shaped, number = owner.operation.operands
    constant = number.owner
    if not isinstance(constant, (ir.Operation, ir.OpView)):
        return None
    if constant.operation.name != "arith.constant":
        return None
    return shaped, constant.operation.attributes["value"].value
