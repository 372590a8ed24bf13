// RUN: gs-opt %s --convert-stablehlo-to-gs | filecheck %s


// Rows of a table.
// CHECK-LABEL: func @rows
// CHECK-SAME: %[[T:.+]]: tensor<100x8xf32>, %[[I:.+]]: tensor<5x1xi32>
func.func @rows(%t: tensor<100x8xf32>, %i: tensor<5x1xi32>) -> tensor<5x8xf32> {
  // CHECK: %[[R:.+]] = gs.gather %[[T]][%[[I]]] gather_dims([0]) sorted mode(clip)
  // CHECK: return %[[R]]
  %r = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 8>, indices_are_sorted = true}>
      : (tensor<100x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}

// The window of the dim that is not addressed is cut from the operand, without a copy.
// CHECK-LABEL: func @part_of_rows
func.func @part_of_rows(%t: tensor<100x8xf32>, %i: tensor<5xi32>) -> tensor<5x3xf32> {
  // CHECK: %[[C:.+]] = tensor.extract_slice %{{.+}}[0, 0] [100, 3] [1, 1]
  // CHECK: %[[I:.+]] = tensor.expand_shape
  // CHECK: gs.gather %[[C]][%[[I]]] gather_dims([0]) mode(clip)
  %r = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 3>}> : (tensor<100x8xf32>, tensor<5xi32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// CHECK-LABEL: func @kept_unit_dims
func.func @kept_unit_dims(%t: tensor<4x5x6xf32>, %i: tensor<7x2xi64>) -> tensor<7x1x5x1xf32> {
  // CHECK: gs.gather {{.*}} gather_dims([0, 2]) mode(clip)
  %r = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3],
      start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5, 1>}>
      : (tensor<4x5x6xf32>, tensor<7x2xi64>) -> tensor<7x1x5x1xf32>
  return %r : tensor<7x1x5x1xf32>
}

// CHECK-LABEL: func @batching
func.func @batching(%t: tensor<3x100x8xf32>, %i: tensor<3x5x1xi32>) -> tensor<3x5x8xf32> {
  // CHECK: gs.gather {{.*}} gather_dims([1]) mode(clip) batch_dims(1)
  %r = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1, 8>}>
      : (tensor<3x100x8xf32>, tensor<3x5x1xi32>) -> tensor<3x5x8xf32>
  return %r : tensor<3x5x8xf32>
}

// take_along_axis
// CHECK-LABEL: func @elements
func.func @elements(%t: tensor<4x6xf32>, %i: tensor<2x6x1xi32>) -> tensor<2x6xf32> {
  // CHECK: %[[I:.+]] = tensor.collapse_shape
  // CHECK: gs.gather_elements %{{.+}}[%[[I]]] dim(0) mode(clip)
  %r = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [1],
      start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<4x6xf32>, tensor<2x6x1xi32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}

// take(axis=1): the window stands before the positions.
// CHECK-LABEL: func @columns
func.func @columns(%t: tensor<4x6xf32>, %i: tensor<3x1xi32>) -> tensor<4x3xf32> {
  // CHECK: gs.generic (d0, d1) [s0 = %{{.+}}[d1, 0] mode(clip)] ins(%{{.+}}[d0, s0]) outs(%{{.+}}[d0, d1]) iterators(d0 = parallel, d1 = parallel) :
  %r = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0],
      collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>,
      slice_sizes = array<i64: 4, 1>}> : (tensor<4x6xf32>, tensor<3x1xi32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// Windows of 2 x 3 with permuted coordinates, the vector of coordinates in front.
// CHECK-LABEL: func @windows
func.func @windows(%t: tensor<4x6xf32>, %i: tensor<2x7xi32>) -> tensor<7x2x3xf32> {
  // CHECK: gs.generic (d0, d1, d2) [s0 = %{{.+}}[1, d0] mode(clip), s1 = %{{.+}}[0, d0] mode(clip)] ins(%{{.+}}[d1 + s0, d2 + s1])
  %r = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2],
      start_index_map = [1, 0], index_vector_dim = 0>, slice_sizes = array<i64: 2, 3>}>
      : (tensor<4x6xf32>, tensor<2x7xi32>) -> tensor<7x2x3xf32>
  return %r : tensor<7x2x3xf32>
}

// Unsigned coordinates become wider signed ones.
// CHECK-LABEL: func @unsigned_coordinates
func.func @unsigned_coordinates(%t: tensor<300xf32>, %i: tensor<5x1xui8>, %j: tensor<5x1xui64>)
    -> (tensor<5xf32>, tensor<5xf32>) {
  // CHECK: %[[I:.+]] = stablehlo.convert %{{.+}} : (tensor<5x1xui8>) -> tensor<5x1xi32>
  // CHECK: gs.gather %{{.+}}[%[[I]]]
  %r = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1>}> : (tensor<300xf32>, tensor<5x1xui8>) -> tensor<5xf32>
  // CHECK: %[[C:.+]] = stablehlo.clamp
  // CHECK: %[[J:.+]] = stablehlo.convert %[[C]] : (tensor<5x1xui64>) -> tensor<5x1xi64>
  // CHECK: gs.gather %{{.+}}[%[[J]]]
  %s = "stablehlo.gather"(%t, %j) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1>}> : (tensor<300xf32>, tensor<5x1xui64>) -> tensor<5xf32>
  return %r, %s : tensor<5xf32>, tensor<5xf32>
}

// The sizes of the slices are the operand's own: whole rows.
// CHECK-LABEL: func @dynamic_rows
func.func @dynamic_rows(%t: tensor<100x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  // CHECK: gs.gather {{.*}} gather_dims([0]) mode(clip)
  // CHECK-SAME: (tensor<100x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %t, dim = 1 : (tensor<100x?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %one, %n1, dim = 0
      : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r = "stablehlo.dynamic_gather"(%t, %i, %sizes) <{dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}>
      : (tensor<100x?xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func @dynamic_window
func.func @dynamic_window(%t: tensor<?x?xf32>, %i: tensor<?x1xi32>, %sizes: tensor<2xi64>)
    -> tensor<?x?x?xf32> {
  // CHECK: %[[S:.+]] = tensor.extract_slice
  // CHECK: gs.generic {{.*}} mode(clip)] ins(%[[S]][
  %r = "stablehlo.dynamic_gather"(%t, %i, %sizes) <{dimension_numbers = #stablehlo.gather<
      offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>}>
      : (tensor<?x?xf32>, tensor<?x1xi32>, tensor<2xi64>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// Sizes that are constant after all.
// CHECK-LABEL: func @constant_sizes
func.func @constant_sizes(%t: tensor<4x6xf32>, %i: tensor<7x1xi32>) -> tensor<?x?xf32> {
  // CHECK: %[[S:.+]] = tensor.extract_slice %{{.+}}[0, 0] [4, 5] [1, 1]
  // CHECK: %[[R:.+]] = gs.gather %[[S]][{{.*}} -> tensor<7x5xf32>
  // CHECK: tensor.cast %[[R]] : tensor<7x5xf32> to tensor<?x?xf32>
  %sizes = stablehlo.constant dense<[1, 5]> : tensor<2xi64>
  %r = "stablehlo.dynamic_gather"(%t, %i, %sizes) <{dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}>
      : (tensor<4x6xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
