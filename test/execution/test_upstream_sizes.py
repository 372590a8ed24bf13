"""Ops of upstream and of source languages on dynamic sizes that do not fit: an error of the call,
where upstream reads or writes out of bounds."""

from collections.abc import Sequence

import numpy as np
import pytest
from mlir_gs import compile

V, M = "tensor<?xf32>", "tensor<?x?xf32>"
RV, RM = "memref<?xf32>", "memref<?x?xf32>"


def v(size: int) -> np.ndarray:
    return np.arange(size, dtype=np.float32)


def m(rows: int, columns: int) -> np.ndarray:
    return np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)


def op(types: Sequence[str], text: str, result: str = "", before: str = "") -> str:
    """@f, whose arguments are %a, %b and so on; `text` gives %r where there is a result."""
    signature = ", ".join(f"%{chr(97 + n)}: {t}" for n, t in enumerate(types))
    arrow, end = (f" -> {result}", f"return %r : {result}") if result else ("", "return")
    return f"func.func @f({signature}){arrow} {{\n{before}  {text}\n  {end}\n}}\n"


ROW = "affine_map<(d0, d1) -> (d0, d1)>"
CASES = {
    "arith.addf": (
        op([V, V], f"%r = arith.addf %a, %b : {V}", V),
        [v(3), v(3)],
        [[v(3), v(4)], [v(3), v(1)], [v(0), v(3)], [v(3), v(2)]],
    ),
    "arith.select": (
        op(["tensor<?xi1>", V, V], f"%r = arith.select %a, %b, %c : tensor<?xi1>, {V}", V),
        [v(3) > 1, v(3), v(3)],
        [[v(2) > 1, v(3), v(3)], [v(3) > 1, v(3), v(2)]],
    ),
    "math.powf": (op([V, V], f"%r = math.powf %a, %b : {V}", V), [v(3), v(3)], [[v(3), v(5)]]),
    "linalg.add": (
        op([V, V, V], f"%r = linalg.add ins(%a, %b : {V}, {V}) outs(%c : {V}) -> {V}", V),
        [v(3), v(3), v(3)],
        [[v(2), v(3), v(3)], [v(3), v(4), v(3)], [v(3), v(3), v(4)], [v(3), v(3), v(2)]],
    ),
    "linalg.matmul": (
        op([M, M, M], f"%r = linalg.matmul ins(%a, %b : {M}, {M}) outs(%c : {M}) -> {M}", M),
        [m(2, 3), m(3, 4), m(2, 4)],
        [
            [m(2, 2), m(3, 4), m(2, 4)],
            [m(2, 3), m(4, 4), m(2, 4)],
            [m(3, 3), m(3, 4), m(2, 4)],
            [m(2, 3), m(3, 4), m(2, 5)],
        ],
    ),
    "linalg.generic with a window": (
        op(
            [V, V, V],
            "%r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (2 * d0 + d1)>, "
            "affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], "
            f'iterator_types = ["parallel", "reduction"]}} ins(%a, %b : {V}, {V}) '
            f"outs(%c : {V}) {{\n  ^bb0(%x: f32, %w: f32, %s: f32):\n"
            "    %p = arith.mulf %x, %w : f32\n    %t = arith.addf %s, %p : f32\n"
            f"    linalg.yield %t : f32\n  }} -> {V}",
            V,
        ),
        [v(9), v(3), v(4)],
        [[v(8), v(3), v(4)], [v(9), v(4), v(4)], [v(9), v(3), v(5)], [v(0), v(3), v(4)]],
    ),
    "linalg.transpose": (
        op([M, M], f"%r = linalg.transpose ins(%a : {M}) outs(%b : {M}) permutation = [1, 0]", M),
        [m(2, 3), m(3, 2)],
        [[m(2, 3), m(2, 3)], [m(2, 3), m(3, 1)]],
    ),
    "linalg.broadcast": (
        op([V, M], f"%r = linalg.broadcast ins(%a : {V}) outs(%b : {M}) dimensions = [0]", M),
        [v(3), m(2, 3)],
        [[v(3), m(2, 4)], [v(1), m(2, 3)]],
    ),
    "linalg.map": (
        op([V, V, V], f"%r = linalg.map {{ arith.addf }} ins(%a, %b : {V}, {V}) outs(%c : {V})", V),
        [v(3), v(3), v(3)],
        [[v(3), v(2), v(3)], [v(3), v(3), v(4)]],
    ),
    "linalg.copy of memrefs": (
        op([RV, RV], f"linalg.copy ins(%a : {RV}) outs(%b : {RV})"),
        [v(3), v(3)],
        [[v(3), v(4)], [v(3), v(2)]],
    ),
    "memref.copy": (
        op([RM, RM], f"memref.copy %a, %b : {RM} to {RM}"),
        [m(3, 2), m(3, 2)],
        [[m(3, 2), m(2, 3)], [m(3, 2), m(4, 2)], [m(3, 2), m(3, 1)]],
    ),
    "memref.cast": (
        op(
            [RV, RV],
            "%s = memref.cast %a : memref<?xf32> to memref<4xf32>\n"
            "  %t = memref.cast %b : memref<?xf32> to memref<4xf32>\n"
            "  memref.copy %s, %t : memref<4xf32> to memref<4xf32>",
        ),
        [v(4), v(4)],
        [[v(3), v(4)], [v(4), v(3)], [v(5), v(4)]],
    ),
    "memref.subview": (
        op(
            [RV, RV, "index", "index"],
            "%s = memref.subview %a[%c] [%d] [1] : memref<?xf32> to "
            "memref<?xf32, strided<[1], offset: ?>>\n"
            "  memref.copy %s, %b : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32>",
        ),
        [v(6), v(3), 2, 3],
        [[v(6), v(3), 4, 3], [v(6), v(3), -1, 3], [v(6), v(3), 2, 4], [v(6), v(3), 2**63 - 1, 3]],
    ),
    "memref.expand_shape": (
        op(
            [RV, RM, "index", "index"],
            "%s = memref.expand_shape %a [[0, 1]] output_shape [%c, %d] : memref<?xf32> into "
            "memref<?x?xf32>\n  memref.copy %s, %b : memref<?x?xf32> to memref<?x?xf32>",
        ),
        [v(6), m(2, 3), 2, 3],
        [[v(5), m(2, 3), 2, 3], [v(6), m(2, 4), 2, 4], [v(0), m(2, 3), 2, 3]],
    ),
    "tensor.cast": (
        op([V], f"%r = tensor.cast %a : {V} to tensor<4xf32>", "tensor<4xf32>"),
        [v(4)],
        [[v(3)], [v(5)], [v(0)]],
    ),
    "tensor.extract_slice": (
        op([V, "index", "index"], f"%r = tensor.extract_slice %a[%b] [%c] [2] : {V} to {V}", V),
        [v(7), 1, 3],
        [[v(7), 1, 4], [v(7), 3, 3], [v(7), -1, 2], [v(0), 0, 1]],
    ),
    "tensor.insert_slice": (
        op(
            [V, V, "index", "index"],
            f"%r = tensor.insert_slice %a into %b[%c] [%d] [1] : {V} into {V}",
            V,
        ),
        [v(3), v(7), 1, 3],
        [[v(3), v(7), 1, 4], [v(2), v(7), 1, 3], [v(3), v(7), 5, 3], [v(3), v(7), -1, 3]],
    ),
    "tensor.insert_slice of a row": (
        op(
            [V, M, "index", "index"],
            f"%r = tensor.insert_slice %a into %b[%c, 0] [1, %d] [1, 1] : {V} into {M}",
            M,
        ),
        [v(3), m(2, 3), 1, 3],
        [[v(3), m(2, 3), 2, 3], [v(2), m(2, 3), 1, 3], [v(4), m(2, 3), 1, 4]],
    ),
    "tensor.expand_shape": (
        op(
            [V, "index"],
            f"%r = tensor.expand_shape %a [[0, 1]] output_shape [%b, 3] : {V} into tensor<?x3xf32>",
            "tensor<?x3xf32>",
        ),
        [v(6), 2],
        [[v(5), 2], [v(6), 3], [v(0), 1], [v(6), 0]],
    ),
    "tensor.reshape": (
        op(
            [V, "tensor<2xindex>"],
            f"%r = tensor.reshape %a(%b) : ({V}, tensor<2xindex>) -> {M}",
            M,
        ),
        [v(6), np.array([2, 3])],
        [[v(5), np.array([2, 3])], [v(6), np.array([3, 3])], [v(6), np.array([0, 3])]],
    ),
    "tensor.concat": (
        op([M, M], f"%r = tensor.concat dim(0) %a, %b : ({M}, {M}) -> {M}", M),
        [m(2, 3), m(1, 3)],
        [[m(2, 3), m(1, 4)], [m(2, 3), m(1, 2)]],
    ),
    "stablehlo.add": (
        op([V, V], f"%r = stablehlo.add %a, %b : {V}", V),
        [v(3), v(3)],
        [[v(3), v(4)], [v(3), v(1)]],
    ),
    "stablehlo.dot_general": (
        op(
            [M, M],
            f"%r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({M}, {M}) -> {M}",
            M,
        ),
        [m(2, 3), m(3, 4)],
        [[m(2, 3), m(2, 4)], [m(2, 3), m(4, 4)]],
    ),
    "stablehlo.concatenate": (
        op([M, M], f"%r = stablehlo.concatenate %a, %b, dim = 0 : ({M}, {M}) -> {M}", M),
        [m(2, 3), m(1, 3)],
        [[m(2, 3), m(1, 4)], [m(2, 3), m(1, 2)]],
    ),
    "stablehlo.dynamic_broadcast_in_dim": (
        op(
            [V, "tensor<2xi64>"],
            f"%r = stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [1] : ({V}, tensor<2xi64>) "
            f"-> {M}",
            M,
        ),
        [v(3), np.array([2, 3])],
        [[v(2), np.array([2, 3])], [v(4), np.array([2, 3])], [v(0), np.array([2, 3])]],
    ),
    "stablehlo.dynamic_reshape": (
        op(
            [V, "tensor<2xi64>"],
            f"%r = stablehlo.dynamic_reshape %a, %b : ({V}, tensor<2xi64>) -> {M}",
            M,
        ),
        [v(6), np.array([2, 3])],
        [[v(5), np.array([2, 3])], [v(6), np.array([3, 3])], [v(6), np.array([0, 3])]],
    ),
    "stablehlo.scatter": (
        op(
            [M, "tensor<?xi32>", M],
            '%r = "stablehlo.scatter"(%a, %b, %c) ({\n  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n'
            "    stablehlo.return %y : tensor<f32>\n  }) {scatter_dimension_numbers = "
            "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
            f"scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} : ({M}, tensor<?xi32>, "
            f"{M}) -> {M}",
            M,
        ),
        [m(5, 4), np.zeros(3, np.int32), m(3, 2)],
        [
            [m(5, 4), np.zeros(3, np.int32), m(2, 4)],
            [m(5, 4), np.zeros(3, np.int32), m(4, 4)],
            [m(5, 4), np.zeros(3, np.int32), m(3, 5)],
        ],
    ),
    "tosa.concat": (
        op([M, M], f"%r = tosa.concat %a, %b {{axis = 0 : i32}} : ({M}, {M}) -> {M}", M),
        [m(2, 3), m(1, 3)],
        [[m(2, 3), m(1, 4)], [m(2, 3), m(1, 2)]],
    ),
    "stablehlo.sort": (
        op(
            [V, V],
            '%r, %q = "stablehlo.sort"(%a, %b) ({\n  ^bb0(%x: tensor<f32>, %y: tensor<f32>, '
            "%z: tensor<f32>, %w: tensor<f32>):\n    %p = stablehlo.compare LT, %x, %y : "
            "(tensor<f32>, tensor<f32>) -> tensor<i1>\n    stablehlo.return %p : tensor<i1>\n"
            f"  }}) {{dimension = 0 : i64}} : ({V}, {V}) -> ({V}, {V})",
            V,
        ),
        [v(3), v(3)],
        [[v(3), v(2)], [v(2), v(3)]],
    ),
    "stablehlo.real_dynamic_slice": (
        op(
            [V, *["tensor<1xi64>"] * 3],
            f"%r = stablehlo.real_dynamic_slice %a, %b, %c, %d : ({V}, tensor<1xi64>, "
            f"tensor<1xi64>, tensor<1xi64>) -> {V}",
            V,
        ),
        [v(6), np.array([1]), np.array([4]), np.array([1])],
        [
            [v(6), np.array([1]), np.array([8]), np.array([1])],
            [v(6), np.array([-1]), np.array([4]), np.array([1])],
            [v(6), np.array([1]), np.array([4]), np.array([0])],
        ],
    ),
    "tosa.gather": (
        op(
            ["tensor<?x?x?xf32>", "tensor<?x?xi32>"],
            "%r = tosa.gather %a, %b : (tensor<?x?x?xf32>, tensor<?x?xi32>) -> tensor<?x?x?xf32>",
            "tensor<?x?x?xf32>",
        ),
        [v(24).reshape(2, 3, 4), np.zeros((2, 5), np.int32)],
        [[v(36).reshape(3, 3, 4), np.zeros((2, 5), np.int32)]],
    ),
    "tosa.scatter": (
        op(
            ["tensor<?x?x?xf32>", "tensor<?x?xi32>", "tensor<?x?x?xf32>"],
            "%r = tosa.scatter %a, %b, %c : (tensor<?x?x?xf32>, tensor<?x?xi32>, "
            "tensor<?x?x?xf32>) -> tensor<?x?x?xf32>",
            "tensor<?x?x?xf32>",
        ),
        [v(24).reshape(2, 3, 4), np.zeros((2, 1), np.int32), v(8).reshape(2, 1, 4)],
        [
            [v(24).reshape(2, 3, 4), np.zeros((1, 1), np.int32), v(8).reshape(2, 1, 4)],
            [v(24).reshape(2, 3, 4), np.zeros((2, 1), np.int32), v(16).reshape(2, 2, 4)],
            [v(24).reshape(2, 3, 4), np.zeros((2, 1), np.int32), v(4).reshape(1, 1, 4)],
            [v(24).reshape(2, 3, 4), np.zeros((2, 1), np.int32), v(6).reshape(2, 1, 3)],
        ],
    ),
    "tensor.gather": (
        op(
            [M, "tensor<?x1xi64>"],
            f"%r = tensor.gather %a[%b] gather_dims([0]) : ({M}, tensor<?x1xi64>) -> {M}",
            M,
        ),
        [m(3, 4), np.zeros((2, 1), np.int64)],
        [],
    ),
    "tensor.scatter": (
        op(
            [M, M, "tensor<?x1xi64>"],
            "%r = tensor.scatter %a into %b[%c] scatter_dims([0]) unique : "
            f"({M}, {M}, tensor<?x1xi64>) -> {M}",
            M,
        ),
        [m(1, 4), m(3, 4), np.zeros((1, 1), np.int64)],
        [
            [m(2, 4), m(3, 4), np.zeros((1, 1), np.int64)],
            [m(0, 4), m(3, 4), np.zeros((1, 1), np.int64)],
            [m(1, 3), m(3, 4), np.zeros((1, 1), np.int64)],
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_sizes_that_do_not_fit(name: str) -> None:
    text, fitting, broken = CASES[name]
    for optimize in (True, False):
        kernel = compile(text, threads=1, optimize=optimize)
        kernel(*map(_copied, fitting))
        for arguments in broken:
            given = [_copied(each) for each in arguments]
            with pytest.raises(ValueError, match=r"' op, .* must be .*: expected -?\d+, found "):
                kernel(*given)
            assert all(map(np.array_equal, given, arguments))


SANITIZED = {
    "tensor.insert": (
        op([V, "index", "f32"], f"%r = tensor.insert %c into %a[%b] : {V}", V),
        [v(6), 1, 2.0],
        [[v(6), 6, 1.0], [v(6), -1, 1.0]],
    ),
    "tensor.extract": (
        op([V, "index"], f"%r = tensor.extract %a[%b] : {V}", "f32"),
        [v(6), 1],
        [[v(6), 6], [v(6), -1]],
    ),
    "slices in a loop": (
        """func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r = scf.forall (%i) in (%n) shared_outs(%o = %b) -> tensor<?xf32> {
    %e = tensor.extract_slice %a[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}""",
        [v(4), v(4), 4],
        [[v(4), v(5), 5], [v(5), v(4), 5]],
    ),
    "elements in a loop": (
        """func.func @f(%a: memref<?xf32>, %n: index, %s: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %s[%i] : memref<?xf32>
  }
  return
}""",
        [v(4), 4, v(4)],
        [[v(4), 5, v(5)], [v(5), 5, v(4)]],
    ),
    "elements in a body": (
        """func.func @f(%a: tensor<?xf32>, %i: tensor<?xindex>, %o: tensor<?xf32>)
    -> tensor<?xf32> {
  %r = linalg.map ins(%i : tensor<?xindex>) outs(%o : tensor<?xf32>) (%n: index, %x: f32) {
    %e = tensor.extract %a[%n] : tensor<?xf32>
    linalg.yield %e : f32
  }
  return %r : tensor<?xf32>
}""",
        [v(4), np.array([3, 0]), v(2)],
        [[v(4), np.array([0, 4]), v(2)], [v(4), np.array([-1, 0]), v(2)]],
    ),
}


@pytest.mark.parametrize("name", SANITIZED)
def test_what_is_checked_under_sanitize(name: str) -> None:
    text, fitting, broken = SANITIZED[name]
    kernel = compile(text, threads=1, sanitize=True)
    kernel(*map(_copied, fitting))
    for arguments in broken:
        with pytest.raises(ValueError, match=r"' op, .* must be at .*: expected -?\d+, found "):
            kernel(*map(_copied, arguments))


def _copied(value: np.ndarray | float) -> np.ndarray | float:
    return value.copy() if isinstance(value, np.ndarray) else value
