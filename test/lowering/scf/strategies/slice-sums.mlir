// Rows that sum up slices of which each ends where the next one begins: CSR.
// RUN: gs-opt %s --split-input-file '--convert-gs-to-scf=threads=2' --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file '--convert-gs-to-scf=threads=2' --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=WHY

// CHECK-LABEL: func.func @spmv
// CHECK: scf.parallel
// CHECK: func.call @gs_sums_0

// Products of a block go to the buffer, then each row is summed up by vectors under a mask. Rows
// that are few or long run one by one.
// CHECK-LABEL: func.func private @gs_sums_0
// CHECK: %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4112xf32>
// CHECK: scf.while
// CHECK: %[[INTO:.*]] = memref.subview %[[BUFFER]][0]
// CHECK: %[[PRODUCTS:.*]] = arith.mulf %{{.*}} : vector<16xf32>
// CHECK: vector.store %[[PRODUCTS]], %[[INTO]]
// The first vector of short rows has half of the lanes.
// CHECK: scf.while
// CHECK: %[[SOME:.*]] = vector.load %[[BUFFER]]{{.*}} vector<8xf32>
// CHECK: %[[OWN:.*]] = vector.create_mask %{{.*}} : vector<8xi1>
// CHECK: %[[MINE:.*]] = arith.select %[[OWN]], %[[SOME]], %{{.*}} : vector<8xi1>
// CHECK: %[[HALF:.*]] = vector.reduction <add>, %[[MINE]], %{{.*}} : vector<8xf32> into f32
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[HALF]])
// CHECK: vector.reduction <add>, {{.*}} : vector<16xf32> into f32
// CHECK: scf.while
// CHECK-NOT: vector<8xf32>
// CHECK: vector.reduction <add>, {{.*}} : vector<16xf32> into f32
// CHECK: memref.store
// One by one.
// CHECK: scf.for
// CHECK: scf.for
// CHECK: arith.mulf %{{.*}} : f32
// CHECK: memref.store
// WHY: runs: on 2 threads, where enough moves: each slice ends where the next one begins; where there are many and they are short, what a block of them adds goes to a buffer in vectors, and is summed up from there
func.func @spmv(%values: memref<?xf32>, %starts: memref<?xi32>, %columns: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%r) in (%n) {
    %r1 = arith.addi %r, %c1 : index
    %a = memref.load %starts[%r] : memref<?xi32>
    %b = memref.load %starts[%r1] : memref<?xi32>
    %start = arith.index_cast %a : i32 to index
    %end = arith.index_cast %b : i32 to index
    %size = arith.subi %end, %start : index
    %v = memref.subview %values[%start] [%size] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %c = memref.subview %columns[%start] [%size] [1] : memref<?xi32> to memref<?xi32, strided<[1], offset: ?>>
    %out = memref.subview %y[%r] [1] [1] : memref<?xf32> to memref<f32, strided<[], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%out : memref<f32, strided<[], offset: ?>>)
    gs.generic (d0) [s0 = %c[d0]] ins(%v[d0], %x[s0]) outs(%out[]) iterators(d0 = reduction)
        : (memref<?xf32, strided<[1], offset: ?>>, memref<?xf32>, memref<?xi32, strided<[1], offset: ?>>, memref<f32, strided<[], offset: ?>>) -> () {
    ^bb0(%value: f32, %found: f32, %sum: f32):
      %product = arith.mulf %value, %found : f32
      %next = arith.addf %sum, %product : f32
      gs.yield %next : f32
    }
  }
  return
}

// -----

// Sums of integers may be grouped: lanes are summed up side by side, and then together.
// CHECK-LABEL: func.func private @gs_sums_0
// CHECK: %[[BUFFER:.*]] = memref.alloca() {{.*}} : memref<4112xi32>
// CHECK: scf.while
// CHECK: vector.store
// CHECK: scf.while
// CHECK: scf.for
// CHECK: %[[MINE:.*]] = arith.select %{{.*}} : vector<16xi1>, vector<16xi32>
// CHECK: arith.addi %{{.*}}, %[[MINE]] : vector<16xi32>
// CHECK: vector.reduction <add>, %{{.*}}, %{{.*}} : vector<16xi32> into i32
func.func @counts(%starts: memref<?xindex>, %columns: memref<?xi32>, %x: memref<?xi32>, %y: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %r = %c0 to %n step %c1 {
    %r1 = arith.addi %r, %c1 : index
    %start = memref.load %starts[%r] : memref<?xindex>
    %end = memref.load %starts[%r1] : memref<?xindex>
    %size = arith.subi %end, %start : index
    %c = memref.subview %columns[%start] [%size] [1] : memref<?xi32> to memref<?xi32, strided<[1], offset: ?>>
    %out = memref.subview %y[%r] [1] [1] : memref<?xi32> to memref<i32, strided<[], offset: ?>>
    gs.generic (d0) [s0 = %c[d0]] ins(%x[s0]) outs(%out[]) iterators(d0 = reduction)
        : (memref<?xi32>, memref<?xi32, strided<[1], offset: ?>>, memref<i32, strided<[], offset: ?>>) -> () {
    ^bb0(%found: i32, %sum: i32):
      %next = arith.addi %sum, %found : i32
      gs.yield %next : i32
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @in_parallel
// CHECK: func.call @gs_sums_0
// CHECK: func.func private @gs_sums_0
func.func @in_parallel(%starts: memref<?xindex>, %columns: memref<?xi32>, %x: memref<?xi32>, %y: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%r) = (%c0) to (%n) step (%c1) {
    %r1 = arith.addi %r, %c1 : index
    %start = memref.load %starts[%r] : memref<?xindex>
    %end = memref.load %starts[%r1] : memref<?xindex>
    %size = arith.subi %end, %start : index
    %c = memref.subview %columns[%start] [%size] [1] : memref<?xi32> to memref<?xi32, strided<[1], offset: ?>>
    %out = memref.subview %y[%r] [1] [1] : memref<?xi32> to memref<i32, strided<[], offset: ?>>
    gs.generic (d0) [s0 = %c[d0]] ins(%x[s0]) outs(%out[]) iterators(d0 = reduction)
        : (memref<?xi32>, memref<?xi32, strided<[1], offset: ?>>, memref<i32, strided<[], offset: ?>>) -> () {
    ^bb0(%found: i32, %sum: i32):
      %next = arith.addi %sum, %found : i32
      gs.yield %next : i32
    }
  }
  return
}

// -----

// Slices that are told where they end by something else stay in their loop.
// CHECK-LABEL: func.func @apart
// CHECK: scf.forall
// CHECK-NOT: gs_sums
func.func @apart(%starts: memref<?xindex>, %ends: memref<?xindex>, %columns: memref<?xi32>, %x: memref<?xi32>, %y: memref<?xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  scf.forall (%r) in (%n) {
    %r1 = arith.addi %r, %c1 : index
    %start = memref.load %starts[%r] : memref<?xindex>
    %end = memref.load %ends[%r1] : memref<?xindex>
    %size = arith.subi %end, %start : index
    %c = memref.subview %columns[%start] [%size] [1] : memref<?xi32> to memref<?xi32, strided<[1], offset: ?>>
    %out = memref.subview %y[%r] [1] [1] : memref<?xi32> to memref<i32, strided<[], offset: ?>>
    gs.generic (d0) [s0 = %c[d0]] ins(%x[s0]) outs(%out[]) iterators(d0 = reduction)
        : (memref<?xi32>, memref<?xi32, strided<[1], offset: ?>>, memref<i32, strided<[], offset: ?>>) -> () {
    ^bb0(%found: i32, %sum: i32):
      %next = arith.addi %sum, %found : i32
      gs.yield %next : i32
    }
  }
  return
}
