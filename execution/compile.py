"""`compile`: from IR to a callable."""

import threading
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import engine
from mlir_gs.execution.kernel import Kernel, make_kernel
from mlir_gs.execution.lower import import_ops, lower
from mlir_gs.execution.signature import CompileError
from mlir_gs.execution.source import copy_module, entry_name, expose, parse
from mlir_gs.execution.wrapper import SYMBOL_PREFIX
from mlir_gs.lowering.diagnostics import error_text

_lock = threading.Lock()
"""Contexts are single-threaded, and one that a caller gave may serve several kernels."""


def compile(source: Any, entry: str | None = None, *, threads: int | None = None) -> Kernel:
    """Compile one function of a module for this machine.

    `source`: the text of a module, or an `ir.Module`, which is not changed; its ops may be of any
    level, from source languages and `gs` on tensors to loops on memrefs. `entry`: the function, by
    default the only public one, or `main`. `threads`: at most so many, by default the CPUs of the
    process. A tensor argument is not written unless it is marked `bufferization.writable = true`.

    Raises CompileError with MLIR's diagnostics.
    """
    with _lock:
        module = parse(source) if isinstance(source, str) else copy_module(source)
        with module.context, ir.Location.unknown():
            name = entry_name(module, entry)
            expose(module, name)
            import_ops(module)
            return _kernel(module, name, engine.thread_count(threads))


def _kernel(module: Any, name: str, threads: int) -> Kernel:
    # A context is megabytes, and most kernels never meet a strided array: keep the text.
    text = module.operation.get_asm(enable_debug_info=True)

    def make_strided() -> Any:
        with _lock:
            again = parse(text)
            with again.context, ir.Location.unknown():
                return _build(again, name, True, threads)[1]

    entry, function = _build(module, name, False, threads)
    return make_kernel(entry, function, make_strided)


def _build(module: Any, name: str, strided: bool, threads: int) -> tuple[Any, Any]:
    entry, parallel = lower(module, name, strided, threads)
    engine.tune_functions(module)
    try:
        return entry, engine.load(module, SYMBOL_PREFIX + name, parallel)
    except ir.MLIRError as error:
        raise CompileError(error_text(error)) from error
