"""Gathers and scatters of slices as two JAX primitives, and how XLA runs them."""

from functools import lru_cache
from typing import Any

import jax.numpy as jnp
import numpy as np
from mlir_gs.integrations.jax_modules import Access, Slices, gather_module, scatter_module
from mlir_gs.integrations.jax_primitives import (
    as_complex,
    as_reals,
    bind,
    carrier,
    carry,
    ffi,
    module_target,
    primitive,
)
from mlir_gs.integrations.jax_targets import Target


def gather_slices(
    source: Any, indices: Any, slices: Slices, access: Access, fill_value: Any = None
) -> Any:
    """The slices of `source` that `indices` address; `fill_value` None for the dtype's default."""
    return bind(gather_p, source, indices, slices=slices, access=access, fill_value=fill_value)


def scatter_slices(
    dest: Any, indices: Any, updates: Any, slices: Slices, access: Access, combine: str | None
) -> Any:
    """`dest` with `updates` combined into the slices that `indices` address, in order."""
    return bind(scatter_p, dest, indices, updates, slices=slices, access=access, combine=combine)


def _gather_shape(source: Any, indices: Any, *, slices: Slices, **_: Any) -> Any:
    return slices.shape(source, indices)


def _run_gather(
    source: Any, indices: Any, *, slices: Slices, access: Access, fill_value: Any
) -> Any:
    if jnp.issubdtype(source.dtype, jnp.complexfloating):
        if isinstance(fill_value, complex):
            raise TypeError(f"fill_value must be a real number, found {fill_value}")
        pairs = _run_gather(
            as_reals(source), indices, slices=slices, access=access, fill_value=fill_value
        )
        return as_complex(pairs)
    dtype = carrier(source.dtype, moves=True)
    fill = None
    if access.mode == "fill":
        fill = np.asarray(fill_of(source.dtype) if fill_value is None else fill_value)
        fill = fill.astype(source.dtype)
        is_number = source.dtype.name.endswith(("int2", "int4"))
        fill = (fill if is_number or dtype == fill.dtype else fill.view(dtype)).item()
        # Not a number is equal to nothing, and would be compiled for again and again.
        fill = "nan" if fill != fill else fill
    target = _gather_target(dtype, source.ndim, indices.dtype, indices.ndim, slices, access, fill)
    return carry(ffi(target, carry(source, dtype), indices), source.dtype)


@lru_cache(None)
def _gather_target(
    element: Any, rank: int, index: Any, index_rank: int, slices: Slices, access: Access, fill: Any
) -> Target:
    return module_target(gather_module(element, rank, index, index_rank, slices, access, fill))


def fill_of(dtype: Any) -> Any:
    """What JAX reads out of bounds: NaN, the least signed, the greatest unsigned number, true."""
    if jnp.issubdtype(dtype, jnp.inexact):
        return np.nan
    if dtype == jnp.bool_:
        return True
    unsigned = jnp.issubdtype(dtype, jnp.unsignedinteger)
    return jnp.iinfo(dtype).max if unsigned else jnp.iinfo(dtype).min


def _scatter_shape(dest: Any, indices: Any, updates: Any, *, slices: Slices, **_: Any) -> Any:
    wanted = slices.shape(dest, indices)
    if updates != wanted:
        raise TypeError(f"updates must have shape {list(wanted)}, found {list(updates)}")
    return dest


def _run_scatter(
    dest: Any, indices: Any, updates: Any, *, slices: Slices, access: Access, combine: str | None
) -> Any:
    if jnp.issubdtype(dest.dtype, jnp.complexfloating):
        if combine not in (None, "add"):
            raise TypeError(f"no scatter with {combine} of {dest.dtype.name} elements")
        pairs = [as_reals(value) for value in (dest, updates)]
        found = _run_scatter(
            pairs[0], indices, pairs[1], slices=slices, access=access, combine=combine
        )
        return as_complex(found)
    dtype = carrier(dest.dtype, moves=combine is None)
    target = _scatter_target(dtype, dest.ndim, indices.dtype, indices.ndim, slices, access, combine)
    found = ffi(target, carry(dest, dtype), indices, carry(updates, dtype))
    return carry(found, dest.dtype)


@lru_cache(None)
def _scatter_target(
    element: Any,
    rank: int,
    index: Any,
    index_rank: int,
    slices: Slices,
    access: Access,
    combine: str | None,
) -> Target:
    return module_target(scatter_module(element, rank, index, index_rank, slices, access, combine))


gather_p = primitive("gs_gather", _gather_shape, _run_gather)
scatter_p = primitive("gs_scatter", _scatter_shape, _run_scatter)
