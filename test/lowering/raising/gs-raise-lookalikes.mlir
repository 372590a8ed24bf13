// RUN: gs-opt %s --split-input-file --gs-raise --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --gs-raise --gs-explain 2>&1 >/dev/null | filecheck %s --check-prefix=WHY

// What looks like a form that is raised and means something else.

// The sign is copied before it is taken for a part of the number: 255 and 65535 are different.

// WHY: refused: stays as it is: 'arith.index_castui' of a number that may be negative
// CHECK-LABEL: func.func @signs_in_between
// CHECK-NOT: gs.generic
func.func @signs_in_between(%x: memref<65536xf32>, %c: memref<4xi8>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %k = memref.load %c[%i] : memref<4xi8>
    %a = arith.extsi %k : i8 to i16
    %p = arith.index_castui %a : i16 to index
    %e = memref.load %x[%p] : memref<65536xf32>
    memref.store %e, %y[%i] : memref<4xf32>
  }
  return
}

// -----

// A bit that is set is -1 with a sign, and a coordinate of 1.

// WHY: refused: stays as it is: 'arith.index_cast' of a bit is -1 where it is set
// CHECK-LABEL: func.func @signed_bit
// CHECK-NOT: gs.generic
func.func @signed_bit(%x: memref<8xf32>, %c: memref<4xi1>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %k = memref.load %c[%i] : memref<4xi1>
    %a = arith.index_cast %k : i1 to index
    %p = arith.addi %a, %c1 : index
    %e = memref.load %x[%p] : memref<8xf32>
    memref.store %e, %y[%i] : memref<4xf32>
  }
  return
}

// -----

// The lower of two upper bounds is not lost.

// CHECK-LABEL: func.func @two_bounds
// CHECK: gs.generic
// CHECK: arith.cmpi ult, %{{.*}}, %c8
// CHECK: arith.cmpi ult, %{{.*}}, %c4
// CHECK: arith.andi
func.func @two_bounds(%x: memref<8xf32>, %c: memref<4xindex>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c4 step %c1 {
    %k = memref.load %c[%i] : memref<4xindex>
    %1 = arith.cmpi ult, %k, %c8 : index
    %2 = arith.cmpi ult, %k, %c4 : index
    %t = arith.andi %1, %2 : i1
    %r = scf.if %t -> f32 {
      %e = memref.load %x[%k] : memref<8xf32>
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %r, %y[%i] : memref<4xf32>
  }
  return
}

// -----

// A table that may be empty has no place to clamp to, where the condition does not hold.

// WHY: refused: stays as it is: a coordinate under a condition is clamped to a size that may be 0
// CHECK-LABEL: func.func @clamped_under_a_condition
// CHECK-NOT: gs.generic
func.func @clamped_under_a_condition(%x: memref<?xf32>, %c: memref<4xindex>, %m: memref<4xi1>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %last = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %k = memref.load %c[%i] : memref<4xindex>
    %a = arith.minsi %k, %last : index
    %p = arith.maxsi %a, %c0 : index
    %t = memref.load %m[%i] : memref<4xi1>
    %r = scf.if %t -> f32 {
      %e = memref.load %x[%p] : memref<?xf32>
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %r, %y[%i] : memref<4xf32>
  }
  return
}

// -----

// A coordinate of 7 is in bounds of one table, under one of the conditions.

// WHY: refused: stays as it is: a coordinate is in bounds under several conditions
// CHECK-LABEL: func.func @two_conditions
// CHECK-NOT: gs.generic
func.func @two_conditions(%x: memref<5xf32>, %z: memref<8xf32>, %c: memref<4xindex>, %m: memref<4xi1>, %n: memref<4xi1>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c4 step %c1 {
    %k = memref.load %c[%i] : memref<4xindex>
    %t = memref.load %m[%i] : memref<4xi1>
    %u = memref.load %n[%i] : memref<4xi1>
    %a = scf.if %t -> f32 {
      %e = memref.load %x[%k] : memref<5xf32>
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    %b = scf.if %u -> f32 {
      %e = memref.load %z[%k] : memref<8xf32>
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    %s = arith.addf %a, %b : f32
    memref.store %s, %y[%i] : memref<4xf32>
  }
  return
}

// -----

// In tables of one size it is in bounds of both.

// CHECK-LABEL: func.func @two_conditions_of_one_size
// CHECK: gs.generic
// CHECK: mode(fill_or_drop)
func.func @two_conditions_of_one_size(%x: memref<8xf32>, %z: memref<8xf32>, %c: memref<4xindex>, %m: memref<4xi1>, %n: memref<4xi1>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c4 step %c1 {
    %k = memref.load %c[%i] : memref<4xindex>
    %t = memref.load %m[%i] : memref<4xi1>
    %u = memref.load %n[%i] : memref<4xi1>
    %a = scf.if %t -> f32 {
      %e = memref.load %x[%k] : memref<8xf32>
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    %b = scf.if %u -> f32 {
      %e = memref.load %z[%k] : memref<8xf32>
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    %s = arith.addf %a, %b : f32
    memref.store %s, %y[%i] : memref<4xf32>
  }
  return
}

// -----

// A condition for each element of a window says nothing of the others.

// WHY: refused: stays as it is: a window is under a condition
// CHECK-LABEL: func.func @window_under_a_condition
// CHECK-NOT: gs.generic
func.func @window_under_a_condition(%y: memref<8xf32>, %c: memref<4xindex>, %m: memref<4x4xi1>, %x: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %k = memref.load %c[%i] : memref<4xindex>
      %p = arith.addi %k, %j : index
      %t = memref.load %m[%i, %j] : memref<4x4xi1>
      scf.if %t {
        %e = memref.load %x[%i, %j] : memref<4x4xf32>
        memref.store %e, %y[%p] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// What a loop carries may be what was allocated before it.

// CHECK-LABEL: func.func @carried_memory
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: scf.if
// CHECK: gs.generic
// CHECK: gs.stays
func.func @carried_memory(%y: memref<8xf32>, %c: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %y, %a : memref<8xf32> to memref<8xf32>
  %q = scf.for %n = %c0 to %c4 step %c1 iter_args(%m = %a) -> memref<8xf32> {
    scf.for %i = %c0 to %c8 step %c1 {
      %k = memref.load %c[%i] : memref<8xindex>
      %e = memref.load %m[%i] : memref<8xf32>
      memref.store %e, %a[%k] : memref<8xf32>
    }
    scf.yield %m : memref<8xf32>
  }
  return
}

// -----

// A loop without steps may go past the end of what it reads.

// WHY: refused: stays as it is: the loops go past the end of what they read or write
// CHECK-LABEL: func.func @no_steps
// CHECK-NOT: gs.generic
func.func @no_steps(%x: memref<5xf32>, %c: memref<5xindex>, %y: memref<?x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %k = memref.load %c[%j] : memref<5xindex>
      %e = memref.load %x[%k] : memref<5xf32>
      memref.store %e, %y[%i, %j] : memref<?x8xf32>
    }
  }
  return
}

// -----

// So may where it starts.

// CHECK-LABEL: func.func @starts_without_steps
// CHECK: %[[RUNS:.*]] = arith.cmpi sgt
// CHECK-NEXT: scf.if %[[RUNS]] {
// CHECK: memref.subview %arg0[%arg3, 0]
// CHECK: gs.generic
func.func @starts_without_steps(%x: memref<?x?xf32>, %c: memref<4xindex>, %y: memref<?xf32>, %at: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %c[%i] : memref<4xindex>
    %e = memref.load %x[%at, %k] : memref<?x?xf32>
    memref.store %e, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// A linalg.generic that overwrites what it reads elsewhere runs in order.

// WHY: refused: stays as it is: the loops read what they write, at another place or later
// CHECK-LABEL: func.func @transposed_in_place
// CHECK-NOT: gs.generic
#all = affine_map<(i, j) -> (i, j)>
#across = affine_map<(i, j) -> (j, i)>
#rows = affine_map<(i, j) -> (i)>
func.func @transposed_in_place(%a: memref<4x4xf32>, %c: memref<4xindex>, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  linalg.generic {indexing_maps = [#across, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a, %c : memref<4x4xf32>, memref<4xindex>) outs(%a : memref<4x4xf32>) {
  ^bb0(%p: f32, %k: index, %o: f32):
    %e = memref.load %x[%k] : memref<8xf32>
    %s = arith.addf %e, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A view whose rows overlap keeps what is written last.

// WHY: refused: stays as it is: a memref that is written has places that share an element
// CHECK-LABEL: func.func @overlapping_rows
// CHECK-NOT: gs.generic
func.func @overlapping_rows(%x: memref<8x4xf32>, %c: memref<8xindex>, %y: memref<8x4xf32, strided<[1, 1]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %k = memref.load %c[%i] : memref<8xindex>
      %e = memref.load %x[%k, %j] : memref<8x4xf32>
      memref.store %e, %y[%i, %j] : memref<8x4xf32, strided<[1, 1]>>
    }
  }
  return
}
