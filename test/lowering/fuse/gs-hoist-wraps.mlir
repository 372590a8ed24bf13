// RUN: gs-opt %s --gs-hoist-wraps | filecheck %s

// CHECK-LABEL: func @loop
func.func @loop(%x: tensor<9xf32>, %i: tensor<5xi32>, %n: index) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[VIEW:.+]] = tensor.expand_shape %arg1
  // CHECK: %[[WRAPPED:.+]] = gs.generic (d0, d1) ins(%[[VIEW]][d0, d1])
  // CHECK: %[[NEGATIVE:.+]] = arith.cmpi slt
  // CHECK: arith.select %[[NEGATIVE]]
  // CHECK: scf.for
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<9xf32>) {
    %v = tensor.expand_shape %i [[0, 1]] output_shape [5, 1] : tensor<5xi32> into tensor<5x1xi32>
    // CHECK: gs.generic (d0) [s0 = %[[WRAPPED]][d0, 0] mode(clip)] ins(
    %e = tensor.empty() : tensor<5xf32>
    %g = gs.generic (d0) [s0 = %v[d0, 0] mode(clip) wrap_negative] ins(%y[s0]) outs(%e[d0]) iterators(d0 = parallel) : (tensor<9xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<5xf32> {
    ^bb0(%a: f32, %o: f32):
      gs.yield %a : f32
    }
    // CHECK: gs.generic (d0) [s0 = %[[WRAPPED]][d0, 0] mode(fill_or_drop)] ins(
    %s = gs.generic (d0) [s0 = %v[d0, 0] mode(fill_or_drop) wrap_negative] ins(%g[d0]) outs(%y[s0]) iterators(d0 = reduction) : (tensor<5xf32>, tensor<5x1xi32>, tensor<9xf32>) -> tensor<9xf32> {
    ^bb0(%a: f32, %o: f32):
      %t = arith.addf %a, %o : f32
      gs.yield %t : f32
    }
    scf.yield %s : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}

// The inner loop changes %j, the outer one does not change %i; the first loop in front of which they
// are there is taken.
// CHECK-LABEL: func @nest
func.func @nest(%x: tensor<9xf32>, %i: tensor<5xi64>, %n: index) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[FIRST:.+]] = gs.generic (d0) ins(%arg1[d0])
  // CHECK: scf.for
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<9xf32>) {
    // CHECK: %[[J:.+]] = arith.addi
    %j = arith.addi %i, %i : tensor<5xi64>
    // CHECK: %[[SECOND:.+]] = gs.generic (d0) ins(%[[J]][d0])
    // CHECK: scf.for
    %q = scf.for %l = %c0 to %n step %c1 iter_args(%z = %y) -> (tensor<9xf32>) {
      // CHECK: [s0 = %[[FIRST]][d0], s1 = %[[SECOND]][d0] mode(fill_or_drop)]
      %s = gs.generic (d0) [s0 = %i[d0] wrap_negative, s1 = %j[d0] mode(fill_or_drop) wrap_negative] ins(%x[s0]) outs(%z[s1]) iterators(d0 = reduction) : (tensor<9xf32>, tensor<5xi64>, tensor<5xi64>, tensor<9xf32>) -> tensor<9xf32> {
      ^bb0(%a: f32, %o: f32):
        gs.yield %a : f32
      }
      scf.yield %s : tensor<9xf32>
    }
    scf.yield %q : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}

// Stay: a message names the coordinate; two sizes; a size that i8 cannot hold; no loop; unsigned;
// a size not known.
// CHECK-LABEL: func @stay
// CHECK: scf.for
// CHECK: mode(error) wrap_negative
// CHECK: s0 = %{{.+}}[d0, 0] mode(clip) wrap_negative, s1 = %{{.+}}[d0, 1] mode(clip) wrap_negative
// CHECK: mode(clip) wrap_negative
// CHECK: mode(clip) wrap_negative
// CHECK: mode(clip) wrap_negative
// CHECK: gs.generic (d0) [s0 = %arg1[d0] mode(clip) wrap_negative]
func.func @stay(%x: tensor<200xf32>, %i: tensor<5xi32>, %two: tensor<5x2xi32>, %y: tensor<200x3xf32>, %b: tensor<5xi8>, %u: tensor<5xui32>, %d: tensor<?xf32>, %n: index) -> (tensor<5xf32>, tensor<5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<5xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%z = %e) -> (tensor<5xf32>) {
    %1 = gs.generic (d0) [s0 = %i[d0] mode(error) wrap_negative] ins(%x[s0]) outs(%z[d0]) iterators(d0 = parallel) : (tensor<200xf32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5xf32> {
    ^bb0(%a: f32, %o: f32):
      gs.yield %a : f32
    }
    %2 = gs.generic (d0) [s0 = %two[d0, 0] mode(clip) wrap_negative, s1 = %two[d0, 1] mode(clip) wrap_negative] ins(%y[s0, s1]) outs(%1[d0]) iterators(d0 = parallel) : (tensor<200x3xf32>, tensor<5x2xi32>, tensor<5xf32>) -> tensor<5xf32> {
    ^bb0(%a: f32, %o: f32):
      gs.yield %a : f32
    }
    %3 = gs.generic (d0) [s0 = %b[d0] mode(clip) wrap_negative] ins(%x[s0]) outs(%2[d0]) iterators(d0 = parallel) : (tensor<200xf32>, tensor<5xi8>, tensor<5xf32>) -> tensor<5xf32> {
    ^bb0(%a: f32, %o: f32):
      gs.yield %a : f32
    }
    %4 = gs.generic (d0) [s0 = %u[d0] mode(clip) wrap_negative] ins(%x[s0]) outs(%3[d0]) iterators(d0 = parallel) : (tensor<200xf32>, tensor<5xui32>, tensor<5xf32>) -> tensor<5xf32> {
    ^bb0(%a: f32, %o: f32):
      gs.yield %a : f32
    }
    %5 = gs.generic (d0) [s0 = %i[d0] mode(clip) wrap_negative] ins(%d[s0]) outs(%4[d0]) iterators(d0 = parallel) : (tensor<?xf32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5xf32> {
    ^bb0(%a: f32, %o: f32):
      gs.yield %a : f32
    }
    scf.yield %5 : tensor<5xf32>
  }
  %6 = gs.generic (d0) [s0 = %i[d0] mode(clip) wrap_negative] ins(%x[s0]) outs(%e[d0]) iterators(d0 = parallel) : (tensor<200xf32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%a: f32, %o: f32):
    gs.yield %a : f32
  }
  return %r, %6 : tensor<5xf32>, tensor<5xf32>
}

// Each loop has its own: none runs in front of the other.
// CHECK-LABEL: func @apart
func.func @apart(%x: tensor<9xf32>, %i: tensor<5xi32>, %n: index, %c: i1) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.if
  %r = scf.if %c -> (tensor<9xf32>) {
    // CHECK: %[[ONE:.+]] = gs.generic (d0) ins(%arg1[d0])
    // CHECK: scf.for
    %f = scf.for %k = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<9xf32>) {
      // CHECK: [s0 = %[[ONE]][d0]]
      %s = gs.generic (d0) [s0 = %i[d0] wrap_negative] ins(%y[d0]) outs(%y[s0]) iterators(d0 = reduction) : (tensor<9xf32>, tensor<5xi32>, tensor<9xf32>) -> tensor<9xf32> {
      ^bb0(%a: f32, %o: f32):
        gs.yield %a : f32
      }
      scf.yield %s : tensor<9xf32>
    }
    scf.yield %f : tensor<9xf32>
  } else {
    // CHECK: %[[OTHER:.+]] = gs.generic (d0) ins(%arg1[d0])
    // CHECK: scf.while
    %w:2 = scf.while (%y = %x, %go = %c) : (tensor<9xf32>, i1) -> (tensor<9xf32>, i1) {
      scf.condition(%go) %y, %go : tensor<9xf32>, i1
    } do {
    ^bb0(%y: tensor<9xf32>, %go: i1):
      // CHECK: [s0 = %[[OTHER]][d0]]
      %s = gs.generic (d0) [s0 = %i[d0] wrap_negative] ins(%y[d0]) outs(%y[s0]) iterators(d0 = reduction) : (tensor<9xf32>, tensor<5xi32>, tensor<9xf32>) -> tensor<9xf32> {
      ^bb0(%a: f32, %o: f32):
        gs.yield %a : f32
      }
      %false = arith.constant false
      scf.yield %s, %false : tensor<9xf32>, i1
    }
    scf.yield %w#0 : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}

// Stay: without turns, neither this place nor this many elements have to be there.
// CHECK-LABEL: func @dynamic_views
// CHECK-NOT: gs.generic
// CHECK: scf.for
// CHECK: mode(clip) wrap_negative
// CHECK: mode(clip) wrap_negative
func.func @dynamic_views(%x: tensor<9xf32>, %i: tensor<20xi32>, %d: tensor<?xi32>, %n: index, %at: index) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<5xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%z = %e) -> (tensor<5xf32>) {
    %s = tensor.extract_slice %i[%at] [5] [1] : tensor<20xi32> to tensor<5xi32>
    %c = tensor.cast %d : tensor<?xi32> to tensor<5xi32>
    %1 = gs.generic (d0) [s0 = %s[d0] mode(clip) wrap_negative] ins(%x[s0]) outs(%z[d0]) iterators(d0 = parallel) : (tensor<9xf32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5xf32> {
    ^bb0(%a: f32, %o: f32):
      gs.yield %a : f32
    }
    %2 = gs.generic (d0) [s0 = %c[d0] mode(clip) wrap_negative] ins(%x[s0]) outs(%1[d0]) iterators(d0 = parallel) : (tensor<9xf32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5xf32> {
    ^bb0(%a: f32, %o: f32):
      gs.yield %a : f32
    }
    scf.yield %2 : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
