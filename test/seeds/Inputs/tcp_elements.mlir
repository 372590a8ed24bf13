// The examples of "Gather Ops in Tcp" in gs ops, with the shapes and indices of the document; inputs
// count up, and what must come out is its formula. `@case` is run on the first results of
// `@case_numbers`; the last one is what it must give.

// torch.gather(input, 1, indices): out[i][j] = input[i][index[i][j]]
func.func @torch_gather(%input: tensor<3x4xf32>, %indices: tensor<3x2xi64>)
    -> tensor<3x2xf32> {
  %x = gs.gather_elements %input[%indices] dim(1)
      : (tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  return %x : tensor<3x2xf32>
}

func.func private @torch_gather_numbers() -> (tensor<3x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>) {
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
  %indices = arith.constant dense<[[0, 1], [2, 0], [2, 3]]> : tensor<3x2xi64>
  %x = arith.constant dense<[[0.0, 1.0], [6.0, 4.0], [10.0, 11.0]]> : tensor<3x2xf32>
  return %input, %indices, %x
      : tensor<3x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>
}

// onnx.GatherElements(input, indices, 0): out[i][j] = input[index[i][j]][j]
func.func @onnx_gather_elements(%input: tensor<3x3xf32>, %indices: tensor<2x3xi64>)
    -> tensor<2x3xf32> {
  %x = gs.gather_elements %input[%indices] dim(0)
      : (tensor<3x3xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return %x : tensor<2x3xf32>
}

func.func private @onnx_gather_elements_numbers()
    -> (tensor<3x3xf32>, tensor<2x3xi64>, tensor<2x3xf32>) {
  // i * 3 + j at (i, j)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c3 = arith.constant 3 : index
    %0 = arith.muli %i, %c3 : index
    %1 = arith.addi %0, %j : index
    %w = arith.index_cast %1 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<3x3xf32>
  %indices = arith.constant dense<[[1, 2, 0], [2, 0, 0]]> : tensor<2x3xi64>
  %x = arith.constant dense<[[3.0, 7.0, 2.0], [6.0, 1.0, 2.0]]> : tensor<2x3xf32>
  return %input, %indices, %x
      : tensor<3x3xf32>, tensor<2x3xi64>, tensor<2x3xf32>
}

// out[i][j][k] = input[index[i][j][k]][j][k]
func.func @rank_3_dim_0(%input: tensor<2x3x4xf32>, %indices: tensor<2x3x4xi64>)
    -> tensor<2x3x4xf32> {
  %x = gs.gather_elements %input[%indices] dim(0)
      : (tensor<2x3x4xf32>, tensor<2x3x4xi64>) -> tensor<2x3x4xf32>
  return %x : tensor<2x3x4xf32>
}

func.func private @rank_3_dim_0_numbers()
    -> (tensor<2x3x4xf32>, tensor<2x3x4xi64>, tensor<2x3x4xf32>) {
  // i * 12 + j * 4 + k at (i, j, k)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 12 : index
    %0 = arith.muli %i, %c12 : index
    %1 = arith.muli %j, %c4 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.addi %2, %k : index
    %w = arith.index_cast %3 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<2x3x4xf32>
  // (i + j + k) mod 2 at (i, j, k)
  %indices = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c2 = arith.constant 2 : index
    %0 = arith.addi %i, %j : index
    %1 = arith.addi %0, %k : index
    %2 = arith.remui %1, %c2 : index
    %number = arith.index_cast %2 : index to i64
    tensor.yield %number : i64
  } : tensor<2x3x4xi64>
  // ((i + j + k) mod 2) * 12 + j * 4 + k at (i, j, k)
  %x = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 12 : index
    %0 = arith.addi %i, %j : index
    %1 = arith.addi %0, %k : index
    %2 = arith.remui %1, %c2 : index
    %3 = arith.muli %2, %c12 : index
    %4 = arith.muli %j, %c4 : index
    %5 = arith.addi %3, %4 : index
    %6 = arith.addi %5, %k : index
    %w = arith.index_cast %6 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<2x3x4xf32>
  return %input, %indices, %x
      : tensor<2x3x4xf32>, tensor<2x3x4xi64>, tensor<2x3x4xf32>
}

// out[i][j][k] = input[i][index[i][j][k]][k]
func.func @rank_3_dim_1(%input: tensor<2x3x4xf32>, %indices: tensor<2x3x4xi64>)
    -> tensor<2x3x4xf32> {
  %x = gs.gather_elements %input[%indices] dim(1)
      : (tensor<2x3x4xf32>, tensor<2x3x4xi64>) -> tensor<2x3x4xf32>
  return %x : tensor<2x3x4xf32>
}

func.func private @rank_3_dim_1_numbers()
    -> (tensor<2x3x4xf32>, tensor<2x3x4xi64>, tensor<2x3x4xf32>) {
  // i * 12 + j * 4 + k at (i, j, k)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 12 : index
    %0 = arith.muli %i, %c12 : index
    %1 = arith.muli %j, %c4 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.addi %2, %k : index
    %w = arith.index_cast %3 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<2x3x4xf32>
  // (i + j + k) mod 2 at (i, j, k)
  %indices = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c2 = arith.constant 2 : index
    %0 = arith.addi %i, %j : index
    %1 = arith.addi %0, %k : index
    %2 = arith.remui %1, %c2 : index
    %number = arith.index_cast %2 : index to i64
    tensor.yield %number : i64
  } : tensor<2x3x4xi64>
  // i * 12 + ((i + j + k) mod 2) * 4 + k at (i, j, k)
  %x = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 12 : index
    %0 = arith.muli %i, %c12 : index
    %1 = arith.addi %i, %j : index
    %2 = arith.addi %1, %k : index
    %3 = arith.remui %2, %c2 : index
    %4 = arith.muli %3, %c4 : index
    %5 = arith.addi %0, %4 : index
    %6 = arith.addi %5, %k : index
    %w = arith.index_cast %6 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<2x3x4xf32>
  return %input, %indices, %x
      : tensor<2x3x4xf32>, tensor<2x3x4xi64>, tensor<2x3x4xf32>
}

// out[i][j][k] = input[i][j][index[i][j][k]]
func.func @rank_3_dim_2(%input: tensor<2x3x4xf32>, %indices: tensor<2x3x4xi64>)
    -> tensor<2x3x4xf32> {
  %x = gs.gather_elements %input[%indices] dim(2)
      : (tensor<2x3x4xf32>, tensor<2x3x4xi64>) -> tensor<2x3x4xf32>
  return %x : tensor<2x3x4xf32>
}

func.func private @rank_3_dim_2_numbers()
    -> (tensor<2x3x4xf32>, tensor<2x3x4xi64>, tensor<2x3x4xf32>) {
  // i * 12 + j * 4 + k at (i, j, k)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 12 : index
    %0 = arith.muli %i, %c12 : index
    %1 = arith.muli %j, %c4 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.addi %2, %k : index
    %w = arith.index_cast %3 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<2x3x4xf32>
  // (i + j + k) mod 2 at (i, j, k)
  %indices = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c2 = arith.constant 2 : index
    %0 = arith.addi %i, %j : index
    %1 = arith.addi %0, %k : index
    %2 = arith.remui %1, %c2 : index
    %number = arith.index_cast %2 : index to i64
    tensor.yield %number : i64
  } : tensor<2x3x4xi64>
  // i * 12 + j * 4 + ((i + j + k) mod 2) at (i, j, k)
  %x = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 12 : index
    %0 = arith.muli %i, %c12 : index
    %1 = arith.muli %j, %c4 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.addi %i, %j : index
    %4 = arith.addi %3, %k : index
    %5 = arith.remui %4, %c2 : index
    %6 = arith.addi %2, %5 : index
    %w = arith.index_cast %6 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<2x3x4xf32>
  return %input, %indices, %x
      : tensor<2x3x4xf32>, tensor<2x3x4xi64>, tensor<2x3x4xf32>
}
