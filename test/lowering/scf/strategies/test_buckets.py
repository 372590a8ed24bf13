"""Points that are sorted into buckets before they run: the bits of the loop in order."""

import numpy as np
import pytest
from mlir_gs import execution

# y[to[e]] op= w[e] * x[from[e]], row by row
MESSAGES = """
func.func @f(%x: tensor<?x{width}xf32>, %w: tensor<?xf32>, %to: tensor<{shape}x{index}>,
    %from: tensor<?xi64>, %y: tensor<?x{width}xf32>) -> tensor<?x{width}xf32> {{
  %r = "gs.generic"(%x, %w, %to, %from, %y) ({{
  ^bb0(%row: f32, %weight: f32, %current: f32):
    %product = arith.mulf %weight, %row : f32
    %new = {combine} %current, %product : f32
    gs.yield %new : f32
  }}) {{
    coordinate_maps = [[affine_map<(e, j)[to, from] -> ({place})>],
                       [affine_map<(e, j)[to, from] -> (e)>]],
    indexing_maps = [affine_map<(e, j)[to, from] -> (from, j)>,
                     affine_map<(e, j)[to, from] -> (e)>,
                     affine_map<(e, j)[to, from] -> (to, j)>],
    iterator_types = ["reduction", "parallel"], {attributes}
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  }} : (tensor<?x{width}xf32>, tensor<?xf32>, tensor<{shape}x{index}>, tensor<?xi64>,
       tensor<?x{width}xf32>) -> tensor<?x{width}xf32>
  return %r : tensor<?x{width}xf32>
}}"""


FAR = {"sorted_bytes": 0, "sorted_row_bytes": 0, "points_per_row": 0, "bucket_bytes": 300}


@pytest.fixture(autouse=True)
def all_is_far(applied, on_target) -> list[bool]:
    """Every output is as if no cache held it; whether buckets were found, op by op."""
    on_target(**FAR, most_buckets=1 << 20)
    return applied("buckets")


def _expected(x, w, to, frm, y, combine) -> np.ndarray:
    result = y.copy()
    for e in range(len(frm)):
        if 0 <= to[e] < len(y):
            result[to[e]] = combine(result[to[e]], w[e] * x[frm[e]])
    return result


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("width", ["5", "?"])
@pytest.mark.parametrize(
    ("index", "shape", "attributes"),
    [
        ("i64", "?", ""),
        ("i32", "?x1", ""),
        ("ui64", "?", ""),
        ("index", "?x1", ""),
        ("i8", "?", 'modes = ["clip", "promise_in_bounds"],'),
        ("i64", "?x1", 'modes = ["fill_or_drop", "promise_in_bounds"],'),
        ("i64", "?", 'modes = ["error", "promise_in_bounds"],'),
        ("i64", "?", "wrap_negative = array<i1: true, false>,"),
    ],
)
def test_messages(
    index: str, shape: str, attributes: str, width: str, threads: int, all_is_far: list[bool]
) -> None:
    place = "e" if shape == "?" else "e, 0"
    text = MESSAGES.format(
        width=width,
        shape=shape,
        index=index,
        place=place,
        attributes=attributes,
        combine="arith.addf",
    )
    kernel = execution.compile(text, threads=threads)
    assert all_is_far == [True]
    rng = np.random.default_rng(1)
    columns = 7 if width == "?" else int(width)
    dtype = kernel.parameters[2].element.dtype
    for rows, points in ((1, 0), (1, 9), (40, 3), (50, 400), (100, 5000)):
        x, y = (rng.standard_normal((n, columns), dtype=np.float32) for n in (9, rows))
        w = rng.standard_normal(points, dtype=np.float32)
        frm = rng.integers(0, 9, points)
        to = rng.integers(0, rows, points)
        if points > 3:
            to[-3:] = rows - 1
        given = to.copy()
        if "clip" in attributes or "drop" in attributes:
            given = rng.integers(-9, rows + 9, points)
            to = given.clip(0, rows - 1) if "clip" in attributes else given
        if "wrap" in attributes:
            given = np.where(rng.random(points) < 0.5, to - rows, to)
        indices = given.astype(dtype).reshape(-1, 1) if shape == "?x1" else given.astype(dtype)
        result = kernel(x, w, indices, frm, y)
        assert result.tobytes() == _expected(x, w, to, frm, y, np.add).tobytes()


def test_what_is_checked_is_checked_first(all_is_far: list[bool]) -> None:
    text = MESSAGES.format(
        width="4",
        shape="?",
        index="i64",
        place="e",
        attributes='modes = ["error", "promise_in_bounds"],',
        combine="arith.addf",
    )
    kernel = execution.compile(text, threads=2, donate=[4])
    y = np.zeros((10, 4), np.float32)
    x, w = np.ones((3, 4), np.float32), np.ones(50, np.float32)
    to, frm = np.zeros(50, np.int64), np.zeros(50, np.int64)
    to[33] = 10
    with pytest.raises(IndexError, match="10"):
        kernel(x, w, to, frm, y)
    assert not y.any()


@pytest.mark.parametrize("most", [1, 3, 1 << 20])
@pytest.mark.parametrize("width", ["64", "?"])
def test_most_points_in_one_row(width: str, most: int, all_is_far: list[bool], on_target) -> None:
    """One thread has it, the others the rest, or nothing; with any number of buckets."""
    on_target(**FAR, most_buckets=most)
    text = MESSAGES.format(
        width=width, shape="?", index="i64", place="e", attributes="", combine="arith.maximumf"
    )
    kernel = execution.compile(text, threads=4)
    rng = np.random.default_rng(2)
    x, y = (rng.standard_normal((n, 64), dtype=np.float32) for n in (9, 100))
    for hot in (0, 50, 99):
        to = np.where(rng.random(3000) < 0.9, hot, rng.integers(0, 100, 3000))
        w, frm = rng.standard_normal(3000, dtype=np.float32), rng.integers(0, 9, 3000)
        result = kernel(x, w, to, frm, y)
        assert result.tobytes() == _expected(x, w, to, frm, y, np.maximum).tobytes()


UPDATES = """
func.func @f(%u: tensor<?x8xf32>, %y: tensor<?x8xf32>, %i: tensor<?x1xi64>) -> tensor<?x8xf32> {
  %r = gs.scatter %u into %y[%i] scatter_dims([0])
      : (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x1xi64>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}"""


def test_rows_in_order_stay_in_order(all_is_far: list[bool]) -> None:
    """Updates that lie side by side are read as they lie."""
    kernel = execution.compile(UPDATES, threads=1)
    assert all_is_far == [False]
    y = kernel(np.ones((3, 8), np.float32), np.zeros((5, 8), np.float32), np.array([[4], [1], [4]]))
    np.testing.assert_array_equal(y.sum(axis=1), [0, 8, 0, 0, 8])
