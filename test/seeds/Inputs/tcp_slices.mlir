// The examples of "Gather Ops in Tcp" in gs ops, with the shapes and indices of the document; inputs
// count up, and what must come out is its formula. `@case` is run on the first results of
// `@case_numbers`; the last one is what it must give.

// torch.index_select(input, 0, indices), as a gather of slices
func.func @index_select(%input: tensor<3x4xf32>, %indices: tensor<2xi64>) -> tensor<2x4xf32> {
  %i = tensor.expand_shape %indices [[0, 1]] output_shape [2, 1]
      : tensor<2xi64> into tensor<2x1xi64>
  %x = gs.gather %input[%i] gather_dims([0]) : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return %x : tensor<2x4xf32>
}

func.func private @index_select_numbers() -> (tensor<3x4xf32>, tensor<2xi64>, tensor<2x4xf32>) {
  // i * 4 + j at (i, j)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c4 = arith.constant 4 : index
    %0 = arith.muli %i, %c4 : index
    %1 = arith.addi %0, %j : index
    %w = arith.index_cast %1 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<3x4xf32>
  %indices = arith.constant dense<[0, 2]> : tensor<2xi64>
  %x = arith.constant dense<[[0.0, 1.0, 2.0, 3.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<2x4xf32>
  return %input, %indices, %x
      : tensor<3x4xf32>, tensor<2xi64>, tensor<2x4xf32>
}

// The same in the form of the document: the indices are broadcast, then gathered along dim 0
func.func @index_select_broadcast(%input: tensor<3x4xf32>, %indices: tensor<2xi64>)
    -> tensor<2x4xf32> {
  %empty = tensor.empty() : tensor<2x4xi64>
  %i = linalg.broadcast ins(%indices : tensor<2xi64>) outs(%empty : tensor<2x4xi64>)
      dimensions = [1]
  %x = gs.gather_elements %input[%i] dim(0) : (tensor<3x4xf32>, tensor<2x4xi64>) -> tensor<2x4xf32>
  return %x : tensor<2x4xf32>
}

func.func private @index_select_broadcast_numbers()
    -> (tensor<3x4xf32>, tensor<2xi64>, tensor<2x4xf32>) {
  // i * 4 + j at (i, j)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c4 = arith.constant 4 : index
    %0 = arith.muli %i, %c4 : index
    %1 = arith.addi %0, %j : index
    %w = arith.index_cast %1 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<3x4xf32>
  %indices = arith.constant dense<[0, 2]> : tensor<2xi64>
  %x = arith.constant dense<[[0.0, 1.0, 2.0, 3.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<2x4xf32>
  return %input, %indices, %x
      : tensor<3x4xf32>, tensor<2xi64>, tensor<2x4xf32>
}

// tf.gather(input, indices, axis=1): out[i][j][k] = input[i][indices[j]][k], without a broadcast
func.func @tf_gather(%input: tensor<3x4x5xf32>, %indices: tensor<3xi64>) -> tensor<3x3x5xf32> {
  %empty = tensor.empty() : tensor<3x3x5xf32>
  %x = gs.generic (d0, d1, d2) [s0 = %indices[d1]]
      ins(%input[d0, s0, d2]) outs(%empty[d0, d1, d2]) iterators(d0 = parallel, d1 = parallel, d2 = parallel)
      : (tensor<3x4x5xf32>, tensor<3xi64>, tensor<3x3x5xf32>) -> tensor<3x3x5xf32> {
  ^bb0(%element: f32, %current: f32):
    gs.yield %element : f32
  }
  return %x : tensor<3x3x5xf32>
}

func.func private @tf_gather_numbers() -> (tensor<3x4x5xf32>, tensor<3xi64>, tensor<3x3x5xf32>) {
  // i * 20 + j * 5 + k at (i, j, k)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c5 = arith.constant 5 : index
    %c20 = arith.constant 20 : index
    %0 = arith.muli %i, %c20 : index
    %1 = arith.muli %j, %c5 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.addi %2, %k : index
    %w = arith.index_cast %3 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<3x4x5xf32>
  %indices = arith.constant dense<[3, 1, 3]> : tensor<3xi64>
  // i * 20 + 15 - (j mod 2) * 10 + k at (i, j, k)
  %x = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c2 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    %c15 = arith.constant 15 : index
    %c20 = arith.constant 20 : index
    %0 = arith.muli %i, %c20 : index
    %1 = arith.addi %0, %c15 : index
    %2 = arith.remui %j, %c2 : index
    %3 = arith.muli %2, %c10 : index
    %4 = arith.subi %1, %3 : index
    %5 = arith.addi %4, %k : index
    %w = arith.index_cast %5 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<3x3x5xf32>
  return %input, %indices, %x
      : tensor<3x4x5xf32>, tensor<3xi64>, tensor<3x3x5xf32>
}

// tf.gather in the form of the document: indices broadcast to 3x3x5, gathered along dim 1
func.func @tf_gather_broadcast(%input: tensor<3x4x5xf32>, %indices: tensor<3xi64>)
    -> tensor<3x3x5xf32> {
  %empty = tensor.empty() : tensor<3x3x5xi64>
  %i = linalg.broadcast ins(%indices : tensor<3xi64>) outs(%empty : tensor<3x3x5xi64>)
      dimensions = [0, 2]
  %x = gs.gather_elements %input[%i] dim(1)
      : (tensor<3x4x5xf32>, tensor<3x3x5xi64>) -> tensor<3x3x5xf32>
  return %x : tensor<3x3x5xf32>
}

func.func private @tf_gather_broadcast_numbers()
    -> (tensor<3x4x5xf32>, tensor<3xi64>, tensor<3x3x5xf32>) {
  // i * 20 + j * 5 + k at (i, j, k)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c5 = arith.constant 5 : index
    %c20 = arith.constant 20 : index
    %0 = arith.muli %i, %c20 : index
    %1 = arith.muli %j, %c5 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.addi %2, %k : index
    %w = arith.index_cast %3 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<3x4x5xf32>
  %indices = arith.constant dense<[3, 1, 3]> : tensor<3xi64>
  // i * 20 + 15 - (j mod 2) * 10 + k at (i, j, k)
  %x = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c2 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    %c15 = arith.constant 15 : index
    %c20 = arith.constant 20 : index
    %0 = arith.muli %i, %c20 : index
    %1 = arith.addi %0, %c15 : index
    %2 = arith.remui %j, %c2 : index
    %3 = arith.muli %2, %c10 : index
    %4 = arith.subi %1, %3 : index
    %5 = arith.addi %4, %k : index
    %w = arith.index_cast %5 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<3x3x5xf32>
  return %input, %indices, %x
      : tensor<3x4x5xf32>, tensor<3xi64>, tensor<3x3x5xf32>
}

// tcp.gather_slice, considered in the document: out[i][j][k][m] = input[indices[i][j]][k][m]
func.func @gather_slice(%input: tensor<3x2x2xf32>, %indices: tensor<2x2xi64>)
    -> tensor<2x2x2x2xf32> {
  %i = tensor.expand_shape %indices [[0], [1, 2]] output_shape [2, 2, 1]
      : tensor<2x2xi64> into tensor<2x2x1xi64>
  %x = gs.gather %input[%i] gather_dims([0])
      : (tensor<3x2x2xf32>, tensor<2x2x1xi64>) -> tensor<2x2x2x2xf32>
  return %x : tensor<2x2x2x2xf32>
}

func.func private @gather_slice_numbers()
    -> (tensor<3x2x2xf32>, tensor<2x2xi64>, tensor<2x2x2x2xf32>) {
  // i * 4 + j * 2 + k at (i, j, k)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %0 = arith.muli %i, %c4 : index
    %1 = arith.muli %j, %c2 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.addi %2, %k : index
    %w = arith.index_cast %3 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<3x2x2xf32>
  // i + j at (i, j)
  %indices = tensor.generate {
  ^bb0(%i: index, %j: index):
    %0 = arith.addi %i, %j : index
    %number = arith.index_cast %0 : index to i64
    tensor.yield %number : i64
  } : tensor<2x2xi64>
  // (i + j) * 4 + k * 2 + m at (i, j, k, m)
  %x = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index, %m: index):
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %0 = arith.addi %i, %j : index
    %1 = arith.muli %0, %c4 : index
    %2 = arith.muli %k, %c2 : index
    %3 = arith.addi %1, %2 : index
    %4 = arith.addi %3, %m : index
    %w = arith.index_cast %4 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<2x2x2x2xf32>
  return %input, %indices, %x
      : tensor<3x2x2xf32>, tensor<2x2xi64>, tensor<2x2x2x2xf32>
}
