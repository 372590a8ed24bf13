"""Sums over tokens of pages that are found at coordinates, for each head: whichever order the loops
have, the bits of the sequential one."""

import numpy as np
import pytest
from mlir_gs.execution import compile

VALUES = """
func.func @f(%values: tensor<?x{page}x{heads}x{width}x{kind}>, %pages: tensor<?x?xi32>,
    %weights: tensor<?x{heads}x?x{page}x{kind}>, %start: tensor<?x{heads}x{width}x{kind}>)
    -> tensor<?x{heads}x{width}x{kind}> {{
  {before}
  %r = "gs.generic"(%values, %weights, %pages, {from_}) ({{
  ^bb0(%value: {kind}, %weight: {kind}, %sum: {kind}):
    %product = arith.mul{f} %value, %weight : {kind}
    %next = arith.add{f} %sum, %product : {kind}
    gs.yield %next : {kind}
  }}) {{
    coordinate_maps = [[affine_map<(b, h, d, p, t)[s] -> (b, p)>]],
    indexing_maps = [affine_map<(b, h, d, p, t)[s] -> (s, t, h, d)>,
                     affine_map<(b, h, d, p, t)[s] -> (b, h, p, t)>,
                     affine_map<(b, h, d, p, t)[s] -> (b, h, d)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]{attributes},
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  }} : (tensor<?x{page}x{heads}x{width}x{kind}>, tensor<?x{heads}x?x{page}x{kind}>,
       tensor<?x?xi32>, tensor<?x{heads}x{width}x{kind}>) -> tensor<?x{heads}x{width}x{kind}>
  return %r : tensor<?x{heads}x{width}x{kind}>
}}"""

HALVES = """%c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : {kind}
  %batch = tensor.dim %start, %c0 : tensor<?x{heads}x{width}x{kind}>
  %new = tensor.empty(%batch) : tensor<?x{heads}x{width}x{kind}>
  %halves = linalg.fill ins(%half : {kind}) outs(%new : tensor<?x{heads}x{width}x{kind}>)
      -> tensor<?x{heads}x{width}x{kind}>"""

FILL = ', modes = ["fill_or_drop"], fill_values = [3{point} : {kind}, unit]'


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("kind", "filled"),
    [("f32", False), ("f32", True), ("f64", False), ("f64", True), ("i32", False)],
)
def test_values_of_heads(kind: str, filled: bool, threads: int) -> None:
    dtype = {"f32": "f4", "f64": "f8", "i32": "i4"}[kind]
    rng = np.random.default_rng(5)
    for page, heads, width in ((4, 8, 64), (3, 2, 16), (2, 5, 19), (1, 3, 8), (4, 40, 130)):
        sizes = {"page": page, "heads": heads, "width": width, "kind": kind}
        for attributes in ("", FILL):
            text = VALUES.format(
                **sizes,
                f=kind[0],
                attributes=attributes.format(kind=kind, point="" if kind == "i32" else ".0"),
                before=HALVES.format(**sizes) if filled else "",
                from_="%halves" if filled else "%start",
            )
            kernel = compile(text, threads=threads)
            for batch, each in ((1, 1), (3, 5), (2, 30), (0, 2), (2, 0)):
                beyond = 4 if attributes else 0
                values = (rng.standard_normal((7, page, heads, width)) * 9).astype(dtype)
                weights = (rng.standard_normal((batch, heads, each, page)) * 9).astype(dtype)
                start = (rng.standard_normal((batch, heads, width)) * 9).astype(dtype)
                pages = rng.integers(-beyond, 7 + beyond, (batch, each)).astype(np.int32)
                found = values[pages.clip(0, 6)]
                found[(pages < 0) | (pages > 6)] = 3
                expected = np.full_like(start, 0.5) if filled else start.copy()
                for p in range(each):
                    for t in range(page):
                        expected = expected + found[:, p, t] * weights[:, :, p, t, None]
                result = kernel(values, pages, weights, start)
                assert result.tobytes() == expected.tobytes(), (sizes, attributes, batch, each)
