"""Runs Torch functions through the front end and holds them against eager Torch."""

from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import torch
from mlir_gs import execution
from mlir_gs.frontend import torch as torch_frontend

__all__ = ["Function", "as_array", "check", "compiled"]


class Function(torch.nn.Module):
    """A function as a module, which is what torch.export takes."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *arguments: Any) -> Any:
        return self.function(*arguments)


def as_array(tensor: torch.Tensor) -> np.ndarray:
    """The tensor's elements; NumPy's own bfloat16 is the one of ml_dtypes."""
    tensor = tensor.detach().contiguous()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


def compiled(program: Any, *example: Any, dynamic_shapes: Any = None) -> Any:
    """The kernel of a program."""
    module = torch_frontend.load(program, *example, dynamic_shapes=dynamic_shapes)
    return execution.compile(module)


def check(
    function: Callable[..., Any],
    arguments: Sequence[torch.Tensor],
    *,
    tolerance: float = 0.0,
    dynamic: Sequence[Any] = (),
    others: Sequence[Sequence[torch.Tensor]] = (),
) -> None:
    """The compiled function gives what eager Torch gives, within a relative `tolerance`.

    `dynamic`: for each argument the dims that are exported as dynamic ones, by name; then the
    function also runs on `others`, arguments of other sizes.
    """
    program = function if isinstance(function, torch.nn.Module) else Function(function)
    shapes: Any = None
    if dynamic:
        names = {name for dims in dynamic for name in (dims or {}).values()}
        made = {name: torch.export.Dim(name) for name in names}
        shapes = tuple({d: made[n] for d, n in (dims or {}).items()} or None for dims in dynamic)
        # The arguments of a `Function` are one variadic parameter.
        shapes = (shapes,) if isinstance(program, Function) else shapes
    kernel = compiled(program, *arguments, dynamic_shapes=shapes)
    for given in (arguments, *others):
        wanted = program(*given)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        found = kernel(*(as_array(each) for each in given))
        found = found if isinstance(found, tuple) else (found,)
        for got, right in zip(found, map(as_array, wanted), strict=True):
            compare(np.asarray(got), right, tolerance)


def compare(got: np.ndarray, right: np.ndarray, tolerance: float) -> None:
    """Equal shapes and types, and values equal within `tolerance`."""
    assert got.dtype == right.dtype
    if not tolerance:
        np.testing.assert_array_equal(got, right)
        return
    wide = np.complex128 if right.dtype.kind == "c" else np.float64
    np.testing.assert_allclose(got.astype(wide), right.astype(wide), rtol=tolerance, atol=tolerance)
