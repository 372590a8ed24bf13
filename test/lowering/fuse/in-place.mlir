// RUN: gs-opt %s --gs-fuse --split-input-file | filecheck %s

// An op that overwrites an input which nothing reads later does so in place.

// CHECK-LABEL: func.func @last_use
// CHECK: %[[FIRST:.*]] = gs.generic
// CHECK: %[[SUMS:.*]] = gs.generic
// CHECK: gs.generic {{.*}} ins(%[[SUMS]][s0]) outs(%[[FIRST]][d0])
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[OLD:.*]]: f32):
// CHECK-NEXT: arith.divf %[[OLD]], %[[SUM]]
func.func @last_use(%x: tensor<?xf32>, %i: tensor<?xi32>, %zero: tensor<5xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %new = tensor.empty(%n) : tensor<?xf32>
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0], %zero[s0]) outs(%new[d0]) iterators(d0 = parallel) : (tensor<?xf32>, tensor<5xf32>, tensor<?xi32>, tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %e = arith.subf %a, %m : f32
    gs.yield %e : f32
  }
  %1 = gs.generic (d0) [s0 = %i[d0]] ins(%0[d0]) outs(%zero[s0]) iterators(d0 = reduction) : (tensor<?xf32>, tensor<?xi32>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32, %o: f32):
    %e = arith.addf %o, %a : f32
    gs.yield %e : f32
  }
  %2 = gs.generic (d0) [s0 = %i[d0]] ins(%0[d0], %1[s0]) outs(%new[d0]) iterators(d0 = parallel) : (tensor<?xf32>, tensor<5xf32>, tensor<?xi32>, tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %e = arith.divf %a, %s : f32
    gs.yield %e : f32
  }
  return %2 : tensor<?xf32>
}

// -----

// Not what is read later, and not an argument.
// CHECK-LABEL: func.func @used_later
// CHECK: %[[EMPTY:.*]] = tensor.empty
// CHECK: gs.generic {{.*}} outs(%[[EMPTY]][d0])
// CHECK: gs.generic {{.*}} outs(%[[EMPTY]][d0])
func.func @used_later(%x: tensor<9xf32>, %i: tensor<9xi32>, %s: tensor<5xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
  %new = tensor.empty() : tensor<9xf32>
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0], %s[s0]) outs(%new[d0]) iterators(d0 = parallel) : (tensor<9xf32>, tensor<5xf32>, tensor<9xi32>, tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %e = arith.subf %a, %m : f32
    gs.yield %e : f32
  }
  %1 = gs.generic (d0) [s0 = %i[d0]] ins(%0[d0], %s[s0]) outs(%new[d0]) iterators(d0 = parallel) : (tensor<9xf32>, tensor<5xf32>, tensor<9xi32>, tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %e = arith.divf %a, %m : f32
    gs.yield %e : f32
  }
  return %0, %1 : tensor<9xf32>, tensor<9xf32>
}

// -----

// Not what is read at another place.
// CHECK-LABEL: func.func @elsewhere
// CHECK: %[[EMPTY:.*]] = tensor.empty
// CHECK: %[[FIRST:.*]] = gs.generic
// CHECK: %[[SUMS:.*]] = gs.generic
// CHECK: gs.generic {{.*}} ins(%[[FIRST]][d0], %[[FIRST]][s0], %[[SUMS]][s0]) outs(%[[EMPTY]][d0])
func.func @elsewhere(%x: tensor<9xf32>, %i: tensor<9xi32>, %s: tensor<5xf32>) -> tensor<9xf32> {
  %new = tensor.empty() : tensor<9xf32>
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0], %s[s0]) outs(%new[d0]) iterators(d0 = parallel) : (tensor<9xf32>, tensor<5xf32>, tensor<9xi32>, tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %e = arith.subf %a, %m : f32
    gs.yield %e : f32
  }
  %1 = gs.generic (d0) [s0 = %i[d0]] ins(%0[d0]) outs(%s[s0]) iterators(d0 = reduction) : (tensor<9xf32>, tensor<9xi32>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32, %o: f32):
    %e = arith.addf %o, %a : f32
    gs.yield %e : f32
  }
  %2 = gs.generic (d0) [s0 = %i[d0]] ins(%0[d0], %0[s0], %1[s0]) outs(%new[d0]) iterators(d0 = parallel) : (tensor<9xf32>, tensor<9xf32>, tensor<5xf32>, tensor<9xi32>, tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%a: f32, %b: f32, %m: f32, %o: f32):
    %d = arith.divf %a, %m : f32
    %e = arith.addf %d, %b : f32
    gs.yield %e : f32
  }
  return %2 : tensor<9xf32>
}
