"""Kernels that are vectorcalls: from CPython to the compiled function without Python between.

Only where it is known how objects lie in memory: CPython with its interpreter lock, 64 bits, and
NumPy's arrays as its C headers have them, which is tried once on an array. Elsewhere, and for
kernels with several results, calls go through Python.

The code for this is compiled, or found on the disk, when a kernel has been called some times: most
of what it takes to compile a first kernel would be this.
"""

import ctypes
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from mlir_gs._forks import lock
from mlir_gs.execution.call.memory import LARGE, empty
from mlir_gs.execution.disk import cached
from mlir_gs.execution.generated import native_text, native_torch
from mlir_gs.execution.generated.tvm import tvm_ffi
from mlir_gs.execution.signature.signature import Entry, Parameter, Result
from mlir_gs.execution.signature.sizes import function_of
from mlir_gs.execution.switches import is_on

_WRITEABLE = 0x400
_EMPTY = 184
"""Where NumPy's table of C functions has `PyArray_Empty`."""

_TP_CALL, _TP_MEMBERS = 50, 72
_DEFAULT, _BASE_TYPE, _VECTORCALL = 1 << 18, 1 << 10, 1 << 11
_SIGNED_SIZE, _READONLY = 19, 1


@dataclass(frozen=True)
class Native:
    """The type of native kernels, the code that they call, the callable that raises the error of
    tvm-ffi that is set, and NumPy's function for a new array."""

    type: Any
    call: int
    raiser: Any
    empty: int


class _Slot(ctypes.Structure):
    _fields_ = (("slot", ctypes.c_int), ("function", ctypes.c_void_p))


class _Member(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Spec(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("basicsize", ctypes.c_int),
        ("itemsize", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.POINTER(_Slot)),
    )


@cache
def available() -> bool:
    """Whether objects lie in memory here as the generated code takes it."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    if sys.maxsize != 2**63 - 1 or sys.byteorder != "little" or np.array(1).base is not None:
        return False
    if not all(hasattr(ctypes.pythonapi, name) for name in native_text.CALLS):
        return False
    probe = np.zeros((5, 7), np.int16)[1:, ::2]
    words = (ctypes.c_int64 * 9).from_address(id(probe))
    sizes = (ctypes.c_int64 * 2).from_address(words[4])
    strides = (ctypes.c_int64 * 2).from_address(words[5])
    flags = words[8] & 0xFFFFFFFF
    return (
        words[1] == id(np.ndarray)
        and words[2] == probe.ctypes.data
        and words[3] & 0xFFFFFFFF == 2
        and (*sizes, *strides) == (*probe.shape, *probe.strides)
        and words[7] == id(probe.dtype)
        and bool(flags & _WRITEABLE) == probe.flags.writeable
        and flags & 1 == 0
    )


_ready: dict[type, Native] = {}


def ready(base: type) -> Native | None:
    """What `prepare` made for `base`; None where it made nothing, or where it is disabled."""
    return _ready.get(base) if is_on("native-calls") else None


def prepare(base: type) -> Native | None:
    """Make native kernels possible in this process, as a subclass of `base`; None where they are
    not. Without MLIR in the process, the code must be on the disk."""
    with lock:
        if base not in _ready and available() and is_on("native-calls"):
            found = _code()
            if found is not None:
                raiser = tvm_ffi.Function.__from_mlir_packed_safe_call__(found["__gs_failed"])
                kind = _native_type(base)
                _ready[base] = Native(kind, found["__gs_call"], raiser, _numpy_empty())
        return ready(base)


def _code() -> dict[str, int] | None:
    text = native_text.TEXT
    found = cached.load_shared(text, native_text.NAMES) if cached.enabled() else None
    builder = sys.modules.get("mlir_gs.execution.compilation.build")
    if found is None and builder is not None:
        called = {name: _python_function(name) for name in native_text.CALLS}
        found = builder.compile_native(text, native_text.NAMES, called)
    return found


def _python_function(name: str) -> int:
    return ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0


def _numpy_empty() -> int:
    core = sys.modules.get("numpy._core.multiarray") or sys.modules["numpy.core.multiarray"]
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    table = get(_python_function("PyCapsule_GetPointer"))(core._ARRAY_API, None)
    return ctypes.c_void_p.from_address(table + 8 * _EMPTY).value or 0


_kept: list[Any] = []
"""What types refer to for as long as they live."""


def fields() -> Any:
    """The type to derive kernels from: objects with room for two pointers, where native calls are
    possible, so that a kernel can become native later."""
    if not available():
        return object
    return _new_type(b"mlir_gs.execution.call.native.Fields", object, _ROOM, 0, [])


_ROOM = native_text.PLAN + 8


def _native_type(base: type) -> Any:
    offset = _Member(b"__vectorcalloffset__", _SIGNED_SIZE, native_text.VECTORCALL, _READONLY, None)
    members = (_Member * 2)(offset, _Member())
    _kept.append(members)
    slots = [
        _Slot(_TP_CALL, _python_function("PyVectorcall_Call")),
        _Slot(_TP_MEMBERS, ctypes.addressof(members)),
    ]
    name = b"mlir_gs.execution.call.kernel.NativeKernel"
    return _new_type(name, base, base.__basicsize__, _VECTORCALL, slots)


def _new_type(name: bytes, base: type, size: int, flags: int, slots: list[_Slot]) -> Any:
    array = (_Slot * (len(slots) + 1))(*slots, _Slot())
    spec = _Spec(name, size, 0, _DEFAULT | _BASE_TYPE | flags, array)
    _kept.extend((name, array, spec))
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(_Spec), ctypes.py_object)
    return make(_python_function("PyType_FromSpecWithBases"))(ctypes.byref(spec), (base,))


def make_native(kernel: Any, native: Native, plan: "Plan") -> None:
    """Let calls of `kernel`, which keeps `plan`, go by it."""
    words = (ctypes.c_int64 * 2).from_address(id(kernel) + native_text.VECTORCALL)
    words[0], words[1] = native.call, plan.address
    kernel.__class__ = native.type


class Plan:
    """What a kernel's calls go by, in memory that the generated code reads."""

    def __init__(self, entry: Entry, function: Any, general: Any, native: Native) -> None:
        destinations = entry.destinations
        parameters = [*entry.arguments, *(result.parameter for result in destinations)]
        shape = [word for result in destinations for word in _shape(result)]
        self._shape = (ctypes.c_int64 * max(len(shape), 1))(*shape)
        is_scalar = any(result.is_scalar for result in entry.results)
        plain = len(entry.results) == 1 and bool(destinations) and not is_scalar
        is_computed = not all(map(_has_leaves, destinations))
        maker = _maker(entry) if any(result.parameter.rank for result in destinations) else None
        returned = -1
        if entry.results:
            argument = entry.results[0].argument
            returned = -2 if argument is None else argument
        head = [
            *(function.__chandle__(), id(general), len(entry.arguments), len(destinations)),
            *(returned, id(_OUT), id(np.ndarray), int(plain), id(None), 0, id(native.raiser)),
            *(id(int), id(float), LARGE - 1, 0 if is_computed else ctypes.addressof(self._shape)),
            ctypes.addressof(native_torch.table),
            *(native.empty, id(_ITEM) if is_scalar else 0, 0 if maker is None else id(maker)),
        ]
        words = [*head, *(word for one in parameters for word in _parameter(one))]
        self._words = (ctypes.c_int64 * len(words))(*words)
        self._kept = (function, general, native, maker)

    @property
    def address(self) -> int:
        return ctypes.addressof(self._words)

    def set_strided(self, function: Any) -> None:
        """The function for arrays that are not C-contiguous."""
        self._kept += (function,)
        self._words[9] = function.__chandle__()


_OUT, _ITEM = sys.intern("out"), sys.intern("item")


def plannable(entry: Entry) -> bool:
    """Whether native calls take the values of `entry`."""
    destinations = entry.destinations
    parameters = [*entry.arguments, *(result.parameter for result in destinations)]
    return (
        len(entry.results) <= 1
        and not entry.owned
        and len(parameters) <= native_text.MAX_PARAMETERS
        and all(one.rank <= native_text.MAX_RANK and _has_kind(one) for one in parameters)
    )


def _has_kind(one: Parameter) -> bool:
    return one.shape is not None or one.is_plain_scalar


def _has_leaves(result: Result) -> bool:
    """Whether its sizes are constants, and sizes and scalars of arguments."""
    return all(size.op in ("constant", "size", "scalar") for size in result.sizes or ())


def _maker(entry: Entry) -> Any:
    """A function of the arguments that makes the array of the result."""
    (result,) = entry.destinations
    source = f"empty({result.shape_source}, dtype)"
    dtype = result.parameter.element.dtype
    return function_of(source, len(entry.arguments), empty=empty, dtype=dtype)


def _shape(result: Result) -> Sequence[int]:
    words: list[int] = []
    if not _has_leaves(result):
        return words
    for size in result.sizes or ():
        if size.op == "constant":
            words += (-1, size.values[0])
        elif size.op == "size":
            words += size.values
        else:
            words += (size.values[0], -1)
    return words


def _parameter(one: Parameter) -> Sequence[int]:
    element = one.element
    if one.shape is None:
        kind = native_text.FLOAT if element.mlir in ("f32", "f64") else native_text.INTEGER
        return [kind, *[0] * 7]
    dtypes = element.dtypes
    codes = [(code | element.bits << 8 | 1 << 16) << 32 for code in element.codes]
    log = element.bytes.bit_length() - 1
    needed = _WRITEABLE if one.written else 0
    ids = [id(dtype) for dtype in dtypes]
    return [native_text.ARRAY, ids[0], ids[-1], codes[0], codes[-1], log, one.rank, needed]
