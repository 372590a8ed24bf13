// What Polygeist, Enzyme-JAX, IREE and torch-mlir make of programs: test_strangers.py.

// raised
func.func @polygeist_spmv(%n: i32, %p: memref<?xi32>, %c: memref<?xi32>, %v: memref<?xf64>, %x: memref<?xf64>, %y: memref<?xf64>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = arith.index_cast %n : i32 to index
  affine.for %i = 0 to %m {
    %a = affine.load %p[%i] : memref<?xi32>
    %b = affine.load %p[%i + 1] : memref<?xi32>
    %lo = arith.index_cast %a : i32 to index
    %hi = arith.index_cast %b : i32 to index
    %s = scf.for %k = %lo to %hi step %c1 iter_args(%t = %zero) -> (f64) {
      %e = memref.load %v[%k] : memref<?xf64>
      %q = memref.load %c[%k] : memref<?xi32>
      %j = arith.index_cast %q : i32 to index
      %g = memref.load %x[%j] : memref<?xf64>
      %f = arith.mulf %e, %g : f64
      %u = arith.addf %t, %f : f64
      scf.yield %u : f64
    }
    affine.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// -----

// raised
func.func @polygeist_chosen_bins(%n: i32, %key: memref<?xi32>, %y: memref<?xi32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %m = arith.index_cast %n : i32 to index
  affine.for %i = 0 to %m {
    %k = affine.load %key[%i] : memref<?xi32>
    %chosen = arith.cmpi sge, %k, %zero : i32
    scf.if %chosen {
      %j = arith.index_cast %k : i32 to index
      %a = memref.load %y[%j] : memref<?xi32>
      %b = arith.addi %a, %one : i32
      memref.store %b, %y[%j] : memref<?xi32>
    }
  }
  return
}

// -----

// raised
func.func @polygeist_neighbours(%nb: memref<?x4xi32>, %q: memref<?x3xf64>, %f: memref<?x3xf64>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %k = 0 to 4 {
      affine.for %d = 0 to 3 {
        %j = affine.load %nb[%i, %k] : memref<?x4xi32>
        %o = arith.index_cast %j : i32 to index
        %mine = affine.load %q[%i, %d] : memref<?x3xf64>
        %other = memref.load %q[%o, %d] : memref<?x3xf64>
        %way = arith.subf %other, %mine : f64
        %old = affine.load %f[%i, %d] : memref<?x3xf64>
        %new = arith.addf %old, %way : f64
        affine.store %new, %f[%i, %d] : memref<?x3xf64>
      }
    }
  }
  return
}

// -----

// raised
func.func @enzyme_kernel(%c: memref<?xi64>, %x: memref<?xf32>, %y: memref<?xf32>) {
  affine.parallel (%b, %t) = (0, 0) to (2, 8) {
    %k = affine.load %c[%t + %b * 8] : memref<?xi64>
    %j = arith.index_cast %k : i64 to index
    %e = memref.load %x[%j] : memref<?xf32>
    affine.store %e, %y[%t + %b * 8] : memref<?xf32>
  }
  return
}

// -----

// raised
func.func @enzyme_rows(%c: memref<?xi32>, %x: memref<?x8xf32>, %y: memref<?x8xf32>, %n: index) {
  affine.parallel (%i) = (0) to (symbol(%n)) {
    affine.for %j = 0 to 8 {
      %k = affine.load %c[%i] : memref<?xi32>
      %q = arith.index_cast %k : i32 to index
      %e = memref.load %x[%q, %j] : memref<?x8xf32>
      affine.store %e, %y[%i, %j] : memref<?x8xf32>
    }
  }
  return
}

// -----

// raised
func.func @coo_pairs(%rc: memref<?x2xi32>, %v: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %e = %c0 to %n step %c1 {
    %a = memref.load %rc[%e, %c0] : memref<?x2xi32>
    %b = memref.load %rc[%e, %c1] : memref<?x2xi32>
    %r = arith.index_cast %a : i32 to index
    %c = arith.index_cast %b : i32 to index
    %p = memref.load %v[%e] : memref<?xf32>
    %q = memref.load %x[%c] : memref<?xf32>
    %m = arith.mulf %p, %q : f32
    %o = memref.load %y[%r] : memref<?xf32>
    %s = arith.addf %o, %m : f32
    memref.store %s, %y[%r] : memref<?xf32>
  }
  return
}

// -----

// raised
func.func @columns_of_a_column_major_matrix(%c: memref<16xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %w: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  scf.for %j = %c0 to %w step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %k = memref.load %c[%i] : memref<16xi32>
      %q = arith.index_cast %k : i32 to index
      %a = arith.muli %j, %c3 : index
      %b = arith.addi %a, %q : index
      %e = memref.load %x[%b] : memref<?xf32>
      %d = arith.muli %j, %c16 : index
      %g = arith.addi %d, %i : index
      memref.store %e, %y[%g] : memref<?xf32>
    }
  }
  return
}

// -----

// raised
func.func @bfs_step_by_edges(%src: memref<?xi32>, %dst: memref<?xi32>, %now: memref<?xi8>, %next: memref<?xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %e = %c0 to %n step %c1 {
    %a = memref.load %src[%e] : memref<?xi32>
    %u = arith.index_cast %a : i32 to index
    %b = memref.load %dst[%e] : memref<?xi32>
    %v = arith.index_cast %b : i32 to index
    %f = memref.load %now[%u] : memref<?xi8>
    %g = memref.load %next[%v] : memref<?xi8>
    %o = arith.ori %f, %g : i8
    memref.store %o, %next[%v] : memref<?xi8>
  }
  return
}

// -----

// raised
func.func @lattice_streaming(%nb: memref<9x16xi32>, %f: memref<9x?xf32>, %g: memref<9x16xf32>) {
  affine.for %q = 0 to 9 {
    affine.for %i = 0 to 16 {
      %k = affine.load %nb[%q, %i] : memref<9x16xi32>
      %j = arith.index_cast %k : i32 to index
      %e = memref.load %f[%q, %j] : memref<9x?xf32>
      affine.store %e, %g[%q, %i] : memref<9x16xf32>
    }
  }
  return
}

// -----

// raised
func.func @softmax_sums(%s: memref<?xi64>, %x: memref<?xf32>, %most: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %e = %c0 to %n step %c1 {
    %a = memref.load %s[%e] : memref<?xi64>
    %k = arith.index_cast %a : i64 to index
    %g = memref.load %x[%e] : memref<?xf32>
    %m = memref.load %most[%k] : memref<?xf32>
    %d = arith.subf %g, %m : f32
    %b = arith.mulf %d, %d : f32
    %o = memref.load %y[%k] : memref<?xf32>
    %t = arith.addf %o, %b : f32
    memref.store %t, %y[%k] : memref<?xf32>
  }
  return
}

// -----

// raised
func.func @quantized_rows(%c: memref<?xi64>, %q: memref<?x8xi8>, %scale: memref<?xf32>, %y: memref<?x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c8) step (%c1, %c1) {
    %k = memref.load %c[%i] : memref<?xi64>
    %r = arith.index_cast %k : i64 to index
    %a = memref.load %q[%r, %j] : memref<?x8xi8>
    %f = arith.sitofp %a : i8 to f32
    %s = memref.load %scale[%r] : memref<?xf32>
    %m = arith.mulf %f, %s : f32
    memref.store %m, %y[%i, %j] : memref<?x8xf32>
  }
  return
}

// -----

// raised
func.func @cache_slots(%slot: memref<?xi64>, %key: memref<?x2x4xf16>, %cache: memref<?x2x4xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0 : i64
  scf.for %i = %c0 to %n step %c1 {
    scf.for %h = %c0 to %c2 step %c1 {
      scf.for %d = %c0 to %c4 step %c1 {
        %a = memref.load %slot[%i] : memref<?xi64>
        %there = arith.cmpi sge, %a, %none : i64
        scf.if %there {
          %s = arith.index_cast %a : i64 to index
          %e = memref.load %key[%i, %h, %d] : memref<?x2x4xf16>
          memref.store %e, %cache[%s, %h, %d] : memref<?x2x4xf16>
        }
      }
    }
  }
  return
}

// -----

// raised
func.func @iree_embedding(%x: tensor<24x8xf16>, %c: tensor<16xi32>) -> tensor<16x8xf32> {
  %o = tensor.empty() : tensor<16x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<16xi32>) outs(%o : tensor<16x8xf32>) {
  ^bb0(%in: i32, %out: f32):
    %q = arith.index_cast %in : i32 to index
    %j = linalg.index 1 : index
    %e = tensor.extract %x[%q, %j] : tensor<24x8xf16>
    %w = arith.extf %e : f16 to f32
    linalg.yield %w : f32
  } -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// raised
func.func @torch_gather(%x: tensor<16x?xf32>, %c: tensor<16x4xi64>) -> tensor<16x4xf32> {
  %o = tensor.empty() : tensor<16x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<16x4xi64>) outs(%o : tensor<16x4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %q = arith.index_cast %in : i64 to index
    %i = linalg.index 0 : index
    %e = tensor.extract %x[%i, %q] : tensor<16x?xf32>
    linalg.yield %e : f32
  } -> tensor<16x4xf32>
  return %r : tensor<16x4xf32>
}

// -----

// raised
func.func @torch_two_indices(%x: tensor<9x?xf32>, %c: tensor<16x1xi64>, %d: tensor<4xi64>) -> tensor<16x4xf32> {
  %none = arith.constant 0 : i64
  %nine = arith.constant 9 : i64
  %c1 = arith.constant 1 : index
  %w = tensor.dim %x, %c1 : tensor<9x?xf32>
  %size = arith.index_cast %w : index to i64
  %o = tensor.empty() : tensor<16x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%c, %d : tensor<16x1xi64>, tensor<4xi64>) outs(%o : tensor<16x4xf32>) {
  ^bb0(%a: i64, %b: i64, %out: f32):
    %t = arith.cmpi slt, %a, %none : i64
    %u = arith.addi %a, %nine : i64
    %v = arith.select %t, %u, %a : i64
    %q = arith.index_cast %v : i64 to index
    %e = arith.cmpi slt, %b, %none : i64
    %f = arith.addi %b, %size : i64
    %g = arith.select %e, %f, %b : i64
    %k = arith.index_cast %g : i64 to index
    %m = tensor.extract %x[%q, %k] : tensor<9x?xf32>
    linalg.yield %m : f32
  } -> tensor<16x4xf32>
  return %r : tensor<16x4xf32>
}
