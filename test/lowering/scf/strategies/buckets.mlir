// Rows read at coordinates and added to rows at coordinates: points are sorted first.
// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf="threads=2" --canonicalize --cse | filecheck %s --check-prefix=TWO
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:bucket-bytes=65536" --canonicalize --cse | filecheck %s --check-prefix=WIDE


// 64 rows of 256 bytes are a bucket. What is read of a point moves to its place, side by side and
// coordinates as i32, then all rows run in that order.
// WIDE-LABEL: func.func @messages
// WIDE: memref.alloc() {alignment = 128 : i64} : memref<1x196xindex>
// WIDE: arith.shrui %{{.*}}, %c8
// CHECK-LABEL: func.func @messages
// CHECK: %[[PLACES:.*]] = memref.alloc() {alignment = 128 : i64} : memref<1x782xindex>
// CHECK: %[[RECORDS:.*]] = memref.alloc() : memref<6000000xi8>
// CHECK: %[[FLOATS:.*]] = memref.view %[[RECORDS]]
// CHECK: %[[WEIGHTS:.*]] = memref.reinterpret_cast %[[FLOATS]] to offset: [0], sizes: [500000], strides: [3]
// CHECK: %[[NUMBERS:.*]] = memref.view %[[RECORDS]]
// CHECK: %[[TO:.*]] = memref.reinterpret_cast %[[NUMBERS]] to offset: [1], {{.*}} strides: [3]
// CHECK: %[[FROM:.*]] = memref.reinterpret_cast %[[NUMBERS]] to offset: [2], {{.*}} strides: [3]
// CHECK: scf.for %[[POINT:.*]] = %c0 to %c500000
// CHECK: memref.load %arg2[%[[POINT]]]
// CHECK: arith.shrui %{{.*}}, %c6
// CHECK: memref.store
// CHECK: scf.for %[[POINT:.*]] = %c0 to %c500000
// CHECK: %[[PLACE:.*]] = memref.load %[[PLACES]]
// CHECK: %[[WEIGHT:.*]] = memref.load %arg1[%[[POINT]]]
// CHECK: memref.store %[[WEIGHT]], %[[WEIGHTS]][%[[PLACE]]]
// CHECK: arith.trunci
// CHECK: memref.store %{{.*}}, %[[TO]][%[[PLACE]]]
// CHECK: arith.trunci
// CHECK: memref.store %{{.*}}, %[[FROM]][%[[PLACE]]]
// CHECK: scf.for %[[POINT:.*]] = %c0 to %c500000
// CHECK: memref.load %[[TO]][
// CHECK: vector.store %{{.*}}, %arg4
// CHECK: memref.dealloc %[[PLACES]]
// CHECK: memref.dealloc %[[RECORDS]]
// CHECK: return


// TWO-LABEL: func.func @messages
// TWO: memref.alloc() {alignment = 128 : i64} : memref<2x798xindex>
// TWO: scf.parallel
// TWO: func.call @gs_kernel_0_sorted_count
// TWO: call @gs_kernel_0_sorted_starts
// TWO: scf.parallel
// TWO: func.call @gs_kernel_0_sorted_move
// TWO: scf.parallel
// TWO: func.call @gs_kernel_0_sorted_run
// TWO: memref.dealloc
// Where the points of each thread begin is found while the buckets' counts are summed up.
// TWO-LABEL: func.func private @gs_kernel_0_sorted_starts
// TWO-SAME: (%[[COUNTS:.*]]: memref<2x798xindex>, %[[BORDERS:.*]]: memref<3xindex>)
// TWO: scf.for
// TWO: memref.store %c500000, %[[BORDERS]]
// TWO: scf.for {{.*}} to %c782
// TWO: scf.for %[[THREAD:.*]] = %c0 to %c2
// TWO: %[[ALL:.*]] = arith.muli %[[THREAD]], %c500000
// TWO: arith.divui %[[ALL]], %c2
// TWO: memref.store %{{.*}}, %[[BORDERS]][%[[THREAD]]]
// TWO: memref.store %{{.*}}, %[[COUNTS]][%[[THREAD]]
// TWO-LABEL: func.func private @gs_kernel_0_sorted_run
// TWO: memref.load
// TWO: memref.load
// TWO: scf.for
func.func @messages(%x: memref<50000x64xf32>, %w: memref<500000xf32>, %to: memref<500000xi64>,
    %from: memref<500000xi64>, %y: memref<50000x64xf32>) {
  gs.generic (d0, d1) [s0 = %to[d0], s1 = %from[d0]]
      ins(%x[s1, d1], %w[d0]) outs(%y[s0, d1]) iterators(d0 = reduction, d1 = parallel)
      : (memref<50000x64xf32>, memref<500000xf32>, memref<500000xi64>, memref<500000xi64>, memref<50000x64xf32>) -> () {
  ^bb0(%row: f32, %weight: f32, %sum: f32):
    %product = arith.mulf %weight, %row : f32
    %next = arith.addf %sum, %product : f32
    gs.yield %next : f32
  }
  return
}

// One point for each row, and an output that the caches hold.
// CHECK-LABEL: func.func @few
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @few(%x: memref<50000x64xf32>, %w: memref<50000xf32>, %to: memref<50000xi64>,
    %from: memref<50000xi64>, %y: memref<50000x64xf32>) {
  gs.generic (d0, d1) [s0 = %to[d0], s1 = %from[d0]]
      ins(%x[s1, d1], %w[d0]) outs(%y[s0, d1]) iterators(d0 = reduction, d1 = parallel)
      : (memref<50000x64xf32>, memref<50000xf32>, memref<50000xi64>, memref<50000xi64>, memref<50000x64xf32>) -> () {
  ^bb0(%row: f32, %weight: f32, %sum: f32):
    %product = arith.mulf %weight, %row : f32
    %next = arith.addf %sum, %product : f32
    gs.yield %next : f32
  }
  return
}

// CHECK-LABEL: func.func @near
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @near(%x: memref<50000x64xf32>, %w: memref<500000xf32>, %to: memref<500000xi64>,
    %from: memref<500000xi64>, %y: memref<5000x64xf32>) {
  gs.generic (d0, d1) [s0 = %to[d0], s1 = %from[d0]]
      ins(%x[s1, d1], %w[d0]) outs(%y[s0, d1]) iterators(d0 = reduction, d1 = parallel)
      : (memref<50000x64xf32>, memref<500000xf32>, memref<500000xi64>, memref<500000xi64>, memref<5000x64xf32>) -> () {
  ^bb0(%row: f32, %weight: f32, %sum: f32):
    %product = arith.mulf %weight, %row : f32
    %next = arith.addf %sum, %product : f32
    gs.yield %next : f32
  }
  return
}
