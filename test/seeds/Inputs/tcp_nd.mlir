// The examples of "Gather Ops in Tcp" in gs ops, with the shapes and indices of the document; inputs
// count up, and what must come out is its formula. `@case` is run on the first results of
// `@case_numbers`; the last one is what it must give.

// tf.gather_nd: a, b = indices[i]; out[i][j] = input[a][b][j]
func.func @gather_nd(%input: tensor<5x7x3xf32>, %indices: tensor<4x2xi64>) -> tensor<4x3xf32> {
  %x = gs.gather %input[%indices] gather_dims([0, 1])
      : (tensor<5x7x3xf32>, tensor<4x2xi64>) -> tensor<4x3xf32>
  return %x : tensor<4x3xf32>
}

func.func private @gather_nd_numbers() -> (tensor<5x7x3xf32>, tensor<4x2xi64>, tensor<4x3xf32>) {
  // i * 21 + j * 3 + k at (i, j, k)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c3 = arith.constant 3 : index
    %c21 = arith.constant 21 : index
    %0 = arith.muli %i, %c21 : index
    %1 = arith.muli %j, %c3 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.addi %2, %k : index
    %w = arith.index_cast %3 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<5x7x3xf32>
  // (i + 1) mod 5 at (i, c)
  %indices = tensor.generate {
  ^bb0(%i: index, %c: index):
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %0 = arith.addi %i, %c1 : index
    %1 = arith.remui %0, %c5 : index
    %number = arith.index_cast %1 : index to i64
    tensor.yield %number : i64
  } : tensor<4x2xi64>
  // ((i + 1) mod 5) * 24 + j at (i, j)
  %x = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c24 = arith.constant 24 : index
    %0 = arith.addi %i, %c1 : index
    %1 = arith.remui %0, %c5 : index
    %2 = arith.muli %1, %c24 : index
    %3 = arith.addi %2, %j : index
    %w = arith.index_cast %3 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<4x3xf32>
  return %input, %indices, %x
      : tensor<5x7x3xf32>, tensor<4x2xi64>, tensor<4x3xf32>
}

// a, b = indices[i]; out[i] = input[a][b]
func.func @gather_nd_elements(%input: tensor<5x7xf32>, %indices: tensor<4x2xi64>) -> tensor<4xf32> {
  %x = gs.gather %input[%indices] gather_dims([0, 1])
      : (tensor<5x7xf32>, tensor<4x2xi64>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

func.func private @gather_nd_elements_numbers()
    -> (tensor<5x7xf32>, tensor<4x2xi64>, tensor<4xf32>) {
  // i * 7 + j at (i, j)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c7 = arith.constant 7 : index
    %0 = arith.muli %i, %c7 : index
    %1 = arith.addi %0, %j : index
    %w = arith.index_cast %1 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<5x7xf32>
  // (i + 1) mod 5 at (i, c)
  %indices = tensor.generate {
  ^bb0(%i: index, %c: index):
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %0 = arith.addi %i, %c1 : index
    %1 = arith.remui %0, %c5 : index
    %number = arith.index_cast %1 : index to i64
    tensor.yield %number : i64
  } : tensor<4x2xi64>
  // ((i + 1) mod 5) * 8 at (i)
  %x = tensor.generate {
  ^bb0(%i: index):
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %0 = arith.addi %i, %c1 : index
    %1 = arith.remui %0, %c5 : index
    %2 = arith.muli %1, %c8 : index
    %w = arith.index_cast %2 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<4xf32>
  return %input, %indices, %x
      : tensor<5x7xf32>, tensor<4x2xi64>, tensor<4xf32>
}

// a, b = indices[i]; out[i][j][k] = input[a][b][j][k]
func.func @gather_nd_rank_4(%input: tensor<3x3x2x4xf32>, %indices: tensor<5x2xi64>) -> tensor<5x2x4xf32> {
  %x = gs.gather %input[%indices] gather_dims([0, 1])
      : (tensor<3x3x2x4xf32>, tensor<5x2xi64>) -> tensor<5x2x4xf32>
  return %x : tensor<5x2x4xf32>
}

func.func private @gather_nd_rank_4_numbers()
    -> (tensor<3x3x2x4xf32>, tensor<5x2xi64>, tensor<5x2x4xf32>) {
  // i * 24 + j * 8 + k * 4 + m at (i, j, k, m)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index, %m: index):
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c24 = arith.constant 24 : index
    %0 = arith.muli %i, %c24 : index
    %1 = arith.muli %j, %c8 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.muli %k, %c4 : index
    %4 = arith.addi %2, %3 : index
    %5 = arith.addi %4, %m : index
    %w = arith.index_cast %5 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<3x3x2x4xf32>
  // i mod 3 at (i, c)
  %indices = tensor.generate {
  ^bb0(%i: index, %c: index):
    %c3 = arith.constant 3 : index
    %0 = arith.remui %i, %c3 : index
    %number = arith.index_cast %0 : index to i64
    tensor.yield %number : i64
  } : tensor<5x2xi64>
  // (i mod 3) * 32 + j * 4 + k at (i, j, k)
  %x = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %0 = arith.remui %i, %c3 : index
    %1 = arith.muli %0, %c32 : index
    %2 = arith.muli %j, %c4 : index
    %3 = arith.addi %1, %2 : index
    %4 = arith.addi %3, %k : index
    %w = arith.index_cast %4 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<5x2x4xf32>
  return %input, %indices, %x
      : tensor<3x3x2x4xf32>, tensor<5x2xi64>, tensor<5x2x4xf32>
}

// a, b, c = indices[i]; out[i][j] = input[a][b][c][j]
func.func @gather_nd_rank_4_by_3(%input: tensor<3x3x2x4xf32>, %indices: tensor<5x3xi64>) -> tensor<5x4xf32> {
  %x = gs.gather %input[%indices] gather_dims([0, 1, 2])
      : (tensor<3x3x2x4xf32>, tensor<5x3xi64>) -> tensor<5x4xf32>
  return %x : tensor<5x4xf32>
}

func.func private @gather_nd_rank_4_by_3_numbers()
    -> (tensor<3x3x2x4xf32>, tensor<5x3xi64>, tensor<5x4xf32>) {
  // i * 24 + j * 8 + k * 4 + m at (i, j, k, m)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index, %m: index):
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c24 = arith.constant 24 : index
    %0 = arith.muli %i, %c24 : index
    %1 = arith.muli %j, %c8 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.muli %k, %c4 : index
    %4 = arith.addi %2, %3 : index
    %5 = arith.addi %4, %m : index
    %w = arith.index_cast %5 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<3x3x2x4xf32>
  // i mod 2 at (i, c)
  %indices = tensor.generate {
  ^bb0(%i: index, %c: index):
    %c2 = arith.constant 2 : index
    %0 = arith.remui %i, %c2 : index
    %number = arith.index_cast %0 : index to i64
    tensor.yield %number : i64
  } : tensor<5x3xi64>
  // (i mod 2) * 36 + j at (i, j)
  %x = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c2 = arith.constant 2 : index
    %c36 = arith.constant 36 : index
    %0 = arith.remui %i, %c2 : index
    %1 = arith.muli %0, %c36 : index
    %2 = arith.addi %1, %j : index
    %w = arith.index_cast %2 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<5x4xf32>
  return %input, %indices, %x
      : tensor<3x3x2x4xf32>, tensor<5x3xi64>, tensor<5x4xf32>
}
