"""torch.compile(backend="mlir_gs") against eager Torch: results, derivatives, fallbacks."""

import logging
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations import torch as gs  # noqa: E402  (after importorskip)
from torch_checks import EAGER, check, fresh, same  # noqa: E402  (after importorskip)
from torch_models import Convolution, Embedding, Experts  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.

pytestmark = pytest.mark.filterwarnings("ignore")


def tokens(rows: int, columns: int) -> Any:
    found = torch.randint(1, 50, (rows, columns))
    found[0, columns // 2 :] = 0
    return found


def graph(nodes: int, edges: int) -> Any:
    return (
        torch.randn(nodes, 8, requires_grad=True),
        torch.randint(0, nodes, (edges,)),
        torch.randint(0, nodes, (edges,)),
    )


@pytest.mark.parametrize("dynamic", [False, True])
def test_embedding_model(dynamic: bool) -> None:
    calls = [(tokens(3, 7),), (tokens(5, 11),)][: 1 + dynamic]
    found = check(Embedding(), *calls, dynamic=dynamic, tolerance=1e-5, kernels=2)
    assert len(found.graphs) == 2


@pytest.mark.parametrize("dynamic", [False, True])
def test_graph_convolution(dynamic: bool) -> None:
    calls = [graph(6, 20), graph(34, 156), graph(3, 2)][: 1 + 2 * dynamic]
    found = check(Convolution(), *calls, dynamic=dynamic, tolerance=1e-5, kernels=2)
    assert len(found.graphs) == 2


@pytest.mark.parametrize("dynamic", [False, True])
def test_mixture_of_experts(dynamic: bool) -> None:
    calls = [(torch.randn(n, 8, requires_grad=True),) for n in (6, 17)][: 1 + dynamic]
    found = check(Experts(), *calls, dynamic=dynamic, tolerance=1e-5, kernels=3)
    assert len(found.graphs) == 2


def rows(count: int, size: int) -> Any:
    return torch.randint(-size, size, (count,))


GRADIENTS = {
    "gather": lambda x, i: x.gather(1, i.reshape(4, 2).abs() % 5),
    "index_select": lambda x, i: x.index_select(1, i.abs() % 5),
    "index": lambda x, i: x[i % 6, i.abs() % 5],
    "index of a slice": lambda x, i: x[:, i % 5] * 2,
    "take": lambda x, i: x.take(i.abs()),
    "take_along_dim": lambda x, i: x.take_along_dim(i[:5].reshape(1, 5).abs() % 6, 0),
    "embedding": lambda x, i: torch.nn.functional.embedding(i.reshape(2, 4).abs() % 6, x),
    "scatter": lambda x, i: x.scatter(0, torch.arange(4)[:, None], x[1:5, :1] * 3),
    "scatter_add": lambda x, i: x.scatter_add(1, i.reshape(4, 2).abs() % 5, x[:4, :2] * 2),
    "index_add": lambda x, i: x.index_add(0, i.abs() % 6, x.repeat(2, 1)[:8] * 2, alpha=3),
    "index_copy": lambda x, i: x.index_copy(0, torch.arange(3), x[3:] * 2),
    "index_put": lambda x, i: x.index_put((i % 6,), x[i % 2] * 2, accumulate=True),
    "index_fill": lambda x, i: x.index_fill(1, i.abs() % 5, 2.0),
    "where": lambda x, i: torch.where(x[i % 6] > 0, x[i.abs() % 6], -x[i % 6]),
}


def test_gradients_of_each_op() -> None:
    """All in one graph, forward and backward, and with repeated and negative coordinates."""

    def function(x: Any, i: Any) -> Any:
        return tuple(each(x, i) for each in GRADIENTS.values())

    found = check(function, (torch.randn(6, 5, requires_grad=True), rows(8, 6)), tolerance=1e-6)
    named = {op for _, decisions in found.graphs for ops in decisions.kernels for op in ops}
    assert {"aten.gather", "aten.scatter_add", "aten.index_put", "aten.index.Tensor"} <= named


ELEMENTWISE = [
    lambda x, y: x + y, lambda x, y: x + 2, lambda x, y: x - y, lambda x, y: 2 - x,
    lambda x, y: x - 3, lambda x, y: x * y, lambda x, y: x * 3, lambda x, y: x / y,
    lambda x, y: x / 2, lambda x, y: -x, lambda x, y: x.abs(), lambda x, y: torch.relu(x),
    lambda x, y: x == y, lambda x, y: x != y, lambda x, y: x < y, lambda x, y: x <= y,
    lambda x, y: x > y, lambda x, y: x >= y, lambda x, y: x == 0, lambda x, y: x != 1,
    lambda x, y: x < 1, lambda x, y: x <= 1, lambda x, y: x > 1, lambda x, y: x >= 1,
    lambda x, y: torch.logical_and(x, y), lambda x, y: torch.logical_or(x, y),
    lambda x, y: torch.logical_not(x), lambda x, y: torch.where(x > y, x, y),
    lambda x, y: torch.zeros_like(x), lambda x, y: torch.ones_like(x) + x,
    lambda x, y: torch.full_like(x, 2) * y, lambda x, y: x.new_full((4,), 3) + x[0],
    lambda x, y: x.t() + 1, lambda x, y: x.reshape(2, 8) + 1, lambda x, y: x[:, 1:3] + 1,
    lambda x, y: x[2] + 1, lambda x, y: x.unsqueeze(1) + 1, lambda x, y: x.permute(1, 0) + 1,
    lambda x, y: x[:1].squeeze(0) + 1, lambda x, y: x[:1].expand(4, 4) + y,
]  # fmt: skip
INTEGERS = [lambda x, y: x & y, lambda x, y: x | y, lambda x, y: ~x]
KINDS = [
    torch.float32, torch.float64, torch.float16, torch.bfloat16,
    torch.int64, torch.int32, torch.int8, torch.uint8,
]  # fmt: skip


@pytest.mark.parametrize("dtype", KINDS, ids=str)
def test_elementwise_ops_beside_a_gather(dtype: Any) -> None:
    """Bit for bit, with NaN, infinities, zeros of both signs, and integers that overflow."""
    special = torch.tensor([float("nan"), float("inf"), -float("inf"), -0.0, 0.0, 1.0, -1.5, 3.0])
    if dtype.is_floating_point:
        values = special.to(dtype)
    else:
        limits = torch.iinfo(dtype)
        values = torch.tensor([0, 1, 2, 3, 5, limits.max, limits.min, limits.max - 1], dtype=dtype)
    x, y = values.repeat(2).reshape(4, 4), values.repeat_interleave(2).reshape(4, 4)
    ops = [*ELEMENTWISE, *([] if dtype.is_floating_point else INTEGERS)]
    order = torch.arange(4)

    def function(x: Any, y: Any, i: Any) -> Any:
        return tuple(op(x[i], y[i]) for op in ops)

    found = check(function, (x, y, order))
    (_, decisions) = found.graphs[0]
    assert len(decisions.kernels) >= 1
    left = {op for op, _ in decisions.eager}
    assert "aten.index.Tensor" not in left
    # Of narrow integers torch-mlir does not take all arithmetic.
    is_narrow = dtype in (torch.int8, torch.uint8)
    assert ({"aten.add.Tensor", "aten.where.self"} <= left) == is_narrow


def test_bools_and_casts() -> None:
    def function(mask: Any, i: Any) -> Any:
        found = mask[i]
        return found & mask, found | mask, ~found, found == mask, torch.where(found, i, -i)

    check(function, (torch.tensor([True, False, True]), torch.tensor([2, 1, 1])))


def test_strided_and_empty_tensors() -> None:
    def function(x: Any, i: Any) -> Any:
        return x[i] + 1, x.index_add(0, i, x[i])

    table = torch.randn(8, 12)
    for x in (table.t(), table[::2, 1::3], table[:1].expand(5, 12), table[:, :0]):
        torch._dynamo.reset()
        check(function, (x, torch.tensor([2, 0, 2])))
    torch._dynamo.reset()
    check(function, (table, torch.tensor([], dtype=torch.int64)))


def test_results_of_sizes_that_depend_on_data() -> None:
    def function(x: Any) -> Any:
        return torch.nonzero(x), x + 1

    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        check(function, (torch.tensor([0.0, 2.0, 0.0, 3.0]),))


def test_a_coordinate_out_of_bounds_is_an_index_error() -> None:
    compiled = torch.compile(lambda x, i: x[i] * 2, backend="mlir_gs", options=EAGER)
    with pytest.raises(IndexError, match=r"coordinate 7 at position .* out of bounds for size 5"):
        compiled(torch.randn(5, 2), torch.tensor([1, 7]))


def test_an_op_that_kernels_do_not_take_is_eager() -> None:
    def function(x: Any, i: Any) -> Any:
        return x.index_add(0, i, torch.erfinv(x[i]))

    x, i = torch.rand(6, 5, requires_grad=True), torch.tensor([0, 5, 5, 2])
    found = check(function, (x, i), kernels=2)
    (_, forward), _ = found.graphs
    assert ("aten.erfinv", "not an op that kernels take") in forward.eager
    assert "eager: aten.erfinv: not an op that kernels take" in str(found)


@pytest.mark.parametrize(("number", "kernels"), [(5, 1), (-3, 1), (5.0, 0)])
def test_indices_that_wrap_are_in_the_kernel(number: Any, kernels: int) -> None:
    x, i = torch.rand(6, 5), torch.tensor([[0], [-5], [-1], [4], [-3], [2]])

    def function(x: Any, i: Any) -> Any:
        return x.gather(1, i.remainder(number).long().abs())

    found = check(function, (x, i), kernels=1)
    (_, decisions) = found.graphs[0]
    left = ("aten.remainder.Scalar", "kernels do it with integers and a number only")
    assert (left in decisions.eager) == (not kernels)


def test_a_rest_of_nothing_raises_as_in_torch() -> None:
    compiled = torch.compile(lambda x, i: x[i % 0], backend="mlir_gs", options=EAGER)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        compiled(torch.rand(5), torch.tensor([1, 2]))


def test_what_fails_to_compile_is_eager(monkeypatch: Any, caplog: Any) -> None:
    """An op that the tables list and the importer does not know."""
    from mlir_gs.integrations.torch import ops as torch_ops

    monkeypatch.setattr(torch_ops, "TAKEN", torch_ops.TAKEN | {"aten.igamma"})

    def function(x: Any, i: Any) -> Any:
        return torch.igamma(x[i], x[i] + 1) * 2

    with caplog.at_level(logging.INFO, logger="mlir_gs.integrations"):
        found = check(function, (torch.rand(6, 5), torch.tensor([0, 5, 5, 2])))
    (_, decisions) = found.graphs[0]
    assert any(op == "aten.igamma" for op, _ in decisions.eager)
    assert any("aten.index.Tensor" in ops for ops in decisions.kernels)
    assert "not compiled: " in caplog.text


def test_elements_that_kernels_do_not_take_are_eager() -> None:
    x = torch.randn(6, 5, dtype=torch.complex64)
    found = check(lambda x, i: x[i] * 2, (x, torch.tensor([0, 5])), kernels=0)
    assert found.kernels == 0
    assert ("aten.index.Tensor", "its elements are complex64") in found.graphs[0][1].eager


def test_options() -> None:
    x, i = torch.randn(6, 5), torch.tensor([0, 5, 5, 2])
    one = torch.compile(
        lambda x, i: x[i], backend="mlir_gs", options={"threads": 1, "rest": "eager"}
    )
    assert torch.equal(one(x, i), x[i])
    torch._dynamo.reset()
    wrong = torch.compile(lambda x, i: x[i], backend="mlir_gs", options={"thread": 1})
    with pytest.raises(
        Exception, match="unknown options \\['thread'\\]; there are threads, rest, kernels"
    ):
        wrong(x, i)


def test_the_backend_is_known_by_name() -> None:
    assert "mlir_gs" in torch._dynamo.list_backends()
    gs.register()
    gs.register()
    assert torch._dynamo.lookup_backend("mlir_gs") is gs.backend


def test_dynamic_sizes_compile_once() -> None:
    counted: list[int] = []

    def counting(gm: Any, inputs: Any) -> Any:
        counted.append(1)
        return gs.backend(gm, inputs, options=EAGER)

    compiled = torch.compile(lambda x, i: x[i].relu(), backend=counting, dynamic=True)
    for size in (4, 9, 30):
        x, i = torch.randn(size, 3), torch.randint(0, size, (2 * size,))
        assert torch.equal(compiled(x, i), x[i].relu())
    assert len(counted) == 1


def test_a_training_loop_changes_parameters_alike() -> None:
    losses = []
    for backend, options in (("eager", None), ("mlir_gs", {"rest": "eager"})):
        torch._dynamo.reset()
        torch.manual_seed(7)
        model = Convolution()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        nodes, senders, receivers = graph(10, 40)
        step = torch.compile(model, backend=backend, options=options)
        for _ in range(5):
            optimizer.zero_grad()
            loss = step(nodes, senders, receivers).square().mean()
            loss.backward()
            optimizer.step()
        losses.append(loss.detach())
    torch.testing.assert_close(losses[0], losses[1], rtol=1e-5, atol=0)


def test_arguments_written_in_place() -> None:
    """Reads before and after the write, by kernels that are cut apart."""

    def function(x: Any, i: Any) -> Any:
        before = x[i] * 2
        x.index_add_(0, i, torch.erfinv(before / 100))
        after = x[i]
        x[i[:1]] = 7.0
        return before, after, torch.sinh(after)[:2] + x[i[:2]]

    i = torch.tensor([0, 5, 2])
    given = torch.rand(6, 5)
    eager, compiled = given.clone(), given.clone()
    wanted = function(eager, i)
    found = torch.compile(function, backend="mlir_gs", fullgraph=True, options=EAGER)(compiled, i)
    same([*found, compiled], [*wanted, eager], 1e-6)
    assert not torch.equal(compiled, given)
