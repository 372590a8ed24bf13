"""tvm-ffi's functions of kernels: of each a block of words, by which shared code calls it.

`calling.py` has that code, and says what is in a block.
"""

import atexit
import ctypes
from collections.abc import Mapping
from functools import cache
from typing import Any

from mlir_gs.execution.generated.plan import Plan
from mlir_gs.execution.generated.tvm import tvm_ffi

NAMES = ("__gs_enter", "__gs_function")
"""The functions of `support` that this takes."""


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


_blocks: dict[int, _Block] = {}
"""The blocks of the functions that there are, by their addresses."""


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _release(block: int) -> None:
    _blocks.pop(block, None)


_release_address = ctypes.cast(_release, ctypes.c_void_p).value or 0


@cache
def _maker(address: int) -> Any:
    return tvm_ffi.Function.__from_extern_c__(address)


def make_function(shared: Mapping[str, int], kernel: int, plan: Plan, code: Any) -> Any:
    """tvm-ffi's function of the kernel at an address; `shared` are the addresses of `NAMES`, and
    `code` lives as long as the function does."""
    block = _Block(kernel, plan, code)
    _blocks[block.address] = block
    try:
        return _maker(shared["__gs_function"])(block.address)
    except BaseException:
        del _blocks[block.address]
        raise


@atexit.register
def leave_to_system() -> None:
    """Kernels that are there when the process ends are not freed: an engine would compile code for
    it. Functions may outlive Python, in tables of tvm-ffi."""
    global _release_address
    _release_address = 0
    for block in list(_blocks.values()):
        block.words[3] = 0
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(block))
