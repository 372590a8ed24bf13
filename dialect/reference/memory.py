"""Buffers in the reference: memref and bufferization, and the positions that affine computes."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import dialect
from mlir_gs.dialect.reference.coordinates import UndefinedBehavior
from mlir_gs.dialect.reference.maps import parse
from mlir_gs.dialect.reference.ops import Handler, Machine, plain
from mlir_gs.dialect.reference.scalar import ELEMENTWISE
from mlir_gs.dialect.reference.tensor import (
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
    value, buffer, *indices = operands
    buffer[position_in(indices, buffer)] = value
    return ()


def _copy(_: Machine, op: Any, operands: list[Array]) -> Values:
    source, dest = operands
    if source.shape != dest.shape:
        raise ValueError(f"a copy of shape {source.shape} to {dest.shape}")
    dest[...] = source.copy()
    return ()


def _dealloc(_: Machine, op: Any, operands: list[Array]) -> Values:
    """What is freed cannot be written any more, nor freed again, nor can a constant."""
    if not operands[0].flags.writeable:
        raise UndefinedBehavior("memory that cannot be freed")
    operands[0].flags.writeable = False
    return ()


def _same(_: Machine, op: Any, operands: list[Array]) -> Values:
    return tuple(operands[: len(op.results)])


def _view(buffer: Array, shape: Sequence[int]) -> Array:
    """A view in another shape. Raises ValueError if the strides do not allow it."""
    found = buffer.view()
    try:
        found.shape = tuple(shape)
    except AttributeError:
        raise ValueError(f"strides do not allow the shape {list(shape)}") from None
    return found


def _subview(op: Any, buffer: Array, *dynamic: Array) -> Array:
    slices, sizes = window(op, dynamic, buffer.shape)
    # With the ellipsis an element of rank 0 is a view, too.
    return _view(buffer[(*slices, ...)], [sizes[d] for d in kept_dims(op, op.results[0].type)])


def _transpose(op: Any, buffer: Array) -> Array:
    return buffer.transpose(parse(str(op.attributes["permutation"]))(range(buffer.ndim)))


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


def _alloc_tensor(op: Any, *operands: Array) -> Array:
    dynamic, copied, _ = op.attributes["operandSegmentSizes"]
    return operands[dynamic].copy() if copied else empty(op, *operands[:dynamic])


def _materialize(_: Machine, op: Any, operands: list[Array]) -> Values:
    source, dest = operands
    if len(op.results):
        return (source,)
    dest[...] = source
    return ()


def _apply(op: Any, *operands: Array) -> Array:
    map_ = parse(str(op.attributes["map"]))
    numbers = [int(x) for x in operands]
    found = map_(numbers[: map_.num_dims], numbers[map_.num_dims :])
    if not all(-(1 << 63) <= each < 1 << 63 for each in found):
        raise UndefinedBehavior(f"{op.name}: a position that 64 bits do not hold")
    chosen = {"affine.min": min, "affine.max": max}.get(op.name, sum)(found)
    return np.asarray(chosen, np.int64)


_PLAIN: dict[str, Callable[..., Array]] = {
    **dict.fromkeys(("affine.apply", "affine.max", "affine.min"), _apply),
    **dict.fromkeys(
        ("bufferization.clone", "bufferization.to_buffer", "bufferization.to_tensor"),
        lambda _, x: x.copy(),
    ),
    "bufferization.alloc_tensor": _alloc_tensor,
    "memref.alloc": empty,
    "memref.alloca": empty,
    "memref.cast": cast,
    "memref.collapse_shape": lambda op, x: _view(x, collapsed_shape(op, x)),
    "memref.dim": dim,
    "memref.expand_shape": lambda op, x, *sizes: _view(x, expanded_shape(op, sizes)),
    "memref.load": load,
    "memref.rank": rank,
    "memref.subview": _subview,
    "memref.transpose": _transpose,
}
MEMORY: dict[str, Handler] = {
    **{name: plain(function) for name, function in _PLAIN.items()},
    "bufferization.dealloc_tensor": lambda *_: (),
    "bufferization.materialize_in_destination": _materialize,
    "memref.assume_alignment": _same,
    "memref.atomic_rmw": _atomic_rmw,
    "memref.copy": _copy,
    "memref.dealloc": _dealloc,
    "memref.distinct_objects": _same,
    "memref.generic_atomic_rmw": _generic_atomic_rmw,
    "memref.get_global": lambda machine, op, _: (machine.global_(op.attributes["name"].value),),
    "memref.memory_space_cast": _same,
    "memref.prefetch": lambda *_: (),
    "memref.store": _store,
}
