"""Generated code that gives memory to the caller: tvm-ffi tensors over what a function allocated.

A DLManagedTensor is {DLTensor (48 bytes), context @48, deleter @56}; ours has the shape and the
strides behind it, and the allocation to free in its context. Its deleter is machine code that must
outlive every result: it stays for the life of the process.
"""

TEXT = """
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @TVMFFITensorFromDLPack(!llvm.ptr, i32, i32, !llvm.ptr) -> i32
llvm.func @TVMFFIFunctionGetGlobal(!llvm.ptr, !llvm.ptr) -> i32
llvm.func @TVMFFIFunctionCall(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32
llvm.func @TVMFFIObjectDecRef(!llvm.ptr) -> i32
llvm.mlir.global internal constant @__gs_array_name("ffi.Array\\00")
llvm.func internal @__gs_delete(%self: !llvm.ptr) {
  %context_at = llvm.getelementptr %self[48] : (!llvm.ptr) -> !llvm.ptr, i8
  %context = llvm.load %context_at : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%context) : (!llvm.ptr) -> ()
  llvm.call @free(%self) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func internal @__gs_own(%descriptor: !llvm.ptr, %dtype: i64, %rank: i64, %bytes: i64,
    %header: i64, %slot: !llvm.ptr) -> i32 attributes {no_inline} {
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c4 = llvm.mlir.constant(4 : i64) : i64
  %base = llvm.load %descriptor : !llvm.ptr -> !llvm.ptr
  %aligned_at = llvm.getelementptr %descriptor[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %offset_at = llvm.getelementptr %descriptor[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %dims = llvm.getelementptr %descriptor[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %aligned = llvm.load %aligned_at : !llvm.ptr -> !llvm.ptr
  %offset = llvm.load %offset_at : !llvm.ptr -> i64
  %byte_offset = llvm.mul %offset, %bytes : i64
  %data = llvm.getelementptr %aligned[%byte_offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %to_start = llvm.sub %c0, %header : i64
  %allocation = llvm.getelementptr %base[%to_start] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %shift = llvm.shl %rank, %c4 : i64
  %head = llvm.mlir.constant(64 : i64) : i64
  %size = llvm.add %head, %shift : i64
  %self = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %shape = llvm.getelementptr %self[64] : (!llvm.ptr) -> !llvm.ptr, i8
  %strides = llvm.getelementptr %shape[%rank] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  "llvm.intr.memcpy"(%shape, %dims, %shift) <{isVolatile = false}>
    : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %device_at = llvm.getelementptr %self[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %rank_at = llvm.getelementptr %self[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %dtype_at = llvm.getelementptr %self[20] : (!llvm.ptr) -> !llvm.ptr, i8
  %shape_at = llvm.getelementptr %self[24] : (!llvm.ptr) -> !llvm.ptr, i8
  %strides_at = llvm.getelementptr %self[32] : (!llvm.ptr) -> !llvm.ptr, i8
  %zero_at = llvm.getelementptr %self[40] : (!llvm.ptr) -> !llvm.ptr, i8
  %context_at = llvm.getelementptr %self[48] : (!llvm.ptr) -> !llvm.ptr, i8
  %deleter_at = llvm.getelementptr %self[56] : (!llvm.ptr) -> !llvm.ptr, i8
  %rank32 = llvm.trunc %rank : i64 to i32
  %dtype32 = llvm.trunc %dtype : i64 to i32
  %deleter = llvm.mlir.addressof @__gs_delete : !llvm.ptr
  llvm.store %data, %self : !llvm.ptr, !llvm.ptr
  llvm.store %c1, %device_at : i64, !llvm.ptr
  llvm.store %rank32, %rank_at : i32, !llvm.ptr
  llvm.store %dtype32, %dtype_at : i32, !llvm.ptr
  llvm.store %shape, %shape_at : !llvm.ptr, !llvm.ptr
  llvm.store %strides, %strides_at : !llvm.ptr, !llvm.ptr
  llvm.store %c0, %zero_at : i64, !llvm.ptr
  llvm.store %allocation, %context_at : !llvm.ptr, !llvm.ptr
  llvm.store %deleter, %deleter_at : !llvm.ptr, !llvm.ptr
  %kind = llvm.mlir.constant(70 : i64) : i64
  %handle_at = llvm.getelementptr %slot[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %kind, %slot : i64, !llvm.ptr
  %status = llvm.call @TVMFFITensorFromDLPack(%self, %i0, %i0, %handle_at)
    : (!llvm.ptr, i32, i32, !llvm.ptr) -> i32
  llvm.return %status : i32
}
llvm.func internal @__gs_list(%anys: !llvm.ptr, %count: i32, %result: !llvm.ptr) -> i32
    attributes {no_inline} {
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %i1 = llvm.mlir.constant(1 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c2 = llvm.mlir.constant(2 : i64) : i64
  %length = llvm.mlir.constant(9 : i64) : i64
  %name = llvm.alloca %c2 x i64 : (i64) -> !llvm.ptr
  %function_at = llvm.alloca %c1 x i64 : (i64) -> !llvm.ptr
  %chars = llvm.mlir.addressof @__gs_array_name : !llvm.ptr
  %length_at = llvm.getelementptr %name[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %chars, %name : !llvm.ptr, !llvm.ptr
  llvm.store %length, %length_at : i64, !llvm.ptr
  %s0 = llvm.call @TVMFFIFunctionGetGlobal(%name, %function_at) : (!llvm.ptr, !llvm.ptr) -> i32
  %function = llvm.load %function_at : !llvm.ptr -> !llvm.ptr
  %s1 = llvm.call @TVMFFIFunctionCall(%function, %anys, %count, %result)
    : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32
  %s2 = llvm.call @TVMFFIObjectDecRef(%function) : (!llvm.ptr) -> i32
  llvm.br ^head(%i0 : i32)
^head(%k: i32):
  %more = llvm.icmp "slt" %k, %count : i32
  llvm.cond_br %more, ^body, ^done
^body:
  %word = llvm.shl %k, %i1 : i32
  %next = llvm.add %word, %i1 : i32
  %handle_at = llvm.getelementptr %anys[%next] : (!llvm.ptr, i32) -> !llvm.ptr, i64
  %handle = llvm.load %handle_at : !llvm.ptr -> !llvm.ptr
  %s3 = llvm.call @TVMFFIObjectDecRef(%handle) : (!llvm.ptr) -> i32
  %k1 = llvm.add %k, %i1 : i32
  llvm.br ^head(%k1 : i32)
^done:
  llvm.return %s1 : i32
}
"""
"""`__gs_own` makes a tensor from a memref descriptor whose allocation starts `header` bytes before
its base; `__gs_list` makes an `ffi.Array` of them."""
