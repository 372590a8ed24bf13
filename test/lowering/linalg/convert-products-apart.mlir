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
