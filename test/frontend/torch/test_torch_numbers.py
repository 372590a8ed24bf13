"""NaN, infinities, bools, wide shifts and short lists: as eager Torch has them."""

from collections.abc import Callable
from typing import Any

import pytest
from mlir_gs.frontend import torch as torch_frontend
from mlir_gs.lowering import PassFailure

torch = pytest.importorskip("torch")

from torch_harness import Function, check  # noqa: E402  (after importorskip)

pytestmark = pytest.mark.filterwarnings("ignore")

aten = torch.ops.aten
NAN, INF = float("nan"), float("inf")

FLOATS: list[Callable[..., Any]] = [
    lambda x, y: torch.maximum(x, y),
    lambda x, y: torch.minimum(x, y),
    lambda x, y: torch.clamp(x, y, y.flip(0)),
    lambda x, y: x.clamp(-1, 2),
    lambda x, y: x.clamp_min(2),
    lambda x, y: x.clamp_max(NAN),
    lambda x, y: torch.nn.functional.relu6(x),
    lambda x, y: torch.nn.functional.hardtanh(x, -1, 2),
    lambda x, y: torch.nn.functional.hardshrink(x, 0.5),
    lambda x, y: torch.nn.functional.softshrink(x, 0.5),
    lambda x, y: torch.nn.functional.threshold(x, 0.5, 7.0),
    lambda x, y: torch.nn.functional.threshold(x, NAN, 7.0),
    lambda x, y: torch.nn.functional.celu(x, NAN),
    lambda x, y: aten.elu(x, 1.0, 1.0, INF),
    lambda x, y: aten.elu(x, NAN),
    lambda x, y: 1 / x,
    lambda x, y: torch.reciprocal(x),
    lambda x, y: x.argmax(1),
    lambda x, y: x.argmin(),
    lambda x, y: tuple(x.max(0)),
    lambda x, y: tuple(x.min(1, keepdim=True)),
    lambda x, y: tuple(x.sort(1)),
    lambda x, y: tuple(x.sort(1, descending=True)),
    lambda x, y: torch.real(x),
]
BOOLS: list[Callable[..., Any]] = [
    lambda x, y: tuple(x.sort(1)),
    lambda x, y: tuple(x.sort(1, descending=True)),
    lambda x, y: torch.clamp(x, y, None),
    lambda x, y: torch.maximum(x, y),
    lambda x, y: x.clamp(0, 2),
]
INTEGERS: list[Callable[..., Any]] = [
    lambda x: x << 40,
    lambda x: x >> 40,
    lambda x: x << -1,
    lambda x: aten.bitwise_left_shift(x, x),
    lambda x: aten.bitwise_right_shift(x, x),
    lambda x: x == 257,
    lambda x: x < 2**40,
    lambda x: x >= float(2**24),
    lambda x: x.clamp(-1, 2),
    lambda x: torch.reciprocal(x),
]


def gathered(functions: list[Callable[..., Any]]) -> Callable[..., Any]:
    """All of them, behind a gather."""

    def function(i: Any, *given: Any) -> Any:
        found = [each(*(value[i] for value in given)) for each in functions]
        return tuple(
            part for each in found for part in (each if isinstance(each, tuple) else (each,))
        )

    return function


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.float64], ids=str)
def test_floats(dtype: Any) -> None:
    x = torch.tensor([[NAN, INF, -INF], [-0.0, 1.75, -1.25], [NAN, NAN, 1.0]], dtype=dtype)
    y = torch.tensor([[2.0, NAN, 1.0], [0.0, -3.0, NAN], [INF, -INF, 1.0]], dtype=dtype)
    check(gathered(FLOATS), (torch.arange(3), x, y))


def test_bools() -> None:
    x = torch.tensor([[True, False], [True, True], [False, True]])
    check(gathered(BOOLS), (torch.arange(3), x, x.flip(0)))


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int32, torch.int64], ids=str)
def test_integers(dtype: Any) -> None:
    x = torch.tensor([1, 2, 33, 0, 127, 64]).to(dtype)
    check(gathered(INTEGERS), (torch.arange(6), x))


def test_short_lists_and_no_batch() -> None:
    def function(i: Any, x: Any, w: Any) -> Any:
        x = x[i]
        return (
            aten.conv2d(x, w, None, [1], [0], [1], 1),
            *aten.max_pool2d_with_indices(x, [2], [], [1], [1, 1]),
            *aten.max_pool2d_with_indices(x[None], [2, 2], [1], [1], [1]),
        )

    x, w = torch.arange(144.0).reshape(4, 6, 6), torch.arange(48.0).reshape(3, 4, 2, 2)
    check(function, (torch.arange(4), x, w))


def test_a_view_without_elements() -> None:
    check(lambda x: torch.as_strided_copy(x, [0], [0], 1), (torch.arange(6.0),))


def test_what_only_an_empty_result_uses() -> None:
    check(lambda x: aten._log_softmax(x, 0, False), (torch.zeros(0, dtype=torch.int8),))


def test_equal_elements_of_kthvalue_are_refused() -> None:
    kth = Function(lambda x: tuple(x.kthvalue(1)))
    with pytest.raises(PassFailure, match=r"'torch\.aten\.kthvalue' op is not supported"):
        torch_frontend.load(kth, torch.tensor([1.0, 1.0]))


TRANSPOSED: list[tuple[Any, ...]] = [
    # (sizes, channels of the weight, kernel), stride, padding, output_padding, groups, dilation
    ((1, 4, 3), 3, (3,), 2, 1, 1, 1, 1),
    ((4, 1), 2, (2,), 1, 0, 0, 2, 3),
    ((0, 2, 3), 1, (2,), 2, 0, 0, 1, 1),
    ((2, 4, 3, 2), 3, (2, 3), (3, 1), (0, 1), (2, 0), 2, 1),
    ((2, 3, 2), 1, (1, 2), 2, 0, 1, 1, (1, 2)),
    ((1, 2, 2, 1, 3), 2, (2, 2, 1), 2, 1, 1, 1, 2),
]


@pytest.mark.parametrize("form", TRANSPOSED)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_transposed_convolutions_keep_to_what_a_weight_reaches(form: Any, dtype: Any) -> None:
    sizes, outputs, kernel, stride, padding, more, groups, dilation = form
    rank = len(kernel)
    made = torch.Generator().manual_seed(rank)
    x = torch.randint(-4, 5, sizes, generator=made).to(dtype)
    w = torch.randint(-4, 5, (sizes[-rank - 1], outputs, *kernel), generator=made).to(dtype)
    w.view(-1)[0], w.view(-1)[-1] = INF, NAN
    bias = torch.arange(outputs * groups).to(dtype)
    convolve = getattr(torch.nn.functional, f"conv_transpose{rank}d")
    check(lambda x, w, b: convolve(x, w, b, stride, padding, more, groups, dilation), [x, w, bias])
    if len(sizes) == rank + 2:
        lists = [[each] * rank if isinstance(each, int) else list(each) for each in form[3:6]]
        spread = [dilation] * rank if isinstance(dilation, int) else list(dilation)

        def low(x: Any, w: Any) -> Any:
            return aten.convolution(x, w, None, *lists[:2], spread, True, lists[2], groups)

        check(low, [x, w])


def test_transposed_convolutions_of_dynamic_sizes() -> None:
    def function(x: Any, w: Any) -> Any:
        return torch.nn.functional.conv_transpose1d(x, w, stride=2, padding=1, output_padding=1)

    w = torch.tensor([[[1.0, INF, 2.0]], [[3.0, 4.0, 5.0]]])
    arguments = [[torch.arange(2.0 * n * m).reshape(n, 2, m), w] for n, m in ((2, 4), (3, 7))]
    dynamic: list[Any] = [{0: "batch", 2: "size"}, None]
    check(function, arguments[0], dynamic=dynamic, others=arguments[1:])
