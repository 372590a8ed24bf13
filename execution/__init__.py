"""Running compiled functions: compilation, calls, threads."""

from typing import TYPE_CHECKING, Any

from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.later import import_later
from mlir_gs.execution.signature.signature import CompileError, Parameter

if TYPE_CHECKING:
    from mlir_gs.execution.compilation.lower import generalized, imported, lowered
    from mlir_gs.execution.compilation.source import context_for, entry_name, find, public_names

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
    "lowered",
    "public_names",
]

# Where MLIR is needed, and so imported at the first use: a kernel from the disk needs none.
_LATER = {
    "context_for": "compilation.source",
    "entry_name": "compilation.source",
    "find": "compilation.source",
    "generalized": "compilation.lower",
    "imported": "compilation.lower",
    "lowered": "compilation.lower",
    "public_names": "compilation.source",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'mlir_gs.execution' has no attribute '{name}'")
    return getattr(import_later(_LATER[name]), name)
