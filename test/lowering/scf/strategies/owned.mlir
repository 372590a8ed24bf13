// Updates in no order, of which each thread runs those that reach its own part of the output.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=4" --canonicalize --cse | filecheck %s --check-prefix=MANY

// Single elements: a few threads do not gain what it takes each to look at all coordinates. Others
// list the positions of their own.
// CHECK-LABEL: func.func @owned
// CHECK-NOT: scf.parallel
// CHECK: return
// MANY-LABEL: func.func private @gs_kernel_0
// MANY: %[[FOUND:.*]] = memref.alloca() : memref<1032xi32>
// MANY: vector.load {{.*}} vector<8xi64>
// MANY: arith.cmpi ult, {{.*}} : vector<8xi64>
// MANY: llvm.call_intrinsic "llvm.experimental.vector.compress"
// MANY: vector.store {{.*}}, %[[FOUND]]
// MANY: math.ctpop
// MANY: memref.load %[[FOUND]]
func.func @owned(%updates: memref<?xf16>, %indices: memref<?xi64>, %dest: memref<?xf16>) {
  gs.generic (d0) [s0 = %indices[d0]] ins(%updates[d0]) outs(%dest[s0]) iterators(d0 = reduction)
      : (memref<?xf16>, memref<?xi64>, memref<?xf16>) -> () {
  ^bb0(%update: f16, %current: f16):
    %new = arith.addf %current, %update : f16
    gs.yield %new : f16
  }
  return
}

// -----

// Rows that two threads could have halves of: each has whole rows.
// CHECK-LABEL: func.func @rows_not_columns
// CHECK: %[[ROWS:.*]] = memref.dim %arg2, %c0
// CHECK: scf.parallel
// CHECK: call @gs_kernel_0(%arg0, %arg1, %arg2, %{{.*}}, %{{.*}})
// CHECK-LABEL: func.func private @gs_kernel_0
// CHECK: memref.alloca() : memref<1032xi32>
func.func @rows_not_columns(%updates: memref<?x128xf32>, %indices: memref<?xi64>, %dest: memref<?x128xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]] ins(%updates[d0, d1]) outs(%dest[s0, d1]) iterators(d0 = reduction, d1 = parallel)
      : (memref<?x128xf32>, memref<?xi64>, memref<?x128xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// -----

// Rows of one line, of which a thread's inputs bring those of the other: only where no cache holds
// the output. The function itself has the loops of one thread, and knows what it has read before.
// CHECK-LABEL: func.func @rows_of_a_line
// CHECK: arith.cmpi sge, %{{.*}}, %c33554432
// CHECK: scf.parallel
// CHECK: } else {
// CHECK-NOT: call
// CHECK: memref.load %arg1
func.func @rows_of_a_line(%updates: memref<?x16xf32>, %indices: memref<?xi64>, %dest: memref<?x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]] ins(%updates[d0, d1]) outs(%dest[s0, d1]) iterators(d0 = reduction, d1 = parallel)
      : (memref<?x16xf32>, memref<?xi64>, memref<?x16xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// -----

// Short rows that come from memory in order, into what the caches hold: one thread reads them as
// fast. Longer rows and less of them are shared.

// CHECK-LABEL: func.func @streams
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @streams(%updates: memref<250000x64xf32>, %indices: memref<250000xi64>, %dest: memref<1000x64xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]] ins(%updates[d0, d1]) outs(%dest[s0, d1])
      iterators(d0 = reduction, d1 = parallel)
      : (memref<250000x64xf32>, memref<250000xi64>, memref<1000x64xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @long_rows
// CHECK: scf.parallel
func.func @long_rows(%updates: memref<25000x640xf32>, %indices: memref<25000xi64>, %dest: memref<100x640xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]] ins(%updates[d0, d1]) outs(%dest[s0, d1])
      iterators(d0 = reduction, d1 = parallel)
      : (memref<25000x640xf32>, memref<25000xi64>, memref<100x640xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// -----

// One thread looks for no points of its own, where there are few and where threads lost.
// CHECK-LABEL: func.func @few_or_many
// CHECK: arith.cmpi sge, %{{.*}}, %c262144
// CHECK-NEXT: %[[LOSES:.*]] = call @__gs_loses()
// CHECK-NEXT: %[[GAINS:.*]] = arith.xori %[[LOSES]]
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi {{.*}} %[[GAINS]]
// CHECK-NEXT: scf.if %[[BOTH]]
// CHECK-NOT: memref.load
// CHECK: scf.parallel
// CHECK: } else {
// CHECK-NOT: call
// CHECK: memref.load %arg1
func.func @few_or_many(%updates: memref<?x640xf32>, %indices: memref<?xi64>, %dest: memref<?x640xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]] ins(%updates[d0, d1]) outs(%dest[s0, d1])
      iterators(d0 = reduction, d1 = parallel)
      : (memref<?x640xf32>, memref<?xi64>, memref<?x640xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @less
// CHECK: scf.parallel
func.func @less(%updates: memref<25000x64xf32>, %indices: memref<25000xi64>, %dest: memref<1000x64xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]] ins(%updates[d0, d1]) outs(%dest[s0, d1])
      iterators(d0 = reduction, d1 = parallel)
      : (memref<25000x64xf32>, memref<25000xi64>, memref<1000x64xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}
