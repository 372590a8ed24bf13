"""An engine that a thread of the system makes, which has no need of Python's lock.

The bindings hold that lock in all that they do. Generated code does not: it calls MLIR's C API, in
a context of its own, for an engine of a module's text or bytecode.
"""

import ctypes
import platform
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from mlir_gs.execution.llvm import capi
from mlir_gs.execution.machine.cpu import cpu_count

NAME = "__gs_make_engine"
"""The function of `support` that does it."""

_CALLED = {
    "make_context": "mlirContextCreateWithThreading",
    "drop_context": "mlirContextDestroy",
    "dialect": "mlirGetDialectHandle__llvm__",
    "load_dialect": "mlirDialectHandleLoadDialect",
    "register_translations": "mlirRegisterAllLLVMTranslations",
    "parse": "mlirModuleCreateParse",
    "drop_module": "mlirModuleDestroy",
    "make_engine": "mlirExecutionEngineCreate",
    "register": "mlirExecutionEngineRegisterSymbol",
    "look_up": "mlirExecutionEngineLookup",
    "drop_engine": "mlirExecutionEngineDestroy",
}
_POINTERS = (*_CALLED, "text", "name", "registered")
_NUMBERS = ("text_size", "name_size", "level", "keep", "drops", "count")
"""The words that the function gets."""

_ENGINE, _CODE = (len(_POINTERS) + len(_NUMBERS) + number for number in range(2))
"""The words that it writes."""


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"%{name}" for name in names)


# In registers a bool is an i32, and a string two words. What is registered is a name, its size and
# an address for each.
TEXT = f"""
llvm.func @{NAME}(%words: !llvm.ptr) -> !llvm.ptr attributes {{no_inline}} {{
  {_names(_POINTERS)} = load %words[0] : ptr
  {_names(_NUMBERS)} = load %words[{len(_POINTERS)}] : i64
  %level_now = llvm.trunc %level : i64 to i32
  %keep_now = llvm.trunc %keep : i64 to i32
  %context = llvm.call %make_context(%i0) : !llvm.ptr, (i32) -> !llvm.ptr
  %handle = llvm.call %dialect() : !llvm.ptr, () -> !llvm.ptr
  %llvm = llvm.call %load_dialect(%handle, %context)
    : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  llvm.call %register_translations(%context) : !llvm.ptr, (!llvm.ptr) -> ()
  %module = llvm.call %parse(%context, %text, %text_size)
    : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
  %no_module = llvm.icmp "eq" %module, %null : !llvm.ptr
  llvm.cond_br %no_module, ^end, ^compile
^compile:
  %engine = llvm.call %make_engine(%module, %level_now, %i0, %null, %keep_now, %keep_now)
    : !llvm.ptr, (!llvm.ptr, i32, i32, !llvm.ptr, i32, i32) -> !llvm.ptr
  %no_engine = llvm.icmp "eq" %engine, %null : !llvm.ptr
  llvm.cond_br %no_engine, ^drop, ^next(%c0 : i64)
^next(%number: i64):
  %more = llvm.icmp "slt" %number, %count : i64
  llvm.cond_br %more, ^some, ^generate
^some:
  %first = llvm.mul %number, %c3 : i64
  %entry = at %registered[%first]
  %symbol = load %entry : ptr
  %size = load %entry[1] : i64
  %address = load %entry[2] : ptr
  llvm.call %register(%engine, %symbol, %size, %address)
    : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> ()
  %following = llvm.add %number, %c1 : i64
  llvm.br ^next(%following : i64)
^generate:
  %code = llvm.call %look_up(%engine, %name, %name_size)
    : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr
  store %code, %words[{_CODE}] : ptr
  %is_kept = llvm.icmp "eq" %drops, %c0 : i64
  llvm.cond_br %is_kept, ^kept, ^forget
^kept:
  store %engine, %words[{_ENGINE}] : ptr
  llvm.br ^drop
^forget:
  llvm.call %drop_engine(%engine) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.br ^drop
^drop:
  llvm.call %drop_module(%module) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.call %drop_context(%context) : !llvm.ptr, (!llvm.ptr) -> ()
  llvm.return %null : !llvm.ptr
}}
"""


@cache
def called_functions() -> list[int] | None:
    """What the function `NAME` calls; None where there is a single CPU, which has no time for
    another thread, where MLIR's C API may be another, or where calls go by other rules than those
    that were tried."""
    is_known = sys.platform == "linux" and platform.machine() == "x86_64"
    return capi.addresses(_CALLED.values()) if is_known and cpu_count() > 1 else None


def _begin(system: Any, address: int, words: Any) -> ctypes.c_ulong | None:
    """A new thread that runs the function at an address; None if there is none to be had."""
    thread = ctypes.c_ulong()
    code = ctypes.c_void_p(address)
    failed = system.pthread_create(ctypes.byref(thread), None, code, words)
    return None if failed else thread


class EngineThread:
    """A thread that runs the function `NAME`, which is at an address. It is the system's own: one
    of Python's waits for Python's lock.

    `text` is the module, as text or bytecode, and `symbol` one that it defines; it is optimized at
    `level`. `registered` are the addresses of what it calls. `keep` the code for
    `dump_to_object_file`; `drop` the engine again.
    """

    def __init__(
        self,
        address: int,
        text: bytes,
        symbol: bytes,
        level: int,
        *,
        registered: Mapping[str, int] | None = None,
        keep: bool = False,
        drop: bool = False,
    ) -> None:
        self._thread: ctypes.c_ulong | None = None
        called = called_functions()
        assert called is not None
        entries: list[int] = []
        # They live as long as this does.
        self._names = [ctypes.create_string_buffer(name.encode()) for name in registered or ()]
        for name, target in zip(self._names, (registered or {}).values(), strict=True):
            entries += [ctypes.addressof(name), len(name.value), target]
        self._entries = (ctypes.c_uint64 * len(entries))(*entries)
        self._text = ctypes.create_string_buffer(text, len(text))
        self._symbol = ctypes.create_string_buffer(symbol)
        words = [*called, *map(ctypes.addressof, (self._text, self._symbol, self._entries))]
        words += [len(text), len(symbol), level, keep, drop, len(self._names)]
        self._words = (ctypes.c_uint64 * (len(words) + 2))(*words)
        self._system = ctypes.CDLL(None)
        self._thread = _begin(self._system, address, self._words)
        if self._thread is None and not drop:
            # There are no more threads.
            ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(address)(self._words)

    def join(self) -> int:
        """Wait for its end; returns the address of the symbol, 0 where there is no engine."""
        self._wait()
        return self._words[_CODE]

    def __del__(self) -> None:
        # It reads what this has, also where Ctrl-C comes before anyone could wait for it.
        self._wait()

    def _wait(self) -> None:
        if self._thread is not None:
            self._system.pthread_join(self._thread, None)
            self._thread = None

    @property
    def engine(self) -> int:
        """The address of the engine, after `join`; 0 where there is none."""
        return self._words[_ENGINE]
