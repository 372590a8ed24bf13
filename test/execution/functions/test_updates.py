"""divide, power, min, max of `at`, argmin and argmax of segments, every type of ml_dtypes."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import (
    at,
    embedding_bag,
    gather_nd,
    put_along_axis,
    scatter_nd,
    segment_argmax,
    segment_argmin,
    segment_max,
    segment_mean,
    segment_sum,
    take,
    take_along_axis,
)
from mlir_gs.execution.functions import direct

IDS = np.array([1, 1, 3, 9])
EVERY = [
    np.dtype(kind)
    for kind in vars(ml_dtypes).values()
    if isinstance(kind, type) and issubclass(kind, np.generic)
]
ONLY_MOVED = ("int1", "uint1", "complex32", "bcomplex32")


@pytest.mark.parametrize("method", ["divide", "power"])
@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int32", "uint32", "float16", "float32", "bfloat16",
              "complex64", "float8_e4m3fn"]
)  # fmt: skip
def test_divide_and_power_as_jax_has_them(needs, method: str, dtype: str) -> None:
    jnp = needs("jax.numpy")
    x = np.arange(1, 6).astype(jnp.dtype(dtype))
    for values in (2, np.array([3, 2, 0, 1])):
        values = np.asarray(values).astype(x.dtype)
        wanted = np.asarray(getattr(jnp.asarray(x).at[IDS], method)(values))
        found = getattr(at(x)[IDS], method)(values)
        assert found.dtype == wanted.dtype
        wide = complex if x.dtype.kind == "c" else float
        tolerance = 1e-6 if method == "power" or wide is complex else 0
        np.testing.assert_allclose(found.astype(wide), wanted.astype(wide), rtol=tolerance)


def test_divide_of_64_bits_and_what_keeps_its_bits() -> None:
    found = at(np.arange(5))[[1, 1, 3]].divide(2)
    np.testing.assert_array_equal(found, [0, 0.25, 2, 1.5, 4])
    assert found.dtype == np.float64
    x = np.array([complex(np.inf, 1), 4])
    np.testing.assert_array_equal(at(x)[[1]].divide(2), [complex(np.inf, 1), 2])
    assert at(np.array(3.0))[()].power(2) == 9
    bools = np.array([False, True, True])
    for method, dtype, wanted in (
        ("divide", np.float32, [0, np.inf, 1]),
        ("power", np.int32, [0, 1, 1]),
    ):
        found = getattr(at(bools)[1], method)(False)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", ["min", "max"])
def test_order_of_complex_numbers_as_numpy_has_it(dtype: Any, name: str) -> None:
    parts = [-1.0, 0.0, -0.0, 2.0, np.inf, np.nan]
    every = np.array([complex(a, b) for a in parts for b in parts], dtype)
    x, values = (each.reshape(-1) for each in np.meshgrid(every, every))
    wanted = {"min": np.minimum, "max": np.maximum}[name](x, values)
    found = getattr(at(x)[np.arange(x.size)], name)(values)
    assert found.tobytes() == wanted.tobytes()
    found = scatter_nd(x, np.arange(x.size)[:, None], values, name)
    assert found.tobytes() == wanted.tobytes()
    ufunc, repeated = {"min": np.minimum, "max": np.maximum}[name], x[:7].copy()
    ufunc.at(repeated, np.arange(99) % 7, values[:99])
    np.testing.assert_array_equal(
        getattr(at(x[:7])[np.arange(99) % 7], name)(values[:99]), repeated
    )


@pytest.mark.parametrize(
    "dtype", ["int8", "uint64", "float32", "bfloat16", "float8_e5m2", "complex64"]
)
@pytest.mark.parametrize(("name", "choose"), [("min", np.argmin), ("max", np.argmax)])
def test_rows_of_segments(dtype: str, name: str, choose: Any) -> None:
    rng = np.random.default_rng(1)
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    data = rng.integers(0, 4, (40, 3)).astype(kind)
    if not dtype.endswith(("int8", "int64")):
        data[rng.random(data.shape) < 0.1] = np.nan
    ids = rng.integers(-1, 7, 40)
    found = {"min": segment_argmin, "max": segment_argmax}[name](data, ids, 8)
    assert found.dtype == np.int64
    exact = data.astype(np.float64) if kind.kind == "V" else data
    for segment in range(8):
        rows = np.flatnonzero(ids == segment)
        wanted = rows[choose(exact[rows], 0)] if rows.size else [40] * 3
        np.testing.assert_array_equal(found[segment], wanted)


@pytest.mark.parametrize("dtype", [one for one in EVERY if one.name not in ONLY_MOVED], ids=str)
def test_rows_of_segments_of_every_type(dtype: Any) -> None:
    data = (np.arange(24) * 7 % 5 % 2).reshape(12, 2).astype(dtype)
    ids = np.arange(12) % 3
    for name, found in (("argmax", segment_argmax), ("argmin", segment_argmin)):
        rows = [getattr(data[k::3].astype(np.float64), name)(0) * 3 + k for k in range(3)]
        assert found(data, ids, 4).tolist() == [*np.array(rows).tolist(), [12, 12]]


def test_rows_of_segments_that_are_narrow_or_wide_or_have_one_dim() -> None:
    rng = np.random.default_rng(2)
    ids = rng.integers(0, 50, 20_000)
    for shape in ((), (1,), (3,), (2, 5), (600,)):
        data = rng.integers(0, 9, (20_000, *shape)).astype(np.float32)
        found = segment_argmax(data, ids, indices_are_sorted=False)
        assert found.shape == (50, *shape)
        for k in (0, 49):
            rows = np.flatnonzero(ids == k)
            np.testing.assert_array_equal(found[k], rows[data[rows].argmax(0)])
    with pytest.raises(TypeError, match="sorted"):
        segment_argmax(data, ids, sorted=True)


def test_the_least_complex_number_is_in_a_row_as_well() -> None:
    low, high = complex(-np.inf, -np.inf), complex(np.inf, np.inf)
    assert segment_argmax(np.array([low]), [0], 2).tolist() == [0, 1]
    assert segment_argmin(np.array([high]), [0], 2).tolist() == [0, 1]
    assert segment_max(np.array([low]), [0], 1).tolist() == [low]


def test_rows_of_segments_that_clip_and_of_none() -> None:
    data = np.array([3.0, 1, 2, 1])
    assert segment_argmin(data, [0, 9, -3, 9], 2, mode="clip").tolist() == [2, 1]
    # Unsigned ids hold no -1.
    assert segment_argmin(data[:0], np.zeros(0, "u1"), 0, mode="clip").shape == (0, *data.shape[1:])
    assert segment_argmax(data, [0, 9, -3, 9], 2, mode="wrap").tolist() == [0, 2]
    assert segment_argmax(data[:0], [], 2).tolist() == [0, 0]
    with pytest.raises(IndexError, match="out of bounds"):
        segment_argmin(data, [0, 9, -3, 9], 2, mode="error")


@pytest.mark.parametrize("dtype", EVERY, ids=str)
def test_every_type_of_ml_dtypes(dtype: np.dtype[Any]) -> None:
    x = np.array([1, 0, 1, 1]).astype(dtype)
    ids = np.array([1, 0, -1])
    for found in (
        take(x, ids),
        take_along_axis(x, ids),
        at(x)[ids].get(),
        gather_nd(x, ids[:, None]),
        take(x, np.array([1, 0, 3]), mode="fill"),
        at(np.zeros_like(x))[:3].set(x[ids])[:3],
        scatter_nd(x, np.arange(3)[:, None], x[ids])[:3],
        put_along_axis(x, np.arange(3), x[ids], 0, inplace=False)[:3],
    ):
        assert found.dtype == dtype
        assert found.tobytes() == x[ids].tobytes()
    np.testing.assert_array_equal(
        take(x, [9], mode="fill").view(np.uint8),
        np.array([fill_of(dtype)]).astype(dtype).view(np.uint8),
    )
    computed = [
        (lambda: at(x)[[0, 0]].add(x[2:]), lambda: x[:1] + x[2:3] + x[3:]),
        (lambda: at(x)[[0, 0]].multiply(x[2:]), lambda: x[:1] * x[2:3] * x[3:]),
        (lambda: at(x)[[0, 0]].max(x[2:]), lambda: np.maximum(x[:1], x[2:3])),
        (lambda: segment_sum(x[2:], [0, 0], 1), lambda: x[2:3] + x[3:]),
        (lambda: segment_max(x[2:], [0, 0], 1), lambda: np.maximum(x[2:3], x[3:])),
    ]
    if dtype.name == "float8_e8m0fnu":
        # It has no zero, with which sums of segments and of bags begin.
        return
    for run, wanted in computed:
        if dtype.name in ONLY_MOVED:
            with pytest.raises(TypeError, match=f"{dtype} are only moved, and not computed with"):
                run()
        else:
            assert run()[:1].tobytes() == wanted().tobytes()
    if dtype.name not in ONLY_MOVED:
        assert segment_mean(x[2:], [0, 0], 1).astype(float).tolist() == [1]
    if "float" in dtype.name:
        found = embedding_bag(np.array([[0, 2]]), x[:, None], mode="sum")
        assert found.tobytes() == (x[:1] + x[2:3]).tobytes()
    else:
        with pytest.raises(TypeError, match=r"only moved|must have float elements"):
            embedding_bag(np.array([[0, 2]]), x[:, None])


def fill_of(dtype: np.dtype[Any]) -> Any:
    if "int" not in dtype.name:
        return np.nan
    info = ml_dtypes.iinfo(dtype)
    return int(info.max if dtype.name.startswith("u") else info.min)


def test_the_document_names_what_is_only_moved() -> None:
    from pathlib import Path

    import mlir_gs

    text = " ".join((Path(__file__).parents[3] / "docs" / "functions.md").read_text().split())
    assert "int1, uint1, complex32 and bcomplex32 are moved, not computed with" in text
    assert {"segment_argmin", "segment_argmax"} <= set(mlir_gs.__all__)


@pytest.mark.parametrize("dtype", ["float16", "bool", "complex64", "int16"])
def test_known_kernels_write_elements_by_their_bits(dtype: str) -> None:
    x, values = (np.arange(n * 7).reshape(n, 7).astype(dtype) for n in (40, 3))
    places = np.array([5, 39, 2])
    for _ in range(2):
        found = at(x)[places].set(values)
        assert found.dtype == x.dtype
        np.testing.assert_array_equal(found[places], values)
    assert direct.write(x.copy(), places, values, "move", True) is not None
