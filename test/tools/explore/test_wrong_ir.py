"""What the page says of wrong IR and wrong passes: one sentence, at its place, in the words of the
source."""

import pytest
from mlir_gs.tools.explore.requests import Requests

GENERIC = """\
func.func @f(%x: tensor<5xf32>, %i: tensor<3xi64>, %o: tensor<3xf32>) -> tensor<3xf32> {
  %y = gs.generic (row) [k = %i[row]] ins(%x[k]) outs(%o[row])
      : (tensor<5xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return %y : tensor<3xf32>
}
"""
GATHER = """\
func.func @f(%x: tensor<5xi32>, %i: tensor<3x1xi64>) -> tensor<3xi32> {
  %0 = gs.gather %x[%i] gather_dims([0])
      : (tensor<5xi32>, tensor<3x1xi64>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
"""
TWO = "func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}\n"

# The text, what is put in the place of what, and what is said where.
TEXTS = {
    "a dim that there is not": (
        (GENERIC, "ins(%x[k])", "ins(%x[q])"),
        (2, 46, "'gs.generic' op has no dim or symbol 'q'; it has row, k"),
    ),
    "too few coordinates": (
        (GENERIC, "tensor<5xf32>", "tensor<5x2xf32>"),
        (2, 8, "'gs.generic' op map of '%x' must have 2 results, found (row)[k] -> (k)"),
    ),
    "another type yielded": (
        (GENERIC, "gs.yield %a : f32", "%c = arith.extf %a : f32 to f64\n    gs.yield %c : f64"),
        (2, 8, "'gs.generic' op body must yield (f32), found (f64)"),
    ),
    "coordinates of floats": (
        (GENERIC, "tensor<3xi64>", "tensor<3xf32>"),
        (2, 8, "operand '%i' must have index or integer elements (coordinates), found f32"),
    ),
    "another kind of loop": (
        (GENERIC, "outs(%o[row])", "outs(%o[row]) iterators(row = serial)"),
        (2, 8, "attribute 'iterator_types' must hold parallel, reduction, found \"serial\""),
    ),
    "a mode that there is not": (
        (GATHER, "gather_dims([0])", "gather_dims([0]) mode(wrap)"),
        (2, 8, 'must be one of promise_in_bounds, clip, fill, error, found "wrap"'),
    ),
    "a fill of another type": (
        (GATHER, "gather_dims([0])", "gather_dims([0]) mode(fill) fill_value(0.5)"),
        (2, 8, "attribute 'fill_value' must be a constant of type i32, found 5.000000e-01 : f64"),
    ),
    "an operand without a rank": (
        (GATHER, "tensor<5xi32>", "tensor<*xi32>"),
        (2, 8, "operand 'source' must be a ranked tensor, found tensor<*xi32>"),
    ),
    "a result of another size": (
        (GATHER, "-> tensor<3xi32> {", "-> tensor<4xi32> {"),
        (4, 3, "type of return operand 0 ('tensor<3xi32>') doesn't match function result type"),
    ),
    "a brace too few": ((GATHER, "i32>\n}\n", "i32>\n"), (4, 28, "expected operation name")),
}
PASSES = {
    "convert-gs-to-scf{threds=2}": "has no option 'threds'; did you mean 'threads'?",
    "convert-gs-to-scf{threads=two}": "option 'threads': expected int, found 'two'",
    "scf.for(gs-fuse)": "'gs-fuse' runs on the module: it cannot be nested in 'scf.for(...)'",
    "gs-choose-kernel": "which function? Name one as the entry: the module has f, g",
    "gs-fuse{": "missing closing '}' while processing pass options",
}


def said(text: str, *passes: str) -> tuple[int, int, str]:
    about = {"name": "a.mlir", "text": text, "passes": passes, "at": len(passes)}
    found = Requests(lambda _: None).answer({"do": "show", **about})
    (problem,) = found["problems"]
    assert (problem["kind"], problem["step"]) == ("error", len(passes))
    assert "\n" not in problem["text"]
    return problem["line"], problem["column"], problem["text"]


@pytest.mark.parametrize("name", TEXTS)
def test_a_wrong_text(name: str) -> None:
    (text, before, after), (line, column, expected) = TEXTS[name]
    found = said(text.replace(before, after))
    assert found[:2] == (line, column)
    assert expected in found[2]


@pytest.mark.parametrize("text", PASSES)
def test_a_wrong_pass(text: str) -> None:
    assert PASSES[text] in said(TWO, text)[2]


def test_locations_of_other_files_keep_no_op_from_its_place() -> None:
    elsewhere = '-> tensor<3xi32> loc(fused["m.py":7:1, callsite("f"("m.py":8:1) at "n.py":9:1)])'
    text = GATHER.replace("-> tensor<3xi32>\n", elsewhere + "\n") + '#loc = loc("m.py":1:1)\n'
    requests = Requests(lambda _: None)
    about = {"do": "show", "name": "a.mlir", "text": text, "passes": ["gs-generalize"], "at": 1}
    assert "problems" not in requests.answer(about)
    found = requests.answer({"do": "follow", "place": [2, 1]})
    assert found["place"] == (2, 8)
    assert [names["gs.generic"] for _, names in found["followed"][1:]] == [1]
