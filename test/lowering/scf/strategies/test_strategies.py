"""Each way the loops of an op can be emitted, run: the bits of NumPy's sequential loop."""

from collections.abc import Callable
from dataclasses import dataclass

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import execution


def _scatter(
    row: str, index: str, element: str, combine: str, attributes: str = "", shape: str = "?"
) -> str:
    """A scatter of rows whose combiner is the op `combine`, or that overwrites."""
    x = "x" if row else ""
    region = (
        f"""^bb0(%current: {element}, %update: {element}):
      %new = {combine} %current, %update : {element}
      gs.yield %new : {element}"""
        if combine
        else ""
    )
    updates, dest = f"tensor<?x{row}{x}{element}>", f"tensor<{shape}x{row}{x}{element}>"
    return f"""
func.func @f(%updates: {updates}, %dest: {dest}, %i: tensor<?x1x{index}>) -> {dest} {{
  %r = "gs.scatter"(%updates, %dest, %i) ({{
    {region}
  }}) {{scatter_dims = array<i64: 0>{attributes}}}
      : ({updates}, {dest}, tensor<?x1x{index}>) -> {dest}
  return %r : {dest}
}}"""


def _at(function: Callable[..., None]) -> Callable[..., np.ndarray]:
    def expected(updates: np.ndarray, dest: np.ndarray, i: np.ndarray) -> np.ndarray:
        result = dest.copy()
        inside = (i[:, 0] >= 0) & (i[:, 0] < len(dest))
        function(result, i[inside, 0], updates[inside])
        return result

    return expected


ADD = _at(np.add.at)


@dataclass(frozen=True)
class Case:
    """A function of updates, dest and coordinates; `name` is the strategy that it is for."""

    name: str
    text: str
    expected: Callable[..., np.ndarray]
    dtype: type
    updates: tuple[int, ...]
    dest: tuple[int, ...]
    index: type = np.int64
    sorted: bool = False
    beyond: int = 0
    """Coordinates reach so far out of bounds."""
    wraps: bool = False


SORTED = ", sorted"
DROP = ', mode = "drop"'
CASES = (
    Case("segments of rows", _scatter("64", "i64", "f32", "arith.addf", SORTED), ADD,
         np.float32, (4001, 64), (500, 64), sorted=True),
    Case("segments of one", _scatter("64", "i64", "f32", "arith.addf", SORTED), ADD,
         np.float32, (1500, 64), (90001, 64), sorted=True),
    Case("one segment", _scatter("33", "i32", "f32", "arith.addf", SORTED), ADD,
         np.float32, (5001, 33), (1, 33), np.int32, sorted=True),
    Case("segments of rows of any length", _scatter("?", "i64", "f32", "arith.addf", SORTED), ADD,
         np.float32, (4001, 203), (500, 203), sorted=True),
    Case("segments of elements", _scatter("", "i64", "f64", "arith.addf", SORTED), ADD,
         np.float64, (70001,), (5000,), sorted=True),
    Case("segments, some dropped", _scatter("16", "i64", "f32", "arith.addf", SORTED + DROP), ADD,
         np.float32, (9001, 16), (500, 16), sorted=True, beyond=50),
    Case("segments, clipped",
         _scatter("16", "i64", "f32", "arith.addf", SORTED + ', mode = "clip"'),
         lambda u, d, i: ADD(u, d, i.clip(0, len(d) - 1)),
         np.float32, (9001, 16), (500, 16), sorted=True, beyond=300),
    Case("owned elements", _scatter("", "i64", "f32", "arith.addf"), ADD,
         np.float32, (90001,), (300_011,)),
    Case("owned elements at i32", _scatter("", "i32", "f32", "arith.mulf"), _at(np.multiply.at),
         np.float32, (90001,), (300_011,), np.int32),
    Case("owned elements at ui16", _scatter("", "ui16", "f32", "arith.addf"), ADD,
         np.float32, (90001,), (300_011,), np.uint16),
    Case("owned elements, some dropped", _scatter("", "i64", "f32", "arith.addf", DROP), ADD,
         np.float32, (90001,), (300_011,), beyond=5000),
    Case("owned elements, wrapped",
         _scatter("", "i64", "f32", "arith.addf", ", wrap_negative"),
         lambda u, d, i: ADD(u, d, np.where(i < 0, i + len(d), i)),
         np.float32, (90001,), (300_011,), wraps=True),
    Case("owned rows", _scatter("24", "i64", "f32", "arith.addf"), ADD,
         np.float32, (9001, 24), (700, 24)),
    Case("owned rows, last stands", _scatter("24", "i64", "f32", ""),
         _at(lambda d, i, u: d.__setitem__(i, u)), np.float32, (9001, 24), (700, 24)),
    Case("shares of columns", _scatter("256", "i64", "f32", "arith.addf"), ADD,
         np.float32, (1001, 256), (70, 256)),
    Case("uneven shares of columns", _scatter("200", "i64", "f32", "arith.addf"), ADD,
         np.float32, (1001, 200), (70, 200)),
    Case("private sums", _scatter("", "i64", "i64", "arith.addi", "", "256"), ADD,
         np.int64, (90001,), (256,)),
    Case("private sums, any size", _scatter("", "i64", "i32", "arith.addi"), ADD,
         np.int32, (90001,), (300,)),
    Case("private minima", _scatter("", "i64", "i32", "arith.minsi", "", "100"),
         _at(np.minimum.at), np.int32, (90001,), (100,)),
    Case("private maxima, unsigned", _scatter("", "i64", "i16", "arith.maxui", "", "100"),
         lambda u, d, i: _at(np.maximum.at)(u.view("u2"), d.view("u2"), i).view("i2"),
         np.int16, (200001,), (100,)),
    Case("private bits", _scatter("5", "i64", "i64", "arith.andi", "", "9"),
         _at(np.bitwise_and.at), np.int64, (20001, 5), (9, 5)),
    Case("private products of rows", _scatter("5", "i64", "i32", "arith.muli", DROP, "9"),
         _at(np.multiply.at), np.int32, (20001, 5), (9, 5), beyond=3),
)  # fmt: skip


def _array(rng: np.random.Generator, shape: tuple[int, ...], dtype: type) -> np.ndarray:
    if np.issubdtype(dtype, np.integer):
        bounds = np.iinfo(dtype)
        return rng.integers(bounds.min, bounds.max, shape, dtype)
    return rng.standard_normal(shape).astype(dtype)


def _arguments(case: Case, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    size = case.dest[0]
    low, high = (-size, size) if case.wraps else (-case.beyond, size + case.beyond)
    coordinates = rng.integers(low, high, (case.updates[0], 1)).astype(case.index)
    if case.sorted:
        coordinates.sort(axis=0)
    updates, dest = (_array(rng, shape, case.dtype) for shape in (case.updates, case.dest))
    return updates, dest, coordinates


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_scatter(case: Case, threads: int) -> None:
    arguments = _arguments(case, np.random.default_rng(0))
    kept = [array.copy() for array in arguments]
    kernel = execution.compile(case.text, threads=threads)
    result = kernel(*arguments)
    with np.errstate(all="ignore"):
        assert result.tobytes() == case.expected(*arguments).tobytes()
    for array, before in zip(arguments, kept, strict=True):
        assert array.tobytes() == before.tobytes()
    # What is too little for threads, and what is empty.
    for count in (0, 1, 7, 100):
        few = (arguments[0][:count], arguments[1], arguments[2][:count])
        with np.errstate(all="ignore"):
            assert kernel(*few).tobytes() == case.expected(*few).tobytes()


ROWS = """
func.func @f(%table: tensor<?x{row}x{element}>, %i: tensor<?x1xi64>) -> tensor<?x{row}x{element}> {{
  %r = "gs.gather"(%table, %i) {{gather_dims = array<i64: 0>{attributes}}}
      : (tensor<?x{row}x{element}>, tensor<?x1xi64>) -> tensor<?x{row}x{element}>
  return %r : tensor<?x{row}x{element}>
}}"""


@pytest.mark.parametrize("width", [1, 15, 64, 512, 1030, 4096])
@pytest.mark.parametrize("static", [True, False], ids=["static", "dynamic"])
@pytest.mark.parametrize("streaming", [True, False], ids=["streaming", "cached"])
def test_rows(
    width: int, static: bool, streaming: bool, monkeypatch: pytest.MonkeyPatch, on_target
) -> None:
    """Rows in vectors, with non-temporal stores where they are aligned, and long rows."""
    if streaming:
        on_target(stream_bytes=1)
        monkeypatch.setenv("MLIR_GS_CACHE", "off")
    text = ROWS.format(row=width if static else "?", element="f32", attributes="")
    kernel = execution.compile(text, threads=2)
    rng = np.random.default_rng(2)
    table = rng.standard_normal((300, width), dtype=np.float32)
    coordinates = rng.integers(0, 300, (1001, 1))
    expected = table[coordinates[:, 0]]
    assert kernel(table, coordinates).tobytes() == expected.tobytes()
    for offset in (0, 1, 4):
        # Memory that begins at a line, and elsewhere; rows in order, and apart.
        for pitch in (width, width + 16, width + 3):
            memory = np.full(1001 * pitch + 64, np.nan, np.float32)
            start = -memory.ctypes.data // 4 % 16 + offset
            whole = memory[start : start + 1001 * pitch].reshape(1001, pitch)
            kernel(table, coordinates, out=whole[:, :width])
            assert np.ascontiguousarray(whole[:, :width]).tobytes() == expected.tobytes()
            assert np.isnan(whole[:, width:]).all()
            assert np.isnan(memory[:start]).all()
            assert np.isnan(memory[start + 1001 * pitch :]).all()


def test_long_rows_out_of_bounds() -> None:
    text = ROWS.format(row=2048, element="bf16", attributes=', mode = "fill"')
    table = np.arange(6 * 2048).astype(ml_dtypes.bfloat16).reshape(6, 2048)
    coordinates = np.array([[3], [-1], [6], [0]])
    result = execution.compile(text)(table, coordinates)
    assert result[[0, 3]].tobytes() == table[[3, 0]].tobytes()
    assert np.isnan(result[1:3].astype(np.float32)).all()


BAGS = """
func.func @f(%table: tensor<?x32xf32>, %i: tensor<?x?xi64>, %like: tensor<?x1xf32>)
    -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %count = tensor.dim %like, %c0 : tensor<?x1xf32>
  %new = tensor.empty(%count) : tensor<?x32xf32>
  %init = linalg.fill ins(%half : f32) outs(%new : tensor<?x32xf32>) -> tensor<?x32xf32>
  %r = gs.generic (d0, d1, d2) [s0 = %i[d0, d1]]
      ins(%table[s0, d2]) outs(%init[d0, d2])
      iterators(d0 = parallel, d1 = reduction, d2 = parallel)
      : (tensor<?x32xf32>, tensor<?x?xi64>, tensor<?x32xf32>) -> tensor<?x32xf32> {
  ^bb0(%row: f32, %sum: f32):
    %new_sum = arith.addf %sum, %row : f32
    gs.yield %new_sum : f32
  }
  return %r : tensor<?x32xf32>
}"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("rows", [0, 1, 2500, 3001])
@pytest.mark.parametrize("length", [0, 1, 5])
def test_filled_output(threads: int, rows: int, length: int) -> None:
    """The constant stands where the op adds nothing, and in the rows that it does not reach."""
    rng = np.random.default_rng(3)
    table = rng.standard_normal((90, 32), dtype=np.float32)
    coordinates = rng.integers(0, 90, (2500, length))
    result = execution.compile(BAGS, threads=threads)(
        table, coordinates, np.zeros((rows, 1), np.float32)
    )
    expected = np.full((rows, 32), 0.5, np.float32)
    reached = min(rows, 2500)
    for place in range(length):
        expected[:reached] += table[coordinates[:reached, place]]
    assert result.tobytes() == expected.tobytes()


INTO_FILL = """
func.func @f(%updates: tensor<?x{row}{element}>, %like: tensor<?xi1>, %i: tensor<?x1xi32>)
    -> tensor<?x{row}{element}> {{
  %c0 = arith.constant 0 : index
  %fill = arith.constant {fill} : {element}
  %size = tensor.dim %like, %c0 : tensor<?xi1>
  {width}
  %new = tensor.empty(%size{sizes}) : tensor<?x{row}{element}>
  %filled = linalg.fill ins(%fill : {element}) outs(%new : tensor<?x{row}{element}>)
      -> tensor<?x{row}{element}>
  %r = gs.scatter %updates into %filled[%i] scatter_dims([0]) {{sorted{mode}}}
      : (tensor<?x{row}{element}>, tensor<?x{row}{element}>, tensor<?x1xi32>)
      -> tensor<?x{row}{element}> {{
  ^bb0(%current: {element}, %update: {element}):
    %sum = {add} %current, %update : {element}
    gs.yield %sum : {element}
  }}
  return %r : tensor<?x{row}{element}>
}}"""
WIDTH = """%c1 = arith.constant 1 : index
  %width = tensor.dim %updates, %c1 : tensor<?x?xf32>"""


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("mode", ["promise_in_bounds", "drop", "clip"])
@pytest.mark.parametrize("row", [(), (40,), (33,), (3, 16), None], ids=str)
def test_segments_into_a_fill(row: tuple[int, ...] | None, mode: str, threads: int) -> None:
    """Each place is written once: by its segment, or between two."""
    kind = np.int32 if row == (3, 16) else np.float32
    text = INTO_FILL.format(
        row="?x" if row is None else "".join(f"{n}x" for n in row),
        element="i32" if kind is np.int32 else "f32",
        fill="7" if kind is np.int32 else "0.5",
        add="arith.addi" if kind is np.int32 else "arith.addf",
        width=WIDTH if row is None else "",
        sizes=", %width" if row is None else "",
        mode=f', mode = "{mode}"',
    )
    kernel = execution.compile(text, threads=threads)
    rng = np.random.default_rng(6)
    for count, size in (
        (0, 50),
        (1, 50),
        (7, 1),
        (300, 40),
        (30_001, 2000),
        (3000, 30_001),
        (5, 0),
    ):
        if size == 0 and mode != "drop":
            continue
        updates = _array(rng, (count, *((21,) if row is None else row)), kind)
        beyond = 0 if mode == "promise_in_bounds" else 1 + size // 8
        places = np.sort(rng.integers(-beyond, size + beyond, count)).astype(np.int32)
        expected = np.full((size, *updates.shape[1:]), 7 if kind is np.int32 else 0.5, kind)
        inside = (places >= 0) & (places < size)
        if mode == "clip":
            places_used, used = places.clip(0, size - 1), updates
        else:
            places_used, used = places[inside], updates[inside]
        np.add.at(expected, places_used, used)
        out = np.full_like(expected, 99)
        result = kernel(updates, np.zeros(size, bool), places[:, None], out=out)
        assert result.tobytes() == expected.tobytes()


ALONG = """
func.func @f(%updates: tensor<?x?xf32>, %dest: tensor<?x?xf32>, %i: tensor<?x?xi64>)
    -> tensor<?x?xf32> {
  %r = gs.scatter_elements %updates into %dest[%i] dim(0) unique
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}"""


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("columns", [1, 5, 333])
def test_unique_elements_along_columns(threads: int, columns: int) -> None:
    rng = np.random.default_rng(4)
    rows = 80000 // columns
    dest, updates = (rng.standard_normal((rows, columns), dtype=np.float32) for _ in range(2))
    coordinates = np.argsort(rng.random((rows, columns)), axis=0)
    expected = dest.copy()
    np.put_along_axis(expected, coordinates, updates, 0)
    result = execution.compile(ALONG, threads=threads)(updates, dest, coordinates)
    assert result.tobytes() == expected.tobytes()


GATHERED_SEGMENTS = """
func.func @f(%x: tensor<?x{width}xf32>, %from: tensor<?xi32>, %to: tensor<?xi32>,
    %y: tensor<?x{width}xf32>) -> tensor<?x{width}xf32> {{
  %r = gs.generic (d0, d1) [s0 = %from[d0], s1 = %to[d0]]
      ins(%x[s0, d1]) outs(%y[s1, d1]) iterators(d0 = reduction, d1 = parallel) sorted
      : (tensor<?x{width}xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?x{width}xf32>)
      -> tensor<?x{width}xf32> {{
  ^bb0(%a: f32, %sum: f32):
    %new = arith.addf %sum, %a : f32
    gs.yield %new : f32
  }}
  return %r : tensor<?x{width}xf32>
}}"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("width", "static"), [(64, True), (700, True), (700, False), (9, False)])
def test_segments_of_gathered_rows(width: int, static: bool, threads: int) -> None:
    """Rows of any length are asked for ahead, in a table that no cache holds."""
    text = GATHERED_SEGMENTS.format(width=width if static else "?")
    kernel = execution.compile(text, threads=threads)
    rng = np.random.default_rng(8)
    x = rng.standard_normal((1 + 600_000 // width, width), dtype=np.float32)
    for count in (0, 1, 700):
        source = rng.integers(0, len(x), count).astype(np.int32)
        target = np.sort(rng.integers(0, 90, count)).astype(np.int32)
        y = rng.standard_normal((90, width), dtype=np.float32)
        expected = y.copy()
        np.add.at(expected, target, x[source])
        assert kernel(x, source, target, y).tobytes() == expected.tobytes()
