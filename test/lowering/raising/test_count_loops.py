"""Loops that count, near the ends of their types, against Python's."""

import mlir_gs
import numpy as np
import pytest
from mlir_gs import dialect, ir
from mlir_gs.lowering import build_pass_manager

TEXT = """
func.func @main(%lo: {t}, %hi: {t}, %q: {t}, %s: {t}, %x: tensor<8xi64>)
    -> ({t}, {t}, {t}, tensor<8xi64>) {{
  %one = arith.constant 1 : {t}
  %turn = arith.constant 1 : i64
  %r:4 = scf.while (%i = %lo, %j = %q, %k = %s, %a = %x)
      : ({t}, {t}, {t}, tensor<8xi64>) -> ({t}, {t}, {t}, tensor<8xi64>) {{
    %c = arith.cmpi slt, %i, %hi : {t}
    scf.condition(%c) %k, %j, %i, %a : {t}, {t}, {t}, tensor<8xi64>
  }} do {{
  ^bb0(%k: {t}, %j: {t}, %i: {t}, %a: tensor<8xi64>):
    %e = tensor.empty() : tensor<8xi64>
    %b = linalg.generic {{indexing_maps = [affine_map<(d0) -> (7 - d0)>, affine_map<(d0) -> (d0)>],
        iterator_types = ["parallel"]}} ins(%a : tensor<8xi64>) outs(%e : tensor<8xi64>) {{
    ^bb0(%in: i64, %out: i64):
      %v = arith.addi %in, %turn : i64
      linalg.yield %v : i64
    }} -> tensor<8xi64>
    %i1 = arith.addi %one, %i : {t}
    %j1 = arith.addi %j, %s : {t}
    %k1 = arith.xori %k, %i : {t}
    scf.yield %i1, %j1, %k1, %b : {t}, {t}, {t}, tensor<8xi64>
  }}
  return %r#0, %r#1, %r#2, %r#3 : {t}, {t}, {t}, tensor<8xi64>
}}
"""


@pytest.mark.parametrize("type_", [np.int8, np.int16, np.int32, np.int64])
def test_near_the_ends(type_: type[np.integer]) -> None:
    info = np.iinfo(type_)
    text = TEXT.format(t=f"i{info.bits}")
    with dialect.context(), ir.Location.unknown():
        module = mlir_gs.parse(text)
        build_pass_manager("gs-count-loops").run(module.operation)
        assert "scf.while" not in str(module)
    compiled = mlir_gs.compile(text)
    low, high = int(info.min), int(info.max)
    for lo, hi in [(high - 3, high), (low, low + 3), (high, low), (5, 5), (high - 1, high)]:
        i, j, k, turns = lo, 7, 3, 0
        while i < hi:
            i, j, k, turns = i + 1, j + 3, k ^ i, turns + 1
        *got, array = compiled(lo, hi, 7, 3, np.arange(8))
        for value, want in zip(got, (k, j, i), strict=True):
            assert int(value) == int(np.array([want]).astype(type_)[0])
        kept = np.arange(8) if turns % 2 == 0 else np.arange(8)[::-1]
        np.testing.assert_array_equal(array, kept + turns)
