"""Elements at coordinates of their own: every length, type and mode."""

import numpy as np
import pytest
from mlir_gs import execution

TAKE = """
func.func @f(%table: tensor<{size}x{element}>, %i: tensor<{count}x1x{index}>)
    -> tensor<{count}x{element}> {{
  %r = "gs.gather"(%table, %i) {{gather_dims = array<i64: 0>{attributes}}}
      : (tensor<{size}x{element}>, tensor<{count}x1x{index}>) -> tensor<{count}x{element}>
  return %r : tensor<{count}x{element}>
}}"""

LAST_AXIS = """
func.func @f(%x: tensor<?x?xf16>, %i: tensor<?xi64>, %new: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %r = gs.generic (d0, d1) [s0 = %i[d1]]
      ins(%x[d0, s0]) outs(%new[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (tensor<?x?xf16>, tensor<?xi64>, tensor<?x?xf16>) -> tensor<?x?xf16> {
  ^bb0(%element: f16, %old: f16):
    gs.yield %element : f16
  }
  return %r : tensor<?x?xf16>
}"""

PAIRS = """
func.func @f(%x: tensor<?x?x{element}>, %i: tensor<{shape}x{index}>, %w: tensor<?x{element}>,
    %new: tensor<?x{element}>) -> tensor<?x{element}> {{
  %r = gs.generic (d0) [s0 = %i[{row}], s1 = %i[{column}]]
      ins(%x[s0, s1], %w[d0]) outs(%new[d0]) iterators(d0 = parallel)
      : (tensor<?x?x{element}>, tensor<?x{element}>, tensor<{shape}x{index}>,
      tensor<?x{element}>)
      -> tensor<?x{element}> {{
  ^bb0(%a: {element}, %b: {element}, %old: {element}):
    {body}
  }}
  return %r : tensor<?x{element}>
}}"""

CHAINED = """
func.func @f(%x: tensor<?xf32>, %rows: tensor<?xi64>, %j: tensor<?x?xi32>, %new: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %r = gs.generic (d0, d1) [s0 = %rows[d0] mode(fill_or_drop), s1 = %j[s0, d1]]
      ins(%x[s1] fill(-1.000000e+00 : f32)) outs(%new[d0, d1])
      iterators(d0 = parallel, d1 = parallel)
      : (tensor<?xf32>, tensor<?xi64>, tensor<?x?xi32>, tensor<?x?xf32>) -> tensor<?x?xf32> {
  ^bb0(%a: f32, %old: f32):
    gs.yield %a : f32
  }
  return %r : tensor<?x?xf32>
}"""

LENGTHS = (0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 130, 1000, 70_001)


@pytest.fixture(autouse=True)
def without_gathers(on_target) -> None:
    on_target(gather_bytes=0)


@pytest.mark.parametrize(
    "mode",
    ["", ', mode = "clip"', ', mode = "fill"', ', mode = "error"', ", wrap_negative",
     ', mode = "clip", wrap_negative'],
)  # fmt: skip
@pytest.mark.parametrize("index", ["i64", "i32", "ui32", "i16", "ui64", "index"])
@pytest.mark.parametrize("element", ["i1", "f16", "f8E4M3FN", "f32", "ui64", "complex<f32>"])
def test_takes(element: str, index: str, mode: str) -> None:
    text = TAKE.format(size="?", count="?", element=element, index=index, attributes=mode)
    kernel = execution.compile(text, threads=2)
    dtype = kernel.parameters[0].element.dtype
    rng = np.random.default_rng(1)
    for count in LENGTHS:
        table = rng.integers(0, 2, 300).astype(dtype) * rng.integers(1, 9, 300).astype(dtype)
        places = rng.integers(0 if "u" in index else -305, 305, (count, 1))
        if "clip" not in mode and "fill" not in mode:
            places = places.clip(-300 if "wrap" in mode and "u" not in index else 0, 299)
        given = places.astype(kernel.parameters[1].element.dtype)
        if "wrap" in mode:
            places = np.where(places < 0, places + 300, places)
        expected = table[places[:, 0].clip(0, 299)]
        if "fill" in mode:
            outside = (places[:, 0] < 0) | (places[:, 0] > 299)
            # Of elements without a NaN it is the least one.
            fill = kernel(table, np.array([[300]], given.dtype))[0]
            expected = np.where(outside, fill, expected)
        assert kernel(table, given).tobytes() == expected.astype(dtype).tobytes()


@pytest.mark.parametrize("threads", [1, 2])
def test_last_axis(threads: int) -> None:
    """Rows that begin anywhere, in outputs of any stride."""
    kernel = execution.compile(LAST_AXIS, threads=threads)
    rng = np.random.default_rng(2)
    for rows, columns in ((1, 1), (3, 5), (9, 33), (200, 257)):
        x = rng.standard_normal((rows, 300)).astype(np.float16)
        places = rng.integers(0, 300, columns)
        memory = np.zeros((rows, 2 * columns + 1), np.float16)
        for out in (memory[:, :columns], memory[:, 1 : columns + 1], memory[:, : 2 * columns : 2]):
            result = kernel(x, places, np.zeros((rows, columns), np.float16), out=out)
            np.testing.assert_array_equal(result, x[:, places])


@pytest.mark.parametrize("body", ["moved", "computed"])
@pytest.mark.parametrize("element", ["i32", "i64", "i8"])
@pytest.mark.parametrize("columns_apart", [False, True])
def test_pairs_of_coordinates(columns_apart: bool, element: str, body: str) -> None:
    """Two coordinates a point: side by side, or each in a row of its own; at any address, and of
    any stride."""
    text = PAIRS.format(
        element=element,
        index="i32",
        shape="2x?" if columns_apart else "?x2",
        row="0, d0" if columns_apart else "d0, 0",
        column="1, d0" if columns_apart else "d0, 1",
        body=f"gs.yield %a : {element}"
        if body == "moved"
        else f'%s = arith.addi %a, %b : {element}\n"gs.yield"(%s) : ({element}) -> ()',
    )
    kernel = execution.compile(text, threads=2)
    rng = np.random.default_rng(3)
    dtype = kernel.parameters[0].element.dtype
    x = rng.integers(0, 60, (40, 50)).astype(dtype)
    for count in LENGTHS:
        w = rng.integers(0, 60, count).astype(dtype)
        rows, columns = rng.integers(0, 40, count), rng.integers(0, 50, count)
        expected = x[rows, columns] + (w if body == "computed" else 0)
        memory = np.zeros(4 * count + 2, np.int32)
        shape = (2, count) if columns_apart else (count, 2)
        places = np.stack([rows, columns], 0 if columns_apart else 1)
        for given in (
            memory[: 2 * count].reshape(shape),
            memory[1 : 2 * count + 1].reshape(shape),
            memory[: 4 * count : 2].reshape(shape),
            memory[: 2 * count].reshape(shape[::-1]).T,
        ):
            given[...] = places
            found = kernel(x, given, w, np.zeros(count, dtype))
            np.testing.assert_array_equal(found, expected)


def test_rows_of_coordinates_out_of_bounds_are_not_read() -> None:
    """Coordinates in a row that is found through others, and may be far outside."""
    kernel = execution.compile(CHAINED, threads=2)
    rng = np.random.default_rng(4)
    x = rng.standard_normal(500, np.float32)
    j = rng.integers(0, 500, (9, 300)).astype(np.int32)
    rows = np.array([3, 1 << 40, 0, -(1 << 40), 8])
    inside = (rows >= 0) & (rows < 9)
    expected = np.where(inside[:, None], x[j[np.where(inside, rows, 0)]], np.float32(-1))
    np.testing.assert_array_equal(kernel(x, rows, j, np.zeros((5, 300), np.float32)), expected)
