"""Machine code for this process: MLIR's execution engine, for the CPU it runs on."""

import ctypes
import errno
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mlir_gs._forks import lock
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect._bindings import module as provider_module
from mlir_gs.execution.compilation.source import make_internal
from mlir_gs.execution.disk import cache as disk
from mlir_gs.execution.disk import cached
from mlir_gs.execution.environment import cache_folder
from mlir_gs.execution.generated import support
from mlir_gs.execution.generated.blocks import NAMES
from mlir_gs.execution.generated.calling import LATER, TABLE
from mlir_gs.execution.generated.short import expand
from mlir_gs.execution.generated.tvm import tvm_ffi
from mlir_gs.execution.llvm import translation
from mlir_gs.execution.machine import cpu, openmp
from mlir_gs.execution.machine.target_features import target_features
from mlir_gs.execution.signature.signature import CompileError, Entry
from mlir_gs.execution.switches import is_on
from mlir_gs.lowering.llvm.gs_load_halves import load_halves_as_integers
from mlir_gs.lowering.llvm.lowered_ops import add_attributes, defined, symbol

_execution_engine: Any = provider_module("execution_engine")

OPT_LEVEL = 2
"""LLVM's, for kernels. Level 3 takes longer, and makes no faster loops of those at coordinates."""


def tune_functions(
    module: Any,
    halves: bool,
    builds_vectors: bool,
    gathers: bool = False,
    target: str | None = None,
) -> None:
    """Give every `llvm.func` with a body the features of `target_features`; `halves`: some read
    single f16 elements; `builds_vectors`: LLVM might use what these features forbid;
    `gathers`: there are gathers, which LLVM would split into loads.

    Else functions stay as they are: LLVM sets up its tables for each set of features that it meets,
    and what the engine adds has none."""
    features = target_features(gathers, target)
    if features is None:
        return
    if halves and cpu.NO_HALVES in features and is_on("integer-halves"):
        load_halves_as_integers(module)
    if not builds_vectors:
        return
    pair = [ir.StringAttr.get("target-features"), ir.StringAttr.get(features)]
    for function in defined(module):
        add_attributes(function, [ir.ArrayAttr.get(pair)])


@cache
def libraries(parallel: bool) -> list[str]:
    """The shared libraries that a kernel needs, but for tvm-ffi's."""
    runtime = openmp.runtime() if parallel else None
    if runtime:
        openmp.load(runtime)
    return [runtime] if runtime else []


@cache
def _tvm_library() -> Any:
    return ctypes.CDLL(str(tvm_ffi.libinfo.find_libtvm_ffi()))


def _register_tvm(engine: Any, module: Any) -> None:
    """Let the code call what `module` declares of tvm-ffi, without a search in its library."""
    for op in module.body.operations:
        name = symbol(op)
        if name.startswith("TVMFFI"):
            address = ctypes.cast(getattr(_tvm_library(), name), ctypes.c_void_p)
            engine.raw_register_runtime(name, address)


_TEXT = ".ltext" if cpu.is_x86() else ".text"
"""Where LLVM's engine puts code that is not cold."""


def _put_in_one_section(module: Any) -> None:
    """Have all code of a module in one section. LLVM puts cold functions into another, which its
    loader may map far away. The range of addresses that it registers for the unwinder then spans
    other code, and the unwinders of GCC 13 and later free what they still use."""
    if not sys.platform.startswith("linux"):
        return
    section = ir.StringAttr.get(_TEXT, module.context)
    for function in defined(module):
        function.attributes["section"] = section


def _engine(module: Any, shared_libs: list[str], opt_level: int, keep: bool = False) -> Any:
    """An engine; `keep` it the code for `object_code`, which may then lie at any address."""
    _put_in_one_section(module)
    try:
        engine = _execution_engine.ExecutionEngine(
            module,
            opt_level=opt_level,
            shared_libs=shared_libs,
            enable_object_dump=keep,
            enable_pic=keep,
        )
    except RuntimeError as error:
        raise CompileError(translation.refusal(module) or str(error)) from error
    _register_tvm(engine, module)
    return engine


def object_code(engine: Any, name: str) -> bytes:
    """The machine code of an engine that keeps it, as an object; `name` is a function of it."""
    engine.raw_lookup(name)
    return _dumped(engine)


def _dumped(engine: Any) -> bytes:
    # LLVM ends the process where it cannot write, so the file is in memory where there are such.
    if not hasattr(os, "memfd_create"):
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / "kernel.o"
            engine.dump_to_object_file(str(path))
            return path.read_bytes()
    import resource

    if resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    with open(os.memfd_create("kernel.o"), "rb") as file:
        engine.dump_to_object_file(f"/proc/self/fd/{file.fileno()}")
        return file.read()


def _optimize_nothing(module: Any) -> None:
    """Level 0 of the engine leaves out passes on LLVM's IR, but not those of the code generator:
    they take longer than what runs once in a call ever saves."""
    for function in defined(module):
        for name in ("no_inline", "optimize_none"):
            function.attributes[name] = ir.UnitAttr.get()


def compile_shared(
    text: str, names: Sequence[str], calls: dict[str, int], once: bool = True
) -> dict[str, int]:
    """The addresses of functions that a module of the LLVM dialect defines, never freed; `calls`
    are addresses of those that it declares. `once`: a call of a kernel runs each once. MLIR's
    current context is used."""
    with ir.Location.unknown():
        module = ir.Module.parse(expand(text) + support.table(names))
    make_internal(module, {support.TABLE})
    if once:
        _optimize_nothing(module)
    engine = _engine(module, libraries(False), opt_level=0)
    _register(engine, calls)
    # Not by this object: at exit, results may outlive it.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(engine))
    addresses = (ctypes.c_uint64 * len(names))()
    argument = ctypes.c_void_p(ctypes.addressof(addresses))
    packed = (ctypes.c_void_p * 1)(ctypes.addressof(argument))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.raw_lookup(support.TABLE))(packed)
    return dict(zip(names, addresses, strict=True))


def compile_native(text: str, names: Sequence[str], calls: dict[str, int]) -> dict[str, int]:
    """As `compile_shared`; the code is kept on the disk where code is."""
    try:
        if cached.enabled() and not cached.has_support(text):
            with ir.Location.unknown():
                module = ir.Module.parse(expand(text))
            engine = _engine(module, libraries(False), opt_level=0, keep=True)
            _register(engine, calls)
            cached.store_support(text, object_code(engine, names[0]), names)
    except Exception as error:
        # That something cannot be kept is no error of a call.
        disk.complain(cache_folder(), error)
    return cached.load_shared(text, names) or compile_shared(text, names, calls)


class _Support:
    """The machine code that all kernels share, never freed: results may outlive every kernel."""

    def __init__(self) -> None:
        self._functions: dict[str, int] = {}
        self._kept: list[Any] = []
        self._looked_on_disk = self._is_from_disk = False
        self._table = (ctypes.c_void_p * len(LATER))()
        """Code from the disk has these functions in itself, and no table."""

    def functions(self, names: Iterable[str]) -> dict[str, int]:
        """The addresses of functions of `support`, from the disk if they are there, else
        compiled if they are not yet. MLIR's current context is used."""
        wanted = set(names)
        if not wanted <= set(self._functions):
            self._look_on_disk()
        for piece in support.PIECES:
            if wanted & set(piece.names) - set(self._functions):
                calls = {name: self._later(name) for name in piece.calls}
                if piece is support.CALLS:
                    calls[TABLE] = ctypes.addressof(self._table)
                self._functions |= self._compiled(piece, calls)
        return {name: self._functions[name] for name in wanted}

    def _look_on_disk(self) -> None:
        if not self._looked_on_disk:
            self._looked_on_disk = True
            on_disk = cached.enabled() and cached.load_shared(support.TEXT, support.NAMES)
            self._functions |= on_disk or {}
            self._is_from_disk = bool(on_disk)

    def calling(self, later: set[str]) -> dict[str, int]:
        """The functions `blocks.NAMES`, where they have need of the functions `later`."""
        found = self.functions(NAMES)
        if later and not self._is_from_disk:
            for name, address in self.functions(later).items():
                self._table[LATER.index(name)] = address
        return found

    def _compiled(self, piece: support.Piece, calls: dict[str, int]) -> dict[str, int]:
        # LLVM calls those that round for each element.
        once = piece is not support.ROUNDING
        return compile_shared(piece.text, piece.names, calls, once)

    def _later(self, name: str) -> int:
        """A pointer to a function of `support.MESSAGES` that compiles it when it is first called:
        most processes see no error."""
        kind = _MESSAGE_TYPES[name]

        def call(*arguments: Any) -> Any:
            return kind(self._message(name))(*arguments)

        function = kind(call)
        self._kept.append(function)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(function))
        return ctypes.cast(function, ctypes.c_void_p).value or 0

    def _message(self, name: str) -> int:
        with lock:
            if name not in self._functions:
                with ir.Context():
                    self._functions |= self._compiled(support.MESSAGES, {})
        return self._functions[name]


_POINTER = ctypes.c_void_p
_MESSAGE_TYPES = {
    "__gs_fail": ctypes.CFUNCTYPE(ctypes.c_int32, *[_POINTER] * 4),
    "__gs_describe": ctypes.CFUNCTYPE(None, _POINTER, _POINTER, ctypes.c_int64),
    "__gs_miscount": ctypes.CFUNCTYPE(ctypes.c_int32, _POINTER, ctypes.c_int32),
    "__gs_set_error": ctypes.CFUNCTYPE(None, _POINTER, _POINTER),
}


@cache
def _support() -> _Support:
    return _Support()


def load(
    module: Any, name: str, parallel: bool, rounds: bool, keep: bool = False
) -> tuple[Any, int]:
    """Compile `module`, in the LLVM dialect; returns the engine and the address of its function
    `name`, which has an alias (`wrapper.alias_text`).

    `rounds`: it may round floats to 16 bits. `keep` the code for `keep`.
    """
    engine = _engine(module, libraries(parallel), OPT_LEVEL, keep)
    if rounds:
        _register(engine, _support().functions(support.ROUNDING.names))
    address = engine.raw_lookup(name)
    if not address:
        raise RuntimeError(f"the compiled module has no function {name}")
    return engine, address


def _register(engine: Any, functions: Mapping[str, int]) -> None:
    """Let the code call functions at these addresses."""
    for name, address in functions.items():
        engine.raw_register_runtime(name, ctypes.c_void_p(address))


def calling(later: Iterable[str]) -> dict[str, int]:
    """The addresses of the functions that call kernels, among them such as take the functions
    `later` of `calling`. MLIR's current context is used."""
    return _support().calling(set(later))


def keep(engine: Any, key: str, entry: Entry, parallel: bool) -> None:
    """Put the machine code of `load` on the disk under a key of `cached`."""
    runtime = openmp.runtime() if parallel else None
    # The folder of MLIR's own libraries.
    provider = str(next(iter(provider_module("_mlir_libs").__path__)))
    if not cached.has_support(support.TEXT):
        with ir.Context():
            cached.store_support(support.TEXT, _support_code(), support.NAMES)
    cached.store(key, cached.Code(_dumped(engine), entry, support.TEXT, provider, runtime))


def _support_code() -> bytes:
    """The functions of `support` as one object."""
    with ir.Location.unknown():
        module = ir.Module.parse(expand(support.TEXT))
    engine = _engine(module, libraries(False), opt_level=0, keep=True)
    return object_code(engine, support.ROUNDING.names[0])


def travelling_code(module: Any, name: str, parallel: bool) -> bytes:
    """The object of a module that is run elsewhere; `name` is a function of it."""
    return object_code(_engine(module, libraries(parallel), OPT_LEVEL, keep=True), name)
