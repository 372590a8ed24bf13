// RUN: gs-opt %s --gs-inline-scopes | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-NEXT: %[[SAVED:.*]] = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT: memref.alloca
// CHECK-NEXT: %[[V:.*]] = memref.load
// CHECK-NEXT: llvm.intr.stackrestore %[[SAVED]] : !llvm.ptr
// CHECK-NEXT: memref.load %arg0
// CHECK-NOT: alloca_scope
func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
  %r = memref.alloca_scope -> (f32) {
    %a = memref.alloca() : memref<4xf32>
    %v = memref.load %a[%i] : memref<4xf32>
    memref.alloca_scope.return %v : f32
  }
  memref.alloca_scope {
    %v = memref.load %m[%i] : memref<4xf32>
  }
  return %r : f32
}

// Each step of the loop that holds an alloca gives it back.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[SAVED:.*]] = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT: memref.alloca
// CHECK: llvm.intr.stackrestore %[[SAVED]] : !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @loop(%m: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.alloca() : memref<4xf32>
      memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    }
  }
  return
}
