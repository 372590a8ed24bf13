// RUN: gs-opt %s --gs-drop-copies | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-NEXT: memref.cast
// CHECK-NEXT: memref.copy %arg0, %arg1
// CHECK-NEXT: return
func.func @f(%x: memref<4xf32>, %y: memref<4xf32>, %none: memref<0xf32>, %other: memref<0xf32>) {
  %same = memref.cast %x : memref<4xf32> to memref<?xf32>
  memref.copy %x, %same : memref<4xf32> to memref<?xf32>
  memref.copy %none, %other : memref<0xf32> to memref<0xf32>
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}
