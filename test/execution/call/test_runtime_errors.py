"""Errors that compiled code raises: nothing aborts, nothing is written, nothing leaks."""

import numpy as np
import pytest
from mlir_gs.execution import CompileError, compile
from sources import scatter_add

IDS = np.array([[0], [5], [2]])
BAD = np.array([[0], [6], [2]])
ROWS = np.ones((3, 8), np.float32)


@pytest.mark.parametrize("donated", [False, True])
def test_a_coordinate_out_of_bounds(donated: bool) -> None:
    kernel = compile(scatter_add("error", donated))
    dest = np.full((6, 8), 2, np.float32)
    for _ in range(2):
        with pytest.raises(IndexError) as error:
            kernel(dest, BAD, ROWS)
        assert "coordinate 6 at position [1, 0] is out of bounds for size 6" in str(error.value)
        assert (dest == 2).all()
    assert kernel(dest, IDS, ROWS)[5, 0] == 3


def test_a_given_result_is_not_written() -> None:
    kernel = compile(scatter_add("error"))
    out = np.full((6, 8), 7, np.float32)
    with pytest.raises(IndexError):
        kernel(np.zeros((6, 8), np.float32), BAD, ROWS, out=out)
    assert (out == 7).all()


def test_the_strided_code_raises_too() -> None:
    kernel = compile(scatter_add("error"))
    dest = np.zeros((8, 6), np.float32).T
    with pytest.raises(IndexError, match="coordinate 6"):
        kernel(dest, BAD, ROWS)
    np.testing.assert_array_equal(kernel(dest, IDS, ROWS)[[0, 2, 5]], ROWS)


CLIPPED = {
    "gather": """
  %r = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<?x3xf32>, tensor<?x1xi64>) -> tensor<?x3xf32>""",
    "scatter": """
  %r = gs.scatter %u into %x[%i] scatter_dims([0]) mode(clip) combine(add)
      : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x1xi64>) -> tensor<?x3xf32>""",
    "gather_elements": """
  %r = gs.gather_elements %x[%k] dim(0) mode(clip)
      : (tensor<?x3xf32>, tensor<?x3xi64>) -> tensor<?x3xf32>""",
    "scatter_elements": """
  %r = gs.scatter_elements %u into %x[%k] dim(0) mode(clip)
      : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xi64>) -> tensor<?x3xf32>""",
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("op", CLIPPED)
def test_there_is_nothing_to_clip_to(op: str, threads: int) -> None:
    """A size that is 0 only when it runs: nothing outside of the array is read or written."""
    kernel = compile(
        f"""
func.func @f(%x: tensor<?x3xf32>, %i: tensor<?x1xi64>, %k: tensor<?x3xi64>, %u: tensor<?x3xf32>)
    -> tensor<?x3xf32> {{{CLIPPED[op]}
  return %r : tensor<?x3xf32>
}}""",
        threads=threads,
    )

    def arguments(size: int, count: int) -> tuple[np.ndarray, ...]:
        ids = np.full((count, 3), 7)
        return np.zeros((size, 3), "f4"), ids[:, :1].copy(), ids, np.ones((count, 3), "f4")

    for count in (1, 70_000):
        message = rf"'gs.{op}' op, into dimension 0 .* coordinate 7 at position \[0, 0\]"
        with pytest.raises(IndexError, match=message):
            kernel(*arguments(0, count))
    assert kernel(*arguments(0, 0)).shape == (0, 3)
    assert kernel(*arguments(2, 5)).any() == op.startswith("scatter")


IN_PARALLEL = """
func.func @f(%x: memref<?xf32>, %i: memref<?x4xi64>, %y: memref<?x4xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %i, %c0 : memref<?x4xi64>
  scf.parallel (%r) = (%c0) to (%n) step (%c1) {{
    %at = memref.subview %i[%r, 0] [1, 4] [1, 1]
        : memref<?x4xi64> to memref<4xi64, strided<[1], offset: ?>>
    %row = memref.subview %y[%r, 0] [1, 4] [1, 1]
        : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    "gs.generic"(%x, %at, %row) ({{
    ^bb0(%a: f32, %b: f32):
      gs.yield %a : f32
    }}) {{
      coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]], modes = ["{mode}"],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>
    }} : (memref<?xf32>, memref<4xi64, strided<[1], offset: ?>>,
         memref<4xf32, strided<[1], offset: ?>>) -> ()
    scf.reduce
  }}
  return
}}"""
IN_ROWS = np.array([[0, 1, 1, 0]] * 50)


def test_nothing_to_clip_to_in_a_parallel_loop() -> None:
    """No error leaves it: what is there stays."""
    kernel = compile(IN_PARALLEL.format(mode="clip"), threads=2)
    result = np.full((50, 4), 5, np.float32)
    kernel(np.empty(0, np.float32), IN_ROWS, result)
    assert (result == 5).all()
    kernel(np.array([3, 4], np.float32), IN_ROWS * 9 - 4, result)
    assert (result == [3, 4, 4, 3]).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_coordinate_that_is_checked_in_a_parallel_loop(threads: int) -> None:
    """The loop runs sequentially."""
    kernel = compile(IN_PARALLEL.format(mode="error"), threads=threads)
    result = np.full((50, 4), 5, np.float32)
    kernel(np.array([3, 4], np.float32), IN_ROWS, result)
    assert (result == [3, 4, 4, 3]).all()
    with pytest.raises(IndexError, match=r"coordinate 1 at position \[1\]"):
        kernel(np.array([3], np.float32), IN_ROWS, result)


ASSERT = """
func.func private @at(%a: tensor<?xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %inside = arith.cmpi ult, %i, %n : index
  cf.assert %inside, "index \\22i\\22 is not in the array"
  %x = tensor.extract %a[%i] : tensor<?xf32>
  return %x : f32
}
func.func @f(%a: tensor<?xf32>, %i: index, %j: index) -> f32 {
  %x = call @at(%a, %i) : (tensor<?xf32>, index) -> f32
  %y = call @at(%a, %j) : (tensor<?xf32>, index) -> f32
  %positive = arith.cmpf ogt, %x, %y : f32
  cf.assert %positive, "100% wrong"
  %z = arith.subf %x, %y : f32
  return %z : f32
}
"""


def test_assertions_also_in_called_functions() -> None:
    kernel = compile(ASSERT)
    a = np.array([1, 2, 4], np.float32)
    assert kernel(a, 2, 0) == 3
    with pytest.raises(RuntimeError, match=r'^index "i" is not in the array$'):
        kernel(a, 2, 3)
    with pytest.raises(RuntimeError, match=r"^100% wrong$"):
        kernel(a, 0, 2)


def test_an_assertion_in_a_loop() -> None:
    kernel = compile("""
    func.func @f(%a: memref<?xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %n = memref.dim %a, %c0 : memref<?xf32>
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        %x = memref.load %a[%i] : memref<?xf32>
        %ok = arith.cmpf oge, %x, %zero : f32
        cf.assert %ok, "negative"
        memref.store %zero, %a[%i] : memref<?xf32>
      }
      return
    }""")
    a = np.array([1, 2, -1, 3], np.float32)
    with pytest.raises(RuntimeError, match=r"^negative$"):
        kernel(a)
    np.testing.assert_array_equal(a, [0, 0, -1, 3])


def test_a_function_that_cannot_be_inlined() -> None:
    source = """
    func.func private @down(%n: index) -> index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %ok = arith.cmpi sge, %n, %c0 : index
      cf.assert %ok, "negative"
      %more = arith.cmpi sgt, %n, %c0 : index
      %r = scf.if %more -> index {
        %m = arith.subi %n, %c1 : index
        %s = func.call @down(%m) : (index) -> index
        scf.yield %s : index
      } else {
        scf.yield %n : index
      }
      return %r : index
    }
    func.func @main(%n: index) -> index {
      %r = call @down(%n) : (index) -> index
      return %r : index
    }"""
    with pytest.raises(CompileError, match="function 'down' can raise an error and cannot be"):
        compile(source)
    without = "\n".join(line for line in source.splitlines() if "cf.assert" not in line)
    assert compile(without)(5) == 0


def test_temporaries_are_freed_when_an_error_is_raised(resident) -> None:
    kernel = compile("""
    func.func @f(%a: tensor<?xf32>, %ok: i1) -> f32 {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %a, %c0 : tensor<?xf32>
      %e = tensor.empty(%n) : tensor<?xf32>
      %t = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      cf.assert %ok, "no"
      %x = tensor.extract %t[%c0] : tensor<?xf32>
      return %x : f32
    }""")
    a = np.zeros(100_000, np.float32)
    assert kernel(a, True) == 1

    def fail() -> None:
        with pytest.raises(RuntimeError, match=r"^no$"):
            kernel(a, False)

    assert resident(fail, 300) < 4000
