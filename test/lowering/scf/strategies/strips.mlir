// Matrices whose columns have coordinates of their own: strips of columns are brought together.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2" --canonicalize --cse | filecheck %s --check-prefix=TWO
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:llc-bytes=8388608" --canonicalize --cse | filecheck %s --check-prefix=NEAR
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:strip-row-bytes=256" --canonicalize --cse | filecheck %s --check-prefix=WIDE


// 32 columns at a time: all rows to the buffer, then all points on it.
// CHECK-LABEL: func.func @take
// CHECK: memref.alloc() {alignment = 128 : i64} : memref<1x4096x32xf32>
// CHECK: call @gs_kernel_0_strips(%arg0, %arg1, %arg2,
// CHECK: memref.dealloc
// The columns before the first line and after the last strip.
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK: vector.from_elements
// CHECK: return
// CHECK-LABEL: func.func private @gs_kernel_0_strips
// CHECK: scf.for %[[COLUMN:.*]] = %[[FIRST:.*]] to %[[END:.*]] step %c32
// CHECK: memref.subview %arg0[0, %[[COLUMN]]] [4096, 32] [1, 1]
// CHECK: memref.subview %arg1[0, %[[COLUMN]]] [1024, 32] [1, 1]
// CHECK: memref.subview %arg2[0, %[[COLUMN]]] [1024, 32] [1, 1]
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c4096 step %c1
// CHECK: vector.store
// CHECK: scf.for %{{.*}} = %c0 to %c1024 step %c1
// CHECK: vector.from_elements
// CHECK: return

// WIDE-LABEL: func.func @take
// WIDE: memref.alloc() {alignment = 128 : i64} : memref<1x4096x64xf32>

// Threads share the strips, each with a buffer of its own.
// TWO-LABEL: func.func @take
// TWO: %[[BUFFERS:.*]] = memref.alloc() {alignment = 128 : i64} : memref<2x4097x32xf32>
// TWO: scf.parallel (%[[THREAD:.*]]) =
// TWO: %[[MINE:.*]] = memref.subview %[[BUFFERS]][%[[THREAD]], 0, 0] [1, 4096, 32] [1, 1, 1]
// TWO: func.call @gs_kernel_0_strips(%arg0, %arg1, %arg2, %[[MINE]],
// TWO: memref.dealloc %[[BUFFERS]]
func.func @take(%table: memref<4096x1024xf32>, %i: memref<1024x1024xi64>,
    %out: memref<1024x1024xf32>) {
  gs.generic (d0, d1) [s0 = %i[d0, d1]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<4096x1024xf32>, memref<1024x1024xi64>, memref<1024x1024xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----


// Columns that are written have none.
// CHECK-LABEL: func.func @add
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @add(%updates: memref<?x?xf32>, %dest: memref<?x?xf32>, %i: memref<?x?xi64>) {
  gs.generic (d0, d1) [s0 = %i[d0, d1]]
      ins(%updates[d0, d1]) outs(%dest[s0, d1]) iterators(d0 = reduction, d1 = parallel)
      : (memref<?x?xf32>, memref<?x?xi64>, memref<?x?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    gs.yield %sum : f32
  }
  return
}

// -----


// A matrix that the caches hold, and one of which few rows are read.
// CHECK-LABEL: func.func @small
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @small(%table: memref<100x1024xf32>, %i: memref<100x1024xi64>,
    %out: memref<100x1024xf32>) {
  gs.generic (d0, d1) [s0 = %i[d0, d1]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<100x1024xf32>, memref<100x1024xi64>, memref<100x1024xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// CHECK-LABEL: func.func @few
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @few(%table: memref<4096x1024xf32>, %i: memref<1000x1024xi64>,
    %out: memref<1000x1024xf32>) {
  gs.generic (d0, d1) [s0 = %i[d0, d1]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<4096x1024xf32>, memref<1000x1024xi64>, memref<1000x1024xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----


// Strips of more than the second-level cache holds are in the last-level one, if that holds four of
// them; and fewer rows are enough of what that does not hold.
// CHECK-LABEL: func.func @long
// CHECK: memref.alloc() {alignment = 128 : i64} : memref<1x65536x32xf32>
// CHECK: return
// NEAR-LABEL: func.func @long
// NEAR-NOT: memref.alloc
// NEAR: return
func.func @long(%table: memref<65536x512xf32>, %i: memref<4096x512xi64>,
    %out: memref<4096x512xf32>) {
  gs.generic (d0, d1) [s0 = %i[d0, d1]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<65536x512xf32>, memref<4096x512xi64>, memref<4096x512xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
