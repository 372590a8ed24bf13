// RUN: not gs-opt %s 2>&1 | filecheck %s
// RUN: not gs-run %s 2>&1 | filecheck %s

// CHECK: {{.*}}:[[# @LINE + 2]]:8: error: 'tcp.gather' op is defined in Python and has no custom form: write the generic form, "tcp.gather"(...)
func.func @f(%x: tensor<10x4xf32>, %i: tensor<3x4xi32>) -> tensor<3x4xf32> {
  %0 = tcp.gather %x, %i dim = 0 : tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
