"""Rows of floats of 8 bits, widened and narrowed in vector lanes: what ml_dtypes makes of each."""

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import compile

_KINDS = {
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
}


def _rows(given: str, op: str, made: str) -> str:
    maps = ", ".join(f"affine_map<(d0, d1)[s0] -> ({p})>" for p in ("s0, d1", "d0, d1"))
    table, out = f"tensor<?x?x{given}>", f"tensor<?x?x{made}>"
    return f"""
func.func @f(%table: {table}, %i: tensor<?xi32>) -> {out} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %i, %c0 : tensor<?xi32>
  %columns = tensor.dim %table, %c1 : {table}
  %empty = tensor.empty(%rows, %columns) : {out}
  %r = "gs.generic"(%table, %i, %empty) ({{
  ^bb0(%a: {given}, %old: {made}):
    %new = arith.{op} %a : {given} to {made}
    gs.yield %new : {made}
  }}) {{
    coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]], indexing_maps = [{maps}],
    iterator_types = ["parallel", "parallel"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  }} : ({table}, tensor<?xi32>, {out}) -> {out}
  return %r : {out}
}}"""


@pytest.mark.parametrize("kind", _KINDS)
def test_widened(kind: str) -> None:
    """All 256 numbers, in whole vectors and in what is left of one."""
    codes = np.stack([np.arange(256), np.arange(256)[::-1]]).astype(np.uint8).view(_KINDS[kind])
    ids = np.array([1, 0, 1], np.int32)
    for made, dtype in (("f32", np.float32), ("f64", np.float64)):
        kernel = compile(_rows(kind, "extf", made))
        for width in (256, 7):
            given = codes[:, :width].copy()
            found, wanted = kernel(given, ids), given[ids].astype(np.float32).astype(dtype)
            np.testing.assert_array_equal(found, wanted)
            number = ~np.isnan(wanted)
            np.testing.assert_array_equal(np.signbit(found)[number], np.signbit(wanted)[number])


@pytest.mark.parametrize("kind", _KINDS)
def test_narrowed(kind: str) -> None:
    """All numbers of the kind, what lies half between two, and what lies next to these."""
    rng = np.random.default_rng(7)
    numbers = np.sort(np.arange(256, dtype=np.uint8).view(_KINDS[kind]).astype(np.float32))
    with np.errstate(all="ignore"):
        numbers = np.append(numbers, (numbers[:-1] / 2 + numbers[1:] / 2))
        sides = [np.nextafter(numbers, np.float32(end)) for end in (-np.inf, np.inf)]
        spread = rng.normal(size=999) * np.exp2(rng.integers(-140, 120, 999))
        given = np.concatenate([numbers, *sides, spread]).astype(np.float32)
        given = np.stack([given, given[::-1]])
        wanted = given.astype(_KINDS[kind])
    ids = np.array([1, 0], np.int32)
    found = compile(_rows("f32", "truncf", kind))(given, ids)
    np.testing.assert_array_equal(found.astype(np.float32), wanted[ids].astype(np.float32))
