// RUN: gs-opt %s --gs-generalize --gs-specialize --canonicalize | filecheck %s

// CHECK-LABEL: func.func @non_contiguous_dims
// CHECK: gs.gather %{{.*}}[%{{.*}}] gather_dims([0, 2])
// CHECK-NOT: gs.generic
func.func @non_contiguous_dims(%s: tensor<2x3x4xf32>, %i: tensor<5x6x2xindex>)
    -> tensor<5x6x3xf32> {
  %r = gs.gather %s[%i] gather_dims([0, 2])
      : (tensor<2x3x4xf32>, tensor<5x6x2xindex>) -> tensor<5x6x3xf32>
  return %r : tensor<5x6x3xf32>
}

// CHECK-LABEL: func.func @unit_dims_kept
// CHECK: gs.gather %
// CHECK-SAME: -> tensor<?x1x3x1xf32>
// CHECK-NOT: gs.generic
func.func @unit_dims_kept(%s: tensor<2x3x4xf32>, %i: tensor<?x2xi32>) -> tensor<?x1x3x1xf32> {
  %r = gs.gather %s[%i] gather_dims([0, 2]) mode(clip) wrap_negative
      : (tensor<2x3x4xf32>, tensor<?x2xi32>) -> tensor<?x1x3x1xf32>
  return %r : tensor<?x1x3x1xf32>
}

// CHECK-LABEL: func.func @batched_add
// CHECK: gs.scatter {{.*}} scatter_dims([1]) mode(drop) batch_dims(1) combine(add) :
// CHECK-NOT: gs.generic
func.func @batched_add(%u: tensor<2x5x4xf32>, %d: tensor<2x3x4xf32>, %i: tensor<2x5x1xi64>)
    -> tensor<2x3x4xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([1]) mode(drop) batch_dims(1) combine(add)
      : (tensor<2x5x4xf32>, tensor<2x3x4xf32>, tensor<2x5x1xi64>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// The window that a result needs is smaller than the one that was given.

// CHECK-LABEL: func.func @backwards
// CHECK: gs.strided_slice %{{.*}}[1, 1] [3, 3] [-2, 2]
func.func @backwards(%x: tensor<4x4xf32>) -> tensor<2x2xf32> {
  %y = gs.strided_slice %x[0, 1] [4, 3] [-2, 2] : (tensor<4x4xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// No name says this: two inputs.

// CHECK-LABEL: func.func @sparse_times_vector
// CHECK: gs.generic (
func.func @sparse_times_vector(%val: tensor<?xf32>, %x: tensor<9xf32>, %row: tensor<?xi32>,
                               %col: tensor<?xi32>, %y0: tensor<9xf32>) -> tensor<9xf32> {
  %y1 = gs.generic (d0) [s0 = %row[d0], s1 = %col[d0]]
      ins(%val[d0], %x[s1]) outs(%y0[s0]) iterators(d0 = reduction)
      : (tensor<?xf32>, tensor<9xf32>, tensor<?xi32>, tensor<?xi32>, tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%v: f32, %xe: f32, %acc: f32):
    %p = arith.mulf %v, %xe : f32
    %n = arith.addf %acc, %p : f32
    gs.yield %n : f32
  }
  return %y1 : tensor<9xf32>
}

// No name says this: the init of a gather that is not all overwritten, or is not empty.

// CHECK-LABEL: func.func @into_a_given_tensor
// CHECK: gs.generic (
func.func @into_a_given_tensor(%s: tensor<9xf32>, %i: tensor<3xi64>, %out: tensor<5xf32>)
    -> tensor<5xf32> {
  %r = gs.generic (d0) [s0 = %i[d0]] ins(%s[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (tensor<9xf32>, tensor<3xi64>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%e: f32, %old: f32):
    gs.yield %e : f32
  }
  return %r : tensor<5xf32>
}

// `unique` of a gs.generic speaks of what is written: of a gather it would speak of what is read.
// CHECK-LABEL: func.func @gather_from_repeated_places
// CHECK: gs.gather %arg0[%arg1] gather_dims([0]) :
func.func @gather_from_repeated_places(%x: tensor<?xf32>, %i: tensor<5x1xi32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %r = gs.generic (d0) [s0 = %i[d0, 0]] ins(%x[s0]) outs(%e[d0]) iterators(d0 = parallel) unique
      : (tensor<?xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return %r : tensor<5xf32>
}
