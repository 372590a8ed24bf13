// RUN: gs-opt %s --verify-roundtrip | gs-opt --mlir-print-local-scope | filecheck %s
// RUN: gs-opt %s --emit-bytecode | gs-opt --mlir-print-local-scope | filecheck %s

// y[row[e]] += val[e] * x[col[e]]
// CHECK-LABEL: func.func @sparse_matrix_times_vector
// CHECK: gs.generic (d0) [s0 = %{{.*}}[d0], s1 = %{{.*}}[d0]] ins(%{{.*}}[d0], %{{.*}}[s1]) outs(%{{.*}}[s0]) iterators(d0 = reduction) :
// CHECK-NEXT: ^bb0(%[[VAL:.*]]: f32, %[[X:.*]]: f32, %[[Y:.*]]: f32):
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[VAL]], %[[X]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[Y]], %[[PRODUCT]]
// CHECK-NEXT: gs.yield %[[SUM]]
func.func @sparse_matrix_times_vector(%val: tensor<?xf32>, %x: tensor<9xf32>, %row: tensor<?xi32>,
    %col: tensor<?xi32>, %y: tensor<9xf32>) -> tensor<9xf32> {
  %0 = gs.generic (d0) [s0 = %row[d0], s1 = %col[d0]]
      ins(%val[d0], %x[s1]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<?xf32>, tensor<9xf32>, tensor<?xi32>, tensor<?xi32>, tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%v: f32, %xe: f32, %acc: f32):
    %product = arith.mulf %v, %xe : f32
    %sum = arith.addf %acc, %product : f32
    gs.yield %sum : f32
  }
  return %0 : tensor<9xf32>
}

// On memrefs there are no results; layouts and memory spaces are those of the operands.
// CHECK-LABEL: func.func @on_memrefs
// CHECK-NEXT: gs.generic
// CHECK-SAME: (memref<4x8xf32, strided<[?, 1], offset: ?>>, memref<7xindex>, memref<7x8xf32, 1>)
// CHECK-SAME: -> ()
func.func @on_memrefs(%x: memref<4x8xf32, strided<[?, 1], offset: ?>>, %i: memref<7xindex>,
    %y: memref<7x8xf32, 1>) {
  gs.generic (d0, d1) [s0 = %i[d0]]
      ins(%x[s0, d1]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<4x8xf32, strided<[?, 1], offset: ?>>, memref<7xindex>, memref<7x8xf32, 1>) -> () {
  ^bb0(%source: f32, %current: f32):
    gs.yield %source : f32
  }
  return
}

// A window: a coordinate plus an iteration dim; a coordinate read where another one says; modes
// and wrapping per coordinate; a fill value per input, `unit` for the default.
// CHECK-LABEL: func.func @windows_and_modes
// CHECK: [s0 = %{{.*}}[d0] mode(clip), s1 = %{{.*}}[s0] mode(fill_or_drop) wrap_negative]
// CHECK-SAME: ins(%{{.*}}[d1 + s1, 3] fill(1.000000e+00 : f32), %{{.*}}[s1 + 1])
func.func @windows_and_modes(%a: tensor<9x4xf32>, %b: tensor<9xf32>, %i: tensor<5xi32>,
    %j: tensor<6xui8>, %y: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0 = gs.generic (d0, d1) [s0 = %i[d0] mode(clip), s1 = %j[s0] mode(fill_or_drop) wrap_negative]
      ins(%a[d1 + s1, 3] fill(1.0 : f32), %b[s1 + 1]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (tensor<9x4xf32>, tensor<9xf32>, tensor<5xi32>, tensor<6xui8>, tensor<5x3xf32>) -> tensor<5x3xf32> {
  ^bb0(%x: f32, %z: f32, %current: f32):
    %sum = arith.addf %x, %z : f32
    gs.yield %sum : f32
  }
  return %0 : tensor<5x3xf32>
}

// Two coordinates from one operand; with `unique` a dim may be parallel through a coordinate.
// CHECK-LABEL: func.func @pairs_unique
// CHECK: [s0 = %[[I:.*]][d0, 0], s1 = %[[I]][d0, 1]]
// CHECK-SAME: iterators(d0 = parallel) unique sorted :
func.func @pairs_unique(%x: tensor<7xf32>, %i: tensor<7x2xindex>, %y: tensor<4x5xf32>)
    -> tensor<4x5xf32> {
  %0 = gs.generic (d0) [s0 = %i[d0, 0], s1 = %i[d0, 1]]
      ins(%x[d0]) outs(%y[s0, s1]) iterators(d0 = parallel) unique sorted
      : (tensor<7xf32>, tensor<7x2xindex>, tensor<4x5xf32>) -> tensor<4x5xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %update : f32
  }
  return %0 : tensor<4x5xf32>
}

// No loops at all, and dims that are divided.
// CHECK-LABEL: func.func @rank_0_and_divided_dims
// CHECK: gs.generic () outs(%{{.*}}[]) :
// CHECK: gs.generic (d0) ins(%{{.*}}[d0 floordiv 2, d0 mod 2]) outs(%{{.*}}[d0]) iterators(d0 = parallel) :
func.func @rank_0_and_divided_dims(%a: tensor<f32>, %x: tensor<4x2xf32>, %y: tensor<8xf32>)
    -> (tensor<f32>, tensor<8xf32>) {
  %0 = gs.generic () outs(%a[]) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%current: f32):
    %sum = arith.addf %current, %current : f32
    gs.yield %sum : f32
  }
  %1 = gs.generic (d0) ins(%x[d0 floordiv 2, d0 mod 2]) outs(%y[d0]) iterators(d0 = parallel)
      : (tensor<4x2xf32>, tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%source: f32, %current: f32):
    gs.yield %source : f32
  }
  return %0, %1 : tensor<f32>, tensor<8xf32>
}
