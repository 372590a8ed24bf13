// RUN: gs-opt %s --convert-stablehlo-to-gs --canonicalize | filecheck %s

// What JAX lowers its modes to becomes the modes of gs again.


// x[i], negative indices count from the end.
// CHECK-LABEL: func @wrapped_rows
// CHECK-SAME: %[[X:.+]]: tensor<4x6xf32>, %[[I:.+]]: tensor<3xi32>
func.func @wrapped_rows(%x: tensor<4x6xf32>, %i: tensor<3xi32>) -> tensor<3x6xf32> {
  // CHECK-NOT: stablehlo
  // CHECK: %[[C:.+]] = tensor.expand_shape %[[I]]
  // CHECK: %[[R:.+]] = gs.gather %[[X]][%[[C]]] gather_dims([0]) mode(clip) wrap_negative
  // CHECK: return %[[R]]
  %c = stablehlo.constant dense<4> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<i32>) -> tensor<3xi32>
  %negative = stablehlo.compare LT, %i, %zero, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %size = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
  %sum = stablehlo.add %i, %size : tensor<3xi32>
  %w = stablehlo.select %negative, %sum, %i : tensor<3xi1>, tensor<3xi32>
  %s = stablehlo.broadcast_in_dim %w, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
  %r = "stablehlo.gather"(%x, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>
  return %r : tensor<3x6xf32>
}

// Another number than the size of the dim is added: not a wrap.
// CHECK-LABEL: func @other_number
func.func @other_number(%x: tensor<4x6xf32>, %i: tensor<3xi32>) -> tensor<3x6xf32> {
  // CHECK: stablehlo.select
  // CHECK: gs.gather %
  // CHECK-NOT: wrap_negative
  %c = stablehlo.constant dense<5> : tensor<3xi32>
  %zero = stablehlo.constant dense<0> : tensor<3xi32>
  %negative = stablehlo.compare LT, %i, %zero, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %sum = stablehlo.add %i, %c : tensor<3xi32>
  %w = stablehlo.select %negative, %sum, %i : tensor<3xi1>, tensor<3xi32>
  %r = "stablehlo.gather"(%x, %w) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<3xi32>) -> tensor<3x6xf32>
  return %r : tensor<3x6xf32>
}

// x[i[:, None], j]: each array is read where it is, nothing is joined.
// CHECK-LABEL: func @columns
// CHECK-SAME: %[[X:.+]]: tensor<4x6xf32>, %[[I:.+]]: tensor<3xi32>, %[[J:.+]]: tensor<5xi32>
func.func @columns(%x: tensor<4x6xf32>, %i: tensor<3xi32>, %j: tensor<5xi32>) -> tensor<3x5xf32> {
  // CHECK-NOT: stablehlo
  // CHECK: gs.generic (d0, d1) [s0 = %[[I]][d0] mode(clip), s1 = %[[J]][d1] mode(clip)] ins(%[[X]][s0, s1])
  %a = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<3xi32>) -> tensor<3x5x1xi32>
  %b = stablehlo.broadcast_in_dim %j, dims = [1] : (tensor<5xi32>) -> tensor<3x5x1xi32>
  %s = stablehlo.concatenate %a, %b, dim = 2
      : (tensor<3x5x1xi32>, tensor<3x5x1xi32>) -> tensor<3x5x2xi32>
  %r = "stablehlo.gather"(%x, %s) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xf32>, tensor<3x5x2xi32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// at[i].get(mode="fill", fill_value=7)
// CHECK-LABEL: func @fill
func.func @fill(%x: tensor<4x6xf32>, %s: tensor<3x1xi32>) -> tensor<3x6xf32> {
  // CHECK-NOT: stablehlo
  // CHECK: %[[R:.+]] = gs.gather {{.*}} gather_dims([0]) mode(fill) fill_value(7.000000e+00 : f32)
  // CHECK: return %[[R]]
  %seven = stablehlo.constant dense<7.0> : tensor<3x6xf32>
  %zero = stablehlo.constant dense<0> : tensor<3x1xi32>
  %last = stablehlo.constant dense<3> : tensor<1xi32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %low = stablehlo.compare GE, %s, %zero, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
  %limit = stablehlo.broadcast_in_dim %last, dims = [1] : (tensor<1xi32>) -> tensor<3x1xi32>
  %high = stablehlo.compare LE, %s, %limit, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
  %both = stablehlo.and %low, %high : tensor<3x1xi1>
  %inside = stablehlo.reduce(%both init: %true) applies stablehlo.and across dimensions = [1]
      : (tensor<3x1xi1>, tensor<i1>) -> tensor<3xi1>
  %g = "stablehlo.gather"(%x, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>
  %mask = stablehlo.broadcast_in_dim %inside, dims = [0] : (tensor<3xi1>) -> tensor<3x6xi1>
  %r = stablehlo.select %mask, %g, %seven : tensor<3x6xi1>, tensor<3x6xf32>
  return %r : tensor<3x6xf32>
}

// The mask ends one row earlier: it stays a select.
// CHECK-LABEL: func @other_mask
func.func @other_mask(%x: tensor<4x6xf32>, %s: tensor<3x1xi32>) -> tensor<3x6xf32> {
  // CHECK: gs.gather {{.*}} mode(clip) :
  // CHECK: stablehlo.select
  %seven = stablehlo.constant dense<7.0> : tensor<3x6xf32>
  %zero = stablehlo.constant dense<0> : tensor<3x1xi32>
  %last = stablehlo.constant dense<2> : tensor<3x1xi32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %low = stablehlo.compare GE, %s, %zero, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
  %high = stablehlo.compare LE, %s, %last, SIGNED : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi1>
  %both = stablehlo.and %low, %high : tensor<3x1xi1>
  %inside = stablehlo.reduce(%both init: %true) applies stablehlo.and across dimensions = [1]
      : (tensor<3x1xi1>, tensor<i1>) -> tensor<3xi1>
  %g = "stablehlo.gather"(%x, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>
  %mask = stablehlo.broadcast_in_dim %inside, dims = [0] : (tensor<3xi1>) -> tensor<3x6xi1>
  %r = stablehlo.select %mask, %g, %seven : tensor<3x6xi1>, tensor<3x6xf32>
  return %r : tensor<3x6xf32>
}

// at[i].set(mode="clip")
// CHECK-LABEL: func @clip_rows
func.func @clip_rows(%x: tensor<4x6xf32>, %s: tensor<3x1xi32>, %u: tensor<3x6xf32>)
    -> tensor<4x6xf32> {
  // CHECK-NOT: stablehlo
  // CHECK: gs.scatter {{.*}} scatter_dims([0]) mode(clip) :
  %zero = stablehlo.constant dense<0> : tensor<3x1xi32>
  %last = stablehlo.constant dense<3> : tensor<3x1xi32>
  %c = stablehlo.clamp %zero, %s, %last : tensor<3x1xi32>
  %r = "stablehlo.scatter"(%x, %c, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
