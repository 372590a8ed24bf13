"""Patterns on gathers and scatters at known coordinates: they are slices."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.named_maps import addressed_dims
from mlir_gs.dialect.shared import Bounds, batch_dims
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.algebra.windows import (
    collapsed,
    extract,
    extract_backwards,
    insert,
    is_all,
    reshaped,
    window_of_lines,
    window_of_slices,
)
from mlir_gs.lowering.ir.builders import arith, dense_constant
from mlir_gs.lowering.ir.known import Known
from mlir_gs.lowering.passes.explain import note

# Larger results are not folded to constants.
_MOST = 1 << 12
_FLOATS = (ir.F16Type, ir.F32Type, ir.F64Type)


@pattern("gs.gather")
@pattern("gs.gather_elements")
def gather_of_constants(op: ir.OpView, rewriter: Any) -> bool:
    """Known elements at known coordinates are known.

    before: `gather(dense<[...]>, dense<[...]>)` of integers, or of floats f16, f32 and f64
    after:  `dense<[...]>`

    Applies when all coordinates are in bounds, wrapped or clipped where the op says so, and the
    result has 4,096 elements at most. Does not apply to others, which are filled or reported.
    """
    source, indices = op.operands
    moved = op.results[0].type
    if DYNAMIC in moved.shape or np.prod(moved.shape, dtype=np.int64) > _MOST:
        return False
    known = Known()
    where = known(indices)
    if where is None or where.size == 0:
        return False
    elements = known(source)
    if elements is None:
        elements = _floats(source)
    if elements is None or elements.size == 0:
        return False
    dims, bounds = addressed_dims(op), Bounds.of(op)
    along = op.operation.name == "gs.gather_elements"
    limits = np.array([elements.shape[d] for d in dims])
    limits = limits[0] if along else limits
    if bounds.wrap_negative:
        where = np.where(where < 0, where + limits, where)
    if bounds.mode == "clip":
        where = np.clip(where, 0, limits - 1)
    if (where < 0).any() or (where >= limits).any():
        return False
    if along:
        found = _along(elements, where, dims[0])
    else:
        found = _slices(elements, where, dims, batch_dims(op))
    value = _dense(found.reshape(moved.shape), moved)
    note(op.operation, "rewrote", "known elements at known coordinates")
    rewriter.replace_op(op, [arith.constant(moved, value)])
    return True


def _floats(value: ir.Value) -> np.ndarray | None:
    """The elements of a constant of floats that NumPy has."""
    found = dense_constant(value)
    if found is None or not isinstance(value.type.element_type, _FLOATS):
        return None
    return np.array(found).reshape(value.type.shape)


def _slices(elements: np.ndarray, where: np.ndarray, dims: Sequence[int], batch: int) -> np.ndarray:
    """What a gather of slices gives, the gathered dims left out."""
    rest = [d for d in range(batch, elements.ndim) if d not in dims]
    leading = np.indices(where.shape[:-1])
    first = np.transpose(elements, [*range(batch), *dims, *rest])
    return first[(*leading[:batch], *np.moveaxis(where, -1, 0))]


def _along(elements: np.ndarray, where: np.ndarray, dim: int) -> np.ndarray:
    """What a gather of elements along `dim` gives."""
    lines = [slice(None) if d == dim else slice(n) for d, n in enumerate(where.shape)]
    return np.take_along_axis(elements[tuple(lines)], where, dim)


@pattern("gs.gather")
def slice_at_known_run(op: ir.OpView, rewriter: Any) -> bool:
    """Slices at known, evenly spaced coordinates are one slice.

    before: `gather(x, [[a], [a + s], [a + 2 s], ...]) {gather_dims = [0]}`
    after:  `extract_slice x[a, 0, ...] [n, ...] [s, 1, ...]`, or `x` if that is all of it;
            where s is negative `strided_slice x`, which needs static sizes

    and `gather(x, [[a, b]])` of one slice in any dims: `extract_slice x[a, b, 0, ...]`.

    Applies when the coordinates are known, in bounds of static sizes, and the same in each batch.
    Does not apply to runs in other dims than the one behind the batch dims, whose slices would be
    transposed, nor to uneven ones.
    """
    source, indices = op.operands
    window = window_of_slices(op, source, indices)
    if window is None:
        return False
    _, sizes, strides = window
    shape, dims = list(source.type.shape), addressed_dims(op)
    if min(strides) < 0:
        if DYNAMIC in shape:
            return False
        result = extract_backwards(source, window)
    elif is_all(shape, window):
        result = source
    else:
        result = extract(source, window)
    moved, leading = op.results[0].type, indices.type.rank - 1
    one = all(sizes[d] == 1 for d in dims)
    rest = [d for d in range(len(shape)) if d not in dims]
    result = reshaped(result, moved, batch_dims(op), leading, rest, one)
    note(op.operation, "rewrote", "known coordinates are a slice")
    rewriter.replace_op(op, [result])
    return True


@pattern("gs.scatter")
def insert_at_known_run(op: ir.OpView, rewriter: Any) -> bool:
    """Updates that overwrite an evenly spaced run of slices are inserted.

    before: `scatter(u, d, [[a], [a + s], ...]) {scatter_dims = [0]}`
    after:  `insert_slice u into d[a, 0, ...] [n, ...] [s, 1, ...]`, or `u` if that is all of it

    and `scatter(u, d, [[a, b]])` of one slice in any dims. Applies when the coordinates are known,
    in bounds of static sizes, the same in each batch, and ascend. Does not apply with a combiner.
    """
    updates, dest, indices = op.operands
    if len(op.regions[0].blocks):
        return False
    window = window_of_slices(op, dest, indices)
    if window is None or min(window[2]) < 0 or 0 in updates.type.shape:
        return False
    shape, dims = list(dest.type.shape), addressed_dims(op)
    sizes = window[1]
    kept = [d for d in range(len(shape)) if d not in dims]
    if len(dims) == 1 and sizes[dims[0]] > 1:
        kept = sorted([*dims, *kept])
    wanted = ir.RankedTensorType.get([sizes[d] for d in kept], dest.type.element_type)
    inner = updates.type.rank - len(kept)
    flat = updates
    if inner:
        # The index dims are one; unit dims of the slices may be kept.
        flat = collapsed(updates, wanted)
    if flat is None or flat.type != wanted:
        return False
    if is_all(shape, window) and flat.type == dest.type:
        result = flat
    else:
        result = insert(flat, dest, window)
    note(op.operation, "rewrote", "known coordinates are a slice")
    rewriter.replace_op(op, [result])
    return True


@pattern("gs.gather_elements")
def slice_of_known_lines(op: ir.OpView, rewriter: Any) -> bool:
    """Elements at the same evenly spaced coordinates in each line are a slice.

    before: `gather_elements(x, i) {dim = d}` where i is a + s n at position n along d
    after:  `extract_slice x[0, ..., a, ...] [shape of i] [1, ..., s, ...]`, or a strided_slice

    Applies when the coordinates are known, in bounds, and all sizes static.
    """
    source, indices = op.operands
    window = window_of_lines(op, source, indices)
    if window is None:
        return False
    shape = list(source.type.shape)
    if min(window[2]) < 0:
        result = extract_backwards(source, window)
    else:
        result = source if is_all(shape, window) else extract(source, window)
    note(op.operation, "rewrote", "known coordinates are a slice")
    rewriter.replace_op(op, [result])
    return True


@pattern("gs.scatter_elements")
def insert_known_lines(op: ir.OpView, rewriter: Any) -> bool:
    """Updates that overwrite the same evenly spaced run of each line are inserted.

    before: `scatter_elements(u, y, i) {dim = d}` where i is a + s n at position n along d
    after:  `insert_slice u into y[0, ..., a, ...] [shape of i] [1, ..., s, ...]`

    Applies when the coordinates are known, in bounds and ascend, and all sizes are static. Does
    not apply with a combiner.
    """
    updates, dest, indices = op.operands
    if len(op.regions[0].blocks):
        return False
    window = window_of_lines(op, dest, indices)
    if window is None or min(window[2]) < 0 or list(updates.type.shape) != window[1]:
        return False
    result = updates if updates.type == dest.type else insert(updates, dest, window)
    note(op.operation, "rewrote", "known coordinates are a slice")
    rewriter.replace_op(op, [result])
    return True


def _dense(values: np.ndarray, type_: ir.RankedTensorType) -> ir.Attribute:
    element = type_.element_type
    if isinstance(element, _FLOATS):
        return ir.DenseElementsAttr.get(np.ascontiguousarray(values), type=type_)
    elements = [ir.IntegerAttr.get(element, int(v)) for v in values.ravel()]
    return ir.DenseElementsAttr.get(elements, type_)
