"""Searches, different values, and cumulative values within groups, beside NumPy."""

from typing import Any

import ml_dtypes
import mlir_gs
import numpy as np
import pytest
from mlir_gs.execution.functions import uniques

INTEGERS = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")
FLOATS = ("f2", "f4", "f8")


def values(kind: str, size: int, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    dtype = np.dtype(kind)
    if dtype.kind == "f":
        found = np.round(rng.normal(size=size) * 3, 1).astype(dtype)
        found[rng.random(size) < 0.1] = np.nan
        return found
    if dtype.kind == "b":
        return rng.integers(0, 2, size).astype(dtype)
    ends = np.iinfo(dtype)
    near = [ends.min, ends.min + 1, ends.max, ends.max - 1, 7, 8]
    return np.array(near, dtype)[rng.integers(0, len(near), size)]


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("kind", [*INTEGERS, *FLOATS, "?"])
def test_searchsorted(kind: str, side: str) -> None:
    a, v = np.sort(values(kind, 57)), values(kind, 40, 1).reshape(5, 8)
    found = mlir_gs.searchsorted(a, v, side)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, np.searchsorted(a, v, side))


def test_searchsorted_of_other_forms() -> None:
    a = np.array([30, 10, 20])
    order = np.argsort(a)
    assert mlir_gs.searchsorted(a, 20, sorter=order) == 1
    assert mlir_gs.searchsorted(np.array([], "f4"), np.ones(3)).tolist() == [0, 0, 0]
    assert mlir_gs.searchsorted([1, 2, 3], np.empty((0, 2))).shape == (0, 2)
    mixed = np.array([-1.5, 2, 7])
    np.testing.assert_array_equal(
        mlir_gs.searchsorted(np.arange(9, dtype="i4")[::2], mixed), [0, 1, 4]
    )
    texts = np.array(["a", "c"])
    assert mlir_gs.searchsorted(texts, np.array(["b"])).tolist() == [1]
    for wrong in (
        lambda: mlir_gs.searchsorted(np.zeros((2, 2)), 1),
        lambda: mlir_gs.searchsorted(a, 1, "middle"),
        lambda: mlir_gs.searchsorted(a, 1, sorter=[0]),
    ):
        with pytest.raises(ValueError, match="must"):
            wrong()
    with pytest.raises(IndexError, match="out of bounds"):
        mlir_gs.searchsorted(a, 1, sorter=[0, 1, 3])


def test_searchsorted_on_threads() -> None:
    rng = np.random.default_rng(3)
    a, v = np.sort(rng.normal(size=10_000)), rng.normal(size=30_000)
    np.testing.assert_array_equal(mlir_gs.searchsorted(a, v), np.searchsorted(a, v))


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("kind", ["i1", "u2", "i4", "u8", "f2", "f4", "f8"])
@pytest.mark.parametrize("keys", [0, 1, 3, 5000])
def test_searchsorted_of_values_that_ascend(keys: int, kind: str, side: str) -> None:
    """All, in groups, from NaN on, equal ones, below and above all keys."""
    rng, ends = np.random.default_rng(keys), 120 if kind == "i1" else 250
    a = np.sort(rng.integers(10, ends - 10, keys)).astype(kind)
    v = np.sort(rng.integers(0, ends, 4700)).astype(kind)
    grouped = np.sort(rng.integers(0, ends, 4700).reshape(47, 100)).ravel().astype(kind)
    if a.dtype.kind == "f":
        v[:37], grouped[200:203] = np.nan, np.nan
    for given in (v, v[::-1], v[4000:], grouped, np.repeat(v[:5], 40)):
        found = mlir_gs.searchsorted(a, given, side)
        np.testing.assert_array_equal(found, np.searchsorted(a, given, side))


@pytest.mark.parametrize("kind", [*INTEGERS, *FLOATS, "?", "c8", "U3"])
def test_unique(kind: str) -> None:
    if kind in ("c8", "U3"):
        x = np.array(["b", "a", "b"]) if kind == "U3" else np.array([1j, 1, 1j], kind)
    else:
        x = values(kind, 60).reshape(6, 10)
    for given in (x, x.reshape(-1)[:0], x.reshape(-1)[:1]):
        found = mlir_gs.unique(given, True, True, True)
        wanted = np.unique(given, True, True, True)
        for one, other in zip(found, wanted, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(mlir_gs.unique(x), np.unique(x))


@pytest.mark.parametrize("kind", INTEGERS)
def test_unique_of_a_narrow_span(kind: str) -> None:
    """Counted, next to the ends of the type too."""
    ends = np.iinfo(kind)
    for least in (ends.min, ends.max - 20):
        steps = np.random.default_rng(5).integers(0, 21, 50)
        x = np.array([least + int(step) for step in steps], kind)
        found = mlir_gs.unique(x, True, True, True)
        for one, other in zip(found, np.unique(x, True, True, True), strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)


def wide(kind: str, size: int) -> Any:
    """Integers of which a part is equal: at the ends of the type, at strides, anywhere."""
    rng = np.random.default_rng(size)
    bits = 8 * np.dtype(kind).itemsize
    steps = np.arange(64, dtype="u8") << np.uint64(bits - 7)
    some = rng.integers(0, 1 << 62, size // 3).astype("u8")
    every = np.concatenate([values(kind, 20).astype(kind), steps.astype(kind), some.astype(kind)])
    return every[rng.integers(0, len(every), size)]


def test_unique_of_integers_that_collide() -> None:
    """Keys that all begin at one slot of the first hash table."""
    with np.errstate(over="ignore"):
        keys = np.arange(5000, dtype="u8") * np.uint64(pow(uniques._GOLDEN, -1, 1 << 64))
    x = (keys ^ (keys >> np.uint64(32)))[::-1]
    found, wanted = mlir_gs.unique(x, True, True), np.unique(x, True, True)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other, strict=True)
    codes, different = mlir_gs.factorize(x)
    np.testing.assert_array_equal(codes, np.arange(5000), strict=True)
    np.testing.assert_array_equal(different, x, strict=True)


@pytest.mark.parametrize("span", [50, 1 << 30])
def test_unique_of_another_byte_order(span: int) -> None:
    x = np.random.default_rng(0).integers(0, span, 2000).astype("i4")
    other = x.astype(x.dtype.newbyteorder())
    found, wanted = mlir_gs.unique(other, True, True), np.unique(other, True, True)
    for one, two in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, two, strict=True)
        assert one.dtype == two.dtype


def test_unique_of_unaligned_integers() -> None:
    x = np.zeros(8 * 2000 + 1, "u1")[1:].view("i8")
    x[...] = np.random.default_rng(0).integers(-(1 << 60), 1 << 60, 2000)
    for one, other in zip(mlir_gs.unique(x, True, True), np.unique(x, True, True), strict=True):
        np.testing.assert_array_equal(one, other, strict=True)
    np.testing.assert_array_equal(mlir_gs.factorize(x)[1], x)


@pytest.mark.parametrize("size", [1024, 20_000])
@pytest.mark.parametrize("kind", ["i4", "u4", "i8", "u8", ">i8", ">u4"])
def test_unique_of_a_wide_span(kind: str, size: int) -> None:
    x = wide(kind, 2 * size)[::2]
    wanted = np.unique(x, True, True, True)
    for n in range(1, 4):
        asked = [n == 1, n == 2, n == 3]
        found = mlir_gs.unique(x, *asked)
        np.testing.assert_array_equal(found[0], wanted[0], strict=True)
        np.testing.assert_array_equal(found[1], wanted[n], strict=True)
    for one, other in zip(mlir_gs.unique(x, True, True, True), wanted, strict=True):
        np.testing.assert_array_equal(one, other, strict=True)
    np.testing.assert_array_equal(mlir_gs.unique(x), wanted[0], strict=True)
    order = np.argsort(wanted[1])
    codes, different = mlir_gs.factorize(x)
    np.testing.assert_array_equal(different, wanted[0][order], strict=True)
    np.testing.assert_array_equal(codes, np.argsort(order)[wanted[2]], strict=True)
    assert x.flags.writeable


def factorized(x: Any, sort: bool) -> tuple[list[int], list[Any]]:
    known = sorted({each for each in x.tolist() if each == each}) if sort else []
    codes = []
    for each in x.tolist():
        if each != each:
            codes.append(-1)
            continue
        if each not in known:
            known.append(each)
        codes.append(known.index(each))
    return codes, known


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("kind", ["i2", "u8", "f4", "?"])
def test_factorize(kind: str, sort: bool) -> None:
    for size in (50, 1, 0):
        x = values(kind, size)
        codes, uniques = mlir_gs.factorize(x, sort)
        wanted, known = factorized(x, sort)
        assert codes.tolist() == wanted
        assert uniques.tolist() == known
        assert uniques.dtype == x.dtype
    with pytest.raises(ValueError, match="rank 1"):
        mlir_gs.factorize(np.zeros((2, 2)))


NUMPY = {
    "segment_cumsum": np.cumsum,
    "segment_cumprod": np.cumprod,
    "segment_cummin": np.minimum.accumulate,
    "segment_cummax": np.maximum.accumulate,
}


@pytest.mark.parametrize("name", NUMPY)
@pytest.mark.parametrize("kind", ["?", "u1", "i2", "u8", "f2", "f4", "bf16"])
def test_cumulative(kind: str, name: str) -> None:
    small = values("f4" if kind == "bf16" else kind, 90).reshape(30, 3)
    x = small.astype(ml_dtypes.bfloat16) if kind == "bf16" else small
    ids = np.random.default_rng(2).integers(0, 5, 30).astype("u2")
    found = getattr(mlir_gs, name)(x, ids)
    with np.errstate(all="ignore"):
        wanted = np.empty(x.shape, NUMPY[name](x[:1], axis=0).dtype)
        for each in range(5):
            wanted[ids == each] = NUMPY[name](x[ids == each], axis=0)
    assert found.dtype == wanted.dtype
    # NumPy does not know that NaN of bfloat16 is NaN.
    exact = np.float64 if kind == "bf16" else wanted.dtype
    np.testing.assert_array_equal(found.astype(exact), wanted.astype(exact))


def test_cumulative_of_many_rows_of_some_widths() -> None:
    rng = np.random.default_rng(8)
    ids = rng.integers(0, 70, 20_000).astype(np.int16)
    for shape in ((), (1,), (3,), (2, 2), (600,)):
        data = rng.integers(-9, 9, (20_000, *shape)).astype(np.float32)
        found = mlir_gs.segment_cummax(data, ids)
        for one in (0, 69):
            rows = ids == one
            np.testing.assert_array_equal(found[rows], np.maximum.accumulate(data[rows]))


def test_cumulative_of_other_forms() -> None:
    assert mlir_gs.segment_cumsum(np.zeros((0, 2), "f4"), np.empty(0, int)).shape == (0, 2)
    assert mlir_gs.segment_cumsum(np.zeros((3, 0)), [0, 1, 0]).shape == (3, 0)
    assert mlir_gs.segment_cumsum([1, 2, 4], [1, 0, 1]).tolist() == [1, 2, 5]
    assert mlir_gs.segment_cumsum(np.array([1j, 2, 1]), [1, 1, 0]).tolist() == [1j, 2 + 1j, 1]
    assert mlir_gs.segment_cumcount(np.array([3, 0, 3, 3], "u1")).tolist() == [0, 0, 1, 2]
    assert mlir_gs.segment_cumcount([]).tolist() == []
    ids = np.random.default_rng(0).integers(0, 70, 40000)
    for kind in ("u1", "i2", "i4", "u4", "i8", "u8"):
        found = mlir_gs.segment_cumcount(ids.astype(kind))
        np.testing.assert_array_equal(found, mlir_gs.segment_cumsum(np.ones(40000, int), ids) - 1)
    with pytest.raises(ValueError, match="segment_ids must not be negative"):
        mlir_gs.segment_cumcount([0, -1])
    for wrong in ([0, -1, 0], [0, 1], [[0, 1, 2]]):
        with pytest.raises(ValueError, match="segment_ids must"):
            mlir_gs.segment_cumsum([1, 2, 4], wrong)
    with pytest.raises(TypeError, match="no order"):
        mlir_gs.segment_cummax(np.array([1j]), [0])


def ranked(x: Any, ids: Any, method: str) -> list[float]:
    """As it is said: of each number, those in its group."""
    result = []
    for k, one in enumerate(x):
        group = x[(ids == ids[k]) & (x == x)]
        less, equal = (group < one).sum(), (group == one).sum()
        first = less + (x[:k][ids[:k] == ids[k]] == one).sum() + 1
        dense = len(set(group[group < one].tolist())) + 1
        known = {"min": less + 1, "max": less + equal, "first": first, "dense": dense}
        known["average"] = less + (equal + 1) / 2
        result.append(float(known[method]) if one == one else np.nan)
    return result


@pytest.mark.parametrize("method", ["average", "min", "max", "first", "dense"])
@pytest.mark.parametrize("kind", ["i4", "u8", "f4"])
def test_rank(kind: str, method: str) -> None:
    x, ids = values(kind, 60), np.random.default_rng(4).integers(0, 4, 60)
    np.testing.assert_array_equal(mlir_gs.segment_rank(x, ids, method), ranked(x, ids, method))
    assert mlir_gs.segment_rank(x[:0], ids[:0], method).shape == (0,)


def test_rank_is_refused() -> None:
    with pytest.raises(ValueError, match="method must be one of average, min"):
        mlir_gs.segment_rank([1], [0], "median")
    with pytest.raises(ValueError, match="data must have shape"):
        mlir_gs.segment_rank([1, 2], [0])


@pytest.mark.parametrize("kind", ["i1", "u8", "f8"])
def test_nunique(kind: str) -> None:
    x, ids = values(kind, 50), np.random.default_rng(4).integers(0, 6, 50)
    found = mlir_gs.segment_nunique(x, ids, 8)
    wanted = [len({each for each in x[ids == k].tolist() if each == each}) for k in range(8)]
    assert found.tolist() == wanted
    assert mlir_gs.segment_nunique(x, ids, 3).tolist() == wanted[:3]
    assert mlir_gs.segment_nunique(x[:0], ids[:0]).tolist() == []
    with pytest.raises(ValueError, match="segment_ids must"):
        mlir_gs.segment_nunique(x, ids[:3])


def test_results_are_of_the_framework(needs: Any) -> None:
    torch = needs("torch")
    x, ids = torch.tensor([3, 1, 3, 2]), torch.tensor([0, 1, 0, 1])
    for found, wanted in (
        (mlir_gs.unique(x), [1, 2, 3]),
        (mlir_gs.factorize(x)[0], [0, 1, 0, 2]),
        (mlir_gs.searchsorted(torch.tensor([1, 2, 3]), x), [2, 0, 2, 1]),
        (mlir_gs.segment_cumsum(x, ids), [3, 1, 6, 3]),
        (mlir_gs.segment_nunique(x, ids), [1, 2]),
        (mlir_gs.segment_rank(x, ids, "dense"), [1.0, 1.0, 1.0, 2.0]),
    ):
        assert isinstance(found, torch.Tensor)
        assert found.tolist() == wanted
