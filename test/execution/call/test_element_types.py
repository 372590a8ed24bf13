"""Every element type that memory can hold."""

import ml_dtypes
import numpy as np
import pytest
from mlir_gs.execution import compile

TYPES = [
    ("f64", np.float64),
    ("f32", np.float32),
    ("f16", np.float16),
    ("bf16", ml_dtypes.bfloat16),
    ("f8E3M4", ml_dtypes.float8_e3m4),
    ("f8E4M3", ml_dtypes.float8_e4m3),
    ("f8E4M3B11FNUZ", ml_dtypes.float8_e4m3b11fnuz),
    ("f8E4M3FN", ml_dtypes.float8_e4m3fn),
    ("f8E4M3FNUZ", ml_dtypes.float8_e4m3fnuz),
    ("f8E5M2", ml_dtypes.float8_e5m2),
    ("f8E5M2FNUZ", ml_dtypes.float8_e5m2fnuz),
    ("f8E8M0FNU", ml_dtypes.float8_e8m0fnu),
    ("f6E2M3FN", ml_dtypes.float6_e2m3fn),
    ("f6E3M2FN", ml_dtypes.float6_e3m2fn),
    ("f4E2M1FN", ml_dtypes.float4_e2m1fn),
    ("i1", np.bool_),
    ("si1", ml_dtypes.int1),
    ("ui1", ml_dtypes.uint1),
    ("i2", ml_dtypes.int2),
    ("ui2", ml_dtypes.uint2),
    ("i4", ml_dtypes.int4),
    ("si4", ml_dtypes.int4),
    ("ui4", ml_dtypes.uint4),
    ("i8", np.int8),
    ("i8", np.uint8),
    ("si8", np.int8),
    ("ui8", np.uint8),
    ("i16", np.int16),
    ("ui16", np.uint16),
    ("i32", np.int32),
    ("i32", np.uint32),
    ("ui32", np.uint32),
    ("i64", np.int64),
    ("si64", np.int64),
    ("ui64", np.uint64),
    ("index", np.int64),
    ("complex<bf16>", ml_dtypes.bcomplex32),
    ("complex<f16>", ml_dtypes.complex32),
    ("complex<f32>", np.complex64),
    ("complex<f64>", np.complex128),
]

TRANSPOSE = """
func.func @transpose(%a: tensor<?x3xT>) -> tensor<3x?xT> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x3xT>
  %e = tensor.empty(%n) : tensor<3x?xT>
  %t = linalg.transpose ins(%a : tensor<?x3xT>) outs(%e : tensor<3x?xT>) permutation = [1, 0]
  return %t : tensor<3x?xT>
}
"""


def bits(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).view(np.uint8)


@pytest.mark.parametrize(("name", "dtype"), TYPES, ids=lambda p: getattr(p, "__name__", p))
def test_values_pass_unchanged(name: str, dtype: type) -> None:
    kernel = compile(TRANSPOSE.replace("xT", f"x{name}"))
    array = np.array([1, 0, 1, 1, 1, 0]).astype(dtype).reshape(2, 3)
    if np.dtype(dtype).kind != "b" and np.dtype(dtype).itemsize * 8 <= 64:
        codes = 1 << min(kernel.parameters[0].element.bits, 8)
        raw = np.random.default_rng(1).integers(0, codes, array.nbytes, dtype=np.uint16)
        raw = raw.astype(np.uint8)
        array = raw.view(dtype).reshape(2, 3)
    result = kernel(array)
    assert result.dtype == kernel.parameters[0].element.dtype
    np.testing.assert_array_equal(bits(result), bits(array.T))
    # Strided and read-only at once, and into memory of ours.
    strided = np.repeat(array, 2, 0)[::2]
    strided.flags.writeable = False
    out = np.zeros((3, 2), result.dtype)
    assert kernel(strided, out=out) is out
    np.testing.assert_array_equal(bits(out), bits(array.T))


@pytest.mark.parametrize(("name", "narrow"), [("f16", np.float16), ("bf16", ml_dtypes.bfloat16)])
def test_rounding_to_16_bits(name: str, narrow: type) -> None:
    kernel = compile(f"""
    func.func @round(%a: tensor<?xf32>) -> tensor<?x{name}> {{
      %c0 = arith.constant 0 : index
      %n = tensor.dim %a, %c0 : tensor<?xf32>
      %e = tensor.empty(%n) : tensor<?x{name}>
      %r = linalg.generic {{
          indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>],
          iterator_types = ["parallel"]}} ins(%a : tensor<?xf32>) outs(%e : tensor<?x{name}>) {{
      ^bb0(%x: f32, %o: {name}):
        %t = arith.truncf %x : f32 to {name}
        linalg.yield %t : {name}
      }} -> tensor<?x{name}>
      return %r : tensor<?x{name}>
    }}""")
    raw = np.random.default_rng(2).integers(0, 1 << 32, 5000, dtype=np.uint64).astype(np.uint32)
    values = raw.view(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        expected = values.astype(narrow)
    found = kernel(values)
    same = (found.view(np.uint16) == expected.view(np.uint16)) | np.isnan(values)
    assert same.all()


def test_doubles_are_rounded_once() -> None:
    # 690.0000018 rounds to 690.0 as a float, and half way between two bfloat16 from there.
    kernel = compile("""
    func.func @round(%x: f64) -> bf16 {
      %t = arith.truncf %x : f64 to bf16
      return %t : bf16
    }""")
    assert kernel(690.00000188) == 692.0
    assert kernel(690.0) == 688.0


def test_a_loop_that_carries_bf16() -> None:
    """LLVM rounds it with a call of its own."""
    kernel = compile("""
func.func @last(%x: tensor<?xbf16>, %y: tensor<bf16>, %z: tensor<bf16>) -> tensor<bf16> {
  %r = gs.generic (d0) ins(%x[d0], %y[]) outs(%z[]) iterators(d0 = reduction)
      : (tensor<?xbf16>, tensor<bf16>, tensor<bf16>) -> tensor<bf16> {
  ^bb0(%a: bf16, %b: bf16, %c: bf16):
    %v = arith.mulf %a, %b : bf16
    gs.yield %v : bf16
  }
  return %r : tensor<bf16>
}""")
    x, y, z = (np.array(v, ml_dtypes.bfloat16) for v in ([1.5, 2.25, 3.015625], 1.0078125, 9))
    assert kernel(x, y, z) == x[2] * y
    assert kernel(x[:0], y, z) == z


@pytest.mark.parametrize("name", ["bf16", "f16", "f8E5M2"])
def test_each_operation_is_rounded(name: str) -> None:
    dtype = {
        "bf16": ml_dtypes.bfloat16,
        "f16": np.float16,
        "f8E5M2": ml_dtypes.float8_e5m2,
    }[name]
    kernel = compile(
        f"""
        func.func @f(%a: tensor<?x{name}>, %b: tensor<?x{name}>, %c: tensor<?x{name}>)
            -> tensor<?x{name}> {{
          %0 = arith.mulf %a, %b : tensor<?x{name}>
          %1 = arith.addf %c, %0 : tensor<?x{name}>
          return %1 : tensor<?x{name}>
        }}"""
    )
    rng = np.random.default_rng(3)
    a, b, c = (rng.standard_normal(10_000).astype(dtype) for _ in range(3))
    once = (c.astype(np.float64) + a.astype(np.float64) * b.astype(np.float64)).astype(dtype)
    expected = c + a * b
    assert (bits(once) != bits(expected)).any()
    assert np.array_equal(bits(kernel(a, b, c)), bits(expected))


@pytest.mark.parametrize("op", ["maxnumf", "minnumf", "maximumf", "minimumf"])
@pytest.mark.parametrize("name", ["f64", "f32", "f16", "bf16", "f8E5M2", "f4E2M1FN"])
def test_zeros_are_ordered(name: str, op: str) -> None:
    """Whichever comes first; of `maxnumf` and `minnumf` LLVM gives either."""
    dtype = dict(TYPES)[name]
    kernel = compile(
        f"""
        func.func @f(%a: tensor<?x{name}>, %b: tensor<?x{name}>) -> tensor<?x{name}> {{
          %0 = arith.{op} %a, %b : tensor<?x{name}>
          return %0 : tensor<?x{name}>
        }}"""
    )
    a, b = (np.array(zeros * 9, dtype) for zeros in ([0.0, -0.0], [-0.0, 0.0]))
    expected = np.array(0.0 if op.startswith("max") else -0.0, dtype)
    assert (bits(kernel(a, b)) == bits(np.broadcast_to(expected, a.shape))).all()
    if "nan" in str(np.array(np.nan, dtype)):
        nan = np.array([np.nan, 1, np.nan], dtype)
        other = np.array([1, np.nan, np.nan], dtype)
        absent = [True] * 3 if op in ("maximumf", "minimumf") else [False, False, True]
        assert np.isnan(kernel(nan, other).astype(np.float64)).tolist() == absent


@pytest.mark.parametrize("name", ["bf16", "complex<bf16>", "f16"])
def test_denormals_that_branches_and_loops_carry(name: str) -> None:
    """LLVM rounds a bf16 from block to block: the CPU's instruction for it flushes them."""
    kernel = compile(
        f"""
        func.func @f(%a: tensor<?x{name}>, %n: index) -> tensor<2x{name}> {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %p = arith.cmpi slt, %c1, %n : index
          %r = scf.if %p -> {name} {{
            %x = tensor.extract %a[%c1] : tensor<?x{name}>
            scf.yield %x : {name}
          }} else {{
            %x = tensor.extract %a[%c0] : tensor<?x{name}>
            scf.yield %x : {name}
          }}
          %l = scf.for %j = %c0 to %n step %c1 iter_args(%last = %r) -> {name} {{
            %q = arith.cmpi eq, %j, %c1 : index
            %s = scf.if %q -> {name} {{
              %x = tensor.extract %a[%j] : tensor<?x{name}>
              scf.yield %x : {name}
            }} else {{
              scf.yield %last : {name}
            }}
            scf.yield %s : {name}
          }}
          %z = tensor.from_elements %r, %l : tensor<2x{name}>
          return %z : tensor<2x{name}>
        }}"""
    )
    dtype = dict(TYPES)[name]
    least = np.arange(1, 1 + 4 * np.dtype(dtype).itemsize, dtype=np.uint16).view(dtype)
    for n in (1, 2, 4):
        expected = np.array([least[int(n > 1)]] * 2)
        np.testing.assert_array_equal(bits(kernel(least, n)), bits(expected))
