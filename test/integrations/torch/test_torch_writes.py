"""Writes to inputs and buffers: in place, with the values of eager Torch, and nothing copied."""

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import mlir_gs.integrations.torch.dynamo_backend as dynamo_backend  # noqa: E402  (after importorskip)
from mlir_gs.integrations import torch as gs  # noqa: E402  (after importorskip)
from torch.profiler import profile  # noqa: E402  (after importorskip)
from torch_checks import EAGER, fresh  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.

ROWS, WIDTH = 64, 16


def copied(x: torch.Tensor, rows: torch.Tensor, i: torch.Tensor) -> None:
    x.index_copy_(0, i, rows)


def put(x: torch.Tensor, rows: torch.Tensor, i: torch.Tensor) -> None:
    x[i] = rows


def put_and_added(x: torch.Tensor, rows: torch.Tensor, i: torch.Tensor) -> None:
    x.index_put_((i,), rows, accumulate=True)
    x.index_add_(0, i + 1, rows)


def sliced(x: torch.Tensor, rows: torch.Tensor, i: torch.Tensor) -> None:
    x[3:5] = rows
    x[7] = rows[0]


def slices_of_slices(x: torch.Tensor, rows: torch.Tensor, i: torch.Tensor) -> None:
    x[9, 2:4] = 1.0
    x[20:30, 1:3][2:4] = rows[:, :2]
    x[:, 3][10:12] += rows[:, 0]


def one_after_the_other(x: torch.Tensor, rows: torch.Tensor, i: torch.Tensor) -> None:
    x[3:5] = rows
    x.index_copy_(0, i, rows + 1)
    x[4, 2] = 7.0


WRITES = (copied, put, put_and_added, sliced, one_after_the_other)


def _step(write: Callable[..., None]) -> Callable[..., Any]:
    """A step with a gather, which becomes a kernel, that reads what was written."""

    def step(x: Any, rows: Any, i: Any, table: Any, ids: Any) -> Any:
        write(x, rows, i)
        return x[:6] * 2, table[ids].sum(0) + x[4]

    return step


def _given(rows: int = ROWS) -> list[torch.Tensor]:
    """Whole numbers: their sums are the same in any order."""
    x, some, table = (torch.randint(-9, 9, (n, WIDTH)).float() for n in (rows, 2, 10))
    return [x, some, torch.tensor([4, 1]), table, torch.randint(0, 10, (7,))]


def _same(function: Callable[..., Any], compiled: Callable[..., Any], given: list[Any]) -> None:
    theirs, ours = ([each.clone() for each in given] for _ in range(2))
    wanted, found = function(*theirs), compiled(*ours)
    for a, b in zip((*found, *ours), (*wanted, *theirs), strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=0)


@pytest.mark.parametrize("write", [*WRITES, slices_of_slices], ids=lambda w: w.__name__)
@pytest.mark.parametrize("dynamic", [False, True])
def test_values(write: Callable[..., None], dynamic: bool) -> None:
    step = _step(write)
    explained = gs.explain(step, dynamic=dynamic, fullgraph=True, options=EAGER)
    _same(step, lambda *a: explained(*a)[0], _given())
    _same(step, lambda *a: explained(*a)[0], _given(ROWS + dynamic))


@pytest.mark.parametrize("write", WRITES, ids=lambda w: w.__name__)
def test_nothing_of_the_size_of_the_input_is_allocated(write: Callable[..., None]) -> None:
    given = _given(10_000)
    explained = gs.explain(_step(write), fullgraph=True, options=EAGER)
    _, found = explained(*given)
    assert found.kernels == 1
    assert "writes to an input in place" in str(found)
    with profile(profile_memory=True) as profiled:
        explained(*given)
    most = max(event.self_cpu_memory_usage for event in profiled.events())
    assert most < given[0].nbytes // 10


def scaled(x: torch.Tensor, rows: torch.Tensor, i: torch.Tensor) -> None:
    x.mul_(2.0).add_(1.0)


RESULTS: dict[str, Callable[[torch.Tensor], Any]] = {
    "it": lambda x: (x,),
    "twice": lambda x: (x, x),
    "and a part": lambda x: (x, x[0]),
    "and a sum": lambda x: (x.sum(0), x),
}


@pytest.mark.parametrize("write", [*WRITES, scaled], ids=lambda w: w.__name__)
@pytest.mark.parametrize("result", RESULTS)
def test_what_is_written_to_is_a_result(write: Callable[..., None], result: str) -> None:
    def step(x: Any, rows: Any, i: Any) -> Any:
        write(x, rows, i)
        return RESULTS[result](x)

    compiled = torch.compile(step, backend="mlir_gs", dynamic=False, options=EAGER)
    _same(step, compiled, _given()[:3])
    x = _given()
    found = compiled(*x[:3])
    assert any(each is x[0] for each in found)


def test_what_was_there_before_is_read() -> None:
    def before(x: Any, rows: Any, i: Any, table: Any, ids: Any) -> Any:
        old = x[i] * 2
        x.index_copy_(0, i, rows)
        return old, table[ids] + x[i].sum()

    _same(before, torch.compile(before, backend="mlir_gs", options=EAGER), _given())

    def itself(x: Any, rows: Any, i: Any, table: Any, ids: Any) -> Any:
        x[i] = x[i + 1] + 1
        return x[:2] * 1, table[ids]

    _same(itself, torch.compile(itself, backend="mlir_gs", options=EAGER), _given())


def test_a_buffer_while_training() -> None:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = torch.nn.Parameter(torch.ones(10, WIDTH))
            self.register_buffer("seen", torch.zeros(1000))

        def forward(self, ids: torch.Tensor) -> torch.Tensor:
            self.seen.index_add_(0, ids, torch.ones(len(ids)))
            return (self.table[ids] * self.seen[ids, None]).sum()

    eager, plain = Model(), Model()
    compiled = torch.compile(plain, backend="mlir_gs", options=EAGER)
    ids = torch.tensor([3, 1, 3])
    for _ in range(2):
        torch.testing.assert_close(compiled(ids), eager(ids))
        compiled(ids).backward()
        eager(ids).backward()
    torch.testing.assert_close(plain.seen, eager.seen)
    torch.testing.assert_close(plain.table.grad, eager.table.grad)


def _no_gathers(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return (x * y).tanh().sum(1)


def test_a_graph_without_kernels_and_a_compiler_is_eager(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise dynamo_backend.InvalidCxxCompiler

    monkeypatch.setattr(dynamo_backend, "get_cpp_compiler", missing)
    x, y = torch.randn(3, 4), torch.randn(3, 4)
    found, explained = gs.explain(_no_gathers)(x, y)
    assert "eager: aten.tanh: not an op that kernels take" in str(explained)
    assert torch.equal(found, _no_gathers(x, y))


def test_a_gradient_with_kernels_is_not_handed_on() -> None:
    x = torch.randn(5, 4, requires_grad=True)
    found, explained = gs.explain(lambda x, i: x[i].tanh().sum(), options=EAGER)(
        x, torch.tensor([1, 1, 3])
    )
    found.backward()
    assert explained.kernels >= 1
