"""Passes and transform ops of upstream on gs ops in place, and the numbers after them."""

import numpy as np
import pytest
from mlir_gs import compile
from stock import Stock

TABLE = np.arange(20 * 6, dtype=np.float32).reshape(20, 6)
IDS = (np.arange(13)[:, None] * 7) % 20
SCALES = np.linspace(-2, 2, 13 * 6, dtype=np.float32).reshape(13, 6)


def module(schedule: str, mode: str = "promise_in_bounds") -> str:
    """Rows of a table, times scales; the schedule gets the gather as %gather, the product as
    %mul."""
    return f"""
module attributes {{transform.with_named_sequence}} {{
func.func @f(%t: tensor<20x6xf32>, %i: tensor<13x1xi64>, %w: tensor<13x6xf32>)
    -> tensor<13x6xf32> {{
  %e = tensor.empty() : tensor<13x6xf32>
  %0 = "gs.generic"(%t, %i, %e) ({{
  ^bb0(%a: f32, %b: f32):
    "gs.yield"(%a) : (f32) -> ()
  }}) {{
    coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0, 0)>]], modes = ["{mode}"],
    indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"],
    operandSegmentSizes = array<i32: 1,0,0,0,0,0,0,0, 1,0,0,0,0,0,0,0, 1,0,0,0>,
    resultSegmentSizes = array<i32: 1,0,0,0>
  }} : (tensor<20x6xf32>, tensor<13x1xi64>, tensor<13x6xf32>) -> tensor<13x6xf32>
  %1 = linalg.mul ins(%0, %w : tensor<13x6xf32>, tensor<13x6xf32>)
      outs(%e : tensor<13x6xf32>) -> tensor<13x6xf32>
  return %1 : tensor<13x6xf32>
}}
transform.named_sequence @__transform_main(%m: !transform.any_op {{transform.readonly}}) {{
  %gather = transform.structured.match ops{{["gs.generic"]}} in %m
      : (!transform.any_op) -> !transform.any_op
  %mul = transform.structured.match ops{{["linalg.mul"]}} in %m
      : (!transform.any_op) -> !transform.any_op
  {schedule}
  transform.yield
}}
}}"""


LOOPS = "!transform.any_op, !transform.any_op"
SCHEDULES = {
    "fuse": f"""%a, %b:2 = transform.structured.fuse %mul tile_sizes [4, 4]
      : (!transform.any_op) -> (!transform.any_op, {LOOPS})""",
    "for": f"""%a, %b:2 = transform.structured.tile_using_for %gather tile_sizes [5, 4]
      : (!transform.any_op) -> (!transform.any_op, {LOOPS})""",
    "forall": f"""%a, %b = transform.structured.tile_using_forall %gather tile_sizes [5, 0]
      : (!transform.any_op) -> ({LOOPS})""",
}
CLEAN = ("transform-interpreter", "canonicalize", "cse")


def needs_tiling(stock: Stock) -> None:
    if "LLVM version 19" in stock.opt("", "--version").stdout:
        pytest.xfail("the methods of TilingInterface are those of LLVM 22")


@pytest.mark.parametrize("name", SCHEDULES)
def test_transform_ops_tile_and_fuse(stock: Stock, name: str) -> None:
    needs_tiling(stock)
    done = stock.opt(module(SCHEDULES[name]), ",".join(CLEAN))
    assert done.returncode == 0, done.stderr
    function = done.stdout.partition("transform.named_sequence @")[0]
    loop, op = function.index("scf.for"), function.index('"gs.generic"')
    assert loop < op, "the gather is outside of the loop"
    # Without the sequence, which is about ops that are in loops now.
    kept = function.replace(" attributes {transform.with_named_sequence}", "") + "}"
    result = compile(kept)(TABLE, IDS, SCALES)
    np.testing.assert_array_equal(result, TABLE[IDS[:, 0]] * SCALES)


def test_one_shot_bufferize_writes_in_place(stock: Stock) -> None:
    """A scatter-add into an argument that nobody reads again: no copy, on one buffer."""
    text = """
func.func @f(%d: tensor<20x6xf32> {bufferization.writable = true}, %i: tensor<13x1xi64>,
             %u: tensor<13x6xf32>) -> tensor<20x6xf32> {
  %0 = "gs.scatter"(%u, %d, %i) ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    "gs.yield"(%s) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>, mode = "clip"}
      : (tensor<13x6xf32>, tensor<20x6xf32>, tensor<13x1xi64>) -> tensor<20x6xf32>
  return %0 : tensor<20x6xf32>
}"""
    bufferize = (
        "one-shot-bufferize{bufferize-function-boundaries=true "
        "function-boundary-type-conversion=identity-layout-map}"
    )
    done = stock.opt(text, f"gs-generalize,{bufferize},canonicalize")
    assert done.returncode == 0, done.stderr
    assert "memref<20x6xf32>" in done.stdout
    assert not {"memref.alloc", "memref.copy"} & set(done.stdout.split())
    assert "tensor<" not in done.stdout
    assert "scf.for" in stock.opt(done.stdout, "convert-gs-to-scf").stdout


def test_a_destination_that_is_read_again_is_copied(stock: Stock) -> None:
    text = module("").replace("linalg.mul ins(%0, %w", "linalg.mul ins(%0, %0")
    text = text.replace('"gs.generic"(%t, %i, %e)', '"gs.generic"(%t, %i, %w)')
    text = text.replace("return %1 : tensor<13x6xf32>", "return %w : tensor<13x6xf32>")
    done = stock.opt(text, "one-shot-bufferize{bufferize-function-boundaries=true}")
    assert done.returncode == 0, done.stderr
    assert "memref.copy" in done.stdout


def test_what_slices_cannot_do_is_refused(stock: Stock) -> None:
    needs_tiling(stock)
    done = stock.opt(module(SCHEDULES["for"], "error"), "transform-interpreter")
    assert done.returncode == 1
    assert (
        "error: 'gs.generic' op cannot be tiled in place: mode error checks all coordinates first"
        in done.stderr
    )
