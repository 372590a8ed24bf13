"""Generated code behind the errors that compiled code raises: the texts, and the list of what has
to be freed.

`__gs_raise_<what>` sets an IndexError, or a ValueError for sizes, `__gs_assert` a RuntimeError.
Sites and messages are the module attributes `gs.sites` and `gs.assertions`, indexed by the calls'
first argument.
"""

from collections.abc import Sequence
from typing import Any

from mlir_gs.execution.generated import support
from mlir_gs.execution.generated.messages import SET_ERROR, string_global
from mlir_gs.execution.generated.text import words_global
from mlir_gs.lowering.checks.sites import (
    ASSERT,
    ASSERTIONS,
    NO_MEMORY,
    RAISE,
    TRACKING,
    VALUE_ERRORS,
    message_format,
)
from mlir_gs.lowering.checks.sites import ATTRIBUTE as SITES


def _strings(name: str, texts: Sequence[str]) -> str:
    """Zero-terminated strings one after the other, and a table of where each starts."""
    blob = "".join(text.replace("\0", " ") + "\0" for text in texts)
    starts = [0]
    for text in texts[:-1]:
        starts.append(starts[-1] + len(text.encode()) + 1)
    return string_global(name, blob) + words_global(f"{name}_starts", starts)


def _pick(name: str) -> str:
    return f"""
  %blob = llvm.mlir.addressof @{name} : !llvm.ptr
  %starts = llvm.mlir.addressof @{name}_starts : !llvm.ptr
  %start_at = llvm.getelementptr %starts[%site] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %start = llvm.load %start_at : !llvm.ptr -> i64
  %text = llvm.getelementptr %blob[%start] : (!llvm.ptr, i64) -> !llvm.ptr, i8"""


def _error_of(name: str) -> str:
    """The global that holds what `name` raises."""
    kind = name.removeprefix(RAISE).split("_")[0]
    return "__gs_size_error" if kind in VALUE_ERRORS else "__gs_index_error"


def _raise_text(name: str) -> str:
    """The body of a function `__gs_raise_<what>`, for which `message_format` has words."""
    shown, order = message_format(name)
    values = "".join(f", %n{number}" for number in order)
    parameters = "".join(f", %n{number}: i64" for number in range(len(order)))
    kinds = ", i64" * len(order)
    return (
        string_global(f"{name}_format", f"%s: {shown}")
        + f"llvm.func internal @{name}(%site: i64{parameters})"
        + " attributes {no_inline, cold} {"
        + _pick("__gs_sites")
        + f"""
  %room = llvm.mlir.constant(1024 : i64) : i64
  %buffer = llvm.alloca %room x i8 : (i64) -> !llvm.ptr
  %format = llvm.mlir.addressof @{name}_format : !llvm.ptr
  %n = llvm.call @snprintf(%buffer, %room, %format, %text{values})
    vararg(!llvm.func<i32 (!llvm.ptr, i64, !llvm.ptr, ...)>)
    : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr{kinds}) -> i32
  %kind = llvm.mlir.addressof @{_error_of(name)} : !llvm.ptr
  {SET_ERROR.format("%kind", "%buffer")}
  llvm.return
}}
"""
    )


_ASSERT = f"""
llvm.func internal @{ASSERT}(%site: i64) attributes {{no_inline, cold}} {{{_pick("__gs_asserts")}
  %kind = llvm.mlir.addressof @__gs_runtime_error : !llvm.ptr
  {SET_ERROR.format("%kind", "%text")}
  llvm.return
}}
"""

NO_MEMORY_TEXT = (
    string_global("__gs_memory_error", "MemoryError")
    + string_global("__gs_memory_text", "what the function allocates for itself does not fit")
    + f"""
llvm.func internal @{NO_MEMORY}() attributes {{no_inline, cold}} {{
  %kind = llvm.mlir.addressof @__gs_memory_error : !llvm.ptr
  %text = llvm.mlir.addressof @__gs_memory_text : !llvm.ptr
  {SET_ERROR.format("%kind", "%text")}
  llvm.return
}}
"""
)


def bodies_text(module: Any) -> str:
    """LLVM dialect text of what the raise calls need; erases their declarations in `module`."""
    text, is_tracked = "", False
    for op in list(module.regions[0].blocks[0].operations):
        name = op.operation.attributes["sym_name"].value if "sym_name" in op.attributes else ""
        if name == NO_MEMORY or name in TRACKING:
            op.operation.erase()
            is_tracked |= name in TRACKING
        elif name.startswith(RAISE) or name == ASSERT:
            op.operation.erase()
            text += _ASSERT if name == ASSERT else _raise_text(name)
    if is_tracked:
        text += support.internal("memory")
    if RAISE in text:
        text += string_global("__gs_index_error", "IndexError")
        text += string_global("__gs_size_error", "ValueError")
        text += _strings("__gs_sites", _texts(module, SITES))
    if ASSERT in text:
        text += string_global("__gs_runtime_error", "RuntimeError")
        text += _strings("__gs_asserts", _texts(module, ASSERTIONS))
    return text


def _texts(module: Any, name: str) -> list[str]:
    if name not in module.attributes:
        return [""]
    return [attribute.value for attribute in module.attributes[name]] or [""]
