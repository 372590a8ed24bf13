"""Division of complex numbers by zero, of and by infinities, and where parts would overflow: as
NumPy divides."""

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
