"""Training through embedding bags in torch.compile, against eager Torch."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations.torch import Explanation, explain  # noqa: E402  (after importorskip)
from torch_checks import EAGER  # noqa: E402  (after importorskip)

pytestmark = pytest.mark.filterwarnings("ignore")

bag = torch.nn.functional.embedding_bag
INDICES = torch.tensor([1, 2, 2, 6, 0, 2])
ALL = [[0, 2, 2, 5], [0], [0, 0, 6]]


@pytest.fixture(autouse=True)
def fresh() -> None:
    torch._dynamo.reset()


def _trained(call: Any, *arguments: Any) -> tuple[list[Any], Explanation | None]:
    """The bags, and the derivatives by the table and the weights."""
    leaves = [one.clone().requires_grad_() if one.is_floating_point() else one for one in arguments]
    found = call(*leaves)
    found, told = found if isinstance(found, tuple) else (found, None)
    found.backward(torch.arange(found.numel(), dtype=found.dtype).reshape(found.shape))
    return [found.detach(), *(each.grad for each in leaves if each.requires_grad)], told


def _check(function: Any, *arguments: Any, **options: Any) -> int:
    """The number of kernels."""
    wanted, _ = _trained(function, *arguments)
    found, told = _trained(explain(function, options=EAGER, **options), *arguments)
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other)
    assert told is not None
    return told.kernels


@pytest.mark.parametrize(
    ("mode", "padding", "dynamic"), [("sum", None, True), ("sum", 2, False), ("mean", 2, True)]
)
def test_bags(mode: str, padding: int | None, dynamic: bool) -> None:
    table = torch.arange(21.0).reshape(7, 3) / 8

    def function(table: Any, offsets: Any) -> Any:
        return bag(INDICES, table, offsets, mode=mode, padding_idx=padding)

    for offsets in ALL if dynamic else ALL[:1]:
        assert _check(function, table, torch.tensor(offsets), dynamic=dynamic) >= 1


def test_weights_of_samples() -> None:
    table = torch.arange(21, dtype=torch.float64).reshape(7, 3) / 8
    weights = torch.arange(6, dtype=torch.float64) / 4

    def function(table: Any, weights: Any, offsets: Any) -> Any:
        return bag(INDICES, table, offsets, mode="sum", per_sample_weights=weights)

    assert _check(function, table, weights, torch.tensor(ALL[0])) >= 1


def test_rows_of_indices() -> None:
    table, rows = torch.arange(21.0).reshape(7, 3), torch.tensor([[1, 2], [0, 6]])
    assert _check(lambda table, rows: bag(rows, table, mode="mean"), table, rows) >= 1


# What stays with eager Torch.
@pytest.mark.parametrize(
    "options", [{"mode": "max"}, {"include_last_offset": True}, {"scale_grad_by_freq": True}]
)
def test_other_bags(options: dict[str, Any]) -> None:
    table, offsets = torch.arange(21.0).reshape(7, 3), torch.tensor([0, 2, 6])
    _check(lambda table, offsets: bag(INDICES, table, offsets, **options), table, offsets)


@pytest.mark.parametrize("offsets", [[1, 2], [0, 9], [0, -1]])
def test_offsets_that_eager_refuses(offsets: list[int]) -> None:
    table = torch.arange(21.0).reshape(7, 3).requires_grad_()
    compiled = torch.compile(lambda t, o: bag(INDICES, t, o), backend="mlir_gs", options=EAGER)
    with pytest.raises((IndexError, RuntimeError), match=r"offsets|out of (range|bounds)"):
        compiled(table, torch.tensor(offsets))


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
def test_without_gradients(mode: str, dtype: Any) -> None:
    """Sums of halves are those of single precision, rounded once."""
    table = torch.randn(7, 3).to(dtype)

    def function(table: Any, indices: Any, offsets: Any) -> Any:
        return bag(indices, table, offsets, mode=mode, include_last_offset=True, padding_idx=1) * 2

    called = explain(function, dynamic=True, fullgraph=True, options=EAGER)
    for offsets in ([0, 2, 2, 6], [0, 4, 6]):
        found, told = called(table, INDICES, torch.tensor(offsets))
        wanted = function(table.double(), INDICES, torch.tensor(offsets)).to(dtype)
        tolerance = {torch.bfloat16: 1e-2, torch.float16: 2e-3}.get(dtype, 1e-6)
        torch.testing.assert_close(found, wanted, rtol=tolerance, atol=tolerance)
    assert told.kernels == 1
