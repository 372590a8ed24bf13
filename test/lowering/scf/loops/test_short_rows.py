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


COMPUTED = """
func.func @f(%table: tensor<9x{n}x{type}>, %i: tensor<?x1xi64>, %w: tensor<?x{type}>)
    -> {result} {{
  {made}
  %r = gs.generic (d0, d1) [s0 = %i[d0, 0] mode({mode})] ins(%table[s0, d1], %w[d0])
      outs(%out[{outs}]) iterators(d0 = {kind}, d1 = parallel)
      : (tensor<9x{n}x{type}>, tensor<?x{type}>, tensor<?x1xi64>, {result}) -> {result} {{
  ^bb0(%x: {type}, %y: {type}, %old: {type}):
    %0 = arith.mul{k} %x, %y : {type}
    %1 = arith.add{k} %0, %x : {type}
    %2 = arith.mul{k} %1, %1 : {type}
    %3 = arith.sub{k} %2, %y : {type}
    %4 = arith.add{k} %3, {last} : {type}
    gs.yield %4 : {type}
  }}
  return %r : {result}
}}"""
SIZES = """%c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi64>
  %out = tensor.empty(%n) : {result}"""
ZEROS = """%zero = arith.constant {zero} : {type}
  %empty = tensor.empty() : {result}
  %out = linalg.fill ins(%zero : {type}) outs(%empty : {result}) -> {result}"""


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 8, 11, 15, 19, 31, 33, 64, 67])
@pytest.mark.parametrize("mode", ["promise_in_bounds", "clip", "fill"])
@pytest.mark.parametrize("is_sum", [False, True])
def test_computed(n: int, type: str, mode: str, is_sum: bool) -> None:
    """A row of 3, or the last 3 elements of one, are one vector."""
    given = {"n": n, "type": type, "k": "i" if type == "i8" else "f"}
    given["result"] = f"tensor<{n}x{type}>" if is_sum else f"tensor<?x{n}x{type}>"
    given["zero"] = "0" if type == "i8" else "0.0"
    text = COMPUTED.format(
        **given,
        made=(ZEROS if is_sum else SIZES).format(**given),
        mode="fill_or_drop" if mode == "fill" else mode,
        kind="reduction" if is_sum else "parallel",
        outs="d1" if is_sum else "d0, d1",
        last="%old" if is_sum else "%x",
    )
    table = np.arange(9 * n).reshape(9, n).astype(TYPES[type]) % 5
    w = np.array([1, 2, 3, 1, 2, 3, 2]).astype(TYPES[type])
    x, y = table[INDICES], w[:, None]
    expected = (x * y + x) * (x * y + x) - y
    expected = expected.sum(0, dtype=TYPES[type]) if is_sum else expected + x
    found = compile(text)(table, INDICES[:, None], w)
    np.testing.assert_array_equal(found, expected)


def test_lengths() -> None:
    lanes = [vector_runs.row_lanes(Range(0, n, length=n), 16) for n in (16, 32, 48, 64, 65, 128)]
    assert lanes == [16, 32, 16, 64, 16, 16]
    assert vector_runs.row_lanes(Range(0, 64), 16) == 16
