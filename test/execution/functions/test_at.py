"""`at(x)[index]`: the modes and the methods, against JAX and NumPy."""

import subprocess
import sys
import threading
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import at, bincount, segment_sum, take

X = np.arange(24, dtype=np.float32).reshape(4, 6) + 1
ROWS = np.array([1, -1, 3, 9, -4, -5, 4, 1])
MODES = ["promise_in_bounds", "clip", "fill", "drop", None]
INDICES = {
    "rows": ROWS,
    "columns": (slice(None, None, -1), ROWS),
    "two": (ROWS[:, None], np.array([0, 5, -7])),
    "integer": (slice(1, 3), 7),
    "lower": -9,
    "with an integer": (ROWS, 7),
    "mask": X[:, 0] > 9,
}


@pytest.fixture
def jnp(needs) -> Any:
    return needs("jax.numpy")


def indices_for(mode: str | None) -> dict[str, Any]:
    if mode != "promise_in_bounds":
        return INDICES
    return {"rows": ROWS.clip(-4, 3), "two": (ROWS.clip(-4, 3), np.arange(8) % 6)}


@pytest.mark.parametrize("mode", MODES)
def test_get_as_jax_has_it(jnp, mode: str | None) -> None:
    for name, index in indices_for(mode).items():
        expected = jnp.asarray(X).at[index].get(mode=mode)
        np.testing.assert_array_equal(at(X)[index].get(mode=mode), expected, err_msg=name)


@pytest.mark.parametrize(
    ("method", "mode"),
    [*(("set", mode) for mode in MODES), ("add", "clip"), *((m, None) for m in ("min", "max"))],
)
def test_updates_as_jax_has_them(jnp, method: str, mode: str | None) -> None:
    for name, index in indices_for(mode).items():
        expected = getattr(jnp.asarray(X).at[index], method)(7.0, mode=mode)
        found = getattr(at(X)[index], method)(7.0, mode=mode)
        np.testing.assert_array_equal(found, expected, err_msg=name)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float16", "bfloat16", "complex64"])
def test_fill_values_as_jax_has_them(jnp, dtype: str) -> None:
    kind = jnp.dtype(dtype)
    x = np.ones(3, kind)
    expected = np.asarray(jnp.asarray(x).at[np.array([1, 3])].get(mode="fill"))
    found = at(x)[[1, 3]].get(mode="fill")
    assert found.dtype == kind
    wide = np.complex64 if kind.kind == "c" else np.float64
    np.testing.assert_array_equal(found.astype(wide), expected.astype(wide))


def test_a_fill_value_is_no_constant_of_the_kernel() -> None:
    for value in (0, -3.5, np.nan):
        np.testing.assert_array_equal(
            at(X)[[0, 4], 1].get(mode="fill", fill_value=value), np.float32([2, value])
        )


def test_eight_arrays() -> None:
    x = np.arange(3 * 2**8).reshape(3, *(2,) * 8)
    rng = np.random.default_rng(0)
    index = (slice(None), None, *rng.integers(-2, 2, (8, 5)))
    np.testing.assert_array_equal(at(x)[index].get(mode="fill"), x[index])
    index[-1][3] = 7
    expected = np.where(np.arange(5) == 3, -1, x[(*index[:-1], index[-1] % 2)])
    np.testing.assert_array_equal(at(x)[index].get(mode="fill", fill_value=-1), expected)
    with pytest.raises(ValueError, match="at most 8 index operands, found 9"):
        at(x)[([0],) * 9].get()


def test_more_methods_as_jax_has_them(jnp) -> None:
    x = jnp.asarray(X)
    index = np.array([1, 2, 2])
    for method in ("subtract", "divide", "power", "mul"):
        expected = getattr(x.at[index[:2]], method)(2.0)
        np.testing.assert_allclose(getattr(at(X)[index[:2]], method)(2.0), expected, rtol=1e-6)
    np.testing.assert_array_equal(
        at(X)[index].apply(lambda v: v * 2 + 1), x.at[index].apply(lambda v: v * 2 + 1)
    )


def test_apply_as_often_as_an_element_occurs() -> None:
    index = (np.array([[1], [-3], [0]]), np.array([2, 2, 5]))
    expected = X.copy()
    np.negative.at(expected, index)
    np.testing.assert_array_equal(at(X)[index].apply(np.negative), expected)
    np.testing.assert_array_equal(at(X)[1:3].apply(np.sqrt)[1:3], np.sqrt(X[1:3]))
    np.testing.assert_array_equal(at(X)[[9, 9]].apply(np.negative), X)


def test_mode_error_writes_nothing() -> None:
    with pytest.raises(IndexError, match=r"^index 9 is out of bounds for axis 0 with size 4$"):
        at(X)[ROWS].set(0, mode="error")
    with pytest.raises(IndexError, match=r"^index -7 is out of bounds for axis 1 with size 6$"):
        at(X)[[1, 2], [-7, 0]].get(mode="error")
    with pytest.raises(IndexError, match=r"^index 4 is out of bounds for axis 0 with size 4$"):
        at(X)[4].get(mode="error")


def test_negative_indices_need_not_wrap() -> None:
    found = at(X)[[-1, 1], 0].get(mode="fill", fill_value=0, wrap_negative_indices=False)
    np.testing.assert_array_equal(found, [0, 7])
    np.testing.assert_array_equal(at(X)[[-1]].set(0, wrap_negative_indices=False), X)


def test_nothing_to_clip_to() -> None:
    empty = X[:0]
    with pytest.raises(IndexError, match="axis 0 has size 0"):
        at(empty)[[0]].get()
    with pytest.raises(IndexError, match="index 0 is out of bounds for axis 0 with size 0"):
        at(empty)[0].get()
    assert np.isnan(at(empty)[[0, 0]].get(mode="fill")).all()
    assert at(empty)[[0]].set(1.0).shape == (0, 6)
    assert at(empty)[[]].get().shape == (0, 6)


def test_promises() -> None:
    index = np.array([0, 2, 3])
    options = {"unique_indices": True, "indices_are_sorted": True}
    np.testing.assert_array_equal(at(X)[index].get(**options), X[index])
    expected = X.copy()
    expected[index] += 1
    np.testing.assert_array_equal(at(X)[index].add(1, **options), expected)
    np.testing.assert_array_equal(at(X)[index].apply(lambda v: v + 1, **options), expected)


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (1.5, "valid indices, found float"),
        ("a", "valid indices, found str"),
        (np.array([0.5]), "found an array of float64"),
        ((0, 0, 0), "too many indices for array: array is 2-dimensional, but 3 were indexed"),
        ((..., ...), "single ellipsis"),
        (np.ones(3, bool), "size of axis is 4 but size of corresponding boolean axis is 3"),
        (([0, 1], [0, 1, 2]), r"could not be broadcast together with shapes \(2,\) \(3,\)"),
    ],
)
def test_an_index_that_numpy_refuses(index: Any, message: str) -> None:
    with pytest.raises(IndexError):
        X[index]
    with pytest.raises(IndexError, match=message):
        at(X)[index].get()


def test_other_arguments_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match=r"mode must be one of .*, found 'raise'"):
        at(X)[0].get(mode="raise")
    with pytest.raises(ValueError, match=r"values of shape \(3,\) cannot be broadcast"):
        at(X)[[0, 1]].set(np.zeros(3))
    with pytest.raises(TypeError, match="subtract of elements of bool is not defined"):
        at(X > 3)[0].subtract(True)
    with pytest.raises(ValueError, match="integers to negative integer powers"):
        at(np.arange(3))[1:].power(-1)
    with pytest.raises(ValueError, match="fill_value must be one number, found an array of shape"):
        at(X)[[9]].get(mode="fill", fill_value=[1, 2])
    with pytest.raises(ValueError, match=r"values must fit elements of int64: .*too large"):
        at(np.arange(3))[0].set(2**64)


@pytest.mark.parametrize("dtype", ["datetime64[s]", "U3", "object", "float128", "V5"])
def test_elements_that_gs_does_not_hold(dtype: str) -> None:
    with pytest.raises(TypeError, match=r"elements of .* are not supported"):
        at(np.zeros(3, dtype))[[0]].get()
    with pytest.raises(TypeError, match=r"elements of .* are not supported"):
        at(np.zeros(3, dtype))[[0]].set(0)


@pytest.mark.parametrize("dtype", [ml_dtypes.float8_e4m3fn, ml_dtypes.uint4, np.uint64, np.bool_])
def test_sums_of_other_elements(dtype: Any) -> None:
    x = np.arange(4).astype(dtype)
    expected = x.copy()
    np.add.at(expected, [1, 1, 3], np.ones(3, dtype))
    found = at(x)[[1, 1, 3]].add(np.ones(3, dtype))
    assert found.dtype == x.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ["float32", "bfloat16", "float8_e5m2", "bool", "uint8"])
def test_torch_in_torch_out(needs, name: str) -> None:
    torch = needs("torch")
    x = torch.arange(12).reshape(3, 4).to(getattr(torch, name))
    ids = torch.tensor([2, 0, -1])
    found = at(x)[:, ids].get()
    assert found.dtype == x.dtype
    carrier = torch.int8 if x.itemsize == 1 else x.dtype
    assert torch.equal(found.view(carrier), x.view(carrier)[:, ids])
    replaced = at(x)[ids].set(torch.zeros(4, dtype=x.dtype))
    assert isinstance(replaced, torch.Tensor)
    assert not replaced[[0, 2]].float().any()


def test_torch_tensors_that_are_refused(needs) -> None:
    torch = needs("torch")
    with pytest.raises(TypeError, match=r"requires a gradient.*detach"):
        at(torch.ones(3, requires_grad=True))[[0]].get()
    np.testing.assert_array_equal(at(torch.ones(3).cfloat().conj())[[0]].get(), [1])


@pytest.mark.parametrize("function", [take, bincount, segment_sum])
def test_masked_arrays_are_refused(function) -> None:
    masked = np.ma.masked_array([1, 2, 3], [False, True, False])
    ids = () if function is bincount else ([0, 0, 1],)
    with pytest.raises(TypeError, match=r"would lose its mask.*filled"):
        function(masked, *ids)


def test_jax_in_jax_out(needs) -> None:
    jax = needs("jax")
    x = jax.numpy.asarray(X)
    found = at(x)[jax.numpy.array([1, 3]), ::2].add(1)
    assert isinstance(found, jax.Array)
    np.testing.assert_array_equal(found, x.at[np.array([1, 3]), ::2].add(1))
    mode = jax.lax.GatherScatterMode.FILL_OR_DROP
    assert np.isnan(at(x)[[9]].get(mode=mode)).all()
    with pytest.raises(TypeError, match="JAX is tracing"):
        jax.jit(lambda v: at(v)[[0]].get())(x)


def test_two_frameworks(needs) -> None:
    torch, jax = needs("torch"), needs("jax")
    with pytest.raises(TypeError, match="arrays of one framework, found jax and torch"):
        at(jax.numpy.zeros(3))[[0]].set(torch.ones(1))


def test_from_several_threads() -> None:
    x = np.arange(60, dtype=np.int16).reshape(3, 4, 5)
    index = (np.array([2, 0]), slice(None), np.array([1, 4]))
    found: list[Any] = []
    start = threading.Barrier(4)

    def work() -> None:
        start.wait()
        found.append(at(x)[index].multiply(3))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = x.copy()
    expected[index] *= 3
    assert len(found) == 4
    for each in found:
        np.testing.assert_array_equal(each, expected)


def test_nothing_heavy_is_imported() -> None:
    code = "import mlir_gs, sys; sys.exit('numpy' in sys.modules or 'torch_mlir' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("method", ["set", "add", "max"])
@pytest.mark.parametrize("shape", [(5, 6), (5, 6, 3), (5, 6, 2, 4)])
def test_small_updates_at_tuples(method: str, shape: tuple[int, ...]) -> None:
    """Later calls with such arrays go by what the first one found."""
    rng = np.random.default_rng(7)
    x = rng.random(shape).astype(np.float32)
    ufunc = {"add": np.add, "max": np.maximum}
    for size in (1, 8, 0, 8):
        i = rng.integers(-7, 7, size).astype(np.int32)
        j = rng.integers(-6, 6, size)
        values = rng.random((size, *shape[2:])).astype(np.float32)
        inside = (i >= -5) & (i < 5)
        expected = x.copy()
        where = i[inside], j[inside]
        if method == "set":
            expected[where] = values[inside]
        else:
            ufunc[method].at(expected, where, values[inside])
        np.testing.assert_array_equal(getattr(at(x)[i, j], method)(values), expected)
    # Others are what they were: sizes that broadcast, one coordinate, rows that do not fit.
    np.testing.assert_array_equal(
        at(x)[np.array([1, 2]), np.array([3])].set(0.0)[[1, 2], 3], np.zeros((2, *shape[2:]))
    )
    with pytest.raises(ValueError, match="broadcast"):
        at(x)[np.array([1, 2], np.int32), np.array([1, 2])].set(
            np.zeros((3, *shape[2:]), np.float32)
        )
