// RUN: gs-opt %s --split-input-file --transform-interpreter | filecheck %s

// CHECK-LABEL: func.func @kinds
// CHECK: gs.generic (
// CHECK: my.read
// CHECK: gs.generic (
// CHECK: my.written
func.func @kinds(%x: tensor<9xf32>, %i: tensor<5x1xi64>, %y: tensor<7xf32>) -> tensor<7xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<5x1xi64>) -> tensor<5xf32>
  %s = gs.scatter %r into %y[%i] scatter_dims([0])
      : (tensor<5xf32>, tensor<7xf32>, tensor<5x1xi64>) -> tensor<7xf32>
  return %s : tensor<7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %named = transform.structured.match ops{["gs.gather", "gs.scatter"]} in %root
      : (!transform.any_op) -> !transform.any_op
    gs_transform.generalize %named : (!transform.any_op) -> !transform.any_op
    %reads = gs_transform.match %root kind(gather) : (!transform.any_op) -> !transform.any_op
    %writes = gs_transform.match %root kind(scatter) : (!transform.any_op) -> !transform.any_op
    transform.annotate %reads "my.read" : !transform.any_op
    transform.annotate %writes "my.written" : !transform.any_op
    transform.yield
  }
}

// -----

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

// There and back; the loops of a scatter, and of what linalg could say too; a schedule.

// CHECK-LABEL: func.func @lowered
// CHECK: linalg.generic
// CHECK: my.linalg
// CHECK: scf.for
// CHECK: my.loops
// CHECK: scf.for
// CHECK: tensor.insert
// CHECK: my.scatter
// CHECK: gs.gather %
// CHECK: gs.schedule = {streaming = {}, threads = 2 : i64}
func.func @lowered(%x: tensor<9xf32>, %i: tensor<5x1xi64>, %y: tensor<7xf32>)
    -> (tensor<5xf32>, tensor<5xf32>, tensor<7xf32>, tensor<5xf32>, tensor<5xf32>) {
  %a = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<5x1xi64>) -> tensor<5xf32>
  %b = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<5x1xi64>) -> tensor<5xf32>
  %c = gs.scatter %a into %y[%i] scatter_dims([0])
      : (tensor<5xf32>, tensor<7xf32>, tensor<5x1xi64>) -> tensor<7xf32>
  %d = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<5x1xi64>) -> tensor<5xf32>
  %e = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<5x1xi64>) -> tensor<5xf32>
  return %a, %b, %c, %d, %e
    : tensor<5xf32>, tensor<5xf32>, tensor<7xf32>, tensor<5xf32>, tensor<5xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %gathers = transform.structured.match ops{["gs.gather"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %scatter = transform.structured.match ops{["gs.scatter"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %generic = gs_transform.generalize %gathers : (!transform.any_op) -> !transform.any_op
    %a, %b, %d, %e = transform.split_handle %generic : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %linalg = gs_transform.to_linalg %a : (!transform.any_op) -> !transform.any_op
    transform.annotate %linalg "my.linalg" : !transform.any_op
    %loops = gs_transform.to_loops %b : (!transform.any_op) -> !transform.any_op
    transform.annotate %loops "my.loops" : !transform.any_op
    %written = gs_transform.generalize %scatter : (!transform.any_op) -> !transform.any_op
    %in_order = gs_transform.to_linalg %written : (!transform.any_op) -> !transform.any_op
    transform.annotate %in_order "my.scatter" : !transform.any_op
    gs_transform.specialize %d : (!transform.any_op) -> !transform.any_op
    gs_transform.schedule %e schedule({streaming = {}, threads = 2 : i64}) : !transform.any_op
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
      %all = gs_transform.match %scope : (!transform.any_op) -> !transform.any_op
      gs_transform.tile %all sizes([4])
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }, {
    ^bb0(%scope: !transform.any_op):
      %all = gs_transform.match %scope : (!transform.any_op) -> !transform.any_op
      transform.annotate %all "my.other" : !transform.any_op
    }
    transform.yield
  }
}
