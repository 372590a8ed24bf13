"""What the functions of JAX check and make of their arguments."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from mlir_gs.execution.functions.elements import filling
from mlir_gs.integrations.jax.modules import Access, Slices

GATHER_MODES = ("fill", "clip", "wrap", "promise_in_bounds", "error")
SCATTER_MODES = ("drop", "clip", "wrap", "promise_in_bounds", "error")
COMBINERS = (None, "add", "mul", "min", "max")


def dims_of(dims: tuple[int, ...], rank: int) -> tuple[int, ...]:
    for dim in dims:
        if not -rank <= dim < rank:
            raise TypeError(f"dim {dim} is out of range for rank {rank}")
    return tuple(int(dim) % rank for dim in dims)


def integers(indices: Any, bools: bool = False) -> Any:
    """`indices` as an array of integers of 8 bits and more; `bools` count as 0 and 1."""
    indices = jnp.asarray(indices)
    if bools and indices.dtype == jnp.bool_:
        return indices.astype(jnp.int32)
    if not jnp.issubdtype(indices.dtype, jnp.integer):
        raise TypeError(f"indices must be integers, found {indices.dtype.name}")
    is_narrow = jnp.iinfo(indices.dtype).bits < 8
    return indices.astype(jnp.int32) if is_narrow else indices


def one_of(name: str, value: Any, known: tuple[Any, ...]) -> None:
    if value not in known:
        raise ValueError(f"{name} must be {', '.join(map(str, known))}, found {value!r}")


def mode_of(mode: Any, known: tuple[str, ...]) -> str:
    """A mode by its name or as JAX's enumeration has it; None and what fills or drops are the first
    of those `known`."""
    name = known[0] if mode is None else str(getattr(mode, "name", mode)).lower()
    name = known[0] if name == "fill_or_drop" else name
    one_of("mode", name, known)
    return name


def fill_bytes(fill_value: Any, dtype: Any) -> bytes:
    """`fill_value`, or what JAX fills with, as the bytes of an element. They are what a primitive
    can be asked to do again: a NaN is equal to no other."""
    if isinstance(fill_value, Tracer):
        raise TypeError("fill_value must be static, found a traced value")
    return filling(fill_value, np.dtype(dtype)).tobytes()


def in_bounds(
    indices: Any, operand: Any, slices: Slices, access: Access, reads: bool
) -> tuple[Any, Access]:
    """The tuples and how they are taken: those of mode wrap modulo the sizes that they address.

    Raises IndexError where the operand has nothing that they could be brought to.
    """
    sizes = [operand.shape[d] for d in slices.dims if d < operand.ndim]
    needs_one = ("clip", "wrap", "error") if reads else ("error",)
    if access.mode in needs_one and indices.size and 0 in sizes:
        raise IndexError(f"an axis of size 0 has no element: mode {access.mode!r} needs one")
    if access.mode != "wrap":
        return indices, access
    return _modulo(indices, sizes), replace(access, mode="promise_in_bounds", wrap_negative=True)


def _modulo(indices: Any, sizes: Sequence[int]) -> Any:
    if indices.ndim == 0 or indices.shape[-1] != len(sizes):
        # Refused by who looks at the shapes.
        return indices
    most = jnp.iinfo(indices.dtype).max
    # No number of a type is as far away as a size that it does not hold: negative ones wrap once.
    columns = [
        jnp.mod(indices[..., k], jnp.asarray(size, indices.dtype)) if 0 < size <= most
        else indices[..., k]
        for k, size in enumerate(sizes)
    ]  # fmt: skip
    return jnp.stack(columns, -1)
