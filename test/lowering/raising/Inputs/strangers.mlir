// Loops and linalg as other compilers and people write them: test_strangers.py.

// raised
func.func @i32_counter(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: i32) {
  %z32 = arith.constant 0 : i32
  %o32 = arith.constant 1 : i32
  scf.for %i = %z32 to %n step %o32 : i32 {
    %l = arith.extsi %i : i32 to i64
    %p = arith.index_cast %l : i64 to index
    %k = memref.load %c[%p] : memref<?xi32>
    %m = arith.extsi %k : i32 to i64
    %q = arith.index_cast %m : i64 to index
    %e = memref.load %x[%q] : memref<?xf32>
    memref.store %e, %y[%p] : memref<?xf32>
  }
  return
}

// -----

// raised
func.func @i32_next_nsw(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: i32) {
  %z32 = arith.constant 0 : i32
  %o32 = arith.constant 1 : i32
  scf.for %i = %z32 to %n step %o32 : i32 {
    %j = arith.addi %i, %o32 overflow<nsw> : i32
    %p = arith.index_cast %j : i32 to index
    %k = memref.load %c[%p] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %e = memref.load %x[%q] : memref<?xf32>
    %r = arith.index_cast %i : i32 to index
    memref.store %e, %y[%r] : memref<?xf32>
  }
  return
}

// -----

// raised
func.func @i32_next_plain(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: i32) {
  %z32 = arith.constant 0 : i32
  %o32 = arith.constant 1 : i32
  scf.for %i = %z32 to %n step %o32 : i32 {
    %j = arith.addi %i, %o32 : i32
    %p = arith.index_cast %j : i32 to index
    %k = memref.load %c[%p] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %e = memref.load %x[%q] : memref<?xf32>
    %r = arith.index_cast %i : i32 to index
    memref.store %e, %y[%r] : memref<?xf32>
  }
  return
}

// -----

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
func.func @i32_static_rows(%c: memref<16xi32>, %x: memref<?xf32>, %y: memref<128xf32>) {
  %z32 = arith.constant 0 : i32
  %o32 = arith.constant 1 : i32
  %e32 = arith.constant 8 : i32
  %h = arith.constant 16 : i32
  scf.for %i = %z32 to %h step %o32 : i32 {
    scf.for %j = %z32 to %e32 step %o32 : i32 {
      %ii = arith.index_cast %i : i32 to index
      %k = memref.load %c[%ii] : memref<16xi32>
      %l = arith.extsi %k : i32 to i64
      %e64 = arith.constant 8 : i64
      %r = arith.muli %l, %e64 : i64
      %j64 = arith.extsi %j : i32 to i64
      %t = arith.addi %r, %j64 : i64
      %q = arith.index_cast %t : i64 to index
      %e = memref.load %x[%q] : memref<?xf32>
      %a = arith.muli %i, %e32 : i32
      %b = arith.addi %a, %j : i32
      %p = arith.index_cast %b : i32 to index
      memref.store %e, %y[%p] : memref<128xf32>
    }
  }
  return
}

// -----

// raised
func.func @i32_segments(%p: memref<?xi32>, %c: memref<?xi32>, %v: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: i32) {
  %z32 = arith.constant 0 : i32
  %o32 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  scf.for %i = %z32 to %n step %o32 : i32 {
    %ii = arith.index_cast %i : i32 to index
    %i1 = arith.addi %i, %o32 : i32
    %i1i = arith.index_cast %i1 : i32 to index
    %lo = memref.load %p[%ii] : memref<?xi32>
    %hi = memref.load %p[%i1i] : memref<?xi32>
    %s = scf.for %k = %lo to %hi step %o32 iter_args(%a = %zero) -> f32 : i32 {
      %ki = arith.index_cast %k : i32 to index
      %q = memref.load %c[%ki] : memref<?xi32>
      %qi = arith.index_cast %q : i32 to index
      %w = memref.load %v[%ki] : memref<?xf32>
      %e = memref.load %x[%qi] : memref<?xf32>
      %m = arith.mulf %w, %e : f32
      %t = arith.addf %a, %m : f32
      scf.yield %t : f32
    }
    memref.store %s, %y[%ii] : memref<?xf32>
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

// stays: nothing to raise
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

// raised
func.func @if_else_stores(%c: memref<16xi32>, %x: memref<?xf32>, %y: memref<16xf32>, %m: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %o32 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    %g = memref.load %m[%i] : memref<16xi32>
    %t = arith.cmpi sgt, %g, %o32 : i32
    scf.if %t {
      %k = memref.load %c[%i] : memref<16xi32>
      %q = arith.index_cast %k : i32 to index
      %e = memref.load %x[%q] : memref<?xf32>
      memref.store %e, %y[%i] : memref<16xf32>
    } else {
      memref.store %zero, %y[%i] : memref<16xf32>
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
func.func @flat_i64(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: i32, %w: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n64 = arith.extsi %n : i32 to i64
  %w64 = arith.extsi %w : i32 to i64
  %ni = arith.index_cast %n : i32 to index
  %wi = arith.index_cast %w : i32 to index
  scf.for %i = %c0 to %ni step %c1 {
    %i64 = arith.index_cast %i : index to i64
    scf.for %j = %c0 to %wi step %c1 {
      %j64 = arith.index_cast %j : index to i64
      %k = memref.load %c[%i] : memref<?xi32>
      %l = arith.extsi %k : i32 to i64
      %r = arith.muli %l, %w64 : i64
      %t = arith.addi %r, %j64 : i64
      %q = arith.index_cast %t : i64 to index
      %e = memref.load %x[%q] : memref<?xf32>
      %a = arith.muli %i64, %w64 : i64
      %b = arith.addi %a, %j64 : i64
      %p = arith.index_cast %b : i64 to index
      memref.store %e, %y[%p] : memref<?xf32>
    }
  }
  return
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
func.func @guarded_by_size(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %t = arith.cmpi ult, %q, %d : index
    scf.if %t {
      %e = memref.load %x[%q] : memref<?xf32>
      memref.store %e, %y[%i] : memref<?xf32>
    }
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
func.func @masked_gather(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %p = arith.constant dense<0.0> : vector<8xf32>
  %zz = arith.constant dense<0> : vector<8xi32>
  scf.for %i = %c0 to %n step %c8 {
    %left = arith.subi %n, %i : index
    %m = vector.create_mask %left : vector<8xi1>
    %k = vector.maskedload %c[%i], %m, %zz : memref<?xi32>, vector<8xi1>, vector<8xi32> into vector<8xi32>
    %g = arith.cmpi sge, %k, %zz : vector<8xi32>
    %mm = arith.andi %m, %g : vector<8xi1>
    %e = vector.gather %x[%c0] [%k], %mm, %p : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    vector.maskedstore %y[%i], %m, %e : memref<?xf32>, vector<8xi1>, vector<8xf32>
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
