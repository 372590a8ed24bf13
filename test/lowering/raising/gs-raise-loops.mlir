// RUN: gs-opt %s --split-input-file --gs-raise --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --gs-raise --gs-explain 2>&1 >/dev/null | filecheck %s --check-prefix=WHY
// RUN: gs-opt %s --split-input-file --gs-raise --canonicalize --gs-raise --canonicalize --cse | filecheck %s

// A scatter-add: a test of addresses chooses.

// CHECK-LABEL: func.func @scatter_add
// CHECK: scf.if
// CHECK: gs.generic (d0) [s0 = %arg1[d0]] ins(%{{.*}}[d0]) outs(%arg2[s0]) iterators(d0 = reduction)
// CHECK: } else {
// CHECK: scf.for
// CHECK: } {gs.stays}
func.func @scatter_add(%v: memref<?xf32>, %r: memref<?xi32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %r[%i] : memref<?xi32>
    %b = arith.index_cast %a : i32 to index
    %p = memref.load %v[%i] : memref<?xf32>
    %o = memref.load %y[%b] : memref<?xf32>
    %s = arith.addf %o, %p : f32
    memref.store %s, %y[%b] : memref<?xf32>
  }
  return
}

// -----

// Memory that nothing else has needs no test; the sum that is carried gets a place.

// CHECK-LABEL: func.func @sum
// CHECK-NOT: scf.if
// CHECK: %[[PLACE:.*]] = memref.alloca() : memref<f32>
// CHECK: gs.generic (d0) [s0 = %arg1[d0]] ins(%arg0[s0]) outs(%[[PLACE]][]) iterators(d0 = reduction)
func.func @sum(%x: memref<?xf32>, %c: memref<64xindex>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %s = affine.for %i = 0 to 64 iter_args(%sum = %zero) -> f32 {
    %k = affine.load %c[%i] : memref<64xindex>
    %p = memref.load %x[%k] : memref<?xf32>
    %q = arith.addf %sum, %p : f32
    affine.yield %q : f32
  }
  return %s : f32
}

// -----

// Tensors that are carried, and a mask: what is read under it may be out of bounds elsewhere.

// CHECK-LABEL: func.func @masked
// CHECK: gs.generic (d0) [s0 = %arg1[d0] mode(fill_or_drop)] ins(%arg0[s0], %arg2[d0]) outs(%arg3[d0])
// CHECK: arith.select
func.func @masked(%x: tensor<?xf32>, %c: tensor<16xi32>, %m: tensor<16xi1>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %y) -> tensor<16xf32> {
    %on = tensor.extract %m[%i] : tensor<16xi1>
    %a = tensor.extract %c[%i] : tensor<16xi32>
    %k = arith.index_cast %a : i32 to index
    %n = scf.if %on -> tensor<16xf32> {
      %p = tensor.extract %x[%k] : tensor<?xf32>
      %w = tensor.insert %p into %t[%i] : tensor<16xf32>
      scf.yield %w : tensor<16xf32>
    } else {
      scf.yield %t : tensor<16xf32>
    }
    scf.yield %n : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

// -----

// Segments: one gs.generic each, in parallel.

// CHECK-LABEL: func.func @csr
// CHECK: scf.if
// CHECK: scf.parallel
// CHECK: gs.generic (d0) [s0 = %{{.*}}[d0]] ins(%{{.*}}[s0], %{{.*}}[d0]) outs(%{{.*}}[]) iterators(d0 = reduction)
// CHECK: } else {
// CHECK: scf.for
func.func @csr(%p: memref<?xi32>, %c: memref<?xi32>, %v: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %y, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %next = arith.addi %i, %c1 : index
    %a = memref.load %p[%i] : memref<?xi32>
    %b = memref.load %p[%next] : memref<?xi32>
    %first = arith.index_cast %a : i32 to index
    %end = arith.index_cast %b : i32 to index
    %s = scf.for %k = %first to %end step %c1 iter_args(%sum = %zero) -> f32 {
      %q = memref.load %v[%k] : memref<?xf32>
      %e = memref.load %c[%k] : memref<?xi32>
      %col = arith.index_cast %e : i32 to index
      %w = memref.load %x[%col] : memref<?xf32>
      %m = arith.mulf %q, %w : f32
      %t = arith.addf %sum, %m : f32
      scf.yield %t : f32
    }
    memref.store %s, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// Loops that read what other steps write stay.

// WHY: remark: 'memref.load' refused: stays as it is: the loops read what they write, at another place or later
// CHECK-LABEL: func.func @pointer_jumping
// CHECK-NOT: gs.generic
func.func @pointer_jumping(%p: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %p[%i] : memref<?xindex>
    %b = memref.load %p[%a] : memref<?xindex>
    memref.store %b, %p[%i] : memref<?xindex>
  }
  return
}

// -----

// WHY: remark: 'scf.for' refused: stays as it is: the loops read coordinates from what they write
// CHECK-LABEL: func.func @own_coordinates
// CHECK-NOT: gs.generic
func.func @own_coordinates(%x: memref<?xindex>, %p: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %p[%i] : memref<?xindex>
    %b = memref.load %x[%a] : memref<?xindex>
    memref.store %b, %p[%i] : memref<?xindex>
  }
  return
}

// -----

// WHY: remark: 'func.call' refused: stays as it is: 'func.call' is no arithmetic
// CHECK-LABEL: func.func @effects
// CHECK-NOT: gs.generic
func.func private @log(f32)
func.func @effects(%x: memref<?xf32>, %c: memref<?xindex>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %c[%i] : memref<?xindex>
    %b = memref.load %x[%a] : memref<?xf32>
    func.call @log(%b) : (f32) -> ()
    memref.store %b, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// Arithmetic on fewer bits may wrap around, as that on index does not.

// WHY: remark: 'arith.muli' refused: stays as it is: 'arith.muli' on i32 may wrap around
// CHECK-LABEL: func.func @narrow
// CHECK-NOT: gs.generic
func.func @narrow(%x: memref<?xf32>, %c: memref<?xi32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i32
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %c[%i] : memref<?xi32>
    %m = arith.muli %a, %three : i32
    %k = arith.index_cast %m : i32 to index
    %b = memref.load %x[%k] : memref<?xf32>
    memref.store %b, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// WHY: remark: 'scf.for' refused: stays as it is: elements are of type vector<4xf32>
// CHECK-LABEL: func.func @vectors
// CHECK-NOT: gs.generic
func.func @vectors(%x: memref<?xvector<4xf32>>, %c: memref<16xindex>, %y: memref<16xvector<4xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 16 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %c[%i] : memref<16xindex>
    %e = memref.load %x[%k] : memref<?xvector<4xf32>>
    memref.store %e, %y[%i] : memref<16xvector<4xf32>>
  }
  return
}

// -----

// A flat table, as rows that start a width apart.

// CHECK-LABEL: func.func @flat
// CHECK: %[[X:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%{{.*}}, 8], strides: [%arg4, 1]
// CHECK: %[[Y:.*]] = memref.reinterpret_cast %arg2 to offset: [0], sizes: [%{{.*}}, 8], strides: [8, 1]
// CHECK: gs.generic (d0, d1) [s0 = %{{.*}}[d0]] ins(%[[X]][s0, d1]) outs(%[[Y]][d0, d1])
func.func @flat(%x: memref<?xf32>, %c: memref<?xindex>, %y: memref<?xf32>, %n: index, %w: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %k = memref.load %c[%i] : memref<?xindex>
      %row = arith.muli %k, %w : index
      %at = arith.addi %row, %j : index
      %e = memref.load %x[%at] : memref<?xf32>
      %first = arith.muli %i, %c8 : index
      %to = arith.addi %first, %j : index
      memref.store %e, %y[%to] : memref<?xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @rows_that_overlap
// CHECK-NOT: gs.generic
// WHY: rows that are written may overlap
func.func @rows_that_overlap(%x: memref<?xf32>, %c: memref<?xindex>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %w = arith.constant 7 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %k = memref.load %c[%i] : memref<?xindex>
      %row = arith.muli %k, %w : index
      %at = arith.addi %row, %j : index
      %e = memref.load %x[%j] : memref<?xf32>
      memref.store %e, %y[%at] : memref<?xf32>
    }
  }
  return
}

// -----

// A sum of scf.parallel has no order: that of the op is one.

// CHECK-LABEL: func.func @parallel_sum
// CHECK: gs.generic (d0) [s0 = %{{.*}}[d0]] ins(%arg0[s0]) outs(%{{.*}}[]) iterators(d0 = reduction)
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
func.func @parallel_sum(%x: memref<?xf32>, %c: memref<?xindex>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
    %k = memref.load %c[%i] : memref<?xindex>
    %e = memref.load %x[%k] : memref<?xf32>
    scf.reduce(%e : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}

// -----

// CHECK-LABEL: func.func @forall
// CHECK: gs.generic (d0) [s0 = %{{.*}}[d0]] ins(%arg0[s0]) outs(%arg2[d0]) iterators(d0 = parallel)
func.func @forall(%x: memref<?xf32>, %c: memref<?xindex>, %y: memref<?xf32>, %n: index) {
  scf.forall (%i) in (%n) {
    %k = memref.load %c[%i] : memref<?xindex>
    %e = memref.load %x[%k] : memref<?xf32>
    memref.store %e, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// A negative start of a window counts from the end of the dim, not from the last place of the window.

// CHECK-LABEL: func.func @wrapped_window
// CHECK: gs.generic (d0, d1) [s0 = %{{.*}}[d0] wrap_negative] ins(%arg0[d1 + s0])
func.func @wrapped_window(%x: memref<7xf32>, %c: memref<4xindex>, %y: memref<4x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %size = arith.constant 7 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %k = memref.load %c[%i] : memref<4xindex>
      %negative = arith.cmpi slt, %k, %c0 : index
      %moved = arith.addi %k, %size : index
      %start = arith.select %negative, %moved, %k : index
      %p = arith.addi %start, %j : index
      %e = memref.load %x[%p] : memref<7xf32>
      memref.store %e, %y[%i, %j] : memref<4x3xf32>
    }
  }
  return
}

// -----

// WHY: remark: 'scf.for' refused: stays as it is: a coordinate is not wrapped by the size of what it addresses
// CHECK-LABEL: func.func @wrapped_by_places
// CHECK-NOT: gs.generic
func.func @wrapped_by_places(%x: memref<7xf32>, %c: memref<4xindex>, %y: memref<4x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %places = arith.constant 5 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %k = memref.load %c[%i] : memref<4xindex>
      %negative = arith.cmpi slt, %k, %c0 : index
      %moved = arith.addi %k, %places : index
      %start = arith.select %negative, %moved, %k : index
      %p = arith.addi %start, %j : index
      %e = memref.load %x[%p] : memref<7xf32>
      memref.store %e, %y[%i, %j] : memref<4x3xf32>
    }
  }
  return
}
