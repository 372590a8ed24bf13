"""`take`, `take_along_axis`, `put_along_axis`, `gather_nd` and `scatter_nd`, against NumPy's."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import gather_nd, put_along_axis, scatter_nd, take, take_along_axis
from mlir_gs.execution.functions import kernels

RNG = np.random.default_rng(5)
X = RNG.standard_normal((4, 5, 6)).astype(np.float32)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("shape", [(), (7,), (2, 3), (0,)])
def test_take(axis: int | None, shape: tuple[int, ...]) -> None:
    ids = RNG.integers(-4, 4, shape)
    same(take(X, ids, axis), np.take(X, ids, axis))
    strided = X[::-1, :, ::-1]
    same(take(strided, ids, axis), np.take(strided, ids, axis))


def same(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_take_a_scalar() -> None:
    same(take(X, 3), np.take(X, 3))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("mode", ["raise", "clip", "wrap"])
@pytest.mark.parametrize("shape", [(), (0,), (0, 0), (2, 0)])
@pytest.mark.parametrize("indices", [[5, -7], []])
def test_take_of_nothing(shape: tuple[int, ...], indices: Any, axis: int, mode: Any) -> None:
    """Scalars, and axes of no elements: as NumPy, which asks whether the result is empty."""
    a, indices = np.ones(shape, np.float32), np.array(indices, int)
    # NumPy wraps without end where all axes are empty; "clip" has the same shape there.
    endless = mode == "wrap" and shape == (0, 0) and axis == 0
    try:
        wanted = np.take(a, indices, axis, mode="clip" if endless else mode)
    except IndexError as error:
        with pytest.raises(type(error)):
            take(a, indices, axis, mode=mode)
        return
    if mode == "raise" and indices.size and not a.size and a.ndim:
        # NumPy looks at no index where other axes are empty; out of bounds is an error here.
        with pytest.raises(IndexError):
            take(a, indices, axis)
        return
    found = take(a, indices, axis, mode=mode)
    assert found.shape == wanted.shape
    np.testing.assert_array_equal(found, wanted)


def test_the_second_call_is_as_the_first() -> None:
    for x in (X, X.astype(np.uint8), X.astype(np.int32), X[0, 0]):
        for ids in (np.array([1, -1]), np.array(1), np.array([2], np.uint8)):
            for _ in range(2):
                same(take(x, ids, -1), np.take(x, ids, -1))
                with pytest.raises(IndexError, match=r"^index 6 is out of bounds for axis \d with"):
                    take(x, ids * 0 + 6, -1)


@pytest.mark.parametrize("mode", ["wrap", "clip"])
def test_take_modes_of_numpy(mode: Any) -> None:
    ids = np.array([-9, -1, 0, 4, 17])
    same(take(X, ids, 1, mode=mode), np.take(X, ids, 1, mode=mode))


def test_take_modes_of_jax(needs) -> None:
    jnp = needs("jax.numpy")
    ids = np.array([-9, -1, 0, 4, 17])
    for mode in ("fill", "clip", "wrap"):
        same(take(X, ids, 1, mode=mode), np.asarray(jnp.take(X, ids, 1, mode=mode)))
    same(
        take(X, ids, 0, mode="fill", fill_value=2),
        np.asarray(jnp.take(X, ids, 0, mode="fill", fill_value=2)),
    )


def test_take_raises() -> None:
    for function in (take, take_along_axis, np.take):
        with pytest.raises(TypeError, match="an integer is required for the axis"):
            function(X, np.zeros((4, 1, 6), int), axis=True)
    with pytest.raises(IndexError, match=r"^index 5 is out of bounds for axis 1 with size 5$"):
        take(X, [0, 5], 1)
    with pytest.raises(IndexError, match="non-empty take from an empty axis"):
        take(X[:0], [0], 0, mode="clip")
    with pytest.raises(np.exceptions.AxisError):
        take(X, [0], 3)
    with pytest.raises(ValueError, match="mode must be raise, wrap, clip or fill, found 'drop'"):
        take(X, [0], mode="drop")
    with pytest.raises(IndexError, match="indices must be integers, found float64"):
        take(X, [0.5])
    with pytest.raises(TypeError, match=r"elements of <U1 are not supported"):
        take(["a"], [0])


@pytest.mark.parametrize("dtype", [np.float64, "float16", ml_dtypes.bfloat16])
def test_take_into_again(dtype: Any) -> None:
    x, ids = RNG.standard_normal((9, 2)).astype(dtype), np.array([8, -9, 3])
    out = np.zeros((3, 2), dtype)
    for _ in range(3):
        out[...] = 0
        assert take(x, ids, 0, out=out) is out
        same(out, x[ids])
    with pytest.raises(ValueError, match=r"out must have shape \(3, 2\), found \(2, 3\)"):
        take(x, ids, 0, out=np.zeros((2, 3), dtype))
    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0 with size 9"):
        take(x, ids + 1, 0, out=out)
    same(out, x[ids])
    wide = np.zeros((3, 4), dtype)[:, ::2]
    assert take(x, ids, 0, out=wide) is wide
    same(wide, x[ids])
    into, expected = x.copy(), x[ids]
    take(into, ids, 0, out=into[1:4])
    same(into[1:4], expected)
    view = x[:3]
    view.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        take(x, ids, 0, out=view)


def test_take_into() -> None:
    out = np.zeros((2, 5, 6), np.float32)
    assert take(X, [1, 3], 0, out=out) is out
    same(out, X[[1, 3]])
    wide = np.zeros((5, 6, 2)).transpose(2, 0, 1)
    assert take(X, [1, 3], 0, out=wide) is wide
    np.testing.assert_array_equal(wide, X[[1, 3]])
    with pytest.raises(ValueError, match=r"out must have shape \(2, 5, 6\), found \(2,\)"):
        take(X, [1, 3], 0, out=np.zeros(2))
    with pytest.raises(IndexError):
        take(X, [1, 9], 0, out=out)
    same(out, X[[1, 3]])
    apart = np.zeros((5, 6, 2), np.float32).transpose(2, 0, 1)
    assert take(X, [1, 3], 0, out=apart) is apart
    np.testing.assert_array_equal(apart, X[[1, 3]])
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        take(X, [0, 0], 0, out=out)
    same(out, X[[1, 3]])


def test_take_into_what_it_reads() -> None:
    for dtype in (np.float32, ml_dtypes.bfloat16):
        x = X.astype(dtype)
        expected = x[[1, 0, 2]]
        take(x, [1, 0, 2], 0, out=x[:3])
        assert x[:3].tobytes() == expected.tobytes()
    ids = np.array([2, 0, 1])
    take(np.array([5, 7, 9]), ids, out=ids)
    assert ids.tolist() == [9, 5, 7]


def test_take_writes_into_out_itself(monkeypatch) -> None:
    out = np.zeros((2, 5, 6), np.float32)
    monkeypatch.setattr(np, "copyto", None)
    take(X, [3, 1], 0, out=out)
    same(out, X[[3, 1]])


@pytest.mark.parametrize(
    "dtype",
    [
        np.bool_, np.int8, np.uint16, np.int32, np.uint64, np.float16, np.float64, np.complex64,
        np.complex128, ml_dtypes.bfloat16, ml_dtypes.float8_e8m0fnu, ml_dtypes.int2,
    ],
)  # fmt: skip
def test_every_size_of_element_is_moved_bit_for_bit(dtype: Any) -> None:
    kind = np.dtype(dtype)
    x = np.frombuffer(RNG.bytes(8 * kind.itemsize), kind)
    if kind in (np.bool_, ml_dtypes.int2):
        x = np.arange(8).astype(kind)
    ids = np.array([7, 0, -2], np.int8)
    found = take(x, ids)
    assert found.dtype == kind
    assert found.tobytes() == x[ids].tobytes()


def test_compiled_once_for_all_shapes_and_types_of_a_size(monkeypatch) -> None:
    from mlir_gs.execution.functions import kernels

    take(X, [1], 0)
    monkeypatch.setattr(kernels, "compile_made", None)
    same(take(X[1:, 2:], [1, 1, 0], 0), X[1:, 2:][[1, 1, 0]])
    whole = np.arange(8, dtype=np.int32).reshape(2, 2, 2)
    same(take(whole, [1], 0), whole[[1]])


def test_take_of_torch_and_jax(needs) -> None:
    torch, jnp = needs("torch"), needs("jax.numpy")
    ids = np.array([1, 3])
    assert torch.equal(take(torch.tensor(X), torch.tensor(ids), 1), torch.tensor(X[:, ids]))
    found = take(jnp.asarray(X), ids, 1)
    assert type(found) is type(jnp.zeros(1))
    np.testing.assert_array_equal(found, X[:, ids])
    out = torch.zeros(4, 2, 6)
    assert take(torch.tensor(X), ids, 1, out=out) is out
    np.testing.assert_array_equal(out, X[:, ids])
    with pytest.raises(TypeError, match="out must be an array that can be written"):
        take(X, ids, 1, out=found)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_along_axis(axis: int | None) -> None:
    size = X.size if axis is None else X.shape[axis]
    shape = [4, 5, 6]
    shape[axis or 0] = 3
    ids = RNG.integers(-size, size, 9 if axis is None else shape)
    same(take_along_axis(X, ids, axis), np.take_along_axis(X, ids, axis))
    values = RNG.standard_normal(ids.shape)
    found, expected = X.copy(), X.copy()
    assert put_along_axis(found, ids, values, axis) is None
    np.put_along_axis(expected, ids, values, axis)
    same(found, expected)


def test_along_axis_broadcasts() -> None:
    ids = np.array([[[1], [0], [-1]]])
    same(take_along_axis(X, ids, 1), np.take_along_axis(X, ids, 1))
    row, wide = X[:1], RNG.integers(0, 5, (4, 2, 6))
    same(take_along_axis(row, wide, 1), np.take_along_axis(row, wide, 1))
    for arr, indices in ((X, ids), (row, wide)):
        found, expected = arr.copy(), arr.copy()
        put_along_axis(found, indices, 3, 1)
        np.put_along_axis(expected, indices, 3, 1)
        same(found, expected)


@pytest.mark.parametrize("shape", [(4, 3, 1), (1, 3, 6), (1, 3, 1), (4, 3, 6)])
@pytest.mark.parametrize("spread", [False, True])
@pytest.mark.parametrize("mode", ["raise", "clip", "fill"])
def test_one_index_for_all_of_a_dim(shape: tuple[int, ...], spread: bool, mode: str) -> None:
    ids = RNG.integers(-5, 5, shape)
    if spread:
        ids = np.broadcast_to(ids, (4, 3, 6))
    for _ in range(2):
        same(take_along_axis(X, ids, 1, mode=mode), np.take_along_axis(X, ids, 1))
    narrow = X[:, :, :1] if shape[2] == 1 else X
    same(take_along_axis(narrow, ids[..., :1], 1), np.take_along_axis(narrow, ids[..., :1], 1))
    with pytest.raises(IndexError, match=r"^index \d+ is out of bounds for axis 1 with size 5$"):
        take_along_axis(X, ids + 10, 1)


def test_one_index_for_a_row_moves_rows() -> None:
    before = list(kernels._kernels)
    # No other test has coordinates of this type here.
    x, ids = RNG.random((2, 40, 600)), RNG.integers(0, 40, (2, 30, 1), np.int16)
    same(take_along_axis(x, ids, 1), np.take_along_axis(x, ids, 1))
    (spec,) = [one for one in list(kernels._kernels) if one not in before]
    assert spec.indices[0].places == (("d0", "d1"),)


@pytest.mark.parametrize("shape", [(9, 1), (9, 4), (9, 0), (1, 1)])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_put_along_axis_again(shape: tuple[int, int], axis: int) -> None:
    """Calls of the same shapes with other strides, coordinates and values, and with wrong ones."""
    rng = np.random.default_rng(2)
    size = 6 if axis else 12
    x = rng.random((shape[0], size) if axis else (size, shape[1]))
    for turn in range(4):
        ids = rng.integers(-size if turn == 2 else 0, size, shape)
        values = rng.random(shape)
        one = np.broadcast_to(values[:, :1] if shape[1] else values, shape)
        for new in (one, values, np.asfortranarray(values), 3.0, np.float32(2), np.array(1.5)):
            found, expected = x.copy(), x.copy()
            assert put_along_axis(found, ids, new, axis) is None
            np.put_along_axis(expected, ids, new, axis)
            np.testing.assert_array_equal(found, expected)
        if ids.size:
            found, ids[-1, -1] = x.copy(), size
            with pytest.raises(IndexError, match="out of bounds"):
                put_along_axis(found, ids, values, axis)
            np.testing.assert_array_equal(found, x)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        put_along_axis(x, np.zeros(shape, np.int64), np.ones(shape), axis)


def test_put_along_axis_in_strided_memory() -> None:
    found, expected = np.zeros((6, 8)), np.zeros((6, 8))
    ids = RNG.integers(0, 4, (3, 2))
    put_along_axis(found[::2, ::-2], ids, [1.0, 2.0], 1)
    np.put_along_axis(expected[::2, ::-2], ids, [1.0, 2.0], 1)
    same(found, expected)
    flat = found.T[:]
    put_along_axis(flat, np.array([1, 7]), 5, None)
    assert list(flat.flatten()[[1, 7]]) == [5, 5]
    x = np.arange(5)
    expected = x.copy()
    np.put_along_axis(expected, expected[::-1].copy(), expected[1:2].copy(), 0)
    put_along_axis(x, x[::-1], x[1:2], 0)
    same(x, expected)


@pytest.mark.parametrize("shape", [(), (1,), (3, 1), (1, 6), (2, 1, 6), (2, 3, 6)])
@pytest.mark.parametrize("far", [0, 20])
def test_put_along_axis_of_values_that_are_one_along_dims(shape: Any, far: int) -> None:
    ids = np.argsort(RNG.random((2, 5, 6)), axis=1)[:, :3]
    for mode in ("raise", "wrap", "clip", "drop"):
        found, expected, values = np.zeros((2, 5, 6)), np.zeros((2, 5, 6)), RNG.random(shape)
        if mode == "raise" and far:
            # Nothing is written before an error.
            with pytest.raises(IndexError, match="is out of bounds for axis 1 with size 5"):
                put_along_axis(found, ids + np.arange(6) * far, values, 1)
        else:
            put_along_axis(found, ids - 5 * (far > 0), values, 1, mode=mode)
            np.put_along_axis(expected, ids, values, 1)
        same(found, expected)
    nothing = np.zeros((0, 5, 6))
    assert put_along_axis(nothing, ids[:1], 4.0, 1) is None


def test_along_axis_raises() -> None:
    ids = np.array([[[5]]])
    with pytest.raises(IndexError, match=r"^index 5 is out of bounds for axis 1 with size 5$"):
        take_along_axis(X, ids, 1)
    x = X.copy()
    with pytest.raises(IndexError, match=r"^index 5 is out of bounds for axis 1 with size 5$"):
        put_along_axis(x, np.array([[[0], [5]]]), 0, 1)
    same(x, X)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        put_along_axis(x, ids, 0, 1)
    with pytest.raises(TypeError, match="arr must be an array that can be written, found list"):
        put_along_axis([1, 2], [0], 0, 0)
    with pytest.raises(ValueError, match="same number of dimensions, found 1 and 3"):
        take_along_axis(X, [0], 1)
    with pytest.raises(IndexError, match="could not be broadcast"):
        take_along_axis(X, np.zeros((3, 1, 1), int), 1)


def test_along_axis_of_jax(needs) -> None:
    jnp = needs("jax.numpy")
    x, ids = jnp.asarray(X), np.array([[[0], [-1], [9]]])
    np.testing.assert_array_equal(
        take_along_axis(x, ids, 1, mode="fill"), jnp.take_along_axis(x, ids, 1, mode="fill")
    )
    with pytest.raises(ValueError, match="inplace=False"):
        put_along_axis(x, ids[:, :2], 0, 1)
    np.testing.assert_array_equal(
        put_along_axis(x, ids[:, :2], 0, 1, inplace=False),
        jnp.put_along_axis(x, ids[:, :2], 0, 1, inplace=False),
    )


def test_gather_nd() -> None:
    ids = RNG.integers(-4, 4, (7, 2))
    same(gather_nd(X, ids), X[ids[:, 0], ids[:, 1]])
    batched = RNG.integers(-5, 5, (4, 3, 1))
    same(gather_nd(X, batched, 1), np.take_along_axis(X, batched, 1))
    same(gather_nd(X, np.zeros((2, 0), int)), np.stack([X, X]))
    with pytest.raises(IndexError, match=r"^index 5 is out of bounds for axis 1 with size 5$"):
        gather_nd(X, [[0, 5]])
    with pytest.raises(ValueError, match="must be at most 3"):
        gather_nd(X, [[0, 0, 0, 0]])


@pytest.mark.parametrize("reduction", ["none", "add", "mul", "min", "max"])
def test_scatter_nd(reduction: str) -> None:
    ids = RNG.integers(-4, 4, (7, 2))
    updates = RNG.standard_normal((7, 6)).astype(np.float32)
    expected = X.copy()
    names = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}
    for (i, j), row in zip(ids, updates, strict=True):
        expected[i, j] = names[reduction](expected[i, j], row) if reduction != "none" else row
    before = X.copy()
    same(scatter_nd(X, ids, updates, reduction), expected)
    same(X, before)


def test_scatter_nd_raises() -> None:
    with pytest.raises(IndexError, match=r"^index -5 is out of bounds for axis 0 with size 4$"):
        scatter_nd(X, [[-5]], 0)
    with pytest.raises(ValueError, match="reduction must be one of"):
        scatter_nd(X, [[0]], 0, "mean")
    with pytest.raises(ValueError, match="broadcast"):
        scatter_nd(X, [[0]], np.zeros(5))


def test_nothing_of_many_rows() -> None:
    none = np.empty(0, np.int64)
    for x in np.empty((1 << 40, 0), np.float32), np.empty((1 << 40, 3, 0), np.float32):
        want = np.take(x, none, 1)
        for _ in range(3):
            assert take(x, none, 1).shape == want.shape
        assert take(x, none, 1, want) is want
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 1"):
        take(x, np.array([3]), 1)
