"""Graphs of no elements, static or dynamic: taken by a kernel, equal to eager torch."""

from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations.torch import explain  # noqa: E402  (after importorskip)
from torch_checks import EAGER  # noqa: E402  (after importorskip)


def _none(*shape: int) -> "torch.Tensor":
    return torch.ones(shape, requires_grad=True)


def _ids(*shape: int) -> "torch.Tensor":
    return torch.zeros(shape, dtype=torch.long)


def _onto(*shape: int) -> "torch.Tensor":
    return torch.ones(shape)


def _rows_added(x: "torch.Tensor", i: "torch.Tensor") -> "torch.Tensor":
    return x.new_zeros(5, 4).scatter_add(0, i[:, None].expand_as(x), x)


def _masked(x: "torch.Tensor", i: "torch.Tensor") -> "torch.Tensor":
    return _onto(5).masked_scatter(torch.zeros(5, dtype=torch.bool), x) + i.sum()


bag, look = torch.nn.functional.embedding_bag, torch.nn.functional.embedding
PROGRAMS: dict[str, tuple[Callable, tuple]] = {
    "scatter_add": (_rows_added, (_none(0, 4), _ids(0))),
    "scatter": (lambda x, i: _onto(5, 4).scatter(1, i, x), (_none(3, 0), _ids(3, 0))),
    "reduce": (lambda x, i: _onto(5).scatter_reduce(0, i, x, "amax"), (_none(0), _ids(0))),
    "index_add": (lambda x, i: _onto(5, 4).index_add(0, i, x), (_none(0, 4), _ids(0))),
    "gather": (lambda x, i: x.gather(0, i), (_none(5, 4), _ids(0, 4))),
    "index_select": (lambda x, i: x.index_select(0, i), (_none(5, 0), _ids(3))),
    "index": (lambda x, i: x[i], (_none(5, 4), _ids(0))),
    "put": (lambda x, i: _onto(5, 4).index_put((i,), x, True), (_none(0, 4), _ids(0))),
    "embedding": (lambda x, i: look(i, x), (_none(5, 4), _ids(0, 2))),
    "bag": (lambda x, i: bag(i, x, _ids(2), mode="sum"), (_none(5, 4), _ids(0))),
    "masked_scatter": (_masked, (_none(0), _ids(0))),
    "messages": (lambda x, i: _onto(5, 4).index_add(0, i, x[i] * 2), (_none(5, 4), _ids(0))),
}


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_elements(name: str, dynamic: bool) -> None:
    torch._dynamo.reset()
    function, given = PROGRAMS[name]
    x, i = given[0].detach().clone().requires_grad_(), given[1]
    found, told = explain(function, dynamic=dynamic, options=EAGER)(x, i)
    found.sum().backward()
    y = given[0].detach().clone().requires_grad_()
    wanted = function(y, i)
    wanted.sum().backward()
    assert torch.equal(found, wanted)
    assert torch.equal(x.grad, y.grad)
    assert not [why for _, graph in told.graphs for _, why in graph.eager if "error:" in why]
