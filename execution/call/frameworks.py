"""Results come out as what went in: NumPy's, torch's and JAX's arrays, without copies.

The first argument that is an array of torch or of JAX decides for all results of a call; without
one they are NumPy's. Neither is imported here: who has no such array in hand has no need of it.
"""

import math
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
from mlir_gs.execution.call import arrays, native
from mlir_gs.execution.call.memory import KEPT, empty
from mlir_gs.execution.later import loaded
from mlir_gs.execution.signature.dtypes import Element


class Framework:
    """How results are made: NumPy's arrays."""

    def empty(self, shape: tuple[int, ...], element: Element) -> Any:
        """An array that the compiled code can write."""
        return empty(shape, element.dtype)

    def finished(self, array: Any, element: Element) -> Any:
        """What the caller gets for an array of `empty`."""
        return array

    def adopted(self, tensor: Any, element: Element) -> Any:
        """What the caller gets for a tensor that the compiled code allocated."""
        return arrays.adopt(tensor, element)


class _Torch(Framework):
    """torch's tensors; NumPy's arrays of element types that torch lacks."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch

    def _has(self, element: Element) -> bool:
        return element.bits >= 8 and hasattr(self._torch, element.name)

    def empty(self, shape: tuple[int, ...], element: Element) -> Any:
        if not self._has(element):
            return empty(shape, element.dtype)
        if element.bytes * math.prod(shape) > KEPT:
            return self._torch.from_dlpack(arrays.export(empty(shape, element.dtype), element))
        # Not the default device, which a program may have set to another.
        return self._torch.empty(shape, dtype=getattr(self._torch, element.name), device="cpu")

    def adopted(self, tensor: Any, element: Element) -> Any:
        if not self._has(element):
            return arrays.adopt(tensor, element)
        return self._torch.from_dlpack(tensor)


class _Jax(Framework):
    """JAX's arrays; NumPy's arrays of element types that JAX cannot take from others."""

    def __init__(self, jax: Any) -> None:
        self._jax = jax

    def empty(self, shape: tuple[int, ...], element: Element) -> Any:
        return empty(shape, element.dtype, aligned=True)

    def finished(self, array: Any, element: Element) -> Any:
        if element.bits < 8:
            return array
        return self._jax.dlpack.from_dlpack(arrays.export(array, element))

    def adopted(self, tensor: Any, element: Element) -> Any:
        if element.bits < 8:
            return arrays.adopt(tensor, element)
        return self._jax.dlpack.from_dlpack(tensor)


_numpy = Framework()
_PLAIN = (np.ndarray, int, float)


def framework_of(values: Iterable[Any]) -> Framework:
    """The framework of a call's results, by its arguments."""
    tensor, array = loaded("torch", "Tensor"), loaded("jax", "Array")
    for value in values:
        if isinstance(value, _PLAIN):
            continue
        if tensor is not None and isinstance(value, tensor):
            native.learn(sys.modules["torch"])
            return _Torch(sys.modules["torch"])
        if array is not None and isinstance(value, array):
            return _Jax(sys.modules["jax"])
    return _numpy
