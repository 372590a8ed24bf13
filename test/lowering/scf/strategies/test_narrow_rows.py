"""Rows of lengths that are known when a kernel runs, in vectors that overlap: against NumPy."""

import itertools

import numpy as np
import pytest
from mlir_gs.execution import compile
from mlir_gs.lowering.scf.strategies import narrow_rows

TAKE = """
func.func @f(%table: tensor<?x?x{type}>, %i: tensor<?x1x{index}>) -> tensor<?x?x{type}> {{
  %r = "gs.gather"(%table, %i) {{gather_dims = array<i64: 0>{mode}}}
      : (tensor<?x?x{type}>, tensor<?x1x{index}>) -> tensor<?x?x{type}>
  return %r : tensor<?x?x{type}>
}}"""

SET = """
func.func @f(%rows: tensor<?x?x{type}>, %dest: tensor<?x?x{type}>, %i: tensor<?x1xi64>)
    -> tensor<?x?x{type}> {{
  %r = "gs.scatter"(%rows, %dest, %i) ({{}}) {{scatter_dims = array<i64: 0>{mode}}}
      : (tensor<?x?x{type}>, tensor<?x?x{type}>, tensor<?x1xi64>) -> tensor<?x?x{type}>
  return %r : tensor<?x?x{type}>
}}"""

AXIS = """
func.func @f(%x: tensor<?x?x?x{type}>, %i: tensor<?xi64>, %new: tensor<?x?x?x{type}>)
    -> tensor<?x?x?x{type}> {{
  %r = gs.generic (d0, d1, d2) [s0 = %i[d1]]
      ins(%x[d0, s0, d2]) outs(%new[d0, d1, d2])
      iterators(d0 = parallel, d1 = parallel, d2 = parallel)
      : (tensor<?x?x?x{type}>, tensor<?xi64>, tensor<?x?x?x{type}>) -> tensor<?x?x?x{type}> {{
  ^bb0(%a: {type}, %old: {type}):
    gs.yield %a : {type}
  }}
  return %r : tensor<?x?x?x{type}>
}}"""

TYPES = {"i1": bool, "i8": np.int8, "f16": np.float16, "f32": np.float32, "f64": np.float64,
         "complex<f32>": np.complex64, "complex<f64>": np.complex128}  # fmt: skip
VECTOR_BYTES = 64


@pytest.fixture(autouse=True)
def narrow(watch) -> list[bool]:
    """Whether loops for narrow rows were found, nest by nest."""
    return watch("is_narrow", narrow_rows)


def widths(dtype: np.dtype) -> list[int]:
    """Around each power of two up to two vectors."""
    lanes = max(2, VECTOR_BYTES // dtype.itemsize)
    near = [2**k + d for k in range(lanes.bit_length() + 1) for d in (-1, 0, 1)]
    return sorted({0, *(n for n in near if n <= 2 * lanes + 1)})


def some(rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    return rng.integers(0, 2 if dtype.kind == "b" else 100, shape).astype(dtype)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mode", ["", ', mode = "fill"', ', mode = "clip"'])
@pytest.mark.parametrize("name", TYPES)
def test_takes(name: str, mode: str, threads: int, narrow: list[bool]) -> None:
    text = TAKE.format(type=name, index="i32" if mode else "i64", mode=mode)
    kernel = compile(text, threads=threads)
    assert any(narrow) == (name != "complex<f64>")
    rng, dtype = np.random.default_rng(8), np.dtype(TYPES[name])
    counts = (0, 1, 50, 30_000 // threads)
    for width, count in itertools.product(widths(dtype), counts):
        table = some(rng, (40, width), dtype)
        given = rng.integers(-5 if mode else 0, 45 if mode else 40, (count, 1))
        inside = ((given >= 0) & (given < 40))[:, 0]
        expected = table[given[:, 0].clip(0, 39)]
        if "fill" in mode:
            least = {"i": -128, "b": True, "f": np.nan, "c": np.nan}[dtype.kind]
            expected[~inside] = least
        got = kernel(table, given.astype(kernel.parameters[1].element.dtype))
        np.testing.assert_array_equal(got, expected, str(width))


@pytest.mark.parametrize("mode", ["", ', mode = "drop"', ", unique"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["i8", "f32", "complex<f32>"])
def test_sets(name: str, threads: int, mode: str, narrow: list[bool]) -> None:
    """Of rows that are set more than once the last one counts, and nothing else is written."""
    kernel = compile(SET.format(type=name, mode=mode), threads=threads)
    assert any(narrow)
    rng, dtype = np.random.default_rng(9), np.dtype(TYPES[name])
    for width, count in itertools.product(widths(dtype), (0, 1, 60, 20_000)):
        size = 25_000 if "unique" in mode else 70
        dest, rows = some(rng, (size, width), dtype), some(rng, (count, width), dtype)
        given = rng.integers(-9, 80, count) if "drop" in mode else rng.integers(0, 70, count)
        if "unique" in mode:
            given = rng.permutation(size)[:count]
        expected = dest.copy()
        kept = (given >= 0) & (given < size)
        expected[given[kept]] = rows[kept]
        np.testing.assert_array_equal(kernel(rows, dest, given[:, None]), expected, str(width))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["i8", "f16", "f64"])
def test_along_an_axis(name: str, threads: int, narrow: list[bool]) -> None:
    """Inner rows, of views too."""
    kernel = compile(AXIS.format(type=name), threads=threads)
    assert any(narrow)
    rng, dtype = np.random.default_rng(10), np.dtype(TYPES[name])
    for width, outer in itertools.product(widths(dtype), (0, 1, 3, 90)):
        base = some(rng, (2 * outer, 11, width + 3), dtype)
        at = rng.integers(0, 11, 70)
        for x in (base[:outer, :, :width].copy(), base[::2, :, 1 : width + 1], base[::-2, ::-1]):
            got = kernel(x, at, np.empty((len(x), 70, x.shape[2]), dtype))
            np.testing.assert_array_equal(got, x[:, at], str(width))
