// Loops and linalg as other compilers and people write them: test_strangers.py.

// raised
func.func @i32_place_plus_one(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o32 = arith.constant 1 : i32
  %m = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %m step %c1 {
    %k = memref.load %c[%i] : memref<?xi32>
    %k1 = arith.addi %k, %o32 : i32
    %q = arith.index_cast %k1 : i32 to index
    %e = memref.load %x[%q] : memref<?xf32>
    memref.store %e, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// raised
func.func @affine_apply(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %p = affine.apply affine_map<(i) -> (i + 1)>(%i)
    %k = affine.load %c[%p] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %e = memref.load %x[%q] : memref<?xf32>
    affine.store %e, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// stays: the loop has several bounds
func.func @affine_tiled(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n step 4 {
    affine.for %j = affine_map<(i) -> (i)>(%i) to min affine_map<(i)[n] -> (i + 4, n)>(%i)[%n] {
      %k = affine.load %c[%j] : memref<?xi32>
      %q = arith.index_cast %k : i32 to index
      %e = memref.load %x[%q] : memref<?xf32>
      affine.store %e, %y[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// raised
func.func @affine_parallel(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  affine.parallel (%i) = (0) to (symbol(%n)) {
    %k = affine.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %e = memref.load %x[%q] : memref<?xf32>
    affine.store %e, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// stays: 'affine.if' is no arithmetic
func.func @affine_if(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<16xf32>) {
  affine.for %i = 0 to 16 {
    affine.if affine_set<(i) : (i - 3 >= 0)>(%i) {
      %k = affine.load %c[%i] : memref<?xi32>
      %q = arith.index_cast %k : i32 to index
      %e = memref.load %x[%q] : memref<?xf32>
      affine.store %e, %y[%i] : memref<16xf32>
    }
  }
  return
}

// -----

// stays: nothing to raise
func.func @subview_rows(%c: memref<?xi32>, %x: memref<?x8xf32>, %y: memref<?x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %r = memref.subview %x[%q, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    %t = memref.subview %y[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    scf.for %j = %c0 to %c8 step %c1 {
      %e = memref.load %r[%j] : memref<8xf32, strided<[1], offset: ?>>
      memref.store %e, %t[%j] : memref<8xf32, strided<[1], offset: ?>>
    }
  }
  return
}

// -----

// stays: nothing to raise
func.func @copied_rows(%c: memref<?xi32>, %x: memref<?x8xf32>, %y: memref<?x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %r = memref.subview %x[%q, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    %t = memref.subview %y[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %r, %t : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, strided<[1], offset: ?>>
  }
  return
}

// -----

// raised
func.func @strided_memrefs(%c: memref<?xi32, strided<[?], offset: ?>>, %x: memref<?x?xf32, strided<[?, ?], offset: ?>>, %y: memref<?x?xf32, strided<[?, 1], offset: ?>>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %k = memref.load %c[%i] : memref<?xi32, strided<[?], offset: ?>>
      %q = arith.index_cast %k : i32 to index
      %e = memref.load %x[%q, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      memref.store %e, %y[%i, %j] : memref<?x?xf32, strided<[?, 1], offset: ?>>
    }
  }
  return
}

// -----

// stays: nothing to raise
func.func @atomic_histogram(%c: memref<?xi32>, %y: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o32 = arith.constant 1 : i32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %u = memref.atomic_rmw addi %o32, %y[%q] : (i32, memref<?xi32>) -> i32
    scf.reduce
  }
  return
}

// -----

// raised
func.func @index_dialect(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = index.constant 1
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = index.casts %k : i32 to index
    %q1 = index.add %q, %one
    %e = memref.load %x[%q1] : memref<?xf32>
    memref.store %e, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// raised
func.func @local_accumulator(%c: memref<?x4xi32>, %v: memref<?x4xf32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %old = memref.load %y[%i] : memref<?xf32>
    %s = scf.for %k = %c0 to %c4 step %c1 iter_args(%a = %old) -> f32 {
      %q = memref.load %c[%i, %k] : memref<?x4xi32>
      %qi = arith.index_cast %q : i32 to index
      %w = memref.load %v[%i, %k] : memref<?x4xf32>
      %e = memref.load %x[%qi] : memref<?xf32>
      %m = arith.mulf %w, %e : f32
      %t = arith.addf %a, %m : f32
      scf.yield %t : f32
    }
    memref.store %s, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// raised
func.func @hoisted_coordinate(%c: memref<?xi32>, %x: memref<?x8xf32>, %y: memref<?x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    scf.for %j = %c0 to %c8 step %c1 {
      %e = memref.load %x[%q, %j] : memref<?x8xf32>
      memref.store %e, %y[%i, %j] : memref<?x8xf32>
    }
  }
  return
}

// -----

// raised
func.func @vector_rows(%c: memref<?xi32>, %x: memref<?x8xf32>, %y: memref<?x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %e = vector.load %x[%q, %c0] : memref<?x8xf32>, vector<8xf32>
    vector.store %e, %y[%i, %c0] : memref<?x8xf32>, vector<8xf32>
  }
  return
}

// -----

// stays: nothing to raise
func.func @transfer_rows(%c: memref<?xi32>, %x: memref<?x8xf32>, %y: memref<?x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %e = vector.transfer_read %x[%q, %c0], %zero {in_bounds = [true]} : memref<?x8xf32>, vector<8xf32>
    vector.transfer_write %e, %y[%i, %c0] {in_bounds = [true]} : vector<8xf32>, memref<?x8xf32>
  }
  return
}

// -----

// raised
func.func @nontemporal(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %e = memref.load %x[%q] : memref<?xf32>
    memref.store %e, %y[%i] {nontemporal = true} : memref<?xf32>
  }
  return
}

// -----

// raised
func.func @i32_dim_clamp(%c: memref<16xi32>, %x: memref<?xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z32 = arith.constant 0 : i32
  %o32 = arith.constant 1 : i32
  %d = memref.dim %x, %c0 : memref<?xf32>
  %d32 = arith.index_cast %d : index to i32
  %last = arith.subi %d32, %o32 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<16xi32>
    %a = arith.minsi %k, %last : i32
    %b = arith.maxsi %a, %z32 : i32
    %q = arith.index_cast %b : i32 to index
    %e = memref.load %x[%q] : memref<?xf32>
    memref.store %e, %y[%i] : memref<16xf32>
  }
  return
}

// -----

// raised
func.func @f16_table(%c: memref<?xi8>, %x: memref<?xf16>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %c[%i] : memref<?xi8>
    %q = arith.index_castui %k : i8 to index
    %e = memref.load %x[%q] : memref<?xf16>
    %w = arith.extf %e : f16 to f32
    memref.store %w, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// raised
func.func @two_sums(%c: memref<?xi32>, %x: memref<?xf32>, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (f32, f32) {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %e = memref.load %x[%q] : memref<?xf32>
    %m = arith.mulf %e, %e : f32
    %t = arith.addf %a, %e : f32
    %u = arith.addf %b, %m : f32
    scf.yield %t, %u : f32, f32
  }
  return %s#0, %s#1 : f32, f32
}

// -----

// raised
func.func @complex_elements(%c: memref<?xi64>, %x: memref<?xcomplex<f32>>, %y: memref<?xcomplex<f32>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %c[%i] : memref<?xi64>
    %q = arith.index_cast %k : i64 to index
    %e = memref.load %x[%q] : memref<?xcomplex<f32>>
    %w = complex.mul %e, %e : complex<f32>
    memref.store %w, %y[%i] : memref<?xcomplex<f32>>
  }
  return
}

// -----

// raised
func.func @aos_coordinates(%rc: memref<?xindex>, %v: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.muli %i, %c2 : index
    %b = arith.addi %a, %c1 : index
    %r = memref.load %rc[%a] : memref<?xindex>
    %k = memref.load %rc[%b] : memref<?xindex>
    %w = memref.load %v[%i] : memref<?xf32>
    %e = memref.load %x[%k] : memref<?xf32>
    %o = memref.load %y[%r] : memref<?xf32>
    %m = arith.mulf %w, %e : f32
    %t = arith.addf %o, %m : f32
    memref.store %t, %y[%r] : memref<?xf32>
  }
  return
}
