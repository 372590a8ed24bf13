// RUN: gs-opt %s --split-input-file --gs-generalize --gs-tile="sizes=4,8" --canonicalize --cse \
// RUN:   | filecheck %s

// A scatter: its output is reached through coordinates and carried whole, in the order of updates.

// CHECK-LABEL: func.func @scatter
// CHECK-SAME: (%[[U:.*]]: tensor<?x64xf32>, %[[Y:.*]]: tensor<10x64xf32>, %[[I:.*]]: tensor<?x1xi64>)
// CHECK: scf.for %[[ROW:.*]] = {{.*}} step %c4 iter_args
// CHECK: scf.for %[[COLUMN:.*]] = {{.*}} step %c8 iter_args(%[[ALL:.*]] = %{{.*}})
// CHECK: %[[OUT:.*]] = tensor.extract_slice %[[ALL]][0, %[[COLUMN]]] [10, 8] [1, 1]
// CHECK: gs.generic {{.*}} outs(%[[OUT]][s0, d1]) iterators(d0 = reduction, d1 = parallel)
// CHECK: tensor.insert_slice %{{.*}} into %[[ALL]][0, %[[COLUMN]]] [10, 8] [1, 1]
func.func @scatter(%u: tensor<?x64xf32>, %y: tensor<10x64xf32>, %i: tensor<?x1xi64>)
    -> tensor<10x64xf32> {
  %r = gs.scatter %u into %y[%i] scatter_dims([0]) combine(add)
      : (tensor<?x64xf32>, tensor<10x64xf32>, tensor<?x1xi64>) -> tensor<10x64xf32>
  return %r : tensor<10x64xf32>
}

// -----

// Integers are summed in any order.

// CHECK-LABEL: func.func @sums
// CHECK: scf.for
// CHECK: scf.for
// CHECK: gs.generic (
func.func @sums(%u: tensor<16x64xi32>, %y: tensor<10xi32>, %i: tensor<16x64xi64>)
    -> tensor<10xi32> {
  %r = gs.generic (d0, d1) [s0 = %i[d0, d1]]
      ins(%u[d0, d1]) outs(%y[s0]) iterators(d0 = reduction, d1 = reduction)
      : (tensor<16x64xi32>, tensor<16x64xi64>, tensor<10xi32>) -> tensor<10xi32> {
  ^bb0(%a: i32, %old: i32):
    %sum = arith.addi %a, %old : i32
    gs.yield %sum : i32
  }
  return %r : tensor<10xi32>
}

// -----

// Tiles as large as a dim leave the op as it is, and so does a rank of 0.

// CHECK-LABEL: func.func @small
// CHECK-NOT: scf.for
// CHECK-COUNT-2: gs.generic (
func.func @small(%x: tensor<9xf32>, %i: tensor<3x1xi64>, %one: tensor<1xi64>)
    -> (tensor<3xf32>, tensor<f32>) {
  %r = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<3x1xi64>) -> tensor<3xf32>
  %s = gs.gather %x[%one] gather_dims([0]) : (tensor<9xf32>, tensor<1xi64>) -> tensor<f32>
  return %r, %s : tensor<3xf32>, tensor<f32>
}
