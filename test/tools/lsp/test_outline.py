"""What a file holds, where a value is named, its new name, and the layout of a text."""

import subprocess
import sys
from pathlib import Path

import mlir_gs
import pytest
from mlir_gs import dialect
from mlir_gs.tools.lsp.document import Document
from mlir_gs.tools.lsp.layout import laid_out

ROOT = Path(__file__).parents[3]
TEXT = """\
func.func @sums(%x: tensor<7xf32>, %ids: tensor<7xi64>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // %x is no use of it
  %r:2 = scf.if %c -> (i1, i1) { scf.yield %c, %c : i1, i1 } else { scf.yield %c, %c : i1, i1 }
  %0 = gs.generic (e) [r = %ids[e]] ins(%x[e]) outs(%y[r]) iterators(e = reduction)
      : (tensor<7xf32>, tensor<7xi64>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x_: f32, %old: f32):
    %s = arith.addf %old, %x_ : f32
    gs.yield %s : f32
  }
  return %0 : tensor<4xf32>
}
func.func @other(%x: i1) -> i1 {
  return %x : i1
}
""".replace("  %r", "  %c = arith.constant true\n  %r")


def lines(document: Document, line: str, name: str) -> list[int]:
    """The lines, from 1, that name the value called `name` in the line that begins so."""
    start = document.text.text.index(line)
    found = document.references(document.text.text.index(name, start))
    return [document.text.place(each.start)[0] + 1 for each in found]


def test_references_are_those_of_one_value() -> None:
    document = Document(TEXT)
    assert document.problems == []
    assert lines(document, "func.func @sums", "%x") == [1, 5]
    assert lines(document, "func.func @other", "%x") == [13, 14]
    assert lines(document, "    %s", "%old") == [7, 8]
    assert lines(document, "  %c", "%c") == [3, 4, 4, 4, 4, 4]
    assert document.references(0) == []


def test_a_value_is_renamed_and_no_other() -> None:
    document = Document(TEXT)
    offset = TEXT.index("%x[e]")
    found = document.rename(offset, "values")
    text = TEXT
    for token in reversed(found):
        text = text[: token.start] + "%values" + text[token.start + len(token.name) :]
    assert text.count("%values") == 2
    with dialect.context():
        assert mlir_gs.print(mlir_gs.parse(text)) == mlir_gs.print(mlir_gs.parse(TEXT))


@pytest.mark.parametrize(
    ("name", "said"),
    [("%y", "'%y' is another value, in line 1"), ("old", "in line 7"), ("a b", "no name")],
)
def test_a_name_that_is_taken_is_refused(name: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Document(TEXT).rename(TEXT.index("%x[e]"), name)


def test_symbols_hold_the_ops_in_them() -> None:
    document = Document(TEXT + "\n// -----\n\nmodule @m { func.func private @f() }\n")
    first, second, third = document.symbols()
    assert (first.name, first.op) == ("sums", "func.func")
    assert [each.op for each in first.inner] == ["gs.generic"]
    assert [each.op for each in first.inner[0].inner] == ["gs.yield"]
    assert TEXT[first.start : first.end].endswith("return %0 : tensor<4xf32>\n}")
    assert (second.name, second.inner) == ("other", [])
    assert (third.name, third.inner[0].name) == ("m", "f")


def test_a_layout_moves_blanks_only() -> None:
    untidy = "\n".join(line.strip() + "  " for line in TEXT.splitlines())
    tidy = laid_out(untidy)
    assert tidy.split() == TEXT.split()
    assert laid_out(tidy) == tidy
    assert "\n    %s = arith" in tidy
    assert "\n  ^bb0" in tidy
    assert laid_out(TEXT) == TEXT


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*/*.mlir")), ids=lambda p: p.name)
def test_what_is_laid_out_stays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert laid_out(text) == text


def test_ops_of_a_user_are_completed_and_shown() -> None:
    # In a process of its own: a dialect is registered for good.
    program = """
import toy_ops
from mlir_gs.tools.lsp.document import Document
from mlir_gs.tools.lsp.features import complete, hover
text = "  toy."
print([each.text for each in complete(Document(text), len(text))])
print([each.text for each in complete(Document("  %0 = toy.pick %a, %b "), 23)])
print(hover(Document("  toy.pick "), 4)[0])
"""
    folder = str(ROOT / "test" / "dialect")
    command = [sys.executable, "-c", f"import sys; sys.path.append({folder!r})\n{program}"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    ops, clauses, shown = found.stdout.split("\n", 2)
    assert "'toy.pick'" in ops
    assert "'mode'" in clauses
    assert "of a table of rank 2" in shown
