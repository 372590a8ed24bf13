"""What the two primitives, gather and scatter of slices, need of JAX."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import ShapedArray
from jax.extend.core import Primitive
from jax.interpreters import ad, mlir
from jax.sharding import NamedSharding, PartitionSpec
from mlir_gs.integrations.jax.targets import Target, is_carried

Rule = Callable[..., Any]


def primitive(name: str, shape: Rule, run: Rule, several: bool = False) -> Primitive:
    """A primitive of one result, the element type of its first operand, or of `several`.

    `shape(*shapes, **params)` is the shape of the result, or has the types of several;
    `run(*arrays, **params)` computes them with what JAX has.
    """
    p = Primitive(name)
    p.multiple_results = several

    def typed(first: Any, shape: Any, dtype: Any) -> Any:
        sharding = NamedSharding(first.sharding.mesh, PartitionSpec(*[None] * len(shape)))
        return first.update(shape=shape, dtype=dtype, weak_type=False, sharding=sharding)

    def abstract(*avals: Any, **params: Any) -> Any:
        found = shape(*(aval.shape for aval in avals), **params)
        first = avals[0] if avals else ShapedArray((), np.dtype(np.float32))
        if several:
            return [typed(first, each.shape, each.dtype) for each in found]
        return typed(first, found, first.dtype)

    @partial(jax.jit, static_argnums=0)
    def eager(params: tuple[tuple[str, Any], ...], *arrays: Any) -> Any:
        return p.bind(*arrays, **dict(params))

    p.def_abstract_eval(abstract)
    p.def_impl(lambda *arrays, **params: eager(tuple(sorted(params.items())), *arrays))
    mlir.register_lowering(p, mlir.lower_fun(run, multiple_results=several), platform="cpu")
    return p


def bind(p: Primitive, *arrays: Any, **params: Any) -> Any:
    """Apply `p`; under `shard_map` all operands then vary over the axes that any varies over."""
    values = [jnp.asarray(array) for array in arrays]
    varying = [_varying(value) for value in values]
    axes = frozenset[str]().union(*varying)
    values = [
        jax.lax.pcast(value, tuple(sorted(axes - own)), to="varying") if axes - own else value
        for value, own in zip(values, varying, strict=True)
    ]
    return p.bind(*values, **params)


def _varying(value: Any) -> frozenset[str]:
    kind = jax.typeof(value)
    manual = getattr(kind, "manual_axis_type", None)
    return getattr(kind, "vma", frozenset()) if manual is None else manual.varying


def ffi(target: Target, *arrays: Any) -> Sequence[Any]:
    """The outputs of `target`."""
    return jax.ffi.ffi_call(
        target.name,
        target.outputs(arrays),
        vmap_method="sequential",
        input_output_aliases=target.aliases,
    )(*arrays)


def unchanging(value: Any) -> Any:
    """The tangent of a value that does not change."""
    kind: Any = jax.typeof(value)
    return ad.Zero(kind.to_tangent_aval())


def as_reals(value: Any) -> Any:
    """Complex numbers as pairs along a new last dim."""
    return jnp.stack([value.real, value.imag], -1)


def as_complex(pairs: Any) -> Any:
    return jax.lax.complex(pairs[..., 0], pairs[..., 1])


_NARROW = ("int2", "int4", "uint2", "uint4")
_FOUR_BITS = "float4_e2m1fn"


def carrier(dtype: Any, moves: bool) -> np.dtype[Any]:
    """The dtype that carries elements of `dtype` through XLA's interface.

    Raises TypeError if there is none. `moves`: elements are moved, not computed with.
    """
    dtype = np.dtype(dtype)
    if is_carried(dtype):
        return dtype
    if dtype.name in _NARROW:
        return np.dtype(np.uint8 if dtype.name.startswith("u") else np.int8)
    if moves and dtype.itemsize == 1:
        return np.dtype(np.uint8)
    raise TypeError(f"jax-tvm-ffi hands no {dtype.name} arrays to XLA")


def carry(value: Any, dtype: Any) -> Any:
    """`value` as what carries it, or back: narrow integers by value, others by bits."""
    if value.dtype == dtype:
        return value
    if np.dtype(dtype).name in _NARROW or value.dtype.name in _NARROW:
        return value.astype(dtype)
    if value.dtype.name == _FOUR_BITS:
        return jax.lax.bitcast_convert_type(value, jnp.uint4).astype(dtype)
    if np.dtype(dtype).name == _FOUR_BITS:
        return jax.lax.bitcast_convert_type(value.astype(jnp.uint4), dtype)
    return jax.lax.bitcast_convert_type(value, dtype)


def carried_bytes(element: bytes, dtype: Any, as_dtype: Any) -> bytes:
    """The bytes of an element, or of none, as `carry` has it."""
    found = np.frombuffer(element, dtype)
    return found.astype(as_dtype).tobytes() if found.dtype.name in _NARROW else element
