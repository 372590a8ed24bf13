"""Counts and norms of tables: dynamic sizes, numbers that are rounded, and errors of the call."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch_harness import Function, as_array, check, compare, compiled  # noqa: E402  (as above)

pytestmark = pytest.mark.filterwarnings("ignore")

HALVES = (torch.float16, torch.bfloat16)
DYNAMIC: dict[str, tuple[Callable[..., Any], Callable[[int], list[Any]]]] = {
    "roll": (lambda x: torch.roll(x, -5), lambda n: [torch.randn(n, 3)]),
    "roll far": (
        lambda x: torch.roll(x, (50, -7, 3, -1 << 40), (0, 1, 0, 1)),
        lambda n: [torch.randn(n, 3)],
    ),
    "bincount": (
        lambda i, w: torch.bincount(i, w, 4),
        lambda n: [torch.randint(0, 6, (n,)), torch.randn(n)],
    ),
    "repeat_interleave": (
        lambda x, i: torch.repeat_interleave(x, i, 0),
        lambda n: [torch.randn(n, 3), torch.randint(0, 4, (n,))],
    ),
    "histc": (lambda x: torch.histc(x, 6), lambda n: [torch.randn(n, 3)]),
}


@pytest.mark.parametrize("name", DYNAMIC)
def test_dynamic_sizes(name: str) -> None:
    function, arguments = DYNAMIC[name]
    torch.manual_seed(3)
    given = [arguments(n) for n in (8, 2, 1, 30)]
    check(function, given[0], dynamic=[{0: "n"} for _ in given[0]], others=given[1:])


def test_roll_of_bounded_sizes() -> None:
    program, n = Function(lambda x: x.roll((1, 7), (0, 1))), torch.export.Dim("n", min=2, max=64)
    kernel = compiled(program, torch.randn(4, 3), dynamic_shapes=(({0: n},),))
    for n in (4, 2, 30):
        x = torch.randn(n, 3)
        np.testing.assert_array_equal(kernel(as_array(x)), program(x))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, *HALVES])
def test_numbers_that_the_type_rounds(dtype: Any) -> None:
    """Comparisons take a number to the type of the elements, and what is made of them does."""
    x = torch.tensor([0.1, 0.3, -0.3, 0.7, float("nan"), 2.0]).to(dtype)
    check(lambda x: (x == 0.1, x != 0.1, x <= 0.3, x < 0.3, x >= -0.3, x > 2), [x])
    check(lambda x: torch.nn.functional.hardshrink(x, 0.3).float(), [x])
    check(lambda x: torch.nn.functional.threshold(x, 0.3, 9.0).float(), [x])
    gradient = torch.tensor([1.0, 2.0, 3.0, float("nan"), 5.0, -0.0]).to(dtype)
    for name in ("hardshrink_backward", "softshrink_backward"):
        function = getattr(torch.ops.aten, name)
        check(lambda g, x, f=function: f(g, x, 0.3).float(), [gradient, x])
        check(lambda g, x, f=function: f(g, x, float("inf")).float(), [gradient, x])


def test_what_is_given_is_returned() -> None:
    x = torch.tensor([0.1, -0.0, float("nan")])
    check(lambda x: x, [x])
    check(lambda x, y: (y, x, x), [x, x[None]])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, *HALVES])
def test_histogram_of_edges(dtype: Any) -> None:
    """Elements at the edges of bins, outside of them, infinite and NaN, in order of rounding."""
    edges = torch.linspace(-1, 2, 8, dtype=torch.float64)
    near = torch.nextafter(edges, torch.tensor(9.0, dtype=torch.float64))
    odd = torch.tensor([float("nan"), float("inf"), -float("inf"), -1.0, 2.0, -0.0])
    x = torch.cat([edges, near, odd.double(), torch.randn(60).double()]).to(dtype)
    check(lambda x: torch.histc(x, 7, -1, 2), [x])
    check(lambda x: torch.histc(x[:1], 3), [x])
    check(lambda x: torch.histc(x, 3), [x[:0]])


@pytest.mark.parametrize("power", [0.0, 1.0, 2.0, 3.0, float("inf")])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, *HALVES])
def test_max_norm(power: float, dtype: Any) -> None:
    """The table is written to: the kernel gives the new one first."""

    def function(table: Any, i: Any) -> Any:
        return torch.nn.functional.embedding(i, table, max_norm=1.5, norm_type=power)

    table = (torch.randn(9, 5) * torch.arange(9)[:, None] / 2).to(dtype)
    i = torch.tensor([[3, 8, 3], [0, 5, 1]])
    kernel = compiled(Function(function), table.clone(), i)
    tolerance = 2e-2 if dtype == torch.bfloat16 else 2e-3 if dtype == torch.float16 else 1e-6
    found = kernel(as_array(table), as_array(i))
    wanted = function(table, i)
    for got, right in zip(found, (table, wanted), strict=True):
        compare(np.asarray(got), as_array(right), tolerance)


def test_max_norm_of_a_module() -> None:
    module = torch.nn.EmbeddingBag(7, 4, max_norm=0.5, mode="sum")
    before = module.weight.detach().clone()
    i, offsets = torch.tensor([1, 2, 2, 6]), torch.tensor([0, 3])
    kernel = compiled(module, i, offsets)
    module.weight.data.copy_(before)
    found = kernel(as_array(i), as_array(offsets))
    wanted = module(i, offsets)
    compare(np.asarray(found[0]), as_array(module.weight), 1e-6)
    compare(np.asarray(found[1]), as_array(wanted), 1e-6)


WRONG: dict[str, tuple[Callable[..., Any], Any, Any, type]] = {
    "coordinate -1": (torch.bincount, torch.tensor([1, 2]), torch.tensor([1, -1]), IndexError),
    "repeats must not be negative": (
        torch.repeat_interleave, torch.tensor([1, 2]), torch.tensor([1, -1]), RuntimeError,
    ),
    "the sum of the repeats": (
        lambda i: torch.repeat_interleave(i, output_size=3),
        torch.tensor([1, 2]), torch.tensor([1, 1]), RuntimeError,
    ),
    "is not finite": (
        lambda x: torch.histc(x, 3), torch.tensor([1.0, 2.0]),
        torch.tensor([1.0, float("nan")]), RuntimeError,
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_wrong_input(text: str) -> None:
    function, right, wrong, kind = WRONG[text]
    kernel = compiled(Function(function), right)
    with pytest.raises(RuntimeError):
        function(wrong)
    with pytest.raises(kind, match=text):
        kernel(as_array(wrong))
