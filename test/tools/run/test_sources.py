"""`gs-run --check` starts from the source program: what an import gets wrong is found."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.common.common import FrontEnd
from mlir_gs.frontend.dml.convert_dml_to_gs import DML
from mlir_gs.frontend.onnx.node import ONNX
from mlir_gs.frontend.stablehlo.common import STABLEHLO
from mlir_gs.frontend.tcp.convert_tcp_to_gs import TCP
from mlir_gs.frontend.torch.op import TORCH
from mlir_gs.frontend.tosa import TOSA
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.tools.run import driver

# torch.export warns of its own code.
pytestmark = pytest.mark.filterwarnings("ignore:.*LeafSpec:FutureWarning")

PROGRAM = "func.func @main(%x: {0}, %i: {1}) -> {2} {{\n  %r = {3}\n  return %r : {2}\n}}\n"
STABLEHLO_GATHER = (
    '"stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], '
    "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
    "slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> "
    ": (tensor<?x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>"
)
TEXTS = {
    "stablehlo": ("tensor<?x3xf32>", "tensor<4x1xi32>", "tensor<4x3xf32>", STABLEHLO_GATHER),
    "tosa": (
        *("tensor<2x5x3xf32>", "tensor<2x4xi32>", "tensor<2x4x3xf32>"),
        "tosa.gather %x, %i : (tensor<2x5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>",
    ),
    "tcp": (
        *("tensor<5x3xf32>", "tensor<4x3xi64>", "tensor<4x3xf32>"),
        '"tcp.gather"(%x, %i) {dim = 0 : i64} : (tensor<5x3xf32>, tensor<4x3xi64>) '
        "-> tensor<4x3xf32>",
    ),
    "dml": (
        *("tensor<5x3xf32>", "tensor<1x4xui32>", "tensor<4x3xf32>"),
        '"dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32} '
        ": (tensor<5x3xf32>, tensor<1x4xui32>) -> tensor<4x3xf32>",
    ),
}


def written(language: str, folder: Path) -> Path:
    """A program of one gather, in a file."""
    if language in TEXTS:
        path = folder / "program.mlir"
        path.write_text(PROGRAM.format(*TEXTS[language]), encoding="utf-8")
        return path
    if language == "onnx":
        onnx = pytest.importorskip("onnx")
        helper, types = onnx.helper, onnx.TensorProto
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            [helper.make_node("Gather", ["x", "i"], ["y"], axis=1)],
            "g",
            [value("x", types.FLOAT, [5, 3]), value("i", types.INT64, [4])],
            [value("y", types.FLOAT, [5, 4])],
        )
        opsets = [helper.make_opsetid("", 17)]
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), folder / "m.onnx")
        return folder / "m.onnx"
    torch = pytest.importorskip("torch")

    class Take(torch.nn.Module):
        def forward(self, x: Any, i: Any) -> Any:
            return torch.index_select(x, 1, i)

    program = torch.export.export(Take(), (torch.zeros(5, 3), torch.zeros(4, dtype=torch.int64)))
    torch.export.save(program, folder / "m.pt2")
    return folder / "m.pt2"


SOURCE = ", from the source program"
CASES = {
    "stablehlo": (
        STABLEHLO,
        "stablehlo.gather",
        "StableHLO's interpreter, from the source program",
    ),
    "onnx": (ONNX, "onnx.Gather", f"onnx's reference evaluator{SOURCE}"),
    "torch": (TORCH, "aten.index_select", f"Torch{SOURCE}"),
    "tosa": (TOSA, "tosa.gather", "the reference"),
    "tcp": (TCP, "tcp.gather", "the reference"),
    "dml": (DML, "dml.gather", "the reference"),
}


@pytest.fixture
def check(monkeypatch, capsys) -> Callable[[Path], tuple[int, list[str]]]:
    monkeypatch.setenv("MLIR_GS_CACHE", "off")

    def run(path: Path) -> tuple[int, list[str]]:
        code = driver.run([str(path), "--check", "--threads=1", "--quiet", "--size=5"])
        lines = capsys.readouterr().out.splitlines()
        return code, [line for line in lines if line.startswith("check:")]

    return run


@pytest.mark.parametrize("language", CASES)
def test_a_right_import(language: str, check, tmp_path: Path) -> None:
    who = CASES[language][2]
    assert check(written(language, tmp_path)) == (0, [f"check: equal to {who} (1 result)"])


@pytest.mark.parametrize("language", CASES)
def test_a_planted_fault(language: str, check, tmp_path: Path, monkeypatch) -> None:
    front: FrontEnd = CASES[language][0]
    name = CASES[language][1]
    right = front.conversions[name]

    def wrong(op: Any) -> Any:
        found = right.rewrite(op)
        if not all(isinstance(value.type, ir.RankedTensorType) for value in found):
            return [ir.Operation.create("torch.aten.neg", [v.type], [v]).result for v in found]
        return [arith.addf(value, value) for value in found]

    monkeypatch.setitem(front.conversions, name, replace(right, rewrite=wrong))
    code, lines = check(written(language, tmp_path))
    assert code == 1
    assert lines[0].startswith("check: result 0: ")


def test_what_nobody_else_runs_is_said(check, tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(
        "func.func @main(%x: !torch.vtensor<[5],f32>) -> !torch.vtensor<[5],f32> {\n"
        "  %r = torch.aten.neg %x : !torch.vtensor<[5],f32> -> !torch.vtensor<[5],f32>\n"
        "  return %r : !torch.vtensor<[5],f32>\n}\n",
        encoding="utf-8",
    )
    code, lines = check(path)
    assert code == 0
    assert lines == [
        "check: the reference starts after the import: nothing else runs torch",
        "check: equal to the reference (1 result)",
    ]


def test_a_sum_of_any_order_is_rounded(tmp_path: Path, capsys: Any) -> None:
    """The reference adds in one order, the compiled loop in another that the flag allows."""
    path = tmp_path / "sum.mlir"
    path.write_text("""
func.func @main(%x: tensor<4x999xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = gs.generic (a, b) ins(%x[a, b]) outs(%o[a]) iterators(b = reduction)
      : (tensor<4x999xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%p: f32, %sum: f32):
    %t = arith.addf %sum, %p fastmath<reassoc> : f32
    gs.yield %t : f32
  }
  return %r : tensor<4xf32>
}""")
    assert driver.run([str(path), "--check", "--quiet"]) == 0
    assert "equal to the reference, up to rounding" in capsys.readouterr().out
