"""Hardware gathers, against NumPy: every mode, type of element and of coordinate, and stride."""

import numpy as np
import pytest
from mlir_gs import execution
from mlir_gs.lowering.scf.target import MOST

TAKE = """
func.func @f(%table: tensor<?x{type}>, %i: tensor<?x1x{index}>) -> tensor<?x{type}> {{
  %r = "gs.gather"(%table, %i) {{gather_dims = array<i64: 0>{attributes}}}
      : (tensor<?x{type}>, tensor<?x1x{index}>) -> tensor<?x{type}>
  return %r : tensor<?x{type}>
}}"""

ALONG = """
func.func @f(%table: tensor<?x?x{type}>, %i: tensor<?x?xi32>) -> tensor<?x?x{type}> {{
  %r = "gs.gather_elements"(%table, %i) {{dim = {dim} : i64{attributes}}}
      : (tensor<?x?x{type}>, tensor<?x?xi32>) -> tensor<?x?x{type}>
  return %r : tensor<?x?x{type}>
}}"""

PAIRS = """
func.func @f(%table: tensor<?x?xf64>, %i: tensor<2x?xi64>, %new: tensor<?xf64>) -> tensor<?xf64> {{
  %r = "gs.generic"(%table, %i, %new) ({{
  ^bb0(%a: f64, %old: f64):
    gs.yield %a : f64
  }}) {{
    coordinate_maps = [[affine_map<(d0)[s0, s1] -> (0, d0)>, affine_map<(d0)[s0, s1] -> (1, d0)>]],
    indexing_maps = [affine_map<(d0)[s0, s1] -> (s0, s1)>, affine_map<(d0)[s0, s1] -> (d0)>],
    iterator_types = ["parallel"], fill_values = [-1.0], modes = ["{mode}", "fill_or_drop"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  }} : (tensor<?x?xf64>, tensor<2x?xi64>, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}}"""

MODES = {
    "promise_in_bounds": "",
    "clip": ', mode = "clip"',
    "fill": ', mode = "fill"',
    "wrap": ", wrap_negative",
    "wrap and fill": ', mode = "fill", wrap_negative',
}


@pytest.fixture(autouse=True, params=["always", "small", "fill", "never"])
def gathers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, on_target) -> None:
    """With them, up to some size, with some and without, whatever this machine's core is."""
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    on_target(
        gathered_bytes={"always": MOST, "small": 200}.get(request.param, 0),
        gathered_fill_bytes={"always": MOST, "small": 300, "fill": MOST}.get(request.param, 0),
    )


def places(rng: np.random.Generator, mode: str, size: int, shape: tuple[int, ...]) -> np.ndarray:
    low = {"promise_in_bounds": 0, "wrap": -size}.get(mode, -size - 3)
    return rng.integers(low, size if low in (0, -size) else size + 5, shape)


def positions(given: np.ndarray, mode: str, size: int) -> tuple[np.ndarray, np.ndarray]:
    """What coordinates stand for, and which of them are in bounds."""
    found = np.where(given < 0, given + size, given) if "wrap" in mode else given
    return found.clip(0, size - 1), (found >= 0) & (found < size) | ("fill" not in mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("index", ["i8", "i16", "i32", "i64", "index"])
@pytest.mark.parametrize("name", ["f32", "f64", "i32", "i64"])
def test_takes(name: str, index: str, mode: str) -> None:
    text = TAKE.format(type=name, index=index, attributes=MODES[mode])
    kernel = execution.compile(text, threads=1)
    rng = np.random.default_rng(2)
    dtype, index_dtype = (kernel.parameters[n].element.dtype for n in (0, 1))
    for size, count in ((1, 1), (5, 0), (7, 16), (40, 33), (100, 1000)):
        table = rng.integers(1, 1000, size).astype(dtype)
        given = places(rng, mode, size, (count, 1)).astype(index_dtype)
        where, inside = positions(given[:, 0].astype(np.int64), mode, size)
        result = kernel(table, given)
        np.testing.assert_array_equal(result[inside], table[where[inside]])
        # What JAX fills with: NaN, the least integer.
        filled = np.nan if dtype.kind == "f" else np.iinfo(dtype).min
        np.testing.assert_array_equal(result[~inside], np.full(np.sum(~inside), filled, dtype))


@pytest.mark.parametrize("mode", ["clip", "fill"])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("name", ["f32", "f64"])
def test_along_a_dim_of_any_strides(name: str, dim: int, mode: str) -> None:
    text = ALONG.format(type=name, dim=dim, attributes=MODES[mode])
    rng = np.random.default_rng(3)
    kernel = execution.compile(text, threads=1)
    dtype = kernel.parameters[0].element.dtype
    for rows, columns in ((1, 20), (30, 17), (9, 64), (3, 0)):
        base = rng.standard_normal((2 * rows, 3 * columns)).astype(dtype)
        tables = [base[:rows, :columns], base[::2, ::3], base[::-2, ::-3], base.T[::3, ::2].T]
        given = places(rng, mode, (rows, columns)[dim], (rows, columns)).astype(np.int32)
        where, inside = positions(given, mode, (rows, columns)[dim])
        for table in tables:
            expected = np.take_along_axis(table, where, dim)
            expected[~inside] = np.nan
            assert kernel(table, given).tobytes() == expected.tobytes()


@pytest.mark.parametrize("mode", ["clip", "fill_or_drop"])
@pytest.mark.parametrize("threads", [1, 2])
def test_pairs(threads: int, mode: str) -> None:
    """Two coordinates for each lane, of which one is clipped or both are masked."""
    kernel = execution.compile(PAIRS.format(mode=mode), threads=threads)
    rng = np.random.default_rng(4)
    table = rng.standard_normal((90, 110))
    for count in (0, 1, 40, 70_001):
        given = np.stack([places(rng, "fill", size, (count,)) for size in table.shape])
        rows, rows_inside = positions(given[0], "clip" if mode == "clip" else "fill", 90)
        columns, columns_inside = positions(given[1], "fill", 110)
        expected = np.where(rows_inside & columns_inside, table[rows, columns], -1.0)
        assert kernel(table, given, np.zeros(count)).tobytes() == expected.tobytes()
