"""Derivatives: a gather and a scatter are linear, and each is what the other transposes to."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import jax.numpy as jnp
from jax.interpreters import ad
from mlir_gs.integrations.jax.modules import Access, Slices
from mlir_gs.integrations.jax.primitives import bind, unchanging
from mlir_gs.integrations.jax.slices import gather_p, gather_slices, scatter_p, scatter_slices


def _filling(access: Access) -> Access:
    """The access of a gather from the places that a scatter of `access` writes."""
    return replace(access, mode="fill") if access.mode == "drop" else access


def _gather_jvp(primals: Sequence[Any], tangents: Sequence[Any], **params: Any) -> Any:
    out = bind(gather_p, *primals, **params)
    tangent = tangents[0]
    if type(tangent) is ad.Zero:
        return out, unchanging(out)
    zero = bytes(len(params["fill_value"]))
    return out, bind(gather_p, tangent, primals[1], **params | {"fill_value": zero})


def _gather_transpose(
    cotangent: Any, source: Any, indices: Any, *, slices: Slices, access: Access, fill_value: Any
) -> Any:
    del fill_value  # It is 0 wherever a gather is transposed: its tangent is.
    if type(cotangent) is ad.Zero:
        return ad.Zero(source.aval), None
    zeros = jnp.zeros(source.aval.shape, source.aval.dtype)
    access = replace(access, mode="drop") if access.mode == "fill" else access
    return scatter_slices(zeros, indices, cotangent, slices, access, "add"), None


def _scatter_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, combine: str | None, **params: Any
) -> Any:
    dest, indices, updates = primals
    out = bind(scatter_p, *primals, combine=combine, **params)
    given = (tangents[0], tangents[2])
    if all(type(tangent) is ad.Zero for tangent in given):
        return out, unchanging(out)
    if combine not in (None, "add"):
        raise NotImplementedError(f"a scatter with {combine} has no derivative here")
    to_dest, to_updates = (
        jnp.zeros_like(value) if type(tangent) is ad.Zero else tangent
        for tangent, value in zip(given, (dest, updates), strict=True)
    )
    return out, bind(scatter_p, to_dest, indices, to_updates, combine=combine, **params)


def _scatter_transpose(
    cotangent: Any,
    dest: Any,
    indices: Any,
    updates: Any,
    *,
    slices: Slices,
    access: Access,
    combine: str | None,
) -> Any:
    wants_dest, wants_updates = ad.is_undefined_primal(dest), ad.is_undefined_primal(updates)
    if type(cotangent) is ad.Zero:
        zeros = [
            ad.Zero(value.aval) if wanted else None
            for value, wanted in ((dest, wants_dest), (updates, wants_updates))
        ]
        return zeros[0], None, zeros[1]
    to_dest = to_updates = None
    if wants_updates:
        to_updates = gather_slices(cotangent, indices, slices, _filling(access), 0.0)
        if combine is None and not access.unique:
            won = _winners(jnp.shape(cotangent), indices, to_updates.shape, slices, access)
            to_updates = jnp.where(won, to_updates, jnp.zeros_like(to_updates))
    if wants_dest:
        to_dest = cotangent
        if combine is None:
            shape = slices.shape(jnp.shape(cotangent), indices.shape)
            nothing = jnp.zeros(shape, cotangent.dtype)
            to_dest = scatter_slices(cotangent, indices, nothing, slices, access, None)
    return to_dest, None, to_updates


def _winners(shape: Any, indices: Any, updates: Any, slices: Slices, access: Access) -> Any:
    """Which updates stay, where the last one of those at the same place does.

    Each writes its number, and those that read it back have stayed.
    """
    start = slices.batch + slices.at
    tuples = indices.shape[slices.batch : -1]
    number = jnp.arange(1, 1 + math.prod(tuples), dtype=jnp.int32)
    number = number.reshape(tuples + (1,) * (len(updates) - start - len(tuples)))
    numbers = jnp.broadcast_to(number, updates)
    empty = jnp.zeros(shape, jnp.int32)
    written = scatter_slices(empty, indices, numbers, slices, access, None)
    return gather_slices(written, indices, slices, _filling(access), 0) == numbers


def register() -> None:
    """Tell JAX the rules."""
    ad.primitive_jvps[gather_p] = _gather_jvp
    ad.primitive_jvps[scatter_p] = _scatter_jvp
    ad.primitive_transposes[gather_p] = _gather_transpose
    ad.primitive_transposes[scatter_p] = _scatter_transpose
