"""Points in blocks whose coordinates are looked at first: some of them out of bounds, or none."""

import numpy as np
import pytest
from mlir_gs import execution

ADD = """
func.func @f(%u: tensor<?xf32>, %i: tensor<?x{kind}>, %y: tensor<?xf32>) -> tensor<?xf32> {{
  %r = gs.generic (e) [s = %i[e] {mode}] ins(%u[e]) outs(%y[s]) iterators(e = reduction)
      : (tensor<?xf32>, tensor<?x{kind}>, tensor<?xf32>) -> tensor<?xf32> {{
  ^bb0(%a: f32, %o: f32):
    %n = arith.addf %o, %a : f32
    gs.yield %n : f32
  }}
  return %r : tensor<?xf32>
}}"""

SET_TWO = """
func.func @f(%u: tensor<?xi16>, %i: tensor<?xi64>, %j: tensor<?xi32>, %y: tensor<?x7xi16>)
    -> tensor<?x7xi16> {
  %r = gs.generic (e) [s = %i[e] wrap_negative mode(fill_or_drop), t = %j[e] mode(clip)]
      ins(%u[e]) outs(%y[s, t]) iterators(e = reduction)
      : (tensor<?xi16>, tensor<?xi64>, tensor<?xi32>, tensor<?x7xi16>) -> tensor<?x7xi16> {
  ^bb0(%a: i16, %o: i16):
    gs.yield %a : i16
  }
  return %r : tensor<?x7xi16>
}"""


def _place(coordinate: int, size: int, mode: str) -> int | None:
    """Where an update goes."""
    if "wrap" in mode and coordinate < 0:
        coordinate += size
    if "clip" in mode:
        return min(max(coordinate, 0), size - 1)
    return coordinate if 0 <= coordinate < size else None


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", ["i8", "ui8", "i32", "i64", "ui64", "index"])
@pytest.mark.parametrize(
    "mode", ["mode(fill_or_drop)", "wrap_negative mode(fill_or_drop)", "mode(clip)"]
)
def test_adds(mode: str, kind: str, threads: int) -> None:
    kernel = execution.compile(ADD.format(mode=mode, kind=kind), threads=threads)
    name = {"index": "int64"}.get(kind, kind.replace("u", "").replace("i", "int"))
    dtype = np.dtype("u" + name if kind.startswith("u") else name)
    info, rng, size = np.iinfo(dtype), np.random.default_rng(3), 100
    y = rng.random(size).astype(np.float32)
    for count in (0, 1, 255, 256, 257, 5000):
        u = rng.random(count).astype(np.float32) - np.float32(0.5)
        for bad in ([], [0], [count // 2], [count - 1], range(0, count, 700), range(count)):
            ids = rng.integers(0, size, count).astype(dtype)
            for n in bad if count else ():
                ids[n] = (info.min, info.max, size, 0 if info.min == 0 else -1)[n % 4]
            expected = y.copy()
            for at, a in zip(ids.tolist(), u, strict=True):
                place = _place(at, size, mode)
                if place is not None:
                    expected[place] += a
            np.testing.assert_array_equal(kernel(u, ids, y), expected, f"{count} {list(bad)[:9]}")


def test_two_coordinates_of_several_types() -> None:
    kernel = execution.compile(SET_TWO)
    rng, count, rows = np.random.default_rng(4), 3000, 20
    y = rng.integers(0, 99, (rows, 7)).astype(np.int16)
    u = rng.integers(0, 99, count).astype(np.int16)
    i, j = rng.integers(0, rows, count), rng.integers(0, 7, count).astype(np.int32)
    i[[700, 701]], j[[1500, 2999]] = [-3, 99], [-9, 40]
    expected = y.copy()
    for a, s, t in zip(u, i, j, strict=True):
        if -rows <= s < rows:
            expected[s, min(max(t, 0), 6)] = a
    np.testing.assert_array_equal(kernel(u, i, j, y), expected)
    # Views with steps, and nothing to write to.
    twice = kernel(np.repeat(u, 2)[::2], np.repeat(i, 3)[::3], j[::-1][::-1], y)
    np.testing.assert_array_equal(twice, expected)
    assert kernel(u, i, j, y[:0]).shape == (0, 7)


def test_equal_neighbours_keep_the_bits() -> None:
    """A sum stays in a register within a block, and goes on in the next one."""
    kernel = execution.compile(ADD.format(mode="mode(fill_or_drop)", kind="i64"))
    rng = np.random.default_rng(5)
    ids = np.repeat(rng.integers(0, 30, 50), 200)
    ids[[5, 9999]] = -1, 30
    u, y = rng.random(ids.size).astype(np.float32), np.full(30, -0.0, np.float32)
    expected = y.copy()
    for at, a in zip(ids, u, strict=True):
        if 0 <= at < 30:
            expected[at] += a
    found = kernel(u, ids, y)
    np.testing.assert_array_equal(found.view(np.int32), expected.view(np.int32))


SET = """
func.func @f(%u: memref<?xi64>, %i: memref<?xi64, strided<[?]>>, %y: memref<?xi64>) {
  gs.generic (e) [s = %i[e] mode(fill_or_drop)] ins(%u[e]) outs(%y[s]) iterators(e = reduction)
      : (memref<?xi64>, memref<?xi64, strided<[?]>>, memref<?xi64>) -> () {
  ^bb0(%a: i64, %o: i64):
    gs.yield %a : i64
  }
  return
}"""


@pytest.mark.parametrize("step", [1, 2, -1])
def test_coordinates_that_an_update_writes_stay_in_bounds(step: int) -> None:
    """The output is the memory of its coordinates: what was looked at is not what is read."""
    kernel, rng = execution.compile(SET), np.random.default_rng(6)
    y = rng.integers(0, 3000, 3000)
    at = y[::step]
    u = rng.choice([1 << 40, -(1 << 40), 7], len(at))
    expected = y.copy()
    for a, s in zip(u, ids := expected[::step], strict=True):
        if 0 <= s < len(ids) * abs(step):
            expected[s] = a
    kernel(u, at, y)
    np.testing.assert_array_equal(y, expected)
