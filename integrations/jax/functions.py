"""Gathers and scatters as JAX functions: `gather`, `scatter`, `take`, `segment_sum`."""

from typing import Any

import jax.numpy as jnp
from jax.core import Tracer
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


def gather(
    source: Any,
    indices: Any,
    *,
    gather_dims: tuple[int, ...] = (0,),
    batch_dims: int = 0,
    mode: Any = "fill",
    fill_value: Any = None,
    wrap_negative: bool = False,
    unique: bool = False,
    sorted: bool = False,
) -> Any:
    """`gs.gather`: the slice of `source` at each tuple in `indices`.

    `source` is `[batch.., rest..]` and `indices` `[batch.., i.., k]` with k the number of
    `gather_dims`; the result is `[batch.., i.., the rest that is not gathered..]`. `mode` is fill
    (`fill_value`, static, by default NaN, or the least signed, the greatest unsigned number, or
    true), clip, wrap (indices modulo the size), promise_in_bounds or error:
    then `jax.errors.JaxRuntimeError` when the result is waited for. Modes of JAX's
    `GatherScatterMode` are taken too, and None for the default.

    Linear in `source`; its transpose is `scatter_add`. Raises TypeError for shapes and dtypes that
    do not fit, IndexError where there is no element to clip or wrap to.
    """
    mode = mode_of(mode, GATHER_MODES)
    access = Access(mode, wrap_negative, unique, sorted)
    source = jnp.asarray(source)
    slices = Slices(dims_of(gather_dims, source.ndim), batch_dims)
    return gather_slices(source, integers(indices), slices, access, fill_value)


def scatter(
    dest: Any,
    indices: Any,
    updates: Any,
    combiner: str | None = None,
    *,
    scatter_dims: tuple[int, ...] = (0,),
    batch_dims: int = 0,
    mode: Any = "drop",
    wrap_negative: bool = False,
    unique: bool = False,
    sorted: bool = False,
) -> Any:
    """`gs.scatter`: `dest` with the slices of `updates` at the tuples in `indices`.

    Shapes are those of `gather`, with `updates` in the place of its result. `combiner` is None (of
    repeated tuples the last one stays), add, mul, min or max; repeated tuples combine in order, so
    a result has the same bits every time. `mode` is drop, clip, wrap, promise_in_bounds or error.
    Inside `jax.jit` it writes `dest` in place where nothing else uses it.

    Linear in `dest` and `updates` for None and add, whose derivative is a `gather`; the others
    have none. Raises TypeError for shapes and dtypes that do not fit.
    """
    mode = mode_of(mode, SCATTER_MODES)
    one_of("combiner", combiner, COMBINERS)
    dest, updates = jnp.asarray(dest), jnp.asarray(updates)
    if dest.dtype != updates.dtype:
        raise TypeError(f"updates must be {dest.dtype.name} as dest, found {updates.dtype.name}")
    access = Access(mode, wrap_negative, unique, sorted)
    slices = Slices(dims_of(scatter_dims, dest.ndim), batch_dims)
    return scatter_slices(dest, integers(indices), updates, slices, access, combiner)


def scatter_add(dest: Any, indices: Any, updates: Any, **options: Any) -> Any:
    """`scatter` that adds; the options are those of `scatter`."""
    return scatter(dest, indices, updates, "add", **options)


def take(
    source: Any,
    indices: Any,
    axis: int | None = None,
    *,
    mode: Any = "fill",
    fill_value: Any = None,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
) -> Any:
    """`jax.numpy.take`: `out[a.., i.., b..] = source[a.., indices[i..], b..]`.

    a.. are the dims before `axis`; None, the default, takes from the flattened source. `mode` and
    `fill_value` are those of `gather`. As in JAX, a negative index counts from the end under fill
    and error, and is 0 under clip.
    """
    mode = mode_of(mode, GATHER_MODES)
    source, indices = jnp.asarray(source), integers(indices, bools=True)
    if axis is None:
        source, axis = source.reshape(-1), 0
    (axis,) = dims_of((axis,), source.ndim)
    access = Access(mode, mode in ("fill", "error"), unique_indices, indices_are_sorted)
    return gather_slices(source, indices[..., None], Slices((axis,), 0, axis), access, fill_value)


def segment_sum(
    data: Any,
    segment_ids: Any,
    num_segments: int | None = None,
    *,
    mode: Any = "drop",
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
) -> Any:
    """`jax.ops.segment_sum`: `out[s] = sum of data[i] where segment_ids[i] == s`, in order.

    `data` is `[i.., rest..]` and `segment_ids` `[i..]`, of one dim or more; the result is
    `[num_segments, rest..]`, by default with one more than the greatest id, which then must not be
    traced. `mode` is that of `scatter`; negative ids are out of bounds.
    """
    data, segment_ids = jnp.asarray(data), integers(segment_ids)
    if data.shape[: segment_ids.ndim] != segment_ids.shape:
        raise TypeError(
            f"segment_ids must have the leading dims of data, found {list(segment_ids.shape)} and"
            f" {list(data.shape)}"
        )
    if num_segments is None:
        if isinstance(segment_ids, Tracer):
            raise TypeError("num_segments is needed where segment_ids are traced")
        num_segments = max(int(segment_ids.max()) + 1, 0) if segment_ids.size else 0
    zeros = jnp.zeros((num_segments, *data.shape[segment_ids.ndim :]), data.dtype)
    return scatter_add(
        zeros,
        segment_ids[..., None],
        data,
        mode=mode,
        unique=unique_indices,
        sorted=indices_are_sorted,
    )
