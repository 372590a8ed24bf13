// RUN: gs-opt %s --gs-copies-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-NEXT: memref.copy %arg0, %arg1
// CHECK-NEXT: linalg.copy {{.*}} outs(%arg2
func.func @f(%x: memref<4x6xf32>, %r: memref<4x6xf32>, %s: memref<4x6xf32, strided<[8, 1]>>) {
  memref.copy %x, %r : memref<4x6xf32> to memref<4x6xf32>
  memref.copy %x, %s : memref<4x6xf32> to memref<4x6xf32, strided<[8, 1]>>
  return
}
