"""`jax.vmap` of gathers and scatters: one more dim of batches, of tuples or of slices."""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
from jax.interpreters import batching
from mlir_gs.integrations.jax.modules import Access, Slices
from mlir_gs.integrations.jax.primitives import bind
from mlir_gs.integrations.jax.slices import gather_p, scatter_p


def _gather(
    arrays: Sequence[Any], axes: Sequence[Any], *, slices: Slices, access: Access, fill_value: Any
) -> Any:
    source, indices = arrays
    source_axis: Any = axes[0]
    index_axis: Any = axes[1]
    batch, at = slices.batch, slices.at
    rest = {"access": access, "fill_value": fill_value}
    if index_axis is None:
        # One dim more that the slices keep.
        place = max(source_axis, batch)
        source = _move_axis(source, source_axis, place)
        dims = tuple(d + (d >= place) for d in slices.dims)
        before = sum(d < place for d in slices.rest(source.ndim - 1))
        inner = indices.ndim - 1 - batch
        new = Slices(dims, batch, at + (before <= at))
        out = batch + before + (0 if before <= at else inner)
        return bind(gather_p, source, indices, slices=new, **rest), out
    if source_axis is None:
        # One dim more of tuples.
        place = index_axis if batch <= index_axis < indices.ndim - 1 else batch
        indices = _move_axis(indices, index_axis, place)
        return bind(gather_p, source, indices, slices=slices, **rest), at + place
    source, indices = _to_front(arrays, axes)
    new = Slices(tuple(d + 1 for d in slices.dims), batch + 1, at)
    return bind(gather_p, source, indices, slices=new, **rest), 0


def _scatter(
    arrays: Sequence[Any],
    axes: Sequence[Any],
    *,
    slices: Slices,
    access: Access,
    combine: str | None,
) -> Any:
    dest, indices, updates = arrays
    rest = {"access": access, "combine": combine}
    if axes[1] is not None:
        dest, indices, updates = _to_front(arrays, axes)
        new = Slices(tuple(d + 1 for d in slices.dims), slices.batch + 1, slices.at)
        return bind(scatter_p, dest, indices, updates, slices=new, **rest), 0
    # One dim more that the slices keep, the first of those.
    dest, updates = _to_front([dest, updates], [axes[0], axes[2]])
    batch = slices.batch
    new = Slices(tuple(d + 1 for d in slices.dims), batch, slices.at + 1)
    dest, updates = _move_axis(dest, 0, batch), _move_axis(updates, 0, batch)
    return bind(scatter_p, dest, indices, updates, slices=new, **rest), batch


def _move_axis(value: Any, source: int, target: int) -> Any:
    return value if source == target else jnp.moveaxis(value, source, target)


def _to_front(values: Sequence[Any], axes: Sequence[int | None]) -> list[Any]:
    """Each with its batch dim first; one that has none is broadcast."""
    size = next(v.shape[a] for v, a in zip(values, axes, strict=True) if a is not None)
    return [
        jnp.broadcast_to(v, (size, *v.shape)) if a is None else _move_axis(v, a, 0)
        for v, a in zip(values, axes, strict=True)
    ]


def register() -> None:
    """Tell JAX the rules."""
    batching.primitive_batchers[gather_p] = _gather
    batching.primitive_batchers[scatter_p] = _scatter
