// RUN: gs-opt %s --verify-roundtrip | gs-opt | filecheck %s
// RUN: gs-opt %s --emit-bytecode | gs-opt | filecheck %s

// CHECK-LABEL: func.func @bins_of_pairs
// CHECK-SAME: %[[UPDATES:[^:]*]]: {{.*}} %[[INDICES:[^:]*]]:
// CHECK: %[[BINS:.*]]:2 = gs.histogram %[[UPDATES]] at %[[INDICES]]
// CHECK-SAME: combine(add) : (tensor<9x6xf32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>)
// CHECK: return %[[BINS]]#0, %[[BINS]]#1
func.func @bins_of_pairs(%updates: tensor<9x6xf32>, %indices: tensor<9x2xindex>)
    -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  %combined, %bins = gs.histogram %updates at %indices combine(add)
      : (tensor<9x6xf32>, tensor<9x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>)
  return %combined, %bins : tensor<?x6xf32>, tensor<?x2xindex>
}

// CHECK-LABEL: func.func @several_index_dims_sorted
// CHECK: sorted combine(add) : (tensor<?x3xi64>, tensor<?x3x1xi32>) -> (tensor<?xi64>, tensor<?x1xi32>)
func.func @several_index_dims_sorted(%updates: tensor<?x3xi64>, %indices: tensor<?x3x1xi32>)
    -> (tensor<?xi64>, tensor<?x1xi32>) {
  %combined, %bins = gs.histogram %updates at %indices sorted combine(add)
      : (tensor<?x3xi64>, tensor<?x3x1xi32>) -> (tensor<?xi64>, tensor<?x1xi32>)
  return %combined, %bins : tensor<?xi64>, tensor<?x1xi32>
}

// One coordinate tuple makes one bin.
// CHECK-LABEL: func.func @no_index_dims
// CHECK: (tensor<6xf32>, tensor<2xui8>) -> (tensor<?x6xf32>, tensor<?x2xui8>) {
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %[[UPDATE:.*]]: f32):
// CHECK-NEXT: gs.yield %[[UPDATE]]
func.func @no_index_dims(%updates: tensor<6xf32>, %indices: tensor<2xui8>)
    -> (tensor<?x6xf32>, tensor<?x2xui8>) {
  %combined, %bins = gs.histogram %updates at %indices
      : (tensor<6xf32>, tensor<2xui8>) -> (tensor<?x6xf32>, tensor<?x2xui8>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %update : f32
  }
  return %combined, %bins : tensor<?x6xf32>, tensor<?x2xui8>
}
