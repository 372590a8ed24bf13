"""Sums that stay in registers while neighbours have equal coordinates: the bits of the loop."""

import numpy as np
import pytest
from mlir_gs import execution

SUM = """
func.func @f(%u: tensor<?x{width}x{element}>, %i: tensor<?xi64>, %y: tensor<?x{width}x{element}>)
    -> tensor<?x{width}x{element}> {{
  %r = gs.generic (e, d) [s = %i[e] mode({mode})] ins(%u[e, d]) outs(%y[s, d])
      iterators(e = reduction, d = parallel) {promise}
      : (tensor<?x{width}x{element}>, tensor<?xi64>, tensor<?x{width}x{element}>)
      -> tensor<?x{width}x{element}> {{
  ^bb0(%a: {element}, %o: {element}):
    %n = arith.add{kind} %o, %a : {element}
    gs.yield %n : {element}
  }}
  return %r : tensor<?x{width}x{element}>
}}"""


def _spread(name: str, count: int, rows: int) -> np.ndarray:
    rng = np.random.default_rng(count)
    if name == "equal":
        return np.full(count, rows - 1)
    # Pairs that differ may lie between those that are looked at, and runs come back.
    long = np.repeat(rng.integers(0, rows, -(-count // 300)), 300)[:count]
    return {
        "long": long,
        "sorted": np.sort(long),
        "short": np.sort(rng.integers(0, rows, count)),
        "any": rng.integers(0, rows, count),
    }[name]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("width", [1, 3, 16, 40])
@pytest.mark.parametrize(
    ("element", "mode", "promise"),
    [
        ("f32", "promise_in_bounds", ""),
        ("f64", "error", ""),
        ("f16", "clip", ""),
        ("f32", "error", "sorted"),
        ("f32", "fill_or_drop", "sorted"),
        ("i32", "promise_in_bounds", "sorted"),
    ],
)
def test_bits(element: str, mode: str, promise: str, width: int, threads: int) -> None:
    kernel = execution.compile(
        SUM.format(
            element=element, mode=mode, promise=promise, width=width,
            kind="i" if element == "i32" else "f",
        ),
        threads=threads,
    )  # fmt: skip
    dtype = {"f16": "float16", "f32": "float32", "f64": "float64", "i32": "int32"}[element]
    rng = np.random.default_rng(1)
    rows = 50
    y = (rng.random((rows, width)) * 9).astype(dtype)
    for name in ("equal", "sorted", "short", *(() if promise else ("long", "any"))):
        for count in (0, 1, 4095, 4096, 9000):
            ids, u = _spread(name, count, rows), (rng.random((count, width)) * 9).astype(dtype)
            if mode == "fill_or_drop" and count > 9:
                ids[:3], ids[-3:] = -1, rows
            expected = y.copy()
            for at, row in zip(ids, u, strict=True):
                if 0 <= at < rows:
                    expected[at] += row
            np.testing.assert_array_equal(kernel(u, ids, y), expected, f"{name} {count}")


def test_bad_coordinates_change_nothing() -> None:
    text = SUM.format(element="f32", mode="error", promise="", width=1, kind="f")
    kernel = execution.compile(text, donate=[2])
    y, u, ids = np.ones((9, 1), np.float32), np.ones((5000, 1), np.float32), np.full(5000, 3)
    ids[4999] = 9
    with pytest.raises(IndexError, match=r"coordinate 9 at position \[4999"):
        kernel(u, ids, y)
    assert (y == 1).all()


@pytest.mark.parametrize("promise", ["", "sorted"])
def test_input_is_read_where_it_is_written(promise: str) -> None:
    """It may be the output's memory: no register hides what an earlier point wrote."""
    kernel = execution.compile(
        f"""
func.func @f(%i: memref<?xi64>, %y: memref<?xf32>) {{
  gs.generic (e) [s = %i[e]] ins(%y[s]) outs(%y[s]) iterators(e = reduction) {promise}
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {{
  ^bb0(%a: f32, %o: f32):
    %given = arith.constant 0.5 : f32
    %half = arith.mulf %a, %given : f32
    %r = arith.addf %o, %half : f32
    gs.yield %r : f32
  }}
  return
}}"""
    )
    y, ids = np.ones(3, np.float32), np.repeat([1, 2], [1990, 10])
    kernel(ids, y)
    assert y[0] == 1
    assert np.isinf(y[1])
    assert y[2] == np.float32(1.5) ** 10
