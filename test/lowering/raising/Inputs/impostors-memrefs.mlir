// What looks like a form that is raised: test_strangers.py has the arguments.

// raised
func.func @one_element(%c: memref<16xi32>, %x: memref<?xf32>, %y: memref<16xf32, strided<[?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<16xi32>
    %q = arith.index_cast %k : i32 to index
    %e = memref.load %x[%q] : memref<?xf32>
    memref.store %e, %y[%i] : memref<16xf32, strided<[?], offset: ?>>
  }
 return
}

// -----

// stays: 'arith.index_cast' to i8 may lose bits
func.func @short_counter(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cc = arith.constant 200 : index
  scf.for %i = %c0 to %cc step %c1 {
    %s = arith.index_cast %i : index to i8
    %k = arith.extui %s : i8 to i32
    %p = arith.index_cast %k : i32 to index
    %q = memref.load %c[%p] : memref<?xi32>
    %r = arith.index_cast %q : i32 to index
    %e = memref.load %x[%r] : memref<?xf32>
    memref.store %e, %y[%i] : memref<?xf32>
  }
 return
}

// -----

// raised
func.func @swapped_sums(%c: memref<?xi32>, %x: memref<?xf32>) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %s:2 = scf.for %i = %c0 to %c16 step %c1 iter_args(%a = %zero, %b = %one) -> (f32, f32) {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %e = memref.load %x[%q] : memref<?xf32>
    %t = arith.addf %a, %e : f32
    scf.yield %b, %t : f32, f32
  }
 return %s#0, %s#1 : f32, f32
}

// -----

// raised
func.func @subtracting_reduce(%c: memref<?xi32>, %x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %s = scf.parallel (%i) = (%c0) to (%c16) step (%c1) init (%zero) -> f32 {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %e = memref.load %x[%q] : memref<?xf32>
    scf.reduce(%e : f32) {
    ^bb0(%a: f32, %b: f32):
      %t = arith.maximumf %a, %b : f32
      scf.reduce.return %t : f32
    }
  }
 return %s : f32
}

// -----

// raised
func.func @both_arms_store_elsewhere(%m: memref<16xi1>, %c: memref<16xi32>, %x: memref<8xf32>, %y: memref<16xf32>, %z: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<16xi32>
    %q = arith.index_cast %k : i32 to index
    %e = memref.load %x[%q] : memref<8xf32>
    %t = memref.load %m[%i] : memref<16xi1>
    scf.if %t { memref.store %e, %y[%i] : memref<16xf32> } else { memref.store %e, %z[%i] : memref<16xf32> }
  }
 return
}

// -----

// raised
func.func @both_arms_store(%m: memref<16xi1>, %c: memref<16xi32>, %x: memref<8xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<16xi32>
    %q = arith.index_cast %k : i32 to index
    %e = memref.load %x[%q] : memref<8xf32>
    %t = memref.load %m[%i] : memref<16xi1>
    scf.if %t { memref.store %e, %y[%i] : memref<16xf32> } else { memref.store %zero, %y[%i] : memref<16xf32> }
  }
 return
}

// -----

// stays: 'arith.minui' on i32 may wrap around
func.func @unsigned_clamp(%c: memref<16xi32>, %x: memref<9xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %n8 = arith.constant 8 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<16xi32>
    %l = arith.minui %k, %n8 : i32
    %q = arith.index_cast %l : i32 to index
    %e = memref.load %x[%q] : memref<9xf32>
    memref.store %e, %y[%i] : memref<16xf32>
  }
 return
}

// -----

// stays: the loops read or write what they make
func.func @chosen_table(%m: memref<16xi1>, %c: memref<16xi32>, %x: memref<8xf32>, %z: memref<8xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<16xi32>
    %q = arith.index_cast %k : i32 to index
    %t = memref.load %m[%i] : memref<16xi1>
    %r = arith.select %t, %x, %z : memref<8xf32>
    %e = memref.load %r[%q] : memref<8xf32>
    memref.store %e, %y[%i] : memref<16xf32>
  }
 return
}

// -----

// stays: nothing to raise
func.func @atomic(%c: memref<?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %o32 = arith.constant 1 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %u = memref.atomic_rmw addi %o32, %y[%q] : (i32, memref<?xi32>) -> i32
    memref.store %u, %c[%i] : memref<?xi32>
  }
 return
}

// -----

// stays: the loops read coordinates from what they write
func.func @counted_in_memory(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<?xi32>
    %q = arith.index_cast %k : i32 to index
    %e = memref.load %x[%q] : memref<?xf32>
    %g = arith.cmpf ogt, %e, %zero : f32
    scf.if %g {
      %a = memref.load %n[%c0] : memref<1xindex>
      memref.store %e, %y[%a] : memref<?xf32>
      %b = arith.addi %a, %c1 : index
      memref.store %b, %n[%c0] : memref<1xindex>
    }
  }
 return
}
