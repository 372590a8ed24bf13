// RUN: gs-opt %s --gs-canonicalize | filecheck %s

// CHECK-LABEL: func.func @compose_gathers
// CHECK-SAME: (%[[X:.*]]: tensor<9x4xf32>, %[[I:.*]]: tensor<5x6x1xi32>, %[[K:.*]]: tensor<7x2xi64>)
// CHECK: %[[C:.*]] = gs.gather %[[I]][%[[K]]] gather_dims([0, 1]) mode(clip)
// CHECK: gs.gather %[[X]][%[[C]]] gather_dims([0]) mode(fill) wrap_negative
func.func @compose_gathers(%x: tensor<9x4xf32>, %i: tensor<5x6x1xi32>, %k: tensor<7x2xi64>) -> tensor<7x4xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(fill) wrap_negative
      : (tensor<9x4xf32>, tensor<5x6x1xi32>) -> tensor<5x6x4xf32>
  %r = gs.gather %g[%k] gather_dims([0, 1]) mode(clip)
      : (tensor<5x6x4xf32>, tensor<7x2xi64>) -> tensor<7x4xf32>
  return %r : tensor<7x4xf32>
}

// Filled slices are no filled coordinates; some index dims are not all.
// CHECK-LABEL: func.func @compose_gathers_not
// CHECK: %[[G:.*]] = gs.gather %arg0[%arg1]
// CHECK: gs.gather %[[G]][%arg2]
// CHECK: gs.gather %[[G]][%arg3]
func.func @compose_gathers_not(%x: tensor<9x4xf32>, %i: tensor<5x6x1xi32>, %k: tensor<7x2xi64>, %m: tensor<7x1xi64>) -> (tensor<7x4xf32>, tensor<7x6x4xf32>) {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<9x4xf32>, tensor<5x6x1xi32>) -> tensor<5x6x4xf32>
  %r = gs.gather %g[%k] gather_dims([0, 1]) mode(fill)
      : (tensor<5x6x4xf32>, tensor<7x2xi64>) -> tensor<7x4xf32>
  %s = gs.gather %g[%m] gather_dims([0]) : (tensor<5x6x4xf32>, tensor<7x1xi64>) -> tensor<7x6x4xf32>
  return %r, %s : tensor<7x4xf32>, tensor<7x6x4xf32>
}

// CHECK-LABEL: func.func @compose_gathers_of_batches
// CHECK-SAME: (%[[X:.*]]: tensor<9x4xf32>, %[[I:.*]]: tensor<2x5x1xi32>, %[[K:.*]]: tensor<2x3x1xi64>)
// CHECK: %[[C:.*]] = gs.gather %[[I]][%[[K]]] gather_dims([1]) batch_dims(1)
// CHECK: gs.gather %[[X]][%[[C]]] gather_dims([0])
func.func @compose_gathers_of_batches(%x: tensor<9x4xf32>, %i: tensor<2x5x1xi32>, %k: tensor<2x3x1xi64>) -> tensor<2x3x4xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<9x4xf32>, tensor<2x5x1xi32>) -> tensor<2x5x4xf32>
  %r = gs.gather %g[%k] gather_dims([1]) batch_dims(1)
      : (tensor<2x5x4xf32>, tensor<2x3x1xi64>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// Batches of the inner gather that the outer one does not keep apart.
// CHECK-LABEL: func.func @compose_gathers_of_batches_not
// CHECK: %[[G:.*]] = gs.gather %arg0[%arg1]
// CHECK: gs.gather %[[G]][%arg2]
func.func @compose_gathers_of_batches_not(%x: tensor<2x9x4xf32>, %i: tensor<2x5x1xi32>, %k: tensor<3x2xi64>) -> tensor<3x4xf32> {
  %g = gs.gather %x[%i] gather_dims([1]) batch_dims(1)
      : (tensor<2x9x4xf32>, tensor<2x5x1xi32>) -> tensor<2x5x4xf32>
  %r = gs.gather %g[%k] gather_dims([0, 1])
      : (tensor<2x5x4xf32>, tensor<3x2xi64>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @compose_gathers_of_elements
// CHECK-SAME: (%[[X:.*]]: tensor<9x4xf32>, %[[I:.*]]: tensor<5x4xi32>, %[[K:.*]]: tensor<2x3xi64>)
// CHECK: %[[C:.*]] = gs.gather_elements %[[I]][%[[K]]] dim(0) mode(clip)
// CHECK: gs.gather_elements %[[X]][%[[C]]] dim(0)
func.func @compose_gathers_of_elements(%x: tensor<9x4xf32>, %i: tensor<5x4xi32>, %k: tensor<2x3xi64>) -> tensor<2x3xf32> {
  %g = gs.gather_elements %x[%i] dim(0) : (tensor<9x4xf32>, tensor<5x4xi32>) -> tensor<5x4xf32>
  %r = gs.gather_elements %g[%k] dim(0) mode(clip)
      : (tensor<5x4xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// Along two dims; an error of the inner op.
// CHECK-LABEL: func.func @compose_gathers_of_elements_not
// CHECK: %[[G:.*]] = gs.gather_elements %arg0[%arg1]
// CHECK: gs.gather_elements %[[G]][%arg2]
// CHECK: %[[H:.*]] = gs.gather_elements %arg0[%arg1]
// CHECK: gs.gather_elements %[[H]][%arg2]
func.func @compose_gathers_of_elements_not(%x: tensor<9x4xf32>, %i: tensor<5x4xi32>, %k: tensor<2x3xi64>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %g = gs.gather_elements %x[%i] dim(0) : (tensor<9x4xf32>, tensor<5x4xi32>) -> tensor<5x4xf32>
  %r = gs.gather_elements %g[%k] dim(1) : (tensor<5x4xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  %h = gs.gather_elements %x[%i] dim(0) mode(error)
      : (tensor<9x4xf32>, tensor<5x4xi32>) -> tensor<5x4xf32>
  %s = gs.gather_elements %h[%k] dim(0) : (tensor<5x4xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return %r, %s : tensor<2x3xf32>, tensor<2x3xf32>
}

// Where there may be no coordinates to clip to, and slices may be empty: then the gathered slices
// are clipped to nothing, which needs none.
// CHECK-LABEL: func.func @compose_clipped_gathers
// CHECK: %[[C:.*]] = gs.gather %arg1[%arg2]
// CHECK: gs.gather %arg0[%[[C]]]
func.func @compose_clipped_gathers(%x: tensor<?x4xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi64>) -> tensor<?x4xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  %r = gs.gather %g[%k] gather_dims([0]) mode(clip)
      : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @compose_clipped_gathers_not
// CHECK: %[[G:.*]] = gs.gather %arg0[%arg1]
// CHECK: gs.gather %[[G]][%arg2]
func.func @compose_clipped_gathers_not(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi64>) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.gather %g[%k] gather_dims([0]) mode(clip)
      : (tensor<?x?xf32>, tensor<?x1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// What is read twice is gathered once: each step of pointer jumping is one gather.

// CHECK-LABEL: func.func @pointer_jumping
// CHECK-COUNT-3: gs.gather
// CHECK-NOT: gs.gather
// CHECK: return
func.func @pointer_jumping(%r0: tensor<?x1xi64>) -> tensor<?x1xi64> {
  %r1 = gs.gather %r0[%r0] gather_dims([0]) : (tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x1xi64>
  %r2 = gs.gather %r1[%r1] gather_dims([0]) : (tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x1xi64>
  %r3 = gs.gather %r2[%r2] gather_dims([0]) : (tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x1xi64>
  return %r3 : tensor<?x1xi64>
}
