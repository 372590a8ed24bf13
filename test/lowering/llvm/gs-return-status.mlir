// RUN: gs-opt %s --split-input-file --gs-return-status | FileCheck %s

llvm.func @__gs_raise_0(i64, i64, i64)
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

// CHECK-LABEL: llvm.func @f(%arg0: i1, %arg1: i64) -> i32
// CHECK-SAME: gs.status, gs.tracked
// CHECK: %[[LIST:.*]] = llvm.alloca
// CHECK: llvm.call @__gs_alloc(%[[LIST]], %arg1)
// CHECK: llvm.icmp "eq"
// CHECK: llvm.call @__gs_raise_0
// CHECK-NEXT: llvm.call @__gs_free_all(%[[LIST]])
// CHECK-NEXT: %[[FAILED:.*]] = llvm.mlir.constant(-1 : i32)
// CHECK-NEXT: llvm.return %[[FAILED]] : i32
// CHECK: llvm.call @__gs_free
// CHECK: llvm.mlir.constant(0 : i32)
llvm.func @f(%bad: i1, %n: i64) attributes {gs.kernel, gs.results = []} {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.cond_br %bad, ^raise, ^rest
^raise:
  llvm.call @__gs_raise_0(%n, %n, %n) : (i64, i64, i64) -> ()
  llvm.br ^rest
^rest:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// -----

// What the function gives goes to one more pointer.
// CHECK-LABEL: llvm.func @owned(%arg0: i64, %arg1: !llvm.ptr) -> i32
// CHECK: llvm.store %arg0, %arg1
llvm.func @owned(%x: i64) -> i64 attributes {gs.kernel, gs.results = [{type = memref<?xi64>}]} {
  llvm.return %x : i64
}
