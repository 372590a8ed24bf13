"""Ops that torch-mlir decomposes to other numbers, or that end the process in its passes."""

from collections.abc import Callable
from typing import Any

import pytest
from mlir_gs.frontend import torch as torch_frontend
from mlir_gs.lowering import PassFailure

torch = pytest.importorskip("torch")

from torch_harness import check  # noqa: E402  (after importorskip)

pytestmark = pytest.mark.filterwarnings("ignore")
F = torch.nn.functional
INF, NAN = float("inf"), float("nan")

Each = Callable[..., Any]


def check_all(functions: list[Each], *arguments: Any, tolerance: float = 0.0, **more: Any) -> None:
    """All of them in one program, which takes little longer than one."""

    def run(*given: Any) -> tuple[Any, ...]:
        found = [f(*given) for f in functions]
        listed = [each if isinstance(each, tuple) else (each,) for each in found]
        return tuple(one for each in listed for one in each)

    check(run, arguments, tolerance=tolerance, **more)


def test_divisions() -> None:
    def of(function: Each) -> list[Each]:
        return [lambda x, y: function(x, 3), lambda x, y: function(x, -3), function]

    modes = [
        lambda x, y, mode=mode: torch.div(x, y, rounding_mode=mode) for mode in ("floor", "trunc")
    ]
    functions = [
        f for each in (*modes, torch.floor_divide, torch.fmod, torch.remainder) for f in of(each)
    ]
    large = torch.tensor([2**53 + 1, 2**62 + 3, -(2**53) - 1, -(2**63), 2**63 - 1, 7, -7])
    check_all(functions, large, torch.tensor([3, -5, 7, 2, -2, 2, 2]))
    check_all(
        functions,
        torch.tensor([[-128], [7]], dtype=torch.int8),
        torch.tensor([3, -2], dtype=torch.int8),
    )


def test_divisions_of_floats() -> None:
    def floor(x: Any, y: Any) -> Any:
        return torch.div(x, y, rounding_mode="floor")

    special = torch.tensor([1.0, -1.0, 0.0, -0.0, 6.3, INF, -INF, NAN])
    check_all([floor, torch.fmod, lambda x, y: floor(x, 0.3)], special[:, None], special)


# Leaky ReLUs of torch-mlir add 0 times what they leave out.
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16], ids=str)
def test_leaky_relu(dtype: Any) -> None:
    functions: list[Each] = []
    backward = torch.ops.aten.leaky_relu_backward
    for slope in (0.5, 300, 70000.0, INF, NAN):
        functions.append(lambda g, x, s=slope: F.leaky_relu(x, s))
        functions.append(lambda g, x, s=slope: backward(g, x, s, False))
    x = torch.tensor([1.0, -1.0, 0.0, INF, -INF, NAN], dtype=dtype)
    check_all(functions, torch.tensor([1.0, -2.0, 3.0, INF, 5.0, 6.0], dtype=dtype), x)


@pytest.mark.parametrize("shape", [(3, 4), (1, 2), (0, 2), (3, 0)], ids=str)
def test_variances(shape: tuple[int, ...]) -> None:
    functions: list[Each] = []
    for c in (0, 1, 2, 3, 5, -1):
        functions += [
            lambda x, c=c: torch.var(x, 0, correction=c),
            lambda x, c=c: torch.std(x, correction=c),
            lambda x, c=c: torch.var_mean(x, [0, 1], correction=c)[0],
        ]
    check_all(functions, torch.randn(shape), tolerance=1e-5)


def test_variances_of_sizes_of_run_time() -> None:
    functions = [lambda x, c=c: torch.std(x, 0, correction=c) for c in (0, 1, 4)]
    others = [(torch.randn(n, 2),) for n in (2, 4, 5)]
    check_all(functions, torch.randn(3, 2), tolerance=1e-5, dynamic=({0: "n"},), others=others)


def test_pools_without_a_batch() -> None:
    pools: list[Each] = [
        lambda x: F.avg_pool1d(x, 2, 2, 0, True),
        lambda x: F.max_pool1d(x, 2, 2, 0, 1, True),
        lambda x: F.avg_pool2d(x[None], 2, 2, 0, True, divisor_override=1),
        lambda x: F.adaptive_avg_pool1d(x, 1),
        lambda x: F.avg_pool3d(x[None, None, :2], (1, 1, 2), 2),
    ]
    check_all(pools, torch.randn(3, 5), tolerance=1e-6)


# Of indices in other windows than their elements.
def test_unpooled_anywhere() -> None:
    index = torch.tensor([[[[0, 15], [14, 3]]]])

    def with_and_without_a_batch(x, i):
        return F.max_unpool2d(x, i, 2), F.max_unpool2d(x[0], i[0], 2)

    check(with_and_without_a_batch, (torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), index))


def test_powers_of_integers() -> None:
    functions = [lambda x, n=n: x**n for n in (0, 1, 2, 7, 0.5, -1.5)]
    for dtype in (torch.int8, torch.uint8, torch.int64):
        check_all(functions, torch.tensor([1, 2, 3, 100], dtype=dtype), tolerance=1e-6)


def test_bytes_at_the_nearest_place() -> None:
    picture = torch.arange(16, dtype=torch.uint8).reshape(1, 1, 4, 4) * 16
    check(lambda x: F.interpolate(x, scale_factor=2, mode="nearest"), (picture,))


def test_refused() -> None:
    given, wanted = (f"!torch.vtensor<[{sizes}],complex<f32>>" for sizes in ("1,1", ""))
    call = f"torch.aten.linalg_det %x : {given} -> {wanted}"
    text = f"func.func @main(%x: {given}) -> {wanted} {{\n  %0 = {call}\n  return %0 : {wanted}\n}}"
    with pytest.raises(PassFailure, match="op is not supported: its elements are complex"):
        torch_frontend.load(text)


def odd(*shape: int, seed: int = 0) -> Any:
    """Floats with NaN and infinities among them."""
    generator = torch.Generator().manual_seed(seed)
    found = torch.randn(shape, generator=generator)
    found.view(-1)[::5] = torch.tensor(NAN)
    found.view(-1)[1::7] = -INF
    return found


def test_maxima_have_places_also_of_nan() -> None:
    def pool(count: int, *arguments: Any, **more: Any) -> Each:
        function = getattr(F, f"max_pool{count}d")
        return lambda x: function(x, *arguments, return_indices=True, **more)

    check_all([pool(2, 2), pool(2, 3, 2, 1), pool(2, (3, 2), (2, 1), 1, ceil_mode=True)],
              odd(2, 3, 7, 6))  # fmt: skip
    check_all([pool(2, 2, 3, dilation=2), pool(2, 3, 2, 1)], odd(3, 7, 6))
    check_all([pool(3, 2), pool(3, (3, 2, 1), 2, (1, 1, 0), ceil_mode=True)], odd(2, 2, 5, 6, 4))
    adaptive = F.adaptive_max_pool2d
    sizes = ((2, 2), (3, 5), (1, 1), (7, 6))
    check_all([lambda x, s=s: adaptive(x, s, True) for s in sizes], odd(2, 3, 7, 6))


def test_unpooling_keeps_the_last_of_equal_places() -> None:
    aten = torch.ops.aten
    source = torch.arange(1.0, 17.0).view(1, 2, 2, 2, 2)
    places = torch.tensor([5, 5, 0, 26, 26, 26, 1, 0]).view(1, 1, 2, 2, 2).expand(1, 2, 2, 2, 2)
    check_all([lambda x, i: aten.max_unpool3d(x, i, [3] * 3, [1] * 3, [0] * 3)], source, places)
    check_all([lambda x, i: aten.max_unpool2d(x, i, [3, 9])], source[0], places[0])


def test_the_nearest_of_any_scale() -> None:
    nearest = torch.ops.aten.upsample_nearest2d
    forms = [([2, 2], 0.5, 0.5), ([2, 2], None, None), ([4, 9], None, 1.5), ([7, 3], 0.9, 0.5)]
    for dtype in (torch.float32, torch.float64, torch.float16):
        picture = torch.randn(1, 2, 6, 6).to(dtype)
        check_all([lambda x, form=form: nearest(x, *form) for form in forms], picture)


def test_closeness() -> None:
    functions = [
        lambda x, y, r=r, a=a, n=n: torch.isclose(x, y, r, a, n)
        for r, a, n in ((1e-5, 1e-8, False), (0.1, 0.5, True), (0.0, 0.0, True), (1.0, INF, False))
    ]
    special = torch.tensor([1.0, 1.05, -1.0, 0.0, INF, -INF, NAN, 3e38, -3e38])
    for dtype in (torch.float32, torch.float64, torch.float16):
        check_all(functions, special[:, None].to(dtype), special.to(dtype))


def test_between_and_gradients_of_what_is_not_finite() -> None:
    one, other = odd(40), odd(40, seed=1)
    lerps = [lambda x, y, w=w: torch.lerp(x, y, w) for w in (0.0, 0.25, 0.5, 2.0, -3.0)]
    check_all([*lerps, torch.ops.aten.tanh_backward], one, other, tolerance=1e-6)


def test_gelu_by_tanh() -> None:
    backward = torch.ops.aten.gelu_backward
    functions = [
        lambda g, x: F.gelu(x, approximate="tanh"),
        lambda g, x: backward(g, x, approximate="tanh"),
        lambda g, x: backward(g, x),
    ]
    for dtype, tolerance in ((torch.float64, 1e-12), (torch.float32, 2e-6)):
        x = torch.linspace(-5, 5, 41, dtype=dtype)
        check_all(functions, x.flip(0), x, tolerance=tolerance)


def test_buckets() -> None:
    functions = [lambda x, b, r=r: torch.bucketize(x, b, right=r) for r in (False, True)]
    line = torch.tensor([-INF, -1.0, 0.5, 0.5, 2.0, INF])
    check_all(functions, torch.cat([odd(20), line]), line)
    check_all(
        functions,
        torch.arange(256).to(torch.uint8),
        torch.tensor([1, 100, 200, 255]).to(torch.uint8),
    )
    check_all(functions, odd(4), line[:0])


def test_parts() -> None:
    x = torch.arange(24).view(2, 3, 4)
    check_all([lambda x, d=d: tuple(x.unbind(d))[1] for d in (0, 1, -1)], x)
    check_all([lambda x, n=n: torch.ops.aten.narrow(x, 1, n, 2) for n in (-2, 0, 1)], x)


def test_weights_of_what_is_true_in_a_loss() -> None:
    loss = torch.ops.aten.binary_cross_entropy_with_logits
    x, y = odd(3, 4), torch.rand(3, 4, generator=torch.Generator().manual_seed(3))
    forms = [
        lambda x, y, p, r=reduction, w=weighted: loss(x, y, y if w else None, p, r)
        for reduction in (0, 1, 2, 3, -(1 << 63))
        for weighted in (False, True)
    ]
    for weights in (torch.rand(4), torch.rand(3, 1), torch.rand(3, 4), torch.tensor(0.5)):
        check_all(forms, x.nan_to_num(1.0, 5.0, -5.0), y, weights, tolerance=1e-5)
    check_all(forms, x, y.round(), torch.tensor([1.0, 0.5, 2.0, 3.0]), tolerance=1e-5)


def test_grids_that_may_lead_out_of_bounds_are_refused() -> None:
    picture, grid = "!torch.vtensor<[1,1,4,4],f32>", "!torch.vtensor<[1,4,4,2],f32>"
    text = f"""func.func @main(%x: {picture}, %g: {grid}) -> {picture} {{
  %n = torch.constant.int 0
  %b = torch.constant.bool false
  %0 = torch.aten.grid_sampler %x, %g, %n, %n, %b
      : {picture}, {grid}, !torch.int, !torch.int, !torch.bool -> {picture}
  return %0 : {picture}
}}"""
    with pytest.raises(PassFailure, match=r"'torch\.aten\.grid_sampler' op is not supported"):
        torch_frontend.load(text)
