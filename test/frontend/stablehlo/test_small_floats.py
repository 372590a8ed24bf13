"""Floats of 8 bits and fewer, of which most have no infinity."""

import ml_dtypes
import mlir_gs
import numpy as np
import pytest

KINDS = {
    "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2", "f8E4M3": "float8_e4m3",
    "f8E3M4": "float8_e3m4", "f8E4M3FNUZ": "float8_e4m3fnuz", "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E4M3B11FNUZ": "float8_e4m3b11fnuz", "f8E8M0FNU": "float8_e8m0fnu",
    "f6E2M3FN": "float6_e2m3fn", "f6E3M2FN": "float6_e3m2fn", "f4E2M1FN": "float4_e2m1fn",
}  # fmt: skip


@pytest.mark.parametrize(
    ("op", "asked"), [("stablehlo.is_finite", np.isfinite), ("chlo.is_inf", np.isinf)]
)
@pytest.mark.parametrize("kind", KINDS)
def test_all_numbers_are_asked(kind: str, op: str, asked: np.ufunc) -> None:
    text = f"""
func.func @main(%a: tensor<?x{kind}>) -> tensor<?xi1> {{
  %0 = "{op}"(%a) : (tensor<?x{kind}>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}}
"""
    bits = np.arange(1 << int(kind[1]), dtype=np.uint8)
    x = bits.view(getattr(ml_dtypes, KINDS[kind]))
    np.testing.assert_array_equal(mlir_gs.compile(text, threads=1)(x), asked(x.astype(np.float32)))
