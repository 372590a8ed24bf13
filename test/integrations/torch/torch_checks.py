"""Compiled functions against eager Torch: results and gradients."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
import torch
from mlir_gs.integrations import torch as gs

EAGER = {"rest": "eager"}
"""Options of what runs without a C++ compiler, and as where there is none."""


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    torch.manual_seed(20261121)
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def run(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Results, and the gradients of the arguments and parameters that have one."""
    given = [a.detach().clone().requires_grad_(a.requires_grad) for a in arguments]
    found = function(*given)
    results = list(found) if isinstance(found, tuple) else [found]
    parameters = list(function.parameters()) if isinstance(function, torch.nn.Module) else []
    leaves = [leaf for leaf in [*given, *parameters] if leaf.requires_grad]
    loss = sum((r * torch.cos(r.detach() + 1)).sum() for r in results if r.is_floating_point())
    grads = torch.autograd.grad(loss, leaves, allow_unused=True) if leaves else []
    return [r.detach() for r in results], list(grads)


def same(found: Sequence[Any], wanted: Sequence[Any], tolerance: float = 0.0) -> None:
    for got, right in zip(found, wanted, strict=True):
        assert (got is None) == (right is None)
        if got is not None:
            assert (got.dtype, got.shape) == (right.dtype, right.shape)
            torch.testing.assert_close(got, right, rtol=tolerance, atol=tolerance, equal_nan=True)


def strides(tensor: torch.Tensor) -> list[int | None]:
    """The strides; None where they say nothing: of dims of one element, and without elements.

    There Torch's tracing differs from its kernels where sizes are dynamic.
    """
    pairs = zip(tensor.shape, tensor.stride(), strict=True)
    return [None if size == 1 or not tensor.numel() else stride for size, stride in pairs]


def check(
    function: Callable[..., Any],
    *calls: Sequence[Any],
    dynamic: bool = False,
    tolerance: float = 0.0,
    kernels: int = 1,
) -> gs.Explanation:
    """Compiled beside eager Torch, each call gives what that gives; there are `kernels` kernels or
    more."""
    explained = gs.explain(function, dynamic=dynamic, fullgraph=True, options=EAGER)
    found: Any = None

    def compiled(*arguments: Any) -> Any:
        nonlocal found
        result, found = explained(*arguments)
        return result

    if isinstance(function, torch.nn.Module):
        compiled.parameters = function.parameters
    for arguments in calls:
        wanted = run(function, arguments)
        if isinstance(function, torch.nn.Module):
            got = run_compiled(compiled, function, arguments)
        else:
            got = run(compiled, arguments)
        same(got[0], wanted[0], tolerance)
        assert [strides(r) for r in got[0]] == [strides(r) for r in wanted[0]]
        same(got[1], wanted[1], tolerance)
    assert found.kernels >= kernels
    return found


def run_compiled(compiled: Any, module: Any, arguments: Sequence[Any]) -> Any:
    """`run` with the parameters of `module`."""

    class Module(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.module = module

        def forward(self, *given: Any) -> Any:
            return compiled(*given)

    return run(Module(), arguments)
