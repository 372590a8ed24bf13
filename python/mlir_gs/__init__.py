"""Gather and scatter for MLIR: the `gs` dialect, its lowering, and running it on the CPU.

`compile(text_or_module)` makes a function on arrays; `load(context)` puts the dialect into a
context of yours; `mlir_gs.dialect`, `.lowering`, `.frontend` and `.execution` hold the rest.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mlir_gs.dialect import context, load
    from mlir_gs.execution import CompileError, Kernel, compile
    from mlir_gs.lowering import run_pipeline

__version__ = "0.1.0"
__all__ = ["CompileError", "Kernel", "compile", "context", "load", "run_pipeline"]

# Where each export comes from. They are imported when first asked for: gs-opt needs no JIT.
_ROOMS = {
    "CompileError": "execution",
    "Kernel": "execution",
    "compile": "execution",
    "context": "dialect",
    "load": "dialect",
    "run_pipeline": "lowering",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'mlir_gs' has no attribute '{name}'")
    return getattr(importlib.import_module(f"mlir_gs.{_ROOMS[name]}"), name)
