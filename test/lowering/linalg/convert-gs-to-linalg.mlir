// RUN: gs-opt %s --convert-gs-to-linalg --canonicalize | filecheck %s

// CHECK-DAG: #[[D0:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[D1:.*]] = affine_map<(d0, d1) -> (d1)>

// An output that is larger than the iteration space keeps its rest, also where no type says so.
// CHECK-LABEL: func.func @larger_output
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>)
// CHECK-DAG: %[[N:.*]] = arith.minsi
// CHECK-DAG: %[[IN:.*]] = tensor.extract_slice %[[X]][0] [%[[N]]] [1]
// CHECK-DAG: %[[OUT:.*]] = tensor.extract_slice %[[Y]][0] [%[[N]]] [1]
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[IN]] : {{.*}}) outs(%[[OUT]] : {{.*}})
// CHECK: %[[WHOLE:.*]] = tensor.insert_slice %[[R]] into %[[Y]][0]
// CHECK: return %[[WHOLE]]
func.func @larger_output(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = gs.generic (d0) ins(%x[d0]) outs(%y[d0]) iterators(d0 = parallel)
      : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %o, %a : f32
    gs.yield %s : f32
  }
  return %r : tensor<?xf32>
}

// d1 is a dimension of %x alone, which is read at a coordinate.
// CHECK-LABEL: func.func @dim_of_a_gathered_operand
// CHECK-SAME: (%[[X:.*]]: tensor<4x?xf32>, %[[I:.*]]: tensor<?xi64>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[SIZE:.*]] = tensor.empty(%[[N]]) : tensor<?xi8>
// CHECK: linalg.generic
// CHECK-SAME: indexing_maps = [#[[D0]], #[[D1]], #
// CHECK-SAME: ins(%[[I]], %[[SIZE]] :
func.func @dim_of_a_gathered_operand(%x: tensor<4x?xf32>, %i: tensor<?xi64>, %y: tensor<f32>) -> tensor<f32> {
  %r = gs.generic (d0, d1) [s0 = %i[d0]]
      ins(%x[s0, d1]) outs(%y[]) iterators(d0 = reduction, d1 = reduction)
      : (tensor<4x?xf32>, tensor<?xi64>, tensor<f32>) -> tensor<f32> {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    gs.yield %s : f32
  }
  return %r : tensor<f32>
}

// The last of no elements: the output stays, so the body uses it.
// CHECK-LABEL: func.func @last_of_none
// CHECK: %[[SOME:.*]] = arith.cmpi sgt
// CHECK: linalg.generic
// CHECK: ^bb0(%[[NEW:.*]]: f32, %[[OLD:.*]]: f32):
// CHECK: %[[KEPT:.*]] = arith.select %[[SOME]], %[[NEW]], %[[OLD]] : f32
// CHECK: linalg.yield %[[KEPT]]
func.func @last_of_none(%x: tensor<?x4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = gs.generic (d0, d1) ins(%x[d0, d1]) outs(%y[d1]) iterators(d0 = reduction, d1 = parallel)
      : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32, %o: f32):
    gs.yield %a : f32
  }
  return %r : tensor<4xf32>
}

// A sum uses it, and 4 elements are some.
// CHECK-LABEL: func.func @sum_and_last_of_some
// CHECK-NOT: arith.select
// CHECK: return
func.func @sum_and_last_of_some(%x: tensor<?xf32>, %l: tensor<4xf32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r = gs.generic (d0) ins(%x[d0]) outs(%y[]) iterators(d0 = reduction)
      : (tensor<?xf32>, tensor<f32>) -> tensor<f32> {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    gs.yield %s : f32
  }
  %s = gs.generic (d0) ins(%l[d0]) outs(%y[]) iterators(d0 = reduction)
      : (tensor<4xf32>, tensor<f32>) -> tensor<f32> {
  ^bb0(%a: f32, %o: f32):
    gs.yield %a : f32
  }
  return %r, %s : tensor<f32>, tensor<f32>
}

// Nothing is computed where nothing can be.
// CHECK-LABEL: func.func @size_zero
// CHECK-SAME: (%{{.*}}: tensor<?xf32>, %[[Y:.*]]: tensor<17x0xf32>)
// CHECK-NEXT: return %[[Y]]
func.func @size_zero(%x: tensor<?xf32>, %y: tensor<17x0xf32>) -> tensor<17x0xf32> {
  %r = gs.generic (d0, d1) ins(%x[d0]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (tensor<?xf32>, tensor<17x0xf32>) -> tensor<17x0xf32> {
  ^bb0(%a: f32, %o: f32):
    gs.yield %a : f32
  }
  return %r : tensor<17x0xf32>
}

// A constant place in an operand of size 0 is in no bounds: nothing is read.
// CHECK-LABEL: func.func @constant_into_size_zero
// CHECK: linalg.generic
// CHECK-NOT: tensor.extract %
// CHECK: return
func.func @constant_into_size_zero(%x: tensor<?x0xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = gs.generic (d0) ins(%x[d0, 0]) outs(%y[d0]) iterators(d0 = parallel)
      : (tensor<?x0xf32>, tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%a: f32, %o: f32):
    gs.yield %a : f32
  }
  return %r : tensor<?xf32>
}

// Two outputs that may be left out: what their bodies see then is of their type.
// CHECK-LABEL: func.func @unsigned_outputs
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tensor.insert {{.*}} : tensor<?xui8>
func.func @unsigned_outputs(%u: tensor<?xui8>, %i: tensor<?xi64>, %y: tensor<?xui8>, %z: tensor<?xui8>)
    -> (tensor<?xui8>, tensor<?xui8>) {
  %r:2 = gs.generic (d0) [s0 = %i[d0] mode(fill_or_drop)]
      ins(%u[d0]) outs(%y[s0], %z[s0]) iterators(d0 = reduction)
      : (tensor<?xui8>, tensor<?xi64>, tensor<?xui8>, tensor<?xui8>) -> (tensor<?xui8>, tensor<?xui8>) {
  ^bb0(%a: ui8, %o: ui8, %p: ui8):
    gs.yield %o, %a : ui8, ui8
  }
  return %r#0, %r#1 : tensor<?xui8>, tensor<?xui8>
}
