"""Generated code that checks the arrays of a call: LLVM dialect text over tvm-ffi's values.

Layouts are those of tvm-ffi's c_api.h and DLPack: a TVMFFIAny is {i32 kind, i32, i64 value}, a
tensor object has its DLTensor at byte 24, and a DLTensor is {data @0, device @8, rank @16,
code @20, bits @21, lanes @22, shape @24, strides @32, byte offset @40}.

What a kernel takes is a plan, constant words that one function goes by: code for each array would
take longer to compile than most kernels do. See `ArrayPlan` and `plan_words`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlir_gs.execution.signature import Parameter

STRIDED = -(2**63)
"""In a specification's stride: any stride goes."""

ANY_SIZE = -1
"""In a specification's size: any size goes."""

RECORD_HEAD = 3
"""Words before the sizes in a record: [data, lowest byte address, end byte address]."""

_GIVEN = -1
"""In an array's plan, for a place of sizes: the specification has them."""


@dataclass(frozen=True)
class ArrayPlan:
    """One array to check: value `number` of the call, what messages say at `text`, the words of
    the frame where its record goes, and, for sizes that are computed, where in it they are."""

    parameter: Parameter
    number: int
    text: int
    place: int
    sizes: int | None = None

    @property
    def words(self) -> list[int]:
        """[words, number, text, place, sizes, has strides, code mask, bits, rank, element bytes,
        alignment, sizes..., strides...]."""
        one, element = self.parameter, self.parameter.element
        alignment = element.bytes // 2 if element.is_complex else element.bytes
        mask = sum(1 << code for code in element.codes)
        sizes = [ANY_SIZE if size is None else size for size in one.shape or ()]
        strides = [STRIDED if stride is None else stride for stride in one.strides or ()]
        places = (self.text, self.place, _GIVEN if self.sizes is None else self.sizes)
        found = [self.number, *places, int(one.strides is not None)]
        found += [mask, element.bits, one.rank, element.bytes, alignment, *sizes, *strides]
        return [1 + len(found), *found]


def plan_words(
    count: int, title: int, arrays: Sequence[ArrayPlan], apart: Sequence[tuple[int, int, int]]
) -> list[int]:
    """The plan of `__gs_check`: the number of values and what a message says of it, the arrays,
    and pairs of records that share no memory, behind what a message says of each."""
    words = [count, title, len(arrays), *(word for one in arrays for word in one.words)]
    return [*words, len(apart), *(word for pair in apart for word in pair)]


TEXT = """
llvm.func internal @__gs_check(%args: !llvm.ptr, %found: i32, %plan: !llvm.ptr,
    %texts: !llvm.ptr, %frame: !llvm.ptr, %result: !llvm.ptr) -> i32 attributes {no_inline} {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %i1 = llvm.mlir.constant(1 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %count = llvm.load %plan : !llvm.ptr -> i64
  %title_at = llvm.getelementptr %plan[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %title = llvm.load %title_at : !llvm.ptr -> i64
  %arrays_at = llvm.getelementptr %plan[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %arrays = llvm.load %arrays_at : !llvm.ptr -> i64
  %first = llvm.getelementptr %plan[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %given = llvm.sext %found : i32 to i64
  %same = llvm.icmp "eq" %given, %count : i64
  llvm.cond_br %same, ^next(%c0, %first : i64, !llvm.ptr), ^miscount
^miscount:
  %wanted = llvm.getelementptr %texts[%title] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %miscount = llvm.call @__gs_miscount(%wanted, %found) : (!llvm.ptr, i32) -> i32
  llvm.return %miscount : i32
^next(%k: i64, %at: !llvm.ptr):
  %more = llvm.icmp "slt" %k, %arrays : i64
  llvm.cond_br %more, ^array, ^pairs
^array:
  %number_at = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %text_at = llvm.getelementptr %at[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %place_at = llvm.getelementptr %at[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %sizes_at = llvm.getelementptr %at[4] : (!llvm.ptr) -> !llvm.ptr, i64
  %layout_at = llvm.getelementptr %at[5] : (!llvm.ptr) -> !llvm.ptr, i64
  %spec = llvm.getelementptr %at[6] : (!llvm.ptr) -> !llvm.ptr, i64
  %rank_at = llvm.getelementptr %at[8] : (!llvm.ptr) -> !llvm.ptr, i64
  %words = llvm.load %at : !llvm.ptr -> i64
  %number = llvm.load %number_at : !llvm.ptr -> i64
  %text_offset = llvm.load %text_at : !llvm.ptr -> i64
  %place = llvm.load %place_at : !llvm.ptr -> i64
  %sizes_place = llvm.load %sizes_at : !llvm.ptr -> i64
  %has_layout = llvm.load %layout_at : !llvm.ptr -> i64
  %rank = llvm.load %rank_at : !llvm.ptr -> i64
  %any = llvm.getelementptr %args[%number] : (!llvm.ptr, i64) -> !llvm.ptr,
    !llvm.array<2 x i64>
  %text = llvm.getelementptr %texts[%text_offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %record = llvm.getelementptr %frame[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %static = llvm.getelementptr %spec[5] : (!llvm.ptr) -> !llvm.ptr, i64
  %computed = llvm.getelementptr %frame[%sizes_place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %is_computed = llvm.icmp "sge" %sizes_place, %c0 : i64
  %sizes = llvm.select %is_computed, %computed, %static : i1, !llvm.ptr
  %strides = llvm.getelementptr %static[%rank] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %any_layout = llvm.icmp "eq" %has_layout, %c0 : i64
  %layout = llvm.select %any_layout, %null, %strides : i1, !llvm.ptr
  %status = llvm.call @__gs_tensor(%any, %text, %spec, %sizes, %layout, %record)
    : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %after = llvm.getelementptr %at[%words] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %k1 = llvm.add %k, %c1 : i64
  %good = llvm.icmp "eq" %status, %i0 : i32
  llvm.cond_br %good, ^next(%k1, %after : i64, !llvm.ptr), ^stop
^stop:
  %strided = llvm.icmp "eq" %status, %i1 : i32
  llvm.cond_br %strided, ^report, ^failed
^report:
  %value_at = llvm.getelementptr %result[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %i1, %result : i32, !llvm.ptr
  llvm.store %c1, %value_at : i64, !llvm.ptr
  llvm.br ^failed
^failed:
  llvm.return %status : i32
^pairs:
  %count_of_pairs = llvm.load %at : !llvm.ptr -> i64
  %first_pair = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.br ^next_pair(%c0, %first_pair : i64, !llvm.ptr)
^next_pair(%p: i64, %pair: !llvm.ptr):
  %more_pairs = llvm.icmp "slt" %p, %count_of_pairs : i64
  llvm.cond_br %more_pairs, ^pair, ^done
^pair:
  %a_at = llvm.getelementptr %pair[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %b_at = llvm.getelementptr %pair[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %note_offset = llvm.load %pair : !llvm.ptr -> i64
  %a_place = llvm.load %a_at : !llvm.ptr -> i64
  %b_place = llvm.load %b_at : !llvm.ptr -> i64
  %note = llvm.getelementptr %texts[%note_offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %a = llvm.getelementptr %frame[%a_place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %b = llvm.getelementptr %frame[%b_place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %apart = llvm.call @__gs_apart(%note, %a, %b) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %after_pair = llvm.getelementptr %pair[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %p1 = llvm.add %p, %c1 : i64
  %are_apart = llvm.icmp "eq" %apart, %i0 : i32
  llvm.cond_br %are_apart, ^next_pair(%p1, %after_pair : i64, !llvm.ptr), ^shared
^shared:
  llvm.return %apart : i32
^done:
  llvm.return %i0 : i32
}
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
"""`__gs_check(args, found, plan, texts, frame, result)` goes by a plan: it compares the number of
values, checks arrays and fills their records, [data, low, end, sizes..., strides...], and checks
that records share no memory. It returns 0, -1 with an error set, or 1 with 1 as the call's result:
an array is not C-contiguous where the code relies on it."""
