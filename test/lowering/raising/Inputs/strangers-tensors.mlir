// Loops and linalg as other compilers and people write them: test_strangers.py.

// stays: nothing to raise
func.func @sliced_rows(%c: tensor<?xi32>, %x: tensor<?x8xf32>, %y: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%t = %y) -> tensor<?x8xf32> {
    %k = tensor.extract %c[%i] : tensor<?xi32>
    %q = arith.index_cast %k : i32 to index
    %r = tensor.extract_slice %x[%q, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<1x8xf32>
    %u = tensor.insert_slice %r into %t[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<?x8xf32>
    scf.yield %u : tensor<?x8xf32>
  }
  return %z : tensor<?x8xf32>
}

// -----

// stays: nothing to raise
func.func @forall_rows(%c: tensor<16xi32>, %x: tensor<?x8xf32>, %y: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %z = scf.forall (%i) in (16) shared_outs(%t = %y) -> tensor<16x8xf32> {
    %k = tensor.extract %c[%i] : tensor<16xi32>
    %q = arith.index_cast %k : i32 to index
    %r = tensor.extract_slice %x[%q, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %t[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<16x8xf32>
    }
  }
  return %z : tensor<16x8xf32>
}

// -----

// stays: rows are of something else than a memref of one dimension
func.func @flat_tensor(%c: tensor<16xi32>, %x: tensor<192xf32>, %y: tensor<128xf32>) -> tensor<128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %z = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %y) -> tensor<128xf32> {
    %u = scf.for %j = %c0 to %c8 step %c1 iter_args(%s = %t) -> tensor<128xf32> {
      %k = tensor.extract %c[%i] : tensor<16xi32>
      %q = arith.index_cast %k : i32 to index
      %r = arith.muli %q, %c8 : index
      %a = arith.addi %r, %j : index
      %e = tensor.extract %x[%a] : tensor<192xf32>
      %b = arith.muli %i, %c8 : index
      %d = arith.addi %b, %j : index
      %w = tensor.insert %e into %s[%d] : tensor<128xf32>
      scf.yield %w : tensor<128xf32>
    }
    scf.yield %u : tensor<128xf32>
  }
  return %z : tensor<128xf32>
}

// -----

// raised
func.func @dispatch(%x: tensor<?x8xf32>, %c: tensor<16xi64>, %b: tensor<8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x8xf32>
  %i0 = arith.constant 0 : i64
  %d64 = arith.index_cast %d : index to i64
  %o = tensor.empty() : tensor<16x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%c, %b : tensor<16xi64>, tensor<8xf32>) outs(%o : tensor<16x8xf32>) {
  ^bb0(%in: i64, %bias: f32, %out: f32):
    %t = arith.cmpi slt, %in, %i0 : i64
    %a = arith.addi %in, %d64 : i64
    %s = arith.select %t, %a, %in : i64
    %q = arith.index_cast %s : i64 to index
    %j = linalg.index 1 : index
    %e = tensor.extract %x[%q, %j] : tensor<?x8xf32>
    %w = arith.addf %e, %bias : f32
    linalg.yield %w : f32
  } -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// raised
func.func @iree_clamp_ui(%x: tensor<24x8xf32>, %c: tensor<16xi32>) -> tensor<16x8xf32> {
  %z32 = arith.constant 0 : i32
  %l = arith.constant 23 : i32
  %o = tensor.empty() : tensor<16x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<16xi32>) outs(%o : tensor<16x8xf32>) {
  ^bb0(%in: i32, %out: f32):
    %s = arith.maxsi %in, %z32 : i32
    %u = arith.minsi %s, %l : i32
    %q = arith.index_cast %u : i32 to index
    %j = linalg.index 1 : index
    %e = tensor.extract %x[%q, %j] : tensor<24x8xf32>
    linalg.yield %e : f32
  } -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// stays: a place is computed by 'arith.minui'
func.func @clamp_after_cast(%x: tensor<24x8xf32>, %c: tensor<16xi32>) -> tensor<16x8xf32> {
  %l = arith.constant 23 : index
  %o = tensor.empty() : tensor<16x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<16xi32>) outs(%o : tensor<16x8xf32>) {
  ^bb0(%in: i32, %out: f32):
    %k = arith.index_castui %in : i32 to index
    %u = arith.minui %k, %l : index
    %j = linalg.index 1 : index
    %e = tensor.extract %x[%u, %j] : tensor<24x8xf32>
    linalg.yield %e : f32
  } -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}
