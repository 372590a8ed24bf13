// Sums at sorted coordinates: COO.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=WHY

// Products of a block go to the buffer; words say where segments end, eight bits at a time; each
// segment is summed up by vectors under a mask. Few or long segments run point by point.
// CHECK-LABEL: func.func @spmv
// CHECK: call @gs_blocks(
// CHECK: else
// CHECK-NOT: vector<16xf32>
// CHECK: arith.mulf %{{.*}} : f32
// CHECK-LABEL: func.func private @gs_blocks
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<4160xi32>
// CHECK: %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4112xf32>
// CHECK: scf.while
// CHECK: %[[PRODUCTS:.*]] = arith.mulf %{{.*}} : vector<16xf32>
// CHECK: vector.store %[[PRODUCTS]]
// CHECK: %[[HERE:.*]] = vector.load %[[ROWS:arg[0-9]+]][%{{.*}}] : memref<?xi32>, vector<64xi32>
// CHECK: %[[NEXT:.*]] = vector.load %[[ROWS]][%{{.*}}] : memref<?xi32>, vector<64xi32>
// CHECK: %[[DIFFER:.*]] = arith.cmpi ne, %[[HERE]], %[[NEXT]] : vector<64xi32>
// CHECK: vector.bitcast %[[DIFFER]] : vector<64xi1> to vector<1xi64>
// CHECK: math.ctpop
// CHECK: scf.while
// CHECK-COUNT-8: math.cttz
// CHECK: scf.while
// CHECK: %[[SOME:.*]] = vector.load %[[BUFFER]]{{.*}} vector<16xf32>
// CHECK: %[[OWN:.*]] = vector.create_mask %{{.*}} : vector<16xi1>
// CHECK: %[[MINE:.*]] = arith.select %[[OWN]], %[[SOME]], %{{.*}} : vector<16xi1>
// CHECK: vector.reduction <add>, %[[MINE]], %{{.*}} : vector<16xf32> into f32
// WHY: runs: element by element: along no dim all outputs step by one element
// WHY: runs: in segments: sorted coordinates leave one row of the output in registers
// WHY: runs: where segments are many and short, what a block of points adds goes to a buffer in vectors, and is summed up from there
func.func @spmv(%values: memref<?xf32>, %x: memref<?xf32>, %rows: memref<?xi32>, %columns: memref<?xi32>, %y: memref<?xf32>) {
  gs.generic (d0) [s0 = %rows[d0], s1 = %columns[d0]]
      ins(%values[d0], %x[s1]) outs(%y[s0]) iterators(d0 = reduction) sorted
      : (memref<?xf32>, memref<?xf32>, memref<?xi32>, memref<?xi32>, memref<?xf32>) -> () {
  ^bb0(%value: f32, %found: f32, %sum: f32):
    %product = arith.mulf %value, %found : f32
    %next = arith.addf %sum, %product : f32
    gs.yield %next : f32
  }
  return
}

// -----

// What earlier points of a segment have written is read: point by point alone.
// CHECK-LABEL: func.func @growth
// CHECK-NOT: memref.alloca
// WHY-NOT: a block of points
func.func @growth(%rows: memref<?xi32>, %y: memref<?xf32>) {
  gs.generic (d0) [s0 = %rows[d0]] ins(%y[s0]) outs(%y[s0]) iterators(d0 = reduction) sorted
      : (memref<?xf32>, memref<?xi32>, memref<?xf32>) -> () {
  ^bb0(%found: f32, %sum: f32):
    %next = arith.addf %sum, %found : f32
    gs.yield %next : f32
  }
  return
}
