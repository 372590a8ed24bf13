// RUN: gs-opt %s --mlir-print-debuginfo --mlir-print-local-scope --mlir-print-op-generic | filecheck %s
// RUN: gs-opt %s --symbol-dce --mlir-print-debuginfo --mlir-print-local-scope --mlir-print-op-generic | filecheck %s

// CHECK: "func.func"
func.func @f(%x: tensor<9x4xf32>, %i: tensor<3x1xi32>, %d: tensor<9x4xf32>) -> tensor<9x4xf32> {
  // CHECK: "gs.gather"{{.*}} loc("{{.*}}locations.mlir":[[# @LINE + 1]]:8)
  %0 = gs.gather %x[%i] // with a comment: {
      gather_dims([0])
      : (tensor<9x4xf32>, tensor<3x1xi32>)
        -> tensor<3x4xf32>
  // CHECK: "gs.gather"{{.*}} loc("of the user":7:8)
  %1 = gs.gather %x[%i] gather_dims([0]) : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32> loc("of the user":7:8)
  // CHECK: "arith.addf"{{.*}} loc("{{.*}}locations.mlir":[[# @LINE + 1]]:8)
  %2 = arith.addf %0, %1 : tensor<3x4xf32>
  // All in one line.
  // CHECK: ^bb0(%{{.*}}: f32 loc("{{.*}}locations.mlir":[[# @LINE + 5]]:132),
  // CHECK: "arith.subf"{{.*}} loc("{{.*}}locations.mlir":[[# @LINE + 4]]:156)
  // CHECK: "gs.yield"{{.*}} loc("{{.*}}locations.mlir":[[# @LINE + 3]]:180)
  // CHECK: }) {{.*}} loc("{{.*}}locations.mlir":[[# @LINE + 2]]:8)
  // CHECK: "arith.negf"{{.*}} loc("{{.*}}locations.mlir":[[# @LINE + 1]]:205)
  %3 = gs.scatter %2 into %d[%i] scatter_dims([0]) : (tensor<3x4xf32>, tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<9x4xf32> { ^bb0(%a: f32, %b: f32): %s = arith.subf %a, %b : f32 gs.yield %s : f32 } %y = arith.negf %x : tensor<9x4xf32>
  // The combiner is where it is named.
  // CHECK: "arith.addf"{{.*}} loc("{{.*}}locations.mlir":[[# @LINE + 2]]:60)
  // CHECK: }) {{.*}} loc("{{.*}}locations.mlir":[[# @LINE + 1]]:8)
  %4 = gs.scatter %2 into %y[%i] scatter_dims([0]) combine(add)
      : (tensor<3x4xf32>, tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<9x4xf32>
  %5 = arith.addf %3, %4 : tensor<9x4xf32>
  return %5 : tensor<9x4xf32>
}
