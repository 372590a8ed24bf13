"""The passes in a stock mlir-opt: names, options, nesting, modules, dumps, reproducers."""

import re

from mlir_gs.lowering import registered_passes, registered_pipelines
from stock import Stock

ROWS = """\
func.func @rows(%t: tensor<8x4xf32>, %i: tensor<3x1xindex>) -> tensor<3x4xf32> {
  %0 = tensor.gather %t[%i] gather_dims([0])
      : (tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
"""
TO_LOOPS = "convert-tensor-to-gs,gs-generalize,gs-bufferize,convert-gs-to-scf"


def test_a_gather_becomes_loops(stock: Stock) -> None:
    done = stock.opt(ROWS, f"{TO_LOOPS},canonicalize,cse")
    assert done.returncode == 0, done.stderr
    assert "scf.for" in done.stdout
    assert "gather" not in done.stdout


def test_one_pass_runs_a_pipeline(stock: Stock) -> None:
    each = stock.opt(ROWS, TO_LOOPS)
    whole = stock.opt(ROWS, f"gs{{pipeline={TO_LOOPS}}}")
    assert whole.returncode == 0, whole.stderr
    assert whole.stdout == each.stdout


def test_every_pass_is_registered_with_its_options(stock: Stock) -> None:
    listed = stock.opt("", "--help").stdout
    found = set(re.findall(r"^ +--([\w-]+)", listed, re.MULTILINE))
    assert found >= {*registered_passes(), *registered_pipelines(), "gs"}
    entry = listed.partition("--gs-tile ")[2].partition("--gs-unswitch")[0]
    assert "--loops=<for|forall>" in entry
    assert "--sizes=<int,...>" in entry


def test_ops_parse_verify_and_print_between_upstream_passes(stock: Stock) -> None:
    generic = stock.opt(ROWS, "convert-tensor-to-gs,gs-generalize").stdout
    assert '"gs.generic"' in generic
    again = stock.opt(generic, "canonicalize,cse,symbol-dce")
    assert again.returncode == 0, again.stderr
    assert '"gs.yield"' in again.stdout


def test_what_nobody_uses_goes_unless_it_reports_errors(stock: Stock) -> None:
    unused = """
func.func @f(%t: tensor<8x4xf32>, %i: tensor<3x1xindex>) {
  %0 = "gs.gather"(%t, %i) {gather_dims = array<i64: 0>, mode = "MODE"}
      : (tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  return
}"""
    assert "gs.gather" not in stock.opt(unused.replace("MODE", "clip"), "canonicalize").stdout
    assert "gs.gather" in stock.opt(unused.replace("MODE", "error"), "canonicalize").stdout


def test_options_reach_the_pass(stock: Stock) -> None:
    done = stock.opt(ROWS, "convert-tensor-to-gs,gs-generalize,gs-tile{sizes=2,1 loops=forall}")
    assert done.returncode == 0, done.stderr
    assert "step (2, 1)" in done.stdout


def test_passes_nest_in_functions_that_refer_to_others(stock: Stock) -> None:
    text = (
        ROWS
        + """
memref.global "private" constant @table : memref<2xf32> = dense<[1.0, 2.0]>
func.func @calls(%t: tensor<8x4xf32>, %i: tensor<3x1xindex>) -> (tensor<3x4xf32>, memref<2xf32>) {
  %0 = call @rows(%t, %i) : (tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  %1 = memref.get_global @table : memref<2xf32>
  %2 = tensor.gather %t[%i] gather_dims([0])
      : (tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  return %2, %1 : tensor<3x4xf32>, memref<2xf32>
}
module @inner {
  func.func @g(%t: tensor<8x4xf32>, %i: tensor<3x1xindex>) -> tensor<3x4xf32> {
    %0 = tensor.gather %t[%i] gather_dims([0])
        : (tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
"""
    )
    inner = "convert-tensor-to-gs,cse,gs-generalize"
    done = stock.opt(text, f"func.func({inner}),builtin.module({inner},canonicalize)")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"gs.generic"') == 3
    assert done.stdout.count("func.func private") == 0
    assert "dense<[1.000000e+00, 2.000000e+00]>" in done.stdout


def test_a_pass_in_a_function_that_changes_the_module_is_told(stock: Stock) -> None:
    text = "func.func @f() { return }"
    done = stock.opt(text, "func.func(gs{pipeline=symbol-privatize,symbol-dce})")
    assert done.returncode == 1
    assert "'symbol-privatize,symbol-dce' removes the function: run it on builtin.module" in (
        done.stderr
    )


def test_threads_take_turns(stock: Stock) -> None:
    text = "".join(ROWS.replace("@rows", f"@rows{number}") for number in range(40))
    done = stock.opt(text, "func.func(convert-tensor-to-gs,canonicalize,gs-generalize)")
    assert done.returncode == 0, done.stderr
    assert [int(n) for n in re.findall(r"@rows(\d+)", done.stdout)] == list(range(40))
    assert done.stdout.count('"gs.generic"') == 40


def test_several_modules_of_one_run(stock: Stock) -> None:
    text = "// -----\n".join(ROWS.replace("@rows", f"@rows{number}") for number in range(3))
    done = stock.opt(text, "--split-input-file", "convert-tensor-to-gs,gs-generalize")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"gs.generic"') == 3


def test_dumps_and_times_name_the_passes(stock: Stock) -> None:
    done = stock.opt(
        ROWS,
        "convert-tensor-to-gs,gs-generalize",
        "--mlir-print-ir-after-all",
        "--mlir-timing",
        "--mlir-print-ir-after-change",
    )
    assert "IR Dump After convert-tensor-to-gs" in done.stderr
    assert re.search(r"\d+\.\d+ .*gs-generalize", done.stderr)


def test_flags_for_reading_shorten_nothing_that_runs(stock: Stock) -> None:
    text = """
func.func @f(%i: tensor<1x1xindex>) -> tensor<1x4xf32> {
  %t = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %0 = tensor.gather %t[%i] gather_dims([0])
      : (tensor<2x4xf32>, tensor<1x1xindex>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}"""
    flag = "--mlir-elide-elementsattrs-if-larger=2"
    done = stock.opt(text, "convert-tensor-to-gs", flag, "--mlir-print-debuginfo")
    assert done.returncode == 0, done.stderr
    assert "dense_resource<__elided__>" in done.stdout


def test_resources_come_back_each_time(stock: Stock) -> None:
    text = """
func.func @f(%i: tensor<1x1xindex>) -> tensor<1x2xf32> {
  %t = arith.constant dense_resource<table> : tensor<2x2xf32>
  %0 = tensor.gather %t[%i] gather_dims([0])
      : (tensor<2x2xf32>, tensor<1x1xindex>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
{-# dialect_resources: { builtin: {
  table: "0x040000000000803F000000400000404000008040" } } #-}"""
    done = stock.opt(text, "convert-tensor-to-gs,gs-generalize,gs-specialize")
    assert done.returncode == 0, done.stderr
    assert "0x040000000000803F000000400000404000008040" in done.stdout


def test_a_reproducer_has_the_options(stock: Stock, tmp_path) -> None:
    path = tmp_path / "again.mlir"
    pipeline = "gs{pipeline=convert-tensor-to-gs,gs-generalize},gs-tile{sizes=2,1 loops=forall}"
    first = stock.opt(ROWS, pipeline, f"--mlir-generate-reproducer={path}")
    assert first.returncode == 0, first.stderr
    assert "gs-tile{loops=forall sizes={2,1}}" in path.read_text()
    again = stock.opt(path.read_text(), "--run-reproducer")
    assert again.returncode == 0, again.stderr


def test_ops_of_dialects_that_nobody_knows_pass_through(stock: Stock) -> None:
    text = ROWS.replace("  return", '  "other.op"(%0) : (tensor<3x4xf32>) -> ()\n  return')
    assert stock.opt(text, "convert-tensor-to-gs").returncode == 1
    done = stock.opt(text, "convert-tensor-to-gs", "--allow-unregistered-dialect")
    assert done.returncode == 0, done.stderr
    assert '"other.op"(%0)' in done.stdout
