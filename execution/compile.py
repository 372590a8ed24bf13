"""`compile`: from IR to a callable."""

import threading
from typing import Any

from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import engine
from mlir_gs.execution.kernel import Kernel, make_kernel
from mlir_gs.execution.lower import lower
from mlir_gs.execution.signature import CompileError
from mlir_gs.execution.wrapper import SYMBOL_PREFIX
from mlir_gs.lowering.diagnostics import error_text

_lock = threading.Lock()
"""Contexts are single-threaded, and one that a caller gave may serve several kernels."""


def compile(source: Any, entry: str | None = None, *, threads: int | None = None) -> Kernel:
    """Compile one function of a module for this machine.

    `source`: the text of a module, or an `ir.Module`, which is not changed; its ops may be of any
    level, from `gs` and upstream's ops on tensors to loops on memrefs. `entry`: the function, by
    default the only public one, or `main`. `threads`: at most so many, by default the CPUs of the
    process. A tensor argument is not written unless it is marked `bufferization.writable = true`.

    Raises CompileError with MLIR's diagnostics.
    """
    with _lock:
        module = parse(source) if isinstance(source, str) else _copy(source)
        with module.context, ir.Location.unknown():
            name = entry_name(module, entry)
            _expose(module, name)
            count = engine.default_threads() if threads is None else threads
            return _kernel(module, name, count)


def parse(text: str, filename: str | None = None) -> Any:
    """The module of a text, in a context of its own. Raises CompileError."""
    context = dialect.context()
    with context:
        try:
            if filename is not None:
                return ir.Module.parseFile(filename)
            return ir.Module.parse(text)
        except ir.MLIRError as error:
            raise CompileError(error_text(error)) from None


def _copy(source: Any) -> Any:
    operation = source.operation
    with operation.context, ir.Location.unknown():
        dialect.load(operation.context)
        module = ir.Module.create()
        for op in operation.regions[0].blocks[0].operations:
            module.body.append(op.operation.clone())
        for named in operation.attributes:
            module.operation.attributes[named.name] = named.attr
        return module


def functions(module: Any) -> list[Any]:
    """The functions with a body, in order."""
    return [
        op
        for op in module.body.operations
        if op.operation.name == "func.func" and len(op.regions[0].blocks) > 0
    ]


def entry_name(module: Any, wanted: str | None) -> str:
    """The function to run: `wanted`, the only public one, or `main`. Raises CompileError."""
    found = functions(module)
    names = [function.attributes["sym_name"].value for function in found]
    listed = f"the module has {', '.join(names)}" if names else "the module has none"
    if wanted is not None:
        if wanted not in names:
            raise CompileError(f"no function '{wanted}' with a body: {listed}")
        return wanted
    public = [n for n, f in zip(names, found, strict=True) if not _is_private(f)]
    if len(public) == 1:
        return public[0]
    if "main" in names:
        return "main"
    if not names:
        raise CompileError("the module has no function with a body")
    raise CompileError(f"which function? Name one as the entry: {listed}")


def _is_private(function: Any) -> bool:
    attributes = function.operation.attributes
    return "sym_visibility" in attributes and attributes["sym_visibility"].value != "public"


def _expose(module: Any, name: str) -> None:
    """Make `name` the only public symbol, so that the others can be inlined and dropped."""
    for op in module.body.operations:
        attributes = op.operation.attributes
        if op.operation.name != "func.func":
            continue
        if attributes["sym_name"].value == name:
            if "sym_visibility" in attributes:
                del attributes["sym_visibility"]
        else:
            attributes["sym_visibility"] = ir.StringAttr.get("private")


def _kernel(module: Any, name: str, threads: int) -> Kernel:
    source = _copy(module)

    def build(strided: bool) -> tuple[Any, Any]:
        lowered = _copy(source)
        entry, parallel = lower(lowered, name, strided, threads)
        engine.tune_functions(lowered)
        try:
            function = engine.load(lowered, SYMBOL_PREFIX + name, parallel)
        except ir.MLIRError as error:
            raise CompileError(error_text(error)) from error
        return entry, function

    def make_strided() -> Any:
        with _lock, source.context, ir.Location.unknown():
            return build(strided=True)[1]

    entry, function = build(strided=False)
    return make_kernel(entry, function, make_strided)
