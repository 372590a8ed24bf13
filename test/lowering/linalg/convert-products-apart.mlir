// RUN: gs-opt %s --convert-products-to-gs=apart=true | filecheck %s

#same = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// A product by linalg.generic of what loops compute is converted. A named op, what only reduces, and
// a product of what is moved and cast are not.
// CHECK-LABEL: func.func @apart
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK-SAME: "reduction"
// CHECK: math.tanh
// CHECK: %[[MOVED:.*]] = linalg.generic
// CHECK: gs.generic (d0, d1, d2)
// CHECK-SAME: ins(%{{.*}}[d0, d2], %[[MOVED]][d2, d1])
// CHECK: arith.extf
// CHECK: linalg.generic
// CHECK-SAME: "reduction"
func.func @apart(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %s: tensor<?xf32>,
    %h: tensor<?x?xf16>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %p = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>],
      iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%s : tensor<?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %t = arith.addf %z, %x : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %f = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %t = math.tanh %x : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  %g = linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel"]}
      ins(%f : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %g : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %m = arith.mulf %x, %y : f32
    %t = arith.addf %z, %m : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  %w = linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<?x?xf16>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f16, %z: f32):
    %t = arith.extf %x : f16 to f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  %q2 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %m = arith.mulf %x, %y : f32
    %t = arith.addf %z, %m : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %p, %q, %r, %q2 : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// What calls a function stays apart from loops that broadcast it, also behind a view and other
// loops; and a product from what computes its input behind a view.
// CHECK-LABEL: func.func @again
// CHECK: %[[EXP:.*]] = gs.generic (d0)
// CHECK: math.exp
// CHECK: tensor.expand_shape %[[EXP]]
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: gs.generic (d0, d1, d2)
func.func @again(%a: tensor<4xf32>, %b: tensor<4x1xf32>, %c: tensor<4x8xf32>, %d: tensor<32xf32>)
    -> (tensor<4x8xf32>, tensor<4x4xf32>) {
  %ea = tensor.empty() : tensor<4xf32>
  %eb = tensor.empty() : tensor<4x1xf32>
  %ec = tensor.empty() : tensor<4x8xf32>
  %ed = tensor.empty() : tensor<32xf32>
  %ee = tensor.empty() : tensor<4x4xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%ea : tensor<4xf32>) {
  ^bb0(%p: f32, %z: f32):
    %t = math.exp %p : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %v = tensor.expand_shape %x [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %y = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%v, %b : tensor<4x1xf32>, tensor<4x1xf32>) outs(%eb : tensor<4x1xf32>) {
  ^bb0(%p: f32, %q: f32, %z: f32):
    %t = arith.addf %p, %q : f32
    linalg.yield %t : f32
  } -> tensor<4x1xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, #same, #same],
      iterator_types = ["parallel", "parallel"]}
      ins(%y, %c : tensor<4x1xf32>, tensor<4x8xf32>) outs(%ec : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %z: f32):
    %t = arith.mulf %p, %q : f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%d : tensor<32xf32>) outs(%ed : tensor<32xf32>) {
  ^bb0(%p: f32, %z: f32):
    %t = math.exp %p : f32
    linalg.yield %t : f32
  } -> tensor<32xf32>
  %g = tensor.expand_shape %f [[0, 1]] output_shape [8, 4] : tensor<32xf32> into tensor<8x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%c, %g : tensor<4x8xf32>, tensor<8x4xf32>) outs(%ee : tensor<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %z: f32):
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %z, %m : f32
    linalg.yield %t : f32
  } -> tensor<4x4xf32>
  return %w, %r : tensor<4x8xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: func.func @in_place
// CHECK: linalg.generic
func.func @in_place(%m: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%m : memref<4xf32>) {
  ^bb0(%z: f32):
    %t = math.exp %z : f32
    linalg.yield %t : f32
  }
  return
}
