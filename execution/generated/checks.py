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
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %i1 = llvm.mlir.constant(1 : i32) : i32
  %any_size = llvm.mlir.constant(-1 : i64) : i64
  %strided = llvm.mlir.constant(-9223372036854775808 : i64) : i64
  %no_note = llvm.mlir.addressof @__gs_no_note : !llvm.ptr
  %kind = llvm.load %any : !llvm.ptr -> i32
  %i7 = llvm.mlir.constant(7 : i32) : i32
  %i70 = llvm.mlir.constant(70 : i32) : i32
  %is_tensor = llvm.icmp "eq" %kind, %i70 : i32
  %is_dltensor = llvm.icmp "eq" %kind, %i7 : i32
  %is_array = llvm.or %is_tensor, %is_dltensor : i1
  llvm.cond_br %is_array, ^dtype, ^type_error
^type_error:
  %te = llvm.mlir.addressof @__gs_type_error : !llvm.ptr
  %s0 = llvm.call @__gs_fail(%te, %text, %any, %no_note)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %s0 : i32
^value_error(%note: !llvm.ptr):
  %ve = llvm.mlir.addressof @__gs_value_error : !llvm.ptr
  %s1 = llvm.call @__gs_fail(%ve, %text, %any, %note)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %s1 : i32
^dtype:
  %slot = llvm.getelementptr %any[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %value = llvm.load %slot : !llvm.ptr -> !llvm.ptr
  %cell = llvm.getelementptr %value[24] : (!llvm.ptr) -> !llvm.ptr, i8
  %dl = llvm.select %is_tensor, %cell, %value : i1, !llvm.ptr
  %dtype_at = llvm.getelementptr %dl[20] : (!llvm.ptr) -> !llvm.ptr, i8
  %dtype32 = llvm.load %dtype_at : !llvm.ptr -> i32
  %dtype = llvm.zext %dtype32 : i32 to i64
  %c255 = llvm.mlir.constant(255 : i64) : i64
  %c8 = llvm.mlir.constant(8 : i64) : i64
  %code = llvm.and %dtype, %c255 : i64
  %rest = llvm.lshr %dtype, %c8 : i64
  %mask = llvm.load %spec : !llvm.ptr -> i64
  %bits_at = llvm.getelementptr %spec[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %bits = llvm.load %bits_at : !llvm.ptr -> i64
  %one_lane = llvm.mlir.constant(256 : i64) : i64
  %wanted_rest = llvm.or %bits, %one_lane : i64
  %same_rest = llvm.icmp "eq" %rest, %wanted_rest : i64
  %c64 = llvm.mlir.constant(64 : i64) : i64
  %code_fits = llvm.icmp "ult" %code, %c64 : i64
  %shifted = llvm.lshr %mask, %code : i64
  %bit = llvm.trunc %shifted : i64 to i1
  %code_ok = llvm.select %code_fits, %bit, %false : i1, i1
  %dtype_ok = llvm.and %same_rest, %code_ok : i1
  llvm.cond_br %dtype_ok, ^place, ^type_error
^place:
  %device_at = llvm.getelementptr %dl[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %device = llvm.load %device_at : !llvm.ptr -> i32
  %on_cpu = llvm.icmp "eq" %device, %i1 : i32
  %rank_at = llvm.getelementptr %dl[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %rank32 = llvm.load %rank_at : !llvm.ptr -> i32
  %found_rank = llvm.sext %rank32 : i32 to i64
  %wanted_rank_at = llvm.getelementptr %spec[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %rank = llvm.load %wanted_rank_at : !llvm.ptr -> i64
  %same_rank = llvm.icmp "eq" %found_rank, %rank : i64
  %place_ok = llvm.and %on_cpu, %same_rank : i1
  llvm.cond_br %place_ok, ^start, ^value_error(%no_note : !llvm.ptr)
^start:
  %data_at = llvm.load %dl : !llvm.ptr -> i64
  %offset_at = llvm.getelementptr %dl[40] : (!llvm.ptr) -> !llvm.ptr, i8
  %byte_offset = llvm.load %offset_at : !llvm.ptr -> i64
  %data = llvm.add %data_at, %byte_offset : i64
  %shape_at = llvm.getelementptr %dl[24] : (!llvm.ptr) -> !llvm.ptr, i8
  %shape = llvm.load %shape_at : !llvm.ptr -> !llvm.ptr
  %strides_at = llvm.getelementptr %dl[32] : (!llvm.ptr) -> !llvm.ptr, i8
  %strides = llvm.load %strides_at : !llvm.ptr -> !llvm.ptr
  %null = llvm.mlir.zero : !llvm.ptr
  %compact = llvm.icmp "eq" %strides, %null : !llvm.ptr
  %must_be_compact = llvm.icmp "eq" %wanted_strides, %null : !llvm.ptr
  %bytes_at = llvm.getelementptr %spec[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %bytes = llvm.load %bytes_at : !llvm.ptr -> i64
  %head = llvm.mlir.constant(3 : i64) : i64
  %last = llvm.sub %rank, %c1 : i64
  llvm.br ^loop(%last, %c1, %true, %false, %true, %true, %c0, %c0
    : i64, i64, i1, i1, i1, i1, i64, i64)
^loop(%d: i64, %expected: i64, %contiguous: i1, %empty: i1, %sizes_ok: i1, %strides_ok: i1,
      %low: i64, %high: i64):
  %more = llvm.icmp "sge" %d, %c0 : i64
  llvm.cond_br %more, ^dim, ^end
^dim:
  %n_at = llvm.getelementptr %shape[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %n = llvm.load %n_at : !llvm.ptr -> i64
  %want_at = llvm.getelementptr %sizes[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %want = llvm.load %want_at : !llvm.ptr -> i64
  %free = llvm.icmp "eq" %want, %any_size : i64
  %same = llvm.icmp "eq" %want, %n : i64
  %size_ok = llvm.or %free, %same : i1
  %sizes_ok1 = llvm.and %sizes_ok, %size_ok : i1
  llvm.cond_br %compact, ^stride(%expected : i64), ^load_stride
^load_stride:
  %s_at = llvm.getelementptr %strides[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %s_found = llvm.load %s_at : !llvm.ptr -> i64
  llvm.br ^stride(%s_found : i64)
^stride(%s: i64):
  %is_one = llvm.icmp "eq" %n, %c1 : i64
  %as_expected = llvm.icmp "eq" %s, %expected : i64
  %dim_compact = llvm.or %is_one, %as_expected : i1
  %contiguous1 = llvm.and %contiguous, %dim_compact : i1
  llvm.cond_br %must_be_compact, ^recorded(%true : i1), ^check_stride
^check_stride:
  %ws_at = llvm.getelementptr %wanted_strides[%d] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %ws = llvm.load %ws_at : !llvm.ptr -> i64
  %any_stride = llvm.icmp "eq" %ws, %strided : i64
  %same_stride = llvm.icmp "eq" %ws, %s : i64
  %stride_ok0 = llvm.or %any_stride, %same_stride : i1
  %stride_ok = llvm.or %stride_ok0, %is_one : i1
  llvm.br ^recorded(%stride_ok : i1)
^recorded(%stride_fits: i1):
  %strides_ok1 = llvm.and %strides_ok, %stride_fits : i1
  %size_cell = llvm.add %head, %d : i64
  %stride_cell = llvm.add %size_cell, %rank : i64
  %size_out = llvm.getelementptr %record[%size_cell] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %stride_out = llvm.getelementptr %record[%stride_cell] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %n, %size_out : i64, !llvm.ptr
  llvm.store %s, %stride_out : i64, !llvm.ptr
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
  %static_sizes = llvm.getelementptr %spec[5] : (!llvm.ptr) -> !llvm.ptr, i64
  %is_static = llvm.icmp "eq" %sizes, %static_sizes : !llvm.ptr
  llvm.cond_br %is_static, ^value_error(%no_note : !llvm.ptr), ^computed
^computed:
  %c512 = llvm.mlir.constant(512 : i64) : i64
  %c6 = llvm.mlir.constant(6 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %wanted_dl = llvm.alloca %c6 x i64 : (i64) -> !llvm.ptr
  %wanted_any = llvm.alloca %c2 x i64 : (i64) -> !llvm.ptr
  %wanted_text = llvm.alloca %c512 x i8 : (i64) -> !llvm.ptr
  %wanted_note = llvm.alloca %c512 x i8 : (i64) -> !llvm.ptr
  %wanted_device = llvm.getelementptr %wanted_dl[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %wanted_dim_count = llvm.getelementptr %wanted_dl[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %wanted_dtype = llvm.getelementptr %wanted_dl[20] : (!llvm.ptr) -> !llvm.ptr, i8
  %wanted_shape = llvm.getelementptr %wanted_dl[24] : (!llvm.ptr) -> !llvm.ptr, i8
  %wanted_value = llvm.getelementptr %wanted_any[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %c1, %wanted_device : i64, !llvm.ptr
  llvm.store %rank32, %wanted_dim_count : i32, !llvm.ptr
  llvm.store %dtype32, %wanted_dtype : i32, !llvm.ptr
  llvm.store %sizes, %wanted_shape : !llvm.ptr, !llvm.ptr
  llvm.store %i7, %wanted_any : i32, !llvm.ptr
  llvm.store %wanted_dl, %wanted_value : !llvm.ptr, !llvm.ptr
  llvm.call @__gs_describe(%wanted_any, %wanted_text, %c512) : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %wanted_format = llvm.mlir.addressof @__gs_wanted_format : !llvm.ptr
  %n_wanted = llvm.call @snprintf(%wanted_note, %c512, %wanted_format, %wanted_text)
    vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>)
    : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^value_error(%wanted_note : !llvm.ptr)
^layout:
  %stride_note = llvm.mlir.addressof @__gs_strides : !llvm.ptr
  %layout_ok = llvm.or %strides_ok, %empty : i1
  llvm.cond_br %layout_ok, ^alignment, ^value_error(%stride_note : !llvm.ptr)
^alignment:
  %align_at = llvm.getelementptr %spec[4] : (!llvm.ptr) -> !llvm.ptr, i64
  %align = llvm.load %align_at : !llvm.ptr -> i64
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
  %low_out = llvm.getelementptr %record[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %end_out = llvm.getelementptr %record[2] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %data, %record : i64, !llvm.ptr
  llvm.store %first_byte, %low_out : i64, !llvm.ptr
  llvm.store %end_byte, %end_out : i64, !llvm.ptr
  %dense = llvm.or %contiguous, %empty : i1
  %not_dense = llvm.xor %dense, %true : i1
  %report = llvm.and %must_be_compact, %not_dense : i1
  %status = llvm.zext %report : i1 to i32
  llvm.return %status : i32
}
llvm.func internal @__gs_apart(%text: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr) -> i32
    attributes {no_inline} {
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %a_low_at = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %a_end_at = llvm.getelementptr %a[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %b_low_at = llvm.getelementptr %b[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %b_end_at = llvm.getelementptr %b[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %a_low = llvm.load %a_low_at : !llvm.ptr -> i64
  %a_end = llvm.load %a_end_at : !llvm.ptr -> i64
  %b_low = llvm.load %b_low_at : !llvm.ptr -> i64
  %b_end = llvm.load %b_end_at : !llvm.ptr -> i64
  %a_before = llvm.icmp "ule" %a_end, %b_low : i64
  %b_before = llvm.icmp "ule" %b_end, %a_low : i64
  %a_empty = llvm.icmp "eq" %a_low, %a_end : i64
  %b_empty = llvm.icmp "eq" %b_low, %b_end : i64
  %ordered = llvm.or %a_before, %b_before : i1
  %hollow = llvm.or %a_empty, %b_empty : i1
  %apart = llvm.or %ordered, %hollow : i1
  llvm.cond_br %apart, ^done, ^error
^done:
  llvm.return %i0 : i32
^error:
  %ve = llvm.mlir.addressof @__gs_value_error : !llvm.ptr
  llvm.call @TVMFFIErrorSetRaisedFromCStr(%ve, %text) : (!llvm.ptr, !llvm.ptr) -> ()
  %failed = llvm.mlir.constant(-1 : i32) : i32
  llvm.return %failed : i32
}
"""
"""`__gs_tensor(any, expected, specification, sizes, strides, record)` checks an array and fills its
record, [data, low, end, sizes..., strides...]; `__gs_apart(message, a, b)` checks that two records
share no memory. They return 0, or -1 with an error set; `__gs_tensor` also 1: the array is not
C-contiguous where the code relies on it, which a null for strides says."""
