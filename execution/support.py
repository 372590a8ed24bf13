"""The generated code that all kernels share, compiled once in a process."""

import re

from mlir_gs.execution import checks, handover, libcalls, messages, scalar_checks

CALLED = (
    *("__gs_tensor", "__gs_int", "__gs_float", "__gs_apart", "__gs_count"),
    *("__gs_own", "__gs_list"),
)
"""The functions that kernels call."""

EXPORTED = (*CALLED, *libcalls.NAMES)
"""Those, and what LLVM calls where the CPU has no instruction."""

TABLE = "__gs_support"
"""The function that stores their addresses, in that order, behind a pointer."""


def _declaration(body: str, name: str) -> str:
    found = re.search(rf"@{name}\(([^)]*)\) -> i32", body)
    if found is None:
        raise ValueError(f"no function {name}")
    types = ", ".join(parameter.split(":")[1].strip() for parameter in found[1].split(","))
    return f"llvm.func @{name}({types}) -> i32\n"


def _table() -> str:
    stores = "".join(
        f"""
  %f{number} = llvm.mlir.addressof @{name} : !llvm.ptr
  %p{number} = llvm.getelementptr %table[{number}] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %f{number}, %p{number} : !llvm.ptr, !llvm.ptr"""
        for number, name in enumerate(EXPORTED)
    )
    return f"llvm.func @{TABLE}(%table: !llvm.ptr) {{{stores}\n  llvm.return\n}}\n"


_BODIES = messages.TEXT + checks.TEXT + scalar_checks.TEXT + handover.TEXT
DECLARATIONS = "".join(_declaration(_BODIES, name) for name in CALLED)
"""What a kernel's module needs to call them."""

TEXT = _BODIES + libcalls.TEXT + _table()
"""The module that defines them."""
