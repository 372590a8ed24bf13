"""What stands between gathers in torch.compile(backend="mlir_gs"): it goes into their kernel."""

from itertools import product
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations.torch import Explanation  # noqa: E402  (after importorskip)
from torch_checks import check, fresh, same  # noqa: E402  (after importorskip)
from torch_programs import bilinear, rotary  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.

pytestmark = pytest.mark.filterwarnings("ignore")


BETWEEN = {"aten.cat", "aten.ceil", "aten.clamp", "aten.floor", "aten._to_copy", "aten.empty_like"}


def left(found: Explanation) -> set[str]:
    """The ops between gathers that stay with Torch."""
    return {op for _, decisions in found.graphs for op, _ in decisions.eager} & BETWEEN


def permuted(x: Any, order: Any, weights: Any) -> Any:
    back = torch.empty_like(order)
    back[order] = torch.arange(order.numel())
    return (x[order] * weights)[back]


def inverse(order: Any) -> Any:
    back = torch.empty(order.numel(), dtype=torch.int64)
    back[order] = torch.arange(order.numel())
    return back


def test_one_kernel() -> None:
    calls = [(torch.rand(9, 13), torch.rand(50) * 8, torch.rand(50) * 12)]
    assert not left(check(bilinear, *calls, dynamic=True, tolerance=1e-5))
    table, place = torch.rand(20, 8), torch.randint(0, 20, (2, 6))
    call = (torch.rand(2, 3, 6, 8), table, table + 1, place)
    assert not left(check(rotary, call, tolerance=1e-5))
    assert not check(inverse, (torch.randperm(30),), dynamic=True).graphs[0][1].eager
    call = (torch.rand(30, 4), torch.randperm(30), torch.rand(4))
    assert not left(check(permuted, call, tolerance=1e-5))


ALONG = {
    "masked_fill": lambda x, i, m: x[i].masked_fill(m, 2.0) * 2,
    "repeat": lambda x, i, m: x[i].repeat(2, 3) * 2,
    "constant_pad_nd": lambda x, i, m: torch.nn.functional.pad(x[i], (1, 2, 0, 1), value=3) * 2,
    "cumsum": lambda x, i, m: x[torch.cumsum(i // 9, 0).clamp(max=8)] * 2,
    "exp": lambda x, i, m: torch.zeros(9, 4).index_add(0, i, torch.exp(x[i]) * torch.sqrt(x[i])),
    "sigmoid": lambda x, i, m: torch.zeros(9, 4).index_add(0, i, torch.sigmoid(x[i])),
    "_unsafe_index": lambda x, i, m: torch.ops.aten._unsafe_index(x, [i, None]) * 2,
    "_unsafe_index_put": lambda x, i, m: (
        torch.ops.aten._unsafe_index_put(x, [i], x.repeat(2, 1)[:15] + 1, True) * 2
    ),
}


@pytest.mark.parametrize("name", ALONG)
def test_goes_along(name: str) -> None:
    call = (torch.rand(9, 4, requires_grad=name != "sigmoid"), torch.randint(0, 9, (15,)))
    found = check(ALONG[name], (*call, torch.rand(15, 4) < 0.5), dynamic=True, tolerance=1e-6)
    assert all(len(decisions.kernels) == 1 for _, decisions in found.graphs)
    assert not {op for _, d in found.graphs for op, _ in d.eager if name in op}


def test_gradients() -> None:
    def some(*shape: int) -> Any:
        return torch.rand(shape, requires_grad=True)

    for function, call in (
        (bilinear, (some(9, 13), torch.rand(50) * 8, torch.rand(50) * 12)),
        (rotary, (some(2, 3, 6, 8), some(20, 8), some(20, 8), torch.randint(0, 20, (2, 6)))),
    ):
        assert not left(check(function, call, tolerance=1e-5))


FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
DTYPES = [torch.bool, torch.int32, torch.int64, *FLOATS]


def numbers(dtype: Any, to: Any) -> Any:
    """Those whose conversion is defined, with ties and what is rounded twice by others."""
    if dtype == torch.bool:
        return torch.rand(200) > 0.5
    if not dtype.is_floating_point:
        return torch.randint(-(2**31), 2**31 - 1, (200,)).to(dtype)
    found = torch.randn(200, dtype=torch.float64) * 1000
    if to.is_floating_point:
        found[:4] = torch.tensor([float("nan"), float("inf"), -0.0, 1e-8])
        found[4:60] *= 1e-9
        found[60:80] = 1 + torch.arange(20) * 2.0**-11 + 2.0**-40
    return found.to(dtype)


def test_casts_round_as_eager_torch_does() -> None:
    pairs = [(a, b) for a, b in product(DTYPES, DTYPES) if a != b]
    place = torch.randint(0, 200, (150,))

    def function(*given: Any) -> Any:
        return tuple(x.to(to)[place] for x, (_, to) in zip(given, pairs, strict=True))

    found = check(function, [numbers(*pair) for pair in pairs])
    assert not left(found)


def test_floor_and_clamp_at_their_edges() -> None:
    values = torch.tensor([float("nan"), -1.5, -0.5, 0, -0.0, 0.5, 1.5, 2.5, *[float("inf")] * 2])
    place = torch.arange(10)

    def function(*given: Any) -> Any:
        return tuple(
            each[place]
            for x in given
            for each in (
                x.floor(), x.ceil(), x.clamp(-1, 1), x.clamp(min=1), x.clamp(max=-1),
                x.clamp(1, -1), torch.cat((x[7:], x, x[:0])),
            )
        )  # fmt: skip

    found = check(function, [values.to(dtype) for dtype in FLOATS])
    assert not left(found)


def test_squares_and_roots_round_as_eager_torch_does() -> None:
    edges = [float("nan"), -1.0, -0.0, 0.0, float("inf"), 1e-40, 1e30]
    values = torch.cat((torch.tensor(edges), torch.rand(500) * 100))
    place = torch.randperm(len(values))

    def function(*given: Any) -> Any:
        return tuple(y for x in given for y in (x[place] ** 2, x[place].square(), x[place].rsqrt()))

    found = check(function, [values.to(dtype) for dtype in FLOATS])
    eager = {op for _, decisions in found.graphs for op, _ in decisions.eager}
    assert "aten.pow.Tensor_Scalar" not in eager
    singles = check(function, [values, values.double()])
    assert not [op for _, decisions in singles.graphs for op, _ in decisions.eager]


def test_a_layer_norm_spelled_out_is_one_kernel() -> None:
    def function(table: Any, ids: Any, weight: Any, bias: Any) -> Any:
        rows = table[ids]
        middle = rows - rows.mean(-1, keepdim=True)
        spread = (middle**2).mean(-1, keepdim=True)
        return middle * torch.rsqrt(spread + 1e-5) * weight + bias

    call = (torch.rand(9, 24), torch.randint(0, 9, (4, 3)), torch.rand(24), torch.rand(24))
    found = check(function, call, tolerance=1e-5)
    assert not [op for _, decisions in found.graphs for op, _ in decisions.eager]


HALVES = [torch.bfloat16, torch.float16]


@pytest.mark.parametrize("dtype", HALVES)
def test_cubes_and_products_of_halves_are_rounded_as_eager_torch_does(dtype: Any) -> None:
    x, place = torch.randn(50, 24).to(dtype), torch.randint(0, 50, (30,))
    check(lambda x, i: (x[i] ** 3, x[i] / 9.7979589, x[i].prod(-1), x[i].mean()), (x, place))


@pytest.mark.parametrize("dtype", HALVES)
def test_statistics_of_halves_are_taken_as_they_come(dtype: Any) -> None:
    """Torch traces those of a batch norm in single precision."""
    norms = [torch.nn.BatchNorm1d(8).to(dtype) for _ in range(2)]
    given = torch.randn(50, 8).to(dtype), torch.randint(0, 30, (30,))

    def run(norm: Any, x: Any, i: Any) -> Any:
        return norm(x[i])[i] * 2, norm.running_mean

    compiled = torch.compile(run, backend="mlir_gs", options={"rest": "eager"})
    for _ in range(2):
        same(compiled(norms[0], *given), run(norms[1], *given))


@pytest.mark.parametrize("width", [8, 32, 40])
@pytest.mark.parametrize("dtype", HALVES)
def test_multiples_of_halves_that_are_added_at_places_are_torchs(dtype: Any, width: int) -> None:
    """Torch rounds them once in its vectors, and twice behind these."""
    means, x, place = torch.randn(9, width), torch.randn(50, width), torch.randint(0, 9, (50,))

    def run(means: Any, x: Any, place: Any) -> Any:
        means.index_add_(0, place, x - means[place], alpha=0.1)
        return means[place] * 2

    compiled = torch.compile(run, backend="mlir_gs", options={"rest": "eager"})
    given = [(means.to(dtype), x.to(dtype), place) for _ in range(2)]
    same(compiled(*given[0]), run(*given[1]))
    assert torch.equal(given[0][0], given[1][0])


@pytest.mark.parametrize("dtype", HALVES)
def test_multiples_of_numbers_that_are_added_to_halves_are_torchs(dtype: Any) -> None:
    def run(x: Any, place: Any, t: Any) -> Any:
        number = 9.7979589
        plus, minus = torch.add(x[place], number, alpha=1.3), torch.rsub(x[place], number, alpha=3)
        return plus, minus, torch.add(x[place], t, alpha=2), torch.sub(t, x[place], alpha=2)

    x = torch.randn(50, 40).to(dtype)
    x[0], number = 65504, torch.tensor(9.7979589)
    compiled = torch.compile(run, backend="mlir_gs", options={"rest": "eager"})
    for t in (number, number.to(dtype), number.double()):
        given = x, torch.randint(0, 50, (30,)), t
        assert all(map(same_bits, compiled(*given), run(*given)))


def same_bits(got: Any, expected: Any) -> bool:
    return (
        torch.equal(got.nan_to_num(nan=7), expected.nan_to_num(nan=7))
        and got.dtype is expected.dtype
    )
