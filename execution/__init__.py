"""Running compiled functions: compilation, calls, threads."""

from mlir_gs.execution.compile import compile
from mlir_gs.execution.kernel import Kernel
from mlir_gs.execution.lower import generalized, imported
from mlir_gs.execution.signature import CompileError, Parameter
from mlir_gs.execution.source import context_for, entry_name, find

__all__ = [
    "CompileError",
    "Kernel",
    "Parameter",
    "compile",
    "context_for",
    "entry_name",
    "find",
    "generalized",
    "imported",
]
