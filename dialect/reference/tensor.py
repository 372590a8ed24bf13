"""Upstream's tensor ops in the reference, as far as modules with `gs` ops hold them."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.ops import Handler, Machine, plain
from mlir_gs.dialect.reference.types import element_dtype

Array = np.ndarray
_DYNAMIC = ir.ShapedType.get_dynamic_size()


def mixed(static: Sequence[int], dynamic: Iterator[Array]) -> list[int]:
    """Static values with the dynamic ones filled in."""
    return [int(next(dynamic)) if n in (_DYNAMIC, -1 << 63) else n for n in static]


def _shape(type_: Any, dynamic: Sequence[Array]) -> tuple[int, ...]:
    values = iter(dynamic)
    return tuple(
        int(next(values)) if type_.is_dynamic_dim(d) else type_.shape[d] for d in range(type_.rank)
    )


def window(
    op: Any, dynamic: Sequence[Array], shape: Sequence[int]
) -> tuple[tuple[slice, ...], list[int]]:
    """The slices and sizes of an op with static_offsets, static_sizes and static_strides.

    Raises ValueError where the window leaves an operand of `shape`. An empty one may begin at the
    end, as upstream's verification at run time has it.
    """
    values = iter(dynamic)
    offsets, sizes, strides = (
        mixed(list(op.attributes[f"static_{name}"]), values)
        for name in ("offsets", "sizes", "strides")
    )
    slices = []
    for offset, size, stride, most in zip(offsets, sizes, strides, shape, strict=True):
        last = offset + (size - 1) * stride
        fits = 0 <= offset < most and 0 <= last < most if size else 0 <= offset <= most
        if size < 0 or not fits:
            raise ValueError(f"window of {sizes} leaves the operand of shape {tuple(shape)}")
        # NumPy counts negative numbers from the end.
        end = last + (1 if stride > 0 else -1)
        slices.append(slice(offset, end if end >= 0 else None, stride) if size else slice(0, 0))
    return tuple(slices), sizes


def kept_dims(op: Any, type_: Any) -> list[int]:
    """The dims of a window that a result or source of `type_` keeps: units are dropped from the
    left."""
    static = list(op.attributes["static_sizes"])
    kept: list[int] = []
    for dim, size in enumerate(static):
        wanted = type_.shape[len(kept)] if len(kept) < type_.rank else None
        if size == wanted or (size != 1 and wanted is not None):
            kept.append(dim)
    return kept if len(kept) == type_.rank else [d for d, n in enumerate(static) if n != 1]


def _extract_slice(op: Any, source: Array, *dynamic: Array) -> Array:
    slices, sizes = window(op, dynamic, source.shape)
    return source[slices].reshape([sizes[d] for d in kept_dims(op, op.results[0].type)])


def _insert_slice(op: Any, source: Array, dest: Array, *dynamic: Array) -> Array:
    slices, sizes = window(op, dynamic, dest.shape)
    result = dest.copy()
    result[slices] = source.reshape(sizes)
    return result


def map_block(machine: Machine, block: Any, arrays: Sequence[Array], shape: Any) -> list[Array]:
    """The block on each element of arrays of `shape`, element by element or all at once."""
    if machine.is_elementwise(block):
        yielded = machine.block(block, arrays)
        return [np.broadcast_to(value, shape) for value in yielded]
    values = [machine.block(block, [a[i] for a in arrays]) for i in np.ndindex(shape)]
    if not values:
        return []
    return [np.array(column).reshape(shape) for column in zip(*values, strict=True)]


def _per_index(machine: Machine, op: Any, shape: tuple[int, ...]) -> Array:
    """A block of index arguments, run at every position of `shape`."""
    found = map_block(machine, op.regions[0].blocks[0], list(np.indices(shape)), shape)
    dtype = element_dtype(op.results[0].type)
    return found[0].astype(dtype) if found else np.empty(shape, dtype)


def _pad(machine: Machine, op: Any, operands: list[Array]) -> tuple[Array, ...]:
    source, values = operands[0], iter(operands[1:])
    low = mixed(list(op.attributes["static_low"]), values)
    high = mixed(list(op.attributes["static_high"]), values)
    shape = tuple(a + n + b for a, n, b in zip(low, source.shape, high, strict=True))
    result = np.empty(shape, element_dtype(op.results[0].type))
    padded = np.ones(shape, np.bool_)
    # Negative amounts cut.
    into, taken = [], []
    for a, n, m in zip(low, source.shape, shape, strict=True):
        start = min(max(a, 0), m)
        end = max(min(a + n, m), start)
        into.append(slice(start, end))
        taken.append(slice(start - a, end - a) if start < end else slice(0, 0))
    padded[tuple(into)] = False
    result[tuple(into)] = source[tuple(taken)]
    # The block runs where the source is not.
    places = [np.asarray(each)[padded] for each in np.indices(shape)]
    count = int(padded.sum())
    if count:
        (result[padded],) = map_block(machine, op.regions[0].blocks[0], places, (count,))
    return (result,)


def _generate(machine: Machine, op: Any, operands: list[Array]) -> tuple[Array, ...]:
    return (_per_index(machine, op, _shape(op.results[0].type, operands)),)


def empty(op: Any, *sizes: Array) -> Array:
    type_ = op.results[0].type
    return np.zeros(_shape(type_, sizes), element_dtype(type_))


def position_in(indices: Sequence[Array], operand: Array) -> tuple[Any, ...]:
    position = tuple(int(i) for i in indices)
    if any(not 0 <= p < n for p, n in zip(position, operand.shape, strict=True)):
        raise ValueError(f"position {list(position)} leaves the operand of {operand.shape}")
    return (*position, ...)


def load(_: Any, source: Array, *indices: Array) -> Array:
    return source[position_in(indices, source)].copy()


def _insert(_: Any, value: Array, dest: Array, *indices: Array) -> Array:
    result = dest.copy()
    result[position_in(indices, result)] = value
    return result


def dim(_: Any, source: Array, number: Array) -> Array:
    if not 0 <= number < source.ndim:
        raise IndexError(f"dimension {number} of a value of rank {source.ndim}")
    return np.array(source.shape[int(number)], np.int64)


def rank(_: Any, source: Array) -> Array:
    return np.array(source.ndim, np.int64)


def collapsed_shape(op: Any, operand: Array) -> list[int]:
    return [
        int(np.prod([operand.shape[d.value] for d in group]))
        for group in op.attributes["reassociation"]
    ]


def expanded_shape(op: Any, dynamic: Sequence[Array]) -> list[int]:
    return mixed(list(op.attributes["static_output_shape"]), iter(dynamic))


def cast(op: Any, source: Array) -> Array:
    type_ = op.results[0].type
    if any(not type_.is_dynamic_dim(d) and type_.shape[d] != n for d, n in enumerate(source.shape)):
        raise ValueError(f"shape {list(source.shape)} is not {type_}")
    return source


def _from_elements(op: Any, *elements: Array) -> Array:
    type_ = op.results[0].type
    return np.array(elements, element_dtype(type_)).reshape(type_.shape)


TENSOR: dict[str, Handler] = {
    "tensor.generate": _generate,
    "tensor.pad": _pad,
} | {
    f"tensor.{name}": plain(function)
    for name, function in {
        "cast": cast,
        "collapse_shape": lambda op, x: x.reshape(collapsed_shape(op, x)),
        "concat": lambda op, *parts: np.concatenate(parts, axis=op.attributes["dim"].value),
        "dim": dim,
        "empty": empty,
        "expand_shape": lambda op, x, *sizes: x.reshape(expanded_shape(op, sizes)),
        "extract": load,
        "extract_slice": _extract_slice,
        "from_elements": _from_elements,
        "insert": _insert,
        "insert_slice": _insert_slice,
        "rank": rank,
        "reshape": lambda _, x, shape: x.reshape([int(n) for n in shape]),
        "splat": lambda op, x, *sizes: np.full(_shape(op.results[0].type, sizes), x, x.dtype),
    }.items()
}
