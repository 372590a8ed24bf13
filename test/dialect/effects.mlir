// RUN: gs-opt %s --loop-invariant-code-motion --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --gs-generalize --loop-invariant-code-motion --canonicalize --cse | filecheck %s --check-prefix=GENERIC

// What may fail stays, used or not; what fills or drops, or promises, does not.
// CHECK-LABEL: func.func @unused
// CHECK-COUNT-4: mode(error)
// CHECK-NOT: gs.{{[a-z_]+}} {{[(%]}}
// CHECK: return
// GENERIC-LABEL: func.func @unused
// GENERIC-COUNT-4: mode(error)
// GENERIC-NOT: gs.generic (
// GENERIC: return
func.func @unused(%t: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<2x1xi64>, %j: tensor<2xi64>) -> tensor<4xf32> {
  %0 = gs.gather %t[%i] gather_dims([0]) mode(error)
      : (tensor<4xf32>, tensor<2x1xi64>) -> tensor<2xf32>
  %1 = gs.scatter %u into %t[%i] scatter_dims([0]) mode(error)
      : (tensor<2xf32>, tensor<4xf32>, tensor<2x1xi64>) -> tensor<4xf32>
  %2 = gs.gather_elements %t[%j] dim(0) mode(error)
      : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
  %3 = gs.scatter_elements %u into %t[%j] dim(0) mode(error)
      : (tensor<2xf32>, tensor<4xf32>, tensor<2xi64>) -> tensor<4xf32>
  %4 = gs.gather %t[%i] gather_dims([0]) : (tensor<4xf32>, tensor<2x1xi64>) -> tensor<2xf32>
  %5 = gs.gather %t[%i] gather_dims([0]) mode(fill)
      : (tensor<4xf32>, tensor<2x1xi64>) -> tensor<2xf32>
  %6 = gs.scatter %u into %t[%i] scatter_dims([0]) mode(drop)
      : (tensor<2xf32>, tensor<4xf32>, tensor<2x1xi64>) -> tensor<4xf32>
  %7 = gs.scatter_elements %u into %t[%j] dim(0) mode(clip)
      : (tensor<2xf32>, tensor<4xf32>, tensor<2xi64>) -> tensor<4xf32>
  %8:2 = gs.histogram %u at %i combine(add)
      : (tensor<2xf32>, tensor<2x1xi64>) -> (tensor<?xf32>, tensor<?x1xi64>)
  %9 = gs.strided_slice %t[0] [4] [2] : (tensor<4xf32>) -> tensor<2xf32>
  return %t : tensor<4xf32>
}

// A loop may have no turn, and then no promise has to hold. What is equal is computed once.
// CHECK-LABEL: func.func @in_a_loop
// CHECK: scf.for
// CHECK-NEXT: gs.gather {{.*}} gather_dims([0]) :
// CHECK-NEXT: gs.gather {{.*}}mode(error)
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: scf.yield
// GENERIC-LABEL: func.func @in_a_loop
// GENERIC: scf.for
// GENERIC-NOT: scf.yield
// GENERIC-COUNT-2: gs.generic (
// GENERIC-NOT: gs.generic (
// GENERIC: scf.yield
func.func @in_a_loop(%t: tensor<4xf32>, %i: tensor<2x1xi64>, %n: index, %d: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q = scf.for %k = %c0 to %n step %c1 iter_args(%a = %d) -> tensor<2xf32> {
    %0 = gs.gather %t[%i] gather_dims([0]) : (tensor<4xf32>, tensor<2x1xi64>) -> tensor<2xf32>
    %1 = gs.gather %t[%i] gather_dims([0]) mode(error)
        : (tensor<4xf32>, tensor<2x1xi64>) -> tensor<2xf32>
    %2 = gs.gather %t[%i] gather_dims([0]) : (tensor<4xf32>, tensor<2x1xi64>) -> tensor<2xf32>
    %3 = arith.addf %a, %0 : tensor<2xf32>
    %4 = arith.addf %3, %2 : tensor<2xf32>
    scf.yield %4 : tensor<2xf32>
  }
  return %q : tensor<2xf32>
}
