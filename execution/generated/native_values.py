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
  %type = load %o[8 x i8] : ptr
  %ndarray = load %plan[6] : ptr
  %is_array = llvm.icmp "eq" %type, %ndarray : !llvm.ptr
  llvm.cond_br %is_array, ^facts, ^other
^other:
  %torch = load %plan[15] : ptr
  %tensor = load %torch : ptr
  %is_tensor = llvm.icmp "eq" %type, %tensor : !llvm.ptr
  llvm.cond_br %is_tensor, ^tensor, ^no
^tensor:
  %taken = call @__gs_torch(%o, %any, %dl, %torch)
  llvm.return %taken : i32
^no:
  llvm.return %i0 : i32
^facts:
  %dtype = load %o[56 x i8] : ptr
  %a, %b = load %p[1] : ptr
  %is_a = llvm.icmp "eq" %dtype, %a : !llvm.ptr
  %is_b = llvm.icmp "eq" %dtype, %b : !llvm.ptr
  %either = llvm.or %is_a, %is_b : i1
  %rank32 = load %o[24 x i8] : i32
  %rank = llvm.zext %rank32 : i32 to i64
  %wanted_rank = load %p[6] : i64
  %same_rank = llvm.icmp "eq" %rank, %wanted_rank : i64
  %flags = load %o[64 x i8] : i32
  %needed = load %p[7] : i32
  %had = llvm.and %flags, %needed : i32
  %flags_ok = llvm.icmp "eq" %had, %needed : i32
  %ok0 = llvm.and %either, %same_rank : i1
  %ok = llvm.and %ok0, %flags_ok : i1
  llvm.cond_br %ok, ^describe, ^no
^describe:
  %word_a_at = at %p[3]
  %word_b_at = at %p[4]
  %word_at = llvm.select %is_a, %word_a_at, %word_b_at : i1, !llvm.ptr
  %word = load %word_at : i64
  %rank_word = llvm.or %word, %rank : i64
  %data = load %o[16 x i8] : ptr
  %sizes = load %o[32 x i8] : ptr
  store %data, %dl : ptr
  store %c1, %dl[1] : i64
  store %rank_word, %dl[2] : i64
  store %sizes, %dl[3] : ptr
  store %c0, %dl[5] : i64
  store %c7, %any : i64
  store %dl, %any[1] : ptr
  %compact_bit = llvm.and %flags, %i1 : i32
  %compact = llvm.icmp "ne" %compact_bit, %i0 : i32
  llvm.cond_br %compact, ^done(%null : !llvm.ptr), ^strided
^strided:
  %strides = load %o[40 x i8] : ptr
  %log = load %p[5] : i64
  llvm.br ^stride(%c0 : i64)
^stride(%d: i64):
  %more = llvm.icmp "slt" %d, %rank : i64
  llvm.cond_br %more, ^divide, ^done(%scratch : !llvm.ptr)
^divide:
  %bytes = load %strides[%d] : i64
  %elements = llvm.ashr %bytes, %log : i64
  %back = llvm.shl %elements, %log : i64
  %whole = llvm.icmp "eq" %back, %bytes : i64
  store %elements, %scratch[%d] : i64
  %d1 = llvm.add %d, %c1 : i64
  llvm.cond_br %whole, ^stride(%d1 : i64), ^no
^done(%found: !llvm.ptr):
  store %found, %dl[4] : ptr
  llvm.return %i1 : i32
}
"""

_NUMBER = """
llvm.func internal @__gs_number(%o: !llvm.ptr, %kind: i64, %any: !llvm.ptr, %plan: !llvm.ptr)
    -> i1 {
  %minus = llvm.mlir.constant(-1 : i64) : i64
  %value_out = at %any[1]
  %type = load %o[8 x i8] : ptr
  %int_at = at %plan[11]
  %float_at = at %plan[12]
  %wants_int = llvm.icmp "eq" %kind, %c1 : i64
  %wanted_at = llvm.select %wants_int, %int_at, %float_at : i1, !llvm.ptr
  %wanted = load %wanted_at : ptr
  %fits = llvm.icmp "eq" %type, %wanted : !llvm.ptr
  llvm.cond_br %fits, ^convert, ^no
^no:
  llvm.return %false : i1
^convert:
  llvm.cond_br %wants_int, ^int, ^float
^float:
  %double = call @PyFloat_AsDouble(%o)
  store %c3, %any : i64
  store %double, %value_out : f64
  llvm.return %true : i1
^int:
  %int = call @PyLong_AsLongLong(%o)
  store %c1, %any : i64
  store %int, %value_out : i64
  %odd = llvm.icmp "eq" %int, %minus : i64
  llvm.cond_br %odd, ^look, ^yes
^look:
  %error = call @PyErr_Occurred()
  %none = llvm.icmp "eq" %error, %null : !llvm.ptr
  llvm.cond_br %none, ^yes, ^clear
^clear:
  call @PyErr_Clear()
  llvm.return %false : i1
^yes:
  llvm.return %true : i1
}
"""

_FRESH = """
llvm.func internal @__gs_fresh(%plan: !llvm.ptr, %p: !llvm.ptr, %anys: !llvm.ptr, %dls: !llvm.ptr,
    %sizes: !llvm.ptr, %seen: i32, %slot: !llvm.ptr, %fits: !llvm.ptr) -> !llvm.ptr {
  %rank = load %p[6] : i64
  %log = load %p[5] : i64
  %item = llvm.shl %c1, %log : i64
  %most = load %plan[13] : i64
  %shape = load %plan[14] : ptr
  store %true, %fits : i1
  llvm.br ^head(%c0, %item : i64, i64)
^head(%d: i64, %bytes: i64):
  %more = llvm.icmp "slt" %d, %rank : i64
  llvm.cond_br %more, ^dim, ^make
^dim:
  %d2 = llvm.shl %d, %c1 : i64
  %from_at = at %shape[%d2]
  %from = load %from_at : i64
  %which = load %from_at[1] : i64
  %constant = llvm.icmp "slt" %from, %c0 : i64
  llvm.cond_br %constant, ^size(%which : i64), ^argument
^argument:
  %scalar = llvm.icmp "slt" %which, %c0 : i64
  llvm.cond_br %scalar, ^value, ^extent
^value:
  %from2 = llvm.shl %from, %c1 : i64
  %any = at %anys[%from2]
  %value = load %any[1] : i64
  llvm.br ^size(%value : i64)
^extent:
  %from6 = llvm.mul %from, %c6 : i64
  %dl = at %dls[%from6]
  %dims = load %dl[3] : ptr
  %dim = load %dims[%which] : i64
  llvm.br ^size(%dim : i64)
^size(%size: i64):
  store %size, %sizes[%d] : i64
  %bytes1 = llvm.mul %bytes, %size : i64
  %d1 = llvm.add %d, %c1 : i64
  %small = llvm.icmp "ule" %size, %most : i64
  %all_small = llvm.icmp "ule" %bytes1, %most : i64
  %good = llvm.and %small, %all_small : i1
  llvm.cond_br %good, ^head(%d1, %bytes1 : i64, i64), ^unfit
^unfit:
  store %false, %fits : i1
  llvm.return %null : !llvm.ptr
^make:
  %torch_bit = llvm.and %seen, %i2 : i32
  %of_numpy = llvm.icmp "eq" %torch_bit, %i0 : i32
  llvm.cond_br %of_numpy, ^numpy, ^torch
^torch:
  %torch = load %plan[15] : ptr
  %word = load %p[3] : i64
  %rank_word = llvm.or %word, %rank : i64
  %tensor = call @__gs_new_tensor(%torch, %slot, %rank_word, %sizes)
  %made = llvm.icmp "ne" %tensor, %null : !llvm.ptr
  store %made, %fits : i1
  llvm.return %tensor : !llvm.ptr
^numpy:
  %dtype = load %p[1] : ptr
  %rank32 = llvm.trunc %rank : i64 to i32
  call @Py_IncRef(%dtype)
  %empty = load %plan[16] : ptr
  %array = llvm.call %empty(%rank32, %sizes, %dtype, %i0)
    : !llvm.ptr, (i32, !llvm.ptr, !llvm.ptr, i32) -> !llvm.ptr
  llvm.return %array : !llvm.ptr
}
"""

TEXT = native_torch.TEXT + _ARRAY + _NUMBER + _FRESH
