// RUN: gs-opt %s --gs-infer --gs-fuse-coordinates --split-input-file | filecheck %s

// Arithmetic that computes a coordinate goes where an element is read through it.
// CHECK-LABEL: func.func @rounded
// CHECK: gs.generic (d0) ins(%arg1[d0]) outs(
// CHECK: math.floor
// CHECK: %[[AT:.*]] = arith.index_cast
// CHECK: tensor.extract %arg0[%[[AT]]]
// CHECK-NOT: linalg.generic
// CHECK: return
#d = affine_map<(d) -> (d)>
func.func @rounded(%x: tensor<9xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %least = arith.constant 0 : i32
  %most = arith.constant 8 : i32
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %0 = tensor.empty(%n) : tensor<?xi32>
  %i = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]}
      ins(%y : tensor<?xf32>) outs(%0 : tensor<?xi32>) {
  ^bb0(%a: f32, %b: i32):
    %f = math.floor %a : f32
    %g = arith.fptosi %f : f32 to i32
    %h = arith.maxsi %g, %least : i32
    %k = arith.minsi %h, %most : i32
    linalg.yield %k : i32
  } -> tensor<?xi32>
  %m = tensor.dim %i, %c0 : tensor<?xi32>
  %1 = tensor.empty(%m) : tensor<?xf32>
  %r = gs.generic (d) [s = %i[d] mode(error) wrap_negative] ins(%x[s]) outs(%1[d])
      iterators(d = parallel) : (tensor<9xf32>, tensor<?xi32>, tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return %r : tensor<?xf32>
}

// -----

// Two coordinates, and an element that is scaled by what stands at its own place.
// CHECK-LABEL: func.func @pairs
// CHECK: gs.generic (d0, d1) ins(%arg2[d0, d1], %arg1[d0, d1]) outs(
// CHECK: arith.andi
// CHECK: tensor.extract %arg0[
// CHECK: arith.mulf
// CHECK-NOT: linalg.generic
// CHECK: return
#ij = affine_map<(i, j) -> (i, j)>
func.func @pairs(%x: tensor<8x8xf32>, %k: tensor<4x5xi64>, %w: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %mask = arith.constant 7 : i64
  %0 = tensor.empty() : tensor<4x5xi64>
  %i = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%k : tensor<4x5xi64>) outs(%0 : tensor<4x5xi64>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.andi %a, %mask : i64
    linalg.yield %c : i64
  } -> tensor<4x5xi64>
  %1 = tensor.empty() : tensor<4x5xf32>
  %r = gs.generic (d, e) [s = %i[d, e]] ins(%x[s, s], %w[d, e]) outs(%1[d, e])
      iterators(d = parallel, e = parallel)
      : (tensor<8x8xf32>, tensor<4x5xf32>, tensor<4x5xi64>, tensor<4x5xf32>) -> tensor<4x5xf32> {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    gs.yield %p : f32
  }
  return %r : tensor<4x5xf32>
}

// -----

// Stays: the coordinates may be out of bounds, and are looked at before anything is read.
// CHECK-LABEL: func.func @unknown
// CHECK: linalg.generic
// CHECK: gs.generic (d0) [s0 = %{{.*}}[d0] mode(error)]
#d = affine_map<(d) -> (d)>
func.func @unknown(%x: tensor<9xf32>, %k: tensor<5xi64>) -> tensor<5xf32> {
  %c1 = arith.constant 1 : i64
  %0 = tensor.empty() : tensor<5xi64>
  %i = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]}
      ins(%k : tensor<5xi64>) outs(%0 : tensor<5xi64>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.addi %a, %c1 : i64
    linalg.yield %c : i64
  } -> tensor<5xi64>
  %1 = tensor.empty() : tensor<5xf32>
  %r = gs.generic (d) [s = %i[d] mode(error)] ins(%x[s]) outs(%1[d])
      iterators(d = parallel) : (tensor<9xf32>, tensor<5xi64>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return %r : tensor<5xf32>
}

// -----

// Stays: a row is read through each coordinate, which would be computed for each of its elements.
// CHECK-LABEL: func.func @rows
// CHECK: linalg.generic
// CHECK: gs.generic (d0, d1) [s0 = %{{.*}}[d0]] ins(%arg0[s0, d1])
#d = affine_map<(d) -> (d)>
func.func @rows(%x: tensor<8x16xf32>, %k: tensor<5xi64>) -> tensor<5x16xf32> {
  %mask = arith.constant 7 : i64
  %0 = tensor.empty() : tensor<5xi64>
  %i = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]}
      ins(%k : tensor<5xi64>) outs(%0 : tensor<5xi64>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.andi %a, %mask : i64
    linalg.yield %c : i64
  } -> tensor<5xi64>
  %1 = tensor.empty() : tensor<5x16xf32>
  %r = gs.generic (d, j) [s = %i[d]] ins(%x[s, j]) outs(%1[d, j])
      iterators(d = parallel, j = parallel)
      : (tensor<8x16xf32>, tensor<5xi64>, tensor<5x16xf32>) -> tensor<5x16xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return %r : tensor<5x16xf32>
}

// -----

// Stays: the coordinates are a result as well, so they are stored anyway.
// CHECK-LABEL: func.func @returned
// CHECK: linalg.generic
// CHECK: gs.generic (d0) [s0 = %{{.*}}[d0]] ins(%arg0[s0])
#d = affine_map<(d) -> (d)>
func.func @returned(%x: tensor<8xf32>, %k: tensor<5xi64>) -> (tensor<5xf32>, tensor<5xi64>) {
  %mask = arith.constant 7 : i64
  %0 = tensor.empty() : tensor<5xi64>
  %i = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]}
      ins(%k : tensor<5xi64>) outs(%0 : tensor<5xi64>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.andi %a, %mask : i64
    linalg.yield %c : i64
  } -> tensor<5xi64>
  %1 = tensor.empty() : tensor<5xf32>
  %r = gs.generic (d) [s = %i[d]] ins(%x[s]) outs(%1[d])
      iterators(d = parallel) : (tensor<8xf32>, tensor<5xi64>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return %r, %i : tensor<5xf32>, tensor<5xi64>
}

// -----

// Loops that ask for their point stay.
// CHECK-LABEL: func.func @points
// CHECK: gs.generic
// CHECK: tensor.extract
// CHECK: linalg.generic
// CHECK: linalg.index
// CHECK: tensor.extract
#d = affine_map<(d) -> (d)>
func.func @points(%x: tensor<8xf32>, %k: tensor<5xi64>) -> (tensor<5xf32>, tensor<5xf32>) {
  %mask = arith.constant 7 : i64
  %0 = tensor.empty() : tensor<5xi64>
  %i = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]}
      ins(%k : tensor<5xi64>) outs(%0 : tensor<5xi64>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.andi %a, %mask : i64
    linalg.yield %c : i64
  } -> tensor<5xi64>
  %1 = tensor.empty() : tensor<5xf32>
  %r = gs.generic (d) [s = %i[d]] ins(%x[s]) outs(%1[d])
      iterators(d = parallel) : (tensor<8xf32>, tensor<5xi64>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  %s = linalg.generic {indexing_maps = [#d], iterator_types = ["parallel"]}
      outs(%1 : tensor<5xf32>) {
  ^bb0(%b: f32):
    %p = linalg.index 0 : index
    %e = tensor.extract %x[%p] : tensor<8xf32>
    linalg.yield %e : f32
  } -> tensor<5xf32>
  return %r, %s : tensor<5xf32>, tensor<5xf32>
}

// -----

// What is clipped, or wrapped and promised, needs no look at all coordinates before.
// CHECK-LABEL: func.func @clipped
// CHECK: gs.generic (d0) ins(%arg2[d0]) outs(
// CHECK: math.floor
// CHECK: arith.select
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: tensor.extract %arg0[
// CHECK: tensor.extract %arg1[
// CHECK-NOT: linalg.generic
// CHECK: return
#d = affine_map<(d) -> (d)>
func.func @clipped(%x: tensor<9xf32>, %z: tensor<7xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %0 = tensor.empty() : tensor<5xi32>
  %i = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]}
      ins(%y : tensor<5xf32>) outs(%0 : tensor<5xi32>) {
  ^bb0(%a: f32, %b: i32):
    %f = math.floor %a : f32
    %g = arith.fptosi %f : f32 to i32
    linalg.yield %g : i32
  } -> tensor<5xi32>
  %1 = tensor.empty() : tensor<5xf32>
  %r = gs.generic (d) [s = %i[d] mode(clip) wrap_negative; t = %i[d] wrap_negative]
      ins(%x[s], %z[t]) outs(%1[d]) iterators(d = parallel)
      : (tensor<9xf32>, tensor<7xf32>, tensor<5xi32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    gs.yield %s : f32
  }
  return %r : tensor<5xf32>
}

// -----

// Stays: there may be no place to clip to.
// CHECK-LABEL: func.func @clipped_to_a_size
// CHECK: linalg.generic
// CHECK: gs.generic (d0) [s0 = %{{.*}}[d0] mode(clip)]
#d = affine_map<(d) -> (d)>
func.func @clipped_to_a_size(%x: tensor<?xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %0 = tensor.empty() : tensor<5xi32>
  %i = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]}
      ins(%y : tensor<5xf32>) outs(%0 : tensor<5xi32>) {
  ^bb0(%a: f32, %b: i32):
    %f = math.floor %a : f32
    %g = arith.fptosi %f : f32 to i32
    linalg.yield %g : i32
  } -> tensor<5xi32>
  %1 = tensor.empty() : tensor<5xf32>
  %r = gs.generic (d) [s = %i[d] mode(clip)] ins(%x[s]) outs(%1[d])
      iterators(d = parallel) : (tensor<?xf32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return %r : tensor<5xf32>
}

// -----

// Each coordinate of a point is computed alone, and what is computed with it.
// CHECK-LABEL: func.func @columns
// CHECK: gs.generic (d0) ins(%arg1[d0, 0], %arg1[d0, 1]) outs(
// CHECK-COUNT-2: math.floor
// CHECK-NOT: math.floor
// CHECK: tensor.extract %arg0[
// CHECK-NOT: linalg.generic
// CHECK: return
#ij = affine_map<(i, j) -> (i, j)>
func.func @columns(%x: tensor<9x7xf32>, %p: tensor<5x2xf32>) -> tensor<5xf32> {
  %0 = tensor.empty() : tensor<5x2xf32>
  %f = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<5x2xf32>) outs(%0 : tensor<5x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = math.floor %a : f32
    linalg.yield %c : f32
  } -> tensor<5x2xf32>
  %1 = tensor.empty() : tensor<5x2xi32>
  %i = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%f : tensor<5x2xf32>) outs(%1 : tensor<5x2xi32>) {
  ^bb0(%a: f32, %b: i32):
    %c = arith.fptosi %a : f32 to i32
    linalg.yield %c : i32
  } -> tensor<5x2xi32>
  %w = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%p, %f : tensor<5x2xf32>, tensor<5x2xf32>) outs(%0 : tensor<5x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<5x2xf32>
  %2 = tensor.empty() : tensor<5xi32>
  %i0 = gs.generic (d) ins(%i[d, 0]) outs(%2[d]) : (tensor<5x2xi32>, tensor<5xi32>) -> tensor<5xi32> {
  ^bb0(%a: i32, %b: i32):
    gs.yield %a : i32
  }
  %i1 = gs.generic (d) ins(%i[d, 1]) outs(%2[d]) : (tensor<5x2xi32>, tensor<5xi32>) -> tensor<5xi32> {
  ^bb0(%a: i32, %b: i32):
    gs.yield %a : i32
  }
  %3 = tensor.empty() : tensor<5xf32>
  %w0 = gs.generic (d) ins(%w[d, 0]) outs(%3[d]) : (tensor<5x2xf32>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  %w1 = gs.generic (d) ins(%w[d, 1]) outs(%3[d]) : (tensor<5x2xf32>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  %g = gs.generic (d) [s = %i0[d] mode(clip); t = %i1[d] mode(clip)] ins(%x[s, t]) outs(%3[d])
      : (tensor<9x7xf32>, tensor<5xi32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>, affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      ins(%g, %w0, %w1 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%3 : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %d = arith.mulf %a, %b : f32
    %e = arith.addf %d, %c : f32
    linalg.yield %e : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// Stays: all coordinates are a result as well.
// CHECK-LABEL: func.func @columns_of_a_result
// CHECK: linalg.generic
// CHECK: gs.generic (d0) [s0 =
#ij = affine_map<(i, j) -> (i, j)>
func.func @columns_of_a_result(%x: tensor<9x7xf32>, %p: tensor<5x2xi32>) -> (tensor<5xf32>, tensor<5x2xi32>) {
  %0 = tensor.empty() : tensor<5x2xi32>
  %i = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%p, %p : tensor<5x2xi32>, tensor<5x2xi32>) outs(%0 : tensor<5x2xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %d = arith.muli %a, %b : i32
    linalg.yield %d : i32
  } -> tensor<5x2xi32>
  %2 = tensor.empty() : tensor<5xi32>
  %i0 = gs.generic (d) ins(%i[d, 0]) outs(%2[d]) : (tensor<5x2xi32>, tensor<5xi32>) -> tensor<5xi32> {
  ^bb0(%a: i32, %b: i32):
    gs.yield %a : i32
  }
  %i1 = gs.generic (d) ins(%i[d, 1]) outs(%2[d]) : (tensor<5x2xi32>, tensor<5xi32>) -> tensor<5xi32> {
  ^bb0(%a: i32, %b: i32):
    gs.yield %a : i32
  }
  %3 = tensor.empty() : tensor<5xf32>
  %g = gs.generic (d) [s = %i0[d] mode(clip); t = %i1[d] mode(clip)] ins(%x[s, t]) outs(%3[d])
      : (tensor<9x7xf32>, tensor<5xi32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return %g, %i : tensor<5xf32>, tensor<5x2xi32>
}

// -----

// Stays: each column would be computed for each of the eight places around it.
// CHECK-LABEL: func.func @columns_of_places
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: tensor<5x2xi32>
// CHECK: gs.generic
#ij = affine_map<(i, j) -> (i, j)>
func.func @columns_of_places(%x: tensor<9xf32>, %p: tensor<5x2xf32>, %o: tensor<8xi32>) -> tensor<5x8xf32> {
  %0 = tensor.empty() : tensor<5x2xi32>
  %i = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<5x2xf32>) outs(%0 : tensor<5x2xi32>) {
  ^bb0(%a: f32, %b: i32):
    %c = math.exp %a : f32
    %d = arith.fptosi %c : f32 to i32
    linalg.yield %d : i32
  } -> tensor<5x2xi32>
  %2 = tensor.empty() : tensor<5xi32>
  %i0 = gs.generic (d) ins(%i[d, 0]) outs(%2[d]) : (tensor<5x2xi32>, tensor<5xi32>) -> tensor<5xi32> {
  ^bb0(%a: i32, %b: i32):
    gs.yield %a : i32
  }
  %3 = tensor.empty() : tensor<5x8xi32>
  %k = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%i0, %o : tensor<5xi32>, tensor<8xi32>) outs(%3 : tensor<5x8xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %d = arith.addi %a, %b : i32
    linalg.yield %d : i32
  } -> tensor<5x8xi32>
  %4 = tensor.empty() : tensor<5x8xf32>
  %g = gs.generic (d, e) [s = %k[d, e] mode(clip)] ins(%x[s]) outs(%4[d, e])
      : (tensor<9xf32>, tensor<5x8xi32>, tensor<5x8xf32>) -> tensor<5x8xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return %g : tensor<5x8xf32>
}

// -----

// Stays: no place is in both inputs.
// CHECK-LABEL: func.func @clipped_apart
// CHECK: gs.generic (d0) [s0 = %{{.*}}[d0] mode(clip)]
#d = affine_map<(d) -> (d)>
func.func @clipped_apart(%x: tensor<3xf32>, %z: tensor<5xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xi32>
  %i = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]}
      ins(%y : tensor<4xf32>) outs(%0 : tensor<4xi32>) {
  ^bb0(%a: f32, %b: i32):
    %f = math.floor %a : f32
    %g = arith.fptosi %f : f32 to i32
    linalg.yield %g : i32
  } -> tensor<4xi32>
  %1 = tensor.empty() : tensor<4xf32>
  %r = gs.generic (d) [s = %i[d] mode(clip)] ins(%x[s], %z[s + 5]) outs(%1[d])
      iterators(d = parallel)
      : (tensor<3xf32>, tensor<5xf32>, tensor<4xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    gs.yield %s : f32
  }
  return %r : tensor<4xf32>
}
