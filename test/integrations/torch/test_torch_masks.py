"""Bools that a graph gives: how inductor stores them, and their values."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations.torch.inductor import KernelPass  # noqa: E402  (after importorskip)
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402  (after importorskip)
from torch_checks import fresh, same  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.

pytestmark = pytest.mark.filterwarnings("ignore")


def test_masks_that_loops_compute_are_given_as_numbers() -> None:
    def masks(x: Any, given: Any) -> Any:
        return x <= 0, (x > 1).view(-1), given.view(-1), (x == 2).any(), x.isnan() & given

    gm = make_fx(masks, tracing_mode="fake")(torch.randn(6, 5), torch.rand(6, 5) < 0.5)
    KernelPass(1, False, None)(gm.graph)
    gm.recompile()
    views = [node.target is torch.ops.aten.view.dtype for node in gm.graph.output_node().args[0]]
    assert views == [True, True, False, False, True]
    x = torch.tensor([[0.0, -1.0, 2.0, float("nan"), 3.0]]).repeat(6, 1)
    given = torch.rand(6, 5) < 0.5
    same(gm(x, given), masks(x, given))


@pytest.mark.parametrize(
    ("dtype", "dynamic"), [(torch.float32, False), (torch.float64, True), (torch.bfloat16, True)]
)
def test_derivatives_read_masks_that_were_given_as_numbers(dtype: Any, dynamic: bool) -> None:
    def layers(x: Any) -> Any:
        y = torch.relu(x @ x.T).clamp(max=2)
        return torch.where(y > 1, y, -y).amax(1), y.T > 0.5

    x = torch.randn(37, 5, dtype=dtype, requires_grad=True)
    found = []
    for function in (layers, torch.compile(layers, backend="mlir_gs", dynamic=dynamic)):
        result, mask = function(x)
        found.append([result, mask, *torch.autograd.grad(result.sum(), [x])])
        assert mask.stride() == (1, 37)
    same(found[1], found[0], 0.05 if dtype == torch.bfloat16 else 1e-5)


def test_parts_of_masks_keep_their_strides() -> None:
    def parts(x: Any) -> Any:
        mask = x > 0
        return mask[::2, 1:3], mask[None].expand(3, 4, 6), mask.T

    x = torch.randn(4, 6)
    found, wanted = torch.compile(parts, backend="mlir_gs")(x), parts(x)
    same(found, wanted)
    assert [each.stride() for each in found] == [each.stride() for each in wanted]
