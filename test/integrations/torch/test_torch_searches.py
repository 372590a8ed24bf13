"""searchsorted and bucketize under torch.compile against eager Torch."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations import torch as gs  # noqa: E402  (after importorskip)
from torch_checks import EAGER, fresh  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.
_FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
_INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
_NAN, _INF = float("nan"), float("inf")


def _values(dtype: Any, *shape: int) -> Any:
    found = torch.randint(0, 100, shape).to(dtype)
    if dtype.is_floating_point and found.numel():
        odd = torch.tensor([_NAN, -_INF, _INF, -0.0, 0.0], dtype=dtype)
        at = torch.randint(0, 9, shape)
        found = torch.where(at < 5, odd[at.clamp(max=4)], found / 8)
    return found


def _keys(dtype: Any, *shape: int) -> Any:
    """They ascend, with some that are equal, zeros of both signs and infinities."""
    return _values(dtype, *shape).nan_to_num(nan=3.0, posinf=_INF, neginf=-_INF).sort(-1)[0]


def _check(
    function: Any, *given: Any, dynamic: bool = False, kernels: int = 1, **more: Any
) -> None:
    options = {"kernels": "all", **more}
    found, said = gs.explain(function, dynamic=dynamic, options=options)(*given)
    wanted = function(*given)
    assert said.kernels == kernels
    assert (found.dtype, found.stride()) == (wanted.dtype, wanted.stride())
    assert torch.equal(found, wanted)


@pytest.mark.parametrize("dtype", [*_FLOATS, *_INTEGERS])
@pytest.mark.parametrize("right", [False, True])
def test_each_dtype(dtype: Any, right: bool) -> None:
    keys, values = _keys(dtype, 77), _values(dtype, 5, 100)
    _check(lambda a, v: torch.searchsorted(a, v, right=right), keys, values)
    _check(lambda a, v: torch.bucketize(v, a, out_int32=True, right=right), keys, values)


@pytest.mark.filterwarnings("ignore:torch.searchsorted.*data types")
@pytest.mark.parametrize("dtypes", zip([*_FLOATS, *_INTEGERS], [*_INTEGERS, *_FLOATS], strict=True))
def test_two_dtypes(dtypes: Any) -> None:
    keys, values = _keys(dtypes[0], 30), _values(dtypes[1], 50)
    _check(lambda a, v: torch.searchsorted(a, v), keys, values)
    _check(lambda a, v: torch.searchsorted(a, v[3]), keys, values)


@pytest.mark.filterwarnings("ignore:torch.searchsorted.*contiguous")
@pytest.mark.parametrize("dtype", [torch.float32, torch.int64])
def test_rows_sides_and_sorters(dtype: Any) -> None:
    keys, values = _keys(dtype, 3, 2, 40), _values(dtype, 3, 2, 33)
    for side in ("left", "right"):
        _check(lambda a, v, s=side: torch.searchsorted(a, v, side=s), keys, values)
    order = torch.rand(keys.shape).argsort(-1)
    mixed = torch.empty_like(keys).scatter_(-1, order, keys)
    _check(lambda a, v, o: torch.searchsorted(a, v, sorter=o), mixed, values, order, kernels=0)
    _check(lambda a, v: torch.searchsorted(a, v), keys.mT.contiguous().mT, values.flip(-1))
    _check(lambda a, v: torch.searchsorted(a[..., ::2], v[..., ::3], side="right"), keys, values)


@pytest.mark.parametrize("shapes", [((0,), (4,)), ((4,), (0,)), ((2, 0), (2, 3)), ((5,), ())])
def test_few_elements(shapes: Any) -> None:
    keys, values = _keys(torch.float32, *shapes[0]), _values(torch.float32, *shapes[1])
    _check(lambda a, v: torch.searchsorted(a, v), keys, values)


def test_keys_that_are_nan_are_torch_s() -> None:
    keys = torch.cat([_keys(torch.float32, 9), torch.full((6,), _NAN)])
    for right in (False, True):
        values = _values(torch.float32, 300)
        _check(lambda a, v, r=right: torch.searchsorted(a, v, right=r), keys, values)


def test_sizes_that_change_and_what_is_computed_around() -> None:
    function = torch.compile(
        lambda a, v: torch.bucketize(v * 2, a + 1) - 1, backend="mlir_gs", dynamic=True
    )
    for keys, count in ((900, 3000), (77, 5000), (1200, 4001)):
        a, v = torch.rand(keys).sort()[0], torch.rand(count)
        assert torch.equal(function(a, v), torch.bucketize(v * 2, a + 1) - 1)


def test_with_eager_torch() -> None:
    keys, values = _keys(torch.float32, 1000), _values(torch.float32, 40_000)
    _check(lambda a, v: torch.searchsorted(a, v).sin(), keys, values, **EAGER)


def test_what_gains_nothing_is_torch_s() -> None:
    keys, values = _keys(torch.float32, 1000), _values(torch.float32, 8)
    for given, kernels in (((keys, values), 0), ((keys, values.repeat(5000)), 1)):
        _, said = gs.explain(lambda a, v: torch.searchsorted(a, v))(*given)
        assert said.kernels == kernels
    _check(lambda a: torch.searchsorted(a, 3.0), keys)


def test_errors_are_torch_s() -> None:
    keys, values = _keys(torch.float32, 4, 10), _values(torch.float32, 4, 20)
    search = torch.compile(torch.searchsorted, backend="mlir_gs", options={"kernels": "all"})
    for given, more in (
        ((keys, values[:2]), {}),
        ((keys, values), {"right": True, "side": "left"}),
        ((keys, values), {"side": "middle"}),
        ((keys, values), {"sorter": torch.full((4, 10), 10)}),
        ((keys, values), {"sorter": torch.full((4, 10), -1)}),
    ):
        with pytest.raises(RuntimeError) as wanted:
            torch.searchsorted(*given, **more)
        with pytest.raises(Exception) as found:  # noqa: PT011  (Dynamo wraps what fails)
            search(*given, **more)
        assert str(wanted.value).split("\n")[0] in str(found.value)
