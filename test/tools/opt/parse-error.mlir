// RUN: not gs-opt %s 2>&1 | filecheck %s --match-full-lines --strict-whitespace
// RUN: cat %s | not gs-opt - 2>&1 | filecheck %s --check-prefix=STDIN
// RUN: not gs-opt %s --mlir-disable-diagnostic-notes 2>&1 | filecheck %s --check-prefix=NONOTE

// CHECK:{{.*}}parse-error.mlir:[[# @LINE + 11]]:18: error: use of value '%a' expects different type than prior uses: 'i64' vs 'i32'
// CHECK-NEXT:        %0 = arith.addi %a, %a : i64
// CHECK-NEXT:                        ^
// CHECK-NEXT:{{.*}}parse-error.mlir:[[# @LINE + 7]]:14: note: prior use here
// CHECK-NEXT:func.func @f(%a: i32) {
// CHECK-NEXT:             ^

// STDIN: <stdin>:16:18: error:
// NONOTE: error:
// NONOTE-NOT: note:
func.func @f(%a: i32) {
	%0 = arith.addi %a, %a : i64
  return
}
