// What looks like a form that is raised: test_strangers.py has the arguments.

// raised
func.func @short_size(%c: memref<16xi16>, %x: memref<?xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %d = memref.dim %x, %c0 : memref<?xf32>
  %d8 = arith.index_cast %d : index to i8
  %d16 = arith.extsi %d8 : i8 to i16
  %z = arith.constant 0 : i16
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<16xi16>
    %a = arith.cmpi sge, %k, %z : i16
    %b = arith.cmpi slt, %k, %d16 : i16
    %t = arith.andi %a, %b : i1
    %r = scf.if %t -> f32 {
      %q = arith.index_cast %k : i16 to index
      %e = memref.load %x[%q] : memref<?xf32>
      scf.yield %e : f32
    } else { scf.yield %zero : f32 }
    memref.store %r, %y[%i] : memref<16xf32>
  }
 return
}

// -----

// raised
func.func @short_clamp(%c: memref<16xi32>, %x: memref<?xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z32 = arith.constant 0 : i32
  %o32 = arith.constant 1 : i32
  %d = memref.dim %x, %c0 : memref<?xf32>
  %d8 = arith.index_cast %d : index to i8
  %d32 = arith.extsi %d8 : i8 to i32
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

// stays: 'arith.muli' on i8 may wrap around
func.func @i8_counter_wraps(%c: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %lo = arith.constant 0 : i8
  %hi = arith.constant 100 : i8
  %st = arith.constant 1 : i8
  %two = arith.constant 2 : i8
  scf.for %i = %lo to %hi step %st : i8 {
    %s = arith.muli %i, %two : i8
    %k = arith.extui %s : i8 to i32
    %p = arith.index_cast %k : i32 to index
    %q = memref.load %c[%p] : memref<?xi32>
    %r = arith.index_cast %q : i32 to index
    %e = memref.load %x[%r] : memref<?xf32>
    %ii = arith.index_cast %i : i8 to index
    memref.store %e, %y[%ii] : memref<?xf32>
  }
 return
}

// -----

// stays: a place is one of two, and not a coordinate that counts from the end
func.func @wraps_twice(%c: memref<16xi32>, %x: memref<9xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z32 = arith.constant 0 : i32
  %n9 = arith.constant 9 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<16xi32>
    %t = arith.cmpi slt, %k, %z32 : i32
    %a = arith.addi %k, %n9 : i32
    %s = arith.select %t, %a, %k : i32
    %t2 = arith.cmpi slt, %s, %z32 : i32
    %a2 = arith.addi %s, %n9 : i32
    %s2 = arith.select %t2, %a2, %s : i32
    %q = arith.index_cast %s2 : i32 to index
    %e = memref.load %x[%q] : memref<9xf32>
    memref.store %e, %y[%i] : memref<16xf32>
  }
 return
}

// -----

// stays: 'arith.minsi' is no clamp of a coordinate to its dimension
func.func @clamp_then_wrap(%c: memref<16xi32>, %x: memref<9xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z32 = arith.constant 0 : i32
  %n9 = arith.constant 9 : i32
  %n8 = arith.constant 8 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<16xi32>
    %l = arith.minsi %k, %n8 : i32
    %t = arith.cmpi slt, %l, %z32 : i32
    %a = arith.addi %l, %n9 : i32
    %s = arith.select %t, %a, %l : i32
    %q = arith.index_cast %s : i32 to index
    %e = memref.load %x[%q] : memref<9xf32>
    memref.store %e, %y[%i] : memref<16xf32>
  }
 return
}

// -----

// raised
func.func @or_of_bounds(%c: memref<16xi32>, %x: memref<9xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z32 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %n9 = arith.constant 9 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<16xi32>
    %a = arith.cmpi slt, %k, %z32 : i32
    %b = arith.cmpi sge, %k, %n9 : i32
    %t = arith.ori %a, %b : i1
    %q = arith.index_cast %k : i32 to index
    %e = scf.if %t -> f32 { scf.yield %zero : f32 } else { %g = memref.load %x[%q] : memref<9xf32>
      scf.yield %g : f32 }
    memref.store %e, %y[%i] : memref<16xf32>
  }
 return
}

// -----

// raised
func.func @smaller_bound(%c: memref<16xi32>, %x: memref<9xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %n9 = arith.constant 5 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<16xi32>
    %t = arith.cmpi ult, %k, %n9 : i32
    %q = arith.index_cast %k : i32 to index
    scf.if %t { %g = memref.load %x[%q] : memref<9xf32>
      memref.store %g, %y[%i] : memref<16xf32> }
  }
 return
}

// -----

// raised
func.func @tested_elsewhere(%c: memref<16xi32>, %x: memref<9xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %n9 = arith.constant 9 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %k = memref.load %c[%i] : memref<16xi32>
    %t = arith.cmpi ult, %k, %n9 : i32
    %q = arith.index_cast %k : i32 to index
    scf.if %t { memref.store %zero, %y[%q] : memref<16xf32> }
  }
 return
}
