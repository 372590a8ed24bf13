// The examples of jax.lax.gather in gs ops, with the numbers of its documentation: x is
// [10, 11, 12] and the indices are [0, 1, 1, 2, 2, 2]. `@case` is run on the first results of
// `@case_numbers`; the last one is what it must give.

// x[indices]
func.func @take(%x: tensor<3xi32>, %indices: tensor<6xi32>) -> tensor<6xi32> {
  %i = tensor.expand_shape %indices [[0, 1]] output_shape [6, 1]
      : tensor<6xi32> into tensor<6x1xi32>
  %r = gs.gather %x[%i] gather_dims([0]) mode(fill) wrap_negative
      : (tensor<3xi32>, tensor<6x1xi32>) -> tensor<6xi32>
  return %r : tensor<6xi32>
}

func.func private @take_numbers() -> (tensor<3xi32>, tensor<6xi32>, tensor<6xi32>) {
  %x = arith.constant dense<[10, 11, 12]> : tensor<3xi32>
  %indices = arith.constant dense<[0, 1, 1, 2, 2, 2]> : tensor<6xi32>
  %expected = arith.constant dense<[10, 11, 11, 12, 12, 12]> : tensor<6xi32>
  return %x, %indices, %expected : tensor<3xi32>, tensor<6xi32>, tensor<6xi32>
}

// x.at[indices].get(indices_are_sorted=True, mode="promise_in_bounds"), also lax.gather with
// offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,), slice_sizes=(1,)
func.func @sorted_in_bounds(%x: tensor<3xi32>, %indices: tensor<6xi32>) -> tensor<6xi32> {
  %i = tensor.expand_shape %indices [[0, 1]] output_shape [6, 1]
      : tensor<6xi32> into tensor<6x1xi32>
  %r = gs.gather %x[%i] gather_dims([0]) sorted mode(promise_in_bounds)
      : (tensor<3xi32>, tensor<6x1xi32>) -> tensor<6xi32>
  return %r : tensor<6xi32>
}

func.func private @sorted_in_bounds_numbers() -> (tensor<3xi32>, tensor<6xi32>, tensor<6xi32>) {
  %x = arith.constant dense<[10, 11, 12]> : tensor<3xi32>
  %indices = arith.constant dense<[0, 1, 1, 2, 2, 2]> : tensor<6xi32>
  %expected = arith.constant dense<[10, 11, 11, 12, 12, 12]> : tensor<6xi32>
  return %x, %indices, %expected : tensor<3xi32>, tensor<6xi32>, tensor<6xi32>
}

// "indices are clamped so that the slice is within bounds": windows of 2 from a coordinate each
func.func @clipped_windows(%x: tensor<3xi32>, %indices: tensor<4xi32>) -> tensor<4x2xi32> {
  %empty = tensor.empty() : tensor<4x2xi32>
  %r = gs.generic (d0, d1) [s0 = %indices[d0] mode(clip)]
      ins(%x[d1 + s0]) outs(%empty[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (tensor<3xi32>, tensor<4xi32>, tensor<4x2xi32>) -> tensor<4x2xi32> {
  ^bb0(%element: i32, %current: i32):
    gs.yield %element : i32
  }
  return %r : tensor<4x2xi32>
}

func.func private @clipped_windows_numbers()
    -> (tensor<3xi32>, tensor<4xi32>, tensor<4x2xi32>) {
  %x = arith.constant dense<[10, 11, 12]> : tensor<3xi32>
  %indices = arith.constant dense<[0, 1, 2, -1]> : tensor<4xi32>
  %expected = arith.constant dense<[[10, 11], [11, 12], [11, 12], [10, 11]]> : tensor<4x2xi32>
  return %x, %indices, %expected : tensor<3xi32>, tensor<4xi32>, tensor<4x2xi32>
}

// "gather returns a slice full of fill_value for the affected slice": the window that leaves x in
// part is filled whole
func.func @filled_windows(%x: tensor<3xi32>, %indices: tensor<4xi32>) -> tensor<4x2xi32> {
  %empty = tensor.empty() : tensor<4x2xi32>
  %r = gs.generic (d0, d1) [s0 = %indices[d0] mode(fill_or_drop)]
      ins(%x[d1 + s0] fill(7 : i32)) outs(%empty[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (tensor<3xi32>, tensor<4xi32>, tensor<4x2xi32>) -> tensor<4x2xi32> {
  ^bb0(%element: i32, %current: i32):
    gs.yield %element : i32
  }
  return %r : tensor<4x2xi32>
}

func.func private @filled_windows_numbers()
    -> (tensor<3xi32>, tensor<4xi32>, tensor<4x2xi32>) {
  %x = arith.constant dense<[10, 11, 12]> : tensor<3xi32>
  %indices = arith.constant dense<[0, 1, 2, -1]> : tensor<4xi32>
  %expected = arith.constant dense<[[10, 11], [11, 12], [7, 7], [7, 7]]> : tensor<4x2xi32>
  return %x, %indices, %expected : tensor<3xi32>, tensor<4xi32>, tensor<4x2xi32>
}

// "Defaults to NaN for inexact types, the largest negative value for signed types, the largest
// positive value for unsigned types, and True for booleans."
func.func @fill_float(%x: tensor<3xf32>, %i: tensor<2x1xi32>) -> tensor<2xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<3xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

func.func private @fill_float_numbers() -> (tensor<3xf32>, tensor<2x1xi32>, tensor<2xf32>) {
  %x = arith.constant dense<[10.0, 11.0, 12.0]> : tensor<3xf32>
  %i = arith.constant dense<[[1], [3]]> : tensor<2x1xi32>
  %expected = arith.constant dense<[11.0, 0x7FC00000]> : tensor<2xf32>
  return %x, %i, %expected : tensor<3xf32>, tensor<2x1xi32>, tensor<2xf32>
}

func.func @fill_signed(%x: tensor<3xi32>, %i: tensor<2x1xi32>) -> tensor<2xi32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<3xi32>, tensor<2x1xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

func.func private @fill_signed_numbers() -> (tensor<3xi32>, tensor<2x1xi32>, tensor<2xi32>) {
  %x = arith.constant dense<[10, 11, 12]> : tensor<3xi32>
  %i = arith.constant dense<[[1], [3]]> : tensor<2x1xi32>
  %expected = arith.constant dense<[11, -2147483648]> : tensor<2xi32>
  return %x, %i, %expected : tensor<3xi32>, tensor<2x1xi32>, tensor<2xi32>
}

func.func @fill_unsigned(%x: tensor<3xui8>, %i: tensor<2x1xi32>) -> tensor<2xui8> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<3xui8>, tensor<2x1xi32>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

func.func private @fill_unsigned_numbers() -> (tensor<3xi8>, tensor<2x1xi32>, tensor<2xi8>) {
  %x = arith.constant dense<[10, 11, 12]> : tensor<3xi8>
  %i = arith.constant dense<[[1], [3]]> : tensor<2x1xi32>
  %expected = arith.constant dense<[11, 255]> : tensor<2xi8>
  return %x, %i, %expected : tensor<3xi8>, tensor<2x1xi32>, tensor<2xi8>
}

func.func @fill_boolean(%x: tensor<3xi1>, %i: tensor<2x1xi32>) -> tensor<2xi1> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<3xi1>, tensor<2x1xi32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

func.func private @fill_boolean_numbers() -> (tensor<3xi1>, tensor<2x1xi32>, tensor<2xi1>) {
  %x = arith.constant dense<[true, false, false]> : tensor<3xi1>
  %i = arith.constant dense<[[1], [3]]> : tensor<2x1xi32>
  %expected = arith.constant dense<[false, true]> : tensor<2xi1>
  return %x, %i, %expected : tensor<3xi1>, tensor<2x1xi32>, tensor<2xi1>
}
