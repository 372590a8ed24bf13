// RUN: gs-opt --gs-fuse %s | filecheck %s

// Functions stay apart from a loop that scatters elements, where vectors cannot compute them.

// CHECK-LABEL: @elements
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: gs.generic
func.func @elements(%x: tensor<90xf32>, %at: tensor<90xi32>, %to: tensor<7xf32>) -> tensor<7xf32> {
  %empty = tensor.empty() : tensor<90xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<90xf32>) outs(%empty : tensor<90xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<90xf32>
  %r = gs.generic (d0) [s0 = %at[d0] mode(fill_or_drop)] ins(%e[d0]) outs(%to[s0]) iterators(d0 = reduction) : (tensor<90xf32>, tensor<90xi32>, tensor<7xf32>) -> tensor<7xf32> {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    gs.yield %s : f32
  }
  return %r : tensor<7xf32>
}

// Rows are written in vectors, and a root is one instruction.

// CHECK-LABEL: @rows
// CHECK-NOT: linalg.generic
// CHECK: math.exp
func.func @rows(%x: tensor<90x8xf32>, %at: tensor<90xi32>, %to: tensor<7x8xf32>) -> tensor<7x8xf32> {
  %empty = tensor.empty() : tensor<90x8xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<90x8xf32>) outs(%empty : tensor<90x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<90x8xf32>
  %r = gs.generic (d0, d1) [s0 = %at[d0] mode(fill_or_drop)] ins(%e[d0, d1]) outs(%to[s0, d1]) iterators(d0 = reduction, d1 = parallel) : (tensor<90x8xf32>, tensor<90xi32>, tensor<7x8xf32>) -> tensor<7x8xf32> {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    gs.yield %s : f32
  }
  return %r : tensor<7x8xf32>
}

// CHECK-LABEL: @roots
// CHECK-NOT: linalg.generic
// CHECK: math.sqrt
func.func @roots(%x: tensor<90xf32>, %at: tensor<90xi32>, %to: tensor<7xf32>) -> tensor<7xf32> {
  %empty = tensor.empty() : tensor<90xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<90xf32>) outs(%empty : tensor<90xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.sqrt %a : f32
    linalg.yield %r : f32
  } -> tensor<90xf32>
  %r = gs.generic (d0) [s0 = %at[d0] mode(fill_or_drop)] ins(%e[d0]) outs(%to[s0]) iterators(d0 = reduction) : (tensor<90xf32>, tensor<90xi32>, tensor<7xf32>) -> tensor<7xf32> {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    gs.yield %s : f32
  }
  return %r : tensor<7xf32>
}

// LLVM has complex functions in vectors, but not where coordinates are read; products are few
// instructions.

// CHECK-LABEL: @complex_functions
// CHECK: gs.generic
// CHECK-NOT: complex.exp
// CHECK: linalg.generic
// CHECK: complex.exp
func.func @complex_functions(%x: tensor<9xcomplex<f32>>, %at: tensor<90xi32>) -> tensor<90xcomplex<f32>> {
  %empty = tensor.empty() : tensor<90xcomplex<f32>>
  %g = gs.generic (d0) [s0 = %at[d0] mode(clip)] ins(%x[s0]) outs(%empty[d0]) iterators(d0 = parallel) : (tensor<9xcomplex<f32>>, tensor<90xi32>, tensor<90xcomplex<f32>>) -> tensor<90xcomplex<f32>> {
  ^bb0(%a: complex<f32>, %o: complex<f32>):
    gs.yield %a : complex<f32>
  }
  %e = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%g : tensor<90xcomplex<f32>>) outs(%empty : tensor<90xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %o: complex<f32>):
    %r = complex.exp %a : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<90xcomplex<f32>>
  return %e : tensor<90xcomplex<f32>>
}

// CHECK-LABEL: @complex_products
// CHECK: gs.generic
// CHECK-NOT: linalg.generic
// CHECK: complex.mul
func.func @complex_products(%x: tensor<9xcomplex<f32>>, %at: tensor<90xi32>) -> tensor<90xcomplex<f32>> {
  %empty = tensor.empty() : tensor<90xcomplex<f32>>
  %g = gs.generic (d0) [s0 = %at[d0] mode(clip)] ins(%x[s0]) outs(%empty[d0]) iterators(d0 = parallel) : (tensor<9xcomplex<f32>>, tensor<90xi32>, tensor<90xcomplex<f32>>) -> tensor<90xcomplex<f32>> {
  ^bb0(%a: complex<f32>, %o: complex<f32>):
    gs.yield %a : complex<f32>
  }
  %e = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%g : tensor<90xcomplex<f32>>) outs(%empty : tensor<90xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %o: complex<f32>):
    %r = complex.mul %a, %a : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<90xcomplex<f32>>
  return %e : tensor<90xcomplex<f32>>
}

// Of a part, only that is computed.

// CHECK-LABEL: @a_part
// CHECK-NOT: linalg.generic
// CHECK: math.exp
func.func @a_part(%x: tensor<90xf32>, %at: tensor<30xi32>, %to: tensor<7xf32>) -> tensor<7xf32> {
  %empty = tensor.empty() : tensor<90xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<90xf32>) outs(%empty : tensor<90xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<90xf32>
  %r = gs.generic (d0) [s0 = %at[d0] mode(fill_or_drop)] ins(%e[d0 + 9]) outs(%to[s0]) iterators(d0 = reduction) : (tensor<90xf32>, tensor<30xi32>, tensor<7xf32>) -> tensor<7xf32> {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    gs.yield %s : f32
  }
  return %r : tensor<7xf32>
}

// CHECK-LABEL: @a_column
// CHECK-NOT: linalg.generic
// CHECK: math.exp
func.func @a_column(%x: tensor<?x9xf32>, %at: tensor<?xi32>, %to: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %empty = tensor.empty(%n) : tensor<?x9xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x9xf32>) outs(%empty : tensor<?x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<?x9xf32>
  %r = gs.generic (d0) [s0 = %at[d0] mode(fill_or_drop)] ins(%e[d0, 3]) outs(%to[s0]) iterators(d0 = reduction) : (tensor<?x9xf32>, tensor<?xi32>, tensor<7xf32>) -> tensor<7xf32> {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    gs.yield %s : f32
  }
  return %r : tensor<7xf32>
}
