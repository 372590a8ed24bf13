// RUN: gs-opt %s --gs-canonicalize | filecheck %s

// CHECK-LABEL: func.func @slice_of_gather
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<9x8xf32>, %[[I:[a-z0-9]+]]: tensor<?x6x1xi32>, %[[N:[a-z0-9]+]]: index)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][0, 2] [9, 3] [1, 2] : tensor<9x8xf32> to tensor<9x3xf32>
// CHECK: %[[K:.*]] = tensor.extract_slice %[[I]][%[[N]], 1, 0] [2, %[[N]], 1] [1, 1, 1] : tensor<?x6x1xi32> to tensor<2x?x1xi32>
// CHECK: gs.gather %[[S]][%[[K]]] gather_dims([0]) unique mode(clip)
func.func @slice_of_gather(%x: tensor<9x8xf32>, %i: tensor<?x6x1xi32>, %n: index) -> tensor<2x?x3xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) unique mode(clip)
      : (tensor<9x8xf32>, tensor<?x6x1xi32>) -> tensor<?x6x8xf32>
  %s = tensor.extract_slice %g[%n, 1, 2] [2, %n, 3] [1, 1, 2] : tensor<?x6x8xf32> to tensor<2x?x3xf32>
  return %s : tensor<2x?x3xf32>
}

// CHECK-LABEL: func.func @slice_of_batches
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4x9x8xf32>, %[[I:[a-z0-9]+]]: tensor<4x6x1xi32>)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][1, 0, 0] [2, 9, 8] [1, 1, 1]
// CHECK: %[[K:.*]] = tensor.extract_slice %[[I]][1, 0, 0] [2, 6, 1] [1, 1, 1]
// CHECK: gs.gather %[[S]][%[[K]]] gather_dims([1]) batch_dims(1)
func.func @slice_of_batches(%x: tensor<4x9x8xf32>, %i: tensor<4x6x1xi32>) -> tensor<2x6x8xf32> {
  %g = gs.gather %x[%i] gather_dims([1]) batch_dims(1)
      : (tensor<4x9x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
  %s = tensor.extract_slice %g[1, 0, 0] [2, 6, 8] [1, 1, 1] : tensor<4x6x8xf32> to tensor<2x6x8xf32>
  return %s : tensor<2x6x8xf32>
}

// CHECK-LABEL: func.func @slice_of_elements
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<9x8xf32>, %[[I:[a-z0-9]+]]: tensor<6x7xi32>)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][0, 4] [9, 3] [1, 1]
// CHECK: %[[K:.*]] = tensor.extract_slice %[[I]][1, 4] [2, 3] [2, 1]
// CHECK: gs.gather_elements %[[S]][%[[K]]] dim(0)
func.func @slice_of_elements(%x: tensor<9x8xf32>, %i: tensor<6x7xi32>) -> tensor<2x3xf32> {
  %g = gs.gather_elements %x[%i] dim(0) : (tensor<9x8xf32>, tensor<6x7xi32>) -> tensor<6x7xf32>
  %s = tensor.extract_slice %g[1, 4] [2, 3] [2, 1] : tensor<6x7xf32> to tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}

// What is gathered is needed; a dim is dropped; coordinates may be wrong; gathered dims are kept.
// CHECK-LABEL: func.func @slice_of_gather_not
// CHECK-NOT: tensor.extract_slice %arg
// CHECK: return
func.func @slice_of_gather_not(%x: tensor<9x8xf32>, %i: tensor<6x1xi32>) -> (tensor<6x8xf32>, tensor<2x8xf32>, tensor<8xf32>, tensor<2x8xf32>, tensor<2x1x8xf32>) {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<9x8xf32>, tensor<6x1xi32>) -> tensor<6x8xf32>
  %s = tensor.extract_slice %g[1, 0] [2, 8] [1, 1] : tensor<6x8xf32> to tensor<2x8xf32>
  %h = gs.gather %x[%i] gather_dims([0]) : (tensor<9x8xf32>, tensor<6x1xi32>) -> tensor<6x8xf32>
  %t = tensor.extract_slice %h[1, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<8xf32>
  %k = gs.gather %x[%i] gather_dims([0]) mode(error)
      : (tensor<9x8xf32>, tensor<6x1xi32>) -> tensor<6x8xf32>
  %u = tensor.extract_slice %k[1, 0] [2, 8] [1, 1] : tensor<6x8xf32> to tensor<2x8xf32>
  %l = gs.gather %x[%i] gather_dims([0]) : (tensor<9x8xf32>, tensor<6x1xi32>) -> tensor<6x1x8xf32>
  %v = tensor.extract_slice %l[1, 0, 0] [2, 1, 8] [1, 1, 1] : tensor<6x1x8xf32> to tensor<2x1x8xf32>
  return %g, %s, %t, %u, %v : tensor<6x8xf32>, tensor<2x8xf32>, tensor<8xf32>, tensor<2x8xf32>, tensor<2x1x8xf32>
}

// Where there are no indices, the source may be smaller than they are in the other dims.
// CHECK-LABEL: func.func @slice_of_elements_not
// CHECK: gs.gather_elements %arg0[%arg1]
// CHECK: tensor.extract_slice
func.func @slice_of_elements_not(%x: tensor<9x?xf32>, %i: tensor<?x7xi32>, %n: index) -> tensor<?x3xf32> {
  %g = gs.gather_elements %x[%i] dim(0) : (tensor<9x?xf32>, tensor<?x7xi32>) -> tensor<?x7xf32>
  %s = tensor.extract_slice %g[0, 4] [%n, 3] [1, 1] : tensor<?x7xf32> to tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}
