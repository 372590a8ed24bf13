"""Sums with few columns, whose rows are in lanes, against sums in order by NumPy, bit for bit."""

import mlir_gs
import numpy as np
import pytest

TEXT = """
func.func @f(%a: tensor<{a}x{kind}>, %b: tensor<{b}x{kind}>) -> tensor<{c}x{kind}> {{
  %zero = arith.constant {zero} : {kind}
  %empty = tensor.empty() : tensor<{c}x{kind}>
  %from = linalg.fill ins(%zero : {kind}) outs(%empty : tensor<{c}x{kind}>) -> tensor<{c}x{kind}>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j, c, k) -> ({of_a})>,
      affine_map<(i, j, c, k) -> ({of_b})>, affine_map<(i, j, c, k) -> ({of_c})>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}}
      ins(%a, %b : tensor<{a}x{kind}>, tensor<{b}x{kind}>) outs(%from : tensor<{c}x{kind}>) {{
  ^bb0(%x: {kind}, %y: {kind}, %sum: {kind}):
    %p = arith.mul{op} %x, %y : {kind}
    %s = arith.add{op} %sum, %p : {kind}
    linalg.yield %s : {kind}
  }} -> tensor<{c}x{kind}>
  return %r : tensor<{c}x{kind}>
}}
"""
KINDS = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i32": np.int32}
SPECS = ("ki,kjc->ijc", "ki,jkc->ijc", "ik,jkc->ijc", "kij,kc->ijc", "ikj,kc->jic", "jki,jkc->jic")


@pytest.mark.parametrize(
    ("kind", "threads"), [("f32", 1), ("f32", 2), ("f64", 1), ("f16", 2), ("i32", 1)]
)
@pytest.mark.parametrize("spec", SPECS)
def test_orders_of_dims(spec: str, kind: str, threads: int) -> None:
    operands = spec.replace("->", ",").split(",")
    rng = np.random.default_rng(len(spec))
    for i, c in ((67, 3), (64, 7), (1, 3), (0, 3)):
        sizes = {"i": i, "j": 5, "c": c, "k": 33}
        shapes = [[sizes[dim] for dim in dims] for dims in operands]
        given = [np.asarray(rng.integers(-9, 9, shape), KINDS[kind]) for shape in shapes[:2]]
        if kind != "i32":
            given = [np.asarray(each + rng.random(each.shape), each.dtype) for each in given]
        types = ["x".join(str(size) for size in shape) for shape in shapes]
        maps = [", ".join(dims) for dims in operands]
        whole = kind == "i32"
        text = TEXT.format(
            kind=kind, zero="0" if whole else "0.0", op="i" if whole else "f",
            a=types[0], b=types[1], c=types[2],
            of_a=maps[0], of_b=maps[1], of_c=maps[2],
        )  # fmt: skip
        wanted = np.zeros(shapes[2], KINDS[kind])
        for k in range(33):
            one, two = (
                np.take(array, k, dims.index("k"))
                for array, dims in zip(given, operands, strict=False)
            )
            short = spec.replace("k", "")
            wanted = (wanted + np.einsum(short, one, two, dtype=wanted.dtype)).astype(wanted.dtype)
        found = mlir_gs.compile(text, threads=threads)(*given)
        np.testing.assert_array_equal(found, wanted, err_msg=text)
