"""Machine code for this process: MLIR's execution engine, for the CPU it runs on."""

import ctypes
import os
import platform
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import tvm_ffi
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect._bindings import module as provider_module
from mlir_gs.execution import openmp, support

OPT_LEVEL = 2
"""LLVM's, for kernels. Level 3 takes up to 10 ms longer, and no kernel that was tried ran faster:
element takes, row gathers, gather_elements, scatter-add of rows, histograms."""

_FEATURES = {
    "avx2": "avx2",
    "fma": "fma",
    "f16c": "f16c",
    "avx512f": "avx512f",
    "avx512bw": "avx512bw",
    "avx512dq": "avx512dq",
    "avx512vl": "avx512vl",
    "avx512cd": "avx512cd",
    "avx512_bf16": "avx512bf16",
    "avx512_fp16": "avx512fp16",
    "avx512_vp2intersect": "avx512vp2intersect",
    "amx_tile": "amx-tile",
}
"""CPU flags as Linux shows them to LLVM's names: what a virtual machine may hide from a CPU."""


@cache
def target_features() -> str | None:
    """LLVM's `target-features` for the functions of a kernel, None to leave them alone.

    Hardware gathers and scatters lose to scalar loads on the machines that were measured, and
    LLVM's vectorizer would form them. The attribute replaces what the engine found out about the
    CPU, so features that its name implies and the machine hides are taken away again.
    """
    if platform.machine() not in ("x86_64", "AMD64"):
        return None
    features = ["+prefer-no-gather", "+prefer-no-scatter"]
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ",".join(features)
    flags = next((set(line.split()) for line in lines if line.startswith("flags")), set())
    features += [f"-{name}" for flag, name in _FEATURES.items() if flag not in flags]
    return ",".join(features)


def tune_functions(module: Any) -> None:
    """Give every `llvm.func` with a body the features of `target_features`."""
    features = target_features()
    if features is None:
        return
    attribute = ir.ArrayAttr.get(
        [ir.ArrayAttr.get([ir.StringAttr.get("target-features"), ir.StringAttr.get(features)])]
    )
    for op in module.body.operations:
        if op.operation.name == "llvm.func" and len(op.operation.regions[0].blocks):
            op.operation.attributes["passthrough"] = attribute


@cache
def libraries(parallel: bool) -> list[str]:
    """The shared libraries that a kernel needs."""
    found = [str(tvm_ffi.libinfo.find_libtvm_ffi())]
    runtime = openmp.library() if parallel else None
    return [*found, runtime] if runtime else found


def thread_count(wanted: int | None) -> int:
    """Threads for a kernel: `wanted`, or the CPUs of this process; 1 without OpenMP."""
    if wanted == 1:
        return 1
    if openmp.library() is None:
        _warn_once()
        return 1
    return wanted or _cpus()


def _cpus() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _warn_once() -> None:
    warnings.warn(
        "no OpenMP runtime was found (pip install intel-openmp, or install libomp):"
        " kernels run on one thread",
        stacklevel=4,
    )


def _engine(module: Any, shared_libs: list[str], opt_level: int) -> Any:
    return provider_module("execution_engine").ExecutionEngine(
        module, opt_level=opt_level, shared_libs=shared_libs, enable_object_dump=False
    )


class _Support:
    """The machine code that all kernels share, never freed: results may outlive every kernel."""

    def __init__(self) -> None:
        context = dialect.context()
        with context, ir.Location.unknown():
            module = ir.Module.parse(support.TEXT)
            # Each function runs once in a call: optimizing takes longer than it ever saves.
            engine = _engine(module, libraries(False), opt_level=0)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(engine))
        addresses = (ctypes.c_uint64 * len(support.EXPORTED))()
        argument = ctypes.c_void_p(ctypes.addressof(addresses))
        packed = (ctypes.c_void_p * 1)(ctypes.addressof(argument))
        fill = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.raw_lookup(support.TABLE))
        fill(packed)
        self.functions = dict(zip(support.EXPORTED, addresses, strict=True))


@cache
def _support() -> _Support:
    return _Support()


def load(module: Any, symbol: str, parallel: bool) -> Any:
    """Compile `module`, in the LLVM dialect, and return tvm-ffi's function `symbol` of it."""
    checks = _support()
    engine = _engine(module, libraries(parallel), OPT_LEVEL)
    for name, function in checks.functions.items():
        engine.raw_register_runtime(name, ctypes.c_void_p(function))
    address = engine.raw_lookup(symbol)
    if not address:
        raise RuntimeError(f"the compiled module has no function {symbol}")
    return tvm_ffi.Function.__from_mlir_packed_safe_call__(address, keep_alive_object=engine)
