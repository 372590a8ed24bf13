// RUN: not gs-opt %s 2>&1 | filecheck %s
// RUN: not gs-run %s 2>&1 | filecheck %s

// CHECK: {{.*}}:[[# @LINE + 2]]:8: error: 'gs.gather' op is defined in Python and has no custom form: write the generic form, "gs.gather"(...)
func.func @f(%x: tensor<10x4xf32>, %i: tensor<3x1xi32>) -> tensor<3x4xf32> {
  %0 = gs.gather %x[%i] gather_dims([0]) : tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
