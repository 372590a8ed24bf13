// RUN: gs-opt %s --gs-load-halves | FileCheck %s

// CHECK-LABEL: llvm.func @f
// CHECK: %[[X:.*]] = llvm.load %arg0
// CHECK: %[[BITS:.*]] = llvm.bitcast %[[X]] : f16 to i16
// CHECK: %[[SAME:.*]] = llvm.inline_asm
// CHECK: %[[AGAIN:.*]] = llvm.bitcast %[[SAME]] : i16 to f16
// CHECK: llvm.fadd %[[AGAIN]]
llvm.func @f(%p: !llvm.ptr, %y: f16) -> f16 {
  %x = llvm.load %p : !llvm.ptr -> f16
  %sum = llvm.fadd %x, %y : f16
  llvm.return %sum : f16
}
