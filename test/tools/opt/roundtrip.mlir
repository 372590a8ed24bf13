// RUN: gs-opt %s | gs-opt | filecheck %s
// RUN: gs-opt %s --verify-roundtrip --mlir-print-op-generic | gs-opt - | filecheck %s
// RUN: gs-opt %s --emit-bytecode | gs-opt | filecheck %s
// RUN: gs-opt -o %t %s
// RUN: filecheck %s < %t

// CHECK-LABEL: func.func @rows
// CHECK: gs.gather %{{.*}}[%{{.*}}] gather_dims([0])
func.func @rows(%source: tensor<?x8xf32>, %indices: tensor<5x1xi32>) -> tensor<5x8xf32> {
  %rows = gs.gather %source[%indices] gather_dims([0])
      : (tensor<?x8xf32>, tensor<5x1xi32>) -> tensor<5x8xf32>
  return %rows : tensor<5x8xf32>
}
