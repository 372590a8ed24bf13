// RUN: gs-opt %s --gs-mark-pointers | FileCheck %s
// RUN: gs-opt %s --gs-mark-pointers=noalias=false | FileCheck %s --check-prefix=PLAIN

// CHECK: llvm.func @part(%arg0: !llvm.ptr, %arg1: !llvm.ptr {llvm.noalias}, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i32)
// CHECK-SAME: attributes {no_inline}
// PLAIN-NOT: noalias
// PLAIN: no_inline
llvm.func @part(%a: !llvm.ptr, %p: !llvm.ptr, %o: i64, %n: i64, %s: i64, %x: i32)
    attributes {gs.ranks = array<i64: 1, -1>, gs.disjoint = array<i64: 0>} {
  llvm.return
}

// The pointer into memory that malloc gives is counted from it, so that LLVM sees whose it is.

// CHECK-LABEL: llvm.func @aligned
// CHECK: %[[MEMORY:.*]] = llvm.call @malloc
// CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %[[MEMORY]]
// CHECK: %[[ALIGNED:.*]] = llvm.sub
// CHECK: %[[AHEAD:.*]] = llvm.sub %[[ALIGNED]], %[[ADDRESS]]
// CHECK: %[[POINTER:.*]] = llvm.getelementptr %[[MEMORY]][%[[AHEAD]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: llvm.return %[[POINTER]]
// PLAIN-LABEL: llvm.func @aligned
// PLAIN: llvm.inttoptr
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @aligned(%size: i64) -> !llvm.ptr {
  %memory = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %c63 = llvm.mlir.constant(63 : i64) : i64
  %c64 = llvm.mlir.constant(64 : i64) : i64
  %address = llvm.ptrtoint %memory : !llvm.ptr to i64
  %last = llvm.add %address, %c63 : i64
  %rest = llvm.urem %last, %c64 : i64
  %aligned = llvm.sub %last, %rest : i64
  %pointer = llvm.inttoptr %aligned : i64 to !llvm.ptr
  llvm.return %pointer : !llvm.ptr
}
