// RUN: gs-opt %s --split-input-file --gs-generalize --gs-tile="sizes=4,8" --canonicalize --cse \
// RUN:   | filecheck %s

// A scatter: its output is reached through coordinates and carried whole, in the order of updates.

// CHECK-LABEL: func.func @scatter
// CHECK-SAME: (%[[U:.*]]: tensor<?x64xf32>, %[[Y:.*]]: tensor<10x64xf32>, %[[I:.*]]: tensor<?x1xi64>)
// CHECK: scf.for %[[ROW:.*]] = {{.*}} step %c4 iter_args
// CHECK: scf.for %[[COLUMN:.*]] = {{.*}} step %c8 iter_args(%[[ALL:.*]] = %{{.*}})
// CHECK: %[[OUT:.*]] = tensor.extract_slice %[[ALL]][0, %[[COLUMN]]] [10, 8] [1, 1]
// CHECK: "gs.generic"(%{{.*}}, %{{.*}}, %[[OUT]])
// CHECK: iterator_types = ["reduction", "parallel"]
// CHECK: tensor.insert_slice %{{.*}} into %[[ALL]][0, %[[COLUMN]]] [10, 8] [1, 1]
func.func @scatter(%u: tensor<?x64xf32>, %y: tensor<10x64xf32>, %i: tensor<?x1xi64>)
    -> tensor<10x64xf32> {
  %r = "gs.scatter"(%u, %y, %i) ({
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>}
      : (tensor<?x64xf32>, tensor<10x64xf32>, tensor<?x1xi64>) -> tensor<10x64xf32>
  return %r : tensor<10x64xf32>
}

// -----

// Integers are summed in any order.

// CHECK-LABEL: func.func @sums
// CHECK: scf.for
// CHECK: scf.for
// CHECK: "gs.generic"
func.func @sums(%u: tensor<16x64xi32>, %y: tensor<10xi32>, %i: tensor<16x64xi64>)
    -> tensor<10xi32> {
  %r = "gs.generic"(%u, %i, %y) ({
  ^bb0(%a: i32, %old: i32):
    %sum = arith.addi %a, %old : i32
    "gs.yield"(%sum) : (i32) -> ()
  }) {
    indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>, affine_map<(d0, d1)[s0] -> (s0)>],
    coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0, d1)>]],
    iterator_types = ["reduction", "reduction"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<16x64xi32>, tensor<16x64xi64>, tensor<10xi32>) -> tensor<10xi32>
  return %r : tensor<10xi32>
}

// -----

// Tiles as large as a dim leave the op as it is, and so does a rank of 0.

// CHECK-LABEL: func.func @small
// CHECK-NOT: scf.for
// CHECK-COUNT-2: "gs.generic"
func.func @small(%x: tensor<9xf32>, %i: tensor<3x1xi64>, %one: tensor<1xi64>)
    -> (tensor<3xf32>, tensor<f32>) {
  %r = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>}
      : (tensor<9xf32>, tensor<3x1xi64>) -> tensor<3xf32>
  %s = "gs.gather"(%x, %one) {gather_dims = array<i64: 0>}
      : (tensor<9xf32>, tensor<1xi64>) -> tensor<f32>
  return %r, %s : tensor<3xf32>, tensor<f32>
}
