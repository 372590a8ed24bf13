"""The interpreter of modules: scalar arithmetic bit by bit, control flow, and its messages."""

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.coordinates import UndefinedBehavior
from mlir_gs.dialect.reference.floats import fused, rounded
from mlir_gs.dialect.reference.maps import parse
from mlir_gs.dialect.reference.run import UnsupportedOp, run


def interpret(text: str, *arguments: Any, entry: str | None = None) -> tuple[np.ndarray, ...]:
    with dialect.context(allow_unregistered=True), ir.Location.unknown():
        return run(ir.Module.parse(text), entry, arguments)


def scalar(op: str, types: Sequence[str], result: str, *arguments: Any) -> np.ndarray:
    """The value of one op on scalars; `{0}`, `{1}` are its operands."""
    names = [f"%a{n}" for n in range(len(types))]
    signature = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, types, strict=True))
    (value,) = interpret(
        f"func.func @f({signature}) -> {result} {{\n"
        f"  %r = {op.format(*names)}\n  return %r : {result}\n}}",
        *arguments,
    )
    return value


def binary(op: str, type_: str, a: Any, b: Any) -> Any:
    return scalar(f"{op} {{0}}, {{1}} : {type_}", [type_, type_], type_, a, b).item()


@pytest.mark.parametrize(
    ("op", "type_", "a", "b", "expected"),
    [
        ("arith.addi", "i8", 127, 1, -128),
        ("arith.muli", "i64", 2**62, 4, 0),
        ("arith.divsi", "i32", -7, 2, -3),
        ("arith.floordivsi", "i32", -7, 2, -4),
        ("arith.ceildivsi", "i32", 7, 2, 4),
        ("arith.remsi", "i32", -7, 2, -1),
        ("arith.divui", "i8", -2, 3, 84),
        ("arith.minui", "i8", -1, 1, 1),
        ("arith.minsi", "i8", -1, 1, -1),
        ("arith.shrsi", "i8", -128, 7, -1),
        ("arith.shrui", "i8", -128, 7, 1),
        ("arith.addi", "i4", 7, 1, -8),
        ("arith.maxui", "i4", -1, 7, -1),
        ("arith.maxsi", "i1", True, False, False),
        ("arith.maxui", "i1", True, False, True),
        ("arith.xori", "i1", True, True, False),
        ("arith.addi", "index", 2**63 - 1, 1, -(2**63)),
        ("arith.minimumf", "f32", 0.0, -0.0, -0.0),
        ("arith.maximumf", "f32", -0.0, 0.0, 0.0),
        ("arith.remf", "f32", -7.5, 2.0, -1.5),
        ("arith.addf", "bf16", 1.0, 2.0**-9, 1.0),
        ("arith.addf", "f16", 2048.0, 1.0, 2048.0),
    ],
)
def test_arithmetic(op: str, type_: str, a: Any, b: Any, expected: Any) -> None:
    found = binary(op, type_, a, b)
    assert (found, np.signbit(found)) == (expected, np.signbit(expected))


def test_nan_wins_or_loses() -> None:
    assert np.isnan(binary("arith.minimumf", "f32", np.nan, 1.0))
    assert binary("arith.minnumf", "f32", np.nan, 1.0) == 1.0
    assert binary("arith.maxnumf", "f64", 1.0, np.nan) == 1.0


@pytest.mark.parametrize(
    ("op", "source", "target", "value", "expected"),
    [
        ("arith.extsi", "i1", "i8", True, -1),
        ("arith.extui", "i1", "i8", True, 1),
        ("arith.trunci", "i32", "i8", 0x1FF, -1),
        ("arith.index_cast", "i8", "index", -1, -1),
        ("arith.index_castui", "i8", "index", -1, 255),
        ("arith.sitofp", "i32", "f32", 2**24 + 1, 2.0**24),
        ("arith.uitofp", "i8", "f32", -1, 255.0),
        ("arith.fptosi", "f32", "i8", -1.9, -1),
        ("arith.fptoui", "f64", "i64", 2.0**63, -(2**63)),
        ("arith.bitcast", "f32", "i32", 1.0, 0x3F800000),
        ("arith.truncf", "f64", "bf16", 1.0 + 2.0**-8 + 2.0**-40, 1.0 + 2.0**-7),
    ],
)
def test_casts(op: str, source: str, target: str, value: Any, expected: Any) -> None:
    assert scalar(f"{op} {{0}} : {source} to {target}", [source], target, value) == expected


@pytest.mark.parametrize(
    ("predicate", "a", "b", "expected"),
    [
        ("olt", 1.0, 2.0, True),
        ("olt", np.nan, 2.0, False),
        ("ult", np.nan, 2.0, True),
        ("une", np.nan, np.nan, True),
        ("one", np.nan, 1.0, False),
        ("ord", 1.0, np.nan, False),
        ("uno", 1.0, np.nan, True),
        ("oeq", 0.0, -0.0, True),
    ],
)
def test_float_comparison(predicate: str, a: float, b: float, expected: bool) -> None:
    op = f"arith.cmpf {predicate}, {{0}}, {{1}} : f32"
    assert bool(scalar(op, ["f32", "f32"], "i1", a, b)) is expected


def test_integer_comparison_by_sign() -> None:
    for predicate, expected in (("slt", True), ("ult", False)):
        op = f"arith.cmpi {predicate}, {{0}}, {{1}} : i8"
        assert bool(scalar(op, ["i8", "i8"], "i1", -1, 1)) is expected


def test_complex_product() -> None:
    op = "complex.mul {0}, {1} : complex<f32>"
    product = scalar(op, ["complex<f32>"] * 2, "complex<f32>", 1 + 2j, 3 - 1j)
    assert product == 5 + 5j


def test_rounding_goes_once() -> None:
    # Halfway between two bfloat16 after a first rounding to float32, above it before.
    value = np.array(1.0 + 2.0**-8 + 2.0**-40)
    assert float(rounded(value, np.dtype(ml_dtypes.bfloat16))) == 1.0 + 2.0**-7
    big = np.array(2**60 + 2**36 + 1)
    assert int(rounded(big, np.dtype(np.float32))) == 2**60 + 2**37
    assert float(rounded(-value, np.dtype(ml_dtypes.bfloat16))) == -(1.0 + 2.0**-7)


def test_fused_multiply_add_rounds_once() -> None:
    a = np.float32(1 + 2**-12)
    assert fused(a, a, np.float32(-1 - 2**-11)) == np.float32(2**-24)
    assert np.isnan(fused(np.float32(np.inf), np.float32(0), np.float32(1)))


def test_affine_maps() -> None:
    m = parse("affine_map<(d0, d1)[s0] -> (s0 + d1, d0 floordiv 2, d0 mod 3, -d1 + 4, 5)>")
    assert m((7, 1), (10,)) == (11, 3, 1, 3, 5)
    assert [result.plain_dim for result in parse("(i, j) -> (j, i * 2)").results] == [1, None]
    assert parse("(i, j)[k] -> ((i + j) ceildiv 2, k)")((2, 3), (9,)) == (3, 9)
    with pytest.raises(ValueError, match="not an affine map"):
        parse("d0 -> d0")


def test_constants_keep_their_bits() -> None:
    values = interpret(
        """func.func @f() -> (f32, bf16, tensor<2xf8E5M2>, tensor<3xi4>, tensor<2xcomplex<f32>>,
                              complex<f64>, tensor<2x2xi1>, tensor<0x3xf16>, tensor<9xi16>) {
          %0 = arith.constant 0x7F800001 : f32
          %1 = arith.constant 0xFFC1 : bf16
          %2 = arith.constant dense<[1.5, 0x7F]> : tensor<2xf8E5M2>
          %3 = arith.constant dense<[7, -8, 0]> : tensor<3xi4>
          %4 = arith.constant dense<[(1.0, -2.0), (0x7FC00001, 0.5)]> : tensor<2xcomplex<f32>>
          %5 = complex.constant [1.0 : f64, -2.5 : f64] : complex<f64>
          %6 = arith.constant dense<[[true, false], [false, false]]> : tensor<2x2xi1>
          %7 = arith.constant dense<> : tensor<0x3xf16>
          %8 = arith.constant dense<-3> : tensor<9xi16>
          return %0, %1, %2, %3, %4, %5, %6, %7, %8
              : f32, bf16, tensor<2xf8E5M2>, tensor<3xi4>, tensor<2xcomplex<f32>>,
                complex<f64>, tensor<2x2xi1>, tensor<0x3xf16>, tensor<9xi16>
        }"""
    )
    assert values[0].reshape(1).view(np.uint32)[0] == 0x7F800001
    assert values[1].reshape(1).view(np.uint16)[0] == 0xFFC1
    assert values[2].view(np.uint8).tolist() == [0x3E, 0x7F]
    assert values[3].astype(int).tolist() == [7, -8, 0]
    assert values[4].view(np.uint32).tolist() == [0x3F800000, 0xC0000000, 0x7FC00001, 0x3F000000]
    assert values[5] == 1 - 2.5j
    assert values[6].tolist() == [[True, False], [False, False]]
    assert values[7].shape == (0, 3)
    assert values[8].tolist() == [-3] * 9


WINDOW = """func.func @f(%x: tensor<?xi32>, %o: index, %n: index) -> tensor<?xi32> {
  %r = tensor.extract_slice %x[%o] [%n] [2] : tensor<?xi32> to tensor<?xi32>
  return %r : tensor<?xi32>
}"""


@pytest.mark.parametrize(
    ("offset", "size", "fits"),
    [(0, 2, True), (1, 2, False), (3, 0, True), (4, 0, False), (-1, 0, False), (3, 1, False)],
)
def test_window_is_in_its_operand(offset: int, size: int, fits: bool) -> None:
    x = np.arange(3, dtype=np.int32)
    if fits:
        assert interpret(WINDOW, x, offset, size)[0].tolist() == [0, 2][:size]
        return
    with pytest.raises(ValueError, match="leaves the operand of shape"):
        interpret(WINDOW, x, offset, size)


def test_copy_is_of_equal_sizes() -> None:
    text = """func.func @f(%x: memref<?xi32>, %y: memref<?xi32>) {
      memref.copy %x, %y : memref<?xi32> to memref<?xi32>
      return
    }"""
    with pytest.raises(ValueError, match="a copy of shape"):
        interpret(text, np.ones(1, np.int32), np.zeros(3, np.int32))


TENSORS = """
func.func private @twice(%x: tensor<?xi32>) -> tensor<?xi32> {
  %r = arith.addi %x, %x : tensor<?xi32>
  return %r : tensor<?xi32>
}
func.func @slices(%x: tensor<4x6xi32>, %n: index) -> (tensor<2x?xi32>, tensor<6xi32>) {
  %a = tensor.extract_slice %x[1, 0] [2, %n] [2, 2] : tensor<4x6xi32> to tensor<2x?xi32>
  %b = tensor.extract_slice %x[2, 0] [1, 6] [1, 1] : tensor<4x6xi32> to tensor<6xi32>
  return %a, %b : tensor<2x?xi32>, tensor<6xi32>
}
func.func @pads(%x: tensor<2xi32>, %n: index) -> tensor<?xi32> {
  %r = tensor.pad %x low[1] high[%n] {
  ^bb0(%i: index):
    %v = arith.index_cast %i : index to i32
    tensor.yield %v : i32
  } : tensor<2xi32> to tensor<?xi32>
  return %r : tensor<?xi32>
}
func.func @loops(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<?xi32> {
    %odd = arith.remui %i, %c2 : index
    %is_odd = arith.cmpi eq, %odd, %c1 : index
    %next = scf.if %is_odd -> tensor<?xi32> {
      %v = func.call @twice(%t) : (tensor<?xi32>) -> tensor<?xi32>
      scf.yield %v : tensor<?xi32>
    } else {
      %e = tensor.extract %t[%c0] : tensor<?xi32>
      %w = tensor.insert %e into %t[%c1] : tensor<?xi32>
      scf.yield %w : tensor<?xi32>
    }
    scf.yield %next : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
func.func @sums(%x: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<3x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x3xf32>) outs(%f : tensor<2xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %n = arith.addf %acc, %v : f32
    linalg.yield %n : f32
  } -> tensor<2xf32>
  %et = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%et : tensor<3x2xf32>) permutation = [1, 0]
  return %s, %t : tensor<2xf32>, tensor<3x2xf32>
}
func.func @indexed(%x: tensor<2x3xi64>) -> tensor<2x3xi64> {
  %e = tensor.empty() : tensor<2x3xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x3xi64>) outs(%e : tensor<2x3xi64>) {
  ^bb0(%v: i64, %o: i64):
    %j = linalg.index 1 : index
    %w = arith.index_cast %j : index to i64
    %n = arith.muli %v, %w : i64
    linalg.yield %n : i64
  } -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}
func.func @upstream(%x: tensor<3x2xf32>, %i: tensor<2x1xindex>) -> tensor<3x2xf32> {
  %g = tensor.gather %x[%i] gather_dims([0])
      : (tensor<3x2xf32>, tensor<2x1xindex>) -> tensor<2x2xf32>
  %s = tensor.scatter %g into %x[%i] scatter_dims([0]) unique
      : (tensor<2x2xf32>, tensor<3x2xf32>, tensor<2x1xindex>) -> tensor<3x2xf32>
  return %s : tensor<3x2xf32>
}
"""


def test_tensor_ops_and_control_flow() -> None:
    x = np.arange(24, dtype=np.int32).reshape(4, 6)
    a, b = interpret(TENSORS, x, 3, entry="slices")
    np.testing.assert_array_equal(a, x[1:4:2, 0:6:2])
    np.testing.assert_array_equal(b, x[2])
    (padded,) = interpret(TENSORS, np.int32([50, 60]), 2, entry="pads")
    np.testing.assert_array_equal(padded, [0, 50, 60, 3, 4])
    (looped,) = interpret(TENSORS, np.int32([1, 5]), 4, entry="loops")
    np.testing.assert_array_equal(looped, [4, 4])


def test_linalg_and_upstream_gather() -> None:
    x = np.float32([[1, 2, 4], [8, 16, 32]])
    sums, transposed = interpret(TENSORS, x, entry="sums")
    np.testing.assert_array_equal(sums, [7, 56])
    np.testing.assert_array_equal(transposed, x.T)
    (indexed,) = interpret(TENSORS, np.ones((2, 3), np.int64), entry="indexed")
    np.testing.assert_array_equal(indexed, [[0, 1, 2]] * 2)
    y = np.arange(6, dtype=np.float32).reshape(3, 2)
    (same,) = interpret(TENSORS, y, np.array([[2], [0]]), entry="upstream")
    np.testing.assert_array_equal(same, y)


def test_buffers_are_written_and_tensors_are_not() -> None:
    text = """
    func.func @f(%m: memref<3xf32>, %t: tensor<3xf32>) -> tensor<3xf32> {
      %c1 = arith.constant 1 : index
      %v = arith.constant 9.0 : f32
      memref.store %v, %m[%c1] : memref<3xf32>
      %r = tensor.insert %v into %t[%c1] : tensor<3xf32>
      return %r : tensor<3xf32>
    }"""
    m, t = np.zeros(3, np.float32), np.zeros(3, np.float32)
    (r,) = interpret(text, m, t)
    assert (m.tolist(), t.tolist(), r.tolist()) == ([0, 9, 0], [0, 0, 0], [0, 9, 0])


def test_signless_integers_take_unsigned_arrays() -> None:
    text = "func.func @f(%x: tensor<2xi8>) -> tensor<2xi8> { return %x : tensor<2xi8> }"
    (found,) = interpret(text, np.uint8([255, 1]))
    assert (found.dtype, found.tolist()) == (np.int8, [-1, 1])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((), TypeError, "'f' takes 1 arguments, found 0"),
        (([1],), TypeError, "argument 0 of 'f' must be an array for tensor<2xf32>, found list"),
        ((np.zeros(2),), TypeError, "must have dtype float32 for tensor<2xf32>, found float64"),
        ((np.zeros(3, np.float32),), ValueError, r"must be tensor<2xf32>, found shape \[3\]"),
    ],
)
def test_arguments_that_do_not_fit(arguments: tuple, error: type, message: str) -> None:
    text = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    with pytest.raises(error, match=message):
        interpret(text, *arguments)


def test_entries_that_are_not_there() -> None:
    with pytest.raises(ValueError, match="no function 'g' with a body; there is f"):
        interpret("func.func @f() { return }", entry="g")
    with pytest.raises(ValueError, match="name an entry: the module has f, g"):
        interpret("func.func @f() { return }\nfunc.func @g() { return }")


def test_an_op_it_does_not_know_is_named_with_its_place() -> None:
    with pytest.raises(UnsupportedOp, match=r"-:2:8: 'foo\.bar' is not among the ops"):
        interpret('func.func @f() -> i32 {\n  %r = "foo.bar"() : () -> i32\n  return %r : i32\n}')


ERROR = """func.func @f(%x: tensor<3xf32>, %i: tensor<2x1xi64>) -> tensor<2xf32> {
  %r = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>MODE}
      : (tensor<3xf32>, tensor<2x1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}"""


def test_errors_name_the_place_of_the_op() -> None:
    x, i = np.zeros(3, np.float32), np.array([[0], [7]])
    with pytest.raises(IndexError) as caught:
        interpret(ERROR.replace("MODE", ', mode = "error"'), x, i)
    assert str(caught.value) == (
        "-:2:8: 'gs.gather' coordinate of gather_dims 0: coordinate 7 at position [1, 0] "
        "is out of bounds for size 3"
    )
    with pytest.raises(UndefinedBehavior, match=r"-:2:8: 'gs\.gather' coordinate 7 is out of"):
        interpret(ERROR.replace("MODE", ""), x, i)


def test_division_by_zero_has_no_result() -> None:
    with pytest.raises(UndefinedBehavior, match="integer division by zero"):
        binary("arith.divsi", "i32", 1, 0)
