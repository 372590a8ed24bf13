"""Windows of tensors that known coordinates address, and the slices that stand for them."""

from collections.abc import Sequence
from math import prod

import numpy as np
from mlir_gs.dialect import strided_slice
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.named_maps import addressed_dims
from mlir_gs.dialect.shared import batch_dims
from mlir_gs.lowering.ir.builders import dim_of, tensor
from mlir_gs.lowering.ir.known import Known

# (offsets, sizes, strides) of a window, one entry per dim.
Window = tuple[list[int], list[int], list[int]]


def run_of(values: np.ndarray) -> tuple[int, int] | None:
    """(first, step) of a line of evenly spaced numbers; a single one has step 1."""
    if values.size == 0:
        return None
    first = int(values[0])
    step = int(values[1]) - first if values.size > 1 else 1
    if step == 0 or (values != first + step * np.arange(values.size)).any():
        return None
    return first, step


def window_of_slices(op: ir.OpView, addressed: ir.Value, indices: ir.Value) -> Window | None:
    """What known coordinates of slices address: a run in the dim behind the batch dims, or a
    single slice; the same one in each batch."""
    shape, dims, batch = list(addressed.type.shape), addressed_dims(op), batch_dims(op)
    if any(shape[d] == DYNAMIC for d in dims):
        return None
    known = Known()(indices)
    if known is None or known.size == 0:
        return None
    # The batches that have coordinates have to be all that there are.
    if list(known.shape)[:batch] != shape[:batch]:
        return None
    batches = known.reshape(prod(shape[:batch]), -1, len(dims))
    tuples = batches[0]
    if (batches != tuples).any():
        return None
    if (tuples < 0).any() or (tuples >= np.array([shape[d] for d in dims])).any():
        return None
    offsets, sizes, strides = [0] * len(shape), list(shape), [1] * len(shape)
    if len(tuples) == 1:
        for d, where in zip(dims, tuples[0], strict=True):
            offsets[d], sizes[d] = int(where), 1
        return offsets, sizes, strides
    run = run_of(tuples[:, 0]) if dims == [batch] else None
    if run is None:
        return None
    offsets[batch], sizes[batch], strides[batch] = run[0], len(tuples), run[1]
    return offsets, sizes, strides


def window_of_lines(op: ir.OpView, addressed: ir.Value, indices: ir.Value) -> Window | None:
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


def is_all(shape: Sequence[int], window: Window) -> bool:
    offsets, sizes, strides = window
    return not any(offsets) and sizes == list(shape) and set(strides) <= {1}


def _dynamic(value: ir.Value, sizes: Sequence[int]) -> list[ir.Value]:
    return [dim_of(value, d) for d, size in enumerate(sizes) if size == DYNAMIC]


def extract(source: ir.Value, window: Window) -> ir.Value:
    offsets, sizes, strides = window
    type_ = ir.RankedTensorType.get(sizes, source.type.element_type)
    dynamic = _dynamic(source, sizes)
    return tensor.extract_slice(type_, source, [], dynamic, [], offsets, sizes, strides)


def insert(updates: ir.Value, dest: ir.Value, window: Window) -> ir.Value:
    offsets, sizes, strides = window
    dynamic = _dynamic(dest, sizes)
    return tensor.insert_slice(updates, dest, [], dynamic, [], offsets, sizes, strides)


def extract_backwards(source: ir.Value, window: Window) -> ir.Value:
    """A window whose strides may be negative, as the op that reads backwards."""
    offsets, sizes, strides = window
    last = [o + (n - 1) * s for o, n, s in zip(offsets, sizes, strides, strict=True)]
    starts = [min(a, b) for a, b in zip(offsets, last, strict=True)]
    spans = [1 + abs(a - b) for a, b in zip(offsets, last, strict=True)]
    return strided_slice(source, starts, spans, strides)


def without_unit_dims(value: ir.Value, kept: Sequence[int]) -> ir.Value:
    """`value` with the dims `kept` only; all others have size 1."""
    shape = list(value.type.shape)
    groups, start = [], 0
    for d in kept:
        groups.append(list(range(start, d + 1)))
        start = d + 1
    if groups:
        groups[-1] += range(start, len(shape))
    type_ = ir.RankedTensorType.get([shape[d] for d in kept], value.type.element_type)
    return tensor.collapse_shape(type_, value, groups)


def reshaped(
    value: ir.Value,
    wanted: ir.RankedTensorType,
    batch: int,
    leading: int,
    rest: Sequence[int],
    one: bool,
) -> ir.Value:
    """`value`, a run of slices or one, with its `leading` index dims, of which `batch` are batch
    dims, in front of dims `rest`."""
    if value.type == wanted:
        return value
    shape = list(value.type.shape)
    if one and len(rest) < len(shape):
        value = without_unit_dims(value, rest)
        shape = list(value.type.shape)
    if value.type == wanted:
        return value
    # Each dim of the value ends a group of dims of the result; unit dims go where they fit.
    result = list(wanted.shape)
    groups, start = [], 0
    if not one:
        groups, start = [*([d] for d in range(batch)), list(range(batch, leading))], leading
    for size in shape[0 if one else batch + 1 :]:
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


def collapsed(value: ir.Value, wanted: ir.RankedTensorType) -> ir.Value | None:
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
