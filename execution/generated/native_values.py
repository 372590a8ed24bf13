"""Generated code that reads NumPy's arrays and Python's numbers where they lie, for `native_text`.

`__gs_array(object, parameter, any, tensor, strides, plan)` describes an array to tvm-ffi, and
returns 1 for NumPy's, 2 for torch's, 0 for what it does not take. `__gs_number(object, kind, any,
plan)` describes a number, and returns whether it does. `__gs_fresh(plan, parameter, anys, tensors,
sizes, seen, tensor, fits)` makes the array for a result, torch's if `seen` says so, or says in
`fits` that it is not for it to make.
"""

from mlir_gs.execution.generated import native_torch

_ARRAY = """
llvm.func internal @__gs_array(%o: !llvm.ptr, %p: !llvm.ptr, %any: !llvm.ptr, %dl: !llvm.ptr,
    %scratch: !llvm.ptr, %plan: !llvm.ptr) -> i32 {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c7 = llvm.mlir.constant(7 : i64) : i64
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %i1 = llvm.mlir.constant(1 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %type_at = llvm.getelementptr %o[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %type = llvm.load %type_at : !llvm.ptr -> !llvm.ptr
  %ndarray_at = llvm.getelementptr %plan[6] : (!llvm.ptr) -> !llvm.ptr, i64
  %ndarray = llvm.load %ndarray_at : !llvm.ptr -> !llvm.ptr
  %is_array = llvm.icmp "eq" %type, %ndarray : !llvm.ptr
  llvm.cond_br %is_array, ^facts, ^other
^other:
  %torch_at = llvm.getelementptr %plan[15] : (!llvm.ptr) -> !llvm.ptr, i64
  %torch = llvm.load %torch_at : !llvm.ptr -> !llvm.ptr
  %tensor = llvm.load %torch : !llvm.ptr -> !llvm.ptr
  %is_tensor = llvm.icmp "eq" %type, %tensor : !llvm.ptr
  llvm.cond_br %is_tensor, ^tensor, ^no
^tensor:
  %taken = llvm.call @__gs_torch(%o, %any, %dl, %torch)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %taken : i32
^no:
  llvm.return %i0 : i32
^facts:
  %dtype_at = llvm.getelementptr %o[56] : (!llvm.ptr) -> !llvm.ptr, i8
  %dtype = llvm.load %dtype_at : !llvm.ptr -> !llvm.ptr
  %a_at = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %b_at = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %a = llvm.load %a_at : !llvm.ptr -> !llvm.ptr
  %b = llvm.load %b_at : !llvm.ptr -> !llvm.ptr
  %is_a = llvm.icmp "eq" %dtype, %a : !llvm.ptr
  %is_b = llvm.icmp "eq" %dtype, %b : !llvm.ptr
  %either = llvm.or %is_a, %is_b : i1
  %rank_at = llvm.getelementptr %o[24] : (!llvm.ptr) -> !llvm.ptr, i8
  %rank32 = llvm.load %rank_at : !llvm.ptr -> i32
  %rank = llvm.zext %rank32 : i32 to i64
  %wanted_rank_at = llvm.getelementptr %p[6] : (!llvm.ptr) -> !llvm.ptr, i64
  %wanted_rank = llvm.load %wanted_rank_at : !llvm.ptr -> i64
  %same_rank = llvm.icmp "eq" %rank, %wanted_rank : i64
  %flags_at = llvm.getelementptr %o[64] : (!llvm.ptr) -> !llvm.ptr, i8
  %flags = llvm.load %flags_at : !llvm.ptr -> i32
  %needed_at = llvm.getelementptr %p[7] : (!llvm.ptr) -> !llvm.ptr, i64
  %needed = llvm.load %needed_at : !llvm.ptr -> i32
  %had = llvm.and %flags, %needed : i32
  %flags_ok = llvm.icmp "eq" %had, %needed : i32
  %ok0 = llvm.and %either, %same_rank : i1
  %ok = llvm.and %ok0, %flags_ok : i1
  llvm.cond_br %ok, ^describe, ^no
^describe:
  %word_a_at = llvm.getelementptr %p[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %word_b_at = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i64
  %word_at = llvm.select %is_a, %word_a_at, %word_b_at : i1, !llvm.ptr
  %word = llvm.load %word_at : !llvm.ptr -> i64
  %rank_word = llvm.or %word, %rank : i64
  %data_at = llvm.getelementptr %o[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %data = llvm.load %data_at : !llvm.ptr -> !llvm.ptr
  %sizes_at = llvm.getelementptr %o[32] : (!llvm.ptr) -> !llvm.ptr, i8
  %sizes = llvm.load %sizes_at : !llvm.ptr -> !llvm.ptr
  %device_out = llvm.getelementptr %dl[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %rank_out = llvm.getelementptr %dl[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %sizes_out = llvm.getelementptr %dl[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %strides_out = llvm.getelementptr %dl[4] : (!llvm.ptr) -> !llvm.ptr, i64
  %offset_out = llvm.getelementptr %dl[5] : (!llvm.ptr) -> !llvm.ptr, i64
  %value_out = llvm.getelementptr %any[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %data, %dl : !llvm.ptr, !llvm.ptr
  llvm.store %c1, %device_out : i64, !llvm.ptr
  llvm.store %rank_word, %rank_out : i64, !llvm.ptr
  llvm.store %sizes, %sizes_out : !llvm.ptr, !llvm.ptr
  llvm.store %c0, %offset_out : i64, !llvm.ptr
  llvm.store %c7, %any : i64, !llvm.ptr
  llvm.store %dl, %value_out : !llvm.ptr, !llvm.ptr
  %compact_bit = llvm.and %flags, %i1 : i32
  %compact = llvm.icmp "ne" %compact_bit, %i0 : i32
  llvm.cond_br %compact, ^done(%null : !llvm.ptr), ^strided
^strided:
  %strides_at = llvm.getelementptr %o[40] : (!llvm.ptr) -> !llvm.ptr, i8
  %strides = llvm.load %strides_at : !llvm.ptr -> !llvm.ptr
  %log_at = llvm.getelementptr %p[5] : (!llvm.ptr) -> !llvm.ptr, i64
  %log = llvm.load %log_at : !llvm.ptr -> i64
  llvm.br ^stride(%c0 : i64)
^stride(%d: i64):
  %more = llvm.icmp "slt" %d, %rank : i64
  llvm.cond_br %more, ^divide, ^done(%scratch : !llvm.ptr)
^divide:
  %from = llvm.getelementptr %strides[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %to = llvm.getelementptr %scratch[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %bytes = llvm.load %from : !llvm.ptr -> i64
  %elements = llvm.ashr %bytes, %log : i64
  %back = llvm.shl %elements, %log : i64
  %whole = llvm.icmp "eq" %back, %bytes : i64
  llvm.store %elements, %to : i64, !llvm.ptr
  %d1 = llvm.add %d, %c1 : i64
  llvm.cond_br %whole, ^stride(%d1 : i64), ^no
^done(%found: !llvm.ptr):
  llvm.store %found, %strides_out : !llvm.ptr, !llvm.ptr
  llvm.return %i1 : i32
}
"""

_NUMBER = """
llvm.func internal @__gs_number(%o: !llvm.ptr, %kind: i64, %any: !llvm.ptr, %plan: !llvm.ptr)
    -> i1 {
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c3 = llvm.mlir.constant(3 : i64) : i64
  %minus = llvm.mlir.constant(-1 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %value_out = llvm.getelementptr %any[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %type_at = llvm.getelementptr %o[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %type = llvm.load %type_at : !llvm.ptr -> !llvm.ptr
  %int_at = llvm.getelementptr %plan[11] : (!llvm.ptr) -> !llvm.ptr, i64
  %float_at = llvm.getelementptr %plan[12] : (!llvm.ptr) -> !llvm.ptr, i64
  %wants_int = llvm.icmp "eq" %kind, %c1 : i64
  %wanted_at = llvm.select %wants_int, %int_at, %float_at : i1, !llvm.ptr
  %wanted = llvm.load %wanted_at : !llvm.ptr -> !llvm.ptr
  %fits = llvm.icmp "eq" %type, %wanted : !llvm.ptr
  llvm.cond_br %fits, ^convert, ^no
^no:
  llvm.return %false : i1
^convert:
  llvm.cond_br %wants_int, ^int, ^float
^float:
  %double = llvm.call @PyFloat_AsDouble(%o) : (!llvm.ptr) -> f64
  llvm.store %c3, %any : i64, !llvm.ptr
  llvm.store %double, %value_out : f64, !llvm.ptr
  llvm.return %true : i1
^int:
  %int = llvm.call @PyLong_AsLongLong(%o) : (!llvm.ptr) -> i64
  llvm.store %c1, %any : i64, !llvm.ptr
  llvm.store %int, %value_out : i64, !llvm.ptr
  %odd = llvm.icmp "eq" %int, %minus : i64
  llvm.cond_br %odd, ^look, ^yes
^look:
  %error = llvm.call @PyErr_Occurred() : () -> !llvm.ptr
  %none = llvm.icmp "eq" %error, %null : !llvm.ptr
  llvm.cond_br %none, ^yes, ^clear
^clear:
  llvm.call @PyErr_Clear() : () -> ()
  llvm.return %false : i1
^yes:
  llvm.return %true : i1
}
"""

_FRESH = """
llvm.func internal @__gs_fresh(%plan: !llvm.ptr, %p: !llvm.ptr, %anys: !llvm.ptr, %dls: !llvm.ptr,
    %sizes: !llvm.ptr, %seen: i32, %slot: !llvm.ptr, %fits: !llvm.ptr) -> !llvm.ptr {
  %false = llvm.mlir.constant(false) : i1
  %true = llvm.mlir.constant(true) : i1
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c6 = llvm.mlir.constant(6 : i64) : i64
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %rank_at = llvm.getelementptr %p[6] : (!llvm.ptr) -> !llvm.ptr, i64
  %rank = llvm.load %rank_at : !llvm.ptr -> i64
  %log_at = llvm.getelementptr %p[5] : (!llvm.ptr) -> !llvm.ptr, i64
  %log = llvm.load %log_at : !llvm.ptr -> i64
  %item = llvm.shl %c1, %log : i64
  %most_at = llvm.getelementptr %plan[13] : (!llvm.ptr) -> !llvm.ptr, i64
  %most = llvm.load %most_at : !llvm.ptr -> i64
  %shape_at = llvm.getelementptr %plan[14] : (!llvm.ptr) -> !llvm.ptr, i64
  %shape = llvm.load %shape_at : !llvm.ptr -> !llvm.ptr
  llvm.store %true, %fits : i1, !llvm.ptr
  llvm.br ^head(%c0, %item : i64, i64)
^head(%d: i64, %bytes: i64):
  %more = llvm.icmp "slt" %d, %rank : i64
  llvm.cond_br %more, ^dim, ^make
^dim:
  %d2 = llvm.shl %d, %c1 : i64
  %from_at = llvm.getelementptr %shape[%d2] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %which_at = llvm.getelementptr %from_at[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %from = llvm.load %from_at : !llvm.ptr -> i64
  %which = llvm.load %which_at : !llvm.ptr -> i64
  %constant = llvm.icmp "slt" %from, %c0 : i64
  llvm.cond_br %constant, ^size(%which : i64), ^argument
^argument:
  %scalar = llvm.icmp "slt" %which, %c0 : i64
  llvm.cond_br %scalar, ^value, ^extent
^value:
  %from2 = llvm.shl %from, %c1 : i64
  %any = llvm.getelementptr %anys[%from2] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %value_at = llvm.getelementptr %any[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %value = llvm.load %value_at : !llvm.ptr -> i64
  llvm.br ^size(%value : i64)
^extent:
  %from6 = llvm.mul %from, %c6 : i64
  %dl = llvm.getelementptr %dls[%from6] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %dims_at = llvm.getelementptr %dl[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %dims = llvm.load %dims_at : !llvm.ptr -> !llvm.ptr
  %dim_at = llvm.getelementptr %dims[%which] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %dim = llvm.load %dim_at : !llvm.ptr -> i64
  llvm.br ^size(%dim : i64)
^size(%size: i64):
  %out = llvm.getelementptr %sizes[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %size, %out : i64, !llvm.ptr
  %bytes1 = llvm.mul %bytes, %size : i64
  %d1 = llvm.add %d, %c1 : i64
  %small = llvm.icmp "ule" %size, %most : i64
  %all_small = llvm.icmp "ule" %bytes1, %most : i64
  %good = llvm.and %small, %all_small : i1
  llvm.cond_br %good, ^head(%d1, %bytes1 : i64, i64), ^unfit
^unfit:
  llvm.store %false, %fits : i1, !llvm.ptr
  llvm.return %null : !llvm.ptr
^make:
  %i2 = llvm.mlir.constant(2 : i32) : i32
  %torch_bit = llvm.and %seen, %i2 : i32
  %of_numpy = llvm.icmp "eq" %torch_bit, %i0 : i32
  llvm.cond_br %of_numpy, ^numpy, ^torch
^torch:
  %torch_at = llvm.getelementptr %plan[15] : (!llvm.ptr) -> !llvm.ptr, i64
  %torch = llvm.load %torch_at : !llvm.ptr -> !llvm.ptr
  %word_at = llvm.getelementptr %p[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %word = llvm.load %word_at : !llvm.ptr -> i64
  %rank_word = llvm.or %word, %rank : i64
  %tensor = llvm.call @__gs_new_tensor(%torch, %slot, %rank_word, %sizes)
    : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> !llvm.ptr
  %made = llvm.icmp "ne" %tensor, %null : !llvm.ptr
  llvm.store %made, %fits : i1, !llvm.ptr
  llvm.return %tensor : !llvm.ptr
^numpy:
  %dtype_at = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %dtype = llvm.load %dtype_at : !llvm.ptr -> !llvm.ptr
  %rank32 = llvm.trunc %rank : i64 to i32
  llvm.call @Py_IncRef(%dtype) : (!llvm.ptr) -> ()
  %empty_at = llvm.getelementptr %plan[16] : (!llvm.ptr) -> !llvm.ptr, i64
  %empty = llvm.load %empty_at : !llvm.ptr -> !llvm.ptr
  %array = llvm.call %empty(%rank32, %sizes, %dtype, %i0)
    : !llvm.ptr, (i32, !llvm.ptr, !llvm.ptr, i32) -> !llvm.ptr
  llvm.return %array : !llvm.ptr
}
"""

TEXT = native_torch.TEXT + _ARRAY + _NUMBER + _FRESH
