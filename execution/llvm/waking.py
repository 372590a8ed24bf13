"""LLVM is set up by a thread of its own while the first kernel of a process is lowered.

The first engine of a process takes longer than others: LLVM makes its tables, and its code is paged
in. So a thread makes an engine of an empty function, and drops it again.
"""

from mlir_gs.execution.llvm.engine_thread import EngineThread, called_functions

_TEXT, _SYMBOL = b"llvm.func @f() { llvm.return }", b"f"


def start(address: int, level: int) -> EngineThread | None:
    """Begin, by the function `engine_thread.NAME` at an address; None where that cannot be."""
    if called_functions() is None:
        return None
    return EngineThread(address, _TEXT, _SYMBOL, level, keep=True, drop=True)
