"""Coordinates less an offset, for a tensor that starts elsewhere."""

from collections.abc import Sequence
from math import prod

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import arith, producer


def may_move(indices: ir.Value, source: ir.Operation) -> bool:
    """Arithmetic on `indices` costs nothing, or less than `source`, which it makes unnecessary."""
    element = indices.type.element_type
    if not isinstance(element, ir.IndexType) and not element.is_signless:
        return False
    if producer(indices, "arith.constant") is not None:
        return True
    made = source.results[0]
    if len(list(made.uses)) != 1 or DYNAMIC in (*indices.type.shape, *made.type.shape):
        return False
    return prod(indices.type.shape) <= prod(made.type.shape)


def moved_down(indices: ir.Value, by: Sequence[int]) -> ir.Value:
    """The coordinates minus `by`, a number for each of a tuple."""
    type_ = indices.type
    numbers = np.broadcast_to(np.array(by), type_.shape) if len(by) > 1 else by[0]
    element = type_.element_type
    if isinstance(numbers, int):
        value = ir.DenseElementsAttr.get_splat(type_, ir.IntegerAttr.get(element, numbers))
    else:
        value = ir.DenseElementsAttr.get(
            [ir.IntegerAttr.get(element, int(n)) for n in numbers.ravel()], type_
        )
    return arith.subi(indices, arith.constant(type_, value))
