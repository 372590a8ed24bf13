// RUN: gs-opt %s --gs-generalize --gs-fuse --canonicalize --split-input-file | filecheck %s

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

// -----

// A stencil over a pad. Loops over the inside read what is padded, those of the edges the number.
// CHECK-LABEL: func.func @pad
// CHECK-SAME: (%[[X:.*]]: tensor<64xf32>)
// CHECK-NOT: tensor.pad
// CHECK: gs.generic (d0) ins(%[[X]][d0]) outs(%{{.*}}) {{.*}}tensor<1xf32>
// CHECK: gs.generic (d0) ins(%[[X]][d0], %[[X]][d0 + 1]) outs(%{{.*}}) {{.*}}tensor<63xf32>
// CHECK-NOT: gs.generic
#i = affine_map<(i) -> (i)>
func.func @pad(%x: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1] high[0] {
  ^bb0(%k: index):
    tensor.yield %zero : f32
  } : tensor<64xf32> to tensor<65xf32>
  %a = gs.strided_slice %p[0] [64] [1] : (tensor<65xf32>) -> tensor<64xf32>
  %b = gs.strided_slice %p[1] [64] [1] : (tensor<65xf32>) -> tensor<64xf32>
  %0 = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%0 : tensor<64xf32>) {
  ^bb0(%p1: f32, %q: f32, %o: f32):
    %m = arith.subf %p1, %q : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

// Slices put into a tensor are pieces as well: neighbours around a ring.
// CHECK-LABEL: func.func @ring
// CHECK-SAME: (%[[X:.*]]: tensor<64xf32>)
// CHECK-NOT: tensor.insert_slice
// CHECK: gs.generic (d0) ins(%[[X]][d0], %[[X]][d0 + 63]) outs(%{{.*}}) {{.*}}tensor<1xf32>
// CHECK: gs.generic (d0) ins(%[[X]][d0 + 1], %[[X]][d0]) outs(%{{.*}}) {{.*}}tensor<63xf32>
// CHECK-NOT: gs.generic
#i = affine_map<(i) -> (i)>
func.func @ring(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = tensor.empty() : tensor<64xf32>
  %last = gs.strided_slice %x[63] [1] [1] : (tensor<64xf32>) -> tensor<1xf32>
  %rest = gs.strided_slice %x[0] [63] [1] : (tensor<64xf32>) -> tensor<63xf32>
  %1 = tensor.insert_slice %last into %0[0] [1] [1] : tensor<1xf32> into tensor<64xf32>
  %2 = tensor.insert_slice %rest into %1[1] [63] [1] : tensor<63xf32> into tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]}
      ins(%x, %2 : tensor<64xf32>, tensor<64xf32>) outs(%0 : tensor<64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.subf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

// Sizes that are known when the program runs stay those of the output.
// CHECK-LABEL: func.func @unknown_rows
// CHECK-SAME: %[[N:[a-z0-9]*]]: index)
// CHECK-NOT: tensor.concat
// CHECK: tensor.extract_slice {{.*}}[0, 0] [%[[N]], 32] [1, 1]
// CHECK: tensor.extract_slice {{.*}}[0, 32] [%[[N]], 16] [1, 1]
#ij = affine_map<(i, j) -> (i, j)>
func.func @unknown_rows(%a: tensor<?x32xf32>, %b: tensor<?x16xf32>, %n: index) -> tensor<?x48xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<?x32xf32>, tensor<?x16xf32>) -> tensor<?x48xf32>
  %0 = tensor.empty(%n) : tensor<?x48xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<?x48xf32>) outs(%0 : tensor<?x48xf32>) {
  ^bb0(%p: f32, %o: f32):
    %m = arith.negf %p : f32
    linalg.yield %m : f32
  } -> tensor<?x48xf32>
  return %r : tensor<?x48xf32>
}

// -----

// Stays: there are no elements.
// CHECK-LABEL: func.func @no_rows
// CHECK: tensor.concat
#ij = affine_map<(i, j) -> (i, j)>
func.func @no_rows(%a: tensor<0x32xf32>, %b: tensor<0x16xf32>) -> tensor<0x48xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<0x32xf32>, tensor<0x16xf32>) -> tensor<0x48xf32>
  %0 = tensor.empty() : tensor<0x48xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<0x48xf32>) outs(%0 : tensor<0x48xf32>) {
  ^bb0(%p: f32, %o: f32):
    %m = arith.negf %p : f32
    linalg.yield %m : f32
  } -> tensor<0x48xf32>
  return %r : tensor<0x48xf32>
}

// -----

// Stays: without the pad, nothing says how many elements there are to add.
// CHECK-LABEL: func.func @sums
// CHECK: tensor.pad
func.func @sums(%x: tensor<40x4xf32>, %y: tensor<50xf32>) -> tensor<50xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[5, 0] high[5, 0] {
  ^bb0(%k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<40x4xf32> to tensor<50x4xf32>
  %r = gs.generic (i, j) ins(%p[i, j]) outs(%y[i]) iterators(i = parallel, j = reduction) : (tensor<50x4xf32>, tensor<50xf32>) -> tensor<50xf32> {
  ^bb0(%e: f32, %o: f32):
    %s = arith.addf %o, %e : f32
    gs.yield %s : f32
  }
  return %r : tensor<50xf32>
}

// -----

// Stays: the pad has fewer rows than the output, so that the other rows are not written.
// CHECK-LABEL: func.func @fewer_rows
// CHECK: tensor.pad
func.func @fewer_rows(%x: tensor<4x40xf32>, %y: tensor<6x50xf32>) -> tensor<6x50xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 5] high[0, 5] {
  ^bb0(%k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<4x40xf32> to tensor<4x50xf32>
  %r = gs.generic (i, j) ins(%p[i, j]) outs(%y[i, j]) iterators(i = parallel, j = parallel) : (tensor<4x50xf32>, tensor<6x50xf32>) -> tensor<6x50xf32> {
  ^bb0(%e: f32, %o: f32):
    %m = arith.negf %e : f32
    gs.yield %m : f32
  }
  return %r : tensor<6x50xf32>
}
