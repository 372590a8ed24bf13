"""Gathers and scatters of slices as two JAX primitives, and how XLA runs them."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from mlir_gs.execution import compile
from mlir_gs.integrations.jax.arguments import fill_bytes, in_bounds
from mlir_gs.integrations.jax.modules import Access, Slices, gather_module, scatter_module
from mlir_gs.integrations.jax.primitives import (
    as_complex,
    as_reals,
    bind,
    carried_bytes,
    carrier,
    carry,
    ffi,
    primitive,
)
from mlir_gs.integrations.jax.targets import Target, target_of


def gather_slices(
    source: Any, indices: Any, slices: Slices, access: Access, fill_value: Any = None
) -> Any:
    """The slices of `source` that `indices` address; `fill_value` None for the dtype's default.

    Raises IndexError where there is nothing to clip or wrap to.
    """
    indices, access = in_bounds(indices, source, slices, access, reads=True)
    fill = fill_bytes(fill_value, source.dtype) if access.mode == "fill" else b""
    return bind(gather_p, source, indices, slices=slices, access=access, fill_value=fill)


def scatter_slices(
    dest: Any, indices: Any, updates: Any, slices: Slices, access: Access, combine: str | None
) -> Any:
    """`dest` with `updates` combined into the slices that `indices` address, in order."""
    indices, access = in_bounds(indices, dest, slices, access, reads=False)
    return bind(scatter_p, dest, indices, updates, slices=slices, access=access, combine=combine)


@lru_cache(None)
def _target(module: Callable[..., Any], *form: Any) -> Target:
    """What runs the module that `module` builds, of one form."""
    return target_of(compile(module(*form)))


def _run_gather(
    source: Any, indices: Any, *, slices: Slices, access: Access, fill_value: bytes
) -> Any:
    if jnp.issubdtype(source.dtype, jnp.complexfloating):
        half = len(fill_value) // 2
        parts = fill_value[:half], fill_value[half:]
        run = partial(_run_gather, indices=indices, slices=slices, access=access)
        if parts[0] == parts[1]:
            return as_complex(run(as_reals(source), fill_value=parts[0]))
        real, imaginary = jnp.real(source), jnp.imag(source)
        return jax.lax.complex(run(real, fill_value=parts[0]), run(imaginary, fill_value=parts[1]))
    dtype = carrier(source.dtype, moves=True)
    fill = carried_bytes(fill_value, source.dtype, dtype)
    form = dtype, source.ndim, indices.dtype, indices.ndim, slices, access, fill
    (found,) = ffi(_target(gather_module, *form), carry(source, dtype), indices)
    return carry(found, source.dtype)


def _scatter_shape(dest: Any, indices: Any, updates: Any, *, slices: Slices, **_: Any) -> Any:
    wanted = slices.shape(dest, indices)
    if updates != wanted:
        raise TypeError(f"updates must have shape {list(wanted)}, found {list(updates)}")
    return dest


def _run_scatter(
    dest: Any, indices: Any, updates: Any, *, slices: Slices, access: Access, combine: str | None
) -> Any:
    form = dest.ndim, indices.dtype, indices.ndim, slices, access, combine
    if jnp.issubdtype(dest.dtype, jnp.complexfloating):
        if combine not in (None, "add"):
            parts = [(jnp.real(value), jnp.imag(value)) for value in (dest, updates)]
            target = _target(scatter_module, np.dtype(parts[0][0].dtype), *form, 2)
            return jax.lax.complex(*ffi(target, *parts[0], indices, *parts[1]))
        pairs = [as_reals(value) for value in (dest, updates)]
        found = _run_scatter(
            pairs[0], indices, pairs[1], slices=slices, access=access, combine=combine
        )
        return as_complex(found)
    dtype = carrier(dest.dtype, moves=combine is None)
    target = _target(scatter_module, dtype, *form)
    (found,) = ffi(target, carry(dest, dtype), indices, carry(updates, dtype))
    return carry(found, dest.dtype)


gather_p = primitive("gs_gather", lambda *arrays, slices, **_: slices.shape(*arrays), _run_gather)
scatter_p = primitive("gs_scatter", _scatter_shape, _run_scatter)
