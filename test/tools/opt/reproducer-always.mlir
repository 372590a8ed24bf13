// RUN: gs-opt %s --cse --mlir-generate-reproducer=%t.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix WRITTEN < %t.mlir
// RUN: gs-opt %t.mlir --run-reproducer | FileCheck %s
// RUN: gs-opt %s --emit-bytecode --emit-bytecode-version=4 | gs-opt --cse | FileCheck %s
// RUN: not gs-opt %s --emit-bytecode --emit-bytecode-version=99 2>&1 \
// RUN:   | FileCheck %s --check-prefix VERSION

// CHECK: arith.addi
// CHECK-NOT: arith.addi
// WRITTEN: mlir_reproducer
// WRITTEN: pipeline: "builtin.module(cse)"
// VERSION: error: unsupported version requested 99
func.func @f(%a: i32) -> (i32, i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  return %0, %1 : i32, i32
}
