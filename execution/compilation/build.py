"""From IR to machine code in this process."""

import mmap
from collections.abc import Sequence
from functools import partial
from typing import Any

from mlir_gs._forks import lock
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect._bindings import module as provider_module
from mlir_gs.execution.compilation import engine
from mlir_gs.execution.compilation.lower import choose, imported, lower, pipeline_text
from mlir_gs.execution.compilation.named_errors import naming_ops
from mlir_gs.execution.compilation.source import Contexts, copy_module, survivor
from mlir_gs.execution.disk import keeping
from mlir_gs.execution.generated import blocks
from mlir_gs.execution.generated.plan import KERNEL_PREFIX, Plan
from mlir_gs.execution.signature.signature import CompileError, Entry
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.lowering.ir.combiners import is_reassociative
from mlir_gs.lowering.passes.diagnostics import error_text

# MLIR imports these when it first meets an op of theirs, and every kernel has some: as part of the
# import, no first kernel waits for them.
for _name in (
    "bufferization",
    "builtin",
    "func",
    "linalg",
    "llvm",
    "math",
    "memref",
    "scf",
    "tensor",
    "ub",
    "vector",
):
    provider_module(f"dialects.{_name}")

_contexts = Contexts(uses=64)

_ROOM = 64 << 20
"""Bytes of address space that must be free before a kernel is compiled: where MLIR and LLVM find
none they end the process. A kernel keeps a few MiB."""


def module_text(source: Any) -> str:
    """The text of an `ir.Module`, with what its locations say. Raises CompileError."""
    with lock:
        return survivor(source).get_asm(enable_debug_info=True)


def build(
    source: Any,
    wanted: str | None,
    threads: int,
    donated: Sequence[int | str] = (),
    sanitize: bool = False,
    optimize: bool = True,
    target: str | None = None,
    *,
    strided: bool = False,
    keep_as: str | None = None,
) -> tuple[Entry, Any]:
    """What the function takes and gives, and itself, for C-contiguous arrays or for arrays of any
    strides; soon on the disk under the key `keep_as`. `source`: a text, a module, or what makes one
    in MLIR's current context. Raises CompileError, and MemoryError where little address space is
    left."""
    with lock:
        _find_room()
        module: Any
        if callable(source):
            with _contexts.current(), ir.Location.unknown():
                source = module = source()
        else:
            module = _contexts.parse(source) if isinstance(source, str) else copy_module(source)
        with module.context, ir.Location.unknown(), naming_ops(source):
            choose(module, wanted, donated)
            text = pipeline_text(strided, threads, optimize, sanitize, target)
            return _compiled(module, text, target, keep_as, source)


def is_ordered(source: str, wanted: str | None) -> bool:
    """Whether all sums of the function have the order of its loops. Raises CompileError."""
    with lock:
        module = _contexts.parse(source)
        with module.context, ir.Location.unknown(), naming_ops(source):
            return not any(map(is_reassociative, walk(imported(module, wanted).operation)))


def _find_room() -> None:
    try:
        mmap.mmap(-1, _ROOM).close()
    except OSError:
        raise MemoryError("there is no memory left to compile a kernel in") from None


def compile_native(text: str, names: Sequence[str]) -> dict[str, int]:
    """The addresses of functions of a module of the LLVM dialect."""
    with lock, _contexts.current():
        _find_room()
        return engine.compile_native(text, names)


def _compiled(
    module: Any, text: str, target: str | None, keep_as: str | None, source: Any
) -> tuple[Entry, Any]:
    found = lower(module, text, source=source)
    engine.tune_functions(module, found.ops.builds_vectors, found.ops.gathers, target)
    kernel = KERNEL_PREFIX + found.entry.name
    keep = keep_as is not None
    plan = Plan(found.entry)
    try:
        shared = engine.shared()
        threads = engine.threads_of(module, found.ops.names)
        machine, address = engine.load(module, kernel, threads, keep)
    except ir.MLIRError as error:
        raise CompileError(error_text(error)) from error
    if keep_as is not None:
        write = partial(engine.keep, machine, keep_as, found.entry, threads)
        keeping.put(keep_as, write)
    return found.entry, blocks.Function(shared, address, plan, machine)
