"""Strings in generated code, and what it calls to raise errors."""

import re

DECLARATIONS = """
llvm.func @snprintf(!llvm.ptr, i64, !llvm.ptr, ...) -> i32
llvm.func @__gs_set_error(!llvm.ptr, !llvm.ptr)
"""

SET_ERROR = "llvm.call @__gs_set_error({}, {}) : (!llvm.ptr, !llvm.ptr) -> ()"
"""Sets the error of a call: its class and message, addresses of strings."""

_ODD = re.compile(rb'[^ -~]|["\\]')


def escaped(text: str) -> str:
    """`text` as the inside of an MLIR string literal."""
    return _ODD.sub(lambda found: b"\\%02X" % ord(found[0]), text.encode()).decode()


def string_global(name: str, text: str) -> str:
    """A private zero-terminated string constant."""
    return f'llvm.mlir.global internal constant @{name}("{escaped(text)}\\00")\n'
