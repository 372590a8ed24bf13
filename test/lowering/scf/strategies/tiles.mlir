// RUN: gs-opt %s --split-input-file --convert-products-to-gs --convert-gs-to-scf="target=generic:disable=prefetch" --canonicalize --cse | filecheck %s

// Six rows of a table times a matrix: 64 columns of it are copied to a panel on the stack; 24 sums
// stay in registers while both are read in order, and lie in memory between panels.
// CHECK-LABEL: func.func @product
// CHECK-NOT: memref.alloc(
// CHECK: %[[PANEL:.*]] = memref.alloca() {alignment = 64 : i64} : memref<256x64xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-4: vector.store {{.*}}, %[[PANEL]]
// CHECK: scf.for {{.*}} step %c6
// CHECK-COUNT-6: memref.load %{{.*}} : memref<?xi64>
// CHECK-COUNT-24: vector.load {{.*}} vector<16xf32>
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-4: vector.load %[[PANEL]]
// CHECK: memref.load {{.*}} : memref<1000x512xf32>
// CHECK: vector.broadcast
// CHECK: arith.mulf {{.*}} vector<16xf32>
// CHECK: arith.addf {{.*}} vector<16xf32>
// CHECK-COUNT-24: vector.store {{.*}} memref<?x512xf32>
func.func @product(%table: memref<1000x512xf32>, %ids: memref<?xi64>, %w: memref<512x512xf32>,
    %y: memref<?x512xf32>) {
  gs.generic (m, k, n) [s = %ids[m]]
      ins(%table[s, k], %w[k, n]) outs(%y[m, n])
      iterators(m = parallel, k = reduction, n = parallel)
      : (memref<1000x512xf32>, memref<512x512xf32>, memref<?xi64>, memref<?x512xf32>) -> () {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %c, %p : f32
    gs.yield %q : f32
  }
  return
}

// -----

// A matrix for each row: rows share nothing.
// CHECK-LABEL: func.func @by_row
// CHECK-NOT: memref.alloca
func.func @by_row(%x: memref<64x512xf32>, %ids: memref<64xi64>, %w: memref<8x512x512xf32>,
    %y: memref<64x512xf32>) {
  gs.generic (m, k, n) [s = %ids[m]]
      ins(%x[m, k], %w[s, k, n]) outs(%y[m, n])
      iterators(m = parallel, k = reduction, n = parallel)
      : (memref<64x512xf32>, memref<8x512x512xf32>, memref<64xi64>, memref<64x512xf32>) -> () {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %c, %p : f32
    gs.yield %q : f32
  }
  return
}

// -----

// Rows that may be one row of the output: their order is kept.
// CHECK-LABEL: func.func @added
// CHECK-NOT: memref.alloca
func.func @added(%x: memref<64x512xf32>, %to: memref<64xi64>, %w: memref<512x512xf32>,
    %y: memref<64x512xf32>) {
  gs.generic (m, k, n) [t = %to[m]]
      ins(%x[m, k], %w[k, n]) outs(%y[t, n])
      iterators(m = reduction, k = reduction, n = parallel)
      : (memref<64x512xf32>, memref<512x512xf32>, memref<64xi64>, memref<64x512xf32>) -> () {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %c, %p : f32
    gs.yield %q : f32
  }
  return
}

// -----

// A matrix that lies across the lanes: squares of 16 rows are turned in registers, and stored to
// the panel column by column.
// CHECK-LABEL: func.func @across
// CHECK: %[[PANEL:.*]] = memref.alloca() {alignment = 64 : i64} : memref<256x64xf32>
// CHECK: scf.for {{.*}} step %c16
// CHECK-COUNT-16: vector.load %arg1{{.*}} vector<16xf32>
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: vector.store {{.*}}, %[[PANEL]]
func.func @across(%x: memref<512x512xf32>, %w: memref<512x512xf32>, %y: memref<512x512xf32>) {
  gs.generic (m, n, k)
      ins(%x[m, k], %w[n, k]) outs(%y[m, n])
      iterators(m = parallel, n = parallel, k = reduction)
      : (memref<512x512xf32>, memref<512x512xf32>, memref<512x512xf32>) -> () {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %c, %p : f32
    gs.yield %q : f32
  }
  return
}

// -----

// A convolution: a panel has all points of the inner reduced dims, 192 rows, and one of kh.
// CHECK-LABEL: func.func @convolution
// CHECK: %[[PANEL:.*]] = memref.alloca() {alignment = 64 : i64} : memref<192x64xf32>
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-4: vector.load %[[PANEL]]
func.func @convolution(%x: memref<1x258x258x64xf32>, %w: memref<3x3x64x64xf32>,
    %y: memref<1x256x256x64xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x258x258x64xf32>, memref<3x3x64x64xf32>)
      outs(%y : memref<1x256x256x64xf32>)
  return
}

// -----

// A tile has rows of the innermost dim that fills it: d1 has three points, d0 enough.
// CHECK-LABEL: func.func @few_rows_inside
// CHECK: scf.for {{.*}} to %c3 step %c1
// CHECK: scf.for {{.*}} to %c96 step %c6
func.func @few_rows_inside(%a: memref<96x64x3xf32>, %b: memref<64x128xf32>,
    %c: memref<96x3x128xf32>) {
  gs.generic (d0, d1, d2, d3) ins(%a[d0, d3, d1], %b[d3, d2]) outs(%c[d0, d1, d2])
      iterators(d0 = parallel, d1 = parallel, d2 = parallel, d3 = reduction)
      : (memref<96x64x3xf32>, memref<64x128xf32>, memref<96x3x128xf32>) -> () {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    gs.yield %s : f32
  }
  return
}
