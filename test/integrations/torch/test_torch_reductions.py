"""Reductions of gathered values in torch.compile(backend="mlir_gs"): one kernel, no temporary."""

from collections.abc import Callable
from typing import Any

import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering import run_pipeline

torch = pytest.importorskip("torch")

from mlir_gs.integrations.torch import Explanation  # noqa: E402  (after importorskip)
from mlir_gs.integrations.torch import kernel as torch_kernel  # noqa: E402  (after importorskip)
from torch_checks import check, fresh  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.

pytestmark = pytest.mark.filterwarnings("ignore")


def eager(found: Explanation) -> set[str]:
    return {op for _, decisions in found.graphs for op, _ in decisions.eager}


FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
EXACT = [torch.int64, torch.int32, torch.bool]
TOLERANCE = {torch.float64: 1e-5, torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 2e-2}
"""Some results of float64 are float32."""

SUMS: list[Callable[..., Any]] = [
    lambda x: x.sum(), lambda x: x.sum(0), lambda x: x.sum(-1), lambda x: x.sum((0, 2)),
    lambda x: x.sum(1, keepdim=True), lambda x: x.sum((-1, 0), keepdim=True),
    lambda x: x.sum(1, dtype=torch.float32), lambda x: x.sum(dtype=torch.float64),
    lambda x: x.sum(()), lambda x: x.sum((0, 1, 2), keepdim=True), lambda x: x[0, 0, 0].sum(0),
    lambda x: x.prod(1), lambda x: x.prod(-1, dtype=torch.float32),
]  # fmt: skip
# Of halves eager Torch rounds after each factor.
LONG_PRODUCTS = [lambda x: x.prod(), lambda x: x.prod(2, keepdim=True)]
MEANS: list[Callable[..., Any]] = [
    lambda x: x.mean(), lambda x: x.mean(1), lambda x: x.mean((0, -1), keepdim=True),
    lambda x: x.mean(2, dtype=torch.float32), lambda x: x[1, 1, 1].mean(),
]  # fmt: skip
EXTREMES: list[Callable[..., Any]] = [
    lambda x: x.amax(), lambda x: x.amin(), lambda x: x.amax(1), lambda x: x.amin(-1),
    lambda x: x.amax((0, 2)), lambda x: x.amin((0, 1), keepdim=True), lambda x: x.max(),
    lambda x: x.min(), lambda x: x[0, 1, 2].amax(0), lambda x: x.amax((), keepdim=True),
]  # fmt: skip


def all_of(functions: list[Callable[..., Any]]) -> Callable[..., Any]:
    def function(x: Any, i: Any) -> Any:
        taken = x[i]
        return tuple(each(taken) for each in functions)

    return function


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("dtype", [*FLOATS, *EXACT], ids=str)
def test_sums_and_products(dtype: Any, dynamic: bool) -> None:
    """The types of results are Torch's too: int64 of integers and bools."""
    calls = []
    for rows, reads in [((7, 6), (4, 3)), ((9, 33), (5, 2))][: 1 + dynamic]:
        x = (torch.rand(rows) + 0.5).to(dtype) if dtype.is_floating_point else (
            torch.randint(-3, 9, rows).to(dtype)
        )  # fmt: skip
        calls.append((x, torch.randint(-rows[0], rows[0], reads)))
    functions = SUMS + (MEANS if dtype.is_floating_point else [])
    functions += LONG_PRODUCTS if dtype.itemsize != 2 else []
    tolerance = TOLERANCE.get(dtype, 0.0)
    found = check(all_of(functions), *calls, dynamic=dynamic, tolerance=tolerance)
    assert not eager(found) & {"aten.sum", "aten.sum.dim_IntList", "aten.prod", "aten.mean.dim"}


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("dtype", [*FLOATS, *EXACT, torch.uint8, torch.int16], ids=str)
def test_least_and_greatest(dtype: Any, dynamic: bool) -> None:
    """Bit for bit, with NaN, infinities and the limits of integers."""
    if dtype.is_floating_point:
        special = [float("nan"), float("inf"), -float("inf"), -0.5, 0.25, 1.0, -1.5, 3.0]
    elif dtype == torch.bool:
        special = [True, False] * 4
    else:
        limits = torch.iinfo(dtype)
        special = [limits.min, limits.max, 0, 1, 2, 3, 4, 5]
    x = torch.tensor(special, dtype=dtype).repeat_interleave(6).reshape(8, 6)
    calls = [(x, torch.tensor([[1, -1], [3, 4]])), (x[2:], torch.tensor([[0, 1, 5]] * 3))]
    check(all_of(EXTREMES), *calls[: 1 + dynamic], dynamic=dynamic)


def bags(x: Any, i: Any, w: Any) -> Any:
    return (x[i] * w[..., None]).sum(1)


GRADIENTS: dict[str, Callable[..., Any]] = {
    "weighted bags": bags,
    "mean": lambda x, i, w: x[i].mean(1),
    "mean that counts": lambda x, i, w: bags(x, i, w) / w.sum(1, keepdim=True),
    "dot of rows": lambda x, i, w: (x[i[:, 0]] * x[i[:, 1]]).sum(-1),
    "all": lambda x, i, w: (x[i] * w[..., None]).sum(),
    "amax": lambda x, i, w: (x[i] * w[..., None]).amax(1),
    "amin": lambda x, i, w: x[i].amin(-1, keepdim=True),
    "gather": lambda x, i, w: x.gather(0, i % 3).sum(0),
    "scatter": lambda x, i, w: x.index_add(0, i[:, 0], x[i].sum(1)).mean(0),
    "squared length": lambda x, i, w: (x[i] - x[i].mean(-1, keepdim=True)).square().sum(-1),
}


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients(name: str, dynamic: bool) -> None:
    calls = []
    for rows, bag in [(7, (4, 3)), (12, (5, 6))][: 1 + dynamic]:
        x = torch.randn(rows, 6 if name == "gather" else 5, requires_grad=True)
        w = torch.rand(bag, requires_grad=True)
        calls.append((x, torch.randint(0, rows, bag), w))
    check(GRADIENTS[name], *calls, dynamic=dynamic, tolerance=1e-5, kernels=2)


@pytest.fixture
def imported(monkeypatch: Any) -> list[str]:
    """The text of each kernel before it is compiled."""
    found: list[str] = []
    original = torch_kernel.import_graph

    def listed(graph: Any) -> str:
        found.append(original(graph))
        return found[-1]

    monkeypatch.setattr(torch_kernel, "import_graph", listed)
    return found


@pytest.mark.parametrize("dynamic", [False, True])
def test_a_bag_is_one_nest_without_a_temporary(imported: list[str], dynamic: bool) -> None:
    """Gather, positions, weights and sum: the only tensor that is made is the result."""

    def function(x: Any, p: Any, i: Any, w: Any) -> Any:
        return ((x[i] + p) * w[..., None]).sum(1)

    arguments = (torch.randn(50, 8), torch.randn(6, 8), torch.randint(0, 50, (4, 6)))
    check(function, (*arguments, torch.rand(4, 6)), dynamic=dynamic, tolerance=1e-5)
    (text,) = imported
    with dialect.context():
        module = ir.Module.parse(text)
        run_pipeline(module, "gs-optimize")
        names = [op.name for op in module.body.operations[0].regions[0].blocks[0].operations]
    assert names.count("gs.generic") == 1
    assert names.count("linalg.generic") == 0
    assert names.count("linalg.fill") == 1  # The zeros that the sum begins with.
    assert names.count("tensor.empty") == 1


def test_reductions_alone_stay_with_torch() -> None:
    found = check(lambda x: (x.sum(1), x.amax()), (torch.arange(12.0).view(3, 4),), kernels=0)
    assert found.kernels == 0
    assert "aten.sum.dim_IntList" in eager(found)


def test_a_sum_joins_the_gather_that_it_reads_and_not_what_comes_later() -> None:
    """Sums of each layer's rows, which nothing else reads, and what is added after products."""

    def layers(x: Any, w: Any, at: Any) -> Any:
        sums = []
        for _ in range(3):
            rows = x[at].relu()
            sums.append(rows.sum(0))
            put = x.new_zeros(x.shape).index_add(0, at, rows)
            x = put @ w + (put * 2) @ w
        return x, *sums

    given = torch.randn(9, 4), torch.randn(4, 4), torch.tensor([1, 8, 0, 1, 3])
    found = check(layers, given, tolerance=1e-5)
    kernels = [ops for _, decisions in found.graphs for ops in decisions.kernels]
    assert [ops.count("aten.sum.dim_IntList") for ops in kernels] == [1, 1, 1]
