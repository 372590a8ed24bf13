"""Ops on which MLIR's parser ends the process are refused before, their neighbours are not."""

import pytest
from mlir_gs import CompileError, compile
from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.passes.fatal_forms import fatal_form

UNARY = ("exp", "log", "abs", "ceil", "floor", "negf", "reciprocal", "round", "sqrt", "rsqrt",
         "square", "tanh", "erf")  # fmt: skip
BINARY = ("add", "sub", "mul", "div", "div_unsigned", "max_signed", "min_signed", "max_unsigned",
          "min_unsigned", "powf")  # fmt: skip
ELEMENTS = ("f32", "bf16", "f8E5M2", "i32", "i1", "index", "complex<f32>", "vector<2xf32>")


def elementwise(kind: str, *types: str, first: str = "", name: str = "") -> str:
    """linalg.elementwise of these types, of which the last is the result's."""
    given = ", ".join(f"%a{n}: {type_}" for n, type_ in enumerate(types[:-1]))
    operands = ", ".join(f"%a{n}" for n in range(len(types) - 1))
    return f"""{first}
func.func @main({given}, %e: {types[-1]}) -> {types[-1]} {{
  %r = linalg.elementwise kind=#linalg.elementwise_kind<{kind}>
    ins({operands} : {", ".join(types[:-1])}) outs(%e : {types[-1]}) -> {types[-1]}
  return %r : {types[-1]}
}}
"""


def transpose(types: str, order: str) -> str:
    return f"""func.func @main(%a: {types}, %e: {types}) -> {types} {{
  // permutation = [0]
  %r = linalg.transpose ins(%a : {types}) outs(%e : {types})
    permutation = {order}
  return %r : {types}
}}
"""


# Were one let through that MLIR does not survive, this process would end.
@pytest.mark.parametrize("kind", [*UNARY, *BINARY, "select"])
def test_what_is_let_through_is_parsed(kind: str) -> None:
    taken = 0
    with context() as holder, ir.Location.unknown():
        for element in ELEMENTS:
            for other in (element, "i32"):
                inner = f"tensor<?x{element}>"
                ins = [inner] if kind in UNARY else [inner, f"tensor<?x{other}>"]
                ins = ["tensor<?xi1>", *ins] if kind == "select" else ins
                text = elementwise(kind, *ins, inner)
                if fatal_form(text.encode()):
                    continue
                try:
                    ir.Module.parse(text, holder)
                except ir.MLIRError:
                    continue
                taken += 1
    assert taken >= 1


@pytest.mark.parametrize(
    ("kind", "types", "first"),
    [
        ("add", ("tensor<3xf32>",) * 3, ""),
        ("max_signed", ("tensor<?x2xi8>",) * 3, ""),
        ("div", ("memref<2xcomplex<f32>, strided<[1], offset: ?>>",) * 3, ""),
        ("abs", ("!t", "!t"), "!t = tensor<3xf32>"),
        ("abs", ("!u", "tensor<3xf32>"), "!t = tensor<3xf32>\n!u = !t"),
        ("abs", ("tensor<3x!e>", "tensor<3x!e>"), "!e = f32"),
        ("select", ("tensor<i1>", "tensor<index>", "tensor<index>", "tensor<index>"), ""),
    ],
)
def test_is_taken(kind: str, types: tuple[str, ...], first: str) -> None:
    assert fatal_form(elementwise(kind, *types, first=first).encode()) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (elementwise("abs", "tensor<3xi32>", "tensor<3xi32>"), "takes no elements of i32"),
        (elementwise("abs", "!t", "!t", first="!t = tensor<3xi32>"), "no elements of i32"),
        (elementwise("abs", "tensor<!e>", "tensor<!e>", first="!e = i8"), "elements of i8"),
        (elementwise("add", *("tensor<3xindex>",) * 3), "takes no elements of index"),
        (elementwise("add", "tensor<i8>", "tensor<f32>", "tensor<i8>"), "elements of i8, f32"),
        (elementwise("exp", *("tensor<3x!llvm.ptr>",) * 2), "takes no elements of"),
        (transpose("tensor<f32>", "[]"), "'linalg.transpose' op of rank 0"),
        (transpose("tensor<i1>", "[ ]"), "'linalg.transpose' op of rank 0"),
        (
            'func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %r = "linalg.transpose"(%a, %a) '
            "<{permutation = array<i64>}> ({\n  ^bb0(%x: f32, %y: f32):\n    linalg.yield %x : f32"
            "\n  }) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n  return %r : tensor<f32>\n}\n",
            "'linalg.transpose' op of rank 0",
        ),
    ],
)
def test_is_refused_by_the_library(text: str, message: str) -> None:
    with pytest.raises(CompileError, match=message) as caught:
        compile(text)
    assert str(caught.value).startswith("-:")


def test_transpose_of_other_ranks() -> None:
    assert fatal_form(transpose("tensor<2xf32>", "[0]").encode()) is None
    assert fatal_form(b'// linalg.transpose permutation = []\n"linalg.elementwise"') is None


@pytest.mark.parametrize(
    "text",
    [
        "%r = tensor.expand_shape %a [[0, 1], []] output_shape [1, %n]",
        "%r = tensor.expand_shape %a#1 // [\n [ [ ], [0]]",
        '%r = "tensor.expand_shape"(%a, %n) <{reassociation = [[0 : i64, 1], []]',
        '#e = [] \n#b = [[0, 1], // x\n#e]\n"tensor.expand_shape"(%a) {reassociation // y\n = #b',
        '#e = [ // x\n]\n#f = #e\n"tensor.expand_shape"(%a) <{"reassociation" = [[0], #f]}>',
        "#e = []\n%r = tensor.expand_shape %a[#e, [0]] output_shape [1]",
    ],
)
def test_expand_shape_with_a_group_of_no_dims(text: str) -> None:
    found = fatal_form(text.encode())
    assert found is not None
    assert found[1] == "'tensor.expand_shape' op has a group of no dims"


@pytest.mark.parametrize(
    "text",
    [
        "%r = tensor.expand_shape %a [[0, 1], [2]] output_shape [1, %n, 2]",
        "%r = tensor.expand_shape %a [] output_shape [1]",
        "// tensor.expand_shape %a [[0], []]",
        '"tensor.expand_shape"(%a) <{reassociation = [[0, 1]], static = []}',
        '#e = []\n#o = [0]\n"tensor.expand_shape"(%a) <{reassociation = [#o, [1]], x = [#e]}',
        '"tensor.expand_shape"(%a) <{reassociation = [[0]]}> "x.y"(%a) {reassociation = [[]]}',
    ],
)
def test_expand_shape_of_other_groups(text: str) -> None:
    assert fatal_form(text.encode()) is None
