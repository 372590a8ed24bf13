// RUN: gs-opt %s --linalg-scalars-of-0d --canonicalize | filecheck %s

// CHECK-LABEL: func @sum
// CHECK-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32
func.func @sum(%a: i32, %b: i32) -> i32 {
  // CHECK-NEXT: %[[S:.+]] = arith.addi %[[A]], %[[B]]
  // CHECK-NEXT: return %[[S]]
  %x = tensor.from_elements %a : tensor<i32>
  %y = tensor.from_elements %b : tensor<i32>
  %e = tensor.empty() : tensor<i32>
  %r = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>,
      affine_map<() -> ()>], iterator_types = []}
      ins(%x, %y : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%p: i32, %q: i32, %o: i32):
    %s = arith.addi %p, %q : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  %v = tensor.extract %r[] : tensor<i32>
  return %v : i32
}

// Of one element, but not 0-d.
// CHECK-LABEL: func @vector
func.func @vector(%x: tensor<1xi32>) -> tensor<1xi32> {
  // CHECK: linalg.generic
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%x : tensor<1xi32>) {
  ^bb0(%o: i32):
    %s = arith.addi %o, %o : i32
    linalg.yield %s : i32
  } -> tensor<1xi32>
  return %r : tensor<1xi32>
}
