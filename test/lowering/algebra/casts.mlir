// RUN: gs-opt %s --gs-canonicalize | filecheck %s

// CHECK-LABEL: func.func @fold_casts
// CHECK-SAME: (%[[X:.*]]: tensor<9x4xf32>, %[[I:.*]]: tensor<5x1xi32>, %[[U:.*]]: tensor<5x4xf32>, %[[K:.*]]: tensor<5x4xi64>)
// CHECK: %[[G:.*]] = gs.gather %[[X]][%[[I]]] {{.*}} -> tensor<5x4xf32>
// CHECK: tensor.cast %[[G]] : tensor<5x4xf32> to tensor<?x?xf32>
// CHECK: %[[S:.*]] = gs.scatter %[[U]] into %[[X]][%[[I]]] {{.*}} combine(add) :
// CHECK: tensor.cast %[[S]] : tensor<9x4xf32> to tensor<?x?xf32>
// CHECK: %[[E:.*]] = gs.gather_elements %[[X]][%[[K]]] {{.*}} -> tensor<5x4xf32>
// CHECK: tensor.cast %[[E]] : tensor<5x4xf32> to tensor<?x4xf32>
func.func @fold_casts(%x: tensor<9x4xf32>, %i: tensor<5x1xi32>, %u: tensor<5x4xf32>, %k: tensor<5x4xi64>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x4xf32>) {
  %a = tensor.cast %x : tensor<9x4xf32> to tensor<?x?xf32>
  %b = tensor.cast %i : tensor<5x1xi32> to tensor<?x1xi32>
  %c = tensor.cast %u : tensor<5x4xf32> to tensor<?x?xf32>
  %g = gs.gather %a[%b] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %s = gs.scatter %c into %a[%b] scatter_dims([0]) combine(add)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %d = tensor.cast %k : tensor<5x4xi64> to tensor<?x4xi64>
  %e = gs.gather_elements %x[%d] dim(0) : (tensor<9x4xf32>, tensor<?x4xi64>) -> tensor<?x4xf32>
  return %g, %s, %e : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x4xf32>
}

// The size of a batch dim that only the source knew.
// CHECK-LABEL: func.func @fold_casts_of_batches
// CHECK: %[[G:.*]] = gs.gather %arg0[%arg1] {{.*}} -> tensor<2x4x?xf32>
// CHECK: tensor.cast %[[G]] : tensor<2x4x?xf32> to tensor<?x4x?xf32>
func.func @fold_casts_of_batches(%x: tensor<2x4x5xf32>, %i: tensor<?x4x?x2xi64>) -> tensor<?x4x?xf32> {
  %a = tensor.cast %x : tensor<2x4x5xf32> to tensor<?x?x?xf32>
  %g = gs.gather %a[%i] gather_dims([1, 2]) batch_dims(1)
      : (tensor<?x?x?xf32>, tensor<?x4x?x2xi64>) -> tensor<?x4x?xf32>
  return %g : tensor<?x4x?xf32>
}

// A cast that claims a size is looked at where it stands.
// CHECK-LABEL: func.func @fold_casts_not
// CHECK: %[[C:.*]] = tensor.cast %arg0
// CHECK: gs.gather %[[C]][%arg1]
func.func @fold_casts_not(%x: tensor<?x4xf32>, %i: tensor<5x1xi32>) -> tensor<5x4xf32> {
  %a = tensor.cast %x : tensor<?x4xf32> to tensor<9x4xf32>
  %g = gs.gather %a[%i] gather_dims([0]) mode(clip)
      : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return %g : tensor<5x4xf32>
}
