// What LLVM may do to loops.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s

// Elements at coordinates: LLVM makes no vectors of them, and repeats bodies only where their number
// is known.
// CHECK: #[[FOUND_LATER:.*]] = #llvm.loop_unroll<runtimeDisable = true>
// CHECK: #[[NO_VECTORS:.*]] = #llvm.loop_vectorize<disable = true>
// CHECK: #[[KNOWN:.*]] = #llvm.loop_annotation<vectorize = #[[NO_VECTORS]], unroll = #[[FOUND_LATER]]>
// CHECK-LABEL: func.func @sums
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c4
// CHECK: memref.store
// CHECK: } {loop_annotation = #[[KNOWN]]}
// CHECK-NEXT: scf.for
// CHECK: memref.store
// CHECK-NEXT: } {loop_annotation = #[[KNOWN]]}
func.func @sums(%updates: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%updates[d0]) outs(%out[s0]) iterators(d0 = reduction)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    gs.yield %sum : f32
  }
  return
}

// -----

// Of coordinates that are checked LLVM makes vectors.
// CHECK-LABEL: func.func @checked
// CHECK: scf.for
// CHECK: arith.maxui
// CHECK-NEXT: scf.yield
// CHECK-NEXT: {{^ *}$}}
// CHECK: return
func.func @checked(%table: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0] mode(error)]
      ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// Where the coordinates are known, so is what is next to what: LLVM may do what it can.
// CHECK-LABEL: func.func @pattern
// CHECK: scf.for %{{.*}} = %c0 to %dim
// CHECK: scf.for %{{.*}} = %c0 to %c2
// CHECK: memref.store
// CHECK-NEXT: {{^ *}$}}
// CHECK: return
memref.global "private" constant @offsets : memref<4xindex> = dense<[0, 3, 6, 9]>
func.func @pattern(%x: memref<?x4xf64>, %out: memref<?xf64>) {
  %offsets = memref.get_global @offsets : memref<4xindex>
  gs.generic (d0, d1) [s0 = %offsets[d1]]
      ins(%x[d0, d1]) outs(%out[d0 * 2 + s0]) iterators(d0 = reduction, d1 = reduction)
      : (memref<?x4xf64>, memref<4xindex>, memref<?xf64>) -> () {
  ^bb0(%new: f64, %current: f64):
    gs.yield %new : f64
  }
  return
}

// -----

// Rows of coordinates: one sum after the other, none in lanes.
// CHECK-LABEL: func.func @rows_of_coordinates
// CHECK-NOT: vector
// CHECK: return
func.func @rows_of_coordinates(%places: memref<?x4xi32>, %factors: memref<?x4xf32>,
    %x: memref<?xf32>, %out: memref<?xf32>) {
  gs.generic (d0, d1) [s0 = %places[d0, d1]] ins(%factors[d0, d1], %x[s0]) outs(%out[d0])
      iterators(d0 = parallel, d1 = reduction)
      : (memref<?x4xf32>, memref<?xf32>, memref<?x4xi32>, memref<?xf32>) -> () {
  ^bb0(%factor: f32, %element: f32, %sum: f32):
    %product = arith.mulf %factor, %element : f32
    %next = arith.addf %sum, %product : f32
    gs.yield %next : f32
  }
  return
}
