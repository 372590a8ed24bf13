"""Coordinates of fewer bits than an index: loaded in words, checked in their own type."""

from functools import lru_cache
from typing import Any

import mlir_gs
import numpy as np
import pytest

TAKE = """
func.func @take(%x: tensor<?xf32>, %ids: tensor<?x{kind}>) -> tensor<?xf32> {{
  %c0 = arith.constant 0 : index
  %n = tensor.dim %ids, %c0 : tensor<?x{kind}>
  %out = tensor.empty(%n) : tensor<?xf32>
  %0 = gs.generic (i) [s = %ids[i] mode(error)] ins(%x[s]) outs(%out[i]) iterators(i = parallel)
      : (tensor<?xf32>, tensor<?x{kind}>, tensor<?xf32>) -> tensor<?xf32> {{
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }}
  return %0 : tensor<?xf32>
}}
"""
KINDS = {"i8": "int8", "ui8": "uint8", "i16": "int16", "ui16": "uint16", "i32": "int32",
         "ui32": "uint32"}  # fmt: skip
TABLE = np.arange(70000, dtype=np.float32)


@lru_cache(None)
def taken(kind: str) -> Any:
    return mlir_gs.compile(TAKE.format(kind=kind))


@pytest.mark.parametrize("kind", KINDS)
def test_all_lanes(kind: str) -> None:
    kernel = taken(kind)
    size = min(len(TABLE), np.iinfo(KINDS[kind]).max + 1)
    for count in (0, 1, 15, 16, 17, 67, 300):
        ids = np.random.default_rng(count).integers(0, size, count).astype(KINDS[kind])
        ids[-1:] = size - 1
        np.testing.assert_array_equal(kernel(TABLE[:size], ids), TABLE[ids])
        np.testing.assert_array_equal(kernel(TABLE[:size], ids[::-2]), TABLE[ids[::-2]])


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_out_of_bounds(kind: str) -> None:
    kernel = taken(kind)
    dtype = np.dtype(KINDS[kind])
    bad = [200, *([] if dtype.kind == "u" else [-1, np.iinfo(dtype).min]), np.iinfo(dtype).max]
    # A table in which the bits of a negative number, read without a sign, are a position.
    for number in (n for n in bad if 100 <= n <= np.iinfo(dtype).max or n < 0):
        size = 200 if number < 0 else min(number, 200)
        ids = np.zeros(100, dtype)
        ids[57] = number
        with pytest.raises(IndexError, match=str(number)):
            kernel(TABLE[:size], ids)
    with pytest.raises(IndexError):
        kernel(TABLE[:0], np.zeros(3, dtype))
