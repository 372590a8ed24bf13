"""`mode="max-autotune"`: several ways to run a graph are measured."""

import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations.torch.autotune import Fastest, or_eager  # noqa: E402  (after importorskip)


def test_the_fastest_is_measured_once_and_kept() -> None:
    called: list[str] = []

    def way(name: str, seconds: float) -> Callable[..., Any]:
        def run(inputs: list[Any]) -> Any:
            called.append(name)
            time.sleep(seconds)
            return [inputs.pop().add_(1)]

        return run

    fastest, x = Fastest([way("slow", 0.05), way("fast", 0.0)]), torch.zeros(2)
    assert fastest([x])[0] is x
    assert x.tolist() == [1, 1]
    assert called.count("slow") == called.count("fast") - 1
    fastest([x])
    assert called[-2:] == ["fast", "fast"]


@pytest.mark.parametrize("slow", ["eager", "compiled"])
@pytest.mark.parametrize("differentiated", [False, True])
def test_eager_torch_is_one_of_the_ways(slow: str, differentiated: bool) -> None:
    called: list[str] = []

    def way(name: str) -> Callable[..., Any]:
        def run(x: torch.Tensor, w: torch.Tensor) -> Any:
            called.append(name)
            time.sleep(0.05 if name == slow else 0.0)
            x.add_(1)
            return (x * w).sum(), None

        return run

    gm: Any = SimpleNamespace(forward=way("eager"))
    call = or_eager(gm, way("compiled"))
    w = torch.tensor([2.0, 3.0], requires_grad=differentiated)
    # No leaf, as eager Torch refuses to write to one that has a gradient.
    x = w * 0
    found = call(x, w)[0]
    assert found.item() == 5
    assert x.tolist() == [1, 1]
    assert {*called} == {"eager", "compiled"}
    assert w.grad is None
    if differentiated:
        found.backward()
        assert w.grad is not None
    call(x, w)
    assert called[-2:] == [{"eager": "compiled", "compiled": "eager"}[slow]] * 2


@pytest.mark.parametrize("differentiated", [False, True])
def test_max_autotune_has_the_values_of_eager_torch(differentiated: bool) -> None:
    def function(x: torch.Tensor, ids: torch.Tensor, cache: torch.Tensor) -> torch.Tensor:
        cache.index_copy_(0, ids, x.detach()[: len(ids)])
        return torch.zeros_like(x).index_add(0, ids, torch.relu(x[ids])) + cache[0].sum()

    x = torch.randn(64, 6)[:, ::2].requires_grad_(differentiated)
    ids, cache = torch.randperm(64)[:20], torch.zeros(64, 3)
    compiled = torch.compile(function, backend="mlir_gs", mode="max-autotune")
    for _ in range(2):
        expected = function(x, ids, again := cache.clone())
        found = compiled(x, ids, cache)
        torch.testing.assert_close(found, expected)
        torch.testing.assert_close(cache, again)
        if differentiated:
            gradient = [torch.autograd.grad(y.square().sum(), x)[0] for y in (found, expected)]
            torch.testing.assert_close(*gradient)


def test_max_autotune_of_tensors_that_share_memory() -> None:
    def function(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x.add_(1)
        return x * y

    compiled = torch.compile(function, backend="mlir_gs", mode="max-autotune")
    whole, again = torch.arange(20.0), torch.arange(20.0)
    found = compiled(whole[:12], whole[8:])
    torch.testing.assert_close(found, function(again[:12], again[8:]))
    torch.testing.assert_close(whole, again)


@pytest.mark.filterwarnings("ignore:The .grad attribute")
@pytest.mark.parametrize("form", [lambda x: x[:, ::2], lambda x: x[:, :1].expand(-1, 4)])
def test_max_autotune_keeps_strides_of_what_has_a_history(form: Any) -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return x.sin()[torch.tensor([0, 2, 2])].cos()

    x = form(torch.randn(6, 8, requires_grad=True) * 1)
    compiled = torch.compile(function, backend="mlir_gs", mode="max-autotune")
    torch.testing.assert_close(compiled(x), function(x))
