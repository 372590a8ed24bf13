"""Gathers of TOSA, tcp and DirectML as their specifications have them: witnesses of the imports.

A coordinate out of bounds has no meaning in TOSA and tcp; DirectML clamps it.
"""

from typing import Any

import numpy as np
from mlir_gs.dialect.reference.coordinates import UndefinedBehavior
from mlir_gs.dialect.reference.ops import plain

Array = np.ndarray


def _inside(op: Any, indices: Array, size: int) -> Array:
    """The indices as numbers. Raises UndefinedBehavior where one is not in [0, size)."""
    numbers = indices.astype(np.int64)
    if np.any((numbers < 0) | (numbers >= size)):
        raise UndefinedBehavior(f"'{op.name}' reads or writes out of bounds: size {size}")
    return numbers


def _tosa_gather(op: Any, values: Array, indices: Array) -> Array:
    """out[n, w, c] = values[n, indices[n, w], c]"""
    numbers = _inside(op, indices, values.shape[1])
    return values[np.arange(len(values))[:, None], numbers]


def _tosa_scatter(op: Any, values: Array, indices: Array, given: Array) -> Array:
    """out = values; out[n, indices[n, w], c] = given[n, w, c]"""
    numbers, out = _inside(op, indices, values.shape[1]), values.copy()
    if any(len(set(row)) < len(row) for row in numbers.tolist()):
        raise UndefinedBehavior(f"'{op.name}' writes a row twice")
    out[np.arange(len(values))[:, None], numbers] = given
    return out


def _tosa_row_gather(op: Any, values: Array, indices: Array, count: Array) -> Array:
    """out[n, w * count + r, c] = values[n, indices[n, w] + r, c]"""
    rows = np.arange(int(count.reshape(-1)[0]))
    starts = indices.astype(np.int64)[:, :, None] + rows
    numbers = _inside(op, starts.reshape(len(values), -1), values.shape[1])
    return values[np.arange(len(values))[:, None], numbers]


def _tcp_gather(op: Any, source: Array, indices: Array) -> Array:
    """As torch.gather: out[i, j] = source[indices[i, j], j] for dim 0"""
    dim = op.attributes["dim"].value
    places = list(np.indices(indices.shape, sparse=True))
    places[dim] = _inside(op, indices, source.shape[dim])
    return source[tuple(places)]


def _tcp_gather_slice(op: Any, source: Array, indices: Array) -> Array:
    dim = op.attributes["dim"].value
    return np.take(source, _inside(op, indices, source.shape[dim]), axis=dim)


def _tcp_gather_nd(op: Any, source: Array, indices: Array) -> Array:
    columns = [_inside(op, indices[..., d], source.shape[d]) for d in range(indices.shape[-1])]
    return source[tuple(columns)]


def _tcp_broadcast_to(op: Any, source: Array, *sizes: Array) -> Array:
    shape = list(source.shape)
    for axis, size in zip(op.attributes["axes"], sizes, strict=True):
        shape[int(getattr(axis, "value", axis))] = int(size)
    return np.broadcast_to(source, shape)


def _dml_gather(op: Any, source: Array, indices: Array) -> Array:
    """Along `axis` at the last `index_dimensions` dims of the indices; negative ones count from the
    end. Leading dims of size 1 make the rank that of the operands."""
    axis, count = (op.attributes[name].value for name in ("axis", "index_dimensions"))
    size = source.shape[axis]
    numbers = indices.astype(np.int64).reshape(indices.shape[indices.ndim - count :])
    if indices.dtype.kind == "i":
        numbers = np.where(numbers < 0, numbers + size, numbers)
    found = np.take(source, np.clip(numbers, 0, size - 1), axis=axis)
    added = op.results[0].type.rank - found.ndim
    return found.reshape([1] * added + list(found.shape[max(-added, 0) :]))


def _dml_slice(op: Any, source: Array) -> Array:
    parts = (list(op.attributes[name]) for name in ("offsets", "sizes", "strides"))
    for dim, (offset, size, stride) in enumerate(zip(*parts, strict=True)):
        window = np.arange(offset, offset + size)[::stride]
        source = np.take(source, window, axis=dim)
    return source


SOURCES = {
    name: plain(function)
    for name, function in {
        "tosa.const": lambda op: np.array(op.attributes["values"]),
        "tosa.gather": _tosa_gather,
        "tosa.scatter": _tosa_scatter,
        "tosa.row_gather": _tosa_row_gather,
        "tcp.gather": _tcp_gather,
        "tcp.gather_slice": _tcp_gather_slice,
        "tcp.gather_nd": _tcp_gather_nd,
        "tcp.broadcast_to": _tcp_broadcast_to,
        "dml.gather": _dml_gather,
        "dml.slice1": _dml_slice,
    }.items()
}
