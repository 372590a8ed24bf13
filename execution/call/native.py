"""Kernels that are vectorcalls: from CPython to the compiled function without Python between.

Only where it is known how objects lie in memory: CPython with its interpreter lock, 64 bits, and
NumPy's arrays as its C headers have them, which is tried once on an array. Elsewhere, and for
kernels with several results, calls go through Python. `generated/python.c` has the code.

It is found on the disk, or compiled when a kernel has been called some times: most of what it takes
to compile a first kernel would be this.
"""

import ctypes
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from mlir_gs._forks import lock
from mlir_gs.execution.call.memory import LARGE, empty
from mlir_gs.execution.disk import cached
from mlir_gs.execution.generated import support, tvm
from mlir_gs.execution.generated.blocks import Function
from mlir_gs.execution.later import loaded
from mlir_gs.execution.signature.dtypes import Element, element_of
from mlir_gs.execution.signature.signature import Entry, Parameter
from mlir_gs.execution.switches import is_on

_MOST_VALUES, _MOST_RANK = 16, 8
_VECTORCALL = 16
"""Where a kernel has the two pointers of the struct `Object`, behind what every object has."""

_WRITEABLE = 0x400
_EMPTY = 184
"""Where NumPy's table of C functions has `PyArray_Empty`."""

_TP_CALL, _TP_MEMBERS = 50, 72
_DEFAULT, _BASE_TYPE, _HAVE_VECTORCALL = 1 << 18, 1 << 10, 1 << 11
_SIGNED_SIZE, _READONLY = 19, 1

_ELEMENTS = (
    *("f32", "i64", "f64", "i32", "ui64", "ui32", "ui8", "i8", "i16", "ui16", "i1", "f16"),
    *("complex<f32>", "complex<f64>"),
)
"""The element types that native calls know from the start, the most frequent first."""

_WORD, _INT, _ADDRESS = ctypes.c_int64, ctypes.c_int32, ctypes.c_void_p


class _Dtype(ctypes.Structure):
    _fields_ = (("dtype", _ADDRESS), ("type", ctypes.c_uint32), ("shift", _INT))


_OBJECTS = ("array", "integer", "floating", "none", "out", "item", "falsity")
_FUNCTIONS = ("check", "run", "take_error", "drop")
_TORCH = ("tensor", "export", "allocate", "import_", "requires_grad", "is_neg")


class _Process(ctypes.Structure):
    _fields_ = (
        *((name, _ADDRESS) for name in (*_OBJECTS, "empty", "large")),
        ("most", _WORD),
        *((name, _ADDRESS) for name in ("raise_", *_FUNCTIONS, *_TORCH)),
        ("dtypes", _WORD),
        ("dtype", _Dtype * 64),
    )


class _Native(ctypes.Structure):
    _fields_ = (
        *((name, _ADDRESS) for name in ("process", "compact", "strided", "general")),
        *((name, _WORD) for name in ("arguments", "makes", "returned", "takes_out", "item")),
        ("written", _WORD),
        ("result", _Dtype),
    )


class _Slot(ctypes.Structure):
    _fields_ = (("slot", ctypes.c_int), ("function", _ADDRESS))


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
    if sys.implementation.name != "cpython" or "t" in getattr(sys, "abiflags", ""):
        return False
    if sys.maxsize != 2**63 - 1 or sys.byteorder != "little" or np.array(1).base is not None:
        return False
    if not hasattr(ctypes.pythonapi, "PyObject_VectorcallMethod"):
        return False
    probe = np.zeros((5, 7), np.int16)[1:, ::2]
    words = (_WORD * 9).from_address(id(probe))
    sizes = (_WORD * 2).from_address(words[4])
    strides = (_WORD * 2).from_address(words[5])
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


process = _Process()
"""What native calls go by; what they do not know yet is null."""

_kept: list[Any] = []
"""What that and types refer to for as long as they live."""


def _hold(value: Any) -> int:
    _kept.append(value)
    return id(value)


@dataclass(frozen=True)
class Native:
    """The type of native kernels, and the address of the code that they call."""

    type: Any
    call: int


_ready: dict[type, Native] = {}


def ready(base: type) -> Native | None:
    """What `prepare` made for `base`; None where it made nothing, or where it is disabled."""
    return _ready.get(base) if is_on("native-calls") else None


def prepare(base: type, function: Function, may_compile: bool = True) -> Native | None:
    """Make native kernels possible in this process, as a subclass of `base`; None where they are
    not. `function` is a kernel's. The code is on the disk, or compiled if MLIR is in the process
    and it `may_compile`."""
    with lock:
        if base not in _ready and available() and is_on("native-calls"):
            call = _code(may_compile)
            if call is not None:
                _fill(function)
                _ready[base] = Native(_native_type(base), call)
        return ready(base)


def _code(may_compile: bool) -> int | None:
    text = support.text("python")
    found = cached.load_shared(text, (support.CALL,)) if cached.enabled() else None
    build = loaded("mlir_gs.execution.compilation.build", "compile_native")
    if found is None and build is not None and may_compile:
        found = build(text, (support.CALL,))
    return found[support.CALL] if found else None


def _address(library: Any, name: str) -> int:
    return ctypes.cast(getattr(library, name), _ADDRESS).value or 0


def _fill(function: Function) -> None:
    objects = (np.ndarray, int, float, None, sys.intern("out"), sys.intern("item"), False)
    for name, value in zip(_OBJECTS, objects, strict=True):
        setattr(process, name, _hold(value))
    process.empty, process.large, process.most = _numpy_empty(), _hold(empty), LARGE - 1
    process.raise_ = _hold(_raise)
    library = ctypes.CDLL(tvm.shared_library())
    process.check, process.run = function.shared["__gs_check"], function.shared["__gs_run"]
    process.take_error = _address(library, "TVMFFIErrorMoveFromRaised")
    process.drop = _address(library, "TVMFFIObjectDecRef")
    for name in _ELEMENTS:
        element = element_of(name)
        if element is not None:
            _know(element)


def _numpy_empty() -> int:
    core = sys.modules.get("numpy._core.multiarray") or sys.modules["numpy.core.multiarray"]
    get = ctypes.PYFUNCTYPE(_ADDRESS, ctypes.py_object, ctypes.c_char_p)
    table = get(_address(ctypes.pythonapi, "PyCapsule_GetPointer"))(core._ARRAY_API, None)
    return _ADDRESS.from_address(table + 8 * _EMPTY).value or 0


@ctypes.CFUNCTYPE(ctypes.c_int, *[_ADDRESS] * 2, ctypes.c_int, _ADDRESS)
def _fail(*_: Any) -> int:
    return -1


def _raise() -> None:
    """Raise tvm-ffi's error that is set."""
    tvm.ffi().Function.__from_extern_c__(ctypes.cast(_fail, _ADDRESS).value)()


def _know(element: Element) -> _Dtype | None:
    """Let native calls take arrays of these elements; None where there are too many others."""
    for dtype, code in zip(element.dtypes, element.codes, strict=True):
        if not any(id(dtype) == one.dtype for one in process.dtype[: process.dtypes]):
            if process.dtypes == len(process.dtype):
                return None
            word = code | element.bits << 8 | 1 << 16
            shift = element.bytes.bit_length() - 1
            process.dtype[process.dtypes] = _Dtype(_hold(dtype), word, shift)
            process.dtypes += 1
    places = {one.dtype: one for one in process.dtype[: process.dtypes]}
    return places[id(element.dtype)]


def learn(torch: Any) -> None:
    """Take torch's tensors natively from now on, where this torch has DLPack's exchange table."""
    capsule = getattr(torch.Tensor, "__dlpack_c_exchange_api__", None)
    if process.tensor or capsule is None:
        return
    kind = ctypes.PYFUNCTYPE(_ADDRESS, ctypes.py_object, ctypes.c_char_p)
    get = kind(_address(ctypes.pythonapi, "PyCapsule_GetPointer"))
    # {version, flags; previous table; allocate, ..., import, export}
    words = (_WORD * 6).from_address(get(capsule, b"dlpack_exchange_api"))
    if words[0] & 0xFFFFFFFF == 1 and words[2] and words[4] and words[5]:
        process.allocate, process.import_, process.export = words[2], words[4], words[5]
        process.requires_grad, process.is_neg = map(_hold, map(sys.intern, _ASKED))
        process.tensor = _hold(torch.Tensor)


_ASKED = ("requires_grad", "is_neg")


def fields() -> Any:
    """The type to derive kernels from: objects with room for two pointers, where native calls are
    possible, so that a kernel can become native later."""
    if not available():
        return object
    return _new_type(b"mlir_gs.execution.call.native.Fields", object, _VECTORCALL + 16, 0, [])


def _native_type(base: type) -> Any:
    offset = _Member(b"__vectorcalloffset__", _SIGNED_SIZE, _VECTORCALL, _READONLY, None)
    members = (_Member * 2)(offset, _Member())
    _kept.append(members)
    slots = [
        _Slot(_TP_CALL, _address(ctypes.pythonapi, "PyVectorcall_Call")),
        _Slot(_TP_MEMBERS, ctypes.addressof(members)),
    ]
    name = b"mlir_gs.execution.call.kernel.NativeKernel"
    return _new_type(name, base, base.__basicsize__, _HAVE_VECTORCALL, slots)


def _new_type(name: bytes, base: type, size: int, flags: int, slots: list[_Slot]) -> Any:
    array = (_Slot * (len(slots) + 1))(*slots, _Slot())
    spec = _Spec(name, size, 0, _DEFAULT | _BASE_TYPE | flags, array)
    _kept.extend((name, array, spec))
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(_Spec), ctypes.py_object)
    address = _address(ctypes.pythonapi, "PyType_FromSpecWithBases")
    return make(address)(ctypes.byref(spec), (base,))


def make_native(kernel: Any, native: Native, plan: "Plan") -> None:
    """Let calls of `kernel`, which keeps `plan`, go by it."""
    words = (_WORD * 2).from_address(id(kernel) + _VECTORCALL)
    words[0], words[1] = native.call, ctypes.addressof(plan.words)
    kernel.__class__ = native.type


class Plan:
    """What a kernel's native calls go by beside the plan of all its calls."""

    def __init__(self, entry: Entry, function: Function, general: Any, dtype: _Dtype) -> None:
        destinations, results = entry.destinations, entry.results
        is_scalar = any(result.is_scalar for result in results)
        argument = results[0].argument if results else None
        written = sum(one.written << k for k, one in enumerate(_values(entry)))
        written |= bool(destinations) << len(entry.arguments)
        self.words = _Native(
            process=ctypes.addressof(process),
            compact=function.block,
            general=id(general),
            arguments=len(entry.arguments),
            makes=len(destinations),
            returned=-1 if argument is None else argument,
            takes_out=bool(destinations) and not is_scalar,
            item=is_scalar,
            written=written,
            result=dtype,
        )
        self._kept = (function, general)

    def set_strided(self, function: Function) -> None:
        """The function for arrays that are not C-contiguous."""
        self._kept += (function,)
        self.words.strided = function.block


def plan_of(entry: Entry, function: Function, general: Any) -> Plan | None:
    """The plan of native calls; None where they do not take the values of `entry`."""
    values = _values(entry)
    if len(entry.results) > 1 or entry.owned or len(values) > _MOST_VALUES:
        return None
    if not all(one.rank <= _MOST_RANK and _has_kind(one) for one in values):
        return None
    dtype: _Dtype | None = _Dtype()
    for one in values:
        if one.shape is not None:
            dtype = _know(one.element)
            if dtype is None:
                return None
    # The last value is the one to make, if there is one.
    return Plan(entry, function, general, dtype)


def _values(entry: Entry) -> Sequence[Parameter]:
    return [*entry.arguments, *(result.parameter for result in entry.destinations)]


def _has_kind(one: Parameter) -> bool:
    return one.shape is not None or one.is_plain_scalar
