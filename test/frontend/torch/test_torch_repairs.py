"""Forms on which torch-mlir's conversions end the process: no elements, and 8-bit integers."""

from collections.abc import Callable
from typing import Any

import pytest
from mlir_gs import compile
from mlir_gs.frontend import torch as torch_frontend
from mlir_gs.lowering import PassFailure

torch = pytest.importorskip("torch")

from torch_harness import Function, check  # noqa: E402  (after importorskip)

pytestmark = pytest.mark.filterwarnings("ignore")

# Of a table and the rows that are read of it.
EMPTY: list[Callable[..., Any]] = [
    lambda x, i: x[i].reshape(i.shape[0], 4) + 1,
    lambda x, i: x[i].reshape(0, 2, 2) + 1,
    lambda x, i: x[i].flatten() * 2,
    lambda x, i: x[i].unflatten(1, (2, 2)) * 2,
    lambda x, i: x[i].unsqueeze(0).squeeze(0) * 2,
    lambda x, i: x[i].repeat(2, 2),
    lambda x, i: x.repeat(0, 2),
    lambda x, i: torch.tile(x[i], (2, 1)),
    lambda x, i: torch.cat([x[i], x]),
    lambda x, i: x[i].roll(1, 0).flip(0),
    lambda x, i: x[i].sum(0),
]
ARITHMETIC: list[Callable[..., Any]] = [
    lambda x: x * 2,
    lambda x: x - 2,
    lambda x: 2 - x,
    lambda x: x + x * x,
    lambda x: x // 3,
    lambda x: x % 3,
    lambda x: -x,
    lambda x: x.clamp(1, 3),
    lambda x: x.masked_fill(x > 2, 7),
    lambda x: torch.full_like(x, 3) * x,
    lambda x: torch.maximum(x, x * x),
    lambda x: torch.nn.functional.pad(x, (1, 1), value=3),
    lambda x: (x & (x + 3)) | ~x,
    lambda x: (x.to(torch.float32) * 1.5).to(x.dtype),
    lambda x: x.sort().values,
    lambda x: x.max(0).values.expand(9),
    lambda x: x.argmax().expand(9),
    lambda x: x / 2,
    lambda x: torch.where(x > 2, x, x.to(torch.float32)),
    lambda x: torch.cat([x, x.to(torch.float32)]),
]


def test_no_rows() -> None:
    def function(x: Any, i: Any) -> Any:
        return tuple(each(x, i) for each in EMPTY)

    check(function, (torch.randn(6, 4), torch.zeros(0, dtype=torch.int64)))


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8], ids=str)
def test_bytes(dtype: Any) -> None:
    def function(x: Any, i: Any) -> Any:
        return tuple(each(x)[i] for each in ARITHMETIC)

    values = [0, 1, 2, 3, 77, 127, -128, -1, -5]
    x = torch.tensor(values if dtype == torch.int8 else [each % 256 for each in values])
    check(function, (x.to(dtype), torch.arange(9)))


def test_negated_integers() -> None:
    check(lambda x, i: -x[i], (torch.tensor([2**63 - 1, -(2**63), 2**53 + 1]), torch.arange(3)))


@pytest.mark.parametrize("diagonal", [-1, 2**63 - 1, -(2**63)])
def test_far_diagonals(diagonal: int) -> None:
    def function(x: Any, i: Any) -> Any:
        return torch.tril(x, diagonal)[i], torch.triu(x, diagonal)[i]

    check(function, (torch.ones(2, 3), torch.arange(2)))


def test_other_strides() -> None:
    alias = torch.ops.aten._reshape_alias

    def function(x: Any, i: Any) -> Any:
        return alias(x, [3, 2], [1, 3])[i], alias(x, [3, 2], [2, 1])[i]

    check(function, (torch.arange(6.0).reshape(2, 3), torch.arange(3)))


def test_bytes_in_other_ops_are_refused() -> None:
    pool = Function(lambda x: torch.nn.functional.avg_pool2d(x, 2))
    with pytest.raises(PassFailure, match=r"avg_pool2d.* op is not supported: .*8 bits"):
        torch_frontend.load(pool, torch.zeros(1, 1, 4, 4, dtype=torch.int8))


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8])
@pytest.mark.parametrize("size", [(2,), (3, 2, 1)], ids=str)
def test_largest_bytes(dtype: torch.dtype, size: tuple[int, ...]) -> None:
    draw = torch.Generator().manual_seed(0)
    x = torch.randint(0, 256, (2, 3, 6, 5), generator=draw).to(dtype)
    check(lambda x: torch.nn.functional.max_pool2d(x, *size), (x,))


# torch-mlir folds it to the table itself.
@pytest.mark.parametrize("columns", [3, 0])
def test_the_only_row_is_checked(columns: int) -> None:
    function = Function(lambda x, i: x.index_select(0, i))
    table, index = torch.ones(1, columns), torch.tensor([5])
    kernel = compile(torch_frontend.load(function, table, index), "main", threads=1)
    assert kernel(table.numpy(), index.numpy() * 0).shape == (1, columns)
    with pytest.raises(IndexError, match="coordinate 5 at position"):
        kernel(table.numpy(), index.numpy())
