// RUN: not gs-opt %s --gs-import-stablehlo --split-input-file 2>&1 | filecheck %s

// Files are no names of what is called for.
// CHECK: op calls @lapack, which only XLA has
func.func @files(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.custom_call @lapack(%x) : (tensor<4xf32>) -> tensor<4xf32> loc(callsite("a.py":1:2 at "b.py":3:4))
  return %r : tensor<4xf32>
}

// -----

// CHECK: op calls @lapack for cholesky, which only XLA has
func.func @names(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.custom_call @lapack(%x) : (tensor<4xf32>) -> tensor<4xf32> loc(callsite("a.py":1:2 at "cholesky"("b.py":3:4)))
  return %r : tensor<4xf32>
}
