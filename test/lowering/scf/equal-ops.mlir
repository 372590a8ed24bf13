// RUN: gs-opt %s --split-input-file --convert-gs-to-scf | filecheck %s
// RUN: gs-opt %s --split-input-file --gs-explain --convert-gs-to-scf 2>&1 | filecheck %s --check-prefix=WHY

// Equal ops of a kernel are lowered once; one that adds is another one.
// CHECK-LABEL: func.func @equal(
// CHECK-NEXT: call @gs_loop(%arg0, %arg2, %arg1)
// CHECK-NEXT: call @gs_loop(%arg1, %arg2, %arg0)
// CHECK-NOT: call
// CHECK: arith.addf
// CHECK: return
// CHECK: func.func private @gs_loop(
// CHECK: memref.load
// WHY: runs: by the loops of its equal, 'gs.generic' at
func.func @equal(%x: memref<64x64xf32>, %y: memref<64x64xf32>, %i: memref<64xi64>)
    attributes {gs.kernel} {
  gs.generic (d0, d1) [s0 = %i[d0]] ins(%x[s0, d1]) outs(%y[d0, d1])
      iterators(d0 = parallel, d1 = parallel)
      : (memref<64x64xf32>, memref<64xi64>, memref<64x64xf32>) -> () {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  gs.generic (d0, d1) [s0 = %i[d0]] ins(%y[s0, d1]) outs(%x[d0, d1])
      iterators(d0 = parallel, d1 = parallel)
      : (memref<64x64xf32>, memref<64xi64>, memref<64x64xf32>) -> () {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  gs.generic (d0, d1) [s0 = %i[d0]] ins(%y[s0, d1]) outs(%x[d0, d1])
      iterators(d0 = parallel, d1 = parallel)
      : (memref<64x64xf32>, memref<64xi64>, memref<64x64xf32>) -> () {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    gs.yield %c : f32
  }
  return
}

// -----

// What may raise stays in the kernel, as nothing leaves a callee.
// CHECK-LABEL: func.func @raises(
// CHECK-COUNT-2: call @__gs_raise
// CHECK-NOT: call @gs_loop
func.func @raises(%x: memref<64xf32>, %y: memref<64xf32>, %i: memref<64xi64>)
    attributes {gs.kernel} {
  gs.generic (d0) [s0 = %i[d0] mode(error)] ins(%x[s0]) outs(%y[d0]) iterators(d0 = parallel)
      : (memref<64xf32>, memref<64xi64>, memref<64xf32>) -> () {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  gs.generic (d0) [s0 = %i[d0] mode(error)] ins(%y[s0]) outs(%x[d0]) iterators(d0 = parallel)
      : (memref<64xf32>, memref<64xi64>, memref<64xf32>) -> () {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return
}

// -----

// Sizes that only a call knows, and constants that differ: each has loops of its own.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: call
memref.global "private" constant @a : memref<4xi64> = dense<[0, 2, 1, 3]>
memref.global "private" constant @b : memref<4xi64> = dense<[3, 2, 1, 0]>
func.func @others(%x: memref<?x64xf32>, %y: memref<?x64xf32>, %u: memref<64x64xf32>,
                  %v: memref<4x64xf32>, %i: memref<64xi64>) attributes {gs.kernel} {
  gs.generic (d0, d1) [s0 = %i[d0]] ins(%x[s0, d1]) outs(%u[d0, d1])
      iterators(d0 = parallel, d1 = parallel)
      : (memref<?x64xf32>, memref<64xi64>, memref<64x64xf32>) -> () {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  gs.generic (d0, d1) [s0 = %i[d0]] ins(%y[s0, d1]) outs(%u[d0, d1])
      iterators(d0 = parallel, d1 = parallel)
      : (memref<?x64xf32>, memref<64xi64>, memref<64x64xf32>) -> () {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  %j = memref.get_global @a : memref<4xi64>
  gs.generic (d0, d1) [s0 = %j[d0]] ins(%u[s0, d1]) outs(%v[d0, d1])
      iterators(d0 = parallel, d1 = parallel)
      : (memref<64x64xf32>, memref<4xi64>, memref<4x64xf32>) -> () {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  %k = memref.get_global @b : memref<4xi64>
  gs.generic (d0, d1) [s0 = %k[d0]] ins(%u[s0, d1]) outs(%v[d0, d1])
      iterators(d0 = parallel, d1 = parallel)
      : (memref<64x64xf32>, memref<4xi64>, memref<4x64xf32>) -> () {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return
}

// -----

// Views of constants, and branches to other blocks: each op has loops of its own.
// CHECK-LABEL: func.func @known_elsewhere(
// CHECK-NOT: call
memref.global "private" constant @a : memref<64xf32> = dense<1.0>
memref.global "private" constant @b : memref<64xf32> = dense<2.0>
func.func @known_elsewhere(%x: memref<64x64xf32>, %y: memref<64x64xf32>, %n: index)
    attributes {gs.kernel} {
  %a = memref.get_global @a : memref<64xf32>
  %b = memref.get_global @b : memref<64xf32>
  %j = memref.cast %a : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>>
  %k = memref.cast %b : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>>
  gs.generic (d0, d1) ins(%x[d0, d1]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<64x64xf32>, memref<64x64xf32>) -> () {
  ^bb0(%u: f32, %v: f32):
    %c = memref.load %j[%n] : memref<64xf32, strided<[1], offset: ?>>
    gs.yield %c : f32
  }
  gs.generic (d0, d1) ins(%x[d0, d1]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<64x64xf32>, memref<64x64xf32>) -> () {
  ^bb0(%u: f32, %v: f32):
    %c = memref.load %k[%n] : memref<64xf32, strided<[1], offset: ?>>
    gs.yield %c : f32
  }
  gs.generic (d0, d1) ins(%x[d0, d1]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<64x64xf32>, memref<64x64xf32>) -> () {
  ^bb0(%u: f32, %v: f32):
    %less = arith.cmpf olt, %u, %v : f32
    %c = scf.execute_region -> f32 {
      cf.cond_br %less, ^one, ^other
    ^one:
      scf.yield %u : f32
    ^other:
      scf.yield %v : f32
    }
    gs.yield %c : f32
  }
  gs.generic (d0, d1) ins(%x[d0, d1]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<64x64xf32>, memref<64x64xf32>) -> () {
  ^bb0(%u: f32, %v: f32):
    %less = arith.cmpf olt, %u, %v : f32
    %c = scf.execute_region -> f32 {
      cf.cond_br %less, ^other, ^one
    ^one:
      scf.yield %u : f32
    ^other:
      scf.yield %v : f32
    }
    gs.yield %c : f32
  }
  return
}
