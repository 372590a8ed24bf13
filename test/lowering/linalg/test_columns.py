"""Coordinates that are columns of what is computed for all of them, of every dim and size."""

import mlir_gs
import numpy as np
import pytest


def text(shape: list[int], axis: int, bits: int) -> str:
    """Cells around points in a table of 2 dims, and how far in them the points are."""
    rank = len(shape)
    dims = [f"d{d}" for d in range(rank)]
    rest = [dim for d, dim in enumerate(dims) if d != axis]
    sizes = [size for d, size in enumerate(shape) if d != axis]
    whole = "x".join(map(str, shape))
    part = "".join(f"{size}x" for size in sizes)
    kinds = ", ".join(['"parallel"'] * rank)

    def column(name: str, source: str, k: int, element: str) -> str:
        at = ", ".join([*dims[:axis], str(k), *dims[axis + 1 :]])
        given = f"(tensor<{whole}x{element}>, tensor<{part}{element}>) -> tensor<{part}{element}>"
        return f"""
  %{name}0 = tensor.empty() : tensor<{part}{element}>
  %{name} = gs.generic ({", ".join(rest)}) ins({source}[{at}]) outs(%{name}0[{", ".join(rest)}])
      : {given} {{
  ^bb0(%a: {element}, %b: {element}):
    gs.yield %a : {element}
  }}"""

    at, integer = ", ".join(rest), f"i{bits}"
    return f"""
#m = affine_map<({", ".join(dims)}) -> ({", ".join(dims)})>
func.func @f(%t: tensor<9x7xf32>, %p: tensor<{whole}xf32>) -> tensor<{part}f32> {{
  %0 = tensor.empty() : tensor<{whole}xf32>
  %1 = tensor.empty() : tensor<{whole}x{integer}>
  %f = linalg.generic {{indexing_maps = [#m, #m], iterator_types = [{kinds}]}}
      ins(%p : tensor<{whole}xf32>) outs(%0 : tensor<{whole}xf32>) {{
  ^bb0(%a: f32, %b: f32):
    %c = math.floor %a : f32
    linalg.yield %c : f32
  }} -> tensor<{whole}xf32>
  %i = linalg.generic {{indexing_maps = [#m, #m], iterator_types = [{kinds}]}}
      ins(%f : tensor<{whole}xf32>) outs(%1 : tensor<{whole}x{integer}>) {{
  ^bb0(%a: f32, %b: {integer}):
    %c = arith.fptosi %a : f32 to {integer}
    linalg.yield %c : {integer}
  }} -> tensor<{whole}x{integer}>
  %w = linalg.generic {{indexing_maps = [#m, #m, #m], iterator_types = [{kinds}]}}
      ins(%p, %f : tensor<{whole}xf32>, tensor<{whole}xf32>) outs(%0 : tensor<{whole}xf32>) {{
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  }} -> tensor<{whole}xf32>
  {column("i0", "%i", 0, integer)}
  {column("i2", "%i", 2, integer)}
  {column("w1", "%w", 1, "f32")}
  %2 = tensor.empty() : tensor<{part}f32>
  %r = gs.generic ({at}) [s = %i0[{at}] mode(clip); t = %i2[{at}] mode(clip) wrap_negative]
      ins(%t[s, t], %w1[{at}]) outs(%2[{at}])
      : (tensor<9x7xf32>, tensor<{part}f32>, tensor<{part}{integer}>, tensor<{part}{integer}>,
         tensor<{part}f32>) -> tensor<{part}f32> {{
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.addf %a, %b : f32
    gs.yield %d : f32
  }}
  return %r : tensor<{part}f32>
}}"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("bits", [8, 32, 64])
@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ([70_000, 3], 1), ([1, 3], 1), ([0, 3], 1), ([5, 4], 1),
        ([3, 100], 0), ([3, 0], 0), ([20, 3, 5], 1), ([4, 1, 3], 2),
    ],
)  # fmt: skip
def test_columns(shape, axis, bits, threads):
    rng = np.random.default_rng(axis)
    t = rng.standard_normal((9, 7)).astype(np.float32)
    p = rng.uniform(-12, 12, shape).astype(np.float32)
    i, _, j = np.moveaxis(np.floor(p).astype(np.int64), axis, 0)[:3]
    w = np.moveaxis(p - np.floor(p), axis, 0)[1]
    j = np.where(j < 0, j + 7, j)
    expected = t[np.clip(i, 0, 8), np.clip(j, 0, 6)] + w
    kernel = mlir_gs.compile(text(shape, axis, bits), threads=threads)
    np.testing.assert_array_equal(kernel(t, p), expected)


def test_columns_behind_a_long_chain() -> None:
    """Ops that read one another, as many as Python does not nest calls."""
    count = 1500
    ops = "".join(
        f"""
  %v{n + 1} = linalg.generic {{indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}}
      ins(%v{n} : tensor<5x2xi32>) outs(%0 : tensor<5x2xi32>) {{
  ^bb0(%a: i32, %b: i32):
    %c = arith.xori %a, %one : i32
    linalg.yield %c : i32
  }} -> tensor<5x2xi32>"""
        for n in range(count)
    )
    columns = "".join(
        f"""
  %c{k} = gs.generic (d) ins(%v{count}[d, {k}]) outs(%1[d])
      : (tensor<5x2xi32>, tensor<5xi32>) -> tensor<5xi32> {{
  ^bb0(%a: i32, %b: i32):
    gs.yield %a : i32
  }}"""
        for k in range(2)
    )
    module = f"""
#m = affine_map<(i, j) -> (i, j)>
func.func @f(%t: tensor<9x7xf32>, %v0: tensor<5x2xi32>) -> tensor<5xf32> {{
  %one = arith.constant 1 : i32
  %0 = tensor.empty() : tensor<5x2xi32>
  %1 = tensor.empty() : tensor<5xi32>
  %2 = tensor.empty() : tensor<5xf32>{ops}{columns}
  %r = gs.generic (d) [s = %c0[d] mode(clip); t = %c1[d] mode(clip)] ins(%t[s, t]) outs(%2[d])
      : (tensor<9x7xf32>, tensor<5xi32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5xf32> {{
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }}
  return %r : tensor<5xf32>
}}"""
    table = np.arange(63, dtype=np.float32).reshape(9, 7)
    points = np.array([[0, 1], [8, 6], [3, 3], [7, 0], [2, 5]], np.int32)
    found = mlir_gs.compile(module)(table, points)
    np.testing.assert_array_equal(found, table[points[:, 0], points[:, 1]])
