"""Arrays of another byte order and unaligned ones are copied, wherever they are given and whatever
kernels are at hand; masked ones are refused."""

from collections.abc import Callable
from typing import Any

import mlir_gs as gs
import numpy as np
import pytest

KEPT = "unique", "unique numbers", "factorize", "segment_nunique"
"""Where NumPy gives results of the other byte order."""

RNG = np.random.default_rng(0)
Array = np.ndarray[Any, Any]


def swapped(x: Array) -> Array:
    return x.astype(x.dtype.newbyteorder())


def unaligned(x: Array) -> Array:
    found = np.ndarray(x.shape, x.dtype, bytearray(x.nbytes + 1), 1)
    found[...] = x
    return found


def _at(name: str, in_place: bool = False) -> Callable[..., Any]:
    def call(x: Array, ids: Array, *values: Array) -> Any:
        indexer = gs.at(x, in_place=in_place)[ids]
        return getattr(indexer, name)(*values)

    return call


def _put(x: Array, ids: Array, values: Array) -> Array:
    gs.put_along_axis(x, ids, values, 0)
    return x


def _taken(x: Array, ids: Array, out: Array) -> Array:
    assert gs.take(x, ids, out=out) is out
    return out


def arguments(n: int) -> dict[str, tuple[Callable[..., Any], tuple[Array, ...]]]:
    """Functions and what they are called with, of `n` elements or rows."""
    x, y = (RNG.integers(-9, 9, n).astype(np.float32) for _ in range(2))
    rows = RNG.integers(-9, 9, (n, 3)).astype(np.float32)
    ids = RNG.integers(0, n, n)
    several = np.sort(RNG.integers(0, 9, n))
    calls: dict[str, tuple[Callable[..., Any], tuple[Array, ...]]] = {
        "take": (gs.take, (x, ids)),
        "take out": (_taken, (x, ids, np.zeros(n, np.float32))),
        "take_along_axis": (gs.take_along_axis, (x, ids)),
        "put_along_axis": (_put, (x, ids, y)),
        "gather_nd": (gs.gather_nd, (rows, ids[:, None])),
        "scatter_nd": (gs.scatter_nd, (x, ids[:, None], y)),
        "segment_softmax": (gs.segment_softmax, (x, several)),
        "gather_segment_sum": (gs.gather_segment_sum, (rows, ids, several, np.array(9), y)),
        "gather_segment_mean": (gs.gather_segment_mean, (x, ids, several)),
        "gather_segment_max": (gs.gather_segment_max, (x, ids, several)),
        "bincount": (gs.bincount, (several, x)),
        "histogram": (gs.histogram, (x, np.arange(5.0))),
        "histogram2d": (gs.histogram2d, (x, y)),
        "searchsorted": (gs.searchsorted, (np.sort(x), y)),
        "group": (gs.group, (several,)),
        "group_values": (gs.group_values, (several, x, rows)),
        "unique": (gs.unique, (x,)),
        "unique numbers": (gs.unique, (ids,)),
        "factorize": (gs.factorize, (ids,)),
        "segment_nunique": (gs.segment_nunique, (ids, several)),
        "segment_cumsum": (gs.segment_cumsum, (x, several)),
        "segment_cummax": (gs.segment_cummax, (rows, several)),
        "segment_cumcount": (gs.segment_cumcount, (several,)),
        "segment_rank": (gs.segment_rank, (x, several)),
        "gathered_matmul": (gs.gathered_matmul, (rows, ids, rows[:3].copy())),
        "embedding_bag": (gs.embedding_bag, (ids, rows, np.arange(0, n, 10))),
    }
    for name in ("sum", "prod", "min", "max", "mean", "argmin", "argmax"):
        function = getattr(gs, f"segment_{name}")
        calls[f"segment_{name}"] = function, (x, several)
        calls[f"segment_{name} rows"] = function, (rows, several)
    for name in ("set", "add", "subtract", "multiply", "divide", "min", "max"):
        calls[f"at {name}"] = _at(name), (x, ids, y)
        calls[f"at rows {name}"] = _at(name), (rows, ids, rows[::-1].copy())
        calls[f"in place {name}"] = _at(name, True), (x, ids, y)
    calls["at get"], calls["at get rows"] = (_at("get"), (x, ids)), (_at("get"), (rows, ids))
    calls["at slice"] = (lambda x: gs.at(x)[2:9].get(), (x,))
    return calls


@pytest.mark.parametrize("name", arguments(1))
@pytest.mark.parametrize("count", [100, 20_000])
def test_same_results(name: str, count: int) -> None:
    function, given = arguments(count)[name]
    is_written = name.startswith(("in place", "put", "take out"))

    def call(place: int = -1, change: Callable[[Array], Array] = np.copy) -> tuple[Any, Array]:
        arrays = [change(x) if n == place else x.copy() for n, x in enumerate(given)]
        found = function(*arrays)
        written = arrays[-1 if name == "take out" else 0]
        return found if isinstance(found, tuple) else (found,), written

    wanted, written = call()
    for change in (swapped, unaligned, swapped):
        for place in range(len(given)):
            found, other = call(place, change)
            np.testing.assert_array_equal(other, written)
            for one, two in zip(found, wanted, strict=True):
                np.testing.assert_array_equal(one, two)
                assert one.dtype.isnative or is_written or name in KEPT
        call()  # Kernels for plain arrays are at hand from here on.


@pytest.mark.parametrize("name", arguments(1))
def test_masked_arrays_are_refused(name: str) -> None:
    function, given = arguments(100)[name]
    for place in range(len(given)):
        if not given[place].ndim:
            continue
        arrays = [x.copy() for x in given]
        masked = [np.ma.masked_array(x) if n == place else x for n, x in enumerate(arrays)]
        with pytest.raises(TypeError, match=r"would lose its mask|out must be"):
            function(*masked)
        for one, other in zip(arrays, given, strict=True):
            np.testing.assert_array_equal(one, other)


def test_conjugate_views_are_not_written() -> None:
    """They are read as copies, in which what is written would be lost."""
    torch = pytest.importorskip("torch")
    ids = torch.tensor([2, 0])
    for view in (torch.tensor([1j, 2, 3]).conj(), torch.tensor([1j, 2, 3]).conj().imag):
        was, new = view.tolist(), torch.ones(2, dtype=view.dtype)
        assert gs.take(view, ids).tolist() == view[ids].tolist()
        assert gs.at(view)[ids].set(new).tolist() == [1, was[1], 1]
        for call in (
            lambda view=view, new=new: gs.at(view, in_place=True)[ids].set(new),
            lambda view=view, new=new: gs.at(view, in_place=True)[ids].multiply(new),
            lambda view=view: gs.at(view, in_place=True)[ids].apply(lambda x: x + 1),
            lambda view=view, new=new: gs.put_along_axis(view, ids, new, 0),
            lambda view=view, new=new: gs.take(new, ids[:0].new_tensor([0, 1, 0]), out=view),
        ):
            with pytest.raises((TypeError, ValueError), match=r"can(not)? be written"):
                call()
        assert view.tolist() == was


@pytest.mark.parametrize("value", [None, "a", [1, None, 2], object()])
def test_values_that_are_no_numbers(value: Any) -> None:
    x, ids = np.arange(4), np.array([1, 2, 3])
    for call in (
        lambda: gs.at(x)[ids].set(value),
        lambda: gs.at(x, in_place=True)[ids].add(value),
        lambda: gs.put_along_axis(x, ids, value, 0),
        lambda: gs.scatter_nd(x, ids[:, None], value),
    ):
        with pytest.raises((TypeError, ValueError), match=r"(values|updates) must "):
            call()
    np.testing.assert_array_equal(x, np.arange(4))
    for call in (
        lambda: gs.segment_sum(x, x, "a"),
        lambda: gs.segment_mean(x * 0.5, x, 2.5),
        lambda: gs.segment_argmax(x, x, value),
    ):
        with pytest.raises(TypeError, match="integer"):
            call() if value is not None else gs.segment_sum(x, x, "a")
