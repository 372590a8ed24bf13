// RUN: gs-opt %s --gs-unroll-loops | filecheck %s

#d = affine_map<(d0) -> (d0)>
#r = affine_map<(d0) -> ()>
#back = affine_map<(d0) -> (-d0 + 3)>

// Two results that one op reads; a table is read at constant places and passed on.
// CHECK-LABEL: func.func @rounds
// CHECK-NOT: scf.for
// CHECK: linalg.generic
// CHECK-DAG: arith.addi %{{.*}}, %c6_i32
// CHECK-DAG: arith.addi %{{.*}}, %c7_i32
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @rounds(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = arith.constant dense<[7, 9]> : tensor<2xi32>
  %b = arith.constant dense<[6, 8]> : tensor<2xi32>
  %e = tensor.empty() : tensor<4xi32>
  %r:4 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %x, %q = %y, %s = %a, %t = %b) -> (tensor<4xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>) {
    %last = gs.strided_slice %s[0] [1] [-1] : (tensor<2xi32>) -> tensor<1xi32>
    %k = tensor.collapse_shape %last [] : tensor<1xi32> into tensor<i32>
    %m = linalg.generic {indexing_maps = [#d, #r, #d], iterator_types = ["parallel"]} ins(%p, %k : tensor<4xi32>, tensor<i32>) outs(%e : tensor<4xi32>) {
    ^bb0(%u: i32, %v: i32, %w: i32):
      %n = arith.addi %u, %v : i32
      linalg.yield %n : i32
    } -> tensor<4xi32>
    scf.yield %q, %m, %t, %s : tensor<4xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>
  }
  %z = linalg.generic {indexing_maps = [#d, #d, #d], iterator_types = ["parallel"]} ins(%r#0, %r#1 : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%u: i32, %v: i32, %w: i32):
    %n = arith.xori %u, %v : i32
    linalg.yield %n : i32
  } -> tensor<4xi32>
  return %z : tensor<4xi32>
}

// Each step reads elements that others computed.
// CHECK-LABEL: func.func @reversed
// CHECK: scf.for
func.func @reversed(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<4xi32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %x) -> (tensor<4xi32>) {
    %m = linalg.generic {indexing_maps = [#d, #back, #d], iterator_types = ["parallel"]} ins(%p, %p : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) {
    ^bb0(%u: i32, %v: i32, %w: i32):
      %n = arith.addi %u, %v : i32
      linalg.yield %n : i32
    } -> tensor<4xi32>
    scf.yield %m : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}

// Two results that become two loops; more steps than are written out; a number that is not known.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-3: scf.for
func.func @stay(%x: tensor<4xi32>, %n: index) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 900 : index
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %x, %q = %x) -> (tensor<4xi32>, tensor<4xi32>) {
    %m = linalg.generic {indexing_maps = [#d, #d, #d], iterator_types = ["parallel"]} ins(%p, %q : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) {
    ^bb0(%u: i32, %v: i32, %w: i32):
      %k = arith.addi %u, %v : i32
      linalg.yield %k : i32
    } -> tensor<4xi32>
    scf.yield %q, %m : tensor<4xi32>, tensor<4xi32>
  }
  %s = scf.for %i = %c0 to %c9 step %c1 iter_args(%p = %x) -> (tensor<4xi32>) {
    %m = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%p : tensor<4xi32>) outs(%e : tensor<4xi32>) {
    ^bb0(%u: i32, %w: i32):
      %k = arith.muli %u, %u : i32
      linalg.yield %k : i32
    } -> tensor<4xi32>
    scf.yield %m : tensor<4xi32>
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<4xi32>) {
    %m = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%p : tensor<4xi32>) outs(%e : tensor<4xi32>) {
    ^bb0(%u: i32, %w: i32):
      %k = arith.muli %u, %u : i32
      linalg.yield %k : i32
    } -> tensor<4xi32>
    scf.yield %m : tensor<4xi32>
  }
  return %r#0, %r#1, %s, %t : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

#e = affine_map<(d0, d1) -> (d0, d1)>

// Short rows, and floats.
// CHECK-LABEL: func.func @narrow
// CHECK-COUNT-2: scf.for
func.func @narrow(%x: tensor<4x8xi32>, %y: tensor<4xf32>) -> (tensor<4x8xi32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<4x8xi32>
  %f = tensor.empty() : tensor<4xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %x) -> (tensor<4x8xi32>) {
    %m = linalg.generic {indexing_maps = [#e, #e], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) {
    ^bb0(%u: i32, %w: i32):
      %k = arith.muli %u, %u : i32
      linalg.yield %k : i32
    } -> tensor<4x8xi32>
    scf.yield %m : tensor<4x8xi32>
  }
  %s = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %y) -> (tensor<4xf32>) {
    %m = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%p : tensor<4xf32>) outs(%f : tensor<4xf32>) {
    ^bb0(%u: f32, %w: f32):
      %k = arith.mulf %u, %u : f32
      linalg.yield %k : f32
    } -> tensor<4xf32>
    scf.yield %m : tensor<4xf32>
  }
  return %r, %s : tensor<4x8xi32>, tensor<4xf32>
}

// Steps that are many, backwards, or none of an unsigned loop.
// CHECK-LABEL: func.func @bounds
// CHECK-SAME: (%[[X:.*]]: tensor<4xi32>)
// CHECK: %[[R:.*]] = scf.for
// CHECK: return %[[R]], %[[X]], %[[X]]
func.func @bounds(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %least = arith.constant -9223372036854775808 : index
  %most = arith.constant 9223372036854775807 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %back = arith.constant -1 : index
  %low = arith.constant -2 : i8
  %high = arith.constant 2 : i8
  %one = arith.constant 1 : i8
  %e = tensor.empty() : tensor<4xi32>
  %r = scf.for %i = %least to %most step %c1 iter_args(%p = %x) -> (tensor<4xi32>) {
    %m = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%p : tensor<4xi32>) outs(%e : tensor<4xi32>) {
    ^bb0(%u: i32, %w: i32):
      %k = arith.muli %u, %u : i32
      linalg.yield %k : i32
    } -> tensor<4xi32>
    scf.yield %m : tensor<4xi32>
  }
  %s = scf.for %i = %c5 to %c0 step %back iter_args(%p = %x) -> (tensor<4xi32>) {
    %m = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%p : tensor<4xi32>) outs(%e : tensor<4xi32>) {
    ^bb0(%u: i32, %w: i32):
      %k = arith.muli %u, %u : i32
      linalg.yield %k : i32
    } -> tensor<4xi32>
    scf.yield %m : tensor<4xi32>
  }
  %t = scf.for unsigned %i = %low to %high step %one iter_args(%p = %x) -> (tensor<4xi32>) : i8 {
    %m = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%p : tensor<4xi32>) outs(%e : tensor<4xi32>) {
    ^bb0(%u: i32, %w: i32):
      %k = arith.muli %u, %u : i32
      linalg.yield %k : i32
    } -> tensor<4xi32>
    scf.yield %m : tensor<4xi32>
  }
  return %r, %s, %t : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// A loop within one; a table of elements that NumPy has not.
// CHECK-LABEL: func.func @nested
// CHECK-NOT: scf.for
// CHECK: gs.strided_slice
// CHECK: return
func.func @nested(%x: tensor<4xi32>) -> (tensor<4xi32>, i32, tensor<1xi4>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0 : i32
  %table = arith.constant dense<[1, -2]> : tensor<2xi4>
  %small = gs.strided_slice %table[1] [1] [1] : (tensor<2xi4>) -> tensor<1xi4>
  %e = tensor.empty() : tensor<4xi32>
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %x, %a = %z) -> (tensor<4xi32>, i32) {
    %m = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%p : tensor<4xi32>) outs(%e : tensor<4xi32>) {
    ^bb0(%u: i32, %w: i32):
      %k = arith.muli %u, %u : i32
      linalg.yield %k : i32
    } -> tensor<4xi32>
    %q = scf.for %j = %c0 to %c2 step %c1 iter_args(%b = %a) -> (i32) {
      %n = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4xi32>) {
      ^bb0(%u: i32, %w: i32):
        %k = arith.addi %u, %b : i32
        linalg.yield %k : i32
      } -> tensor<4xi32>
      %v = tensor.extract %n[%j] : tensor<4xi32>
      scf.yield %v : i32
    }
    scf.yield %m, %q : tensor<4xi32>, i32
  }
  return %r#0, %r#1, %small : tensor<4xi32>, i32, tensor<1xi4>
}

// Stays: what reads the results gives an index.
// CHECK-LABEL: func @index
// CHECK: scf.for
func.func @index(%a: tensor<64xindex>, %b: tensor<64xindex>, %i: index, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<64xindex>, tensor<64xindex>) {
    scf.yield %y, %x : tensor<64xindex>, tensor<64xindex>
  }
  %p = tensor.extract %r#0[%i] : tensor<64xindex>
  %q = tensor.extract %r#1[%i] : tensor<64xindex>
  return %p, %q : index, index
}

// Stays: what reads the results has no rank.
// CHECK-LABEL: func @unranked
// CHECK: scf.for
func.func @unranked(%a: tensor<4xi32>, %b: tensor<4xi32>, %n: index) -> (tensor<*xi32>, tensor<*xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<4xi32>, tensor<4xi32>) {
    scf.yield %y, %x : tensor<4xi32>, tensor<4xi32>
  }
  %p = tensor.cast %r#0 : tensor<4xi32> to tensor<*xi32>
  %q = tensor.cast %r#1 : tensor<4xi32> to tensor<*xi32>
  return %p, %q : tensor<*xi32>, tensor<*xi32>
}
