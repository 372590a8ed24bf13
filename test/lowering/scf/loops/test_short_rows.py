"""Rows of a few registers, which are one vector each: the elements are NumPy's."""

import numpy as np
import pytest
from mlir_gs.execution import compile
from mlir_gs.lowering.op.ranges import Range
from mlir_gs.lowering.scf.loops import vector_runs

ROWS = """
func.func @f(%table: tensor<9x{n}x{type}>, %i: tensor<?x1xi64>) -> tensor<?x{n}x{type}> {{
  %r = "gs.gather"(%table, %i) {{gather_dims = array<i64: 0>, mode = "{mode}", {fill}}}
      : (tensor<9x{n}x{type}>, tensor<?x1xi64>) -> tensor<?x{n}x{type}>
  return %r : tensor<?x{n}x{type}>
}}"""
ADD = """
func.func @f(%rows: tensor<?x{n}x{type}>, %dest: tensor<9x{n}x{type}>, %i: tensor<?x1xi64>)
    -> tensor<9x{n}x{type}> {{
  %r = gs.scatter %rows into %dest[%i] scatter_dims([0])
      : (tensor<?x{n}x{type}>, tensor<9x{n}x{type}>, tensor<?x1xi64>) -> tensor<9x{n}x{type}> {{
  ^bb0(%current: {type}, %update: {type}):
    %sum = arith.add{kind} %current, %update : {type}
    gs.yield %sum : {type}
  }}
  return %r : tensor<9x{n}x{type}>
}}"""
TYPES = {"f32": np.float32, "f64": np.float64, "i8": np.int8, "f16": np.float16}
INDICES = np.array([3, 0, 8, 3, 3, 5, 0], np.int64)


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("n", [16, 31, 32, 33, 64, 96, 128, 256])
@pytest.mark.parametrize("mode", ["promise_in_bounds", "clip", "fill"])
def test_rows(n: int, type: str, mode: str) -> None:
    fill = f"fill_value = {'7 : i8' if type == 'i8' else f'7.0 : {type}'}"
    text = ROWS.format(n=n, type=type, mode=mode, fill=fill if mode == "fill" else "")
    table = np.arange(9 * n).reshape(9, n).astype(TYPES[type])
    found = compile(text.replace(", }", "}"))(table, INDICES[:, None])
    np.testing.assert_array_equal(found, table[INDICES])
    if mode == "promise_in_bounds":
        return
    wild = np.array([2, 9, -1, 4], np.int64)
    expected = table[wild.clip(0, 8)]
    if mode == "fill":
        expected[[1, 2]] = 7
    found = compile(text.replace(", }", "}"))(table, wild[:, None])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("n", [16, 31, 32, 33, 64, 96, 128, 256])
def test_sums(n: int, type: str) -> None:
    generator = np.random.default_rng(n)
    rows, dest = (
        (generator.random((count, n)) * 100).astype(TYPES[type]) for count in (len(INDICES), 9)
    )
    expected = dest.copy()
    np.add.at(expected, INDICES, rows)
    text = ADD.format(n=n, type=type, kind="i" if type == "i8" else "f")
    np.testing.assert_array_equal(compile(text)(rows, dest, INDICES[:, None]), expected)


def test_lengths() -> None:
    lanes = [vector_runs.row_lanes(Range(0, n, length=n), 16) for n in (16, 32, 48, 64, 65, 128)]
    assert lanes == [16, 32, 16, 64, 16, 16]
    assert vector_runs.row_lanes(Range(0, 64), 16) == 16
