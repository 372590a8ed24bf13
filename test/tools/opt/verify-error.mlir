// RUN: not gs-opt %s 2>&1 | filecheck %s
// RUN: not gs-opt %s --mlir-print-op-on-diagnostic=false 2>&1 | filecheck %s --check-prefix=PLAIN

// CHECK: verify-error.mlir:[[# @LINE + 6]]:8: error: 'arith.constant' op {{.*}}
// CHECK: note: see current operation:
// CHECK-NOT: Traceback
// PLAIN: error: 'arith.constant' op
// PLAIN-NOT: see current operation
func.func @f() -> i32 {
  %0 = "arith.constant"() {value = 1 : i64} : () -> i32
  return %0 : i32
}
