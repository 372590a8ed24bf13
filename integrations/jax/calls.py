"""Any kernel as a JAX function."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from mlir_gs.execution import Kernel, compile
from mlir_gs.execution.signature.signature import Parameter
from mlir_gs.integrations.jax.targets import attribute, target_of


@lru_cache(256)
def _compiled(text: str) -> Kernel:
    return compile(text)


def call(kernel: Any, *arguments: Any, vmap_method: str = "sequential") -> Any:
    """Run a kernel inside or outside of `jax.jit`, and on each device under `shard_map`.

    `kernel`: from `mlir_gs.compile`, or the text of a module. `arguments`: arrays of the dtypes and
    ranks that the kernel takes, and Python numbers, which are static. Gives the result, or a tuple
    of several; then come the new values of written arguments that are no results. A written
    argument is written in place where XLA sees no other use of it, and copied first where it does.
    `vmap_method`: as in `jax.ffi.ffi_call`; the default runs the kernel once per element.

    Raises TypeError or ValueError for arguments that do not fit, while tracing. What the kernel
    itself reports is `jax.errors.JaxRuntimeError` with the message, when the result is waited for.
    A kernel has no derivative: put `jax.custom_vjp` around it.
    """
    if isinstance(kernel, str):
        kernel = _compiled(kernel)
    target = target_of(kernel)
    if len(arguments) != len(kernel.parameters):
        raise TypeError(
            f"{kernel.name}: expected {len(kernel.parameters)} arguments, found {len(arguments)}"
        )
    values = [_value(a, p) for a, p in zip(arguments, kernel.parameters, strict=True)]
    numbers = {attribute(n): values[n] for n, p in enumerate(kernel.parameters) if not p.is_array}
    arrays = [n for n, p in enumerate(kernel.parameters) if p.is_array]
    found = jax.ffi.ffi_call(
        target.name,
        target.outputs(values),
        vmap_method=vmap_method,
        input_output_aliases={arrays.index(a): output for a, output in target.aliases.items()},
    )(*(values[n] for n in arrays), **numbers)
    return found[0] if len(found) == 1 else tuple(found)


def jax_function(
    source: Any, entry: str | None = None, *, vmap_method: str = "sequential", **options: Any
) -> Callable[..., Any]:
    """The function `entry` of a module as a JAX function.

    `source`, `entry` and the options are those of `mlir_gs.compile`, `vmap_method` that of `call`.
    """
    kernel = source if isinstance(source, Kernel) else compile(source, entry, **options)
    target_of(kernel)

    def function(*arguments: Any) -> Any:
        return call(kernel, *arguments, vmap_method=vmap_method)

    function.__name__ = kernel.name
    return function


def _value(value: Any, parameter: Parameter) -> Any:
    element = parameter.element
    if not parameter.is_array:
        if isinstance(value, Tracer | jax.Array) and not isinstance(value, np.ndarray):
            raise TypeError(
                f"{parameter.expected}, static under JAX, found a traced value or array"
            )
        return np.float64(value) if element.dtype.kind == "f" else np.int64(value)
    if isinstance(value, bool | int | float | complex):
        value = jnp.asarray(value, element.dtype)
    elif not isinstance(value, jax.Array):
        value = jnp.asarray(value)
    sizes = parameter.shape or ()
    fits = len(sizes) == value.ndim and all(
        wanted in (None, size) for wanted, size in zip(sizes, value.shape, strict=True)
    )
    if not element.accepts(np.dtype(value.dtype)) or not fits:
        shape = ", ".join(str(size) for size in value.shape)
        raise TypeError(f"{parameter.expected}, found {value.dtype.name}[{shape}]")
    return value
