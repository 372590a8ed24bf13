"""What the functions of JAX check of their arguments."""

from typing import Any

import jax.numpy as jnp

GATHER_MODES = ("fill", "clip", "promise_in_bounds", "error")
SCATTER_MODES = ("drop", "clip", "promise_in_bounds", "error")
COMBINERS = (None, "add", "mul", "min", "max")


def dims_of(dims: tuple[int, ...], rank: int) -> tuple[int, ...]:
    for dim in dims:
        if not -rank <= dim < rank:
            raise TypeError(f"dim {dim} is out of range for rank {rank}")
    return tuple(int(dim) % rank for dim in dims)


def integers(indices: Any) -> Any:
    indices = jnp.asarray(indices)
    if not jnp.issubdtype(indices.dtype, jnp.integer) or indices.dtype.itemsize * 8 < 8:
        raise TypeError(f"indices must be integers, found {indices.dtype.name}")
    return indices


def one_of(name: str, value: Any, known: tuple[Any, ...]) -> None:
    if value not in known:
        raise ValueError(f"{name} must be {', '.join(map(str, known))}, found {value!r}")
