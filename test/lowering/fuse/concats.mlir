// RUN: gs-opt %s --gs-generalize --gs-fuse --split-input-file | filecheck %s

// Each part of a concatenation is read in loops of its own, and what makes it merges with them.
// CHECK-LABEL: func.func @halves
// CHECK-NOT: tensor.concat
// CHECK: gs.generic (d0, d1) [s0 = %arg1[d0, 0]] ins(%arg0[s0, d1], %{{.*}}[d0, d1])
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.negf
// CHECK: tensor.insert_slice {{.*}}[0, 0] [5, 16] [1, 1]
// CHECK: gs.generic (d0, d1) [s0 = %arg1[d0, 0]] ins(%arg0[s0, d1 + 16], %{{.*}}[d0, d1])
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.mulf
// CHECK: tensor.insert_slice {{.*}}[0, 16] [5, 16] [1, 1]
#ij = affine_map<(i, j) -> (i, j)>
func.func @halves(%x: tensor<9x32xf32>, %k: tensor<5x1xi64>, %q: tensor<5x32xf32>) -> tensor<5x32xf32> {
  %g = gs.gather %x[%k] gather_dims([0]) : (tensor<9x32xf32>, tensor<5x1xi64>) -> tensor<5x32xf32>
  %a = tensor.extract_slice %q[0, 16] [5, 16] [1, 1] : tensor<5x32xf32> to tensor<5x16xf32>
  %b = tensor.extract_slice %q[0, 0] [5, 16] [1, 1] : tensor<5x32xf32> to tensor<5x16xf32>
  %0 = tensor.empty() : tensor<5x16xf32>
  %n = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<5x16xf32>) outs(%0 : tensor<5x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %m = arith.negf %p : f32
    linalg.yield %m : f32
  } -> tensor<5x16xf32>
  %c = tensor.concat dim(1) %n, %b : (tensor<5x16xf32>, tensor<5x16xf32>) -> tensor<5x32xf32>
  %1 = tensor.empty() : tensor<5x32xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%g, %c : tensor<5x32xf32>, tensor<5x32xf32>) outs(%1 : tensor<5x32xf32>) {
  ^bb0(%p: f32, %q2: f32, %o: f32):
    %m = arith.mulf %p, %q2 : f32
    linalg.yield %m : f32
  } -> tensor<5x32xf32>
  return %r : tensor<5x32xf32>
}

// -----

// Stays: parts of eight bytes are no loops of their own.
// CHECK-LABEL: func.func @narrow
// CHECK: tensor.concat
// CHECK: gs.generic (d0, d1) [s0 = %arg1[d0, 0]]
// CHECK-NOT: gs.generic
#ij = affine_map<(i, j) -> (i, j)>
func.func @narrow(%x: tensor<9x4xf32>, %k: tensor<5x1xi64>, %a: tensor<5x2xf32>, %b: tensor<5x2xf32>) -> tensor<5x4xf32> {
  %g = gs.gather %x[%k] gather_dims([0]) : (tensor<9x4xf32>, tensor<5x1xi64>) -> tensor<5x4xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<5x2xf32>, tensor<5x2xf32>) -> tensor<5x4xf32>
  %1 = tensor.empty() : tensor<5x4xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%g, %c : tensor<5x4xf32>, tensor<5x4xf32>) outs(%1 : tensor<5x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

// -----

// Stays: the concatenation is a result as well.
// CHECK-LABEL: func.func @read_twice
// CHECK: tensor.concat
// CHECK: gs.generic (d0, d1) [s0 = %arg1[d0, 0]]
// CHECK-NOT: gs.generic
#ij = affine_map<(i, j) -> (i, j)>
func.func @read_twice(%x: tensor<9x32xf32>, %k: tensor<5x1xi64>, %a: tensor<5x16xf32>) -> (tensor<5x32xf32>, tensor<5x32xf32>) {
  %g = gs.gather %x[%k] gather_dims([0]) : (tensor<9x32xf32>, tensor<5x1xi64>) -> tensor<5x32xf32>
  %c = tensor.concat dim(1) %a, %a : (tensor<5x16xf32>, tensor<5x16xf32>) -> tensor<5x32xf32>
  %1 = tensor.empty() : tensor<5x32xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%g, %c : tensor<5x32xf32>, tensor<5x32xf32>) outs(%1 : tensor<5x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<5x32xf32>
  return %r, %c : tensor<5x32xf32>, tensor<5x32xf32>
}
