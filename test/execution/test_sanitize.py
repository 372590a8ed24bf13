"""`compile(sanitize=True)`: a planted fault of each kind is an error that says where."""

import subprocess
import sys

import numpy as np
import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import NAMED
from mlir_gs.execution import compile
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering import PassFailure, run_pipeline

ROWS = """
func.func @rows(%t: tensor<?x4xf32>, %r: tensor<?x1xi64>) -> tensor<?x4xf32> {
  %0 = gs.gather %t[%r] gather_dims([0]) unique sorted
      : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"""
FAULTS = {
    "past the end": ([0, 2, 8], "into dimension 0 of 'source': coordinate 8 at position [2, 0] is"),
    "below 0": ([-1, 2, 3], "into dimension 0 of 'source': coordinate -1 at position [0, 0] is"),
    "twice": ([1, 4, 4], "coordinates [4] at position [2] address the element of position [1]"),
    "falling": ([1, 6, 5], "coordinates [5] at position [2] come after [6] at position [1]"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_promise_of_a_gather(fault: str) -> None:
    kernel = compile(ROWS, sanitize=True)
    rows, text = FAULTS[fault]
    table = np.arange(32, dtype=np.float32).reshape(8, 4)
    with pytest.raises(IndexError) as error:
        kernel(table, np.array(rows)[:, None])
    assert str(error.value).startswith("-:3:8: 'gs.gather' op")
    assert text in str(error.value)
    good = np.array([[1], [4], [7]])
    np.testing.assert_array_equal(kernel(table, good), table[[1, 4, 7]])


SCATTER = """
func.func @put(%u: tensor<?xf32>, %d: tensor<?xf32> {bufferization.writable = true},
               %r: tensor<?x1xi32>) -> tensor<?xf32> {
  %0 = gs.scatter %u into %d[%r] scatter_dims([0]) unique mode(drop)
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_nothing_is_written_and_what_is_dropped_may_repeat(threads: int) -> None:
    kernel = compile(SCATTER, sanitize=True, threads=threads)
    dest = np.zeros(9, np.float32)
    rows = np.array([[1], [20], [7], [20]], np.int32)
    np.testing.assert_array_equal(
        kernel(np.arange(4, dtype=np.float32), dest.copy(), rows)[[1, 7]], [0, 2]
    )
    rows[3] = 1
    with pytest.raises(IndexError, match=r"coordinates \[1\] at position \[3\] address the"):
        kernel(np.arange(4, dtype=np.float32), dest, rows)
    assert (dest == 0).all()


def test_strided_arrays_are_checked_too() -> None:
    kernel = compile(ROWS, sanitize=True)
    table = np.arange(64, dtype=np.float32).reshape(8, 8)[:, ::2]
    rows = np.array([[0], [9], [2], [9], [8], [9]])[::2]
    with pytest.raises(IndexError, match=r"coordinate 8 at position \[2, 0\]"):
        kernel(table, rows)


def test_a_window() -> None:
    kernel = compile(
        """
    func.func @f(%x: tensor<?xf32>) -> tensor<2xf32> {
      %0 = gs.strided_slice %x[1] [4] [2] : (tensor<?xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }""",
        sanitize=True,
    )
    x = np.arange(5, dtype=np.float32)
    np.testing.assert_array_equal(kernel(x), [1, 3])
    with pytest.raises(ValueError, match=r"of 'source' must be at least 5, .* found 4"):
        kernel(x[:4])


COPY = """
func.func @copy(%x: memref<?xf32, strided<[?], offset: ?>>,
                %y: memref<?xf32, strided<[?], offset: ?>>) {
  gs.generic (d0) ins(%x[d0]) outs(%y[d0]) iterators(d0 = parallel)
      : (memref<?xf32, strided<[?], offset: ?>>, memref<?xf32, strided<[?], offset: ?>>) -> () {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    gs.yield %s : f32
  }
  return
}
"""


def test_an_output_that_shares_memory() -> None:
    kernel = compile(COPY, sanitize=True)
    memory = np.arange(20, dtype=np.float32)
    with pytest.raises(IndexError, match="'%y' and '%x': element") as error:
        kernel(memory[:8], memory[1:9])
    assert str(error.value).endswith("element [0] shares memory with element [1]")
    np.testing.assert_array_equal(memory, np.arange(20))


def test_views_that_interleave_or_are_the_same_are_no_fault() -> None:
    kernel = compile(COPY, sanitize=True)
    memory = np.arange(20, dtype=np.float32)
    kernel(memory[::2], memory[1::2])
    np.testing.assert_array_equal(memory[1::2], np.arange(1, 20, 2) + np.arange(0, 20, 2))
    memory = np.arange(20, dtype=np.float32)
    kernel(memory, memory)
    np.testing.assert_array_equal(memory, 2 * np.arange(20))


def test_in_a_parallel_loop() -> None:
    kernel = compile(
        """
    func.func @f(%x: memref<4x3xf32>, %i: memref<4x3xi32>, %y: memref<4x3xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.parallel (%k) = (%c0) to (%c4) step (%c1) {
        %ik = memref.subview %i[%k, 0] [1, 3] [1, 1]
            : memref<4x3xi32> to memref<3xi32, strided<[1], offset: ?>>
        gs.generic (d0) [s0 = %ik[d0]] ins(%x[s0, d0]) outs(%y[s0, d0]) iterators(d0 = parallel)
            : (memref<4x3xf32>, memref<3xi32, strided<[1], offset: ?>>, memref<4x3xf32>) -> () {
        ^bb0(%a: f32, %b: f32):
          gs.yield %a : f32
        }
      }
      return
    }""",
        sanitize=True,
        threads=2,
    )
    x, y = np.ones((4, 3), np.float32), np.zeros((4, 3), np.float32)
    i = np.zeros((4, 3), np.int32)
    i[2, 1] = 4
    with pytest.raises(IndexError, match=r"'gs.generic' op, s0 .* coordinate 4 at position \[1\]"):
        kernel(x, i, y)


def test_the_table_is_freed(resident) -> None:
    kernel = compile(ROWS, sanitize=True)
    table = np.zeros((200_000, 4), np.float32)
    rows = np.arange(100_000)[:, None]
    bad = rows.copy()
    bad[-1] = 5

    def call() -> None:
        kernel(table, rows)
        with pytest.raises(IndexError):
            kernel(table, bad)

    assert resident(call, 30) < 4000


def test_gs_run(tmp_path) -> None:
    path = tmp_path / "rows.mlir"
    path.write_text(ROWS)
    np.save(tmp_path / "rows.npy", np.array([[3], [3]]))
    command = [sys.executable, "-P", "-m", "mlir_gs.tools.gs_run", str(path), "--quiet"]
    command += ["--args", "_", str(tmp_path / "rows.npy"), "--sanitize", "--size", "8"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert run.stderr == (
        f"gs-run: IndexError: {path}:3:8: 'gs.gather' op: coordinates [3] at position [1] "
        "address the element of position [0] again: 'unique' does not hold\n"
    )


OUTER = """
func.func @f(%x: tensor<31xf32>, %i: tensor<?xi64>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = gs.generic (d0, d1) [s0 = %i[d1]]
      ins(%x[s0]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel) sorted
      : (tensor<31xf32>, tensor<?xi64>, tensor<?x?xf32>) -> tensor<?x?xf32> {
  ^bb0(%a: f32, %old: f32):
    gs.yield %a : f32
  }
  return %0 : tensor<?x?xf32>
}
"""


def test_coordinates_that_come_again_descend() -> None:
    """In row-major order, with each position of the dim around them."""
    kernel = compile(OUTER, sanitize=True)
    x, i = np.arange(31, dtype=np.float32), np.array([3, 3, 8])
    np.testing.assert_array_equal(kernel(x, i, np.zeros((1, 3), np.float32)), [[3, 3, 8]])
    again = np.zeros((2, 3), np.float32)
    with pytest.raises(IndexError, match=r"coordinates \[3\] at position \[0\] come after \[8\]"):
        kernel(x, i, again)
    np.testing.assert_array_equal(kernel(x, np.array([5, 5, 5]), again), np.full((2, 3), 5))
    assert kernel(x, i, np.zeros((0, 3), np.float32)).shape == (0, 3)


# Each named op that has a structure of its own, in a function.
KNOWN = [
    ROWS,
    SCATTER,
    """func.func @f(%x: tensor<4x5xf32>, %i: tensor<4x2xi64>) -> tensor<4x2xf32> {
  %0 = gs.gather_elements %x[%i] dim(1) : (tensor<4x5xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}""",
    """func.func @f(%u: tensor<4xf32>, %x: tensor<5xf32>, %i: tensor<4xi64>) -> tensor<5xf32> {
  %0 = gs.scatter_elements %u into %x[%i] dim(0)
      : (tensor<4xf32>, tensor<5xf32>, tensor<4xi64>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}""",
    """func.func @f(%x: tensor<?xf32>) -> tensor<2xf32> {
  %0 = gs.strided_slice %x[1] [3] [2] : (tensor<?xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}""",
]


@pytest.mark.parametrize("text", KNOWN)
def test_an_op_that_is_not_known_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (name,) = (name for name in NAMED if f"{name} %" in text)
    with dialect.context(), ir.Location.unknown():
        run_pipeline(parse(text), "builtin.module(gs-sanitize)")
        module = parse(text)
        monkeypatch.delitem(NAMED, name)
        with pytest.raises(PassFailure, match=f"'{name}' op: gs-sanitize does not know what it"):
            run_pipeline(module, "builtin.module(gs-sanitize)")


def test_each_op_is_known() -> None:
    # Other dialects may have named ops of their own.
    known = {*(name for name in NAMED if name.startswith("gs.")), "gs.generic", "gs.yield"}
    assert known == {op.OPERATION_NAME for op in dialect.Gs.operations}


def test_two_addresses_that_are_known_to_be_out_of_bounds() -> None:
    """Code behind an error that is sure to be raised is cut, with the errors in it."""
    text = OUTER.replace("[s0 = %i[d1]]", "[%i]").replace("%x[s0]", "%x[d0 * 4 - 5]")
    kernel = compile(text.replace("?x?xf32", "12x3xf32").replace(" sorted", ""), sanitize=True)
    with pytest.raises(IndexError, match="index -5 is out of bounds for size 31"):
        kernel(np.zeros(31, np.float32), np.zeros(3, np.int64), np.zeros((12, 3), np.float32))
