"""Constraints that speak of sizes hold at the call: `size_constraints.py` has the whole table."""

import numpy as np
import pytest
from mlir_gs.execution import compile
from size_constraints import ROADS, rows_of
from size_table import TABLE, Sized, constraints

SIZED = [key for key, found in TABLE.items() if isinstance(found, Sized)]


def test_every_constraint_is_classified() -> None:
    assert set(TABLE) == set(constraints())


@pytest.mark.parametrize("number", range(len(SIZED)), ids=[f"{op}_c{n}" for op, n in SIZED])
def test_a_broken_constraint_is_an_error_before_any_write(number: int) -> None:
    """On a few of the roads, of which each has its turn."""
    roads = [ROADS[(3 * number + 7 * k) % len(ROADS)] for k in range(3)]
    wrong = [row for row in rows_of(*SIZED[number], roads) if not row.passed]
    assert not wrong, wrong


TWO_STEPS = """
func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %i: memref<?x1xi64>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<?xf32>)
  %a = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %b = bufferization.to_tensor %y restrict writable : memref<?xf32> to tensor<?xf32>
  %k = bufferization.to_tensor %i restrict : memref<?x1xi64> to tensor<?x1xi64>
  %r = gs.scatter %a into %b[%k] scatter_dims([0])
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
  bufferization.materialize_in_destination %r in restrict writable %y
      : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}"""


def test_sizes_are_checked_before_what_stands_before_the_op_writes() -> None:
    kernel = compile(TWO_STEPS)
    y = np.ones(5, np.float32)
    with pytest.raises(ValueError, match=r"of 'updates' must be .*: expected 2, found 3$"):
        kernel(np.ones(3, np.float32), y, np.zeros((2, 1), np.int64))
    assert (y == 1).all()
    kernel(np.ones(2, np.float32), y, np.array([[4], [0]]))
    np.testing.assert_array_equal(y, [1, 0, 0, 0, 1])


UNUSED = """
func.func @f(%x: tensor<?xf32>, %i: tensor<?xi64>, %u: tensor<?xf32>) -> tensor<?xf32> {
  %r = gs.scatter_elements %u into %x[%i] dim(0)
      : (tensor<?xf32>, tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>
  return %x : tensor<?xf32>
}"""


@pytest.mark.parametrize("optimize", [True, False])
def test_sizes_of_an_op_that_nobody_uses(optimize: bool) -> None:
    kernel = compile(UNUSED, optimize=optimize)
    x, two = np.ones(3, np.float32), np.zeros(2, np.int64)
    with pytest.raises(ValueError, match=r"of 'updates' must be .*: expected 2, found 3$"):
        kernel(x, two, x)
    np.testing.assert_array_equal(kernel(x, two, x[:2]), x)


def test_no_element_is_addressed_without_coordinates() -> None:
    """As Torch has it: indices without elements may have any sizes."""
    kernel = compile("""
func.func @f(%x: tensor<?x?xf32>, %i: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %r = gs.gather_elements %x[%i] dim(1) : (tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}""")
    assert kernel(np.ones((3, 4), np.float32), np.zeros((5, 0), np.int64)).shape == (5, 0)
