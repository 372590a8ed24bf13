// The examples of the RFC "Adding Gather, Scatter Ops" in gs ops. The RFC gives shapes and formulas
// instead of numbers: inputs count up, and what must come out is its formula. `@case` is run on the
// first results of `@case_numbers`; the last one is what it must give.

// For each of 1x2 triples of coordinates, the element is written there.
func.func @scatter_elements(%input: tensor<1x2xf32>, %dest: tensor<4x4x4xf32>,
                            %indices: tensor<1x2x3xindex>) -> tensor<4x4x4xf32> {
  %out = gs.scatter %input into %dest[%indices] scatter_dims([0, 1, 2]) unique
      : (tensor<1x2xf32>, tensor<4x4x4xf32>, tensor<1x2x3xindex>) -> tensor<4x4x4xf32>
  return %out : tensor<4x4x4xf32>
}

func.func private @scatter_elements_numbers()
    -> (tensor<1x2xf32>, tensor<4x4x4xf32>, tensor<1x2x3xindex>, tensor<4x4x4xf32>) {
  %input = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %dest = arith.constant dense<0.0> : tensor<4x4x4xf32>
  %indices = arith.constant dense<[[[0, 1, 2], [3, 2, 1]]]> : tensor<1x2x3xindex>
  %out = arith.constant dense<[[[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]],
      [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]],
      [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]],
      [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]]> : tensor<4x4x4xf32>
  return %input, %dest, %indices, %out
      : tensor<1x2xf32>, tensor<4x4x4xf32>, tensor<1x2x3xindex>, tensor<4x4x4xf32>
}

// For each of 5x6 coordinates n, the slice [:, n, :] is written; coordinates repeat, so the last
// one in row-major order stays: n is (6 a + b) mod 4, and 26, 27, 28 and 29 are the last.
func.func @scatter_slices(%input: tensor<5x6x4x4xf32>, %dest: tensor<4x4x4xf32>,
                          %indices: tensor<5x6x1xindex>) -> tensor<4x4x4xf32> {
  %out = gs.scatter %input into %dest[%indices] scatter_dims([1])
      : (tensor<5x6x4x4xf32>, tensor<4x4x4xf32>, tensor<5x6x1xindex>) -> tensor<4x4x4xf32>
  return %out : tensor<4x4x4xf32>
}

func.func private @scatter_slices_numbers()
    -> (tensor<5x6x4x4xf32>, tensor<4x4x4xf32>, tensor<5x6x1xindex>, tensor<4x4x4xf32>) {
  // a * 96 + b * 16 + i * 4 + k at (a, b, i, k)
  %input = tensor.generate {
  ^bb0(%a: index, %b: index, %i: index, %k: index):
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c96 = arith.constant 96 : index
    %0 = arith.muli %a, %c96 : index
    %1 = arith.muli %b, %c16 : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.muli %i, %c4 : index
    %4 = arith.addi %2, %3 : index
    %5 = arith.addi %4, %k : index
    %w = arith.index_cast %5 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<5x6x4x4xf32>
  %dest = arith.constant dense<-1.0> : tensor<4x4x4xf32>
  // (a * 6 + b) mod 4 at (a, b, c)
  %indices = tensor.generate {
  ^bb0(%a: index, %b: index, %c: index):
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %0 = arith.muli %a, %c6 : index
    %1 = arith.addi %0, %b : index
    %2 = arith.remui %1, %c4 : index
    tensor.yield %2 : index
  } : tensor<5x6x1xindex>
  // (((j + 2) mod 4) + 26) * 16 + i * 4 + k at (i, j, k)
  %out = tensor.generate {
  ^bb0(%i: index, %j: index, %k: index):
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c26 = arith.constant 26 : index
    %0 = arith.addi %j, %c2 : index
    %1 = arith.remui %0, %c4 : index
    %2 = arith.addi %1, %c26 : index
    %3 = arith.muli %2, %c16 : index
    %4 = arith.muli %i, %c4 : index
    %5 = arith.addi %3, %4 : index
    %6 = arith.addi %5, %k : index
    %w = arith.index_cast %6 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<4x4x4xf32>
  return %input, %dest, %indices, %out
      : tensor<5x6x4x4xf32>, tensor<4x4x4xf32>, tensor<5x6x1xindex>, tensor<4x4x4xf32>
}

// Scatter update: gather at the indices, compute, scatter there (unique coordinates).
func.func @update(%value: tensor<3x6xf32>, %dest: tensor<5x6xf32>, %indices: tensor<3x1xindex>)
    -> tensor<5x6xf32> {
  %1 = gs.gather %dest[%indices] gather_dims([0]) unique
      : (tensor<5x6xf32>, tensor<3x1xindex>) -> tensor<3x6xf32>
  %empty = tensor.empty() : tensor<3x6xf32>
  %2 = linalg.map {arith.addf} ins(%value, %1 : tensor<3x6xf32>, tensor<3x6xf32>)
      outs(%empty : tensor<3x6xf32>)
  %3 = gs.scatter %2 into %dest[%indices] scatter_dims([0]) unique
      : (tensor<3x6xf32>, tensor<5x6xf32>, tensor<3x1xindex>) -> tensor<5x6xf32>
  return %3 : tensor<5x6xf32>
}

func.func private @update_numbers()
    -> (tensor<3x6xf32>, tensor<5x6xf32>, tensor<3x1xindex>, tensor<5x6xf32>) {
  %value = arith.constant dense<100.0> : tensor<3x6xf32>
  // i * 6 + j at (i, j)
  %dest = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c6 = arith.constant 6 : index
    %0 = arith.muli %i, %c6 : index
    %1 = arith.addi %0, %j : index
    %w = arith.index_cast %1 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<5x6xf32>
  %indices = arith.constant dense<[[4], [0], [2]]> : tensor<3x1xindex>
  // i * 6 + j + ((i + 1) mod 2) * 100 at (i, j)
  %out = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %c100 = arith.constant 100 : index
    %0 = arith.muli %i, %c6 : index
    %1 = arith.addi %0, %j : index
    %2 = arith.addi %i, %c1 : index
    %3 = arith.remui %2, %c2 : index
    %4 = arith.muli %3, %c100 : index
    %5 = arith.addi %1, %4 : index
    %w = arith.index_cast %5 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<5x6xf32>
  return %value, %dest, %indices, %out
      : tensor<3x6xf32>, tensor<5x6xf32>, tensor<3x1xindex>, tensor<5x6xf32>
}

// Scatter update with repeated coordinates: histogram bins the values of each first, then gather,
// compute and scatter meet unique coordinates.
func.func @update_by_histogram(%value: tensor<?x6xf32>, %dest: tensor<4x6xf32>,
                               %indices: tensor<?x1xindex>) -> tensor<4x6xf32> {
  %bins, %unique_indices = gs.histogram %value at %indices combine(add)
      : (tensor<?x6xf32>, tensor<?x1xindex>) -> (tensor<?x6xf32>, tensor<?x1xindex>)
  %1 = gs.gather %dest[%unique_indices] gather_dims([0]) unique sorted
      : (tensor<4x6xf32>, tensor<?x1xindex>) -> tensor<?x6xf32>
  %c0 = arith.constant 0 : index
  %count = tensor.dim %bins, %c0 : tensor<?x6xf32>
  %empty = tensor.empty(%count) : tensor<?x6xf32>
  %2 = linalg.map {arith.addf} ins(%bins, %1 : tensor<?x6xf32>, tensor<?x6xf32>)
      outs(%empty : tensor<?x6xf32>)
  %3 = gs.scatter %2 into %dest[%unique_indices] scatter_dims([0]) unique sorted
      : (tensor<?x6xf32>, tensor<4x6xf32>, tensor<?x1xindex>) -> tensor<4x6xf32>
  return %3 : tensor<4x6xf32>
}

func.func private @update_by_histogram_numbers()
    -> (tensor<5x6xf32>, tensor<4x6xf32>, tensor<5x1xindex>, tensor<4x6xf32>) {
  // n * 10 + j at (n, j)
  %value = tensor.generate {
  ^bb0(%n: index, %j: index):
    %c10 = arith.constant 10 : index
    %0 = arith.muli %n, %c10 : index
    %1 = arith.addi %0, %j : index
    %w = arith.index_cast %1 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<5x6xf32>
  %dest = arith.constant dense<0.5> : tensor<4x6xf32>
  %indices = arith.constant dense<[[2], [0], [2], [3], [2]]> : tensor<5x1xindex>
  %out = arith.constant dense<[[10.5, 11.5, 12.5, 13.5, 14.5, 15.5],
      [0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
      [60.5, 63.5, 66.5, 69.5, 72.5, 75.5],
      [30.5, 31.5, 32.5, 33.5, 34.5, 35.5]]> : tensor<4x6xf32>
  return %value, %dest, %indices, %out
      : tensor<5x6xf32>, tensor<4x6xf32>, tensor<5x1xindex>, tensor<4x6xf32>
}

// The same as one scatter with a combiner.
func.func @update_by_combiner(%value: tensor<?x6xf32>, %dest: tensor<4x6xf32>,
                              %indices: tensor<?x1xindex>) -> tensor<4x6xf32> {
  %3 = gs.scatter %value into %dest[%indices] scatter_dims([0]) combine(add)
      : (tensor<?x6xf32>, tensor<4x6xf32>, tensor<?x1xindex>) -> tensor<4x6xf32>
  return %3 : tensor<4x6xf32>
}

func.func private @update_by_combiner_numbers()
    -> (tensor<5x6xf32>, tensor<4x6xf32>, tensor<5x1xindex>, tensor<4x6xf32>) {
  // n * 10 + j at (n, j)
  %value = tensor.generate {
  ^bb0(%n: index, %j: index):
    %c10 = arith.constant 10 : index
    %0 = arith.muli %n, %c10 : index
    %1 = arith.addi %0, %j : index
    %w = arith.index_cast %1 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<5x6xf32>
  %dest = arith.constant dense<0.5> : tensor<4x6xf32>
  %indices = arith.constant dense<[[2], [0], [2], [3], [2]]> : tensor<5x1xindex>
  %out = arith.constant dense<[[10.5, 11.5, 12.5, 13.5, 14.5, 15.5],
      [0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
      [60.5, 63.5, 66.5, 69.5, 72.5, 75.5],
      [30.5, 31.5, 32.5, 33.5, 34.5, 35.5]]> : tensor<4x6xf32>
  return %value, %dest, %indices, %out
      : tensor<5x6xf32>, tensor<4x6xf32>, tensor<5x1xindex>, tensor<4x6xf32>
}

// The buffer form: memref<4x4xf32>[memref<?x 1xindex>] gathered along dim 1 into memref<?x4xf32>.
func.func @gather_buffers(%input: memref<4x4xf32>, %indices: memref<?x1xindex>,
                          %out: memref<?x4xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0, 0]]
      ins(%input[d1, s0]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<4x4xf32>, memref<?x1xindex>, memref<?x4xf32>) -> () {
  ^bb0(%element: f32, %current: f32):
    gs.yield %element : f32
  }
  return
}

func.func private @gather_buffers_numbers()
    -> (tensor<4x4xf32>, tensor<3x1xindex>, tensor<3x4xf32>, tensor<3x4xf32>) {
  // i * 4 + j at (i, j)
  %input = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c4 = arith.constant 4 : index
    %0 = arith.muli %i, %c4 : index
    %1 = arith.addi %0, %j : index
    %w = arith.index_cast %1 : index to i64
    %number = arith.sitofp %w : i64 to f32
    tensor.yield %number : f32
  } : tensor<4x4xf32>
  %indices = arith.constant dense<[[3], [0], [3]]> : tensor<3x1xindex>
  %start = arith.constant dense<-1.0> : tensor<3x4xf32>
  %out = arith.constant dense<[[3.0, 7.0, 11.0, 15.0], [0.0, 4.0, 8.0, 12.0],
      [3.0, 7.0, 11.0, 15.0]]> : tensor<3x4xf32>
  return %input, %indices, %start, %out
      : tensor<4x4xf32>, tensor<3x1xindex>, tensor<3x4xf32>, tensor<3x4xf32>
}
