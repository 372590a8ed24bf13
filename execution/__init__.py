"""Running compiled functions: compilation, calls, threads."""

from mlir_gs.execution.compile import compile
from mlir_gs.execution.kernel import Kernel
from mlir_gs.execution.signature import CompileError

__all__ = ["CompileError", "Kernel", "compile"]
