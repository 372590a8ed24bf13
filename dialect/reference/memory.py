"""Buffers in the reference: memref and bufferization, and the positions that affine computes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import dialect
from mlir_gs.dialect.reference.coordinates import UndefinedBehavior
from mlir_gs.dialect.reference.maps import parse
from mlir_gs.dialect.reference.ops import Machine
from mlir_gs.dialect.reference.scalar import ELEMENTWISE
from mlir_gs.dialect.reference.tensor import (
    Handler,
    cast,
    collapsed_shape,
    dim,
    empty,
    expanded_shape,
    kept_dims,
    load,
    position_in,
    rank,
    window,
)

arith = dialect("arith")
Array = np.ndarray
Values = tuple[Array, ...]

_SIGNED = {"maxs": "maxsi", "maxu": "maxui", "mins": "minsi", "minu": "minui"}
"""Kinds of arith.AtomicRMWKind that the ops of arith spell in another way."""


def _store(_: Machine, op: Any, operands: list[Array]) -> Values:
    operands[1][position_in(operands[2:], operands[1])] = operands[0]
    return ()


def _copy(_: Machine, op: Any, operands: list[Array]) -> Values:
    if operands[0].shape != operands[1].shape:
        raise ValueError(f"a copy of shape {operands[0].shape} to {operands[1].shape}")
    operands[1][...] = operands[0].copy()
    return ()


def _dealloc(_: Machine, op: Any, operands: list[Array]) -> Values:
    """What is freed cannot be written any more, nor freed again, nor can a constant."""
    if not operands[0].flags.writeable:
        raise UndefinedBehavior("memory that cannot be freed")
    operands[0].flags.writeable = False
    return ()


def _nothing(_: Machine, op: Any, operands: list[Array]) -> Values:
    return ()


def _same(_: Machine, op: Any, operands: list[Array]) -> Values:
    return tuple(operands[: len(op.results)])


def _fresh(_: Machine, op: Any, operands: list[Array]) -> Values:
    return (operands[0].copy(),)


def _get_global(machine: Machine, op: Any, operands: list[Array]) -> Values:
    return (machine.global_(op.attributes["name"].value),)


def _view(buffer: Array, shape: Sequence[int]) -> Values:
    """A view in another shape. Raises ValueError if the strides do not allow it."""
    found = buffer.view()
    try:
        found.shape = tuple(shape)
    except AttributeError:
        raise ValueError(f"strides do not allow the shape {list(shape)}") from None
    return (found,)


def _subview(_: Machine, op: Any, operands: list[Array]) -> Values:
    slices, sizes = window(op, operands[1:], operands[0].shape)
    # With the ellipsis an element of rank 0 is a view, too.
    return _view(operands[0][(*slices, ...)], [sizes[d] for d in kept_dims(op, op.results[0].type)])


def _collapse(_: Machine, op: Any, operands: list[Array]) -> Values:
    return _view(operands[0], collapsed_shape(op, operands[0]))


def _expand(_: Machine, op: Any, operands: list[Array]) -> Values:
    return _view(operands[0], expanded_shape(op, operands[1:]))


def _transpose(_: Machine, op: Any, operands: list[Array]) -> Values:
    axes = parse(str(op.attributes["permutation"]))(range(operands[0].ndim))
    return (operands[0].transpose(axes),)


def _atomic_rmw(_: Machine, op: Any, operands: list[Array]) -> Values:
    value, buffer, *indices = operands
    place = position_in(indices, buffer)
    old = buffer[place].copy()
    # The numbers of the kinds differ between versions of MLIR.
    name = arith.AtomicRMWKind(op.attributes["kind"].value).name
    if name == "assign":
        buffer[place] = value
    else:
        buffer[place] = ELEMENTWISE[f"arith.{_SIGNED.get(name, name)}"](op, [old, value])
    return (old,)


def _generic_atomic_rmw(machine: Machine, op: Any, operands: list[Array]) -> Values:
    buffer, *indices = operands
    place = position_in(indices, buffer)
    (buffer[place],) = machine.block(op.regions[0].blocks[0], (buffer[place].copy(),))
    return (buffer[place].copy(),)


def _alloc_tensor(machine: Machine, op: Any, operands: list[Array]) -> Values:
    dynamic, copied, _ = op.attributes["operandSegmentSizes"]
    if copied:
        return (operands[dynamic].copy(),)
    return empty(machine, op, operands[:dynamic])


def _materialize(_: Machine, op: Any, operands: list[Array]) -> Values:
    source, dest = operands
    if len(op.results):
        return (source,)
    dest[...] = source
    return ()


def _apply(_: Machine, op: Any, operands: list[Array]) -> Values:
    map_ = parse(str(op.attributes["map"]))
    numbers = [int(x) for x in operands]
    found = map_(numbers[: map_.num_dims], numbers[map_.num_dims :])
    if not all(-(1 << 63) <= each < 1 << 63 for each in found):
        raise UndefinedBehavior(f"{op.name}: a position that 64 bits do not hold")
    chosen = {"affine.min": min, "affine.max": max}.get(op.name, sum)(found)
    return (np.asarray(chosen, np.int64),)


MEMORY: dict[str, Handler] = {
    "affine.apply": _apply,
    "affine.max": _apply,
    "affine.min": _apply,
    "bufferization.alloc_tensor": _alloc_tensor,
    "bufferization.clone": _fresh,
    "bufferization.dealloc_tensor": _nothing,
    "bufferization.materialize_in_destination": _materialize,
    "bufferization.to_buffer": _fresh,
    "bufferization.to_tensor": _fresh,
    "memref.alloc": empty,
    "memref.alloca": empty,
    "memref.assume_alignment": _same,
    "memref.atomic_rmw": _atomic_rmw,
    "memref.cast": cast,
    "memref.collapse_shape": _collapse,
    "memref.copy": _copy,
    "memref.dealloc": _dealloc,
    "memref.dim": dim,
    "memref.distinct_objects": _same,
    "memref.expand_shape": _expand,
    "memref.generic_atomic_rmw": _generic_atomic_rmw,
    "memref.get_global": _get_global,
    "memref.load": load,
    "memref.memory_space_cast": _same,
    "memref.prefetch": _nothing,
    "memref.rank": rank,
    "memref.store": _store,
    "memref.subview": _subview,
    "memref.transpose": _transpose,
}
