"""Texts that MLIR reads are read, and what stands in a clause is its value."""

import re

import mlir_gs
import pytest
from mlir_gs import dialect
from mlir_gs.dialect import assembly

TYPES = "(tensor<3x4xf32>, tensor<4x4xf32>, tensor<3x1xi64>) -> tensor<4x4xf32>"
OP = "%r = gs.scatter %u into %t[%i] scatter_dims([0])"


def scatter(line: str, before: str = "") -> str:
    return f"""{before}func.func @f(%t: tensor<4x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>)
    -> tensor<4x4xf32> {{
  {line}
  return %r : tensor<4x4xf32>
}}"""


def generic(dim: str = "d", mode: str = "clip", fill: str = "") -> str:
    return f"""
func.func @g(%x: tensor<9xf32>, %i: tensor<?xi64>, %y: tensor<?xf32>) -> tensor<?xf32> {{
  %r = gs.generic ({dim}) [s = %i[{dim}] mode({mode})] ins(%x[s]{fill}) outs(%y[{dim}])
      : (tensor<9xf32>, tensor<?xi64>, tensor<?xf32>) -> tensor<?xf32> {{
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }}
  return %r : tensor<?xf32>
}}"""


def read(text: str) -> str:
    """The module that the text is, in the generic form."""
    with dialect.context():
        return mlir_gs.parse(text).operation.get_asm(print_generic_op_form=True)


NAMED = f'%r = "gs.scatter"(%u, %t, %i) ({{}}) {{scatter_dims = array<i64: 0>,NOTE}} : {TYPES}'
COMBINED = scatter(f"{OP} combine(add) : {TYPES}")
ALIASED = "({}, tensor<4x4xf32>, tensor<3x1xi64>) -> tensor<4x4xf32>"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (scatter(NAMED.replace("NOTE", "// c\n gs.note")), None),
        (scatter(NAMED.replace("NOTE", " " * 100 + "gs.note")), None),
        ("module attributes {a.b, // c\n gs.note} { }", None),
        ("module attributes {a.b = [{gs.x}, // c\n {gs.y}], gs.note } { }", None),
        (scatter(f"{OP} combine(add) : {TYPES}".replace("xf32", "x!e"), "!e = f32\n"), COMBINED),
        (scatter(f"{OP} combine(add) : {ALIASED.format('!u')}", "!u = tensor<3x // c\n 4xf32>\n"),
         COMBINED),
        (scatter(f"{OP} combine(add) : {ALIASED.format('!u')}", "!e = f32 !u = tensor<3x4x!e>\n"),
         COMBINED),
        (scatter(f"{OP} combine(add) : {ALIASED.format('!u-1')}", "!0 = f32 !u-1 =\n"
         "// !u-1 = i32\n tensor<3x4x!0>\n"), COMBINED),
        (scatter(f"{OP} mode( clip // c\n ) : {TYPES}"), scatter(f"{OP} mode(clip) : {TYPES}")),
        (scatter(f"{OP} {{ // no attribute\n }} : {TYPES}"), scatter(f"{OP} : {TYPES}")),
        (generic(mode=" clip "), generic()),
        (generic(mode="clip // clip\n"), generic()),
        (generic(mode=' "clip"\n'), generic()),
    ],
)  # fmt: skip
def test_is_read(text: str, same: str | None) -> None:
    found = read(text)
    if same is not None:
        assert found == read(same)


def test_resources_have_names_of_their_own() -> None:
    text = """func.func @f() -> tensor<2xf32> {
  %c = arith.constant dense_resource<gs.w> : tensor<2xf32>
  return %c : tensor<2xf32>
}
{-# dialect_resources: { builtin: { gs.w: "0x04000000000000000000803F" } } #-}"""
    assert "gs.w" in read(text)
    both = scatter(f"{OP} : {TYPES}") + text.replace("@f", "@g")
    assert b'gs.w: "0x04' in assembly.to_generic(both.encode()).text
    assert "gs.w" in read(both)


# `$` stands where the error is.
@pytest.mark.parametrize(
    ("marked", "message"),
    [
        (scatter(f'{OP} mode("clip"$, unique) : {TYPES}'), "expected one value of 'mode'"),
        (scatter(f"{OP} batch_dims(0 : i64$, sorted) : {TYPES}"), "expected one value of 'batch_"),
        (scatter(f"{OP} mode($ // c\n ) : {TYPES}"), "expected a value of 'mode'"),
        (generic(mode='"clip"$, "drop"'), "expected one value of 'mode'"),
        (generic(fill=" fill(1.0 : f32$, unit)"), "expected one value of 'fill'"),
        (generic("$symbol"), "'symbol' is a word of affine maps"),
        (generic("$\u00e9"), "expected the name of an iteration dim, found '\u00e9'"),
        (scatter(f"{OP} $\u4e2d : {TYPES}"), "expected ':' before the types, found '\u4e2d'"),
        ("func.func @f() { $gs.yield }", "'gs.yield' op expected operands"),
        ('func.func @f() { $"gs.yield"() : () -> () }', "'gs.yield' op expects 1 operand"),
    ],
)
def test_is_refused(marked: str, message: str) -> None:
    before = marked.partition("$")[0].split("\n")
    with pytest.raises(mlir_gs.ParseError, match=re.escape(message)) as error:
        read(marked.replace("$", ""))
    assert str(error.value).startswith(f"-:{len(before)}:{len(before[-1]) + 1}: error: ")


@pytest.mark.parametrize(
    ("element", "number", "typed"),
    [
        ("f32", "0.0", "0.000000e+00 : f32"),
        ("f32", "-2", "-2.000000e+00 : f32"),
        ("bf16", "1.5e2", "1.500000e+02 : bf16"),
        ("i8", "-1", "-1 : i8"),
        ("index", "7", "7 : index"),
        ("f16", "1.0 : f16", "1.000000e+00 : f16"),
        ("complex<f32>", "[1.0 : f32, 0.0 : f32]", "[1.000000e+00 : f32, 0.000000e+00 : f32]"),
    ],
)
def test_a_fill_value_has_the_type_of_the_elements(element: str, number: str, typed: str) -> None:
    types = f"(tensor<4x{element}>, tensor<3x1xi64>) -> tensor<3x{element}>"
    line = f"gs.gather %t[%i] gather_dims([0]) mode(fill) fill_value({number}) : {types}"
    text = f"""func.func @f(%t: tensor<4x{element}>, %i: tensor<3x1xi64>) -> tensor<3x{element}> {{
  %r = {line}
  return %r : tensor<3x{element}>
}}"""
    assert f"fill_value = {typed}" in read(text)


def test_each_fill_of_a_generic_has_the_type_of_its_input() -> None:
    text = """func.func @g(%x: tensor<9xf32>, %n: tensor<9xi8>, %i: tensor<5xi64>,
    %y: tensor<5xf16>) -> tensor<5xf16> {
  %r = gs.generic (k) [s = %i[k] mode(fill_or_drop)]
      ins(%x[s] fill(1), %n[s], %n[s] fill(2), %y[s] fill(0.5)) outs(%y[k])
      : (tensor<9xf32>, tensor<9xi8>, tensor<9xi8>, tensor<5xf16>, tensor<5xi64>, tensor<5xf16>)
      -> tensor<5xf16> {
  ^bb0(%a: f32, %b: i8, %c: i8, %d: f16, %e: f16):
    gs.yield %d : f16
  }
  return %r : tensor<5xf16>
}"""
    wanted = "[1.000000e+00 : f32, unit, 2 : i8, 5.000000e-01 : f16]"
    assert f"fill_values = {wanted}" in read(text)


def wrong(text: str) -> str:
    with dialect.context(), pytest.raises(mlir_gs.ParseError) as error:
        mlir_gs.parse(text, name="a.mlir")
    return str(error.value)


@pytest.mark.parametrize(
    ("op", "said"),
    [
        ("(i, k) [row = %at[i]] ins(%x[i, k]) outs(%y[row])", "iterator i must be reduction: "),
        ("(i, k) [row = %at[i]] ins(%x[i]) outs(%y[row])", "map of '%x' must have 2 results"),
        ("(i) [row = %at[i] mode(clip)] ins(%x[i, i]) outs(%y[i])", 'mode "clip" of row: '),
        ("(i, k) [row = %x[i, k]] ins(%x[i, row]) outs(%y[k])", "operand '%x' must have index or"),
        ("(i, k) ins(%x[i, k + 1]) outs(%y[i])", "dim k must be a plain result of some map"),
        ("(i) [row = %at[i]] ins(%x[i, row * 2]) outs(%y[i])", "factor 1, found row * 2"),
        ("(i) [row = %at[i] mode(clip)] ins(%x[i, 0]) outs(%y[i])", "of row: the symbol addresses"),
        ("(i) [row = %at[row]] ins(%x[i, row]) outs(%y[i])", "coordinate map of row must use"),
        ("(i) [row = %at[i]] ins(%x[i, row] fill(true)) outs(%y[i])", "entry of '%x' must be a"),
        ("(i) [row = %at[i]] ins(%x[i, row mod 2]) outs(%y[i])", "factor 1, found row mod 2"),
        ("(i) [d1 = %at[i]] ins(%x[i, d1 + i floordiv 0]) outs(%y[i])", "map of '%x'"),
    ],
)
def test_diagnostics_say_the_names_of_the_text(op: str, said: str) -> None:
    inputs = "tensor<7x4xf32>" + ", tensor<7xi32>" * ("[" in op.partition("ins")[0])
    inputs = inputs.replace("7xi32", "7x4xf32") if "= %x" in op else inputs
    text = f"""func.func @f(%x: tensor<7x4xf32>, %at: tensor<7xi32>, %y: tensor<7xf32>) {{
  // gs.generic (a, b)
  %r = gs.generic {op} : ({inputs}, tensor<7xf32>) -> tensor<7xf32> {{
  ^bb0(%a: f32, %b: f32):
    gs.yield %b : f32
  }}
  return
}}"""
    found = wrong(text)
    assert said in found
    assert found.startswith("a.mlir:3:8: error: 'gs.generic' op")
    assert "#" not in found
    assert "d0" not in found
