"""Graphs of which all is one kernel, beside inductor: the same as eager Torch, and when they are
not one."""

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations import torch as gs  # noqa: E402  (after importorskip)
from mlir_gs.integrations.torch import whole  # noqa: E402  (after importorskip)

X = torch.arange(60.0).reshape(6, 5, 2)
AT, J = torch.tensor([0, 5, 5, 2]), torch.tensor([4, 0, 1, 1])


def _two(x: Any, i: Any, j: Any) -> Any:
    """Results in another order than they are computed in, one of them twice."""
    first, second = x[i] * 2, x[i, j]
    return second, first, second


def _filled(i: Any, u: Any) -> Any:
    out = torch.zeros(6, dtype=u.dtype)
    out.index_add_(0, i, u)
    return out


WHOLE: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "rows": (lambda x, i: x.index_select(0, i), (X, AT)),
    "arguments in another order": (lambda i, unused, x: x[i], (AT, torch.ones(3), X)),
    "pairs": (lambda x, i, j: x[i, j], (X, AT, J)),
    "strides": (lambda x, i: x[i], (X.transpose(0, 1)[:, :, :1], torch.tensor([4, 0]))),
    "strides of the result": (lambda x, i: torch.index_select(x, 1, i), (X, J)),
    "one argument twice": (lambda i, j: i[j], (torch.arange(4), torch.arange(4))),
    "several results": (_two, (X, AT, J)),
    "sums": (lambda u, i: u.new_zeros(6, 5).index_add(0, i, u), (torch.rand(4, 5), AT)),
    "in place of what is new": (_filled, (AT, torch.rand(4))),
    "one coordinate for a slice": (
        lambda x, i: torch.take_along_dim(x, i, 1),
        (X, torch.tensor([[0], [4], [-5], [-1], [2], [7]])[:, :, None]),
    ),
    "one source for all": (
        lambda x, i: torch.take_along_dim(x[:1], i, 1),
        (X, torch.tensor([0, 4, -5, -1, 2, 3]).reshape(3, 1, 2)),
    ),
    "a number": (lambda x, i: x[i] + 3.5, (X, AT)),
    "an input as result": (lambda x, i: (x[i], x), (X, AT)),
    "rows of megabytes": (lambda x, i: x[i], (torch.rand(600, 999), torch.arange(599, -1, -1))),
    "a parameter": (lambda x, i: x[i], (torch.nn.Parameter(X.clone()), AT)),
}


def _in_halves(x: Any, i: Any) -> Any:
    with torch.autocast("cpu", torch.bfloat16):
        y = x[i].tanh()
    return y, x[0] @ x[1].T


OTHERS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "a view of an input as result": (lambda x, i: (x[i], x[1:]), (X, AT)),
    "a view of a result": (lambda x, i: (y := x[i], y.view(-1)), (X, AT)),
    "two views of what is no result": (lambda x, i: (x[i].view(-1), x[i].view(5, -1)), (X, AT)),
    "a function": (lambda x, i: x[i].exp(), (X / 100, AT)),
    "a reduction": (lambda x, i: x[i].sum(0), (X, AT)),
    "an op of no kernel": (lambda x, i: x[i].tanh(), (X, AT)),
    "a function in autocast": (_in_halves, (X, AT)),
    "a function in vmap": (torch.func.vmap(lambda r: r[J].neg().tanh()), (X,)),
    "a gradient": (torch.func.grad(lambda x: (x[AT] ** 2).tanh().sum()), (X / 100,)),
    "a tangent": (lambda x: torch.func.jvp(lambda x: (x[AT] ** 2).log(), (x,), (x,))[1], (X + 1,)),
    "a mask": (lambda x, i: torch.where(x[i] > 3, x[i], 0).tan(), (X, AT)),
    "a size that depends on data": (lambda i: i.abs().bincount(minlength=2), (AT.view(-1),)),
}


def _explained(function: Callable[..., Any], arguments: Any, **options: Any) -> tuple[Any, bool]:
    torch._dynamo.reset()
    with torch.no_grad():
        found, told = gs.explain(function, fullgraph=True, **options)(*arguments)
    return found, [name for name, _ in told.graphs] == ["whole"]


def _same(found: Any, wanted: Any) -> None:
    pairs = (
        [(found, wanted)] if isinstance(wanted, torch.Tensor) else zip(found, wanted, strict=True)
    )
    for one, other in pairs:
        assert (one.dtype, one.shape, one.stride()) == (other.dtype, other.shape, other.stride())
        torch.testing.assert_close(one, other, rtol=1e-6, atol=0)


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", WHOLE)
def test_one_kernel(name: str, dynamic: bool) -> None:
    function, arguments = WHOLE[name]
    found, is_whole = _explained(function, arguments, dynamic=dynamic)
    assert is_whole
    _same(found, function(*arguments))


@pytest.mark.parametrize("name", OTHERS)
def test_other_graphs(name: str) -> None:
    function, arguments = OTHERS[name]
    found, is_whole = _explained(function, arguments)
    assert not is_whole
    _same(found, function(*arguments))


def test_aliases_stay_aliases() -> None:
    function, arguments = OTHERS["a view of a result"]
    (first, second), _ = _explained(function, arguments)
    first.fill_(7)
    assert (second == 7).all()


def test_sizes_that_change() -> None:
    torch._dynamo.reset()
    compiled = torch.compile(lambda x, i: x[i] * 2, backend="mlir_gs", dynamic=True)
    for count, width in ((4, 5), (7, 3), (2, 9)):
        x, i = torch.rand(6, width), torch.randint(6, (count,))
        assert torch.equal(compiled(x, i), x[i] * 2)


def test_differentiated_graphs_and_others_of_one_function() -> None:
    torch._dynamo.reset()
    compiled = torch.compile(lambda x, i: x[i] * 2, backend="mlir_gs")
    x = X.clone().requires_grad_()
    assert torch.equal(compiled(X, AT), X[AT] * 2)
    compiled(x, AT).sum().backward()
    assert x.grad is not None
    assert torch.equal(x.grad[:, 0, 0], torch.tensor([2.0, 0, 2, 0, 0, 4]))
    with torch.no_grad():
        assert not compiled(x, AT).requires_grad


def test_writes_to_inputs_stay_writes() -> None:
    x, u = torch.zeros(6, 2), torch.rand(4, 2)

    def update(x: Any, i: Any, u: Any) -> Any:
        return x.index_add_(0, i, u)

    found, is_whole = _explained(update, (x, AT, u))
    assert not is_whole
    assert found.data_ptr() == x.data_ptr()
    assert torch.equal(x, torch.zeros(6, 2).index_add(0, AT, u))


def test_coordinates_out_of_bounds_are_an_error() -> None:
    torch._dynamo.reset()
    compiled = torch.compile(lambda x, i: x[i], backend="mlir_gs")
    compiled(X, AT)
    with pytest.raises(IndexError):
        compiled(X, torch.tensor([0, 6, 0, 0]))
    assert torch.equal(compiled(X, AT - 6), X[AT - 6])


def test_subclasses_are_for_the_wrappers() -> None:
    class Tagged(torch.Tensor):
        pass

    torch._dynamo.reset()
    compiled = torch.compile(lambda x, i: x[i], backend="mlir_gs")
    found = compiled(X.as_subclass(Tagged), AT)
    assert isinstance(found, Tagged)
    assert torch.equal(found.as_subclass(torch.Tensor), X[AT])


def test_negative_views() -> None:
    x = torch.complex(X, X).conj().imag
    assert x.is_neg()
    # Inductor takes them for what they are views of, too.
    assert not _explained(lambda x, i: x[i], (x, AT))[1]


@pytest.mark.parametrize("function", [lambda x: x.relu() * 2 + 1, lambda x: x[AT].sum(0)])
def test_a_graph_that_is_no_kernel_is_not_traced_for_one(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any]
) -> None:
    """Without a gather, and with a reduction, which are loops."""
    monkeypatch.setattr(whole, "aot_autograd", None)
    torch.compiler.reset()
    assert torch.equal(torch.compile(function, backend="mlir_gs")(X), function(X))
