// The examples of the RFC "Adding Gather, Scatter Ops" in gs ops. The RFC gives shapes and formulas
// instead of numbers: inputs count up, and what must come out is its formula. `@case` is run on the
// first results of `@case_numbers`; the last one is what it must give.

// For each of 1x2 triples of coordinates, the element there.
func.func @gather_elements(%input: tensor<4x4x4xf32>, %indices: tensor<1x2x3xindex>)
    -> tensor<1x2xf32> {
  %out = gs.gather %input[%indices] gather_dims([0, 1, 2])
      : (tensor<4x4x4xf32>, tensor<1x2x3xindex>) -> tensor<1x2xf32>
  return %out : tensor<1x2xf32>
}

func.func private @gather_elements_numbers()
    -> (tensor<4x4x4xf32>, tensor<1x2x3xindex>, tensor<1x2xf32>) {
  // i * 16 + j * 4 + k at (i, j, k)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %0 = arith.muli %i, %c16 : index
    %1 = arith.muli %j, %c4 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.addi %2, %k : index
    %w = arith.index_cast %3 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<4x4x4xf32>
  %indices = arith.constant dense<[[[0, 1, 2], [3, 2, 1]]]> : tensor<1x2x3xindex>
  %out = arith.constant dense<[[6.0, 57.0]]> : tensor<1x2xf32>
  return %input, %indices, %out
      : tensor<4x4x4xf32>, tensor<1x2x3xindex>, tensor<1x2xf32>
}

// For each of 5x6 coordinates n, the slice [*, n, *], the gathered dim kept as 1.
func.func @gather_slices_unit(%input: tensor<2x3x4xf32>, %indices: tensor<5x6x1xindex>)
    -> tensor<5x6x2x1x4xf32> {
  %out = gs.gather %input[%indices] gather_dims([1])
      : (tensor<2x3x4xf32>, tensor<5x6x1xindex>) -> tensor<5x6x2x1x4xf32>
  return %out : tensor<5x6x2x1x4xf32>
}

func.func private @gather_slices_unit_numbers()
    -> (tensor<2x3x4xf32>, tensor<5x6x1xindex>, tensor<5x6x2x1x4xf32>) {
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
  // (a * 6 + b) mod 3 at (a, b, c)
  %indices = tensor.generate {
  ^bb0(%a: index, %b: index, %c: index):
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %0 = arith.muli %a, %c6 : index
    %1 = arith.addi %0, %b : index
    %2 = arith.remui %1, %c3 : index
    tensor.yield %2 : index
  } : tensor<5x6x1xindex>
  // i * 12 + ((a * 6 + b) mod 3) * 4 + k at (a, b, i, u, k)
  %out = tensor.generate {
  ^bb0(%a: index, %b: index, %i: index, %u: index, %k: index):
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %c12 = arith.constant 12 : index
    %0 = arith.muli %i, %c12 : index
    %1 = arith.muli %a, %c6 : index
    %2 = arith.addi %1, %b : index
    %3 = arith.remui %2, %c3 : index
    %4 = arith.muli %3, %c4 : index
    %5 = arith.addi %0, %4 : index
    %6 = arith.addi %5, %k : index
    %w = arith.index_cast %6 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<5x6x2x1x4xf32>
  return %input, %indices, %out
      : tensor<2x3x4xf32>, tensor<5x6x1xindex>, tensor<5x6x2x1x4xf32>
}

// For each of 5x6 coordinates n, the slice [*, n, *].
func.func @gather_slices(%input: tensor<2x3x4xf32>, %indices: tensor<5x6x1xindex>)
    -> tensor<5x6x2x4xf32> {
  %out = gs.gather %input[%indices] gather_dims([1])
      : (tensor<2x3x4xf32>, tensor<5x6x1xindex>) -> tensor<5x6x2x4xf32>
  return %out : tensor<5x6x2x4xf32>
}

func.func private @gather_slices_numbers()
    -> (tensor<2x3x4xf32>, tensor<5x6x1xindex>, tensor<5x6x2x4xf32>) {
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
  // (a * 6 + b) mod 3 at (a, b, c)
  %indices = tensor.generate {
  ^bb0(%a: index, %b: index, %c: index):
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %0 = arith.muli %a, %c6 : index
    %1 = arith.addi %0, %b : index
    %2 = arith.remui %1, %c3 : index
    tensor.yield %2 : index
  } : tensor<5x6x1xindex>
  // i * 12 + ((a * 6 + b) mod 3) * 4 + k at (a, b, i, k)
  %out = tensor.generate {
  ^bb0(%a: index, %b: index, %i: index, %k: index):
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %c12 = arith.constant 12 : index
    %0 = arith.muli %i, %c12 : index
    %1 = arith.muli %a, %c6 : index
    %2 = arith.addi %1, %b : index
    %3 = arith.remui %2, %c3 : index
    %4 = arith.muli %3, %c4 : index
    %5 = arith.addi %0, %4 : index
    %6 = arith.addi %5, %k : index
    %w = arith.index_cast %6 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<5x6x2x4xf32>
  return %input, %indices, %out
      : tensor<2x3x4xf32>, tensor<5x6x1xindex>, tensor<5x6x2x4xf32>
}

// gather_dims(0, 2): coordinates of dims that do not adjoin.
func.func @gather_dims_0_2(%input: tensor<2x3x4xf32>, %indices: tensor<5x6x2xindex>)
    -> tensor<5x6x3xf32> {
  %out = gs.gather %input[%indices] gather_dims([0, 2])
      : (tensor<2x3x4xf32>, tensor<5x6x2xindex>) -> tensor<5x6x3xf32>
  return %out : tensor<5x6x3xf32>
}

func.func private @gather_dims_0_2_numbers()
    -> (tensor<2x3x4xf32>, tensor<5x6x2xindex>, tensor<5x6x3xf32>) {
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
  // (a + b) mod 2 at (a, b, c)
  %indices = tensor.generate {
  ^bb0(%a: index, %b: index, %c: index):
    %c2 = arith.constant 2 : index
    %0 = arith.addi %a, %b : index
    %1 = arith.remui %0, %c2 : index
    tensor.yield %1 : index
  } : tensor<5x6x2xindex>
  // ((a + b) mod 2) * 13 + j * 4 at (a, b, j)
  %out = tensor.generate {
  ^bb0(%a: index, %b: index, %j: index):
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c13 = arith.constant 13 : index
    %0 = arith.addi %a, %b : index
    %1 = arith.remui %0, %c2 : index
    %2 = arith.muli %1, %c13 : index
    %3 = arith.muli %j, %c4 : index
    %4 = arith.addi %2, %3 : index
    %w = arith.index_cast %4 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<5x6x3xf32>
  return %input, %indices, %out
      : tensor<2x3x4xf32>, tensor<5x6x2xindex>, tensor<5x6x3xf32>
}

// gather_dims(0, 2): coordinates of dims that do not adjoin, kept as 1.
func.func @gather_dims_0_2_unit(%input: tensor<2x3x4xf32>, %indices: tensor<5x6x2xindex>)
    -> tensor<5x6x1x3x1xf32> {
  %out = gs.gather %input[%indices] gather_dims([0, 2])
      : (tensor<2x3x4xf32>, tensor<5x6x2xindex>) -> tensor<5x6x1x3x1xf32>
  return %out : tensor<5x6x1x3x1xf32>
}

func.func private @gather_dims_0_2_unit_numbers()
    -> (tensor<2x3x4xf32>, tensor<5x6x2xindex>, tensor<5x6x1x3x1xf32>) {
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
  // (a + b) mod 2 at (a, b, c)
  %indices = tensor.generate {
  ^bb0(%a: index, %b: index, %c: index):
    %c2 = arith.constant 2 : index
    %0 = arith.addi %a, %b : index
    %1 = arith.remui %0, %c2 : index
    tensor.yield %1 : index
  } : tensor<5x6x2xindex>
  // ((a + b) mod 2) * 13 + j * 4 at (a, b, u, j, v)
  %out = tensor.generate {
  ^bb0(%a: index, %b: index, %u: index, %j: index, %v: index):
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c13 = arith.constant 13 : index
    %0 = arith.addi %a, %b : index
    %1 = arith.remui %0, %c2 : index
    %2 = arith.muli %1, %c13 : index
    %3 = arith.muli %j, %c4 : index
    %4 = arith.addi %2, %3 : index
    %w = arith.index_cast %4 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<5x6x1x3x1xf32>
  return %input, %indices, %out
      : tensor<2x3x4xf32>, tensor<5x6x2xindex>, tensor<5x6x1x3x1xf32>
}
