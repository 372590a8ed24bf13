"""Scatters whose sums are added up: one tensor that all of them add to."""

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations.torch import dynamo_backend  # noqa: E402  (after importorskip)
from mlir_gs.integrations.torch.sums import add_in_one_place  # noqa: E402  (after importorskip)
from torch._inductor.utils import run_and_get_code  # noqa: E402  (after importorskip)
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402  (after importorskip)
from torch_checks import fresh, run, same  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.

ROWS = 50


def given(dtype: Any = torch.float32) -> list[Any]:
    """A tensor, coordinates, and what is added at them."""
    return [
        torch.randn(ROWS, 4).to(dtype),
        torch.randint(0, ROWS, (2, 30)),
        torch.randn(2, 30, 4).to(dtype),
    ]


def zeros(y: Any) -> Any:
    return torch.zeros_like(y)


def put(y: Any, i: Any, u: Any) -> Any:
    return torch.index_put(y, [i], u, accumulate=True)


def spread(y: Any, i: Any, u: Any) -> Any:
    return y.scatter_add(0, i[:, None].expand_as(u), u)


def index(y: Any, i: Any, u: Any) -> Any:
    return y.index_add(0, i, u)


def left(function: Callable[..., Any], *arguments: Any) -> int:
    """How many additions are left of a function, whose values stay."""
    gm = make_fx(function, tracing_mode="fake")(*arguments)
    add_in_one_place(gm.graph)
    gm.graph.eliminate_dead_code()
    gm.graph.lint()
    gm.recompile()
    torch.testing.assert_close(gm(*arguments), function(*arguments))
    return len(gm.graph.find_nodes(op="call_function", target=torch.ops.aten.add.Tensor))


@pytest.mark.parametrize("add", [put, spread, index])
def test_all_add_to_one_tensor(add: Callable[..., Any]) -> None:
    def three(y: Any, i: Any, u: Any) -> Any:
        return add(zeros(y), i[0], u[0]) + add(zeros(y), i[1], u[1]) + add(zeros(y), i[0], u[1])

    assert left(three, *given()) == 0

    def full(y: Any, i: Any, u: Any) -> Any:
        return add(y.new_full((ROWS, 4), 0), i[0], u[0]) + index(y, i[1], u[1])

    assert left(three, *given(torch.float64)) == 0
    assert left(full, *given()) == 0


@pytest.mark.parametrize(
    "function",
    [
        lambda y, i, u: (sums := index(zeros(y), i[0], u[0])) + y * sums,
        lambda y, i, u: (sums := index(zeros(y), i[0], u[0])) + sums,
        lambda y, i, u: index(y + 1, i[0], u[0]) + y,
        lambda y, i, u: index(zeros(y), i[0], u[0]) + y,
        lambda y, i, u: index(zeros(y), i[0], u[0]) + index(y, i[1], u[1])[0],
        lambda y, i, u: index(zeros(y), i[0], u[0]) + index(y.double(), i[1], u[1].double()),
        lambda y, i, u: torch.add(put(y, i[1], u[1]), index(zeros(y), i[0], u[0]), alpha=2),
        lambda y, i, u: index(y, i[1], u[1]) + zeros(y).index_add(0, i[0], u[0], alpha=2),
        lambda y, i, u: index(y, i[1], u[1]) + torch.index_put(zeros(y), [i[0]], u[0][:1]),
        lambda y, i, u: index(y, i[1], u[1]) + index(zeros(y), i.view(-1), u.view(-1, 4)),
    ],
    ids=[
        *("read twice", "added to itself", "not from zeros", "no scatter", "of another shape"),
        *("of another type", "a multiple", "multiples added", "not added", "of more"),
    ],
)
def test_others_are_left(function: Callable[..., Any]) -> None:
    assert left(function, *given()) > 0


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_halves_are_left(dtype: Any) -> None:
    assert (
        left(lambda y, i, u: put(y, i[1], u[1]) + index(zeros(y), i[0], u[0]), *given(dtype)) == 1
    )


@pytest.mark.skipif(not dynamo_backend.has_compiler(), reason="no C++ compiler")
@pytest.mark.parametrize("dynamic", [False, True])
def test_the_gradient_of_a_table_is_added_up_in_one_place(dynamic: bool) -> None:
    def likeness(table: Any, a: Any, b: Any) -> Any:
        return (table[a] * table[b]).sum(-1)

    arguments = [torch.randn(20_000, 64, requires_grad=True), *torch.randint(0, 20_000, (2, 3000))]
    compiled = torch.compile(likeness, backend="mlir_gs", dynamic=dynamic)
    found, codes = run_and_get_code(run, compiled, arguments)
    assert "mlir_gs.kernel" in codes[-1]
    assert "aten.add" not in codes[-1]
    for got, wanted in zip(found, run(likeness, arguments), strict=True):
        same(got, wanted, 1e-4)
