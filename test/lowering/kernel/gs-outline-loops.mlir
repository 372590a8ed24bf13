// RUN: gs-opt %s --split-input-file --gs-outline-loops | filecheck %s

// Equal loops are one function; constants go along, and what a loop carries is a result.
// CHECK-LABEL: func.func private @gs_loop
// CHECK-SAME: (%[[V:.*]]: f32, %[[X:.*]]: memref<8xf32>) -> f32 attributes {no_inline}
// CHECK: %[[C8:.*]] = arith.constant 8
// CHECK: %[[SUM:.*]] = scf.for {{.*}} to %[[C8]] {{.*}} iter_args({{.*}} = %[[V]])
// CHECK: memref.load %[[X]]
// CHECK: return %[[SUM]] : f32
// CHECK-NOT: func.func private
// CHECK: func.func @f
// CHECK: %[[A:.*]] = call @gs_loop(%arg2, %arg0)
// CHECK: %[[B:.*]] = call @gs_loop(%[[A]], %arg1)
// CHECK: scf.for
// CHECK: memref.dealloc
// CHECK: return %[[B]]
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>, %v: f32, %t: i1) -> f32
    attributes {gs.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = memref.alloc() : memref<8xf32>
  %n = memref.alloc() : memref<8xf32>
  %a = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %v) -> f32 {
    %e = memref.load %x[%i] : memref<8xf32>
    %n0 = arith.addf %s, %e : f32
    scf.yield %n0 : f32
  }
  %b = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %a) -> f32 {
    %e = memref.load %y[%i] : memref<8xf32>
    %n0 = arith.addf %s, %e : f32
    scf.yield %n0 : f32
  }
  // Another one, of which there is no second.
  scf.for %i = %c0 to %c8 step %c1 {
    %e = memref.load %x[%i] : memref<8xf32>
    %p = arith.mulf %e, %e : f32
    %q = arith.mulf %p, %e : f32
    memref.store %q, %m[%i] : memref<8xf32>
  }
  scf.if %t {
    memref.dealloc %m : memref<8xf32>
  }
  scf.if %t {
    memref.dealloc %n : memref<8xf32>
  }
  return %b : f32
}

// -----

// The name gets a number where the program has it.
// CHECK-LABEL: func.func private @gs_loop()
// CHECK: func.func private @gs_loop_0(%{{.*}}: memref<8xf32>)
// CHECK: func.func @named
// CHECK: call @gs_loop_0(%arg0)
// CHECK: call @gs_loop_0(%arg1)
// CHECK: call @gs_loop()
func.func private @gs_loop()
func.func @named(%x: memref<8xf32>, %y: memref<8xf32>) attributes {gs.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %e = memref.load %x[%i] : memref<8xf32>
    %p = arith.mulf %e, %e : f32
    memref.store %p, %x[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %e = memref.load %y[%i] : memref<8xf32>
    %p = arith.mulf %e, %e : f32
    memref.store %p, %y[%i] : memref<8xf32>
  }
  call @gs_loop() : () -> ()
  return
}

// -----

// Ops that follow each other go along with the loop whose results they use; with other numbers they
// are others.
// CHECK-LABEL: func.func private @gs_loop(
// CHECK-SAME: %[[X:[^:]*]]: memref<8xf32>) attributes {no_inline}
// CHECK: %[[V:.*]] = vector.load %[[X]]
// CHECK: %[[S:.*]] = scf.for {{.*}} iter_args({{.*}} = %[[V]])
// CHECK: vector.store %[[S]], %[[X]]
// CHECK-NOT: func.func private
// CHECK: func.func @pieces
// CHECK: call @gs_loop(%arg0)
// CHECK-NEXT: call @gs_loop(%arg1)
// CHECK: vector.load %arg0
func.func @pieces(%x: memref<8xf32>, %y: memref<8xf32>) attributes {gs.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %v = vector.load %x[%c0] : memref<8xf32>, vector<4xf32>
  %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %v) -> vector<4xf32> {
    %b = arith.mulf %a, %a : vector<4xf32>
    scf.yield %b : vector<4xf32>
  }
  vector.store %s, %x[%c0] : memref<8xf32>, vector<4xf32>
  %w = vector.load %y[%c0] : memref<8xf32>, vector<4xf32>
  %t = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %w) -> vector<4xf32> {
    %b = arith.mulf %a, %a : vector<4xf32>
    scf.yield %b : vector<4xf32>
  }
  vector.store %t, %y[%c0] : memref<8xf32>, vector<4xf32>
  %u = vector.load %x[%c4] : memref<8xf32>, vector<4xf32>
  vector.store %u, %y[%c4] : memref<8xf32>, vector<4xf32>
  return
}

// -----

// Ops of linalg are loops, whatever is in them, but for those on scalars.
// CHECK-LABEL: func.func private @gs_loop(
// CHECK-SAME: f32, %{{.*}}: memref<?xf32>) attributes {no_inline}
// CHECK: linalg.fill
// CHECK: func.func @fills
// CHECK-COUNT-2: call @gs_loop(
// CHECK-COUNT-2: linalg.fill
func.func @fills(%v: f32, %x: memref<?xf32>, %s: memref<f32>) attributes {gs.kernel} {
  linalg.fill ins(%v : f32) outs(%x : memref<?xf32>)
  linalg.fill ins(%v : f32) outs(%x : memref<?xf32>)
  linalg.fill ins(%v : f32) outs(%s : memref<f32>)
  linalg.fill ins(%v : f32) outs(%s : memref<f32>)
  return
}
