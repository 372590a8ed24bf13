"""Running compiled functions: compilation, calls, threads."""

from typing import TYPE_CHECKING, Any

from mlir_gs.execution.compile import compile
from mlir_gs.execution.kernel import Kernel
from mlir_gs.execution.later import import_later
from mlir_gs.execution.signature import CompileError, Parameter

if TYPE_CHECKING:
    from mlir_gs.execution.lower import generalized, imported, lowered
    from mlir_gs.execution.source import context_for, entry_name, find, public_names

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

# Where MLIR is needed, and so imported when first asked for: a kernel from the disk needs none.
_LATER = {
    "context_for": "source",
    "entry_name": "source",
    "find": "source",
    "generalized": "lower",
    "imported": "lower",
    "lowered": "lower",
    "public_names": "source",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'mlir_gs.execution' has no attribute '{name}'")
    return getattr(import_later(_LATER[name]), name)
