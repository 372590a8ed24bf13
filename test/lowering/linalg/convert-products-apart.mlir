// RUN: gs-opt %s --convert-products-to-gs=apart=true | filecheck %s

// A product by linalg.generic is converted; a named op, and what only reduces, are not.
// CHECK-LABEL: func.func @apart
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK-SAME: "reduction"
// CHECK: gs.generic (d0, d1, d2)
// CHECK-SAME: ins(%{{.*}}[d0, d2], %{{.*}}[d2, d1])
func.func @apart(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %s: tensor<?xf32>)
    -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>) {
  %p = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>],
      iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%s : tensor<?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %t = arith.addf %z, %x : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %m = arith.mulf %x, %y : f32
    %t = arith.addf %z, %m : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %p, %q, %r : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>
}
