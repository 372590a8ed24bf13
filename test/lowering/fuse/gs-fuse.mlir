// RUN: gs-opt %s --gs-generalize --gs-fuse --gs-explain --split-input-file 2>%t.notes | filecheck %s
// RUN: filecheck %s --check-prefix=CHECK-REMARK --input-file=%t.notes

// A gather of a gather reads the coordinates through coordinates.
// CHECK-LABEL: func.func @gather_of_gather
// CHECK: gs.generic (d0) [s0 = %arg2[d0, 0], s1 = %arg1[s0, 0]] ins(%arg0[s1]) outs(
// CHECK-NOT: gs.generic (
// CHECK: return
// CHECK-REMARK: gs-fuse.mlir:12:8: remark: 'gs.generic' merged: 'gs.generic' at {{.*}}gs-fuse.mlir:11:8
func.func @gather_of_gather(%x: tensor<9xf32>, %i: tensor<5x1xi32>, %k: tensor<7x1xi64>) -> tensor<7xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  %r = gs.gather %g[%k] gather_dims([0]) : (tensor<5xf32>, tensor<7x1xi64>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// A result that is needed elsewhere is not computed twice.
// CHECK-LABEL: func.func @used_elsewhere
// CHECK-COUNT-2: gs.generic (
// CHECK-REMARK: remark: 'gs.generic' refused: 'gs.generic' at {{.*}} is not merged: its result is also used elsewhere
func.func @used_elsewhere(%x: tensor<9xf32>, %i: tensor<5x1xi32>, %k: tensor<7x1xi64>) -> (tensor<7xf32>, tensor<5xf32>) {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  %r = gs.gather %g[%k] gather_dims([0]) : (tensor<5xf32>, tensor<7x1xi64>) -> tensor<7xf32>
  return %r, %g : tensor<7xf32>, tensor<5xf32>
}

// -----

// A scatter does not write each element of its result once.
// CHECK-LABEL: func.func @after_scatter
// CHECK-COUNT-2: gs.generic (
// CHECK-REMARK: refused: {{.*}} is not merged: it reduces or scatters
func.func @after_scatter(%u: tensor<5xf32>, %y: tensor<9xf32>, %i: tensor<5x1xi32>, %k: tensor<7x1xi64>) -> tensor<7xf32> {
  %s = gs.scatter %u into %y[%i] scatter_dims([0])
      : (tensor<5xf32>, tensor<9xf32>, tensor<5x1xi32>) -> tensor<9xf32>
  %r = gs.gather %s[%k] gather_dims([0]) : (tensor<9xf32>, tensor<7x1xi64>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// Rows that are read several times are not computed several times.
#ij = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func @computed_again
// CHECK: linalg.generic
// CHECK: gs.generic (
// CHECK-REMARK: refused: 'linalg.generic' at {{.*}} is not merged: it would be computed again for each point of d0
func.func @computed_again(%x: tensor<9x4xf32>, %k: tensor<70x1xi64>) -> tensor<70x4xf32> {
  %e = tensor.empty() : tensor<9x4xf32>
  %t = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<9x4xf32>) outs(%e : tensor<9x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = math.tanh %a : f32
    linalg.yield %n : f32
  } -> tensor<9x4xf32>
  %r = gs.gather %t[%k] gather_dims([0]) : (tensor<9x4xf32>, tensor<70x1xi64>) -> tensor<70x4xf32>
  return %r : tensor<70x4xf32>
}

// -----

// Fewer points than elements: the few are computed where they are read.
#ij = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func @computed_less
// CHECK-NOT: linalg.generic
// CHECK: math.tanh
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @computed_less(%x: tensor<90x4xf32>, %k: tensor<7x1xi64>) -> tensor<7x4xf32> {
  %e = tensor.empty() : tensor<90x4xf32>
  %t = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<90x4xf32>) outs(%e : tensor<90x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = math.tanh %a : f32
    linalg.yield %n : f32
  } -> tensor<90x4xf32>
  %r = gs.gather %t[%k] gather_dims([0]) : (tensor<90x4xf32>, tensor<7x1xi64>) -> tensor<7x4xf32>
  return %r : tensor<7x4xf32>
}

// -----

// What would be filled is no number to compute with: tanh(fill) is not fill.
#i = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @filled
// CHECK: linalg.generic
// CHECK: gs.generic (
// CHECK-REMARK: is not merged: what is computed would be computed from fill values
func.func @filled(%x: tensor<90xf32>, %k: tensor<7x1xi64>) -> tensor<7xf32> {
  %e = tensor.empty() : tensor<90xf32>
  %t = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%x : tensor<90xf32>) outs(%e : tensor<90xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = math.tanh %a : f32
    linalg.yield %n : f32
  } -> tensor<90xf32>
  %r = gs.gather %t[%k] gather_dims([0]) mode(fill)
      : (tensor<90xf32>, tensor<7x1xi64>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// Without `unique` a later read would see an earlier write.
// CHECK-LABEL: func.func @update_not_unique
// CHECK-COUNT-2: gs.generic (
// CHECK-REMARK: is not merged: it reads the tensor that is written
func.func @update_not_unique(%x: tensor<100x8xf32> {bufferization.writable = true}, %i: tensor<5x1xi64>) -> tensor<100x8xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<100x8xf32>, tensor<5x1xi64>) -> tensor<5x8xf32>
  %r = gs.scatter %g into %x[%i] scatter_dims([0]) combine(add)
      : (tensor<5x8xf32>, tensor<100x8xf32>, tensor<5x1xi64>) -> tensor<100x8xf32>
  return %r : tensor<100x8xf32>
}

// -----

// The coordinates of the first are looked at before, so that each op says which of its own is wrong.
// CHECK-LABEL: func.func @two_errors
// CHECK: scf.for
// CHECK: func.call @__gs_raise_2
// CHECK: gs.generic (d0) [s0 = %arg2[d0, 0] mode(error), s1 = %arg1[s0, 0]] ins(%arg0[s1])
// CHECK-NOT: gs.generic (
// CHECK: return
func.func @two_errors(%x: tensor<9xf32>, %i: tensor<5x1xi32>, %k: tensor<7x1xi64>) -> tensor<7xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(error)
      : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  %r = gs.gather %g[%k] gather_dims([0]) mode(error)
      : (tensor<5xf32>, tensor<7x1xi64>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// In a loop, what promises to be in bounds could move to before the checks.
// CHECK-LABEL: func.func @two_errors_in_a_loop
// CHECK-COUNT-2: gs.generic (
// CHECK-REMARK: is not merged: both ops report coordinates that are out of bounds
func.func @two_errors_in_a_loop(%x: tensor<9xf32>, %i: tensor<5x1xi32>, %k: tensor<7x1xi64>, %n: index, %y: tensor<7xf32>) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = scf.for %a = %c0 to %n step %c1 iter_args(%b = %y) -> tensor<7xf32> {
    %g = gs.gather %x[%i] gather_dims([0]) mode(error)
        : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
    %r = gs.gather %g[%k] gather_dims([0]) mode(error)
        : (tensor<5xf32>, tensor<7x1xi64>) -> tensor<7xf32>
    scf.yield %r : tensor<7xf32>
  }
  return %z : tensor<7xf32>
}

// -----

// A coordinate whose element is not read is looked at all the same.
// CHECK-LABEL: func.func @error_not_seen
// CHECK: func.call @__gs_raise_2
// CHECK: gs.generic (d0) [s0 = %arg2[d0, 0], s1 = %arg1[s0, 0]] ins(%arg0[s1])
// CHECK-NOT: gs.generic (
// CHECK: return
func.func @error_not_seen(%x: tensor<9xf32>, %i: tensor<5x1xi32>, %k: tensor<7x1xi64>) -> tensor<7xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(error)
      : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  %r = gs.gather %g[%k] gather_dims([0]) : (tensor<5xf32>, tensor<7x1xi64>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// A constant of equal elements is a constant in the body.
// CHECK-LABEL: func.func @scaled_by_constant
// CHECK: gs.generic {{.*}} = %arg1[{{.*}} ins(%arg0[{{.*}} outs(%{{.*}}[
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[C:.*]] = arith.constant 2.500000e+00 : f32
// CHECK-NEXT: arith.mulf %{{.*}}, %[[C]]
#i = affine_map<(i) -> (i)>
func.func @scaled_by_constant(%x: tensor<9xf32>, %k: tensor<7x1xi64>) -> tensor<7xf32> {
  %c = arith.constant dense<2.5> : tensor<7xf32>
  %e = tensor.empty() : tensor<7xf32>
  %g = gs.gather %x[%k] gather_dims([0]) : (tensor<9xf32>, tensor<7x1xi64>) -> tensor<7xf32>
  %r = linalg.generic {indexing_maps = [#i, #i, #i], iterator_types = ["parallel"]} ins(%g, %c : tensor<7xf32>, tensor<7xf32>) outs(%e : tensor<7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// What reads nothing: rows of a number that is computed are added without being written.
#jk = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func @reads_nothing
// CHECK-NOT: linalg.generic
// CHECK: gs.generic {{.*}} = %arg2[{{.*}} outs(%arg0[
// CHECK: math.sqrt
func.func @reads_nothing(%y: tensor<9x4xf32>, %x: f32, %i: tensor<5x1xi32>) -> tensor<9x4xf32> {
  %e = tensor.empty() : tensor<5x4xf32>
  %t = linalg.generic {indexing_maps = [#jk], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x4xf32>) {
  ^bb0(%o: f32):
    %n = math.sqrt %x : f32
    linalg.yield %n : f32
  } -> tensor<5x4xf32>
  %r = gs.scatter %t into %y[%i] scatter_dims([0]) combine(add)
      : (tensor<5x4xf32>, tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<9x4xf32>
  return %r : tensor<9x4xf32>
}

// -----

// Tensors that repeat a scalar are not made: linalg.generic and gs.generic read the scalar.
// CHECK-LABEL: func.func @splat
// CHECK-SAME: (%[[Y:.*]]: tensor<?x4xf32>, %[[X:.*]]: f32
// CHECK: gs.generic {{.*}} ins(%[[Y]][
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.mulf %{{.*}}, %[[X]]
// CHECK: gs.generic (
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.addf %{{.*}}, %[[X]]
#rows = affine_map<(i, j) -> (i, j)>
func.func @splat(%y: tensor<?x4xf32>, %x: f32, %i: tensor<?x1xi32>, %z: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi32>
  %s = tensor.splat %x[%n] : tensor<?x4xf32>
  %g = gs.gather %y[%i] gather_dims([0]) : (tensor<?x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %t = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%g, %s : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<?x4xf32>
  %r = gs.scatter %s into %z[%i] scatter_dims([0]) combine(add)
      : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  return %t, %r : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// `sorted` speaks of what is written: it stays when something is merged that reads through others.
// CHECK-LABEL: func.func @sorted_scatter
// CHECK: gs.generic {{.*}} sorted
// CHECK: arith.addf
// CHECK-NOT: gs.generic (
// CHECK: return
func.func @sorted_scatter(%x: tensor<9xf32>, %y: tensor<6xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi32>) -> tensor<6xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %r = gs.scatter %g into %y[%k] scatter_dims([0]) sorted combine(add)
      : (tensor<?xf32>, tensor<6xf32>, tensor<?x1xi32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// Nothing is written through coordinates: `sorted` spoke of the one input that was read through
// some, and does not hold for two.
// CHECK-LABEL: func.func @sorted_gather
// CHECK: gs.generic (
// CHECK-NOT: sorted
// CHECK-NOT: gs.generic (
// CHECK: return
func.func @sorted_gather(%x: tensor<9xf32>, %i: tensor<9x1xi32>, %k: tensor<5x1xi32>) -> tensor<5xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<9x1xi32>) -> tensor<9xf32>
  %r = gs.gather %g[%k] gather_dims([0]) unique sorted
      : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// A coordinate into a dim of one is not needed, but where it is read another one is clipped.
// CHECK-LABEL: func.func @only_for_the_bounds
// CHECK: gs.generic (d0) [s0 = %{{[^ ]*}}[d0, 0] mode(clip), s1 = %{{[^ ]*}}[s0, 0]] ins(
// CHECK-NOT: gs.generic (
// CHECK: return
func.func @only_for_the_bounds(%w: tensor<1xf32>, %k: tensor<3x1xi32>, %m: tensor<5x1xi32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %c = tensor.collapse_shape %w [] : tensor<1xf32> into tensor<f32>
  %b = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%c : tensor<f32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  %r = gs.gather %b[%k] gather_dims([0]) mode(clip)
      : (tensor<4xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  %t = gs.gather %r[%m] gather_dims([0]) mode(clip)
      : (tensor<3xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return %t : tensor<5xf32>
}

// -----

// Read as elements and as coordinates, a gather is not made twice.
// CHECK-LABEL: func.func @read_twice
// CHECK-COUNT-2: gs.generic (
// CHECK-NOT: gs.generic (
// CHECK: return
// CHECK-REMARK: is not merged: its result is read at several places
func.func @read_twice(%r0: tensor<9x1xi64>) -> tensor<9x1xi64> {
  %r1 = gs.gather %r0[%r0] gather_dims([0]) : (tensor<9x1xi64>, tensor<9x1xi64>) -> tensor<9x1xi64>
  %r2 = gs.gather %r1[%r1] gather_dims([0]) : (tensor<9x1xi64>, tensor<9x1xi64>) -> tensor<9x1xi64>
  return %r2 : tensor<9x1xi64>
}

// -----

// An op may read elements in its body. It merges what it reads, and goes into what reads it.
// CHECK-LABEL: func.func @reads_inside
// CHECK: gs.generic (d0, d1) ins(%arg1[d0, d1 + 1]) outs(
// CHECK: tensor.extract %arg0
// CHECK: arith.negf
// CHECK-NOT: gs.generic
// CHECK: return
#one = affine_map<(d) -> (d)>
#two = affine_map<(d, e) -> (d, e)>
func.func @reads_inside(%x: tensor<8xf32>, %k: tensor<5x2xindex>) -> tensor<5x1xf32> {
  %column = gs.strided_slice %k[0, 1] [5, 1] [1, 1] : (tensor<5x2xindex>) -> tensor<5x1xindex>
  %empty = tensor.empty() : tensor<5x1xf32>
  %r = gs.generic (d, e) ins(%column[d, e]) outs(%empty[d, e])
      iterators(d = parallel, e = parallel)
      : (tensor<5x1xindex>, tensor<5x1xf32>) -> tensor<5x1xf32> {
  ^bb0(%at: index, %old: f32):
    %read = tensor.extract %x[%at] : tensor<8xf32>
    gs.yield %read : f32
  }
  %s = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<5x1xf32>) outs(%empty : tensor<5x1xf32>) {
  ^bb0(%a: f32, %old: f32):
    %b = arith.negf %a : f32
    linalg.yield %b : f32
  } -> tensor<5x1xf32>
  return %s : tensor<5x1xf32>
}

// Such a read does not come to stand after a write to its tensor.
// CHECK-LABEL: func.func @written_between
// CHECK: gs.generic
// CHECK: tensor.extract %arg0
// CHECK: gs.generic {{.*}} outs(%arg0
// CHECK-REMARK: is not merged: what it reads is written before its result is used
// CHECK: linalg.generic
// CHECK: return
func.func @written_between(%x: tensor<5xf32> {bufferization.writable = true},
    %k: tensor<5xindex>, %y: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %empty = tensor.empty() : tensor<5xf32>
  %r = gs.generic (d) ins(%k[d]) outs(%empty[d]) iterators(d = parallel)
      : (tensor<5xindex>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%at: index, %old: f32):
    %read = tensor.extract %x[%at] : tensor<5xf32>
    gs.yield %read : f32
  }
  %w = gs.generic (d) [s = %k[d]] ins(%y[d]) outs(%x[s]) iterators(d = reduction)
      : (tensor<5xf32>, tensor<5xindex>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%new: f32, %old: f32):
    gs.yield %new : f32
  }
  %s = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%r : tensor<5xf32>) outs(%empty : tensor<5xf32>) {
  ^bb0(%a: f32, %old: f32):
    %b = arith.negf %a : f32
    linalg.yield %b : f32
  } -> tensor<5xf32>
  return %w, %s : tensor<5xf32>, tensor<5xf32>
}

// Coordinates that are broadcast are checked where they lie.
// CHECK-LABEL: func.func @broadcast_errors
// CHECK-NOT: linalg.generic
// CHECK: tensor.extract %arg1[%{{.*}}] : tensor<5xi64>
// CHECK-NOT: linalg.generic
// CHECK: gs.generic (d0, d1) [s0 = %arg2[d0] mode(error), s1 = %arg1[d0]] ins(%arg0[s1, d1])
// CHECK: return
func.func @broadcast_errors(%x: tensor<9x4xf32>, %i: tensor<5xi64>, %k: tensor<5xi64>, %y: tensor<7x4xf32>) -> tensor<7x4xf32> {
  %0 = tensor.empty() : tensor<5x4xi64>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<5xi64>) outs(%0 : tensor<5x4xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<5x4xi64>
  %1 = tensor.empty() : tensor<5x4xf32>
  %g = gs.generic (d0, d1) [s0 = %b[d0, d1] mode(error)] ins(%x[s0, d1]) outs(%1[d0, d1])
      iterators(d0 = parallel, d1 = parallel) : (tensor<9x4xf32>, tensor<5x4xi64>, tensor<5x4xf32>) -> tensor<5x4xf32> {
  ^bb0(%e: f32, %old: f32):
    gs.yield %e : f32
  }
  %r = gs.generic (d0, d1) [s0 = %k[d0] mode(error)] ins(%g[d0, d1]) outs(%y[s0, d1])
      iterators(d0 = reduction, d1 = parallel) : (tensor<5x4xf32>, tensor<5xi64>, tensor<7x4xf32>) -> tensor<7x4xf32> {
  ^bb0(%e: f32, %old: f32):
    %sum = arith.addf %old, %e : f32
    gs.yield %sum : f32
  }
  return %r : tensor<7x4xf32>
}
