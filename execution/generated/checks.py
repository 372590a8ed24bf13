"""Generated code that checks the arrays of a call: LLVM dialect text over tvm-ffi's values.

Layouts are those of tvm-ffi's c_api.h and DLPack: a TVMFFIAny is {i32 kind, i32, i64 value}, a
tensor object has its DLTensor at byte 24, and a DLTensor is {data @0, device @8, rank @16,
code @20, bits @21, lanes @22, shape @24, strides @32, byte offset @40}.

A specification is [code mask, bits, rank, element bytes, alignment, sizes..., strides...].
"""

from mlir_gs.execution.signature.signature import Parameter

STRIDED = -(2**63)
"""In a specification's stride: any stride goes."""

ANY_SIZE = -1
"""In a specification's size: any size goes."""

RECORD_HEAD = 3
"""Words before the sizes in a record: [data, lowest byte address, end byte address]."""


def specification(one: Parameter) -> list[int]:
    """The words that `__gs_tensor` goes by."""
    element = one.element
    alignment = element.bytes // 2 if element.is_complex else element.bytes
    mask = sum(1 << code for code in element.codes)
    sizes = [ANY_SIZE if size is None else size for size in one.shape or ()]
    strides = [STRIDED if stride is None else stride for stride in one.strides or ()]
    return [mask, element.bits, one.rank, element.bytes, alignment, *sizes, *strides]


TEXT = """
llvm.func internal @__gs_tensor(%any: !llvm.ptr, %text: !llvm.ptr, %spec: !llvm.ptr,
    %sizes: !llvm.ptr, %wanted_strides: !llvm.ptr, %record: !llvm.ptr) -> i32
    attributes {no_inline} {
  %any_size = llvm.mlir.constant(-1 : i64) : i64
  %strided = llvm.mlir.constant(-9223372036854775808 : i64) : i64
  %no_note = llvm.mlir.addressof @__gs_no_note : !llvm.ptr
  %kind = load %any : i32
  %is_tensor = llvm.icmp "eq" %kind, %i70 : i32
  %is_dltensor = llvm.icmp "eq" %kind, %i7 : i32
  %is_array = llvm.or %is_tensor, %is_dltensor : i1
  llvm.cond_br %is_array, ^dtype, ^type_error
^type_error:
  %s0 = call @__gs_fail(@__gs_type_error, %text, %any, %no_note)
  llvm.return %s0 : i32
^value_error(%note: !llvm.ptr):
  %s1 = call @__gs_fail(@__gs_value_error, %text, %any, %note)
  llvm.return %s1 : i32
^dtype:
  %value = load %any[8 x i8] : ptr
  %cell = at %value[24 x i8]
  %dl = llvm.select %is_tensor, %cell, %value : i1, !llvm.ptr
  %dtype32 = load %dl[20 x i8] : i32
  %dtype = llvm.zext %dtype32 : i32 to i64
  %code = llvm.and %dtype, %c255 : i64
  %rest = llvm.lshr %dtype, %c8 : i64
  %mask = load %spec : i64
  %bits = load %spec[1] : i64
  %wanted_rest = llvm.or %bits, %c256 : i64
  %same_rest = llvm.icmp "eq" %rest, %wanted_rest : i64
  %code_fits = llvm.icmp "ult" %code, %c64 : i64
  %shifted = llvm.lshr %mask, %code : i64
  %bit = llvm.trunc %shifted : i64 to i1
  %code_ok = llvm.select %code_fits, %bit, %false : i1, i1
  %dtype_ok = llvm.and %same_rest, %code_ok : i1
  llvm.cond_br %dtype_ok, ^place, ^type_error
^place:
  %device = load %dl[8 x i8] : i32
  %on_cpu = llvm.icmp "eq" %device, %i1 : i32
  %rank32 = load %dl[16 x i8] : i32
  %found_rank = llvm.sext %rank32 : i32 to i64
  %rank = load %spec[2] : i64
  %same_rank = llvm.icmp "eq" %found_rank, %rank : i64
  %place_ok = llvm.and %on_cpu, %same_rank : i1
  llvm.cond_br %place_ok, ^start, ^value_error(%no_note : !llvm.ptr)
^start:
  %data_at = load %dl : i64
  %byte_offset = load %dl[40 x i8] : i64
  %data = llvm.add %data_at, %byte_offset : i64
  %shape = load %dl[24 x i8] : ptr
  %strides = load %dl[32 x i8] : ptr
  %compact = llvm.icmp "eq" %strides, %null : !llvm.ptr
  %must_be_compact = llvm.icmp "eq" %wanted_strides, %null : !llvm.ptr
  %bytes = load %spec[3] : i64
  %last = llvm.sub %rank, %c1 : i64
  llvm.br ^loop(%last, %c1, %true, %false, %true, %true, %c0, %c0
    : i64, i64, i1, i1, i1, i1, i64, i64)
^loop(%d: i64, %expected: i64, %contiguous: i1, %empty: i1, %sizes_ok: i1, %strides_ok: i1,
      %low: i64, %high: i64):
  %more = llvm.icmp "sge" %d, %c0 : i64
  llvm.cond_br %more, ^dim, ^end
^dim:
  %n = load %shape[%d] : i64
  %want = load %sizes[%d] : i64
  %free = llvm.icmp "eq" %want, %any_size : i64
  %same = llvm.icmp "eq" %want, %n : i64
  %size_ok = llvm.or %free, %same : i1
  %sizes_ok1 = llvm.and %sizes_ok, %size_ok : i1
  llvm.cond_br %compact, ^stride(%expected : i64), ^load_stride
^load_stride:
  %s_found = load %strides[%d] : i64
  llvm.br ^stride(%s_found : i64)
^stride(%s: i64):
  %is_one = llvm.icmp "eq" %n, %c1 : i64
  %as_expected = llvm.icmp "eq" %s, %expected : i64
  %dim_compact = llvm.or %is_one, %as_expected : i1
  %contiguous1 = llvm.and %contiguous, %dim_compact : i1
  llvm.cond_br %must_be_compact, ^recorded(%true : i1), ^check_stride
^check_stride:
  %ws = load %wanted_strides[%d] : i64
  %any_stride = llvm.icmp "eq" %ws, %strided : i64
  %same_stride = llvm.icmp "eq" %ws, %s : i64
  %stride_ok0 = llvm.or %any_stride, %same_stride : i1
  %stride_ok = llvm.or %stride_ok0, %is_one : i1
  llvm.br ^recorded(%stride_ok : i1)
^recorded(%stride_fits: i1):
  %strides_ok1 = llvm.and %strides_ok, %stride_fits : i1
  %size_cell = llvm.add %c3, %d : i64
  %stride_cell = llvm.add %size_cell, %rank : i64
  store %n, %record[%size_cell] : i64
  store %s, %record[%stride_cell] : i64
  %n_minus = llvm.sub %n, %c1 : i64
  %step = llvm.mul %s, %bytes : i64
  %reach = llvm.mul %n_minus, %step : i64
  %down = llvm.intr.smin(%reach, %c0) : (i64, i64) -> i64
  %up = llvm.intr.smax(%reach, %c0) : (i64, i64) -> i64
  %low1 = llvm.add %low, %down : i64
  %high1 = llvm.add %high, %up : i64
  %is_empty = llvm.icmp "eq" %n, %c0 : i64
  %empty1 = llvm.or %empty, %is_empty : i1
  %expected1 = llvm.mul %expected, %n : i64
  %d1 = llvm.sub %d, %c1 : i64
  llvm.br ^loop(%d1, %expected1, %contiguous1, %empty1, %sizes_ok1, %strides_ok1, %low1, %high1
    : i64, i64, i1, i1, i1, i1, i64, i64)
^end:
  llvm.cond_br %sizes_ok, ^layout, ^size_error
^size_error:
  %static_sizes = at %spec[5]
  %is_static = llvm.icmp "eq" %sizes, %static_sizes : !llvm.ptr
  llvm.cond_br %is_static, ^value_error(%no_note : !llvm.ptr), ^computed
^computed:
  %wanted_dl = llvm.alloca %c6 x i64 : (i64) -> !llvm.ptr
  %wanted_any = llvm.alloca %c2 x i64 : (i64) -> !llvm.ptr
  %wanted_text = llvm.alloca %c512 x i8 : (i64) -> !llvm.ptr
  %wanted_note = llvm.alloca %c512 x i8 : (i64) -> !llvm.ptr
  store %c1, %wanted_dl[8 x i8] : i64
  store %rank32, %wanted_dl[16 x i8] : i32
  store %dtype32, %wanted_dl[20 x i8] : i32
  store %sizes, %wanted_dl[24 x i8] : ptr
  store %i7, %wanted_any : i32
  store %wanted_dl, %wanted_any[8 x i8] : ptr
  call @__gs_describe(%wanted_any, %wanted_text, %c512)
  %n_wanted = call @snprintf(%wanted_note, %c512, @__gs_wanted_format, %wanted_text : ptr)
  llvm.br ^value_error(%wanted_note : !llvm.ptr)
^layout:
  %stride_note = llvm.mlir.addressof @__gs_strides : !llvm.ptr
  %layout_ok = llvm.or %strides_ok, %empty : i1
  llvm.cond_br %layout_ok, ^alignment, ^value_error(%stride_note : !llvm.ptr)
^alignment:
  %align = load %spec[4] : i64
  %low_bits = llvm.sub %align, %c1 : i64
  %stray = llvm.and %data, %low_bits : i64
  %aligned = llvm.icmp "eq" %stray, %c0 : i64
  %align_ok = llvm.or %aligned, %empty : i1
  %align_note = llvm.mlir.addressof @__gs_unaligned : !llvm.ptr
  llvm.cond_br %align_ok, ^done, ^value_error(%align_note : !llvm.ptr)
^done:
  %first_byte = llvm.add %data, %low : i64
  %high_end = llvm.add %high, %bytes : i64
  %end_full = llvm.add %data, %high_end : i64
  %end_byte = llvm.select %empty, %first_byte, %end_full : i1, i64
  store %data, %record : i64
  store %first_byte, %record[1] : i64
  store %end_byte, %record[2] : i64
  %dense = llvm.or %contiguous, %empty : i1
  %not_dense = llvm.xor %dense, %true : i1
  %report = llvm.and %must_be_compact, %not_dense : i1
  %status = llvm.zext %report : i1 to i32
  llvm.return %status : i32
}
llvm.func internal @__gs_disjoint(%text: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr) -> i32
    attributes {no_inline} {
  %a_low, %a_end = load %a[1] : i64
  %b_low, %b_end = load %b[1] : i64
  %a_before = llvm.icmp "ule" %a_end, %b_low : i64
  %b_before = llvm.icmp "ule" %b_end, %a_low : i64
  %a_empty = llvm.icmp "eq" %a_low, %a_end : i64
  %b_empty = llvm.icmp "eq" %b_low, %b_end : i64
  %ordered = llvm.or %a_before, %b_before : i1
  %hollow = llvm.or %a_empty, %b_empty : i1
  %disjoint = llvm.or %ordered, %hollow : i1
  llvm.cond_br %disjoint, ^done, ^error
^done:
  llvm.return %i0 : i32
^error:
  call @__gs_set_error(@__gs_value_error, %text)
  %failed = llvm.mlir.constant(-1 : i32) : i32
  llvm.return %failed : i32
}
"""
"""`__gs_tensor(any, expected, specification, sizes, strides, record)` checks an array and fills its
record, [data, low, end, sizes..., strides...]; `__gs_disjoint(message, a, b)` checks that two
records share no memory. They return 0, or -1 with an error set; `__gs_tensor` also 1: the array is
not C-contiguous where the code relies on it, which a null for strides says."""
