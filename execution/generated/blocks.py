"""Kernels as shared code calls them: of each a block of words, the struct `Block` of `calls.h`, and
tvm-ffi's function of it, made when it is asked for."""

import atexit
import ctypes
import weakref
from collections.abc import Mapping
from functools import cache
from typing import Any

from mlir_gs._forks import lock
from mlir_gs.execution.generated import tvm
from mlir_gs.execution.generated.plan import Plan


class _Block:
    """The block of a kernel, its plan, and what holds its code."""

    def __init__(self, kernel: int, plan: Plan, code: Any) -> None:
        words = plan.words
        self.messages = ctypes.create_string_buffer(bytes(plan.messages))
        self.words = (ctypes.c_int64 * (4 + len(words)))(kernel, 0, 0, 0, *words)
        self.address = ctypes.addressof(self.words)
        self.words[1] = self.address + 32
        self.words[2] = ctypes.addressof(self.messages)
        self.words[3] = _release_address
        self.code = code
        _alive.add(self)


_alive: "weakref.WeakSet[_Block]" = weakref.WeakSet()

_blocks: dict[int, _Block] = {}
"""The blocks of tvm-ffi's functions that there are, by their addresses."""


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _release(block: int) -> None:
    _blocks.pop(block, None)


_release_address = ctypes.cast(_release, ctypes.c_void_p).value or 0


@cache
def _maker(address: int) -> Any:
    return tvm.ffi().Function.__from_extern_c__(address)


class Function:
    """The kernel at an address, whose `code` lives as long; `shared` are the addresses of functions
    of `support.NAMES`."""

    def __init__(self, shared: Mapping[str, int], kernel: int, plan: Plan, code: Any) -> None:
        self.shared = shared
        self._block = _Block(kernel, plan, code)
        self._function: Any = None

    @property
    def block(self) -> int:
        """The address of the block."""
        return self._block.address

    @property
    def function(self) -> Any:
        """tvm-ffi's function."""
        if self._function is None:
            with lock:
                self._function = self._function or self._made()
        return self._function

    def _made(self) -> Any:
        block = self._block
        _blocks[block.address] = block
        try:
            return _maker(self.shared["__gs_function"])(block.address)
        except BaseException:
            del _blocks[block.address]
            raise

    def __call__(self, *values: Any) -> Any:
        return self.function(*values)


@atexit.register
def leave_to_system() -> None:
    """Kernels that are there when the process ends are not freed: an engine would compile code for
    it. Functions may outlive Python, in tables of tvm-ffi."""
    global _release_address
    _release_address = 0
    for block in list(_alive):
        block.words[3] = 0
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(block))
