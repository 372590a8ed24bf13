"""--gs-picture: what is drawn is what the maps say."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import mlir_gs
import pytest
from mlir_gs.dialect import Gs
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.dialect.base import NAMED, drawn
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.tools import gs_opt
from mlir_gs.tools.docs.pictures import example, path_of
from mlir_gs.tools.picture import page
from mlir_gs.tools.picture.page import ops_svg

ROOT = Path(__file__).parents[3]
SVG = "{http://www.w3.org/2000/svg}"
OPS = [op for op in Gs.operations if path_of(op)]
FEW = """
func.func @f(%s: tensor<f32>, %x: tensor<0x1xi8>, %i: tensor<?x2xi64>, %z: tensor<2xi64>)
    -> tensor<?x?xf32> {
  %e = tensor.empty() : tensor<0xf32>
  %0 = gs.generic (a, b) [p = %z[0], q = %i[a + p, 0] mode(clip) wrap_negative]
      ins(%s[], %x[q, b] fill(3 : i8)) outs(%e[a]) iterators(b = reduction)
      : (tensor<f32>, tensor<0x1xi8>, tensor<2xi64>, tensor<?x2xi64>, tensor<0xf32>)
      -> tensor<0xf32> {
  ^bb0(%1: f32, %2: i8, %3: f32):
    gs.yield %1 : f32
  }
  %r = tensor.empty() : tensor<0x0xf32>
  %c = tensor.cast %r : tensor<0x0xf32> to tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
"""


def arrows(structure: Structure) -> int:
    """How many there are: from each symbol to where it addresses, and from inputs to outputs."""
    accesses = (*structure.coordinates, *structure.inputs, *structure.outputs)
    found = sum(len(symbols_of(expr)) for access in accesses for expr in access.map.results)
    return found + (len(structure.inputs) > 0)


def check(module, text: str) -> None:
    root = ElementTree.fromstring(text)
    paths = [each for each in root.iter(f"{SVG}path") if each.get("class") == "l"]
    rects = [each for each in root.iter(f"{SVG}rect")]
    lines, cells = 0, 1
    with module.context:
        for op in walk(module.operation):
            found = Structure.of(op.opview) if op.name == "gs.generic" else drawn(op)
            if found is not None:
                lines += arrows(found)
                cells += found.rank
                cells += sum(max(1, len(each.map.results)) for each in found.accesses)
    assert (len(paths), len(rects)) == (lines, cells)
    width, height = float(root.get("width")), float(root.get("height"))
    for each in rects:
        assert float(each.get("x")) + float(each.get("width")) <= width
        assert float(each.get("y")) + float(each.get("height")) <= height


def test_each_named_op_has_one() -> None:
    drawn_ops = {op.OPERATION_NAME for op in OPS}
    assert drawn_ops >= {"gs.generic", *(name for name in NAMED if name.startswith("gs."))}


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.OPERATION_NAME)
def test_the_picture_of_each_op_has_its_arrows_and_dims(op: type) -> None:
    module = example(op)
    text = ops_svg(module.operation)
    assert op.OPERATION_NAME in text
    check(module, text)


@pytest.mark.parametrize(
    "text",
    [FEW, "module {}", *((ROOT / f"examples/{n}.mlir").read_text() for n in ("sums", "rows"))],
    ids=["ranks and sizes of 0", "no op", "sums", "rows"],
)
def test_what_is_drawn_is_what_the_maps_say(text: str) -> None:
    module = mlir_gs.parse(text, name="a&<b>.mlir")
    check(module, ops_svg(module.operation))


def test_a_pipeline_is_shown_step_by_step(tmp_path: Path) -> None:
    made = tmp_path / "steps.html"
    passes = ["--gs-generalize", "--cse", "--canonicalize", "--gs-bufferize", "--convert-gs-to-scf"]
    file = str(ROOT / "examples/sums.mlir")
    assert gs_opt.main([file, *passes, f"--gs-picture={made}", "-o", str(tmp_path / "o.mlir")]) == 0
    text = made.read_text()
    titles = re.findall("<h2>(.*)</h2>", text)
    assert titles[:2] == [file, "gs-generalize"]
    assert titles[-1] == "convert-gs-to-scf"
    assert len(titles) >= 1 + len(passes)
    assert "<p>no change</p>" in text
    first, second, *_, last = text.split("<section>")[1:]
    assert "gs.scatter" in first
    assert "<svg" in second
    assert "scf" in last
    assert "<svg" not in last


def test_without_pygments_a_page_has_no_colors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "find_spec", lambda name: None)
    made = tmp_path / "steps.html"
    file = str(ROOT / "examples/sums.mlir")
    assert gs_opt.main([file, "--gs-generalize", f"--gs-picture={made}", "-o", "/dev/null"]) == 0
    assert "<pre>module {\n  func.func @" in made.read_text()
    assert "<svg" in made.read_text()


def test_a_picture_of_what_passes_leave(tmp_path: Path) -> None:
    drawn = tmp_path / "ops.svg"
    file = str(ROOT / "examples/sums.mlir")
    assert gs_opt.main([file, "--gs-generalize", f"--gs-picture={drawn}", "-o", "/dev/null"]) == 0
    assert "gs.generic" in drawn.read_text()
    assert f"{file}:4:8" in drawn.read_text()


def test_another_ending_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert gs_opt.main([str(ROOT / "examples/sums.mlir"), "--gs-picture=a.png"]) == 1
    expected = "gs-opt: for the --gs-picture option: expected .svg or .html, found 'a.png'\n"
    assert capsys.readouterr().err == expected
