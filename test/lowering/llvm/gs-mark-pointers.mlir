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
