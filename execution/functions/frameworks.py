"""Arrays of NumPy, torch and JAX: in as views of their memory, out as what the caller uses."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from mlir_gs.execution.call.arrays import refuse_mask
from mlir_gs.execution.signature.dtypes import named

Array = np.ndarray[Any, Any]
Back = Callable[[Any], Any]

_TORCH_ONLY = (
    *("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"),
    "float8_e8m0fnu",
)
"""torch's dtypes that NumPy has through ml_dtypes, by the name that both have."""


def array(value: Any) -> Array:
    """`value` as an array that kernels read: its `memory`, or a copy of it where elements are not
    aligned or of another byte order."""
    found = memory(value)
    return found if found.dtype.isnative and found.flags.aligned else native(found)


def native(found: Array) -> Array:
    """A copy in the machine's byte order, of elements that are aligned."""
    return found.astype(found.dtype.newbyteorder("="))


def memory(value: Any) -> Array:
    """`value` as a NumPy array, which shares the memory of an array in CPU memory.

    Raises TypeError for a torch tensor that requires a gradient or is not on the CPU, for a value
    that JAX is tracing, and for a masked array, whose mask would be lost.
    """
    if type(value) is np.ndarray:
        return value
    kind = _kind(value)
    if kind == "torch":
        return _from_torch(value)
    if kind == "jax" and isinstance(value, sys.modules["jax"].core.Tracer):
        raise TypeError("a value that JAX is tracing has no elements: use mlir_gs outside jit")
    refuse_mask(value)
    return np.asarray(value)


def plain(value: Any) -> Any:
    """What `array` gives for arrays of NumPy, torch and JAX; anything else as it is. Raises
    TypeError as `memory` does."""
    if type(value) is np.ndarray or _kind(value):
        return array(value)
    refuse_mask(value)
    return value


def back(*values: Any) -> Back:
    """The function that makes results arrays of the framework that `values` are of.

    Raises TypeError where they are of two.
    """
    found = ""
    for value in values:
        if type(value) is np.ndarray:
            continue
        kind = _kind(value)
        if kind and found and kind != found:
            raise TypeError(f"expected arrays of one framework, found {found} and {kind}")
        found = found or kind
    return _BACK[found]


def is_jax(value: Any) -> bool:
    """Whether `value` is an array of JAX, which nothing can write."""
    return _kind(value) == "jax"


def is_writable(value: Any) -> bool:
    """Whether `value` is an array of NumPy or torch that writes can reach. A conjugate view is read
    as a copy."""
    if _kind(value) == "torch":
        return not (value.is_conj() or value.is_neg())
    return isinstance(value, np.ndarray)


def _kind(value: Any) -> str:
    module = type(value).__module__
    if module.startswith("torch") and hasattr(value, "data_ptr"):
        return "torch"
    return "jax" if module.startswith("jax") and hasattr(value, "aval") else ""


def _from_torch(value: Any) -> Array:
    torch = sys.modules["torch"]
    if value.requires_grad and torch.is_grad_enabled():
        raise TypeError("a tensor requires a gradient, which is not recorded: use x.detach()")
    if value.device.type != "cpu":
        raise TypeError(f"expected a tensor on the CPU, found one on {value.device}")
    value = value.detach().resolve_conj().resolve_neg()
    name = str(value.dtype).removeprefix("torch.")
    if name not in _TORCH_ONLY:
        return value.numpy()
    dtype = named(name)
    carrier = torch.int8 if dtype.itemsize == 1 else torch.int16
    return value.view(carrier).numpy().view(dtype)


def _to_torch(value: Any) -> Any:
    torch = sys.modules["torch"]
    found = np.asarray(value)
    name = found.dtype.name
    if name not in _TORCH_ONLY:
        return torch.from_numpy(found)
    carrier = np.int8 if found.dtype.itemsize == 1 else np.int16
    return torch.from_numpy(found.view(carrier)).view(getattr(torch, name))


def _to_jax(value: Any) -> Any:
    return sys.modules["jax"].numpy.asarray(value)


_BACK: dict[str, Back] = {"": lambda value: value, "torch": _to_torch, "jax": _to_jax}
