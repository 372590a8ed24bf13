"""Sums, products and means of many halves, bit for bit as Torch's CPU kernels round them."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch_harness import check  # noqa: E402  (after importorskip)

pytestmark = pytest.mark.filterwarnings("ignore")

MANY = 3000
"""More than bfloat16 counts, and so many that a sum rounded at each step is another one."""
HALVES = [torch.bfloat16, torch.float16]

Function = Callable[..., Any]


def _reduces(op: str, name: str, dim: int) -> Function:
    """With and without self, in one program."""

    def function(x: Any, i: Any, v: Any) -> Any:
        along = i if op == "index_reduce" else i.reshape(-1, *[1] * (1 - dim)).expand_as(v)
        call = getattr(torch, op)
        return tuple(call(x, dim, along, v, name, include_self=own) for own in (True, False))

    return function


CASES: dict[str, Function] = {
    f"{op} {name} {dim}": _reduces(op, name, dim)
    for op, names in {
        "scatter_reduce": ("sum", "mean", "prod"),
        "index_reduce": ("mean", "prod"),
    }.items()
    for name in names
    for dim in (0, 1)
} | {
    "scatter_add": lambda x, i, v: x.scatter_add(0, i[:, None].expand_as(v), v),
    "scatter add": lambda x, i, v: x.scatter(0, i[:, None].expand_as(v), v, reduce="add"),
    "scatter multiply": lambda x, i, v: x.scatter(0, i[:, None].expand_as(v), v, reduce="multiply"),
    "scatter value add": lambda x, i, v: x.scatter(0, i[:, None].expand_as(v), 1.3, reduce="add"),
    "index_add": lambda x, i, v: x.index_add(0, i, v),
    "index_add of int32": lambda x, i, v: x.index_add(0, i.int(), v),
    "index_add alpha": lambda x, i, v: x.index_add(0, i, v, alpha=1.7),
    "index_add of the last dim": lambda x, i, v: x.t().index_add(1, i, v.t()),
    "index_add of an inner dim": lambda x, i, v: x[None, :, :].index_add(1, i, v[None]),
    "index_add of a vector": lambda x, i, v: x[:, 0].index_add(0, i, v[:, 0]),
    "index_put": lambda x, i, v: x.index_put((i,), v, accumulate=True),
    "put": lambda x, i, v: x.put(i, v[:, 0], accumulate=True),
}


def _arguments(name: str, dtype: Any) -> Sequence[Any]:
    is_product = "prod" in name or "multiply" in name
    count = 30 if is_product else MANY
    dim = 1 if name.endswith(" 1") else 0
    shape, wide = ((3, 2), (count, 2)) if dim == 0 else ((2, 3), (2, count))
    x, v = (torch.rand(s) + 0.5 if is_product else torch.randn(s) * 3 for s in (shape, wide))
    return x.to(dtype), torch.randint(0, 3, (count,)), v.to(dtype)


@pytest.mark.parametrize("name", CASES)
def test_halves(name: str) -> None:
    torch.manual_seed(3)
    given = [each for dtype in HALVES for each in _arguments(name, dtype)]
    case = CASES[name]

    def function(*arguments: Any) -> Any:
        found = [case(*arguments[:3]), case(*arguments[3:])]
        return tuple(t for each in found for t in (each if isinstance(each, tuple) else (each,)))

    check(function, given)


def test_counts_that_overflow() -> None:
    """Torch's counts of float16 are float16, too: infinite above 65504."""

    def function(x: Any, i: Any, v: Any) -> Any:
        return tuple(
            call(x, 0, i, v, "mean", include_self=False)
            for call in (torch.scatter_reduce, torch.index_reduce)
        )

    v = torch.full((70_000,), 0.5, dtype=torch.float16)
    check(function, (v[:2].clone(), torch.zeros(len(v), dtype=torch.int64), v))


NUMBER = 9.7979589
"""Neither bfloat16 nor float16 has it."""
BY_NUMBERS: dict[str, Function] = {
    "mul": lambda x, y, n: x * NUMBER,
    "div": lambda x, y, n: x / NUMBER,
    "div by an integer": lambda x, y, n: x / 1001,
    "a tensor of rank 0": lambda x, y, n: (x * n, x / n, x * n.long(), n * x, x * n.to(x.dtype)),
    "add": lambda x, y, n: (x + NUMBER, x - NUMBER, NUMBER - x),
    "add of a multiple": lambda x, y, n: torch.add(x, y, alpha=NUMBER),
    "sub of a multiple": lambda x, y, n: torch.sub(x, y, alpha=NUMBER),
    "rsub of a multiple": lambda x, y, n: torch.rsub(x, y, alpha=NUMBER),
    "broadcast": lambda x, y, n: torch.add(x[:1], y, alpha=1.7) * NUMBER,
}


@pytest.mark.parametrize("name", BY_NUMBERS)
def test_halves_and_numbers(name: str) -> None:
    """Factors and divisors are in single precision; terms are halves, and rounded with the sum: in
    Torch's vectors, of which the rows are several."""
    torch.manual_seed(4)
    case = BY_NUMBERS[name]

    def function(n: Any, *pairs: Any) -> Any:
        found = [case(*pairs[at : at + 2], n) for at in (0, 2)]
        return tuple(t for each in found for t in (each if isinstance(each, tuple) else (each,)))

    pairs = [torch.randn(5, 64).to(dtype) for dtype in HALVES for _ in range(2)]
    check(function, [torch.tensor(NUMBER), *pairs])
