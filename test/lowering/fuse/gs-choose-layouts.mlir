// RUN: gs-opt %s --gs-choose-layouts | filecheck %s

// CHECK-LABEL: func @result
func.func @result(%x: tensor<9x2xf32>) -> tensor<9x9xf32> {
  // CHECK: %[[MADE:.+]] = gs.generic (d0, d1, d2) ins(%arg0[d0, d2], %arg0[d1, d2]) outs(%{{.+}}[d2, d0, d1])
  %e = tensor.empty() : tensor<9x9x2xf32>
  %v = gs.generic (d0, d1, d2) ins(%x[d0, d2], %x[d1, d2]) outs(%e[d0, d1, d2]) iterators(d0 = parallel, d1 = parallel, d2 = parallel) : (tensor<9x2xf32>, tensor<9x2xf32>, tensor<9x9x2xf32>) -> tensor<9x9x2xf32> {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    gs.yield %s : f32
  }
  // CHECK: gs.generic (d0, d1) ins(%[[MADE]][0, d0, d1], %[[MADE]][1, d0, d1])
  %f = tensor.empty() : tensor<9x9xf32>
  %r = gs.generic (d0, d1) ins(%v[d0, d1, 0], %v[d0, d1, 1]) outs(%f[d0, d1]) iterators(d0 = parallel, d1 = parallel) : (tensor<9x9x2xf32>, tensor<9x9x2xf32>, tensor<9x9xf32>) -> tensor<9x9xf32> {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    gs.yield %s : f32
  }
  return %r : tensor<9x9xf32>
}

// Stays: a reader runs along the last dim, and one is no loop.
// CHECK-LABEL: func @stay
func.func @stay(%x: tensor<9x2xf32>) -> (tensor<9x2xf32>, tensor<9xf32>, tensor<2xf32>) {
  // CHECK: %[[MADE:.+]] = gs.generic (d0, d1) ins(%{{.+}}[d0, d1]) outs(%{{.+}}[d0, d1])
  %e = tensor.empty() : tensor<9x2xf32>
  %v = gs.generic (d0, d1) ins(%x[d0, d1]) outs(%e[d0, d1]) iterators(d0 = parallel, d1 = parallel) : (tensor<9x2xf32>, tensor<9x2xf32>) -> tensor<9x2xf32> {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    gs.yield %s : f32
  }
  // CHECK: gs.generic (d0, d1) ins(%[[MADE]][d0, d1])
  %w = gs.generic (d0, d1) ins(%v[d0, d1]) outs(%e[d0, d1]) iterators(d0 = parallel, d1 = parallel) : (tensor<9x2xf32>, tensor<9x2xf32>) -> tensor<9x2xf32> {
  ^bb0(%a: f32, %o: f32):
    gs.yield %a : f32
  }
  // CHECK: gs.generic (d0) ins(%[[MADE]][d0, 1], %{{.+}}[d0, 0])
  %f = tensor.empty() : tensor<9xf32>
  %r = gs.generic (d0) ins(%v[d0, 1], %x[d0, 0]) outs(%f[d0]) iterators(d0 = parallel) : (tensor<9x2xf32>, tensor<9x2xf32>, tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    gs.yield %s : f32
  }
  %row = tensor.extract_slice %v[0, 0] [1, 2] [1, 1] : tensor<9x2xf32> to tensor<2xf32>
  return %w, %r, %row : tensor<9x2xf32>, tensor<9xf32>, tensor<2xf32>
}

// CHECK-LABEL: func @in_a_loop
// CHECK: scf.for
// CHECK: gs.generic (d0, d1)
// CHECK-NOT: linalg.generic
func.func @in_a_loop(%x: tensor<9x2xf32>, %n: index) -> tensor<9x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<9x2xf32> {
    %e = tensor.empty() : tensor<9x2xf32>
    %w = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<9x2xf32>) outs(%e : tensor<9x2xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %a : f32
      linalg.yield %s : f32
    } -> tensor<9x2xf32>
    scf.yield %w : tensor<9x2xf32>
  }
  return %r : tensor<9x2xf32>
}

// Stays: more inputs than a gs.generic takes.
// CHECK-LABEL: func @nine_inputs_in_a_loop
// CHECK: linalg.generic
func.func @nine_inputs_in_a_loop(%x: tensor<9x2xf32>, %x1: tensor<9x2xf32>, %x2: tensor<9x2xf32>, %x3: tensor<9x2xf32>, %x4: tensor<9x2xf32>,
    %x5: tensor<9x2xf32>, %x6: tensor<9x2xf32>, %x7: tensor<9x2xf32>, %x8: tensor<9x2xf32>, %n: index) -> tensor<9x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<9x2xf32> {
    %e = tensor.empty() : tensor<9x2xf32>
    %w = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%v, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8 : tensor<9x2xf32>, tensor<9x2xf32>, tensor<9x2xf32>, tensor<9x2xf32>, tensor<9x2xf32>, tensor<9x2xf32>, tensor<9x2xf32>, tensor<9x2xf32>, tensor<9x2xf32>) outs(%e : tensor<9x2xf32>) {
    ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32, %o: f32):
      %s = arith.addf %a0, %a8 : f32
      linalg.yield %s : f32
    } -> tensor<9x2xf32>
    scf.yield %w : tensor<9x2xf32>
  }
  return %r : tensor<9x2xf32>
}

// The rows of all outer dims count.
// CHECK-LABEL: func @states_in_a_loop
// CHECK: gs.generic (d0, d1, d2)
// CHECK-NOT: linalg.generic
func.func @states_in_a_loop(%x: tensor<2x8x4xf32>, %n: index) -> tensor<2x8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<2x8x4xf32> {
    %e = tensor.empty() : tensor<2x8x4xf32>
    %w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v : tensor<2x8x4xf32>) outs(%e : tensor<2x8x4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %a : f32
      linalg.yield %s : f32
    } -> tensor<2x8x4xf32>
    scf.yield %w : tensor<2x8x4xf32>
  }
  return %r : tensor<2x8x4xf32>
}
