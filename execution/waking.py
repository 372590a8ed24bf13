"""LLVM is set up by a thread of its own while the first kernel of a process is lowered.

The first engine of a process takes 2 to 3 ms longer than others: LLVM makes its tables, and its
code is paged in. The bindings hold Python's lock meanwhile; generated code does not, so it calls
MLIR's C API for an engine of an empty function, and throws that away again.
"""

import ctypes
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from mlir_gs.dialect._bindings import module as provider_module
from mlir_gs.execution.machine import cpu_count

NAME = "__gs_wake"
"""The function of `support` that does it."""

_KNOWN = ("module", "opt_level", "shared_libs", "enable_object_dump", "enable_pic")
"""What the bindings make an engine of. Where they take something else, so may the C API."""

_CALLED = {
    "make_context": "mlirContextCreateWithThreading",
    "drop_context": "mlirContextDestroy",
    "dialect": "mlirGetDialectHandle__llvm__",
    "load_dialect": "mlirDialectHandleLoadDialect",
    "register_translations": "mlirRegisterAllLLVMTranslations",
    "parse": "mlirModuleCreateParse",
    "drop_module": "mlirModuleDestroy",
    "make_engine": "mlirExecutionEngineCreate",
    "look_up": "mlirExecutionEngineLookup",
    "drop_engine": "mlirExecutionEngineDestroy",
}
_STRINGS = {"text": b"llvm.func @f() { llvm.return }", "name": b"f"}


def _loads() -> str:
    return "".join(
        f"  %{name}_at = llvm.getelementptr %words[{number}] : (!llvm.ptr) -> !llvm.ptr, i64\n"
        f"  %{name} = llvm.load %{name}_at : !llvm.ptr -> !llvm.ptr\n"
        for number, name in enumerate((*_CALLED, *_STRINGS))
    )


# In registers a bool is an i32, and a string two words.
TEXT = f"""
llvm.func @{NAME}(%words: !llvm.ptr) -> !llvm.ptr attributes {{no_inline}} {{
{_loads()}
  %no = llvm.mlir.constant(0 : i32) : i32
  %yes = llvm.mlir.constant(1 : i32) : i32
  %level = llvm.mlir.constant(2 : i32) : i32
  %text_size = llvm.mlir.constant({len(_STRINGS["text"])} : i64) : i64
  %name_size = llvm.mlir.constant({len(_STRINGS["name"])} : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %done = llvm.inttoptr %name_size : i64 to !llvm.ptr
  %context = llvm.call %make_context(%no) : !llvm.ptr, (i32) -> !llvm.ptr
  %handle = llvm.call %dialect() : !llvm.ptr, () -> !llvm.ptr
  %llvm = llvm.call %load_dialect(%handle, %context)
    : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  llvm.call %register_translations(%context) : !llvm.ptr, (!llvm.ptr) -> ()
  %module = llvm.call %parse(%context, %text, %text_size)
    : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
  %no_module = llvm.icmp "eq" %module, %null : !llvm.ptr
  llvm.cond_br %no_module, ^end(%null : !llvm.ptr), ^compile
^compile:
  %engine = llvm.call %make_engine(%module, %level, %no, %null, %yes, %yes)
    : !llvm.ptr, (!llvm.ptr, i32, i32, !llvm.ptr, i32, i32) -> !llvm.ptr
  %no_engine = llvm.icmp "eq" %engine, %null : !llvm.ptr
  llvm.cond_br %no_engine, ^drop(%null : !llvm.ptr), ^generate
^generate:
  %code = llvm.call %look_up(%engine, %name, %name_size)
    : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
  llvm.call %drop_engine(%engine) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.br ^drop(%done : !llvm.ptr)
^drop(%dropped: !llvm.ptr):
  llvm.call %drop_module(%module) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.br ^end(%dropped : !llvm.ptr)
^end(%status: !llvm.ptr):
  llvm.call %drop_context(%context) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.return %status : !llvm.ptr
}}
"""


class Thread:
    """A thread that runs the function `NAME`. It is the system's own: one of Python's waits for
    Python's lock, and takes 0.2 ms longer to start."""

    def __init__(self, address: int, called: Sequence[int]) -> None:
        # They live as long as this does.
        self._strings = [ctypes.create_string_buffer(text) for text in _STRINGS.values()]
        words = [*called, *map(ctypes.addressof, self._strings)]
        self._words = (ctypes.c_void_p * len(words))(*words)
        self._system = ctypes.CDLL(None)
        self._id = ctypes.c_ulong()
        code = ctypes.c_void_p(address)
        failed = self._system.pthread_create(ctypes.byref(self._id), None, code, self._words)
        self._runs = failed == 0

    def join(self) -> bool:
        """Wait for its end; returns whether LLVM made the engine."""
        status = ctypes.c_void_p()
        if self._runs:
            self._system.pthread_join(self._id, ctypes.byref(status))
        return bool(status)


def start(address: int) -> Thread | None:
    """Run the function `NAME` at an address; None where there is a single CPU, or where MLIR's C
    API may be another."""
    called = _addresses() if cpu_count() > 1 else None
    return None if called is None else Thread(address, called)


@cache
def _addresses() -> list[int] | None:
    """Of the functions `_CALLED`, in the library that the bindings call."""
    bindings: Any = provider_module("_mlir_libs._mlirExecutionEngine")
    told = (bindings.ExecutionEngine.__init__.__doc__ or "").partition("->")[0]
    if tuple(re.findall(r"(\w+):", told)) != _KNOWN:
        return None
    try:
        # What the extension is linked with is looked through as well.
        library = ctypes.CDLL(bindings.__file__)
        found = [ctypes.c_char.in_dll(library, name) for name in _CALLED.values()]
    except (ValueError, OSError):
        return None
    return [ctypes.addressof(one) for one in found]
