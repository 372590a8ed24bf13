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
llvm.mlir.global internal constant @__gs_array_name("ffi.Array\\00")
llvm.func internal @__gs_delete(%self: !llvm.ptr) {
  %context = load %self[48 x i8] : ptr
  call @free(%context)
  call @free(%self)
  llvm.return
}
llvm.func internal @__gs_own(%descriptor: !llvm.ptr, %dtype: i64, %rank: i64, %bytes: i64,
    %header: i64, %slot: !llvm.ptr) -> i32 attributes {no_inline} {
  %base = load %descriptor : ptr
  %dims = at %descriptor[3]
  %aligned = load %descriptor[1] : ptr
  %offset = load %descriptor[2] : i64
  %byte_offset = llvm.mul %offset, %bytes : i64
  %data = at %aligned[%byte_offset x i8]
  %to_start = llvm.sub %c0, %header : i64
  %allocation = at %base[%to_start x i8]
  %shift = llvm.shl %rank, %c4 : i64
  %size = llvm.add %c64, %shift : i64
  %self = call @malloc(%size)
  %shape = at %self[64 x i8]
  %strides = at %shape[%rank]
  "llvm.intr.memcpy"(%shape, %dims, %shift) <{isVolatile = false}>
    : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %rank32 = llvm.trunc %rank : i64 to i32
  %dtype32 = llvm.trunc %dtype : i64 to i32
  %deleter = llvm.mlir.addressof @__gs_delete : !llvm.ptr
  store %data, %self : ptr
  store %c1, %self[8 x i8] : i64
  store %rank32, %self[16 x i8] : i32
  store %dtype32, %self[20 x i8] : i32
  store %shape, %self[24 x i8] : ptr
  store %strides, %self[32 x i8] : ptr
  store %c0, %self[40 x i8] : i64
  store %allocation, %self[48 x i8] : ptr
  store %deleter, %self[56 x i8] : ptr
  %handle_at = at %slot[8 x i8]
  store %c70, %slot : i64
  %status = call @TVMFFITensorFromDLPack(%self, %i0, %i0, %handle_at)
  llvm.return %status : i32
}
llvm.func internal @__gs_list(%anys: !llvm.ptr, %count: i32, %result: !llvm.ptr) -> i32
    attributes {no_inline} {
  %name = llvm.alloca %c2 x i64 : (i64) -> !llvm.ptr
  %function_at = llvm.alloca %c1 x i64 : (i64) -> !llvm.ptr
  %chars = llvm.mlir.addressof @__gs_array_name : !llvm.ptr
  store %chars, %name : ptr
  store %c9, %name[1] : i64
  %s0 = call @TVMFFIFunctionGetGlobal(%name, %function_at)
  %function = load %function_at : ptr
  %s1 = call @TVMFFIFunctionCall(%function, %anys, %count, %result)
  %s2 = call @TVMFFIObjectDecRef(%function)
  llvm.br ^head(%i0 : i32)
^head(%k: i32):
  %more = llvm.icmp "slt" %k, %count : i32
  llvm.cond_br %more, ^body, ^done
^body:
  %word = llvm.shl %k, %i1 : i32
  %next = llvm.add %word, %i1 : i32
  %handle_at = llvm.getelementptr %anys[%next] : (!llvm.ptr, i32) -> !llvm.ptr, i64
  %handle = load %handle_at : ptr
  %s3 = call @TVMFFIObjectDecRef(%handle)
  %k1 = llvm.add %k, %i1 : i32
  llvm.br ^head(%k1 : i32)
^done:
  llvm.return %s1 : i32
}
"""
"""`__gs_own` makes a tensor from a memref descriptor whose allocation starts `header` bytes before
its base; `__gs_list` makes an `ffi.Array` of them."""
