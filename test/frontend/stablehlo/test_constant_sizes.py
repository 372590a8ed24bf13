"""Ops that take sizes as operands, with constants for them: upstream makes other ops of those."""

import mlir_gs
import numpy as np
import pytest


def positions(element: str, size: str, constant: str) -> str:
    return f"""
func.func @main() -> tensor<{size}x{element}> {{
  %s = stablehlo.constant dense<{constant}> : tensor<1xi64>
  %0 = "stablehlo.dynamic_iota"(%s) <{{iota_dimension = 0 : i64}}>
      : (tensor<1xi64>) -> tensor<{size}x{element}>
  return %0 : tensor<{size}x{element}>
}}
"""


@pytest.mark.parametrize("size", ["?", "3"])
@pytest.mark.parametrize(("element", "dtype"), [("i1", bool), ("ui8", np.uint8)])
def test_positions(element: str, dtype: type, size: str) -> None:
    found = np.asarray(mlir_gs.compile(positions(element, size, "3"), threads=1)())
    np.testing.assert_array_equal(found.astype(dtype), np.arange(3).astype(dtype))


@pytest.mark.parametrize("low", [-2, 0, 1])
@pytest.mark.parametrize("high", [-1, 2])
def test_pads_that_take_away(low: int, high: int) -> None:
    type_ = "tensor<?xui16>"
    text = f"""
func.func @main(%a: {type_}, %p: tensor<ui16>) -> {type_} {{
  %0 = stablehlo.pad %a, %p, low = [{low}], high = [{high}], interior = [0]
      : ({type_}, tensor<ui16>) -> {type_}
  return %0 : {type_}
}}
"""
    x = np.arange(5, dtype=np.uint16)
    padded = np.pad(x, (max(low, 0), max(high, 0)), constant_values=9)
    wanted = padded[max(-low, 0) : len(padded) - max(-high, 0)]
    found = mlir_gs.compile(text, threads=1)(x, np.array(9, np.uint16))
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("element", ["ui16", "i16"])
def test_sizes_that_are_set(element: str) -> None:
    type_ = f"tensor<?x2x{element}>"
    text = f"""
func.func @main(%a: {type_}, %n: tensor<i32>) -> {type_} {{
  %0 = "stablehlo.set_dimension_size"(%a, %n) <{{dimension = 0 : i64}}>
      : ({type_}, tensor<i32>) -> {type_}
  return %0 : {type_}
}}
"""
    kernel = mlir_gs.compile(text, threads=1)
    x = np.arange(6, dtype=element.replace("i", "int")).reshape(3, 2)
    for count in (0, 2, 3):
        np.testing.assert_array_equal(kernel(x, np.array(count, np.int32)), x[:count])
    for count in (-1, 4):
        with pytest.raises(
            (ValueError, RuntimeError), match=r"stablehlo\.set_dimension_size|extract_slice"
        ):
            kernel(x, np.array(count, np.int32))
