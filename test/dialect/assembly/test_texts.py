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
