// RUN: gs-opt %s --gs-raise | filecheck %s
// RUN: gs-opt %s --gs-raise --gs-explain 2>&1 | filecheck %s --check-prefix=WHY
// RUN: gs-opt %s --gs-raise --convert-gs-to-linalg --canonicalize --gs-raise | filecheck %s

// Clamped and wrapped coordinates.

// CHECK-LABEL: func.func @clip
// CHECK: gs.generic (d0, d1) [s0 = %arg1[d0] mode(clip) wrap_negative]
// CHECK-SAME: ins(%arg0[s0, d1]) outs(%{{.*}}[d0, d1]) iterators(d0 = parallel, d1 = parallel)
func.func @clip(%x: tensor<100x64xf32>, %c: tensor<32xi64>, %o: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%c : tensor<32xi64>) outs(%o : tensor<32x64xf32>) {
  ^bb0(%in: i64, %out: f32):
    %j = linalg.index 1 : index
    %zero = arith.constant 0 : i64
    %size = arith.constant 100 : i64
    %last = arith.constant 99 : i64
    %negative = arith.cmpi slt, %in, %zero : i64
    %more = arith.addi %in, %size : i64
    %w = arith.select %negative, %more, %in : i64
    %low = arith.maxsi %w, %zero : i64
    %clamped = arith.minsi %low, %last : i64
    %i = arith.index_cast %clamped : i64 to index
    %e = tensor.extract %x[%i, %j] : tensor<100x64xf32>
    linalg.yield %e : f32
  } -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}

// A test of bounds is mode fill_or_drop.

// CHECK-LABEL: func.func @fill
// CHECK: gs.generic (d0) [s0 = %arg1[d0] mode(fill_or_drop)] ins(%arg0[s0] fill(7.000000e+00 : f32))
func.func @fill(%x: tensor<?xf32>, %c: tensor<32xi32>, %o: tensor<32xf32>) -> tensor<32xf32> {
  %seven = arith.constant 7.0 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%c : tensor<32xi32>) outs(%o : tensor<32xf32>) {
  ^bb0(%in: i32, %out: f32):
    %c0 = arith.constant 0 : index
    %n = tensor.dim %x, %c0 : tensor<?xf32>
    %i = arith.index_cast %in : i32 to index
    %inside = arith.cmpi ult, %i, %n : index
    %e = scf.if %inside -> (f32) {
      %got = tensor.extract %x[%i] : tensor<?xf32>
      scf.yield %got : f32
    } else {
      scf.yield %seven : f32
    }
    linalg.yield %e : f32
  } -> tensor<32xf32>
  return %r : tensor<32xf32>
}

// A coordinate of a coordinate, and a window.

// CHECK-LABEL: func.func @chain
// CHECK: gs.generic (d0, d1) [s0 = %arg1[d0], s1 = %arg2[s0]] ins(%arg0[d1 + s1]) outs(%{{.*}}[d0, d1])
func.func @chain(%x: tensor<?xf32>, %a: tensor<8xindex>, %b: tensor<?xi32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8xindex>) outs(%o : tensor<8x4xf32>) {
  ^bb0(%in: index, %out: f32):
    %j = linalg.index 1 : index
    %c = tensor.extract %b[%in] : tensor<?xi32>
    %i = arith.index_cast %c : i32 to index
    %k = arith.addi %i, %j : index
    %e = tensor.extract %x[%k] : tensor<?xf32>
    linalg.yield %e : f32
  } -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// A clamp to another size than that of the dimension stays, and a number of a point.

// WHY: gs-raise-linalg.mlir:[[# @LINE + 3]]:{{.*}}refused: stays as it is: a coordinate is not kept in the bounds
// CHECK-LABEL: func.func @other_size
// CHECK: linalg.generic
func.func @other_size(%x: tensor<100xf32>, %c: tensor<32xi64>, %o: tensor<32xf32>) -> tensor<32xf32> { %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%c : tensor<32xi64>) outs(%o : tensor<32xf32>) {
  ^bb0(%in: i64, %out: f32):
    %zero = arith.constant 0 : i64
    %last = arith.constant 50 : i64
    %low = arith.maxsi %in, %zero : i64
    %clamped = arith.minsi %low, %last : i64
    %i = arith.index_cast %clamped : i64 to index
    %e = tensor.extract %x[%i] : tensor<100xf32>
    linalg.yield %e : f32
  } -> tensor<32xf32>
  return %r : tensor<32xf32>
}

// WHY: refused: stays as it is: what is computed depends on the number of a step
// CHECK-LABEL: func.func @point
// CHECK: linalg.generic
func.func @point(%x: tensor<100xi64>, %c: tensor<32xindex>, %o: tensor<32xi64>) -> tensor<32xi64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%c : tensor<32xindex>) outs(%o : tensor<32xi64>) {
  ^bb0(%in: index, %out: i64):
    %n = linalg.index 0 : index
    %m = arith.index_cast %n : index to i64
    %e = tensor.extract %x[%in] : tensor<100xi64>
    %s = arith.addi %e, %m : i64
    linalg.yield %s : i64
  } -> tensor<32xi64>
  return %r : tensor<32xi64>
}
