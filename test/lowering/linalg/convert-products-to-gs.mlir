// RUN: gs-opt %s --convert-products-to-gs | filecheck %s
// RUN: gs-opt %s --convert-products-to-gs=shared=true | filecheck %s --check-prefix=SHARED

// CHECK-LABEL: func.func @matmul
// CHECK: gs.generic (d0, d1, d2)
// CHECK-SAME: ins(%arg0[d0, d2], %arg1[d2, d1]) outs(%arg2[d0, d1])
// CHECK-SAME: iterators(d0 = parallel, d1 = parallel, d2 = reduction)
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32):
// CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK: %[[S:.*]] = arith.addf %[[C]], %[[P]] : f32
// CHECK: gs.yield %[[S]] : f32
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @batched_in_place
// CHECK: gs.generic
// CHECK-SAME: ins(%arg0[d0, d1, d3], %arg1[d0, d3, d2]) outs(%arg2[d0, d1, d2])
// CHECK: arith.extf
func.func @batched_in_place(%a: memref<4x?x?xbf16>, %b: memref<4x?x?xbf16>, %c: memref<4x?x?xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<4x?x?xbf16>, memref<4x?x?xbf16>)
      outs(%c : memref<4x?x?xf32>)
  return
}

// CHECK-LABEL: func.func @convolution
// CHECK: gs.generic
// CHECK-SAME: ins(%arg0[d0, d1 * 2 + d4, d2 * 2 + d5, d6], %arg1[d4, d5, d6, d3])
func.func @convolution(%a: tensor<1x9x9x4xf32>, %b: tensor<3x3x4x8xf32>, %c: tensor<1x4x4x8xf32>)
    -> tensor<1x4x4x8xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%a, %b : tensor<1x9x9x4xf32>, tensor<3x3x4x8xf32>)
      outs(%c : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %r : tensor<1x4x4x8xf32>
}

// Other named ops are as their linalg.generic.

// CHECK-LABEL: func.func @others
// CHECK: gs.generic (d0) ins(%arg0[d0], %arg0[d0]) outs(%arg1[])
// CHECK-SAME: iterators(d0 = reduction)
// CHECK: gs.generic (d0, d1, d2, d3, d4, d5) ins(%arg2[d0, d1 + d4, d2 + d5, d3], %arg3[d4, d5])
// CHECK-SAME: outs(%arg4[d0, d1, d2, d3])
func.func @others(%x: tensor<?xf32>, %y: tensor<f32>, %a: tensor<1x9x9x4xf32>, %w: tensor<3x3xf32>,
    %c: tensor<1x7x7x4xf32>) -> (tensor<f32>, tensor<1x7x7x4xf32>) {
  %0 = linalg.dot ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%y : tensor<f32>) -> tensor<f32>
  %1 = linalg.pooling_nhwc_sum ins(%a, %w : tensor<1x9x9x4xf32>, tensor<3x3xf32>)
      outs(%c : tensor<1x7x7x4xf32>) -> tensor<1x7x7x4xf32>
  return %0, %1 : tensor<f32>, tensor<1x7x7x4xf32>
}

// CHECK-LABEL: func.func @named
// CHECK: gs.generic (d0, d1) ins(%arg0[d1, d0]) outs(%arg1[d0, d1])
// CHECK: gs.generic (d0, d1) ins(%arg0[d0, d1]) outs(%arg2[d1])
// CHECK-SAME: iterators(d0 = reduction, d1 = parallel)
// CHECK: linalg.map
// CHECK: linalg.copy
func.func @named(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %s: tensor<?xf32>)
    -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %a = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) permutation = [1, 0]
  %b = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf32>) outs(%s : tensor<?xf32>)
      dimensions = [0]
  %c = linalg.map { arith.negf } ins(%x : tensor<?x?xf32>) outs(%y : tensor<?x?xf32>)
  %d = linalg.copy ins(%x : tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %a, %b, %c, %d : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func.func @sums
// CHECK: gs.generic (d0, d1) ins(%arg0[d1, d0]) outs(%arg1[d0])
// CHECK-SAME: iterators(d0 = parallel, d1 = reduction)
// CHECK: gs.generic (d0, d1) ins(%arg0[d0, d1]) outs(%arg1[d0])
// CHECK-SAME: iterators(d0 = parallel, d1 = reduction)
#whole = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
#first = affine_map<(d0, d1) -> (d0)>
func.func @sums(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = linalg.generic {indexing_maps = [#turned, #first],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %s = arith.addf %sum, %v : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %b = linalg.generic {indexing_maps = [#whole, #first],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %s = arith.addf %sum, %v : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}

// Threads share loops that repeat rows or columns, too.
// SHARED-LABEL: func.func @repeated
// SHARED: gs.generic (d0, d1) ins(%arg0[d0, d1], %arg1[d0, 0], %arg2[d1]) outs(%arg0[d0, d1])
// SHARED-SAME: iterators(d0 = parallel, d1 = parallel)
// CHECK-LABEL: func.func @repeated
// CHECK: linalg.generic
func.func @repeated(%x: tensor<?x?xf32>, %m: tensor<?x1xf32>, %b: tensor<?xf32>)
    -> tensor<?x?xf32> {
  %a = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
      affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1)>,
      affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %b : tensor<?x?xf32>, tensor<?x1xf32>, tensor<?xf32>)
      outs(%x : tensor<?x?xf32>) {
  ^bb0(%u: f32, %v: f32, %w: f32, %old: f32):
    %s = arith.subf %u, %v : f32
    %t = arith.mulf %s, %w : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %a : tensor<?x?xf32>
}

// What reads transposed is converted, f16 too. Other elementwise loops stay, unless threads are to
// share them.
// SHARED-LABEL: func.func @elementwise
// SHARED-COUNT-3: gs.generic
// SHARED-NOT: linalg.generic
// CHECK-LABEL: func.func @elementwise
// CHECK: gs.generic (d0, d1) ins(%arg0[d1, d0], %arg0[d0, d1]) outs(%arg0[d0, d1])
// CHECK: gs.generic (d0, d1) ins(%arg1[d0, d1]) outs(%arg1[d0, d1])
// CHECK: linalg.generic
func.func @elementwise(%x: tensor<?x?xf32>, %h: tensor<?x?xf16>)
    -> (tensor<?x?xf32>, tensor<?x?xf16>, tensor<?x?xf32>) {
  %a = linalg.generic {indexing_maps = [#turned, #whole, #whole],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : tensor<?x?xf32>, tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) {
  ^bb0(%u: f32, %v: f32, %old: f32):
    %s = arith.addf %u, %v : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %b = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<?x?xf16>) outs(%h : tensor<?x?xf16>) {
  ^bb0(%u: f16, %old: f16):
    %s = arith.addf %u, %u : f16
    linalg.yield %s : f16
  } -> tensor<?x?xf16>
  %c = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) {
  ^bb0(%u: f32, %old: f32):
    %s = arith.addf %u, %u : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %a, %b, %c : tensor<?x?xf32>, tensor<?x?xf16>, tensor<?x?xf32>
}

// A sum with few columns has its rows last, and is transposed; the fill of the other order goes.
// CHECK-LABEL: func.func @few_columns
// CHECK-NOT: tensor<200x3xf32>)
// CHECK: linalg.fill {{.*}} -> tensor<3x200xf32>
// CHECK: %[[T:.*]] = gs.generic (d0, d1, d2) ins(%arg0[d2, d0], %arg1[d2, d1]) outs({{.*}}[d1, d0])
// CHECK: gs.generic (d0, d1) ins(%[[T]][d1, d0]) outs({{.*}}[d0, d1])
func.func @few_columns(%a: tensor<64x200xf32>, %b: tensor<64x3xf32>) -> tensor<200x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<200x3xf32>
  %from = linalg.fill ins(%zero : f32) outs(%empty : tensor<200x3xf32>) -> tensor<200x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>,
      affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x200xf32>, tensor<64x3xf32>) outs(%from : tensor<200x3xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<200x3xf32>
  return %r : tensor<200x3xf32>
}

// Three channels that follow each other in all operands are no short row. A sum into an argument
// stays, too, and one of an input in which rows and columns are together.
// CHECK-LABEL: func.func @not_turned
// CHECK: ins(%arg0[d3, d0], %arg1[d3, d1, d2]) outs({{.*}}[d0, d1, d2])
// CHECK: ins(%arg2[d0, d2], %arg3[d2, d1]) outs(%arg4[d0, d1])
// CHECK: ins(%arg5[d0, d1, d2]) outs({{.*}}[d0, d2])
// CHECK-NOT: gs.generic
func.func @not_turned(%a: tensor<64x200xf32>, %b: tensor<64x50x3xf32>, %x: tensor<200x64xf32>,
    %y: tensor<64x3xf32>, %to: tensor<200x3xf32>, %z: tensor<200x64x3xf32>)
    -> (tensor<200x50x3xf32>, tensor<200x3xf32>, tensor<200x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<200x50x3xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<200x50x3xf32>) -> tensor<200x50x3xf32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i, j, c, k) -> (k, i)>,
      affine_map<(i, j, c, k) -> (k, j, c)>, affine_map<(i, j, c, k) -> (i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<64x200xf32>, tensor<64x50x3xf32>) outs(%f0 : tensor<200x50x3xf32>) {
  ^bb0(%u: f32, %v: f32, %sum: f32):
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<200x50x3xf32>
  %r1 = linalg.matmul ins(%x, %y : tensor<200x64xf32>, tensor<64x3xf32>)
      outs(%to : tensor<200x3xf32>) -> tensor<200x3xf32>
  %e2 = tensor.empty() : tensor<200x3xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<200x3xf32>) -> tensor<200x3xf32>
  %r2 = linalg.reduce { arith.addf } ins(%z : tensor<200x64x3xf32>)
      outs(%f2 : tensor<200x3xf32>) dimensions = [1]
  return %r0, %r1, %r2 : tensor<200x50x3xf32>, tensor<200x3xf32>, tensor<200x3xf32>
}

// Nor is a result of a size that no input says, whose windows overlap.
// CHECK-LABEL: func.func @windows_of_any_size
// CHECK: outs({{.*}}[d0 + d1, d2, d3])
// CHECK-NOT: gs.generic
func.func @windows_of_any_size(%a: tensor<400x64xf32>, %b: tensor<400x3xf32>, %w: tensor<4x2xf32>,
    %n: index) -> tensor<?x64x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x64x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64x3xf32>) -> tensor<?x64x3xf32>
  %r = gs.generic (i, u, m, c, k) ins(%a[k, m], %b[k, c], %w[i, u]) outs(%f[i + u, m, c])
      iterators(i = reduction, u = reduction, m = parallel, c = parallel, k = reduction)
      : (tensor<400x64xf32>, tensor<400x3xf32>, tensor<4x2xf32>, tensor<?x64x3xf32>)
      -> tensor<?x64x3xf32> {
  ^bb0(%x: f32, %y: f32, %t: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.mulf %p, %t : f32
    %s = arith.addf %sum, %q : f32
    gs.yield %s : f32
  }
  return %r : tensor<?x64x3xf32>
}

// Nor are loops of no dims.
// CHECK-LABEL: func.func @no_dims
// CHECK-NOT: gs.generic
// CHECK: return
#none = affine_map<() -> ()>
func.func @no_dims(%x: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [#none, #none], iterator_types = []}
      ins(%x : tensor<f32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.addf %sum, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
