// RUN: gs-opt %s --verify-roundtrip | gs-opt | filecheck %s
// RUN: gs-opt %s --emit-bytecode | gs-opt | filecheck %s

// One operand per output; those after the first share a type that the first need not have.
// CHECK-LABEL: func.func @three_outputs
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: i32, %[[C:.*]]: i32):
// CHECK-NEXT: "gs.yield"(%[[A]], %[[C]], %[[B]]) : (f32, i32, i32) -> ()
func.func @three_outputs(%a: memref<4xf32>, %b: memref<4xi32>, %c: memref<4xi32>) {
  "gs.generic"(%a, %b, %c) ({
  ^bb0(%x: f32, %y: i32, %z: i32):
    "gs.yield"(%x, %z, %y) : (f32, i32, i32) -> ()
  }) {coordinate_maps = [],
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<4xf32>, memref<4xi32>, memref<4xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @one_output
// CHECK: ^bb0(%{{.*}}: f32, %[[UPDATE:.*]]: f32):
// CHECK-NEXT: "gs.yield"(%[[UPDATE]]) : (f32) -> ()
func.func @one_output(%updates: tensor<7xf32>, %dest: tensor<4xf32>, %indices: tensor<7x1xindex>)
    -> tensor<4xf32> {
  %0 = "gs.scatter"(%updates, %dest, %indices) ({
  ^bb0(%current: f32, %update: f32):
    "gs.yield"(%update) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>}
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xindex>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
