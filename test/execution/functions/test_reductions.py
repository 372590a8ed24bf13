"""Segments, bins, bags and sparse products, against those who have them."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import (
    bincount,
    embedding_bag,
    histogram,
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
    spmm,
    spmv,
)

RNG = np.random.default_rng(11)
ROWS = RNG.standard_normal((40, 3)).astype(np.float32)
IDS = RNG.integers(-2, 9, 40)
SEGMENTS = {
    "segment_sum": segment_sum,
    "segment_prod": segment_prod,
    "segment_min": segment_min,
    "segment_max": segment_max,
}


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        *((name, "float32") for name in SEGMENTS),
        ("segment_sum", "bfloat16"),
        ("segment_prod", "int32"),
        ("segment_min", "uint8"),
        ("segment_max", "int8"),
    ],
)
def test_segments_as_jax_has_them(needs, name: str, dtype: str) -> None:
    jax = needs("jax")
    data = np.abs(ROWS * 3).astype(jax.numpy.dtype(dtype))
    for count in (None, 6):
        expected = getattr(jax.ops, name)(data, IDS, count)
        found = SEGMENTS[name](data, IDS, count)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, np.asarray(expected))


def test_segment_mean() -> None:
    ids = np.abs(IDS)
    expected = np.stack([ROWS[ids == k].mean(0) if (ids == k).any() else 0 * ROWS[0]
                         for k in range(11)])  # fmt: skip
    np.testing.assert_allclose(segment_mean(ROWS, ids, 11), expected, rtol=1e-5, atol=1e-7)
    found = segment_mean(np.array([1, 2, 4]), [0, 0, 2])
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, [1.5, 0, 4])


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
@pytest.mark.parametrize("kind", ["i8", "i4", "u1", "u8"])
@pytest.mark.parametrize("count", [100, 40000])
def test_segment_mean_of_numbers(count: int, dtype: str, kind: str) -> None:
    rng = np.random.default_rng(4)
    x, ids = (rng.random(count) * 100).astype(dtype), rng.integers(0, 60, count).astype(kind)
    wide = np.zeros((2, count, 3), dtype)
    wide[1, :, 2] = x
    wide.flags.writeable = ids.flags.writeable = False
    apart = np.frombuffer(b"-" + x.tobytes(), np.uint8)[1:].view(dtype)
    pairs = [(x, ids), (wide[1, :, 2], ids), (x[::-1], ids[::-1]), (x[:0], ids[:0])]
    pairs += [(apart, ids)] * dtype.startswith("f")
    for some, where in pairs:
        found = segment_mean(some, where, 70)
        sums, counts = np.zeros(70, found.dtype), np.bincount(where, minlength=70)
        np.add.at(sums, where, some.astype(found.dtype))
        expected = sums / np.maximum(counts, 1).astype(found.dtype)
        np.testing.assert_array_equal(found, expected, strict=True)
    # Those out of bounds are dropped.
    kept = ids < 50
    np.testing.assert_array_equal(segment_mean(x, ids, 50), segment_mean(x[kept], ids[kept], 50))
    if kind.startswith("i"):
        shifted = segment_mean(x, ids - ids.dtype.type(5), 65)
        np.testing.assert_array_equal(shifted, segment_mean(x, ids, 70)[5:])


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn])
def test_segment_mean_of_many_small_floats(dtype: Any) -> None:
    """More rows than the elements can count or add up."""
    data = np.tile(np.array([1, 2], dtype), 35_000)
    found = segment_mean(data, np.zeros(len(data), np.int64), 2)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found.astype(np.float32), [1.5, 0])


def test_segments_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="one id for each row"):
        segment_sum(ROWS, IDS[1:])
    with pytest.raises(ValueError, match="num_segments must be 0 or more, found -1"):
        segment_sum(ROWS, IDS, -1)
    with pytest.raises(IndexError, match="out of bounds"):
        segment_sum(ROWS, IDS, 3, mode="error")
    assert segment_sum(ROWS[:0], IDS[:0]).shape == (0, 3)
    assert segment_max(ROWS[:0], IDS[:0], 2).tolist() == [[-np.inf] * 3] * 2


@pytest.mark.parametrize("dtype", ["O", "S3", "M8[s]"])
@pytest.mark.parametrize("name", SEGMENTS)
def test_segments_of_elements_that_are_not_supported(name: str, dtype: str) -> None:
    with pytest.raises(TypeError, match="are not supported"):
        SEGMENTS[name](np.ones(3, np.int64).astype(dtype), np.zeros(3, np.int32), 2)


def test_segments_of_torch(needs) -> None:
    torch = needs("torch")
    found = segment_sum(torch.tensor(ROWS), torch.tensor(IDS), 9)
    expected = torch.zeros(9, 3).index_add(
        0, torch.tensor(IDS[IDS >= 0]), torch.tensor(ROWS[IDS >= 0])
    )
    torch.testing.assert_close(found, expected, rtol=0, atol=0)


def test_bincount() -> None:
    x, weights = RNG.integers(0, 9, 50), RNG.standard_normal(50)
    for kind in (np.int64, np.uint8, np.int32):
        same(bincount(x.astype(kind)), np.bincount(x.astype(kind)))
    same(bincount(x, minlength=20), np.bincount(x, minlength=20))
    same(bincount(x, weights), np.bincount(x, weights))
    same(bincount(x, np.arange(50)), np.bincount(x, np.arange(50)))
    same(bincount(x[:0]), np.bincount(x[:0]))
    same(bincount(x, length=5), np.bincount(x[x < 5], minlength=5))
    for bad in ([-1, 2], [[1]], [1, 2]):
        with pytest.raises(ValueError, match=r"negative|rank 1|shape of x"):
            bincount(bad, [1.0])
    with pytest.raises(TypeError, match="integer elements"):
        bincount([1.5])


def same(found: Any, expected: Any) -> None:
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"bins": 7},
        {"bins": [-1.0, 0.0, 0.5, 3.0]},
        {"bins": "sturges"},
        {"range": (-0.5, 1.0)},
        {"density": True},
        {"weights": RNG.standard_normal(200)},
        {"weights": np.arange(200)},
        {"weights": RNG.standard_normal(200) + 1j, "bins": 3},
    ],
)
def test_histogram(options: dict[str, Any]) -> None:
    a = np.round(RNG.standard_normal(200), 1)
    found, expected = histogram(a, **options), np.histogram(a, **options)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_histogram_of_what_is_not_a_number() -> None:
    a = np.array([0.0, np.nan, 3.0, 9.0])
    same(histogram(a, 3, (0, 3))[0], np.histogram(a, 3, (0, 3))[0])
    with pytest.raises(ValueError, match="not finite"):
        histogram(a)
    with pytest.raises(ValueError, match="same shape"):
        histogram(a, weights=a[1:])


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize(("dtype", "width"), [("float32", 8), ("bfloat16", 8), ("float32", 513)])
def test_embedding_bag_as_torch_has_it(needs, mode: str, dtype: str, width: int) -> None:
    torch = needs("torch")
    reference = torch.nn.functional.embedding_bag
    generator = torch.Generator().manual_seed(0)
    table = torch.randn(10, width, generator=generator).to(getattr(torch, dtype))
    rows = torch.randint(0, 10, (24,), generator=generator)
    offsets = torch.tensor([0, 3, 3, 9, 24])
    forms: list[dict[str, Any]] = [
        {"input": rows, "offsets": offsets},
        {"input": rows, "offsets": offsets, "include_last_offset": True},
        {"input": rows.reshape(6, 4)},
        {"input": rows.int(), "offsets": offsets.int(), "padding_idx": 2},
        {"input": rows, "offsets": offsets, "padding_idx": -1},
    ]
    if mode == "sum":
        scales = torch.rand(24, generator=generator).to(table.dtype)
        forms.append({"input": rows, "offsets": offsets, "per_sample_weights": scales})
    for form in forms:
        found = embedding_bag(weight=table, mode=mode, **form)
        torch.testing.assert_close(found, reference(weight=table, mode=mode, **form))


def test_embedding_bag_refuses() -> None:
    table = np.ones((4, 2), np.float32)
    with pytest.raises(IndexError, match=r"^index 4 is out of bounds for axis 0 with size 4$"):
        embedding_bag([4], table, [0])
    with pytest.raises(ValueError, match="rank 1 with offsets"):
        embedding_bag([1], table)
    with pytest.raises(ValueError, match="offsets must ascend"):
        embedding_bag([1, 2], table, [0, 2, 1])
    with pytest.raises(ValueError, match="mode must be sum, mean or max"):
        embedding_bag([1], table, [0], mode="min")
    with pytest.raises(TypeError, match="float elements"):
        embedding_bag([1], table.astype(int), [0])
    with pytest.raises(ValueError, match="need mode 'sum'"):
        embedding_bag([1], table, [0], per_sample_weights=np.ones(1, np.float32))


@pytest.mark.parametrize(
    ("form", "dtype"),
    [
        *((form, "float32") for form in ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")),
        ("csr", "int64"),
        ("csc", "complex128"),
    ],
)
def test_sparse_products_as_scipy_has_them(needs, form: str, dtype: str) -> None:
    sparse = needs("scipy.sparse")
    dense = RNG.integers(-3, 4, (20, 30)) * (RNG.random((20, 30)) < 0.3)
    matrix = sparse.csr_array(dense.astype(dtype)).asformat(form)
    x = RNG.integers(-9, 9, (30, 3)).astype(dtype)
    for vector in (x[:, 0], x[:, 1].real.astype(np.float64)):
        same(spmv(matrix, vector), matrix @ vector)
    same(spmm(matrix, x), matrix @ x)
    same(spmm(matrix, x.T.copy().T), matrix @ x)


def test_sparse_products_of_floats_and_blocks(needs) -> None:
    sparse = needs("scipy.sparse")
    matrix = sparse.random(40, 60, 0.2, random_state=0, dtype=np.float32)
    x = RNG.standard_normal((60, 5)).astype(np.float32)
    for blocks in ((1, 1), (2, 3), (8, 4)):
        block = matrix.tobsr(blocks)
        np.testing.assert_allclose(spmv(block, x[:, 0]), block @ x[:, 0], rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(spmm(block, x), block @ x, rtol=1e-5, atol=1e-5)
    empty = sparse.csr_matrix((3, 60))
    same(spmv(empty, x[:, 0]), empty @ x[:, 0])


def test_sparse_products_that_do_not_fit(needs) -> None:
    sparse = needs("scipy.sparse")
    matrix = sparse.csr_array(np.eye(3))
    with pytest.raises(ValueError, match=r"matrix of shape \(3, 3\) times x of shape \(4,\)"):
        spmv(matrix, np.ones(4))
    with pytest.raises(ValueError, match="x must have rank 1, found 2"):
        spmv(matrix, np.ones((3, 1)))
    with pytest.raises(TypeError, match="expected a sparse matrix of SciPy, found ndarray"):
        spmv(np.eye(3), np.ones(3))


@pytest.mark.parametrize("count", [3, 100_000])
def test_csr_that_is_broken_is_refused_before_it_is_read(count: int, needs) -> None:
    sparse = needs("scipy.sparse")
    matrix = sparse.csr_array(sparse.eye_array(count, format="csr", dtype=np.float32))
    x = np.ones(count, np.float32)
    same(spmv(matrix, x), matrix @ x)
    matrix.indices[-1] = count
    with pytest.raises(IndexError, match=f"index {count} is out of bounds for axis 0 with size"):
        spmv(matrix, x)
    matrix.indices[-1] = 0
    for place, start in ((1, count + 1), (1, -1), (-1, count + 1)):
        right, matrix.indptr[place] = matrix.indptr[place], start
        with pytest.raises(ValueError, match=f"ascending places from 0 to {count}"):
            spmv(matrix, x)
        matrix.indptr[place] = right
    right, matrix.indptr = matrix.indptr, matrix.indptr[:-1]
    with pytest.raises(ValueError, match=f"{count} rows have {count + 1} ends, found {count}"):
        spmv(matrix, x)
    matrix.indptr = right
    matrix.data = matrix.data[:-1]
    with pytest.raises(ValueError, match=f"{count} numbers of slices, found {count - 1} factors"):
        spmv(matrix, x)


def test_csr_with_room_behind_its_last_element(needs) -> None:
    sparse = needs("scipy.sparse")
    matrix = sparse.random_array((40, 60), density=0.2, format="csr", dtype=np.float32, rng=0)
    x = np.arange(60, dtype=np.float32)
    expected = matrix @ x
    # Numbers that mean nothing there.
    matrix.indices = np.append(matrix.indices, np.int32([1 << 30, -5]))
    matrix.data = np.append(matrix.data, np.float32([np.nan, 1]))
    same(spmv(matrix, x), expected)
