// RUN: gs-opt %s --split-input-file --transform-interpreter | filecheck %s

// A histogram becomes several ops, and the handle is of all of them.

// CHECK-LABEL: func.func @histogram
// CHECK-COUNT-3: my.part
func.func @histogram(%x: tensor<9xf32>, %i: tensor<9x1xi64>) -> (tensor<?xf32>, tensor<?x1xi64>) {
  %sums, %bins = gs.histogram %x at %i combine(add)
      : (tensor<9xf32>, tensor<9x1xi64>) -> (tensor<?xf32>, tensor<?x1xi64>)
  return %sums, %bins : tensor<?xf32>, tensor<?x1xi64>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %named = transform.structured.match ops{["gs.histogram"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %parts = gs_transform.generalize %named : (!transform.any_op) -> !transform.any_op
    transform.annotate %parts "my.part" : !transform.any_op
    transform.yield
  }
}

// -----

// To linalg, and to the loops of a scatter.

// CHECK-LABEL: func.func @lowered
// CHECK: linalg.generic
// CHECK: my.linalg
// CHECK: scf.for
// CHECK: tensor.insert
// CHECK: my.scatter
func.func @lowered(%x: tensor<9xf32>, %i: tensor<5x1xi64>, %y: tensor<7xf32>)
    -> (tensor<5xf32>, tensor<7xf32>) {
  %a = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<5x1xi64>) -> tensor<5xf32>
  %c = gs.scatter %a into %y[%i] scatter_dims([0])
      : (tensor<5xf32>, tensor<7xf32>, tensor<5x1xi64>) -> tensor<7xf32>
  return %a, %c : tensor<5xf32>, tensor<7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %gather = transform.structured.match ops{["gs.gather"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %scatter = transform.structured.match ops{["gs.scatter"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %generic = gs_transform.generalize %gather : (!transform.any_op) -> !transform.any_op
    %linalg = gs_transform.to_linalg %generic : (!transform.any_op) -> !transform.any_op
    transform.annotate %linalg "my.linalg" : !transform.any_op
    %written = gs_transform.generalize %scatter : (!transform.any_op) -> !transform.any_op
    %in_order = gs_transform.to_linalg %written : (!transform.any_op) -> !transform.any_op
    transform.annotate %in_order "my.scatter" : !transform.any_op
    transform.yield
  }
}

// -----

// Where one op does not apply, the sequence goes on with what it is told to.

// CHECK-LABEL: func.func @backwards
// CHECK-NOT: scf.for
// CHECK: my.other
func.func @backwards(%x: tensor<32xf32>, %y: tensor<32xf32>) -> tensor<32xf32> {
  %r = gs.generic (d0) ins(%x[-d0 + 31]) outs(%y[d0]) iterators(d0 = parallel)
      : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32> {
  ^bb0(%a: f32, %old: f32):
    gs.yield %a : f32
  }
  return %r : tensor<32xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.alternatives %f : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %all = transform.structured.match ops{["gs.generic"]} in %scope
        : (!transform.any_op) -> !transform.any_op
      gs_transform.tile %all sizes([4])
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }, {
    ^bb0(%scope: !transform.any_op):
      %all = transform.structured.match ops{["gs.generic"]} in %scope
        : (!transform.any_op) -> !transform.any_op
      transform.annotate %all "my.other" : !transform.any_op
    }
    transform.yield
  }
}
