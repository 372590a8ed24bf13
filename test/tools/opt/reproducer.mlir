// RUN: rm -f %t.repro %t.good
// RUN: not gs-opt %s --cse --one-shot-bufferize --mlir-pass-pipeline-crash-reproducer=%t.repro
// RUN: filecheck %s --check-prefix=REPRO < %t.repro
// RUN: not gs-opt %t.repro --run-reproducer 2>&1 | filecheck %s
// RUN: gs-opt %s --cse --mlir-pass-pipeline-crash-reproducer=%t.good -o /dev/null
// RUN: not cat %t.good
// RUN: not gs-opt %s --cse --one-shot-bufferize --mlir-print-ir-after-failure 2>&1 \
// RUN:   | filecheck %s --check-prefix=FAILURE

// REPRO: "tensor.gather"
// REPRO: mlir_reproducer
// REPRO: pipeline: "builtin.module(cse,one-shot-bufferize)"
// FAILURE-NOT: IR Dump After CSE
// FAILURE: IR Dump After OneShotBufferize{{.*}}Failed
// CHECK: error: op was not bufferized
func.func @f(%a: tensor<4xi32>, %i: tensor<4x1xindex>) -> tensor<4x1xi32> {
  %x = tensor.gather %a[%i] gather_dims([0]) : (tensor<4xi32>, tensor<4x1xindex>) -> tensor<4x1xi32>
  return %x : tensor<4x1xi32>
}
