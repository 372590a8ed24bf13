"""Generated code that reads and makes torch's tensors through DLPack's exchange table, in C.

The table {type, exporter, allocator, importer, "requires_grad", "is_neg", False} starts with a null
type until a tensor has been seen (`learn`). A tensor that DLPack does not tell the whole of, one
that wants a gradient or is a conjugate or negative view, is left to the general way.
"""

import ctypes
import sys
from typing import Any

TEXT = """
llvm.func internal @__gs_no_error(%context: !llvm.ptr, %kind: !llvm.ptr, %message: !llvm.ptr) {
  llvm.return
}
llvm.func internal @__gs_is_false(%answer: !llvm.ptr, %table: !llvm.ptr) -> i1 {
  %failed = llvm.icmp "eq" %answer, %null : !llvm.ptr
  llvm.cond_br %failed, ^clear, ^compare
^clear:
  call @PyErr_Clear()
  llvm.return %false : i1
^compare:
  %falsity = load %table[6] : ptr
  %same = llvm.icmp "eq" %answer, %falsity : !llvm.ptr
  call @Py_DecRef(%answer)
  llvm.return %same : i1
}
llvm.func internal @__gs_torch(%o: !llvm.ptr, %any: !llvm.ptr, %dl: !llvm.ptr, %table: !llvm.ptr)
    -> i32 {
  %floats = llvm.mlir.constant(1 : i8) : i8
  %complex = llvm.mlir.constant(5 : i8) : i8
  %bool = llvm.mlir.constant(6 : i8) : i8
  %one = llvm.alloca %c1 x !llvm.ptr : (i64) -> !llvm.ptr
  %export = load %table[1] : ptr
  %status = llvm.call %export(%o, %dl) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> i32
  %exported = llvm.icmp "eq" %status, %i0 : i32
  llvm.cond_br %exported, ^kind, ^failed
^failed:
  call @PyErr_Clear()
  llvm.br ^no
^no:
  llvm.return %i0 : i32
^kind:
  store %c7, %any : i64
  store %dl, %any[1] : ptr
  %code = load %dl[20 x i8] : i8
  %integer = llvm.icmp "ule" %code, %floats : i8
  %is_bool = llvm.icmp "eq" %code, %bool : i8
  %exact = llvm.or %integer, %is_bool : i1
  llvm.cond_br %exact, ^yes, ^real
^real:
  %is_complex = llvm.icmp "eq" %code, %complex : i8
  llvm.cond_br %is_complex, ^no, ^gradient
^gradient:
  %requires = load %table[4] : ptr
  %wants = call @PyObject_GetAttr(%o, %requires)
  %free = call @__gs_is_false(%wants, %table)
  llvm.cond_br %free, ^sign, ^no
^sign:
  %negative = load %table[5] : ptr
  store %o, %one : ptr
  %is_negative = call @PyObject_VectorcallMethod(%negative, %one, %c1, %null)
  %plain = call @__gs_is_false(%is_negative, %table)
  llvm.cond_br %plain, ^yes, ^no
^yes:
  llvm.return %i2 : i32
}
llvm.func internal @__gs_new_tensor(%table: !llvm.ptr, %dl: !llvm.ptr, %rank_word: i64,
    %sizes: !llvm.ptr) -> !llvm.ptr {
  %place = llvm.alloca %c1 x !llvm.ptr : (i64) -> !llvm.ptr
  store %null, %dl : ptr
  store %c1, %dl[1] : i64
  store %rank_word, %dl[2] : i64
  store %sizes, %dl[3] : ptr
  store %null, %dl[4] : ptr
  store %c0, %dl[5] : i64
  %allocate, %import = load %table[2] : ptr
  %no_error = llvm.mlir.addressof @__gs_no_error : !llvm.ptr
  %allocated = llvm.call %allocate(%dl, %place, %null, %no_error)
    : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %good = llvm.icmp "eq" %allocated, %i0 : i32
  llvm.cond_br %good, ^import, ^failed
^import:
  %managed = load %place : ptr
  %imported = llvm.call %import(%managed, %place) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> i32
  %fine = llvm.icmp "eq" %imported, %i0 : i32
  llvm.cond_br %fine, ^done, ^failed
^done:
  %tensor = load %place : ptr
  llvm.return %tensor : !llvm.ptr
^failed:
  call @PyErr_Clear()
  llvm.return %null : !llvm.ptr
}
"""

_NAMES = tuple(sys.intern(name) for name in ("requires_grad", "is_neg"))
table = (ctypes.c_int64 * 7)(0, 0, 0, 0, id(_NAMES[0]), id(_NAMES[1]), id(False))
"""What plans point to."""

_ALLOCATOR, _IMPORTER, _EXPORTER = 2, 4, 5
"""Words of DLPack's DLPackExchangeAPI, version 1."""


def learn(torch: Any) -> None:
    """Take torch's tensors natively from now on, where this torch has the exchange table."""
    capsule = getattr(torch.Tensor, "__dlpack_c_exchange_api__", None)
    if table[0] or capsule is None:
        return
    kind = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    get = ctypes.cast(ctypes.pythonapi.PyCapsule_GetPointer, ctypes.c_void_p).value or 0
    address = kind(get)(capsule, b"dlpack_exchange_api")
    words = (ctypes.c_int64 * 6).from_address(address)
    functions = [words[_EXPORTER], words[_ALLOCATOR], words[_IMPORTER]]
    if words[0] & 0xFFFFFFFF == 1 and all(functions):
        table[1], table[2], table[3] = functions
        table[0] = id(torch.Tensor)
