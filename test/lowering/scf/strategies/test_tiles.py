"""Rows at coordinates times a matrix, in tiles: the bits of the plain loops."""

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import execution
from mlir_gs.lowering.scf.strategies import tiles

WIDE = """
    %x = arith.extf %a : {e} to {sum}
    %z = arith.extf %b : {e} to {sum}"""
PRODUCT = """
func.func @f(%table: tensor<?x?x{e}>, %ids: tensor<?xi64>, %w: tensor<?x?x{e}>,
    %y: tensor<{out}x{sum}>, %to: tensor<?xi32>) -> tensor<{out}x{sum}> {{
  {start}
  %r = gs.generic (m, k, n) [s = %ids[m] mode({mode}), t = %to[m] mode({written})]
      ins(%table[s, k], %w[k, n]) outs(%{into}[{place}, n])
      iterators(m = parallel, k = reduction, n = parallel) unique
      : (tensor<?x?x{e}>, tensor<?x?x{e}>, tensor<?xi64>, tensor<?xi32>, tensor<{out}x{sum}>)
      -> tensor<{out}x{sum}> {{
  ^bb0(%a: {e}, %b: {e}, %c: {sum}):{wide}
    %p = {multiply} %{a}, %{b} : {sum}
    %q = {add} %c, %p : {sum}
    gs.yield %q : {sum}
  }}
  return %r : tensor<{out}x{sum}>
}}"""
START = """%zero = arith.constant {three} : {sum}
  %start = linalg.fill ins(%zero : {sum}) outs(%y : tensor<{out}x{sum}>) -> tensor<{out}x{sum}>"""

# Rows, points that are added up, columns: whole tiles, parts of them, what has none, and so many
# rows that each thread copies.
SIZES = [(13, 40, 70), (4, 9, 16), (25, 8, 129), (6, 0, 64), (0, 9, 64), (3, 20, 64), (40, 33, 5),
         (301, 40, 70)]  # fmt: skip


def _text(element: str, total: str, filled: bool, **others: str) -> str:
    integer = element[0] == "i"
    parts = {
        "e": element, "sum": total, "mode": "clip", "written": "promise_in_bounds", "place": "m",
        "out": "?x?", "into": "start" if filled else "y",
        "multiply": f"arith.mul{'i' if integer else 'f'}",
        "three": "3" if integer else "3.0",
        "add": f"arith.add{'i' if integer else 'f'}",
        **others,
    }  # fmt: skip
    same = element == total
    parts["a"], parts["b"] = ("a", "b") if same else ("x", "z")
    parts["wide"] = "" if same else WIDE.format(**parts)
    parts["start"] = START.format(**parts) if filled else ""
    return PRODUCT.format(**parts)


def _arguments(rng: np.random.Generator, sizes: tuple[int, int, int], dtype: np.dtype, sums: str):
    m, k, n = sizes
    table = rng.integers(-9, 9, (30, k)).astype(dtype)
    w = rng.integers(-9, 9, (k, n)).astype(dtype)
    if dtype.kind != "i":
        table, w = (table * 0.37).astype(dtype), (w * 0.83).astype(dtype)
    ids, to = rng.integers(-3, 33, m), rng.permutation(m).astype(np.int32)
    return [table, ids, w, rng.normal(size=(m, n)).astype(sums), to]


@pytest.mark.parametrize(
    ("element", "total", "filled"),
    [
        ("f32", "f32", False),
        ("f32", "f32", True),
        ("f64", "f64", True),
        ("bf16", "f32", False),
        ("f16", "f32", True),
        ("i32", "i32", False),
    ],
)
def test_products(element: str, total: str, filled: bool, watch, on_target) -> None:
    """Of every type, on one thread and several, with panels of a few points of the dim."""
    on_target(tile_bytes=4096)
    found = watch("find_tiles", tiles)
    text = _text(element, total, filled)
    kernels = [execution.compile(text, threads=threads) for threads in (1, 3)]
    assert any(found)
    plain = execution.compile(text, threads=1, target="native:disable=tiles")
    dtypes = {"bf16": ml_dtypes.bfloat16, "i32": np.int32, "f16": np.float16}
    dtype = np.dtype(dtypes.get(element, f"float{element[1:]}"))
    sums = {"f32": "float32", "f64": "float64", "i32": "int32"}[total]
    rng = np.random.default_rng(0)
    for sizes in SIZES:
        arguments = _arguments(rng, sizes, dtype, sums)
        table, ids, w, y, _ = arguments
        start = 3 if filled else y
        wide = np.clip(ids, 0, 29)
        wanted = start + table[wide].astype(np.float64) @ w.astype(np.float64)
        expected = plain(*arguments)
        np.testing.assert_allclose(expected, wanted, rtol=1e-5, atol=1e-4)
        for kernel in kernels:
            np.testing.assert_array_equal(kernel(*arguments), expected)
    strided = [table[:, ::-1], ids[::-1], w[::-1, ::-1].T.copy().T, y, arguments[-1]]
    np.testing.assert_array_equal(kernels[0](*strided), plain(*strided))


@pytest.mark.parametrize("mode", ["error", "clip"])
def test_scattered(mode: str, watch, on_target) -> None:
    """Results go to rows at coordinates, some of which are left out."""
    on_target(tile_bytes=4096)
    found = watch("find_tiles", tiles)
    text = _text("f32", "f32", False, mode=mode, written="fill_or_drop", place="t")
    kernel = execution.compile(text, threads=1)
    assert any(found)
    rng = np.random.default_rng(2)
    table, ids, w, _, _ = _arguments(rng, (20, 50, 70), np.dtype(np.float32), "float32")
    ids = ids.clip(0, 29)
    y = rng.normal(size=(16, 70)).astype(np.float32)
    to = rng.permutation(20).astype(np.int32) - 2
    wanted = y.copy()
    kept = (to >= 0) & (to < 16)
    wanted[to[kept]] += table[ids[kept]] @ w
    np.testing.assert_allclose(kernel(table, ids, w, y, to), wanted, rtol=1e-5, atol=1e-5)
    plain = execution.compile(text, threads=1, target="native:disable=tiles")
    np.testing.assert_array_equal(kernel(table, ids, w, y, to), plain(table, ids, w, y, to))
    ids[7] = 30
    if mode == "error":
        with pytest.raises(IndexError):
            kernel(table, ids, w, y, to)


def test_filled(watch, on_target) -> None:
    """Rows out of bounds are NaN; a table without rows has no other ones."""
    on_target(tile_bytes=4096)
    found = watch("find_tiles", tiles)
    text = _text("f32", "f32", True, mode="fill_or_drop")
    kernel = execution.compile(text, threads=1)
    assert any(found)
    plain = execution.compile(text, threads=1, target="native:disable=tiles")
    rng = np.random.default_rng(4)
    for sizes in SIZES:
        table, ids, w, y, to = _arguments(rng, sizes, np.dtype(np.float32), "float32")
        for rows in (table, table[:0]):
            inside = (ids >= 0) & (ids < len(rows))
            wanted = np.full_like(y, np.nan if table.shape[1] else 3)
            wanted[inside] = 3 + rows[ids[inside]] @ w
            arguments = (rows, ids, w, y, to)
            np.testing.assert_allclose(kernel(*arguments), wanted, rtol=1e-5, atol=1e-5)
            np.testing.assert_array_equal(kernel(*arguments), plain(*arguments))


BATCHES = """
func.func @f(%x: tensor<?x?x?xf32>, %w: tensor<?x?x?xf32>, %b: tensor<?x?xf32>)
    -> tensor<?x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %n = tensor.dim %w, %c2 : tensor<?x?x?xf32>
  %new = tensor.empty(%e, %m, %n) : tensor<?x?x?xf32>
  %y = linalg.fill ins(%zero : f32) outs(%new : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %r = gs.generic (e, m, n, k) ins(%x[e, m, k], %w[e, k, n], %b[m, n]) outs(%y[e, m, n])
      iterators(e = parallel, m = parallel, n = parallel, k = reduction)
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>)
      -> tensor<?x?x?xf32> {
  ^bb0(%a: f32, %c: f32, %d: f32, %sum: f32):
    %p = arith.addf %c, %d : f32
    %q = math.fma %a, %p, %sum : f32
    gs.yield %q : f32
  }
  return %r : tensor<?x?x?xf32>
}"""


def test_batches(watch, on_target) -> None:
    """A matrix for each of some products, and an input that only columns and rows share."""
    on_target(tile_bytes=4096)
    found = watch("find_tiles", tiles)
    kernel = execution.compile(BATCHES, threads=1)
    assert any(found)
    plain = execution.compile(BATCHES, threads=1, target="native:disable=tiles")
    rng = np.random.default_rng(3)
    for e, m, k, n in ((3, 14, 40, 70), (1, 4, 8, 16), (2, 9, 30, 21), (2, 9, 0, 64)):
        x, w = rng.normal(size=(e, m, k)), rng.normal(size=(e, k, n))
        b = rng.normal(size=(m, n))
        wanted = np.einsum("emk,ekmn->emn", x, w[:, :, None] + b)
        arguments = [each.astype(np.float32) for each in (x, w, b)]
        found_now = kernel(*arguments)
        np.testing.assert_allclose(found_now, wanted, rtol=1e-4, atol=1e-4)
        np.testing.assert_array_equal(found_now, plain(*arguments))
