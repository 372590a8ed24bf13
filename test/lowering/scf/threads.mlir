// RUN: gs-opt %s --convert-gs-to-scf="threads=4 target=generic:cache-bytes=1048576" --canonicalize | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf --canonicalize | filecheck %s --check-prefix=SERIAL
// RUN: gs-opt %s --convert-gs-to-scf="threads=2 target=generic:column-bytes=128:disable=owned" --canonicalize | filecheck %s --check-prefix=HALVES

// Which part of an op each thread runs. The result has the bits of the sequential loop.

// SERIAL-NOT: scf.parallel

// A parallel dim is cut into one part per thread.
// CHECK-LABEL: func.func @rows
// CHECK: scf.parallel (%[[THREAD:.*]]) = (%c0) to (%c4)
// CHECK: %[[START:.*]] = arith.muli %[[THREAD]], %c1024
// CHECK: %[[FROM:.*]] = arith.minsi %[[START]], %c4096
// CHECK: %[[END:.*]] = arith.addi %[[FROM]], %c1024
// CHECK: %[[TO:.*]] = arith.minsi %[[END]], %c4096
// CHECK: func.call @[[ROWS:[a-z_0-9]+]](%{{.*}}, %{{.*}}, %{{.*}}, %[[FROM]], %[[TO]])
func.func @rows(%source: memref<9x1024xf32>, %indices: memref<4096xi32>,
    %out: memref<4096x1024xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%source[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x1024xf32>, memref<4096xi32>, memref<4096x1024xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// What is small is not worth a thread.
// CHECK-LABEL: func.func @small
// CHECK-NOT: scf.parallel
// CHECK-NOT: call
// CHECK: return
func.func @small(%source: memref<9x16xf32>, %indices: memref<7xi32>, %out: memref<7x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%source[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x16xf32>, memref<7xi32>, memref<7x16xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// An ordered scatter of rows: each thread runs, in order, the updates of the rows that it owns.
// CHECK-LABEL: func.func @long_rows
// CHECK: scf.parallel
// CHECK: func.call @[[LONG:[a-z_0-9]+]](
func.func @long_rows(%updates: memref<4096x1024xf32>, %indices: memref<4096xi32>,
    %dest: memref<9x1024xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%updates[d0, d1]) outs(%dest[s0, d1]) iterators(d0 = reduction, d1 = parallel)
      : (memref<4096x1024xf32>, memref<4096xi32>, memref<9x1024xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// Of shorter rows, which lie in more than one line: the same.
// CHECK-LABEL: func.func @short_rows
// CHECK: scf.parallel
// CHECK: func.call @[[OWNED:[a-z_0-9]+]](

// Half of 256 bytes is enough for a thread where it says so: it runs all updates on its columns.
// HALVES-LABEL: func.func @short_rows
// HALVES: scf.parallel (%[[THREAD:.*]]) = (%c0) to (%c2)
// HALVES: arith.muli %[[THREAD]], %c32
// HALVES: func.call
func.func @short_rows(%updates: memref<4096x64xf32>, %indices: memref<4096xi32>,
    %dest: memref<90x64xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%updates[d0, d1]) outs(%dest[s0, d1]) iterators(d0 = reduction, d1 = parallel)
      : (memref<4096x64xf32>, memref<4096xi32>, memref<90x64xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// Single elements in order likewise, by whole lines: 32 halves, where the output is large.
// CHECK-LABEL: func.func @ordered_elements
// CHECK: scf.parallel
// CHECK: %[[START:.*]] = arith.muli %{{.*}}, %c5000032
// CHECK: func.call @[[ELEMENTS:[a-z_0-9]+]](
func.func @ordered_elements(%updates: memref<70000xf16>, %indices: memref<70000xi32>,
    %dest: memref<20000100xf16>) {
  gs.generic (d0) [s0 = %indices[d0]] ins(%updates[d0]) outs(%dest[s0]) iterators(d0 = reduction)
      : (memref<70000xf16>, memref<70000xi32>, memref<20000100xf16>) -> () {
  ^bb0(%update: f16, %current: f16):
    %new = arith.addf %current, %update : f16
    gs.yield %new : f16
  }
  return
}

// What the last cache holds is written by one thread: looking for one's own elements would
// take as long as adding them.
// CHECK-LABEL: func.func @few_ordered_elements
// CHECK-NOT: scf.parallel
// CHECK: scf.for
// CHECK-NOT: func.call
// CHECK: return
func.func @few_ordered_elements(%updates: memref<70000xf32>, %indices: memref<70000xi32>,
    %dest: memref<90000xf32>) {
  gs.generic (d0) [s0 = %indices[d0]] ins(%updates[d0]) outs(%dest[s0]) iterators(d0 = reduction)
      : (memref<70000xf32>, memref<70000xi32>, memref<90000xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// Unless they are promised to be apart.
// CHECK-LABEL: func.func @unique_elements
// CHECK: scf.parallel
func.func @unique_elements(%updates: memref<70000xf32>, %indices: memref<70000xi32>,
    %dest: memref<90000xf32>) {
  gs.generic (d0) [s0 = %indices[d0]]
      ins(%updates[d0]) outs(%dest[s0]) iterators(d0 = parallel) unique
      : (memref<70000xf32>, memref<70000xi32>, memref<90000xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    gs.yield %update : f32
  }
  return
}

// A window that moves along the output: a thread runs the points whose window reaches its part.
// Those near a border run on both sides, and write what is the thread's own.
// CHECK-LABEL: func.func @windows
// CHECK: scf.parallel
// CHECK: func.call @[[WINDOWS:[a-z_0-9]+]](
func.func @windows(%updates: memref<70000x4xf32>, %offsets: memref<4xi32>,
    %dest: memref<140099xf32>) {
  gs.generic (d0, d1) [s0 = %offsets[d1]]
      ins(%updates[d0, d1]) outs(%dest[d0 * 2 + s0]) iterators(d0 = reduction, d1 = reduction)
      : (memref<70000x4xf32>, memref<4xi32>, memref<140099xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// CHECK: func.func private @[[ROWS]]({{.*}}, %[[FROM:.*]]: index, %[[TO:.*]]: index)
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %c1
// CHECK: vector.store

// CHECK: func.func private @[[LONG]]({{.*}}, %[[FROM:.*]]: index, %[[TO:.*]]: index)
// CHECK: memref.alloca() : memref<1032xi32>
// CHECK: llvm.call_intrinsic "llvm.experimental.vector.compress"

// CHECK: func.func private @[[OWNED]]({{.*}}, %[[FROM:.*]]: index, %[[TO:.*]]: index)
// CHECK: %[[FOUND:.*]] = memref.alloca() : memref<1032xi32>
// CHECK: scf.for %[[BLOCK:.*]] = %c0 to %c4096 step %c1024
// CHECK: llvm.call_intrinsic "llvm.experimental.vector.compress"
// CHECK: scf.for %[[K:.*]] = %c0 to %{{.*}} step %c1
// CHECK: memref.load %[[FOUND]][%[[K]]]
// CHECK: arith.addf {{.*}} : vector<64xf32>
// CHECK: func.func private @[[ELEMENTS]]({{.*}}, %[[FROM:.*]]: index, %[[TO:.*]]: index)
// CHECK: memref.alloca()

// CHECK: func.func private @[[WINDOWS]]({{.*}}, %[[FROM:.*]]: index, %[[TO:.*]]: index)
// CHECK: %[[ENDS:.*]]:2 = scf.for {{.*}} iter_args
// CHECK: scf.for %[[PART:.*]] = %c0 to %c3 step %c1
// CHECK: %[[INSIDE:.*]] = arith.cmpi eq, %[[PART]], %c1
// CHECK: scf.if %[[INSIDE]]
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK: } else {
// CHECK: scf.for
// CHECK: arith.cmpi sge, %[[PLACE:.*]], %[[FROM]]
// CHECK: arith.cmpi slt, %[[PLACE]], %[[TO]]
