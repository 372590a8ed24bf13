"""Patterns on gathers and scatters at known coordinates: they are slices."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from mlir_gs.dialect import strided_slice
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.shared import batch_dims
from mlir_gs.lowering.builders import arith, dim_of, tensor
from mlir_gs.lowering.explain import note
from mlir_gs.lowering.known import Known
from mlir_gs.lowering.patterns import pattern
from mlir_gs.lowering.patterns_gather import addressed_dims

# Larger results are not folded to constants.
_MOST = 1 << 12
# (offsets, sizes, strides) of a window, one entry per dim.
Window = tuple[list[int], list[int], list[int]]


@pattern("gs.gather")
def gather_of_constants(op: ir.OpView, rewriter: Any) -> bool:
    """Known integers at known coordinates are known.

    before: `gather(dense<[...]>, dense<[...]>)` of integers
    after:  `dense<[...]>`

    Applies when all coordinates are in bounds and the result has 4,096 elements at most. Does not
    apply to slices along other dims than the first ones.
    """
    source, indices = op.operands
    dims = addressed_dims(op)
    moved = op.results[0].type
    if dims != list(range(len(dims))) or batch_dims(op) or DYNAMIC in moved.shape:
        return False
    if np.prod(moved.shape, dtype=np.int64) > _MOST:
        return False
    known = Known()
    elements, tuples = known(source), known(indices)
    if elements is None or tuples is None or tuples.size == 0 or elements.size == 0:
        return False
    if (tuples < 0).any() or (tuples >= np.array(elements.shape)[dims]).any():
        return False
    found = elements[tuple(np.moveaxis(tuples, -1, 0))].reshape(moved.shape)
    value = _dense(found, moved)
    note(op.operation, "rewrote", "known elements at known coordinates")
    rewriter.replace_op(op, [arith.constant(moved, value)])
    return True


@pattern("gs.gather")
def slice_at_known_run(op: ir.OpView, rewriter: Any) -> bool:
    """Slices at known, evenly spaced coordinates are one slice.

    before: `gather(x, [[a], [a + s], [a + 2 s], ...]) {gather_dims = [0]}`
    after:  `extract_slice x[a, 0, ...] [n, ...] [s, 1, ...]`, or `x` if that is all of it;
            where s is negative `strided_slice x`, which needs static sizes

    and `gather(x, [[a, b]])` of one slice in any dims: `extract_slice x[a, b, 0, ...]`.

    Applies when the coordinates are known and in bounds of static sizes. Does not apply to runs in
    other dims than the first, whose slices would be transposed, nor to uneven ones.
    """
    source, indices = op.operands
    window = _window(op, source, indices)
    if window is None:
        return False
    _, sizes, strides = window
    shape, dims = list(source.type.shape), addressed_dims(op)
    if min(strides) < 0:
        if DYNAMIC in shape:
            return False
        result = _backwards(source, window)
    elif _is_all(shape, window):
        result = source
    else:
        result = _extract(source, window)
    moved, leading = op.results[0].type, indices.type.rank - 1
    one = all(sizes[d] == 1 for d in dims)
    rest = [d for d in range(len(shape)) if d not in dims]
    result = _reshaped(result, moved, leading, rest, one)
    note(op.operation, "rewrote", "known coordinates are a slice")
    rewriter.replace_op(op, [result])
    return True


@pattern("gs.scatter")
def insert_at_known_run(op: ir.OpView, rewriter: Any) -> bool:
    """Updates that overwrite an evenly spaced run of slices are inserted.

    before: `scatter(u, d, [[a], [a + s], ...]) {scatter_dims = [0]}`
    after:  `insert_slice u into d[a, 0, ...] [n, ...] [s, 1, ...]`, or `u` if that is all of it

    and `scatter(u, d, [[a, b]])` of one slice in any dims. Applies when the coordinates are known,
    in bounds of static sizes and ascend. Does not apply with a combiner.
    """
    updates, dest, indices = op.operands
    if len(op.regions[0].blocks):
        return False
    window = _window(op, dest, indices)
    if window is None or min(window[2]) < 0 or 0 in updates.type.shape:
        return False
    shape, dims = list(dest.type.shape), addressed_dims(op)
    sizes = window[1]
    kept = [d for d in range(len(shape)) if d not in dims]
    if len(dims) == 1 and sizes[dims[0]] > 1:
        kept = [dims[0], *kept]
    wanted = ir.RankedTensorType.get([sizes[d] for d in kept], dest.type.element_type)
    inner = updates.type.rank - len(kept)
    flat = updates
    if inner:
        # The index dims are one; unit dims of the slices may be kept.
        flat = _collapsed(updates, wanted)
    if flat is None or flat.type != wanted:
        return False
    if _is_all(shape, window) and flat.type == dest.type:
        result = flat
    else:
        result = _insert(flat, dest, window)
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
    window = _window_of_lines(op, source, indices)
    if window is None:
        return False
    shape = list(source.type.shape)
    if min(window[2]) < 0:
        result = _backwards(source, window)
    else:
        result = source if _is_all(shape, window) else _extract(source, window)
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
    window = _window_of_lines(op, dest, indices)
    if window is None or min(window[2]) < 0 or list(updates.type.shape) != window[1]:
        return False
    result = updates if updates.type == dest.type else _insert(updates, dest, window)
    note(op.operation, "rewrote", "known coordinates are a slice")
    rewriter.replace_op(op, [result])
    return True


def _dense(values: np.ndarray, type_: ir.RankedTensorType) -> ir.Attribute:
    element = type_.element_type
    elements = [ir.IntegerAttr.get(element, int(v)) for v in values.ravel()]
    return ir.DenseElementsAttr.get(elements, type_)


def run_of(values: np.ndarray) -> tuple[int, int] | None:
    """(first, step) of a line of evenly spaced numbers; a single one has step 1."""
    if values.size == 0:
        return None
    first = int(values[0])
    step = int(values[1]) - first if values.size > 1 else 1
    if step == 0 or (values != first + step * np.arange(values.size)).any():
        return None
    return first, step


def _window(op: ir.OpView, addressed: ir.Value, indices: ir.Value) -> Window | None:
    """What known coordinates of slices address: a run in the first dim, or a single slice."""
    shape, dims = list(addressed.type.shape), addressed_dims(op)
    if batch_dims(op) or any(shape[d] == DYNAMIC for d in dims):
        return None
    known = Known()(indices)
    if known is None or known.size == 0:
        return None
    tuples = known.reshape(-1, len(dims))
    if (tuples < 0).any() or (tuples >= np.array([shape[d] for d in dims])).any():
        return None
    offsets, sizes, strides = [0] * len(shape), list(shape), [1] * len(shape)
    if len(tuples) == 1:
        for d, where in zip(dims, tuples[0], strict=True):
            offsets[d], sizes[d] = int(where), 1
        return offsets, sizes, strides
    run = run_of(tuples[:, 0]) if dims == [0] else None
    if run is None:
        return None
    offsets[0], sizes[0], strides[0] = run[0], len(tuples), run[1]
    return offsets, sizes, strides


def _window_of_lines(op: ir.OpView, addressed: ir.Value, indices: ir.Value) -> Window | None:
    shape, (dim,) = list(addressed.type.shape), addressed_dims(op)
    sizes = list(indices.type.shape)
    known = Known()(indices)
    if DYNAMIC in shape or known is None or known.size == 0:
        return None
    if (known < 0).any() or (known >= shape[dim]).any():
        return None
    lines = np.moveaxis(known, dim, -1).reshape(-1, sizes[dim])
    run = run_of(lines[0])
    if run is None or (lines != lines[0]).any():
        return None
    if any(n > limit for d, (n, limit) in enumerate(zip(sizes, shape, strict=True)) if d != dim):
        return None
    offsets, strides = [0] * len(shape), [1] * len(shape)
    offsets[dim], strides[dim] = run
    return offsets, sizes, strides


def _is_all(shape: Sequence[int], window: Window) -> bool:
    offsets, sizes, strides = window
    return not any(offsets) and sizes == list(shape) and set(strides) <= {1}


def _dynamic(value: ir.Value, sizes: Sequence[int]) -> list[ir.Value]:
    return [dim_of(value, d) for d, size in enumerate(sizes) if size == DYNAMIC]


def _extract(source: ir.Value, window: Window) -> ir.Value:
    offsets, sizes, strides = window
    type_ = ir.RankedTensorType.get(sizes, source.type.element_type)
    dynamic = _dynamic(source, sizes)
    return tensor.extract_slice(type_, source, [], dynamic, [], offsets, sizes, strides)


def _insert(updates: ir.Value, dest: ir.Value, window: Window) -> ir.Value:
    offsets, sizes, strides = window
    dynamic = _dynamic(dest, sizes)
    return tensor.insert_slice(updates, dest, [], dynamic, [], offsets, sizes, strides)


def _backwards(source: ir.Value, window: Window) -> ir.Value:
    """A window whose strides may be negative, as the op that reads backwards."""
    offsets, sizes, strides = window
    last = [o + (n - 1) * s for o, n, s in zip(offsets, sizes, strides, strict=True)]
    starts = [min(a, b) for a, b in zip(offsets, last, strict=True)]
    spans = [1 + abs(a - b) for a, b in zip(offsets, last, strict=True)]
    return strided_slice(source, starts, spans, strides)


def _reshaped(
    value: ir.Value, wanted: ir.RankedTensorType, leading: int, rest: Sequence[int], one: bool
) -> ir.Value:
    """`value`, a run of slices or one, with its `leading` index dims in front of dims `rest`."""
    if value.type == wanted:
        return value
    element = wanted.element_type
    shape = list(value.type.shape)
    if one and len(rest) < len(shape):
        sizes = [shape[d] for d in rest]
        groups, start = [], 0
        for d in rest:
            groups.append(list(range(start, d + 1)))
            start = d + 1
        if groups:
            groups[-1] += range(start, len(shape))
        value = tensor.collapse_shape(ir.RankedTensorType.get(sizes, element), value, groups)
        shape = sizes
    if value.type == wanted:
        return value
    # Each dim of the value ends a group of dims of the result; unit dims go where they fit.
    result = list(wanted.shape)
    groups, start = [], 0
    if not one:
        groups, start = [list(range(leading))], leading
    for size in shape[0 if one else 1 :]:
        end = start
        while result[end] == 1 and size != 1:
            end += 1
        groups.append(list(range(start, end + 1)))
        start = end + 1
    if groups:
        groups[-1] += range(start, len(result))
    return tensor.expand_shape(wanted, value, groups, _dynamic_of(value, groups, result), result)


def _dynamic_of(value: ir.Value, groups: Sequence[list[int]], result: list[int]) -> list[ir.Value]:
    """The dynamic sizes of an expanded result, each alone in its group but for ones."""
    found = []
    for position, group in enumerate(groups):
        found += [dim_of(value, position) for d in group if result[d] == DYNAMIC]
    return found


def _collapsed(value: ir.Value, wanted: ir.RankedTensorType) -> ir.Value | None:
    """`value` with neighbouring dims as one so that it has the sizes of `wanted`."""
    shape, sizes = list(value.type.shape), list(wanted.shape)
    groups: list[list[int]] = []
    start = 0
    for number, size in enumerate(sizes):
        end, product = start, 1
        while end < len(shape):
            product = shape[end] if product == 1 else product * shape[end]
            end += 1
            if product == size:
                break
        if product != size or end == start:
            return None
        groups.append(list(range(start, end)))
        start = end
        if number == len(sizes) - 1:
            groups[-1] += range(start, len(shape))
    if any(n != 1 for n in shape[start:]):
        return None
    for group in groups:
        if sum(shape[d] == DYNAMIC for d in group) > 1:
            return None
        if any(shape[d] == DYNAMIC for d in group) and any(
            shape[d] not in (1, DYNAMIC) for d in group
        ):
            return None
    return tensor.collapse_shape(wanted, value, groups)
