"""Sums along rows that are found through coordinates: the bits of the sequential loop."""

from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import compile

Terms = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def rows(element: str, result: str, body: str, attributes: str = "", width: str = "?") -> str:
    """`y[k] = body(table[i[k], d], query[d], weights[k], y[k])` for all d, one after the other."""
    table, vector = f"tensor<?x{width}x{element}>", f"tensor<?x{element}>"
    query, output = f"tensor<{width}x{element}>", f"tensor<?x{result}>"
    maps = ", ".join(
        f"affine_map<(d0, d1)[s0] -> ({place})>" for place in ("s0, d1", "d1", "d0", "d0")
    )
    return f"""
func.func @f(%table: {table}, %query: {query}, %weights: {vector}, %y: {output},
    %i: tensor<?xi32>) -> {output} {{
  %r = "gs.generic"(%table, %query, %weights, %i, %y) ({{
  ^bb0(%a: {element}, %q: {element}, %w: {element}, %sum: {result}):
    {body}
    gs.yield %new : {result}
  }}) {{
    coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]], indexing_maps = [{maps}],
    iterator_types = ["parallel", "reduction"]{attributes},
    operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  }} : ({table}, {query}, {vector}, tensor<?xi32>, {output}) -> {output}
  return %r : {output}
}}"""


def dot(kind: str, multiply: str, add: str) -> str:
    return f"""%product = {multiply} %a, %q : {kind}
    %new = {add} %sum, %product : {kind}"""


SUM = "%new = arith.addf %sum, %a : f32"
WEIGHTED = """%scaled = arith.mulf %a, %w : f32
    %two = arith.constant 2.0 : f32
    %shifted = arith.addf %q, %two : f32
    %product = arith.mulf %scaled, %shifted : f32
    %new = arith.addf %sum, %product : f32"""
NEAR = """%difference = arith.subf %a, %q : f32
    %distance = math.absf %difference : f32
    %closer = arith.minimumf %sum, %distance : f32
    %new = arith.addf %closer, %a : f32"""
WIDENED = """%wide = arith.extf %a : f16 to f32
    %wide_query = arith.extf %q : f16 to f32
    %product = arith.mulf %wide, %wide_query : f32
    %new = arith.addf %sum, %product : f32"""

ONE = "%one = arith.constant 1.0 : f32\n    %new = arith.addf %sum, %one : f32"


def _dot(sum_: np.ndarray, a: np.ndarray, q: np.ndarray, w: np.ndarray) -> np.ndarray:
    return sum_ + a * q


CASES = {
    "dot f32": (rows("f32", "f32", dot("f32", "arith.mulf", "arith.addf")), "f4", "f4", _dot),
    "dot f64": (rows("f64", "f64", dot("f64", "arith.mulf", "arith.addf")), "f8", "f8", _dot),
    "dot of a known width": (
        rows("f32", "f32", dot("f32", "arith.mulf", "arith.addf"), "", "37"), "f4", "f4", _dot),
    "dot i8": (rows("i8", "i8", dot("i8", "arith.muli", "arith.addi")), "i1", "i1", _dot),
    "dot i32": (rows("i32", "i32", dot("i32", "arith.muli", "arith.addi")), "i4", "i4", _dot),
    "dot f16 in f32": (rows("f16", "f32", WIDENED), "f2", "f4",
        lambda s, a, q, w: s + a.astype("f4") * q.astype("f4")),
    "sum": (rows("f32", "f32", SUM), "f4", "f4", lambda s, a, q, w: s + a),
    "no input": (rows("f32", "f32", ONE), "f4", "f4", lambda s, a, q, w: s + np.float32(1)),
    "sum twice": (rows("f32", "f32", "%new = arith.addf %sum, %sum : f32"), "f4", "f4",
        lambda s, a, q, w: s + s),
    "weights alone": (rows("f32", "f32", "%new = arith.addf %sum, %w : f32"), "f4", "f4",
        lambda s, a, q, w: s + w),
    "query alone": (rows("f32", "f32", "%new = arith.addf %sum, %q : f32"), "f4", "f4",
        lambda s, a, q, w: s + q),
    "last element": (rows("f32", "f32", "%new = arith.addf %a, %q : f32"), "f4", "f4",
        lambda s, a, q, w: a + q),
    "weights by lane": (rows("f32", "f32", WEIGHTED), "f4", "f4",
        lambda s, a, q, w: s + (a * w) * (q + np.float32(2))),
    "rows used early and late": (rows("f32", "f32", NEAR), "f4", "f4",
        lambda s, a, q, w: np.minimum(s, abs(a - q)) + a),
    "filled": (
        rows("f32", "f32", dot("f32", "arith.mulf", "arith.addf"),
            ', modes = ["fill_or_drop"], fill_values = [3.0 : f32, unit, unit]'),
        "f4", "f4", _dot),
    "clipped": (
        rows("f32", "f32", dot("f32", "arith.mulf", "arith.addf"), ', modes = ["clip"]'),
        "f4", "f4", _dot),
}  # fmt: skip


def numbers(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> np.ndarray:
    if kind.startswith("i"):
        return rng.integers(-100, 100, shape).astype(kind)
    return rng.standard_normal(shape).astype(kind)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", CASES)
def test_sums_along_rows(name: str, threads: int) -> None:
    text, kind, result_kind, step = CASES[name]
    kernel = compile(text, threads=threads)
    rng = np.random.default_rng(0)
    beyond = 40 if name in ("filled", "clipped") else 0
    for count in (0, 1, 33, 1000, 9001):
        for width in (37,) if "known" in name else (0, 1, 16, 37):
            # Larger and smaller than what is worth asking for ahead.
            size = 9000 if count == 1000 and width else 50
            table = numbers(rng, (size, width), kind)
            query, weights = numbers(rng, (width,), kind), numbers(rng, (count,), kind)
            start = numbers(rng, (count,), result_kind)
            at = rng.integers(-beyond, size + beyond, count).astype(np.int32)
            found = table[at.clip(0, size - 1)]
            if name == "filled":
                found[(at < 0) | (at >= size)] = 3.0
            expected = start.copy()
            for d in range(width):
                expected = step(expected, found[:, d], query[d], weights)
            for given in (table, np.asfortranarray(table)):
                result = kernel(given, query, weights, start, at)
                assert result.tobytes() == expected.tobytes()


RATIO = """%ratio = arith.divsi %a, %q : i32
    %new = arith.addi %sum, %ratio : i32"""


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 19, 30])
def test_rows_of_less_than_a_vector(width: int) -> None:
    """And what is left of longer ones: no more is read than there is."""
    bodies = {
        "f32": (dot("f32", "arith.mulf", "arith.addf"), "f4", "f4", _dot),
        "f64": (dot("f64", "arith.mulf", "arith.addf"), "f8", "f8", _dot),
        "i8": (dot("i8", "arith.muli", "arith.addi"), "i1", "i1", _dot),
        "i32": (RATIO, "i4", "i4", lambda s, a, q, w: s + (a / q).astype("i4")),
        "f16": (WIDENED, "f2", "f4", lambda s, a, q, w: s + a.astype("f4") * q.astype("f4")),
        "f32 late": (NEAR, "f4", "f4", lambda s, a, q, w: np.minimum(s, abs(a - q)) + a),
    }
    rng = np.random.default_rng(width)
    for name, (body, kind, result_kind, step) in bodies.items():
        element = name.split()[0]
        result = {"f4": "f32", "f8": "f64", "i1": "i8", "i4": "i32"}[result_kind]
        for fill in (
            "",
            f', modes = ["fill_or_drop"], fill_values = [{_three(element)}, unit, unit]',
        ):
            kernel = compile(rows(element, result, body, fill, str(width)), threads=1)
            for count in (0, 1, 16, 61):
                table, query = numbers(rng, (9, width), kind), numbers(rng, (width,), kind)
                query[query == 0] = 1
                weights = numbers(rng, (count,), kind)
                start = numbers(rng, (count,), result_kind)
                beyond = 3 if fill else 0
                at = rng.integers(-beyond, 9 + beyond, count).astype(np.int32)
                found = table[at.clip(0, 8)]
                found[(at < 0) | (at > 8)] = 3
                expected = start.copy()
                for d in range(width):
                    expected = step(expected, found[:, d], query[d], weights)
                assert kernel(table, query, weights, start, at).tobytes() == expected.tobytes(), (
                    name
                )


def _three(element: str) -> str:
    return f"3 : {element}" if element.startswith("i") else f"3.0 : {element}"


PAGES = """
func.func @f(%keys: tensor<?x{page}x{heads}x{width}xf32>, %pages: tensor<?x?xi32>,
    %query: tensor<?x{heads}x{width}xf32>, %start: tensor<?x?x{page}x{heads}xf32>)
    -> tensor<?x?x{page}x{heads}xf32> {{
  %r = gs.generic (b, p, t, h, d) [s = %pages[b, p]]
      ins(%keys[s, t, h, d], %query[b, h, d]) outs(%start[b, p, t, h])
      iterators(b = parallel, p = parallel, t = parallel, h = parallel, d = reduction)
      : (tensor<?x{page}x{heads}x{width}xf32>, tensor<?x{heads}x{width}xf32>, tensor<?x?xi32>,
      tensor<?x?x{page}x{heads}xf32>)
      -> tensor<?x?x{page}x{heads}xf32> {{
  ^bb0(%key: f32, %q: f32, %sum: f32):
    %product = arith.mulf %key, %q : f32
    %new = arith.addf %sum, %product : f32
    gs.yield %new : f32
  }}
  return %r : tensor<?x?x{page}x{heads}xf32>
}}"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("static", [True, False])
@pytest.mark.parametrize("row_ahead", [1 << 10, 1 << 16])
def test_heads_of_tokens_in_pages(
    threads: int, static: bool, row_ahead: int, monkeypatch: pytest.MonkeyPatch, on_target
) -> None:
    """However far ahead they are prefetched: the last ones have nothing after them."""
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    on_target(far_bytes=0, row_ahead=row_ahead)
    rng = np.random.default_rng(1)
    for heads, width in ((1, 16), (3, 5), (8, 16), (20, 24), (36, 16)):
        sizes = {"page": 4, "heads": heads, "width": width}
        kernel = compile(
            PAGES.format(**{k: v if static else "?" for k, v in sizes.items()}), threads=threads
        )
        for batch, each in ((1, 1), (3, 5), (2, 40), (0, 3), (3, 0)):
            keys = numbers(rng, (11, 4, heads, width), "f4")
            query = numbers(rng, (batch, heads, width), "f4")
            start = numbers(rng, (batch, each, 4, heads), "f4")
            pages = rng.integers(0, 11, (batch, each)).astype(np.int32)
            expected, found = start.copy(), keys[pages]
            for d in range(width):
                expected = expected + found[..., d] * query[:, None, None, :, d]
            assert kernel(keys, pages, query, start).tobytes() == expected.tobytes()


LAST = """
func.func @f(%x: tensor<?x?xELEMENT>, %y: tensor<?xELEMENT>) -> tensor<?xELEMENT> {
  %r = gs.generic (i, j) ins(%x[i, j]) outs(%y[i]) iterators(i = parallel, j = reduction)
      : (tensor<?x?xELEMENT>, tensor<?xELEMENT>) -> tensor<?xELEMENT> {
  ^bb0(%a: ELEMENT, %current: ELEMENT):
    gs.yield %a : ELEMENT
  }
  return %r : tensor<?xELEMENT>
}"""


@pytest.mark.parametrize("element", ["f16", "bf16", "f8E5M2", "f32", "i8", "ui64", "si16", "i4"])
def test_rows_that_only_move(element: str) -> None:
    """Elements go on as memory has them."""
    dtypes = {"bf16": ml_dtypes.bfloat16, "f8E5M2": ml_dtypes.float8_e5m2, "i4": ml_dtypes.int4}
    names = {"f16": "float16", "f32": "float32", "i8": "int8", "ui64": "uint64", "si16": "int16"}
    dtype = dtypes.get(element) or np.dtype(names[element])
    x = np.random.default_rng(5).integers(-8, 8, (70, 33)).astype(np.int8).astype(dtype)
    kernel = compile(LAST.replace("ELEMENT", element), threads=1)
    assert np.array_equal(kernel(x, np.zeros(70, dtype)), x[:, -1])


@pytest.mark.parametrize("shape", [(1, 2, 3), (2, 5, 16), (3, 16, 16)])
@pytest.mark.parametrize("mode", ["promise_in_bounds", "clip"])
def test_coordinates_that_differ_along_the_sum(shape: tuple[int, int, int], mode: str) -> None:
    """They are no lane's before the position in the sum is known."""
    outer, count, lanes = shape
    points, sizes = f"{outer}x{count}x{lanes}", f"{outer}x{lanes}"
    i, x, y, o = f"tensor<{points}xi32>", "tensor<7xi32>", f"{sizes}x{count}xi32", f"{sizes}xi32"
    kernel = compile(f"""
func.func @f(%x: {x}, %i: {i}, %y: tensor<{y}>, %o: tensor<{o}>) -> tensor<{o}> {{
  %r = gs.generic (a, b, c) [s = %i[a, b, c] mode({mode})] ins(%x[s], %y[a, c, b]) outs(%o[a, c])
      iterators(b = reduction) : ({x}, tensor<{y}>, {i}, tensor<{o}>) -> tensor<{o}> {{
  ^bb0(%p: i32, %q: i32, %sum: i32):
    %t = arith.addi %p, %q : i32
    %new = arith.addi %sum, %t : i32
    gs.yield %new : i32
  }}
  return %r : tensor<{o}>
}}""")
    rng = np.random.default_rng(5)
    table, rows, start = (
        rng.integers(99, size=size, dtype=np.int32)
        for size in ((7,), (outer, lanes, count), (outer, lanes))
    )
    indices = rng.integers(7, size=shape, dtype=np.int32)
    expected = start + table[indices].sum(1) + rows.sum(2)
    np.testing.assert_array_equal(kernel(table, indices, rows, start), expected)


def test_rows_along_a_dim_of_one_point() -> None:
    product = compile("""
func.func @f(%a: tensor<6x5x1xf32>, %b: tensor<4x5x2xf32>, %y: tensor<6x4xf32>)
    -> tensor<6x4xf32> {
  %r = gs.generic (i, j, k, m) ins(%a[i, k, m], %b[j, k, m]) outs(%y[i, j])
      iterators(i = parallel, j = parallel, k = reduction, m = reduction)
      : (tensor<6x5x1xf32>, tensor<4x5x2xf32>, tensor<6x4xf32>) -> tensor<6x4xf32> {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %product = arith.mulf %x, %w : f32
    %new = arith.addf %sum, %product : f32
    gs.yield %new : f32
  }
  return %r : tensor<6x4xf32>
}""")
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-4, 4, shape).astype("f4") for shape in ((6, 5, 1), (4, 5, 2)))
    found = product(a, b, np.zeros((6, 4), "f4"))
    np.testing.assert_array_equal(found, a[..., 0] @ b[..., 0].T)
