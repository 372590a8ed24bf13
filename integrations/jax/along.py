"""Element-wise indexing along one axis in JAX."""

from typing import Any

import jax.numpy as jnp
from mlir_gs.integrations.jax.arguments import (
    COMBINERS,
    GATHER_MODES,
    SCATTER_MODES,
    dims_of,
    integers,
    mode_of,
    one_of,
)
from mlir_gs.integrations.jax.modules import Access, Slices
from mlir_gs.integrations.jax.slices import gather_slices, scatter_slices


def take_along_axis(
    source: Any,
    indices: Any,
    axis: int | None = -1,
    *,
    mode: Any = "fill",
    fill_value: Any = None,
) -> Any:
    """`jax.numpy.take_along_axis`: `out[a.., i, b..] = source[a.., indices[a.., i, b..], b..]`.

    Both have the same rank; their dims other than `axis` broadcast. With None as `axis` the source
    is flattened and `indices` has one dim. `mode` and `fill_value` are those of `gather`. As in
    JAX, a negative index counts from the end, under clip as well, but not under promise_in_bounds.
    Linear in `source`; the transpose adds. Raises TypeError for shapes that do not fit.
    """
    mode = mode_of(mode, GATHER_MODES)
    source, indices = jnp.asarray(source), integers(indices)
    if axis is None:
        source, axis = source.reshape(-1), 0
    (axis,) = _axis(source, indices, axis)
    shape = _common(source.shape, indices.shape, axis)
    tuples, slices = _tuples(source, indices, shape, axis)
    access = Access(mode, mode != "promise_in_bounds", False, False)
    return gather_slices(source, tuples, slices, access, fill_value)


def put_along_axis(
    dest: Any,
    indices: Any,
    updates: Any,
    axis: int | None,
    combiner: str | None = None,
    *,
    mode: Any = "drop",
) -> Any:
    """`jax.numpy.put_along_axis`: `dest[a.., indices[a.., i, b..], b..] = updates[a.., i, b..]`.

    `dest` and `indices` are as in `take_along_axis`, but a dim of `dest` does not grow; `updates`
    broadcasts to the indices, and `combiner` and `mode` are those of `scatter`. A negative index
    counts from the end. Raises TypeError for shapes and dtypes that do not fit.
    """
    mode = mode_of(mode, SCATTER_MODES)
    one_of("combiner", combiner, COMBINERS)
    dest, indices = jnp.asarray(dest), integers(indices)
    shape = dest.shape
    if axis is None:
        dest, axis = dest.reshape(-1), 0
    (axis,) = _axis(dest, indices, axis)
    common = _common(dest.shape, indices.shape, axis)
    if any(d != axis and n != common[d] for d, n in enumerate(dest.shape)):
        raise TypeError(f"indices {list(indices.shape)} do not fit dest {list(dest.shape)}")
    tuples, slices = _tuples(dest, indices, common, axis)
    updates = jnp.asarray(updates, dest.dtype)
    try:
        updates = jnp.broadcast_to(updates, common)
    except ValueError as error:
        raise TypeError(
            f"updates {list(updates.shape)} do not fit indices {list(common)}"
        ) from error
    access = Access(mode, True, False, False)
    return scatter_slices(dest, tuples, updates, slices, access, combiner).reshape(shape)


def _axis(source: Any, indices: Any, axis: int) -> tuple[int, ...]:
    if indices.ndim != source.ndim:
        raise TypeError(f"indices must have rank {source.ndim}, found {indices.ndim}")
    return dims_of((axis,), source.ndim)


def _common(source: tuple[int, ...], indices: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """The shape of the result."""
    try:
        kept = jnp.broadcast_shapes(
            (*source[:axis], 1, *source[axis + 1 :]), (*indices[:axis], 1, *indices[axis + 1 :])
        )
    except ValueError as error:
        raise TypeError(f"indices {list(indices)} do not fit source {list(source)}") from error
    return (*kept[:axis], indices[axis], *kept[axis + 1 :])


def _tuples(source: Any, indices: Any, shape: tuple[int, ...], axis: int) -> tuple[Any, Slices]:
    """Coordinates of the dims from the axis on; those before it are batches, and last ones in which
    the same index is for all are slices.

    What a dim that is broadcast is before the axis has a coordinate too, and so have others after
    it: nothing of `source` is moved or copied.
    """
    batch, end = 0, source.ndim
    while batch < axis and source.shape[batch] == shape[batch]:
        batch += 1
    while (
        end - 1 > axis and indices.shape[end - 1] == 1 and source.shape[end - 1] == shape[end - 1]
    ):
        end -= 1
    indices, shape = indices.reshape(indices.shape[:end]), shape[:end]
    # The integers of a narrow type may not count the other dims.
    dtype = indices.dtype if indices.dtype.itemsize >= 4 else jnp.dtype(jnp.int32)
    if max(shape, default=0) > jnp.iinfo(dtype).max:
        dtype = jnp.dtype(jnp.asarray(0, jnp.int64).dtype)
        if max(shape) > jnp.iinfo(dtype).max:
            raise TypeError(
                f"shape {list(shape)} has more than int32 counts, and JAX has no int64 without"
                " jax_enable_x64"
            )
    columns = []
    for d in range(batch, len(shape)):
        if d == axis:
            columns.append(jnp.broadcast_to(indices.astype(dtype), shape))
        elif source.shape[d] == 1:
            columns.append(jnp.zeros(shape, dtype))
        else:
            place = jnp.arange(shape[d], dtype=dtype)
            place = place.reshape([-1 if each == d else 1 for each in range(len(shape))])
            columns.append(jnp.broadcast_to(place, shape))
    return jnp.stack(columns, -1), Slices(tuple(range(batch, len(shape))), batch)
