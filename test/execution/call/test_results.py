"""Where results live: in new arrays, in donated arguments, in memory of the compiled code."""

import gc

import ml_dtypes
import numpy as np
import pytest
from mlir_gs.execution import CompileError, compile
from sources import FIRST, scatter_add

RNG = np.random.default_rng(3)
IDS = RNG.integers(0, 6, (20, 1))
ROWS = RNG.standard_normal((20, 8)).astype(np.float32)


def added(dest: np.ndarray) -> np.ndarray:
    expected = dest.copy()
    np.add.at(expected, IDS[:, 0], ROWS)
    return expected


def test_an_argument_is_not_written() -> None:
    dest = RNG.standard_normal((6, 8)).astype(np.float32)
    before = dest.copy()
    np.testing.assert_array_equal(compile(scatter_add())(dest, IDS, ROWS), added(before))
    np.testing.assert_array_equal(dest, before)


def test_a_donated_argument_is_the_result() -> None:
    kernel = compile(scatter_add(donated=True))
    dest = RNG.standard_normal((6, 8)).astype(np.float32)
    expected = added(dest)
    assert kernel(dest, IDS, ROWS) is dest
    np.testing.assert_array_equal(dest, expected)
    assert kernel.parameters[0].written
    assert kernel.results[0].argument == 0


def test_a_donated_argument_with_strides() -> None:
    dest = np.zeros((12, 8), np.float32)
    expected = added(dest[::2])
    compile(scatter_add(donated=True))(dest[::2], IDS, ROWS)
    np.testing.assert_array_equal(dest[::2], expected)
    assert not dest[1::2].any()


def test_a_donated_argument_must_be_writeable() -> None:
    dest = np.zeros((6, 8), np.float32)
    dest.flags.writeable = False
    with pytest.raises(ValueError, match=r"argument 0: expected float32\[\?, \?\] that can be"):
        compile(scatter_add(donated=True))(dest, IDS, ROWS)


def test_a_donated_argument_shares_no_memory_with_others() -> None:
    both = np.zeros((20, 8), np.float32)
    with pytest.raises(ValueError, match="argument 0 and argument 2 share memory"):
        compile(scatter_add(donated=True))(both[:6], IDS, both)


@pytest.mark.parametrize("which", [0, "dest"])
def test_donated_at_the_compilation(which: int | str) -> None:
    source = scatter_add().replace("%dest: tensor<?x?xf32> ", '%dest: tensor<?x?xf32> loc("dest")')
    kernel = compile(source, donate=[which])
    dest = RNG.standard_normal((6, 8)).astype(np.float32)
    expected = added(dest)
    assert kernel(dest, IDS, ROWS) is dest
    np.testing.assert_array_equal(dest, expected)


@pytest.mark.parametrize(
    ("donate", "message"),
    [
        ([3], "donate: no argument 3: 'add' has 0, 1, 2"),
        (["table"], "donate: no argument table: 'add' has 0, 1, 2"),
    ],
)
def test_what_cannot_be_donated(donate: list[int | str], message: str) -> None:
    with pytest.raises(CompileError, match=message):
        compile(scatter_add(), donate=donate)


def test_numbers_cannot_be_donated() -> None:
    with pytest.raises(CompileError, match="donate: argument 0 is f32, not a tensor"):
        compile("func.func @f(%x: f32) -> f32 { return %x : f32 }", donate=[0])


def test_out_for_a_donated_argument() -> None:
    kernel = compile(scatter_add(donated=True))
    dest = np.zeros((6, 8), np.float32)
    # The first calls go another way than later ones.
    for _ in range(6):
        assert kernel(dest, IDS, ROWS, out=dest) is dest
        before = dest.copy()
        with pytest.raises(ValueError, match="result 0 is argument 0, written in place"):
            kernel(dest, IDS, ROWS, out=dest.copy())
        np.testing.assert_array_equal(dest, before)


def test_two_inputs_may_be_the_same_array() -> None:
    dest = np.zeros((20, 8), np.float32)
    expected = dest.copy()
    np.add.at(expected, IDS[:, 0], dest)
    np.testing.assert_array_equal(compile(scatter_add())(dest, IDS, dest), expected)


def test_a_size_that_depends_on_data() -> None:
    kernel = compile(FIRST)
    result = kernel(np.array([3, 1], np.float32))
    np.testing.assert_array_equal(result, np.full(3, 3, np.float32))
    result[:] = 7
    assert kernel(np.array([0.5], np.float32)).shape == (0,)
    with pytest.raises(ValueError, match="result 0 is allocated by the function"):
        kernel(np.array([3], np.float32), out=np.zeros(3, np.float32))


def test_results_of_the_compiled_code_outlive_it() -> None:
    kernel = compile(FIRST)
    results = [kernel(np.array([k], np.float32)) for k in range(1, 50)]
    del kernel
    gc.collect()
    for k, result in enumerate(results, 1):
        np.testing.assert_array_equal(result, np.full(k, k, np.float32))


def test_several_results_of_the_compiled_code() -> None:
    kernel = compile("""
    func.func @f(%a: tensor<?xf32>, %b: tensor<?xbf16>, %c: tensor<4xi8>)
        -> (tensor<?xf32>, tensor<4xi8>, tensor<?xbf16>, index) {
      %c0 = arith.constant 0 : index
      %x = tensor.extract %a[%c0] : tensor<?xf32>
      %n = arith.fptosi %x : f32 to i64
      %m = arith.index_cast %n : i64 to index
      %e = tensor.empty(%m) : tensor<?xf32>
      %r = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      %s = tensor.extract_slice %b[0] [%m] [1] : tensor<?xbf16> to tensor<?xbf16>
      return %r, %c, %s, %m : tensor<?xf32>, tensor<4xi8>, tensor<?xbf16>, index
    }""")
    b = np.arange(9).astype(ml_dtypes.bfloat16)
    c = np.arange(4, dtype=np.int8)
    filled, same, some, count = kernel(np.array([3], np.float32), b, c)
    np.testing.assert_array_equal(filled, np.full(3, 3, np.float32))
    np.testing.assert_array_equal(same, c)
    np.testing.assert_array_equal(some, b[:3])
    assert some.dtype == ml_dtypes.bfloat16
    assert count == 3


def test_memrefs_that_the_function_writes() -> None:
    kernel = compile("""
    func.func @copy(%from: memref<?xf32>, %to: memref<?xf32>) {
      memref.copy %from, %to : memref<?xf32> to memref<?xf32>
      return
    }""")
    source, target = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    source.flags.writeable = False
    assert kernel(source, target) is None
    np.testing.assert_array_equal(target, source)
    assert [parameter.written for parameter in kernel.parameters] == [False, True]
    with pytest.raises(ValueError, match=r"argument 1: .* that can be written, found a read-only"):
        kernel(target, source)


def test_memrefs_with_layouts() -> None:
    strided = "memref<?xf32, strided<[?], offset: 3>>"
    kernel = compile(f"""
    func.func @get(%m: {strided}, %i: index) -> f32 {{
      %x = memref.load %m[%i] : {strided}
      return %x : f32
    }}""")
    a = np.arange(10, dtype=np.float32)
    assert kernel(a[::-2], 1) == 7
    fixed = compile("""
    func.func @get(%m: memref<?xf32, strided<[2]>>, %i: index) -> f32 {
      %x = memref.load %m[%i] : memref<?xf32, strided<[2]>>
      return %x : f32
    }""")
    assert fixed(a[::2], 1) == 2
    with pytest.raises(ValueError, match="with other strides"):
        fixed(a, 1)


def test_sizes_that_follow_from_another_result() -> None:
    kernel = compile("""
    func.func @both(%x: tensor<2x?xi32>) -> (tensor<2x?x5xi32>, tensor<2x?xi32>) {
      %c1 = arith.constant 1 : index
      %d = tensor.dim %x, %c1 : tensor<2x?xi32>
      %e = tensor.empty(%d) : tensor<2x?x5xi32>
      %b = linalg.broadcast ins(%x : tensor<2x?xi32>) outs(%e : tensor<2x?x5xi32>)
        dimensions = [2]
      %c = tensor.collapse_shape %b [[0], [1, 2]] : tensor<2x?x5xi32> into tensor<2x?xi32>
      return %b, %c : tensor<2x?x5xi32>, tensor<2x?xi32>
    }""")
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    cube, rows = kernel(x)
    np.testing.assert_array_equal(cube, np.repeat(x[..., None], 5, axis=2))
    np.testing.assert_array_equal(rows, np.repeat(x, 5, axis=1))


def test_arithmetic_on_tensors() -> None:
    kernel = compile("""
    func.func @update(%u: tensor<?x6xf32>, %v: tensor<?x6xf32>) -> tensor<?x6xf32> {
      %r = arith.maximumf %u, %v : tensor<?x6xf32>
      return %r : tensor<?x6xf32>
    }""")
    u = np.arange(12, dtype=np.float32).reshape(2, 6)
    v = u[:, ::-1].copy()
    np.testing.assert_array_equal(kernel(u, v), np.maximum(u, v))


VIEWED = """
#same = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<?xf32>)
    -> (tensor<?x1xf32>, tensor<?xf32>, tensor<?x1xf32>, tensor<?x1xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %twice = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]}
      ins(%a : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%x: f32, %_: f32):
    %sum = arith.addf %x, %x : f32
    linalg.yield %sum : f32
  } -> tensor<?xf32>
  %column = tensor.expand_shape %twice [[0, 1]] output_shape [%n, 1]
      : tensor<?xf32> into tensor<?x1xf32>
  %given = tensor.expand_shape %a [[0, 1]] output_shape [%n, 1]
      : tensor<?xf32> into tensor<?x1xf32>
  return %column, %twice, %given, %column
      : tensor<?x1xf32>, tensor<?xf32>, tensor<?x1xf32>, tensor<?x1xf32>
}
"""


def test_results_that_are_views_have_memory_of_their_own() -> None:
    """Of a result, of another one and of an argument: each is freed once, and not the argument."""
    kernel = compile(VIEWED)
    for size in (3, 100):
        a = np.arange(size, dtype=np.float32)
        for _ in range(10):
            column, twice, given, again = kernel(a)
            twice += 1
            np.testing.assert_array_equal(column, 2 * a[:, None])
            np.testing.assert_array_equal(again, column)
            np.testing.assert_array_equal(given, a[:, None])
            again += 1
            given += 1
            np.testing.assert_array_equal(column, 2 * a[:, None])
            np.testing.assert_array_equal(a, np.arange(size))


@pytest.mark.parametrize("shape", ["2x2", "?x?"])
def test_a_result_that_is_a_reshaped_argument(shape: str) -> None:
    text = f"""
memref.global "private" constant @s : memref<1xi64> = dense<4>
func.func @f(%a: memref<{shape}xf32>) -> memref<?xf32> {{
  %s = memref.get_global @s : memref<1xi64>
  %r = memref.reshape %a(%s) : (memref<{shape}xf32>, memref<1xi64>) -> memref<?xf32>
  return %r : memref<?xf32>
}}
"""
    kernel = compile(text, threads=1)
    for _ in range(3):
        given = np.ones((2, 2), np.float32)
        np.testing.assert_array_equal(kernel(given), np.ones(4, np.float32))
