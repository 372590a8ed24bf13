"""Functions of `math` in a body that runs in vectors, those included that only libm has."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from mlir_gs.execution import compile

TAKE = """
func.func @f(%table: tensor<?x{element}>, %i: tensor<?x1xi64>) -> tensor<?x{element}> {{
  %taken = gs.gather %table[%i] gather_dims([0])
      : (tensor<?x{element}>, tensor<?x1xi64>) -> tensor<?x{element}>
  %r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}}
      ins(%taken : tensor<?x{element}>) outs(%taken : tensor<?x{element}>) {{
  ^bb0(%x: {element}, %old: {element}):
    %y = math.{op} %x : {element}
    linalg.yield %y : {element}
  }} -> tensor<?x{element}>
  return %r : tensor<?x{element}>
}}"""

FUNCTIONS: dict[str, Callable[[float], float]] = {
    "acosh": math.acosh,
    "asinh": math.asinh,
    "atan": math.atan,
    "atanh": math.atanh,
    "cbrt": math.cbrt,
    "cos": math.cos,
    "erf": math.erf,
    "erfc": math.erfc,
    "exp": math.exp,
    "tanh": math.tanh,
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("op", FUNCTIONS)
@pytest.mark.parametrize(("element", "dtype"), [("f64", np.float64), ("f32", np.float32)])
def test_functions(op: str, element: str, dtype: type, threads: int) -> None:
    """As Python's own, to four units in the last place: libm promises no more of some of them."""
    rng = np.random.default_rng(5)
    table = rng.uniform(0.05, 0.95, 90).astype(dtype)
    if op == "acosh":
        table += dtype(1)
    coordinates = rng.integers(0, 90, (1003, 1))
    found = compile(TAKE.format(element=element, op=op), threads=threads)(table, coordinates)
    expected = np.array([FUNCTIONS[op](float(x)) for x in table[coordinates[:, 0]]])
    assert found.dtype == dtype
    unit = np.spacing(np.abs(expected).astype(dtype))
    assert np.all(np.abs(found - expected) <= 4 * unit)
