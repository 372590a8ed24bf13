"""Products of rows that are gathered: of their tables, where these have fewer rows."""

import operator
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations.torch import products  # noqa: E402  (after importorskip)
from torch_checks import check, fresh  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.

pytestmark = pytest.mark.filterwarnings("ignore")
linear, embedding = torch.nn.functional.linear, torch.nn.functional.embedding


def multiplied(function: Any, *given: Any, dynamic: bool = False) -> list[Any]:
    """Of how many rows the compiled function multiplies matrices, each product after the other."""
    found: list[Any] = []

    def look(gm: Any, _: Any) -> Any:
        products.multiply_tables(gm)
        nodes = [node for node in gm.graph.nodes if node.target in products.PRODUCTS]
        rows = [node.args[0] for node in nodes]
        found.extend(rows)
        return gm.forward

    torch.compile(function, backend=look, dynamic=dynamic)(*given)
    return found


def edges(dtype: Any, nodes: int = 20, count: int = 90, width: int = 16) -> list[Any]:
    x = torch.randn(nodes, width, dtype=dtype, requires_grad=True)
    ends = [torch.randint(0, nodes, (count,)) for _ in range(2)]
    return [x, *ends, torch.randn(count, 3, dtype=dtype, requires_grad=True)]


class Edges(torch.nn.Module):
    """Messages of what is at both ends of an edge, and of the edge."""

    def __init__(self, dtype: Any, width: int = 16) -> None:
        super().__init__()
        self.first = torch.nn.Linear(2 * width + 3, 8, dtype=dtype)
        self.second = torch.nn.Linear(8, 5, dtype=dtype)

    def forward(self, x: Any, i: Any, j: Any, e: Any) -> Any:
        sent = self.second(torch.relu(self.first(torch.cat([x[i], e, x.index_select(0, j)], -1))))
        return x.new_zeros(x.shape[0], 5).index_add(0, j, sent)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("dynamic", [False, True])
def test_values_and_gradients(dtype: Any, dynamic: bool) -> None:
    calls = [edges(dtype), edges(dtype, 31, 70)][: 1 + dynamic]
    tolerance = 2e-5 if dtype == torch.float32 else 1e-12
    check(Edges(dtype), *calls, dynamic=dynamic, tolerance=tolerance)


FORMS = {
    "both ends": (lambda x, i, w: linear(torch.cat([x[i], x.index_select(0, i)], 1), w), 2),
    "alone": (lambda x, i, w: linear(x[i], w[:, :16], w[:, 0]), 1),
    "matrix": (lambda x, i, w: torch.cat((x[i], torch.sin(x[i])), dim=-1) @ w.t(), 2),
    "embedding": (lambda x, i, w: linear(embedding(i, x), w[:, :16]), 1),
    "of more dims": (lambda x, i, w: linear(x[None][:, i.view(9, 10)], w[:, :16]), 1),
}


@pytest.mark.parametrize("name", FORMS)
def test_forms(name: str) -> None:
    function, count = FORMS[name]
    x, i, *_ = edges(torch.float64)
    weight = torch.randn(9, 32, dtype=torch.float64, requires_grad=True)
    of = multiplied(function, x, i, weight)
    assert len(of) == count
    assert any(node.op == "placeholder" or node.target is operator.getitem for node in of)
    assert "cat" not in str(of[-1].target)
    check(function, (x, i, weight), tolerance=1e-12)


def written(x: Any, i: Any, w: Any) -> Any:
    rows = x[i]
    x.add_(1)
    return linear(rows, w)


def assigned(x: Any, i: Any, w: Any) -> Any:
    rows = x[i]
    x[0] = 3
    return linear(rows, w)


def joined(x: Any, i: Any, w: Any) -> Any:
    sent = x.sin()
    rows = torch.cat([x[i][:, :16], sent[i][:, 16:]], 1)
    sent.mul_(2)
    return linear(rows, w)


def without_gradient(x: Any, i: Any, w: Any) -> Any:
    with torch.no_grad():
        rows = x[i]
    return linear(rows, w)


def written_later(x: Any, i: Any, w: Any) -> Any:
    y = linear(x[i], w)
    x.view(-1).add_(1)
    return y


def hooked(x: Any, i: Any, w: Any) -> Any:
    rows = x.requires_grad_()[i]
    y = linear(rows, w)
    rows.register_hook(lambda gradient: gradient * 3)
    return y


def normed_between(x: Any, i: Any, w: Any) -> Any:
    rows = x[i]
    embedding(i.abs(), x, None, 1.0)
    return linear(rows, w)


def named(x: Any, i: Any, w: Any) -> Any:
    rows = x[i]
    x.__iadd__(1)
    return linear(rows, w)


STAY = {
    "written later": written_later,
    "hooked": hooked,
    "normed between": normed_between,
    "written by name": named,
    "a bias per row": lambda x, i, w: linear(x[i], w, x[i][:, :4].sin()),
    "written in place": written,
    "assigned": assigned,
    "joined, then written": joined,
    "without a gradient": without_gradient,
    "few": lambda x, i, w: linear(x[i[:30]], w),
    "narrow": lambda x, i, w: linear(x[i][:, :3], w[:, :3]),
    "along the row": lambda x, i, w: linear(x.repeat(5, 1)[:, i[:16] % 16], w),
    "halves": lambda x, i, w: linear(x.half()[i], w.half()),
    "padding": lambda x, i, w: linear(embedding(i, x, padding_idx=0), w),
    "a plain product": lambda x, i, w: linear(x, w),
}


@pytest.mark.parametrize("name", STAY)
def test_what_stays(name: str) -> None:
    x, i, *_ = edges(torch.float32)
    (rows,) = multiplied(STAY[name], x.detach(), i, torch.randn(4, 16))
    assert rows.op != "placeholder" or name == "a plain product"
