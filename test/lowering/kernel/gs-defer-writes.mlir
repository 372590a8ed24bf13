// RUN: gs-opt %s --gs-defer-writes | FileCheck %s

func.func private @__gs_raise_1(i64)

// CHECK-LABEL: func.func @f
// CHECK: scf.if
// CHECK: memref.copy %arg0, %arg1
// CHECK-NEXT: memref.store
func.func @f(%x: memref<4xf32>, %r: memref<4xf32>, %bad: i1, %v: f32)
    attributes {gs.kernel, gs.arguments = [{type = tensor<4xf32>}]} {
  %c0 = arith.constant 0 : index
  %site = arith.constant 0 : i64
  memref.copy %x, %r : memref<4xf32> to memref<4xf32>
  scf.if %bad {
    func.call @__gs_raise_1(%site) : (i64) -> ()
  }
  memref.store %v, %r[%c0] : memref<4xf32>
  return
}

// What is written may have changed at the later place.
// CHECK-LABEL: func.func @written
// CHECK-NEXT: memref.copy
func.func @written(%x: memref<4xf32>, %r: memref<4xf32>) {
  memref.copy %x, %r : memref<4xf32> to memref<4xf32>
  return
}
