"""Few elements that NumPy moves are what kernels give."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import at, segment_max, segment_sum, take_along_axis
from mlir_gs.execution.functions import access, along, copies, direct, few, masks, segments
from mlir_gs.execution.functions import at as indexers

X = np.arange(120, dtype=np.float32).reshape(5, 6, 4)
IDS = np.array([3, -1, 0, 3, -5])
FLAGS = X[:, 0, 0] % 48 == 0

INSIDE = {
    "rows": IDS,
    "rows of bytes": IDS.astype(np.int8),
    "rows of two dims": IDS[:4].reshape(2, 2),
    "points": (IDS, IDS),
    "three": (IDS, IDS, IDS.clip(-4, 3)),
    "no points": IDS[:0],
    "mask": FLAGS,
    "mask of two dims": X[..., 0] > 30,
    "reversed": (slice(None, None, -1), slice(None, None, -1)),
    "every other, last dim": (..., slice(1, None, 2)),
    "new dim": (None, slice(1, 3)),
    "all": (),
    "nothing": slice(3, 3),
}
OTHER = {
    "outside": np.array([9, 0, -8]),
    "one outside": (IDS, np.array([0, 1, 2, 3, 99])),
    "unsigned": np.array([2**64 - 2, 1], np.uint64),
    "mask that does not fit": FLAGS[1:],
    "mask and rows": (FLAGS, np.array([2, 2, -1])),
    "masks that do not fit": (FLAGS, np.array([1, 2, 3])),
    "too many": (IDS, IDS, IDS, IDS),
    "columns": (slice(None), IDS),
    "number": 3,
    "two ellipses": (..., slice(2), ...),
}
NUMPY = {"VIEW": 1 << 12, "MOST": 1 << 10}


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except (IndexError, ValueError, TypeError) as error:
        return type(error), str(error)


def by_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in NUMPY.items():
        monkeypatch.setattr(few, name, limit)


def same(found: Any, expected: Any, what: str) -> None:
    assert type(found) is type(expected), what
    if isinstance(expected, np.ndarray):
        assert found.dtype == expected.dtype, what
        assert found.flags.c_contiguous, what
        assert found.flags.writeable, what
        np.testing.assert_array_equal(found, expected, err_msg=what, strict=True)
    else:
        assert found == expected, what


def test_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = [X, X[::-1], np.asfortranarray(X)]
    calls = [
        (f"{name}, {array.strides}", at(array)[index].get, array)
        for name, index in (INSIDE | OTHER).items()
        for array in arrays
    ]
    kernels = [outcome(call) for _, call, _ in calls]
    by_numpy(monkeypatch)
    for (name, call, array), expected in zip(calls, kernels, strict=True):
        found = outcome(call)
        same(found, expected, name)
        assert type(found) is tuple or not np.may_share_memory(found, array), name


def test_numpy_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a kernel was asked")

    by_numpy(monkeypatch)
    for module in (indexers, access, masks):
        for name in ("read", "kernel", "compile"):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, refuse)
    monkeypatch.setattr(copies, "copied", refuse)
    monkeypatch.setattr(direct, "_readers", {})
    for name, index in INSIDE.items():
        if type(index) is tuple and len(index) > 1 and not few.are_slices(index):
            # A kernel reads at several arrays faster than NumPy.
            continue
        for x in (X, X.astype(np.int16), X.astype(ml_dtypes.bfloat16)):
            same(at(x)[index].get(), np.ascontiguousarray(x[index]), name)
    for mask in (FLAGS, X > 3):
        found, expected = at(X)[mask].set(5.5), X.copy()
        expected[mask] = 5.5
        same(found, expected, "set")


def test_elements_that_gs_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    by_numpy(monkeypatch)
    for index in (IDS, slice(2), FLAGS):
        with pytest.raises(TypeError, match="are not supported"):
            at(X.astype(np.longdouble))[index].get()


def test_promises_are_kept_by_small_calls() -> None:
    ids = np.array([0, 0, 2, 7])
    expected = segment_sum(X[:4, 0], ids, 4)
    for _ in range(2):
        found = segment_sum(X[:4, 0], ids, 4, indices_are_sorted=True)
        np.testing.assert_array_equal(found, expected, strict=True)


@pytest.mark.parametrize("dtype", [np.float64, np.uint8])
@pytest.mark.parametrize(
    ("reduce", "by_numpy", "empty"), [(segment_sum, np.add, 0), (segment_max, np.maximum, None)]
)
def test_segments_again(
    reduce: Any, by_numpy: Any, empty: Any, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, ids = np.arange(10).astype(dtype), np.array([0, 0, 1, 1, 1, 3, 3, 9, -1, 3])
    least = -np.inf if dtype == np.float64 else np.iinfo(dtype).min
    expected = np.full(4, least if empty is None else empty, dtype)
    inside = (ids >= 0) & (ids < 4)
    by_numpy.at(expected, ids[inside], data[inside])
    for _ in range(3):
        np.testing.assert_array_equal(reduce(data, ids, 4), expected, strict=True)
    # The kernel of these calls is known: neither bodies nor coordinates are looked for.
    monkeypatch.setattr(segments, "body_for", None)
    monkeypatch.setattr(segments, "match", None)
    np.testing.assert_array_equal(reduce(data, ids, 4), expected, strict=True)
    with pytest.raises(ValueError, match="one id for each row"):
        reduce(data[1:], ids, 4)
    with pytest.raises(ValueError, match="num_segments must be 0 or more, found -1"):
        reduce(data, ids, -1)


def test_take_along_axis_again(monkeypatch: pytest.MonkeyPatch) -> None:
    x, ids = np.arange(12.0).reshape(4, 3), np.array([[2, 0], [0, -1], [1, 1], [2, 2]])
    for a, i in ((x, ids), (x[:, 0], ids[:, 0])):
        for _ in range(3):
            same(take_along_axis(a, i), np.take_along_axis(a, i, -1), "known")
        with pytest.raises(IndexError, match="index 9 is out of bounds"):
            take_along_axis(a, i * 0 + 9)
    with pytest.raises(IndexError, match="shape mismatch"):
        take_along_axis(x, ids[1:])
    monkeypatch.setattr(along, "_matched", None)
    same(take_along_axis(x[1:, 0], ids[:, 0] * 0), x[1, 0].repeat(4), "of another length")


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
def test_reads_at_tuples_again(dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x = X.astype(dtype)
    ids = np.array([4, 0, 2, 2]), np.array([5, 1, 0, 3], np.int32), np.array([3, 1, 1, 0])
    for count in (1, 2, 3):
        view = x.reshape(*x.shape[:count], *[-1][: 3 - count])
        for _ in range(3):
            same(at(view)[ids[:count]].get(), view[ids[:count]], "known")
        other = view[::-1]
        same(at(other)[ids[:count]].get(), other[ids[:count]], "strided")
        back = tuple(-1 - one for one in ids[:count])
        same(at(view)[back].get(), view[back], "from the end")
        far = tuple(one + 9 for one in ids[:count])
        last = tuple(np.full(4, size - 1) for size in x.shape[:count])
        same(at(view)[far].get(), view[last], "clipped")
        with pytest.raises(IndexError, match="too many indices"):
            at(view)[(*ids[:count], *ids)].get()
    with pytest.raises(IndexError, match="broadcast"):
        at(x)[ids[0], ids[1][:3]].get()
    monkeypatch.setattr(indexers, "read", None)
    same(at(x)[ids].get(), x[ids], "the known kernel alone")


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64"])
def test_few_rows_are_numpys(monkeypatch: pytest.MonkeyPatch, dtype: str) -> None:
    by_numpy(monkeypatch)
    x = np.random.default_rng(0).random((2, 2, 3, 4))
    for source in (x, x[..., ::2], x[:, :, :0], x.swapaxes(0, 1)):
        shape = (2, 2) if dtype == "bool" else (2,)
        index = np.array([1, 0], dtype).repeat(len(shape)).reshape(shape)
        found = few.read(source, index)
        assert found is not None
        assert found.flags.c_contiguous
        np.testing.assert_array_equal(found, source[index])
