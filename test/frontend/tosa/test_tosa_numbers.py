"""TOSA's gathers and scatter, run; a whole function goes on through upstream's passes."""

import numpy as np
import pytest
from frontend_harness import check

PASS = "convert-tosa-to-gs"
SEED = 100
DTYPES = {"f32": np.float32, "f16": np.float16, "i8": np.int8, "i16": np.int16, "i32": np.int32}
SHAPES = [("13x21x3", "13x26", 26), ("?x?x?", "?x?", 26), ("?x21x?", "13x?", 1)]


def function(types: list[str], op: str, result: str, before: str = "") -> str:
    names = ["%a", "%b", "%c"][: len(types)]
    given = types if not before else types[:-1]
    signature = ", ".join(f"{n}: {t}" for n, t in zip(names, given, strict=False))
    return f"""
func.func @f({signature}) -> {result} {{
{before}  %r = {op} {", ".join(names)} : ({", ".join(types)}) -> {result}
  return %r : {result}
}}"""


@pytest.mark.parametrize("index", ["i32", "i64"])
@pytest.mark.parametrize("element", DTYPES)
def test_gather(element: str, index: str) -> None:
    rng = np.random.default_rng(SEED)
    values = rng.integers(-100, 100, (13, 21, 3)).astype(DTYPES[element])
    for source, coordinates, width in SHAPES:
        indices = rng.integers(0, 21, (13, width)).astype(DTYPES.get(index, np.int64))
        types = [f"tensor<{source}x{element}>", f"tensor<{coordinates}x{index}>"]
        text = function(types, "tosa.gather", f"tensor<?x?x?x{element}>")
        expected = np.take_along_axis(values, indices[:, :, None], axis=1)
        check(text, PASS, [values, indices], expected)


@pytest.mark.parametrize("element", DTYPES)
def test_scatter(element: str) -> None:
    rng = np.random.default_rng(SEED)
    values = rng.integers(-100, 100, (13, 52, 3)).astype(DTYPES[element])
    updates = rng.integers(-100, 100, (13, 26, 3)).astype(DTYPES[element])
    indices = np.stack([rng.permutation(52)[:26] for _ in range(13)]).astype(np.int32)
    expected = values.copy()
    for n in range(13):
        expected[n, indices[n]] = updates[n]
    for sizes in (["13x52x3", "13x26", "13x26x3"], ["?x?x?", "?x?", "?x?x?"]):
        kinds = [element, "i32", element]
        types = [f"tensor<{s}x{kind}>" for s, kind in zip(sizes, kinds, strict=True)]
        text = function(types, "tosa.scatter", types[0])
        check(text, PASS, [values, indices, updates], expected)


@pytest.mark.parametrize("rows", [1, 2, 5])
@pytest.mark.parametrize("sizes", [("2x9x3", "2x4"), ("?x?x?", "?x?")])
def test_row_gather(rows: int, sizes: tuple[str, str]) -> None:
    rng = np.random.default_rng(SEED)
    values = rng.standard_normal((2, 9, 3)).astype(np.float32)
    indices = rng.integers(0, 9 - rows + 1, (2, 4)).astype(np.int32)
    where = (indices[:, :, None] + np.arange(rows)).reshape(2, 4 * rows, 1)
    types = [f"tensor<{sizes[0]}xf32>", f"tensor<{sizes[1]}xi32>", "tensor<1xi32>"]
    constant = (
        f'  %c = "tosa.const"() {{values = dense<{rows}> : tensor<1xi32>}} : () -> tensor<1xi32>\n'
    )
    text = function(types, "tosa.row_gather", f"tensor<2x{4 * rows}x3xf32>", constant)
    expected = np.take_along_axis(values, where, axis=1)
    check(text, PASS, [values, indices], expected)


def test_a_whole_function() -> None:
    """An embedding, a projection with a bias, rectified; a branch on the way."""
    rng = np.random.default_rng(SEED)
    table = rng.integers(-9, 9, (1, 50, 8)).astype(np.float32)
    tokens = rng.integers(0, 50, (1, 6)).astype(np.int32)
    weights = rng.integers(-9, 9, (1, 8, 4)).astype(np.float32)
    bias = rng.integers(-9, 9, (1, 1, 4)).astype(np.float32)
    text = """
func.func @f(%table: tensor<1x50x8xf32>, %tokens: tensor<1x6xi32>, %w: tensor<1x8x4xf32>,
             %bias: tensor<1x1x4xf32>, %twice: tensor<i1>) -> tensor<1x6x4xf32> {
  %x = tosa.gather %table, %tokens : (tensor<1x50x8xf32>, tensor<1x6xi32>) -> tensor<*xf32>
  %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %y = tosa.cond_if %twice (%a = %x) : tensor<i1> (tensor<*xf32>) -> tensor<1x6x8xf32> {
  ^bb0(%a: tensor<*xf32>):
    %s = tosa.add %a, %a : (tensor<*xf32>, tensor<*xf32>) -> tensor<1x6x8xf32>
    tosa.yield %s : tensor<1x6x8xf32>
  } else {
  ^bb0(%a: tensor<*xf32>):
    %s = tosa.gather %table, %tokens
        : (tensor<1x50x8xf32>, tensor<1x6xi32>) -> tensor<1x6x8xf32>
    tosa.yield %s : tensor<1x6x8xf32>
  }
  %p = tosa.matmul %y, %w, %zp, %zp
      : (tensor<1x6x8xf32>, tensor<1x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x4xf32>
  %b = tosa.add %p, %bias : (tensor<1x6x4xf32>, tensor<1x1x4xf32>) -> tensor<1x6x4xf32>
  %z = tosa.abs %b : (tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %z : tensor<1x6x4xf32>
}"""
    for twice in (False, True):
        x = table[:, tokens[0]] * (2 if twice else 1)
        arguments = [table, tokens, weights, bias, np.array(twice)]
        check(text, "gs-import-tosa", arguments, np.abs(x @ weights + bias))
