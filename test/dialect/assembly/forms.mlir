// RUN: gs-opt %s --verify-roundtrip --mlir-print-op-generic --mlir-print-local-scope | filecheck %s --check-prefix=GENERIC
// RUN: gs-opt %s --verify-roundtrip | filecheck %s
// RUN: gs-opt %s | gs-opt | filecheck %s
// RUN: gs-opt %s --emit-bytecode | gs-opt | filecheck %s

#rows = affine_map<(d0) -> (d0)>
!row = tensor<3x4xf32>

// CHECK-LABEL: func.func @named
// GENERIC: sym_name = "named"
func.func @named(%x: tensor<6x4xf32>, %i: tensor<3x1xi32>, %d: tensor<6x4xf32>, %k: tensor<3x4xi64>)
    -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<2x2xf32>, tensor<?x4xf32>) {
  // CHECK: %[[G:.*]] = gs.gather %{{.*}}[%{{.*}}] gather_dims([0]) sorted mode(clip) wrap_negative : (tensor<6x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  // GENERIC: "gs.gather"(%{{.*}}, %{{.*}}) {gather_dims = array<i64: 0>, mode = "clip", sorted, wrap_negative} : (tensor<6x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  %g = gs.gather %x[%i] gather_dims([0]) wrap_negative mode(clip) sorted
      : (tensor<6x4xf32>, tensor<3x1xi32>) -> !row
  // CHECK: gs.gather {{.*}} gather_dims([0]) mode(fill) fill_value(1.500000e+00 : f32) {my.note = "gs.gather %x"}
  %h = gs.gather %x[%i] gather_dims([0]) mode("fill") fill_value(1.5 : f32) {my.note = "gs.gather %x"}
      : (tensor<6x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  // CHECK: gs.scatter %[[G]] into %{{.*}}[%{{.*}}] scatter_dims([0]) combine(add) : (tensor<3x4xf32>, tensor<6x4xf32>, tensor<3x1xi32>) -> tensor<6x4xf32>
  // GENERIC: "gs.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) ({
  // GENERIC-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
  // GENERIC-NEXT: %[[S:.*]] = "arith.addf"(%[[A]], %[[B]])
  // GENERIC-NEXT: "gs.yield"(%[[S]]) : (f32) -> ()
  // GENERIC-NEXT: }) {scatter_dims = array<i64: 0>}
  %s = gs.scatter %g into %d[%i] scatter_dims([0]) combine(add)
      : (!row, tensor<6x4xf32>, tensor<3x1xi32>) -> tensor<6x4xf32>
  // CHECK: gs.scatter {{.*}} scatter_dims([0]) : (tensor<3x4xf32>, tensor<6x4xf32>, tensor<3x1xi32>) -> tensor<6x4xf32> {
  // CHECK-NEXT: ^bb0(%[[C:.*]]: f32, %[[U:.*]]: f32):
  // CHECK-NEXT: %[[D:.*]] = arith.subf %[[C]], %[[U]] : f32
  // CHECK-NEXT: gs.yield %[[D]] : f32
  // CHECK-NEXT: }
  %t = gs.scatter %g into %s[%i] scatter_dims([0])
      : (tensor<3x4xf32>, tensor<6x4xf32>, tensor<3x1xi32>) -> tensor<6x4xf32> {
  ^bb0(%current: f32, %update: f32):
    %new = arith.subf %current, %update : f32
    gs.yield %new : f32
  }
  // CHECK: %[[E:.*]] = gs.gather_elements %{{.*}}[%{{.*}}] dim(0) : (tensor<6x4xf32>, tensor<3x4xi64>) -> tensor<3x4xf32>
  %e = gs.gather_elements %x[%k] dim(0) : (tensor<6x4xf32>, tensor<3x4xi64>) -> tensor<3x4xf32>
  // CHECK: gs.scatter_elements %[[E]] into %{{.*}}[%{{.*}}] dim(0) mode(drop) : (
  // GENERIC: "gs.scatter_elements"(%{{.*}}) ({
  // GENERIC-NEXT: }) {dim = 0 : i64, mode = "drop"}
  %f = gs.scatter_elements %e into %t[%k] dim(0) mode(drop)
      : (tensor<3x4xf32>, tensor<6x4xf32>, tensor<3x4xi64>) -> tensor<6x4xf32>
  // CHECK: gs.strided_slice %{{.*}}[0, 1] [4, 3] [-2, 2] : (tensor<6x4xf32>) -> tensor<2x2xf32>
  %w = gs.strided_slice %x[0, 1] [4, 3] [-2, 2] : (tensor<6x4xf32>) -> tensor<2x2xf32>
  // CHECK: %[[H:.*]]:2 = gs.histogram %{{.*}} at %{{.*}} sorted combine(max) : (tensor<3x4xf32>, tensor<3x1xi32>) -> (tensor<?x4xf32>, tensor<?x1xi32>)
  %b:2 = gs.histogram %h at %i sorted combine(max)
      : (tensor<3x4xf32>, tensor<3x1xi32>) -> (tensor<?x4xf32>, tensor<?x1xi32>)
  // CHECK: return {{.*}}, %[[H]]#0
  return %t, %f, %w, %b#0 : tensor<6x4xf32>, tensor<6x4xf32>, tensor<2x2xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @generic
// CHECK-SAME: (%[[VAL:.*]]: tensor<?xf32>, %[[X:.*]]: tensor<9xf32>, %[[ROW:.*]]: tensor<?xi32>, %[[COL:.*]]: tensor<?xi32>, %[[Y:.*]]: tensor<9xf32>)
// GENERIC: sym_name = "generic"
func.func @generic(%val: tensor<?xf32>, %x: tensor<9xf32>, %row: tensor<?xi32>, %col: tensor<?xi32>,
                   %y0: tensor<9xf32>) -> tensor<9xf32> {
  // CHECK: %[[Y1:.*]] = gs.generic (d0) [s0 = %[[ROW]][d0], s1 = %[[COL]][d0]] ins(%[[VAL]][d0], %[[X]][s1]) outs(%[[Y]][s0]) iterators(d0 = reduction) : (tensor<?xf32>, tensor<9xf32>, tensor<?xi32>, tensor<?xi32>, tensor<9xf32>) -> tensor<9xf32> {
  // CHECK-NEXT: ^bb0
  // CHECK: gs.yield %{{.*}} : f32
  // GENERIC: coordinate_maps = {{\[\[}}affine_map<(d0)[s0, s1] -> (d0)>], [affine_map<(d0)[s0, s1] -> (d0)>]]
  // GENERIC-SAME: operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>
  %y1 = gs.generic (e) [r = %row[e], c = %col[e]]
          ins(%val[e], %x[c]) outs(%y0[r]) iterators(e = reduction)
          : (tensor<?xf32>, tensor<9xf32>, tensor<?xi32>, tensor<?xi32>, tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%v: f32, %xe: f32, %acc: f32):
    %p = arith.mulf %v, %xe : f32
    %n = arith.addf %acc, %p : f32
    gs.yield %n : f32
  }
  return %y1 : tensor<9xf32>
}

// CHECK-LABEL: func.func @windows
// GENERIC: sym_name = "windows"
func.func @windows(%x: tensor<9x9xf32>, %i: tensor<5x2xindex>, %y: tensor<5x3xf32>, %o: tensor<f32>)
    -> tensor<f32> {
  // Two symbols of one operand, and one of the same value as an operand of its own.
  // CHECK: gs.generic (d0, d1) [s0 = %[[I:.*]][d0, 0] mode(fill_or_drop), s1 = %[[I]][s0, 1] mode(clip) wrap_negative; s2 = %[[I]][d0, d1 floordiv 2]; %[[I]]] ins(%{{.*}}[d1 * 2 + s0, 3] fill(2.000000e+00 : f32), %{{.*}}[s1, d1]) outs(%{{.*}}[d0, d1]) iterators(d0 = parallel, d1 = parallel) unique sorted {my.note}
  // GENERIC: fill_values = [2.000000e+00 : f32, unit]
  // GENERIC-SAME: modes = ["fill_or_drop", "clip", "promise_in_bounds"]
  // GENERIC-SAME: operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0>
  // GENERIC-SAME: wrap_negative = array<i1: false, true, false>
  %r = gs.generic (p, w) [a = %i[p, 0] mode(fill_or_drop), b = %i[a, 1] wrap_negative mode(clip);
                          c = %i[p, w floordiv 2]; %i]
          ins(%x[a + w * 2, 3] fill(2.0 : f32), %x[b, w]) outs(%y[p, w]) sorted unique {my.note}
          : (tensor<9x9xf32>, tensor<9x9xf32>, tensor<5x2xindex>, tensor<5x2xindex>, tensor<5x2xindex>, tensor<5x3xf32>) -> tensor<5x3xf32> {
  ^bb0(%u: f32, %v: f32, %t: f32): gs.yield %u : f32 }
  // CHECK: gs.generic () outs(%{{.*}}[]) : (tensor<f32>) -> tensor<f32> {
  %s = gs.generic () outs(%o[]) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%t: f32):
    // CHECK: gs.gather
    %g = gs.gather %x[%i] gather_dims([0, 1]) : (tensor<9x9xf32>, tensor<5x2xindex>) -> tensor<5xf32>
    %c0 = arith.constant 0 : index
    %e = tensor.extract %g[%c0] : tensor<5xf32>
    gs.yield %e : f32
  }
  return %s : tensor<f32>
}
