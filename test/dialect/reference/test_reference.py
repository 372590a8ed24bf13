"""The reference, op by op: numbers worked out by hand for what the specification says."""

import ml_dtypes
import numpy as np
import pytest
from mlir_gs.dialect import reference
from mlir_gs.dialect.reference import CoordinateError, UndefinedBehavior

X = np.arange(24.0).reshape(2, 3, 4)


def column(*coordinates: int, dtype: str = "int64") -> np.ndarray:
    return np.array(coordinates, dtype).reshape(-1, 1)


def test_gather_full_slices() -> None:
    out = reference.gather(X, column(2, 0), [1])
    assert out.shape == (2, 2, 4)
    np.testing.assert_array_equal(out[0], X[:, 2, :])
    np.testing.assert_array_equal(out[1], X[:, 0, :])


def test_gather_dims_that_do_not_adjoin_and_unit_dims() -> None:
    indices = np.array([[[0, 3], [1, 1]]])
    np.testing.assert_array_equal(reference.gather(X, indices, [0, 2])[0, 0], X[0, :, 3])
    kept = reference.gather(X, indices, [0, 2], keep_unit_dims=True)
    assert kept.shape == (1, 2, 1, 3, 1)
    np.testing.assert_array_equal(kept[0, 1, 0, :, 0], X[1, :, 1])


def test_gather_batch_dims() -> None:
    indices = np.array([[[2], [0]], [[1], [1]]])
    out = reference.gather(X, indices, [1], batch_dims=1)
    assert out.shape == (2, 2, 4)
    np.testing.assert_array_equal(out[0, 0], X[0, 2])
    np.testing.assert_array_equal(out[1, 1], X[1, 1])


def test_clip_takes_the_nearest_element_and_wrapping_comes_first() -> None:
    row = np.array([10, 11, 12])
    at = column(-1, -3, -4, 3, 100)
    np.testing.assert_array_equal(reference.gather(row, at, [0], mode="clip"), [10, 10, 10, 12, 12])
    wrapped = reference.gather(row, at, [0], mode="clip", wrap_negative=True)
    np.testing.assert_array_equal(wrapped, [12, 10, 10, 12, 12])


def test_coordinates_are_extended_by_their_sign() -> None:
    row = np.arange(300)
    assert reference.gather(row, column(200, dtype="uint8"), [0], mode="clip") == 200
    assert reference.gather(row, column(-56, dtype="int8"), [0], mode="clip") == 0
    assert reference.gather(row, column(2**64 - 1, dtype="uint64"), [0], mode="clip") == 299
    assert reference.gather(row, column(True, dtype="bool"), [0]) == 1


def test_fill_fills_the_whole_slice_if_any_coordinate_is_out_of_bounds() -> None:
    indices = np.array([[0, 4], [2, 0], [1, 1]])
    out = reference.gather(X, indices, [0, 2], mode="fill", fill_value=-1.0)
    np.testing.assert_array_equal(out, [[-1, -1, -1], [-1, -1, -1], X[1, :, 1]])


@pytest.mark.parametrize(
    ("dtype", "bits"),
    [
        ("float64", 0x7FF8000000000000),
        ("float32", 0x7FC00000),
        ("float16", 0x7E00),
        (ml_dtypes.bfloat16, 0x7FC0),
        (ml_dtypes.float8_e5m2, 0x7E),
        (ml_dtypes.float8_e4m3, 0x7C),
        (ml_dtypes.float8_e3m4, 0x78),
        (ml_dtypes.float8_e4m3fn, 0x7F),
        (ml_dtypes.float8_e4m3fnuz, 0x80),
        (ml_dtypes.float8_e8m0fnu, 0xFF),
        ("bool", 1),
        ("int8", 0x80),
        ("int64", 1 << 63),
        ("uint8", 0xFF),
        ("uint64", (1 << 64) - 1),
        ("complex64", 0x7FC00000),  # nan + 0j
    ],
)
def test_default_fill(dtype: object, bits: int) -> None:
    assert int.from_bytes(reference.default_fill(dtype).tobytes(), "little") == bits


def test_default_fill_of_four_bits_and_of_floats_without_nan() -> None:
    assert int(reference.default_fill(ml_dtypes.int4)) == -8
    assert int(reference.default_fill(ml_dtypes.uint4)) == 15
    with pytest.raises(ValueError, match="no NaN"):
        reference.default_fill(ml_dtypes.float4_e2m1fn)


def test_moves_keep_the_bits_of_signaling_nans() -> None:
    bits = np.array([0x7F800001, 0xFFC01234], np.uint32)
    out = reference.gather(bits.view(np.float32), column(1, 0), [0])
    np.testing.assert_array_equal(out.view(np.uint32), bits[::-1])


def test_error_names_coordinate_position_and_size_before_writing() -> None:
    dest = np.zeros((3, 4))
    indices = np.array([[0, 1], [2, 4], [3, 0]])
    with pytest.raises(CoordinateError) as caught:
        reference.scatter(np.ones(3), dest, indices, [0, 1], mode="error")
    error = caught.value
    # Dim by dim: the third coordinate of dim 0 comes before the second of dim 1.
    assert (error.coordinate, error.position, error.size) == (3, (2, 0), 3)
    assert str(error) == (
        "coordinate of scatter_dims 0: coordinate 3 at position [2, 0] is out of bounds for size 3"
    )
    assert isinstance(error, IndexError)
    assert not dest.any()


def test_error_checks_also_where_slices_are_empty() -> None:
    with pytest.raises(CoordinateError):
        reference.gather(np.zeros((3, 0)), column(3), [0], mode="error")


def test_error_wraps_first_and_reports_what_stands_there() -> None:
    row = np.arange(3)
    assert reference.gather(row, column(-3), [0], mode="error", wrap_negative=True) == 0
    with pytest.raises(CoordinateError, match="coordinate -4 at"):
        reference.gather(row, column(-4), [0], mode="error", wrap_negative=True)


def test_broken_promises_have_no_result() -> None:
    row = np.arange(3)
    with pytest.raises(UndefinedBehavior, match="promise_in_bounds"):
        reference.gather(row, column(3), [0])
    with pytest.raises(UndefinedBehavior, match="unique"):
        reference.gather(row, column(1, 1), [0], unique=True)
    with pytest.raises(UndefinedBehavior, match="sorted"):
        reference.gather(row, column(1, 0), [0], sorted=True)
    with pytest.raises(UndefinedBehavior, match="size 0"):
        reference.gather(np.zeros(0), column(0), [0], mode="clip")


def test_unique_asks_for_nothing_where_slices_are_dropped() -> None:
    out = reference.scatter(
        np.array([1, 2, 3]), np.zeros(2, int), column(5, 0, 5), [0], mode="drop", unique=True
    )
    np.testing.assert_array_equal(out, [2, 0])


def test_scatter_is_sequential() -> None:
    updates, dest = np.array([1.0, 2.0, 3.0, 4.0]), np.full(2, 10.0)
    at = column(0, 1, 0, 0)
    np.testing.assert_array_equal(reference.scatter(updates, dest, at, [0]), [4, 2])
    np.testing.assert_array_equal(reference.scatter(updates, dest, at, [0], np.subtract), [2, 8])
    digits = reference.scatter(updates, dest, at, [0], lambda current, new: current * 10 + new)
    np.testing.assert_array_equal(digits, [10134, 102])
    np.testing.assert_array_equal(dest, [10, 10])


def test_scatter_rounds_after_each_update() -> None:
    small = np.full(3, 2**-9, np.float32).astype(ml_dtypes.bfloat16)
    one = np.ones(1, ml_dtypes.bfloat16)
    # Half a unit in the last place of 1.0 each: ties to even, so nothing is ever added.
    assert reference.scatter(small, one, column(0, 0, 0), [0], np.add)[0] == 1.0


def test_scatter_takes_both_shapes_of_slices_and_drops_whole_ones() -> None:
    dest = np.zeros((2, 3))
    indices = column(2, 7)
    dropped = reference.scatter(np.ones((2, 2)), dest, indices, [1], mode="drop")
    np.testing.assert_array_equal(dropped, [[0, 0, 1], [0, 0, 1]])
    unit = reference.scatter(np.ones((2, 2, 1)), dest, indices, [1], mode="drop")
    np.testing.assert_array_equal(unit, dropped)
    with pytest.raises(ValueError, match="updates must have one of the shapes"):
        reference.scatter(np.ones((2, 3)), dest, indices, [1])


def test_gather_elements_with_smaller_indices() -> None:
    source = np.array([[0, 1, 2], [3, 4, 5]])
    out = reference.gather_elements(source, np.array([[1, 0], [1, 1], [0, 0]]), 0)
    np.testing.assert_array_equal(out, [[3, 1], [3, 4], [0, 1]])
    with pytest.raises(ValueError, match="exceed"):
        reference.gather_elements(source, np.zeros((1, 4), int), 0)
    with pytest.raises(UndefinedBehavior, match="ascend along dim 1"):
        reference.gather_elements(source, np.array([[0, 1], [1, 0]]), 1, sorted=True)


def test_scatter_elements_in_order() -> None:
    out = reference.scatter_elements(
        np.array([[1, 2, 3]]), np.zeros((1, 2), int), np.array([[1, 1, 5]]), 1, mode="drop"
    )
    np.testing.assert_array_equal(out, [[0, 2]])


def test_histogram_sorts_bins_and_folds_in_order() -> None:
    indices = np.array([[1, 0], [-1, 5], [1, 0], [0, 9], [1, 0]])
    updates = np.array([100.0, 2.0, 30.0, 4.0, 5.0])
    combined, bins = reference.histogram(updates, indices, np.subtract)
    np.testing.assert_array_equal(bins, [[-1, 5], [0, 9], [1, 0]])
    np.testing.assert_array_equal(combined, [2, 4, 100 - 30 - 5])


def test_histogram_of_nothing_and_of_booleans() -> None:
    combined, bins = reference.histogram(np.zeros((0, 2)), np.zeros((0, 3), int), np.add)
    assert (combined.shape, bins.shape) == ((0, 2), (0, 3))
    _, bins = reference.histogram(np.ones(3), np.array([[True], [False], [True]]), np.add)
    np.testing.assert_array_equal(bins, [[False], [True]])


def test_strided_slice_windows() -> None:
    row = np.arange(10)
    np.testing.assert_array_equal(reference.strided_slice(row, [1], [8], [3]), [1, 4, 7])
    np.testing.assert_array_equal(reference.strided_slice(row, [1], [8], [-3]), [8, 5, 2])
    np.testing.assert_array_equal(reference.strided_slice(row, [1], [8], [-3], [2]), [8, 5])
    with pytest.raises(ValueError, match="leaves the source"):
        reference.strided_slice(row, [3], [8], [1])


ROWS = ["(d0, d1)[s0] -> (s0, d1)", "(d0, d1)[s0] -> (d0, d1)"]
AT_ROW = [["(d0, d1)[s0] -> (d0)"]]
PARALLEL = ["parallel", "parallel"]


def _pass_on(element: np.ndarray, _current: np.ndarray) -> np.ndarray:
    return element


def test_generic_rows() -> None:
    out = reference.generic(
        [X[0]], [np.array([2, 0])], [np.zeros((2, 4))], ROWS, AT_ROW, PARALLEL, _pass_on
    )
    np.testing.assert_array_equal(out[0], X[0][[2, 0]])


def test_generic_sparse_product() -> None:
    plain = "(d0)[s0, s1] -> (d0)"
    (out,) = reference.generic(
        [np.array([2.0, 3.0, 4.0]), np.array([1.0, 10.0])],
        [np.array([0, 1, 0]), np.array([0, 1, 1])],
        [np.zeros(2)],
        [plain, "(d0)[s0, s1] -> (s1)", "(d0)[s0, s1] -> (s0)"],
        [[plain], [plain]],
        ["reduction"],
        lambda value, x, y: y + value * x,
    )
    np.testing.assert_array_equal(out, [42, 30])


WINDOW = ["(d0, d1)[s0] -> (s0 + d1)", "(d0, d1)[s0] -> (d0, d1)"]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("clip", [[10, 11], [11, 12], [11, 12], [10, 11]]),
        ("fill_or_drop", [[10, 11], [11, 12], [-1, -1], [-1, -1]]),
    ],
)
def test_generic_windows_are_moved_or_filled_whole(mode: str, expected: list) -> None:
    row, at = np.array([10, 11, 12]), np.array([0, 1, 2, -1])
    (out,) = reference.generic(
        [row], [at], [np.zeros((4, 2), int)], WINDOW, AT_ROW, PARALLEL, _pass_on,
        modes=[mode], fill_values=[-1],
    )  # fmt: skip
    np.testing.assert_array_equal(out, expected)


def test_generic_skips_windows_that_leave_an_output() -> None:
    (out,) = reference.generic(
        [np.ones((2, 2))], [np.array([2, 0])], [np.zeros(3)], WINDOW[::-1], AT_ROW,
        ["reduction", "reduction"], lambda u, c: u + c, modes=["fill_or_drop"],
    )  # fmt: skip
    np.testing.assert_array_equal(out, [1, 1, 0])


def test_generic_wraps_by_the_smallest_size_and_bounds_intersect() -> None:
    one, other = np.array([1, 2, 3]), np.array([10, 20, 30, 40, 50])
    maps = ["(d0)[s0] -> (s0)", "(d0)[s0] -> (s0)", "(d0)[s0] -> (d0)"]
    for at, expected in (([-1, 2], [33, 33]), ([3, 0], [33, 11])):
        (out,) = reference.generic(
            [one, other], [np.array(at)], [np.zeros(2, int)], maps, [["(d0)[s0] -> (d0)"]],
            ["parallel"], lambda a, b, _: a + b, modes=["clip"], wrap_negative=[True],
        )  # fmt: skip
        np.testing.assert_array_equal(out, expected)


def test_generic_fills_through_a_coordinate_that_hangs_on_one_out_of_bounds() -> None:
    (out,) = reference.generic(
        [np.array([5.0, 6.0])],
        [np.array([1, 9]), np.array([0, 1])],
        [np.zeros(2)],
        ["(d0)[s0, s1] -> (s1)", "(d0)[s0, s1] -> (d0)"],
        [["(d0)[s0, s1] -> (d0)"], ["(d0)[s0, s1] -> (s0)"]],
        ["parallel"],
        _pass_on,
        modes=["fill_or_drop", "promise_in_bounds"],
    )
    np.testing.assert_array_equal(out, [6, np.nan])


def test_generic_refuses_a_parallel_dim_that_meets_an_element_twice() -> None:
    with pytest.raises(UndefinedBehavior, match="two parallel iterations"):
        reference.generic(
            [np.ones(2)], [np.array([0, 0])], [np.zeros(1)],
            ["(d0)[s0] -> (d0)", "(d0)[s0] -> (s0)"], [["(d0)[s0] -> (d0)"]], ["parallel"],
            _pass_on,
        )  # fmt: skip


def test_generic_error_reports_the_position_in_the_operand() -> None:
    out = np.zeros((2, 4))
    with pytest.raises(CoordinateError) as caught:
        reference.generic(
            [X[0]], [np.array([[2, 0], [0, 3]])], [out], ROWS, [["(d0, d1)[s0] -> (d0, 1)"]],
            PARALLEL, _pass_on, modes=["error"], in_place=True,
        )  # fmt: skip
    error = caught.value
    assert (error.coordinate, error.position, error.size) == (3, (1, 1), 3)
    assert not out.any()


def test_generic_runs_over_the_least_of_the_plain_sizes() -> None:
    maps = ["(d0) -> (d0)", "(d0) -> (d0)"]
    (out,) = reference.generic([np.ones(3)], [], [np.zeros(2)], maps, [], ["parallel"], _pass_on)
    np.testing.assert_array_equal(out, [1, 1])
    (out,) = reference.generic([np.ones(1)], [], [np.zeros(2)], maps, [], ["parallel"], _pass_on)
    np.testing.assert_array_equal(out, [1, 0])
    with pytest.raises(ValueError, match="have no extent"):
        reference.generic(
            [np.ones(3)], [], [np.ones(2)], ["(d0) -> (d0 * 2)"] * 2, [], ["parallel"], _pass_on
        )
