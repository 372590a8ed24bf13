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
  %no = llvm.mlir.constant(false) : i1
  %null = llvm.mlir.zero : !llvm.ptr
  %failed = llvm.icmp "eq" %answer, %null : !llvm.ptr
  llvm.cond_br %failed, ^clear, ^compare
^clear:
  llvm.call @PyErr_Clear() : () -> ()
  llvm.return %no : i1
^compare:
  %false_at = llvm.getelementptr %table[6] : (!llvm.ptr) -> !llvm.ptr, i64
  %false = llvm.load %false_at : !llvm.ptr -> !llvm.ptr
  %same = llvm.icmp "eq" %answer, %false : !llvm.ptr
  llvm.call @Py_DecRef(%answer) : (!llvm.ptr) -> ()
  llvm.return %same : i1
}
llvm.func internal @__gs_torch(%o: !llvm.ptr, %any: !llvm.ptr, %dl: !llvm.ptr, %table: !llvm.ptr)
    -> i32 {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c7 = llvm.mlir.constant(7 : i64) : i64
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %i2 = llvm.mlir.constant(2 : i32) : i32
  %floats = llvm.mlir.constant(1 : i8) : i8
  %complex = llvm.mlir.constant(5 : i8) : i8
  %bool = llvm.mlir.constant(6 : i8) : i8
  %null = llvm.mlir.zero : !llvm.ptr
  %one = llvm.alloca %c1 x !llvm.ptr : (i64) -> !llvm.ptr
  %export_at = llvm.getelementptr %table[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %export = llvm.load %export_at : !llvm.ptr -> !llvm.ptr
  %status = llvm.call %export(%o, %dl) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> i32
  %exported = llvm.icmp "eq" %status, %i0 : i32
  llvm.cond_br %exported, ^kind, ^failed
^failed:
  llvm.call @PyErr_Clear() : () -> ()
  llvm.br ^no
^no:
  llvm.return %i0 : i32
^kind:
  %value_out = llvm.getelementptr %any[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %c7, %any : i64, !llvm.ptr
  llvm.store %dl, %value_out : !llvm.ptr, !llvm.ptr
  %code_at = llvm.getelementptr %dl[20] : (!llvm.ptr) -> !llvm.ptr, i8
  %code = llvm.load %code_at : !llvm.ptr -> i8
  %integer = llvm.icmp "ule" %code, %floats : i8
  %is_bool = llvm.icmp "eq" %code, %bool : i8
  %exact = llvm.or %integer, %is_bool : i1
  llvm.cond_br %exact, ^yes, ^real
^real:
  %is_complex = llvm.icmp "eq" %code, %complex : i8
  llvm.cond_br %is_complex, ^no, ^gradient
^gradient:
  %requires_at = llvm.getelementptr %table[4] : (!llvm.ptr) -> !llvm.ptr, i64
  %requires = llvm.load %requires_at : !llvm.ptr -> !llvm.ptr
  %wants = llvm.call @PyObject_GetAttr(%o, %requires) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  %free = llvm.call @__gs_is_false(%wants, %table) : (!llvm.ptr, !llvm.ptr) -> i1
  llvm.cond_br %free, ^sign, ^no
^sign:
  %negative_at = llvm.getelementptr %table[5] : (!llvm.ptr) -> !llvm.ptr, i64
  %negative = llvm.load %negative_at : !llvm.ptr -> !llvm.ptr
  llvm.store %o, %one : !llvm.ptr, !llvm.ptr
  %is_negative = llvm.call @PyObject_VectorcallMethod(%negative, %one, %c1, %null)
    : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  %plain = llvm.call @__gs_is_false(%is_negative, %table) : (!llvm.ptr, !llvm.ptr) -> i1
  llvm.cond_br %plain, ^yes, ^no
^yes:
  llvm.return %i2 : i32
}
llvm.func internal @__gs_new_tensor(%table: !llvm.ptr, %dl: !llvm.ptr, %rank_word: i64,
    %sizes: !llvm.ptr) -> !llvm.ptr {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %place = llvm.alloca %c1 x !llvm.ptr : (i64) -> !llvm.ptr
  %device_out = llvm.getelementptr %dl[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %rank_out = llvm.getelementptr %dl[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %sizes_out = llvm.getelementptr %dl[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %strides_out = llvm.getelementptr %dl[4] : (!llvm.ptr) -> !llvm.ptr, i64
  %offset_out = llvm.getelementptr %dl[5] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %null, %dl : !llvm.ptr, !llvm.ptr
  llvm.store %c1, %device_out : i64, !llvm.ptr
  llvm.store %rank_word, %rank_out : i64, !llvm.ptr
  llvm.store %sizes, %sizes_out : !llvm.ptr, !llvm.ptr
  llvm.store %null, %strides_out : !llvm.ptr, !llvm.ptr
  llvm.store %c0, %offset_out : i64, !llvm.ptr
  %allocate_at = llvm.getelementptr %table[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %allocate = llvm.load %allocate_at : !llvm.ptr -> !llvm.ptr
  %import_at = llvm.getelementptr %table[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %import = llvm.load %import_at : !llvm.ptr -> !llvm.ptr
  %no_error = llvm.mlir.addressof @__gs_no_error : !llvm.ptr
  %allocated = llvm.call %allocate(%dl, %place, %null, %no_error)
    : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %good = llvm.icmp "eq" %allocated, %i0 : i32
  llvm.cond_br %good, ^import, ^failed
^import:
  %managed = llvm.load %place : !llvm.ptr -> !llvm.ptr
  %imported = llvm.call %import(%managed, %place) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> i32
  %fine = llvm.icmp "eq" %imported, %i0 : i32
  llvm.cond_br %fine, ^done, ^failed
^done:
  %tensor = llvm.load %place : !llvm.ptr -> !llvm.ptr
  llvm.return %tensor : !llvm.ptr
^failed:
  llvm.call @PyErr_Clear() : () -> ()
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
