"""An op in mode error fails where it is reached, whether its results are used or not."""

import numpy as np
import pytest
from mlir_gs import compile, lowering
from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering.ir.builders import walk_named

OPS = {
    "gather": '"gs.gather"(%t, %i) {gather_dims = array<i64: 0>, mode = "error"}\n'
    "    : (tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>",
    "scatter": '"gs.scatter"(%u, %t, %i) ({}) {scatter_dims = array<i64: 0>, mode = "error"}\n'
    "    : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>",
    "gather_elements": '"gs.gather_elements"(%t, %j) {dim = 0 : i64, mode = "error"}\n'
    "    : (tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>",
    "scatter_elements": '"gs.scatter_elements"(%u, %t, %j) ({}) {dim = 0 : i64, mode = "error"}\n'
    "    : (tensor<?xf32>, tensor<?xf32>, tensor<?xi64>) -> tensor<?xf32>",
}
FUNCTION = """
func.func @f(%t: tensor<?xf32>, %u: tensor<?xf32>, %i: tensor<?x1xi64>, %j: tensor<?xi64>,
    %on: tensor<i1>) -> tensor<?xf32> {{
  %c = tensor.extract %on[] : tensor<i1>
  {before}
  %r = {op}
  {after}
  return %t : tensor<?xf32>
}}
"""
PLACES = {"alone": ("", ""), "under a condition": ("scf.if %c {", "}")}


def _outcome(text: str, last: int, on: bool = True, **options: object) -> bool:
    """Whether a call with the coordinates 0 and `last`, of four, goes well."""
    data, places = np.arange(4, dtype=np.float32), np.array([0, last])
    try:
        found = compile(text, **options)(data, data[:2], places[:, None], places, np.array(on))
    except IndexError as error:
        if f"coordinate {last} at position [1" not in str(error):
            raise
        return False
    np.testing.assert_array_equal(found, data)
    return True


@pytest.mark.parametrize("options", [{}, {"optimize": False}, {"sanitize": True}, {"threads": 2}])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("op", OPS)
def test_fails_where_it_is_reached(op: str, place: str, options: dict[str, object]) -> None:
    before, after = PLACES[place]
    text = FUNCTION.format(op=OPS[op], before=before, after=after)
    assert _outcome(text, 3, **options)
    assert not _outcome(text, 9, **options)
    assert _outcome(text, 9, on=False, **options) == (place != "alone")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("op", OPS)
def test_by_way_of_linalg(op: str, place: str) -> None:
    before, after = PLACES[place]
    with context(), ir.Location.unknown():
        module = parse(FUNCTION.format(op=OPS[op], before=before, after=after))
        lowering.run_pipeline(
            module,
            "loop-invariant-code-motion,canonicalize,cse,gs-generalize,convert-gs-to-linalg,"
            "loop-invariant-code-motion,canonicalize,cse",
        )
        text = str(module)
    assert _outcome(text, 3)
    assert not _outcome(text, 9)
    assert _outcome(text, 9, on=False) == (place != "alone")


LOOP = """
func.func @f(%t: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<2x1xi64>, %turns: tensor<index>)
    -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.extract %turns[] : tensor<index>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %u) -> (tensor<2xf32>) {
    %r = gs.gather %t[%i] gather_dims([0]) mode(error)
        : (tensor<4xf32>, tensor<2x1xi64>) -> tensor<2xf32>
    scf.yield %r : tensor<2xf32>
  }
  return %s : tensor<2xf32>
}
"""


def test_reads_that_upstream_moves_before_the_checks() -> None:
    """Upstream takes what reads tensors out of loops, but not the checks."""
    with context(), ir.Location.unknown():
        module = parse(LOOP)
        lowering.run_pipeline(
            module, "gs-generalize,convert-gs-to-linalg,loop-invariant-code-motion,cse"
        )
        (generic,) = walk_named(module.operation, "linalg.generic")
        assert generic.parent.operation.name == "func.func"
        text = str(module)
    kernel = compile(text)
    data, far = np.arange(4, dtype=np.float32), np.array([[0], [1 << 40]])
    np.testing.assert_array_equal(kernel(data, data[:2], far, np.array(0)), data[:2])
    with pytest.raises(IndexError, match="coordinate 1099511627776 at position"):
        kernel(data, data[:2], far, np.array(1))


CALLED = """
func.func private @g(%t: tensor<?xf32>, %i: tensor<?x1xi64>) -> tensor<?xf32> {{
  %r = gs.gather %t[%i] gather_dims([0]) mode(error)
      : (tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}}
func.func @f(%t: tensor<?xf32>, %i: tensor<?x1xi64>) -> tensor<?xf32> {{
  %r = func.call @g(%t, %i) : (tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
  return {result} : tensor<?xf32>
}}
"""


@pytest.mark.parametrize("result", ["%r", "%t"])
def test_errors_of_called_functions(result: str) -> None:
    kernel = compile(CALLED.format(result=result), "f")
    data, places = np.arange(4, dtype=np.float32), np.array([[3], [0]])
    expected = data[[3, 0]] if result == "%r" else data
    np.testing.assert_array_equal(kernel(data, places), expected)
    with pytest.raises(IndexError, match=r"coordinate 9 at position \[1, 0\]"):
        kernel(data, np.array([[3], [9]]))
