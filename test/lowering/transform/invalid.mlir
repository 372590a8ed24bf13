// RUN: gs-opt %s --split-input-file --verify-diagnostics=only-expected --transform-interpreter

func.func @named(%x: tensor<9xf32>, %i: tensor<5x1xi64>) -> tensor<5xf32> {
  // expected-error@+1 {{'gs_transform.tile' op takes gs.generic, found 'gs.gather': gs_transform.generalize comes first}}
  %r = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<5x1xi64>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["gs.gather"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@+1 {{silenceable failure}}
    %t, %l = "gs_transform.tile"(%op) {sizes = array<i64: 2>} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @order(%x: tensor<16x16xf32>, %i: tensor<16x16xi64>, %y: tensor<32xf32>) -> tensor<32xf32> {
  // expected-error@+1 {{'gs_transform.tile' op does not apply: dim d1: its elements are combined in order, and d0 runs around it; cut d0 to tiles of 1 as well}}
  %r = gs.generic (d0, d1) [s0 = %i[d0, d1]]
      ins(%x[d0, d1]) outs(%y[s0]) iterators(d0 = reduction, d1 = reduction)
      : (tensor<16x16xf32>, tensor<16x16xi64>, tensor<32xf32>) -> tensor<32xf32> {
  ^bb0(%a: f32, %old: f32):
    gs.yield %a : f32
  }
  return %r : tensor<32xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["gs.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@+1 {{silenceable failure}}
    %t, %l = "gs_transform.tile"(%op) {sizes = array<i64: 0, 4>} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @no_named_op(%x: tensor<9xf32>, %i: tensor<5x1xi64>) -> tensor<5xf32> {
  // expected-error@+1 {{'gs_transform.specialize' op takes gs.generic, found 'gs.gather'}}
  %r = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<5x1xi64>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["gs.gather"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@+1 {{silenceable failure}}
    %t = "gs_transform.specialize"(%op) : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @other(%x: tensor<16xf32>, %i: tensor<4xi64>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'gs_transform.specialize' op takes a gs.generic that is a named op, found another}}
  %r = gs.generic (d0) [s0 = %i[d0]] ins(%x[s0]) outs(%y[d0]) iterators(d0 = parallel)
      : (tensor<16xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32, %old: f32):
    %n = arith.addf %a, %old : f32
    gs.yield %n : f32
  }
  return %r : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["gs.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@+1 {{silenceable failure}}
    %t = "gs_transform.specialize"(%op) : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @no_schedule(%x: tensor<16xf32>, %i: tensor<4xi64>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'gs.generic' op has 'gs.schedule' with an unknown entry 'cut'; did you mean 'cuts'?}}
  %r = gs.generic (d0) [s0 = %i[d0]] ins(%x[s0]) outs(%y[d0]) iterators(d0 = parallel)
      : (tensor<16xf32>, tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32, %old: f32):
    gs.yield %a : f32
  }
  return %r : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["gs.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    "gs_transform.schedule"(%op) {schedule = {cut = {}}} : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

func.func @rows_of_a_scatter(%u: tensor<8x4xf32>, %y: tensor<10x4xf32>, %i: tensor<8x1xi64>,
    %e: tensor<10x4xf32>) -> tensor<10x4xf32> {
  // expected-error@+1 {{'gs_transform.fuse_into' op does not apply: the loop takes slices of dimension 0 of 'outputs #0', which the op addresses by s0, no dim alone}}
  %s = gs.scatter %u into %y[%i] scatter_dims([0])
      : (tensor<8x4xf32>, tensor<10x4xf32>, tensor<8x1xi64>) -> tensor<10x4xf32>
  %r = linalg.exp ins(%s : tensor<10x4xf32>) outs(%e : tensor<10x4xf32>) -> tensor<10x4xf32>
  return %r : tensor<10x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["gs.scatter"]} in %root : (!transform.any_op) -> !transform.any_op
    %scatter = "gs_transform.generalize"(%op) : (!transform.any_op) -> !transform.any_op
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %exp tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error@+1 {{silenceable failure}}
    %f = "gs_transform.fuse_into"(%scatter, %loop) : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @unread(%x: tensor<9xf32>, %i: tensor<5x1xi64>) -> tensor<5xf32> {
  // expected-error@+1 {{'gs_transform.fuse_into' op does not apply: nothing in the loop reads its result}}
  %r = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<5x1xi64>) -> tensor<5xf32>
  %e = linalg.exp ins(%x : tensor<9xf32>) outs(%x : tensor<9xf32>) -> tensor<9xf32>
  return %r : tensor<5xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["gs.gather"]} in %root : (!transform.any_op) -> !transform.any_op
    %gather = "gs_transform.generalize"(%op) : (!transform.any_op) -> !transform.any_op
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %exp tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error@+1 {{silenceable failure}}
    %f = "gs_transform.fuse_into"(%gather, %loop) : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @total(%x: tensor<16x4xf32>, %i: tensor<8x1xi64>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<16x4xf32>, tensor<8x1xi64>) -> tensor<8x4xf32>
  // expected-error@+1 {{'gs_transform.fuse_consumer' op does not apply: dim d0 is no dimension of 'outputs #0': tiles in parallel would write the same elements}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
      affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%g : tensor<8x4xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["gs.gather"]} in %root : (!transform.any_op) -> !transform.any_op
    %gather = "gs_transform.generalize"(%op) : (!transform.any_op) -> !transform.any_op
    %sum = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = "gs_transform.tile"(%gather) {sizes = array<i64: 2>, loops = "forall"}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error@+1 {{silenceable failure}}
    %f, %l = "gs_transform.fuse_consumer"(%sum, %loop) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error@+1 {{'gs_transform.tile' op attribute 'sizes': sizes must be from 0 to}}
    "gs_transform.tile"(%root) {sizes = array<i64: -1>} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error@+1 {{'gs_transform.tile' op attribute 'loops' must be one of for, forall, found while}}
    "gs_transform.tile"(%root) {sizes = array<i64: 1>, loops = "while"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error@+1 {{'gs_transform.tile' op requires attribute 'sizes'}}
    "gs_transform.tile"(%root) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error@+1 {{'gs_transform.match' op attribute 'kind' must be one of any, gather, scatter, found all}}
    "gs_transform.match"(%root) {kind = "all"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error@+1 {{'gs_transform.match' op has no attribute 'kin'; did you mean 'kind'?}}
    "gs_transform.match"(%root) {kin = "any"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error@+1 {{'gs_transform.fuse_into' op expects 2 operands, found 1}}
    "gs_transform.fuse_into"(%root) : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error@+1 {{'gs_transform.schedule' op attribute 'schedule' must be a dictionary, like {threads = 2}, found 1 : i64}}
    "gs_transform.schedule"(%root) {schedule = 1} : (!transform.any_op) -> ()
    transform.yield
  }
}
