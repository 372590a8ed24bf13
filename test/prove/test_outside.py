"""What a proof says of all that is outside of a function's text: other functions, callers, data."""

import pytest

pytest.importorskip("z3")

from mlir_gs.dialect import context
from mlir_gs.frontend.parse import parse
from mlir_gs.prove.prove import compared, prove

ONE = """func.func @f(%x: tensor<?xi32>) -> tensor<?xi32> {
  return %x : tensor<?xi32>
}
"""
OTHER = ONE.replace("@f", "@g")
STORED = """func.func @f() -> tensor<2xi32> {
  %r = arith.constant dense_resource<blob> : tensor<2xi32>
  return %r : tensor<2xi32>
}
{-# dialect_resources: { builtin: { blob: "0x040000000100000002000000" } } #-}
"""
OUTSIDE = """func.func private @h(tensor<?xi32>) -> tensor<?xi32>
func.func @f(%x: tensor<?xi32>) -> tensor<?xi32> {
  %r = func.call @h(%x) : (tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
"""


def _status(before: str, after: str, entry: str = "f") -> str:
    with context():
        return prove(parse(before), parse(after), entry, 1).status


def test_a_function_that_is_gone() -> None:
    assert _status(ONE + OTHER, ONE, "g") == "refuted"
    assert _status(ONE, ONE.replace("@f", "@renamed")) == "refuted"
    with context():
        assert compared(parse(ONE + OTHER), parse(ONE)) == ["f", "g"]


def test_a_private_function_may_go() -> None:
    with context():
        before = parse(ONE + OTHER.replace("func.func @", "func.func private @"))
        assert compared(before, parse(ONE)) == ["f"]


def test_a_function_that_has_no_body_afterwards() -> None:
    after = "func.func private @f(tensor<?xi32>) -> tensor<?xi32>\n"
    assert _status(ONE, after) == "unknown"


@pytest.mark.parametrize("promise", ["bufferization.writable = true", "llvm.noalias"])
def test_a_promise_of_the_caller_is_new(promise: str) -> None:
    promised = ONE.replace("%x: tensor<?xi32>", f"%x: tensor<?xi32> {{{promise}}}")
    assert _status(ONE, promised) == "unknown"
    assert _status(promised, ONE) == "proved"
    assert _status(promised, promised) == "proved"


@pytest.mark.parametrize(
    "said",
    ["-> (i8 {llvm.signext})", "-> i8 attributes {llvm.emit_c_interface}",
     "-> i8 attributes {llvm.cconv = #llvm.cconv<fastcc>}"],
)  # fmt: skip
def test_what_callers_were_told(said: str) -> None:
    plain = "func.func @f(%x: i8) -> i8 {\n  return %x : i8\n}\n"
    assert _status(plain.replace("-> i8", said), plain) == "unknown"
    assert _status(plain.replace("-> i8", said), plain.replace("-> i8", said)) == "proved"
    inreg = plain.replace("%x: i8", "%x: i8 {llvm.inreg}")
    assert _status(inreg, plain) == "unknown"


def test_arguments_of_other_types_may_share_memory() -> None:
    before = """func.func @f(%x: memref<1xf32>, %y: memref<1xi32>, %k: i32) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %k, %y[%c0] : memref<1xi32>
  %v = memref.load %x[%c0] : memref<1xf32>
  return %v : f32
}
"""
    lines = before.splitlines()
    lines[2:4] = lines[3:1:-1]
    with context():
        found = prove(parse(before), parse("\n".join(lines)), "f", 2)
    assert (found.status, found.reason) == ("proved", "for arguments that share no memory")


@pytest.mark.parametrize(
    "other",
    ["memref.global @g : memref<2xi32> = dense<1>", "llvm.func @g() -> i32",
     "module @g {\n  func.func @h() -> i32 {\n    %0 = arith.constant 1 : i32\n"
     "    return %0 : i32\n  }\n}"],
)  # fmt: skip
def test_what_is_no_function(other: str) -> None:
    changed = other.replace("1", "2").replace("g() -> i32", "g() -> i64")
    with context():
        before, same, after = (parse(ONE + each + "\n") for each in (other, other, changed))
        assert compared(before, same) == ["f"]
        assert compared(before, after) == ["f", "g"]
        assert prove(before, after, "g", 1).status == "unknown"
        assert compared(before, parse(ONE)) == ["f", "g"]


CALLS = """func.func private @g(%x: i32) -> i32 {
  return %x : i32
}
func.func private @h(%x: i32) -> i32 {
  return %x : i32
}
func.func @f(%x: i32) -> (i32, i32) {
  %r = func.call @g(%x) : (i32) -> i32
  %s = func.call @h(%x) : (i32) -> i32
  return %r, %s : i32, i32
}
"""


@pytest.mark.parametrize(
    ("old", "said"),
    [("(%x) :", "(%x) {arg_attrs = [{llvm.noundef}]} :"),
     ("(%x) :", "(%x) {res_attrs = [{llvm.noundef}]} :"),
     ("(%x) :", "(%x) {CConv = #llvm.cconv<fastcc>} :"),
     ("(%x: i32) -> i32", "(%x: i32) -> (i32 {llvm.noundef})")],
)  # fmt: skip
def test_what_is_said_of_another_call(old: str, said: str) -> None:
    before, after = (CALLS.replace(f"@{name}{old}", f"@{name}{said}") for name in "gh")
    assert before != CALLS != after
    assert _status(CALLS, before) == _status(before, after) == "unknown"
    assert _status(before, before) == _status(before, CALLS) == "proved"


@pytest.mark.parametrize(
    ("load", "status"), [("", "proved"), (" {alignment = 64 : i64}", "unknown")]
)
def test_alignment_of_a_global(load: str, status: str) -> None:
    before = f"""memref.global "private" constant @g : memref<4xf32> = dense<1.0> {{alignment = 64}}
func.func @f(%i: index) -> f32 {{
  %g = memref.get_global @g : memref<4xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %g[%c0]{load} : memref<4xf32>
  return %v : f32
}}
"""
    assert _status(before, before.replace("%c0", "%at")) == "proved"
    less = before.replace("alignment = 64}\n", "alignment = 4}\n")
    assert _status(before, less) == status
    shown = before.replace("-> f32", "-> memref<4xf32>").replace("%v : f32", "%g : memref<4xf32>")
    less = less.replace("-> f32", "-> memref<4xf32>").replace("%v : f32", "%g : memref<4xf32>")
    assert _status(shown, less) == "unknown"


@pytest.mark.parametrize(
    ("said", "module"),
    [("llvm.mlir.global_ctors ctors = [@init], priorities = [0 : i32], data = [#llvm.zero]", ""),
     ("", 'attributes {llvm.data_layout = "e-p:32:32"}')],
)  # fmt: skip
def test_what_a_module_says_without_a_name(said: str, module: str) -> None:
    init = "llvm.func @init() {\n  llvm.return\n}\n"
    plain, more = (f"module {a} {{\n{init}{ONE}{b}\n}}\n" for a, b in (("", ""), (module, said)))
    with context():
        one, other = parse(plain), parse(more)
        assert compared(one, other) == compared(other, one) == ["f", ""]
        assert compared(other, parse(more)) == ["f"]
        assert prove(one, other, "", 1).status == "unknown"


def test_memory_of_a_tensor_is_returned() -> None:
    before = """func.func @f(%x: tensor<4xf32>) -> memref<4xf32> {
  %a = bufferization.to_buffer %x : tensor<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return %b : memref<4xf32>
}
"""
    assert _status(before, before.replace("return %b", "return %a")) == "unknown"
    assert _status(before.replace("return %b", "return %a"), before) == "proved"


def test_an_argument_may_become_read_only() -> None:
    kept = ONE.replace("%x: tensor<?xi32>", "%x: tensor<?xi32> {bufferization.writable = false}")
    assert _status(ONE, kept) == "proved"


def test_data_that_text_refers_to() -> None:
    assert _status(STORED, STORED) == "proved"
    assert _status(STORED, STORED.replace("2000000", "3000000")) == "refuted"


def test_a_function_of_elsewhere() -> None:
    assert _status(OUTSIDE, OUTSIDE) == "proved"
    assert _status(OUTSIDE, OUTSIDE.replace("return %r", "return %x")) == "unknown"
    assert _status(OUTSIDE, OUTSIDE.replace("@h", "@k")) == "unknown"
