"""Machine code for this process: MLIR's execution engine, for the CPU it runs on."""

import ctypes
import errno
import os
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence, Set
from functools import cache
from pathlib import Path
from typing import Any, Literal

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect._bindings import module as provider_module
from mlir_gs.execution.compilation.source import make_internal
from mlir_gs.execution.disk import cache as disk
from mlir_gs.execution.disk import cached, storing
from mlir_gs.execution.environment import cache_folder
from mlir_gs.execution.generated import support, tvm
from mlir_gs.execution.llvm import translation
from mlir_gs.execution.machine import cpu, openmp, system
from mlir_gs.execution.machine.target_features import target_features
from mlir_gs.execution.signature.signature import CompileError, Entry
from mlir_gs.lowering.ir.builders import symbol, walk_named
from mlir_gs.lowering.llvm.lowered_ops import add_attributes, defined
from mlir_gs.lowering.op.volume import LINE

_execution_engine: Any = provider_module("execution_engine")

Threads = Literal["none", "llvm", "torch"]
"""Whose threads run a kernel: none, those of `openmp.runtime`, or of `openmp.torch_runtime`."""

OPT_LEVEL = 2
"""LLVM's, for kernels. Level 3 takes longer, and makes no faster loops of those at coordinates."""


def tune_functions(
    module: Any,
    builds_vectors: bool,
    gathers: bool = False,
    target: str | None = None,
) -> None:
    """Give every `llvm.func` with a body the features of `target_features`, if `builds_vectors`:
    LLVM might use what these features forbid; `gathers`: there are gathers, which LLVM would split
    into loads.

    Else functions stay as they are: LLVM sets up its tables for each set of features that it meets,
    and what the engine adds has none."""
    features = target_features(gathers, target)
    if features is None or not builds_vectors:
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
    return ctypes.CDLL(tvm.shared_library())


_OUTSIDE = {"TVMFFI": _tvm_library, "Py": lambda: ctypes.pythonapi}


def _register_outside(engine: Any, module: Any) -> None:
    """Let the code call what `module` declares of tvm-ffi and of CPython, without a search in their
    libraries."""
    for op in module.body.operations:
        name = symbol(op)
        for prefix, library in _OUTSIDE.items():
            if name.startswith(prefix):
                address = ctypes.cast(getattr(library(), name), ctypes.c_void_p).value
                _register(engine, {name: address or 0})


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


@cache
def _align_loops() -> None:
    """Let LLVM begin innermost loops at a cache line, where it can: short ones that cross a line
    take half as long again on some CPUs, and where they lie is chance. MLIR has no attribute for
    it, and LLVM takes it for a process; an option that it does not know changes nothing."""
    option = f"-x86-experimental-pref-innermost-loop-alignment={LINE.bit_length() - 1}"
    for path in system.libraries():
        # LLVM is in the library of the C interface, the name of which is the provider's.
        parse = "CAPI" in path and getattr(ctypes.CDLL(path), "LLVMParseCommandLineOptions", None)
        if parse:
            parse(2, (ctypes.c_char_p * 2)(b"", option.encode()), None)


def _engine(module: Any, shared_libs: list[str], opt_level: int, keep: bool = False) -> Any:
    """An engine; `keep` it the code for `object_code`, which may then lie at any address."""
    _align_loops()
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
    _register_outside(engine, module)
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
        if symbol(function) not in support.ROUNDING:
            for name in ("no_inline", "optimize_none"):
                function.attributes[name] = ir.UnitAttr.get()


def compile_shared(text: str, names: Sequence[str]) -> dict[str, int]:
    """The addresses of functions that a module of the LLVM dialect defines, never freed. MLIR's
    current context is used."""
    with ir.Location.unknown():
        module = ir.Module.parse(text + support.table(names))
    make_internal(module, {support.TABLE})
    _optimize_nothing(module)
    engine = _engine(module, libraries(False), opt_level=0)
    # Not by this object: at exit, results may outlive it.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(engine))
    addresses = (ctypes.c_uint64 * len(names))()
    argument = ctypes.c_void_p(ctypes.addressof(addresses))
    packed = (ctypes.c_void_p * 1)(ctypes.addressof(argument))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.raw_lookup(support.TABLE))(packed)
    return dict(zip(names, addresses, strict=True))


def compile_native(text: str, names: Sequence[str]) -> dict[str, int]:
    """As `compile_shared`; the code is kept on the disk where code is."""
    try:
        if cached.enabled():
            _store(text, names)
    except Exception as error:
        # That something cannot be kept is no error of a call.
        disk.complain(cache_folder(), error)
    return cached.load_shared(text, names) or compile_shared(text, names)


@cache
def shared() -> dict[str, int]:
    """The addresses of the functions `support.NAMES`, from the disk if they are there, else
    compiled; never freed, as results may outlive every kernel. MLIR's current context is used."""
    text, names = support.text("support"), support.NAMES
    found = cached.load_shared(text, names) if cached.enabled() else None
    return found or compile_shared(text, names)


_ON_TORCH = {
    **dict.fromkeys(("omp.yield", "omp.terminator", "omp.barrier"), frozenset[str]()),
    "omp.parallel": frozenset({"operandSegmentSizes"}),
    "omp.wsloop": frozenset({"operandSegmentSizes", "nowait"}),
    "omp.loop_nest": frozenset({"collapse_num_loops"}),
}
"""The ops that call no more of OpenMP than generated/openmp.c has, and their attributes."""


def threads_of(module: Any, names: Set[str]) -> Threads:
    """On whose threads a module runs that has ops of these names."""
    if "omp.parallel" not in names:
        return "none"
    if openmp.torch_runtime() is None:
        return "llvm"
    regions = walk_named(module.operation, *(name for name in names if name.startswith("omp.")))
    return "torch" if all(map(_may_run_on_torch, regions)) else "llvm"


def _may_run_on_torch(op: Any) -> bool:
    if op.name not in _ON_TORCH or dict(op.attributes.items()).keys() - _ON_TORCH[op.name]:
        return False
    # A number of threads, or bounds. A condition would be another runtime's function.
    bits = 64 if op.name == "omp.loop_nest" else 32
    given = [] if op.name == "omp.yield" else op.operands
    return all(isinstance(o.type, ir.IntegerType) and o.type.width == bits for o in given)


@cache
def _on_torch() -> dict[str, int]:
    """The addresses of the functions `support.OPENMP`. MLIR's current context is used."""
    found = compile_native(support.text("openmp"), support.OPENMP)
    openmp.begin_on_torch(found)
    return found


def load(module: Any, name: str, threads: Threads, keep: bool = False) -> tuple[Any, int]:
    """Compile `module`, in the LLVM dialect; returns the engine and the address of its function
    `name`, which has an alias (`wrapper.alias_text`). `keep` the code for `keep`."""
    shared_libs = libraries(threads == "llvm")
    # Before LLVM looks for them: it prints a line for those that it does not find.
    if missing := _undefined(module, shared_libs):
        raise CompileError(f"it uses what nothing defines: {', '.join(missing)}")
    on_torch = _on_torch() if threads == "torch" else {}
    engine = _engine(module, shared_libs, OPT_LEVEL, keep)
    _register(engine, {name: shared()[name] for name in support.FOR_KERNELS} | on_torch)
    address = engine.raw_lookup(name)
    if not address:
        raise CompileError("LLVM's execution engine does not find its function")
    return engine, address


def _undefined(module: Any, shared_libs: Sequence[str] = ()) -> list[str]:
    """The functions and globals that a module uses, and neither it nor the process defines."""
    libraries = [ctypes.CDLL(path) for path in (None, *shared_libs)]
    found = []
    for op in module.body.operations:
        name = symbol(op)
        is_defined = "value" in op.attributes or any(region.blocks for region in op.regions)
        is_known = is_defined or name in support.NAMES or name.startswith(("llvm.", *_OUTSIDE))
        if name and not is_known:
            found += [] if any(hasattr(library, name) for library in libraries) else [name]
    text = str(module) if found else ""
    spelled = {one: re.escape(str(ir.FlatSymbolRefAttr.get(one, module.context))) for one in found}
    return [one for one in found if len(re.findall(rf"{spelled[one]}(?![\w.$-])", text)) > 1]


def _register(engine: Any, functions: Mapping[str, int]) -> None:
    """Let the code call functions at these addresses."""
    for name, address in functions.items():
        engine.raw_register_runtime(name, ctypes.c_void_p(address))


def keep(engine: Any, key: str, entry: Entry, threads: Threads) -> None:
    """Put the machine code of `load` on the disk under a key of `cached`."""
    runtime = openmp.runtime() if threads == "llvm" else None
    # The folder of MLIR's own libraries.
    provider = str(next(iter(provider_module("_mlir_libs").__path__)))
    with ir.Context():
        _store(support.text("support"), support.NAMES)
        _store(support.text("python"), (support.CALL,))
        if threads == "torch":
            # This process may have compiled the code before there was a folder.
            _store(support.text("openmp"), support.OPENMP)
            runtime = storing.place(cached.support_key(support.text("openmp")))
    text = support.text("support")
    storing.store(key, storing.Code(_dumped(engine), entry, text, provider, runtime))


def _store(text: str, names: Sequence[str]) -> None:
    """Put the functions of a module of the LLVM dialect on the disk, if they are not there."""
    if cached.has_support(text):
        return
    with ir.Location.unknown():
        module = ir.Module.parse(text)
    engine = _engine(module, libraries(False), opt_level=0, keep=True)
    storing.store_support(text, object_code(engine, names[0]), names)


def travelling_code(module: Any, name: str, parallel: bool) -> bytes:
    """The object of a module that is run elsewhere; `name` is a function of it."""
    engine = _engine(module, libraries(parallel), OPT_LEVEL, keep=True)
    # The program that it is linked to defines them, and its compiler's runtime conversions of f16.
    missing = [*_undefined(module, libraries(parallel)), "__extendhfsf2", "__truncsfhf2"]
    _register(engine, dict.fromkeys(missing, 1))
    return object_code(engine, name)
