"""Rows of an output that overlap, as those that windows are added to, run in vectors."""

import mlir_gs
import numpy as np
import pytest

OPS = {"f32": (np.float32, "arith.addf"), "i64": (np.int64, "arith.addi")}


def _kernel(element, points, places, kinds, threads=1, adds=True):
    """A gs.generic that adds `%c`, of 3 dims, to `places` of `%y`, or sets them."""
    add = f"%new = {OPS[element][1]} %old, %c0 : {element}" if adds else ""
    rank = places.count(",") + 1
    y = f"tensor<{'?x' * rank}{element}>"
    c = f"tensor<?x?x?x{element}>"
    mode = "mode(fill_or_drop)" if places.startswith("s") else ""
    kinds = ", ".join(f"{dim} = reduction" for dim in kinds)
    return mlir_gs.compile(
        f"""
func.func @f(%c: {c}, %q: tensor<?xi32>, %y: {y}) -> {y} {{
  %r = gs.generic ({points}) [s = %q[{points[0]}] {mode}] ins(%c[{points}])
      outs(%y[{places}]) iterators({kinds}) : ({c}, tensor<?xi32>, {y}) -> {y} {{
  ^bb0(%c0: {element}, %old: {element}):
    {add}
    gs.yield {"%new" if adds else "%c0"} : {element}
  }}
  return %r : {y}
}}""",
        threads=threads,
    )


@pytest.mark.parametrize("adds", [True, False])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("element", OPS)
@pytest.mark.parametrize("shape", [(3, 5, 50), (1, 3, 17), (3, 4, 1), (3, 0, 9), (3, 40, 700)])
def test_windows(element, shape, threads, adds):
    rng = np.random.default_rng(0)
    u, i, j = shape
    c = (rng.standard_normal(shape) * 100).astype(OPS[element][0])
    y = (rng.standard_normal((i + u, j + 2 * u)) * 100).astype(c.dtype)
    kernel = _kernel(element, "u, i, j", "i + u, 2 * u + j", "uij", threads, adds)
    expected = y.copy()
    for n in range(u):
        window = expected[n : n + i, 2 * n : 2 * n + j]
        window[:] = window + c[n] if adds else c[n]
    np.testing.assert_array_equal(kernel(c, np.zeros(u, np.int32), y), expected)


def _in_order(c, q, y, adds):
    """What rows at coordinates become, point by point; a window that does not fit is dropped."""
    y = y.copy()
    for s, rows in zip(q, c, strict=True):
        if s >= 0 and s + c.shape[2] <= y.size:
            for row in rows:
                window = y[s : s + row.size]
                window[:] = window + row if adds else row
    return y


@pytest.mark.parametrize("adds", [True, False])
@pytest.mark.parametrize("element", OPS)
@pytest.mark.parametrize("shape", [(9, 1, 20), (5, 3, 64), (4, 2, 1)])
def test_windows_at_coordinates(element, shape, adds):
    rng = np.random.default_rng(1)
    c = (rng.standard_normal(shape) * 100).astype(OPS[element][0])
    y = (rng.standard_normal(shape[2] + 9) * 100).astype(c.dtype)
    q = rng.integers(-3, 12, shape[0]).astype(np.int32)
    kernel = _kernel(element, "i, k, j", "s + j", "ikj", 2, adds)
    np.testing.assert_array_equal(kernel(c, q, y), _in_order(c, q, y, adds))


def test_order_of_an_inner_dim():
    """`y[j + u]` with u inside of j: its points come in order of j."""
    rng = np.random.default_rng(2)
    c = rng.standard_normal((2, 30, 5)).astype(np.float32)
    kernel = _kernel("f32", "k, j, u", "j + u", "kju")
    expected = np.zeros(34, np.float32)
    for k, j, u in np.ndindex(c.shape):
        expected[j + u] += c[k, j, u]
    found = kernel(c, np.zeros(2, np.int32), np.zeros(34, np.float32))
    np.testing.assert_array_equal(found, expected)
