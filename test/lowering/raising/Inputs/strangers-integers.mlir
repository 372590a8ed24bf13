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
