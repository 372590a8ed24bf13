// RUN: gs-opt %s --split-input-file --verify-diagnostics --gs-tile="sizes=4,8"

func.func @named(%source: tensor<9xf32>, %indices: tensor<5x1xi32>) -> tensor<5xf32> {
  // expected-error@+1 {{'gs.gather' op must become gs.generic before it is tiled: gs-generalize}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @memrefs(%x: memref<?xf32>, %y: memref<?xf32>) {
  // expected-error@+1 {{'gs.generic' op is on memrefs: tiles are cut from tensors}}
  gs.generic (d0) ins(%x[d0]) outs(%y[d0]) iterators(d0 = parallel)
      : (memref<?xf32>, memref<?xf32>) -> () {
  ^bb0(%a: f32, %o: f32):
    gs.yield %a : f32
  }
  return
}

// -----

func.func @backwards(%x: tensor<32xf32>, %y: tensor<32xf32>) -> tensor<32xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d0 in dimension 0 of '%x', -d0 + 31, runs backwards}}
  %r = gs.generic (d0) ins(%x[-d0 + 31]) outs(%y[d0]) iterators(d0 = parallel)
      : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32> {
  ^bb0(%a0: f32, %old: f32):
    gs.yield %a0 : f32
  }
  return %r : tensor<32xf32>
}

// -----

func.func @divided(%x: tensor<32xf32>, %y: tensor<32xf32>) -> tensor<32xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d0 in dimension 0 of '%x', d0 floordiv 3, divides by what tiles are no multiples of}}
  %r = gs.generic (d0) ins(%x[d0 floordiv 3]) outs(%y[d0]) iterators(d0 = parallel)
      : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32> {
  ^bb0(%a0: f32, %old: f32):
    gs.yield %a0 : f32
  }
  return %r : tensor<32xf32>
}

// -----

func.func @window(%x: tensor<32xf32>, %i: tensor<16xi64>, %y: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d1 in dimension 0 of '%x', d1 + s0, is part of a window that s0 checks as a whole}}
  %r = gs.generic (d0, d1) [s0 = %i[d0] mode(clip)]
      ins(%x[d1 + s0]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (tensor<32xf32>, tensor<16xi64>, tensor<16x16xf32>) -> tensor<16x16xf32> {
  ^bb0(%a0: f32, %old: f32):
    gs.yield %a0 : f32
  }
  return %r : tensor<16x16xf32>
}

// -----

func.func @added(%x: tensor<32xf32>, %i: tensor<16xi64>, %y: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d0 in dimension 0 of '%x', d0 + s0, is added to s0, which depends on the dim as well}}
  %r = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0 + s0]) outs(%y[d0]) iterators(d0 = parallel)
      : (tensor<32xf32>, tensor<16xi64>, tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a0: f32, %old: f32):
    gs.yield %a0 : f32
  }
  return %r : tensor<16xf32>
}

// -----

func.func @order(%x: tensor<16x16xf32>, %i: tensor<16x16xi64>, %y: tensor<32xf32>) -> tensor<32xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d1: its elements are combined in order, and d0 runs around it; cut d0 to tiles of 1 as well}}
  %r = gs.generic (d0, d1) [s0 = %i[d0, d1]]
      ins(%x[d0, d1]) outs(%y[s0]) iterators(d0 = reduction, d1 = reduction)
      : (tensor<16x16xf32>, tensor<16x16xi64>, tensor<32xf32>) -> tensor<32xf32> {
  ^bb0(%a0: f32, %old: f32):
    %n = arith.addf %old, %a0 : f32
    gs.yield %n : f32
  }
  return %r : tensor<32xf32>
}

// -----

func.func @masked(%x: tensor<32x32xf32>, %i: tensor<16xi64>, %y: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d0 in dimension 1 of '%x', d0 * 2 - 4, may be out of bounds where another coordinate is}}
  %r = gs.generic (d0) [s0 = %i[d0] mode(fill_or_drop)]
      ins(%x[s0, d0 * 2 - 4]) outs(%y[d0]) iterators(d0 = parallel)
      : (tensor<32x32xf32>, tensor<16xi64>, tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a0: f32, %old: f32):
    gs.yield %a0 : f32
  }
  return %r : tensor<16xf32>
}
