"""The shared code, in the LLVM dialect, by the names of its C files."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROUNDING = ("__truncsfbf2", "__truncdfbf2", "__truncdfhf2")
"""What LLVM calls where the CPU has no instruction, element by element."""

FOR_KERNELS = ("__gs_set_error", *ROUNDING)
"""What kernels call."""

NAMES = ("__gs_function", "__gs_check", "__gs_run", *FOR_KERNELS)
"""The functions of `text("support")` that others call."""

OPENMP = (
    "__gs_openmp_begin",
    *(f"__kmpc_{name}" for name in ("barrier", "fork_call", "for_static_fini")),
    *(f"__kmpc_{name}" for name in ("for_static_init_8u", "global_thread_num", "push_num_threads")),
)
"""The functions of `text("openmp")`."""

CALL = "__gs_call"
"""The function of `text("python")` that CPython calls."""

TABLE = "__gs_support"
"""The function that stores the addresses of functions, in their order, behind a pointer."""


@cache
def text(name: str) -> str:
    """The module of a C file."""
    return Path(__file__).with_name(f"{name}.llvm.mlir").read_text(encoding="utf-8")


def internal(name: str) -> str:
    """The functions of a C file as part of another module, which declares what they call."""
    chunks = f"\n{text(name)}".split("\nllvm.func @")[1:]
    return "".join(f"llvm.func internal @{one}\n" for one in chunks if one.rstrip().endswith("}"))


def table(names: Iterable[str]) -> str:
    """Text of the function `TABLE` for functions of these names."""
    stores = "".join(
        f"""
  %f{number} = llvm.mlir.addressof @{name} : !llvm.ptr
  %p{number} = llvm.getelementptr %table[{number}] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %f{number}, %p{number} : !llvm.ptr, !llvm.ptr"""
        for number, name in enumerate(names)
    )
    return f"llvm.func @{TABLE}(%table: !llvm.ptr) {{{stores}\n  llvm.return\n}}\n"
