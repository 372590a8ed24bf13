"""Generated code behind the errors that compiled code raises: the texts, and the list of what has
to be freed.

`__gs_raise_<what>` sets an IndexError, or a ValueError for sizes, `__gs_assert` a RuntimeError.
Sites and messages are the module attributes `gs.sites` and `gs.assertions`, indexed by the calls'
first argument.
"""

from collections.abc import Sequence
from typing import Any

from mlir_gs.execution.generated.messages import string_global
from mlir_gs.execution.generated.text import words_global
from mlir_gs.lowering.checks.sites import (
    ASSERT,
    ASSERTIONS,
    NO_MEMORY,
    RAISE,
    VALUE_ERRORS,
    message_format,
)
from mlir_gs.lowering.checks.sites import ATTRIBUTE as SITES

_LIST = """
llvm.func internal @__gs_alloc(%head: !llvm.ptr, %size: i64) -> (!llvm.ptr {llvm.noalias})
    attributes {no_inline} {
  %whole = llvm.add %size, %c16 : i64
  %node = call @malloc(%whole)
  %is_null = llvm.icmp "eq" %node, %null : !llvm.ptr
  llvm.cond_br %is_null, ^none, ^link
^none:
  llvm.return %null : !llvm.ptr
^link:
  %next = load %head : ptr
  store %next, %node : ptr
  store %head, %node[8 x i8] : ptr
  store %node, %head : ptr
  %alone = llvm.icmp "eq" %next, %null : !llvm.ptr
  llvm.cond_br %alone, ^done, ^relink
^relink:
  store %node, %next[8 x i8] : ptr
  llvm.br ^done
^done:
  %memory = at %node[16 x i8]
  llvm.return %memory : !llvm.ptr
}
llvm.func internal @__gs_free(%memory: !llvm.ptr) attributes {no_inline} {
  %nothing = llvm.icmp "eq" %memory, %null : !llvm.ptr
  llvm.cond_br %nothing, ^end, ^unlink
^unlink:
  %node = at %memory[-16 x i8]
  %next = load %node : ptr
  %link = load %node[8 x i8] : ptr
  store %next, %link : ptr
  %last = llvm.icmp "eq" %next, %null : !llvm.ptr
  llvm.cond_br %last, ^release, ^relink
^relink:
  store %link, %next[8 x i8] : ptr
  llvm.br ^release
^release:
  call @free(%node)
  llvm.br ^end
^end:
  llvm.return
}
llvm.func internal @__gs_free_all(%head: !llvm.ptr) attributes {no_inline, cold} {
  %start = load %head : ptr
  llvm.br ^head(%start : !llvm.ptr)
^head(%node: !llvm.ptr):
  %end = llvm.icmp "eq" %node, %null : !llvm.ptr
  llvm.cond_br %end, ^done, ^body
^body:
  %next = load %node : ptr
  call @free(%node)
  llvm.br ^head(%next : !llvm.ptr)
^done:
  llvm.return
}
"""


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
  %start = load %starts[%site] : i64
  %text = at %blob[%start x i8]"""


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
  %buffer = llvm.alloca %c1024 x i8 : (i64) -> !llvm.ptr
  %format = llvm.mlir.addressof @{name}_format : !llvm.ptr
  %n = call @snprintf(%buffer, %c1024, %format, %text{values} : ptr{kinds})
  %kind = llvm.mlir.addressof @{_error_of(name)} : !llvm.ptr
  call @__gs_set_error(%kind, %buffer)
  llvm.return
}}
"""
    )


_ASSERT = f"""
llvm.func internal @{ASSERT}(%site: i64) attributes {{no_inline, cold}} {{{_pick("__gs_asserts")}
  call @__gs_set_error(@__gs_runtime_error, %text)
  llvm.return
}}
"""

NO_MEMORY_TEXT = (
    string_global("__gs_memory_error", "MemoryError")
    + string_global("__gs_memory_text", "what the function allocates for itself does not fit")
    + f"""
llvm.func internal @{NO_MEMORY}() attributes {{no_inline, cold}} {{
  call @__gs_set_error(@__gs_memory_error, @__gs_memory_text)
  llvm.return
}}
"""
)


def bodies_text(module: Any, tracked: bool) -> str:
    """LLVM dialect text of what the raise calls need; erases their declarations in `module`."""
    text = _LIST if tracked else ""
    for op in list(module.regions[0].blocks[0].operations):
        name = op.operation.attributes["sym_name"].value if "sym_name" in op.attributes else ""
        if name == NO_MEMORY:
            op.operation.erase()
        elif name.startswith(RAISE) or name == ASSERT:
            op.operation.erase()
            text += _ASSERT if name == ASSERT else _raise_text(name)
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
