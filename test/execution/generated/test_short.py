"""The short spelling of shared code, against what it stands for."""

import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.generated import native_text, support
from mlir_gs.execution.generated.short import expand

HEAD = """
llvm.func @snprintf(!llvm.ptr, i64, !llvm.ptr, ...) -> i32
llvm.func @free(!llvm.ptr)
llvm.func @g(%a: i64, %b: !llvm.ptr) -> (!llvm.ptr {llvm.noalias}) attributes {no_inline} {
  llvm.return %b : !llvm.ptr
}
llvm.mlir.global internal constant @text("%d\\00")
llvm.func @f(%p: !llvm.ptr, %k: i64, %i: i32) {
"""
CONSTANTS = "store %c7, %p : i64\n  store %i70, %p : i32"
CONSTANTS += "\n  store %null, %p : ptr\n  store %true, %p : i1"
FORMS = {
    "%x = load %p[3] : i64": """
  %at = llvm.getelementptr %p[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %x = llvm.load %at : !llvm.ptr -> i64""",
    "%x = load %p : ptr": "%x = llvm.load %p : !llvm.ptr -> !llvm.ptr",
    "%x, %y = load %p[0] : ptr": """
  %x = llvm.load %p : !llvm.ptr -> !llvm.ptr
  %at = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %y = llvm.load %at : !llvm.ptr -> !llvm.ptr""",
    "%x = load %p[-20 x i8] : i32": """
  %at = llvm.getelementptr %p[-20] : (!llvm.ptr) -> !llvm.ptr, i8
  %x = llvm.load %at : !llvm.ptr -> i32""",
    "store %k, %p[%k] : i64": """
  %at = llvm.getelementptr %p[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %k, %at : i64, !llvm.ptr""",
    "%q = at %p[%k x any]": "%q = llvm.getelementptr %p[%k] "
    ": (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i64>",
    "%r = call @g(%k, @text)": """
  %t = llvm.mlir.addressof @text : !llvm.ptr
  %r = llvm.call @g(%k, %t) : (i64, !llvm.ptr) -> !llvm.ptr""",
    "call @free(%p)": "llvm.call @free(%p) : (!llvm.ptr) -> ()",
    "%n = call @snprintf(%p, %k, %p, %i, %p : i32, ptr)": """
  %n = llvm.call @snprintf(%p, %k, %p, %i, %p)
    vararg(!llvm.func<i32 (!llvm.ptr, i64, !llvm.ptr, ...)>)
    : (!llvm.ptr, i64, !llvm.ptr, i32, !llvm.ptr) -> i32""",
    CONSTANTS: """
  %c7 = llvm.mlir.constant(7 : i64) : i64
  %i70 = llvm.mlir.constant(70 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %true = llvm.mlir.constant(true) : i1
  llvm.store %c7, %p : i64, !llvm.ptr
  llvm.store %i70, %p : i32, !llvm.ptr
  llvm.store %null, %p : !llvm.ptr, !llvm.ptr
  llvm.store %true, %p : i1, !llvm.ptr""",
    "%c1 = llvm.mlir.constant(1 : i8) : i8\n  store %c1, %p : i8": """
  %c1 = llvm.mlir.constant(1 : i8) : i8
  llvm.store %c1, %p : i8, !llvm.ptr""",
}


def parsed(body: str) -> str:
    text = f"{HEAD}  {body}\n  llvm.return\n}}\n"
    with dialect.context(), ir.Location.unknown():
        return str(ir.Module.parse(expand(text)))


@pytest.mark.parametrize("short", FORMS)
def test_what_it_stands_for(short: str) -> None:
    assert parsed(short) == parsed(FORMS[short].strip())


def test_a_function_that_the_text_lacks() -> None:
    with pytest.raises(KeyError, match="malloc"):
        parsed("%x = call @malloc(%k)")


@pytest.mark.parametrize("text", [support.TEXT, native_text.TEXT], ids=["support", "native"])
def test_shared_code_is_mlir(text: str) -> None:
    with dialect.context(), ir.Location.unknown():
        module = ir.Module.parse(expand(text))
        assert module.operation.verify()
