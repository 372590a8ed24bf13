"""Strides of results, and what shares memory, in torch.compile(backend="mlir_gs")."""

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations import torch as gs  # noqa: E402  (after importorskip)
from torch_checks import EAGER, check, fresh, strides  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.

pytestmark = pytest.mark.filterwarnings("ignore")

Case = Callable[..., Any]

# Of a tensor whose memory is in another order, and two coordinates.
CASES: dict[str, Case] = {
    "rows": lambda x, i: x[i],
    "inner dim": lambda x, i: x[:, :, i],
    "apart": lambda x, i: x[i, :, i],
    "of a permutation": lambda x, i: x.permute(2, 3, 0, 1)[i] * 2,
    "index_select": lambda x, i: x.index_select(1, i),
    "gather": lambda x, i: x.gather(0, torch.zeros_like(x, dtype=torch.int64)),
    "take": lambda x, i: x.take(i),
    "index_add": lambda x, i: x.index_add(0, i, x[i]),
    "index_put": lambda x, i: x.index_put((i,), x[i] * 2),
    "scatter": lambda x, i: x.scatter(0, i.reshape(2, 1, 1, 1), 1.0),
    "slice_scatter": lambda x, i: x.slice_scatter(x[i], 0, 0, 2),
    "like": lambda x, i: torch.zeros_like(x) + x[i][0],
    "a sum": lambda x, i: x[i].sum(1),
    "unit dim": lambda x, i: x[i, :1] + 1,
    "expanded": lambda x, i: x[i, :1].expand(2, 5, *x.shape[2:]),
    "expanded and added to": lambda x, i: x[i, :1].expand(2, 5, *x.shape[2:]) + 1,
    "view of rows": lambda x, i: x[i].permute(0, 2, 3, 1).view(-1),
}
MEMORIES: dict[str, Callable[[int], Any]] = {
    "channels last": lambda n: torch.randn(n, 3, 4, 6).to(memory_format=torch.channels_last),
    "transposed": lambda n: torch.randn(6, 3, 4, n).transpose(0, 3),
    "every second": lambda n: torch.randn(2 * n, 3, 8, 6)[::2, :, ::2],
    "broadcast": lambda n: torch.randn(3, 1, 6).expand(n, 3, 4, 6),
}


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("memory", MEMORIES)
def test_strides_are_those_of_torch(memory: str, dynamic: bool) -> None:
    cases = {n: c for n, c in CASES.items() if n != "view of rows" or memory == "channels last"}
    sizes = (5, 7)[: 1 + dynamic]
    calls = [(MEMORIES[memory](n).requires_grad_(), torch.tensor([1, 2])) for n in sizes]
    check(lambda x, i: tuple(each(x, i) for each in cases.values()), *calls, dynamic=dynamic)


def test_sizes_that_depend_on_data() -> None:
    def function(x: Any, mask: Any) -> Any:
        return x[mask], x.permute(1, 2, 0, 3)[:, :, mask] + 1, torch.nonzero(x)

    x, mask = MEMORIES["channels last"](4), torch.tensor([True, False, True, True])
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        check(function, (x, mask), (x, torch.zeros(4, dtype=torch.bool)))


def test_as_strided_of_a_result() -> None:
    def function(x: Any, i: Any) -> Any:
        return x[i].as_strided((2, 5), (1, 3)), x.as_strided((3, 2), (1, 2))[i]

    found = check(function, (MEMORIES["channels last"](4), torch.tensor([1, 2])))
    assert found.kernels


def test_writes_through_as_strided() -> None:
    """Of a tensor whose memory is in another order than its elements."""

    def function(x: Any, i: Any) -> Any:
        x = x * 2
        x.as_strided((3, 2), (2, 1), 1).add_(x[i][0, 0, 0, 0])
        x.diagonal(0, 1, 2).mul_(3)
        return x, x[i]

    x, i = MEMORIES["channels last"](4), torch.tensor([1, 2])
    found = check(function, (x, i), kernels=1)
    assert found.kernels


def shared(tensors: Any) -> list[int]:
    """For each tensor the first one that has its memory."""
    held = [each.untyped_storage().data_ptr() for each in tensors]
    return [held.index(each) for each in held]


def test_views_share_memory_and_copies_do_not() -> None:
    """Views that the kernel also reads, of its results and of arguments, and what is no view."""

    def function(x: Any, i: Any) -> Any:
        rows = x[i]
        turned = rows.permute(1, 0, 2, 3)
        part = turned[1:]
        return (
            rows, turned, part, part + rows[:, 1:].permute(1, 0, 2, 3), rows.unsqueeze(0) * 2,
            x[1:], x[1:][i], x.clone()[i], x + 0, x.view(x.shape), rows.clone(),
        )  # fmt: skip

    x, i = torch.randn(4, 3, 4, 6), torch.tensor([1, 2])
    wanted, (found, explained) = (
        function(x, i),
        gs.explain(function, options=EAGER)(x, i),
    )
    assert explained.kernels
    assert shared([x, *found]) == shared([x, *wanted])
    for got, right in zip(found, wanted, strict=True):
        assert torch.equal(got, right)
        assert strides(got) == strides(right)
        assert got.storage_offset() == right.storage_offset()


def test_a_view_for_the_backward_graph_has_its_strides() -> None:
    """The forward graph keeps a broadcast view, which the backward graph multiplies by."""

    def function(x: Any, w: Any, i: Any) -> Any:
        rows = x[i][:, None].expand(2, 5, 3)
        return rows * w

    x, w = torch.randn(4, 3, requires_grad=True), torch.randn(2, 5, 3, requires_grad=True)
    check(function, (x, w, torch.tensor([3, 0])), kernels=2, tolerance=1e-6)


def test_a_view_of_what_eager_torch_strides_otherwise() -> None:
    """The derivative of a normalization lies in another order than its tracing says."""

    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scale, self.norm = torch.nn.Linear(5, 8), torch.nn.BatchNorm1d(8)

        def forward(self, x: Any, i: Any) -> Any:
            return self.norm(self.scale(x[i]).transpose(1, 2)).amax(2)

    check(
        Model(), (torch.randn(6, 4, 5, requires_grad=True), torch.tensor([3, 0, 3])), tolerance=1e-5
    )
