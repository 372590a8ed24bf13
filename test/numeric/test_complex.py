"""Complex numbers at the ends of their types: division and absolute values as NumPy has them."""

import mlir_gs
import numpy as np
import pytest


@pytest.mark.parametrize("width", [32, 64])
def test_division(width: int) -> None:
    dtype = np.dtype(f"complex{2 * width}")
    most = np.finfo(dtype).max
    parts = [0.0, 1.0, -2.5, most, np.inf, -np.inf]
    numbers = np.array([complex(a, b) for a in parts for b in parts], dtype)
    x, y = (each.ravel() for each in np.meshgrid(numbers, numbers))
    type_ = f"tensor<?xcomplex<f{width}>>"
    kernel = mlir_gs.compile(
        f"""func.func @main(%x: {type_}, %y: {type_}, %out: {type_}) -> {type_} {{
  %0 = linalg.div ins(%x, %y : {type_}, {type_}) outs(%out : {type_}) -> {type_}
  return %0 : {type_}
}}""",
        threads=1,
    )
    found = kernel(x, y, np.zeros_like(x))
    with np.errstate(all="ignore"):
        wanted = x / y
    # Of infinity in both parts NumPy makes NaN, where C has infinities and zeros.
    known = ~np.isnan(wanted)
    assert known.sum() > 600
    least = np.finfo(dtype).smallest_subnormal
    for part in ("real", "imag"):
        np.testing.assert_allclose(
            getattr(found[known], part), getattr(wanted[known], part), rtol=1e-5, atol=least
        )


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("op", ["complex.abs", "stablehlo.abs"])
def test_absolute_value(op: str, width: int) -> None:
    dtype = np.dtype(f"complex{2 * width}")
    about = np.finfo(dtype)
    parts = [0.0, -0.0, 1.0, -3.0, 4.0, 1e30, 3e-30, np.inf, -np.inf, np.nan]
    parts += [about.max, about.max / 2, about.tiny, about.smallest_subnormal]
    x = np.array([complex(a, b) for a in parts for b in parts], dtype)
    given, result = f"tensor<{x.size}xcomplex<f{width}>>", f"tensor<{x.size}xf{width}>"
    by_element = f"""linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>,
      affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
      ins(%x : {given}) outs(%y : {result}) {{
  ^bb0(%a: complex<f{width}>, %b: f{width}):
    %c = complex.abs %a : complex<f{width}>
    linalg.yield %c : f{width}
  }} -> {result}"""
    made = by_element if op == "complex.abs" else f"{op} %x : ({given}) -> {result}"
    kernel = mlir_gs.compile(
        f"func.func @main(%x: {given}, %y: {result}) -> {result} {{\n  %0 = {made}\n"
        f"  return %0 : {result}\n}}",
        threads=1,
    )
    with np.errstate(all="ignore"):
        wanted = np.abs(x)
    found = kernel(x, np.zeros_like(wanted))
    np.testing.assert_array_max_ulp(found[np.isfinite(wanted)], wanted[np.isfinite(wanted)], 1)
    ends = ~np.isfinite(wanted)
    np.testing.assert_array_equal(found[ends], wanted[ends])
