// RUN: gs-opt %s --gs-canonicalize | filecheck %s

// CHECK-LABEL: func.func @compose_gathers
// CHECK-SAME: (%[[X:.*]]: tensor<9x4xf32>, %[[I:.*]]: tensor<5x6x1xi32>, %[[K:.*]]: tensor<7x2xi64>)
// CHECK: %[[C:.*]] = "gs.gather"(%[[I]], %[[K]]) {gather_dims = array<i64: 0, 1>, mode = "clip"}
// CHECK: "gs.gather"(%[[X]], %[[C]]) {gather_dims = array<i64: 0>, mode = "fill", wrap_negative}
func.func @compose_gathers(%x: tensor<9x4xf32>, %i: tensor<5x6x1xi32>, %k: tensor<7x2xi64>) -> tensor<7x4xf32> {
  %g = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>, mode = "fill", wrap_negative} : (tensor<9x4xf32>, tensor<5x6x1xi32>) -> tensor<5x6x4xf32>
  %r = "gs.gather"(%g, %k) {gather_dims = array<i64: 0, 1>, mode = "clip"} : (tensor<5x6x4xf32>, tensor<7x2xi64>) -> tensor<7x4xf32>
  return %r : tensor<7x4xf32>
}

// Filled slices are no filled coordinates; some index dims are not all.
// CHECK-LABEL: func.func @compose_gathers_not
// CHECK: %[[G:.*]] = "gs.gather"(%arg0, %arg1)
// CHECK: "gs.gather"(%[[G]], %arg2)
// CHECK: "gs.gather"(%[[G]], %arg3)
func.func @compose_gathers_not(%x: tensor<9x4xf32>, %i: tensor<5x6x1xi32>, %k: tensor<7x2xi64>, %m: tensor<7x1xi64>) -> (tensor<7x4xf32>, tensor<7x6x4xf32>) {
  %g = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>} : (tensor<9x4xf32>, tensor<5x6x1xi32>) -> tensor<5x6x4xf32>
  %r = "gs.gather"(%g, %k) {gather_dims = array<i64: 0, 1>, mode = "fill"} : (tensor<5x6x4xf32>, tensor<7x2xi64>) -> tensor<7x4xf32>
  %s = "gs.gather"(%g, %m) {gather_dims = array<i64: 0>} : (tensor<5x6x4xf32>, tensor<7x1xi64>) -> tensor<7x6x4xf32>
  return %r, %s : tensor<7x4xf32>, tensor<7x6x4xf32>
}

// CHECK-LABEL: func.func @forward_scattered
// CHECK-SAME: (%[[U:.*]]: tensor<5xf32>,
// CHECK-NEXT: return %[[U]]
func.func @forward_scattered(%u: tensor<5xf32>, %d: tensor<9xf32>, %i: tensor<5x1xi32>) -> tensor<5xf32> {
  %s = "gs.scatter"(%u, %d, %i) ({}) {scatter_dims = array<i64: 0>, unique} : (tensor<5xf32>, tensor<9xf32>, tensor<5x1xi32>) -> tensor<9xf32>
  %g = "gs.gather"(%s, %i) {gather_dims = array<i64: 0>} : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return %g : tensor<5xf32>
}

// Repeated coordinates: the last update wins. Clipped ones may fall together.
// CHECK-LABEL: func.func @forward_scattered_not
// CHECK-COUNT-2: "gs.gather"
func.func @forward_scattered_not(%u: tensor<5xf32>, %d: tensor<9xf32>, %i: tensor<5x1xi32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %s = "gs.scatter"(%u, %d, %i) ({}) {scatter_dims = array<i64: 0>} : (tensor<5xf32>, tensor<9xf32>, tensor<5x1xi32>) -> tensor<9xf32>
  %g = "gs.gather"(%s, %i) {gather_dims = array<i64: 0>} : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  %t = "gs.scatter"(%u, %d, %i) ({}) {scatter_dims = array<i64: 0>, unique, mode = "drop"} : (tensor<5xf32>, tensor<9xf32>, tensor<5x1xi32>) -> tensor<9xf32>
  %h = "gs.gather"(%t, %i) {gather_dims = array<i64: 0>, mode = "fill"} : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return %g, %h : tensor<5xf32>, tensor<5xf32>
}

// CHECK-LABEL: func.func @slice_at_known_run
// CHECK-SAME: (%[[X:.*]]: tensor<9x4xf32>)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][1, 0] [3, 4] [2, 1]
// CHECK: %[[T:.*]] = tensor.extract_slice %[[X]][8, 0] [1, 4] [1, 1]
// CHECK: return %[[S]], %[[T]], %[[X]]
func.func @slice_at_known_run(%x: tensor<9x4xf32>) -> (tensor<3x4xf32>, tensor<1x4xf32>, tensor<9x4xf32>) {
  %i = arith.constant dense<[[1], [3], [5]]> : tensor<3x1xi32>
  %r = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>} : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  %k = arith.constant dense<8> : tensor<1x1xi32>
  %s = "gs.gather"(%x, %k) {gather_dims = array<i64: 0>, mode = "error"} : (tensor<9x4xf32>, tensor<1x1xi32>) -> tensor<1x4xf32>
  %iota = tensor.generate {
  ^bb0(%n: index, %m: index):
    tensor.yield %n : index
  } : tensor<9x1xindex>
  %t = "gs.gather"(%x, %iota) {gather_dims = array<i64: 0>} : (tensor<9x4xf32>, tensor<9x1xindex>) -> tensor<9x4xf32>
  return %r, %s, %t : tensor<3x4xf32>, tensor<1x4xf32>, tensor<9x4xf32>
}

// Out of bounds, backwards, uneven.
// CHECK-LABEL: func.func @slice_at_known_run_not
// CHECK-COUNT-3: "gs.gather"
func.func @slice_at_known_run_not(%x: tensor<9x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %i = arith.constant dense<[[1], [5], [9]]> : tensor<3x1xi32>
  %r = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>, mode = "clip"} : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  %k = arith.constant dense<[[5], [3], [1]]> : tensor<3x1xi32>
  %s = "gs.gather"(%x, %k) {gather_dims = array<i64: 0>} : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  %m = arith.constant dense<[[1], [2], [4]]> : tensor<3x1xi32>
  %t = "gs.gather"(%x, %m) {gather_dims = array<i64: 0>} : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %r, %s, %t : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}

// CHECK-LABEL: func.func @gather_of_one_value
// CHECK: %[[C:.*]] = arith.constant dense<2.500000e+00> : tensor<5x4xf32>
// CHECK: return %[[C]]
func.func @gather_of_one_value(%i: tensor<5x1xi32>) -> tensor<5x4xf32> {
  %x = arith.constant dense<2.5> : tensor<9x4xf32>
  %g = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>} : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return %g : tensor<5x4xf32>
}

// CHECK-LABEL: func.func @gather_of_one_value_not
// CHECK: "gs.gather"
func.func @gather_of_one_value_not(%i: tensor<5x1xi32>) -> tensor<5x4xf32> {
  %x = arith.constant dense<2.5> : tensor<9x4xf32>
  %g = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>, mode = "fill"} : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return %g : tensor<5x4xf32>
}
