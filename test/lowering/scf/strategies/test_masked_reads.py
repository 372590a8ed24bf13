"""Elements that are out of bounds one by one take the fill with no branch: against NumPy, with
nothing to read, one element and more, of every type, and in bodies that compute."""

import numpy as np
import pytest
from mlir_gs import execution
from mlir_gs.lowering.scf.loops import points

TAKE = """
func.func @f(%table: tensor<{size}x{type}>, %i: tensor<?x{index}>, %w: tensor<?x{type}>)
    -> tensor<?x{type}> {{
  %r = "gs.generic"(%table, %w, %i, %w) ({{
  ^bb0(%a: {type}, %b: {type}, %old: {type}):
    {body}
  }}) {{
    coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
    indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>,
                     affine_map<(d0)[s0] -> (d0)>],
    iterator_types = ["parallel"], modes = ["fill_or_drop"], fill_values = [{fill}, {fill}],
    wrap_negative = array<i1: {wraps}>,
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  }} : (tensor<{size}x{type}>, tensor<?x{type}>, tensor<?x{index}>, tensor<?x{type}>)
      -> tensor<?x{type}>
  return %r : tensor<?x{type}>
}}"""

MOVE = '"gs.yield"(%a) : ({0}) -> ()'
ADD = '%new = arith.{1} %a, %b : {0}\n    "gs.yield"(%new) : ({0}) -> ()'

WINDOWS = """
func.func @f(%x: tensor<?x?xf16>, %i: tensor<?x2x?xi32>, %new: tensor<?x3x?xf16>)
    -> tensor<?x3x?xf16> {
  %r = "gs.generic"(%x, %i, %new) ({
  ^bb0(%a: f16, %old: f16):
    gs.yield %a : f16
  }) {
    coordinate_maps = [[affine_map<(d0, d1, d2)[s0, s1] -> (d0, 0, d2)>,
                        affine_map<(d0, d1, d2)[s0, s1] -> (d0, 1, d2)>]],
    indexing_maps = [affine_map<(d0, d1, d2)[s0, s1] -> (s0 + d1, s1)>,
                     affine_map<(d0, d1, d2)[s0, s1] -> (d0, d1, d2)>],
    iterator_types = ["parallel", "parallel", "parallel"], fill_values = [-2.0 : f16],
    modes = ["fill_or_drop", "fill_or_drop"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<?x?xf16>, tensor<?x2x?xi32>, tensor<?x3x?xf16>) -> tensor<?x3x?xf16>
  return %r : tensor<?x3x?xf16>
}"""

FLOATS = ("f16", "bf16", "f32", "f64")
LENGTHS = (0, 1, 7, 16, 64, 65, 300, 70_001)


@pytest.fixture(autouse=True)
def chosen(watch, monkeypatch: pytest.MonkeyPatch, on_target) -> list[bool]:
    """One for each element that is read like this, where hardware gathers read none."""
    on_target(gather_bytes=0)
    return watch("read_or_fill", points)


@pytest.mark.parametrize("wraps", [False, True])
@pytest.mark.parametrize("index", ["i32", "i64", "ui64", "index"])
@pytest.mark.parametrize(
    "name", ["i1", "i4", "i8", "ui16", *FLOATS, "f8E5M2", "i32", "index", "ui64"]
)
def test_every_type(name: str, index: str, wraps: bool, chosen: list[bool]) -> None:
    fill = "true" if name == "i1" else f"2.0 : {name}" if "f" in name else f"2 : {name}"
    texts = [
        TAKE.format(
            size=size, type=name, index=index, body=MOVE.format(name), fill=fill,
            wraps=str(wraps).lower(),
        )
        for size in ("?", "40")
    ]  # fmt: skip
    dynamic, static = (execution.compile(text, threads=1) for text in texts)
    assert chosen
    dtype, index_dtype = (dynamic.parameters[n].element.dtype for n in (0, 1))
    rng = np.random.default_rng(5)
    for size, count in [(size, count) for size in (0, 1, 40) for count in LENGTHS]:
        table = rng.integers(0, 2 if name == "i1" else 8, size).astype(dtype)
        least = 0 if index == "ui64" else -size - 9
        given = rng.integers(least, size + 9, count).astype(index_dtype)
        where = given.astype(np.int64)
        where = np.where(wraps & (where < 0), where + size, where)
        inside = (where >= 0) & (where < size)
        expected = np.full(count, 2).astype(dtype)
        expected[inside] = table[where[inside]]
        for kernel in (dynamic, static) if size == 40 else (dynamic,):
            got = kernel(table, given, np.zeros(count, dtype))
            assert got.tobytes() == expected.tobytes(), (size, count)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["i16", "i64", *FLOATS])
def test_bodies_that_compute(name: str, threads: int, chosen: list[bool]) -> None:
    is_float = name in FLOATS
    body = ADD.format(name, "addf" if is_float else "addi")
    fill = f"2.0 : {name}" if is_float else f"2 : {name}"
    text = TAKE.format(size="?", type=name, index="i64", body=body, fill=fill, wraps="false")
    kernel = execution.compile(text, threads=threads)
    assert chosen
    dtype = kernel.parameters[0].element.dtype
    rng = np.random.default_rng(6)
    for size, count in [(size, count) for size in (0, 1, 1000) for count in LENGTHS]:
        # Sums that all these types hold exactly.
        table, more = (rng.integers(0, 60, n).astype(dtype) for n in (size, count))
        given = rng.integers(-size - 9, size + 9, count)
        inside = (given >= 0) & (given < size)
        expected = np.full(count, 2, dtype)
        expected[inside] = table[given[inside]]
        got = kernel(table, given, more)
        assert got.tobytes() == (expected + more).astype(dtype).tobytes(), (size, count)


def test_windows_of_two_coordinates(chosen: list[bool]) -> None:
    """A window that is not whole is out of bounds; the table may be a view, or hold nothing."""
    kernel = execution.compile(WINDOWS, threads=1)
    assert chosen
    rng = np.random.default_rng(7)
    for rows, columns in ((0, 5), (5, 0), (2, 30), (3, 30), (40, 50)):
        base = rng.standard_normal((2 * rows, 3 * columns)).astype(np.float16)
        for table in (base[:rows, :columns], base[::2, ::3], base[::-2, ::-3]):
            for outer, inner in ((1, 1), (0, 9), (9, 0), (6, 70)):
                given = np.stack(
                    [rng.integers(-4, size + 4, (outer, inner)) for size in (rows, columns)], 1
                ).astype(np.int32)
                row, column = given[:, 0], given[:, 1]
                inside = (row >= 0) & (row + 3 <= rows) & (column >= 0) & (column < columns)
                expected = np.full((outer, 3, inner), -2, np.float16)
                for step in range(3):
                    found = table[row[inside] + step, column[inside]]
                    expected[:, step][inside] = found
                got = kernel(table, given, np.zeros_like(expected))
                assert got.tobytes() == expected.tobytes(), (rows, columns, outer, inner)
