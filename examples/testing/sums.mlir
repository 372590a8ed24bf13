// A scatter with repeated coordinates, with chosen arrays, and promises that are checked.
// RUN: gs-run %s --args %S/values.npy %S/ids.npy | filecheck %s
// RUN: gs-run %s --args %S/values.npy %S/ids.npy --sanitize --quiet
// RUN: not gs-run %s --args %S/values.npy %S/wrong.npy 2>&1 | filecheck %s --check-prefix=WRONG

// CHECK: [4. 0. 2.]
// WRONG: sums.mlir:{{[0-9]+}}:8: {{.*}}coordinate 3 at position [1, 0] is out of bounds for size 3
func.func @sums(%values: tensor<?xf32>, %ids: tensor<?x1xi64>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
  %0 = gs.scatter %values into %zeros[%ids] scatter_dims([0]) combine(add) mode(error)
      : (tensor<?xf32>, tensor<3xf32>, tensor<?x1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
