"""The editors' grammar and the Pygments lexer, on every .mlir file of the repository."""

import json
import re
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from mlir_gs.dialect.assembly import form
from mlir_gs.tools.editors.lexer import MlirLexer
from pygments import token

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "tools/editors/vscode"
FILES = [
    path
    for folder in ("dialect", "examples", "test", "benchmarks", "docs")
    for path in sorted((ROOT / folder).rglob("*.mlir"))
    # A corpus of damaged files has bytes that are no text.
    if "Output" not in path.parts and path.parent != ROOT / "test/fuzz/Inputs"
]


def tokens(text: str) -> list[tuple[token._TokenType, str]]:
    found = [(kind, word) for kind, word in MlirLexer().get_tokens(text) if word.strip()]
    return [(kind, word.strip()) for kind, word in found]


def test_no_file_has_what_is_unknown() -> None:
    assert len(FILES) > 200
    for path in FILES:
        text = path.read_bytes().decode("utf-8", "replace")
        wrong = [
            (text.count("\n", 0, place) + 1, word)
            for place, kind, word in MlirLexer().get_tokens_unprocessed(text)
            if kind is token.Error
        ]
        assert not wrong, (path, wrong[:3])


def test_ops_values_and_comments_are_found_in_all_files() -> None:
    """Against a plain reading: what stands before `(` or a value after `=` is an op."""
    ops = 0
    for path in FILES:
        for line in path.read_bytes().decode("utf-8", "replace").split("\n"):
            found = re.match(r'\s*(%[\w$]+(?::\d+)?) = ("?)([a-z_]+(?:\.\w+)+)\2 ?[(%]', line)
            if found is None or "//" in line:
                continue
            first, _, third = tokens(line)[:3]
            assert first == (token.Name.Variable, found[1])
            assert third == (token.Name.Function, f"{found[2]}{found[3]}{found[2]}")
            ops += 1
    assert ops > 1000


def test_words_are_what_they_are() -> None:
    text = """%y1, %z:2 = gs.generic (e) [r = %row[e, 0] mode(clip)] ins(%val[e] fill(0.5 : f32))
  outs(%y0[r]) unique {my.note = "a // b", n = 0x1F, d = dense<-1.5e-3> : tensor<0x?x4xf32>} // %no
  : (tensor<?xf32>, !torch.vtensor<[3],f32>, #map) -> vector<4xbf16> { ^bb0(%a: i32): "gs.yield"() }
func.func @f(%arg0: index) loc(unknown)
"""
    kinds = tokens(text)
    for kind, words in {
        token.Name.Variable: ["%y1", "%z:2", "%row", "%val", "%arg0"],
        token.Name.Function: ["gs.generic", '"gs.yield"', "func.func"],
        token.Keyword: ["mode", "ins", "outs", "fill", "unique", "dense", "loc"],
        token.Name.Attribute: ["r", "my.note", "n"],
        token.String.Double: ['"a // b"'],
        token.Number: ["0", "0.5", "0x1F", "1.5e-3", "0x", "?x", "4x"],
        token.Keyword.Type: ["f32", "tensor", "!torch.vtensor", "vector", "bf16", "i32", "index"],
        token.Comment.Single: ["// %no"],
        token.Name.Label: ["^bb0"],
        token.Name.Class: ["@f"],
        token.Name.Constant: ["#map"],
    }.items():
        for word in words:
            assert (kind, word) in kinds, word


@pytest.mark.parametrize("name", form.names())
def test_clauses_of_each_op_have_a_color(name: str) -> None:
    for clause in form.find(name).clauses.kinds:
        if not clause.endswith(("SegmentSizes", "_maps", "_types")):
            assert (token.Keyword, clause) in tokens(f"{name} %a {clause}(x)")


def test_the_extension_names_what_is_there() -> None:
    contributes = json.loads((FOLDER / "package.json").read_text())["contributes"]
    (grammar,), (language,) = contributes["grammars"], contributes["languages"]
    text = json.loads((FOLDER / grammar["path"]).read_text())
    assert text["scopeName"] == grammar["scopeName"]
    json.loads((FOLDER / language["configuration"]).read_text())


def test_pygments_finds_the_lexer() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (value,) = project["entry-points"]["pygments.lexers"].values()
    assert EntryPoint("mlir", value, "pygments.lexers").load() is MlirLexer
