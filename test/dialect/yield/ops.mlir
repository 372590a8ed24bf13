// RUN: gs-opt %s --verify-roundtrip | gs-opt | filecheck %s
// RUN: gs-opt %s --emit-bytecode | gs-opt | filecheck %s

// One operand per output; those after the first share a type that the first need not have.
// CHECK-LABEL: func.func @three_outputs
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: i32, %[[C:.*]]: i32):
// CHECK-NEXT: gs.yield %[[A]], %[[C]], %[[B]] : f32, i32, i32
func.func @three_outputs(%a: memref<4xf32>, %b: memref<4xi32>, %c: memref<4xi32>) {
  gs.generic (d0) outs(%a[d0], %b[d0], %c[d0]) iterators(d0 = parallel)
      : (memref<4xf32>, memref<4xi32>, memref<4xi32>) -> () {
  ^bb0(%x: f32, %y: i32, %z: i32):
    gs.yield %x, %z, %y : f32, i32, i32
  }
  return
}

// CHECK-LABEL: func.func @one_output
// CHECK: ^bb0(%{{.*}}: f32, %[[UPDATE:.*]]: f32):
// CHECK-NEXT: gs.yield %[[UPDATE]] : f32
func.func @one_output(%updates: tensor<7xf32>, %dest: tensor<4xf32>, %indices: tensor<7x1xindex>)
    -> tensor<4xf32> {
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xindex>) -> tensor<4xf32> {
  ^bb0(%current: f32, %update: f32):
    gs.yield %update : f32
  }
  return %0 : tensor<4xf32>
}
