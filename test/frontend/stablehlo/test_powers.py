"""Integer powers with exponents of all bits, against Python's, modulo the width."""

import mlir_gs
import numpy as np
import pytest

TYPES = {"i64": np.int64, "ui64": np.uint64, "i32": np.int32, "i8": np.int8, "ui8": np.uint8}


@pytest.mark.parametrize("element", TYPES)
def test_large_exponents(element: str) -> None:
    type_ = f"tensor<?x{element}>"
    text = f"""
func.func @main(%a: {type_}, %b: {type_}) -> {type_} {{
  %0 = stablehlo.power %a, %b : {type_}
  return %0 : {type_}
}}
"""
    dtype = TYPES[element]
    most, width = int(np.iinfo(dtype).max), 8 * np.dtype(dtype).itemsize
    exponents = [n for n in (0, 1, 63, 64, 65, 100, 127, 1000, most - 1, most) if n <= most]
    pairs = [(b % 2**width, e) for b in (3, 2, -2, -1, 1, 0, 5, -3) for e in exponents]
    base = np.array([b for b, _ in pairs], np.uint64).astype(f"u{dtype().itemsize}").view(dtype)
    found = np.asarray(
        mlir_gs.compile(text, threads=1)(base, np.array([e for _, e in pairs], dtype))
    )
    wanted = [pow(b, e, 2**width) for b, e in pairs]
    assert [int(n) % 2**width for n in found.view(dtype)] == wanted


def test_negative_exponents() -> None:
    text = """
func.func @main(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.power %a, %b : tensor<4xi32>
  return %0 : tensor<4xi32>
}
"""
    base, exponent = np.array([1, -1, -1, 7], np.int32), np.array([-5, -3, -64, -1], np.int32)
    found = mlir_gs.compile(text, threads=1)(base, exponent)
    np.testing.assert_array_equal(found, [1, -1, 1, 0])
