// The examples of DML_GATHER_OPERATOR_DESC and DML_SLICE1_OPERATOR_DESC in gs ops, with the numbers
// that their documentation gives. `@case` is run on the first results of `@case_numbers`; the last
// one is what it must give. Invalid indices are clamped into the input (mode clip).

// Example 1. 1D remapping: output[x] = input[indices[x]]
func.func @gather_1(%input: tensor<4xf32>, %indices: tensor<5xui32>) -> tensor<5xf32> {
  %i = tensor.expand_shape %indices [[0, 1]] output_shape [5, 1]
      : tensor<5xui32> into tensor<5x1xui32>
  %o = gs.gather %input[%i] gather_dims([0]) mode(clip)
      : (tensor<4xf32>, tensor<5x1xui32>) -> tensor<5xf32>
  return %o : tensor<5xf32>
}

func.func private @gather_1_numbers() -> (tensor<4xf32>, tensor<5xi32>, tensor<5xf32>) {
  %input = arith.constant dense<[11.0, 12.0, 13.0, 14.0]> : tensor<4xf32>
  %indices = arith.constant dense<[3, 1, 3, 0, 2]> : tensor<5xi32>
  %output = arith.constant dense<[14.0, 12.0, 14.0, 11.0, 13.0]> : tensor<5xf32>
  return %input, %indices, %output : tensor<4xf32>, tensor<5xi32>, tensor<5xf32>
}

// Example 2. 2D output, 1D indices, axis 0: output[y, x] = input[indices[y], x]
func.func @gather_2(%input: tensor<3x2xf32>, %indices: tensor<1x4xui32>) -> tensor<4x2xf32> {
  %flat = tensor.collapse_shape %indices [[0, 1]] : tensor<1x4xui32> into tensor<4xui32>
  %i = tensor.expand_shape %flat [[0, 1]] output_shape [4, 1]
      : tensor<4xui32> into tensor<4x1xui32>
  %o = gs.gather %input[%i] gather_dims([0]) mode(clip)
      : (tensor<3x2xf32>, tensor<4x1xui32>) -> tensor<4x2xf32>
  return %o : tensor<4x2xf32>
}

func.func private @gather_2_numbers() -> (tensor<3x2xf32>, tensor<1x4xi32>, tensor<4x2xf32>) {
  %input = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %indices = arith.constant dense<[[0, 1, 1, 2]]> : tensor<1x4xi32>
  %output = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [3.0, 4.0], [5.0, 6.0]]>
      : tensor<4x2xf32>
  return %input, %indices, %output : tensor<3x2xf32>, tensor<1x4xi32>, tensor<4x2xf32>
}

// Example 3. 2D, axis 1, swap columns: output[y, x] = input[y, indices[x]]
func.func @gather_3(%input: tensor<3x2xf32>, %indices: tensor<1x2xui32>) -> tensor<3x2xf32> {
  %empty = tensor.empty() : tensor<3x2xf32>
  %o = gs.generic (d0, d1) [s0 = %indices[0, d1] mode(clip)]
      ins(%input[d0, s0]) outs(%empty[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (tensor<3x2xf32>, tensor<1x2xui32>, tensor<3x2xf32>) -> tensor<3x2xf32> {
  ^bb0(%element: f32, %current: f32):
    gs.yield %element : f32
  }
  return %o : tensor<3x2xf32>
}

func.func private @gather_3_numbers() -> (tensor<3x2xf32>, tensor<1x2xi32>, tensor<3x2xf32>) {
  %input = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %indices = arith.constant dense<[[1, 0]]> : tensor<1x2xi32>
  %output = arith.constant dense<[[2.0, 1.0], [4.0, 3.0], [6.0, 5.0]]> : tensor<3x2xf32>
  return %input, %indices, %output : tensor<3x2xf32>, tensor<1x2xi32>, tensor<3x2xf32>
}

// Example 4. Axis 2, nested indices: output[z, y, x] = input[z, indices[y, x]]
func.func @gather_4(%input: tensor<1x3x3xf32>, %indices: tensor<1x1x2xui32>)
    -> tensor<3x1x2xf32> {
  %empty = tensor.empty() : tensor<3x1x2xf32>
  %o = gs.generic (d0, d1, d2) [s0 = %indices[0, d1, d2] mode(clip)]
      ins(%input[0, d0, s0]) outs(%empty[d0, d1, d2]) iterators(d0 = parallel, d1 = parallel, d2 = parallel)
      : (tensor<1x3x3xf32>, tensor<1x1x2xui32>, tensor<3x1x2xf32>) -> tensor<3x1x2xf32> {
  ^bb0(%element: f32, %current: f32):
    gs.yield %element : f32
  }
  return %o : tensor<3x1x2xf32>
}

func.func private @gather_4_numbers()
    -> (tensor<1x3x3xf32>, tensor<1x1x2xi32>, tensor<3x1x2xf32>) {
  %input = arith.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]>
      : tensor<1x3x3xf32>
  %indices = arith.constant dense<[[[0, 2]]]> : tensor<1x1x2xi32>
  %output = arith.constant dense<[[[1.0, 3.0]], [[4.0, 6.0]], [[7.0, 9.0]]]> : tensor<3x1x2xf32>
  return %input, %indices, %output : tensor<1x3x3xf32>, tensor<1x1x2xi32>, tensor<3x1x2xf32>
}

// Example 5. Axis 1 of the padded input, nested indices: output[z, y, x] = input[indices[z, y], x]
func.func @gather_5(%input: tensor<1x3x2xf32>, %indices: tensor<1x2x2xui32>)
    -> tensor<2x2x2xf32> {
  %rows = tensor.collapse_shape %input [[0, 1], [2]] : tensor<1x3x2xf32> into tensor<3x2xf32>
  %flat = tensor.collapse_shape %indices [[0, 1], [2]]
      : tensor<1x2x2xui32> into tensor<2x2xui32>
  %i = tensor.expand_shape %flat [[0], [1, 2]] output_shape [2, 2, 1]
      : tensor<2x2xui32> into tensor<2x2x1xui32>
  %o = gs.gather %rows[%i] gather_dims([0]) mode(clip)
      : (tensor<3x2xf32>, tensor<2x2x1xui32>) -> tensor<2x2x2xf32>
  return %o : tensor<2x2x2xf32>
}

func.func private @gather_5_numbers()
    -> (tensor<1x3x2xf32>, tensor<1x2x2xi32>, tensor<2x2x2xf32>) {
  %input = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]> : tensor<1x3x2xf32>
  %indices = arith.constant dense<[[[0, 1], [1, 2]]]> : tensor<1x2x2xi32>
  %output = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [5.0, 6.0]]]>
      : tensor<2x2x2xf32>
  return %input, %indices, %output : tensor<1x3x2xf32>, tensor<1x2x2xi32>, tensor<2x2x2xf32>
}

// "An index of -1 refers to the last element along that dimension", and what is invalid is clamped:
// the numbers of example 1 with signed indices.
func.func @gather_negative(%input: tensor<4xf32>, %indices: tensor<6xi32>) -> tensor<6xf32> {
  %i = tensor.expand_shape %indices [[0, 1]] output_shape [6, 1]
      : tensor<6xi32> into tensor<6x1xi32>
  %o = gs.gather %input[%i] gather_dims([0]) mode(clip) wrap_negative
      : (tensor<4xf32>, tensor<6x1xi32>) -> tensor<6xf32>
  return %o : tensor<6xf32>
}

func.func private @gather_negative_numbers() -> (tensor<4xf32>, tensor<6xi32>, tensor<6xf32>) {
  %input = arith.constant dense<[11.0, 12.0, 13.0, 14.0]> : tensor<4xf32>
  %indices = arith.constant dense<[-1, -4, 1, 4, 100, -5]> : tensor<6xi32>
  %output = arith.constant dense<[14.0, 11.0, 12.0, 14.0, 14.0, 11.0]> : tensor<6xf32>
  return %input, %indices, %output : tensor<4xf32>, tensor<6xi32>, tensor<6xf32>
}

// Slice example 1. Positive strides
func.func @slice_1(%input: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  %o = gs.strided_slice %input[0, 0, 0, 1] [1, 1, 4, 3] [1, 1, 2, 2]
      : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  return %o : tensor<1x1x2x2xf32>
}

func.func private @slice_1_numbers() -> (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) {
  %input = arith.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0],
                                   [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]>
      : tensor<1x1x4x4xf32>
  %output = arith.constant dense<[[[[2.0, 4.0], [10.0, 12.0]]]]> : tensor<1x1x2x2xf32>
  return %input, %output : tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>
}

// Slice example 2. A negative stride starts at the end of the window
func.func @slice_2(%input: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  %o = gs.strided_slice %input[0, 0, 0, 1] [1, 1, 4, 3] [1, 1, -2, 2]
      : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  return %o : tensor<1x1x2x2xf32>
}

func.func private @slice_2_numbers() -> (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) {
  %input = arith.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0],
                                   [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]>
      : tensor<1x1x4x4xf32>
  %output = arith.constant dense<[[[[14.0, 16.0], [6.0, 8.0]]]]> : tensor<1x1x2x2xf32>
  return %input, %output : tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>
}

// "The output tensor isn't required to copy all reachable elements within the window."
func.func @slice_fewer(%input: tensor<1x1x4x4xf32>) -> tensor<1x1x1x2xf32> {
  %o = gs.strided_slice %input[0, 0, 0, 1] [1, 1, 4, 3] [1, 1, 2, 1]
      : (tensor<1x1x4x4xf32>) -> tensor<1x1x1x2xf32>
  return %o : tensor<1x1x1x2xf32>
}

func.func private @slice_fewer_numbers() -> (tensor<1x1x4x4xf32>, tensor<1x1x1x2xf32>) {
  %input = arith.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0],
                                   [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]>
      : tensor<1x1x4x4xf32>
  %output = arith.constant dense<[[[[2.0, 3.0]]]]> : tensor<1x1x1x2xf32>
  return %input, %output : tensor<1x1x4x4xf32>, tensor<1x1x1x2xf32>
}
